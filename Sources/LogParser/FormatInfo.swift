// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What people are told of a format.
package struct FormatInfo: Sendable {
  /// Stable, lower case with dashes: it is stored.
  package let name: String
  /// The kind of program that writes it, such as `swift`, `web-server`.
  package let family: String
  package let summary: String
  /// One line as the format writes it.
  package let example: String
}

/// A record as a format writes it, and what is to be read from it. The tests read every sample.
package struct FormatSample: Sendable {
  /// The record: its lines joined by newlines.
  package var text: String
  /// RFC 3339 in UTC; `nil` when the text has no time of its own.
  package var time: String?
  /// Minutes east of UTC as written.
  package var offset: Int?
  /// An OpenTelemetry number; 0 for none.
  package var severity: Int
  package var severityText: String
  package var process: String
  package var pid: Int64
  package var thread: Int64
  package var scope: String
  package var body: String
  /// A JSON object, compared by value.
  package var attributes: String
  /// The name of the file, where the format reads it.
  package var fileName: String
  /// Seconds since 1970 of the file's last change, for times without date or year.
  package var modified: Int64

  init(
    _ text: String, time: String? = nil, offset: Int? = nil, severity: Int = 0,
    severityText: String = "", process: String = "", pid: Int64 = -1, thread: Int64 = -1,
    scope: String = "", body: String, attributes: String = "{}", fileName: String = "sample.log",
    modified: Int64 = 1_796_000_000
  ) {
    self.text = text
    self.time = time
    self.offset = offset
    self.severity = severity
    self.severityText = severityText
    self.process = process
    self.pid = pid
    self.thread = thread
    self.scope = scope
    self.body = body
    self.attributes = attributes
    self.fileName = fileName
    self.modified = modified
  }
}
