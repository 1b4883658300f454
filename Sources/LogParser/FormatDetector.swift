// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Which format the beginning of a file has, and why.
package struct FormatDetection: Sendable {
  /// A format and the share of the examined lines that begin one of its records, 0 to 1.
  package struct Candidate: Sendable {
    package var formatName: String
    package var score: Double
  }

  package var formatName: String
  /// The share of the examined lines that begin a record of the chosen format, 0 to 1.
  package var score: Double
  /// Lines with text that were looked at, 100 at most.
  package var examinedLines: Int
  /// Every format that at least one line fits, the best first.
  package var candidates: [Candidate]
  /// A sentence for people.
  package var reason: String
  /// The process that the file's name tells; else empty.
  package var processName: String
}

/// Chooses the format of a file from its first bytes.
package enum FormatDetector {
  /// Looks at the first lines of `sample`, which may end in the middle of one.
  ///
  /// - Parameters:
  ///   - fileName: the last component of the file's path.
  ///   - userFormats: those of the user's own that may stand in the file.
  package static func detect(
    sample: UnsafeBufferPointer<UInt8>, fileName: String, userFormats: [UserFormatReader] = []
  ) -> FormatDetection {
    let choice = FormatChoice(sample, userFormats)
    let name = choice.userFormat?.format.name ?? choice.kind.info.name
    let total = max(choice.lines, 1)
    var candidates: [FormatDetection.Candidate] = []
    for kind in FormatKind.allCases where choice.votes[Int(kind.rawValue)] > 0 {
      let score = Double(choice.votes[Int(kind.rawValue)]) / Double(total)
      candidates.append(.init(formatName: kind.info.name, score: score))
    }
    for (reader, votes) in zip(userFormats, choice.userVotes) where votes > 0 {
      candidates.append(.init(formatName: reader.format.name, score: Double(votes) / Double(total)))
    }
    candidates.sort { $0.score > $1.score }
    let votes = choice.chosenVotes
    let reason =
      choice.lines == 0
      ? "no line with text yet"
      : choice.kind == .plain && choice.userFormat == nil
        ? "no known format fits enough of the first \(choice.lines) lines"
        : "\(votes) of the first \(choice.lines) lines begin a record of this format"
    return FormatDetection(
      formatName: name, score: Double(votes) / Double(total), examinedLines: choice.lines,
      candidates: candidates, reason: reason,
      processName: CocoaLumberjackFormat.application(inFileName: fileName) ?? "")
  }
}

/// The votes of the first lines of a file. Each votes for the most specific format that it fits.
struct FormatChoice {
  private(set) var kind = FormatKind.plain
  /// The commonest shape of generic times.
  private(set) var shape = Stamp.Shape.full
  /// Lines with text.
  private(set) var lines = 0
  /// By the raw value of the kind.
  private(set) var votes = [Int](repeating: 0, count: FormatKind.allCases.count)
  /// Years that begin between the first and the last line, for times without a year.
  private(set) var yearChanges = 0
  /// The last of these times, as month × 31 + day; `nil` when there is none.
  private(set) var lastDay: Int?
  /// How many days, as `lastDay` counts them, the calendar falls back at most from line to line.
  private(set) var deepestFall = 0
  /// The order of day and month, where both are numbers and one of the lines tells.
  private(set) var dayOrder: Stamp.DayOrder?
  /// Messages of several lines that syslog's header stands before each time.
  private(set) var hasSequences = false

  /// The format of the user's own that the file has, and the votes of all of them.
  private(set) var userFormat: UserFormatReader?
  private(set) var userVotes: [Int]
  private let userFormats: [UserFormatReader]

  private var shapes = [Int](repeating: 0, count: 4)
  private var firstLineKind = FormatKind.plain

  private static let maxLines = 100

