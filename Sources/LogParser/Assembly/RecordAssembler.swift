// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Bounds on lines and records.
package struct AssemblyLimits: Sendable {
  /// Bytes of a line without its end; a longer one is stored cut.
  package var maxLineBytes: Int
  /// Lines after which a record is cut in two.
  package var maxRecordLines: Int
  /// Bytes after which a record is cut in two.
  package var maxRecordBytes: Int

  package init(maxLineBytes: Int, maxRecordLines: Int, maxRecordBytes: Int) {
    self.maxLineBytes = maxLineBytes
    self.maxRecordLines = maxRecordLines
    self.maxRecordBytes = maxRecordBytes
  }

  /// A buffer of this size always holds a record with its longest last line.
  package var bufferBytes: Int { maxLineBytes + maxRecordBytes + 4096 }
}

/// What follows the bytes that are handed to the assembler.
package enum InputEnd: Sendable {
  /// More bytes, which did not fit the buffer.
  case more
  /// Nothing for now: whole lines are stored, the last record may grow, an unterminated line waits.
  case pause
  /// Nothing for a while: an unterminated line is stored too, and may grow.
  case partial
  /// Nothing ever again, for this reason.
  case end(LineBreak)
}

/// What one call of the assembler came to; offsets are those of the file.
package struct Assembly: Sendable {
  /// Where the next call must begin.
  package var readOffset: Int64
  /// The first byte that is in no record of the batch, and not passed over.
  package var storedOffset: Int64
  /// Where the last stored record begins if it may still grow, else -1.
  package var openOffset: Int64
  /// Bytes passed over: blank lines and holes.
  package var skippedBytes: Int64
  /// Where a line begins that is longer than allowed and does not end in these bytes.
  package var overlongOffset: Int64?
}

