// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import Pipeline

/// A line that is written to a file, read by an agent, stored, and found again: the whole way, in a
/// folder of its own.
enum Canary {
  /// Sends one on its way.
  ///
  /// - Parameters:
  ///   - folder: where the way may lie; it is removed afterwards.
  ///   - configuration: whose limits and formats hold.
  ///   - now: stands in the line.
  /// - Returns: a finding, good or bad.
  static func run(in folder: String, _ configuration: Configuration, now: Timestamp) -> Finding {
    let name = "canary-\(now.nanoseconds)"
    let log = folder + "/canary.log"
    var own = Configuration(stateDirectory: folder + "/state")
    own.formats = configuration.formats
    own.limits = configuration.limits
    own.paths = [log]
    defer { remove(folder, own) }
    do {
      try FileSystem.makeFolder(folder, permissions: 0o700)
      let file = try AtomicFile(target: log)
      try file.descriptor.write("\(now) ERROR canary: \(name)\n")
      try file.commit()
      let agent = try Agent(own, findsRotated: false, events: SilentEvents())
      _ = try agent.importOnce()
      var found = 0
      let store = try QueryStore(path: own.storePath)
      try store.forEach("SELECT 1 FROM logs WHERE body LIKE '%\(name)%'") { _ in found += 1 }
      if found == 1 { return .ok("canary", "a line was written, read, stored and found again") }
      return .problem(
        "canary", "a line was written and found \(found) times", remedy: "please report this")
    } catch {
      return .problem(
        "canary", "a line did not arrive: \(CommandError(error)?.message ?? "\(error)")",
        remedy: "make \(FileSystem.folder(of: folder)) writable, or set TMPDIR")
    }
  }

  private static func remove(_ folder: String, _ configuration: Configuration) {
    for part in [configuration.stateDirectory, folder] {
      for name in (try? FileSystem.names(in: part)) ?? [] {
        try? FileSystem.remove(part + "/" + name)
      }
      try? FileSystem.removeFolder(part)
    }
  }
}

/// The canary's agent has nothing to say: what goes wrong is thrown.
private struct SilentEvents: AgentEvents {
  func started(sources: Int, files: Int) {}
  func problem(path: String, reason: String) {}
  func recovered(path: String) {}
  func storeUnavailable(reason: String, retryAfterMilliseconds: Int) {}
  func storeRecovered() {}
  func committed(records: Int, crashes: Int) {}
  func crashed(_ report: CrashReport, path: String) {}
  func deleted(path: String, reason: String) {}
  func progress(doneBytes: Int64, totalBytes: Int64) {}
}
