// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The fields of an access log line as attributes, under OpenTelemetry's names.
enum AccessFields {
  /// `[name:port ]client ident user` before `end`.
  @inline(__always)
  static func writeClient(_ text: Text, _ end: Int, _ writer: inout JSONWriter) {
    let line = text.bytes
    var first = line.skipToken(0)
    var client = 0
    if let port = portStart(line, first, end), let number = line.decimal(port, first) {
      writer.member("server.address", text: text.slice(0, port &- 1))
      writer.member("server.port", number: number, from: text.slice(port, first))
      client = first &+ 1
      first = line.skipToken(client)
    }
    guard first <= end, first > client else { return }
    writer.member("client.address", text: text.slice(client, first))
    // Ident is a word, the user may have blanks.
    let ident = line.skipBlanks(first)
    let user = line.skipBlanks(line.skipToken(ident))
    guard user < end else { return }
    if end &- user == 1, line[user] == Byte.dash { return }
    writer.member("user.name", text: text.slice(user, end))
  }

  /// The index of the port in `name:port` that ends at `end`, when three more words follow: else
  /// the word is an IPv6 client.
  @inline(__always)
  private static func portStart(_ line: Line, _ end: Int, _ limit: Int) -> Int? {
    var port = end
    while port > 0, line[port &- 1].isDigit { port &-= 1 }
    guard port > 1, port < end, line[port &- 1] == Byte.colon, end < limit else { return nil }
    var words = 0
    var index = end
    while index < limit {
      if line[index] == Byte.space { words &+= 1 }
      index &+= 1
    }
    return words >= 3 && line[end &+ 1] != Byte.dash ? port : nil
  }

  /// `METHOD target HTTP/version` in `start..<end`; anything else is no request.
  @inline(__always)
  static func writeRequest(_ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter) {
    let line = text.bytes
    var methodEnd = start
    while methodEnd < end, line[methodEnd].isUpper || line[methodEnd] == 0x5f { methodEnd &+= 1 }
    guard methodEnd > start &+ 1, line.at(methodEnd) == Byte.space else { return }
    let target = methodEnd &+ 1
    var targetEnd = end
    var version = 0
    // The target may hold blanks, so the version is looked for from the end.
    if end &- target > 9, line[end &- 9] == Byte.space, line.has("HTTP/", at: end &- 8) {
      version = end &- 3
      targetEnd = end &- 9
    } else if let found = lastVersion(line, target, end) {
      version = found &+ 6
      targetEnd = found
    }
    guard targetEnd > target else { return }
    writer.member("http.request.method", text: text.slice(start, methodEnd))
    if let mark = line.slice(0, targetEnd).index(of: UInt8(ascii: "?"), from: target) {
      writer.member("url.path", text: text.slice(target, mark))
      writer.member("url.query", text: text.slice(mark &+ 1, targetEnd))
    } else {
      writer.member("url.path", text: text.slice(target, targetEnd))
    }
    if version > 0, version < end {
      writer.member("network.protocol.version", text: text.slice(version, end))
    }
  }

  private static func lastVersion(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    var index = end - 1
    while index > start {
      if line[index] == Byte.space { return line.has("HTTP/", at: index + 1) ? index : nil }
      index -= 1
    }
    return nil
  }

  /// ` bytes "referer" "agent"` and what follows, from the blank after the status.
  @inline(__always)
  static func writeRest(_ text: Text, _ start: Int, _ writer: inout JSONWriter) {
    let line = text.bytes
    guard line.at(start) == Byte.space else { return }
    let size = start &+ 1
    var index = line.skipToken(size)
    writer.member("http.response.body.size", digits: text.slice(size, index))
    guard line.at(index) == Byte.space, line.at(index &+ 1) == Byte.quote else { return }
    let refererEnd = AccessLogFormat.quotedEnd(line, index &+ 1)
    if refererEnd &- index > 2, !isNil(line, index &+ 2, refererEnd) {
      writer.member("http.request.header.referer", text: text.slice(index &+ 2, refererEnd))
    }
    index = refererEnd &+ 1
    guard line.at(index) == Byte.space, line.at(index &+ 1) == Byte.quote else { return }
    let agentEnd = AccessLogFormat.quotedEnd(text.bytes, index &+ 1)
    if agentEnd &- index > 2, !isNil(text.bytes, index &+ 2, agentEnd) {
      writer.member("user_agent.original", text: text.slice(index &+ 2, agentEnd))
    }
    if agentEnd &+ 1 < text.count { writeExtra(text, agentEnd &+ 1, &writer) }
  }

  @inline(__always)
  private static func isNil(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    end &- start == 1 && line[start] == Byte.dash
  }

  /// ` name=value name="value"`: fields of a custom format, under their own names.
  private static func writeExtra(_ text: Text, _ start: Int, _ writer: inout JSONWriter) {
    var index = start
    while index < text.count {
      let name = text.bytes.skipBlanks(index)
      let line = text.bytes
      var end = name
      while line.at(end).isWord || line.at(end) == Byte.dot || line.at(end) == Byte.dash {
        end += 1
      }
      guard end > name, line.at(end) == Byte.equals else {
        // Fields without names are told apart only by the writer's configuration.
        let next = line.at(name) == Byte.quote ? AccessLogFormat.quotedEnd(line, name) + 1 : end
        index = max(line.skipToken(min(next, text.count)), name + 1)
        continue
      }
      let isQuoted = line.at(end + 1) == Byte.quote
      let valueStart = isQuoted ? end + 2 : end + 1
      let valueEnd =
        isQuoted ? AccessLogFormat.quotedEnd(line, end + 1) : line.skipToken(end + 1)
      if valueEnd > valueStart, !isNil(line, valueStart, valueEnd) {
        writer.member(key: text.slice(name, end), text: text.slice(valueStart, valueEnd))
      }
      index = min(isQuoted ? valueEnd + 1 : valueEnd, text.count)
    }
  }
}
