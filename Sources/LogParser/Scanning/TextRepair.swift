// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import LogModel

/// Makes valid, colourless UTF-8 of whatever bytes a log holds.
enum TextRepair {
  /// Whether all bytes are ASCII without ESC: nothing to repair. The fast path of every record.
  static func isPlainASCII(_ bytes: Line) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    return la_is_plain_ascii(base, bytes.count)
  }

  /// Appends a copy of `text` without escape sequences and with U+FFFD for what is no UTF-8.
  ///
  /// - Returns: the copy and what was done to it, or `nil` when the text is fine as it is.
  static func repaired(_ text: ByteSlice, in arena: ByteArena) -> (ByteSlice, RecordFlags)? {
    let bytes = arena.bytes(text)
    guard needsRepair(bytes) else { return nil }
    let start = arena.count
    var flags = RecordFlags()
    // Each bad byte grows to three at most.
    arena.reserve(bytes.count * 3)
    let source = arena.bytes(text)
    var run = 0
    var index = 0
    func keep(to end: Int) {
      arena.append(copyOf: ByteSlice(start: Int(text.start) + run, count: end - run))
    }
    while index < source.count {
      let escaped = escapeLength(source, at: index)
      if escaped > 0 {
        keep(to: index)
        index += escaped
        run = index
        flags.add(.ansi)
        continue
      }
      let (length, isValid) = sequence(source, at: index)
      if !isValid {
        keep(to: index)
        arena.append("\u{FFFD}")
        run = index + length
        flags.add(.replaced)
      }
      index += length
    }
    keep(to: index)
    return (ByteSlice(start: start, count: arena.count - start), flags)
  }

  private static func needsRepair(_ bytes: Line) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        if byte == Byte.escape, escapeLength(bytes, at: index) > 0 { return true }
        index += 1
        continue
      }
      let (length, isValid) = sequence(bytes, at: index)
      if !isValid { return true }
      index += length
    }
    return false
  }

  /// Bytes of the UTF-8 sequence at `index`, or of the maximal subpart of an ill-formed one
  /// (Unicode 3.9, table 3-7).
  static func sequence(_ bytes: Line, at index: Int) -> (length: Int, isValid: Bool) {
    let lead = bytes[index]
    var low: UInt8 = 0x80
    var high: UInt8 = 0xbf
    let length: Int
    switch lead {
    case 0..<0x80: return (1, true)
    case 0xc2...0xdf: length = 2
    case 0xe0...0xef:
      length = 3
      if lead == 0xe0 { low = 0xa0 }
      if lead == 0xed { high = 0x9f }
    case 0xf0...0xf4:
      length = 4
      if lead == 0xf0 { low = 0x90 }
      if lead == 0xf4 { high = 0x8f }
    default: return (1, false)
    }
    for step in 1..<length {
      let next = bytes.at(index + step)
      guard index + step < bytes.count, next >= low, next <= high else { return (step, false) }
      low = 0x80
      high = 0xbf
    }
    return (length, true)
  }

  /// Bytes of the terminal control sequence at `index`: CSI (ESC [ or 0x9B), OSC, and XcodeColors'
  /// `ESC[…;`; 0 for none.
  static func escapeLength(_ bytes: Line, at index: Int) -> Int {
    let byte = bytes[index]
    guard byte == Byte.escape || byte == 0x9b else { return 0 }
    if byte == 0x9b { return control(bytes, from: index + 1, start: index) }
    switch bytes.at(index + 1) {
    case Byte.openBracket: return control(bytes, from: index + 2, start: index)
    case Byte.closeBracket: return operatingSystemCommand(bytes, from: index + 2, start: index)
    default: return 0
    }
  }

  private static func control(_ bytes: Line, from: Int, start: Int) -> Int {
    var index = from
    // XcodeColors writes "ESC[fg255,0,0;" and "ESC[;".
    if bytes.has("fg", at: index) || bytes.has("bg", at: index) || bytes.at(index) == 0x3b {
      while index < bytes.count, index - from < 20 {
        let byte = bytes[index]
        index += 1
        if byte == 0x3b { return index - start }
      }
      return 0
    }
    while index < bytes.count, bytes[index] >= 0x20, bytes[index] <= 0x3f { index += 1 }
    guard index < bytes.count, bytes[index] >= 0x40, bytes[index] <= 0x7e else { return 0 }
    return index + 1 - start
  }

  private static func operatingSystemCommand(_ bytes: Line, from: Int, start: Int) -> Int {
    var index = from
    while index < bytes.count, bytes[index] != Byte.newline {
      if bytes[index] == 0x07 { return index + 1 - start }
      if bytes[index] == Byte.escape, bytes.at(index + 1) == Byte.backslash {
        return index + 2 - start
      }
      index += 1
    }
    return 0
  }
}
