// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import TestSupport
import Testing

/// What goes when there is too much, and what stays.
@Suite struct RetentionTests {
  /// A store with some files, into which records are put.
  private final class Scene {
    private let folder: TemporaryDirectory
    let path: String
    let store: LogStore
    var rule: RetentionRule
    private var offsets: [UInt32: Int64] = [:]
    private let names: [UInt32: String]
    static let second: Int64 = 1_000_000_000

    init(_ rule: RetentionRule, sources: [String] = ["app"]) throws {
      folder = try TemporaryDirectory()
      path = folder.file("logs.db")
      store = try LogStore(path: path, pageBytes: rule.pageBytes)
      self.rule = rule
      try store.apply(rule)
      names = Dictionary(
        uniqueKeysWithValues: sources.enumerated().map { (UInt32($0.offset + 1), $0.element) })
    }

    /// Stores one record a second from `start` on, and prunes as the agent does.
    func write(
      _ count: Int, from start: Int64, source: String = "app", size: Int = 200,
      openLast: Bool = false
    ) throws {
      let id = names.first { $0.value == source }?.key ?? 1
      var done = 0
      while done < count {
        let batch = RecordBatch(arenaBytes: rule.batchBytes)
        batch.generations = [
          FileGeneration(
            id: id, source: source, path: "/logs/\(source)",
            identity: FileIdentity(device: 1, inode: UInt64(id)),
            firstSeen: Timestamp(nanoseconds: 0))
        ]
        while done < count, !batch.isFull {
          add(id, time: (start + Int64(done)) * Self.second, size, batch)
          if openLast, done == count - 1 {
            batch.records[batch.records.count - 1].isOpen = true
          }
          done += 1
        }
        var checkpoint = Checkpoint(generation: id)
        checkpoint.offset = offsets[id] ?? 0
        if openLast, done == count { checkpoint.openOffset = checkpoint.offset - Int64(size) }
        batch.note(checkpoint)
        try store.makeRoom(for: batch, rule)
        try store.commit(batch)
        _ = try store.prune(rule, now: now)
      }
    }

    private func add(_ id: UInt32, time: Int64, _ size: Int, _ batch: RecordBatch) {
      var record = LogRecord()
      record.generation = id
      record.byteOffset = offsets[id] ?? 0
      record.byteLength = Int64(size)
      record.time = Timestamp(nanoseconds: time)
      record.severity = .info
      let start = batch.arena.count
      batch.arena.append("\(time) " + String(repeating: "x", count: size - 24))
      record.body = ByteSlice(start: start, count: batch.arena.count - start)
      batch.records.append(record)
      offsets[id, default: 0] += Int64(size)
    }

    var now = Timestamp(nanoseconds: 1_000_000 * second)

    func crash(at time: Int64, fingerprint: String = "f", report: Int = 10) throws {
      var crash = CrashReport(format: "test")
      crash.process = "shop"
      crash.fingerprint = fingerprint
      crash.time = Timestamp(nanoseconds: time * Self.second)
      var collected = CollectedReport(
        generation: 1, path: "/spool/\(time)", size: 3, sha256: "\(time)",
        modified: now, observed: now, bytes: [], report: crash)
      collected.content = [UInt8](repeating: 7, count: report)
      let batch = RecordBatch()
      batch.reports = [collected]
      try store.commit(batch)
    }

    func count(_ condition: String) throws -> Int64 {
      try store.connection.integer("SELECT count(*) FROM logs WHERE \(condition)") ?? -1
    }

    /// Bytes of the database and of its log.
    var fileBytes: Int64 {
      get throws {
        let pages = try store.connection.integer("PRAGMA page_count") ?? 0
        let size = try store.connection.integer("PRAGMA page_size") ?? 0
        return pages * size + store.connection.logBytes
      }
    }

    /// The ledger: what is kept and what was pruned come to what was read.
    func audit() throws -> Bool {
      let wrong = try store.connection.integer(
        """
        SELECT count(*) FROM file f WHERE "offset" <> pruned_bytes + coalesce(
          (SELECT sum(byte_length) FROM record WHERE file = f.id AND crash IS NULL), 0)
          OR records <> (SELECT count(*) FROM record WHERE file = f.id AND crash IS NULL)
        """)
      return wrong == 0
    }
  }

