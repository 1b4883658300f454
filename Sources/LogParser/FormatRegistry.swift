// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The built-in formats, the most specific first: the order in which a line is offered to them.
enum FormatKind: UInt8, CaseIterable, Sendable {
  case swiftLog
  case jsonLines
  case rfc5424
  case accessLog
  case nginxError
  case apacheError
  case cocoaLumberjack
  case cocoaLumberjackConsole
  case syslog
  case fatalError
  case timestamped
  case plain

  /// Whether a file can consist of records of this format: a process has only one end.
  var canBeChosen: Bool { self != .fatalError }

  /// Whether the header of `line` is that of this format, which is not `plain`: for files of it.
  @inline(__always)
  func begins(_ line: Line, _ shape: Stamp.Shape) -> Bool {
    switch self {
    case .swiftLog: SwiftLogFormat.begins(line)
    case .jsonLines: JSONLinesFormat.begins(line)
    case .rfc5424: RFC5424Format.begins(line)
    case .accessLog: AccessLogFormat.begins(line)
    case .nginxError: NginxErrorFormat.begins(line)
    case .apacheError: ApacheErrorFormat.begins(line)
    case .cocoaLumberjack: CocoaLumberjackFormat.begins(line)
    case .cocoaLumberjackConsole: CocoaLumberjackConsoleFormat.begins(line)
    case .syslog: SyslogFormat.begins(line)
    case .fatalError: EmbeddedFatal.begins(line)
    case .timestamped: TimestampedFormat.begins(line, shape)
    case .plain: false
    }
  }

  /// Whether `line` speaks for this format in a file of which nothing is known.
  func fits(_ line: Line) -> Bool {
    switch self {
    case .syslog: return SyslogFormat.fits(line)
    case .timestamped:
      var lead = TimestampedFormat.Lead()
      return TimestampedFormat.findTime(line, &lead)
    case .plain: return true
    default: return begins(line, .full)
    }
  }

  /// Whether `line` is so clearly of this format that it begins a record in a file of another.
  func beginsAnywhere(_ line: Line) -> Bool {
    switch self {
    case .jsonLines: JSONLinesFormat.isLogLine(line)
    case .timestamped: TimestampedFormat.beginsWithLevel(line)
    case .plain: false
    default: fits(line)
    }
  }

  /// Reads a record of this format; false, with `record` perhaps partly filled, when it is none.
  @inline(__always)
  func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    switch self {
    case .swiftLog: return SwiftLogFormat.parse(text, &clock, &record)
    case .jsonLines: return JSONLinesFormat.parse(text, &clock, &record)
    case .rfc5424: return RFC5424Format.parse(text, &clock, &record)
    case .accessLog: return AccessLogFormat.parse(text, &clock, &record)
    case .nginxError: return NginxErrorFormat.parse(text, &clock, &record)
    case .apacheError: return ApacheErrorFormat.parse(text, &clock, &record)
    case .cocoaLumberjack: return CocoaLumberjackFormat.parse(text, &clock, &record)
    case .cocoaLumberjackConsole: return CocoaLumberjackConsoleFormat.parse(text, &clock, &record)
    case .syslog: return SyslogFormat.parse(text, &clock, &record)
    case .fatalError: return EmbeddedFatal.parse(text, &clock, &record)
    case .timestamped: return TimestampedFormat.parse(text, &clock, &record)
    case .plain:
      PlainFormat.parse(text, &clock, &record)
      return true
    }
  }
}

extension FormatKind {
  var info: FormatInfo {
    switch self {
    case .swiftLog: SwiftLogFormat.info
    case .jsonLines: JSONLinesFormat.info
    case .rfc5424: RFC5424Format.info
    case .accessLog: AccessLogFormat.info
    case .nginxError: NginxErrorFormat.info
    case .apacheError: ApacheErrorFormat.info
    case .cocoaLumberjack: CocoaLumberjackFormat.info
    case .cocoaLumberjackConsole: CocoaLumberjackConsoleFormat.info
    case .syslog: SyslogFormat.info
    case .fatalError: EmbeddedFatal.info
    case .timestamped: TimestampedFormat.info
    case .plain: PlainFormat.info
    }
  }

  var samples: [FormatSample] {
    switch self {
    case .swiftLog: SwiftLogFormat.samples
    case .jsonLines: JSONLinesFormat.samples
    case .rfc5424: RFC5424Format.samples
    case .accessLog: AccessLogFormat.samples
    case .nginxError: NginxErrorFormat.samples
    case .apacheError: ApacheErrorFormat.samples
    case .cocoaLumberjack: CocoaLumberjackFormat.samples
    case .cocoaLumberjackConsole: CocoaLumberjackConsoleFormat.samples
    case .syslog: SyslogFormat.samples
    case .fatalError: EmbeddedFatal.samples
    case .timestamped: TimestampedFormat.samples
    case .plain: PlainFormat.samples
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
