// SPDX-License-Identifier: Apache-2.0

/// A readable name for a mangled C++ symbol (Itanium ABI, section 5.1).
///
/// Only the path of names at its beginning is read, in linear time: the C++ library's own demangler
/// expands substitutions without a bound, and symbols come from anywhere.
enum CxxSymbol {
  /// `shop::Cart::add` for `_ZN4shop4Cart3addEi`, without types and arguments of templates; `nil`
  /// when it is no such symbol, or its name is not spelled out.
  static func path(_ symbol: String) -> String? {
    var rest = Array(symbol.utf8)[...]
    guard rest.starts(with: "_Z".utf8) else { return nil }
    rest = rest.dropFirst(2)
    // Functions of one file only.
    if rest.first == UInt8(ascii: "L") { rest = rest.dropFirst() }
    guard rest.first == UInt8(ascii: "N") else {
      let prefix = take("St", from: &rest) ? "std::" : ""
      return takeName(&rest).map { prefix + $0 }
    }
    rest = rest.dropFirst()
    // What a method promises of its object: const, volatile, & and &&.
    rest = rest.drop { "rVKRO".utf8.contains($0) }
    let names = takePath(&rest)
    return rest.first == UInt8(ascii: "E") && !names.isEmpty ? names.joined(separator: "::") : nil
  }

  /// Names of the library that have a letter of their own.
  private static let library = [
    ("St", "std"), ("Sa", "std::allocator"), ("Sb", "std::basic_string"), ("Ss", "std::string"),
    ("Si", "std::istream"), ("So", "std::ostream"), ("Sd", "std::iostream"),
  ]

  private static func takePath(_ rest: inout ArraySlice<UInt8>) -> [String] {
    var names: [String] = []
    if let known = library.first(where: { rest.starts(with: $0.0.utf8) }) {
      names.append(known.1)
      rest = rest.dropFirst(2)
    }
    while let byte = rest.first {
      if let name = takeName(&rest) {
        names.append(name)
      } else if byte == UInt8(ascii: "I") {
        guard skipArguments(&rest) else { break }
      } else if byte == UInt8(ascii: "C") || byte == UInt8(ascii: "D"),
        let number = rest.dropFirst().first, isDigit(number), let last = names.last
      {
        names.append(byte == UInt8(ascii: "D") ? "~" + last : last)
        rest = rest.dropFirst(2)
      } else if isSmall(byte), let second = rest.dropFirst().first, isSmall(second) {
        names.append("operator")
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    return names
  }

  /// Passes over `I…E`, in which lists and names may be nested.
  private static func skipArguments(_ rest: inout ArraySlice<UInt8>) -> Bool {
    var depth = 0
    while let byte = rest.first {
      if takeName(&rest) != nil { continue }
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "X"), UInt8(ascii: "J"),
        UInt8(ascii: "F"):
        depth += 1
      case UInt8(ascii: "E"):
        depth -= 1
        if depth == 0 { return true }
      case UInt8(ascii: "L"):
        // A constant: its digits are no length.
        rest = rest.drop { $0 != UInt8(ascii: "E") }.dropFirst()
      case UInt8(ascii: "S"), UInt8(ascii: "T"):
        // A part that was named before, or an argument.
        if let next = rest.first, isSmall(next) {
          rest = rest.dropFirst()
        } else {
          rest = rest.drop { $0 != UInt8(ascii: "_") }.dropFirst()
        }
      default: break
      }
    }
    return false
  }

  private static func take(_ text: String, from rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// A decimal length and as many bytes.
  private static func takeName(_ rest: inout ArraySlice<UInt8>) -> String? {
    let digits = rest.prefix(while: isDigit)
    guard digits.count < 4, let length = Int(String(decoding: digits, as: UTF8.self)),
      length > 0, length <= rest.count - digits.count
    else { return nil }
    let name = rest.dropFirst(digits.count).prefix(length)
    rest = rest.dropFirst(digits.count + length)
    guard !name.starts(with: "_GLOBAL__N".utf8) else { return "(anonymous namespace)" }
    return String(decoding: name, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private static func isSmall(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
}

/// Names of functions as people write them.
package enum SymbolName {
  /// The path of names in a mangled Swift or C++ symbol; other symbols as they are.
  package static func readable(_ symbol: String) -> String {
    SwiftSymbol.path(symbol) ?? CxxSymbol.path(symbol) ?? symbol
  }
}
