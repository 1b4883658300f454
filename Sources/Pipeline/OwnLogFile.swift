// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel

/// The file of the agent's own log: JSON lines, begun anew at `mostBytes`, with one older file beside
/// it (`.1`), so that it stays small for ever.
struct OwnLogFile {
  let path: String
  private static let mostBytes: Int64 = 1 << 20

  /// Appends one object. A log that cannot be written is no reason to stop.
  func append(_ fields: [(String, String)]) {
    var text = "{"
    for (index, field) in fields.enumerated() {
      text += index == 0 ? "" : ","
      text += "\(JSONText.quoted(field.0)):\(JSONText.quoted(field.1))"
    }
    text += "}\n"
    if let status = try? FileStatus(path: path), status.size > Self.mostBytes {
      try? FileSystem.rename(path, to: path + ".1")
    }
    // Opened for each line: there are few, and whoever moves the file away is heard at once.
    let number = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard number >= 0 else { return }
    let file = FileDescriptor.adopting(number, path: path)
    try? file.write(text)
  }
}
