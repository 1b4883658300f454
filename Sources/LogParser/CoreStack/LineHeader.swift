// SPDX-License-Identifier: Apache-2.0

/// What stands before the line number program of a unit: how it counts, and the names of files.
struct LineHeader {
  /// Where names may lie that are not in the header itself.
  struct Texts {
    var lines: ByteReader
    var others: ByteReader
  }

  private let version: Int
  /// Bytes of an offset: 4, or 8 in the format for huge files.
  private let offsetSize: Int
  private let tables: ByteCursor
  private let operandCounts: [UInt8]

  let program: ByteCursor
  let unitEnd: Int
  let minimumLength: UInt64
  let lineBase: Int
  let lineRange: Int
  let opcodeBase: UInt8

  /// - Returns: `nil` when none begins there.
  init?(_ reader: ByteReader, at: Int) {
    guard at < reader.count else { return nil }
    var cursor = ByteCursor(reader, at: at)
    var length = cursor.unsigned(4)
    let isHuge = length == 0xFFFF_FFFF
    offsetSize = isHuge ? 8 : 4
    if isHuge { length = cursor.unsigned(8) }
    guard !cursor.isPast, length <= UInt64(reader.count - cursor.at) else { return nil }
    unitEnd = cursor.at + Int(length)
    cursor = ByteCursor(reader, at: cursor.at, end: unitEnd)
    version = cursor.u16()
    guard (2...5).contains(version) else { return nil }
    if version == 5 { cursor.skip(2) }
    let headerLength = cursor.unsigned(offsetSize)
    guard !cursor.isPast, headerLength <= UInt64(unitEnd - cursor.at) else { return nil }
    program = ByteCursor(reader, at: cursor.at + Int(headerLength), end: unitEnd)
    minimumLength = UInt64(cursor.byte())
    if version >= 4 { cursor.skip(1) }
    cursor.skip(1)
    lineBase = Int(cursor.signed(1))
    lineRange = Int(cursor.byte())
    opcodeBase = cursor.byte()
    guard lineRange > 0, opcodeBase > 0 else { return nil }
    operandCounts = (1..<max(opcodeBase, 1)).map { _ in cursor.byte() }
    tables = ByteCursor(reader, at: cursor.at, end: program.at)
    guard !cursor.isPast else { return nil }
  }

  /// How many operands an operation has that we do not know.
  func operands(of code: UInt8) -> Int {
    code > 0 && Int(code) <= operandCounts.count ? Int(operandCounts[Int(code) - 1]) : 0
  }

  /// Files that are named, of a program of sane size.
  private static let maxNames = 65_536

  /// The files by their numbers, with their folders as far as they are known.
  func files(_ texts: Texts) -> [Int: String] {
    var cursor = tables
    if version == 5 {
      let folders = entries(&cursor, texts).map(\.name)
      let list = entries(&cursor, texts).enumerated().map { index, entry in
        (index, Self.join(folders, entry.folder, entry.name))
      }
      return Dictionary(uniqueKeysWithValues: list)
    }
    // The folder with the number 0 is that of the compilation, which stands elsewhere.
    var folders = [""]
    while folders.count < Self.maxNames, !cursor.isAtEnd {
      let folder = cursor.text()
      if folder.isEmpty { break }
      folders.append(folder)
    }
    var files: [Int: String] = [:]
    while files.count < Self.maxNames, !cursor.isAtEnd {
      let name = cursor.text()
      if name.isEmpty { break }
      files[files.count + 1] = Self.join(folders, cursor.index(), name)
      _ = (cursor.uleb(), cursor.uleb())
    }
    return files
  }

  private static func join(_ folders: [String], _ folder: Int, _ name: String) -> String {
    guard !name.hasPrefix("/"), folders.indices.contains(folder), !folders[folder].isEmpty else {
      return name
    }
    return folders[folder] + "/" + name
  }

  /// A list of version 5, which first says what each entry holds.
  private func entries(_ cursor: inout ByteCursor, _ texts: Texts) -> [(name: String, folder: Int)]
  {
    let formats = (0..<cursor.byte()).map { _ in (kind: cursor.uleb(), form: cursor.uleb()) }
    let count = cursor.index()
    guard !formats.isEmpty, (0...Self.maxNames).contains(count) else { return [] }
    var entries: [(name: String, folder: Int)] = []
    while entries.count < count, !cursor.isAtEnd {
      var entry = (name: "", folder: 0)
      for format in formats {
        switch format.kind {
        case 1: entry.name = text(&cursor, format.form, texts)
        case 2: entry.folder = number(&cursor, format.form)
        default: _ = text(&cursor, format.form, texts)
        }
      }
      entries.append(entry)
    }
    return entries
  }

  private func number(_ cursor: inout ByteCursor, _ form: UInt64) -> Int {
    switch form {
    case 0x0B: Int(cursor.byte())
    case 0x05: cursor.u16()
    case 0x06: cursor.u32()
    default: cursor.index()
    }
  }

  /// A text in one of its forms; what is no text is passed over.
  private func text(_ cursor: inout ByteCursor, _ form: UInt64, _ texts: Texts) -> String {
    switch form {
    case 0x08: return cursor.text()
    case 0x1F: return texts.lines.text(Int(truncatingIfNeeded: cursor.unsigned(offsetSize)), 4096)
    case 0x0E: return texts.others.text(Int(truncatingIfNeeded: cursor.unsigned(offsetSize)), 4096)
    case 0x0B: cursor.skip(1)
    case 0x05: cursor.skip(2)
    case 0x06: cursor.skip(4)
    case 0x07: cursor.skip(8)
    case 0x1E: cursor.skip(16)
    case 0x09: cursor.skip(cursor.index())
    default: _ = cursor.uleb()
    }
    return ""
  }
}
