// SPDX-License-Identifier: Apache-2.0

/// How lines that begin no record by themselves are taken.
public enum MultilineMode: String, Sendable, CaseIterable {
  /// As the file's format says.
  case auto
  /// They belong to the last line that has a time.
  case timestamp
  /// Each is a record of its own.
  case off
}
