// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Gives the records of a batch their contexts, most of which are those of the records before.
struct ContextFinder {
  /// Of the batch's contexts, the last that were given, the newest first.
  private var recent = RecentNumbers(limit: 8)

  mutating func beginBatch() { recent.removeAll() }

  /// The number of the record's context among those of `batch`, of which some may be equal.
  mutating func number(for record: LogRecord, _ batch: RecordBatch) -> UInt32 {
    let flags = Self.packedFlags(record)
    for place in 0..<recent.count {
      let number = recent[place]
      guard Self.isSame(batch.context(number), record, flags, batch.arena) else { continue }
      recent.putFirst(place)
      return UInt32(number)
    }
    recent.put(batch.contexts.count)
    batch.contexts.append(RecordContext(record, flags: flags))
    return UInt32(batch.contexts.count - 1)
  }

  /// The integer that the schema describes: `LineBreak`, `TimeQuality`, then `RecordFlags`.
  static func packedFlags(_ record: LogRecord) -> Int64 {
    Int64(record.lineBreak.rawValue) | Int64(record.timeQuality.rawValue) << 3
      | Int64(record.flags.rawValue) << 8
  }

  private static func isSame(
    _ context: RecordContext, _ record: LogRecord, _ flags: Int64, _ arena: ByteArena
  ) -> Bool {
    func areEqual(_ one: ByteSlice, _ other: ByteSlice) -> Bool {
      one.count == other.count
        && (one.start == other.start || ByteSearch.areEqual(arena.bytes(one), arena.bytes(other)))
    }
    return context.flags == flags && context.utcOffset == record.utcOffsetMinutes
      && areEqual(context.severityText, record.severityText)
      && areEqual(context.scope, record.scope) && areEqual(context.process, record.process)
  }
}
