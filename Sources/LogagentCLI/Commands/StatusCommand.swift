// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent status`: how far the agent is, and what is wrong.
  static let status: Command = {
    var command = Command("status", "tell what is stored, and what is wrong", run: runStatus)
    command.examples = [
      Example("logagent status", "For people"),
      Example("logagent status --json", "For a script"),
    ]
    command.flags = [Flag("json", "As one JSON object"), Invocation.databaseFlag]
    command.notes = [
      """
      'behind' is what lies in the files and is not stored yet, as of the agent's last look. The \
      size is that of the database with its write-ahead log, against retention.max_bytes.
      """
    ]
    return command
  }()

  private static func runStatus(_ call: Invocation) throws -> ExitStatus {
    let configuration = try call.configuration()
    let store = try call.openStore()
    let status = try StoreStatus(store, quota: configuration.retention.maxBytes)
    call.output.append(call.arguments.has("json") ? status.json : status.text)
    return .ok
  }
}
