// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Asks, while statements run, whether they shall stop; then they throw `isInterrupted`.
///
/// It holds as long as the value lives; a connection has one at a time.
package final class ProgressHandler {
  private let connection: Connection
  fileprivate let shouldStop: () -> Bool

  /// - Parameters:
  ///   - connection: whose statements are watched.
  ///   - steps: of SQLite's machine between two questions; 10,000 take about a millisecond.
  ///   - shouldStop: called on the thread of the statement.
  package init(_ connection: Connection, steps: Int32, shouldStop: @escaping () -> Bool) {
    self.connection = connection
    self.shouldStop = shouldStop
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(connection.handle, steps, askProgressHandler, context)
  }

  deinit { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
}

private func askProgressHandler(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  return Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
}
