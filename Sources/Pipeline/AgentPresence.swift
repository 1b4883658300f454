// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// Whether an agent uses a state directory now.
package enum AgentPresence {
  /// The agent's process; `nil` when none runs, or when this user may not know.
  ///
  /// - Parameter stateDirectory: of the configuration.
  package static func processID(stateDirectory: String) -> Int32? {
    let path = stateDirectory + "/lock"
    guard let lock = try? FileDescriptor.openForReading(path) else { return nil }
    // An agent holds it exclusively for as long as it lives. Ours is gone with the descriptor; one
    // that starts at this moment tries again.
    if flock(lock.number, LOCK_SH | LOCK_NB) == 0 { return nil }
    let text = (try? FileSystem.contents(of: path, limit: 32)) ?? []
    return Int32(String(decoding: text.prefix { $0 &- 48 < 10 }, as: UTF8.self))
  }
}
