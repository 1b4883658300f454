// SPDX-License-Identifier: Apache-2.0

/// Goes from frame to frame: by the call frame information of the images, and by the chain of frame
/// pointers where there is none.
struct CoreWalk {
  struct Step {
    var counter: UInt64
    /// Whether the counter is where a call returns to: the call itself stands before it.
    var isCall: Bool
    var mapping: CoreMemory.Mapping?
    var image: ElfImage?
    /// The address to look up, as the linker put it.
    var lookup: UInt64?
  }

  /// More than these tell nothing more; a runaway recursion has hundreds of thousands.
  private static let maxSteps = 128

  private struct Image {
    var image: ElfImage
    var table: UnwindTable?
  }

  private var memory: CoreMemory
  private let open: (String) -> (any ImageFile)?
  private var images: [String: Image?] = [:]

  init(_ memory: CoreMemory, _ open: @escaping (String) -> (any ImageFile)?) {
    self.memory = memory
    self.open = open
  }

  mutating func steps() -> [Step] {
    var steps: [Step] = []
    var isCall = false
    while steps.count < Self.maxSteps {
      let counter = memory.registers[memory.counterColumn]
      guard counter > 4096 || steps.isEmpty else { break }
      let step = place(counter, isCall)
      // What is not in memory is no code: the stack is overwritten from here on.
      if !steps.isEmpty, step.mapping == nil, memory.word(at: counter) == nil { break }
      steps.append(step)
      guard let wasSignal = leave(step, isFirst: steps.count == 1) else { break }
      isCall = !wasSignal
    }
    return steps
  }

  private mutating func place(_ counter: UInt64, _ isCall: Bool) -> Step {
    var step = Step(counter: counter, isCall: isCall)
    let address = isCall ? counter &- 1 : counter
    guard let mapping = memory.mapping(of: address) else { return step }
    step.mapping = mapping
    guard let image = image(of: mapping)?.image else { return step }
    step.image = image
    let offset = (address - mapping.range.lowerBound) &+ UInt64(mapping.offset)
    step.lookup = Int(exactly: offset).flatMap { image.address(ofOffset: $0) }
    return step
  }

  /// The image of a mapping, unless the file is another one by now.
  private mutating func image(of mapping: CoreMemory.Mapping) -> Image? {
    if let known = images[mapping.path] { return known }
    images[mapping.path] = .some(nil)
    guard let file = open(mapping.path), let image = ElfImage(file) else { return nil }
    // The first page holds the headers, and mostly the identity that the linker computed.
    let first = memory.mappings.first { $0.path == mapping.path && $0.offset == 0 }
    if let first {
      let head = memory.head(of: first, count: 4096)
      guard head.elementsEqual(file.bytes(at: 0, count: head.count) ?? []) else { return nil }
    }
    let found = Image(image: image, table: UnwindTable(image))
    images[mapping.path] = found
    return found
  }

  /// Puts the caller's registers in place of the present ones.
  ///
  /// - Returns: whether the frame was one of a signal; `nil` at the end of the stack.
  private mutating func leave(_ step: Step, isFirst: Bool) -> Bool? {
    if let lookup = step.lookup, let mapping = step.mapping,
      let entry = image(of: mapping)?.table?.entry(for: lookup)
    {
      return leave(by: entry, at: lookup)
    }
    let stack = memory.registers[memory.stackColumn]
    // A call of nothing: the caller is on top of the stack.
    if isFirst, step.mapping == nil, memory.counterColumn == 16, let caller = memory.word(at: stack)
    {
      move(to: caller, stack: stack &+ 8)
      return false
    }
    let frame = memory.registers[memory.frameColumn]
    guard frame >= stack, let next = memory.word(at: frame),
      let caller = memory.word(at: frame &+ 8)
    else { return nil }
    move(to: caller, stack: frame &+ 16)
    memory.registers[memory.frameColumn] = next
    return false
  }

  private mutating func move(to counter: UInt64, stack: UInt64) {
    memory.registers[memory.counterColumn] = Self.withoutSignature(counter, memory)
    memory.registers[memory.stackColumn] = stack
  }

  /// Addresses of arm64 may carry a signature in their upper bits.
  private static func withoutSignature(_ address: UInt64, _ memory: CoreMemory) -> UInt64 {
    memory.counterColumn == 16 ? address : address & 0xFFFF_FFFF_FFFF
  }

  private mutating func leave(by entry: UnwindTable.Entry, at address: UInt64) -> Bool? {
    guard let rules = UnwindRules(entry, at: address),
      rules.rules.indices.contains(entry.returnColumn)
    else { return nil }
    let old = memory.registers
    let frame: UInt64?
    if let expression = rules.frameExpression {
      frame = UnwindExpression.value(
        expression, start: nil, registers: old, memory: memory.word(at:))
    } else {
      frame =
        old.indices.contains(rules.frameRegister)
        ? old[rules.frameRegister] &+ UInt64(bitPattern: rules.frameDistance) : nil
    }
    guard let frame else { return nil }
    if case .undefined = rules.rules[entry.returnColumn] { return nil }
    var registers = old
    for (column, rule) in rules.rules.enumerated() {
      guard let value = value(of: rule, column, frame, old) else { return nil }
      registers[column] = value
    }
    let isOwn = if case .unchanged = rules.rules[memory.stackColumn] { true } else { false }
    if isOwn { registers[memory.stackColumn] = frame }
    let caller = Self.withoutSignature(registers[entry.returnColumn], memory)
    guard caller != old[memory.counterColumn] || frame != old[memory.stackColumn] else {
      return nil
    }
    registers[memory.counterColumn] = caller
    memory.registers = registers
    return entry.isSignalFrame
  }

  /// A register of the caller; `nil` when it cannot be known, which ends the walk.
  private func value(
    of rule: UnwindRules.Rule, _ column: Int, _ frame: UInt64, _ registers: [UInt64]
  ) -> UInt64? {
    switch rule {
    case .unchanged, .undefined: registers[column]
    case .saved(let distance): memory.word(at: frame &+ UInt64(bitPattern: distance))
    case .distance(let distance): frame &+ UInt64(bitPattern: distance)
    case .register(let other): registers.indices.contains(other) ? registers[other] : nil
    case .savedAt(let expression):
      UnwindExpression.value(
        expression, start: frame, registers: registers, memory: memory.word(at:)
      ).flatMap(memory.word(at:))
    case .value(let expression):
      UnwindExpression.value(
        expression, start: frame, registers: registers, memory: memory.word(at:))
    }
  }
}
