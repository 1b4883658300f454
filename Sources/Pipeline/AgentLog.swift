// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LogModel
internal import Synchronization

/// The agent's own log: on standard error one line an event, `logagent: …`, and in the file that
/// `agent_log` names one JSON object an event, which is a source like any other.
///
/// Nothing is logged while all is well, and no event is told more than `RateLimit` allows: a program
/// that collects its own log must not write a line for every line that it reads.
package final class AgentLog: AgentEvents {
  /// What is shown of a crash's reason.
  private static let reasonBytes = 200

  /// How grave an event is, with the number of syslog that systemd reads before a line.
  private enum Level: Int {
    case error = 3
    case warn = 4
    case info = 6

    var name: String {
      switch self {
      case .error: "error"
      case .warn: "warn"
      case .info: "info"
      }
    }
  }

  private struct State {
    var limit = RateLimit()
    var file: OwnLogFile?
  }

  private let state = Mutex(State())
  /// Before each line: the level, where the journal reads standard error.
  private let isRead: Bool
  private let now: @Sendable () -> Timestamp

  /// - Parameters:
  ///   - environment: of the process; `JOURNAL_STREAM` says that the journal reads what we write.
  ///   - now: the clock.
  package init(
    environment: [String: String] = [:], now: @escaping @Sendable () -> Timestamp = SystemClock.now
  ) {
    isRead = environment["JOURNAL_STREAM"] != nil
    self.now = now
  }

  /// From here on events go to the file `path`, too; to none for `nil`.
  package func open(_ path: String?) {
    state.withLock { state in
      if state.file?.path != path { state.file = path.map { OwnLogFile(path: $0) } }
    }
  }

  package func started(sources: Int, files: Int) {
    say(
      .info, "started",
      "watching \(sources) source\(sources == 1 ? "" : "s"), \(files) file\(files == 1 ? "" : "s")")
  }

  package func problem(path: String, reason: String) {
    say(.warn, "problem", "\(path): \(reason)", [("path", path)])
  }

  package func recovered(path: String) {
    say(.info, "recovered", "\(path): all right again", [("path", path)])
  }

  package func storeUnavailable(reason: String, retryAfterMilliseconds: Int) {
    say(
      .error, "store_unavailable",
      "the store can't be written: \(reason); nothing is lost, it is tried again")
  }

  package func storeRecovered() { say(.info, "store_recovered", "the store can be written again") }

  package func committed(records: Int, crashes: Int) {}

  package func crashed(_ report: CrashReport, path: String) {
    let process = report.process ?? "a process"
    let pid = report.pid.map { " (pid \($0))" } ?? ""
    let what = report.reason ?? report.signal ?? report.kind.rawValue
    let verb =
      switch report.kind {
      case .hang: "hung"
      case .unknown: "left a report"
      default: "crashed"
      }
    let short = String(decoding: what.utf8.prefix(Self.reasonBytes), as: UTF8.self)
    say(
      .warn, "crashed", "\(process)\(pid) \(verb): \(short.split(separator: "\n").first ?? "")",
      [("path", path)])
  }

  package func deleted(path: String, reason: String) {
    say(.info, "deleted", "deleted \(path): \(reason)", [("path", path)])
  }

  package func progress(doneBytes: Int64, totalBytes: Int64) {}

  /// The agent ends because of an error; a message of several lines is told line by line.
  func failed(_ message: String) {
    for line in message.split(separator: "\n") { say(.error, "failed", String(line)) }
  }

  private func say(
    _ level: Level, _ event: String, _ text: String, _ fields: [(String, String)] = []
  ) {
    let time = now()
    state.withLock { state in
      let verdict = state.limit.admit(event, at: time)
      if verdict.suppressed > 0 {
        let words = "\(verdict.suppressed) further events '\(event)' were not told"
        write(.warn, words, to: &state, time, "suppressed", [])
      }
      if verdict.isAdmitted { write(level, text, to: &state, time, event, fields) }
    }
  }

  private func write(
    _ level: Level, _ text: String, to state: inout State, _ time: Timestamp, _ event: String,
    _ fields: [(String, String)]
  ) {
    // Control characters of a log file's name are not for the terminal.
    var line = Array((isRead ? "<\(level.rawValue)>" : "logagent: ").utf8)
    line += text.utf8.map { $0 < 32 || $0 == 127 ? UInt8(ascii: "?") : $0 }
    line.append(10)
    // One write: lines of two threads do not mix.
    _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    state.file?.append(
      [
        ("timestamp", "\(time)"), ("severity", level.name), ("logger", "logagent"),
        ("event", event), ("message", text),
      ] + fields)
  }
}
