// SPDX-License-Identifier: Apache-2.0

package import FileIO
internal import Glibc
package import LogModel

/// When a captured stream goes on in another file, and how many files stay.
package struct RollingRule: Hashable, Sendable {
  /// Bytes after which the next line begins another file.
  package var maxBytes = 5 << 20
  /// Nanoseconds after which it does.
  package var maxAge: Int64 = 24 * 3600 * 1_000_000_000
  /// Files of a stream that stay, the one that is written included.
  package var maxFiles = 5

  package init() {}
}

/// A stream of bytes as a series of files that are named as CocoaLumberjack names its own:
/// `NAME yyyy-MM-dd--HH-mm-ss-SSS.log`, in UTC. The first byte makes the first file.
///
/// The file that is written is locked (flock), so that no other capture removes it as old.
package struct CapturedLog: ~Copyable {
  private let folder: String
  private let name: String
  private let rule: RollingRule
  private let reusesNewest: Bool
  private var file: Int32 = -1
  private var size = 0
  private var opened = Timestamp(nanoseconds: 0)
  private var isAtLineStart = true
  /// Where the present file lies; empty before the first byte.
  package private(set) var path = ""

  /// A line that does not end keeps its file, up to so many bytes beyond the rule's.
  private static let lineAllowance = 1 << 20

  /// A stream.
  ///
  /// - Parameters:
  ///   - folder: where the files lie; it exists.
  ///   - name: what their names begin with, without a slash.
  ///   - rule: when another file begins.
  ///   - reusesNewest: goes on in the newest file of an earlier run that is small and young enough.
  package init(folder: String, name: String, rule: RollingRule, reusesNewest: Bool = false) {
    self.folder = folder
    self.name = name
    self.rule = rule
    self.reusesNewest = reusesNewest
  }

  deinit { if file >= 0 { close(file) } }

  /// Appends bytes; a new file begins only between lines.
  ///
  /// - Throws: `FileError`.
  package mutating func write(
    _ bytes: UnsafeRawBufferPointer, now: Timestamp
  ) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if file < 0 || isDue(now) { try roll(now: now) }
      let room = max(1, rule.maxBytes - size)
      var count = rest.count
      if count > room {
        // Up to the end of the line that crosses the limit.
        let end = rest.dropFirst(room - 1).firstIndex(of: UInt8(ascii: "\n"))
        count = end.map { $0 - rest.startIndex + 1 } ?? rest.count
      }
      try append(UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
  }

  private func isDue(_ now: Timestamp) -> Bool {
    let isLong = size >= rule.maxBytes + Self.lineAllowance
    guard isAtLineStart || isLong else { return false }
    return size >= rule.maxBytes || now.nanoseconds - opened.nanoseconds >= rule.maxAge
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let written = Glibc.write(
        file, bytes.baseAddress! + offset, bytes.count - offset)
      if written < 0 {
        if errno == EINTR { continue }
        throw FileError.last("write", path)
      }
      offset += written
    }
    size += bytes.count
    if let last = bytes.last { isAtLineStart = last == UInt8(ascii: "\n") }
  }

  // MARK: Files

  private mutating func roll(now: Timestamp) throws(FileError) {
    if file >= 0 { close(file) }
    file = -1
    let mayReuse = reusesNewest && path.isEmpty
    if mayReuse, try reopenNewest(now: now) { return }
    var time = now
    // Another capture may have taken this millisecond.
    for _ in 0..<1000 {
      let candidate = folder + "/" + name + " " + Self.stamp(time) + ".log"
      file = Glibc.open(candidate, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o640)
      path = candidate
      if file >= 0 || errno != EEXIST { break }
      time = Timestamp(nanoseconds: time.nanoseconds + 1_000_000)
    }
    guard file >= 0 else { throw FileError.last("create", path) }
    flock(file, LOCK_SH | LOCK_NB)
    size = 0
    opened = now
    isAtLineStart = true
    try removeOldest()
  }

  private mutating func reopenNewest(now: Timestamp) throws(FileError) -> Bool {
    guard let newest = try files().last else { return false }
    let candidate = folder + "/" + newest
    guard let status = try? FileStatus(path: candidate, followLinks: false),
      status.kind == .regular, status.size < rule.maxBytes,
      newest > name + " " + Self.stamp(Timestamp(nanoseconds: now.nanoseconds - rule.maxAge))
    else { return false }
    file = Glibc.open(candidate, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    flock(file, LOCK_SH | LOCK_NB)
    path = candidate
    size = Int(status.size)
    opened = now
    isAtLineStart = true
    return true
  }

  /// The stream's files, the oldest first.
  private func files() throws(FileError) -> [String] {
    let length = name.utf8.count + 1 + Self.stampLength + 4
    return try FileSystem.names(in: folder).filter {
      $0.utf8.count == length && $0.hasPrefix(name + " ") && $0.hasSuffix(".log")
    }.sorted()
  }

  private func removeOldest() throws(FileError) {
    let all = try files()
    for old in all.prefix(max(0, all.count - rule.maxFiles)) {
      let candidate = folder + "/" + old
      guard candidate != path else { continue }
      let other = Glibc.open(candidate, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard other >= 0 else { continue }
      // Locked: another capture writes it.
      if flock(other, LOCK_EX | LOCK_NB) == 0 { unlink(candidate) }
      close(other)
    }
  }

  private static let stampLength = 24

  private static func stamp(_ time: Timestamp) -> String {
    let civil = CivilTime(utc: time)
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return digits(civil.year, 4) + "-" + digits(civil.month, 2) + "-" + digits(civil.day, 2)
      + "--" + digits(civil.hour, 2) + "-" + digits(civil.minute, 2) + "-"
      + digits(civil.second, 2) + "-" + digits(civil.nanosecond / 1_000_000, 3)
  }
}
