// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent crash show ID`: one crash with what all sources said around it.
  static let crashShow: Command = {
    var command = Command(
      "crash show", "show a crash and the records around it", run: runCrashShow)
    command.operands = "ID"
    command.operandCount = 1...1
    command.operandCompletion = .stored(.crashes)
    command.examples = [
      Example("logagent crash show 12", "The crash, its stack and its minute"),
      Example("logagent crash show 12 --format raw > report.json", "The report as it was written"),
      Example("logagent crash show 12 --format apple", "Any report as an Apple crash text"),
    ]
    command.flags = [
      Flag("context", value: "TIME", "So long before the crash (60s); 5s after it are shown too"),
      Flag(
        "format", short: "f", value: "FORMAT", completion: .words(of: CrashFormat.self),
        "text, json, apple, or raw (the report's own bytes)"),
      Flag("no-pager", "Never show the output in a pager"),
      Invocation.databaseFlag,
      Invocation.bundleFlag,
    ]
    command.notes = [
      "ID is that of 'logagent crashes'. Lines of the process that crashed are marked with '>'."
    ]
    return command
  }()

  private enum CrashFormat: String, CaseIterable {
    case text
    case json
    case apple
    case raw
  }

  private static func runCrashShow(_ call: Invocation) throws -> ExitStatus {
    let format = try call.arguments.choice("format", of: CrashFormat.self) ?? .text
    let text = call.arguments.operands[0]
    guard let id = Int64(text) else {
      throw CommandError.usage("crash show: expected the number of a crash, got '\(text)'")
    }
    let context = call.arguments.value("context") ?? "60s"
    guard let before = Quantity.nanoseconds(context) else {
      throw CommandError.usage("--context: expected a time such as 60s or 5m, got '\(context)'")
    }
    let store = try call.openStore()
    guard let crash = try CrashView(id: id, store: store, before: before) else {
      throw CommandError(.nothingFound, "there is no crash \(id); 'logagent crashes' lists them")
    }
    if format == .text { call.startPager() }
    switch format {
    case .text: try crash.writeText(call)
    case .json: try crash.writeJSON(call)
    case .apple: call.output.append(try crash.appleText())
    case .raw: call.output.append(contentsOf: try crash.report())
    }
    return .ok
  }
}
