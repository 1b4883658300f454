// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import FileTail
internal import LogModel

/// Deletes old log files of applications that ask for it by a `directory_quota`.
///
/// A file goes only when all of it is committed to the store, it is not the newest of its folder,
/// and no program has it open for writing.
final class DirectoryKeeper {
  private let quotas: [DirectoryQuota?]
  /// Where it can't be told whether a file is being written, it must have rested so long.
  private static let restNanoseconds: Int64 = 60_000_000_000

  init(_ configuration: Configuration) { quotas = configuration.sources.map(\.directoryQuota) }

  /// Whether it has anything to look after.
  var isAsked: Bool { quotas.contains { $0 != nil } }

  private struct Folder: Hashable {
    var source: Int
    var path: String
  }

  /// Deletes what is beyond the quotas. Whatever is not committed yet waits for the next call.
  func tidy(_ agent: Agent, now: Timestamp) {
    guard isAsked, agent.sink.isSettled else { return }
    var folders: [Folder: [TailFile]] = [:]
    for file in agent.tailer.files.values
    where file.unnamedSince == nil && file.sourceIndex < quotas.count {
      guard quotas[file.sourceIndex] != nil else { continue }
      let path = FileSystem.folder(of: file.generation.path)
      folders[Folder(source: file.sourceIndex, path: path), default: []].append(file)
    }
    for (folder, files) in folders {
      guard let quota = quotas[folder.source] else { continue }
      tidy(files, quota, agent, now)
    }
  }

  private func tidy(
    _ files: [TailFile], _ quota: DirectoryQuota, _ agent: Agent, _ now: Timestamp
  ) {
    let ordered = files.sorted {
      ($0.modified, $0.generation.path) > ($1.modified, $1.generation.path)
    }
    var count = ordered.count
    var bytes = ordered.reduce(Int64(0)) { $0 + $1.seenSize }
    for file in ordered.dropFirst().reversed() {
      let isTooMany = quota.maxFiles.map { count > max(1, $0) } ?? false
      let isTooMuch = quota.maxBytes.map { bytes > $0 } ?? false
      guard isTooMany || isTooMuch else { return }
      guard isStored(file), delete(file, agent, now) else { continue }
      count -= 1
      bytes -= file.seenSize
      agent.events.deleted(
        path: file.generation.path,
        reason: isTooMany
          ? "directory_quota.max_files is \(quota.maxFiles ?? 0)"
          : "directory_quota.max_bytes is \(ByteCount.text(quota.maxBytes ?? 0))")
    }
  }

  private func isStored(_ file: TailFile) -> Bool {
    guard !file.mayHaveMore, !file.tip.hasRest, file.generation.problem.isEmpty else {
      return false
    }
    let isGzip = file.generation.path.hasSuffix(".gz")
    return isGzip || file.isCompressed || file.checkpoint.offset == file.seenSize
  }

  private func delete(_ file: TailFile, _ agent: Agent, _ now: Timestamp) -> Bool {
    let path = file.generation.path
    do throws(FileError) {
      let opened = try FileDescriptor.openForReading(path, followLinks: false)
      let status = try opened.status()
      let identity = file.generation.identity
      guard status.kind == .regular, status.inode == identity.inode,
        status.device == identity.device, status.size == file.seenSize,
        status.modified == file.modified
      else { return false }
      let rested = now.nanoseconds - status.modified.nanoseconds
      guard !(opened.hasWriter() ?? (rested < Self.restNanoseconds)) else { return false }
      try FileSystem.remove(path)
      agent.recover(path)
      return true
    } catch {
      agent.tell(path, "can't be deleted for its directory_quota: \(error.problem)")
      return false
    }
  }
}
