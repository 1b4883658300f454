// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import Pipeline
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
    let status = try StoreStatus.now(of: store, configuration)
    call.output.append(call.arguments.has("json") ? status.json : status.text)
    return .ok
  }
}

extension StoreStatus {
  /// The status with what only the host knows: whether an agent runs, and how full the disk is.
  ///
  /// - Throws: `QueryError`.
  static func now(of store: QueryStore, _ configuration: Configuration) throws -> StoreStatus {
    var status = try StoreStatus(store, quota: configuration.retention.maxBytes)
    let folder = FileSystem.folder(of: FileSystem.absolutePath(store.path))
    status.agent = AgentPresence.processID(stateDirectory: folder)
    status.freeBytes = DiskSpace(of: folder)?.freeBytes
    return status
  }
}
