// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// A line as a program's documentation shows it, its time in UTC and its severity's number.
struct ProgramLine: Sendable, CustomTestStringConvertible {
  let program: String
  let line: String
  let time: String
  let severity: UInt8

  init(_ program: String, _ line: String, _ time: String, _ severity: UInt8 = 0) {
    (self.program, self.line, self.time, self.severity) = (program, line, time, severity)
  }

  var testDescription: String { program }

  /// Reads the line, twice in its file.
  func check() throws {
    let file = ParsedFile(line + "\n" + line + "\n")
    try #require(file.records.count == 2)
    for record in file.records {
      #expect(record.time == parseTime(time))
      #expect(record.timeQuality.rawValue <= TimeQuality.inferredYear.rawValue)
      #expect(record.severity.number == severity)
    }
  }
}

private let lines = [
  ProgramLine(
    "HealthApp", "20171223-22:15:29:606|Step_LSC|30002312|error 7", "2017-12-23T22:15:29.606Z"),
  ProgramLine("HealthApp, unpadded", "20171224-0:5:9:6|Step_LSC|3|x", "2017-12-24T00:05:09.006Z"),
  ProgramLine(
    "Proxifier", "[10.30 16:49:06] chrome.exe - a.test:443 error : no", "2026-10-30T16:49:06Z"),
  ProgramLine(
    "Windows CBS", "2016-09-28 04:30:31, Error                 CBS    Failed to open package",
    "2016-09-28T04:30:31Z", 17),
  ProgramLine(
    "Kafka", "[2026-03-01 10:00:01,456] WARN [Producer clientId=p] no node (a.b.NetworkClient)",
    "2026-03-01T10:00:01.456Z", 13),
  ProgramLine(
    "RabbitMQ", "2026-03-01 10:00:02.5+00:00 [error] <0.800.0> Error on AMQP connection",
    "2026-03-01T10:00:02.5Z", 17),
  ProgramLine(
    "etcd 3.3", "2019-03-01 10:00:02.5 C | etcdmain: listen: in use", "2019-03-01T10:00:02.5Z", 21),
  ProgramLine(
    "Vault", "2026-03-01T10:00:01.123Z [WARN]  core.cluster-listener: no TLS config",
    "2026-03-01T10:00:01.123Z", 13),
  ProgramLine(
    "Envoy", "[2026-03-01 10:00:01.123][7][warning][config] [a/b.h:153] stream closed",
    "2026-03-01T10:00:01.123Z", 13),
  ProgramLine(
    "Envoy access", #"[2026-03-01T10:00:04.123Z] "POST /api HTTP/2" 503 UF 0 91 5 - "-" "curl""#,
    "2026-03-01T10:00:04.123Z", 17),
  ProgramLine(
    "Caddy console", "2026/03/01 10:00:01.123\tERROR\thttp.log.error\tdial tcp: refused",
    "2026-03-01T10:00:01.123Z", 17),
  ProgramLine(
    "Traefik", #"2026-03-01T10:00:03Z ERR error="unable to find" providerName=docker"#,
    "2026-03-01T10:00:03Z", 17),
  ProgramLine(
    "Squid cache", "2026/03/01 10:00:02| FATAL: Bungled squid.conf line 3", "2026-03-01T10:00:02Z",
    21),
  ProgramLine(
    "Exim", "2026-03-01 10:00:00 1rNxyz-000AbC-2D <= alice@example.com error",
    "2026-03-01T10:00:00Z"),
  ProgramLine(
    "OpenVPN", "2026-03-01 10:00:01 WARNING: --keepalive is missing", "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "Jenkins", "2026-03-01 10:00:01.123+0000 [id=30]\tWARNING\thudson.model.A#x: failed",
    "2026-03-01T10:00:01.123Z", 13),
  ProgramLine(
    "GitHub Actions", "2026-03-01T10:00:02.4234567Z 0 errors found", "2026-03-01T10:00:02.4234567Z"),
  ProgramLine(
    "Django", "WARNING 2026-03-01 10:00:02,123 log 1234 140 Not Found: /favicon.ico",
    "2026-03-01T10:00:02.123Z", 13),
  ProgramLine(
    "Serilog", "2026-03-01 10:00:03.123 +01:00 [FTL] Host terminated", "2026-03-01T09:00:03.123Z",
    21),
  ProgramLine(
    "NLog", "2026-03-01 10:00:01.1234|ERROR|Shop.Program|failed", "2026-03-01T10:00:01.1234Z", 17),
  ProgramLine(
    "MySQL 8", "2026-03-01T10:00:02.5Z 8 [ERROR] [MY-012592] [InnoDB] error number 2",
    "2026-03-01T10:00:02.5Z", 17),
  ProgramLine(
    "mysqld_safe", "260301 10:00:05 mysqld_safe Starting mysqld daemon", "2026-03-01T10:00:05Z"),
  ProgramLine(
    "winston", "2026-03-01T10:00:02.123Z error: something failed", "2026-03-01T10:00:02.123Z", 17),
  ProgramLine(
    "zap console", "2026-03-01T10:00:02.123+0100\tERROR\tname\ta/b.go:1\tfailed\t{}",
    "2026-03-01T09:00:02.123Z", 17),
  ProgramLine("zerolog console", "10:00AM WRN starting up service=x", "2026-11-29T10:00:00Z", 13),
  ProgramLine(
    "Postfix", "Mar  1 10:00:03 mail postfix/qmgr[12]: 4B0A: from=<error@example.com>, size=1",
    "2026-03-01T10:00:03Z"),
  ProgramLine("Basic ISO 8601", "20260301T100007Z INFO x", "2026-03-01T10:00:07Z", 9),
  ProgramLine("Dots", "2026.03.01 10:00:01 INFO x", "2026-03-01T10:00:01Z", 9),
  ProgramLine("German", "01.03.2026, 10:00:01 INFO x", "2026-03-01T10:00:01Z", 9),
  ProgramLine("European with slashes", "13/03/2026 10:00:03 INFO x", "2026-03-13T10:00:03Z", 9),
  ProgramLine("American with slashes", "03/13/2026 10:00:04 INFO x", "2026-03-13T10:00:04Z", 9),
  ProgramLine("Without seconds", "2026-03-01 10:00 INFO x", "2026-03-01T10:00:00Z", 9),
  ProgramLine("Twelve hours", "2026-03-01 10:00:11 PM INFO x", "2026-03-01T22:00:11Z", 9),
  ProgramLine("Long names", "Sunday, March 1, 2026 10:00:12 AM INFO x", "2026-03-01T10:00:12Z", 9),
]

@Suite("A line of a well-known program")
struct ProgramLinesTests {
  @Test("has its time and severity, and no severity that it does not state", arguments: lines)
  func read(_ expected: ProgramLine) throws {
    try expected.check()
  }

  @Test(
    "whose date may be read in two ways gets no time, rather than a wrong one",
    arguments: [
      "03/04/2026 10:00:02 INFO x", "26-03-01 10:00:00 INFO x", "2026-02-30 10:00:00 INFO x",
    ])
  func ambiguous(_ line: String) {
    let file = ParsedFile(line + "\n")
    #expect(file.records.map(\.timeQuality) == [.observed])
    #expect(file.string(file.records[0].body).hasSuffix("x"))
  }

  @Test("of an odd time says so among its attributes")
  func suspect() throws {
    let file = ParsedFile("1985-05-01T00:00:00Z INFO old\n2040-05-01T00:00:00Z INFO new\n")
    for index in 0...1 {
      #expect(file.records[index].flags.contains(.timeSuspect))
      #expect(try file.attributes(index)["logagent.time_suspect"] as? Bool == true)
    }
  }
}
