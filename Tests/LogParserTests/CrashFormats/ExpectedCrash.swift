// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

/// What a reader of a crash report in the corpus must find in it.
struct ExpectedCrash: CustomTestStringConvertible, Sendable {
  /// Its path in the corpus.
  let path: String
  private let text: [String: String]

  var testDescription: String { path }
  var name: String { (path as NSString).lastPathComponent }

  var bytes: [UInt8] { Corpus.bytes(path) }

  /// All lines of the corpus's table.
  static let all: [ExpectedCrash] = {
    guard let folder = Corpus.path,
      let table = try? String(
        contentsOfFile: folder + "/EXPECTED_CRASH_FIELDS.jsonl", encoding: .utf8)
    else { return [] }
    return table.split(separator: "\n").compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object.flatMap { ExpectedCrash($0) }
    }
  }()

  static func find(_ path: String) -> ExpectedCrash? { all.first { $0.path == path } }

  private init?(_ object: [String: Any]) {
    guard let path = object["path"] as? String else { return nil }
    self.path = path
    text = object.mapValues { "\($0)" }
  }

  /// The table's value of a field, as text.
  subscript(_ field: String) -> String? { text[field] }

  /// How `report` differs from the fields that every format has; empty when it is right.
  func differences(from report: CrashReport) -> [String] {
    var found: [String] = []
    func check(_ field: String, _ value: String?, as expected: ((String) -> String)? = nil) {
      guard let raw = text[field] else { return }
      let wanted = expected?(raw) ?? raw
      if value != wanted { found.append("\(field): \(value ?? "nil"), not \(wanted)") }
    }
    check("report_id", report.reportID)
    check("process", report.process)
    check("process_from_file_name", report.process)
    check("pid", report.pid.map(String.init) ?? "0")
    check("pid_from_file_name", report.pid.map(String.init))
    check("bundle_id", report.bundleIdentifier)
    check("crash_time_utc", report.time?.description, as: Self.shortTime)
    check("crashed_thread", report.crashedThread.map(String.init)) {
      $0.split(separator: " ").first.map(String.init) ?? $0
    }
    check("crashed_thread_name", report.crashedThreadName)
    return found
  }

  /// RFC 3339 without the zeros at the end of the fraction.
  private static func shortTime(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var digits = text.dropLast()
    while digits.hasSuffix("0") { digits = digits.dropLast() }
    return digits + "Z"
  }
}

extension Corpus {
  /// The bytes of a file of the corpus; none when it is absent.
  static func bytes(_ name: String) -> [UInt8] {
    guard let folder = path, let data = FileManager.default.contents(atPath: folder + "/" + name)
    else { return [] }
    return [UInt8](data)
  }

  /// The paths of all its files.
  static var files: [String] {
    guard let folder = path,
      let index = try? String(contentsOfFile: folder + "/INDEX.tsv", encoding: .utf8)
    else { return [] }
    return index.split(separator: "\n").dropFirst().compactMap { line in
      line.split(separator: "\t").first.map(String.init)
    }
  }
}

/// A report as the agent would get it from a spool.
func parse(_ bytes: [UInt8], name: String = "report", modified: String = "2026-11-30T08:00:00Z")
  -> [CrashReport]
{
  CrashReportParser.parse(bytes, name: name, modified: time(modified), inSpool: true)
}

/// The only report in `text`.
func parse(_ text: String, name: String = "report") -> CrashReport? {
  let reports = parse([UInt8](text.utf8), name: name)
  return reports.count == 1 ? reports[0] : nil
}

func recognise(_ bytes: [UInt8], name: String = "report") -> String? {
  bytes.prefix(4096).withUnsafeBufferPointer { CrashReportParser.recognise(head: $0, name: name) }
}

func time(_ text: String) -> Timestamp {
  let formatter = ISO8601DateFormatter()
  let seconds = formatter.date(from: text)?.timeIntervalSince1970 ?? 0
  return Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000)
}
