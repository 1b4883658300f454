// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// Lines that whole files of others had and no sample of ours.
private let lines = [
  ProgramLine(
    "Pacemaker", "Mar 01 10:00:01 n1 pacemaker-based  [77] (main@based.c:9) \tnotice: up",
    "2026-03-01T10:00:01Z", 10),
  ProgramLine(
    "Pacemaker, a long name", "Mar 01 10:00:01 n1 pacemaker-schedulerd[77] (main) \terror: no node",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "Pacemaker to 1.1", "Mar 01 10:00:01 [77] n1       crmd:  warning: do_log: lost a node",
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "Corosync", "Mar 01 10:00:01 [77] n1 corosync error   [TOTEM ] no ring",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "Corosync through syslog", "Mar  1 10:00:01 n1 corosync[77]:  [pcmk  ] ERROR: no child",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "Heartbeat", "Mar  1 10:00:01 n1 cib: [77]: info: starting", "2026-03-01T10:00:01Z", 9),
  ProgramLine(
    "A message with a colon", "Mar  1 10:00:01 n1 app[77]: note: nothing", "2026-03-01T10:00:01Z"),
  ProgramLine(
    "A sentence about an error", "Mar  1 10:00:01 n1 app[77]: Error: none", "2026-03-01T10:00:01Z"),
  ProgramLine(
    "Apache with ISO times",
    "[2026-03-01 11:00:01.5 +0100] [proxy:error] [pid 7:tid 8] (111)Connection refused: x",
    "2026-03-01T10:00:01.5Z", 17),
  ProgramLine(
    "LEEF", "LEEF:1.0|A|B|1|41|^|src=10.0.1.8^devTime=Mar 01 2026 11:00:01.000 CET^sev=5",
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "Rails 2", "Processing PagesController#show (for 10.0.0.1 at 2026-03-01 10:00:01) [GET]",
    "2026-03-01T10:00:01Z"),
  ProgramLine(
    "NetworkManager", "Mar  1 10:00:01 h NetworkManager[7]: <warn>  [1772359200.1] dhcp4: no",
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "BIND through syslog", "Mar  1 10:00:01 ns named[7]: general: error: no zone",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "PulseAudio", "Mar  1 10:00:01 h pulseaudio[7]: W: [alsa-sink] a.c: slow",
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "A short level in brackets", "Mar  1 10:00:01 h consul[7]: [ERR] agent: no leader",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "A bus in brackets", "Mar  1 10:00:01 h dbus-daemon[7]: [system] Activating",
    "2026-03-01T10:00:01Z"),
  ProgramLine(
    "gunicorn through syslog",
    "Mar  1 10:00:01 h gunicorn[7]: [2026-03-01 11:00:01 +0100] [7] [ERROR] no worker",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "CEE", #"Mar  1 10:00:01 h app[7]: @cee: {"level":"error","msg":"x"}"#, "2026-03-01T10:00:01Z",
    17),
  ProgramLine(
    "Dovecot through syslog", "Mar  1 10:00:01 mx dovecot: imap(ann): Error: no mailbox",
    "2026-03-01T10:00:01Z", 17),
  ProgramLine(
    "ESXi 8", "2026-03-01T10:00:01.079Z Wa(180) vmkernel: cpu2:99)slow", "2026-03-01T10:00:01.079Z",
    13),
  ProgramLine(
    "Confluence",
    "[01/Mar/2026:10:00:01 +0000] ann http-1 10.0.0.1 GET /a HTTP/1.1 404 12ms 7 - curl",
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "Windows' DHCP", "31,03/01/26,10:00:01,DNS Update Failed,10.0.0.9,pc.test,,",
    "2026-03-01T10:00:01Z"),
  ProgramLine(
    "CUPS, pages", "laser ann 42 [01/Mar/2026:10:00:01 +0000] total 2 - localhost a.pdf - -",
    "2026-03-01T10:00:01Z"),
  ProgramLine(
    "3proxy", "01-03-2026 10:00:01 +0100 SOCKS5.1080 00005 - 10.0.0.1:28784 0.0.0.0:0 0 0 0 x",
    "2026-03-01T09:00:01Z"),
  ProgramLine(
    "FreeSWITCH, of a call",
    "4f8b9f0e-1111-2222-3333-444455556666 2026-03-01 10:00:01.123456 99.97% [WARNING] a.c:1 x",
    "2026-03-01T10:00:01.123456Z", 13),
  ProgramLine(
    "logcat with a user", "2026-03-01 10:00:01.123 +0000 E/App ( 1080: 1179): x",
    "2026-03-01T10:00:01.123Z", 17),
  ProgramLine(
    "Logstash's first form",
    #"{"@timestamp":"2026-03-01T10:00:01Z","@message":"x","@fields":{"level":"WARN"}}"#,
    "2026-03-01T10:00:01Z", 13),
  ProgramLine(
    "PostgreSQL in a zone without letters", "2026-03-01 10:00:01.5 -03 [7] a@b ERROR:  no table",
    "2026-03-01T13:00:01.5Z", 17),
  ProgramLine(
    "PostgreSQL, a colon behind its zone", "2026-03-01 10:00:01 +03:10.0.0.1(5):a@b:[7]:LOG:  up",
    "2026-03-01T07:00:01Z", 9),
]

