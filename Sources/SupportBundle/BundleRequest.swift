// SPDX-License-Identifier: Apache-2.0

package import LogModel
package import LogQuery
package import Redaction

/// What a bundle shall hold, and where it goes.
package struct BundleRequest {
  package enum Output {
    /// A path; a file there is replaced when the bundle is complete.
    case file(String)
    /// Standard output.
    case sink(any OutputSink)
  }

  /// Whether a bundle holds its records a second time, as a database.
  package enum DatabaseChoice: String, CaseIterable, Sendable {
    case always
    /// Unless it needs more than `SupportBundle.databaseRoom` or room that records need.
    case auto
    case never
  }

  /// The store's file.
  package var storePath: String
  /// The records and crashes to take.
  package var selection: BundleSelection
  package var output: Output
  /// The most bytes that the bundle may have: then older records and large reports are left out.
  package var maxBytes: Int64?
  package var database = DatabaseChoice.auto
  package var toolVersion: String
  /// What is masked; `nil` for a bundle that is not redacted.
  package var redaction: RedactionRules? = RedactionRules()
  /// Takes the value of each mark, to be kept on this machine; `nil` for none.
  package var marks: MarkBook?
  /// Whether reports that are no text, which no rule can read, are part of it all the same.
  package var includesDumps = false
  /// The host's name, for the manifest; empty for none.
  package var host = ""
  /// The configuration's text, for `config.toml`; `nil` for none.
  package var configuration: [UInt8]?
  /// Where temporary files go when the output is no file in a folder.
  package var temporaryFolder = "/tmp"
  /// Is told how far it is, now and then.
  package var progress: (BundleProgress) -> Void = { _ in }
  /// Asked now and then: whether the person wants it to end.
  package var shouldStop: () -> Bool = { false }

  /// - Parameters:
  ///   - storePath: the store's file.
  ///   - since: the beginning of the range; `nil` for the oldest.
  ///   - output: where the bundle goes.
  ///   - toolVersion: the program's, for the manifest.
  package init(storePath: String, since: Timestamp?, output: Output, toolVersion: String) {
    self.storePath = storePath
    selection = BundleSelection(since: since)
    self.output = output
    self.toolVersion = toolVersion
  }
}

/// How far a bundle is.
package struct BundleProgress: Sendable {
  package enum Step: String, Sendable {
    /// Rows are copied out of the store, and masked.
    case copying
    /// The archive is written.
    case writing
    /// The archive is looked through.
    case checking
  }

  package var step: Step
  /// Rows that are done.
  package var rows: Int64
  /// Rows that there are.
  package var totalRows: Int64
  /// Of the archive, written or read.
  package var bytes: Int64
}

/// What became of a request.
package struct BundleSummary: Sendable {
  package var records: Int64 = 0
  package var crashes: Int64 = 0
  /// Records of the range that `maxBytes` had no room for.
  package var recordsLeftOut: Int64 = 0
  /// Crash reports that are not in it, for whatever reason.
  package var reportsLeftOut: Int64 = 0
  /// The size of the bundle.
  package var bytes: Int64 = 0
  /// The last row that the store had.
  package var lastRecord: Int64 = 0
  /// How often each rule hit, and where.
  package var redactions: [Redactor.Count] = []
}

/// A bundle that could not be made; nothing is left of it.
package struct BundleError: Error, CustomStringConvertible, Sendable {
  package enum Kind: Sendable {
    /// The place does not take a file.
    case cannotCreate
    /// Writing failed.
    case inputOutput
    /// `maxBytes` is too small even for an empty bundle.
    case tooSmall
    case interrupted
    /// The finished bundle was looked through, and a rule found something.
    case unsafe
    /// What should be read is no bundle, is damaged, or is refused.
    case unreadable
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
