// SPDX-License-Identifier: Apache-2.0

/// A readable name for a mangled Swift symbol.
///
/// Only the path of names at its beginning is read, in linear time: the runtime's own demangler
/// expands substitutions without a bound, and reports come from anywhere.
enum SwiftSymbol {
  /// `Shop.CartManager.load` for `$s4Shop11CartManagerC4loadyyF`; `nil` when it is no such symbol.
  static func path(_ symbol: String) -> String? {
    var rest = Array(symbol.utf8)[...]
    if rest.first == UInt8(ascii: "_") { rest = rest.dropFirst() }
    guard rest.starts(with: "$s".utf8) || rest.starts(with: "$S".utf8) else { return nil }
    rest = rest.dropFirst(2)
    var names: [String] = []
    while let name = takeName(&rest) {
      names.append(name)
      // Class, structure, enumeration, protocol.
      if let kind = rest.first, "CVOP".utf8.contains(kind) { rest = rest.dropFirst() }
    }
    return names.count > 1 ? names.joined(separator: ".") : nil
  }

  /// A decimal length and as many bytes.
  private static func takeName(_ rest: inout ArraySlice<UInt8>) -> String? {
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    // A leading zero announces parts of earlier names.
    guard digits.first != 0x30, digits.count < 4,
      let length = Int(String(decoding: digits, as: UTF8.self)),
      length <= rest.count - digits.count
    else { return nil }
    let name = rest.dropFirst(digits.count).prefix(length)
    rest = rest.dropFirst(digits.count + length)
    return String(decoding: name, as: UTF8.self)
  }
}
