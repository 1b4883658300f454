// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A format inside a format: what a container's or a relay's envelope carries is read with the
/// format of its own.
///
/// The record's time is the payload's when it has one; then the attribute `logagent.envelope_time`
/// (RFC 3339, UTC) keeps the envelope's. What the payload does not say is taken from the envelope.
enum Payload {
  /// Reads `payload` into `record`, which holds what the envelope says, its time included.
  ///
  /// - Parameters:
  ///   - whole: the record's text.
  ///   - isZoned: the envelope's time has a zone, so it is the better one where the payload's
  ///     names none and does not agree with it.
  ///   - splits: a payload of several records becomes several; `appendFurther` reads the others.
  static func open(
    _ payload: ByteSlice, of whole: ByteSlice, isZoned: Bool, splits: Bool = true,
    in arena: ByteArena, _ clock: inout Clock, _ record: inout LogRecord
  ) {
    let envelope = record
    let text = clean(payload, in: arena, &record)
    let first = text.bytes.slice(0, text.bytes.firstLineEnd)
    reset(&record, to: envelope)
    record.flags.remove(.hasParts)
    clock.payloadParts = nil
    let isRead = clock.payloadFormats.contains {
      $0.begins(first) && $0.parse(text, &clock, &record)
    }
    let kind = isRead ? .plain : FormatKind.classify(first, except: .plain, among: .payloads)
    if isRead {
      // By a format of the user's own.
    } else if kind == .plain || !kind.parse(text, &clock, &record) {
      reset(&record, to: envelope)
      record.flags.remove(.hasParts)
      record.body = text.slice(0, text.count)
      EmbeddedFatal.annotate(&record, arena)
    }
    settleParts(of: kind, text.slice(0, text.count), envelope, isZoned, splits, &clock, &record)
    complete(&record, with: envelope, isZoned: isZoned, in: arena, &clock)
    place(whole, &record)
  }

  /// Keeps what else the payload holds, unless it was itself an envelope and has kept it.
  private static func settleParts(
    of kind: FormatKind, _ text: ByteSlice, _ envelope: LogRecord, _ isZoned: Bool, _ splits: Bool,
    _ clock: inout Clock, _ record: inout LogRecord
  ) {
    if !splits {
      clock.payloadParts = nil
    } else if record.flags.contains(.hasParts), clock.payloadParts == nil {
      clock.payloadParts = kind.multiRecordFormat.map {
        PayloadParts(format: $0, text: text, envelope: envelope, isZoned: isZoned)
      }
    }
    if clock.payloadParts == nil { record.flags.remove(.hasParts) }
    if envelope.flags.contains(.hasParts) { record.flags.add(.hasParts) }
  }

  /// Adds to a record of the payload what it takes from the envelope.
  static func complete(
    _ record: inout LogRecord, with envelope: LogRecord, isZoned: Bool, in arena: ByteArena,
    _ clock: inout Clock
  ) {
    settleTime(&record, envelope, isZoned: isZoned, &clock)
    merge(envelope, into: &record)
    writeAttributes(envelope, arena, &record)
  }

  /// Whether the body of a syslog message begins like a payload with a format of its own.
  ///
  /// Most messages are prose: two bytes must decide.
  ///
  /// - Parameter hasUserFormats: any text may be one of theirs.
  @inline(__always)
  static func mayBegin(_ line: Line, _ start: Int, hasUserFormats: Bool) -> Bool {
    if hasUserFormats { return true }
    let first = line.at(start)
    if first == Byte.openBrace { return line.at(start &+ 1) == Byte.quote }
    if first == Byte.openBracket {
      // An array, or a time as gunicorn and Celery write it.
      return line.at(start &+ 1) == Byte.openBrace
        || line.at(start &+ 5) == Byte.dash && line.at(start &+ 8) == Byte.dash
          && line.at(start &+ 1).isDigit
    }
    if first == UInt8(ascii: "C") || first == UInt8(ascii: "L") {
      return CEFFormat.begins(line, start)
    }
    if first.isDigit {
      let mark = line.at(start &+ 4)
      return (mark == Byte.dash || mark == Byte.slash) && line.at(start &+ 7) == mark
        || line.at(start &+ 6) == Byte.space && line.skipDigits(start) == start &+ 6
        || line.at(start &+ 2) == Byte.dash && line.at(start &+ 6) == Byte.dash
        || line.has(" - ", at: line.skipToken(start))
    }
    if first == UInt8(ascii: "t") || first == UInt8(ascii: "l") {
      // time=, ts=, t= and level= of Docker, containerd and others.
      return line.has("time=", at: start) || line.has("level=", at: start)
        || line.has("ts=", at: start)
    }
    if first.isUpper, line.at(start &+ 1).isDigit {
      return GlogFormat.begins(line.slice(start, line.count))
    }
    return first == Byte.colon && line.has(" - ", at: line.skipToken(start))
  }

