// SPDX-License-Identifier: Apache-2.0

/// Tells by a byte's neighbours that no rule can find anything where it stands.
///
/// Nine of ten hooks of rules in logs are times, numbers, and names of keys that say nothing of
/// secrets. Whatever this dismisses, `Scanner.find` would have found nothing at, nor an escape; when
/// in doubt it dismisses nothing, so a rule that is changed must be looked up here. A test compares
/// the two over samples that are cut, joined and misspelt.
final class Glance {
  private let isNarrow: Bool
  private let knowsNames: Bool
  // Copies: a table that is a global costs a call at each access, one that is an array a retain.
  private let classes = copy(of: ByteClass.table)
  private let prefixEnds = copy(of: TokenRule.ends)
  private let nameEnds = copy(of: SecretNames.lastThree)

  /// - Parameters:
  ///   - names: the names of keys that are at work.
  ///   - isEnabled: the rules that are at work, by `RuleID`.
  init(names: SecretNames, isEnabled: [Bool]) {
    // Addresses of networks are found at the digits and colons of any time.
    isNarrow = ![RuleID.ipv4, .ipv6, .mac].contains { isEnabled[$0.rawValue] }
    knowsNames = names.own.isEmpty
  }

  deinit {
    classes.deallocate()
    prefixEnds.deallocate()
    nameEnds.deallocate()
  }

