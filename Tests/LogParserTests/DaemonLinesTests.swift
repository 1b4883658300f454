// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import Testing

private let lines = [
  ProgramLine(
    "BIND's debugging", "03-Mar-2026 10:00:01.235 general: debug 1: zone loaded",
    "2026-03-03T10:00:01.235Z", 5),
  ProgramLine(
    "BIND with ISO times", "2026-03-01T10:00:00.235Z zoneload: error: no zone",
    "2026-03-01T10:00:00.235Z", 17),
  ProgramLine(
    "A sentence that names an error", "2026-03-01T10:00:00.235Z config: error: no file",
    "2026-03-01T10:00:00.235Z"),
  ProgramLine(
    "Prosody", "Mar 01 10:00:00 mod_posix\terror\tno pid file", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "fail2ban's server", "2026-03-01 10:00:00,004 fail2ban     [39]: DEBUG   Exit with code 0",
    "2026-03-01T10:00:00.004Z", 5),
  ProgramLine(
    "fail2ban through syslog", "Mar  1 10:00:00 h fail2ban.actions[7]: NOTICE [sshd] Ban ::1",
    "2026-03-01T10:00:00Z", 10),
  ProgramLine(
    "Tinyproxy", "CONNECT   Mar 01 10:00:00.682 [19]: Connect (file descriptor 4)",
    "2026-03-01T10:00:00.682Z", 9),
  ProgramLine(
    "Privoxy", "2026-03-01 10:00:00.649 7f1cdaff0080 Error: no such host",
    "2026-03-01T10:00:00.649Z", 17),
  ProgramLine(
    "Privoxy's end", "2026-03-01 10:00:00.649 7f1cdaff0080 Fatal error: no port",
    "2026-03-01T10:00:00.649Z", 21),
  ProgramLine("slapd", "69a40e20.1dcd6500 0x7f9a13faf200 conn=7 op=0", "2026-03-01T10:00:00.5Z"),
  ProgramLine(
    "stunnel 4", "2026.03.01 10:00:00 LOG3[28:140]: SSL_accept", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "stunnel through syslog", "Mar  1 10:00:00 h stunnel: LOG5[ui]: stunnel 5",
    "2026-03-01T10:00:00Z", 10),
  ProgramLine(
    "Pure-FTPd", "Mar  1 10:00:00 h pure-ftpd: (?@::1) [WARNING] no such user",
    "2026-03-01T10:00:00Z", 13),
  ProgramLine(
    "Apache through syslog", "Mar  1 10:00:00 h httpd[7]: [authz_core:error] [pid 7] denied",
    "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "Asterisk through syslog", "Mar  1 10:00:00 h asterisk[7]: WARNING[32]: chan_sip.c:4 in f: no",
    "2026-03-01T10:00:00Z", 13),
  ProgramLine("Horde", "Mar  1 10:00:00 HORDE [error] [imp] no login", "2026-03-01T10:00:00Z", 17),
  ProgramLine(
    "ZoneMinder", "03/25/26 10:00:00.393003 zmc_m1[118].WAR-zm.cpp/7 [slow]",
    "2026-03-25T10:00:00.393003Z", 13),
  ProgramLine(
    "ZoneMinder in American English", "03/25/26, 10:00:00 PM UTC.557710 web_php[25].ERR [no user]",
    "2026-03-25T22:00:00.55771Z", 17),
  ProgramLine(
    "SQL Server", "2026-03-01 10:00:00.17 Logon       Error: 18456, Severity: 14, State: 8.",
    "2026-03-01T10:00:00.17Z", 17),
  ProgramLine(
    "MariaDB 10.0", "2026-03-01 10:00:00 140581192722176 [Warning] slow", "2026-03-01T10:00:00Z", 13
  ),
  ProgramLine(
    "InnoDB", "260301 10:00:00  InnoDB: Assertion failure in thread 13 in file a.c line 7",
    "2026-03-01T10:00:00Z", 21),
  ProgramLine(
    "Proxmox", "0 6 PVEFW-HOST-IN 01/Mar/2026:11:00:00 +0100 policy DROP: IN=a SRC=::1",
    "2026-03-01T10:00:00Z"),
  ProgramLine(
    "Sophos", "2026:03:01-10:00:00 utm named[41]: client denied", "2026-03-01T10:00:00Z"),
  ProgramLine(
    "Oracle's messaging server", #"<co ts="2026-03-01T10:00:00.94" pi="7" mi="no"/>"#,
    "2026-03-01T10:00:00.94Z"),
  ProgramLine(
    "HAProxy without a header", "<6>::1:46 [01/Mar/2026:10:00:00.475] tcp t/s1 1/0/0 520 -- 1/1/0",
    "2026-03-01T10:00:00.475Z", 9),
  ProgramLine(
    "VMware's lowest level", "2026-03-01T10:00:00.203Z [29A6FB90 trivia 'Vmomi' opID=a] done",
    "2026-03-01T10:00:00.203Z", 1),
  ProgramLine(
    "The kernel in journalctl's longest form",
    "Sun 2026-03-01 10:00:00 UTC h kernel: traps: die[77] trap invalid opcode ip:1 sp:2 error:0",
    "2026-03-01T10:00:00Z", 21),
  ProgramLine(
    "wget", #"2026-03-01 10:00:00 URL:http://a.test/ [9/9] -> "/tmp/a" [1]"#, "2026-03-01T10:00:00Z"
  ),
]

