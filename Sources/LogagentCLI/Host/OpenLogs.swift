// SPDX-License-Identifier: Apache-2.0

internal import FileIO

/// Log files that running processes have open for writing.
struct OpenLogs {
  /// A folder in which a program writes logs.
  struct Folder: Equatable {
    var path: String
    /// The program that has most of them open.
    var process: String
    /// Names of the open files, in order.
    var files: [String]
  }

  private(set) var folders: [Folder] = []
  /// Processes whose files only root, or their owner, may see.
  private(set) var hiddenProcesses = 0

  /// Looks through `/proc/*/fd`.
  init(_ host: HostRoot) {
    var found: [String: (processes: [String: Int], files: Set<String>)] = [:]
    for pid in host.processes {
      guard let descriptors = try? FileSystem.names(in: host.real("/proc/\(pid)/fd")) else {
        hiddenProcesses += 1
        continue
      }
      let process = host.processName(pid) ?? "process"
      for number in descriptors {
        guard let path = host.link("/proc/\(pid)/fd/\(number)"), Self.looksLikeLog(path),
          host.status(path)?.kind == .regular,
          Self.isWriter(host.text("/proc/\(pid)/fdinfo/\(number)"))
        else { continue }
        let folder = FileSystem.folder(of: path)
        found[folder, default: ([:], [])].processes[process, default: 0] += 1
        found[folder]?.files.insert(FileSystem.name(of: path))
      }
    }
    folders = found.map { path, entry in
      let process = entry.processes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
      return Folder(path: path, process: process, files: entry.files.sorted())
    }.sorted { $0.path < $1.path }
  }

  /// By its name; journals, what is temporary, and what belongs to the system itself are not ours.
  static func looksLikeLog(_ path: String) -> Bool {
    guard path.hasPrefix("/"), !path.hasSuffix(" (deleted)") else { return false }
    for folder in [
      "/proc/", "/sys/", "/dev/", "/memfd:", "/tmp/", "/var/tmp/", "/run/", "/var/log/journal/",
    ] where path.hasPrefix(folder) { return false }
    let name = FileSystem.name(of: path).lowercased()
    for ending in [".log", ".out", ".err", ".stderr", ".stdout", ".jsonl", ".ndjson"]
    where name.hasSuffix(ending) { return true }
    let isPlain = !name.contains(".")
    return isPlain
      && (path.hasPrefix("/var/log/") || ["log", "stdout", "stderr", "output"].contains(name))
  }

  /// Whether `fdinfo` says that the file is open for writing. The lowest bits of the flags are
  /// 1 for O_WRONLY and 2 for O_RDWR, in octal.
  private static func isWriter(_ info: String?) -> Bool {
    for line in (info ?? "").split(separator: "\n") where line.hasPrefix("flags:") {
      guard let flags = Int(line.dropFirst(6).filter { $0.isNumber }, radix: 8) else {
        return false
      }
      return flags & 3 != 0
    }
    return false
  }
}
