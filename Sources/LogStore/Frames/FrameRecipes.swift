// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogModel

/// Templates that are known, as steps along a text: most records have one of the last few, and to
/// follow its steps costs a third of making a template and looking for it.
struct FrameRecipes {
  /// Fixed bytes, and the mark of what follows them.
  private struct Step {
    var fixed: ByteSlice
    /// 0 at the end of a part.
    var mark: UInt8
    /// Which attribute it is the value of, for a mark of one.
    var attribute = 0
  }

  private struct Recipe {
    var text: ByteSlice
    var hash: UInt64
    var layout: (isWhole: Bool, hasBody: Bool, shift: Int64, digits: Int)
    var head: Range<Int>
    var tail: Range<Int>
    var body: Range<Int>
    var keys: Range<Int>
    /// Attributes whose values it has, a bit each.
    var constants: UInt64 = 0
  }

  private var recipes: [Recipe] = []
  private var steps: [Step] = []
  private let texts = ByteArena(capacity: 32 << 10)
  /// The last that were followed, the newest first; those with constants are tried before the
  /// others, which would take their records too.
  private var recent = RecentNumbers(limit: 8)
  private var recentWithConstants = RecentNumbers(limit: 24)
  private var clock = ClockText()

  var count: Int { recipes.count }

  /// Attributes whose values recipe `number` has, a bit each.
  func constants(of number: Int) -> UInt64 { recipes[number].constants }

  mutating func removeAll() {
    recipes.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    recent.removeAll()
    recentWithConstants.removeAll()
    texts.removeAll()
  }

  /// Adds a template, and gives its number.
  mutating func add(_ text: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    let layout = FrameLayout(text)
    let slice = texts.appendSlice(text)
    let keysStart = steps.count
    var constants: UInt64 = 0
    var attributes: [Int] = []
    for (index, member) in layout.members.enumerated() {
      if member.isConstant { constants |= 1 << index } else { attributes.append(index) }
      steps.append(
        Step(
          fixed: Self.slice(member.text, in: slice),
          mark: member.isConstant ? FrameLayout.constant : 0))
    }
    let keys = keysStart..<steps.count
    recipes.append(
      Recipe(
        text: slice, hash: hash,
        layout: (layout.isWhole, layout.hasBody, layout.shift, layout.digits),
        head: addSteps(layout.head, slice, text, attributes),
        tail: addSteps(layout.tail, slice, text, attributes),
        body: addSteps(layout.body, slice, text, attributes), keys: keys, constants: constants))
    return recipes.count - 1
  }

  private static func slice(_ range: Range<Int>, in text: ByteSlice) -> ByteSlice {
    ByteSlice(start: Int(text.start) + range.lowerBound, count: range.count)
  }

  private mutating func addSteps(
    _ part: Range<Int>, _ slice: ByteSlice, _ text: UnsafeBufferPointer<UInt8>,
    _ attributes: [Int]
  ) -> Range<Int> {
    let first = steps.count
    var start = part.lowerBound
    for index in part where text[index] < 32 && text[index] != 9 {
      let mark = text[index]
      steps.append(
        Step(
          fixed: Self.slice(start..<index, in: slice), mark: mark,
          attribute: mark >= FrameMark.value ? attributes[Int(mark - FrameMark.value)] : 0))
      start = index + 1
    }
    steps.append(Step(fixed: Self.slice(start..<part.upperBound, in: slice), mark: 0))
    return first..<steps.count
  }

  /// The template of a batch that stands for recipe `number`, in the batch's arena.
  func template(_ number: Int, in arena: ByteArena) -> RecordTemplate {
    let recipe = recipes[number]
    return RecordTemplate(
      text: arena.appendSlice(texts.bytes(recipe.text)), hash: recipe.hash,
      hasBody: recipe.layout.hasBody, constants: recipe.constants)
  }

  /// From now on a recipe is tried first.
  mutating func noteUse(_ number: Int) {
    if recipes[number].constants != 0 {
      recentWithConstants.put(number)
    } else {
      recent.put(number)
    }
  }

  // MARK: Following

  /// Which of the recipes that were followed last gives the record's text from its values.
  mutating func find(
    _ record: LogRecord, _ surroundings: FrameTemplate.Surroundings, _ arena: ByteArena
  ) -> Int? {
    for index in 0..<recentWithConstants.count {
      let number = recentWithConstants[index]
      if hasConstants(recipes[number], record, arena),
        follow(recipes[number], record, surroundings, arena)
      {
        recentWithConstants.putFirst(index)
        return number
      }
    }
    for index in 0..<recent.count {
      let number = recent[index]
      if follow(recipes[number], record, surroundings, arena) {
        recent.putFirst(index)
        return number
      }
    }
    return nil
  }

  /// Mostly it is the last one that tells recipes of a kind of record apart, by its length.
  ///
  /// It changes nothing, but from where it is called a method that may not would copy all of this.
  private mutating func hasConstants(
    _ recipe: Recipe, _ record: LogRecord, _ arena: ByteArena
  ) -> Bool {
    let places = arena.places(record.attributes)
    guard places.count == recipe.keys.count else { return false }
    var rest = recipe.constants
    while rest != 0 {
      let index = 63 - rest.leadingZeroBitCount
      rest &= ~(1 << index)
      let start = index == 0 ? record.attributes.text.start : places[index - 1].end + 1
      let fixed = steps[recipe.keys.lowerBound + index].fixed
      guard places[index].end &- start == fixed.count,
        memcmp(arena.base + Int(start), texts.base + Int(fixed.start), Int(fixed.count)) == 0
      else { return false }
    }
    return true
  }

