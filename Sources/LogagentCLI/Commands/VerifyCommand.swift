// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogQuery
internal import SupportBundle

extension Command {
  /// `logagent verify`: whether a bundle is whole and as it was made.
  static let verify: Command = {
    var command = Command(
      "verify", "check the sums and the structure of a support bundle", run: runVerify)
    command.operands = "FILE"
    command.operandCount = 1...1
    command.examples = [Example("logagent verify bundle.tar.gz", "Before it is unpacked")]
    command.notes = [
      """
      Every member is read and compared with SHA256SUMS and manifest.json; nothing is unpacked. \
      Archives with links, unsafe names or members that unpack to far more than they are, are \
      refused. The exit status is 65 when something is wrong.
      """
    ]
    return command
  }()

  private static func runVerify(_ call: Invocation) throws -> ExitStatus {
    let path = call.arguments.operands[0]
    do {
      let result = try BundleVerifier.verify(path)
      call.output.append(
        "\(SafeText.escaped(path)): sound: \(result.members) members, "
          + "\(ByteCount.text(result.bytes)), \(result.isRedacted ? "redacted" : "NOT redacted")\n")
      return .ok
    } catch let error as BundleError {
      throw CommandError(.dataError, error.description)
    }
  }
}
