// SPDX-License-Identifier: Apache-2.0

internal import LogParser
internal import LogQuery
internal import SupportBundle

extension Command {
  /// `logagent redactions FILE`: what a bundle masks, and what a mark stands for.
  static let redactions: Command = {
    var command = Command(
      "redactions", "tell what a support bundle masks", run: runRedactions)
    command.operands = "FILE"
    command.operandCount = 1...1
    command.examples = [
      Example("logagent redactions b.tar.gz", "How much, by rule and place"),
      Example("logagent redactions b.tar.gz --reveal '<email:3>'", "Where the bundle was made"),
    ]
    command.flags = [
      Flag("reveal", value: "MARK", "The value that a mark stands for, on the machine that made it")
    ]
    command.notes = [
      """
      A mark tells nothing but a rule and a number. What the marks of the last bundles stand for \
      stays in the state directory of the machine that made them, readable by its user only.
      """
    ]
    return command
  }()

  private static func runRedactions(_ call: Invocation) throws -> ExitStatus {
    let path = call.arguments.operands[0]
    do {
      if let mark = call.arguments.value("reveal") { return try reveal(mark, path, call) }
      guard let bytes = try BundleExtract.member("redactions.json", of: path),
        let places = JSONTree(bytes).root?["places"]
      else { throw CommandError(.dataError, "\(path): it has no redactions.json") }
      var count = 0
      for place in places.elements {
        count += 1
        let field = place["field"]?.string.map { " " + $0 } ?? ""
        let line =
          (place["rule"]?.string ?? "").padded(to: 18)
          + String(place["hits"]?.int ?? 0).padded(to: 9)
          + (place["file"]?.string ?? "") + field
        call.output.append(SafeText.escaped(line) + "\n")
      }
      if count == 0 { call.warn("nothing was masked") }
      return count == 0 ? .nothingFound : .ok
    } catch let error as BundleError {
      throw CommandError(.dataError, error.description)
    }
  }

  private static func reveal(_ mark: String, _ path: String, _ call: Invocation) throws
    -> ExitStatus
  {
    let name = mark.hasPrefix("<") ? mark : "<\(mark)>"
    guard let values = try Reveals(try call.configuration()).values(of: name, in: path) else {
      throw CommandError(
        .unavailable, "\(path): it was not made here with this state directory, or too long ago")
    }
    for value in values { call.output.append(SafeText.escaped(value) + "\n") }
    if values.isEmpty { call.warn("\(path): there is no mark \(name)") }
    return values.isEmpty ? .nothingFound : .ok
  }
}