  /// Whether the body of a syslog message surely has a format of its own: a JSON object with the
  /// keys of a log line, a time with a level or close to the envelope's, a line of a web server, or
  /// one of the user's formats.
  static func isObvious(_ line: Line, in envelope: LogRecord, _ clock: Clock) -> Bool {
    if clock.payloadFormats.contains(where: { $0.begins(line) }) { return true }
    let kind = FormatKind.classify(line, except: .plain, among: .payloads)
    switch kind {
    case .jsonLines, .swiftLog, .cef: return kind.beginsAnywhere(line)
    case .otlp, .jsonBatch: return true
    case .timestamped:
      return kind.beginsAnywhere(line) || isSameMoment(line, envelope.time)
    case .accessLog, .nginxError, .glog, .logfmt: return true
    default: return false
    }
  }

  /// Whether the line begins with a time that is the envelope's but for its year, its zone and a
  /// short delay; another date is what the message is about.
  private static func isSameMoment(_ line: Line, _ time: Timestamp) -> Bool {
    var lead = TimestampedFormat.Lead()
    guard TimestampedFormat.findTime(line, &lead), lead.stamp.shape == .full, lead.stamp.isValid
    else { return false }
    // The date in the envelope's year: of the same day, or a neighbouring one for another zone.
    let days = CivilTime.daysSince1970(
      year: CivilTime(utc: time).year, month: lead.stamp.month, day: lead.stamp.day)
    let distance = abs(days - Int(time.nanoseconds / 86_400_000_000_000))
    guard distance <= 1 || distance >= 364 else { return false }
    let seconds = time.nanoseconds / 1_000_000_000 - lead.stamp.seconds
    let rest = ((seconds % 900) + 900) % 900
    return rest <= maxDelay / 1_000_000_000 || rest >= 900 - 5
  }

  /// Opens the message of `record`, whose fields are the envelope's, where it surely has a format
  /// of its own.
  ///
  /// - Parameter whole: the record's text.
  static func openObvious(
    of whole: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ record: inout LogRecord
  ) {
    let message = arena.bytes(record.body)
    guard mayBegin(message, 0, hasUserFormats: clock.hasPayloadFormats),
      isObvious(message.slice(0, message.firstLineEnd), in: record, clock)
    else { return }
    open(
      record.body, of: whole, isZoned: record.timeQuality == .zoned, in: arena, &clock, &record)
  }

  private static func clean(
    _ payload: ByteSlice, in arena: ByteArena, _ record: inout LogRecord
  ) -> Text {
    var payload = payload
    if !TextRepair.isPlainASCII(arena.bytes(payload)),
      let (copy, flags) = TextRepair.repaired(payload, in: arena)
    {
      payload = copy
      record.flags.add(flags)
    }
    arena.reserve(Int(payload.count) &* 7 &+ 2048)
    return Text(payload, in: arena)
  }

  /// Takes away what the payload may say itself.
  private static func reset(_ record: inout LogRecord, to envelope: LogRecord) {
    let flags = record.flags
    record = envelope
    record.flags = flags
    record.timeQuality = .inherited
    record.severity = .unspecified
    record.severityText = .empty
    record.pid = -1
    record.threadID = -1
    record.process = .empty
    record.scope = .empty
    record.attributes = .empty
    record.utcOffsetMinutes = LogRecord.noOffset
    (record.head, record.body, record.tail, record.original) = (.empty, .empty, .empty, .empty)
  }

