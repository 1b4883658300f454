// SPDX-License-Identifier: Apache-2.0

/// Some formats: one bit for each, the most specific lowest.
struct FormatSet {
  var bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(_ kinds: FormatKind...) { bits = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

  static let all = FormatSet(bits: .max)
  /// What only carries records of other formats.
  static let payloads = FormatSet(
    bits: ~FormatSet(.dockerJSON, .jsonDocument, .cri, .compose, .plain).bits)

  private static let braced = FormatSet(.otlp, .dockerJSON, .jsonBatch, .jsonLines)
  private static let angled = FormatSet(
    .windowsEvent, .cmTrace, .javaUtilLogging, .rfc5424, .postgres, .syslog, .timestamped)
  private static let bracketed = FormatSet(
    .jsonBatch, .logcat, .glassFish, .samba, .chromium, .postgres, .monolog, .haproxy, .kernel,
    .uwsgi,
    .vapor,
    .apacheError,
    .accessLog, .redis, .levelFirst, .timestamped)
  private static let numeric = FormatSet(
    .vpcFlow, .ibmMQ, .npm, .zabbix, .squidAccess, .supercomputer, .haproxy,
    .cloudFront, .s3Access, .loadBalancer, .postgresCSV,
    .osLog, .logcat, .redis,
    .swiftLog, .cri,
    .accessLog,
    .nginxError, .cocoaLumberjack,
    .cocoaLumberjackConsole, .mysqlSlow,
    .postgres, .syslog, .fatalError, .levelFirst, .timestamped)
  private static let worded = FormatSet(
    .accessLog, .nginxError, .syslog, .fatalError, .timestamped)
  private static let timed = FormatSet(.accessLog, .nginxError, .syslog, .timestamped)
  private static let lettered = FormatSet(.glog, .logcat)
  private static let upperComma = FormatSet(.rubyLogger)
  private static let alerts = FormatSet(.supercomputer)
  private static let addressed = FormatSet(.postgres)
  private static let capitals = FormatSet(.lambda, .osLog, .xctest, .apt, .cef, .levelFirst)
  private static let decoded = FormatSet(.kernel)
  private static let npm = FormatSet(.levelFirst)
  private static let fourthBlank = FormatSet(.javaUtilLogging, .journalVerbose)
  private static let balancers = FormatSet(.loadBalancer)
  private static let hexadecimal = FormatSet(.s3Access)
  private static let pairs = FormatSet(.audit, .levelFirst, .logfmt)
  private static let bars = FormatSet(.compose)
  private static let levels = FormatSet(.dotNet, .levelFirst)
  private static let programs = FormatSet(.mysqlSlow)
  private static let spacedLetter = FormatSet(.finagle)
  private static let flows = FormatSet(.vpcFlow)
  private static let arabic = FormatSet(.fatalError, .timestamped)
  private static let other = FormatSet(
    .windowsEvent, .w3c, .journalExport, .swiftTesting, .xctest, .mysqlSlow, .accessLog, .jsonLines,
    .erlangReport, .supercomputer, .zabbix, .ossecAlert, .valgrind, .fatalError, .levelFirst,
    .timestamped)

  /// The formats whose records may begin with this byte.
  static func beginning(_ line: Line, at start: Int) -> FormatSet {
    let byte = line.at(start)
    return switch byte {
    case Byte.openBrace: braced
    case Byte.less: angled
    case Byte.openBracket: bracketed
    case 0x30...0x39: numeric
    case 0xd9, 0xdb: arabic
    default: byte.isLetter ? word(line, start) : other
    }
  }

  /// What a line may be that begins with a letter: most prose is told by what ends its first word.
  private static func word(_ line: Line, _ start: Int) -> FormatSet {
    var set = worded
    let first = line[start]
    let second = line.at(start + 1)
    // glog's files begin with "Log file created at".
    if second.isDigit || second == Byte.slash || first == UInt8(ascii: "L") {
      set.bits |= lettered.bits
    }
    if first == UInt8(ascii: "n"), second == UInt8(ascii: "p") { set.bits |= npm.bits }
    if first.isUpper {
      set.bits |= capitals.bits
      if second == Byte.comma { set.bits |= upperComma.bits }
      if second == Byte.space { set.bits |= spacedLetter.bits }
    } else {
      if line.at(start + 4) == Byte.colon || line.at(start + 5) == Byte.colon {
        set.bits |= levels.bits
      }
      if first == 0x68 || first == 0x77 || first == 0x67 { set.bits |= balancers.bits }
      if first == 0x76 { set.bits |= flows.bits }
      if first.isHexDigit, second.isHexDigit { set.bits |= hexadecimal.bits }
    }
    if line.at(start + 3) == Byte.space { set.bits |= fourthBlank.bits }
    if line.at(start + 6) == Byte.colon, line.at(start + 13) == Byte.colon {
      set.bits |= decoded.bits
    }
    var end = start
    while line.at(end).isName { end += 1 }
    if line.at(end) == UInt8(ascii: "@") || line.at(end) == Byte.equals {
      set.bits |= addressed.bits
    }
    if line.at(end) == Byte.space, line.at(end + 1).isDigit { set.bits |= alerts.bits }
    // A server that was started by its name, or by a path that is no absolute one.
    if line.has(", Version: ", at: end) || line.at(end) == Byte.slash || line.has(":\\", at: end) {
      set.bits |= programs.bits
    }
    if line.at(end) == Byte.equals { set.bits |= pairs.bits }
    if line.at(end).isBlank, line.at(line.skipBlanks(end)) == 0x7c { set.bits |= bars.bits }
    // Most prose has no digit, and no time is without.
    if first != 0x6e, !line.hasDigit(before: 256) { set.bits &= ~timed.bits }
    return set
  }

  mutating func remove(_ kind: FormatKind) { bits &= ~(1 << UInt64(kind.rawValue)) }

  mutating func removeFirst() -> FormatKind? {
    guard bits != 0 else { return nil }
    let first = UInt8(truncatingIfNeeded: bits.trailingZeroBitCount)
    bits &= bits &- 1
    return FormatKind(rawValue: first)
  }
}
