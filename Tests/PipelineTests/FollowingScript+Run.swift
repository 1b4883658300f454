// SPDX-License-Identifier: Apache-2.0

import Foundation
import Pipeline
import TestSupport

/// An agent that follows the files, one turn after the other.
final class RunningAgent {
  let agent: Agent
  var follower: Follower

  init(_ agent: Agent) throws {
    self.agent = agent
    follower = try Follower(agent)
  }
}

extension Script {
  /// After so long without more, a record is closed, and half a line is stored.
  static let recordPatience: Int64 = 2_100_000_000
  static let linePatience: Int64 = 5_100_000_000

  /// The agent runs; it is started if need be. Time goes on while it waits.
  func runOn() throws {
    let waits: [Int64] = [0, 1, 300_000_000, 1_000_000_000, Self.recordPatience, Self.linePatience]
    try runOn(for: waits.randomElement(using: &random) ?? 0)
  }

  /// - Parameter wait: nanoseconds that pass while nothing happens.
  func runOn(for wait: Int64) throws {
    journal.append(running == nil ? "start" : "run on")
    let running = try running ?? RunningAgent(makeAgent())
    self.running = running
    try turn(running)
    if wait > 0 {
      journal.append("wait \(wait)")
      ageFolders()
      clock += wait
      try turn(running)
    }
    // What the agent was not told of, or could not read, it finds after five seconds; half a line is
    // stored when it was seen for so long.
    let isLong = wait >= Self.linePatience
    let isLate = isDeaf || hasFailed
    isRead = hasUnreadHalf ? isLong && !isLate : isLong || !isLate
    if isLong { hasFailed = false }
  }

  /// As if the last change was long ago: the agent may then spare itself a look at all names.
  private func ageFolders() {
    let past = Date(timeIntervalSince1970: 1_700_000_000 + TimeInterval(journal.count))
    for path in [folder.file("logs"), folder.file("logs/old"), folder.file("logs/older")] {
      try? FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
    }
  }

  private func turn(_ running: RunningAgent) throws {
    if !isDeaf { running.follower.noteChanges() }
    repeat { running.follower.turn() } while running.follower.hasMore
  }

  /// Ends the agent that runs, as a signal does, or as soon as what it has read is stored.
  func stop() throws {
    if running != nil { try stop(atOnce: Bool.random(using: &random)) }
  }

  func stop(atOnce: Bool) throws {
    guard let running else { return }
    self.running = nil
    if !atOnce {
      journal.append("stop")
      running.follower.finish { false }
    } else {
      journal.append("stop at once")
    }
    try running.agent.finish(isUrgent: true)
  }
}
