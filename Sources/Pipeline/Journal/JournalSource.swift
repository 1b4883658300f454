// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import Glibc
internal import LogModel
internal import LogParser

/// systemd's journal as a source: entries come from a `journalctl` of its own, and the cursor of the
/// last stored one is committed in the transaction of the records.
///
/// To the store a journal is one file generation that grows for ever, at the path `journal:NAME`.
final class JournalSource {
  let configuration: JournalConfiguration
  private var generation: FileGeneration
  private var isNew: Bool
  private var cursor: String?
  private var process: JournalProcess?
  private var framing = JournalFraming()
  private var assembler: RecordAssembler
  /// The entries of this boot were asked for: now those that come can be followed.
  private var hasCaughtUp: Bool
  /// After a journalctl that ended: when to start another, in nanoseconds.
  private var restart: Int64 = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  /// Nanoseconds between two starts.
  private static let patience: Int64 = 5_000_000_000
  /// Reads that one journal may have before files get their turn.
  private static let readsPerTurn = 16

  /// The path by which the store knows a journal.
  static func path(_ name: String) -> String { pathPrefix + name }
  static let pathPrefix = "journal:"

  init(
    _ configuration: JournalConfiguration, known: FileGeneration?, cursor: String?,
    newID: () -> UInt32, limits: AssemblyLimits, zone: TimeZone, now: Timestamp
  ) {
    self.configuration = configuration
    self.cursor = cursor
    hasCaughtUp = cursor != nil || configuration.begin != .boot
    isNew = known == nil
    generation =
      known
      ?? FileGeneration(
        id: newID(), source: configuration.name, path: Self.path(configuration.name),
        identity: FileIdentity(device: 0, inode: 0), firstSeen: now)
    let last = generation.checkpoint.lastTime
    var parser = RecordParser(
      file: FileContext(
        path: generation.path, modified: now, now: now, zone: zone,
        lastTime: last == Checkpoint.noTime ? nil : Timestamp(nanoseconds: last)))
    // All that comes is of one format.
    Array("__CURSOR=\n__REALTIME_TIMESTAMP=1\nMESSAGE=x\n\n".utf8).withUnsafeBufferPointer {
      parser.detect(sample: $0)
    }
    generation.format = parser.formatName
    assembler = RecordAssembler(parser: parser, limits: limits, isLinewise: false)
  }

  deinit {
    process?.end()
    buffer.deallocate()
  }

  /// What an event loop waits for; `nil` while no journalctl runs.
  var descriptor: Int32? { process?.output }

  /// When to look again although nothing can be read, in nanoseconds.
  var due: Int64? { process == nil ? restart : nil }

  /// Reads what is there for one turn.
  ///
  /// - Parameters:
  ///   - sink: takes the records.
  ///   - follows: whether journalctl goes on for ever.
  ///   - now: the time.
  /// - Returns: what is wrong, when that has just become known; and whether the journal is at its
  ///   end, which one that is followed never is.
  func read(
    into sink: BatchSink, follows: Bool, now: Timestamp
  ) -> (problem: String?, isOver: Bool) {
    let follows = follows && hasCaughtUp
    if process == nil {
      guard now.nanoseconds >= restart else { return (nil, false) }
      restart = now.nanoseconds + Self.patience
      do throws(FileError) {
        process = try JournalProcess(configuration, after: cursor, follows: follows)
      } catch {
        return (
          error.isNotFound
            ? "there is no journalctl in PATH: the journal is read on systems with systemd only"
            : error.description, true
        )
      }
    }
    for _ in 0..<Self.readsPerTurn {
      guard let process, let count = process.read(into: buffer) else { break }
      if count == 0 { return end(process, follows: follows, sink, now) }
      framing.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      store(into: sink, now)
      if sink.hasFailed { break }
    }
    return (nil, false)
  }

  /// Waits until there is something to read.
  func wait() {
    guard let descriptor else { return }
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&ready, 1, 1_000)
  }

  private func end(
    _ process: JournalProcess, follows: Bool, _ sink: BatchSink, _ now: Timestamp
  ) -> (problem: String?, isOver: Bool) {
    store(into: sink, now)
    let reason = process.reason()
    process.end()
    self.process = nil
    framing.dropIncomplete()
    if !hasCaughtUp, reason == JournalProcess.silentEnd {
      hasCaughtUp = true
      restart = now.nanoseconds
    }
    // One that reads to the end and says nothing has done its work.
    return follows || reason != JournalProcess.silentEnd ? (reason, true) : (nil, true)
  }

  /// Hands whole entries over, with the checkpoint that counts them.
  private func store(into sink: BatchSink, _ now: Timestamp) {
    guard framing.hasEntries else { return }
    let batch = sink.batch
    if isNew {
      batch.generations.append(generation)
      isNew = false
    }
    var checkpoint = generation.checkpoint
    framing.entries.withUnsafeBufferPointer { bytes in
      // Entries are whole: the last one takes no more lines either.
      let assembly = assembler.assemble(
        bytes, at: checkpoint.offset, end: .end(.newline), checkpoint: checkpoint, observed: now,
        written: now, into: batch)
      checkpoint.skippedBytes += assembly.skippedBytes
      checkpoint.offset += Int64(bytes.count)
    }
    checkpoint.offset += framing.skippedBytes
    checkpoint.skippedBytes += framing.skippedBytes
    checkpoint.size = checkpoint.offset
    checkpoint.lastTime = assembler.parser.lastTime?.nanoseconds ?? checkpoint.lastTime
    generation.checkpoint = checkpoint
    batch.note(checkpoint)
    cursor = framing.cursor ?? cursor
    if let cursor { batch.cursors[configuration.name] = cursor }
    framing.removeEntries()
    sink.submitIfFull()
  }
}
