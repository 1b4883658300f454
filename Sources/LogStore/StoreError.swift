// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// Why the store can't be used.
package enum StoreError: Error, CustomStringConvertible, Sendable {
  /// The file was written by a newer logagent.
  case newerSchema(path: String, version: Int64)
  /// The file is a database of something else.
  case foreign(path: String)
  case sqlite(path: String, SQLiteError)

  package var description: String {
    switch self {
    case .newerSchema(let path, let version):
      "\(path): written by a newer logagent (schema \(version), this one knows "
        + "\(LogStore.schemaVersion)); use that one, or another state directory"
    case .foreign(let path):
      "\(path): not a logagent store; name another state directory with --state-dir"
    case .sqlite(let path, let error) where error.isBusy:
      "\(path): in use by another program (\(error.message)); try again when it has ended"
    case .sqlite(let path, let error): "\(path): \(error.message)"
    }
  }
}
