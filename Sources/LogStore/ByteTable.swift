// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Numbers by texts, without making a `String` of bytes that are known. It holds a fixed number of
/// texts; beyond, all are forgotten together, so memory stays bounded.
struct ByteTable {
  private struct Entry {
    var hash: UInt64
    var value: Int64
    var bytes: ByteSlice
  }

  private var slots: [Int32]
  private var entries: [Entry] = []
  private let text: ByteArena
  private let limit: Int

  /// - Parameters:
  ///   - limit: texts that it holds; a power of two.
  ///   - textBytes: about how long they are together.
  init(limit: Int = 4096, textBytes: Int) {
    self.limit = limit
    slots = [Int32](repeating: -1, count: limit * 2)
    text = ByteArena(capacity: textBytes)
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    text.removeAll()
    for index in slots.indices { slots[index] = -1 }
  }

  /// The number of a text; `nil` for one that is not known.
  func value(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int64? {
    let slot = slots[slot(of: bytes, hash)]
    return slot < 0 ? nil : entries[Int(slot)].value
  }

  /// Gives a text a number.
  mutating func set(_ value: Int64, of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) {
    var place = slot(of: bytes, hash)
    if slots[place] >= 0 {
      entries[Int(slots[place])].value = value
      return
    }
    if entries.count == limit {
      removeAll()
      place = slot(of: bytes, hash)
    }
    let start = text.count
    text.append(bytes)
    slots[place] = Int32(entries.count)
    entries.append(
      Entry(hash: hash, value: value, bytes: ByteSlice(start: start, count: bytes.count)))
  }

  /// The slot that has a text, or the free one for it.
  private func slot(of bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, Int(entry.bytes.count) == bytes.count,
        ByteSearch.areEqual(text.bytes(entry.bytes), bytes)
      {
        break
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}

/// A hash that takes eight bytes at a time. Rows of `frame` hold it, so it never changes.
enum ByteHash {
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash: UInt64 = 0x9e37_79b9_7f4a_7c15 &* UInt64(bytes.count &+ 1)
    var position = 0
    while position &+ 8 <= raw.count {
      hash = mix(
        hash, UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position &+= 8
    }
    var rest: UInt64 = 0
    while position < raw.count {
      rest = rest << 8 | UInt64(raw[position])
      position &+= 1
    }
    hash = mix(hash, rest)
    return hash ^ hash >> 29
  }

  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0xff51_afd7_ed55_8ccd
    return mixed ^ mixed >> 32
  }
}
