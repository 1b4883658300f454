// SPDX-License-Identifier: Apache-2.0

import AgentConfig
import FileIO
import Foundation
import LogModel
import Pipeline
import SQLite
import TestSupport
import Testing

/// One script: a folder, what was written, and the actions.
final class Script {
  let folder: TemporaryDirectory
  var journal: [String] = []
  var written: [Int] = []
  var random: SeededGenerator
  /// An agent that runs and has not been stopped yet.
  var running: RunningAgent?
  private var next = 1
  /// The last line has no newline yet.
  private var hasRest = false
  /// Half a line may be there that is not stored.
  private(set) var hasUnreadHalf = false
  /// It may be all that was seen of its file. A running agent then has nothing by which to know it
  /// again in a copy: it is told as lost, and stored from the copy.
  private var isHalfAlone = false
  /// All that is in the files is stored.
  var isRead = true {
    didSet {
      if isRead { (hasUnreadHalf, isHalfAlone) = (false, false) }
    }
  }
  /// The system tells the agent of no change, as on a network file system.
  let isDeaf: Bool
  /// A look that failed may have left something behind.
  var hasFailed = false
  var clock: Int64 = 1_740_830_400_000_000_000
  private let manager = FileManager.default

  init(seed: UInt64) throws {
    folder = try TemporaryDirectory()
    random = SeededGenerator(seed: seed)
    isDeaf = seed % 3 == 0
    try folder.write("logs/app.log", "")
  }

  private var log: String { folder.file("logs/app.log") }
  private func rotated(_ n: Int) -> String { log + ".\(n)" }

  func act() throws {
    switch Int.random(in: 0..<25, using: &random) {
    case 0...3: try write(Int.random(in: 1...40, using: &random))
    case 4: try writeHalf()
    case 5, 6: try look(later: 0)
    case 7: try rotate()
    case 8: try copyTruncate()
    case 9: try compress()
    case 10: try truncate()
    case 11: try createAgain()
    case 12: try rotateByDate()
    case 13: try linkHard()
    case 14: try renameFolder()
    case 15: try deleteOldest()
    case 16...20: try runOn()
    case 21: try rewrite()
    case 22: try stop()
    default: try lookWithFault()
    }
  }

  private func append(_ text: String) throws { try folder.append("logs/app.log", text) }

  func write(_ count: Int) throws {
    journal.append("write \(next)...\(next + count - 1)")
    var text = hasRest ? " end\n" : ""
    hasRest = false
    for _ in 0..<count {
      text += "2025-03-01T10:00:00.\(100_000 + next)Z INFO n=\(next)\n"
      if next % 5 == 0 { text += "  more of \(next)\n" }
      written.append(next)
      next += 1
    }
    isRead = false
    try append(text)
  }

  private func writeHalf() throws {
    journal.append("write half of \(next)")
    let size = try manager.attributesOfItem(atPath: log)[.size] as? Int
    isHalfAlone = isHalfAlone || size == 0
    try append(
      (hasRest ? " end\n" : "") + "2025-03-01T10:00:00.\(100_000 + next)Z INFO n=\(next)")
    written.append(next)
    next += 1
    hasRest = true
    hasUnreadHalf = true
    isRead = false
  }

  /// The agent looks once, as after a restart.
  func look(later seconds: Int64) throws {
    try stop()
    journal.append("look")
    let summary = try lookOnce(later: seconds)
    #expect(summary.problems.isEmpty)
    isRead = true
    hasFailed = false
  }

  @discardableResult
  private func lookOnce(later seconds: Int64) throws -> AgentSummary {
    clock += 1_000_000_000 + seconds * 1_000_000_000
    return try makeAgent().importOnce()
  }

  func makeAgent() throws -> Agent {
    var configuration = Configuration(stateDirectory: folder.file("state"))
    configuration.paths = [folder.file("logs")]
    return try Agent(
      configuration, findsRotated: true, events: SilentEvents(),
      now: { [unowned self] in Timestamp(nanoseconds: clock) })
  }

  /// The agent looks while one system call on its files fails; what it finds then is told, and the
  /// next look has it all.
  private func lookWithFault() throws {
    let calls: [FaultInjection.Call] = [.open, .status, .read, .list]
    let call = calls.randomElement(using: &random) ?? .read
    let number = [EIO, EACCES, EMFILE, EINTR].randomElement(using: &random) ?? EIO
    let countdown = Int.random(in: 0..<30, using: &random)
    journal.append("look with fault: \(call) \(number) after \(countdown)")
    // What was not read because of it may not be deleted before it is.
    let wasRead = isRead
    #if DEBUG
      FaultInjection.plan(call, errno: number, after: countdown, below: folder.file("logs"))
      defer { FaultInjection.clear(below: folder.file("logs")) }
    #endif
    if running != nil { try runOn() } else { try lookOnce(later: 0) }
    isRead = wasRead
    hasFailed = true
  }

  private func shift() throws {
    for n in stride(from: 20, to: 0, by: -1) {
      for end in ["", ".gz"] where manager.fileExists(atPath: rotated(n) + end) {
        try manager.moveItem(atPath: rotated(n) + end, toPath: rotated(n + 1) + end)
      }
    }
  }

  func rotate() throws {
    journal.append("rotate")
    try shift()
    try manager.moveItem(atPath: log, toPath: rotated(1))
    try folder.write("logs/app.log", "")
    hasRest = false
  }

  func copyTruncate() throws {
    if isHalfAlone { return }
    journal.append("copy and truncate")
    try shift()
    try manager.copyItem(atPath: log, toPath: rotated(1))
    try empty()
  }

