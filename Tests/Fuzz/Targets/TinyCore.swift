// SPDX-License-Identifier: Apache-2.0

/// A program of two functions that died in `fail`, which `main` called, and its core: the smallest
/// that have all parts of a stack with source lines.
package struct TinyCore {
  package enum Machine: UInt16, CaseIterable, Sendable {
    case amd64 = 62
    case arm64 = 183
  }

  /// The executable. Addresses are offsets: `main` lies at 0x1000, `fail` at 0x1040.
  package private(set) var image: [UInt8]
  /// The core of a process where the executable lay at 0x400000.
  package private(set) var core: [UInt8]

  private static let base: UInt64 = 0x40_0000
  private static let stack: UInt64 = 0x7000_0000
  private static let codeEnd = 0x1080

  package init(_ machine: Machine) {
    image = Self.image(machine)
    core = Self.core(machine, Array(image.prefix(176)))
  }

  // MARK: The executable

  private static func image(_ machine: Machine) -> [UInt8] {
    let frames = 0x1100
    let (frameBytes, entries) = frameInformation(machine, at: frames)
    let index = frames + frameBytes.count
    var table: [UInt8] = [1, 0x1B, 3, 0x3B] + u32(0) + u32(entries.count)
    for entry in entries {
      table += u32(entry.function - index) + u32(entry.entry - index)
    }
    let names = Array("\0main\0fail\0".utf8)
    let symbols =
      [UInt8](repeating: 0, count: 24) + symbol(1, at: 0x1000, size: 0x40)
      + symbol(6, at: 0x1040, size: 0x40)
    let titles = ["", ".symtab", ".strtab", ".debug_line", ".shstrtab"]
    let contents: [[UInt8]] = [
      [], symbols, names, lines(), Array((titles.joined(separator: "\0") + "\0").utf8),
    ]
    var bytes = [UInt8](repeating: 0, count: frames) + frameBytes + table
    var sections: [UInt8] = []
    var title = 0
    for (number, content) in contents.enumerated() {
      let type = [0, 2, 3, 1, 3][number]
      sections += u32(title) + u32(type) + u64(0) + u64(0) + u64(bytes.count) + u64(content.count)
      sections += u32(number == 1 ? 2 : 0) + u32(0) + u64(1) + u64(number == 1 ? 24 : 0)
      title += titles[number].utf8.count + 1
      bytes += content
    }
    let header = elf(
      type: 3, machine, segments: 2, sections: (bytes.count, contents.count, 4))
    let size = bytes.count
    let all =
      header + segment(1, offset: 0, address: 0, size: size)
      + segment(0x6474_E550, offset: index, address: UInt64(index), size: table.count)
    bytes.replaceSubrange(0..<all.count, with: all)
    return bytes + sections
  }

  /// Both functions save the frame's register and make room in their first four bytes.
  private static func frameInformation(
    _ machine: Machine, at start: Int
  ) -> (bytes: [UInt8], entries: [(function: Int, entry: Int)]) {
    let isArm = machine == .arm64
    let begin: [UInt8] = isArm ? [0x0C, 31, 0] : [0x0C, 7, 8, 0x90, 1]
    let room: [UInt8] = isArm ? [0x44, 0x0E, 16, 0x9D, 2, 0x9E, 1] : [0x44, 0x0E, 16, 0x86, 2]
    let common =
      u32(0) + [1] + Array("zR\0".utf8) + [1, 0x78, isArm ? 30 : 16, 1, 0x1B] + begin
    var bytes = u32(common.count) + common
    var entries: [(function: Int, entry: Int)] = []
    for function in [0x1000, 0x1040] {
      let entry = start + bytes.count
      entries.append((function, entry))
      let content = u32(bytes.count + 4) + u32(function - (entry + 8)) + u32(0x40) + [0] + room
      bytes += u32(content.count) + content
    }
    return (bytes, entries)
  }

  /// `main` is line 3 of src/shop.c, `fail` line 7.
  private static func lines() -> [UInt8] {
    let tables: [UInt8] =
      [1, 1, 8, 1] + Array("/src\0".utf8) + [2, 1, 8, 2, 0x0B, 1] + Array("shop.c\0".utf8) + [0]
    let fixed: [UInt8] = [1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]
    let program: [UInt8] =
      [4, 0, 0, 9, 2] + u64(0x1000) + [3, 2, 1, 2, 0x40, 3, 4, 1, 2, 0x40, 0, 1, 1]
    let unit = [5, 0, 8, 0] + u32(fixed.count + tables.count) + fixed + tables + program
    return u32(unit.count) + unit
  }

  private static func symbol(_ name: Int, at address: UInt64, size: UInt64) -> [UInt8] {
    u32(name) + [0x12, 0, 1, 0] + u64(address) + u64(size)
  }

  // MARK: The core

  private static func core(_ machine: Machine, _ head: [UInt8]) -> [UInt8] {
    let counter = base + 0x1050
    var status = [UInt8](repeating: 0, count: 392)
    status[12] = 11
    status[32] = 77
    let (stackAt, counterAt) = machine == .arm64 ? (31, 32) : (19, 16)
    status.replaceSubrange(112 + stackAt * 8..<120 + stackAt * 8, with: u64(stack))
    status.replaceSubrange(112 + counterAt * 8..<120 + counterAt * 8, with: u64(counter))
    let files =
      u64(1) + u64(4096) + u64(base) + u64(base + 0x2000) + u64(0) + Array("/srv/shop\0".utf8)
    let notes = note(1, status) + note(0x4649_4C45, files)
    // What `fail` saved: the frame, and the return into `main`; then those of `main`.
    let memory = u64(0) + u64(base + 0x1010) + u64(0) + u64(0)
    let start = 64 + 3 * 56
    return elf(type: 4, machine, segments: 3, sections: (0, 0, 0))
      + segment(4, offset: start, address: 0, size: notes.count)
      + segment(1, offset: start + notes.count, address: base, size: head.count)
      + segment(1, offset: start + notes.count + head.count, address: stack, size: memory.count)
      + notes + head + memory
  }

  private static func note(_ type: Int, _ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    return u32(5) + u32(content.count) + u32(type) + Array("CORE\0\0\0\0".utf8) + content + padding
  }

  // MARK: Both

  private static func elf(
    type: UInt8, _ machine: Machine, segments: Int, sections: (at: Int, count: Int, names: Int)
  ) -> [UInt8] {
    [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
      + [type, 0, UInt8(machine.rawValue), 0] + u32(1) + u64(0) + u64(64) + u64(sections.at)
      + u32(0) + [64, 0, 56, 0, UInt8(segments), 0, 64, 0] + [UInt8(sections.count), 0]
      + [UInt8(sections.names), 0]
  }

  private static func segment(_ type: Int, offset: Int, address: UInt64, size: Int) -> [UInt8] {
    u32(type) + u32(0) + u64(offset) + u64(address) + u64(address) + u64(size) + u64(size) + u64(0)
  }

  private static func u32(_ value: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: value)
    return (0..<4).map { UInt8(truncatingIfNeeded: bits >> (UInt32($0) * 8)) }
  }

  private static func u64(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
  }

  private static func u64(_ value: Int) -> [UInt8] { u64(UInt64(value)) }
}
