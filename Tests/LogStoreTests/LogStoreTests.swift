// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import TestSupport
import Testing

@Suite struct LogStoreTests {
  private func generation(_ id: UInt32 = 1, source: String = "app") -> FileGeneration {
    FileGeneration(
      id: id, source: source, path: "/logs/\(source).log",
      identity: FileIdentity(device: 1, inode: UInt64(id)), firstSeen: Timestamp(nanoseconds: 5))
  }

  private func add(
    _ body: String, at offset: Int64, time: Int64, to batch: RecordBatch,
    change: (inout LogRecord, ByteArena) -> Void = { _, _ in }
  ) {
    var record = LogRecord()
    record.generation = 1
    record.byteOffset = offset
    record.byteLength = Int64(body.utf8.count + 1)
    record.time = Timestamp(nanoseconds: time)
    record.timeQuality = .zoned
    let start = batch.arena.count
    batch.arena.append(body)
    record.body = ByteSlice(start: start, count: batch.arena.count - start)
    change(&record, batch.arena)
    batch.records.append(record)
  }

  private func checkpoint(_ offset: Int64, open: Int64 = -1) -> Checkpoint {
    var checkpoint = Checkpoint(generation: 1)
    checkpoint.offset = offset
    checkpoint.openOffset = open
    checkpoint.size = offset
    return checkpoint
  }

  /// Neighbours share a row for it.
  @Test func eachRecordKeepsItsWordsZoneFlagsAndWhenItWasRead() throws {
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    var expected: [String] = []
    for round in 0..<3 {
      let batch = RecordBatch()
      if round == 0 { batch.generations = [generation()] }
      for index in 0..<60 {
        // More kinds in turn than are remembered as recent.
        let kind = index % 20
        let observed = Int64(round * 100 + index / 30)
        add("n", at: Int64(round * 60 + index), time: 7, to: batch) { record, arena in
          func put(_ text: String) -> ByteSlice {
            let start = arena.count
            arena.append(text)
            return ByteSlice(start: start, count: arena.count - start)
          }
          record.severityText = put("level\(kind % 4)")
          record.scope = put("logger\(kind)")
          if kind % 5 > 0 { record.process = put("app\(kind % 5)") }
          if kind % 3 > 0 { record.utcOffsetMinutes = Int16(kind * 15) }
          if kind == 7 { record.flags.add(.replaced) }
          record.observedTime = Timestamp(nanoseconds: observed)
        }
        expected.append(
          "level\(kind % 4) logger\(kind) \(kind % 5 > 0 ? "app\(kind % 5)" : "-") "
            + "\(kind % 3 > 0 ? "\(kind * 15)" : "-") \(kind == 7 ? 4 : 0) \(observed)")
      }
      try store.commit(batch)
    }
    let row = try store.connection.prepare(
      """
      SELECT severity_text || ' ' || scope_name || ' ' || coalesce(process, '-') || ' '
        || coalesce(utc_offset_minutes, '-') || ' ' || record_flags || ' '
        || observed_time_unix_nano FROM logs ORDER BY id
      """)
    var found: [String] = []
    while try row.step() { found.append(row.text(0)) }
    #expect(found == expected)
    #expect(try store.connection.integer("SELECT count(*) FROM context") == 20)
    #expect(try store.connection.integer("SELECT count(*) FROM observation") == 6)
  }

