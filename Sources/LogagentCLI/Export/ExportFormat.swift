// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import Redaction
internal import SQLite

/// What `logagent export` writes.
enum ExportFormat: String, CaseIterable {
  /// A support bundle.
  case bundle
  /// OTLP in JSON, as OpenTelemetry's file exporter writes it.
  case otlp
  /// Chrome's trace format, for Perfetto and other viewers of timelines.
  case perfetto

  /// For other files than bundles: what stands behind the name.
  private var ending: String { self == .otlp ? "otlp.jsonl" : "trace.json" }

  /// Writes the records that the flags of `call` choose.
  func write(_ call: Invocation) throws -> ExitStatus {
    for flag in ["logs-db", "max-size", "preview", "include-dumps", "since-last-upload", "sql"]
    where call.arguments.has(flag) {
      throw CommandError.usage("export: --\(flag) is for bundles, not for --format \(rawValue)")
    }
    let configuration = try call.configuration()
    let store = try call.openStore()
    var filter = try RecordFilter(call)
    let window = try CrashWindow(call, store)
    if let window {
      filter.add(from: window.since, to: window.until)
    } else if try call.range().since == nil {
      throw CommandError.usage("export: --since is missing, such as --since 2h")
    }
    let cleaner = try RecordCleaner(
      call.arguments.has("no-redact") ? nil : RedactionSetup.rules(configuration.redaction))
    let path =
      call.arguments.value("output")
      ?? BundleName.text(host: call.context.hostName, call.context.now(), ending: ending)
    if path == "-" {
      return try write(store, filter, window, cleaner, to: call.output, call)
    }
    let file = FileSink(try AtomicFile(target: path))
    let writer = ByteWriter(file)
    let status = try write(store, filter, window, cleaner, to: writer, call)
    try writer.flush()
    try file.commit()
    call.warn("wrote \(SafeText.escaped(path))" + (cleaner.isActive ? "" : ", NOT redacted"))
    return status
  }

  private func write(
    _ store: QueryStore, _ filter: RecordFilter, _ window: CrashWindow?, _ cleaner: RecordCleaner,
    to writer: ByteWriter, _ call: Invocation
  ) throws -> ExitStatus {
    let count =
      switch self {
      case .otlp, .bundle:
        try OTLPExport(store, filter, cleaner, limits: call.limits).write(to: writer)
      case .perfetto:
        try TraceExport(store, filter, window, cleaner, limits: call.limits).write(to: writer)
      }
    if count == 0 { call.warn("no records found") }
    return count == 0 ? .nothingFound : .ok
  }
}

/// The time around a crash that `--crash`, `--last-crash` and `--context` choose.
struct CrashWindow {
  var id: Int64
  /// Nanoseconds since 1970; both ends are part of it.
  var since: Int64
  var until: Int64

  /// `nil` when the flags name no crash.
  init?(_ call: Invocation, _ store: QueryStore) throws {
    let number = call.arguments.value("crash")
    guard number != nil || call.arguments.has("last-crash") else { return nil }
    var before: Int64 = 60_000_000_000
    var after: Int64 = 5_000_000_000
    if let text = call.arguments.value("context") {
      guard let time = Quantity.nanoseconds(text) else {
        throw CommandError.usage("--context: expected a time such as 60s or 5m, got '\(text)'")
      }
      (before, after) = (time, time)
    }
    var condition = "1 ORDER BY time_unix_nano DESC, id DESC LIMIT 1"
    if let number {
      guard let id = Int64(number) else {
        throw CommandError.usage("--crash: expected the number of a crash, got '\(number)'")
      }
      condition = "id = \(id)"
    }
    var found: (Int64, Int64)?
    try store.forEach("SELECT id, time_unix_nano FROM crashes WHERE \(condition)") {
      found = ($0.integer(0), $0.integer(1))
    }
    guard let found else {
      throw CommandError(.nothingFound, "there is no such crash; 'logagent crashes' lists them")
    }
    id = found.0
    since = found.1 &- before
    until = found.1 &+ after
  }
}

/// Masks the texts of records on their way out, by the rules of bundles.
final class RecordCleaner {
  private let redactor: Redactor?

  /// - Parameter rules: `nil` for none: texts go as they are.
  init(_ rules: RedactionRules?) { redactor = rules.map { Redactor($0) } }

  var isActive: Bool { redactor != nil }

  /// A text as it may go out.
  func text(_ text: String, _ field: String) -> String {
    redactor?.redacted(text, at: RedactionPlace("logs", field)) ?? text
  }

  /// A JSON document as it may go out.
  func document(_ text: String, _ field: String) -> String {
    guard let redactor else { return text }
    let place = RedactionPlace("logs", field)
    var result: [UInt8] = []
    let isChanged = Array(text.utf8).withUnsafeBufferPointer {
      DocumentRedactor.redact($0, with: redactor, at: place, to: &result)
    }
    guard let isChanged else { return self.text(text, field) }
    return isChanged ? String(decoding: result, as: UTF8.self) : text
  }
}

/// A file that appears whole or not at all.
final class FileSink: OutputSink {
  private var file: AtomicFile?
  private let path: String
  let isTerminal = false
  let columns = 80

  init(_ file: consuming AtomicFile) {
    path = file.target
    self.file = consume file
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    do throws(FileError) {
      try file?.descriptor.write(bytes)
    } catch { throw OutputError(name: path, reason: error.reason, isClosed: false) }
  }

  /// Puts the file in its place.
  func commit() throws(FileError) {
    guard let file = file.take() else { return }
    try file.commit()
  }
}

/// `logagent-HOST-TIME.ending`.
enum BundleName {
  static func text(host: String, _ now: Timestamp, ending: String) -> String {
    let name = String(host.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" })
    let stamp = String(now.description.prefix(19)).replacing(":", with: "")
      .replacing("-", with: "")
    return "logagent-\(name)-\(stamp)Z.\(ending)"
  }
}