  /// What is said of a time.
  private static let timeFlags: RecordFlags = [.timeAssumed, .timeSuspect, .zoneUnknown]
  private static let quarter: Int64 = 900_000_000_000
  /// How long a payload may wait until its envelope is stamped.
  private static let maxDelay: Int64 = 120_000_000_000

  /// Takes the envelope's time where the payload has none, and finds the payload's zone by it where
  /// it names none: containers rarely have the host's.
  private static func settleTime(
    _ record: inout LogRecord, _ envelope: LogRecord, isZoned: Bool, _ clock: inout Clock
  ) {
    let hasOwn = record.timeQuality.rawValue <= TimeQuality.inferredYear.rawValue
    let envelopeHasTime = envelope.timeQuality.rawValue <= TimeQuality.inferredYear.rawValue
    if !envelopeHasTime {
      if !hasOwn { (record.time, record.timeQuality) = (envelope.time, envelope.timeQuality) }
      return
    }
    if hasOwn, record.timeQuality == .zoned || !isZoned { return }
    if hasOwn {
      let (ahead, overflow) = record.time.nanoseconds.subtractingReportingOverflow(
        envelope.time.nanoseconds)
      // Zones lie quarters of an hour apart, fourteen hours at most.
      if !overflow, ahead.magnitude < 15 * 3_600_000_000_000 {
        let half = ahead < 0 ? -quarter / 2 : quarter / 2
        let shift = (ahead + half) / quarter * quarter
        if (ahead - shift).magnitude <= maxDelay {
          record.time = Timestamp(nanoseconds: record.time.nanoseconds - shift)
          clock.correct(to: record.time)
          return
        }
      }
    }
    record.time = envelope.time
    record.timeQuality = envelope.timeQuality
    record.utcOffsetMinutes = envelope.utcOffsetMinutes
    record.flags.remove(timeFlags)
    record.flags.add(envelope.flags)
    clock.correct(to: envelope.time)
  }

  private static func merge(_ envelope: LogRecord, into record: inout LogRecord) {
    if record.severity == .unspecified, record.severityText.isEmpty {
      record.severity = envelope.severity
      record.severityText = envelope.severityText
    }
    if record.pid < 0 { record.pid = envelope.pid }
    if record.process.isEmpty { record.process = envelope.process }
  }

  private static func writeAttributes(
    _ envelope: LogRecord, _ arena: ByteArena, _ record: inout LogRecord
  ) {
    var stamp = ByteSlice.empty
    let hasTime = envelope.timeQuality.rawValue <= TimeQuality.inferredYear.rawValue
    if hasTime, envelope.time != record.time {
      stamp = RFC3339.append(envelope.time, to: arena)
    }
    if stamp.isEmpty, envelope.attributes.isEmpty { return }
    // Unescaping the payload's columns may have filled what was reserved.
    arena.reserve(Int(record.attributes.count) + Int(envelope.attributes.count) + 512)
    let body = Text(record.body, in: arena)
    var writer = JSONWriter(body, after: record.attributes)
    writer.members(envelope.attributes, body)
    if !stamp.isEmpty { writer.member("logagent.envelope_time", text: stamp) }
    record.attributes = writer.finish(body)
  }

  /// Splits the record's text around the body where the body lies in it; else keeps it whole.
  private static func place(_ whole: ByteSlice, _ record: inout LogRecord) {
    let body = record.body
    if record.original.isEmpty, body.start >= whole.start, body.end <= whole.end {
      let start = Int(body.start)
      record.head = ByteSlice(start: Int(whole.start), count: start - Int(whole.start))
      record.tail = ByteSlice(start: body.end, count: whole.end - body.end)
    } else {
      (record.head, record.tail) = (.empty, .empty)
      record.original = whole
    }
  }
}
