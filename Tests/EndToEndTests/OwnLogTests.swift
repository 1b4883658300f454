// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

@Suite("The agent's own log")
struct OwnLogTests {
  @Test("is a source: what the agent says can be asked")
  func source() throws {
    let folder = try TemporaryDirectory()
    let state = folder.file("state")
    try folder.write("logs/app.log", "2026-11-30T10:00:00Z INFO x\n")
    // Something to tell: a database among the logs.
    try folder.write(
      "logs/data.log", Array("SQLite format 3\0".utf8) + Array(repeating: 1, count: 99))
    let log = folder.file("own/agent.log")
    try folder.write("own/readme", "")
    let agent = try RunningAgent(
      [folder.file("logs")], state: state, environment: ["LOGAGENT_AGENT_LOG": log])
    let answer = agent.wait(
      for: "warn|problem|logagent",
      """
      SELECT severity || '|' || (attributes ->> '$.event') || '|' || scope_name FROM logs
      WHERE source = 'logagent' AND body LIKE '%data.log: an SQLite database%'
      """)
    #expect(answer == "warn|problem|logagent")
    // It does not answer itself: nothing is added while nothing happens.
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
    try folder.append("logs/app.log", "2026-11-30T10:00:01Z INFO y\n")
    #expect(agent.wait(for: "2", "SELECT count(*) FROM logs WHERE source = 'app'") == "2")
    #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == size)
    #expect(agent.stop() == 0)
  }
}
