// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Gives records the template of their kind. A template is used when it is met for the second time:
/// one that is met once would cost more than the text that it saves.
struct TemplateFinder {
  /// 0 for one that was met once, else its recipe's number and 1.
  private var known = ByteTable(limit: Self.limit, textBytes: 64 << 10)
  private var recipes = FrameRecipes()
  private var template = FrameTemplate()
  private var constants = ConstantFinder()
  /// By recipe: the batch that has its template, and the template's number there.
  private var uses: [(batch: Int, number: UInt32)] = []
  private var batchNumber = 0
  /// Of the last records of the file: how many had a template that was known.
  private var generation: UInt32 = 0
  private var tried = 0
  private var hits = 0
  /// Records of this file that are left as they are, since their frames are all different.
  private var pause = 0

  private static let limit = 1024
  /// After so many records it is seen whether templates are worth while.
  private static let trial = 256
  private static let pauseRecords = 8192

  /// The records to come are of another batch.
  mutating func beginBatch() { batchNumber += 1 }

  /// The number of the record's template among those of `batch`; 0 when it has none.
  mutating func number(for record: LogRecord, _ batch: RecordBatch) -> UInt32 {
    // One that may grow is stored again soon.
    if record.isOpen { return 0 }
    if record.generation != generation { beginFile(record.generation) }
    if pause > 0 {
      pause -= 1
      return 0
    }
    guard let surroundings = FrameTemplate.surroundings(record) else { return 0 }
    let recipe: Int?
    if let found = recipes.find(record, surroundings, batch.arena) {
      recipe = withConstants(found, record, surroundings, batch.arena)
    } else {
      guard template.make(record, surroundings, batch.arena) else { return 0 }
      recipe = lookUp()
    }
    count(isHit: recipe != nil)
    return recipe.map { number(of: $0, batch) } ?? 0
  }

  /// The recipe for a record that has one, with the values that many such records share.
  private mutating func withConstants(
    _ recipe: Int, _ record: LogRecord, _ surroundings: FrameTemplate.Surroundings,
    _ arena: ByteArena
  ) -> Int {
    let known = recipes.constants(of: recipe)
    let found = constants.find(in: record, recipe: recipe, known: known, arena)
    guard found != 0, template.make(record, surroundings, arena, constants: known | found) else {
      return recipe
    }
    return lookUp(isFrequent: true) ?? recipe
  }

  private mutating func beginFile(_ generation: UInt32) {
    self.generation = generation
    tried = 0
    hits = 0
    pause = 0
  }

  private mutating func count(isHit: Bool) {
    tried += 1
    if isHit { hits += 1 }
    if tried == Self.trial {
      if hits * 2 < tried { pause = Self.pauseRecords }
      tried = 0
      hits = 0
    }
  }

  /// The recipe for the template that was made last; `nil` when it is met for the first time, and
  /// is not known to be frequent.
  private mutating func lookUp(isFrequent: Bool = false) -> Int? {
    let bytes = template.bytes.bytes(ByteSlice(start: 0, count: template.bytes.count))
    let hash = ByteHash.hash(bytes)
    let value = known.value(of: bytes, hash: hash)
    if value == nil, !isFrequent {
      known.set(0, of: bytes, hash: hash)
      return nil
    }
    var recipe = Int(value ?? 0) - 1
    if recipe < 0 {
      // The table forgets everything when it is full, and so do the recipes.
      if recipes.count == Self.limit { removeAll() }
      recipe = recipes.add(bytes, hash: hash)
      uses.append((0, 0))
      known.set(Int64(recipe) + 1, of: bytes, hash: hash)
    }
    recipes.noteUse(recipe)
    return recipe
  }

  private mutating func removeAll() {
    known.removeAll()
    recipes.removeAll()
    constants.removeAll()
    uses.removeAll(keepingCapacity: true)
  }

  private mutating func number(of recipe: Int, _ batch: RecordBatch) -> UInt32 {
    if uses[recipe].batch != batchNumber {
      batch.templates.append(recipes.template(recipe, in: batch.arena))
      uses[recipe] = (batchNumber, UInt32(batch.templates.count))
    }
    return uses[recipe].number
  }
}
