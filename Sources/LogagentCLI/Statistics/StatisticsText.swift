// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery

/// Statistics as a person reads them: a line a source with its activity, bars for severities, and
/// the most frequent messages.
struct StatisticsText {
  /// In columns.
  let width: Int
  let usesColor: Bool
  private let statistics: StoreStatistics

  init(_ statistics: StoreStatistics, width: Int, usesColor: Bool) {
    self.statistics = statistics
    self.width = width
    self.usesColor = usesColor
  }

  /// Columns for names before the histogram.
  private static func widestName(_ width: Int) -> Int { width < 120 ? 20 : 34 }
  /// More sources than this are one line together.
  private static let mostSources = 25
  /// What a line needs beside the name and the histogram.
  private static let numbersWidth = 30

  /// The columns that a histogram has in a terminal of `width`.
  static func histogramColumns(_ width: Int) -> Int {

    max(8, width - widestName(width) - numbersWidth - 3)
  }

  var text: String {
    let range = statistics.range
    let total = statistics.sources.reduce(0) { $0 + $1.total }
    var text =
      "\(total) \(total == 1 ? "record" : "records"), \(Timestamp(nanoseconds: range.since)) to "
    text += "\(Timestamp(nanoseconds: range.until))\n"
    text += statistics.usesRollups ? "(by whole minutes, pruned records counted)\n\n" : "\n"
    text += sourceLines() + "\n" + severityLines()
    if !statistics.messages.isEmpty { text += "\n" + messageLines() }
    return text
  }

  private func sourceLines() -> String {
    let nameWidth = min(
      Self.widestName(width), statistics.sources.reduce(6) { max($0, SafeText.width($1.name)) })
    let length = statistics.columnLength / 60_000_000_000
    let unit =
      length % 1440 == 0
      ? "\(length / 1440) d" : length % 60 == 0 ? "\(length / 60) h" : "\(length) min"
    var text = paint("source".padded(to: nameWidth) + "    records    errors  warnings", "1")
    text += paint("  activity, \(unit) a column\n", "1")
    for source in shownSources {
      let name = SafeText.cut(SafeText.escaped(source.name), to: nameWidth)
      text += name + String(repeating: " ", count: nameWidth - SafeText.width(name))
      text += " " + String(source.total).leftPadded(to: 10)
      text += number(source.counts[5] + source.counts[6], "31")
      text += number(source.counts[4], "33") + "  " + histogram(source) + "\n"
    }
    return text
  }

  /// The sources, the smallest of many as one.
  private var shownSources: [StoreStatistics.Source] {
    let sources = statistics.sources
    if sources.count <= Self.mostSources { return sources }
    var rest = sources[Self.mostSources - 1]
    rest.name = "(\(sources.count - Self.mostSources + 1) others)"
    for other in sources[Self.mostSources...] {
      for index in rest.counts.indices { rest.counts[index] += other.counts[index] }
      for index in rest.activity.indices {
        rest.activity[index] += other.activity[index]
        rest.worst[index] = max(rest.worst[index], other.worst[index])
      }
    }
    return sources.prefix(Self.mostSources - 1) + [rest]
  }

  private func number(_ count: Int64, _ color: String) -> String {
    let text = String(count).leftPadded(to: 10)
    return count > 0 ? paint(text, color) : text
  }

  /// Eight heights, by the highest column of the source itself; coloured by the worst severity.
  private func histogram(_ source: StoreStatistics.Source) -> String {
    let highest = max(1, source.activity.max() ?? 1)
    var text = ""
    let used = (source.activity.lastIndex { $0 > 0 } ?? -1) + 1
    for (count, worst) in zip(source.activity, source.worst).prefix(used) {
      if count == 0 {
        text += " "
        continue
      }
      let height = Int((count * 8 + highest - 1) / highest)
      let block = String(Array("▁▂▃▄▅▆▇█")[max(0, height - 1)])
      text += worst >= 5 ? paint(block, "31") : worst == 4 ? paint(block, "33") : block
    }
    return text
  }

  private func severityLines() -> String {
    var counts = [Int64](repeating: 0, count: 7)
    for source in statistics.sources {
      for index in counts.indices { counts[index] += source.counts[index] }
    }
    let highest = max(1, counts.max() ?? 1)
    let room = max(8, width - 22)
    var text = paint("severity      records\n", "1")
    for (index, name) in StoreStatistics.severities.enumerated().reversed() where counts[index] > 0
    {
      // A bar for one record among millions is still one column wide.
      let length = max(1, Int(Double(counts[index]) / Double(highest) * Double(room)))
      let bar = String(repeating: "█", count: length)
      text += name.padded(to: 8) + String(counts[index]).leftPadded(to: 13) + " "
      text += paint(bar, index >= 5 ? "31" : index == 4 ? "33" : "36") + "\n"
    }
    return text
  }

  private func messageLines() -> String {
    var heading = "   count  severity  source and message"
    if statistics.sampled == StoreStatistics.sampleRecords {
      heading += " (of the newest \(StoreStatistics.sampleRecords))"
    }
    var text = paint(heading + "\n", "1")
    for message in statistics.messages {
      let severity = StoreStatistics.severities[min(6, Int((message.severity + 3) / 4))]
      let color = message.severity >= 17 ? "31" : message.severity >= 13 ? "33" : ""
      text += String(message.count).leftPadded(to: 8) + "  "
      text += paint(severity.padded(to: 8), color) + "  "
      let words = "\(message.source): \(message.template)"
      text += SafeText.cut(SafeText.escaped(words), to: max(20, width - 20)) + "\n"
    }
    return text
  }

  private func paint(_ text: String, _ color: String) -> String {
    guard usesColor, !color.isEmpty else { return text }
    return text.hasSuffix("\n")
      ? "\u{1b}[\(color)m\(text.dropLast())\u{1b}[0m\n" : "\u{1b}[\(color)m\(text)\u{1b}[0m"
  }
}
