// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Where the parts of a template lie in its bytes:
/// `head ␁ tail ␁ shift digits flags body ␁ key ␁ key ␁␂ key:value …`.
struct FrameLayout {
  /// Between head and tail, and before each key.
  static let separator: UInt8 = 1
  /// Before a key that has its value with it.
  static let constant: UInt8 = 2
  /// In the byte of flags: head, body and tail make `original`; the body is here too.
  static let wholeFlag: UInt8 = 1
  static let bodyFlag: UInt8 = 2

  let head: Range<Int>
  let tail: Range<Int>
  /// Empty without `hasBody`.
  let body: Range<Int>
  /// Of the attributes; with a value where all records have the same.
  let members: [Member]
  /// Seconds east of UTC of the times in the text.
  let shift: Int64
  /// Of the fraction of a second.
  let digits: Int
  let isWhole: Bool
  let hasBody: Bool

  struct Member {
    /// The key as a JSON string, and behind it, for a constant, a colon and its value.
    var text: Range<Int>
    var isConstant: Bool
  }

  /// Takes apart what `FrameTemplate` wrote.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    func end(from start: Int) -> Int {
      bytes[start...].firstIndex(of: Self.separator) ?? bytes.count
    }
    head = 0..<end(from: 0)
    tail = (head.upperBound + 1)..<end(from: head.upperBound + 1)
    // These three are numbers: they may look like a separator.
    let numbers = tail.upperBound + 1
    shift = Int64(bytes[numbers]) * Self.shiftUnit - Self.shiftBase
    digits = Int(bytes[numbers + 1])
    isWhole = bytes[numbers + 2] & Self.wholeFlag != 0
    hasBody = bytes[numbers + 2] & Self.bodyFlag != 0
    body = (numbers + 3)..<end(from: numbers + 3)
    var members: [Member] = []
    var start = body.upperBound + 1
    while start < bytes.count {
      let isConstant = bytes[start] == Self.constant
      let end = end(from: start)
      members.append(Member(text: (isConstant ? start + 1 : start)..<end, isConstant: isConstant))
      start = end + 1
    }
    self.members = members
  }

  // Zones are whole quarters of an hour, at most a day away.
  private static let shiftUnit: Int64 = 900
  private static let shiftBase: Int64 = 86_400

  /// The byte for a shift.
  static func byte(ofShift shift: Int64) -> UInt8 {
    UInt8(truncatingIfNeeded: (shift + shiftBase) / shiftUnit)
  }

  /// The parts as texts.
  struct Parts {
    var head: String
    var tail: String
    var shift: Int64
    var digits: Int64
    var isWhole: Bool
    var body: String?
    var members: [(key: String, constant: String?)]
  }

  /// What the same `bytes` say.
  func parts(of bytes: UnsafeBufferPointer<UInt8>) -> Parts {
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return Parts(
      head: text(head), tail: text(tail), shift: shift, digits: Int64(digits), isWhole: isWhole,
      body: hasBody ? text(body) : nil,
      members: members.map {
        $0.isConstant ? Self.split(text($0.text)) : (text($0.text), nil)
      })
  }

  /// The key of a constant, and its value.
  private static func split(_ member: String) -> (key: String, constant: String?) {
    Array("{\(member)}".utf8).withUnsafeBufferPointer { object in
      let parts = FlatValues(object).map { String(decoding: object[$0], as: UTF8.self) }
      return (parts.first ?? member, parts.last)
    }
  }
}
