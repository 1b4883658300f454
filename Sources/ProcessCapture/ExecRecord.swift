// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogModel

/// The records about a captured program: JSON lines, which the store makes runs and crashes of.
struct ExecRecord {
  private let request: CaptureRequest
  private let pid: Int32
  private let start: Timestamp

  init(_ request: CaptureRequest, pid: Int32, start: Timestamp) {
    self.request = request
    self.pid = pid
    self.start = start
  }

  private var program: String {
    request.command[0].split(separator: "/").last.map(String.init) ?? request.command[0]
  }

  /// It was started.
  func started() -> String {
    let command = request.command.joined(separator: " ")
    return line(
      "info", "started \(command)", event: "process.start", at: start,
      program: program, [("process.command_line", JSONText.quoted(command))])
  }

  /// It ended.
  func ended(_ result: CaptureResult, at time: Timestamp) -> String {
    var members: [(String, String)] = []
    var text: String
    var level = "info"
    if let signal = result.signal {
      let name = Self.name(ofSignal: signal)
      let isCrash = RunOutcome.crashSignals.contains(name)
      text = (isCrash ? "crashed with " : "was ended by ") + name
      level = isCrash ? "fatal" : "warning"
      members.append(("process.exit.signal", JSONText.quoted(name)))
      members.append(("process.core_dumped", result.coreDumped ? "true" : "false"))
      if result.coreDumped { text += " (core dumped)" }
    } else {
      let status = result.status ?? 0
      text = "ended with status \(status)"
      level = status == 0 ? "info" : "error"
      members.append(("process.exit.code", String(status)))
    }
    let isBad = result.signal != nil || result.status != 0
    if isBad, let words = result.lastWords {
      text += ": " + words
      members.append(("process.last_words", JSONText.quoted(words)))
    }
    // The kernel's name is cut.
    let command = result.command.flatMap { program.hasPrefix($0) ? nil : $0 }
    return line(
      level, text, event: "process.exit", at: time, program: command ?? program, members)
  }

  private func line(
    _ level: String, _ text: String, event: String, at time: Timestamp, program: String,
    _ members: [(String, String)]
  ) -> String {
    var all: [(String, String)] = [
      ("time", JSONText.quoted(time.description)), ("level", JSONText.quoted(level)),
      ("logger", "\"logagent.exec\""), ("process", JSONText.quoted(request.name)),
      ("pid", String(pid)), ("msg", JSONText.quoted("\(request.name) \(text)")),
      ("event.name", JSONText.quoted(event)),
      ("process.executable.name", JSONText.quoted(program)),
      ("process.start.unix_nano", String(start.nanoseconds)),
    ]
    all += members
    return "{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
  }

  private static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2",
      SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS",
      SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
    return names[number] ?? "signal \(number)"
  }
}

/// The end of what a program said on standard error.
struct LastWords {
  private var tail: [UInt8] = []
  private static let keptBytes = 4096
  private static let maxLength = 500

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    tail += bytes.suffix(Self.keptBytes)
    if tail.count > Self.keptBytes { tail.removeFirst(tail.count - Self.keptBytes) }
  }

  /// The last line that says something of the cause.
  var text: String? {
    let lines = tail.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0.prefix(Self.maxLength), as: UTF8.self)
    }
    // Swift's backtracer tells of its own work after the program's words.
    let last = lines.last { line in
      !line.hasPrefix("*** Signal ") && !line.hasPrefix("swift-runtime: ")
        && line.contains { $0 != " " && $0 != "\r" }
    }
    return last.map { String($0.drop { $0 == " " }) }
  }
}
