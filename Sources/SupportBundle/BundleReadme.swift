// SPDX-License-Identifier: Apache-2.0

/// `README.txt`: for the person who opens a bundle without knowing logagent.
enum BundleReadme {
  static func text(isRedacted: Bool) -> String {
    """
    This is a support bundle of logagent: log records and crash reports of one host and one range
    of time, as manifest.json says. Open report.html in a browser first.

    \(isRedacted ? redacted : unredacted)

    report.html             the crashes and the merged log, to look at; it loads nothing from anywhere
    manifest.json           what is in it, what was left out and why, sizes and SHA-256
    SHA256SUMS              for sha256sum -c; logagent verify checks it all
    logs.jsonl              one record a line, by time, with the field names of OpenTelemetry's
                            Logs Data Model; nanoseconds since 1970 are strings
    logs.db                 the same records and the crashes as a SQLite database, unless
                            manifest.json says that there was no room for it; the views logs,
                            crashes, files and sources are the way in:
                              sqlite3 logs.db "SELECT time, severity, process, body FROM logs"
                              logagent show --database logs.db --severity warn
    crashes/ID/crash.json   a crash as it was read from its report
    crashes/ID/report       the report itself
    redactions.json         how often each rule of redaction hit, by file and field
    status.json             the files and sources that the records come from
    config.toml             the agent's configuration, when there was a file

    Times are UTC. A range includes both of its ends.

    """
  }

  private static let redacted = """
    It is redacted: secrets and personal data that the rules know are marks such as <secret:1> and
    <email:2>. The same value has the same mark everywhere in this bundle. No rule knows everything:
    look at it before it goes to strangers.
    """

  private static let unredacted = """
    IT IS NOT REDACTED. It may hold personal data, tokens and passwords that programs have logged.
    """
}
