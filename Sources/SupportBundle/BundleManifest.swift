// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import Redaction
internal import SQLite

/// `manifest.json`: what a bundle holds, and what it does not.
///
/// | member | what |
/// |---|---|
/// | `format_version` | of this form; readers skip members that they do not know |
/// | `tool`, `tool_version` | who made it |
/// | `redacted` | true: secrets and personal data are marks; false: nothing was taken out |
/// | `host` | its name; left out when it is not known |
/// | `range` | `since`, `until` as asked; `first`, `last` record; null where there is none |
/// | `selection` | what was asked for beyond the range, in the words of the command line |
/// | `records` | lines of `logs.jsonl` |
/// | `crashes` | of the range, also those whose report was left out |
/// | `counts` | records by source, then by severity |
/// | `files` | crash reports: `original` path, `member` or null, `size` and `sha256` of the original |
/// | `members` | `name`, `size`, `sha256` of all members but the manifest and `SHA256SUMS` |
/// | `left_out` | what is missing, with the reason |
/// | `problems` | files that could not be read: `path`, `reason` |
/// | `redactions` | by rule: how often it hit |
struct BundleManifest {
  struct Member {
    var name: String
    var size: Int64
    var sha256: String
  }

  let request: BundleRequest
  let plan: BundlePlan
  let records: Int64
  let counts: [(source: String, severity: String, records: Int64)]
  /// Nanoseconds.
  let covered: ClosedRange<Int64>?
  var members: [Member]
  let redactions: [Redactor.Count]
  let host: String
  /// Masked, as a pattern may hold what it looks for.
  let selection: [String]

  /// The document.
  func json(problems: [(path: String, reason: String)]) -> [UInt8] {
    var text = JSONBuilder()
    text.object {
      $0.member("format_version", Int64(SupportBundle.formatVersion))
      $0.member("tool", "logagent")
      $0.member("tool_version", request.toolVersion)
      $0.member("redacted", request.redaction != nil)
      if !host.isEmpty { $0.member("host", host) }
      $0.object("range") { range in
        range.member("since", request.selection.since?.description)
        range.member("until", request.selection.until?.description)
        range.member("first", covered.map { Timestamp(nanoseconds: $0.lowerBound).description })
        range.member("last", covered.map { Timestamp(nanoseconds: $0.upperBound).description })
      }
      $0.array("selection", texts: selection)
      $0.member("records", records)
      $0.member("crashes", Int64(plan.reports.count))
    }
    addCounts(&text)
    addFiles(&text)
    addLeftOut(&text)
    text.array("problems", problems) { object, problem in
      object.member("path", problem.path)
      object.member("reason", problem.reason)
    }
    text.object("redactions") { object in
      for (rule, hits) in RedactionSummary.byRule(redactions) { object.member(rule, hits) }
    }
    return text.finish()
  }

  /// `SHA256SUMS`, as `sha256sum -c` reads it.
  static func sums(_ members: [Member]) -> [UInt8] {
    Array(members.map { "\($0.sha256)  \($0.name)\n" }.joined().utf8)
  }

  private func addCounts(_ text: inout JSONBuilder) {
    text.object("counts") { object in
      var rest = counts[...]
      while let source = rest.first?.source {
        let own = rest.prefix { $0.source == source }
        rest = rest.dropFirst(own.count)
        object.object(source) { inner in
          for count in own { inner.member(count.severity, count.records) }
        }
      }
    }
  }

  private func addFiles(_ text: inout JSONBuilder) {
    text.array("files", plan.reports) { object, report in
      object.member("original", report.path)
      object.member("member", report.member)
      object.member("size", report.size)
      object.member("sha256", report.sha256)
      if report.isCut { object.member("cut", true) }
    }
    text.array("members", members) { object, member in
      object.member("name", member.name)
      object.member("size", member.size)
      object.member("sha256", member.sha256)
    }
  }

  private func addLeftOut(_ text: inout JSONBuilder) {
    let missing = plan.recordsInRange - records
    text.array("left_out", missing > 0 ? [missing] : [], isOpen: true) { object, count in
      object.member("what", "records")
      object.member("count", count)
      object.member("reason", "no room: the oldest, and last those around crashes")
    }
    text.continueArray(plan.databaseLeftOut.map { [$0] } ?? [], isOpen: true) { object, reason in
      object.member("what", "logs.db")
      object.member("reason", reason)
    }
    text.continueArray(plan.reports.filter { $0.leftOut != nil }) { object, report in
      object.member("what", "report")
      object.member("original", report.path)
      object.member("size", report.size)
      object.member("sha256", report.sha256)
      object.member("reason", report.leftOut)
    }
  }
}
