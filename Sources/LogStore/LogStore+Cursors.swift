// SPDX-License-Identifier: Apache-2.0

package import SQLite

extension LogStore {
  private static let prefix = "cursor:"

  /// The cursors of journals, by the source's name: the last entries that are stored.
  ///
  /// - Throws: `SQLiteError`.
  package func cursors() throws(SQLiteError) -> [String: String] {
    let statement = try connection.prepare(
      "SELECT substr(key, \(Self.prefix.count + 1)), value FROM meta WHERE key GLOB '\(Self.prefix)*'"
    )
    var cursors: [String: String] = [:]
    while try statement.step() { cursors[statement.text(0)] = statement.text(1) }
    return cursors
  }

  func save(cursors: [String: String]) throws(SQLiteError) {
    for (name, cursor) in cursors {
      let statement = try connection.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)")
      statement.bind(1, Self.prefix + name)
      statement.bind(2, cursor)
      try statement.run()
    }
  }
}