  init(_ sample: UnsafeBufferPointer<UInt8>, _ userFormats: [UserFormatReader] = []) {
    self.userFormats = userFormats
    userVotes = [Int](repeating: 0, count: userFormats.count)
    let first = sample.slice(0, sample.firstLineEnd)
    if JSONDocumentFormat.isDocument(sample), !userFormats.contains(where: { $0.begins(first) }) {
      kind = .jsonDocument
      lines = 1
      votes[Int(kind.rawValue)] = 1
      return
    }
    var start = 0
    while start < sample.count {
      let end = sample.index(of: Byte.newline, from: start)
      // An unfinished last line counts only when there is no other.
      if end == nil, lines > 0 { break }
      var stop = end ?? sample.count
      if stop > start, sample[stop - 1] == Byte.carriageReturn { stop -= 1 }
      look(sample.slice(start, stop))
      start = (end ?? sample.count) + 1
    }
    choose()
  }

  private mutating func look(_ raw: Line) {
    LineCleaner.withClean(raw) { line in
      noteYear(line)
      guard lines < Self.maxLines, line.skipBlanks(0) < line.count else { return }
      lines += 1
      if let own = userFormats.firstIndex(where: { $0.begins(line) }) {
        userVotes[own] += 1
        return
      }
      let found = FormatKind.classify(line, except: .fatalError)
      if lines == 1 || JavaXMLRecord.isHeading(line) { firstLineKind = found }
      // What such programs print stands among plain text, and has no further lines.
      let isStray = found == .levelFirst && LevelFirstFormat.isStray(line)
      votes[Int(isStray ? FormatKind.plain.rawValue : found.rawValue)] += 1
      if found == .syslog, SyslogSequence.read(line) != nil { hasSequences = true }
      if found == .timestamped {
        var lead = TimestampedFormat.Lead()
        _ = TimestampedFormat.findTime(line, &lead)
        shapes[Int(lead.stamp.shape.rawValue)] += 1
        if let order = lead.stamp.provenOrder { dayOrder = order }
      }
    }
  }

  private mutating func noteYear(_ line: Line) {
    var stamp = Stamp()
    let priorityEnd = SyslogPriority.end(line)
    let start = line.at(priorityEnd) == Byte.openBracket ? priorityEnd + 1 : priorityEnd
    guard line.at(start).isLetter, StampScanner.named(line, at: start, into: &stamp),
      stamp.shape == .withoutYear, stamp.isValid, stamp.month != 2 || stamp.day != 29
    else { return }
    let day = stamp.month * 31 + stamp.day
    if let before = lastDay {
      yearChanges += Clock.yearChange(from: before, to: day)
      deepestFall = max(deepestFall, before - day)
    }
    lastDay = day
  }

  /// Votes for what was chosen.
  var chosenVotes: Int {
    guard let userFormat else { return votes[Int(kind.rawValue)] }
    return zip(userFormats, userVotes).first { $0.0 === userFormat }?.1 ?? 0
  }

  private mutating func choose() {
    chooseKind()
    guard let best = userVotes.indices.max(by: { userVotes[$0] < userVotes[$1] }),
      userVotes[best] > 0, kind == .plain || userVotes[best] >= votes[Int(kind.rawValue)]
    else { return }
    userFormat = userFormats[best]
    kind = .plain
  }

  private mutating func chooseKind() {
    for candidate in FormatKind.allCases where candidate != .plain {
      let count = votes[Int(candidate.rawValue)]
      if count > 0, kind == .plain || count > votes[Int(kind.rawValue)] { kind = candidate }
    }
    // The lines behind such a head have no form of their own.
    if firstLineKind == .w3c { kind = .w3c }
    // Records of many lines leave few votes; without a first line that fits, some text that
    // happens to hold one must not count.
    if firstLineKind != kind, votes[Int(kind.rawValue)] * 4 < lines { kind = .plain }
    for (index, count) in shapes.enumerated() where count > shapes[Int(shape.rawValue)] {
      shape = Stamp.Shape(rawValue: UInt8(index)) ?? .full
    }
  }
}
