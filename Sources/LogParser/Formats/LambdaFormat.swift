// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What AWS Lambda itself writes between the lines of a function: when a request starts, when it
/// ends, and what it took. These lines have no time.
enum LambdaFormat: LogFormat {
  static let info = FormatInfo(
    name: "aws-lambda", family: "cloud", summary: "AWS Lambda's lines around each request",
    example: "START RequestId: 8f507cfc-0000-4697-b07a-ac58fc914c95 Version: $LATEST")

  private static let words: [StaticString] = [
    "START RequestId: ", "END RequestId: ", "REPORT RequestId: ",
  ]

  /// Where the request's id begins.
  private static func idStart(_ line: Line) -> Int? {
    words.first { line.has($0, at: 0) }?.utf8CodeUnitCount
  }

  static func begins(_ line: Line) -> Bool {
    idStart(line) != nil || line.has("INIT_START Runtime Version: ", at: 0)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    clock.inherit(&record)
    text.setBody(0, text.count, of: &record)
    if line.has("REPORT", at: 0), let status = line.index(of: "Status: ", from: 0),
      line.has("timeout", at: status + 8) || line.has("error", at: status + 8)
    {
      record.severity = .error
      record.flags.add(.severityDerived)
    }
    guard let start = idStart(line) else { return true }
    var writer = JSONWriter(text)
    writer.member(
      "faas.invocation_id", text: text.slice(start, min(line.skipToken(start), line.count)))
    record.attributes = writer.finish(text)
    return true
  }

  static let samples = [
    FormatSample(
      "END RequestId: 8f507cfc-0000-4697-b07a-ac58fc914c95",
      body: "END RequestId: 8f507cfc-0000-4697-b07a-ac58fc914c95",
      attributes: #"{"faas.invocation_id":"8f507cfc-0000-4697-b07a-ac58fc914c95"}"#),
    FormatSample(
      "REPORT RequestId: 8f50\tDuration: 3000.00 ms\tStatus: timeout", severity: 17,
      body: "REPORT RequestId: 8f50\tDuration: 3000.00 ms\tStatus: timeout",
      attributes: #"{"faas.invocation_id":"8f50"}"#),
  ]
}
