// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// What a look at all names has seen beside the files that are read. While none of it changes, the
/// next look would find the same, and can be spared: to ask for each status costs a fraction of
/// listing, resolving and sorting.
struct LastLook {
  /// By path; nothing where a name leads nowhere.
  private var seen: [(path: String, status: FileStatus?)]

  /// A folder may be changed twice within one tick of the clock by which its time is set.
  private static let tickNanoseconds: Int64 = 1_000_000_000

  /// Nothing when the times of the folders can't tell whether they will have changed: on network and
  /// user-space file systems, and too soon after a change.
  ///
  /// - Parameters:
  ///   - discovery: what was seen.
  ///   - files: the files that are read.
  ///   - start: when the look began.
  init?(_ discovery: Discovery, files: [FileKey: TailFile], start: Timestamp) {
    seen = discovery.passedBy
    for folder in discovery.folders {
      guard let status = try? FileStatus(path: folder),
        status.modified.nanoseconds < start.nanoseconds - Self.tickNanoseconds,
        FileSystem.keepsFolderTimes(folder)
      else { return nil }
      seen.append((folder, status))
    }
    for candidate in discovery.candidates {
      let known = files[candidate.key]?.generation.path
      for path in Set(candidate.aliases) where path != known {
        seen.append((path, candidate.status))
      }
    }
  }

  /// Whether all is as it was.
  var holds: Bool {
    seen.allSatisfy { path, status in (try? FileStatus(path: path)) == status }
  }
}

extension Tailer {
  /// Whether another `scan` would find what the last one found.
  package var isUnchanged: Bool {
    // What could not be read or waits is to be looked at again.
    guard let lastLook, problems.isEmpty, deferred.isEmpty else { return false }
    for (key, file) in files {
      guard file.unnamedSince == nil, !file.mayHaveMore, file.generation.problem.isEmpty,
        let status = try? FileStatus(path: file.generation.path), FileKey(status) == key,
        status.size == file.seenSize, status.modified == file.modified
      else { return false }
    }
    return lastLook.holds
  }
}
