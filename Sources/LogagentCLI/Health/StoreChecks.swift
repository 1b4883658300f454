// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import Glibc
internal import LogQuery
internal import Pipeline
internal import SQLite

/// The state directory, the store in it, and the disk below.
extension Examination {
  /// Below this much free space SQLite soon cannot write.
  private static let leastFreeBytes: Int64 = 64 << 20

  mutating func checkState() {
    let path = configuration.stateDirectory
    guard let status = try? FileStatus(path: path) else {
      return add(
        .warning(
          "state", "\(path) does not exist: no agent has run with it",
          remedy: "start the agent: systemctl enable --now logagent, or logagent run"))
    }
    var isSound = true
    for (name, mode) in [(path, status.permissions)] + storeFiles() where mode & 0o077 != 0 {
      isSound = false
      add(
        .problem(
          "permissions", "\(name) can be read by others (mode \(String(mode, radix: 8)))",
          remedy: "chmod go= \(name)"))
    }
    if access(path, W_OK | X_OK) != 0 {
      isSound = false
      let owner = String(status.owner)
      add(
        .problem(
          "permissions", "\(path) cannot be written by this user (uid \(getuid()), owner \(owner))",
          remedy: "run as its owner, or chown it"))
    }
    if let kind = networkFileSystem(of: path) {
      isSound = false
      add(
        .problem(
          "file system",
          "\(path) lies on \(kind): SQLite's log in shared memory needs a local disk",
          remedy: "set state_dir to a folder on a local file system"))
    }
    if isSound { add(.ok("state", path)) }
    checkAgent(path)
  }

  private mutating func checkAgent(_ path: String) {
    if let agent = AgentPresence.processID(stateDirectory: path) {
      return add(.ok("agent", "it runs, process \(agent)"))
    }
    // Others than its owner and root may not know.
    let lock = path + "/lock"
    if access(lock, F_OK) == 0, access(lock, R_OK) != 0 { return }
    add(
      .warning(
        "agent", "no agent uses \(path) now",
        remedy: "systemctl enable --now logagent, or logagent run"))
  }

  private func storeFiles() -> [(String, UInt32)] {
    ["logs.db", "logs.db-wal", "logs.db-shm"].compactMap { name in
      let path = configuration.stateDirectory + "/" + name
      return (try? FileStatus(path: path)).map { (path, $0.permissions) }
    }
  }

  /// The kind of the file system by `/proc/mounts`, when it is one of a network.
  private func networkFileSystem(of path: String) -> String? {
    var longest = ""
    var kind = ""
    for line in (host.text("/proc/mounts") ?? "").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count > 2 else { continue }
      let folder = words[1].replacing("\\040", with: " ")
      let isAbove = path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
      if isAbove, folder.utf8.count >= longest.utf8.count {
        longest = folder
        kind = words[2]
      }
    }
    let ofNetworks = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "fuse.sshfs", "afs"]
    return ofNetworks.contains(kind) ? kind : nil
  }

  mutating func checkStore() {
    guard let store else { return }
    var answer = ""
    do {
      // Reads the whole file only where it is small; a large one says what its first pages say.
      let isSmall = ((try? FileStatus(path: store.path).size) ?? 0) < 256 << 20
      try store.forEach("PRAGMA \(isSmall ? "quick_check(1)" : "schema_version")") {
        answer = $0.text(0)
      }
      if isSmall, answer != "ok" { throw CommandError(.dataError, answer) }
      add(.ok("store", "\(store.path) can be read"))
    } catch {
      add(
        .problem(
          "store", "\(store.path) is damaged: \(CommandError(error)?.message ?? "")",
          remedy: "restart the agent: it sets the store aside and makes it again from the files"))
    }
    var gaps: Int64 = 0
    try? store.forEach("SELECT count(*) FROM gap") { gaps = $0.integer(0) }
    if gaps > 0 {
      add(
        .warning(
          "gaps",
          "\(gaps) \(gaps == 1 ? "range" : "ranges") of bytes were lost before they were read",
          remedy: "logagent query --saved missing-bytes says which and why"))
    }
  }

  mutating func checkDisk() {
    let folder = configuration.stateDirectory
    guard let space = DiskSpace(of: folder) else { return }
    let free = space.freeBytes
    var used: Int64 = 0
    for suffix in ["", "-wal", "-shm"] {
      used += (try? FileStatus(path: configuration.storePath + suffix).size) ?? 0
    }
    let quota = configuration.retention.maxBytes
    if free < Self.leastFreeBytes {
      add(
        .problem(
          "disk", "\(folder) has \(ByteCount.text(free)) left",
          remedy: "free some space, or move state_dir to another disk"))
    } else if quota - used > free {
      add(
        .problem(
          "quota",
          "the store may grow to \(ByteCount.text(quota)), but only \(ByteCount.text(free)) are free",
          remedy:
            "set retention.max_bytes to at most \"\(max(1, ((free + used) * 9 / 10) >> 20))MiB\""))
    } else {
      add(.ok("disk", "\(ByteCount.text(free)) free, enough for the quota"))
    }
    if used > quota + quota / 20 {
      add(
        .problem(
          "quota", "the store has \(ByteCount.text(used)), the quota is \(ByteCount.text(quota))",
          remedy: "let the agent run, which prunes; or raise retention.max_bytes"))
    }
    if let files = space.freeFiles, files < 100 {
      add(
        .problem(
          "disk", "\(folder) has no inodes left", remedy: "remove small files on that disk"))
    }
  }
}