@Suite("A line of a daemon")
struct DaemonLinesTests {
  @Test("has its time and severity", arguments: lines)
  func isRead(_ expected: ProgramLine) throws { try expected.check() }

  @Test("names its process and its number behind the level or before it")
  func process() {
    let file = ParsedFile(
      "2026-03-01 10:00:00 INFO worker[1234]: up\n2026-03-01 10:00:00 INFO items[12]: none\n"
        + "2026-03-01T10:00:00 ntpd[7]: ERR: no peer\n2026-03-01T10:00:00 ntpd[7]: CONFIG: read\n")
    #expect(file.records.map(\.pid) == [1234, -1, 7, 7])
    #expect(file.records.map(\.severity.number) == [9, 9, 17, 0])
    #expect(file.records.map { file.string($0.process) } == ["worker", "", "ntpd", "ntpd"])
    #expect(file.records.prefix(2).map { file.string($0.body) } == ["up", "items[12]: none"])
  }

  @Test(
    "takes no word of a message for a process",
    arguments: [
      "2026/03/01 10:00:00| DNS Socket created at [::], FD 8",
      "[Mar  1 10:00:00] SECURITY[77]: res_security_log.c: x",
    ])
  func noProcess(_ line: String) {
    let file = ParsedFile(line + "\n")
    #expect(file.string(file.records[0].process).isEmpty)
  }

  @Test(
    "of MySQL's logs is a record of its own, however the server was started",
    arguments: ["/usr/sbin/mysqld", "mariadbd", "bin/mysqld", #"D:\MySQL\bin\mysqld"#])
  func headings(_ program: String) {
    let heading =
      "\(program), Version: 10.11.6-log (a). started with:\nTcp port: 1  Unix socket: a\n"
      + "Time\t\t    Id Command\tArgument\n"
    let slow = ParsedFile(
      heading
        + "# Time: 260301 10:00:00\n# User@Host: a[a] @ localhost []\n# Query_time: 1\nselect 1;\n"
        + "# User@Host: a[a] @ localhost []\n# Query_time: 2\nselect 2;\n")
    #expect(slow.records.map { slow.string($0.body) } == ["select 1;", "select 2;"])
    let general = ParsedFile(
      heading + "260301 10:00:00\t     3 Connect\ta@localhost\n\t\t     3 Query\tselect\n  1\n"
        + "\t\t     3 Quit\t\n")
    #expect(
      general.records.map { general.string($0.body) }
        == ["Connect\ta@localhost", "Query\tselect\n  1", "Quit\t"])
    #expect(general.records.map(\.timeQuality) == [.assumedZone, .inherited, .inherited])
  }

  @Test("of a replica's slow statement has the time when it was logged")
  func replica() {
    let file = ParsedFile(
      "# Time: 260301 10:00:00\n# User@Host: a[a] @ b []\n# Query_time: 1\n"
        + "SET timestamp=1111111111;\nselect 1;\n")
    #expect(file.records[0].time == parseTime("2026-03-01T10:00:00Z"))
  }

  @Test("has the year before, where a later line of the file lies behind the turn of the year")
  func bracketedYears() throws {
    var context = FileContext.test()
    context.modified = try #require(parseTime("2026-02-22T06:00:00Z"))
    let text = "[Dec 21 12:57:01] NOTICE[7]: a.c: x\n[Feb  6 08:44:27] NOTICE[7]: a.c: y\n"
    let file = ParsedFile(Array(text.utf8), context: context)
    #expect(
      file.records.map(\.time.description) == ["2025-12-21T12:57:01Z", "2026-02-06T08:44:27Z"])
    let late = text.replacing("Feb  6", with: "Mar  6")
    let older = ParsedFile(Array(late.utf8), context: context)
    #expect(
      older.records.map(\.time.description) == ["2024-12-21T12:57:01Z", "2025-03-06T08:44:27Z"])
  }
}
