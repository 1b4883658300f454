// SPDX-License-Identifier: Apache-2.0
import AgentConfig
import Pipeline
@main enum Main {
  static func main() throws {
    var c = Configuration(stateDirectory: CommandLine.arguments[2])
    c.paths = Array(CommandLine.arguments.dropFirst(3))
    let agent = try Agent(c, findsRotated: true, events: AgentLog())
    if CommandLine.arguments[1] == "import" { print(try agent.importOnce()) } else { try agent.run() }
  }
}
