// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Parses the records of one file generation; one value for each file.
///
/// The caller asks `beginsRecord` about each line, joins the lines of a record, and has `parse` read
/// it. Records are to be parsed in the order of the file: times are inferred from those before.
package struct RecordParser {
  /// The process that writes the file where the file's name tells it; else empty.
  package let processName: String
  private(set) var kind = FormatKind.plain
  /// The kind's format if it needs to know the lines before.
  private var joiner: (any JoiningFormat.Type)?
  private var join = JoinState()
  private var columns = W3CColumns()
  private var shape = Stamp.Shape.full
  /// Syslog lines that may go on in the next.
  private var sequence = SyslogSequence()
  private var hasSequences = false
  private var clock: Clock
  // Comparing the mode itself compares strings.
  private let takesEveryLine: Bool
  private let joinsByTime: Bool
  /// The user's own formats that may stand in this file, and which of them it has.
  private let userFormats: [UserFormatReader]
  private let hasUserFormats: Bool
  private var userFormat: UserFormatReader?
  /// Lines that were seen when the format was chosen; 0 before that.
  private var examinedLines = 0
  /// A record with a time has begun: `timestamp` mode joins lines from then on.
  private var hasTimedRecord = false
  /// Reads what else the kind's texts hold, and what else the last text holds.
  private var multiRecordFormat: (any MultiRecordFormat.Type)?
  private var furtherFormat: (any MultiRecordFormat.Type)?
  private var lastText = ByteSlice.empty
  private var block = StackBlock()
  private var lastTail = LineTail()
  /// What the line last looked at is; the one that begins the record to come; and the one that
  /// begins the record that is parsed next. To look again costs as much as all the rest.
  private var lookedAt = LookedLine()
  private var nextLine = LookedLine()
  private var firstLine = LookedLine()
  /// How often in a row records had the format `otherKind` instead of `kind`.
  private var otherCount = 0
  private var otherKind = FormatKind.plain

  /// A parser that reads plain text until `detect` is called.
  ///
  /// - Parameter userFormats: formats of the user's own that are tried before the built-in ones;
  ///   one parser at a time may use them.
  package init(file: FileContext, userFormats: [UserFormatReader] = []) {
    self.userFormats = userFormats
    hasUserFormats = !userFormats.isEmpty
    clock = Clock(file)
    clock.payloadFormats = userFormats
    takesEveryLine = file.multiline == .off
    joinsByTime = file.multiline == .timestamp
    processName =
      CocoaLumberjackFormat.application(inFileName: String(file.fileName)) ?? ""
    hasTimedRecord = file.lastTime != nil
  }

  /// Chooses the format from the file's first bytes (up to 64 KiB, may end in the middle of a
  /// line). May be called again with more of them while `isDecided` is false.
  package mutating func detect(sample: UnsafeBufferPointer<UInt8>) {
    let choice = FormatChoice(sample, userFormats)
    use(choice.kind)
    userFormat = choice.userFormat
    shape = choice.shape
    examinedLines = choice.lines
    clock.yearChanges = choice.yearChanges
    clock.lastSampledDay = choice.lastDay
    clock.deepestFall = choice.deepestFall
    clock.dayOrder = choice.dayOrder
    clock.days = DayCount()
    if countsDays { countDays(in: sample.slice(0, sample.lastLineStart)) }
    hasSequences = choice.kind == .syslog && choice.hasSequences && !joinsByTime
    if kind == .w3c { columns.read(sample: sample) }
  }

  /// The file's times have no dates: how many midnights it has must be known before its first record.
  package var countsDays: Bool {
    kind == .timestamped && shape == .withoutDate && clock.last == nil
  }

  /// Goes through whole lines of the file that follow those seen so far.
  package mutating func countDays(in lines: UnsafeBufferPointer<UInt8>) { clock.days.take(lines) }

  private mutating func use(_ kind: FormatKind) {
    self.kind = kind
    multiRecordFormat = kind.multiRecordFormat
    joiner = joinsByTime ? nil : kind.format as? any JoiningFormat.Type
  }

  /// Whether enough lines were seen to keep to the format: one that fits, or twenty that do not.
  package var isDecided: Bool {
    kind == .plain && userFormat == nil ? examinedLines >= 20 : examinedLines > 0
  }

  /// The format's name, such as `swift-log` or `plain`; empty before a line was seen.
  package var formatName: String {
    examinedLines == 0 ? "" : userFormat?.format.name ?? kind.info.name
  }

  /// The time of the last record that had one.
  package var lastTime: Timestamp? { clock.last }

  /// Whether a line, without its LF and CR, begins a record.
  ///
  /// - Parameter isFirst: nothing precedes it that it could belong to; the answer does not matter
  ///   then, but what it says of the lines to come does.
  package mutating func beginsRecord(
    _ line: UnsafeBufferPointer<UInt8>, isFirst: Bool = false
  ) -> Bool {
    if takesEveryLine { return true }
    if hasUserFormats, beginsUserRecord(line) { return true }
    if joiner != nil { return beginsJoined(line, isFirst) }
    if kind.begins(line, shape) {
      if hasSequences, sequence.continues(line) { return false }
      hasTimedRecord = true
      block.close()
      lastTail.note(line)
      return true
    }
    let begins = beginsOther(line)
    if isFirst { firstLine = lookedAt } else if begins { nextLine = lookedAt }
    return begins
  }

  @inline(never)
  private mutating func beginsUserRecord(_ line: Line) -> Bool {
    let begins = LineCleaner.withClean(line) { clean in
      userFormats.contains { $0.begins(clean) }
    }
    guard begins else { return false }
    hasTimedRecord = true
    join = JoinState()
    block.close()
    return true
  }

  @inline(never)
  private mutating func beginsJoined(_ line: Line, _ isFirst: Bool) -> Bool {
    if isFirst { join = JoinState() }
    if line.skipBlanks(0) == line.count { return false }
    guard let joiner,
      let answer = LineCleaner.withClean(line, { joiner.joins($0, &join) })
    else { return beginsOther(line) }
    block.close()
    return answer == .begins
  }

  /// The lines that do not look like the file's format.
  @inline(never)
  private mutating func beginsOther(_ line: Line) -> Bool {
    if LineCleaner.hasEscape(line) {
      return LineCleaner.withClean(line) { clean in
        if clean.count < line.count || line.count > clean.count, kind.begins(clean, shape) {
          hasTimedRecord = true
          block.close()
          return true
        }
        return decide(clean)
      }
    }
    return decide(line)
  }

  private mutating func decide(_ line: Line) -> Bool {
    if line.skipBlanks(0) == line.count { return false }
    if joinsByTime {
      guard hasTime(line) else { return !hasTimedRecord }
      hasTimedRecord = true
      return true
    }
    let other = FormatKind.classify(line, except: kind)
    lookedAt = LookedLine(line, other)
    if other == .fatalError {
      // macOS prints a fatal error twice: with the process before it, and bare.
      if lastTail.isEnd(line) { return false }
      // The backtracer's report follows the runtime's message: both are one record.
      if block.isOpen, line.has("*** Program crashed", at: 0), block.takes(line) { return false }
      block.open(line)
      return true
    }
    if isRecord(line, of: other) {
      block.close()
      return true
    }
    if userFormat != nil { return false }
    switch kind {
    case .plain, .jsonLines, .dockerJSON, .compose:
      if block.takes(line) || OSLogFormat.isFooter(line) { return false }
      let begins = PlainFormat.begins(line)
      if begins { block.noteHeader(line) }
      return begins
    default: return false
    }
  }

  private func hasTime(_ line: Line) -> Bool {
    var lead = TimestampedFormat.Lead()
    if TimestampedFormat.findTime(line, &lead) { return true }
    switch FormatKind.classify(line, except: kind) {
    case .plain, .fatalError: return false
    case .jsonLines: return JSONLinesFormat.isLogLine(line)
    default: return true
    }
  }

  private func isRecord(_ line: Line, of other: FormatKind) -> Bool {
    if other == .plain { return false }
    return other.beginsAnywhere(line)
      || (kind == .plain && other == .timestamped && other.begins(line, shape))
  }

  /// Parses one whole record: `text` is its lines in the arena, joined by LF, without CR before LF
  /// and without the last LF, raw bytes otherwise.
  ///
  /// The caller has set the record's observed time and place. What is no slice of `text` (attributes,
  /// unescaped or repaired text) is appended to the arena.
  package mutating func parse(
    _ text: ByteSlice, in arena: ByteArena, into record: inout LogRecord
  ) {
    var clean = text
    var isRepaired = false
    if !TextRepair.isPlainASCII(arena.bytes(text)),
      let (copy, flags) = TextRepair.repaired(text, in: arena)
    {
      clean = copy
      isRepaired = true
      record.flags.add(flags)
    }
    if furtherFormat != nil || multiRecordFormat != nil {
      furtherFormat = multiRecordFormat
      lastText = clean
    }
    // Escaped six times over it still fits: so the arena does not move while the text is read.
    arena.reserve(Int(clean.count) &* 7 &+ 2048)
    read(Text(clean, in: arena), &record)
    firstLine = nextLine
    if record.flags.contains(.timeSuspect) { noteSuspect(&record, arena) }
    if isRepaired { record.original = text }
  }

  /// The file is one of documents: a part of one is of no use, however many lines it has.
  package var readsDocuments: Bool { kind == .jsonDocument }

  /// A time of the future, or before 1990, is kept, and said to be odd.
  private func noteSuspect(_ record: inout LogRecord, _ arena: ByteArena) {
    arena.reserve(Int(record.attributes.count) + 512)
    let body = Text(record.body, in: arena)
    var writer = JSONWriter(body, after: record.attributes)
    writer.member("logagent.time_suspect", isTrue: true)
    record.attributes = writer.finish(body)
  }

  /// Appends the records that the text last parsed holds after its first, which is `first` and has
  /// the flag `hasParts`.
  package mutating func parseFurther(
    after first: LogRecord, in arena: ByteArena, into records: inout [LogRecord]
  ) {
    Payload.appendFurther(after: first, in: arena, &clock, into: &records)
    furtherFormat?.parseFurther(lastText, in: arena, &clock, first, into: &records)
  }

  @inline(__always)
  private mutating func read(_ text: Text, _ record: inout LogRecord) {
    if hasUserFormats, readByUserFormat(text, &record) { return }
    if kind == .plain || kind == .w3c || !kind.parse(text, &clock, &record) {
      parseOther(text, &record)
    }
  }

  @inline(never)
  private mutating func readByUserFormat(_ text: Text, _ record: inout LogRecord) -> Bool {
    let isRead =
      userFormat?.parse(text, &clock, &record) ?? false
      || userFormats.contains { $0 !== userFormat && $0.parse(text, &clock, &record) }
    if isRead { furtherFormat = nil }
    return isRead
  }

  @inline(never)
  private mutating func parseOther(_ text: Text, _ record: inout LogRecord) {
    furtherFormat = nil
    if kind == .w3c, W3CFormat.parse(text, &columns, &clock, &record) { return }
    if kind == .timestamped, shape == .epoch,
      TimestampedFormat.parseNumberLine(text, &clock, &record)
    {
      return
    }
    let first = text.bytes.slice(0, text.bytes.firstLineEnd)
    let other = firstLine.kind(of: first) ?? FormatKind.classify(first, except: kind)
    if other != .plain, other.parse(text, &clock, &record) {
      furtherFormat = other.multiRecordFormat
      lastText = text.slice(0, text.count)
      note(other)
    } else {
      _ = PlainFormat.parse(text, &clock, &record)
    }
  }

  /// A file may change its format, for example after an upgrade of what writes it: after many
  /// records of another one that one is tried first.
  private mutating func note(_ other: FormatKind) {
    guard other != .fatalError else { return }
    otherCount = other == otherKind ? otherCount + 1 : 1
    otherKind = other
    if otherCount >= 32 {
      use(other)
      otherCount = 0
    }
  }
}

