// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Everything the agent was told, checked and complete. Built once, passed by value, never changed.
package struct Configuration: Sendable {
  /// Where the store lies; mode 0700, and nothing but the agent's own files.
  package var stateDirectory: String
  package var sources: [SourceConfiguration] = []
  package var spools: [SpoolConfiguration] = []
  package var journals: [JournalConfiguration] = []
  /// Formats of the user's own, tried before the built-in ones. Whether they can be compiled, and
  /// their samples hold, is for who uses them.
  package var formats: [UserFormatDefinition] = []
  /// Bare paths, as `logagent run PATH…` takes them: files, and folders to look through.
  package var paths: [String] = []
  /// IANA name of the zone of times that have none; `nil` for the host's own.
  package var timeZone: String?
  /// The file of the agent's own log, absolute; `nil` for none.
  package var agentLog: String?
  package var limits = Limits()
  package var retention = Retention()
  package var redaction = RedactionConfiguration()
  package var upload = UploadConfiguration()
  /// The file that was read, absolute; `nil` for none.
  package var file: String?
  /// Where each key that has not its default was said; of lists of tables, `source[0]` and so on.
  package var origins: [String: ConfigurationOrigin] = [:]

  /// The store's file.
  package var storePath: String { stateDirectory + "/logs.db" }

  package init(stateDirectory: String) { self.stateDirectory = stateDirectory }
}

/// What is done with a file that is not text.
package enum BinaryMode: String, Sendable, CaseIterable {
  /// It is left alone, and `status` says so.
  case skip
  /// It is read like text; what is no UTF-8 is replaced and the original kept.
  case text
}

/// Log files under one name.
package struct SourceConfiguration: Sendable {
  package var name: String
  /// Absolute glob patterns: `*`, `?`, `[…]` within a folder's names, `**` for any folders.
  package var include: [String]
  package var exclude: [String] = []
  /// IANA name; `nil` for the configuration's.
  package var timeZone: String?
  package var multiline = MultilineMode.auto
  package var binary = BinaryMode.skip
  /// What the store keeps of it at most, in bytes of its files; `nil` for no limit of its own.
  package var maxBytes: Int64?
  /// Nanoseconds; `nil` for no limit of its own.
  package var maxAgeNanoseconds: Int64?
  package var maxRecords: Int64?
  /// What is deleted of its files on disk; `nil` for nothing.
  package var directoryQuota: DirectoryQuota?

  package init(name: String, include: [String]) {
    self.name = name
    self.include = include
  }
}

/// How many old log files an application may leave in a folder. Only files that are stored whole and
/// are not written any more are deleted, the oldest first.
package struct DirectoryQuota: Hashable, Sendable {
  /// Archived files; `nil` for no limit.
  package var maxFiles: Int?
  /// Bytes of all the source's files in the folder; `nil` for no limit.
  package var maxBytes: Int64?

  package init(maxFiles: Int? = nil, maxBytes: Int64? = nil) {
    self.maxFiles = maxFiles
    self.maxBytes = maxBytes
  }
}

/// A folder into which crash reports are put.
package struct SpoolConfiguration: Sendable {
  package var name: String
  /// Absolute path of the folder.
  package var path: String
  /// Stored reports are moved away, into a folder of the spool's.
  package var isConsumed = false
  /// Bytes of reports that were moved away and are kept.
  package var keptBytes: Int64 = 64 << 20

  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }
}

/// Bounds on what is read.
package struct Limits: Sendable {
  /// The longest line that is kept whole, in bytes without its newline; at least 1,024.
  package var maxLineBytes = 1 << 20
  /// Lines after which a record that does not end is cut.
  package var maxRecordLines = 500
  /// Bytes after which a record that does not end is cut.
  package var maxRecordBytes = 256 << 10
  /// Milliseconds without a new line after which a record takes no more lines.
  package var recordFlushMilliseconds = 2_000
  /// Milliseconds without a new byte after which an unterminated last line is stored.
  package var partialFlushMilliseconds = 5_000
  /// The most bytes of a crash report that are kept.
  package var maxReportBytes = 16 << 20
  /// Milliseconds between looks at the file system beside inotify.
  package var pollMilliseconds = 5_000

  package init() {}
}

/// What a support bundle masks, beside the rules that are always there.
package struct RedactionConfiguration: Sendable {
  /// Names of built-in rules that work only when asked for.
  package var enable: [String] = []
  /// Names of built-in rules that shall not work.
  package var disable: [String] = []
  package var rules: [RedactRule] = []

  package init() {}
}

/// A `[[redact]]` of the file. Whether its pattern is one and its samples hold is for who uses it.
package struct RedactRule: Sendable {
  package var name: String
  /// In Perl's syntax; `nil` for none.
  package var pattern: String?
  /// Names of keys whose values are secrets.
  package var keys: [String] = []
  /// Texts in which it must find something.
  package var samples: [String] = []
  /// Texts in which it must find nothing.
  package var not: [String] = []
  /// Where it stands, for messages: `logagent.toml:12:1`.
  package var place: String

  package init(name: String, place: String) {
    self.name = name
    self.place = place
  }
}

/// What is kept.
package struct Retention: Sendable {
  /// Bytes of the store's files together.
  package var maxBytes: Int64 = 1 << 30
  /// Nanoseconds; `nil` for no limit, which is the default: who imports an old log wants to see it.
  package var maxAgeNanoseconds: Int64?
  /// Records of logs; `nil` for no limit.
  package var maxRecords: Int64?
  /// Percent of `maxBytes` that are for crashes and the records around them.
  package var crashPercent: Int = 25
  /// Nanoseconds before a crash whose records are kept as long as the crash.
  package var crashContextBefore: Int64 = 60_000_000_000
  /// Nanoseconds after it, likewise.
  package var crashContextAfter: Int64 = 5_000_000_000

  package init() {}
}
