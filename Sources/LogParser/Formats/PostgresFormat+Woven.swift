// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Messages of several processes that were logged at the same moment.
extension PostgresFormat: MultiRecordFormat {
  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard line.firstLineEnd < line.count else { return parseMessage(text, &clock, &record) }
    let groups = messages(line)
    guard groups.count > 1 else { return parseMessage(text, &clock, &record) }
    let arena = text.arena
    let whole = text.slice(0, text.count)
    let lines = WovenStreams.copy(groups[0], of: whole, in: arena)
    FurtherRecords.reserve(Int(lines.count), common: 0, in: arena)
    guard parseMessage(Text(lines, in: arena), &clock, &record) else { return false }
    // The first message owns the bytes of all.
    (record.head, record.tail) = (.empty, .empty)
    record.original = whole
    record.flags.add(.hasParts)
    return true
  }

  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  ) {
    let further = FurtherRecords(first, textLength: Int(text.count))
    for lines in messages(arena.bytes(text)).dropFirst() {
      let slice = WovenStreams.copy(lines, of: text, in: arena)
      FurtherRecords.reserve(Int(slice.count), common: 0, in: arena)
      var record = further.next()
      if !parseMessage(Text(slice, in: arena), &clock, &record) {
        clock.inherit(&record)
        record.body = slice
      }
      records.append(record)
    }
  }

  /// The lines of each message, by their bytes, in the order of their first lines.
  private static func messages(_ text: Line) -> [[Range<Int>]] {
    var groups: [[Range<Int>]] = []
    var latest: [Int64: Int] = [:]
    var last = 0
    var start = 0
    while start < text.count {
      let end = text.index(of: Byte.newline, from: start) ?? text.count
      var header = Header()
      let isHeader = !text.at(start).isBlank && read(text.slice(0, end), at: start, &header)
      if isHeader, header.detail != nil, let known = latest[header.pid] {
        last = known
      } else if isHeader || groups.isEmpty {
        last = groups.count
        groups.append([])
        if isHeader { latest[header.pid] = last }
      }
      groups[last].append(start..<end)
      start = end + 1
    }
    return groups
  }
}
