// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The words after a command's name, taken apart by its flag table.
///
/// GNU's rules: `--name=value`, `--name value`, `-nvalue`, `-n value`, `-abc` for switches, `--`
/// before operands that begin with a dash; flags and operands may stand in any order.
package struct Arguments: Sendable {
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private var shortOnes: Set<String> = []

  /// Takes `words` apart.
  ///
  /// - Throws: `CommandError` for an unknown flag, with the nearest known one, and for a missing or
  ///   superfluous value.
  init(_ words: [String], flags: [Flag]) throws(CommandError) {
    var rest = words[...]
    var takesFlags = true
    while let word = rest.popFirst() {
      if !takesFlags || word == "-" || !word.hasPrefix("-") {
        operands.append(word)
      } else if word == "--" {
        takesFlags = false
      } else if word.hasPrefix("--") {
        try takeLong(word, &rest, flags)
      } else {
        try takeShort(word, &rest, flags)
      }
    }
  }

  private mutating func takeLong(
    _ word: String, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(CommandError) {
    let body = word.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let attached = body.firstIndex(of: "=").map { String(body[body.index(after: $0)...]) }
    guard let flag = flags.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
      let hint = NearestName.find(name, in: flags.map(\.name)).map { "; did you mean --\($0)?" }
      throw .usage("unknown flag --\(name)" + (hint ?? ""))
    }
    if flag.value == nil {
      if attached != nil { throw .usage("--\(name) takes no value") }
      values[flag.name, default: []].append("")
    } else if let value = attached ?? rest.popFirst() {
      values[flag.name, default: []].append(value)
    } else {
      throw .usage("--\(name) needs a value: --\(name) \(flag.value ?? "")")
    }
  }

  private mutating func takeShort(
    _ word: String, _ rest: inout ArraySlice<String>, _ flags: [Flag]
  ) throws(CommandError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let flag = flags.first(where: { $0.short == letter }) else {
        throw .usage("unknown flag -\(letter)")
      }
      shortOnes.insert(flag.name)
      guard let placeholder = flag.value else {
        values[flag.name, default: []].append("")
        continue
      }
      let attached = letters.isEmpty ? rest.popFirst() : String(letters)
      guard let value = attached else {
        throw .usage("-\(letter) needs a value: -\(letter) \(placeholder)")
      }
      values[flag.name, default: []].append(value)
      return
    }
  }

  /// Whether the flag was given.
  package func has(_ name: String) -> Bool { values[name] != nil }

  /// Whether the flag was given by its letter.
  func usedShort(_ name: String) -> Bool { shortOnes.contains(name) }

  /// The value of the flag; the last one counts.
  package func value(_ name: String) -> String? { values[name]?.last }

  /// All values of a flag that may be repeated.
  package func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value as a whole number in `range`.
  ///
  /// - Throws: `CommandError`.
  package func integer(
    _ name: String, in range: ClosedRange<Int>
  ) throws(CommandError) -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == Int.max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw .usage("--\(name): expected a whole number \(bounds), got '\(text)'")
    }
    return number
  }

  /// The value as one of a few words.
  ///
  /// - Throws: `CommandError` that lists them.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of type: Choice.Type
  ) throws(CommandError) -> Choice? where Choice.RawValue == String {
    guard let text = value(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw .usage(
      "--\(name): expected \(names.joined(separator: ", ")), got '\(text)'"
        + NearestName.hint(text, in: names))
  }
}
