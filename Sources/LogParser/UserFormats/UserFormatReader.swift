// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import Patterns

/// Recognises and reads the records of one user format; for one thread.
package final class UserFormatReader {
  package let format: UserFormat
  private let matchers: [Matcher]
  private let start: Matcher?
  private let severities: [Matcher]

  /// Steps of backtracking after which a line is left to other formats: some milliseconds.
  private static let limit: UInt32 = 100_000

  package init(_ format: UserFormat) {
    self.format = format
    matchers = format.patterns.map { Matcher($0.pattern, limit: Self.limit) }
    start = format.recordStart.map { Matcher($0, limit: Self.limit) }
    severities = format.severities.map { Matcher($0.pattern, limit: Self.limit) }
  }

  /// Whether a line, without its end and colours, begins a record.
  func begins(_ line: Line) -> Bool {
    if let start { return start.find(in: line) }
    return matchers.contains { $0.find(in: line) }
  }

  /// Reads a record; false, with `record` as it was, when no pattern matches it.
  ///
  /// The patterns are tried on the whole record first, then on its first line: an expression that
  /// ends in `$` knows nothing of the lines that follow.
  func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    let first = line.slice(0, line.firstLineEnd)
    for (index, matcher) in matchers.enumerated() where matcher.find(in: line) {
      fill(index, text, &clock, &record)
      return true
    }
    guard first.count < line.count else { return false }
    for (index, matcher) in matchers.enumerated() where matcher.find(in: first) {
      fill(index, text, &clock, &record)
      return true
    }
    return false
  }

  private func fill(
    _ index: Int, _ text: Text, _ clock: inout Clock, _ record: inout LogRecord
  ) {
    let matcher = matchers[index]
    let pattern = format.patterns[index]
    var writer = JSONWriter(text)
    var hasTime = false
    var body = 0..<text.count
    for (group, field) in pattern.fields {
      guard let range = matcher.range(group), !range.isEmpty else { continue }
      let slice = text.slice(range.lowerBound, range.upperBound)
      switch field {
      case .time: hasTime = setTime(range, text.bytes, &clock, &record) || hasTime
      case .severity:
        record.severityText = slice
        record.severity = severity(of: text.bytes.slice(range.lowerBound, range.upperBound))
      case .severityNumber:
        let number = text.bytes.decimal(range.lowerBound, range.upperBound) ?? 0
        record.severity = Severity(number: number <= 24 ? UInt8(number) : 0)
      case .body: body = range
      case .process: record.process = slice
      case .pid: record.pid = text.bytes.decimal(range.lowerBound, range.upperBound) ?? -1
      case .threadID: record.threadID = text.bytes.decimal(range.lowerBound, range.upperBound) ?? -1
      case .scope: record.scope = slice
      case .attribute(let key, let isNumber):
        let isRaw = isNumber && Self.isPlainNumber(text.bytes, range)
        key.withUnsafeBufferPointer { writer.member(quotedKey: $0, slice, isRaw: isRaw) }
      case .none: continue
      }
    }
    record.attributes = writer.finish(text)
    if !hasTime { clock.inherit(&record) }
    // Lines that the pattern leaves alone belong to the message before them.
    if pattern.hasBody, body.upperBound == matcher.range(0)?.upperBound,
      text.bytes.at(body.upperBound) == Byte.newline
    {
      body = body.lowerBound..<text.count
    }
    text.setBody(body.lowerBound, body.upperBound, of: &record)
    if text.bytes.firstLineEnd < text.count, record.attributes.isEmpty {
      StackTraceText.annotate(&record, text.arena)
    }
  }

  private func setTime(
    _ range: Range<Int>, _ line: Line, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    var stamp = Stamp()
    guard read(range, line, into: &stamp) == nil else { return false }
    return clock.set(stamp, from: line, of: &record)
  }

  /// Reads a time by the layouts, or as the built-in formats do where there are none.
  ///
  /// - Returns: `nil` when it is read; else the index where the layout that reaches furthest ends.
  private func read(_ range: Range<Int>, _ line: Line, into stamp: inout Stamp) -> Int? {
    var furthest = range.lowerBound
    for layout in format.layouts {
      guard let stop = layout.read(line, range.lowerBound, range.upperBound, into: &stamp) else {
        return nil
      }
      furthest = max(furthest, stop)
    }
    if !format.layouts.isEmpty { return furthest }
    let text = line.slice(0, range.upperBound)
    if StampScanner.scan(text, at: range.lowerBound, into: &stamp)
      || EpochTime.field(text, range.lowerBound, range.upperBound, into: &stamp)
    {
      return nil
    }
    return furthest
  }

  private func severity(of word: Line) -> Severity {
    for (index, matcher) in severities.enumerated() where matcher.find(in: word) {
      return format.severities[index].severity
    }
    if word.count == 1, let letter = LevelWords.severity(ofLetter: word[0]) { return letter }
    return LevelWords.severity(of: word) ?? .unspecified
  }

  /// Digits that JSON takes for a number as they stand.
  private static func isPlainNumber(_ line: Line, _ range: Range<Int>) -> Bool {
    line.decimal(range.lowerBound, range.upperBound) != nil
      && (line[range.lowerBound] != Byte.zero || range.count == 1)
  }
}

// MARK: - Why something is not read

extension UserFormatReader {
  /// How far the pattern that takes most of `text` gets, in bytes.
  func reach(in text: Line) -> Int { matchers.map { $0.reach(in: text) }.max() ?? 0 }

  /// How far the pattern gets that says what begins a record.
  func reachOfStart(in text: Line) -> Int { start?.reach(in: text) ?? 0 }

  /// Why a pattern gave up on the last text; `nil` when none did.
  var failure: String? { matchers.lazy.compactMap(\.failure).first }

  /// The bytes of `text` that are its time, and where they leave the layout; `nil` when they follow
  /// it, or no pattern matches or has a time.
  func unreadTime(in text: Line) -> (range: Range<Int>, stop: Int)? {
    for (index, matcher) in matchers.enumerated() where matcher.find(in: text) {
      for (group, field) in format.patterns[index].fields {
        guard case .time = field, let range = matcher.range(group) else { continue }
        var stamp = Stamp()
        return read(range, text, into: &stamp).map { (range, $0) }
      }
      return nil
    }
    return nil
  }
}
