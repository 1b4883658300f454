// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// Runs `logagent`, and tells its output and how it ended.
enum Logagent {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  static func start(
    _ arguments: [String], state: String, environment: [String: String] = [:], output: Pipe = Pipe()
  ) throws -> (process: Process, output: Pipe, errors: Pipe) {
    let process = Process()
    process.executableURL = BuiltProgram.url("logagent")
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    variables["LOGAGENT_STATE_DIR"] = state
    variables["SWIFT_BACKTRACE"] = nil
    process.environment = variables.merging(environment) { $1 }
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return (process, output, errors)
  }

  @discardableResult
  static func run(
    _ arguments: String..., state: String, environment: [String: String] = [:]
  ) throws -> Result {
    let started = try start(arguments, state: state, environment: environment)
    let output = started.output.fileHandleForReading.readDataToEndOfFile()
    let errors = started.errors.fileHandleForReading.readDataToEndOfFile()
    started.process.waitUntilExit()
    return Result(
      status: started.process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }
}

@Suite struct ExecTests {
  /// A program that dies in the way its argument names.
  private static let source = """
    import Glibc
    @inline(never) func pick(_ list: [Int], _ index: Int) -> Int { list[index] }
    @inline(never) func number(_ text: String) -> Int { Int(text)! }
    @inline(never) func sum(_ value: Int) -> Int { value + Int.max }
    @main enum Mortal {
      static func main() {
        setvbuf(stdout, nil, _IOLBF, 0)
        fputs("begins\\n", stdout)
        switch CommandLine.arguments[1] {
        case "fatal": fatalError("out of tea")
        case "index": print(pick([1, 2], CommandLine.arguments.count + 3))
        case "nil": print(number("tea"))
        case "trap": print(sum(CommandLine.arguments.count))
        default: abort()
        }
      }
    }
    """

  private static func compile(in folder: TemporaryDirectory) throws -> String {
    let source = try folder.write("mortal.swift", Self.source)
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let program = folder.file("mortal")
    compiler.arguments = ["swiftc", "-parse-as-library", "-g", "-Onone", "-o", program, source]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    return program
  }

