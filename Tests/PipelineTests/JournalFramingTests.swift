// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import TestSupport
internal import Testing

@testable import Pipeline

@Suite("The journal's export format")
struct JournalFramingTests {
  private static let first = Array("__CURSOR=s=1;i=1\nMESSAGE=one\n\n".utf8)
  /// A value of three lines, one of them empty and one that looks like a field.
  private static let binary =
    Array("__CURSOR=s=1;i=2\nMESSAGE\n".utf8) + [8, 0, 0, 0, 0, 0, 0, 0]
    + Array("a\n\n__C=\n\n".utf8)
    + Array("_PID=7\n\n".utf8)
  private static let incomplete = Array("__CURSOR=s=1;i=3\nMESSAGE=thr".utf8)

  private func take(_ bytes: [UInt8], pieces: Int) -> (JournalFraming, [UInt8]) {
    var framing = JournalFraming()
    var taken: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      Array(rest.prefix(pieces)).withUnsafeBytes { framing.append($0) }
      rest = rest.dropFirst(pieces)
      taken += framing.entries
      framing.removeEntries()
    }
    return (framing, taken)
  }

  @Test("is cut into whole entries, whatever pieces it comes in", arguments: [1, 2, 3, 7, 1000])
  func pieces(_ length: Int) {
    let (framing, taken) = take(Self.first + Self.binary + Self.incomplete, pieces: length)
    #expect(taken == Self.first + Self.binary)
    #expect(framing.cursor == "s=1;i=2")
  }

  @Test("goes on after an entry that never became whole")
  func incomplete() {
    var (framing, _) = take(Self.first + Self.incomplete, pieces: 5)
    framing.dropIncomplete()
    Self.binary.withUnsafeBytes { framing.append($0) }
    #expect(framing.entries == Self.binary)
    #expect(framing.cursor == "s=1;i=2")
  }

  @Test("leaves out an entry that is longer than memory allows, and counts it")
  func overlong() {
    let value = [UInt8](repeating: 120, count: JournalFraming.longestEntry)
    let long = Array("__CURSOR=s=1;i=9\nMESSAGE=".utf8) + value + [10, 10]
    var framing = JournalFraming()
    for piece in [Self.first, long, Self.binary] { piece.withUnsafeBytes { framing.append($0) } }
    #expect(framing.entries == Self.first + Self.binary)
    #expect(framing.skippedBytes == Int64(long.count))
  }

  @Test("is asked for after the cursor, or from where the configuration says")
  func arguments() {
    var journal = JournalConfiguration(name: "j")
    journal.units = ["a.service"]
    journal.matches = ["_UID=1"]
    let always = ["journalctl", "--output=export", "--all", "--no-pager", "--quiet"]
    let parts = ["--unit=a.service", "_UID=1"]
    #expect(
      JournalProcess.arguments(journal, after: "c", follows: true)
        == always + ["--merge", "--follow", "--after-cursor=c", "--no-tail"] + parts)
    // First what this boot has said, then what comes.
    #expect(
      JournalProcess.arguments(journal, after: nil, follows: false) == always + ["--boot"] + parts)
    #expect(
      JournalProcess.arguments(journal, after: nil, follows: true)
        == always + ["--merge", "--follow", "--lines=0"] + parts)
    journal.begin = .all
    journal.directory = "/d"
    #expect(
      JournalProcess.arguments(journal, after: nil, follows: true)
        == always + ["--merge", "--follow", "--no-tail", "--directory=/d"] + parts)
  }
}
