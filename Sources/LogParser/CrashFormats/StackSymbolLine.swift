// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A stack line as `callStackSymbols`, Apple's and PLCrashReporter's reports write it:
/// `2   Shop   0x0000000102a1c3b4 symbol + 84`.
enum StackSymbolLine {
  /// - Returns: the line's own number and its frame; `nil` when it is no such line.
  static func read(_ line: String) -> (index: Int, frame: CrashFrame)? {
    let trimmed = CrashText.trim(line)
    if trimmed.hasSuffix("]"), let frame = glibcFrame(trimmed) { return (0, frame) }
    guard let (index, rest) = CrashText.leadingInt(trimmed[...]), index < 100_000,
      rest.hasPrefix(" ") || rest.hasPrefix("\t"),
      let (image, address, tail) = columns(of: rest)
    else { return nil }
    var frame = CrashFrame(address: address, image: image)
    readSymbol(tail, into: &frame)
    return (index, frame)
  }

  /// `path(symbol+0xoff) [0xaddr]`, as `backtrace_symbols` of glibc writes it, and with it
  /// `Thread.callStackSymbols` on Linux.
  private static func glibcFrame(_ line: String) -> CrashFrame? {
    guard let open = line.utf8.lastIndex(of: UInt8(ascii: "[")),
      let address = CrashText.address(line[open...].dropFirst())
    else { return nil }
    let place = CrashText.trim(line[..<open])
    guard place.hasSuffix(")"), let paren = place.utf8.lastIndex(of: UInt8(ascii: "(")),
      paren > place.startIndex
    else { return nil }
    let inner = place[paren...].dropFirst().dropLast()
    var frame = CrashFrame(address: address, image: CrashText.baseName(String(place[..<paren])))
    if let plus = CrashText.find("+0x", in: inner) {
      frame.symbol = CrashText.meaningful(String(inner[..<plus.lowerBound]))
      frame.offset = UInt64(inner[plus.upperBound...], radix: 16)
    } else {
      frame.symbol = CrashText.meaningful(String(inner))
    }
    return frame
  }

  /// The image may hold blanks: it ends where a blank and a long hexadecimal number follow.
  private static func columns(of text: String) -> (image: String, UInt64, tail: String)? {
    var from = text.startIndex
    while let range = CrashText.find("0x", in: text[from...]) {
      let digits = CrashText.hexDigits(text[range.upperBound...])
      let before = text[..<range.lowerBound]
      let isColumn = before.hasSuffix(" ") || before.hasSuffix("\t")
      if isColumn, (5...16).contains(digits.utf8.count), let address = UInt64(digits, radix: 16) {
        let image = CrashText.trim(before)
        return image.isEmpty ? nil : (image, address, CrashText.trim(text[digits.endIndex...]))
      }
      from = range.upperBound
    }
    return nil
  }

  /// `symbol + off`, `0xBASE + off`, `0xBASE + off (symbol + off)`, each perhaps with
  /// `(file:line)` behind it.
  private static func readSymbol(_ text: String, into frame: inout CrashFrame) {
    var text = text
    if let (head, inner) = trailingParentheses(text) {
      if let (symbol, offset) = symbolAndOffset(inner), !symbol.hasPrefix("0x") {
        frame.symbol = symbol
        frame.offset = offset
        return
      }
      if readLocation(inner, into: &frame) { text = head }
    }
    guard let (symbol, offset) = symbolAndOffset(text) else {
      frame.symbol = text.hasPrefix("0x") ? nil : CrashText.meaningful(text)
      return
    }
    frame.offset = offset
    let name = withoutImage(symbol)
    frame.symbol = name.hasPrefix("0x") || name == frame.image ? nil : name
  }

  /// `symbol (in Image)`, as atos writes it.
  private static func withoutImage(_ symbol: String) -> String {
    guard symbol.hasSuffix(")"), let (name, _) = CrashText.split(symbol, at: " (in ") else {
      return symbol
    }
    return name
  }

  private static func trailingParentheses(_ text: String) -> (head: String, inner: String)? {
    guard text.hasSuffix(")"), let open = text.utf8.lastIndex(of: UInt8(ascii: "(")),
      open > text.startIndex, text[..<open].hasSuffix(" ")
    else { return parenthesesAfterOffset(text) }
    return (CrashText.trim(text[..<open]), String(text[text.utf8.index(after: open)...].dropLast()))
  }

  /// A symbol in parentheses may hold some itself: `0x5f000 + 40 (-[A(B) c] + 8)`.
  private static func parenthesesAfterOffset(_ text: String) -> (head: String, inner: String)? {
    guard text.hasPrefix("0x"), text.hasSuffix(")"), let open = CrashText.find(" (", in: text)
    else { return nil }
    return (
      CrashText.trim(text[..<open.lowerBound]), String(text[open.upperBound...].dropLast())
    )
  }

  /// Splits `symbol + 84` at its last plus sign.
  static func symbolAndOffset(_ text: String) -> (String, UInt64)? {
    guard let plus = text.utf8.lastIndex(of: UInt8(ascii: "+")), plus > text.startIndex,
      text[..<plus].hasSuffix(" "),
      let offset = UInt64(CrashText.trim(text[text.utf8.index(after: plus)...]))
    else { return nil }
    return (CrashText.trim(text[..<plus]), offset)
  }

  /// `File.swift:12` or `File.swift:12:3`.
  static func readLocation(_ text: String, into frame: inout CrashFrame) -> Bool {
    var parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count > 1, let last = Int(parts[parts.count - 1]) else { return false }
    parts.removeLast()
    if parts.count > 1, let line = Int(parts[parts.count - 1]) {
      parts.removeLast()
      (frame.line, frame.column) = (line, last)
    } else {
      frame.line = last
    }
    frame.file = parts.joined(separator: ":")
    return true
  }
}
