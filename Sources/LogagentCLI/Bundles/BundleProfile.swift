// SPDX-License-Identifier: Apache-2.0

internal import LogParser
internal import SupportBundle

/// How often each crash and each message stands in a bundle.
struct BundleProfile {
  /// What is counted together.
  struct Kind: Hashable {
    var isCrash: Bool
    /// The process of a crash, the source of a message.
    var origin: String
    /// A fingerprint, or a template.
    var identity: String
  }

  struct Count {
    var number = 0
    /// What a person calls it.
    var title: String
  }

  private(set) var counts: [Kind: Count] = [:]
  /// Nanoseconds between the first and the last record or crash; at least a minute.
  private(set) var span: Int64

  /// No more kinds are told apart.
  private static let mostKinds = 100_000

  /// Reads a bundle.
  ///
  /// - Throws: `BundleError`, `FileError`.
  init(_ path: String, shouldStop: () -> Bool) throws {
    var counts: [Kind: Count] = [:]
    var first = Int64.max
    var last = Int64.min
    let add = { (kind: Kind, title: @autoclosure () -> String, time: Int64?) in
      if let time {
        first = min(first, time)
        last = max(last, time)
      }
      if counts[kind] == nil, counts.count >= Self.mostKinds { return }
      counts[kind, default: Count(title: title())].number += 1
    }
    try BundleExtract.read(path) { line in
      if shouldStop() { throw BundleError(.interrupted, "interrupted") }
      guard let row = JSONTree(line).root, let body = row["body"]?.string else { return }
      let template = MessageTemplate.of(body)
      let kind = Kind(
        isCrash: false, origin: row["source"]?.string ?? "", identity: template)
      add(kind, template, row["time_unix_nano"]?.int)
    } crash: { bytes in
      guard let row = JSONTree(bytes).root, let fingerprint = row["fingerprint"]?.string else {
        return
      }
      let process = row["process"]?.string ?? ""
      let parts = [row["signal"], row["exception_type"], row["reason"], row["top_frame"]]
      let kind = Kind(isCrash: true, origin: process, identity: fingerprint)
      let title = parts.compactMap { $0?.string }.joined(separator: ", ")
      add(kind, title, row["time_unix_nano"]?.int)
    }
    self.counts = counts
    span = max(60_000_000_000, last &- first)
    if last < first { span = 60_000_000_000 }
  }

  /// By the hour.
  func rate(_ number: Int) -> Double { Double(number) * 3.6e12 / Double(span) }
}
