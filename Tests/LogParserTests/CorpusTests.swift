// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite("Corpus", .enabled(if: Corpus.isAvailable))
struct CorpusTests {
  @Test("report") func report() throws {
    for entry in CorpusEntry.all where !entry.path.hasPrefix("crash/") && !entry.path.hasSuffix(".gz") {
      let file = try entry.parse()
      var notes: [String] = []
      for i in file.records.indices where !file.isFaithful(i) { notes.append("UNFAITHFUL \(i)"); break }
      if let n = entry.records, n != file.records.count { notes.append("records \(file.records.count) want \(n)") }
      if let f = entry.first.flatMap(parseTime), let r = file.records.first, r.time != f || r.timeQuality == .observed { notes.append("first \(r.time) \(r.timeQuality) want \(entry.first ?? "")") }
      if let f = entry.last.flatMap(parseTime), let r = file.records.last, r.time != f || r.timeQuality == .observed { notes.append("last \(r.time) \(r.timeQuality) want \(entry.last ?? "")") }
      var sev: [UInt8: Int] = [:]
      for r in file.records { sev[r.severity.number, default: 0] += 1 }
      let s = sev.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
      print("REPORT \(notes.isEmpty ? "ok " : "BAD") \(entry.path) [\(file.formatName)] {\(s)} \(notes.joined(separator: "; "))")
    }
  }
}
