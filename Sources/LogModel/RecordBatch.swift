// SPDX-License-Identifier: Apache-2.0

/// Records and the checkpoints that count them: what one transaction commits.
///
/// The rule that makes it `Sendable`: a batch is handed over, never shared. The reader fills it,
/// gives it to the writer, and touches it again only when the writer has given it back.
public final class RecordBatch: @unchecked Sendable {
  /// The bytes that the records' slices point into.
  public let arena: ByteArena
  // The rule keeps exclusivity; checking it at run time costs more than an access.
  @exclusivity(unchecked)
  public var records: [LogRecord] = []
  /// When it was handed over, by the agent's clock.
  public var time = Timestamp(nanoseconds: 0)
  /// What the store works out of the records, by the thread that filled the batch: templates and
  /// contexts, which records name by their number (`LogRecord.template`, `context`), and grams,
  /// `GramHash.blockBytes` for each `gramRecords` records in turn.
  public var templates: [RecordTemplate] = []
  @exclusivity(unchecked)
  public var contexts: [RecordContext] = []
  @exclusivity(unchecked)
  public var grams: [UInt8] = []
  public var isPrepared = false
  /// So many records share their grams: few beside a block of the store, which they may overlap.
  public static let gramRecords = 1024

  /// Generations that are new, or whose name, state or format has changed.
  public var generations: [FileGeneration] = []
  /// At most one for each generation: the newest.
  public private(set) var checkpoints: [Checkpoint] = []
  public var reports: [CollectedReport] = []
  /// Bytes that are lost.
  public var gaps: [Gap] = []
  /// Generations that are read again after all: what was taken for lost is not.
  public var resumed: [UInt32] = []
  /// Of journals, by the source's name: the entry up to which they are stored with this batch.
  public var cursors: [String: String] = [:]
  /// What is wrong now, by path, when that has changed.
  public var problems: [String: String]?

  private var checkpointIndex: [UInt32: Int] = [:]

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - arenaBytes: bytes after which the batch counts as full.
  ///   - recordLimit: records after which it counts as full.
  public init(arenaBytes: Int = 1 << 20, recordLimit: Int = 8192) {
    self.arena = ByteArena(capacity: arenaBytes + arenaBytes / 4)
    self.fullBytes = arenaBytes
    self.fullRecords = recordLimit
    records.reserveCapacity(recordLimit)
  }

  private let fullBytes: Int
  private let fullRecords: Int

  /// Appends a record that `fill` fills in its place; it may append to the arena, not to the batch.
  @inlinable @inline(__always)
  public func append<Result>(_ fill: (inout LogRecord) -> Result) -> Result {
    let index = records.count
    records.append(LogRecord())
    return fill(&records[index])
  }

  /// Notes what record `index` was given.
  @inlinable
  public func set(template: UInt32, context: UInt32, ofRecord index: Int) {
    records[index].template = template
    records[index].context = context
  }

  /// The context of a number, likewise.
  @inlinable
  public func context(_ number: Int) -> RecordContext { contexts[number] }

  public var isFull: Bool { arena.count >= fullBytes || records.count >= fullRecords }

  public var isEmpty: Bool {
    records.isEmpty && checkpoints.isEmpty && generations.isEmpty && reports.isEmpty
      && problems == nil && gaps.isEmpty && resumed.isEmpty && cursors.isEmpty
  }

  /// Notes how far a generation is stored once this batch is committed.
  public func note(_ checkpoint: Checkpoint) {
    if let index = checkpointIndex[checkpoint.generation] {
      checkpoints[index] = checkpoint
    } else {
      checkpointIndex[checkpoint.generation] = checkpoints.count
      checkpoints.append(checkpoint)
    }
  }

  /// Empties it for the next use.
  public func removeAll() {
    arena.removeAll()
    records.removeAll(keepingCapacity: true)
    templates.removeAll(keepingCapacity: true)
    contexts.removeAll(keepingCapacity: true)
    grams.removeAll(keepingCapacity: true)
    isPrepared = false
    generations.removeAll()
    checkpoints.removeAll(keepingCapacity: true)
    checkpointIndex.removeAll(keepingCapacity: true)
    reports.removeAll()
    problems = nil
    gaps.removeAll()
    resumed.removeAll()
    cursors.removeAll()
  }
}
