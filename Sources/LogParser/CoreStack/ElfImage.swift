// SPDX-License-Identifier: Apache-2.0

/// A file that can be read in parts: an executable or a library.
package protocol ImageFile: Sendable {
  /// The bytes from `offset` on, `count` of them or fewer at the end; `nil` when they cannot be read.
  func bytes(at offset: Int, count: Int) -> [UInt8]?

  /// What is packed in zlib's format; `nil` when it is damaged, or longer than `limit` bytes.
  func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]?
}

/// An executable or library of 64 bits, little-endian, as far as addresses, unwinding and symbols
/// need it. It is read in parts: a program with its debug information may have gigabytes.
struct ElfImage {
  struct Segment {
    var type: UInt32
    var offset: Int
    var address: UInt64
    var size: Int
  }

  struct Section {
    var type: UInt32
    var isCompressed: Bool
    var offset: Int
    var size: Int
    var link: Int
    var entrySize: Int
  }

  /// The most bytes of a section that are read.
  private static let maxSection = 32 << 20

  let file: any ImageFile
  let segments: [Segment]
  private let sectionTable: (offset: Int, count: Int, names: Int)

  /// - Returns: `nil` when the file is no such image.
  init?(_ file: any ImageFile) {
    guard let bytes = file.bytes(at: 0, count: 64),
      bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    else { return nil }
    let header = ByteReader(bytes)
    guard let table = header.int64(32), let count = header.u16(56),
      let programs = file.bytes(at: table, count: Int(count) * 56),
      let sections = header.int64(40), sections <= 1 << 48, let sectionCount = header.u16(60),
      let names = header.u16(62)
    else { return nil }
    self.file = file
    segments = ElfImage.segments(ByteReader(programs))
    sectionTable = (sections, Int(sectionCount), Int(names))
  }

  /// The entries of a table of program headers, those whose numbers can be.
  static func segments(_ reader: ByteReader) -> [Segment] {
    (0..<reader.count / 56).compactMap { index in
      let at = index * 56
      guard let type = reader.u32(at), let offset = reader.int64(at + 8),
        let address = reader.u64(at + 16), let size = reader.int64(at + 32),
        offset <= Int.max - size, address <= UInt64.max - UInt64(size)
      else { return nil }
      return Segment(type: type, offset: offset, address: address, size: size)
    }
  }

  /// The address at which the linker put what lies at `offset`.
  func address(ofOffset offset: Int) -> UInt64? {
    let segment = segments.first {
      $0.type == 1 && offset >= $0.offset && offset < $0.offset + $0.size
    }
    return segment.map { $0.address + UInt64(offset - $0.offset) }
  }

  /// Where the byte of an address lies in the file.
  func offset(ofAddress address: UInt64) -> Int? {
    let segment = segments.first {
      $0.type == 1 && address >= $0.address && address < $0.address + UInt64($0.size)
    }
    return segment.map { $0.offset + Int(address - $0.address) }
  }

  /// The bytes at an address, `count` of them at most.
  func bytes(atAddress address: UInt64, count: Int) -> [UInt8]? {
    offset(ofAddress: address).flatMap { file.bytes(at: $0, count: count) }
  }

  // MARK: Sections

  /// All sections, by name.
  func sections() -> [String: Section] {
    guard let bytes = file.bytes(at: sectionTable.offset, count: sectionTable.count * 64) else {
      return [:]
    }
    let list = sectionList(ByteReader(bytes))
    guard sectionTable.names < list.count,
      let names = content(of: list[sectionTable.names].section)
    else { return [:] }
    let reader = ByteReader(names)
    return Dictionary(list.map { (reader.text($0.name, 64), $0.section) }) { first, _ in first }
  }

  /// The section with a number; that of the symbols' names has one.
  func section(_ number: Int) -> Section? {
    guard number >= 0, number < sectionTable.count,
      let bytes = file.bytes(at: sectionTable.offset + number * 64, count: 64)
    else { return nil }
    return sectionList(ByteReader(bytes)).first?.section
  }

  private func sectionList(_ reader: ByteReader) -> [(name: Int, section: Section)] {
    (0..<reader.count / 64).map { index in
      let at = index * 64
      let section = Section(
        type: reader.u32(at + 4) ?? 0, isCompressed: (reader.u64(at + 8) ?? 0) & 0x800 != 0,
        offset: reader.int64(at + 24) ?? 0, size: reader.int64(at + 32) ?? 0,
        link: reader.int32(at + 40) ?? 0, entrySize: reader.int64(at + 56) ?? 0)
      return (reader.int32(at) ?? 0, section)
    }
  }

  /// A section's bytes, unpacked; `nil` when it is absent, damaged or larger than can be wished for.
  func content(of section: Section?) -> [UInt8]? {
    guard let section, section.type != 8, section.size <= Self.maxSection,
      let bytes = file.bytes(at: section.offset, count: section.size)
    else { return nil }
    guard section.isCompressed else { return bytes }
    // Elf64_Chdr: the type, of which 1 is zlib, a gap, the size and the alignment.
    let header = ByteReader(bytes)
    guard header.u32(0) == 1, let size = header.int64(8), size <= Self.maxSection else {
      return nil
    }
    return file.inflated(Array(bytes.dropFirst(24)), limit: size)
  }
}
