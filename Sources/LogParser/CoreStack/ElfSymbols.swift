// SPDX-License-Identifier: Apache-2.0

/// The functions of an image, by its table of symbols; those for linking where it was stripped.
enum ElfSymbols {
  struct Function {
    var name: String
    /// Where it begins, as the linker put it.
    var address: UInt64
  }

  /// - Parameter addresses: as the linker put them.
  /// - Returns: by address, the function in which it lies.
  static func functions(
    at addresses: [UInt64], in image: ElfImage, _ sections: [String: ElfImage.Section]
  ) -> [UInt64: Function] {
    for name in [".symtab", ".dynsym"] {
      guard let section = sections[name], section.entrySize == 24,
        let table = image.content(of: section),
        let names = image.content(of: image.section(section.link))
      else { continue }
      return find(addresses, ByteReader(table), ByteReader(names))
    }
    return [:]
  }

  /// Where a variable lies that others may link to, as the linker put it.
  static func variable(
    _ name: String, in image: ElfImage, _ sections: [String: ElfImage.Section]
  ) -> UInt64? {
    guard let section = sections[".dynsym"], section.entrySize == 24,
      let bytes = image.content(of: section),
      let names = image.content(of: image.section(section.link))
    else { return nil }
    let (table, texts) = (ByteReader(bytes), ByteReader(names))
    let wanted = Array(name.utf8) + [0]
    for at in stride(from: 0, to: table.count - 23, by: 24) where table.bytes[at + 4] & 0xF == 1 {
      guard let start = table.int32(at), let text = texts.slice(start, wanted.count) else {
        continue
      }
      if text.elementsEqual(wanted) { return table.u64(at + 8) }
    }
    return nil
  }

  private static func find(
    _ addresses: [UInt64], _ table: ByteReader, _ names: ByteReader
  ) -> [UInt64: Function] {
    var found: [UInt64: (start: UInt64, name: Int)] = [:]
    let wanted = addresses.sorted()
    guard let lowest = wanted.first, let highest = wanted.last else { return [:] }
    for at in stride(from: 0, to: table.count - 23, by: 24) {
      // Functions, and those that a program chooses when it starts.
      let type = table.bytes[at + 4] & 0xF
      guard type == 2 || type == 10, let start = table.u64(at + 8), start <= highest,
        let size = table.u64(at + 16), size > 0, start &+ size > lowest,
        let name = table.int32(at)
      else { continue }
      for address in wanted where address >= start && address - start < size {
        // Of several the innermost, and the first of its names.
        if let known = found[address], known.start >= start { continue }
        found[address] = (start, name)
      }
    }
    return found.compactMapValues { entry in
      let name = names.text(entry.name, 1024)
      return name.isEmpty ? nil : Function(name: name, address: entry.start)
    }
  }
}
