// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
package import LogModel
package import LogStore
internal import SQLite

/// Applies the retention rule to a store, also while an agent writes to it.
package enum StorePruner {
  /// Prunes until the rule holds; returns how many records were deleted.
  ///
  /// - Throws: `StoreError`.
  package static func prune(
    _ configuration: Configuration, now: Timestamp, shouldStop: () -> Bool
  ) throws(StoreError) -> Int64 {
    let store = try LogStore(path: configuration.storePath)
    let rule = RetentionRule(configuration)
    do throws(SQLiteError) {
      let before = try store.prunedRecords()
      try store.apply(rule)
      while !shouldStop(), try store.prune(rule, now: now) {}
      return try store.prunedRecords() - before
    } catch { throw .sqlite(path: store.path, error) }
  }
}
