// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// uWSGI's request log, with the time in the middle of the line.
enum UWSGIFormat: LogFormat {
  static let info = FormatInfo(
    name: "uwsgi", family: "web-server", summary: "uWSGI request log",
    example: "[pid: 88185|app: 0|req: 1/1] 192.0.2.1 () {38 vars in 696 bytes} "
      + "[Sun Mar 13 22:49:12 2016] GET /a => generated 47 bytes in 129 msecs (HTTP/1.1 200)")

  static func begins(_ line: Line) -> Bool { line.has("[pid: ", at: 0) }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    var stamp = Stamp()
    guard let bracket = line.index(of: "} [", from: 6),
      StampScanner.scan(line, at: bracket + 3, into: &stamp), line.has("] ", at: stamp.end)
    else { return false }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    record.pid = line.decimal(6, line.skipDigits(6)) ?? -1
    var writer = JSONWriter(text)
    if let client = line.index(of: "] ", from: 6), client < bracket {
      let end = line.skipToken(client + 2)
      if end > client + 2 {
        writer.member("client.address", text: text.slice(client + 2, end))
      }
    }
    let method = stamp.end + 2
    let methodEnd = line.skipToken(method)
    if let arrow = line.index(of: " => ", from: methodEnd), arrow > methodEnd {
      writer.member("http.request.method", text: text.slice(method, methodEnd))
      writer.member("url.path", text: text.slice(methodEnd + 1, arrow))
      readStatus(text, arrow, &record, &writer)
    }
    record.attributes = writer.finish(text)
    text.setBody(method, line.count, of: &record)
    return true
  }

  /// `(HTTP/1.1 200)`.
  private static func readStatus(
    _ text: Text, _ start: Int, _ record: inout LogRecord, _ writer: inout JSONWriter
  ) {
    let line = text.bytes
    guard let found = line.index(of: "(HTTP/", from: start) else { return }
    let status = line.skipToken(found) + 1
    guard let code = line.decimal(status, status + 3) else { return }
    writer.member("http.response.status_code", number: code)
    record.severity = HTTPStatus.severity(line[status])
    record.flags.add(.severityDerived)
  }

  static let samples = [
    FormatSample(
      "[pid: 88185|app: 0|req: 1/1] 192.0.2.1 () {38 vars in 696 bytes} "
        + "[Sun Mar 13 22:49:12 2016] GET /a => generated 47 bytes in 129 msecs (HTTP/1.1 500) 9",
      time: "2016-03-13T22:49:12Z", severity: 17, pid: 88185,
      body: "GET /a => generated 47 bytes in 129 msecs (HTTP/1.1 500) 9",
      attributes: #"{"client.address":"192.0.2.1","http.request.method":"GET","url.path":"/a","#
        + #""http.response.status_code":500}"#)
  ]
}