  private mutating func follow(
    _ recipe: Recipe, _ record: LogRecord, _ surroundings: FrameTemplate.Surroundings,
    _ arena: ByteArena
  ) -> Bool {
    guard Int(record.attributes.placeCount) == recipe.keys.count,
      recipe.layout.isWhole != record.original.isEmpty
    else { return false }
    return follow(recipe.head, recipe, surroundings.head, record, arena)
      && follow(recipe.tail, recipe, surroundings.tail, record, arena)
      && (!recipe.layout.hasBody || follow(recipe.body, recipe, record.body, record, arena))
      && hasKeys(recipe.keys, record, arena)
  }

  private mutating func follow(
    _ part: Range<Int>, _ recipe: Recipe, _ region: ByteSlice, _ record: LogRecord,
    _ arena: ByteArena
  ) -> Bool {
    let base = UnsafePointer(arena.base)
    var position = Int(region.start)
    let end = region.end
    for index in part {
      let step = steps[index]
      let fixed = Int(step.fixed.count)
      guard fixed <= end - position,
        memcmp(base + position, texts.base + Int(step.fixed.start), fixed) == 0
      else { return false }
      position += fixed
      if step.mark == 0 { break }
      guard
        let length = length(
          of: step, at: base + position, end - position, recipe, record, arena)
      else { return false }
      position += length
    }
    return position == end
  }

  /// How many bytes of a text say the value that a mark stands for; `nil` when they say another.
  @inline(__always)
  private mutating func length(
    of step: Step, at text: UnsafePointer<UInt8>, _ room: Int, _ recipe: Recipe,
    _ record: LogRecord, _ arena: ByteArena
  ) -> Int? {
    switch step.mark {
    case FrameMark.time, FrameMark.date:
      clock.set(record.time.nanoseconds, shift: recipe.layout.shift)
      return step.mark == FrameMark.time
        ? clock.length(of: .clock, at: text, room) : clock.length(of: .date, at: text, room)
    case FrameMark.fraction:
      return Self.fraction(record.time.nanoseconds, recipe.layout.digits, at: text, room)
    case FrameMark.pid: return Self.number(record.pid, at: text, room)
    case FrameMark.thread: return Self.number(record.threadID, at: text, room)
    default:
      let place = arena.places(record.attributes)[step.attribute]
      let quote = arena.base[Int(place.start)] == UInt8(ascii: "\"") ? 1 : 0
      let start = arena.base + Int(place.start) + quote
      let count = Int(place.end) - Int(place.start) - 2 * quote
      // SQL takes the quotes off by `trim`, which would take one more.
      guard count > 0, count <= room, start[count - 1] != UInt8(ascii: "\""),
        memcmp(text, start, count) == 0
      else { return nil }
      return count
    }
  }

  private static func number(_ number: Int64, at text: UnsafePointer<UInt8>, _ room: Int) -> Int? {
    guard number >= 0 else { return nil }
    var count = 1
    var rest = number
    while rest >= 10 {
      count += 1
      rest /= 10
    }
    guard count <= room else { return nil }
    rest = number
    for index in stride(from: count - 1, through: 0, by: -1) {
      guard text[index] == UInt8(truncatingIfNeeded: rest % 10) &+ 0x30 else { return nil }
      rest /= 10
    }
    return count
  }

  private static func fraction(
    _ time: Int64, _ digits: Int, at text: UnsafePointer<UInt8>, _ room: Int
  ) -> Int? {
    guard digits <= room else { return nil }
    var rest = CivilTime.floorDivide(time, 1_000_000_000).rest
    var unit: Int64 = 100_000_000
    for index in 0..<digits {
      guard unit > 0, text[index] == UInt8(truncatingIfNeeded: rest / unit) &+ 0x30 else {
        return nil
      }
      rest %= unit
      unit /= 10
    }
    return digits
  }

  /// Those of constants were compared before.
  private func hasKeys(_ keys: Range<Int>, _ record: LogRecord, _ arena: ByteArena) -> Bool {
    let places = arena.places(record.attributes)
    var start = Int(record.attributes.text.start)
    for (index, step) in keys.enumerated() {
      if steps[step].mark != FrameLayout.constant {
        // Between the value before and this one: a comma, the key in quotes, a colon.
        let key = steps[step].fixed
        let count = Int(places[index].start) - start - 1
        guard count == Int(key.count),
          memcmp(arena.base + start, texts.base + Int(key.start), count) == 0
        else { return false }
      }
      start = Int(places[index].end) + 1
    }
    return true
  }
}

extension ClockText {
  /// Whether the part stands at `bytes`, of which there are `room`: how long it is then.
  fileprivate func length(of part: Part, at bytes: UnsafePointer<UInt8>, _ room: Int) -> Int? {
    withBytes(of: part) {
      $0.count <= room && memcmp(bytes, $0.baseAddress!, $0.count) == 0 ? $0.count : nil
    }
  }
}
