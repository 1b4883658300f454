// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LogModel

/// The agent's own log on standard error: one line an event, `logagent: …`, nothing when all is
/// well. A program that collects its own log this way must not write a line for every line it
/// reads; so it does not.
package final class AgentLog: AgentEvents {
  /// What is shown of a crash's reason.
  private static let reasonBytes = 200

  package init() {}

  package func started(sources: Int, files: Int) {
    say(
      "watching \(sources) source\(sources == 1 ? "" : "s"), \(files) file\(files == 1 ? "" : "s")")
  }

  package func problem(path: String, reason: String) {
    say(reason.hasPrefix(path) ? reason : "\(path): \(reason)")
  }

  package func recovered(path: String) { say("\(path): all right again") }

  package func storeUnavailable(reason: String, retryAfterMilliseconds: Int) {
    say("the store can't be written: \(reason); nothing is lost, it is tried again")
  }

  package func storeRecovered() { say("the store can be written again") }

  package func committed(records: Int, crashes: Int) {}

  package func crashed(_ report: CrashReport, path: String) {
    let process = report.process ?? "a process"
    let pid = report.pid.map { " (pid \($0))" } ?? ""
    let what = report.reason ?? report.signal ?? report.kind.rawValue
    let short = String(decoding: what.utf8.prefix(Self.reasonBytes), as: UTF8.self)
    say("\(process)\(pid) crashed: \(short.split(separator: "\n").first ?? "")")
  }

  package func deleted(path: String, reason: String) { say("deleted \(path): \(reason)") }

  package func progress(doneBytes: Int64, totalBytes: Int64) {}

  /// The agent ends because of an error; a message of several lines is told line by line.
  func failed(_ message: String) {
    for line in message.split(separator: "\n") { say(String(line)) }
  }

  private func say(_ text: String) {
    // Control characters of a log file's name are not for the terminal.
    var line = Array("logagent: ".utf8)
    line += text.utf8.map { $0 < 32 || $0 == 127 ? UInt8(ascii: "?") : $0 }
    line.append(10)
    // One write: lines of two threads do not mix.
    _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
