// SPDX-License-Identifier: Apache-2.0

/// What messages have in common when the words that vary are taken out.
enum MessageTemplate {
  /// What stands for a word that varies.
  static let hole = "<*>"
  /// Longer messages are compared by their beginnings.
  private static let longest = 400

  /// The template of a message: its first line, with `<*>` for each word that holds a digit and for
  /// what stands in double quotes, unless the message begins with it: then it is the message, as a
  /// server's request is. Holes that follow each other are one.
  static func of(_ body: String) -> String {
    var result: [UInt8] = []
    var word: [UInt8] = []
    var isVarying = false
    var isQuoted = false
    let bytes = body.utf8
    var lastWasHole = false
    // The quotes around the beginning are no others than letters.
    var plainQuotes = bytes.first == UInt8(ascii: "\"") ? 2 : 0

    func endWord() {
      if word.isEmpty { return }
      if isVarying {
        if !lastWasHole { result += hole.utf8 }
        lastWasHole = true
      } else {
        result += word
        lastWasHole = false
      }
      word.removeAll(keepingCapacity: true)
      isVarying = false
    }

    for byte in bytes.prefix(longest) {
      if byte == UInt8(ascii: "\n") { break }
      if byte == UInt8(ascii: "\""), plainQuotes > 0 {
        plainQuotes -= 1
        word.append(byte)
      } else if byte == UInt8(ascii: "\"") {
        if isQuoted {
          word.append(byte)
          isVarying = word.count > 2
          isQuoted = false
          endWord()
        } else {
          endWord()
          word.append(byte)
          isQuoted = true
        }
      } else if !isQuoted, isSeparator(byte) {
        endWord()
        // A blank between two holes is part of what varies.
        if !(lastWasHole && byte == UInt8(ascii: " ") && result.last == byte) {
          result.append(byte)
        }
        if byte != UInt8(ascii: " ") { lastWasHole = false }
      } else {
        isVarying = isVarying || (!isQuoted && byte &- 0x30 < 10)
        word.append(byte)
      }
    }
    endWord()
    return collapsed(String(decoding: result, as: UTF8.self))
  }

  /// Between words; `.`, `:`, `/`, `-` and `_` are inside numbers, paths and identifiers.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"), UInt8(ascii: "="), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\t"):
      true
    default: false
    }
  }

  private static func collapsed(_ text: String) -> String {
    var text = text
    while text.contains("<*> <*>") { text = text.replacing("<*> <*>", with: hole) }
    var end = text[...]
    while end.last == " " { end.removeLast() }
    return String(end)
  }
}
