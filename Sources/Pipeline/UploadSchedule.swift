// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel

/// When the agent starts `logagent upload --automatic`, which makes a bundle and sends it.
///
/// Nothing of bundles and of networks is in this process: it only knows when.
struct UploadSchedule: ~Copyable {
  private let words: [String]
  private let outbox: String
  private let interval: Int64?
  private let isOnCrash: Bool
  private var child: ChildProcess?
  /// When a bundle is due, in nanoseconds since 1970.
  private var bundleDue = Int64.max
  /// When something that waits in the outbox is due.
  private var retryDue = Int64.max

  /// What is logged after a crash belongs to its context; the store keeps five seconds of it.
  private static let crashDelay: Int64 = 10_000_000_000
  /// However soon a server may be tried again, a process is not started more often.
  private static let shortestRetry: Int64 = 30_000_000_000

  /// `nil` when nothing is to be sent by itself.
  init?(_ configuration: Configuration, now: Timestamp) {
    let upload = configuration.upload
    guard upload.automatic != .off, upload.configuredTarget != nil,
      let own = FileSystem.realPath("/proc/self/exe")
    else { return nil }
    var words = [FileSystem.folder(of: own) + "/logagent", "upload", "--automatic"]
    if let file = configuration.file { words += ["--config", file] }
    words += ["--state-dir", configuration.stateDirectory]
    self.words = words
    outbox = configuration.stateDirectory + "/outbox"
    isOnCrash = upload.automatic == .onCrash
    interval = if case .every(let time) = upload.automatic { time } else { nil }
    if let interval {
      // The folder of the last one tells when it was, also over a restart of the agent.
      let last = try? FileStatus(path: outbox + "/automatic").modified.nanoseconds
      bundleDue = (last ?? now.nanoseconds) + interval
    }
    noteWaiting(now)
  }

  /// To be called now and then.
  ///
  /// - Parameters:
  ///   - now: the clock.
  ///   - sawCrash: what was stored since the last call tells of a crash.
  /// - Returns: why the program could not be started, if so.
  mutating func step(now: Timestamp, sawCrash: Bool) -> FileError? {
    if sawCrash, isOnCrash {
      bundleDue = min(bundleDue, now.nanoseconds + Self.crashDelay)
    }
    if let running = child.take() {
      if running.endIfEnded() == nil {
        child = consume running
        return nil
      }
      noteWaiting(now)
    }
    guard now.nanoseconds >= min(bundleDue, retryDue) else { return nil }
    retryDue = Int64.max
    if now.nanoseconds >= bundleDue {
      bundleDue = interval.map { now.nanoseconds + $0 } ?? Int64.max
    }
    do throws(FileError) {
      child = try ChildProcess(words, environment: ProcessEnvironment.variables())
      return nil
    } catch {
      retryDue = now.nanoseconds + 3_600_000_000_000
      return error
    }
  }

  /// When the outbox wants to be tried again, which the last run has left in a file.
  private mutating func noteWaiting(_ now: Timestamp) {
    retryDue = Int64.max
    guard let bytes = try? FileSystem.contents(of: outbox + "/next", limit: 32),
      let seconds = Int64(
        String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
    else { return }
    retryDue = max(
      seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue,
      now.nanoseconds + Self.shortestRetry)
  }
}

extension RecordBatch {
  /// A report, or a record of the severity that crashes have.
  var mayTellOfCrash: Bool {
    !reports.isEmpty || records.contains { $0.severity.number >= 21 }
  }
}
