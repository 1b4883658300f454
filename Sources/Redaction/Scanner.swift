// SPDX-License-Identifier: Apache-2.0

/// Looks through a text once, from byte to byte that can mean something.
///
/// Each rule hangs on its rarest byte: a clean text costs one look-up per byte.
struct Scanner {
  let names: SecretNames
  let isEnabled: [Bool]
  private let triggers: [Bool]
  private let glance: Glance?

  /// - Parameters:
  ///   - names: the names of keys that are at work.
  ///   - isEnabled: the rules that are at work, by `RuleID`.
  ///   - glances: whether a byte's neighbours may tell that it means nothing.
  init(names: SecretNames, isEnabled: [Bool], glances: Bool) {
    self.names = names
    self.isEnabled = isEnabled
    glance = glances ? Glance(names: names, isEnabled: isEnabled) : nil
    var bytes = "=:@%-_./\\JABb~><('&[\u{1b}0123456789"
    if isEnabled[RuleID.phone.rawValue] { bytes += "+" }
    var triggers = [Bool](repeating: false, count: 256)
    for byte in bytes.utf8 { triggers[Int(byte)] = true }
    self.triggers = triggers
  }

  /// Adds what the built-in rules find, in order and without overlaps: in the text as it stands, and
  /// without its escapes where it has some.
  func scan(_ text: TextBytes, into findings: inout [Finding]) {
    guard scanOnce(text, into: &findings) else { return }
    let count = findings.count
    var start = 0
    while start < text.count {
      let end = Self.endOfPiece(text, start)
      scanDecoded(text, start..<end, into: &findings)
      start = end
    }
    if findings.count > count { Self.merge(&findings) }
  }

  /// Decoded text takes nine times its bytes: long ones are taken in pieces, of whole lines.
  private static func endOfPiece(_ text: TextBytes, _ start: Int) -> Int {
    let limit = start + 256 << 10
    if limit >= text.count { return text.count }
    return text[start..<limit].lastIndex(of: 0x0a).map { $0 + 1 } ?? limit
  }

  private func scanDecoded(_ text: TextBytes, _ part: Range<Int>, into findings: inout [Finding]) {
    guard let decoded = DecodedText(text.slice(part)) else { return }
    var more: [Finding] = []
    decoded.bytes.withUnsafeBufferPointer { _ = scanOnce($0, into: &more) }
    for var finding in more {
      let range = decoded.origin(of: finding.range)
      finding.range = part.lowerBound + range.lowerBound..<part.lowerBound + range.upperBound
      // The text has a notation of its own for quotes.
      finding.quote = []
      findings.append(finding)
    }
  }

  /// Sorts, and makes one of those that overlap.
  private static func merge(_ findings: inout [Finding]) {
    findings.sort { $0.range.lowerBound < $1.range.lowerBound }
    var last = 0
    for finding in findings.dropFirst() {
      if finding.range.lowerBound < findings[last].range.upperBound {
        let upper = max(findings[last].range.upperBound, finding.range.upperBound)
        findings[last].range = findings[last].range.lowerBound..<upper
      } else {
        last += 1
        findings[last] = finding
      }
    }
    findings.removeSubrange((last + 1)...)
  }

  /// Looks through it; returns whether there are escapes in it.
  private func scanOnce(_ text: TextBytes, into findings: inout [Finding]) -> Bool {
    var hasEscapes = false
    triggers.withUnsafeBufferPointer { triggers in
      var index = 0
      while true {
        while index < text.count, !triggers[Int(text[index])] { index &+= 1 }
        if index >= text.count { return }
        var next = index + 1
        if let glance, glance.dismisses(text, index, &next) {
          index = next
          continue
        }
        next = index + 1
        if let finding = find(text, index, &next), isEnabled[finding.rule] {
          // What began before an earlier place is looked at again when that is masked.
          if findings.last.map({ $0.range.upperBound <= finding.range.lowerBound }) != false {
            findings.append(finding)
          }
          next = max(next, finding.range.upperBound)
          // What it covers is not looked at again.
          if !hasEscapes { hasEscapes = (index..<next).contains { text.isEscapeMark($0) } }
        }
        if !hasEscapes { hasEscapes = text.isEscapeMark(index) }
        index = next
      }
    }
    return hasEscapes
  }

