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
    case .rfc5424: return RFC5424Format.fits(line)
    case .syslog: return SyslogFormat.fits(line)
    case .timestamped:
      var lead = TimestampedFormat.Lead()
      return TimestampedFormat.findTime(line, &lead)
    case .plain: return true
    default: return begins(line, .full)
    }
  }

  /// The most specific format that `line` fits, other than `known`; `plain` when there is none.
  ///
  /// Only what can begin with the line's first byte is tried: most lines of unknown text cost
  /// a few comparisons.
  static func classify(_ line: Line, except known: FormatKind) -> FormatKind {
    let start = Bom.length(line)
    let first = line.at(start)
    var candidates: FormatSet
    switch first {
    case Byte.openBrace: candidates = .braced
    case Byte.less: candidates = .angled
    case Byte.openBracket: candidates = .bracketed
    case 0x30...0x39: candidates = .numeric
    default: candidates = first.isLetter ? .worded : .other
    }
    candidates.remove(known)
    while let next = candidates.removeFirst() {
      if next.fits(line) { return next }
    }
    return .plain
  }

  /// Whether `line` is so clearly of this format, which it fits, that it begins a record in a file
  /// of another.
  func beginsAnywhere(_ line: Line) -> Bool {
    switch self {
    case .jsonLines: JSONLinesFormat.isLogLine(line)
    case .timestamped: TimestampedFormat.beginsWithLevel(line)
    default: self != .plain
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

/// Formats by the byte that their records begin with; one bit for each, the most specific lowest.
private struct FormatSet {
  var bits: UInt16

  init(_ kinds: FormatKind...) { bits = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) } }

  static let braced = FormatSet(.jsonLines)
  static let angled = FormatSet(.rfc5424, .syslog)
  static let bracketed = FormatSet(.apacheError, .accessLog, .timestamped)
  static let numeric = FormatSet(
    .swiftLog, .accessLog, .nginxError, .cocoaLumberjack, .cocoaLumberjackConsole, .syslog,
    .fatalError, .timestamped)
  static let worded = FormatSet(.accessLog, .nginxError, .syslog, .fatalError, .timestamped)
  static let other = FormatSet(.accessLog, .jsonLines, .fatalError)

  mutating func remove(_ kind: FormatKind) { bits &= ~(1 << UInt16(kind.rawValue)) }

  mutating func removeFirst() -> FormatKind? {
    guard bits != 0 else { return nil }
    let first = UInt8(truncatingIfNeeded: bits.trailingZeroBitCount)
    bits &= bits &- 1
    return FormatKind(rawValue: first)
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
