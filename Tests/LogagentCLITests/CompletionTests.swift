// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogagentCLI
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("Completions")
struct CompletionTests {
  private let fixture: CommandLineFixture
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws {
    fixture = try CommandLineFixture()
    try fixture.sample.addRecord(base, "x", process: "api server")
    try fixture.sample.addCrash(1, base, report: Array("{}".utf8))
  }

  @Test("come out of the store for sources, processes and crashes")
  func values() {
    #expect(fixture.run("complete-values", "sources").output == "app\t1 file\n")
    #expect(
      fixture.run("complete-values", "processes").output == "api\tprocess\napi server\tprocess\n")
    #expect(
      fixture.run("complete-values", "crashes").output
        == "1\t2025-03-01T16:00:00 api: bad access\n")
    let none = fixture.run(
      "complete-values", "sources", "--state-dir", fixture.folder.file("none"))
    #expect(none.status == .ok)
    #expect(none.output == "" && none.errors == "")
  }

  /// A `logagent` for the shell that answers `complete-values` with what could do harm, too.
  private func runs(_ shell: String, _ words: [String]) throws -> String? {
    guard let path = Self.program(shell) else { return nil }
    let folder = fixture.folder.file("bin")
    try fixture.folder.write(
      "bin/logagent",
      """
      #!/bin/sh
      [ "$1 $2" = "complete-values sources" ] && printf 'web\\tone\\nw $(touch \(folder)/ran)\\ttwo\\n'
      """)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder + "/logagent")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = words
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["HOME"] = fixture.folder.path
    environment["TERM"] = "dumb"
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: folder + "/ran"))
    return String(decoding: data, as: UTF8.self)
  }

  private static func program(_ name: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static let lines: [(typed: [String], offered: [String], not: [String])] = [
    ([""], ["show", "crash", "--config"], ["complete-values"]),
    (["sh"], ["show"], ["run"]),
    (["crash", ""], ["show"], ["run"]),
    (["show", "--so"], ["--source"], ["--severity"]),
    // Nor files, which lie where the tests run.
    (["show", "-o", ""], ["short", "json"], ["--output", "README.md"]),
    (["show", "-n", "5", "--severity", "f"], ["fatal"], ["info"]),
    (["--state-dir", "/x", "quer"], ["query"], ["show"]),
    (["show", "--source", "w"], ["web"], ["one"]),
    (["completions", ""], ["bash", "fish", "zsh"], ["show"]),
  ]

  @Test("of bash offer what fits", arguments: lines.indices)
  func bash(_ index: Int) throws {
    let line = Self.lines[index]
    let words = (["logagent"] + line.typed).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Shell.bash.script)
      COMP_WORDS=(\(words)) COMP_CWORD=\(line.typed.count)
      _logagent
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    guard let output = try runs("bash", ["--norc", "-c", script]) else { return }
    check(output.split(separator: "\n").map(String.init), line.offered, line.not, output)
  }

  @Test("of fish offer what fits", .enabled(if: program("fish") != nil), arguments: lines.indices)
  func fish(_ index: Int) throws {
    let line = Self.lines[index]
    let typed = (["logagent"] + line.typed).joined(separator: " ")
    let script = "\(Shell.fish.script)\ncomplete -C '\(typed)'"
    guard let output = try runs("fish", ["--no-config", "-c", script]) else { return }
    let words = output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    // Fish offers flags only after a dash.
    check(
      words, line.offered.filter { line.typed.last != "" || !$0.hasPrefix("-") }, line.not, output)
  }

  @Test("of zsh offer what fits", .enabled(if: program("zsh") != nil), arguments: lines.indices)
  func zsh(_ index: Int) throws {
    let line = Self.lines[index]
    try fixture.folder.write("functions/_logagent", Shell.zsh.script)
    // The completion system works only in an interactive shell: one on a pseudo-terminal.
    let script = """
      zmodload zsh/zpty
      zpty z zsh -f -i
      line() { zpty -w z "$1" }
      line "PS1=; stty columns 200; fpath=(\(fixture.folder.file("functions")) \\$fpath)"
      line 'autoload -U compinit; compinit -D -u; LISTMAX=1000; zstyle ":completion:*" insert-tab false'
      line 'bindkey "^I" list-choices; unsetopt beep'
      line 'zle-line-init() { print -n zle""ready }; zle -N zle-line-init'
      zpty -r z output '*zleready*'
      zpty -wn z '\((["logagent"] + line.typed).joined(separator: " "))'$'\\t'
      zpty -wn z $'\\C-u'"echo do''ne"$'\\n'
      zpty -r z output '*done*'
      print -r -- $output
      """
    guard let output = try runs("zsh", ["-f", "-c", script]) else { return }
    let shown = output.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      .map(String.init)
    let offered = line.offered.filter { line.typed.last != "" || !$0.hasPrefix("-") }
    for word in offered { #expect(shown.contains(word), "\(word) is not in: \(output)") }
  }

  private func check(_ words: [String], _ offered: [String], _ not: [String], _ output: String) {
    for word in offered { #expect(words.contains(word), "\(word) is not in: \(output)") }
    for word in not { #expect(!words.contains(word), "\(word) is in: \(output)") }
  }
}
