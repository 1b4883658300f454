// SPDX-License-Identifier: Apache-2.0

/// `README.txt`: for the person who opens a bundle without knowing logagent.
enum BundleReadme {
  static let text = """
    This is a support bundle of logagent: log records and crash reports of one host and one range
    of time, as manifest.json says.

    IT IS NOT REDACTED. It may hold personal data, tokens and passwords that programs have logged.

    manifest.json           what is in it, what was left out and why, sizes and SHA-256
    logs.jsonl              one record a line, by time, with the field names of OpenTelemetry's
                            Logs Data Model; nanoseconds since 1970 are strings
    logs.db                 the same records and the crashes as a SQLite database, unless
                            manifest.json says that there was no room for it; the views logs,
                            crashes, files and sources are the way in:
                              sqlite3 logs.db "SELECT time, severity, process, body FROM logs"
                              logagent show --database logs.db --severity warn
    crashes/ID/crash.json   a crash as it was read from its report
    crashes/ID/report       the report itself, byte by byte as it was

    Times are UTC. A range includes both of its ends.

    """
}
