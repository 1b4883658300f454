// SPDX-License-Identifier: Apache-2.0

/// Addresses of machines and telephones. These rules work only when they are asked for.
enum NetworkRule {
  /// `index` is that of the first digit of a run, `endOfRun` the index behind it.
  static func findIPv4(_ text: TextBytes, at index: Int, endOfRun: Int) -> Finding? {
    guard text.byte(endOfRun) == UInt8(ascii: "."), !text.has(index - 1, ByteClass.key) else {
      return nil
    }
    var start = index
    var end = endOfRun
    for part in 0..<4 {
      end = text.end(of: ByteClass.digit, from: start, limit: 4)
      let value = text.slice(start..<end).reduce(0) { $0 * 10 + Int($1 &- 0x30) }
      guard end > start, end - start < 4, value < 256 else { return nil }
      if part < 3 {
        guard text.byte(end) == UInt8(ascii: ".") else { return nil }
        start = end + 1
      }
    }
    if text.isWord(end)
      || (text.byte(end) == UInt8(ascii: ".") && text.has(end + 1, ByteClass.digit))
    {
      return nil
    }
    return Finding(.ipv4, index..<end)
  }

  /// An IPv6 or a MAC address; `index` is that of its first colon.
  static func findColons(_ text: TextBytes, at index: Int) -> Finding? {
    let start = text.start(of: ByteClass.hex, before: index, limit: 5)
    if text.isWord(start - 1) || text.byte(start - 1) == UInt8(ascii: ":") { return nil }
    var end = start
    var colons = 0
    var isDouble = false
    var group = 0
    var isMAC = true
    while end < text.count {
      if text.has(end, ByteClass.hex) {
        group += 1
        if group > 4 { return nil }
      } else if text[end] == UInt8(ascii: ":") {
        guard
          text.has(end + 1, ByteClass.hex) || text.byte(end + 1) == UInt8(ascii: ":") || isDouble
        else { break }
        if text.byte(end + 1) == UInt8(ascii: ":") {
          if isDouble { return nil }
          isDouble = true
        }
        if group != 2 { isMAC = false }
        group = 0
        colons += 1
      } else {
        break
      }
      end += 1
    }
    if text.isWord(end) || colons < 2 { return nil }
    if colons == 5, isMAC, group == 2, !isDouble { return Finding(.mac, start..<end) }
    let hasLetters = text.slice(start..<end).contains { $0 | 0x20 &- 0x61 < 6 }
    guard colons == 7 || (isDouble && colons <= 7 && (hasLetters || end - start > 5)) else {
      return nil
    }
    return Finding(.ipv6, start..<end)
  }

  /// A telephone number with its country: `+49 30 1234567`; `index` is that of the plus.
  static func findPhone(_ text: TextBytes, at index: Int) -> Finding? {
    guard !text.isWord(index - 1), text.has(index + 1, ByteClass.digit),
      text[index + 1] != UInt8(ascii: "0")
    else { return nil }
    var end = index + 1
    var digits = 0
    while end < text.count {
      if text.has(end, ByteClass.digit) {
        digits += 1
      } else if !" -().".utf8.contains(text[end])
        || !text.has(end + 1, ByteClass.digit)
          && !"(".utf8.contains(text.byte(end + 1))
      {
        break
      }
      end += 1
    }
    guard digits >= 8, digits <= 15, !text.isWord(end) else { return nil }
    return Finding(.phone, index..<end)
  }

  /// A host with its domain behind `://`, `host=` or `@`; `index` is that of its first byte.
  static func findHost(_ text: TextBytes, at index: Int) -> Finding? {
    let end = text.end(of: ByteClass.key, from: index, limit: 253)
    let name = text.slice(index..<end)
    guard name.contains(UInt8(ascii: ".")), name.contains(where: { $0 | 0x20 &- 0x61 < 26 }) else {
      return nil
    }
    return Finding(.hostName, index..<end)
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .ipv4, finds: [("from 192.0.2.17:443", "192.0.2.17")],
      leaves: ["version 1.2.3", "1.2.3.4.5", "300.1.1.1", "v1.2.3.4"]),
    RuleSamples(
      rule: .ipv6, finds: [("from 2001:db8::17 x", "2001:db8::17")],
      leaves: ["12:30:59", "std::abc", "a::b::c"]),
    RuleSamples(
      rule: .mac, finds: [("dev 00:1b:44:11:3a:b7 up", "00:1b:44:11:3a:b7")],
      leaves: ["12:30:59", "00:1b:44:11:3a"]),
    RuleSamples(
      rule: .phone, finds: [("call +49 30 1234567 now", "+49 30 1234567")],
      leaves: ["+1", "1+12345678", "2025-03-01T10:00:00+01:00"]),
    RuleSamples(
      rule: .hostName, finds: [("https://db1.corp.example/x", "db1.corp.example")],
      leaves: ["main.swift", "version 1.2"]),
  ]
}
