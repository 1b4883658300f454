// SPDX-License-Identifier: Apache-2.0

/// Which value each mark of a bundle stands for; kept where the values are, never in a bundle.
package final class MarkBook {
  /// Pairs of a mark and its value, in order of appearance.
  package private(set) var entries: [(mark: String, value: String)] = []
  private var bytes = 0

  /// Beyond that many bytes marks are no longer noted.
  private static let mostBytes = 8 << 20

  package init() {}

  func removeAll() {
    entries.removeAll()
    bytes = 0
  }

  func add(_ mark: String, _ value: TextBytes) {
    guard bytes < Self.mostBytes else { return }
    let value = String(decoding: value.prefix(4096), as: UTF8.self)
    bytes += mark.utf8.count + value.utf8.count + 32
    entries.append((mark, value))
  }
}