  private func empty() throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    try handle.truncate(atOffset: 0)
    try handle.close()
    hasRest = false
  }

  func compress() throws {
    guard let n = (1...20).first(where: { manager.fileExists(atPath: rotated($0)) }) else { return }
    if isHalfAlone { return }
    // gzip leaves a file with other links alone.
    let links = try manager.attributesOfItem(atPath: rotated(n))[.referenceCount] as? Int
    guard links == 1 else { return }
    journal.append("compress .\(n)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = [rotated(n)]
    try process.run()
    process.waitUntilExit()
  }

  /// Writes the file anew in place, as programs do that keep only their last run.
  func rewrite() throws {
    guard isRead else { return }
    journal.append("rewrite")
    try empty()
    try write(Int.random(in: 1...40, using: &random))
  }

  /// Truncates what was read: what is truncated unread no reader can have.
  private func truncate() throws {
    guard isRead else { return }
    journal.append("truncate")
    try empty()
  }

  /// Deletes what was read, and begins again under the name: the inode is often the same.
  private func createAgain() throws {
    guard isRead else { return }
    journal.append("delete and create")
    try manager.removeItem(atPath: log)
    try folder.write("logs/app.log", "")
    hasRest = false
  }

  private func rotateByDate() throws {
    let target = log + "-202503\(10 + next % 20)"
    guard !manager.fileExists(atPath: target) else { return }
    journal.append("rotate by date")
    try manager.moveItem(atPath: log, toPath: target)
    try folder.write("logs/app.log", "")
    hasRest = false
  }

  private func linkHard() throws {
    let link = folder.file("logs/also-\(next).log")
    guard !manager.fileExists(atPath: link) else { return }
    journal.append("hard link")
    try manager.linkItem(atPath: log, toPath: link)
  }

  /// A whole folder of old files gets another name.
  private func renameFolder() throws {
    let (one, other) = (folder.file("logs/old"), folder.file("logs/older"))
    journal.append("rename folder")
    if manager.fileExists(atPath: one) {
      guard isRead || !manager.fileExists(atPath: other) else { return }
      try? manager.removeItem(atPath: other)
      try manager.moveItem(atPath: one, toPath: other)
    } else if isRead || !manager.fileExists(atPath: other) {
      try manager.createDirectory(atPath: one, withIntermediateDirectories: true)
      if manager.fileExists(atPath: rotated(1)) {
        try manager.moveItem(atPath: rotated(1), toPath: one + "/app-\(next).log")
      }
    }
  }

  private func deleteOldest() throws {
    guard isRead, let n = (1...20).last(where: { manager.fileExists(atPath: rotated($0)) })
    else { return }
    journal.append("delete .\(n)")
    try manager.removeItem(atPath: rotated(n))
  }

  /// Compares what is stored with what was written.
  func expectAllOnce(_ name: String) throws {
    let unaccounted = try unaccounted()
    #expect(unaccounted == "", "\(name): \(unaccounted) \(journal)")
    let stored = try stored()
    let expected = written.sorted()
    if stored == expected { return }
    let lost = Set(expected).subtracting(stored).sorted()
    var counts: [Int: Int] = [:]
    for number in stored { counts[number, default: 0] += 1 }
    let doubled = counts.filter { $0.value > 1 }.keys.sorted()
    Issue.record(
      """
      \(name): lost \(lost.prefix(5)) doubled \(doubled.prefix(5)) \
      strange \(Set(stored).subtracting(expected).sorted().prefix(5)) \(journal)
      """)
  }

  /// Files of which bytes are neither stored nor passed over, and bytes that are said to be lost.
  func unaccounted() throws -> String {
    let connection = try Connection(path: folder.file("state/logs.db"), mode: .readOnly)
    return try connection.text(
      """
      SELECT group_concat(f.id || ': ' || f."offset" || ' <> ' || coalesce(r.bytes, 0) || ' + '
        || f.skipped_bytes || ' lost ' || (SELECT count(*) FROM gap), ', ')
      FROM file f
      LEFT JOIN (SELECT file, sum(byte_length) AS bytes FROM record GROUP BY file) r
        ON r.file = f.id
      WHERE f.state <> 4 AND (f."offset" <> coalesce(r.bytes, 0) + f.skipped_bytes
        OR EXISTS (SELECT * FROM gap))
      """) ?? ""
  }

  /// How many files have one.
  func problems() throws -> Int64 {
    let connection = try Connection(path: folder.file("state/logs.db"), mode: .readOnly)
    return try connection.integer("SELECT count(*) FROM files WHERE problem <> ''") ?? -1
  }

  func stored() throws -> [Int] {
    let connection = try Connection(path: folder.file("state/logs.db"), mode: .readOnly)
    let rows = try connection.prepare("SELECT body FROM record")
    var numbers: [Int] = []
    while try rows.step() {
      let body = rows.text(0)
      let digits = body.drop { $0 != "=" }.dropFirst().prefix { $0.isNumber }
      numbers.append(Int(digits) ?? -1)
      if digits.isEmpty { journal.append("stored: \(body.debugDescription)") }
    }
    return numbers.sorted()
  }
}

struct SilentEvents: AgentEvents {
  func started(sources: Int, files: Int) {}
  func problem(path: String, reason: String) {}
  func recovered(path: String) {}
  func storeUnavailable(reason: String, retryAfterMilliseconds: Int) {}
  func storeRecovered() {}
  func deleted(path: String, reason: String) {}
  func committed(records: Int, crashes: Int) {}
  func crashed(_ report: CrashReport, path: String) {}
  func progress(doneBytes: Int64, totalBytes: Int64) {}
}
