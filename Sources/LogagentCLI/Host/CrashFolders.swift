// SPDX-License-Identifier: Apache-2.0

internal import FileIO

/// Folders into which this host's crash reports are put.
struct CrashFolders {
  struct Folder: Equatable {
    var path: String
    /// A name for a `[[spool]]`.
    var name: String
    /// Why it is one.
    var reason: String
  }

  private(set) var found: [Folder] = []

  /// Where crash handlers of the usual systems put their reports.
  private static let usual: [(path: String, name: String, who: String)] = [
    ("/var/crash", "crash", "apport and kdump"),
    ("/var/lib/systemd/coredump", "coredump", "systemd-coredump"),
    ("/var/lib/apport/coredump", "apport", "apport"),
    ("/var/spool/abrt", "abrt", "abrt"),
    ("/var/tmp/abrt", "abrt-user", "abrt"),
    ("/data/tombstones", "tombstones", "Android"),
    ("/Library/Logs/DiagnosticReports", "diagnostics", "macOS"),
  ]

  /// Looks at the usual places, at `core_pattern`, and at what running Swift programs were told.
  init(_ host: HostRoot, home: String?) {
    for place in Self.usual where host.isFolder(place.path) {
      add(place.path, place.name, "where \(place.who) puts reports")
    }
    if let home {
      let path = home + "/Library/Logs/DiagnosticReports"
      if host.isFolder(path) { add(path, "diagnostics-user", "where macOS puts reports") }
    }
    if let pattern = host.text("/proc/sys/kernel/core_pattern")?.split(separator: "\n").first,
      pattern.hasPrefix("/"), !pattern.contains("%e/")
    {
      let folder = FileSystem.folder(of: String(pattern))
      if host.isFolder(folder) { add(folder, "cores", "by kernel.core_pattern") }
    }
    for pid in host.processes {
      guard
        let folder = SwiftBacktraceSetting.folder(
          host.variable("SWIFT_BACKTRACE", of: pid), on: host),
        host.isFolder(folder)
      else { continue }
      add(
        folder, "swift-backtraces", "by SWIFT_BACKTRACE of \(host.processName(pid) ?? "a process")")
    }
  }

  private mutating func add(_ path: String, _ name: String, _ reason: String) {
    if found.contains(where: { $0.path == path }) { return }
    found.append(Folder(path: path, name: name, reason: reason))
  }
}

/// What `SWIFT_BACKTRACE` says of files.
enum SwiftBacktraceSetting {
  /// The folder into which `output-to` puts reports, whether it is there or not; `nil` when it names
  /// none. The value is a list of `key=value` with commas between.
  static func folder(_ value: String?, on host: HostRoot) -> String? {
    for setting in (value ?? "").split(separator: ",") where setting.hasPrefix("output-to=") {
      let target = String(setting.dropFirst("output-to=".count))
      guard target.hasPrefix("/") else { return nil }
      let path = FileSystem.absolutePath(target)
      // The runtime makes a name for the report only in a folder that is there.
      return target.hasSuffix("/") || host.isFolder(path) ? path : FileSystem.folder(of: path)
    }
    return nil
  }
}
