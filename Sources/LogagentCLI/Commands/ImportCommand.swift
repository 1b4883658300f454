// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import Pipeline
internal import Synchronization

extension Command {
  /// `logagent import PATH…`: reads what is there, once.
  static let `import`: Command = {
    var command = Command("import", "read log files and crash reports once", run: importOnce)
    command.operands = "[PATH…]"
    command.operandCount = 0...Int.max
    command.examples = [
      Example("logagent import /var/log/myapp", "Read all logs and crash reports in a folder"),
      Example("logagent import app.log.2.gz", "Read a compressed file as it is"),
      Example("ssh host cat app.log | logagent import -", "Read standard input"),
    ]
    command.notes = [
      """
      What is in the store already, by file and offset, is not stored again: a second import only \
      reads what is new.
      """
    ]
    return command
  }()

  private static func importOnce(_ call: Invocation) throws -> ExitStatus {
    var configuration = try call.configuration()
    configuration.paths += call.arguments.operands
    if configuration.paths.isEmpty && configuration.sources.isEmpty && configuration.spools.isEmpty
      && configuration.journals.isEmpty
    {
      throw CommandError.usage(
        "nothing to import: name files or folders, or configure a [[source]]")
    }
    let progress = ImportProgress(call)
    let summary: AgentSummary
    do throws(AgentError) {
      let agent = try Agent(configuration, findsRotated: false, events: progress)
      summary = try agent.importOnce()
    } catch {
      progress.finish()
      throw CommandError(
        ExitStatus(rawValue: error.exitStatus) ?? .inputOutput, error.description)
    }
    progress.finish()
    for (path, reason) in summary.problems.sorted(by: { $0.key < $1.key }) {
      call.warn("\(path): \(reason)")
    }
    call.warn(progress.summary(files: summary.files))
    return summary.problems.isEmpty ? .ok : .someInputFailed
  }
}

/// Counts what an import does, and shows a bar on a terminal.
///
/// `@unchecked Sendable`: the counters are atomic; the bar is drawn by the reading thread only.
private final class ImportProgress: AgentEvents, @unchecked Sendable {
  private let records = Atomic(0)
  private let crashes = Atomic(0)
  private let context: CLIContext
  private var shownPercent = -1

  init(_ call: Invocation) { context = call.context }

  func started(sources: Int, files: Int) {}
  // Told together at the end, so that they do not tear the bar.
  func problem(path: String, reason: String) {}
  func recovered(path: String) {}
  func storeRecovered() {}
  func deleted(path: String, reason: String) {}
  func crashed(_ report: CrashReport, path: String) {}

  func storeUnavailable(reason: String, retryAfterMilliseconds: Int) {
    CLI.report("the store can't be written: \(reason); trying again", to: context.errors)
  }

  func committed(records: Int, crashes: Int) {
    self.records.add(records, ordering: .relaxed)
    self.crashes.add(crashes, ordering: .relaxed)
  }

  func progress(doneBytes: Int64, totalBytes: Int64) {
    guard context.errors.isTerminal, totalBytes > 0 else { return }
    let percent = Int(Double(doneBytes) / Double(totalBytes) * 100)
    guard percent != shownPercent else { return }
    shownPercent = percent
    let width = 30
    let filled = width * percent / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    draw("\r[\(bar)] \(percent) % of \(ByteCount.text(totalBytes))")
  }

  /// Takes the bar away.
  func finish() {
    if shownPercent >= 0 { draw("\r\u{1b}[K") }
  }

  func summary(files: Int) -> String {
    let records = records.load(ordering: .relaxed)
    let crashes = crashes.load(ordering: .relaxed)
    return "stored \(counted(records, "record")) of \(counted(files, "file")), "
      + counted(crashes, "crash report")
  }

  private func draw(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      // A bar that can't be drawn is no reason to stop.
      try? context.errors.write(UnsafeRawBufferPointer(bytes))
    }
  }
}
