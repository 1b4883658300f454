// SPDX-License-Identifier: Apache-2.0

/// Cuts what `journalctl -o export` writes into whole entries, whatever pieces it comes in.
///
/// An entry is lines `NAME=value`, ended by an empty line; a value with newlines or control
/// characters is the line `NAME`, eight bytes of its length (little-endian), the value, and a
/// newline (systemd's "Journal Export Formats").
struct JournalFraming {
  /// Whole entries, each with its empty line, that wait to be taken.
  private(set) var entries: [UInt8] = []
  /// The cursor of the last of them.
  private(set) var cursor: String?
  /// Bytes of entries that were too long and are left out, since they were last taken.
  private(set) var skippedBytes: Int64 = 0

  /// An entry of more bytes is left out: journald allows fields of 64 MiB.
  static let longestEntry = 8 << 20

  private enum State {
    case line
    /// So many bytes of a length are still to come.
    case length(left: Int, value: UInt64)
    /// So many bytes of a value are still to come, its newline included.
    case value(left: UInt64)
  }

  private var state = State.line
  /// The entry that is not complete yet.
  private var draft: [UInt8] = []
  private var draftBytes: Int64 = 0
  /// Where in `draft` the current line begins.
  private var lineStart = 0
  private var lineBytes = 0
  private var lineHasEquals = false

  private static let cursorField = Array("__CURSOR=".utf8)

  /// Whether entries wait.
  var hasEntries: Bool { !entries.isEmpty || skippedBytes > 0 }

  /// Takes the next bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      draftBytes += 1
      if draft.count < Self.longestEntry { draft.append(byte) }
      switch state {
      case .line: takeLineByte(byte)
      case .length(let left, let value):
        let next = value >> 8 | UInt64(byte) << 56
        // A length that no value has ends with the process that wrote it.
        state = left > 1 ? .length(left: left - 1, value: next) : .value(left: next &+ 1)
      case .value(let left):
        if left > 1 { state = .value(left: left - 1) } else { beginLine() }
      }
    }
  }

  private mutating func takeLineByte(_ byte: UInt8) {
    if byte != UInt8(ascii: "\n") {
      lineBytes += 1
      lineHasEquals = lineHasEquals || byte == UInt8(ascii: "=")
    } else if lineBytes == 0 {
      endEntry()
    } else if lineHasEquals {
      noteCursor()
      beginLine()
    } else {
      state = .length(left: 8, value: 0)
    }
  }

  private mutating func beginLine() {
    state = .line
    lineStart = draft.count
    lineBytes = 0
    lineHasEquals = false
  }

  /// Of the entry that is being read.
  private var draftCursor: String?

  private mutating func noteCursor() {
    guard draft.count < Self.longestEntry, draft[lineStart...].starts(with: Self.cursorField) else {
      return
    }
    let value = draft[(lineStart + Self.cursorField.count)...].dropLast()
    draftCursor = String(decoding: value, as: UTF8.self)
  }

  private mutating func endEntry() {
    // An empty line without an entry before it separates nothing.
    if draft.count < Self.longestEntry {
      entries += draft
    } else {
      skippedBytes += draftBytes
    }
    cursor = draftCursor ?? cursor
    draft.removeAll(keepingCapacity: draft.count < 1 << 16)
    draftBytes = 0
    beginLine()
  }

  /// The entries were taken.
  mutating func removeEntries() {
    entries.removeAll(keepingCapacity: entries.count < 1 << 20)
    skippedBytes = 0
  }

  /// Forgets an entry of which no more comes: it is read again after the last cursor.
  mutating func dropIncomplete() {
    draft.removeAll()
    draftBytes = 0
    draftCursor = nil
    beginLine()
  }
}