  @Test func recordsAndTheirCheckpointSurviveTogether() throws {
    let folder = try TemporaryDirectory()
    do {
      let store = try LogStore(path: folder.file("logs.db"))
      let batch = RecordBatch()
      batch.generations = [generation()]
      add("hello", at: 0, time: 1_735_689_600_123_456_789, to: batch) { record, arena in
        record.severity = .error
        record.pid = 42
        let start = arena.count
        arena.append("\"thread.name\":\"main\"")
        record.attributes = AttributeList(
          text: ByteSlice(start: start, count: arena.count - start))
      }
      batch.note(checkpoint(6))
      try store.commit(batch)
    }
    let store = try LogStore(path: folder.file("logs.db"))
    #expect(try store.generations().map(\.checkpoint.offset) == [6])
    let row = try store.connection.prepare(
      "SELECT time, severity, body, source, pid, thread_name, original FROM logs")
    let hasRow = try row.step()
    #expect(hasRow)
    let columns = (0..<7).map { row.text($0) }
    #expect(
      columns == [
        "2025-01-01T00:00:00.123456789Z", "error", "hello", "app", "42", "main", "hello",
      ])
  }

  @Test func aRecordThatGrowsTakesThePlaceOfItsRowAlsoAfterARestart() throws {
    let folder = try TemporaryDirectory()
    do {
      let store = try LogStore(path: folder.file("logs.db"))
      let batch = RecordBatch()
      batch.generations = [generation()]
      add("head", at: 0, time: 1, to: batch) { record, _ in record.isOpen = true }
      batch.note(checkpoint(5, open: 0))
      try store.commit(batch)
    }
    let store = try LogStore(path: folder.file("logs.db"))
    #expect(try store.generations().map(\.checkpoint.openOffset) == [0])
    let batch = RecordBatch()
    add("head\n more", at: 0, time: 1, to: batch) { record, _ in
      record.replacesOpenRecord = true
    }
    add("next", at: 11, time: 2, to: batch)
    batch.note(checkpoint(16))
    try store.commit(batch)
    let rows = try store.connection.text("SELECT group_concat(id || ':' || body) FROM record")
    #expect(rows == "1:head\n more,2:next")
  }

  @Test func aRecordThatGrowsWithinABatchIsCountedOnce() throws {
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    for round in 0..<2 {
      let batch = RecordBatch()
      batch.generations = [generation()]
      for (index, text) in ["a", "a\n b", "a\n b\n c"].enumerated() {
        add(text, at: 0, time: 1, to: batch) { record, _ in
          record.isOpen = true
          record.severity = index == 0 ? .info : .error
          record.replacesOpenRecord = round > 0 || index > 0
        }
      }
      batch.note(checkpoint(9, open: 0))
      try store.commit(batch)
      let connection = store.connection
      #expect(try connection.integer("SELECT count(*) FROM record") == 1)
      #expect(try connection.integer("SELECT sum(records) FROM files") == 1)
      #expect(
        try connection.text(
          "SELECT group_concat(severity || records) FROM histogram "
            + "WHERE records <> 0") == "error1")
    }
  }

  @Test func aBatchThatFailsLeavesNothingAndCanBeCommittedAgain() throws {
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    try store.connection.execute(
      "CREATE TEMP TRIGGER t BEFORE INSERT ON record WHEN new.body = 'b' "
        + "BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    let batch = RecordBatch()
    batch.generations = [generation()]
    add("a", at: 0, time: 1, to: batch)
    add("b", at: 2, time: 2, to: batch)
    batch.note(checkpoint(4))
    #expect(throws: SQLiteError.self) { try store.commit(batch) }
    #expect(try store.connection.integer("SELECT count(*) FROM record") == 0)
    #expect(try store.connection.integer("SELECT count(*) FROM file") == 0)
    try store.connection.execute("DROP TRIGGER t")
    try store.commit(batch)
    #expect(try store.connection.text("SELECT group_concat(id || body) FROM record") == "1a,2b")
  }

  @Test func aCrashIsAlsoARecordAndTheSameReportCountsOnce() throws {
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    var report = CrashReport(format: "test")
    report.process = "web"
    report.signal = "SIGSEGV"
    report.reason = "bad \"pointer\""
    report.kind = .signal
    let collected = CollectedReport(
      generation: 1, path: "/spool/a.json", size: 3, sha256: "ab",
      modified: Timestamp(nanoseconds: 7), observed: Timestamp(nanoseconds: 9), bytes: [1, 2, 3],
      report: report)
    for _ in 0..<2 {
      let batch = RecordBatch()
      batch.generations = [generation()]
      batch.reports = [collected]
      try store.commit(batch)
    }
    #expect(try store.connection.integer("SELECT count(*) FROM crashes") == 1)
    #expect(
      try store.connection.text(
        "SELECT severity || ' ' || process || ' ' || body || ' ' || crash_id FROM logs")
        == "fatal web crash SIGSEGV: bad \"pointer\" 1")
    #expect(try store.connection.integer("SELECT json_valid(attributes) FROM logs") == 1)
  }

  @Test func aNewerOrForeignDatabaseIsRefusedWithItsName() throws {
    let folder = try TemporaryDirectory()
    let newer = folder.file("newer.db")
    try Connection(path: newer, mode: .readWrite).execute("PRAGMA user_version = 99")
    let foreign = folder.file("foreign.db")
    try Connection(path: foreign, mode: .readWrite).execute("CREATE TABLE t (a)")
    let text = try folder.write("text.db", String(repeating: "not a database\n", count: 100))
    for (path, words) in [(newer, "newer"), (foreign, "not a logagent store"), (text, "database")] {
      do throws(StoreError) {
        _ = try LogStore(path: path)
        Issue.record("\(path) was opened")
      } catch {
        #expect(error.description.hasPrefix(path))
        #expect(error.description.contains(words))
      }
    }
  }
}
