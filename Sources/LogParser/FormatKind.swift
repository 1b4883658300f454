// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The built-in formats, the most specific first: the order in which a line is offered to them.
enum FormatKind: UInt8, CaseIterable, Sendable {
  case swiftLog
  case dockerJSON
  case otlp
  case jsonDocument
  case jsonBatch
  case jsonLines
  case rfc5424
  case cri
  case postgresCSV
  case loadBalancer
  case s3Access
  case uwsgi
  case kernel
  case dotNet
  case cef
  case w3c
  case cloudFront
  case windowsEvent
  case cmTrace
  case lambda
  case ibmMQ
  case npm
  case finagle
  case zabbix
  case glassFish
  case ossecAlert
  case vpcFlow
  case haproxy
  case samba
  case chromium
  case squidAccess
  case supercomputer
  case erlangReport
  case rubyLogger
  case monolog
  case apt
  case compose
  case accessLog
  case nginxError
  case apacheError
  case cocoaLumberjack
  case cocoaLumberjackConsole
  case postgres
  case redis
  case glog
  case logcat
  case mysqlSlow
  case osLog
  case javaUtilLogging
  case vapor
  case xctest
  case swiftTesting
  case audit
  case journalExport
  case journalVerbose
  case syslog
  case valgrind
  case fatalError
  case levelFirst
  case logfmt
  case timestamped
  case plain

  /// What reads it.
  var format: any LogFormat.Type {
    switch self {
    case .swiftLog: SwiftLogFormat.self
    case .dockerJSON: DockerJSONFormat.self
    case .otlp: OTLPFormat.self
    case .jsonDocument: JSONDocumentFormat.self
    case .jsonBatch: JSONBatchFormat.self
    case .jsonLines: JSONLinesFormat.self
    case .rfc5424: RFC5424Format.self
    case .cri: CRIFormat.self
    case .postgresCSV: PostgresCSVFormat.self
    case .loadBalancer: LoadBalancerFormat.self
    case .s3Access: S3AccessFormat.self
    case .uwsgi: UWSGIFormat.self
    case .kernel: KernelFormat.self
    case .dotNet: DotNetFormat.self
    case .cef: CEFFormat.self
    case .w3c: W3CFormat.self
    case .cloudFront: CloudFrontFormat.self
    case .windowsEvent: WindowsEventFormat.self
    case .cmTrace: CMTraceFormat.self
    case .lambda: LambdaFormat.self
    case .ibmMQ: IBMMQFormat.self
    case .npm: NpmFormat.self
    case .finagle: FinagleFormat.self
    case .zabbix: ZabbixFormat.self
    case .glassFish: GlassFishFormat.self
    case .ossecAlert: OssecAlertFormat.self
    case .vpcFlow: VPCFlowFormat.self
    case .haproxy: HAProxyFormat.self
    case .samba: SambaFormat.self
    case .chromium: ChromiumFormat.self
    case .squidAccess: SquidAccessFormat.self
    case .supercomputer: SupercomputerFormat.self
    case .erlangReport: ErlangReportFormat.self
    case .rubyLogger: RubyLoggerFormat.self
    case .monolog: MonologFormat.self
    case .apt: AptFormat.self
    case .compose: ComposeFormat.self
    case .accessLog: AccessLogFormat.self
    case .nginxError: NginxErrorFormat.self
    case .apacheError: ApacheErrorFormat.self
    case .cocoaLumberjack: CocoaLumberjackFormat.self
    case .cocoaLumberjackConsole: CocoaLumberjackConsoleFormat.self
    case .postgres: PostgresFormat.self
    case .redis: RedisFormat.self
    case .glog: GlogFormat.self
    case .logcat: LogcatFormat.self
    case .mysqlSlow: MySQLSlowFormat.self
    case .osLog: OSLogFormat.self
    case .javaUtilLogging: JavaUtilLoggingFormat.self
    case .vapor: VaporFormat.self
    case .xctest: XCTestFormat.self
    case .swiftTesting: SwiftTestingFormat.self
    case .audit: AuditFormat.self
    case .journalExport: JournalExportFormat.self
    case .journalVerbose: JournalVerboseFormat.self
    case .syslog: SyslogFormat.self
    case .valgrind: ValgrindFormat.self
    case .fatalError: EmbeddedFatal.self
    case .levelFirst: LevelFirstFormat.self
    case .logfmt: LogfmtFormat.self
    case .timestamped: TimestampedFormat.self
    case .plain: PlainFormat.self
    }
  }

  var info: FormatInfo { format.info }

  /// Whether the header of `line` is that of this format, which is not `plain`: for files of it.
  @inline(__always)
  func begins(_ line: Line, _ shape: Stamp.Shape) -> Bool {
    // The formats that fill disks are called directly.
    switch self {
    case .swiftLog: SwiftLogFormat.begins(line)
    case .jsonLines: JSONLinesFormat.begins(line)
    case .rfc5424: RFC5424Format.begins(line)
    case .accessLog: AccessLogFormat.begins(line)
    case .nginxError: NginxErrorFormat.begins(line)
    case .apacheError: ApacheErrorFormat.begins(line)
    case .cocoaLumberjack: CocoaLumberjackFormat.begins(line)
    case .syslog: SyslogFormat.begins(line)
    case .timestamped: TimestampedFormat.begins(line, shape)
    case .plain: false
    default: format.begins(line)
    }
  }

  /// The most specific format that `line` fits, other than `known`; `plain` when there is none.
  ///
  /// Only what can begin with the line's first byte is tried: most lines of unknown text cost
  /// a few comparisons.
  static func classify(
    _ line: Line, except known: FormatKind, among allowed: FormatSet = .all
  ) -> FormatKind {
    let start = Bom.length(line)
    var candidates = FormatSet.beginning(line, at: start)
    candidates.bits &= allowed.bits
    candidates.remove(known)
    while let next = candidates.removeFirst() {
      if next.format.fits(line) { return next }
    }
    return .plain
  }

  /// Whether `line` is so clearly of this format, which it fits, that it begins a record in a file
  /// of another.
  func beginsAnywhere(_ line: Line) -> Bool { format.isDistinct(line) }

  /// Reads a record of this format; false, with `record` perhaps partly filled, when it is none.
  @inline(__always)
  func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    switch self {
    case .swiftLog: SwiftLogFormat.parse(text, &clock, &record)
    case .jsonLines: JSONLinesFormat.parse(text, &clock, &record)
    case .rfc5424: RFC5424Format.parse(text, &clock, &record)
    case .accessLog: AccessLogFormat.parse(text, &clock, &record)
    case .nginxError: NginxErrorFormat.parse(text, &clock, &record)
    case .apacheError: ApacheErrorFormat.parse(text, &clock, &record)
    case .cocoaLumberjack: CocoaLumberjackFormat.parse(text, &clock, &record)
    case .syslog: SyslogFormat.parse(text, &clock, &record)
    case .timestamped: TimestampedFormat.parse(text, &clock, &record)
    default: format.parse(text, &clock, &record)
    }
  }
}
