// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("logagent doctor")
struct DoctorTests {
  private let fixture: CommandLineFixture
  private let host: FakeHost
  /// What is read; the store lies elsewhere.
  private let logs: TemporaryDirectory
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws {
    fixture = try CommandLineFixture()
    host = try FakeHost()
    logs = try TemporaryDirectory()
    fixture.environment["TMPDIR"] = logs.path
    fixture.environment["LOGAGENT_CONFIG"] = try logs.write(
      "logagent.toml",
      """
      [[source]]
      name = "app"
      include = ["app/*.log"]
      [[spool]]
      name = "crashes"
      path = "spool"
      """)
    // All is well at first.
    try logs.write("app/app.log", "x\n")
    try logs.write("spool/readme", "x\n")
    chmod(fixture.folder.path, 0o700)
    for name in ["logs.db", "logs.db-wal", "logs.db-shm"] {
      chmod(fixture.folder.file(name), 0o600)
    }
    try host.write("/proc/sys/fs/inotify/max_user_watches", "65536\n")
    try host.write("/proc/sys/fs/inotify/max_user_instances", "128\n")
    try host.write("/proc/sys/kernel/core_pattern", "|/usr/lib/handler %P\n")
    try host.write("/usr/lib/handler", "")
    try host.write("/proc/mounts", "/dev/sda1 / ext4 rw 0 0\n")
    try host.write("/usr/share/zoneinfo/Europe/Berlin", "")
    try host.write("/etc/localtime", "")
  }

