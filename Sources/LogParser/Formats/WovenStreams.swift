// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Joins the lines that a container's runtime has cut into parts, also where those of standard
/// output and standard error come between each other.
///
/// From the first unfinished line on until no stream has one, all lines are one stretch of the file,
/// which holds as many records as it has whole lines.
enum WovenStreams {
  /// A line in such a stretch.
  struct Entry {
    /// 0 or 1.
    var stream = 0
    /// It is not finished: it goes on in the next line of its stream.
    var isPart = false
    /// Its text goes on from the line before of the same stream: a stack trace.
    var isIndented = false
  }

  /// Seconds after which an unfinished line is given up: its writer has died.
  private static let maxWait: Int64 = 10

  /// - Parameter time: when the line was written, in seconds since 1970; asked for only where a
  ///   line is unfinished.
  static func joins(
    _ entry: Entry, _ state: inout JoinState, time: () -> Int64?
  ) -> JoinState.Answer {
    let bit: UInt8 = 1 << UInt8(entry.stream)
    if !state.isFirst, continues(entry, state, time) {
      if state.openStreams == 0 { state.openSince = entry.isPart ? time() ?? 0 : 0 }
      if state.key != Int64(entry.stream) { state.isWoven = true }
      state.openStreams = entry.isPart ? state.openStreams | bit : state.openStreams & ~bit
      state.key = Int64(entry.stream)
      return .continues
    }
    let answer = state.begin(key: Int64(entry.stream))
    state.openStreams = entry.isPart ? bit : 0
    state.openSince = entry.isPart ? time() ?? 0 : 0
    return answer
  }

  private static func continues(_ entry: Entry, _ state: JoinState, _ time: () -> Int64?) -> Bool {
    if state.openStreams != 0 { return (time() ?? 0) - state.openSince <= maxWait }
    // What follows a stretch of both streams is a record of its own: the stretch is long enough.
    return state.key == Int64(entry.stream) && entry.isIndented && !state.isWoven
  }

  /// The lines of each record in `line`, by their bytes, in the order of their first lines.
  ///
  /// - Parameter read: what a line of the given range is; `nil` for one without a header, which
  ///   belongs to the line before it.
  static func records(
    in text: Line, _ read: (Range<Int>) -> Entry?
  ) -> [[Range<Int>]] {
    var groups: [[Range<Int>]] = []
    // The record of each stream that may take its next line, and whether its last is unfinished.
    var current = [-1, -1]
    var isOpen = [false, false]
    var last = 0
    var start = 0
    while start < text.count {
      let end = text.index(of: Byte.newline, from: start) ?? text.count
      if let entry = read(start..<end) {
        let stream = entry.stream
        if current[stream] < 0 || !(isOpen[stream] || entry.isIndented) {
          current[stream] = groups.count
          groups.append([])
        }
        isOpen[stream] = entry.isPart
        last = current[stream]
      } else if groups.isEmpty {
        groups.append([])
      }
      groups[last].append(start..<end)
      start = end + 1
    }
    return groups
  }

  /// A copy of some lines in the arena, joined by newlines; `text` itself when these are all.
  static func copy(
    _ lines: [Range<Int>], of text: ByteSlice, in arena: ByteArena
  ) -> ByteSlice {
    let length = lines.reduce(-1) { $0 + $1.count + 1 }
    if length == Int(text.count) { return text }
    arena.reserve(length)
    let start = arena.count
    for (index, line) in lines.enumerated() {
      if index > 0 { arena.append(Byte.newline) }
      arena.append(
        copyOf: ByteSlice(start: Int(text.start) + line.lowerBound, count: line.count))
    }
    return ByteSlice(start: start, count: arena.count - start)
  }
}

/// A container's format: an envelope around each line, of two streams.
protocol WovenFormat: JoiningFormat, MultiRecordFormat {
  /// What the line at `range` is; `nil` when it has no envelope.
  static func entry(_ text: Line, _ range: Range<Int>) -> WovenStreams.Entry?

  /// When the line that has an envelope was written, in seconds since 1970.
  static func time(_ line: Line) -> Int64?

  /// Reads the lines of one stream, which are `text`; `whole` is what the record keeps.
  static func parseStream(
    _ text: Text, whole: ByteSlice, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool
}

extension WovenFormat {
  static func begins(_ line: Line) -> Bool { entry(line, 0..<line.count) != nil }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    entry(line, 0..<line.count).map { entry in
      WovenStreams.joins(entry, &state) { time(line) }
    }
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let whole = text.slice(0, text.count)
    let first = text.bytes.firstLineEnd
    guard first < text.count else {
      return parseStream(text, whole: whole, &clock, &record)
    }
    guard begins(text.bytes.slice(0, first)) else { return false }
    let groups = WovenStreams.records(in: text.bytes) { entry(text.bytes, $0) }
    guard groups.count > 1 else { return parseStream(text, whole: whole, &clock, &record) }
    record.flags.add(.hasParts)
    let arena = text.arena
    let lines = WovenStreams.copy(groups[0], of: whole, in: arena)
    FurtherRecords.reserve(Int(lines.count), common: 0, in: arena)
    return parseStream(Text(lines, in: arena), whole: whole, &clock, &record)
  }

  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  ) {
    let bytes = arena.bytes(text)
    let groups = WovenStreams.records(in: bytes) { entry(bytes, $0) }
    let further = FurtherRecords(first, textLength: bytes.count)
    for lines in groups.dropFirst() {
      let slice = WovenStreams.copy(lines, of: text, in: arena)
      FurtherRecords.reserve(Int(slice.count), common: 0, in: arena)
      var record = further.next()
      if !parseStream(Text(slice, in: arena), whole: slice, &clock, &record) {
        clock.inherit(&record)
        record.body = slice
      }
      record.flags.remove(.hasParts)
      records.append(record)
      Payload.appendFurther(after: record, in: arena, &clock, into: &records)
    }
  }
}
