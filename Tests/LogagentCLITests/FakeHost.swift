// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestSupport

/// A folder that looks like the root of a host, for `--root`.
final class FakeHost {
  private let folder: TemporaryDirectory
  var root: String { folder.path }

  init() throws { folder = try TemporaryDirectory() }

  func write(_ path: String, _ text: String) throws {
    try folder.write(String(path.dropFirst()), text)
  }

  func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: root + path, withIntermediateDirectories: true)
  }

  /// A running process with files open; they are made when they are missing.
  func addProcess(
    _ pid: Int, _ name: String, writes: [String] = [], reads: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    try write("/proc/\(pid)/comm", name + "\n")
    try write(
      "/proc/\(pid)/environ", environment.map { "\($0.key)=\($0.value)\0" }.joined())
    try makeFolder("/proc/\(pid)/fd")
    // O_WRONLY | O_APPEND | O_LARGEFILE and O_RDONLY | O_LARGEFILE, as the kernel writes them.
    let open = writes.map { ($0, "0102001") } + reads.map { ($0, "0100000") }
    for (number, (path, flags)) in open.enumerated() {
      if !FileManager.default.fileExists(atPath: root + path) { try write(path, "") }
      try FileManager.default.createSymbolicLink(
        atPath: root + "/proc/\(pid)/fd/\(number + 3)", withDestinationPath: path)
      try write("/proc/\(pid)/fdinfo/\(number + 3)", "pos:\t0\nflags:\t\(flags)\nmnt_id:\t1\n")
    }
  }
}
