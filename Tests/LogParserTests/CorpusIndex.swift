// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import TestSupport

/// One line of the corpus's index: what a file holds, as far as it is certain.
struct CorpusEntry: Sendable {
  let path: String
  let format: String
  let records: Int?
  let first: String?
  let last: String?
  let zoneText: String

  static let all: [CorpusEntry] = {
    guard let root = Corpus.path,
      let text = try? String(contentsOfFile: root + "/INDEX.tsv", encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count >= 10 else { return nil }
      return CorpusEntry(
        path: fields[0], format: fields[1], records: Int(fields[6]),
        first: fields[7].isEmpty ? nil : fields[7], last: fields[8].isEmpty ? nil : fields[8],
        zoneText: fields[9])
    }
  }()

  static func named(_ path: String) -> CorpusEntry? { all.first { $0.path == path } }

  var bytes: [UInt8] {
    Array(FileManager.default.contents(atPath: (Corpus.path ?? "") + "/" + path) ?? Data())
  }

  /// The zone that the index names, or UTC.
  func zone() throws -> LogModel.TimeZone {
    for name in ["Europe/Berlin", "America/New_York", "Asia/Kolkata"] where zoneText.contains(name)
    {
      return try LogParserTests.zone(name)
    }
    return .utc
  }

  /// Parses the file as if it had been changed last at its last record's time.
  func parse(modified: String? = nil) throws -> ParsedFile {
    let end = modified ?? last ?? "2026-11-30T07:00:00Z"
    let seconds = parseTime(end).map { $0.nanoseconds / 1_000_000_000 + 1 } ?? 1_796_022_000
    var context = FileContext.test(
      path: "/var/log/" + path, modified: seconds, now: 1_796_083_200)
    context.zone = try zone()
    return ParsedFile(bytes, context: context)
  }
}

/// RFC 3339 in UTC with any number of decimals.
func parseTime(_ text: String) -> Timestamp? {
  let parts = text.dropLast().split(separator: ".")
  guard parts.count <= 2, let whole = parts.first,
    let base = ISO8601DateFormatter().date(from: whole + "Z")
  else {
    return nil
  }
  let decimals = parts.count == 2 ? String(parts[1]) : ""
  let nanoseconds = Int64(decimals.padding(toLength: 9, withPad: "0", startingAt: 0)) ?? 0
  return Timestamp(seconds: Int64(base.timeIntervalSince1970), nanoseconds: nanoseconds)
}
