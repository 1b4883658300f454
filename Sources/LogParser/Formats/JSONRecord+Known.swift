// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension JSONRecord {
  /// Objects whose members are known by the name of the object and their own.
  enum Parent { case error, log, process, source, trace, span, host }

  /// Takes a member that is neither time, level, message nor logger.
  mutating func takeKnown(_ role: JSONKey.Role, _ slot: Slot, _ line: Line) {
    let first = line[slot.valueStart]
    if first == Byte.openBrace { return takeObject(role, slot) }
    let isText = first == Byte.quote
    guard isText || first.isDigit else { return plain(slot) }
    let value = text.slice(slot.valueStart, slot.valueEnd)
    switch role {
    case .pid, .threadID: takeNumber(role, slot)
    case .process: isText ? keepProcess(slot) : takeNumber(.pid, slot)
    case .executable: takeExecutable(slot)
    case .thread:
      isText ? writer.member("thread.name", rawValue: value) : takeNumber(.threadID, slot)
    case .status: takeStatus(slot)
    case .error: isText ? writer.member("exception.message", rawValue: value) : plain(slot)
    case .caller: isText ? writeCaller(slot) : plain(slot)
    case .trace: writer.member("trace_id", rawValue: value)
    case .span: writer.member("span_id", rawValue: value)
    case .host: isText ? writer.member("host.name", rawValue: value) : plain(slot)
    case .service: isText ? writer.member("service.name", rawValue: value) : plain(slot)
    case .client:
      nextcloudKeys |= 2
      writer.member("client.address", rawValue: value)
    case .userAgent: writer.member("user_agent.original", rawValue: value)
    case .method: isText ? writer.member("http.request.method", rawValue: value) : plain(slot)
    case .path: isText ? writer.member("url.path", rawValue: value) : plain(slot)
    case .stack: isText ? writer.member("exception.stacktrace", rawValue: value) : plain(slot)
    case .errorType: writer.member("exception.type", rawValue: value)
    case .errorMessage: writer.member("exception.message", rawValue: value)
    case .file: writer.member("code.file.path", rawValue: value)
    case .line: takeLineNumber(slot)
    case .function: isText ? writer.member("code.function.name", rawValue: value) : plain(slot)
    case .source, .traceObject, .spanObject, .other, .time, .level, .message, .scope: plain(slot)
    }
  }

  private mutating func keepProcess(_ slot: Slot) {
    if process.valueEnd == 0 { process = slot } else { plain(slot) }
  }

  /// A path, of which the last component names the process.
  private mutating func takeExecutable(_ slot: Slot) {
    let line = text.bytes
    writer.member("process.executable.path", rawValue: text.slice(slot.valueStart, slot.valueEnd))
    guard line[slot.valueStart] == Byte.quote else { return }
    var start = slot.valueEnd - 1
    while start > slot.valueStart + 1, line[start - 1] != Byte.slash { start -= 1 }
    executable = start..<slot.valueEnd - 1
  }

  private mutating func takeObject(_ role: JSONKey.Role, _ slot: Slot) {
    switch role {
    case .error: takeNested(slot, of: .error)
    case .process: takeNested(slot, of: .process)
    case .source: takeNested(slot, of: .source)
    case .traceObject: takeNested(slot, of: .trace)
    case .spanObject: takeNested(slot, of: .span)
    case .host: takeNested(slot, of: .host)
    default: plain(slot)
    }
  }

  private mutating func takeNumber(_ role: JSONKey.Role, _ slot: Slot) {
    let line = text.bytes
    let isQuoted = line[slot.valueStart] == Byte.quote
    let start = isQuoted ? slot.valueStart + 1 : slot.valueStart
    guard let number = line.decimal(start, isQuoted ? slot.valueEnd - 1 : slot.valueEnd) else {
      return plain(slot)
    }
    if role == .pid, pid < 0 {
      pid = number
    } else if role == .threadID, threadID < 0 {
      threadID = number
    } else {
      plain(slot)
    }
  }

  /// An HTTP status only between 100 and 599; others say something else.
  private mutating func takeStatus(_ slot: Slot) {
    let line = text.bytes
    let start = line[slot.valueStart] == Byte.quote ? slot.valueStart + 1 : slot.valueStart
    let end = line[slot.valueStart] == Byte.quote ? slot.valueEnd - 1 : slot.valueEnd
    guard status.valueEnd == 0, let number = line.decimal(start, end), number >= 100, number < 600
    else { return plain(slot) }
    status = Slot(keyStart: slot.keyStart, valueStart: start, valueEnd: end)
    writer.member("http.response.status_code", number: number)
  }

  private mutating func takeLineNumber(_ slot: Slot) {
    let line = text.bytes
    let start = line[slot.valueStart] == Byte.quote ? slot.valueStart + 1 : slot.valueStart
    let end = line[slot.valueStart] == Byte.quote ? slot.valueEnd - 1 : slot.valueEnd
    guard let number = line.decimal(start, end) else { return plain(slot) }
    writer.member("code.line.number", number: number)
  }

  /// `path/file.go:42` in two members.
  private mutating func writeCaller(_ slot: Slot) {
    let line = text.bytes
    var colon = slot.valueEnd - 1
    while colon > slot.valueStart, line[colon - 1].isDigit { colon -= 1 }
    colon -= 1
    guard colon > slot.valueStart + 1, line[colon] == Byte.colon,
      let number = line.decimal(colon + 1, slot.valueEnd - 1)
    else {
      return writer.member("code.file.path", rawValue: text.slice(slot.valueStart, slot.valueEnd))
    }
    // A quoted piece of a JSON string is one only if no escape is cut: a colon is never part of one.
    writer.memberPart("code.file.path", text.slice(slot.valueStart + 1, colon))
    writer.member("code.line.number", number: number)
  }

  /// Takes what is known of an object's members; the whole object stays an attribute when there
  /// is more in it.
  mutating func takeNested(_ slot: Slot, of parent: Parent) {
    var members = JSONMembers(text.bytes, from: slot.valueStart)
    var hasMore = false
    while members.next() {
      let member = Slot(
        keyStart: members.keyStart, valueStart: members.valueStart, valueEnd: members.valueEnd,
        rank: 9)
      if !takeMember(member, keyEnd: members.keyEnd, of: parent) { hasMore = true }
    }
    if hasMore { plain(slot) }
  }

  private mutating func takeMember(_ slot: Slot, keyEnd: Int, of parent: Parent) -> Bool {
    let line = text.bytes
    let key = line.slice(slot.keyStart, keyEnd)
    let isText = line[slot.valueStart] == Byte.quote
    let value = text.slice(slot.valueStart, slot.valueEnd)
    switch parent {
    case .error: return isText && takeErrorMember(key, value)
    case .log where isText && key.isEqual("level") && level.valueEnd == 0: level = slot
    case .log where isText && key.isEqual("logger") && scope.valueEnd == 0: scope = slot
    case .process where key.isEqual("pid") && pid < 0 && line[slot.valueStart].isDigit:
      takeNumber(.pid, slot)
    case .process where isText && key.isEqual("name") && process.valueEnd == 0: process = slot
    case .process where key.isEqual("thread") && line[slot.valueStart] == Byte.openBrace:
      return takeThread(slot)
    case .source where isText && key.isEqual("file"):
      writer.member("code.file.path", rawValue: value)
    case .source where isText && key.isEqual("function"):
      writer.member("code.function.name", rawValue: value)
    case .source where key.isEqual("line") && line[slot.valueStart].isDigit:
      takeLineNumber(slot)
    case .trace where isText && key.isEqual("id"): writer.member("trace_id", rawValue: value)
    case .span where isText && key.isEqual("id"): writer.member("span_id", rawValue: value)
    case .host where isText && (key.isEqual("name") || key.isEqual("hostname")):
      writer.member("host.name", rawValue: value)
    default: return false
    }
    return true
  }

  /// The columns in `"record":{"level":{"name":…},"message":…,"time":{"timestamp":…}}` of loguru.
  @inline(never)
  mutating func takeLoguru(_ record: Slot) {
    var members = JSONMembers(text.bytes, from: record.valueStart)
    while members.next() {
      let key = text.bytes.slice(members.keyStart, members.keyEnd)
      let member = Slot(
        keyStart: members.keyStart, valueStart: members.valueStart, valueEnd: members.valueEnd,
        rank: 10)
      if key.isEqual("level"), level.valueEnd == 0 {
        level = inner("name", of: member) ?? level
      } else if key.isEqual("time"), time.valueEnd == 0 {
        time = inner("timestamp", of: member) ?? time
      } else if key.isEqual("message"), text.bytes[members.valueStart] == Byte.quote,
        message.rank < 9
      {
        if message.valueEnd > 0 { plain(message) }
        message = member
      }
    }
  }

  /// The member of the object in `slot` that is called `name`.
  func inner(_ name: StaticString, of slot: Slot) -> Slot? {
    guard text.bytes[slot.valueStart] == Byte.openBrace else { return nil }
    var members = JSONMembers(text.bytes, from: slot.valueStart)
    while members.next() {
      guard text.bytes.slice(members.keyStart, members.keyEnd).isEqual(name) else { continue }
      return Slot(
        keyStart: members.keyStart, valueStart: members.valueStart, valueEnd: members.valueEnd,
        rank: 10)
    }
    return nil
  }

  private mutating func takeThread(_ slot: Slot) -> Bool {
    var members = JSONMembers(text.bytes, from: slot.valueStart)
    var hasMore = false
    while members.next() {
      let key = text.bytes.slice(members.keyStart, members.keyEnd)
      let value = text.slice(members.valueStart, members.valueEnd)
      if key.isEqual("name") {
        writer.member("thread.name", rawValue: value)
      } else if key.isEqual("id"), threadID < 0,
        let number = text.bytes.decimal(members.valueStart, members.valueEnd)
      {
        threadID = number
      } else {
        hasMore = true
      }
    }
    return !hasMore
  }

  private mutating func takeErrorMember(_ key: Line, _ value: ByteSlice) -> Bool {
    if key.isEqual("message") {
      writer.member("exception.message", rawValue: value)
    } else if key.isEqual("type") || key.isEqual("name") || key.isEqual("class") {
      writer.member("exception.type", rawValue: value)
    } else if key.isEqual("stack") || key.isEqual("stack_trace") || key.isEqual("stacktrace") {
      writer.member("exception.stacktrace", rawValue: value)
    } else {
      return false
    }
    return true
  }
}
