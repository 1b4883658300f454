// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A folder for one test, removed with everything in it when the value goes.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    let base = FileManager.default.temporaryDirectory.path
    let folder = base + "/logagent-test-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    path = folder
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in it.
  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, with the folders it needs, and returns its path.
  @discardableResult
  package func write(_ name: String, _ content: String) throws -> String {
    try write(name, [UInt8](content.utf8))
  }

  /// Writes a file, with the folders it needs, and returns its path.
  @discardableResult
  package func write(_ name: String, _ content: [UInt8]) throws -> String {
    let target = file(name)
    let folder = (target as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(content).write(to: URL(fileURLWithPath: target))
    return target
  }

  /// Appends to a file as a logger does: one open, one write.
  package func append(_ name: String, _ content: String) throws {
    if !FileManager.default.fileExists(atPath: file(name)) { try write(name, "") }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(content.utf8))
  }
}
