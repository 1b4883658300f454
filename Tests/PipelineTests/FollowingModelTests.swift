// SPDX-License-Identifier: Apache-2.0

import AgentConfig
import Foundation
import LogModel
import Pipeline
import SQLite
import TestSupport
import Testing

/// Plays random scripts of what happens to log files against the real agent, which looks now and
/// then, and compares with a model of a few lines: every line once, none invented.
///
/// `LOGAGENT_MODEL_SCRIPTS` sets how many scripts are played, `LOGAGENT_MODEL_FIRST_SEED` where their
/// seeds begin.
@Suite struct FollowingModelTests {
  #if DEBUG
    private static let scripts = number("LOGAGENT_MODEL_SCRIPTS") ?? 300
  #else
    private static let scripts = number("LOGAGENT_MODEL_SCRIPTS") ?? 2_000
  #endif
  private static let firstSeed = number("LOGAGENT_MODEL_FIRST_SEED") ?? 1

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
  }

  @Test func everyLineIsStoredOnceWhateverHappensToTheFiles() throws {
    for seed in Self.firstSeed..<Self.firstSeed + Self.scripts { try play(seed) }
  }

  /// Seeds that failed once.
  @Test(arguments: [75, 722, 1175, 1334, 1495, 3041, 3213, 5167, 5524] as [UInt64])
  func scriptsThatFailedOnce(seed: UInt64) throws { try play(seed) }

  private func play(_ seed: UInt64) throws {
    let script = try Script(seed: seed)
    for _ in 0..<14 { try script.act() }
    try script.look(later: 10)
    try script.look(later: 20)
    try script.expectAllOnce("seed \(seed)")
  }
}
