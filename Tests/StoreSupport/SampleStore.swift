// SPDX-License-Identifier: Apache-2.0

internal import FileIO
package import LogModel
internal import LogStore
package import SQLite

/// A store with rows of a test's own making, written with the schema's own SQL.
package final class SampleStore {
  package let path: String
  package let connection: Connection
  private var nextOffset: Int64 = 0

  /// Makes `logs.db` at `path`.
  package init(path: String) throws {
    self.path = path
    // The store's own code makes the tables; rows with odd values are simpler to write in SQL.
    _ = try LogStore(path: path)
    connection = try Connection(path: path, mode: .readWrite)
  }

  /// Adds a generation of a file.
  package func addFile(
    _ id: Int64, source: String = "app", path: String = "/var/log/app.log", process: String = "",
    problem: String = "", size: Int64 = 1000, offset: Int64 = 1000
  ) throws {
    let statement = try connection.prepare(
      """
      INSERT INTO file (id, role, source, path, device, inode, head_length, head_hash, state, format,
        problem, process, first_seen, "offset", tail_hash, tail_length, size, skipped_bytes)
      VALUES (?, 0, ?, ?, 1, ?, 0, 0, ?, 'plain', ?, ?, 0, ?, 0, 0, ?, 0)
      """)
    statement.bind(1, id)
    statement.bind(2, source)
    statement.bind(3, path)
    statement.bind(4, id)
    statement.bind(5, problem.isEmpty ? 0 : 4)
    statement.bind(6, problem)
    statement.bind(7, process)
    statement.bind(8, offset)
    statement.bind(9, size)
    try statement.run()
  }

  /// Adds a record; returns its id.
  @discardableResult
  package func addRecord(
    _ time: Int64, _ body: String, severity: Severity = .info, file: Int64 = 1,
    process: String? = nil, pid: Int64? = nil, attributes: String? = nil, crash: Int64? = nil
  ) throws -> Int64 {
    let statement = try connection.prepare(
      """
      INSERT INTO record (time, severity, file, byte_offset, byte_length, context, pid, body,
        attributes, crash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """)
    let length = Int64(body.utf8.count + 1)
    statement.bind(1, time)
    statement.bind(2, Int64(severity.number))
    statement.bind(3, file)
    statement.bind(4, nextOffset)
    statement.bind(5, length)
    statement.bind(6, try context(process: process))
    statement.bind(7, pid)
    statement.bind(8, body)
    statement.bind(9, attributes)
    statement.bind(10, crash)
    nextOffset += length
    _ = try statement.step()
    let id = statement.integer(0)
    try setObservedTime(time, of: id)
    return id
  }

  /// The row of a context without flags.
  package func context(process: String? = nil) throws -> Int64 {
    let insert = try connection.prepare(
      "INSERT INTO context (flags, process) VALUES (0, ?) RETURNING id")
    insert.bind(1, try process.map { try word($0) })
    _ = try insert.step()
    return insert.integer(0)
  }

  /// Says when a record was read, and those after it.
  package func setObservedTime(_ time: Int64, of record: Int64) throws {
    try connection.execute("INSERT OR REPLACE INTO observation VALUES (\(record), \(time))")
  }

  /// Adds a crash with its report's bytes.
  package func addCrash(
    _ id: Int64, _ time: Int64, report: [UInt8], path: String = "/var/crash/a.json",
    process: String = "api", pid: Int64 = 42, file: Int64 = 1
  ) throws {
    let statement = try connection.prepare(
      """
      INSERT INTO crash (id, file, byte_offset, time, time_from_report, observed_time, process, pid,
        kind, signal, reason, fingerprint, top_frame, frames, flags, format, path, size, sha256)
      VALUES (?, ?, 0, ?, 1, ?, ?, ?, 'signal', 'SIGSEGV', 'bad access', 'f1', 'main',
        '[{"address":"0x10","image":"api","symbol":"main","file":"main.swift","line":7}]', 0,
        'kscrash', ?, ?, ?)
      """)
    statement.bind(1, id)
    statement.bind(2, file)
    statement.bind(3, time)
    statement.bind(4, time)
    statement.bind(5, process)
    statement.bind(6, pid)
    statement.bind(7, path)
    statement.bind(8, Int64(report.count))
    statement.bind(9, SHA256.hex(report))
    try statement.run()
    let content = try connection.prepare("INSERT INTO crash_report VALUES (?, ?)")
    content.bind(1, id)
    content.bind(2, blob: Zlib.deflate(report))
    try content.run()
  }

  private func word(_ text: String) throws -> Int64 {
    let insert = try connection.prepare("INSERT OR IGNORE INTO word (text) VALUES (?)")
    insert.bind(1, text)
    try insert.run()
    let select = try connection.prepare("SELECT id FROM word WHERE text = ?")
    select.bind(1, text)
    _ = try select.step()
    return select.integer(0)
  }
}