  private func problems() -> [String: String] {
    let result = fixture.run("doctor", "--root", host.root, "--json")
    var found: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)),
        let finding = object as? [String: String], finding["level"] == "problem"
      else { continue }
      found[finding["subject"] ?? "", default: ""] += finding["text"] ?? ""
      #expect(finding["remedy"]?.isEmpty == false)
    }
    #expect(result.status == (found.isEmpty ? .ok : .unavailable))
    return found
  }

  @Test("finds nothing wrong with a sound host, and sends a canary through")
  func sound() {
    #expect(problems() == [:])
    let result = fixture.run("doctor", "--root", host.root)
    #expect(
      result.output.contains("ok    canary: a line was written, read, stored and found again"))
    #expect(!result.output.contains("FAIL"))
    // But that nobody reads.
    let quiet = fixture.run("doctor", "--root", host.root, "-q").output
    #expect(quiet.hasPrefix("warn  agent: no agent uses "))
    #expect(quiet.hasSuffix("\n0 problems, 1 warning\n"))
    let left = (try? FileManager.default.contentsOfDirectory(atPath: logs.path)) ?? []
    #expect(left.filter { $0.hasPrefix("logagent-doctor") } == [])
  }

  /// A way to break a host, and the subject that names it.
  struct Breakage: Sendable, CustomTestStringConvertible {
    var subject: String
    var words: String
    var apply: @Sendable (DoctorTests) throws -> Void
    var testDescription: String { subject }

    init(
      _ subject: String, _ words: String, _ apply: @escaping @Sendable (DoctorTests) throws -> Void
    ) {
      self.subject = subject
      self.words = words
      self.apply = apply
    }
  }

  static let breakages: [Breakage] = [
    Breakage("permissions", "can be read by others") { chmod($0.fixture.folder.path, 0o755) },
    Breakage("file system", "nfs4") {
      try $0.host.write("/proc/mounts", "server:/x / nfs4 rw 0 0\n")
    },
    Breakage("quota", "may grow to") {
      $0.fixture.environment["LOGAGENT_RETENTION_MAX_BYTES"] = "1024TiB"
    },
    Breakage("source app", "pipe.log: not a regular file") {
      mkfifo($0.logs.file("app/pipe.log"), 0o600)
    },
    Breakage("spool crashes", "Not a directory") {
      try FileManager.default.removeItem(atPath: $0.logs.file("spool"))
      try $0.logs.write("spool", "")
    },
    Breakage("inotify", "max_user_watches is 8") {
      try $0.host.write("/proc/sys/fs/inotify/max_user_watches", "8\n")
    },
    Breakage("clock", "records were stored at") {
      let id = try $0.fixture.sample.addRecord($0.base, "x")
      try $0.fixture.sample.setObservedTime($0.fixture.now.nanoseconds + 3_600_000_000_000, of: id)
    },
    Breakage("time zone", "which does not exist") {
      try FileManager.default.removeItem(atPath: $0.host.root + "/etc/localtime")
      try FileManager.default.createSymbolicLink(
        atPath: $0.host.root + "/etc/localtime",
        withDestinationPath: "/usr/share/zoneinfo/Europe/Berlln")
    },
    Breakage("logrotate", "keeps no rotated file") {
      try $0.host.write(
        "/etc/logrotate.d/app",
        "\($0.logs.path)/app/*.log {\n  daily\n  rotate 0\n  postrotate\n    rotate 9\n  endscript\n}\n"
      )
    },
    Breakage("SWIFT_BACKTRACE", "the runtime drops them") {
      try $0.host.addProcess(
        7, "shop", environment: ["SWIFT_BACKTRACE": "enable=yes,output-to=/srv/none/"])
    },
    Breakage("core_pattern", "which does not exist") {
      try FileManager.default.removeItem(atPath: $0.host.root + "/usr/lib/handler")
    },
    Breakage("journald", "keeps nothing") {
      try $0.host.write("/etc/systemd/journald.conf.d/x.conf", "[Journal]\nStorage=none\n")
    },
    Breakage("agent", "/var/log/b: Permission denied") {
      try $0.fixture.sample.connection.execute(
        "INSERT INTO meta VALUES ('problems', '{\"/var/log/b\":\"Permission denied\"}')")
    },
    Breakage("uploads", "/none/token: it does not exist") {
      $0.fixture.environment["LOGAGENT_UPLOAD_URL"] = "https://upload.example/in/"
      $0.fixture.environment["LOGAGENT_UPLOAD_TOKEN"] = "file:/none/token"
    },
    Breakage("canary", "did not arrive") {
      $0.fixture.environment["TMPDIR"] = $0.logs.file("app/app.log")
    },
  ]

  @Test("names what is broken", arguments: breakages)
  func one(_ breakage: Breakage) throws {
    try breakage.apply(self)
    let found = problems()
    #expect(Set(found.keys) == [breakage.subject])
    #expect(found[breakage.subject]?.contains(breakage.words) == true, "\(found)")
  }

  @Test("names everything that is broken at once")
  func all() throws {
    for breakage in Self.breakages { try breakage.apply(self) }
    let found = problems()
    #expect(Set(found.keys) == Set(Self.breakages.map(\.subject)))
    for breakage in Self.breakages {
      #expect(found[breakage.subject]?.contains(breakage.words) == true)
    }
  }

  @Test("goes on when the configuration or the store is broken")
  func brokenBasics() throws {
    try logs.write("logagent.toml", "[limit]\nx = 1\n")
    try fixture.folder.write("logs.db", "no database, whatever its name says")
    let found = problems()
    #expect(found["configuration"]?.contains("unknown key") == true)
    #expect(found["store"] != nil)
    #expect(found["sources"] == nil)
  }

  @Test("compares logrotate's patience with how far a source is behind")
  func lag() throws {
    let file = logs.file("app/app.log")
    try fixture.sample.addFile(2, source: "app", path: file)
    // Three days behind, and two daily files stay.
    let old = fixture.now.nanoseconds - 3 * 86_400_000_000_000
    try fixture.sample.connection.execute(
      "UPDATE file SET size = 5000, \"offset\" = 10, last_time = \(old) WHERE id = 2")
    try host.write("/etc/logrotate.conf", "daily\nrotate 2\ncopytruncate\n")
    try host.write("/etc/logrotate.d/app", "\(logs.path)/app/*.log\n{\n}\n")
    #expect(problems()["logrotate"]?.contains("48 h, and app is 72 h behind") == true)
    #expect(fixture.run("doctor", "--root", host.root).output.contains("copytruncate"))
    try host.write("/etc/logrotate.d/app", "\(logs.path)/app/*.log { \n rotate 7 \n create \n}\n")
    #expect(problems() == [:])
    #expect(!fixture.run("doctor", "--root", host.root).output.contains("copytruncate"))
  }
}
