// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import Testing

/// Lines whose level or time stands in a place of its own.
private let lines = [
  ProgramLine(
    "PHP", "[13-Mar-2026 10:00:00 Europe/Berlin] PHP Warning:  Undefined variable $x in /a.php",
    "2026-03-13T09:00:00Z", 13),
  ProgramLine(
    "PHP, dying", "[01-Mar-2026 10:00:00 UTC] PHP Fatal error:  Uncaught Error: x in /a.php:3",
    "2026-03-01T10:00:00Z", 21),
  ProgramLine(
    "PHP, speaking", "[01-Mar-2026 10:00:00 UTC] an error: none", "2026-03-01T10:00:00Z"),
  ProgramLine(
    "Gin", #"[GIN] 2026/03/01 - 10:00:00 | 404 |  1.04µs |  ::1 | GET  "/x""#,
    "2026-03-01T10:00:00Z", 13),
  ProgramLine("Go with a prefix", "shop: 2026/03/01 10:00:03 no error", "2026-03-01T10:00:03Z"),
  ProgramLine(
    "Go with a name", "[shop] 2026/03/01 10:00:04.5 started", "2026-03-01T10:00:04.5Z"),
  ProgramLine(
    "update-alternatives", "update-alternatives 2026-03-01 10:00:00: run with --install",
    "2026-03-01T10:00:00Z"),
  ProgramLine(
    "certbot", "2026-03-01 10:00:01,5:ERROR:certbot.log:bad", "2026-03-01T10:00:01.5Z", 17),
  ProgramLine(
    "Jetty", "2026-03-01 10:00:01.5:WARN:oejs.Server:main: slow", "2026-03-01T10:00:01.5Z", 13),
  ProgramLine(
    "cloud-init", "2026-03-01 10:00:01,123 - util.py[WARNING]: failed", "2026-03-01T10:00:01.123Z",
    13),
  ProgramLine("Telegraf", "2026-03-01T10:00:01Z E! [inputs.cpu] bad", "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "Dovecot", "Mar 01 10:00:01 imap(ann)<7><q>: Error: Mailbox", "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "libvirt", "2026-03-01 10:00:01.123+0000: 77: error : virNet:1 : End of file",
    "2026-03-01T10:00:01.123Z", 17),
  ProgramLine(
    "Icinga", "[2026-03-01 10:00:01 +0100] critical/config: no object", "2026-03-01T09:00:01Z",
    21),
  ProgramLine(
    "Puppet", "2026-03-01 10:00:01 +0000 Puppet (err): Could not run", "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "A sentence with a colon", "2026-03-01 10:00:01 config: error: none", "2026-03-01T10:00:01Z"),
  ProgramLine(
    "Sidekiq", "2026-03-01T10:00:03.1Z pid=1 tid=ab class=Job elapsed=0.1 ERROR: done",
    "2026-03-01T10:00:03.1Z", 17),
  ProgramLine(
    "MongoDB 4.2", "2019-02-05T12:44:56.677+0000 D2 QUERY    [conn1] idhack",
    "2019-02-05T12:44:56.677Z", 4),
  ProgramLine(
    "Minecraft", "[10:00:01] [Server thread/WARN]: behind", "2026-11-29T10:00:01Z", 13),
  ProgramLine(
    "Jupyter", "[W 2026-03-01 10:00:01.123 ServerApp] no browser", "2026-03-01T10:00:01.123Z", 13),
  ProgramLine("Tornado", "[E 260301 10:00:01 web:1871] Uncaught", "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "CUPS", "E [01/Mar/2026:10:00:01 +0100] [Job 1] stopped", "2026-03-01T09:00:01Z", 17),
  ProgramLine(
    "WebLogic", "####<Mar 1, 2026 10:00:01 AM UTC> <Error> <HTTP> <h> <BEA-1> <x>",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "Cisco", "*Mar  1 10:00:01.123: %LINK-3-UPDOWN: changed state to up",
    "2026-03-01T10:00:01.123Z", 17),
  ProgramLine(
    "Consul", "    2026-03-01T10:00:01.123Z [WARN]  agent: name", "2026-03-01T10:00:01.123Z", 13),
  ProgramLine(
    "env_logger", "[2026-03-01T10:00:01Z ERROR shop::db] refused", "2026-03-01T10:00:01Z", 17),
  ProgramLine("fern", "[2026-03-01][10:00:01][shop::db][WARN] slow", "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "zap with epochs", "1.7723592010001e+09\terror\tsetup\tbad", "2026-03-01T10:00:01.0001Z", 17),
  ProgramLine("Geth", "WARN [03-01|10:00:01.123] slow  n=1", "2026-03-01T10:00:01.123Z", 13),
  ProgramLine(
    "Suricata", "03/01/2026-10:00:01.860293  [**] [1:1:2] x [**]", "2026-03-01T10:00:01.860293Z"),
  ProgramLine(
    "DB2", "2026-03-01-10.00.01.123456-300 I1E4  LEVEL: Warning", "2026-03-01T15:00:01.123456Z",
    13),
  ProgramLine(
    "NestJS", "[Nest] 77  - 03/01/2026, 10:00:01 PM   ERROR [X] bad", "2026-03-01T22:00:01Z", 17),
  ProgramLine(
    "SSSD", "(2026-03-01 10:00:01:123456): [be[a.test]] [x] (0x0400): y",
    "2026-03-01T10:00:01.123456Z", 5),
  ProgramLine(
    "oVirt", "Thread-13::ERROR::2026-03-01 10:00:01,123::task::850::Task::(x) failed",
    "2026-03-01T10:00:01.123Z", 17),
  ProgramLine("date", "Sun Mar  1 10:00:01 CET 2026 backup done", "2026-03-01T09:00:01Z"),
  ProgramLine(
    "Rails", #"Started GET "/a" for ::1 at 2026-03-01 10:00:01 +0100"#, "2026-03-01T09:00:01Z"),
  ProgramLine(
    "Heroku", "2026-03-01T10:00:01.5+00:00 heroku[router]: at=error code=H12 status=503",
    "2026-03-01T10:00:01.5Z", 17),
  ProgramLine(
    "kubectl logs --timestamps",
    "2026-03-01T10:00:01.123456789Z W0301 10:00:01.123456       1 main.go:1] slow",
    "2026-03-01T10:00:01.123456Z", 13),
  ProgramLine(
    "iOS", "Mar  1 10:00:01 iPhone Shop(UIKit)[77] <Error>: no tea", "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "nginx through syslog",
    #"Mar  1 10:00:01 web nginx: ::1 - - [01/Mar/2026:10:00:01 +0100] "GET / HTTP/1.1" 502 5"#,
    "2026-03-01T09:00:01Z", 17),
  ProgramLine(
    "nginx's errors through syslog",
    "Mar  1 10:00:01 web nginx: 2026/03/01 10:00:01 [crit] 12#12: *5 no such file",
    "2026-03-01T10:00:01Z", 18),
  ProgramLine(
    "PostgreSQL through syslog",
    "Mar  1 10:00:01 db postgres[77]: [7-1] db=a,user=b ERROR:  division by zero",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "kubelet through syslog", "Mar  1 10:00:02 h kubelet[7]: E0301 10:00:02.5    12 a.go:1] bad",
    "2026-03-01T10:00:02.5Z", 17),
  ProgramLine(
    "containerd through syslog",
    #"Mar  1 10:00:02 h containerd[7]: time="2026-03-01T10:00:02.5Z" level=warning msg=slow"#,
    "2026-03-01T10:00:02.5Z", 13),
  ProgramLine(
    ".NET as JSON",
    #"{"Timestamp":"2026-03-01T10:00:01.5Z","LogLevel":"Error","Category":"A.B","Message":"x"}"#,
    "2026-03-01T10:00:01.5Z", 17),
  ProgramLine(
    "log4j2 as JSON", #"{"level":"WARN","timeMillis":1772359200123,"loggerName":"a.B"}"#,
    "2026-03-01T10:00:00.123Z", 13),
  ProgramLine(
    "slog", #"{"time":"2026-03-01T10:00:01Z","level":"ERROR+2","msg":"x"}"#, "2026-03-01T10:00:01Z",
    19),
  ProgramLine(
    "winston in colours",
    #"{"level":"\u001b[32mwarn\u001b[39m","timestamp":"2026-03-01 10:00:01"}"#,
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "Lambda", "2026-03-01T10:00:00.1Z\tc6af9ac6-7b61-11e6-9a41-93e8deadbeef\tERROR\tbad",
    "2026-03-01T10:00:00.1Z", 17),
  ProgramLine(
    "winston with a label", "2026-03-01T10:00:03.123Z [api] warn: slow",
    "2026-03-01T10:00:03.123Z", 13),
  ProgramLine(
    "A firewall with its name", "Mar 01 2026 10:00:01 fw1 : %ASA-3-710003: denied",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "LoggingFormatAndPipe", "2026-03-01T10:00:01-0400 ▶ error ▶ Main.swift:10 ▶ run() ▶ no tea",
    "2026-03-01T14:00:01Z", 17),
  ProgramLine("An emoji", "🔴 2026-03-01 10:00:01.123 ERROR no tea", "2026-03-01T10:00:01.123Z", 17),
  ProgramLine(
    "A compiler on a runner", "2026-03-01T10:00:01.1234567Z /a/T.swift:5:3: error: cannot find x",
    "2026-03-01T10:00:01.1234567Z", 17),
  ProgramLine("A module", "10:00:01.000 shop DEBUG  some text", "2026-11-29T10:00:01Z", 5),
  ProgramLine("Nagios", "[1772359201] HOST ALERT: h;DOWN;HARD;1;CRITICAL", "2026-03-01T10:00:01Z"),
  ProgramLine("A sentence", "2026-03-01 10:00:01 an ERROR occurred", "2026-03-01T10:00:01Z"),
  ProgramLine(
    "A firewall", "<166>Mar 01 2026 10:00:01: %ASA-6-302014: Teardown", "2026-03-01T10:00:01Z", 9),
]

@Suite("A line with a level or a time in a place of its own")
struct MoreProgramLinesTests {
  @Test("has its time and severity", arguments: lines)
  func read(_ expected: ProgramLine) throws {
    try expected.check()
  }

  @Test(
    "has its date read as another line of the file tells",
    arguments: [
      ("03/04/2026 10:00:00 a\n03/13/2026 10:00:00 b\n", "2026-03-04T10:00:00Z"),
      ("03/04/2026 10:00:00 a\n13/04/2026 10:00:00 b\n", "2026-04-03T10:00:00Z"),
      (
        "03-04-2026 10:00:00.5 +0000 INFO  A - a\n03-13-2026 10:00:00 b\n", "2026-03-04T10:00:00.5Z"
      ),
      ("03/04/26 10:00:00 a\n03/13/26 10:00:00 b\n", "2026-03-04T10:00:00Z"),
      ("3/4/2026, 10:00:00 AM a\n13/4/2026, 10:00:00 AM b\n", "2026-04-03T10:00:00Z"),
      ("25/03/04 10:00:00 INFO a.B: a\n25/03/13 10:00:00 INFO a.B: b\n", "2025-03-04T10:00:00Z"),
    ])
  func dayOrder(_ text: String, _ time: String) {
    let file = ParsedFile(text)
    #expect(file.records.count == 2)
    #expect(file.records[0].time == parseTime(time))
  }

  @Test("gets no time from a zone that is not known")
  func unknownZone() {
    let file = ParsedFile("[01-Mar-2026 10:00:00 Mars/Olympus] PHP Notice:  x\n")
    #expect(file.records.map(\.timeQuality) == [.observed])
    #expect(file.records[0].flags.contains(.zoneUnknown))
  }

  @Test("gets no time of day without a date from a pair that may be a duration")
  func duration() {
    for line in [
      "level=info msg=done time=00:01:23", "level=info msg=done time=35",
      #"{"level":"info","msg":"done","time":"00:01:23"}"#,
      #"{"level":"info","msg":"done","time":35.5}"#,
    ] {
      let file = ParsedFile(line + "\n")
      #expect(file.records.map(\.timeQuality) == [.observed], "\(line)")
    }
  }

  @Test("keeps its time and severity when lines follow it that are no JSON")
  func linesBehindJSON() {
    let file = ParsedFile(
      #"{"level":"error","time":"2026-03-01T10:00:01Z","msg":"failed"}"# + "\n\tat a.b(C:1)\n")
    #expect(file.records.count == 1)
    #expect(file.records[0].severity == .error)
    #expect(file.string(file.records[0].body) == "failed\n\tat a.b(C:1)")
  }

  @Test("of a table that is not PostgreSQL's is not read as PostgreSQL's")
  func otherTable() {
    let row = #"2026-03-01T10:00:01.5Z,AB,2,::1:143,::2:9,ann,168,31,31,auth,PLAIN,"R=""no"",x""#
    let file = ParsedFile(row + "\n" + row + "\n")
    #expect(file.formatName == "timestamped")
    #expect(file.records[0].severity == .unspecified)
  }

  @Test("in local time is not taken for one in UTC")
  func localColumns() throws {
    var context = FileContext.test()
    context.zone = try zone("Europe/Berlin")
    let text = "#Version: 1.5\n#Time Format: Local\n#Fields: date time action\n"
    let file = ParsedFile(
      Array((text + "2026-03-01 10:00:00 DROP\n").utf8), context: context)
    #expect(file.records.last?.time == parseTime("2026-03-01T09:00:00Z"))
  }

  @Test("joins the lines of its message, where the header counts them, and no other's")
  func sequences() {
    let header = "Mar  1 10:00:01 h postgres[77]: "
    let file = ParsedFile(
      header + "[5-1] db=a ERROR:  syntax error\n" + header + "[5-2] db=a STATEMENT:  select\n"
        + header + "[5-3] #011  7 /\n" + header + "[6-1] db=a LOG:  next\n"
        + "Mar  1 10:00:02 h postgres[78]: [6-2] db=b HINT:  alone\n"
        + "Mar  1 10:00:02 h sshd[9]: other\n")
    #expect(file.records.map(\.severity.number) == [17, 9, 0, 0])
    #expect(
      file.string(file.records[0].body)
        == "[5-1] db=a ERROR:  syntax error\ndb=a STATEMENT:  select\n\t  7 /")
    #expect(file.records.indices.allSatisfy(file.isFaithful))
  }

  @Test("begins a sentence, where the file's lines have no levels")
  func sentences() {
    let lines = (10..<40).map { "2026/03/01 10:00:\($0) connection \($0) accepted" }
    let last = [
      "2026/03/01 10:01:00 error loading the configuration",
      "2026/03/01 10:01:01 error: no configuration",
      "2026/03/01 10:01:02 ERROR no configuration",
    ]
    let file = ParsedFile((lines + last).joined(separator: "\n") + "\n")
    #expect(file.records.suffix(4).map(\.severity.number) == [0, 0, 17, 17])
    let levels = lines.map { $0.replacing("connection", with: "debug connection") }
    let regular = ParsedFile((levels + last).joined(separator: "\n") + "\n")
    #expect(regular.records.suffix(4).map(\.severity.number) == [5, 17, 17, 17])
  }

  @Test("is of the time of its header, where the message speaks of another")
  func quotedDate() {
    let header = "Mar  1 10:00:05 h app[7]: "
    let file = ParsedFile(
      header + "2025-12-31 23:59:59 is where the backup begins\n"
        + header + "2026-03-01T09:00:04.5Z done\n" + header + "2025-03-01 10:00:04 done\n")
    #expect(
      file.records.map(\.time.description)
        == ["2026-03-01T10:00:05Z", "2026-03-01T09:00:04.5Z", "2025-03-01T10:00:04Z"])
  }

  @Test("of a compiler is an error only where it says so")
  func diagnostics() {
    let file = ParsedFile("Compiling\na.swift:3:5: error: no x\na.swift:3: error rate 5\n")
    #expect(file.records.map(\.severity.number) == [0, 17, 0])
  }
}
