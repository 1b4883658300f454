// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// What the store keeps beside records and checkpoints.
extension LogStore {
  /// A number that the store keeps about itself; `nil` before it was set.
  func meta(_ key: String) throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT value FROM meta WHERE key = '\(key)'")
  }

  func setMeta(_ key: String, _ value: Int64) throws(SQLiteError) {
    let statement = try connection.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)")
    statement.bind(1, key)
    statement.bind(2, value)
    try statement.run()
  }

  func save(_ gaps: [Gap], resumed: [UInt32]) throws(SQLiteError) {
    for generation in resumed {
      try connection.execute("DELETE FROM gap WHERE file = \(generation)")
    }
    for gap in gaps {
      let insert = try connection.prepare(
        """
        INSERT OR REPLACE INTO gap (file, from_offset, to_offset, reason, observed_time)
        VALUES (?, ?, ?, ?, unixepoch() * 1000000000)
        """)
      insert.bind(1, Int64(gap.generation))
      insert.bind(2, gap.from)
      insert.bind(3, gap.to)
      insert.bind(4, gap.reason.rawValue)
      try insert.run()
    }
  }

  /// Keeps what is wrong now, so that `status` can tell: a JSON object from paths to reasons.
  func save(_ problems: [String: String]) throws(SQLiteError) {
    let members = problems.sorted { $0.key < $1.key }.map {
      "\(JSONText.quoted($0.key)):\(JSONText.quoted($0.value))"
    }
    let statement = try connection.prepare("INSERT OR REPLACE INTO meta VALUES ('problems', ?)")
    statement.bind(1, "{" + members.joined(separator: ",") + "}")
    try statement.run()
  }
}
