// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What is installed beside the programs.
@Suite struct InstallTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: Repository.root + "/" + path, encoding: .utf8)
  }

  private func output(_ program: String, _ words: [String]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  static let analyze = "/usr/bin/systemd-analyze"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: analyze)))
  func theServiceIsExposedToLittle() throws {
    let unit = Repository.root + "/etc/systemd/logagent.service"
    // The threshold is in tenths.
    let (status, text) = try output(
      Self.analyze, ["security", "--offline=true", "--threshold=30", unit])
    #expect(status == 0, "\(text.suffix(200))")
  }

  @Test func unitsAndListsStartTheProgramsThatThereAre() throws {
    for unit in ["etc/systemd/logagent.service", "etc/systemd/user/logagent.service"] {
      let lines = try text(unit).split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("ExecStart=/usr/bin/logagentd") })
      #expect(lines.contains("Type=notify"))
      #expect(lines.contains { $0.hasPrefix("WatchdogSec=") })
    }
    for name in ["logagent", "logagent-user"] {
      let data = Data(try text("contrib/launchd/\(name).plist").utf8)
      let list = try PropertyListSerialization.propertyList(from: data, format: nil)
      let words = (list as? [String: Any])?["ProgramArguments"] as? [String]
      #expect(words?.first == "/usr/local/bin/logagentd")
    }
  }

  @Test func scriptsAreValid() throws {
    for script in ["postinst", "prerm", "postrm"] {
      let path = Repository.root + "/contrib/debian/" + script
      #expect(try output("/bin/sh", ["-n", path]) == (0, ""), "\(script)")
    }
    let build = Repository.root + "/contrib/debian/build-deb.sh"
    #expect(try output("/bin/bash", ["-n", build]) == (0, ""))
  }

  @Test func everyPageQueryAndCompletionIsPackaged() throws {
    let script = try text("contrib/debian/build-deb.sh")
    for part in ["contrib/man/*", "contrib/queries/*.sql", "contrib/docs/*.md"] {
      #expect(script.contains("in \(part)"))
    }
    let folder = Repository.root + "/contrib/completions"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      #expect(script.contains("contrib/completions/\(name)"))
    }
  }
}
