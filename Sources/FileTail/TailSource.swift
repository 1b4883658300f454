// SPDX-License-Identifier: Apache-2.0

/// Where log files of one source are looked for.
package struct TailSource: Sendable {
  /// The source's name; `nil` lets each file name its own: `logs/web.log.1` under `logs` is `web`.
  package var name: String?
  package var include: [GlobPattern]
  package var exclude: [GlobPattern]
  /// A file that is not text is read all the same.
  package var readsBinary: Bool
  /// For sources without a name: the part of a path that is left out of the source's name.
  package var root: String

  package init(
    name: String?, include: [GlobPattern], exclude: [GlobPattern] = [], readsBinary: Bool = false,
    root: String = ""
  ) {
    self.name = name
    self.include = include
    self.exclude = exclude
    self.readsBinary = readsBinary
    self.root = root
  }

  /// The source's name for a file: its path below the root without what rotation adds to names.
  package func sourceName(for path: String) -> String {
    if let name { return name }
    var relative = path
    if !root.isEmpty, path.hasPrefix(root + "/") {
      relative = String(path.dropFirst(root.utf8.count + 1))
    } else if let slash = path.lastIndex(of: "/") {
      relative = String(path[path.index(after: slash)...])
    }
    let stem = RotatedName(relative).stem
    return stem.isEmpty ? relative : stem
  }
}

/// A file name taken apart: what the application chose, and what rotation added.
package struct RotatedName: Hashable, Sendable {
  /// `web` of `web.log`, `web.log.1`, `web.log-20260301.gz` and `web 2026-03-01--09-00-00-123.log`.
  package let stem: String

  package init(_ path: String) {
    var name = Substring(path)
    for suffix in [".gz"] where name.hasSuffix(suffix) { name.removeLast(suffix.count) }
    name = Self.withoutCounter(name)
    for suffix in [
      ".archived", ".log", ".jsonl", ".ndjson", ".json", ".txt", ".out", ".err", ".stderr",
    ] {
      // `.log` alone is a hidden file's name, not an ending.
      if name.hasSuffix(suffix), name.count > suffix.count { name.removeLast(suffix.count) }
    }
    name = Self.withoutStamp(name)
    stem = String(name)
  }

  /// Cuts `.3`, `-20260301` and `.2026-03-01` off the end.
  private static func withoutCounter(_ name: Substring) -> Substring {
    guard let mark = name.lastIndex(where: { $0 == "." || $0 == "-" }) else { return name }
    let digits = name[name.index(after: mark)...]
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return name }
    let isCounter = name[mark] == "." && digits.count <= 4
    let isDate = digits.count == 8 || digits.count == 10
    guard isCounter || isDate, mark != name.startIndex else { return name }
    return name[..<mark]
  }

  /// Cuts CocoaLumberjack's ` yyyy-MM-dd--HH-mm-ss-SSS` off the end.
  private static func withoutStamp(_ name: Substring) -> Substring {
    guard let space = name.lastIndex(of: " ") else { return name }
    let stamp = name[name.index(after: space)...]
    let shape = String(stamp.map { $0.isASCIIDigit ? "0" : $0 })
    return shape == "0000-00-00--00-00-00-000" ? name[..<space] : name
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { self >= "0" && self <= "9" }
}
