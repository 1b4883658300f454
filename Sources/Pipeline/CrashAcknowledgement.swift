// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
package import LogModel
package import SQLite

/// Notes in a store that somebody has seen a crash.
package enum CrashAcknowledgement {
  /// Acknowledges a crash of a store that exists.
  ///
  /// - Parameters:
  ///   - crash: its row.
  ///   - store: the store's file; `nil` for the configuration's.
  ///   - now: when.
  /// - Throws: `SQLiteError`.
  package static func add(
    crash: Int64, store: String?, _ configuration: Configuration, now: Timestamp
  ) throws(SQLiteError) {
    let connection = try Connection(
      path: store ?? configuration.storePath, mode: .readWrite)
    // An agent may be writing: SQLite lets one after the other.
    connection.setBusyTimeout(milliseconds: 10_000)
    try connection.execute(
      "INSERT OR IGNORE INTO crash_acknowledged VALUES (\(crash), \(now.nanoseconds))")
  }
}
