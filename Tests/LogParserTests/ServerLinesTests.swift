// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import Testing

/// Lines of servers and tools that have their level in a place of their own.
private let lines = [
  ProgramLine(
    "JavaScript's Date", "Thu Jan 01 2026 10:00:00 GMT+0100 (CET) ERROR no",
    "2026-01-01T09:00:00Z", 17),
  ProgramLine(
    "ICU's zone", "2026-03-01 10:00:00 GMT-05:00 [main] WARN slow", "2026-03-01T15:00:00Z", 13),
  ProgramLine(
    "A distance of one digit", "2026-03-01 10:00:00 UTC+2 ERROR no", "2026-03-01T08:00:00Z", 17),
  ProgramLine(
    "PerfectLogger",
    "[ERROR] [3C2A5F3E-7F1A-4B7B-8F4E-0D8C4C4E0E1C] [2026-03-01 10:00:01 GMT+00:00] no",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "HeliumLogger", "[2026-03-01T10:00:00.000Z] [ENTRY] [a.swift:1 f()] x",
    "2026-03-01T10:00:00Z", 1),
  ProgramLine(
    "NATS", "[12] 2026/03/01 10:00:00.123456 [ERR] no", "2026-03-01T10:00:00.123456Z", 17),
  ProgramLine(
    "Domino", "[28325:00010-3735542592] 22-06-2026 09:56:12   smtp: failure", "2026-06-22T09:56:12Z"
  ),
  ProgramLine(
    ".NET's console", "2026-03-01 10:00:00 fail: Shop.Orders[7] no", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "A sentence that fails", "2026-03-01 10:00:00 fail: no order", "2026-03-01T10:00:00Z"),
  ProgramLine(
    "BIND", "03-Mar-2026 10:00:01.235 security: error: client denied", "2026-03-03T10:00:01.235Z",
    17),
  ProgramLine(
    "Cisco behind a relay",
    "2026-03-01T10:00:00Z sw1 45: *Mar  1 00:00:12.345: %LINK-3-UPDOWN: Interface Gi0/1 down",
    "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "sshd", "2026-03-01T10:00:00Z web1 sshd[7]: fatal: no route", "2026-03-01T10:00:00Z", 21),
  ProgramLine(
    "Postfix", "2026-03-01T10:00:00Z mx postfix/smtpd[7]: warning: slow", "2026-03-01T10:00:00Z", 13
  ),
  ProgramLine(
    "A message that speaks of errors", "2026-03-01T10:00:00Z web1 app[7]: errors: none",
    "2026-03-01T10:00:00Z"),
  ProgramLine(
    "MySQL through syslog", "2026-03-01T10:00:00Z db mysqld: 260301 10:00:00 [Warning] denied",
    "2026-03-01T10:00:00Z", 13),
  ProgramLine(
    "ESX's kernel", "2026-03-01T10:00:00.203Z cpu6:95)WARNING: VMotion: 4: x",
    "2026-03-01T10:00:00.203Z", 13),
  ProgramLine(
    "VMware to 6.0", "2026-03-01T10:00:00.203Z [29A6FB90 warning 'Default' opID=a] slow",
    "2026-03-01T10:00:00.203Z", 13),
  ProgramLine(
    "SSSD", "(2026-03-01 10:00:00): [be[a]] [connect] (0x0040): no", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "Murmur", "<W>2026-03-01 10:00:00.818 1 => Rejected connection", "2026-03-01T10:00:00.818Z", 13),
  ProgramLine("ASSP", "Mar-01-26 10:00:00 [SSL-out] negotiation failed", "2026-03-01T10:00:00Z"),
  ProgramLine("Half-Life", "L 03/01/2026 - 10:00:00: Bad Rcon", "2026-03-01T10:00:00Z"),
  ProgramLine(
    "HealthApp", "20260301-10:00:00:7|Step_LSC|30002312|flush", "2026-03-01T10:00:00.007Z"),
  ProgramLine(
    "ClickHouse", "2026.03.01 10:00:00.5 [ 12 ] {a-1} <Error> executeQuery: no",
    "2026-03-01T10:00:00.5Z",
    17),
  ProgramLine(
    "DB2", "2026-03-01-10.00.00.500000+060 I1234E567             LEVEL: Error",
    "2026-03-01T09:00:00.5Z", 17),
  ProgramLine(
    "libzypp", "2026-03-01 10:00:00 <3> host(12) [zypp] a.cc(f):1 no", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "WebSphere", "[3/25/26 10:00:00:500 UTC] 0000002a ServletWrappe E   SRVE0068E: no",
    "2026-03-25T10:00:00.5Z", 17),
  ProgramLine(
    "An access log with fractions",
    #"::1 - - [01/Mar/2026:10:00:00.123 +0000] "GET / HTTP/1.1" 404 0"#,
    "2026-03-01T10:00:00.123Z", 13),
  ProgramLine(
    "An access log with ISO times", #"::1 - - [2026-03-01T10:00:00+00:00] "GET / HTTP/1.1" 404 0"#,
    "2026-03-01T10:00:00Z", 13),
  ProgramLine(
    "An access log that begins with its time",
    #"[01/Mar/2026:10:00:00 +0000] ::1 - shop "GET / HTTP/1.1" 503 6"#, "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "PostgreSQL in German", "2026-03-01 10:00:00.5 UTC [1] FEHLER:  kein Tee",
    "2026-03-01T10:00:00.5Z", 17),
  ProgramLine("NSD", "[1772359200] nsd[7]: error: axfr refused", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "TAI64N", "@400000006a2a5c8a1dcd6500 tcpserver: status: 5/30", "2026-06-11T06:58:08.5Z"),
  ProgramLine(
    "Compose with a container's own name",
    #"caddy  | {"level":"warn","ts":1772359200.5,"msg":"not formatted"}"#,
    "2026-03-01T10:00:00.5Z", 13),
  ProgramLine(
    "NSX", #"2026-03-01T10:00:00.5Z edge1 NSX 31 DP [nsx@6876 comp="edge" level="ERROR"] no"#,
    "2026-03-01T10:00:00.5Z", 17),
  ProgramLine(
    "strace", "10000 1772359200.500000 brk(NULL)  = 0x55b1 <0.000009>", "2026-03-01T10:00:00.5Z"),
  ProgramLine(
    "Kibana 7",
    #"{"type":"log","@timestamp":"2026-03-01T10:00:00Z","tags":["error","es"],"message":"no"}"#,
    "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "A level with its name",
    #"{"timestamp":"2026-03-01 10:00:00.5","message":"no","levelName":"ERROR","level":4}"#,
    "2026-03-01T10:00:00.5Z", 17),
]

@Suite("A line of a server or a tool")
struct ServerLinesTests {
  @Test("has its time and severity", arguments: lines)
  func isRead(_ expected: ProgramLine) throws { try expected.check() }

  @Test("of Monit has its host's zone")
  func monit() throws {
    var context = FileContext.test()
    context.modified = try #require(parseTime("2026-08-07T00:00:00Z"))
    let line = "[CEST Aug  6 10:14:52] error    : access denied"
    let file = ParsedFile(Array(line.utf8), context: context)
    #expect(file.records[0].time == parseTime("2026-08-06T08:14:52Z"))
    #expect(file.records[0].severity == .error)
  }

  @Test("of npm is told from a sentence with a number")
  func npm() {
    let prose = ParsedFile("2 errors\n5 error pages were found\n7 warn you\n")
    #expect(prose.records.map(\.severity.number) == [0, 0, 0])
    let log = ParsedFile("0 verbose cli npm\n1 info using npm@10.2.4\n2 error code ENOENT\n")
    #expect(log.records.map(\.severity.number) == [5, 9, 17])
  }

  @Test("of an OSSEC alert stays in the alert, whatever it looks like")
  func ossec() {
    let file = ParsedFile(
      """
      ** Alert 1772359200.353: mail  - pam,syslog,
      2026 Mar 01 10:00:00 web1->/var/log/auth.log
      Rule: 5503 (level 12) -> 'User login failed.'
      Mar  1 10:00:00 web1 sshd[7]: Failed password

      ** Alert 1772359201.753: - syslog,
      2026 Mar 01 10:00:01 web1->/var/log/syslog
      Rule: 1002 (level 2) -> 'Unknown problem.'
      """)
    #expect(file.records.map(\.severity.number) == [17, 9])
  }

  @Test("of Swift Testing on macOS has Apple's symbols")
  func swiftTesting() {
    let file = ParsedFile(
      "\u{1007C8}  Test run started.\n\u{100884}  Test \"a\" failed after 0.002 seconds.\n"
        + "\u{100135}  it should be two\n")
    #expect(file.records.map(\.severity.number) == [9, 17, 0])
    #expect(file.string(file.records[0].body) == "Test run started.")
  }
}