/// Cuts bytes into lines and joins lines to records, which a `RecordParser` then reads.
///
/// It keeps nothing of a record between calls: the caller comes back with bytes from `readOffset`
/// on, which is the start of the record that is not finished. So a restart is no special case.
package struct RecordAssembler {
  package var parser: RecordParser
  package let limits: AssemblyLimits
  /// Every line is a record: nothing is joined, nothing stays open.
  package let isLinewise: Bool
  package let encoding: TextEncoding
  /// The last record was cut at a limit and goes on.
  private var continuesCutRecord = false
  /// NUL bytes were passed over before the next record.
  private var passedHole = false

  package init(
    parser: RecordParser, limits: AssemblyLimits, isLinewise: Bool, encoding: TextEncoding = .utf8
  ) {
    self.encoding = encoding
    self.parser = parser
    self.limits = limits
    self.isLinewise = isLinewise
  }

  /// Goes through `bytes`, which begin at `checkpoint`'s read offset, and appends records.
  ///
  /// - Parameters:
  ///   - bytes: content of the file from `offset` on.
  ///   - offset: where in the file they begin: the start of a line.
  ///   - end: what follows them.
  ///   - checkpoint: what is stored; a record that is stored as it is now is not stored again.
  ///   - observed: when they were read.
  ///   - written: when the file was last written: no record in it is newer.
  ///   - batch: takes the records.
  package mutating func assemble(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64, end: InputEnd,
    checkpoint: Checkpoint, observed: Timestamp, written: Timestamp, into batch: RecordBatch
  ) -> Assembly {
    let mark = offset == 0 ? TextEncoding.markLength(bytes) : 0
    guard encoding != .utf8 else {
      let context = Context(bytes, at: offset, checkpoint, observed, written, batch)
      return assemble(context, from: mark, end)
    }
    let raw = UnsafeBufferPointer(rebasing: bytes[mark...])
    let lines = TranscodedLines(raw, isBigEndian: encoding == .utf16BigEndian)
    return lines.text.withUnsafeBufferPointer { text in
      let context = Context(
        text, at: offset + Int64(mark), checkpoint, observed, written, batch, transcoded: lines)
      context.skipped = Int64(mark)
      return assemble(context, from: 0, end)
    }
  }

  private mutating func assemble(_ context: Context, from start: Int, _ end: InputEnd) -> Assembly {
    let bytes = context.bytes
    var draft = RecordDraft()
    var position = start
    var stop = bytes.count
    while position < bytes.count {
      let lineStart = passHole(bytes, position)
      if lineStart > position {
        close(&draft, context)
        position = lineStart
        continue
      }
      guard let newline = LineScan.newline(bytes, from: position) else {
        stop = position
        break
      }
      take(position, newline, next: newline + 1, &draft, context)
      position = newline + 1
    }
    if stop < bytes.count { takeRest(from: stop, end, &draft, context) }
    return finish(stop: stop, end, draft, context)
  }

  /// Stores the beginning of a line that is too long, whose end the caller has found.
  ///
  /// - Parameters:
  ///   - bytes: at least `maxLineBytes + 1` bytes of the line.
  ///   - offset: where the line begins in the file.
  ///   - byteLength: its true length with its end.
  package mutating func assembleOverlong(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64, byteLength: Int64,
    checkpoint: Checkpoint, observed: Timestamp, written: Timestamp, into batch: RecordBatch
  ) {
    let context = Context(bytes, at: offset, checkpoint, observed, written, batch)
    var draft = RecordDraft()
    start(&draft, at: 0, context)
    draft.contentEnd = LineScan.cut(bytes, from: 0, at: limits.maxLineBytes)
    draft.lineBreak = .lengthLimit
    draft.end = draft.contentEnd
    context.trueLength = byteLength
    emit(draft, isOpen: false, context)
  }

  // MARK: Lines

  /// What one call works on. A class, as a structure of this size would be copied for each line.
  private final class Context {
    let bytes: UnsafeBufferPointer<UInt8>
    let offset: Int64
    let generation: UInt32
    let openOffset: Int64
    let checkpointOffset: Int64
    let observed: Timestamp
    let written: Timestamp
    let batch: RecordBatch
    // The batch's, which outlives this: counting references for each record costs more than a field.
    let arena: Unmanaged<ByteArena>
    /// The way back from `bytes` to the file's own where they were transcoded.
    let transcoded: TranscodedLines?
    let isTranscoded: Bool
    /// Position after what is stored or passed over.
    @exclusivity(unchecked)
    var storedEnd = 0
    @exclusivity(unchecked)
    var skipped: Int64 = 0
    @exclusivity(unchecked)
    var overlong: Int?
    /// The length in the file of a line of which only the beginning is here.
    @exclusivity(unchecked)
    var trueLength: Int64?

    init(
      _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int64, _ checkpoint: Checkpoint,
      _ observed: Timestamp, _ written: Timestamp, _ batch: RecordBatch,
      transcoded: TranscodedLines? = nil
    ) {
      self.bytes = bytes
      self.offset = offset
      generation = checkpoint.generation
      openOffset = checkpoint.openOffset
      checkpointOffset = checkpoint.offset
      self.observed = observed
      self.written = written
      self.batch = batch
      arena = .passUnretained(batch.arena)
      self.transcoded = transcoded
      isTranscoded = transcoded != nil
    }

    /// Where in the file a line starts that starts at `position`, or what ends there.
    func place(_ position: Int) -> Int64 {
      // The lines themselves would be counted as used each time.
      isTranscoded
        ? offset + Int64(transcoded?.raw(of: position) ?? position) : offset &+ Int64(position)
    }
  }

  private mutating func passHole(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
    var position = position
    while position < bytes.count, bytes[position] == 0 {
      position &+= 1
      passedHole = true
    }
    return position
  }

  /// Takes the line from `start` to `newline` into the draft, or closes it and begins another.
  private mutating func take(
    _ start: Int, _ newline: Int, next: Int, _ draft: inout RecordDraft, _ context: Context
  ) {
    let bytes = context.bytes
    let hasReturn = newline > start && next > newline && bytes[newline - 1] == 13
    let contentEnd = hasReturn ? newline - 1 : newline
    if LineScan.isBlank(bytes, start, contentEnd) { return }
    let isOverlong = contentEnd - start > limits.maxLineBytes
    let line = UnsafeBufferPointer(rebasing: bytes[start..<contentEnd])
    if draft.isEmpty {
      // It begins a record whatever it is; the parser only takes note of it.
      _ = parser.beginsRecord(line, isFirst: true)
    } else {
      if isLinewise || isOverlong || draft.isOverlong || parser.beginsRecord(line) {
        close(&draft, context)
      } else if (draft.lines >= limits.maxRecordLines && !parser.readsDocuments)
        || contentEnd - draft.start > limits.maxRecordBytes
      {
        draft.flags.add(.continued)
        close(&draft, context)
        continuesCutRecord = true
      }
    }
    if draft.isEmpty { self.start(&draft, at: start, context) }
    draft.lines += 1
    draft.contentEnd = contentEnd
    draft.end = next
    if hasReturn { draft.hasCarriageReturns = true }
    if isOverlong {
      draft.isOverlong = true
      draft.lineBreak = .lengthLimit
      draft.contentEnd = LineScan.cut(bytes, from: start, at: limits.maxLineBytes)
    }
  }

  /// Takes the unterminated rest of the bytes as a line where that is asked for.
  private mutating func takeRest(
    from position: Int, _ end: InputEnd, _ draft: inout RecordDraft, _ context: Context
  ) {
    switch end {
    case .more, .pause:
      if context.bytes.count - position > limits.maxLineBytes {
        close(&draft, context)
        context.overlong = position
      }
    case .partial, .end:
      let count = context.bytes.count
      if count - position > limits.maxLineBytes { close(&draft, context) }
      take(position, count, next: count, &draft, context)
      guard !draft.isEmpty, draft.end == count, draft.lineBreak == .newline else { return }
      if case .end(let reason) = end { draft.lineBreak = reason } else { draft.lineBreak = .eof }
    }
  }

  private mutating func finish(
    stop: Int, _ end: InputEnd, _ draft: RecordDraft, _ context: Context
  ) -> Assembly {
    var draft = draft
    var openOffset: Int64 = -1
    var readPosition = stop
    switch end {
    case .more:
      // The last record may go on in the bytes to come; it is read again from its start.
      if !draft.isEmpty { readPosition = draft.start }
    case .pause, .partial:
      let isOpen = !draft.isEmpty && !draft.isOverlong && (!isLinewise || draft.lineBreak == .eof)
      if isOpen {
        openOffset = context.place(draft.start)
        emit(draft, isOpen: true, context)
        context.storedEnd = draft.end
        readPosition = draft.start
      } else {
        close(&draft, context)
      }
    case .end:
      close(&draft, context)
      readPosition = context.bytes.count
    }
    var storedOffset = context.place(context.storedEnd)
    let first = context.place(0)
    if first == context.openOffset, storedOffset < context.checkpointOffset {
      // The open record has not come to an end yet: it stays stored as far as it had come.
      openOffset = first
      storedOffset = context.checkpointOffset
    } else if openOffset < 0, draft.isEmpty {
      // Blank lines and holes at the end belong to no record.
      let passed = max(storedOffset, context.place(readPosition))
      context.skipped += passed - storedOffset
      storedOffset = passed
    }
    return Assembly(
      readOffset: context.place(readPosition), storedOffset: storedOffset, openOffset: openOffset,
      skippedBytes: context.skipped, overlongOffset: context.overlong.map(context.place))
  }

  // MARK: Records

  private mutating func start(_ draft: inout RecordDraft, at position: Int, _ context: Context) {
    draft = RecordDraft()
    draft.start = position
    if passedHole { draft.flags.add(.hole) }
    if continuesCutRecord { draft.flags.add(.continuation) }
    passedHole = false
    continuesCutRecord = false
    context.skipped += context.place(position) - context.place(context.storedEnd)
    context.storedEnd = position
  }

  private mutating func close(_ draft: inout RecordDraft, _ context: Context) {
    guard !draft.isEmpty else { return }
    emit(draft, isOpen: false, context)
    context.storedEnd = draft.end
    draft = RecordDraft()
  }

  private mutating func emit(_ draft: RecordDraft, isOpen: Bool, _ context: Context) {
    let byteOffset = context.place(draft.start)
    let wasOpen = byteOffset == context.openOffset
    let end = context.place(draft.end)
    if wasOpen && end == context.checkpointOffset { return }
    let text = context.arena._withUnsafeGuaranteedRef { draft.copy(from: context.bytes, to: $0) }
    // Read where it stays: a finished record that is copied waits for all of its fields.
    let flags = context.batch.append { record in
      record.generation = context.generation
      record.observedTime = context.observed
      record.byteOffset = byteOffset
      record.byteLength = context.trueLength ?? (end - byteOffset)
      record.flags = draft.flags
      if context.isTranscoded { record.flags.add(.utf16) }
      record.lineBreak = draft.lineBreak
      record.isOpen = isOpen
      record.replacesOpenRecord = wasOpen
      context.arena._withUnsafeGuaranteedRef { parser.parse(text, in: $0, into: &record) }
      // An old file that is read today does not speak of today.
      if record.timeQuality.rawValue == TimeQuality.observed.rawValue {
        record.time = min(context.observed, context.written)
      }
      return record.flags
    }
    if flags.contains(.hasParts) {
      emitFurther(context.batch, latest: min(context.observed, context.written))
    }
  }

  /// Emits what else the text of the last record holds.
  @inline(never)
  private mutating func emitFurther(_ batch: RecordBatch, latest: Timestamp) {
    let count = batch.records.count
    let first = batch.records[count - 1]
    parser.parseFurther(after: first, in: batch.arena, into: &batch.records)
    for index in count..<batch.records.count where batch.records[index].timeQuality == .observed {
      batch.records[index].time = latest
    }
  }
}
