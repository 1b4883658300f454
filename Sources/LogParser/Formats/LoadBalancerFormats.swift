// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Access logs of AWS' load balancers: application (`type TIME elb client target …`) and classic
/// (without the type).
enum LoadBalancerFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "aws-elb", family: "web-server", summary: "AWS ALB and classic ELB access logs",
    example: #"https 2023-04-26T19:53:47.809400Z app/shop/490d 192.0.2.1:44750 10.0.0.1:80 0.000 "#
      + #"0.001 0.000 200 200 34 366 "GET https://a:443/ HTTP/1.1" "curl/7" - -"#)

  struct Header: RecordHeader {
    var stamp = Stamp()
    var name = 0
    /// Ends of the twelve words from the name to the bytes that were sent.
    var client = 0
    var clientEnd = 0
    var status = 0
    var statusEnd = 0
    var quote = 0
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    var index = 0
    if line.at(0).isLetter {
      guard isType(line.slice(0, min(line.skipToken(0), line.count))) else { return false }
      index = line.skipToken(0) + 1
    }
    guard line.at(index).isDigit, line.at(index + 10) == 0x54,
      StampScanner.iso(line, at: index, into: &header.stamp), line.at(header.stamp.end) == 0x20
    else { return false }
    header.name = header.stamp.end + 1
    index = header.name
    // name client target t t t status target_status received sent "request"
    for word in 0..<10 {
      let end = line.skipToken(index)
      guard end > index, line.at(end) == Byte.space else { return false }
      switch word {
      case 1: (header.client, header.clientEnd) = (index, end)
      case 3, 4, 5: guard line[index].isDigit || line[index] == Byte.dash else { return false }
      case 6: (header.status, header.statusEnd) = (index, end)
      default: break
      }
      index = end + 1
    }
    header.quote = index
    return line.at(index) == Byte.quote
  }

  private static func isType(_ word: Line) -> Bool {
    word.isEqual("http") || word.isEqual("https") || word.isEqual("h2") || word.isEqual("grpcs")
      || word.isEqual("ws") || word.isEqual("wss")
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    let close = AccessLogFormat.quotedEnd(line, header.quote)
    text.setBody(header.quote, min(close + 1, line.count), of: &record)
    var writer = JSONWriter(text)
    var port = header.clientEnd
    while port > header.client, line[port - 1].isDigit { port -= 1 }
    if port > header.client + 1, line[port - 1] == Byte.colon {
      writer.member("client.address", text: text.slice(header.client, port - 1))
      writer.member("client.port", number: line.decimal(port, header.clientEnd) ?? 0)
    }
    AccessFields.writeRequest(text, header.quote + 1, close, &writer)
    if let status = line.decimal(header.status, header.statusEnd) {
      writer.member("http.response.status_code", number: status)
      record.severity = HTTPStatus.severity(line[header.status])
      record.flags.add(.severityDerived)
    }
    if line.has(" \"", at: close + 1) {
      let agentEnd = AccessLogFormat.quotedEnd(line, close + 2)
      if agentEnd < line.count, agentEnd > close + 4 {
        writer.member("user_agent.original", text: text.slice(close + 3, agentEnd))
      }
    }
    record.attributes = writer.finish(text)
  }

  static let samples = [
    FormatSample(
      #"https 2023-04-26T19:53:47.809400Z app/shop/490d 192.0.2.1:44750 - -1 -1 -1 404 - 203 167 "#
        + #""GET https://a:443/.aws HTTP/1.1" "curl/7" - -"#,
      time: "2023-04-26T19:53:47.8094Z", offset: 0, severity: 13,
      body: #""GET https://a:443/.aws HTTP/1.1""#,
      attributes: #"{"client.address":"192.0.2.1","client.port":44750,"http.request.method":"GET","#
        + #""url.path":"https://a:443/.aws","network.protocol.version":"1.1","#
        + #""http.response.status_code":404,"user_agent.original":"curl/7"}"#),
    FormatSample(
      #"2015-05-13T23:39:43.945958Z my-elb 192.0.2.1:2817 10.0.0.1:80 0.000073 0.001048 0.000057 "#
        + #"200 200 0 29 "GET http://a:80/ HTTP/1.1" "curl/7.38.0" - -"#,
      time: "2015-05-13T23:39:43.945958Z", offset: 0, severity: 9,
      body: #""GET http://a:80/ HTTP/1.1""#,
      attributes: #"{"client.address":"192.0.2.1","client.port":2817,"http.request.method":"GET","#
        + #""url.path":"http://a:80/","network.protocol.version":"1.1","#
        + #""http.response.status_code":200,"user_agent.original":"curl/7.38.0"}"#),
  ]
}

/// S3's server access log: `owner bucket [time] client requester id operation key "request" status …`.
enum S3AccessFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "aws-s3", family: "web-server", summary: "AWS S3 server access log",
    example: #"79a5 shop [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT a.png "#
      + #""GET /a.png HTTP/1.1" 200 - 113 - 7 - "-" "curl/7" -"#)

  struct Header: RecordHeader {
    var bucket = 0
    var stamp = Stamp()
    var client = 0
    var clientEnd = 0
    var quote = 0
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    let owner = line.skipToken(0)
    guard owner > 0, line.at(owner) == Byte.space, line.at(0).isHexDigit else { return false }
    header.bucket = owner + 1
    let bucket = line.skipToken(owner + 1)
    guard line.has(" [", at: bucket),
      StampScanner.dayFirst(line, at: bucket + 2, into: &header.stamp),
      line.has("] ", at: header.stamp.end)
    else { return false }
    header.client = header.stamp.end + 2
    header.clientEnd = line.skipToken(header.client)
    let requester = line.afterBlank(header.clientEnd)
    let identifier = line.afterBlank(line.skipToken(requester))
    let operation = line.afterBlank(line.skipToken(identifier))
    guard
      line.has("REST.", at: operation) || line.has("SOAP.", at: operation)
        || line.has("BATCH.", at: operation) || line.has("WEBSITE.", at: operation)
        || line.has("S3.", at: operation)
    else { return false }
    let key = line.afterBlank(line.skipToken(operation))
    header.quote = line.afterBlank(line.skipToken(key))
    return true
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    var writer = JSONWriter(text)
    writer.member("aws.s3.bucket", text: text.slice(header.bucket, line.skipToken(header.bucket)))
    writer.member("client.address", text: text.slice(header.client, header.clientEnd))
    var end = line.skipToken(header.quote)
    if line.at(header.quote) == Byte.quote {
      end = AccessLogFormat.quotedEnd(line, header.quote)
      AccessFields.writeRequest(text, header.quote + 1, end, &writer)
      end = min(end + 1, line.count)
    }
    let status = end + 1
    let statusEnd = line.skipDigits(min(status, line.count))
    if statusEnd == status + 3, let code = line.decimal(status, statusEnd) {
      writer.member("http.response.status_code", number: code)
      record.severity = HTTPStatus.severity(line[status])
      record.flags.add(.severityDerived)
    }
    record.attributes = writer.finish(text)
    text.setBody(min(header.quote, end), end, of: &record)
  }

  static let samples = [
    FormatSample(
      #"79a5 shop [06/Feb/2019:00:00:38 +0000] 192.0.2.3 79a5 3E57 REST.GET.OBJECT a.png "#
        + #""GET /a.png?x HTTP/1.1" 404 NoSuchKey 113 - 7 - "-" "curl/7" -"#,
      time: "2019-02-06T00:00:38Z", offset: 0, severity: 13,
      body: #""GET /a.png?x HTTP/1.1""#,
      attributes: #"{"aws.s3.bucket":"shop","client.address":"192.0.2.3","#
        + #""http.request.method":"GET","url.path":"/a.png","url.query":"x","#
        + #""network.protocol.version":"1.1","http.response.status_code":404}"#)
  ]
}
