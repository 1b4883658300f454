// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import FileTail
internal import LogModel
internal import LogParser

/// What drives the reading of one file as far as it goes now.
enum ReadGoal {
  /// What has come; the last record may grow.
  case follow
  /// What has come, and an unterminated last line too.
  case partial
  /// All there will ever be.
  case end(LineBreak)

  var inputEnd: InputEnd {
    switch self {
    case .follow: .pause
    case .partial: .partial
    case .end(let reason): .end(reason)
    }
  }
}

/// Reads files into records: one buffer and one file at a time.
final class LogReader {
  /// How reading one file went.
  enum Outcome {
    /// It was read to its end.
    case done
    /// There is more; others get their turn first.
    case more
    /// It was truncated; the file that goes on is this one.
    case truncated(TailFile)
  }

  /// What a source says of its files.
  struct SourceRules {
    var multiline: MultilineMode
    var zone: TimeZone
  }

  private let limits: AssemblyLimits
  private let rules: [SourceRules]
  private let tailer: Tailer
  private let formats: UserFormatReaders
  private let clock: () -> Timestamp
  private var assemblers: [UInt32: RecordAssembler] = [:]
  private var buffer: UnsafeMutableRawBufferPointer

  private static let chunkBytes = 256 << 10
  private static let sampleBytes = 64 << 10
  /// How far a file is looked through for midnights before it is read; other files wait for it.
  private static let maxLookedThrough: Int64 = 512 << 20
  /// Chunks that one file may read before others get their turn.
  private static let chunksPerTurn = 16

