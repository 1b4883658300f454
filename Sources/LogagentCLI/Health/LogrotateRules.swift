// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What logrotate's configuration says of a file.
struct LogrotateRules {
  struct Rule {
    var patterns: [String]
    /// The file that says it, for messages.
    var place: String
    var copiesAndTruncates = false
    /// Old files that stay; logrotate's default is 0.
    var rotations = 0
    /// Seconds between rotations; `nil` when size decides.
    var period: Int64? = 604_800

    /// Whether one of its patterns means the file.
    func covers(_ path: String) -> Bool {
      patterns.contains { fnmatch($0, path, FNM_PATHNAME) == 0 }
    }
  }

  private(set) var rules: [Rule] = []

  /// Reads `/etc/logrotate.conf` and what it includes.
  init(_ host: HostRoot) {
    var defaults = Rule(patterns: [], place: "")
    if let text = host.text("/etc/logrotate.conf") {
      read(text, "/etc/logrotate.conf", &defaults)
    }
    for name in host.names("/etc/logrotate.d") where !name.hasPrefix(".") {
      let path = "/etc/logrotate.d/" + name
      var own = defaults
      if let text = host.text(path) { read(text, path, &own) }
    }
  }

  private mutating func read(_ text: String, _ place: String, _ defaults: inout Rule) {
    var current: Rule?
    var patterns: [String] = []
    var isScript = false
    for line in text.split(separator: "\n") {
      let words = Self.words(line)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      if isScript {
        if first == "endscript" { isScript = false }
        continue
      }
      if ["postrotate", "prerotate", "firstaction", "lastaction", "preremove"].contains(first) {
        isScript = true
      } else if words.contains("}") {
        if let current { rules.append(current) }
        current = nil
        patterns = []
      } else if current != nil {
        current?.apply(words)
      } else if first.hasPrefix("/") || first == "{" {
        patterns += words.filter { $0 != "{" }
        if words.contains("{") {
          current = defaults
          current?.patterns = patterns
          current?.place = place
        }
      } else {
        defaults.apply(words)
      }
    }
  }

  private static func words(_ line: Substring) -> [String] {
    // A brace may stand at the end of a name.
    line.replacing("{", with: " { ").split { $0 == " " || $0 == "\t" || $0 == "\"" }
      .map(String.init)
  }
}

extension LogrotateRules.Rule {
  fileprivate mutating func apply(_ words: [String]) {
    let number = words.count > 1 ? Int(words[1]) : nil
    switch words[0] {
    case "copytruncate": copiesAndTruncates = true
    case "nocopytruncate", "create", "nocopy": copiesAndTruncates = false
    case "rotate": rotations = number ?? rotations
    case "hourly": period = 3600
    case "daily": period = 86_400
    case "weekly": period = 604_800
    case "monthly": period = 2_592_000
    case "yearly": period = 31_536_000
    case "size": period = nil
    default: break
    }
  }
}
