// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Finds attributes that have the same value in many records of one kind, such as a method, a host
/// or a user agent: a template that has them spares each record their bytes.
///
/// Now and then some records of a kind are looked at; what they share is remembered until then.
struct ConstantFinder {
  /// What is known of the records of one recipe.
  private struct Kind {
    /// Records until the next trial, and during it. A kind that hardly ever comes has none.
    var untilTrial = ConstantFinder.warmUp
    var untilEnd = ConstantFinder.trial
    /// While they are looked at, those of each attribute.
    var candidates: [[Candidate]] = []
    /// Hashes of values that many records have, and the attributes that have such.
    var frequent: [UInt64] = []
    var attributes: UInt64 = 0
  }

  /// A value, by its hash.
  private struct Candidate {
    var hash: UInt64
    var count: Int
  }

  private var kinds: [Kind] = []
  private var allowance = Self.fullAllowance
  private var untilRefill = Self.rest

  /// So many records of a kind are looked at, and so many are left alone between.
  private static let warmUp = 128
  private static let trial = 512
  private static let rest = 1 << 14
  /// With as many candidates, none is missed that an eighth has; what is counted so often that
  /// one in 32 has it is frequent.
  private static let candidateCount = 16
  private static let leastCount = trial / 32
  /// The first attributes alone are looked at, and only values that are worth their place.
  private static let attributeCount = 16
  private static let valueBytes: ClosedRange<UInt32> = 4...512
  /// Values that are frequent each may have many combinations: so many new ones are tried until
  /// the next refill.
  private static let fullAllowance = 64

  mutating func removeAll() { kinds.removeAll(keepingCapacity: true) }

  /// Which further attributes of a record have a value that many of its kind have, a bit each.
  ///
  /// - Parameters:
  ///   - recipe: of the record.
  ///   - known: attributes that its recipe has with their values.
  mutating func find(
    in record: LogRecord, recipe: Int, known: UInt64, _ arena: ByteArena
  ) -> UInt64 {
    while recipe >= kinds.count { kinds.append(Kind()) }
    untilRefill -= 1
    if untilRefill == 0 {
      untilRefill = Self.rest
      allowance = Self.fullAllowance
    }
    if kinds[recipe].untilTrial > 0 {
      kinds[recipe].untilTrial -= 1
    } else {
      lookAt(record, recipe, known, arena)
    }
    if kinds[recipe].attributes == 0 || allowance == 0 { return 0 }
    let found = frequentOnes(of: record, kinds[recipe], arena)
    if found != 0 { allowance -= 1 }
    return found
  }

  private func frequentOnes(of record: LogRecord, _ kind: Kind, _ arena: ByteArena) -> UInt64 {
    let places = arena.places(record.attributes)
    var found: UInt64 = 0
    var rest = kind.attributes
    while rest != 0 {
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      if index < places.count, let hash = Self.hash(of: places[index], index, arena),
        kind.frequent.contains(hash)
      {
        found |= 1 << index
      }
    }
    return found
  }

  /// Of a value that may be a constant.
  private static func hash(of place: MemberPlace, _ index: Int, _ arena: ByteArena) -> UInt64? {
    let count = place.end &- place.start
    guard valueBytes.contains(count) else { return nil }
    let value = arena.bytes(ByteSlice(start: Int(place.start), count: Int(count)))
    // What holds others, or may stand on several lines, is left as it is.
    guard let first = value.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
      !value.contains(where: { $0 < 32 })
    else { return nil }
    return ByteHash.hash(value) &+ UInt64(index)
  }

  // MARK: Looking at some

  private mutating func lookAt(
    _ record: LogRecord, _ recipe: Int, _ known: UInt64, _ arena: ByteArena
  ) {
    let places = arena.places(record.attributes)
    let count = min(places.count, Self.attributeCount)
    while kinds[recipe].candidates.count < count { kinds[recipe].candidates.append([]) }
    for index in 0..<count where known >> index & 1 == 0 {
      if let hash = Self.hash(of: places[index], index, arena) {
        Self.count(hash, in: &kinds[recipe].candidates[index])
      }
    }
    kinds[recipe].untilEnd -= 1
    if kinds[recipe].untilEnd == 0 { endTrial(recipe) }
  }

  /// After Misra and Gries: what is frequent outlasts what is not.
  private static func count(_ hash: UInt64, in candidates: inout [Candidate]) {
    if let index = candidates.firstIndex(where: { $0.hash == hash }) {
      candidates[index].count += 1
    } else if candidates.count < candidateCount {
      candidates.append(Candidate(hash: hash, count: 1))
    } else {
      for index in candidates.indices { candidates[index].count -= 1 }
      candidates.removeAll { $0.count == 0 }
    }
  }

  private mutating func endTrial(_ recipe: Int) {
    var kind = Kind()
    kind.untilTrial = Self.rest
    for (index, candidates) in kinds[recipe].candidates.enumerated() {
      let frequent = candidates.filter { $0.count >= Self.leastCount }
      if !frequent.isEmpty { kind.attributes |= 1 << index }
      kind.frequent += frequent.map(\.hash)
    }
    kinds[recipe] = kind
  }
}
