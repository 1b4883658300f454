// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel
internal import LogParser
internal import LogQuery

/// A run of `logagent-upload`: gives it a job, and tells a person what it tells.
struct UploadRun {
  private let call: Invocation
  private var hasProgress: Bool { call.context.errors.isTerminal }

  init(_ call: Invocation) { self.call = call }

  /// Does the job.
  ///
  /// - Throws: `CommandError` when the program can't be run.
  func run(_ job: UploadJob, asJSON: Bool = false) throws -> ExitStatus {
    guard let own = FileSystem.realPath("/proc/self/exe") else {
      throw CommandError(.unavailable, "cannot find out where this program lies")
    }
    let program = FileSystem.folder(of: own) + "/logagent-upload"
    let child: ChildProcess
    do throws(FileError) {
      child = try ChildProcess(
        [program], input: Array(job.lines.text.utf8), environment: call.context.environment)
    } catch {
      throw CommandError(.unavailable, error.description + "; it belongs beside logagent")
    }
    var items = 0
    var rest: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while let count = try read(child.output, into: &chunk), count > 0 {
      rest += chunk[..<count]
      while let end = rest.firstIndex(of: 0x0a) {
        let line = Array(rest[..<end])
        rest.removeFirst(end + 1)
        guard let event = JSONTree(line).root, let name = event["event"]?.string else { continue }
        if name == "item" {
          items += 1
          if asJSON {
            call.output.append(contentsOf: line + [0x0a])
          } else {
            call.output.append(Self.text(ofItem: event))
          }
          try call.output.endOfRow()
        } else {
          tell(name, event)
        }
      }
    }
    switch child.wait() {
    case .exited(let status):
      guard let known = ExitStatus(rawValue: status) else {
        throw CommandError(.unavailable, "\(program): ended with status \(status)")
      }
      if job.action == .status, items == 0, !asJSON { call.warn("the outbox is empty") }
      return known
    case .killed(let signal):
      throw CommandError(
        .unavailable, "\(program): ended by signal \(signal); the outbox keeps what was not sent")
    }
  }

  private func read(
    _ output: borrowing FileDescriptor, into chunk: inout [UInt8]
  ) throws -> Int? {
    try chunk.withUnsafeMutableBytes { try output.read(into: $0) }
  }

  private func tell(_ name: String, _ event: JSONValue) {
    let file = event["name"]?.string.map { $0 + ": " } ?? ""
    let message = event["message"]?.string ?? ""
    switch name {
    case "progress": showProgress(event)
    case "sent":
      clearProgress()
      let size = ByteCount.text(event["total"]?.int ?? 0)
      call.warn("\(file)sent \(size), the server answered \(event["status"]?.int ?? 0)")
    case "waiting":
      clearProgress()
      let seconds = Double(event["milliseconds"]?.int ?? 0) / 1000
      let shown = (seconds * 10).rounded() / 10
      call.warn("\(file)\(message); next attempt in \(shown) s")
    case "already", "pending", "failed", "problem":
      clearProgress()
      call.warn(file + message)
    default: break
    }
  }

  private func showProgress(_ event: JSONValue) {
    guard hasProgress, let sent = event["sent"]?.int, let total = event["total"]?.int, total > 0
    else { return }
    write("\r\u{1b}[K\(sent * 100 / total) % of \(ByteCount.text(total))")
  }

  private func clearProgress() { if hasProgress { write("\r\u{1b}[K") } }

  private func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in try? call.context.errors.write(UnsafeRawBufferPointer(bytes)) }
  }

  private static func text(ofItem item: JSONValue) -> String {
    var text = (item["place"]?.string ?? "").padded(to: 10)
    text += ByteCount.text(item["size"]?.int ?? 0).padded(to: 9) + " "
    text += item["name"]?.string ?? ""
    if let address = item["address"]?.string { text += "  → \(address)" }
    if let sent = item["sent"]?.string {
      text += "  \(sent), answer \(item["answer"]?.int ?? 0)"
    } else {
      text +=
        "  since \(item["queued"]?.string ?? ""), \(counted(item["attempts"]?.int ?? 0, "attempt"))"
      if let bytes = item["acknowledged"]?.int { text += ", the server has \(bytes) bytes" }
      if let next = item["next"]?.string { text += ", next at \(next)" }
      if let reason = item["reason"]?.string { text += ": \(reason)" }
    }
    return SafeText.escaped(text) + "\n"
  }
}
