// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery

/// Records on a terminal: a heading for each day, aligned columns, long texts wrapped in theirs.
struct TerminalPrinter {
  /// One record, made harmless.
  struct Record {
    var time: Timestamp
    /// In capitals; empty for none.
    var severity: String
    var severityColor: String
    /// Source, process and its number.
    var name: String
    var text: String
  }

  /// In columns.
  let width: Int
  let usesColor: Bool
  /// The zone of the times; `nil` for UTC.
  let zone: LocalZone?

  /// Records wait until the width of the names is known.
  private var held: [Record] = []
  private var nameWidth: Int?
  private var day = ""

  /// Names so many columns wide, or as wide as those of the first records are.
  private static let widestName = 28
  private static let sampleRecords = 200
  /// `HH:MM:SS.mmm` and `ERROR`, each with a blank.
  private static let fixedWidth = 13 + 6
  /// Narrower columns than this are no help: the terminal breaks the lines then.
  private static let narrowestText = 16

  init(width: Int, usesColor: Bool, zone: LocalZone?) {
    self.width = width
    self.usesColor = usesColor
    self.zone = zone
  }

  mutating func write(_ record: Record, to writer: ByteWriter) {
    if nameWidth != nil { return writeNow(record, to: writer) }
    held.append(record)
    if held.count >= Self.sampleRecords { flush(to: writer) }
  }

  /// Writes what waits. Records that come later keep to the width that is chosen here.
  mutating func flush(to writer: ByteWriter) {
    if held.isEmpty { return }
    let widest = held.reduce(0) { max($0, SafeText.width($1.name)) }
    nameWidth = min(max(widest, nameWidth ?? 0), Self.widestName, width / 4)
    for record in held { writeNow(record, to: writer) }
    held = []
  }

  private mutating func writeNow(_ record: Record, to writer: ByteWriter) {
    let utc = CivilTime(utc: record.time)
    let civil = zone.map { $0.civil(record.time) } ?? utc
    let heading = Self.heading(civil, utc, isUTC: zone == nil)
    if heading != day {
      if !day.isEmpty { writer.append("\n") }
      day = heading
      writer.append(paint(heading, "1") + "\n")
    }
    let nameWidth = nameWidth ?? 0
    let name = SafeText.cut(record.name, to: nameWidth)
    var line = paint(Self.clock(civil), "2") + " "
    line += paint(record.severity.padded(to: 5), record.severityColor) + " "
    line += paint(name, Self.color(of: record.name))
    line += String(repeating: " ", count: nameWidth - SafeText.width(name) + 1)
    let indent = Self.fixedWidth + nameWidth + 1
    // Further lines of a text, such as those of a stack, need the room under the name.
    let texts = record.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    line += block(texts.first, indent, record.severityColor)
    if texts.count > 1 {
      let margin = String(repeating: " ", count: Self.fixedWidth)
      line += "\n" + margin + block(texts[1], Self.fixedWidth, record.severityColor)
    }
    writer.append(line + "\n")
  }

  /// `text` in lines that begin at the column `indent`, the first of them without the blanks.
  private func block(_ text: Substring?, _ indent: Int, _ color: String) -> String {
    let room = width - indent
    let isNarrow = room < Self.narrowestText
    let lines = TextWrap.lines(String(text ?? ""), width: isNarrow ? Int.max : room)
    let margin = "\n" + String(repeating: " ", count: isNarrow ? 4 : indent)
    return lines.map { paint($0, color) }.joined(separator: margin)
  }

  private static func heading(_ civil: CivilTime, _ utc: CivilTime, isUTC: Bool) -> String {
    let days = CivilTime.daysSince1970(year: civil.year, month: civil.month, day: civil.day)
    // The first day of 1970 was a Thursday.
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
    let date =
      "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
    if isUTC { return "\(weekday) \(date) UTC" }
    let minutes = Int(civil.secondsSince1970 - utc.secondsSince1970) / 60
    let sign = minutes < 0 ? "-" : "+"
    return "\(weekday) \(date) \(sign)\(two(abs(minutes) / 60)):\(two(abs(minutes) % 60))"
  }

  private static func clock(_ civil: CivilTime) -> String {
    let milliseconds = String(civil.nanosecond / 1_000_000)
    return "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))."
      + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  /// The same name has the same colour, here and tomorrow.
  private static func color(of name: String) -> String {
    // Without the number of the process, which changes.
    let stable = name.utf8.prefix { $0 != UInt8(ascii: "[") }
    let hash = stable.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    // No red and no yellow: those are for severities.
    return ["36", "32", "35", "34", "96", "92", "95", "94"][Int(hash % 8)]
  }

  private func paint(_ text: String, _ color: String) -> String {
    usesColor && !color.isEmpty && !text.isEmpty ? "\u{1b}[\(color)m\(text)\u{1b}[0m" : text
  }
}
