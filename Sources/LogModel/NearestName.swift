// SPDX-License-Identifier: Apache-2.0

/// Finds what a person meant by a word that is not known.
public enum NearestName {
  /// The name that `word` is most likely a slip of; `nil` when none is near.
  ///
  /// Near is at most one slip in three letters: a letter missing, added, changed, or two swapped.
  ///
  /// - Parameters:
  ///   - word: what was written.
  ///   - names: what is known.
  public static func find(_ word: String, in names: [String]) -> String? {
    let written = Array(word.lowercased().utf8)
    let allowed = max(1, written.count / 3)
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(written, Array(name.lowercased().utf8))
      if distance <= allowed, distance < best?.distance ?? Int.max { best = (name, distance) }
    }
    return best?.name
  }

  /// `; did you mean 'name'?`, or nothing.
  public static func hint(_ word: String, in names: [String]) -> String {
    find(word, in: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  // Optimal string alignment: Levenshtein with swaps of neighbours.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var value = min(last[j] + 1, row[j - 1] + 1, change)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          value = min(value, beforeLast[j - 2] + 1)
        }
        row.append(value)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
