// SPDX-License-Identifier: Apache-2.0

package import FileIO

/// Takes stored reports out of a spool that was given to us: they are moved into a folder in it,
/// where the newest are kept up to a number of bytes.
///
/// Of several agents with one spool one has it, by a lock which the kernel gives back when that
/// agent ends in any way. Reports are moved when they are stored: to move them first would leave
/// those of an agent that was killed where nobody looks.
package final class SpoolConsumer {
  /// The folder's name; one that begins with a dot is not looked through.
  package static let folderName = ".logagent-done"

  /// Whose spool it is.
  package enum Owner: Equatable {
    case own
    case anotherAgent
  }

  /// Where the reports go.
  package let folder: String
  private let spool: String
  private let keptBytes: Int64
  private var lock: FileLock?
  private static let lockName = ".lock"

  /// A consumer of one spool.
  ///
  /// - Parameters:
  ///   - directory: the spool's absolute path.
  ///   - keptBytes: bytes of reports that are kept; 0 for none.
  package init(directory: String, keptBytes: Int64) {
    spool = directory
    folder = directory + "/" + Self.folderName
    self.keptBytes = keptBytes
  }

  /// Takes the spool, unless another agent has it. Where that cannot be told, as the folder cannot
  /// be written to, it is our own: nothing can be moved there either.
  package func claim() -> Owner {
    guard lock == nil, (try? FileStatus(path: spool)) != nil else { return .own }
    do throws(FileError) {
      try FileSystem.makeFolder(folder, permissions: 0o700)
      lock = try FileLock.take(folder + "/" + Self.lockName)
    } catch { return .own }
    return lock == nil ? .anotherAgent : .own
  }

  /// Moves a report away.
  ///
  /// - Throws: `FileError`; the report stays where it is.
  package func take(_ path: String) throws(FileError) {
    try FileSystem.makeFolder(folder, permissions: 0o700)
    let name = FileSystem.name(of: path)
    var target = folder + "/" + name
    var number = 1
    while (try? FileStatus(path: target, followLinks: false)) != nil {
      number += 1
      target = folder + "/" + name + ".\(number)"
    }
    try FileSystem.rename(path, to: target)
  }

  /// Removes the oldest reports beyond what is kept.
  ///
  /// - Throws: `FileError`.
  package func prune() throws(FileError) {
    guard (try? FileStatus(path: folder)) != nil else { return }
    var reports: [(path: String, status: FileStatus)] = []
    for name in try FileSystem.names(in: folder) where name != Self.lockName {
      let path = folder + "/" + name
      if let status = try? FileStatus(path: path, followLinks: false), status.kind == .regular {
        reports.append((path, status))
      }
    }
    reports.sort { $0.status.modified > $1.status.modified }
    var sum: Int64 = 0
    for report in reports {
      sum += report.status.size
      if sum > keptBytes { try FileSystem.remove(report.path) }
    }
  }
}

extension SpoolScanner {
  /// Gives the reports that are stored to `consumer`; all that were scanned must be committed.
  ///
  /// - Returns: by path, why a report could not be taken.
  package func hand(to consumer: SpoolConsumer) -> [String: String] {
    var problems: [String: String] = [:]
    var hasTaken = false
    for (path, generation) in stored.sorted(by: { $0.key < $1.key }) {
      // Written to since: it is a new report, and not stored yet.
      guard let status = try? FileStatus(path: path, followLinks: false),
        Self.same(generation, status)
      else { continue }
      do throws(FileError) {
        try consumer.take(path)
        hasTaken = true
      } catch {
        problems[path] = "stored, but cannot \(error.action) it: \(error.reason)"
      }
    }
    guard hasTaken else { return problems }
    do throws(FileError) { try consumer.prune() } catch { problems[error.path] = error.problem }
    return problems
  }
}
