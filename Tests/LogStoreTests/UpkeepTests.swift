// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import TestSupport
import Testing

/// What stands beside the records does not outgrow them, however long an agent runs.
@Suite struct UpkeepTests {
  private static let day: Int64 = 86_400 * 1_000_000_000

  private final class Scene {
    private let folder: TemporaryDirectory
    let store: LogStore
    var now: Int64 = 1_772_352_000_000_000_000
    private var offset: Int64 = 0

    init() throws {
      folder = try TemporaryDirectory()
      store = try LogStore(path: folder.file("logs.db"))
    }

    /// Stores lines of `kinds`, each twice so that it has a frame, each kind with a logger of its
    /// own, a minute after the other.
    func write(_ kinds: Range<Int>) throws {
      let batch = RecordBatch(arenaBytes: 16 << 20, recordLimit: 1 << 20)
      batch.generations = [generation(1, .active)]
      func put(_ text: String) -> ByteSlice {
        let start = batch.arena.count
        batch.arena.append(text)
        return ByteSlice(start: start, count: batch.arena.count - start)
      }
      for kind in kinds {
        for _ in 0..<2 {
          var record = LogRecord()
          record.generation = 1
          record.time = Timestamp(nanoseconds: now)
          record.byteOffset = offset
          record.byteLength = 20
          record.severity = .info
          record.head = put("kind \(kind): ")
          record.body = put("body")
          record.scope = put("logger.\(kind)")
          record.observedTime = Timestamp(nanoseconds: now)
          batch.records.append(record)
          offset += 20
        }
        now += 60_000_000_000
      }
      try store.commit(batch)
    }

    func generation(_ id: UInt32, _ state: FileState) -> FileGeneration {
      var file = FileGeneration(
        id: id, source: "app", path: "/logs/app.\(id)",
        identity: FileIdentity(device: 1, inode: UInt64(id)),
        firstSeen: Timestamp(nanoseconds: now))
      file.state = state
      return file
    }

    func keep(records: Int64) throws {
      var rule = RetentionRule(maxBytes: 1 << 30)
      rule.maxRecords = records
      try store.pruneFully(rule, now: Timestamp(nanoseconds: now))
    }

    /// One step a little later than the last.
    func step(maxBytes: Int64 = 1 << 30) throws -> Bool {
      try store.upkeep(RetentionRule(maxBytes: maxBytes), now: Timestamp(nanoseconds: now))
    }

    func count(_ sql: String) throws -> Int64 {
      try store.connection.integer("SELECT " + sql) ?? -1
    }
  }

  @Test func whatRecordsReferToGoesWhenNoneDoesAnyMore() throws {
    let scene = try Scene()
    try scene.write(0..<5_200)
    try scene.keep(records: 200)
    #expect(try scene.count("count(*) FROM frame") > 5_000)
    #expect(try scene.step())
    // The walk is under way: what records take now stays, also a frame that only it has had.
    try scene.write(4_000..<4_001)
    while try scene.step() {}
    #expect(try scene.count("count(*) FROM frame") <= 110)
    #expect(try scene.count("count(*) FROM word") <= 110)
    #expect(try scene.count("count(*) FROM context") <= 110)
    #expect(try scene.count("count(*) FROM observation") <= 110)
    // One minute after the other, each as it was read.
    #expect(
      try scene.count("count(*) FROM logs WHERE observed_time_unix_nano <> time_unix_nano") == 0)
    try scene.write(4_000..<4_001)
    try scene.write(17..<18)
    let row = try scene.store.connection.prepare(
      "SELECT original, scope_name FROM logs ORDER BY id")
    var texts: [String] = []
    while try row.step() {
      texts.append(row.text(0))
      #expect(row.text(0) == "kind \(row.text(1).dropFirst("logger.".count)): body")
    }
    #expect(texts.count == 206)
    #expect(
      texts.suffix(4) == ["kind 4000: body", "kind 4000: body", "kind 17: body", "kind 17: body"])
  }

  @Test func oldMinutesOfTheHistogramBecomeHours() throws {
    let scene = try Scene()
    try scene.write(0..<4_000)
    while try scene.step(maxBytes: 1 << 20) {}
    #expect(try scene.count("count(*) FROM rollup") <= 1_000)
    #expect(try scene.count("sum(records) FROM histogram") == 8_000)
    #expect(try scene.count("count(*) FROM rollup WHERE minute % 60 <> 0") > 500)
  }

  @Test func hoursGoWhenThereAreTooManyOfThem() throws {
    let scene = try Scene()
    for _ in 0..<3_000 {
      try scene.write(0..<1)
      scene.now += 3_600_000_000_000
    }
    while try scene.step(maxBytes: 1 << 20) {}
    let rows = try scene.count("count(*) FROM rollup")
    #expect(rows <= 1_000)
    #expect(rows > 500)
    #expect(try scene.count("max(minute) * 60000000000 FROM rollup") > scene.now - Self.day)
  }

  @Test func oldRunsAndGapsMakeRoomForNewOnes() throws {
    let scene = try Scene()
    try scene.store.connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
        INSERT INTO run (id, process, outcome) SELECT i, 'shop', 'exit' FROM n;
      INSERT INTO gap SELECT id, 1, id, id + 1, 'truncated', id FROM run;
      INSERT INTO crash_pruned SELECT 'crash ' || id, 1, id, id FROM run;
      """)
    while try scene.step(maxBytes: 1 << 20) {}
    for (table, oldest) in [
      ("run", "min(id)"), ("gap", "min(id)"), ("crash_pruned", "min(last_seen)"),
    ] {
      #expect(try scene.count("count(*) FROM \(table)") == 1_000)
      #expect(try scene.count("\(oldest) FROM \(table)") == 501)
    }
  }

  @Test func theOpenRecordOfAFileThatIsLongGoneIsPruned() throws {
    let scene = try Scene()
    let batch = RecordBatch()
    batch.generations = [scene.generation(1, .truncated)]
    var record = LogRecord()
    record.generation = 1
    record.time = Timestamp(nanoseconds: scene.now)
    record.byteLength = 20
    record.isOpen = true
    batch.records.append(record)
    var checkpoint = Checkpoint(generation: 1)
    checkpoint.offset = 20
    checkpoint.openOffset = 0
    batch.note(checkpoint)
    try scene.store.commit(batch)
    _ = try scene.step()
    try scene.keep(records: 0)
    #expect(try scene.count("count(*) FROM record") == 1, "a copy may still go on with it")
    scene.now += 91 * Self.day
    _ = try scene.step()
    try scene.keep(records: 0)
    #expect(try scene.count("count(*) FROM record") == 0)
  }

  @Test func aFileThatIsLongGoneIsForgottenWithItsLastRecord() throws {
    let scene = try Scene()
    let batch = RecordBatch()
    batch.generations = [
      scene.generation(2, .gone), scene.generation(3, .active), scene.generation(4, .truncated),
    ]
    try scene.store.commit(batch)
    _ = try scene.step()
    #expect(try scene.count("count(*) FROM file") == 3)
    scene.now += 91 * Self.day
    _ = try scene.step()
    #expect(try scene.count("count(*) FROM file") == 1)
  }
}