  @Test func theNewestAreKeptAndTheQuotaHoldsAtEveryCommit() throws {
    let scene = try Scene(RetentionRule(maxBytes: 2 << 20))
    for round in 0..<40 {
      try scene.write(1000, from: Int64(round) * 1000)
      #expect(try scene.fileBytes <= 2 << 20)
    }
    let first = try scene.store.connection.integer("SELECT min(time) FROM record") ?? -1
    let count = try scene.count("1")
    #expect(first > 0)
    #expect(count == 40_000 - first / 1_000_000_000)
    #expect(count * 200 > 1 << 20, "no more is deleted than is needed")
    #expect(try scene.audit())
    #expect(
      try scene.store.connection.integer("SELECT value FROM meta WHERE key = 'pruned_records'")
        == 40_000 - count)
  }

  @Test func aNoisySourceCannotEvictACrashNorWhatWasLoggedAroundIt() throws {
    let scene = try Scene(RetentionRule(maxBytes: 2 << 20))
    try scene.write(500, from: 1000)
    try scene.crash(at: 1400)
    try scene.write(30_000, from: 10_000)
    #expect(try scene.count("crash_id = 1") == 1)
    #expect(try scene.count("time_unix_nano / 1000000000 BETWEEN 1340 AND 1405") == 67)
    #expect(try scene.count("time_unix_nano / 1000000000 BETWEEN 1000 AND 1339") == 0)
    #expect(try scene.fileBytes <= 2 << 20)
    #expect(try scene.audit())
  }

  @Test func aCrashThatWasReadLongAfterItHappenedKeepsWhatWasLoggedThen() throws {
    let scene = try Scene(RetentionRule(maxBytes: 2 << 20))
    try scene.write(500, from: 1000)
    try scene.crash(at: 1400)
    try scene.store.connection.execute("UPDATE crash SET latest = \(scene.now.nanoseconds)")
    try scene.write(30_000, from: 10_000)
    #expect(try scene.count("time_unix_nano / 1000000000 BETWEEN 1340 AND 1405") == 67)
    #expect(try scene.count("time_unix_nano / 1000000000 BETWEEN 1000 AND 1339") == 0)
  }

  @Test func recordsThatStayForACrashDoNotKeepTheGramsOfAllThatCameAfterThem() throws {
    let scene = try Scene(RetentionRule(maxBytes: 2 << 20))
    try scene.write(500, from: 1000)
    try scene.crash(at: 1400)
    try scene.write(20_000, from: 10_000)
    #expect(try scene.count("crash_id = 1") == 1)
    let (filters, blocks) = ("SELECT block FROM gram_filter", "SELECT id >> 12 FROM record")
    let kept = try scene.store.connection.integers(filters)
    #expect(!kept.isEmpty)
    #expect(try Set(kept).isSubset(of: scene.store.connection.integers(blocks)))
    #expect(kept.first != 0, "few records are looked through")
  }

  @Test func crashesBeyondTheirOwnQuotaGoAndStayCounted() throws {
    var rule = RetentionRule(maxBytes: 4 << 20)
    rule.crashMaxBytes = 100 << 10
    let scene = try Scene(rule)
    for time in 1...8 { try scene.crash(at: Int64(time) * 1000, report: 30 << 10) }
    try scene.write(10, from: 20_000)
    try scene.store.pruneFully(rule, now: scene.now)
    let times = try scene.store.connection.integers("SELECT time_unix_nano FROM crashes ORDER BY 1")
    #expect(times == [6, 7, 8].map { Int64($0) * 1000 * Scene.second })
    #expect(try scene.store.connection.integer("SELECT max(occurrences) FROM crashes") == 8)
    #expect(try scene.count("crash_id IS NOT NULL") == 3)
    #expect(
      try scene.store.connection.text("SELECT min(first_seen) FROM crashes")
        == "1970-01-01T00:16:40.000000000Z")
  }

  @Test(arguments: ["bytes", "records", "age"])
  func aSourceWithItsOwnQuotaLeavesTheOthersAlone(_ kind: String) throws {
    var rule = RetentionRule(maxBytes: 64 << 20)
    switch kind {
    case "bytes": rule.sources["noise"] = .init(maxBytes: 200 * 100)
    case "records": rule.sources["noise"] = .init(maxRecords: 100)
    default: rule.sources["noise"] = .init(maxAge: 10_100 * Scene.second)
    }
    let scene = try Scene(rule, sources: ["app", "noise"])
    scene.now = Timestamp(nanoseconds: 20_000 * Scene.second)
    try scene.write(300, from: 5000)
    try scene.write(10_000, from: 0, source: "noise")
    try scene.store.pruneFully(rule, now: scene.now)
    #expect(try scene.count("source = 'app'") == 300)
    #expect(try scene.count("source = 'noise'") == 100)
    #expect(try scene.count("source = 'noise' AND time_unix_nano < 9900 * 1000000000") == 0)
    #expect(try scene.audit())
  }

  @Test func ageCountsForAllAndAlsoForCrashes() throws {
    var rule = RetentionRule(maxBytes: 64 << 20)
    rule.maxAge = 4 * Scene.second
    let scene = try Scene(rule)
    scene.now = Timestamp(nanoseconds: 10 * Scene.second)
    try scene.crash(at: 3)
    try scene.write(10, from: 1)
    try scene.store.pruneFully(rule, now: scene.now)
    #expect(
      try scene.store.connection.integers("SELECT time / 1000000000 FROM record")
        == [6, 7, 8, 9, 10])
    #expect(try scene.store.connection.integer("SELECT count(*) FROM crashes") == 0)
  }

  @Test func noMoreThanSoManyRecordsAreKept() throws {
    var rule = RetentionRule(maxBytes: 64 << 20)
    rule.maxRecords = 1234
    let scene = try Scene(rule)
    try scene.write(9000, from: 0)
    try scene.store.pruneFully(rule, now: scene.now)
    #expect(try scene.count("1") == 1234)
  }

  @Test func aSmallerQuotaShrinksTheFile() throws {
    let scene = try Scene(RetentionRule(maxBytes: 8 << 20))
    try scene.write(25_000, from: 0)
    #expect(try scene.fileBytes > 4 << 20)
    scene.rule = RetentionRule(maxBytes: 1 << 20)
    try scene.store.apply(scene.rule)
    try scene.store.pruneFully(scene.rule, now: scene.now)
    #expect(try scene.fileBytes <= 1 << 20)
    #expect(try scene.count("1") > 1000)
    #expect(try scene.audit())
  }

  @Test func aRecordThatMayStillGrowIsNotPruned() throws {
    var rule = RetentionRule(maxBytes: 64 << 20)
    rule.sources["app"] = .init(maxRecords: 1)
    let scene = try Scene(rule, sources: ["app", "other"])
    try scene.write(1, from: 0, openLast: true)
    rule.maxRecords = 5
    try scene.write(10, from: 5, source: "other")
    try scene.store.pruneFully(rule, now: scene.now)
    #expect(try scene.count("source = 'app'") == 1)
    #expect(try scene.audit())
  }

  @Test func aReaderThatHoldsTheLogMakesTheWriterWaitNotTheStoreGrow() throws {
    let scene = try Scene(RetentionRule(maxBytes: 2 << 20))
    try scene.write(4000, from: 0)
    do {
      let reader = try Connection(path: scene.path, mode: .readOnly)
      try reader.execute("BEGIN; SELECT count(*) FROM record")
      do throws(SQLiteError) {
        try Self.fill(scene)
        Issue.record("the log grew without bound")
      } catch {
        #expect(error.isBusy)
        #expect(error.message.contains("retention.max_bytes"))
      }
      #expect(try scene.fileBytes <= 2 << 20)
      try reader.execute("COMMIT")
    }
    try scene.write(10_000, from: 20_000)
    #expect(try scene.fileBytes <= 2 << 20)
    #expect(try scene.count("time_unix_nano = 29999 * 1000000000") == 1)
  }

  private static func fill(_ scene: Scene) throws(SQLiteError) {
    do { try scene.write(16_000, from: 4000) } catch let error as SQLiteError { throw error } catch
    {
      Issue.record(error)
    }
  }

  @Test func theHistogramOutlivesTheRecords() throws {
    var rule = RetentionRule(maxBytes: 64 << 20)
    rule.maxRecords = 30
    let scene = try Scene(rule, sources: ["app", "web"])
    try scene.write(150, from: 30)
    try scene.write(10, from: 60, source: "web")
    try scene.store.pruneFully(rule, now: scene.now)
    let rows = try scene.store.connection.text(
      "SELECT group_concat(substr(time, 12, 5) || source || severity || records) FROM histogram")
    #expect(rows == "00:00appinfo30,00:01appinfo60,00:01webinfo10,00:02appinfo60")
  }
}