/// What a line was taken for, by a hash of its bytes.
private struct LookedLine {
  private var hash: UInt64 = 0
  private var kind = FormatKind.plain

  init() {}

  init(_ line: Line, _ kind: FormatKind) {
    hash = Self.hash(line)
    self.kind = kind
  }

  @inline(__always)
  func kind(of line: Line) -> FormatKind? { Self.hash(line) == hash ? kind : nil }

  private static func hash(_ line: Line) -> UInt64 {
    var value = UInt64(truncatingIfNeeded: line.count) &+ 1
    var index = 0
    while index &+ 8 <= line.count {
      value = (value ^ line.word(at: index)) &* 0x9e37_79b9_7f4a_7c15
      value ^= value &>> 29
      index &+= 8
    }
    while index < line.count {
      value = (value ^ UInt64(line[index])) &* 0x9e37_79b9_7f4a_7c15
      value ^= value &>> 29
      index &+= 1
    }
    return value
  }
}

/// The last bytes of a line: enough to know its end again.
private struct LineTail {
  private var words: (UInt64, UInt64) = (0, 0)

  @inline(__always)
  mutating func note(_ line: Line) {
    words =
      line.count >= 16 ? (line.word(at: line.count &- 16), line.word(at: line.count &- 8)) : (0, 0)
  }

  /// Whether the noted line ends as `line` does.
  func isEnd(_ line: Line) -> Bool {
    line.count >= 16
      && (line.word(at: line.count - 16), line.word(at: line.count - 8)) == words
  }
}
