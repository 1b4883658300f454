// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// Where the columns of `record` stand in the rows of a bundle.
struct RecordColumns {
  /// Their names, in order: all but `frame`, whose texts are put into the others.
  let names: [String]

  private(set) var id = 0, time = 0, severity = 0, file = 0, byteOffset = 0, byteLength = 0
  private(set) var context = 0, pid = 0, threadID = 0, crash = 0
  private(set) var head = 0, body = 0, tail = 0, attributes = 0, original = 0

  /// - Throws: `SQLiteError`, also for a store that lacks one.
  init(_ store: Connection) throws(SQLiteError) {
    let row = try store.prepare(
      "SELECT name FROM pragma_table_info('record') WHERE name <> 'frame' ORDER BY cid")
    var names: [String] = []
    while try row.step() { names.append(row.text(0)) }
    self.names = names
    let places: [(String, WritableKeyPath<RecordColumns, Int>)] = [
      ("id", \.id), ("time", \.time), ("severity", \.severity), ("file", \.file),
      ("byte_offset", \.byteOffset), ("byte_length", \.byteLength), ("context", \.context),
      ("pid", \.pid), ("thread_id", \.threadID), ("crash", \.crash), ("head", \.head),
      ("body", \.body), ("tail", \.tail), ("attributes", \.attributes), ("original", \.original),
    ]
    for (name, place) in places {
      guard let index = names.firstIndex(of: name) else {
        throw SQLiteError(code: 1, message: "the store's records have no column \(name)")
      }
      self[keyPath: place] = index
    }
  }
}
