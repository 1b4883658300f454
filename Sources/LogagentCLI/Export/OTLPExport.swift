// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import LogQuery
internal import SQLite

/// Records as lines of OTLP/JSON (opentelemetry-proto, `LogsData`), as OpenTelemetry's file exporter
/// writes them and its collector reads them: 64-bit numbers are strings, ids are hexadecimal.
struct OTLPExport {
  /// What a group of records has in common.
  private struct Resource: Equatable {
    var service: String
    var host: String?
    var pid: Int64?
  }

  private let store: QueryStore
  private let filter: RecordFilter
  private let cleaner: RecordCleaner
  private let limits: QueryLimits

  /// Records of a line at most.
  private static let lineRecords = 500

  private static let columns = """
    time_unix_nano, observed_time_unix_nano, severity_number, severity_text, body, source, \
    service_name, process, pid, host_name, scope_name, thread_id, log_file_path, byte_offset, \
    trace_id, span_id, attributes, id
    """

  init(
    _ store: QueryStore, _ filter: RecordFilter, _ cleaner: RecordCleaner, limits: QueryLimits
  ) {
    self.store = store
    self.filter = filter
    self.cleaner = cleaner
    self.limits = limits
  }

  /// Writes all of them; returns how many.
  func write(to writer: ByteWriter) throws -> Int {
    var count = 0
    var resource: Resource?
    var scope: String?
    var inLine = 0
    let sql =
      "SELECT \(Self.columns) FROM logs WHERE \(filter.condition) ORDER BY \(RecordJSON.order)"
    try store.forEach(sql, limits: limits, bind: filter.bind) { row in
      let own = Resource(
        service: row.optionalText(6) ?? row.optionalText(7) ?? row.text(5),
        host: row.optionalText(9), pid: row.optionalInteger(8))
      let logger = row.optionalText(10) ?? ""
      if own != resource || inLine == Self.lineRecords {
        if resource != nil { writer.append("]}]}]}\n") }
        writer.append("{\"resourceLogs\":[{\"resource\":{\"attributes\":[\(attributes(own))]},")
        writer.append("\"scopeLogs\":[\(Self.scope(logger))")
        inLine = 0
      } else if logger != scope {
        writer.append("]},\(Self.scope(logger))")
      } else {
        writer.append(",")
      }
      resource = own
      scope = logger
      writer.append(record(row))
      inLine += 1
      count += 1
      try writer.endOfRow()
    }
    if resource != nil { writer.append("]}]}]}\n") }
    return count
  }

  private static func scope(_ name: String) -> String {
    "{\"scope\":{\"name\":\(JSONText.quoted(name))},\"logRecords\":["
  }

  private func attributes(_ resource: Resource) -> String {
    var members = [
      Self.attribute("service.name", string: cleaner.text(resource.service, "process"))
    ]
    if let host = resource.host {
      members.append(Self.attribute("host.name", string: cleaner.text(host, "host_name")))
    }
    if let pid = resource.pid { members.append(Self.attribute("process.pid", int: pid)) }
    return members.joined(separator: ",")
  }

  private func record(_ row: borrowing Statement) -> String {
    var text =
      "{\"timeUnixNano\":\"\(row.integer(0))\",\"observedTimeUnixNano\":\"\(row.integer(1))\""
    if row.integer(2) > 0 { text += ",\"severityNumber\":\(row.integer(2))" }
    if let severity = row.optionalText(3) {
      text += ",\"severityText\":\(JSONText.quoted(severity))"
    }
    text += ",\"body\":{\"stringValue\":\(JSONText.quoted(cleaner.text(row.text(4), "body")))}"
    var members = [
      Self.attribute("logagent.source", string: row.text(5)),
      Self.attribute("log.file.path", string: cleaner.text(row.text(12), "log_file_path")),
      Self.attribute("logagent.byte_offset", int: row.integer(13)),
    ]
    if let thread = row.optionalInteger(11) {
      members.append(Self.attribute("thread.id", int: thread))
    }
    var known: Set<String> = ["service.name", "host.name", "log.file.path", "thread.id"]
    for (column, key, length) in [(Int32(14), "traceId", 32), (15, "spanId", 16)] {
      guard let id = row.optionalText(column)?.lowercased(), id.utf8.count == length,
        id.allSatisfy(\.isHexDigit)
      else { continue }
      text += ",\"\(key)\":\"\(id)\""
      known.insert(key == "traceId" ? "trace_id" : "span_id")
    }
    if let document = row.optionalText(16) {
      let tree = JSONTree(Array(cleaner.document(document, "attributes").utf8))
      tree.root?.forEachMember { key, value in
        let name = key.string ?? ""
        if known.contains(name) || value.isNull { return }
        members.append("{\"key\":\(JSONText.quoted(name)),\"value\":\(Self.value(value))}")
      }
    }
    return text + ",\"attributes\":[\(members.joined(separator: ","))]}"
  }

  private static func attribute(_ key: String, string: String) -> String {
    "{\"key\":\(JSONText.quoted(key)),\"value\":{\"stringValue\":\(JSONText.quoted(string))}}"
  }

  private static func attribute(_ key: String, int: Int64) -> String {
    "{\"key\":\(JSONText.quoted(key)),\"value\":{\"intValue\":\"\(int)\"}}"
  }

  /// `AnyValue`.
  private static func value(_ value: JSONValue) -> String {
    if let string = value.string { return "{\"stringValue\":\(JSONText.quoted(string))}" }
    if let flag = value.bool { return "{\"boolValue\":\(flag)}" }
    if value.isNumber {
      let text = value.scalarText ?? ""
      let isWhole = !text.contains(where: { ".eE".contains($0) })
      if isWhole, let number = Int64(text) { return "{\"intValue\":\"\(number)\"}" }
      if let number = value.double, number.isFinite { return "{\"doubleValue\":\(number)}" }
      return "{\"stringValue\":\(JSONText.quoted(text))}"
    }
    if value.isArray {
      let elements = value.elements.map { $0.isNull ? "{}" : Self.value($0) }
      return "{\"arrayValue\":{\"values\":[\(elements.joined(separator: ","))]}}"
    }
    var members: [String] = []
    value.forEachMember { key, inner in
      let text = inner.isNull ? "{}" : Self.value(inner)
      members.append("{\"key\":\(JSONText.quoted(key.string ?? "")),\"value\":\(text)}")
    }
    return "{\"kvlistValue\":{\"values\":[\(members.joined(separator: ","))]}}"
  }
}
