// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery

/// A crash or a message that is not in two bundles alike.
struct BundleChange {
  private enum How: String {
    case new
    case gone
    case more
    case less
  }

  private let kind: BundleProfile.Kind
  private let title: String
  private let how: How
  private let before: Int
  private let after: Int
  private let rateBefore: Double
  private let rateAfter: Double

  /// All of them: crashes first, then what is new, gone, more and less, the most frequent first.
  static func all(_ before: BundleProfile, _ after: BundleProfile) -> [BundleChange] {
    var changes: [BundleChange] = []
    for (kind, count) in after.counts {
      let old = before.counts[kind]?.number ?? 0
      if let how = how(old, count.number, before, after) {
        changes.append(BundleChange(kind, count, how, old, count.number, before, after))
      }
    }
    for (kind, count) in before.counts where after.counts[kind] == nil {
      changes.append(BundleChange(kind, count, .gone, count.number, 0, before, after))
    }
    let order: [How] = [.new, .gone, .more, .less]
    let rank = { (how: How) in order.firstIndex(of: how) ?? 0 }
    return changes.sorted {
      let left = ($0.kind.isCrash ? 0 : 1, rank($0.how), -max($0.before, $0.after))
      let right = ($1.kind.isCrash ? 0 : 1, rank($1.how), -max($1.before, $1.after))
      if left != right { return left < right }
      return ($0.kind.origin, $0.kind.identity) < ($1.kind.origin, $1.kind.identity)
    }
  }

  private init(
    _ kind: BundleProfile.Kind, _ count: BundleProfile.Count, _ how: How, _ before: Int,
    _ after: Int, _ old: BundleProfile, _ new: BundleProfile
  ) {
    self.kind = kind
    title = count.title
    self.how = how
    self.before = before
    self.after = after
    rateBefore = old.rate(before)
    rateAfter = new.rate(after)
  }

  private static func how(
    _ before: Int, _ after: Int, _ old: BundleProfile, _ new: BundleProfile
  ) -> How? {
    if before == 0 { return .new }
    let expected = Double(before) * Double(new.span) / Double(old.span)
    let difference = Double(after) - expected
    // Three standard deviations of a count that comes by chance.
    guard difference.magnitude > 3 * max(expected, Double(after), 1).squareRoot() else {
      return nil
    }
    if Double(after) >= 2 * expected { return .more }
    return Double(after) <= expected / 2 ? .less : nil
  }

  var text: String {
    let what = kind.isCrash ? "crash" : "message"
    let head = "\(how.rawValue) \(what)".padded(to: 13)
    let numbers: String =
      switch how {
      case .new: "\(after)×"
      case .gone: "was \(before)×"
      case .more, .less: "\(Self.short(rateBefore)) → \(Self.short(rateAfter)) an hour"
      }
    let name = kind.isCrash ? "\(kind.identity) \(title)" : title
    let origin = kind.origin.isEmpty ? "unknown process" : kind.origin
    let line = "\(head) \(numbers.padded(to: 20)) \(origin): \(name)"
    return SafeText.escaped(line) + "\n"
  }

  var json: String {
    let members = [
      "\"change\":\(JSONText.quoted(how.rawValue))",
      "\"kind\":\(JSONText.quoted(kind.isCrash ? "crash" : "message"))",
      "\(kind.isCrash ? "\"process\"" : "\"source\""):\(JSONText.quoted(kind.origin))",
      "\(kind.isCrash ? "\"fingerprint\"" : "\"template\""):\(JSONText.quoted(kind.identity))",
      "\"title\":\(JSONText.quoted(title))", "\"before\":\(before)", "\"after\":\(after)",
      "\"before_per_hour\":\(Self.short(rateBefore))",
      "\"after_per_hour\":\(Self.short(rateAfter))",
    ]
    return "{" + members.joined(separator: ",") + "}\n"
  }

  private static func short(_ rate: Double) -> String {
    rate >= 10 ? String(Int64(rate.rounded())) : String((rate * 100).rounded() / 100)
  }
}
