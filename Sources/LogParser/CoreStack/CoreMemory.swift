// SPDX-License-Identifier: Apache-2.0

/// The memory and the registers of the crashed thread, out of an ELF core.
struct CoreMemory {
  /// A file that was mapped.
  struct Mapping {
    var range: Range<UInt64>
    /// Where in the file the range begins.
    var offset: Int
    var path: String
  }

  /// The registers by DWARF's columns; the stack's register and the counter among them.
  var registers: [UInt64]
  let counterColumn: Int
  let stackColumn: Int
  let frameColumn: Int
  let mappings: [Mapping]
  private let reader: ByteReader
  private let segments: [ElfImage.Segment]

  /// The order of x86-64's registers in the kernel's structure, as DWARF's columns.
  private static let amd64 = [
    15, 14, 13, 12, 6, 3, 11, 10, 9, 8, 0, 2, 1, 4, 5, -1, 16, -1, -1, 7,
  ]

  /// - Parameter mappings: of the core's note of files.
  /// - Returns: `nil` for other processors, and when there is no thread.
  init?(_ reader: ByteReader, machine: UInt16, status: Int, mappings: [Mapping]) {
    guard let table = reader.int64(32), let count = reader.u16(56), table < reader.count,
      let headers = reader.slice(table, Int(count) * 56)
    else { return nil }
    self.reader = reader
    self.mappings = mappings
    segments = ElfImage.segments(ByteReader(Array(headers))).filter { $0.type == 1 }
    func register(_ index: Int) -> UInt64 { reader.u64(status + 112 + index * 8) ?? 0 }
    registers = [UInt64](repeating: 0, count: UnwindRules.columns)
    switch machine {
    case 62:
      for (index, column) in Self.amd64.enumerated() where column >= 0 {
        registers[column] = register(index)
      }
      (counterColumn, stackColumn, frameColumn) = (16, 7, 6)
    case 183:
      for index in 0...31 { registers[index] = register(index) }
      // The counter has no column of its own; this one stands for nothing else.
      registers[96] = register(32)
      (counterColumn, stackColumn, frameColumn) = (96, 31, 29)
    default: return nil
    }
  }

  /// Eight bytes of the process's memory; `nil` where the core has none.
  func word(at address: UInt64) -> UInt64? {
    let segment = segments.first { address >= $0.address && address - $0.address < UInt64($0.size) }
    guard let segment else { return nil }
    let inside = Int(address - segment.address)
    guard inside <= segment.size - 8 else { return nil }
    return reader.u64(segment.offset + inside)
  }

  /// A text that ends with NUL, of at most `count` bytes.
  func text(at address: UInt64, count: Int) -> String? {
    let segment = segments.first { address >= $0.address && address - $0.address < UInt64($0.size) }
    guard let segment else { return nil }
    let inside = Int(address - segment.address)
    return reader.text(segment.offset + inside, min(count, segment.size - inside))
  }

  /// The first bytes of a mapping, as they were in memory.
  func head(of mapping: Mapping, count: Int) -> ArraySlice<UInt8> {
    let start = mapping.range.lowerBound
    let segment = segments.first { start >= $0.address && start - $0.address < UInt64($0.size) }
    guard let segment else { return [] }
    let inside = Int(start - segment.address)
    return reader.slice(segment.offset + inside, min(count, segment.size - inside)) ?? []
  }

  func mapping(of address: UInt64) -> Mapping? {
    mappings.first { $0.range.contains(address) }
  }
}
