// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// What the store adds to a record of a batch: its row, and the rows it refers to; 0 for none.
struct RowKeys {
  var id: Int64
  var context: Int64 = 0
  var crash: Int64 = 0
  /// Of the template that has its text and keys; 0 when they are stored as they are.
  var frame: Int64 = 0
  /// The body is in the template too.
  var isBodyFramed = false
  /// Attributes whose values are in the template, as `RecordTemplate` has them.
  var constants: UInt64 = 0
}

/// The records of a batch as a table, for `INSERT … SELECT`: nothing is copied or allocated for a
/// row on the way from the batch's arena to SQLite's page.
final class RecordFeed {
  static let names = [
    "id", "time", "severity", "file", "byte_offset", "byte_length", "context", "pid", "thread_id",
    "body", "attributes", "frame", "head", "tail", "original", "crash",
  ]

  private var records: [LogRecord] = []
  private var keys: [RowKeys] = []
  private var arena = ByteArena(capacity: 16)
  /// The attributes of a row as JSON.
  private let document = ByteArena(capacity: 64 << 10)

  /// Shows these rows until `clear`.
  func show(_ records: [LogRecord], _ keys: [RowKeys], _ arena: ByteArena) {
    self.records = records
    self.keys = keys
    self.arena = arena
  }

  /// Lets go of the rows, so that their owner can reuse them in place.
  func clear() {
    records = []
    keys = []
  }

  var rowCount: Int { records.count }

  /// The columns that have a value in some row, a bit each, the lowest for `id`: a column costs its
  /// share of an insertion also where it is NULL, and half of them mostly are in all rows.
  var filledColumns: Int {
    // From `id` to `context` all rows have them.
    var columns = 1 << 7 - 1
    for row in records.indices {
      if records[row].pid != -1 { columns |= 1 << 7 }
      if records[row].threadID != -1 { columns |= 1 << 8 }
      if !keys[row].isBodyFramed { columns |= 1 << 9 }
      if !records[row].attributes.isEmpty { columns |= 1 << 10 }
      if keys[row].crash != 0 { columns |= 1 << 15 }
      // A frame has the texts of these three.
      columns |= keys[row].frame != 0 ? 1 << 11 : 0b111 << 12
    }
    return columns
  }

  /// Whether each row's id is that of the row before and 1.
  var areInRow: Bool {
    for (index, key) in keys.enumerated() where key.id != keys[0].id + Int64(index) { return false }
    return true
  }

  /// The value of one column of one row; NULL when it does nothing.
  func column(_ index: Int32, of row: Int, into result: ColumnResult) {
    switch index {
    case 0: result.set(keys[row].id)
    case 1: result.set(records[row].time.nanoseconds)
    case 2: result.set(Int64(records[row].severity.number))
    case 3: result.set(Int64(records[row].generation))
    case 4: result.set(records[row].byteOffset)
    case 5: result.set(records[row].byteLength)
    case 6: result.set(keys[row].context)
    case 7: set(records[row].pid, unless: -1, result)
    case 8: set(records[row].threadID, unless: -1, result)
    case 9: if !keys[row].isBodyFramed { result.set(text: arena.bytes(records[row].body)) }
    case 10:
      if keys[row].frame == 0 || records[row].attributes.placeCount == 0 {
        setObject(records[row].attributes, result)
      } else {
        setValues(records[row].attributes, without: keys[row].constants, result)
      }
    case 11: set(keys[row].frame, unless: 0, result)
    case 12: if keys[row].frame == 0 { set(text: records[row].head, result) }
    case 13: if keys[row].frame == 0 { set(text: records[row].tail, result) }
    case 14:
      let original = records[row].original
      if !original.isEmpty, keys[row].frame == 0 { result.set(blob: arena.bytes(original)) }
    default: set(keys[row].crash, unless: 0, result)
    }
  }

  private func set(_ value: Int64, unless absent: Int64, _ result: ColumnResult) {
    if value != absent { result.set(value) }
  }

