// SPDX-License-Identifier: Apache-2.0

/// systemd's journal, or a part of it, under one name.
package struct JournalConfiguration: Sendable {
  /// Where reading begins when nothing of it is stored yet.
  package enum Begin: String, Sendable, CaseIterable {
    /// With the oldest entry.
    case all
    /// With the first of this boot.
    case boot
    /// With what comes from now on.
    case now
  }

  package var name: String
  /// Only of these units; all when empty.
  package var units: [String] = []
  /// Only entries with these fields, as journalctl takes them: `_UID=1000`.
  package var matches: [String] = []
  /// Absolute path of a folder with journal files; `nil` for this host's.
  package var directory: String?
  package var begin = Begin.boot

  package init(name: String) { self.name = name }
}
