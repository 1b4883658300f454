// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// What an agent has to tell while it runs. Called from any of its threads.
package protocol AgentEvents: Sendable {
  /// It watches; the limits in force are those of the configuration.
  func started(sources: Int, files: Int)
  /// Something can't be read, and why; told once for each change of the reason.
  func problem(path: String, reason: String)
  /// What was wrong with a path is over.
  func recovered(path: String)
  /// The store can't be written for now; nothing is lost, it is tried again.
  func storeUnavailable(reason: String, retryAfterMilliseconds: Int)
  /// The store can be written again.
  func storeRecovered()
  /// A batch is committed.
  func committed(records: Int, crashes: Int)
  /// A report was stored; what is known of the crash by then, from all that tells of it.
  func crashed(_ report: CrashReport, path: String)
  /// An application's old log file was deleted, for a `directory_quota`.
  func deleted(path: String, reason: String)
  /// Bytes read of bytes there are, for a progress bar; only of `import`.
  func progress(doneBytes: Int64, totalBytes: Int64)
}
