// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import SQLite
internal import Synchronization

/// Inserts rows in a thread of its own, which has the connection until `finish` returns.
final class RowInserter {
  private let batches = BoundedChannel<[UInt8]>(capacity: 4)
  private let failure = Failure()
  private var thread: WorkerThread?
  @exclusivity(unchecked) private var batch: [UInt8] = []

  private static let batchBytes = 256 << 10

  private final class Failure: Sendable {
    let error = Mutex<SQLiteError?>(nil)
    let hasFailed = Atomic(false)
  }

  /// - Parameters:
  ///   - connection: inside a transaction; nobody else may use it until `finish`.
  ///   - sql: an insertion with a parameter for each column.
  ///   - columns: how many there are.
  init(_ connection: Connection, _ sql: String, columns: Int) {
    let (batches, failure) = (batches, failure)
    thread = WorkerThread(name: "insert") {
      do throws(SQLiteError) {
        try Self.work(connection, sql, columns, batches)
      } catch {
        failure.error.withLock { $0 = error }
        failure.hasFailed.store(true, ordering: .relaxed)
        while case .element = batches.receive() {}
      }
    }
  }

  deinit {
    batches.close()
    thread?.join()
  }

  /// Adds a row.
  ///
  /// - Throws: `SQLiteError` when an earlier one could not be inserted.
  func add(_ row: RowValues) throws(SQLiteError) {
    row.append(to: &batch)
    guard batch.count >= Self.batchBytes else { return }
    batches.send(batch)
    batch = []
    batch.reserveCapacity(Self.batchBytes * 2)
    if failure.hasFailed.load(ordering: .relaxed) { try check() }
  }

  /// Waits until all rows are there; the connection is the caller's again.
  ///
  /// - Throws: `SQLiteError`.
  func finish() throws(SQLiteError) {
    if !batch.isEmpty { batches.send(batch) }
    batches.close()
    thread?.join()
    try check()
  }

  private func check() throws(SQLiteError) {
    if let error = failure.error.withLock({ $0 }) { throw error }
  }

  private static func work(
    _ connection: Connection, _ sql: String, _ columns: Int, _ batches: BoundedChannel<[UInt8]>
  ) throws(SQLiteError) {
    let insert = try connection.prepare(sql, persistent: true)
    while case .element(let batch) = batches.receive() {
      let result = batch.withUnsafeBytes { bytes -> Result<Void, SQLiteError> in
        Result { () throws(SQLiteError) in
          var offset = 0
          while offset < bytes.count {
            offset = RowValues.bind(bytes, from: offset, columns: columns, to: insert)
            try insert.run()
          }
        }
      }
      try result.get()
    }
  }
}
