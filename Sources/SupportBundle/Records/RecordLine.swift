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
    Array((TimeQuality(rawValue: $0) ?? .observed).name.utf8)
  }
  private let lineBreaks = (0..<8).map {
    Array((LineBreak(rawValue: $0) ?? .lengthLimit).name.utf8)
  }
  private static let emptyText = Array("\"\"".utf8)
  /// The second that was written last, and its text up to the fraction.
  @exclusivity(unchecked) private var second = Int64.min
  @exclusivity(unchecked) private var secondText: [UInt8] = []
  @exclusivity(unchecked) private var whole: [UInt8] = []

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
    let file = row.integer(columns.file)
    let context = try contexts.context(row.integer(columns.context))
    line.append("{\"time\":\"")
    appendTime(row.integer(columns.time), to: line)
    line.append("\",\"time_unix_nano\":\"")
    line.append(row.integer(columns.time))
    line.append("\",\"observed_time_unix_nano\":\"")
    line.append(try contexts.observedTime(of: row.integer(columns.id)))
    line.append("\",\"time_quality\":\"")
    let flags = context.flags
    line.append(timeQualities[Int(flags >> 3 & 7)])
    line.append(UInt8(ascii: "\""))
    if let offset = context.utcOffset {
      line.append(",\"utc_offset_minutes\":")
      line.append(offset)
    }
    appendInteger(",\"severity_number\":", row, columns.severity, to: line)
    try appendWord(",\"severity_text\":", context.severityText, to: line)
    line.append(",\"body\":")
    row.withBytes(columns.body) { line.appendJSON($0) }
    line.append(",\"source\":")
    line.append(try files.json(file, fileSource) ?? Self.emptyText)
    if !(try appendWord(",\"process\":", context.process, to: line)),
      let process = try files.json(file, fileProcess)
    {
      line.append(",\"process\":")
      line.append(process)
    }
    appendInteger(",\"pid\":", row, columns.pid, to: line)
    appendInteger(",\"thread_id\":", row, columns.threadID, to: line)
    try appendWord(",\"scope_name\":", context.scope, to: line)
    line.append(",\"log_file_path\":")
    line.append(try files.json(file, filePath) ?? Self.emptyText)
    appendInteger(",\"file_generation\":", row, columns.file, to: line)
    appendInteger(",\"byte_offset\":", row, columns.byteOffset, to: line)
    appendInteger(",\"byte_length\":", row, columns.byteLength, to: line)
    line.append(",\"line_break\":\"")
    line.append(lineBreaks[Int(flags & 7)])
    line.append(UInt8(ascii: "\""))
    try appendAttributes(row, to: line)
    appendInteger(",\"id\":", row, columns.id, to: line)
    appendOriginal(row, to: line)
    line.append("}\n")
  }

  private func appendTime(_ time: Int64, to line: LineBuffer) {
    let (quotient, remainder) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    let second = remainder < 0 ? quotient - 1 : quotient
    let fraction = remainder < 0 ? remainder + 1_000_000_000 : remainder
    if second != self.second {
      self.second = second
      let civil = CivilTime(utc: Timestamp(nanoseconds: time))
      secondText.removeAll(keepingCapacity: true)
      Self.append(civil.year, digits: 4, "-", to: &secondText)
      Self.append(civil.month, digits: 2, "-", to: &secondText)
      Self.append(civil.day, digits: 2, "T", to: &secondText)
      Self.append(civil.hour, digits: 2, ":", to: &secondText)
      Self.append(civil.minute, digits: 2, ":", to: &secondText)
      Self.append(civil.second, digits: 2, ".", to: &secondText)
    }
    line.append(secondText)
    line.append(Int(fraction), digits: 9)
    line.append(UInt8(ascii: "Z"))
  }

  private static func append(
    _ number: Int, digits: Int, _ end: Unicode.Scalar, to text: inout [UInt8]
  ) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      text.append(0x30 + UInt8(number / divisor % 10))
      divisor /= 10
    }
    text.append(UInt8(ascii: end))
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
    _ key: StaticString, _ id: Int64?, to line: LineBuffer
  ) throws(SQLiteError) -> Bool {
    guard let id, let word = try words.json(id, wordText) else { return false }
    line.append(key)
    line.append(word)
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

  private func addToWhole(_ row: RowValues, _ column: Int) {
    if !row.isNull(column) { row.withBytes(column) { whole.append(contentsOf: $0) } }
  }

  private func appendOriginal(_ row: RowValues, to line: LineBuffer) {
    whole.removeAll(keepingCapacity: true)
    if row.isNull(columns.original) {
      addToWhole(row, columns.head)
      addToWhole(row, columns.body)
      addToWhole(row, columns.tail)
    } else {
      addToWhole(row, columns.original)
    }
    let isBody = row.withBytes(columns.body) { body in
      body.count == whole.count && body.elementsEqual(whole)
    }
    if isBody { return }
    line.append(",\"original\":")
    whole.withUnsafeBufferPointer { line.appendJSON($0) }
  }
}
