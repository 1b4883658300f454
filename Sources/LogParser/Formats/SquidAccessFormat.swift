// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Squid's native access log: `epoch.millis elapsed client CODE/status bytes METHOD url user …`.
enum SquidAccessFormat: LogFormat {
  static let info = FormatInfo(
    name: "squid-access", family: "web-server", summary: "Squid's native access log",
    example:
      "1772359200.123    345 192.0.2.1 TCP_MISS/200 12345 GET http://a.test/ - HIER_DIRECT/192.0.2.9 text/html"
  )

  /// The starts of the words that count.
  private struct Words {
    var client = 0
    var code = 0
    var slash = 0
    var size = 0
    var method = 0
    var url = 0
    var user = 0
  }

  private static func read(_ line: Line, _ stamp: inout Stamp) -> Words? {
    var words = Words()
    let whole = line.skipDigits(0)
    guard whole == 10, line.at(10) == Byte.dot else { return nil }
    let end = line.skipDigits(11)
    guard end == 14, line.at(end) == Byte.space,
      EpochTime.scan(line, 0, end, into: &stamp)
    else { return nil }
    let elapsed = line.skipBlanks(end)
    let elapsedEnd = line.skipDigits(elapsed)
    guard elapsedEnd > elapsed, line.at(elapsedEnd) == Byte.space else { return nil }
    words.client = elapsedEnd + 1
    words.code = line.skipToken(words.client) + 1
    let codeEnd = line.skipToken(words.code)
    guard let slash = line.index(of: Byte.slash, from: words.code), slash < codeEnd,
      line.at(words.code).isUpper, line.skipDigits(slash + 1) == slash + 4, codeEnd == slash + 4
    else { return nil }
    words.slash = slash
    words.size = codeEnd + 1
    words.method = line.skipToken(words.size) + 1
    words.url = line.skipToken(words.method) + 1
    words.user = line.skipToken(words.url) + 1
    guard line.at(words.method).isUpper, words.user < line.count else { return nil }
    return words
  }

  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    return read(line, &stamp) != nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var stamp = Stamp()
    guard let words = read(line, &stamp) else { return false }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    // Squid writes 000 where no answer was sent.
    let status = line.decimal(words.slash + 1, words.slash + 4) ?? 0
    if status > 0 {
      record.severity = HTTPStatus.severity(line[words.slash + 1])
      record.flags.add(.severityDerived)
    }
    var writer = JSONWriter(text)
    writer.member("client.address", text: text.slice(words.client, words.code - 1))
    writer.member("squid.result", text: text.slice(words.code, words.slash))
    if status > 0 { writer.member("http.response.status_code", number: status) }
    if let size = line.decimal(words.size, words.method - 1) {
      writer.member("http.response.size", number: size)
    }
    writer.member("http.request.method", text: text.slice(words.method, words.url - 1))
    writer.member("url.full", text: text.slice(words.url, words.user - 1))
    let userEnd = line.skipToken(words.user)
    if userEnd - words.user > 1 || line.at(words.user) != Byte.dash {
      writer.member("user.name", text: text.slice(words.user, userEnd))
    }
    record.attributes = writer.finish(text)
    text.setBody(words.client, text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "1772359201.456      0 192.0.2.1 TCP_DENIED/403 3900 CONNECT a.test:443 bob HIER_NONE/- -",
      time: "2026-03-01T10:00:01.456Z", severity: 13,
      body: "192.0.2.1 TCP_DENIED/403 3900 CONNECT a.test:443 bob HIER_NONE/- -",
      attributes: #"{"client.address":"192.0.2.1","squid.result":"TCP_DENIED","#
        + #""http.response.status_code":403,"http.response.size":3900,"#
        + #""http.request.method":"CONNECT","url.full":"a.test:443","user.name":"bob"}"#)
  ]
}
