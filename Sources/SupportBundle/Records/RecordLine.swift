// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// A record as a line of `logs.jsonl`, made from the columns of its table.
///
/// The form is that of `RecordJSON`, which asks a view for the same; for millions of records that
/// takes several times as long.
final class RecordLine {
  private let columns: RecordColumns
  private let words: MaskedNames
  private let files: MaskedNames
  private let contexts: RecordContexts
  private let wordText: Int
  private let fileSource: Int
  private let filePath: Int
  private let fileProcess: Int
  private let minify: Statement
  // As the view has them: what is no other is the last.
  private let timeQualities = (0..<8).map {
    (TimeQuality(rawValue: $0) ?? .observed).name
  }
  private let lineBreaks = (0..<8).map {
    (LineBreak(rawValue: $0) ?? .lengthLimit).name
  }
  private static let emptyText = Array("\"\"".utf8)
  @exclusivity(unchecked) private var beginning = LineBeginning()
  /// Parts of lines, some of which are forgotten when there are many.
  @exclusivity(unchecked) private var known = [KnownParts?](repeating: nil, count: 256)
  @exclusivity(unchecked) private var whole: [UInt8] = []

  /// What most of a line depends on.
  private struct Origin: Equatable {
    var context: Int64
    var file: Int64
    var severity: Int64
  }

  /// The parts of a line that depend on its origin alone.
  private struct Parts {
    /// Between the time and the body.
    var beforeBody: [UInt8] = []
    /// Between the body and the process's id.
    var afterBody: [UInt8] = []
    /// Between the thread's id and the offset.
    var beforeOffset: [UInt8] = []
    /// Between the length and the attributes.
    var afterLength: [UInt8] = []
  }

  private final class KnownParts {
    let origin: Origin
    let parts: Parts

    init(_ origin: Origin, _ parts: Parts) { (self.origin, self.parts) = (origin, parts) }
  }

  /// - Parameters:
  ///   - columns: of the rows to come.
  ///   - words: the table `word`.
  ///   - files: the table `file`.
  ///   - contexts: the table `context`.
  ///   - store: for what only SQLite can say of JSON.
  /// - Throws: `SQLiteError`.
  init(
    _ columns: RecordColumns, _ words: MaskedNames, _ files: MaskedNames,
    _ contexts: RecordContexts, _ store: Connection
  ) throws(SQLiteError) {
    self.columns = columns
    self.words = words
    self.files = files
    self.contexts = contexts
    wordText = words.columns.firstIndex(of: "text") ?? 0
    fileSource = files.columns.firstIndex(of: "source") ?? 0
    filePath = files.columns.firstIndex(of: "path") ?? 0
    fileProcess = files.columns.firstIndex(of: "process") ?? 0
    minify = try store.prepare("SELECT CASE WHEN json_valid(?1) THEN json(?1) END")
  }

  /// Whether the row stands for a crash, which has a member of its own.
  func isCrash(_ row: RowValues) -> Bool { !row.isNull(columns.crash) }

  /// Notes what a row points to that is no line.
  ///
  /// - Throws: `SQLiteError`.
  func use(_ row: RowValues) throws(SQLiteError) {
    try files.use(row.integer(columns.file))
    for word in try contexts.context(row.integer(columns.context)).words { try words.use(word) }
  }

  /// Counts the row as a line.
  func count(_ row: RowValues, in result: inout RecordCopy.Result) throws(SQLiteError) {
    let time = row.integer(columns.time)
    let observedTime = try contexts.observedTime(of: row.integer(columns.id))
    result.records += 1
    result.newest = max(result.newest, min(time, observedTime))
    result.times =
      result.times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
    result.counts.add(file: row.integer(columns.file), severity: row.integer(columns.severity))
  }

  /// Appends the line with its end.
  ///
  /// - Throws: `SQLiteError`.
  func append(_ row: RowValues, to line: LineBuffer) throws(SQLiteError) {
    beginning.set(
      row.integer(columns.time),
      observed: try contexts.observedTime(of: row.integer(columns.id)))
    let parts = try parts(of: row).parts
    line.append(beginning.text)
    line.append(parts.beforeBody)
    row.withBytes(columns.body) { line.appendJSON($0) }
    line.append(parts.afterBody)
    appendInteger(",\"pid\":", row, columns.pid, to: line)
    appendInteger(",\"thread_id\":", row, columns.threadID, to: line)
    line.append(parts.beforeOffset)
    line.append(row.integer(columns.byteOffset))
    line.append(",\"byte_length\":")
    line.append(row.integer(columns.byteLength))
    line.append(parts.afterLength)
    try appendAttributes(row, to: line)
    line.append(",\"id\":")
    line.append(row.integer(columns.id))
    appendOriginal(row, to: line)
    line.append("}\n")
  }