  private func set(text slice: ByteSlice, _ result: ColumnResult) {
    if !slice.isEmpty { result.set(text: arena.bytes(slice)) }
  }

  private func setObject(_ attributes: AttributeList, _ result: ColumnResult) {
    guard !attributes.isEmpty else { return }
    // SQLite has copied the row before by the time it asks for the next one.
    document.removeAll()
    document.append(UInt8(ascii: "{"))
    document.append(arena.bytes(attributes))
    document.append(UInt8(ascii: "}"))
    result.set(text: document.bytes(ByteSlice(start: 0, count: document.count)))
  }

  /// The values alone: the frame has the keys, and values that all its records share.
  private func setValues(
    _ attributes: AttributeList, without constants: UInt64, _ result: ColumnResult
  ) {
    let room = Int(attributes.count) + 2
    document.removeAll()
    let space = document.unusedSpace(room).space
    guard let target = space.baseAddress else { return }
    var count = 0
    var rest = constants
    for place in arena.places(attributes) {
      let isConstant = rest & 1 != 0
      rest >>= 1
      if isConstant { continue }
      target[count] = UInt8(ascii: count == 0 ? "[" : ",")
      let length = Int(place.end &- place.start)
      (target + count + 1).update(from: arena.base + Int(place.start), count: length)
      count &+= length &+ 1
    }
    if count == 0 { return }
    target[count] = UInt8(ascii: "]")
    result.set(text: UnsafeBufferPointer(start: target, count: count + 1))
  }
}

/// Stores rows through a `RecordFeed`.
final class RecordInserter {
  private let rows = RecordFeed()
  private let feed: RowFeed
  private let connection: Connection
  private let newest: StatementBox
  /// By the columns that they fill, as `filledColumns` has them.
  private var inserts: [Int: StatementBox] = [:]
  private var replaces: [Int: StatementBox] = [:]

  init(_ connection: Connection) throws(SQLiteError) {
    feed = RowFeed(
      source: rows, columns: RecordFeed.names,
      count: { Unmanaged<RecordFeed>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.rowCount } },
      column: { source, index, row, context in
        Unmanaged<RecordFeed>.fromOpaque(source)._withUnsafeGuaranteedRef {
          $0.column(index, of: row, into: ColumnResult(context))
        }
      })
    try feed.register("record_feed", with: connection)
    newest = StatementBox(
      try connection.prepare("SELECT ifnull(max(id), 0) FROM record", persistent: true))
    self.connection = connection
  }

  /// Stores `records` under the rows that `keys` names.
  ///
  /// - Parameter replacing: some of the rows exist and are replaced.
  func store(
    _ records: [LogRecord], _ keys: [RowKeys], _ arena: ByteArena, replacing: Bool
  ) throws(SQLiteError) {
    if records.isEmpty { return }
    rows.show(records, keys, arena)
    defer { rows.clear() }
    var columns = rows.filledColumns
    if replacing {
      try statement("INSERT OR REPLACE", columns, &replaces).value.run()
      return
    }
    // Where SQLite chooses the same ids by itself, it need not look whether they are taken.
    if try newestID() == keys[0].id - 1, rows.areInRow { columns &= ~1 }
    try statement("INSERT", columns, &inserts).value.run()
  }

  private func newestID() throws(SQLiteError) -> Int64 {
    defer { newest.value.reset() }
    return try newest.value.step() ? newest.value.integer(0) : 0
  }

  private func statement(
    _ verb: String, _ columns: Int, _ known: inout [Int: StatementBox]
  ) throws(SQLiteError) -> StatementBox {
    if let statement = known[columns] { return statement }
    let names = RecordFeed.names.enumerated().filter { columns >> $0.offset & 1 != 0 }
      .map(\.element).joined(separator: ", ")
    let statement = StatementBox(
      try connection.prepare(
        "\(verb) INTO record (\(names)) SELECT \(names) FROM record_feed", persistent: true))
    known[columns] = statement
    return statement
  }
}

/// Holds a statement, which can't be copied, in a class.
final class StatementBox {
  let value: Statement

  init(_ value: consuming Statement) { self.value = value }
}
