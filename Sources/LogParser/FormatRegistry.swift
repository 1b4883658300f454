// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The built-in formats, the most specific first: the order in which a line is offered to them.
enum FormatKind: UInt8, CaseIterable, Sendable {
  case swiftLog
  case jsonLines
  case fatalError
  case timestamped
  case plain

  var info: FormatInfo {
    switch self {
    case .swiftLog: SwiftLogFormat.info
    case .jsonLines: JSONLinesFormat.info
    case .fatalError: EmbeddedFatal.info
    case .timestamped: TimestampedFormat.info
    case .plain: PlainFormat.info
    }
  }

  var samples: [FormatSample] {
    switch self {
    case .swiftLog: SwiftLogFormat.samples
    case .jsonLines: JSONLinesFormat.samples
    case .fatalError: EmbeddedFatal.samples
    case .timestamped: TimestampedFormat.samples
    case .plain: PlainFormat.samples
    }
  }

  /// Whether a file can consist of records of this format: a process has only one end.
  var canBeChosen: Bool { self != .fatalError }

  /// Whether the header of `line` is that of this format, which is not `plain`.
  @inline(__always)
  func begins(_ line: Line, _ shape: Stamp.Shape) -> Bool {
    switch self {
    case .swiftLog: SwiftLogFormat.begins(line)
    case .jsonLines: JSONLinesFormat.begins(line)
    case .fatalError: EmbeddedFatal.begins(line)
    case .timestamped: TimestampedFormat.begins(line, shape)
    case .plain: false
    }
  }

  /// Whether `line` is so clearly of this format that it begins a record in a file of another.
  func beginsAnywhere(_ line: Line) -> Bool {
    switch self {
    case .jsonLines: JSONLinesFormat.isLogLine(line)
    case .timestamped: TimestampedFormat.beginsWithLevel(line)
    case .plain: false
    default: begins(line, .full)
    }
  }

  /// Reads a record of this format; false, with `record` perhaps partly filled, when it is none.
  @inline(__always)
  func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    switch self {
    case .swiftLog: return SwiftLogFormat.parse(text, &clock, &record)
    case .jsonLines: return JSONLinesFormat.parse(text, &clock, &record)
    case .fatalError: return EmbeddedFatal.parse(text, &clock, &record)
    case .timestamped: return TimestampedFormat.parse(text, &clock, &record)
    case .plain:
      PlainFormat.parse(text, &clock, &record)
      return true
    }
  }
}

/// The list of built-in formats, for people and for the tests.
package enum FormatRegistry {
  /// One entry for each format, the most specific first.
  package static let all = FormatKind.allCases.map(\.info)

  /// The samples of the format with that name; empty for a name that does not exist.
  package static func samples(of name: String) -> [FormatSample] {
    FormatKind.allCases.first { $0.info.name == name }?.samples ?? []
  }
}
