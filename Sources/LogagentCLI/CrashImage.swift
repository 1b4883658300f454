// SPDX-License-Identifier: Apache-2.0

internal import LogParser

/// A binary that was loaded when a process crashed.
struct CrashImage {
  var name: String
  var path: String?
  var base: UInt64
  /// The first address behind it.
  var end: UInt64
  /// The build's identity, as the report writes it.
  var identity: String?

  private static let limit = 4096

  /// The images that a JSON report lists: Swift's backtraces and KSCrash's reports. Empty for
  /// others.
  static func all(in report: [UInt8]) -> [CrashImage] {
    guard report.first == UInt8(ascii: "{"), let root = JSONTree(report).root else { return [] }
    if let list = root["images"] { return list.elements.prefix(limit).compactMap(swift) }
    return (root["binary_images"]?.elements).map { $0.prefix(limit).compactMap(ksCrash) } ?? []
  }

  private static func swift(_ value: JSONValue) -> CrashImage? {
    guard let name = value["name"]?.string, let base = value["baseAddress"]?.address,
      let end = value["endOfText"]?.address, end > base
    else { return nil }
    return CrashImage(
      name: name, path: value["path"]?.string, base: base, end: end,
      identity: value["buildId"]?.string)
  }

  private static func ksCrash(_ value: JSONValue) -> CrashImage? {
    guard let path = value["name"]?.string, let base = value["image_addr"]?.address,
      let size = value["image_size"]?.address, size > 0
    else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return CrashImage(
      name: name, path: path, base: base, end: base &+ size, identity: value["uuid"]?.string)
  }
}
