// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// How one format is recognised and read.
protocol LogFormat {
  static var info: FormatInfo { get }
  /// Records as the format writes them; the tests read each of them.
  static var samples: [FormatSample] { get }

  /// Whether `line` has the header of a record, in a file of this format.
  static func begins(_ line: Line) -> Bool

  /// Whether `line` speaks for this format in a file of which nothing is known.
  static func fits(_ line: Line) -> Bool

  /// Whether a line that fits also begins a record in the middle of a file of another format.
  static func isDistinct(_ line: Line) -> Bool

  /// Reads a record; false, with `record` perhaps partly filled, when it is none of this format.
  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool
}

extension LogFormat {
  static func fits(_ line: Line) -> Bool { begins(line) }
  static func isDistinct(_ line: Line) -> Bool { true }
}

/// A format of which a line alone does not say whether it begins a record: it depends on the lines
/// of the record before.
protocol JoiningFormat: LogFormat {
  /// Whether `line` begins a record after those that `state` has seen; `nil` when it looks like no
  /// line of this format, so that the common rules decide. `state` is fresh for a first line.
  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer?
}

/// What is known of the lines of the record that grows.
struct JoinState {
  enum Answer {
    case begins, continues
  }

  /// No line of the record was seen yet.
  var isFirst = true
  /// Only lines were seen that precede a record: the heading of a file.
  var isHeading = false
  /// The last line is not finished: a part of one, or an open quote.
  var isOpen = false
  /// Open braces.
  var depth = 0
  /// One bit for each stream of which a line is not finished.
  var openStreams: UInt8 = 0
  /// Lines of several streams were seen.
  var isWoven = false
  /// When the oldest of these lines began, in seconds since 1970.
  var openSince: Int64 = 0
  /// What the lines of one record have in common: a pid, a stream, an event's number.
  var key: Int64 = -1

  /// Begins another record with a line of this `key`.
  mutating func begin(key: Int64 = -1, isHeading: Bool = false) -> Answer {
    self = JoinState()
    isFirst = false
    self.key = key
    self.isHeading = isHeading
    return .begins
  }

  /// Takes a line that heads records: headings stand together, and belong to the record after them.
  mutating func heading() -> Answer { isHeading ? .continues : begin(isHeading: true) }

  /// Takes a line that begins a record, unless only a heading was seen.
  mutating func header(key: Int64 = -1) -> Answer {
    let wasHeading = isHeading
    _ = begin(key: key)
    return wasHeading ? .continues : .begins
  }
}
