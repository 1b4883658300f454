// SPDX-License-Identifier: Apache-2.0

import FaultVFS
import Foundation
import LogModel
import LogStore
import SQLite
import TestSupport
import Testing

/// Each file operation of SQLite fails in turn, and the power at any byte: rows and offsets stay
/// together, and the same batch can be committed again.
@Suite struct StoreFaultTests {
  init() { #expect(fault_install() == 0) }

  private static let perBatch = 40

  /// Batch `number` of a file: records of 100 bytes each.
  private static func batch(_ number: Int) -> RecordBatch {
    let batch = RecordBatch()
    batch.generations = [
      FileGeneration(
        id: 1, source: "app", path: "/logs/app",
        identity: FileIdentity(device: 1, inode: 1), firstSeen: Timestamp(nanoseconds: 0))
    ]
    for index in 0..<perBatch {
      var record = LogRecord()
      let position = number * perBatch + index
      record.generation = 1
      record.byteOffset = Int64(position * 100)
      record.byteLength = 100
      record.time = Timestamp(nanoseconds: Int64(position))
      let start = batch.arena.count
      batch.arena.append("n=\(position) " + String(repeating: "x", count: 85))
      record.body = ByteSlice(start: start, count: batch.arena.count - start)
      batch.records.append(record)
    }
    var checkpoint = Checkpoint(generation: 1)
    checkpoint.offset = Int64((number + 1) * perBatch * 100)
    checkpoint.size = checkpoint.offset
    batch.note(checkpoint)
    return batch
  }

  /// Whether the store holds the first so many batches, wholly and once, and nothing else.
  private static func batches(in path: String) throws -> Int? {
    let store = try LogStore(path: path)
    let connection = store.connection
    guard try connection.text("PRAGMA integrity_check") == "ok" else { return nil }
    let count = Int(try connection.integer("SELECT count(*) FROM record") ?? -1)
    let distinct = Int(
      try connection.integer("SELECT count(DISTINCT byte_offset) FROM record") ?? 0)
    let counted = try connection.integer("SELECT sum(records) FROM histogram") ?? 0
    let offset = try store.generations().first?.checkpoint.offset ?? 0
    guard count == distinct, count % perBatch == 0, offset == Int64(count * 100),
      counted == Int64(count)
    else { return nil }
    return count / perBatch
  }

  struct Fault: CustomTestStringConvertible {
    var call: fault_call
    var code: Int32
    var testDescription: String
  }

  static let faults = [
    Fault(call: FAULT_WRITE, code: 13, testDescription: "write: disk full"),
    Fault(call: FAULT_WRITE, code: 10 | 3 << 8, testDescription: "write: error"),
    Fault(call: FAULT_READ, code: 10 | 1 << 8, testDescription: "read: error"),
    Fault(call: FAULT_SYNC, code: 10 | 4 << 8, testDescription: "fsync: error"),
    Fault(call: FAULT_TRUNCATE, code: 10 | 6 << 8, testDescription: "truncate: error"),
    Fault(call: FAULT_OPEN, code: 14, testDescription: "open: refused"),
    Fault(call: FAULT_DELETE, code: 10 | 10 << 8, testDescription: "delete: error"),
    Fault(call: FAULT_MAP, code: 10 | 21 << 8, testDescription: "shared memory: error"),
  ]

  @Test(arguments: faults)
  func aCommitThatFailsLeavesNothingAndCanBeMadeAgain(_ fault: Fault) throws {
    let folder = try TemporaryDirectory()
    var hits = 0
    var countdown = 0
    repeat {
      let path = folder.file("\(countdown).db")
      fault_plan(fault.call, fault.code, Int32(countdown), 0)
      defer { fault_clear() }
      // Opening, committing, pruning, giving memory back: what fails is done again.
      var store: LogStore?
      for number in 0..<6 {
        try again {
          if store == nil { store = try LogStore(path: path, cacheBytes: 16 << 10) }
          try store?.makeRoom(for: Self.batch(number), RetentionRule(maxBytes: 64 << 20))
          try store?.commit(Self.batch(number))
        }
        try again { try store?.settle() }
      }
      hits = Int(fault_clear())
      store = nil
      #expect(try Self.batches(in: path) == 6, "after \(countdown) calls")
      countdown += 1
    } while hits > 0 && countdown < 400
    #expect(countdown > 1 || fault.call == FAULT_DELETE, "the fault was never met")
  }

  /// A batch that failed is the same batch at the next try.
  private func again(_ body: () throws -> Void) throws {
    do { try body() } catch {
      try body()
    }
  }

  @Test func afterThePowerFailedAtAnyByteRowsAndOffsetsAgree() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("logs.db")
    let store = try LogStore(path: path)
    try store.commit(Self.batch(0))
    try store.settle()
    for number in 1..<6 { try store.commit(Self.batch(number)) }
    let database = try Data(contentsOf: URL(fileURLWithPath: path))
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    #expect(log.count > 50_000)
    var seen: Set<Int> = []
    for cut in Array(stride(from: 0, to: log.count, by: 997)) + [log.count] {
      let copy = folder.file("cut.db")
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) }
      try database.write(to: URL(fileURLWithPath: copy))
      var rest = log.prefix(cut)
      // Half of the time the last sector holds what was there before.
      if cut % 2 == 1 { rest.append(Data(repeating: 0xa5, count: min(512, log.count - cut))) }
      try rest.write(to: URL(fileURLWithPath: copy + "-wal"))
      let batches = try Self.batches(in: copy)
      #expect(batches != nil, "cut at \(cut)")
      if let batches { seen.insert(batches) }
    }
    #expect(seen == [1, 2, 3, 4, 5, 6])
  }
}
