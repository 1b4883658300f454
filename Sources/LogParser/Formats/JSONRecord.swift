// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// One JSON log line while it is read: the members that become columns wait in slots, the others
/// are written to the attributes at once.
struct JSONRecord {
  /// A member, by indices into the text; `valueEnd` 0 for none.
  struct Slot {
    var keyStart = 0
    var valueStart = 0
    var valueEnd = 0
    var rank: Int8 = 0
  }

  let text: Text
  var writer: JSONWriter
  var time = Slot()
  var level = Slot()
  var message = Slot()
  var scope = Slot()
  var status = Slot()
  var process = Slot()
  /// The name in a path of the process's file.
  var executable = 0..<0
  var pid: Int64 = -1
  var threadID: Int64 = -1
  /// The line follows GELF or the journal: its numeric level is syslog's.
  var hasSyslogLevels = false
  /// The line has both keys of Nextcloud, whose levels count from 0 (debug) to 4 (fatal).
  var nextcloudKeys = 0

  init(_ text: Text) {
    self.text = text
    writer = JSONWriter(text)
  }

  /// Reads the object at `start`.
  ///
  /// - Returns: where it and the blanks behind it end: the end of the text, or that of a line;
  ///   `nil` when it is no valid object, or something else follows in its line.
  mutating func read(from start: Int) -> Int? {
    var members = JSONMembers(text.bytes, from: start)
    while members.next() {
      take(
        Slot(
          keyStart: members.keyStart, valueStart: members.valueStart,
          valueEnd: members.valueEnd),
        keyEnd: members.keyEnd)
    }
    guard members.isComplete else { return nil }
    let end = JSONScanner.skipSpace(text.bytes, members.index)
    if end == text.count || OSLogFormat.isFooter(text.bytes.slice(end, text.count)) {
      return text.count
    }
    let lineEnd = text.bytes.skipBlanks(members.index)
    return text.bytes.at(lineEnd) == Byte.newline ? lineEnd : nil
  }

  /// Reads what there is of the object at `start`, which may lack its end or have more behind it;
  /// false when it has no member.
  mutating func readOpen(from start: Int) -> Bool {
    var members = JSONMembers(text.bytes, from: start)
    var count = 0
    while members.next() {
      take(
        Slot(
          keyStart: members.keyStart, valueStart: members.valueStart,
          valueEnd: members.valueEnd),
        keyEnd: members.keyEnd)
      count += 1
    }
    return count > 0
  }

  @inline(__always)
  private mutating func take(_ member: Slot, keyEnd: Int) {
    let line = text.bytes
    let key = JSONKey.lookUp(line, member.keyStart, keyEnd)
    var slot = member
    slot.rank = key.rank
    switch key.role {
    case .other: other(member, keyEnd, line)
    case .time: settle(Self.keep(slot, in: &time))
    case .level: settle(Self.keep(slot, in: &level))
    case .message: takeMessage(slot, keyEnd, line)
    case .scope: settle(line[slot.valueStart] == Byte.quote ? Self.keep(slot, in: &scope) : slot)
    default: takeKnown(key.role, slot, line)
    }
  }

  /// Keeps the better of two members for one column; the other one, if there are two.
  @inline(__always)
  private static func keep(_ slot: Slot, in kept: inout Slot) -> Slot? {
    if kept.valueEnd == 0 {
      kept = slot
      return nil
    }
    guard slot.rank > kept.rank else { return slot }
    let old = kept
    kept = slot
    return old
  }

  /// Puts a member that is no column among the attributes.
  @inline(__always)
  private mutating func settle(_ slot: Slot?) {
    if let slot { plain(slot) }
  }

  /// Writes a member as it is.
  @inline(__always)
  mutating func plain(_ slot: Slot) {
    let quoteEnd = JSONScanner.stringEnd(text.bytes, slot.keyStart - 1) ?? slot.keyStart
    writer.member(
      rawKey: text.slice(slot.keyStart - 1, quoteEnd),
      rawValue: text.slice(slot.valueStart, slot.valueEnd))
  }

  @inline(__always)
  private mutating func other(_ slot: Slot, _ keyEnd: Int, _ line: Line) {
    if keyEnd - slot.keyStart == 5, line.has("reqId", at: slot.keyStart) { nextcloudKeys |= 1 }
    if keyEnd - slot.keyStart == 6, line[slot.valueStart] == Byte.openBrace,
      line.has("record", at: slot.keyStart)
    {
      takeLoguru(slot)
    }
    writer.member(
      rawKey: text.slice(slot.keyStart - 1, keyEnd + 1),
      rawValue: text.slice(slot.valueStart, slot.valueEnd))
  }

  private mutating func takeMessage(_ slot: Slot, _ keyEnd: Int, _ line: Line) {
    let isString = line[slot.valueStart] == Byte.quote
    if keyEnd - slot.keyStart == 13, line.has("short_message", at: slot.keyStart) {
      hasSyslogLevels = true
    }
    if line[slot.valueStart] == Byte.openBrace, slot.rank == 7 || slot.rank == 8 {
      takeNestedMessage(slot)
    } else if line[slot.valueStart] == Byte.openBrace,
      line.has("log\"", at: slot.keyStart) || line.has("@fields\"", at: slot.keyStart)
    {
      takeNested(slot, of: .log)
    } else if isString || (slot.rank > 3 && !line.has("null", at: slot.valueStart)) {
      settle(Self.keep(slot, in: &message))
    } else {
      plain(slot)
    }
  }

  /// Reads the columns that hide one level below: `fields` of tracing, `jsonPayload` of Google.
  private mutating func takeNestedMessage(_ slot: Slot) {
    var members = JSONMembers(text.bytes, from: slot.valueStart)
    while members.next() {
      let key = JSONKey.lookUp(text.bytes, members.keyStart, members.keyEnd)
      guard key.role == .message, text.bytes[members.valueStart] == Byte.quote else { continue }
      settle(
        Self.keep(
          Slot(
            keyStart: members.keyStart, valueStart: members.valueStart,
            valueEnd: members.valueEnd, rank: 9), in: &message))
    }
    plain(slot)
  }
}
