// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SupportBundle

extension Command {
  /// `logagent bundle diff A B`: what is new, gone, or more or less often than before.
  static let bundleDiff: Command = {
    var command = Command(
      "bundle diff", "tell what differs between two support bundles", run: runBundleDiff)
    command.operands = "BEFORE AFTER"
    command.operandCount = 2...2
    command.examples = [
      Example("logagent bundle diff monday.tar.gz tuesday.tar.gz", "What the new version changed")
    ]
    command.flags = [Flag("json", "An object a line")]
    command.notes = [
      """
      Crashes are compared by their fingerprints, messages by their templates (words with digits and \
      quoted texts are taken out) and sources. Rates are by the hour, of the time that each bundle \
      covers: one has changed when it is at least twice or at most half as high and chance does not \
      explain that. The exit status is 1 when there is no difference.
      """
    ]
    return command
  }()

  private static func runBundleDiff(_ call: Invocation) throws -> ExitStatus {
    let paths = call.arguments.operands
    do {
      let before = try BundleProfile(paths[0], shouldStop: call.context.shouldStop)
      let after = try BundleProfile(paths[1], shouldStop: call.context.shouldStop)
      let changes = BundleChange.all(before, after)
      for change in changes {
        call.output.append(call.arguments.has("json") ? change.json : change.text)
        try call.output.endOfRow()
      }
      if changes.isEmpty { call.warn("no difference") }
      return changes.isEmpty ? .nothingFound : .ok
    } catch let error as BundleError {
      throw CommandError(error.kind == .interrupted ? .interrupted : .dataError, error.description)
    }
  }
}
