// SPDX-License-Identifier: Apache-2.0

/// A layout that is none.
package struct TimeLayoutError: Error, CustomStringConvertible, Sendable {
  package var layout: String
  /// Where in the layout, in characters from 1.
  package var character: Int
  package var reason: String

  package var description: String {
    "time layout '\(layout)': \(reason), at character \(character)"
  }
}

/// How a source writes its times, as strptime describes it. It does not depend on the locale: month
/// names are English, in any case of their letters.
///
/// Beside strptime's own: `%L`, `%f` and `%N` take a fraction of one to nine digits, `%i`, `%6` and
/// `%9` milli-, micro- and nanoseconds since 1970, `%q` hexadecimal seconds, `%@` TAI64N. `%Z` takes
/// a zone's letters, `%z` an offset or `Z`. A blank takes any number of blanks, also none.
package struct TimeLayout: Sendable {
  enum Step: Sendable {
    case byte(UInt8)
    case blanks
    case year, shortYear, month, monthName, day, dayOfYear, weekday
    case hour, hour12, half, minute, second, fraction
    case offset, zoneName
    /// A number since 1970, of which the last digits are a fraction of a second.
    case epoch(fractionDigits: Int)
    case hexadecimalEpoch, tai
  }

  package let text: String
  let steps: [Step]
  /// Which fields are read: they decide what is to be inferred.
  let shape: Stamp.Shape

  /// Compiles `text`.
  ///
  /// - Throws: `TimeLayoutError`.
  package init(_ text: String) throws(TimeLayoutError) {
    var steps: [Step] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == Byte.space || byte == Byte.tab {
        steps.append(.blanks)
      } else if byte != UInt8(ascii: "%") {
        steps.append(.byte(byte))
      } else {
        index += 1
        // GNU's flags for padding say nothing to a reader.
        while index + 1 < bytes.count, "-_0^E".utf8.contains(bytes[index]) { index += 1 }
        let character = String(decoding: bytes[..<min(index, bytes.count)], as: UTF8.self).count
        guard index < bytes.count else {
          throw TimeLayoutError(layout: text, character: character, reason: "% without a letter")
        }
        guard let known = Self.directives[bytes[index]] else {
          let name = String(decoding: [bytes[index]], as: UTF8.self)
          throw TimeLayoutError(
            layout: text, character: character,
            reason: "unknown directive %\(name) (known: \(Self.knownDirectives))")
        }
        steps += known
      }
      index += 1
    }
    self.text = text
    self.steps = steps
    shape = try Self.shape(of: steps, text)
  }

  private static func shape(of steps: [Step], _ text: String) throws(TimeLayoutError) -> Stamp.Shape
  {
    var has = (epoch: false, year: false, month: false, day: false, dayOfYear: false, hour: false)
    for step in steps {
      switch step {
      case .epoch, .hexadecimalEpoch, .tai: has.epoch = true
      case .year, .shortYear: has.year = true
      case .month, .monthName: has.month = true
      case .day: has.day = true
      case .dayOfYear: has.dayOfYear = true
      case .hour, .hour12: has.hour = true
      default: break
      }
    }
    if has.epoch { return .epoch }
    func failure(_ reason: String) -> TimeLayoutError {
      TimeLayoutError(layout: text, character: text.count, reason: reason)
    }
    if has.dayOfYear, !has.year { throw failure("%j needs a year beside it") }
    if has.month != has.day, !has.dayOfYear { throw failure("a month and a day need each other") }
    if has.year, !has.month, !has.dayOfYear { throw failure("a year needs a month and a day") }
    if has.year { return .full }
    if has.month { return .withoutYear }
    guard has.hour else { throw failure("no date, no time of day and no epoch is read") }
    return .withoutDate
  }

  private static let knownDirectives = String(
    decoding: directives.keys.sorted(), as: UTF8.self)

  /// What each letter behind a % takes.
  private static let directives: [UInt8: [Step]] = {
    let clock: [Step] = [.hour, .byte(Byte.colon), .minute]
    let date: [Step] = [.year, .byte(Byte.dash), .month, .byte(Byte.dash), .day]
    let american: [Step] = [.month, .byte(Byte.slash), .day, .byte(Byte.slash), .shortYear]
    let table: [(Unicode.Scalar, [Step])] = [
      ("Y", [.year]), ("y", [.shortYear]), ("m", [.month]), ("b", [.monthName]),
      ("B", [.monthName]), ("h", [.monthName]), ("d", [.day]), ("e", [.day]), ("j", [.dayOfYear]),
      ("a", [.weekday]), ("A", [.weekday]), ("H", [.hour]), ("k", [.hour]), ("I", [.hour12]),
      ("l", [.hour12]), ("p", [.half]), ("P", [.half]), ("M", [.minute]), ("S", [.second]),
      ("L", [.fraction]), ("f", [.fraction]), ("N", [.fraction]), ("z", [.offset]),
      ("Z", [.zoneName]), ("s", [.epoch(fractionDigits: 0)]), ("i", [.epoch(fractionDigits: 3)]),
      ("6", [.epoch(fractionDigits: 6)]), ("9", [.epoch(fractionDigits: 9)]),
      ("q", [.hexadecimalEpoch]), ("@", [.tai]), ("F", date), ("D", american), ("R", clock),
      ("T", clock + [.byte(Byte.colon), .second]), ("n", [.blanks]), ("t", [.blanks]),
      ("%", [.byte(UInt8(ascii: "%"))]),
    ]
    return Dictionary(
      table.map { (UInt8(truncatingIfNeeded: $0.0.value), $0.1) }, uniquingKeysWith: { $1 })
  }()
}
