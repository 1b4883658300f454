// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The last messages of a server's processes: a detail that does not stand behind its message, as
/// other processes came between them at other times, is no message of its own.
///
/// A record's bytes are contiguous, so that the detail stays a record; it takes the message's
/// severity, and says where in the file the message begins.
struct PostgresMessages {
  /// One for each process that may log at the same time.
  private static let count = 16

  struct Message {
    var pid: Int64
    var severity: Severity
    /// Where its record begins in the file.
    var offset: Int64
    /// What syslog's lines call it; -1 elsewhere.
    var number: Int64
  }

  private var messages: [Message] = []
  private var next = 0

  mutating func note(
    _ pid: Int64, _ severity: Severity, at offset: Int64, number: Int64 = -1
  ) {
    let message = Message(pid: pid, severity: severity, offset: offset, number: number)
    if let known = messages.firstIndex(where: { $0.pid == pid }) {
      messages[known] = message
    } else if messages.count < Self.count {
      messages.append(message)
    } else {
      messages[next] = message
      next = (next + 1) % Self.count
    }
  }

  /// The last message of the process; `nil` where the prefix does not tell it.
  func message(of pid: Int64) -> Message? {
    pid < 0 ? nil : messages.first { $0.pid == pid }
  }
}
