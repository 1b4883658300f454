// SPDX-License-Identifier: Apache-2.0

/// Numbers with check digits: payment cards and bank accounts.
enum NumberRule {
  /// `index` is that of the first digit of a run.
  static func findCard(_ text: TextBytes, at index: Int) -> Finding? {
    let first = text[index]
    guard first >= UInt8(ascii: "2"), first <= UInt8(ascii: "6") else { return nil }
    let before = text.byte(index - 1)
    if text.has(index - 1, ByteClass.key) || before == UInt8(ascii: "%") || before == 0x23 {
      guard text.isEscape(index - 1) else { return nil }
    }
    var sum = 0
    var count = 0
    var head = 0
    var end = index
    var separator: UInt8 = 0
    var isOdd = false
    // Luhn from the left: the parity is known only at the end, so both sums are kept.
    var other = 0
    while end < text.count {
      let byte = text[end]
      if byte &- 0x30 < 10 {
        let digit = Int(byte &- 0x30)
        let doubled = digit > 4 ? digit * 2 - 9 : digit * 2
        sum += isOdd ? doubled : digit
        other += isOdd ? digit : doubled
        isOdd.toggle()
        count += 1
        if count <= 4 { head = head * 10 + digit }
        if count > 19 { return nil }
      } else if byte == 0x20 || byte == UInt8(ascii: "-"), count >= 4,
        separator == 0 || separator == byte, text.has(end + 1, ByteClass.digit)
      {
        separator = byte
      } else {
        break
      }
      end += 1
    }
    if text.isWord(end) || (text.byte(end) == UInt8(ascii: ".") && text.isWord(end + 1)) {
      return nil
    }
    if text.byte(end) == UInt8(ascii: "-"), text.isWord(end + 1) { return nil }
    // Groups of four, or 4-6-5; anything else with blanks is a table of numbers.
    if separator != 0, !isGrouped(text, index..<end, separator) { return nil }
    guard isIssued(head, count), (count % 2 == 1 ? sum : other) % 10 == 0 else { return nil }
    return Finding(.card, index..<end)
  }

  private static func isGrouped(_ text: TextBytes, _ range: Range<Int>, _ separator: UInt8) -> Bool
  {
    let sizes = text.slice(range).split(separator: separator).map(\.count)
    return sizes == [4, 4, 4, 4] || sizes == [4, 6, 5] || sizes == [4, 6, 4]
      || sizes == [4, 4, 4, 4, 3]
  }

  private static func isIssued(_ head: Int, _ count: Int) -> Bool {
    switch head {
    case 4000...4999: count == 16 || count == 13 || count == 19
    case 5100...5599, 2221...2720: count == 16
    case 3400...3499, 3700...3799: count == 15
    case 3000...3059, 3600...3699, 3800...3999: count == 14
    case 3528...3589: count == 16
    case 6011, 6440...6599, 6220...6229: count == 16
    case 5000...5099, 5600...5899, 6000...6999: count == 16
    default: false
    }
  }

  /// `index` is that of the first digit behind two capitals.
  static func findIBAN(_ text: TextBytes, at index: Int) -> Finding? {
    let start = index - 2
    guard text.has(start, ByteClass.upper), text.has(start + 1, ByteClass.upper),
      text.has(index + 1, ByteClass.digit), !text.isWord(start - 1) || text.isEscape(start - 1)
    else { return nil }
    var ends: [Int] = []
    var end = start
    var group = 0
    var count = 0
    while end < text.count, count < 34 {
      if text.has(end, ByteClass.digit | ByteClass.upper) {
        count += 1
        group += 1
        if count >= 15, !text.isWord(end + 1) { ends.append(end + 1) }
      } else if text[end] == 0x20, group == 4, text.has(end + 1, ByteClass.digit | ByteClass.upper)
      {
        group = 0
      } else {
        break
      }
      end += 1
    }
    for end in ends.reversed() where remainder(text, start..<end) == 1 {
      return Finding(.iban, start..<end)
    }
    return nil
  }

  /// Modulo 97, with the first four characters at the end.
  private static func remainder(_ text: TextBytes, _ range: Range<Int>) -> Int {
    let bytes = text.slice(range).filter { $0 != 0x20 }
    var result = 0
    for byte in bytes[4...] + bytes[..<4] {
      if byte &- 0x30 < 10 {
        result = (result * 10 + Int(byte &- 0x30)) % 97
      } else {
        result = (result * 100 + Int(byte &- 0x41) + 10) % 97
      }
    }
    return result
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .card,
      finds: [
        ("card 4111" + "111111111111 ok", "4111" + "111111111111"),
        ("card=5555 5555 " + "5555 4444", "5555 4444"), ("3782-822463-" + "10005", "10005"),
      ],
      leaves: [
        "4111111111111112", "order 1234567890123456", "ts 1740844800500000000",
        "id 41111111-1111-1111-8111-111111111111", "v4111111111111111", "0.4111111111111111",
      ]),
    RuleSamples(
      rule: .iban,
      finds: [
        ("to DE89370400440532013000 now", "DE89370400440532013000"),
        ("to GB82 WEST 1234 5698 7654 32 now", "1234 5698 7654 32"),
      ],
      leaves: ["DE89370400440532013001", "AB12CD34EF56GH78", "SHA256ABCDEF0123456789"]),
  ]
}
