// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Records by file and severity.
struct RecordCounts {
  private struct Key: Hashable {
    var file: Int64
    var severity: Int64
  }

  private var counts: [Key: Int64] = [:]
  // Most records are like the one before.
  private var last = Key(file: -1, severity: -1)
  private var lastCount: Int64 = 0

  mutating func add(file: Int64, severity: Int64) {
    let key = Key(file: file, severity: severity)
    if key != last {
      flush()
      last = key
    }
    lastCount += 1
  }

  private mutating func flush() {
    if lastCount > 0 { counts[last, default: 0] += lastCount }
    lastCount = 0
  }

  /// By source and name of severity, sorted by the source and the severity.
  ///
  /// - Parameter sources: of the files.
  func bySource(_ sources: [Int64: String]) -> [(source: String, severity: String, records: Int64)]
  {
    var all = self
    all.flush()
    let rows = all.counts.map { key, count in (sources[key.file] ?? "", key.severity, count) }
      .sorted {
        $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
      }
    var result: [(source: String, severity: String, records: Int64)] = []
    for (source, number, count) in rows {
      let name = Severity(number: UInt8(clamping: number)).name
      let severity = name.isEmpty ? "unspecified" : name
      if let last = result.last, last.source == source, last.severity == severity {
        result[result.count - 1].records += count
      } else {
        result.append((source, severity, count))
      }
    }
    return result
  }
}
