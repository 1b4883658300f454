// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A file system in memory with little room, mounted on a folder; only root can have one.
final class SmallFileSystem {
  let path: String
  private let folder: TemporaryDirectory

  /// Whether one can be mounted here.
  static let isAvailable: Bool = (try? SmallFileSystem(kilobytes: 64)) != nil

  init(kilobytes: Int) throws {
    folder = try TemporaryDirectory()
    path = folder.file("small")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=0700", "tmpfs", path)
  }

  deinit { try? Self.run("umount", "-l", path) }

  /// Gives it more room, or less.
  func resize(kilobytes: Int) throws {
    try Self.run("mount", "-o", "remount,size=\(kilobytes)k", path)
  }

  static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw CocoaError(.executableLoad) }
  }
}
