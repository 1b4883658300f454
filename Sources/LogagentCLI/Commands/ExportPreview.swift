// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import Redaction
internal import SupportBundle

extension Command {
  /// `logagent export --preview`: what would be masked, each with what stands around it. The values
  /// themselves show only their shape, so that the list can be shown around, too.
  static func preview(
    _ request: BundleRequest, _ rules: RedactionRules, _ call: Invocation
  ) throws -> ExitStatus {
    let preview = BundlePreview(rules)
    var shown = 0
    let count = try preview.run(request) { line in
      shown += 1
      call.output.append(SafeText.escaped(line) + "\n")
      try call.output.endOfRow()
    }
    call.warn(
      "\(count) places in records and crashes would be masked, \(shown) different ones shown; "
        + "nothing was written")
    return count > 0 ? .ok : .nothingFound
  }
}