  init(
    limits: AssemblyLimits, rules: [SourceRules], tailer: Tailer, formats: UserFormats,
    clock: @escaping () -> Timestamp
  ) {
    self.clock = clock
    self.formats = UserFormatReaders(formats)
    self.limits = limits
    self.rules = rules
    self.tailer = tailer
    buffer = .allocate(byteCount: Self.chunkBytes, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Reads `file` from its checkpoint on, for one turn.
  ///
  /// - Throws: `ContentError`; what was read before stays read.
  func read(
    _ file: TailFile, _ goal: ReadGoal, into sink: BatchSink, now: Timestamp
  ) throws(ContentError) -> Outcome {
    let reader = try open(file)
    let status = try self.status(of: reader)
    // A stream has no length to compare with, and a compressed file is never appended to.
    if !reader.isStream, status.size < file.checkpoint.offset {
      return .truncated(tailer.truncate(file, now: now))
    }
    for turn in 0..<Self.chunksPerTurn {
      let offset = file.readOffset
      let count = try reader.read(into: buffer, at: offset)
      // After the read: what was read is then known to follow what was stored.
      if turn == 0, !reader.isStream, try !ContentIdentity.tailMatches(reader, file.checkpoint) {
        return .truncated(tailer.truncate(file, now: now))
      }
      let isFull = count == buffer.count
      let end: InputEnd = isFull ? .more : (reader.isCompressed ? .end(.eof) : goal.inputEnd)
      file.modified = status.modified
      let isStuck = try assembleOrTakeBack(file, reader, count: count, end: end, sink, now)
      if sink.hasFailed { return .done }
      if !isFull || isStuck {
        file.readSize = reader.isStream || isStuck ? status.size : offset + Int64(count)
        file.readModified = status.modified
        return .done
      }
    }
    return .more
  }

  /// Takes note that the last record of `file` takes no more lines.
  func closeRecord(of file: TailFile, into sink: BatchSink) {
    guard file.checkpoint.openOffset >= 0 else { return }
    file.checkpoint.openOffset = -1
    sink.batch.note(file.checkpoint)
  }

  func forget(_ file: TailFile) { assemblers[file.generation.id] = nil }

  /// Forgets files that are read no more: those that ended while nobody read them.
  func forget(except files: some Collection<TailFile>) {
    guard assemblers.count > files.count else { return }
    let current = Set(files.map(\.generation.id))
    assemblers = assemblers.filter { current.contains($0.key) }
  }

  // MARK: One chunk

  /// Records and their checkpoint come into the batch together, or not at all: when a read fails in
  /// between, the records are taken back.
  private func assembleOrTakeBack(
    _ file: TailFile, _ reader: ContentReader, count: Int, end: InputEnd, _ sink: BatchSink,
    _ now: Timestamp
  ) throws(ContentError) -> Bool {
    let batch = sink.batch
    let before = batch.records.count
    let tip = file.tip
    do throws(ContentError) {
      return try assemble(file, reader, count: count, end: end, sink, now)
    } catch {
      batch.records.removeLast(batch.records.count - before)
      file.tip = tip
      forget(file)
      throw error
    }
  }

  /// Returns whether it can't go on: an overlong line has no end yet.
  private func assemble(
    _ file: TailFile, _ reader: ContentReader, count: Int, end: InputEnd, _ sink: BatchSink,
    _ now: Timestamp
  ) throws(ContentError) -> Bool {
    var isStuck = false
    let offset = file.readOffset
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self)
    let id = file.generation.id
    var assembler: RecordAssembler
    if let known = assemblers.removeValue(forKey: id) {
      assembler = known
    } else {
      assembler = try makeAssembler(file, reader, now)
    }
    if !assembler.parser.isDecided, offset == 0, count >= file.sampledBytes * 2 {
      // The first lines told too little; there are more now.
      detect(&assembler.parser, file, bytes, assembler.encoding)
    }
    let assembly = assembler.assemble(
      bytes, at: offset, end: end, checkpoint: file.checkpoint, observed: now,
      written: file.modified, into: sink.batch)
    var checkpoint = file.checkpoint
    checkpoint.offset = assembly.storedOffset
    checkpoint.openOffset = assembly.openOffset
    checkpoint.skippedBytes += assembly.skippedBytes
    noteGrowth(file, bytes, at: offset, assembly)
    if let overlong = assembly.overlongOffset {
      isStuck = try !skipOverlong(
        overlong, file, reader, end, &assembler, &checkpoint, sink, now)
    } else if case .more = end, assembly.readOffset == offset {
      growBuffer()
    }
    checkpoint.lastTime = assembler.parser.lastTime?.nanoseconds ?? checkpoint.lastTime
    assemblers[id] = assembler
    try note(checkpoint, file, reader, sink, size: offset + Int64(count))
    return isStuck
  }

  private func noteGrowth(
    _ file: TailFile, _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64, _ assembly: Assembly
  ) {
    let end = offset + Int64(bytes.count)
    if end > file.readEnd {
      file.readEnd = end
      file.lastGrowth = clock()
    }
    file.tip.hasRest = end > assembly.storedOffset
    let last = Int(assembly.storedOffset - offset) - 1
    file.tip.endsUnterminated =
      assembly.openOffset >= 0 && last >= 0 && last < bytes.count && bytes[last] != 10
  }

  private func note(
    _ checkpoint: Checkpoint, _ file: TailFile, _ reader: ContentReader, _ sink: BatchSink,
    size: Int64
  ) throws(ContentError) {
    var checkpoint = checkpoint
    checkpoint.size = max(size, checkpoint.offset)
    if checkpoint.offset != file.checkpoint.offset {
      let tail = try ContentIdentity.tail(of: reader, before: checkpoint.offset)
      checkpoint.tailLength = tail.length
      checkpoint.tailHash = tail.hash
    }
    try updateHead(file, reader, stored: checkpoint.offset)
    // From here on nothing fails.
    let isNews = checkpoint != file.checkpoint
    file.checkpoint = checkpoint
    if isNews { sink.batch.note(checkpoint) }
    tailer.putChanges(into: sink.batch)
    sink.submitIfFull()
  }

  /// The hash of the beginning covers more while the file is short, and only what is stored.
  private func updateHead(
    _ file: TailFile, _ reader: ContentReader, stored: Int64
  ) throws(ContentError) {
    let wanted = Int(min(Int64(FileIdentity.maxHeadLength), stored))
    guard file.generation.identity.headLength < wanted else { return }
    let head = try ContentIdentity.head(of: reader, length: wanted)
    file.generation.identity.headLength = head.length
    file.generation.identity.headHash = head.hash
    file.isGenerationDirty = true
  }

  private func makeAssembler(
    _ file: TailFile, _ reader: ContentReader, _ now: Timestamp
  ) throws(ContentError) -> RecordAssembler {
    let rule = rules[file.sourceIndex]
    let last = file.checkpoint.lastTime
    var parser = RecordParser(
      file: FileContext(
        path: file.generation.path, modified: file.modified, now: now, zone: rule.zone,
        multiline: rule.multiline,
        lastTime: last == Checkpoint.noTime ? nil : Timestamp(nanoseconds: last),
        zoneNamed: HostTimeZone.named),
      userFormats: formats.readers(for: file.generation.path))
    let sample = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.sampleBytes, alignment: 16)
    defer { sample.deallocate() }
    // Going back in a stream costs a new start; then what comes now must do.
    let from = reader.isStream ? file.readOffset : 0
    let count = try reader.read(into: sample, at: from)
    let bytes = UnsafeRawBufferPointer(rebasing: sample[..<count]).bindMemory(to: UInt8.self)
    let encoding = TextEncoding(fileBeginning: bytes)
    detect(&parser, file, bytes, encoding)
    if parser.countsDays, encoding == .utf8, file.readOffset == 0 {
      try countDays(&parser, reader, from: Int64(bytes.lastLineStart))
    }
    return RecordAssembler(
      parser: parser, limits: limits, isLinewise: rule.multiline == .off, encoding: encoding)
  }

