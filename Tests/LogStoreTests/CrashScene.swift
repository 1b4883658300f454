// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import TestSupport

/// A store into which evidence of crashes is put, one piece a transaction.
final class CrashScene {
  private let folder: TemporaryDirectory
  private(set) var store: LogStore
  private var nextHash = 0
  private var nextOffset: Int64 = 0
  /// 2026-11-30T12:00:00Z.
  static let noon: Int64 = 1_796_040_000_000_000_000
  static let second: Int64 = 1_000_000_000

  init() throws {
    folder = try TemporaryDirectory()
    store = try LogStore(path: folder.file("logs.db"))
  }

  func reopen() throws { store = try LogStore(path: folder.file("logs.db")) }

  /// A report of `process` at so many seconds after noon.
  func report(
    _ format: String, pid: Int64?, process: String? = "shop", at seconds: Double = 0,
    change: (inout CrashReport) -> Void = { _ in }
  ) throws {
    var report = CrashReport(format: format)
    report.process = process
    report.pid = pid
    report.kind = .signal
    report.signal = "SIGILL"
    report.time = Self.time(seconds)
    report.frames = [CrashFrame(address: 16, image: "shop", symbol: "pay()")]
    change(&report)
    CrashFingerprint.apply(to: &report)
    nextHash += 1
    var collected = CollectedReport(
      generation: 9, path: "/spool/\(nextHash)", size: 3, sha256: "hash\(nextHash)",
      modified: Self.time(seconds), observed: Self.time(100), bytes: [], report: report)
    collected.content = [UInt8(truncatingIfNeeded: nextHash)]
    let batch = RecordBatch()
    batch.generations = [generation(9, "/spool/x")]
    batch.reports = [collected]
    try store.commit(batch)
  }

  /// A record of a log; `owner` is whose file its name says it is.
  func line(
    _ body: String, attributes: String = "", path: String = "/logs/shop.stderr",
    process: String = "", pid: Int64 = -1, scope: String = "", at seconds: Double = 0,
    isLastWords: Bool = true, quality: TimeQuality = .observed, observed: Double? = nil,
    owner: String = "",
    change: (inout LogRecord) -> Void = { _ in }
  ) throws {
    let batch = RecordBatch()
    func put(_ text: String) -> ByteSlice {
      let start = batch.arena.count
      batch.arena.append(text)
      return ByteSlice(start: start, count: batch.arena.count - start)
    }
    let id = UInt32(path.utf8.reduce(20) { ($0 + Int($1)) % 5000 } + 10)
    batch.generations = [generation(id, path)]
    batch.generations[0].process = owner
    var record = LogRecord()
    record.generation = id
    record.byteOffset = nextOffset
    record.byteLength = 10
    nextOffset += 10
    record.time = Self.time(seconds)
    record.observedTime = Self.time(observed ?? seconds)
    record.timeQuality = quality
    record.severity = .fatal
    if isLastWords { record.flags = .lastWords }
    record.pid = pid
    record.body = put(body)
    record.process = put(process)
    record.scope = put(scope)
    record.attributes = AttributeList(text: put(attributes))
    change(&record)
    batch.records = [record]
    try store.commit(batch)
  }

  /// `F.swift:1: Fatal error: TEXT` on standard error.
  func swiftError(
    _ text: String, at seconds: Double = 0, path: String = "/logs/shop.stderr",
    owner: String = "", change: (inout LogRecord) -> Void = { _ in }
  ) throws {
    try line(
      "shop/Cart.swift:42: Fatal error: \(text)",
      attributes: #""exception.type":"Fatal error","exception.message":"\#(text)","#
        + #""code.file.path":"shop/Cart.swift","code.line.number":42"#,
      path: path, at: seconds, owner: owner, change: change)
  }

  /// The JSON record of `logagent exec` about a start, or about an end when `end` is given.
  func exec(
    _ name: String, program: String, pid: Int64, start: Double, end: Double? = nil,
    signal: String? = nil, status: Int? = nil
  ) throws {
    var attributes =
      #""event.name":"process.\#(end == nil ? "start" : "exit")","#
      + #""process.executable.name":"\#(program)","#
      + #""process.start.unix_nano":\#(Self.time(start).nanoseconds)"#
    if let signal { attributes += #","process.exit.signal":"\#(signal)""# }
    if let status { attributes += #","process.exit.code":\#(status)"# }
    try line(
      "exec", attributes: attributes, path: "/logs/\(name).exec", process: name, pid: pid,
      scope: "logagent.exec", at: end ?? start, isLastWords: false
    ) { $0.severity = .info }
  }

  /// The rows of a query, with `|` between columns and a blank between rows.
  func rows(_ sql: String) throws -> String {
    let select = try store.connection.prepare(sql)
    var rows: [String] = []
    while try select.step() {
      rows.append(
        (0..<select.columnCount).map { select.optionalText($0) ?? "-" }.joined(separator: "|"))
    }
    return rows.joined(separator: " ; ")
  }

  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: noon + Int64(seconds * 1e9))
  }

  private func generation(_ id: UInt32, _ path: String) -> FileGeneration {
    FileGeneration(
      id: id, source: "logs", path: path,
      identity: FileIdentity(device: 1, inode: UInt64(id)), firstSeen: Self.time(0))
  }
}
