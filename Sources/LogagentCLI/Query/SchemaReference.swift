// SPDX-License-Identifier: Apache-2.0

/// What can be asked: the views of a store with their columns, each with its meaning.
package struct ViewReference: Sendable {
  package struct Column: Sendable {
    package var name: String
    /// Without a full stop; units and ranges where there are some.
    package var meaning: String
  }

  package var name: String
  package var summary: String
  package var columns: [Column]

  private init(_ name: String, _ summary: String, _ columns: [(String, String)]) {
    self.name = name
    self.summary = summary
    self.columns = columns.map { Column(name: $0.0, meaning: $0.1) }
  }

  /// All views, in the order of the documentation.
  package static let all = [logs, crashes, evidences, runs, sources, files, gaps, histogram]

  private static let nano = "nanoseconds since 1970 UTC"

  static let logs = ViewReference(
    "logs", "Every record of every log, and one for each crash",
    [
      ("id", "number of the row; grows in the order of storage"),
      ("time", "when it happened, as ISO 8601 in UTC with nanoseconds"),
      ("time_unix_nano", "the same in \(nano)"),
      ("observed_time_unix_nano", "when it was read, in \(nano)"),
      ("severity", "trace, debug, info, warn, error or fatal"),
      ("severity_number", "1 to 24 by OpenTelemetry, 17 and up are errors; 0 for none"),
      ("severity_text", "the severity as the source wrote it"),
      ("body", "the message"),
      ("source", "the name of the [[source]], or of the file"),
      ("service_name", "the attribute service.name"),
      ("process", "the process that wrote it"),
      ("pid", "its number"),
      ("thread_id", "number of the thread"),
      ("thread_name", "the attribute thread.name"),
      ("scope_name", "the logger"),
      ("code_file_path", "the source file that logged it"),
      ("code_line_number", "the line there"),
      ("code_function_name", "the function there"),
      ("exception_type", "of an exception that was logged"),
      ("exception_message", "its message"),
      ("exception_stacktrace", "its stack"),
      ("trace_id", "of the trace that it belongs to"),
      ("span_id", "of the span"),
      ("log_file_path", "the file that it was read from"),
      ("host_name", "the attribute host.name"),
      ("attributes", "all attributes, a JSON object: attributes ->> '$.\"url.path\"'"),
      ("crash_id", "crashes.id, where the record tells of a crash"),
      ("file_generation", "files.file_generation: one life of the file"),
      ("byte_offset", "where the record begins in the file"),
      ("byte_length", "its length there, line ends included"),
      ("line_break", "how its last line ended: newline, eof, rotated, truncated, length_limit"),
      (
        "time_quality",
        "zoned, assumed_zone, inferred_year, inherited (from the record before) or observed"
      ),
      ("utc_offset_minutes", "minutes east of UTC, as written"),
      ("record_flags", "bits: what was repaired or cut"),
      ("original", "the whole text as it stands in the file"),
    ])

  static let crashes = ViewReference(
    "crashes", "One row for each crash, whatever tells of it",
    [
      ("id", "number of the crash"), ("time", "when it crashed, as ISO 8601 in UTC"),
      ("time_unix_nano", "the same in \(nano)"),
      ("observed_time_unix_nano", "when the report was read, in \(nano)"),
      ("time_from_report", "1 when the report says the time; else it is the file's"),
      ("source", "the spool or source of the report"), ("process", "what crashed"),
      ("pid", "its number"), ("bundle_identifier", "of an app"),
      ("service_version", "the version of the program"), ("service_build", "its build"),
      ("os_name", "the operating system"), ("os_version", "its version"),
      ("device", "the model of the device"), ("architecture", "of the processor"),
      (
        "kind",
        "signal, exception, assertion, sanitizer, out-of-memory, hang, panic or exit"
      ),
      ("signal", "such as SIGSEGV"), ("signal_code", "such as SEGV_MAPERR"),
      ("fault_address", "the address that was touched"),
      ("exception_type", "such as NSRangeException or EXC_BAD_ACCESS"),
      ("reason", "why, in words"), ("fingerprint", "the same for crashes at the same place"),
      ("occurrences", "how many crashes have this fingerprint"),
      ("first_seen", "the first of them"), ("last_seen", "the last of them"),
      ("versions", "the versions that they happened in"),
      ("top_frame", "the innermost frame of the program itself"),
      ("crashed_thread", "index of the thread"), ("crashed_thread_name", "its name"),
      ("frames", "the stack, a JSON array, innermost first"),
      ("report_format", "what kind of report it is"), ("report_id", "the report's own id"),
      ("report_path", "where it lay"), ("report_size", "in bytes"),
      ("report_sha256", "of its bytes"), ("report_flags", "bits: what the report lacks"),
      ("note", "what to know of the report"),
      ("file_generation", "files.file_generation of the report"),
      ("byte_offset", "where it begins there"),
      ("evidence", "how many reports and records tell of the crash"),
      ("acknowledged", "1 when somebody has taken note of it"),
    ])

  static let evidences = ViewReference(
    "crash_evidences", "What tells of a crash: reports, and records of logs",
    [
      ("id", "number of the row"), ("crash_id", "crashes.id"),
      ("time", "as ISO 8601 in UTC"), ("time_unix_nano", "the same in \(nano)"),
      ("format", "the report's kind; log for a record"), ("path", "the file"),
      ("file_generation", "files.file_generation"), ("byte_offset", "where it begins there"),
      ("log_id", "logs.id, for a record"), ("size", "in bytes"), ("sha256", "of its bytes"),
      ("report_id", "the report's own id"), ("note", "what it says, in one line"),
    ])

  static let runs = ViewReference(
    "runs", "Runs of programs: those of 'logagent exec', and those that crashes tell of",
    [
      ("id", "number of the run"), ("process", "what it is called"), ("pid", "its number"),
      ("program", "the name of the executable"), ("start", "as ISO 8601 in UTC"),
      ("end", "as ISO 8601 in UTC; a word of SQL, so write it in double quotes"),
      ("start_unix_nano", "the same in \(nano)"), ("end_unix_nano", "the same in \(nano)"),
      ("outcome", "clean, exit, crash, killed, out-of-memory or unknown"),
      ("exit_status", "0 to 255"), ("signal", "what ended it"),
      ("core_dumped", "1 when it left a core"), ("crash_id", "crashes.id"),
      ("last_words", "the end of its standard error"), ("command", "how it was started"),
    ])

  static let sources = ViewReference(
    "sources", "One row for each source, with how far it is read",
    [
      ("source", "its name"), ("generations", "how many files it has had"),
      ("active", "how many of them are followed now"),
      ("stored_bytes", "bytes of them that are stored"),
      ("records", "records that are kept"),
      ("kept_bytes", "bytes of files whose records are kept"),
      ("bytes_behind", "bytes that lie there and are not stored yet"),
      ("problems", "files that something is wrong with"),
      ("last_time_unix_nano", "the newest record's time, in \(nano)"),
    ])

  static let files = ViewReference(
    "files", "Every life of every file, from creation to truncation or deletion",
    [
      ("file_generation", "number of this life"), ("role", "log or report"),
      ("source", "the name of its source"), ("path", "where it lies, or lay last"),
      ("format", "what it was taken for"),
      ("state", "active, rotated, truncated, gone or refused"),
      ("problem", "what is wrong with it"), ("stored_bytes", "how far it is stored"),
      ("size_bytes", "its size at the last look"),
      ("bytes_behind", "what is not stored yet"),
      ("skipped_bytes", "bytes passed over: blank lines, holes"),
      ("pruned_bytes", "bytes whose records the quota has taken"),
      ("records", "records that are kept"),
      ("first_seen_unix_nano", "in \(nano)"),
      ("last_time_unix_nano", "the newest record's time, in \(nano)"),
    ])

  static let gaps = ViewReference(
    "gaps", "Bytes that were written, and lost before they could be read",
    [
      ("id", "number of the row"), ("source", "the name of the source"),
      ("log_file_path", "the file"), ("file_generation", "files.file_generation"),
      ("from_offset", "the first byte that is missing"), ("to_offset", "the first after it"),
      ("bytes", "how many are missing"), ("reason", "why"),
      ("observed_time_unix_nano", "when that was found, in \(nano)"),
    ])

  static let histogram = ViewReference(
    "histogram",
    "Records by minute, pruned ones too; old minutes may become hours",
    [
      ("time", "the minute, in UTC"), ("time_unix_nano", "its beginning, in \(nano)"),
      ("source", "the name of the source"), ("severity", "as in logs"),
      ("severity_number", "as in logs"), ("records", "how many"),
    ])
}