  private func parts(of row: RowValues) throws(SQLiteError) -> KnownParts {
    let origin = Origin(
      context: row.integer(columns.context), file: row.integer(columns.file),
      severity: row.integer(columns.severity))
    let mixed = origin.context &* 5 &+ origin.file &* 67 &+ origin.severity
    let place = Int(truncatingIfNeeded: mixed) & 255
    if let parts = known[place], parts.origin == origin { return parts }
    let parts = KnownParts(origin, try makeParts(origin))
    known[place] = parts
    return parts
  }

  private func makeParts(_ origin: Origin) throws(SQLiteError) -> Parts {
    let context = try contexts.context(origin.context)
    let file = origin.file
    var parts = Parts()
    var text = ",\"time_quality\":\"\(timeQualities[Int(context.flags >> 3 & 7)])\""
    if let offset = context.utcOffset { text += ",\"utc_offset_minutes\":\(offset)" }
    text += ",\"severity_number\":\(origin.severity)"
    parts.beforeBody = Array(text.utf8)
    try appendWord(",\"severity_text\":", context.severityText, to: &parts.beforeBody)
    parts.beforeBody += Array(",\"body\":".utf8)
    parts.afterBody = Array(",\"source\":".utf8)
    parts.afterBody += try files.json(file, fileSource) ?? Self.emptyText
    if !(try appendWord(",\"process\":", context.process, to: &parts.afterBody)),
      let process = try files.json(file, fileProcess)
    {
      parts.afterBody += Array(",\"process\":".utf8) + process
    }
    try appendWord(",\"scope_name\":", context.scope, to: &parts.beforeOffset)
    parts.beforeOffset += Array(",\"log_file_path\":".utf8)
    parts.beforeOffset += try files.json(file, filePath) ?? Self.emptyText
    parts.beforeOffset += Array(",\"file_generation\":\(file),\"byte_offset\":".utf8)
    let lineBreak = lineBreaks[Int(context.flags & 7)]
    parts.afterLength = Array(",\"line_break\":\"\(lineBreak)\"".utf8)
    return parts
  }

  private func appendInteger(
    _ key: StaticString, _ row: RowValues, _ column: Int, to line: LineBuffer
  ) {
    if row.isNull(column) { return }
    line.append(key)
    line.append(row.integer(column))
  }

  @discardableResult
  private func appendWord(
    _ key: String, _ id: Int64?, to text: inout [UInt8]
  ) throws(SQLiteError) -> Bool {
    guard let id, let word = try words.json(id, wordText) else { return false }
    text += Array(key.utf8) + word
    return true
  }

  private func appendAttributes(
    _ row: RowValues, to line: LineBuffer
  ) throws(SQLiteError) {
    if row.isNull(columns.attributes) { return }
    let isPlain = row.withBytes(columns.attributes) { text in
      guard CompactJSON.isObject(text) else { return false }
      line.append(",\"attributes\":")
      line.appendJSON(document: text)
      return true
    }
    if isPlain { return }
    row.withBytes(columns.attributes) { minify.bind(1, String(decoding: $0, as: UTF8.self)) }
    defer { minify.reset() }
    guard try minify.step(), !minify.isNull(0) else { return }
    line.append(",\"attributes\":")
    minify.withText(0) { line.appendJSON(document: $0) }
  }

  private func appendOriginal(_ row: RowValues, to line: LineBuffer) {
    if !row.isNull(columns.original) {
      return row.withBytes(columns.original) { original in
        if row.withBytes(columns.body, { $0.elementsEqual(original) }) { return }
        line.append(",\"original\":")
        line.appendJSON(original)
      }
    }
    let (head, body, tail) = (columns.head, columns.body, columns.tail)
    if isEmpty(row, head), isEmpty(row, tail) { return }
    line.append(",\"original\":")
    if isPlain(row, head), isPlain(row, body), isPlain(row, tail) {
      line.append(UInt8(ascii: "\""))
      for part in [head, body, tail] where !row.isNull(part) {
        row.withBytes(part) { line.append($0) }
      }
      return line.append(UInt8(ascii: "\""))
    }
    // A letter of several bytes may lie across two of them.
    whole.removeAll(keepingCapacity: true)
    for part in [head, body, tail] where !row.isNull(part) {
      row.withBytes(part) { whole.append(contentsOf: $0) }
    }
    whole.withUnsafeBufferPointer { line.appendJSON($0) }
  }

  private func isEmpty(_ row: RowValues, _ column: Int) -> Bool {
    row.isNull(column) || row.withBytes(column) { $0.isEmpty }
  }

  private func isPlain(_ row: RowValues, _ column: Int) -> Bool {
    row.isNull(column) || row.withBytes(column) { SafeText.endOfPlain($0, from: 0) == $0.count }
  }
}
