// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent audit`: proves that every byte of every log file is accounted for.
  static let audit: Command = {
    var command = Command("audit", "account for every byte of every log file", run: runAudit)
    command.examples = [
      Example("logagent audit", "Is anything missing? The exit status says it too"),
      Example("logagent audit --all", "With the files that are sound"),
    ]
    command.flags = [
      Flag("all", short: "a", "Show the files that are sound, too"), Invocation.databaseFlag,
    ]
    command.notes = [
      """
      Of each generation of a file, the bytes that are stored, pruned by the retention rule, and \
      passed over (blank lines, holes) must add up to the offset that was reached. Bytes that were \
      written and lost before they could be read (the view gaps has them) and sums that do not come \
      out make the exit status 2.
      """
    ]
    return command
  }()

  /// What is known of one generation; all but the first two in bytes.
  private struct Account {
    var path: String
    var inode: UInt64
    var reached: Int64
    var stored: Int64
    var pruned: Int64
    var passedOver: Int64
    var lost: Int64

    var unaccounted: Int64 { reached - stored - pruned - passedOver }

    /// What the file on disk holds beyond the offset; `nil` when it is not there or compressed.
    var pending: Int64? {
      guard !path.hasSuffix(".gz"), let status = try? FileStatus(path: path),
        status.inode == inode
      else { return nil }
      return max(0, status.size - reached)
    }
  }

  private static func runAudit(_ call: Invocation) throws -> ExitStatus {
    let store = try call.openStore()
    let accounts = try read(store.connection)
    var failed = 0
    for account in accounts {
      let isSound = account.unaccounted == 0 && account.lost == 0
      if !isSound { failed += 1 }
      if !isSound || call.arguments.has("all") { show(account, call.output) }
    }
    let bytes = accounts.reduce(0) { $0 + $1.reached }
    call.output.append(
      failed == 0
        ? "\(counted(accounts.count, "file generation")), \(counted(bytes, "byte")): "
          + "all accounted for\n"
        : "\(failed) of \(counted(accounts.count, "file generation")) miss bytes\n")
    return failed == 0 ? .ok : .someInputFailed
  }

  private static func read(_ connection: Connection) throws -> [Account] {
    let row = try connection.prepare(
      """
      SELECT f.path, f.inode, f."offset", coalesce(r.bytes, 0), f.pruned_bytes, f.skipped_bytes,
        coalesce((SELECT sum(to_offset - from_offset) FROM gap WHERE file = f.id), 0)
      FROM file f
      LEFT JOIN (SELECT file, sum(byte_length) AS bytes FROM record WHERE crash IS NULL
        GROUP BY file) r ON r.file = f.id
      WHERE f.role = 0 AND f.state <> 4
      ORDER BY f.id
      """)
    var accounts: [Account] = []
    while try row.step() {
      accounts.append(
        Account(
          path: row.text(0), inode: UInt64(bitPattern: row.integer(1)), reached: row.integer(2),
          stored: row.integer(3), pruned: row.integer(4), passedOver: row.integer(5),
          lost: row.integer(6)))
    }
    return accounts
  }

  private static func show(_ account: Account, _ output: ByteWriter) {
    var parts = ["stored \(account.stored)"]
    if account.pruned > 0 { parts.append("pruned \(account.pruned)") }
    if account.passedOver > 0 { parts.append("passed over \(account.passedOver)") }
    if let pending = account.pending, pending > 0 { parts.append("pending \(pending)") }
    if account.lost > 0 { parts.append("LOST \(account.lost)") }
    if account.unaccounted != 0 { parts.append("UNACCOUNTED \(account.unaccounted)") }
    output.append(
      "\(SafeText.escaped(account.path)): \(parts.joined(separator: ", "))"
        + " of \(account.reached) bytes\n")
  }
}
