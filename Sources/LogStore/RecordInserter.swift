// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// The rows of `word` that a record refers to.
struct InternedWords {
  var severityText: Int64?
  var process: Int64?
  var scope: Int64?
}

/// Inserts records, binding their bytes where they lie: nothing is copied or allocated for a row.
final class RecordInserter {
  private let statement: StatementBox
  /// The attributes between their braces.
  private var object: [UInt8] = []

  init(_ connection: Connection) throws(SQLiteError) {
    // OR REPLACE: a record that has grown takes the place of its row.
    statement = StatementBox(
      try connection.prepare(
        """
        INSERT OR REPLACE INTO record
          (id, time, observed_time, severity, flags, file, byte_offset, byte_length, utc_offset,
           severity_text, process, pid, thread_id, scope, crash, head, body, tail, attributes,
           original)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, persistent: true))
  }

  func insert(
    _ record: LogRecord, id: Int64, words: InternedWords, arena: ByteArena, crash: Int64? = nil
  ) throws(SQLiteError) {
    bindNumbers(record, id: id, words: words, crash: crash)
    bindText(16, record.head, arena)
    statement.value.bindStatic(17, text: arena.bytes(record.body))
    bindText(18, record.tail, arena)
    bindAttributes(record.attributes, arena)
    if record.original.isEmpty {
      statement.value.bindNull(20)
    } else {
      statement.value.bindStatic(20, blob: arena.bytes(record.original))
    }
    try statement.value.run()
  }

  private func bindNumbers(
    _ record: LogRecord, id: Int64, words: InternedWords, crash: Int64?
  ) {
    let packed =
      Int64(record.lineBreak.rawValue) | Int64(record.timeQuality.rawValue) << 3
      | Int64(record.flags.rawValue) << 8
    statement.value.bind(1, id)
    statement.value.bind(2, record.time.nanoseconds)
    statement.value.bind(3, record.observedTime.nanoseconds)
    statement.value.bind(4, Int64(record.severity.number))
    statement.value.bind(5, packed)
    statement.value.bind(6, Int64(record.generation))
    statement.value.bind(7, record.byteOffset)
    statement.value.bind(8, record.byteLength)
    bind(9, Int64(record.utcOffsetMinutes), unless: Int64(LogRecord.noOffset))
    statement.value.bind(10, words.severityText)
    statement.value.bind(11, words.process)
    bind(12, record.pid, unless: -1)
    bind(13, record.threadID, unless: -1)
    statement.value.bind(14, words.scope)
    statement.value.bind(15, crash)
  }

  private func bind(_ index: Int32, _ value: Int64, unless absent: Int64) {
    if value == absent {
      statement.value.bindNull(index)
    } else {
      statement.value.bind(index, value)
    }
  }

  private func bindText(_ index: Int32, _ slice: ByteSlice, _ arena: ByteArena) {
    if slice.isEmpty {
      statement.value.bindNull(index)
    } else {
      statement.value.bindStatic(index, text: arena.bytes(slice))
    }
  }

  private func bindAttributes(_ slice: ByteSlice, _ arena: ByteArena) {
    guard !slice.isEmpty else { return statement.value.bindNull(19) }
    object.removeAll(keepingCapacity: true)
    object.append(UInt8(ascii: "{"))
    object.append(contentsOf: arena.bytes(slice))
    object.append(UInt8(ascii: "}"))
    // SQLite copies nothing: `object` stays as it is until the statement has run.
    object.withUnsafeBufferPointer { statement.value.bindStatic(19, text: $0) }
  }
}

/// Holds a statement, which can't be copied, in a class.
final class StatementBox {
  let value: Statement

  init(_ value: consuming Statement) { self.value = value }
}
