// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The fields of one journal entry while they are read.
struct JournalEntry {
  private let text: Text
  private var writer: JSONWriter
  private var message: Range<Int>?
  private var identifier: Range<Int>?
  private var command: Range<Int>?
  private var priority: Int?
  private var pid: Int64 = -1
  private var threadID: Int64 = -1
  private var stamp = Stamp()
  /// 2 when the sender's time was read, 1 for the journal's.
  private var timeRank = 0

  init(_ text: Text) {
    self.text = text
    writer = JSONWriter(text)
  }

  /// Takes the field with the name and the value at these indices.
  mutating func take(_ nameStart: Int, _ nameEnd: Int, _ start: Int, _ end: Int) {
    let line = text.bytes
    let name = line.slice(nameStart, nameEnd)
    let value = text.slice(start, end)
    if name.isEqual("MESSAGE") {
      message = start..<max(start, end)
    } else if name.isEqual("PRIORITY"), end == start + 1, line[start].isDigit {
      priority = start
    } else if name.isEqual("SYSLOG_IDENTIFIER") {
      identifier = start..<end
    } else if name.isEqual("_COMM") {
      command = start..<end
    } else if name.isEqual("_PID") {
      pid = line.decimal(start, end) ?? -1
    } else if name.isEqual("TID") {
      threadID = line.decimal(start, end) ?? -1
    } else if name.isEqual("_SOURCE_REALTIME_TIMESTAMP") {
      if EpochTime.field(line, start, end, into: &stamp) { timeRank = 2 }
    } else if name.isEqual("__REALTIME_TIMESTAMP") {
      if timeRank < 2, EpochTime.field(line, start, end, into: &stamp) { timeRank = 1 }
    } else {
      writeKnown(name, nameStart, value, start, end)
    }
  }

  private mutating func writeKnown(
    _ name: Line, _ nameStart: Int, _ value: ByteSlice, _ start: Int, _ end: Int
  ) {
    if name.isEqual("_HOSTNAME") {
      writer.member("host.name", text: value)
    } else if name.isEqual("_SYSTEMD_UNIT") {
      writer.member("systemd.unit", text: value)
    } else if name.isEqual("_TRANSPORT") {
      writer.member("systemd.transport", text: value)
    } else if name.isEqual("_EXE") {
      writer.member("process.executable.path", text: value)
    } else if name.isEqual("CODE_FILE") {
      writer.member("code.file.path", text: value)
    } else if name.isEqual("CODE_FUNC") {
      writer.member("code.function.name", text: value)
    } else if name.isEqual("CODE_LINE") {
      if let number = text.bytes.decimal(start, end) {
        writer.member("code.line.number", number: number)
      }
    } else if name.at(0) != 0x5f, !name.has("SYSLOG_", at: 0), name.count < 64 {
      // Fields of the journal's own begin with an underscore; these are the program's.
      writer.member(key: text.slice(nameStart, nameStart + name.count), text: value)
    }
  }

  /// Moves what was read to `record`.
  mutating func fill(_ record: inout LogRecord, _ clock: inout Clock) {
    record.attributes = writer.finish(text)
    if timeRank == 0 || !clock.set(stamp, from: text.bytes, of: &record) {
      clock.inherit(&record)
    }
    if let priority {
      record.severity = LevelWords.severity(ofSyslog: Int(text.bytes[priority] - Byte.zero))
      record.severityText = text.slice(priority, priority + 1)
    }
    if let process = identifier ?? command {
      record.process = text.slice(process.lowerBound, process.upperBound)
    }
    record.pid = pid
    record.threadID = threadID
    let body = message ?? 0..<text.count
    text.setBody(body.lowerBound, body.upperBound, of: &record)
    if message != nil {
      Payload.openObvious(of: text.slice(0, text.count), in: text.arena, &clock, &record)
    }
  }
}
