// SPDX-License-Identifier: Apache-2.0

/// What can be configured, out of the tables that the reader uses.
package enum ConfigurationReference {
  /// A key that takes one value.
  package struct Key: Sendable {
    /// In full, as in `limits.max_line_bytes`.
    package var key: String
    /// What kind of value it takes, in words.
    package var type: String
    /// What it may be, in words.
    package var range: String?
    /// What it does, without a full stop.
    package var summary: String
    /// The default, as TOML has it or in words.
    package var usual: String
    /// The variable that sets it, too.
    package var environmentName: String

    /// The table that it stands in; `nil` for the top of the file.
    package var table: String? {
      key.contains(".") ? String(key.prefix { $0 != "." }) : nil
    }

    /// Within its table.
    package var name: String {
      table.map { String(key.dropFirst($0.count + 1)) } ?? key
    }
  }

  /// The keys, in the order of the file.
  package static let keys: [Key] = {
    let plain = Configuration(stateDirectory: "/var/lib/logagent")
    return Setting.all.map { setting in
      Key(
        key: setting.key, type: setting.type, range: setting.range, summary: setting.summary,
        usual: setting.usual ?? setting.show(plain), environmentName: setting.environmentName)
    }
  }()

  /// The value of each key in `configuration`, as TOML has it.
  package static func values(of configuration: Configuration) -> [(key: String, value: String)] {
    Setting.all.map { ($0.key, $0.show(configuration)) }
  }
}