  private func find(_ text: TextBytes, _ index: Int, _ next: inout Int) -> Finding? {
    switch text[index] {
    case UInt8(ascii: "="):
      return KeyedSecretRule.find(text, at: index, after: index + 1, names)
        ?? TokenRule.findAzureKey(text, at: index)
    case UInt8(ascii: ":"): return findColon(text, index, &next)
    case UInt8(ascii: "@"): return MailRule.find(text, at: index, after: index + 1)
    case UInt8(ascii: "%"): return findEncoded(text, index)
    case UInt8(ascii: "-"):
      if text.has(index - 1, ByteClass.letter) { return TokenRule.findPrefixed(text, at: index) }
      guard text.byte(index + 1) == UInt8(ascii: "-") else {
        return text.has(index + 1, ByteClass.letter)
          ? KeyedSecretRule.findFlag(text, at: index, names) ?? CommandRule.find(text, at: index)
          : nil
      }
      return PrivateKeyRule.find(text, at: index)
        ?? KeyedSecretRule.findFlag(text, at: index, names) ?? CommandRule.find(text, at: index)
    case UInt8(ascii: "_"), UInt8(ascii: "."):
      return TokenRule.findPrefixed(text, at: index)
    case UInt8(ascii: "/"):
      guard text.byte(index + 1) == 0x68 || text.byte(index + 1) | 0x20 == 0x75 else { return nil }
      return HomeRule.find(text, at: index)
    case UInt8(ascii: "\\"):
      return text.byte(index - 1) == UInt8(ascii: ":")
        ? HomeRule.findWindows(text, at: index) : nil
    case UInt8(ascii: "J"): return TokenRule.findJWT(text, at: index) ?? findWrapped(text, index)
    case UInt8(ascii: "A"): return TokenRule.findCapital(text, at: index)
    case UInt8(ascii: "B"), UInt8(ascii: "b"): return HeaderRule.findScheme(text, at: index)
    case UInt8(ascii: "~"): return TokenRule.findAzureSecret(text, at: index)
    case UInt8(ascii: ">"): return KeyedSecretRule.findElement(text, at: index, names)
    case UInt8(ascii: "<"):
      next = text.endOfMark(at: index) ?? next
      return nil
    case UInt8(ascii: "'"): return CommandRule.findQuoted(text, at: index)
    case UInt8(ascii: "("): return KeyedSecretRule.findPair(text, at: index, names)
    case UInt8(ascii: "+"): return NetworkRule.findPhone(text, at: index)
    case 0x30...0x39: return findNumber(text, index, &next)
    default: return nil
    }
  }

  /// A document in base64 that holds a secret, as a whole.
  private func findWrapped(_ text: TextBytes, _ index: Int) -> Finding? {
    guard let range = WrappedText.range(text, at: index) else { return nil }
    var found: [Finding] = []
    WrappedText.decoded(text.slice(range)).withUnsafeBufferPointer { scan($0, into: &found) }
    return found.isEmpty ? nil : Finding(.secret, range)
  }

  private func findColon(_ text: TextBytes, _ index: Int, _ next: inout Int) -> Finding? {
    // Times: nothing hides between two digits.
    let before = text.byte(index - 1)
    if before &- 0x30 < 10, text.has(index + 1, ByteClass.digit), !isEnabled[RuleID.mac.rawValue],
      !isEnabled[RuleID.ipv6.rawValue], !text.has(index - 4, ByteClass.letter)
    {
      return nil
    }
    if before &- 0x30 < 10, let finding = TokenRule.findBotToken(text, at: index) {
      return finding
    }
    if text.byte(index + 1) == UInt8(ascii: "/") {
      if text.byte(index + 2) == UInt8(ascii: "/") { return findURL(text, index, index + 3) }
    } else if text.matches("\\/\\/", at: index + 1) {
      return findURL(text, index, index + 5)
    }
    if let finding = KeyedSecretRule.find(text, at: index, after: index + 1, names) {
      return finding
    }
    if isEnabled[RuleID.mac.rawValue] || isEnabled[RuleID.ipv6.rawValue] {
      return NetworkRule.findColons(text, at: index)
    }
    return nil
  }

  private func findURL(_ text: TextBytes, _ index: Int, _ after: Int) -> Finding? {
    if let finding = URLRule.find(text, at: index, after: after) { return finding }
    return isEnabled[RuleID.hostName.rawValue] ? NetworkRule.findHost(text, at: after) : nil
  }

  private func findEncoded(_ text: TextBytes, _ index: Int) -> Finding? {
    switch (text.byte(index + 1), text.byte(index + 2) & ~0x20) {
    case (0x33, 0x44), (0x33, 0x41):
      if text.matches("%2F%2F", at: index + 3) || text.matches("%2f%2f", at: index + 3) {
        return nil
      }
      return KeyedSecretRule.find(text, at: index, after: index + 3, names)
    case (0x34, 0x10): return MailRule.find(text, at: index, after: index + 3)
    default: return nil
    }
  }

  private func findNumber(_ text: TextBytes, _ index: Int, _ next: inout Int) -> Finding? {
    let end = text.end(of: ByteClass.digit, from: index)
    next = end
    if end - index >= 2, text.has(index - 1, ByteClass.upper),
      let finding = NumberRule.findIBAN(text, at: index)
    {
      return finding
    }
    if end - index >= 4,
      end - index >= 13 || text.byte(end) == 0x20 || text.byte(end) == UInt8(ascii: "-"),
      let finding = NumberRule.findCard(text, at: index)
    {
      return finding
    }
    if end - index < 4, isEnabled[RuleID.ipv4.rawValue] {
      return NetworkRule.findIPv4(text, at: index, endOfRun: end)
    }
    return nil
  }
}
