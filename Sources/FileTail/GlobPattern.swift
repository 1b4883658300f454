// SPDX-License-Identifier: Apache-2.0

package import FileIO
internal import Glibc

/// An absolute path with `*`, `?` and `[…]` within names, and `**` for any number of folders.
package struct GlobPattern: Hashable, Sendable {
  package let text: String
  private let components: [String]

  package init(_ text: String) {
    self.text = text
    components = text.split(separator: "/").map(String.init)
  }

  /// Whether `path` is one that the pattern names.
  package func matches(_ path: String) -> Bool {
    Self.matches(components[...], path.split(separator: "/").map(String.init)[...])
  }

  private static func matches(_ pattern: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == "**" {
      if matches(pattern.dropFirst(), path) { return true }
      return !path.isEmpty && matches(pattern, path.dropFirst())
    }
    guard let name = path.first, Self.matches(first, name: name) else { return false }
    return matches(pattern.dropFirst(), path.dropFirst())
  }

  /// The names that exist now, and the folders whose names decide that: those to watch.
  package func expand() -> Expansion {
    var expansion = Expansion()
    Self.expand("", components[...], depth: 0, &expansion)
    return expansion
  }

  /// What a pattern found.
  package struct Expansion: Sendable {
    package var paths: [String] = []
    package var folders: Set<String> = []
    /// Names of which a folder was expected, with what they lead to; nothing for nowhere.
    package var passedBy: [(path: String, status: FileStatus?)] = []
    /// Folders that could not be listed.
    package var errors: [FileError] = []
    package init() {}
  }

  // Deeper than that is a loop, or no log folder.
  private static let maxDepth = 32

  private static func expand(
    _ folder: String, _ rest: ArraySlice<String>, depth: Int, _ expansion: inout Expansion
  ) {
    guard let component = rest.first, depth < maxDepth else { return }
    let after = rest.dropFirst()
    if component == "**" {
      expand(folder, after, depth: depth, &expansion)
      for name in list(folder, &expansion) where !name.hasPrefix(".") {
        // Links to folders are not followed: they may lead in a circle.
        let path = folder + "/" + name
        guard (try? FileStatus(path: path, followLinks: false))?.kind == .folder else { continue }
        expand(path, rest, depth: depth + 1, &expansion)
      }
      return
    }
    guard isPattern(component) || after.isEmpty else {
      return expand(folder + "/" + component, after, depth: depth + 1, &expansion)
    }
    for name in list(folder, &expansion) where matches(component, name: name) {
      let path = folder + "/" + name
      if after.isEmpty {
        expansion.paths.append(path)
        continue
      }
      let status = try? FileStatus(path: path)
      if status?.kind == .folder {
        expand(path, after, depth: depth + 1, &expansion)
      } else {
        expansion.passedBy.append((path, status))
      }
    }
  }

  private static func list(_ folder: String, _ expansion: inout Expansion) -> [String] {
    let folder = folder.isEmpty ? "/" : folder
    do {
      let names = try FileSystem.names(in: folder)
      expansion.folders.insert(folder)
      return names
    } catch {
      if error.isNotFound {
        // It may be made later: watch the nearest folder that exists.
        var above = FileSystem.folder(of: folder)
        while above != "/", (try? FileStatus(path: above))?.kind != .folder {
          above = FileSystem.folder(of: above)
        }
        expansion.folders.insert(above)
        expansion.passedBy.append((folder, nil))
      } else {
        expansion.errors.append(error)
      }
      return []
    }
  }

  private static func isPattern(_ component: String) -> Bool {
    component.utf8.contains { $0 == 42 || $0 == 63 || $0 == 91 }
  }

  private static func matches(_ pattern: String, name: String) -> Bool {
    isPattern(pattern) ? fnmatch(pattern, name, FNM_PERIOD) == 0 : pattern == name
  }
}
