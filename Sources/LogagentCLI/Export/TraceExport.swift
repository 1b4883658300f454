// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// A window of time as Chrome's trace events, for viewers of timelines such as ui.perfetto.dev: a
/// track for each process and thread, an instant for each record, a span for each run, and a mark
/// through all of them for each crash.
struct TraceExport {
  private let store: QueryStore
  private let filter: RecordFilter
  private let window: CrashWindow?
  private let cleaner: RecordCleaner
  private let limits: QueryLimits

  init(
    _ store: QueryStore, _ filter: RecordFilter, _ window: CrashWindow?, _ cleaner: RecordCleaner,
    limits: QueryLimits
  ) {
    self.store = store
    self.filter = filter
    self.window = window
    self.cleaner = cleaner
    self.limits = limits
  }

  /// Tracks of sources without a process have numbers that no process has (the kernel's are below
  /// 4,194,304).
  private static let firstSourceTrack: Int64 = 10_000_000
  /// Longer names are cut: the whole text is in the arguments.
  private static let longestName = 120

  /// What was written so far.
  private struct State {
    var count = 0
    var start: Int64?
    var end: Int64 = 0
    var hasEvents = false
    var tracks: [String: Int64] = [:]
    var named: Set<Int64> = []
  }

  /// Writes all of it; returns the number of records.
  func write(to writer: ByteWriter) throws -> Int {
    var state = State()
    writer.append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")
    let sql = """
      SELECT time_unix_nano, severity, severity_number, source, process, pid, thread_id, thread_name,
        scope_name, body, attributes, id FROM logs WHERE \(filter.condition)
      ORDER BY \(RecordJSON.order)
      """
    try store.forEach(sql, limits: limits, bind: filter.bind) { row in
      state.start = state.start ?? row.integer(0)
      state.end = row.integer(0)
      try writeRecord(row, &state, writer)
    }
    if let start = state.start {
      try writeCrashes(&state, writer)
      try writeRuns(&state, writer)
      let time = Timestamp(nanoseconds: start)
      writer.append("],\"otherData\":{\"start\":\"\(time)\",\"start_unix_nano\":\"\(start)\",")
    } else {
      writer.append("],\"otherData\":{")
    }
    writer.append("\"producer\":\"logagent \(CLI.version)\"}}\n")
    return state.count
  }

  private func writeRecord(
    _ row: borrowing Statement, _ state: inout State, _ writer: ByteWriter
  ) throws {
    let source = row.text(3)
    let name = cleaner.text(row.optionalText(4) ?? source, "process")
    let pid = track(row.optionalInteger(5), name, &state, writer)
    let thread = row.optionalInteger(6) ?? 0
    if thread > 0, let threadName = row.optionalText(7) {
      emit(
        "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":\(pid),\"tid\":\(thread),"
          + "\"args\":{\"name\":\(JSONText.quoted(cleaner.text(threadName, "thread_name")))}}",
        &state, writer)
    }
    let body = cleaner.text(row.text(9), "body")
    let title = String(body.prefix { $0 != "\n" }.prefix(Self.longestName))
    var arguments = "\"source\":\(JSONText.quoted(source)),\"body\":\(JSONText.quoted(body))"
    if let scope = row.optionalText(8) { arguments += ",\"logger\":\(JSONText.quoted(scope))" }
    if let document = row.optionalText(10) {
      // It is a JSON object already.
      arguments += ",\"attributes\":\(cleaner.document(document, "attributes"))"
    }
    arguments += ",\"record\":\(row.integer(11))"
    let severity = row.optionalText(1) ?? "none"
    emit(
      "{\"ph\":\"i\",\"s\":\"t\",\"name\":\(JSONText.quoted(title)),\"cat\":\"\(severity)\","
        + "\"ts\":\(Self.microseconds(row.integer(0), state)),\"pid\":\(pid),\"tid\":\(thread)"
        + Self.color(row.integer(2)) + ",\"args\":{\(arguments)}}", &state, writer)
    state.count += 1
    try writer.endOfRow()
  }

  private func writeCrashes(_ state: inout State, _ writer: ByteWriter) throws {
    let start = state.start ?? 0
    try store.forEach(
      """
      SELECT time_unix_nano, process, pid, COALESCE(reason, signal, kind), top_frame, id
      FROM crashes WHERE time_unix_nano BETWEEN \(start) AND \(state.end) ORDER BY time_unix_nano
      """
    ) { row in
      let name = cleaner.text(row.optionalText(1) ?? "?", "process")
      let pid = track(row.optionalInteger(2), name, &state, writer)
      let reason = cleaner.text(row.text(3), "reason")
      emit(
        "{\"ph\":\"i\",\"s\":\"g\",\"name\":\(JSONText.quoted("crash of \(name): \(reason)")),"
          + "\"cat\":\"crash\",\"ts\":\(Self.microseconds(row.integer(0), state)),\"pid\":\(pid),"
          + "\"tid\":0,\"cname\":\"terrible\",\"args\":{\"crash\":\(row.integer(5)),"
          + "\"top_frame\":\(JSONText.quoted(row.text(4)))}}", &state, writer)
    }
  }

  private func writeRuns(_ state: inout State, _ writer: ByteWriter) throws {
    let start = state.start ?? 0
    try store.forEach(
      """
      SELECT process, pid, start_unix_nano, end_unix_nano, outcome FROM runs
      WHERE start_unix_nano <= \(state.end) AND end_unix_nano >= \(start) ORDER BY start_unix_nano
      """
    ) { row in
      let name = cleaner.text(row.text(0), "process")
      let pid = track(row.optionalInteger(1), name, &state, writer)
      let began = max(start, row.integer(2))
      let length = max(0, min(state.end, row.integer(3)) - began)
      emit(
        "{\"ph\":\"X\",\"name\":\(JSONText.quoted("\(name): \(row.text(4))")),\"cat\":\"run\","
          + "\"ts\":\(Self.microseconds(began, state)),\"dur\":\(Self.decimal(length)),"
          + "\"pid\":\(pid),\"tid\":0}", &state, writer)
    }
  }

  /// The track of a process, which is named when it is new.
  private func track(
    _ pid: Int64?, _ name: String, _ state: inout State, _ writer: ByteWriter
  ) -> Int64 {
    let track =
      pid ?? state.tracks[name] ?? Self.firstSourceTrack + Int64(state.tracks.count)
    if pid == nil { state.tracks[name] = track }
    if state.named.insert(track).inserted {
      emit(
        "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\(track),"
          + "\"args\":{\"name\":\(JSONText.quoted(name))}}", &state, writer)
    }
    return track
  }

  private func emit(_ event: String, _ state: inout State, _ writer: ByteWriter) {
    writer.append(state.hasEvents ? ",\n" : "\n")
    state.hasEvents = true
    writer.append(event)
  }

  /// Since the first record: a number that a reader's doubles hold to the nanosecond.
  private static func microseconds(_ time: Int64, _ state: State) -> String {
    decimal(time - (state.start ?? time))
  }

  private static func decimal(_ nanoseconds: Int64) -> String {
    let rest = String(nanoseconds % 1000)
    return "\(nanoseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// Names of colours that viewers know.
  private static func color(_ severity: Int64) -> String {
    switch severity {
    case 17...: ",\"cname\":\"terrible\""
    case 13...: ",\"cname\":\"bad\""
    default: ""
    }
  }
}
