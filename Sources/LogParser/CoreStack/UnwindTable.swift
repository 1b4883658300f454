// SPDX-License-Identifier: Apache-2.0

/// The call frame information of an image (`.eh_frame`), found through its sorted table
/// (`.eh_frame_hdr`), as the Linux Standard Base describes them. Stripped programs have it too.
struct UnwindTable {
  /// How to leave the function in which an address lies.
  struct Entry {
    var codeAlignment: UInt64 = 1
    var dataAlignment: Int64 = 1
    var returnColumn = 0
    /// A frame that the kernel made to call a handler: its address is not that of a call.
    var isSignalFrame = false
    var pointerEncoding: UInt8 = 0
    var hasAugmentation = false
    var start: UInt64 = 0
    /// Instructions that all functions of its kind share, then those of the function.
    var common: ByteCursor
    var own: ByteCursor
  }

  private let image: ElfImage
  private let table: ByteReader
  private let base: UInt64
  private let count: Int

  /// The most bytes of an entry.
  private static let maxEntry = 64 << 10
  private static let headerSegment: UInt32 = 0x6474_E550

  init?(_ image: ElfImage) {
    guard let segment = image.segments.first(where: { $0.type == Self.headerSegment }),
      segment.size <= 64 << 20,
      let bytes = image.file.bytes(at: segment.offset, count: segment.size)
    else { return nil }
    // Version 1, 4 bytes to the frames, a count, pairs of 4 bytes relative to this table: what all
    // linkers write.
    guard bytes.count >= 12, bytes[0] == 1, bytes[1] & 0xF == 0xB || bytes[1] & 0xF == 3,
      bytes[2] == 3, bytes[3] == 0x3B
    else { return nil }
    self.image = image
    table = ByteReader(bytes)
    base = segment.address
    count = min(table.int32(8) ?? 0, (bytes.count - 12) / 8)
  }

  /// The entry of the function that holds `address`, as the linker put it.
  func entry(for address: UInt64) -> Entry? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if location(12 + middle * 8) <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, let frame = block(at: location(12 + (low - 1) * 8 + 4)) else { return nil }
    var cursor = ByteCursor(frame.reader)
    let distance = cursor.unsigned(4)
    guard let common = block(at: frame.address &- distance), var entry = Self.common(common.reader)
    else { return nil }
    let pointerAt = frame.address &+ 4
    let size = Self.size(of: entry.pointerEncoding)
    let value = UInt64(bitPattern: cursor.signed(size))
    entry.start = entry.pointerEncoding & 0x70 == 0x10 ? pointerAt &+ value : value
    let length = cursor.unsigned(size)
    if entry.hasAugmentation { cursor.skip(cursor.index()) }
    guard !cursor.isPast, address >= entry.start, address - entry.start < length else { return nil }
    entry.own = cursor
    return entry
  }

  private func location(_ at: Int) -> UInt64 {
    let offset = Int32(bitPattern: table.u32(at) ?? 0)
    return base &+ UInt64(bitPattern: Int64(offset))
  }

  /// What stands behind the length at `address`: its bytes, and the address of the first.
  private func block(at address: UInt64) -> (reader: ByteReader, address: UInt64)? {
    guard let head = image.bytes(atAddress: address, count: 4), head.count == 4,
      let length = ByteReader(head).int32(0), (4...Self.maxEntry).contains(length),
      let bytes = image.bytes(atAddress: address &+ 4, count: length)
    else { return nil }
    return (ByteReader(bytes), address &+ 4)
  }

  private static func common(_ reader: ByteReader) -> Entry? {
    var cursor = ByteCursor(reader)
    guard cursor.unsigned(4) == 0 else { return nil }
    let version = cursor.byte()
    let augmentation = cursor.text()
    var entry = Entry(common: cursor, own: cursor)
    entry.codeAlignment = cursor.uleb()
    entry.dataAlignment = cursor.sleb()
    entry.returnColumn = version == 1 ? Int(cursor.byte()) : cursor.index()
    guard augmentation.hasPrefix("z") || augmentation.isEmpty else { return nil }
    entry.hasAugmentation = !augmentation.isEmpty
    let length = entry.hasAugmentation ? cursor.index() : 0
    let end = cursor.at.addingReportingOverflow(length)
    for letter in augmentation.dropFirst() {
      switch letter {
      case "R": entry.pointerEncoding = cursor.byte()
      case "P": cursor.skip(size(of: cursor.byte()))
      case "L": cursor.skip(1)
      case "S": entry.isSignalFrame = true
      default: break
      }
    }
    guard length >= 0, !end.overflow else { return nil }
    cursor.move(to: end.partialValue)
    entry.common = cursor
    return cursor.isPast ? nil : entry
  }

  private static func size(of encoding: UInt8) -> Int {
    switch encoding & 0x7 {
    case 2: 2
    case 3: 4
    default: 8
    }
  }
}