  private static func copy<Element>(of table: [Element]) -> UnsafeMutablePointer<Element> {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: table.count)
    copy.initialize(from: table, count: table.count)
    return copy
  }

  /// Whether there is nothing at `index`; `next` is where to go on then.
  @inline(__always)
  func dismisses(_ text: TextBytes, _ index: Int, _ next: inout Int) -> Bool {
    next = index &+ 1
    let before = text.byte(index &- 1)
    let after = text.byte(index &+ 1)
    switch text[index] {
    case 0x30...0x39: return dismissesNumber(text, index, before, &next)
    case UInt8(ascii: "="):
      return knowsNames && after != UInt8(ascii: "=") && dismissesName(text, before: index)
    case UInt8(ascii: ":"): return dismissesColon(text, index, before, after)
    case UInt8(ascii: "-"):
      if before.isLetter { return !mayEndPrefix(text, index) }
      return after != UInt8(ascii: "-") && !after.isLetter
    case UInt8(ascii: "_"), UInt8(ascii: "."): return !mayEndPrefix(text, index)
    case UInt8(ascii: "/"):
      // /home, /Users
      let second = text.byte(index &+ 2) | 0x20
      return !(after == UInt8(ascii: "h") && second == UInt8(ascii: "o"))
        && !(after | 0x20 == UInt8(ascii: "u") && second == UInt8(ascii: "s"))
    case UInt8(ascii: "["):
      // [33m
      return !after.isDigit && after != UInt8(ascii: ";") && after != UInt8(ascii: "m")
    case UInt8(ascii: "("): return after != UInt8(ascii: "'") && after != UInt8(ascii: "\"")
    case UInt8(ascii: "<"): return !after.isLetter
    case UInt8(ascii: "J"):
      return before != UInt8(ascii: "y") || text.byte(index &- 2) != UInt8(ascii: "e")
    case UInt8(ascii: "B"), UInt8(ascii: "b"):
      // bearer, basic
      return before.isLetter || before.isDigit
        || (after | 0x20 != UInt8(ascii: "e") && after | 0x20 != UInt8(ascii: "a"))
    case UInt8(ascii: "A"): return !TokenRule.mayFollowCapital(after)
    case UInt8(ascii: "~"): return before != UInt8(ascii: "Q")
    case UInt8(ascii: "'"):
      // password 'x', IDENTIFIED BY 'x', passphrase('x')
      let last = text.byte(index &- 2) | 0x20
      return (before != 0x20 && before != UInt8(ascii: "("))
        || (last != UInt8(ascii: "d") && last != UInt8(ascii: "y") && last != UInt8(ascii: "e"))
    case UInt8(ascii: "%"): return !has(after, ByteClass.hex)
    case UInt8(ascii: "&"): return after != UInt8(ascii: "#") && !after.isLetter
    default: return false
    }
  }

  /// Cards have thirteen digits or groups of them, account numbers follow letters of a country.
  @inline(__always)
  private func dismissesNumber(
    _ text: TextBytes, _ index: Int, _ before: UInt8, _ next: inout Int
  ) -> Bool {
    var end = index &+ 1
    while end < text.count, text[end].isDigit { end &+= 1 }
    next = end
    let count = end &- index
    if count > 1, before &- 0x41 < 26 { return false }
    if count < 4 { return isNarrow }
    // No card begins by another digit.
    if text[index] < UInt8(ascii: "2") || text[index] > UInt8(ascii: "6") { return true }
    if count > 4 { return count < 13 }
    let separator = text.byte(end)
    guard separator == 0x20 || separator == UInt8(ascii: "-") else { return true }
    // The groups that follow the first four digits have four or six.
    for offset in 1...4 where !text.byte(end &+ offset).isDigit { return true }
    return false
  }

  @inline(__always)
  private func dismissesColon(
    _ text: TextBytes, _ index: Int, _ before: UInt8, _ after: UInt8
  ) -> Bool {
    guard isNarrow else { return false }
    if before.isDigit { return after.isDigit && !text.byte(index &- 4).isLetter }
    // URLs, also escaped ones.
    if after == UInt8(ascii: "/") || after == UInt8(ascii: "\\") { return false }
    return knowsNames && dismissesName(text, before: index)
  }

  /// Whether a name stands before a separator, bare or in quotes, that ends as no secret's name does.
  @inline(__always)
  private func dismissesName(_ text: TextBytes, before separator: Int) -> Bool {
    let end = text.byte(separator &- 1) == UInt8(ascii: "\"") ? separator &- 1 : separator
    let last = text.byte(end &- 1)
    guard last.isLetter else { return false }
    let second = text.byte(end &- 2)
    // A name of one letter says nothing.
    if !has(second, ByteClass.key) { return true }
    // user%5Bpassword%5D=
    if last == UInt8(ascii: "D"), second == UInt8(ascii: "5") { return false }
    if last | 0x20 == UInt8(ascii: "d"), second | 0x20 == UInt8(ascii: "i") {
      return dismissesID(text, end)
    }
    let place = SecretNames.lastThree(text.byte(end &- 3), second, last)
    return !nameEnds[place]
  }

  /// Of the names that end by `id` only those of sessions and secrets are told from `request-id`.
  private func dismissesID(_ text: TextBytes, _ end: Int) -> Bool {
    let hasSeparator = "-_.".utf8.contains(text.byte(end &- 3))
    let before = hasSeparator ? end &- 4 : end &- 3
    switch text.byte(before) | 0x20 {
    case UInt8(ascii: "s"): return false
    case UInt8(ascii: "n"): return text.byte(before &- 1) | 0x20 != UInt8(ascii: "o")
    case UInt8(ascii: "t"): return text.byte(before &- 1) | 0x20 != UInt8(ascii: "e")
    default: return text.byte(before).isLetter
    }
  }

  /// Whether the prefix of a token may end by the separator at `index`.
  @inline(__always)
  private func mayEndPrefix(_ text: TextBytes, _ index: Int) -> Bool {
    let place = TokenRule.end(text.byte(index &- 2), text.byte(index &- 1), text[index])
    return prefixEnds[place]
  }

  @inline(__always)
  private func has(_ byte: UInt8, _ bits: UInt8) -> Bool {
    classes[Int(byte)] & bits != 0
  }
}

extension UInt8 {
  @inline(__always) fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inline(__always) fileprivate var isDigit: Bool { self &- 0x30 < 10 }
}
