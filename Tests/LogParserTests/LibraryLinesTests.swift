// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import Testing

private let time = "2026-03-01T10:00:01Z"

/// What logging libraries write with their own or their documentation's patterns.
private let lines = [
  ProgramLine("Python with its pid first", "77 2026-03-01 10:00:01 WARNING slow", time, 13),
  ProgramLine("A letter first", "E 2026-03-01 10:00:01 shop: no route", time, 17),
  ProgramLine("Tornado, dying", "[C 260301 10:00:01 web:9] bye", time, 21),
  ProgramLine("A cut level", "2026-03-01 10:00:01 [MainThread  ] [WARNI]  slow", time, 13),
  ProgramLine("Pairs as header", "2026-03-01 10:00:01 pid=7 tid=8 level=ERROR no route", time, 17),
  ProgramLine("coloredlogs", "2026-03-01 10:00:01 web1 shop.cart[7] ERROR no route", time, 17),
  ProgramLine("Twisted", "2026-03-01T10:00:01+0000 [shop.web#warn] slow", time, 13),
  ProgramLine("Ansible", "2026-03-01 10:00:01,000 p=7 u=root n=ansible WARNING| slow", time, 13),
  ProgramLine("Storm", "2026-03-01 10:00:01 s.w.Cart main [ERROR] no route", time, 17),
  ProgramLine("Poco", "2026-03-01 10:00:01 [7] Shop <Warning> slow", time, 13),
  ProgramLine("Qt", "[2026-03-01 10:00:01 W] shop.cart - slow", time, 13),
  ProgramLine("log4perl", "2026/03/01 10:00:01 WARN> cart.pl:3 main:: - slow", time, 13),
  ProgramLine("spdlog", "[2026-03-01 10:00:01] [shop] [---C---] [thread 7] bye", time, 21),
  ProgramLine("Monolog without brackets", "2026-03-01 10:00:01 shop.CRITICAL: bye []", time, 18),
  ProgramLine(
    "MOZ_LOG", "2026-03-01 10:00:01.000000 UTC - [Parent 7: Main Thread]: W/nsHttp slow", time, 13),
  ProgramLine(
    "Android Studio",
    "2026-03-01 10:00:01.000  77-78    Cart                    com.example.shop        E  no route",
    time, 17),
  ProgramLine("logrus on a terminal", "FATA[2026-03-01T10:00:01Z] bye", time, 21),
  ProgramLine("logfmter", #"at=ERROR when="2026-03-01 10:00:01" msg="no route""#, time, 17),
  ProgramLine(
    "structlog", "timestamp='2026-03-01T10:00:01Z' level='warning' event='slow'", time, 13),
  ProgramLine(
    "Bitbucket's requests",
    #"192.0.2.1,192.0.2.2 | https | i@1x2x3x0 | - | 2026-03-01 10:00:01,000 | "GET /x HTTP/1.1""#
      + #" | "" "git/2" | - | - | - | - | - | a1 |"#, time),
  ProgramLine(
    "Bitbucket's audit",
    "192.0.2.1 | ProjectCreatedEvent | ann | 1772359201000 | SHOP | {} | 1 | a",
    time),
  ProgramLine(
    "Python's http.server", "::1 - - [01/Mar/2026 10:00:01] code 404, message File not found", time,
    13),
  ProgramLine(
    "Hypercorn, whose level is its own",
    #"[2026-03-01 10:00:01 +0000] [7] [INFO] ::1 - - [01/Mar/2026:10:00:01 +0000] "GET /" 404 2"#,
    time, 9),
  ProgramLine(
    "loguru",
    #"{"text":"x\n","record":{"level":{"name":"WARNING","no":30},"message":"slow","#
      + #""time":{"repr":"2026-03-01 11:00:01+01:00","timestamp":1772359201.0}}}"#, time, 13),
  ProgramLine(
    "Twisted's JSON",
    #"{"log_level":{"name":"warn"},"log_format":"slow","log_time":1772359201.0}"#, time, 13),
  ProgramLine(
    "Google, which states no severity",
    #"{"severity":"DEFAULT","textPayload":"x","timestamp":"2026-03-01T10:00:01Z"}"#, time),
]

@Suite("A line of a logging library")
struct LibraryLinesTests {
  @Test("has its time and severity, and no severity that it does not state", arguments: lines)
  func read(_ expected: ProgramLine) throws {
    try expected.check()
  }

  @Test("may begin with winston's level, where the file's other lines do; a tool's error is text")
  func lowercase() {
    let file = ParsedFile("info: up\ninfo: listening\ninfo: ready\nerror: no route\n")
    #expect(file.records.map(\.severity.number) == [9, 9, 9, 17])
    let tool = ParsedFile("error: pathspec\nerror: no match\n")
    #expect(tool.records.allSatisfy { $0.severity.number == 0 })
  }
}