@Suite("A line that only whole files had")
struct ClusterLinesTests {
  @Test("has its time and severity, and no severity that it does not state", arguments: lines)
  func read(_ expected: ProgramLine) throws {
    try expected.check()
  }

  @Test("of HAProxy has the year of its connection")
  func connectionYear() {
    let request = #"web app/s1 0/0/0/0/0 200 126 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1""#
    let file = ParsedFile(
      "Feb  6 12:14:14 lb haproxy[7]: 10.0.0.2:33317 [06/Feb/2019:12:14:14.655] \(request)\n"
        + "Feb  6 12:14:15 lb haproxy[7]: Proxy web started.\n")
    #expect(
      file.records.map(\.time.description) == ["2019-02-06T12:14:14Z", "2019-02-06T12:14:15Z"])
  }

  @Test("is that of a relay which takes both kinds of syslog")
  func bothSyslogs() {
    let file = ParsedFile(
      "<14>Mar  1 10:00:01 a app: x\n<14>Mar  1 10:00:02 a app: x\n"
        + "<11>1 2026-03-01T10:00:03Z b app 7 - - x\n<14>Mar  1 10:00:04 a app: x\n")
    #expect(file.records.map(\.severity.number) == [9, 9, 17, 9])
    #expect(file.records[2].time == parseTime("2026-03-01T10:00:03Z"))
    #expect(file.records[2].pid == 7)
  }

  @Test("of npm or GLib among plain text has its level, and takes no other line")
  func stray() {
    let file = ParsedFile(
      """
      starting
      (editor:1234): Gtk-WARNING **: 10:00:00.123: no display
      npm ERR! code ELIFECYCLE
      (editor:1234): GLib-GIO-DEBUG: 10:00:00.124: no portal
      npm audit found nothing
      (see above): nothing

      """)
    #expect(file.formatName == "plain")
    #expect(file.records.map(\.severity.number) == [0, 13, 17, 5, 0, 0])
    #expect(file.string(file.records[1].process) == "editor")
    #expect(file.records[1].pid == 1234)
    #expect(file.string(file.records[3].scope) == "GLib-GIO")
    #expect(file.string(file.records[2].body) == "code ELIFECYCLE")
  }

  @Test("tells a shell's word of a death, and no death twice")
  func shells() throws {
    let file = ParsedFile(
      "shop: a.c:3: main: Assertion `n' failed.\nAborted (core dumped)\n"
        + "run.sh: line 3:  42 Bus error               (core dumped) ./shop\ndone: Aborted\n")
    #expect(file.records.map(\.severity.number) == [21, 21, 21, 0])
    #expect(file.records.map { $0.flags.contains(.lastWords) } == [true, false, true, false])
    #expect(file.records[2].pid == 42)
    #expect(try file.attributes(2)["process.executable.name"] as? String == "shop")
  }
}
