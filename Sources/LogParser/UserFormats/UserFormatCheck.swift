// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension UserFormat {
  /// Tries the format on its samples.
  ///
  /// Times without a zone are read as UTC, dates that are left out are counted from the end of 2026.
  ///
  /// - Throws: `UserFormatError` that names the first sample that is not read as it should be, and
  ///   where the pattern or the time layout stops.
  package func checkSamples() throws(UserFormatError) {
    guard !definition.samples.isEmpty else {
      throw UserFormatError(
        place: definition.place, name: name,
        reason: "it has no sample; add [[format.sample]] with a text and the fields it is to have")
    }
    for (index, sample) in definition.samples.enumerated() {
      if let reason = failure(of: sample) {
        throw UserFormatError(
          place: sample.place.isEmpty ? definition.place : sample.place, name: name,
          reason: "sample \(index + 1): \(reason)")
      }
    }
  }

  /// 2026-12-31T00:00:00Z.
  private static let now = Timestamp(nanoseconds: 1_798_675_200_000_000_000)

  /// What is wrong with how a sample is read; `nil` when nothing is.
  private func failure(of sample: UserFormatDefinition.Sample) -> String? {
    let reader = UserFormatReader(self)
    let bytes = Array(sample.text.utf8)
    guard !bytes.isEmpty else { return "its text is empty" }
    return bytes.withUnsafeBufferPointer { line in
      let first = line.slice(0, line.firstLineEnd)
      guard reader.begins(first) || (recordStart == nil && reader.begins(line)) else {
        return mismatch(recordStart == nil ? line : first, reader, isStart: recordStart != nil)
      }
      return failure(of: sample, line, reader)
    }
  }

  private func failure(
    of sample: UserFormatDefinition.Sample, _ line: Line, _ reader: UserFormatReader
  ) -> String? {
    let arena = ByteArena(capacity: line.count * 8 + 4096)
    arena.append(line)
    let text = Text(ByteSlice(start: 0, count: line.count), in: arena)
    var clock = Clock(FileContext(path: "", modified: Self.now, now: Self.now))
    var record = LogRecord()
    record.observedTime = Self.now
    guard reader.parse(text, &clock, &record) else {
      return mismatch(line, reader, isStart: false)
    }
    let asksForTime = sample.expected.contains { UserFormatField(name: $0.field).isTime }
    if asksForTime, let time = reader.unreadTime(in: line) {
      return unread(line, time.range, time.stop)
    }
    var fields = ReadFields(record, arena)
    for expectation in sample.expected {
      let found = fields.value(of: expectation.field)
      if !ReadFields.isSame(found, expectation.value, expectation.field) {
        let got = found.isEmpty ? "nothing" : "'\(found)'"
        return "expected \(expectation.field) = '\(expectation.value)', got \(got)"
      }
    }
    return nil
  }

  /// How far the best pattern gets.
  private func mismatch(_ line: Line, _ reader: UserFormatReader, isStart: Bool) -> String {
    if let failure = reader.failure { return "the pattern gives up: \(failure)" }
    let reach = isStart ? reader.reachOfStart(in: line) : reader.reach(in: line)
    let what = isStart ? "record_start" : "the pattern"
    if reach == line.count { return "\(what) wants more than the text has: it ends too early" }
    return "\(what) stops matching at character \(Self.character(line, reach)): "
      + "it takes '\(Self.quoted(line, 0, reach))', not '\(Self.quoted(line, reach, line.count))'"
  }

  private func unread(_ line: Line, _ range: Range<Int>, _ stop: Int) -> String {
    let whole = Self.quoted(line, range.lowerBound, range.upperBound)
    let layouts = definition.timeLayouts.map { "'\($0)'" }.joined(separator: ", ")
    let what = layouts.isEmpty ? "no known time (give a layout as time = \"%Y-%m-%d …\")" : layouts
    return "the time '\(whole)' does not follow \(what): it stops at "
      + "'\(Self.quoted(line, stop, range.upperBound))'"
  }

  /// The number of the character at byte `index`, from 1.
  private static func character(_ line: Line, _ index: Int) -> Int {
    String(decoding: line.slice(0, index), as: UTF8.self).count + 1
  }

  /// At most forty characters: the last ones before a place, the first ones behind it.
  private static func quoted(_ line: Line, _ start: Int, _ end: Int) -> String {
    let text = String(decoding: line.slice(start, end), as: UTF8.self)
    guard text.count > 40 else { return text }
    return start == 0 ? "…" + text.suffix(40) : text.prefix(40) + "…"
  }
}

extension UserFormatField {
  fileprivate var isTime: Bool { if case .time = self { true } else { false } }
}

/// The fields of a record as a sample names them.
private struct ReadFields {
  private let record: LogRecord
  private let arena: ByteArena
  private var attributes: JSONTree?

  init(_ record: LogRecord, _ arena: ByteArena) {
    self.record = record
    self.arena = arena
  }

  /// The value as text; empty for none.
  mutating func value(of name: String) -> String {
    switch UserFormatField(name: name) {
    case .time:
      guard record.timeQuality.rawValue <= TimeQuality.inferredYear.rawValue else { return "" }
      return arena.string(RFC3339.append(record.time, to: arena))
    case .severity:
      return name == "severity_text" ? arena.string(record.severityText) : record.severity.name
    case .severityNumber: return String(record.severity.number)
    case .body: return arena.string(record.body)
    case .process: return arena.string(record.process)
    case .pid: return record.pid < 0 ? "" : String(record.pid)
    case .threadID: return record.threadID < 0 ? "" : String(record.threadID)
    case .scope: return arena.string(record.scope)
    case .none: return ""
    case .attribute(let key, _):
      let tree =
        attributes
        ?? JSONTree(
          [Byte.openBrace] + Array(arena.bytes(record.attributes)) + [Byte.closeBrace])
      attributes = tree
      let name = String(decoding: key.dropFirst().dropLast(), as: UTF8.self)
      return tree.root?[name]?.scalarText ?? ""
    }
  }

  /// Times are compared as times, severities as severities, all else as text.
  static func isSame(_ found: String, _ wanted: String, _ name: String) -> Bool {
    if found == wanted { return true }
    switch UserFormatField(name: name) {
    case .time: return !found.isEmpty && time(found) == time(wanted)
    case .severity where name != "severity_text":
      return Severity(name: wanted).map { $0.name == found } ?? false
    default: return false
    }
  }

  private static func time(_ text: String) -> [Int64] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { line in
      var stamp = Stamp()
      guard StampScanner.scan(line, at: 0, into: &stamp), stamp.isValid, stamp.end == line.count
      else { return [] }
      return [stamp.seconds - Int64(stamp.offset), Int64(stamp.nanosecond)]
    }
  }
}
