// SPDX-License-Identifier: Apache-2.0

/// Where a caller's registers are to be found, at one address of a function: what the instructions
/// of DWARF's call frame information (section 6.4) come to.
struct UnwindRules {
  enum Rule {
    case unchanged, undefined
    /// At this distance from the frame's address, or that address itself.
    case saved(Int64), distance(Int64)
    case register(Int)
    /// At the address that an expression gives, or what it gives.
    case savedAt(ByteCursor), value(ByteCursor)
  }

  /// The frame's address: a register and a distance, or an expression.
  private(set) var frameRegister = 0
  private(set) var frameDistance: Int64 = 0
  private(set) var frameExpression: ByteCursor?
  /// By column; the columns of both processors fit.
  private(set) var rules = [Rule](repeating: .unchanged, count: UnwindRules.columns)

  static let columns = 97
  /// More instructions than any function has.
  private static let maxSteps = 4096
  private var saved: [Saved] = []
  private var location: UInt64

  private struct Saved {
    var register: Int
    var distance: Int64
    var expression: ByteCursor?
    var rules: [Rule]
  }

  /// - Returns: `nil` when the instructions make no sense.
  init?(_ entry: UnwindTable.Entry, at address: UInt64) {
    location = entry.start
    guard run(entry.common, entry, until: .max, initial: rules) else { return nil }
    location = entry.start
    guard run(entry.own, entry, until: address, initial: rules) else { return nil }
  }

  private mutating func run(
    _ program: ByteCursor, _ entry: UnwindTable.Entry, until end: UInt64, initial: [Rule]
  ) -> Bool {
    var cursor = program
    var steps = 0
    while !cursor.isAtEnd, location <= end {
      steps += 1
      guard steps <= Self.maxSteps else { return false }
      let code = cursor.byte()
      let low = Int(code & 0x3F)
      switch code >> 6 {
      case 1: advance(UInt64(low), entry)
      case 2: set(low, .saved(scaled(cursor.uleb(), entry)))
      case 3: set(low, initial[low])
      default:
        guard runOther(code, &cursor, entry, initial) else { return false }
      }
    }
    return !cursor.isPast
  }

  private mutating func runOther(
    _ code: UInt8, _ cursor: inout ByteCursor, _ entry: UnwindTable.Entry, _ initial: [Rule]
  ) -> Bool {
    switch code {
    case 0x00: break
    case 0x02: advance(cursor.unsigned(1), entry)
    case 0x03: advance(cursor.unsigned(2), entry)
    case 0x04: advance(cursor.unsigned(4), entry)
    case 0x05: set(cursor.index(), .saved(scaled(cursor.uleb(), entry)))
    case 0x06:
      let column = cursor.index()
      if initial.indices.contains(column) { set(column, initial[column]) }
    case 0x07: set(cursor.index(), .undefined)
    case 0x08: set(cursor.index(), .unchanged)
    case 0x09: set(cursor.index(), .register(cursor.index()))
    case 0x0A:
      guard saved.count < 64 else { return false }
      saved.append(
        Saved(
          register: frameRegister, distance: frameDistance, expression: frameExpression,
          rules: rules))
    case 0x0B:
      guard let state = saved.popLast() else { return false }
      (frameRegister, frameDistance) = (state.register, state.distance)
      (frameExpression, rules) = (state.expression, state.rules)
    case 0x0C: setFrame(cursor.index(), Int64(truncatingIfNeeded: cursor.uleb()))
    case 0x0D: frameRegister = cursor.index()
    case 0x0E: frameDistance = Int64(truncatingIfNeeded: cursor.uleb())
    case 0x0F: frameExpression = block(&cursor)
    case 0x10: set(cursor.index(), .savedAt(block(&cursor)))
    case 0x11: set(cursor.index(), .saved(cursor.sleb() &* entry.dataAlignment))
    case 0x12: setFrame(cursor.index(), cursor.sleb() &* entry.dataAlignment)
    case 0x13: frameDistance = cursor.sleb() &* entry.dataAlignment
    case 0x14: set(cursor.index(), .distance(scaled(cursor.uleb(), entry)))
    case 0x15: set(cursor.index(), .distance(cursor.sleb() &* entry.dataAlignment))
    case 0x16: set(cursor.index(), .value(block(&cursor)))
    case 0x2D: break  // Signs return addresses (arm64); the bits are masked elsewhere.
    case 0x2E: _ = cursor.uleb()
    default: return false
    }
    return true
  }

  private mutating func advance(_ count: UInt64, _ entry: UnwindTable.Entry) {
    location = location &+ count &* entry.codeAlignment
  }

  private func scaled(_ value: UInt64, _ entry: UnwindTable.Entry) -> Int64 {
    Int64(truncatingIfNeeded: value) &* entry.dataAlignment
  }

  private mutating func set(_ column: Int, _ rule: Rule) {
    if rules.indices.contains(column) { rules[column] = rule }
  }

  private mutating func setFrame(_ register: Int, _ distance: Int64) {
    (frameRegister, frameDistance, frameExpression) = (register, distance, nil)
  }

  private func block(_ cursor: inout ByteCursor) -> ByteCursor {
    let length = cursor.index()
    let start = cursor.at
    cursor.skip(length)
    return ByteCursor(cursor.reader, at: start, end: cursor.at)
  }
}

/// DWARF's expressions, as far as call frame information uses them: in signal frames and tables of
/// jumps to libraries.
enum UnwindExpression {
  /// - Returns: the top of the stack; `nil` when an operation is unknown or memory is missing.
  static func value(
    _ program: ByteCursor, start: UInt64?, registers: [UInt64], memory: (UInt64) -> UInt64?
  ) -> UInt64? {
    var cursor = program
    var stack = start.map { [$0] } ?? []
    while !cursor.isAtEnd {
      guard stack.count < 64, let result = step(&cursor, &stack, registers, memory) else {
        return nil
      }
      stack.append(result)
    }
    return cursor.isPast ? nil : stack.last
  }

  private static func step(
    _ cursor: inout ByteCursor, _ stack: inout [UInt64], _ registers: [UInt64],
    _ memory: (UInt64) -> UInt64?
  ) -> UInt64? {
    let code = cursor.byte()
    switch code {
    case 0x03: return cursor.unsigned(8)
    case 0x08: return cursor.unsigned(1)
    case 0x09: return UInt64(bitPattern: cursor.signed(1))
    case 0x0A: return cursor.unsigned(2)
    case 0x0C: return cursor.unsigned(4)
    case 0x10: return cursor.uleb()
    case 0x11: return UInt64(bitPattern: cursor.sleb())
    case 0x12: return stack.last
    case 0x06: return stack.popLast().flatMap(memory)
    case 0x23: return stack.popLast().map { $0 &+ cursor.uleb() }
    case 0x30...0x4F: return UInt64(code - 0x30)
    case 0x70...0x8F:
      let register = Int(code - 0x70)
      guard register < registers.count else { return nil }
      return registers[register] &+ UInt64(bitPattern: cursor.sleb())
    default: break
    }
    guard let right = stack.popLast(), let left = stack.popLast() else { return nil }
    switch code {
    case 0x1A: return left & right
    case 0x1C: return left &- right
    case 0x21: return left | right
    case 0x22: return left &+ right
    case 0x24: return left << right
    case 0x25: return left >> right
    case 0x2A: return Int64(bitPattern: left) >= Int64(bitPattern: right) ? 1 : 0
    default: return nil
    }
  }
}
