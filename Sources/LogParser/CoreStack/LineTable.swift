// SPDX-License-Identifier: Apache-2.0

/// Source lines of addresses, by the line number programs of an image (`.debug_line`, DWARF 2 to 5,
/// section 6.2).
enum LineTable {
  struct Place: Equatable {
    var file: String
    var line: Int
  }

  /// - Parameter addresses: as the linker put them.
  /// - Returns: by address, where its instruction comes from.
  static func places(
    of addresses: [UInt64], in image: ElfImage, _ sections: [String: ElfImage.Section]
  ) -> [UInt64: Place] {
    guard let bytes = image.content(of: sections[".debug_line"]) else { return [:] }
    let texts = LineHeader.Texts(
      lines: ByteReader(image.content(of: sections[".debug_line_str"]) ?? []),
      others: ByteReader(image.content(of: sections[".debug_str"]) ?? []))
    let reader = ByteReader(bytes)
    var wanted = addresses.sorted()
    var found: [UInt64: Place] = [:]
    var at = 0
    while !wanted.isEmpty, let header = LineHeader(reader, at: at) {
      at = header.unitEnd
      let rows = LineProgram(header).rows(for: &wanted)
      guard !rows.isEmpty else { continue }
      let names = header.files(texts)
      for row in rows where row.line > 0 {
        guard let file = names[row.file] else { continue }
        found[row.address] = Place(file: file, line: row.line)
      }
    }
    return found
  }
}

/// Runs the program of one unit.
struct LineProgram {
  /// A wanted address, and the line it is in.
  struct Row {
    var address: UInt64
    var file: Int
    var line: Int
  }

  private struct State {
    var address: UInt64 = 0
    var file = 1
    var line = 1
  }

  private let header: LineHeader
  private var cursor: ByteCursor
  private var state = State()
  /// The row before, to which all addresses up to the present one belong.
  private var last: State?

  init(_ header: LineHeader) {
    self.header = header
    cursor = header.program
  }

  /// - Parameter wanted: sorted; what is found is taken out.
  func rows(for wanted: inout [UInt64]) -> [Row] {
    var machine = self
    var rows: [Row] = []
    while !machine.cursor.isAtEnd, !wanted.isEmpty { machine.step(&wanted, &rows) }
    return rows
  }

  private mutating func step(_ wanted: inout [UInt64], _ rows: inout [Row]) {
    let code = cursor.byte()
    if code >= header.opcodeBase {
      let adjusted = Int(code - header.opcodeBase)
      state.address &+= UInt64(adjusted / header.lineRange) &* header.minimumLength
      state.line &+= header.lineBase + adjusted % header.lineRange
      return emit(&wanted, &rows)
    }
    switch code {
    case 0: stepExtended(&wanted, &rows)
    case 1: emit(&wanted, &rows)
    case 2: state.address &+= cursor.uleb() &* header.minimumLength
    case 3: state.line &+= Int(truncatingIfNeeded: cursor.sleb())
    case 4: state.file = cursor.index()
    case 5, 12: _ = cursor.uleb()
    case 8:
      let adjusted = 255 - Int(header.opcodeBase)
      state.address &+= UInt64(adjusted / header.lineRange) &* header.minimumLength
    case 9: state.address &+= cursor.unsigned(2)
    case 6, 7, 10, 11: break
    default:
      for _ in 0..<header.operands(of: code) { _ = cursor.uleb() }
    }
  }

  private mutating func stepExtended(_ wanted: inout [UInt64], _ rows: inout [Row]) {
    let length = cursor.index()
    let start = cursor.at
    guard length > 0 else { return }
    switch cursor.byte() {
    case 1:
      emit(&wanted, &rows)
      state = State()
      last = nil
    case 2: state.address = cursor.unsigned(min(length - 1, 8))
    default: break
    }
    cursor.move(to: start + min(length, cursor.end - start))
  }

  private mutating func emit(_ wanted: inout [UInt64], _ rows: inout [Row]) {
    // What the linker took out begins at 0.
    if let last, last.address > 0, state.address > last.address {
      var low = 0
      var high = wanted.count
      while low < high {
        let middle = (low + high) / 2
        if wanted[middle] < last.address { low = middle + 1 } else { high = middle }
      }
      while low < wanted.count, wanted[low] < state.address {
        rows.append(Row(address: wanted.remove(at: low), file: last.file, line: last.line))
      }
    }
    last = state
  }
}
