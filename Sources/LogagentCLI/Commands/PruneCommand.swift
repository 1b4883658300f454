// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import LogStore
internal import Pipeline

extension Command {
  /// `logagent prune`: applies the retention rule now.
  static let prune: Command = {
    var command = Command("prune", "delete what is beyond the retention rule", run: runPrune)
    command.examples = [
      Example("logagent prune", "Apply [retention] of the configuration now"),
      Example("logagent prune --max-age 7d", "Delete what is older than a week"),
    ]
    command.flags = [
      Flag(
        "max-bytes", value: "SIZE", key: "retention.max_bytes",
        "Keep the store's files below SIZE, as in 200MiB"),
      Flag(
        "max-age", value: "TIME", key: "retention.max_age", "Delete records older than TIME"),
    ]
    command.notes = [
      """
      The agent does this by itself. It may run meanwhile: the store is changed in small steps \
      that it waits for. Crashes and the records around them have a quota of their own.
      """
    ]
    return command
  }()

  private static func runPrune(_ call: Invocation) throws -> ExitStatus {
    let configuration = try call.configuration()
    // Refuses what is no store, and says how to make one.
    _ = try call.openStore()
    let pruned: Int64
    do throws(StoreError) {
      pruned = try StorePruner.prune(
        configuration, now: call.context.now(), shouldStop: call.context.shouldStop)
    } catch {
      throw CommandError(
        ExitStatus(rawValue: AgentError.store(error).exitStatus) ?? .inputOutput,
        error.description)
    }
    call.output.append("\(counted(pruned, "record")) deleted\n")
    return call.context.shouldStop() ? .interrupted : .ok
  }
}