  /// Looks through the file for the midnights in it: its first record's date depends on them.
  private func countDays(
    _ parser: inout RecordParser, _ reader: ContentReader, from start: Int64
  ) throws(ContentError) {
    let chunk = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.sampleBytes, alignment: 16)
    defer { chunk.deallocate() }
    var offset = start
    while offset < Self.maxLookedThrough {
      let count = try reader.read(into: chunk, at: offset)
      guard count > 0 else { return }
      let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count]).bindMemory(to: UInt8.self)
      let end = bytes.lastLineStart
      parser.countDays(in: UnsafeBufferPointer(rebasing: bytes[..<end]))
      offset += Int64(end > 0 ? end : count)
    }
  }

  private func detect(
    _ parser: inout RecordParser, _ file: TailFile, _ sample: UnsafeBufferPointer<UInt8>,
    _ encoding: TextEncoding
  ) {
    RecordAssembler.withText(of: sample, encoding) { parser.detect(sample: $0) }
    file.sampledBytes = sample.count
    // Some loggers name their process in the file's name only.
    let process = parser.processName
    if file.generation.format != parser.formatName || file.generation.process != process {
      file.generation.format = parser.formatName
      file.generation.process = process
      file.isGenerationDirty = true
    }
  }

  private func growBuffer() {
    let larger = min(max(buffer.count * 2, Self.chunkBytes), limits.bufferBytes)
    guard larger > buffer.count else { return }
    buffer.deallocate()
    buffer = .allocate(byteCount: larger, alignment: 16)
  }

  // MARK: Overlong lines

  /// Looks for the end of a line that is too long, and stores its beginning; false when the end
  /// is not there yet.
  private func skipOverlong(
    _ start: Int64, _ file: TailFile, _ reader: ContentReader, _ end: InputEnd,
    _ assembler: inout RecordAssembler, _ checkpoint: inout Checkpoint, _ sink: BatchSink,
    _ now: Timestamp
  ) throws(ContentError) -> Bool {
    let scratch = UnsafeMutableRawBufferPointer.allocate(
      byteCount: limits.maxLineBytes + 8, alignment: 16)
    defer { scratch.deallocate() }
    var position = max(start, file.scannedTo)
    var next: Int64?
    while next == nil {
      let count = try reader.read(into: scratch, at: position)
      let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<count])
      if let newline = bytes.firstIndex(of: 10) {
        next = position + Int64(newline) + 1
      } else {
        position += Int64(count)
        if count < scratch.count { break }
      }
    }
    file.scannedTo = position
    switch end {
    case .more, .pause:
      guard next != nil else { return false }
    case .partial, .end: break
    }
    let stop = next ?? position
    let count = try reader.read(into: scratch, at: start)
    let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<count])
    assembler.assembleOverlong(
      bytes.bindMemory(to: UInt8.self), at: start, byteLength: stop - start,
      checkpoint: checkpoint, observed: now, written: file.modified, into: sink.batch)
    checkpoint.offset = stop
    checkpoint.openOffset = -1
    file.scannedTo = 0
    file.tip.hasRest = false
    return true
  }

  // MARK: Errors of the file system

  private func open(_ file: TailFile) throws(ContentError) -> ContentReader {
    do throws(FileError) { return try file.open() } catch { throw .file(error) }
  }

  private func status(of reader: ContentReader) throws(ContentError) -> FileStatus {
    do throws(FileError) { return try reader.status() } catch { throw .file(error) }
  }
}