  @Test func eachDeathOfASwiftProgramIsOneCrashWithItsReason() throws {
    let folder = try TemporaryDirectory()
    let program = try Self.compile(in: folder)
    let (state, logs) = (folder.file("state"), folder.file("logs"))
    let deaths: [(name: String, status: Int32, summary: String)] = [
      ("fatal", 132, "assertion|SIGILL|Fatal error: out of tea|Mortal.main() at mortal.swift:10"),
      (
        "index", 132,
        "assertion|SIGILL|Fatal error: Index out of range|pick(_:_:) at mortal.swift:2"
      ),
      (
        "nil", 132,
        "assertion|SIGILL|Fatal error: Unexpectedly found nil while unwrapping an Optional value"
          + "|number(_:) at mortal.swift:3"
      ),
      (
        "trap", 132,
        "assertion|SIGILL|Swift runtime failure: arithmetic overflow|sum(_:) at mortal.swift:4"
      ),
      ("abort", 134, "signal|SIGABRT|Aborted|"),
    ]
    for death in deaths {
      let result = try Logagent.run(
        "exec", "--name", "m-" + death.name, "--log-dir", logs, "--", program, death.name,
        state: state)
      #expect(result.status == death.status)
      #expect(result.output == "begins\n")
    }
    #expect(try Logagent.run("import", logs, state: state).status == 0)
    for death in deaths {
      let sql = """
        SELECT group_concat(kind || '|' || signal || '|' || reason || '|' || CASE
          WHEN signal = 'SIGABRT' THEN '' ELSE replace(replace(top_frame, ' in mortal', ''),
            'static ', '') END)
        FROM crashes WHERE process = 'm-\(death.name)'
        """
      #expect(try Store.text(state, sql) == death.summary)
    }
    #expect(
      try Store.text(state, "SELECT count(*) || ' ' || min(evidence) FROM crashes") == "5 2")
    #expect(
      try Store.text(state, "SELECT group_concat(outcome || (pid NOT NULL)) FROM runs")
        == "crash1,crash1,crash1,crash1,crash1")
    let last = try Logagent.run("crashes", "--last-run", "m-index", "--ack", state: state)
    #expect(last.status == 3)
    #expect(last.output.hasPrefix("the last run of m-index crashed: Fatal error: Index out of"))
    #expect(try Logagent.run("crashes", "--last-run", "m-index", state: state).status == 0)
    #expect(try Logagent.run("crashes", "--last-run", "nobody", state: state).status == 1)
  }

  @Test func theProgramsOwnStatusAndOutputComeThrough() throws {
    let folder = try TemporaryDirectory()
    let (state, logs) = (folder.file("state"), folder.file("logs"))
    let result = try Logagent.run(
      "exec", "--name", "job", "--log-dir", logs, "--", "sh", "-c",
      "echo out; echo $SWIFT_BACKTRACE; echo disk is gone >&2; exit 7", state: state)
    #expect(result.status == 7)
    #expect(
      result.output.hasPrefix("out\nenable=yes,color=no,interactive=no,format=json,output-to="))
    #expect(result.errors == "disk is gone\n")
    let own = try Logagent.run(
      "exec", "--quiet", "--log-dir", logs, "--", "sh", "-c", "echo $SWIFT_BACKTRACE",
      state: state, environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(own.status == 0 && own.output.isEmpty)
    #expect(
      try Logagent.run("exec", "--log-dir", logs, "--", "no-such-program", state: state).status
        == 127)
    try Logagent.run("import", logs, state: state)
    #expect(
      try Store.text(
        state, "SELECT outcome || exit_status || last_words FROM runs WHERE process = 'job'")
        == "exit7disk is gone")
    #expect(
      try Store.text(state, "SELECT group_concat(body) FROM logs WHERE process = 'sh'")
        .contains("enable=no"))
    #expect(try Logagent.run("crashes", "--last-run", "job", state: state).status == 0)
  }

  @Test func aFullOutputThatDoesNotBlockIsWaitedFor() throws {
    let folder = try TemporaryDirectory()
    let pipe = Pipe()
    // As a shell's terminal is after some programs: the flag is that of all who share it.
    #expect(fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
    let started = try Logagent.start(
      [
        "exec", "--log-dir", folder.file("logs"), "--", "sh", "-c",
        "head -c 300000 /dev/zero | tr '\\0' x",
      ], state: folder.file("state"), output: pipe)
    Thread.sleep(forTimeInterval: 0.3)
    #expect(pipe.fileHandleForReading.readDataToEndOfFile().count == 300_000)
    started.process.waitUntilExit()
    #expect(started.process.terminationStatus == 0)
  }

  @Test("signals go through to the program", arguments: ["HUP", "INT", "TERM", "USR1", "WINCH"])
  func signals(name: String) throws {
    let folder = try TemporaryDirectory()
    let started = try Logagent.start(
      [
        "exec", "--log-dir", folder.file("logs"), "--", "sh", "-c",
        "trap 'echo got it; exit 9' \(name); echo ready; while :; do sleep 0.01; done",
      ], state: folder.file("state"))
    let output = started.output.fileHandleForReading
    #expect(String(decoding: output.availableData, as: UTF8.self) == "ready\n")
    let numbers = [
      "HUP": SIGHUP, "INT": SIGINT, "TERM": SIGTERM, "USR1": SIGUSR1, "WINCH": SIGWINCH,
    ]
    kill(started.process.processIdentifier, try #require(numbers[name]))
    #expect(String(decoding: output.readDataToEndOfFile(), as: UTF8.self) == "got it\n")
    started.process.waitUntilExit()
    #expect(started.process.terminationStatus == 9)
  }

  @Test func aSignalThatKillsTheProgramIsTold() throws {
    let folder = try TemporaryDirectory()
    let (state, logs) = (folder.file("state"), folder.file("logs"))
    let result = try Logagent.run(
      "exec", "--name", "job", "--log-dir", logs, "--", "sh", "-c", "kill -9 $$", state: state)
    #expect(result.status == 137)
    try Logagent.run("import", logs, state: state)
    #expect(
      try Store.text(state, "SELECT outcome || signal || core_dumped FROM runs")
        == "killedSIGKILL0")
    #expect(try Store.text(state, "SELECT count(*) FROM crashes") == "0")
  }
}
