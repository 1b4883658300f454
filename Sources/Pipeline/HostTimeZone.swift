// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
package import LogModel

/// Loads time zones from the system's zone database.
package enum HostTimeZone {
  private static let folder = "/usr/share/zoneinfo"

  /// The zone by its IANA name; `nil` when the system does not know it.
  package static func named(_ name: String) -> TimeZone? {
    if name == "UTC" || name == "Z" { return .utc }
    // A name is no path: it comes from the configuration.
    guard !name.isEmpty, !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
      return nil
    }
    return load(folder + "/" + name, name: name)
  }

  /// The host's zone: `TZ`, else `/etc/localtime`, else UTC.
  package static func current() -> TimeZone {
    if let value = getenv("TZ") {
      let name = String(cString: value)
      return named(name.hasPrefix(":") ? String(name.dropFirst()) : name) ?? .utc
    }
    let real = FileSystem.realPath("/etc/localtime") ?? ""
    let name = real.hasPrefix(folder + "/") ? String(real.dropFirst(folder.count + 1)) : "local"
    return load("/etc/localtime", name: name) ?? .utc
  }

  private static func load(_ path: String, name: String) -> TimeZone? {
    guard let bytes = try? FileSystem.contents(of: path, limit: 1 << 20) else { return nil }
    return TimeZone(tzif: bytes, name: name)
  }
}
