// SPDX-License-Identifier: Apache-2.0

/// The store's first schema. Frozen once released: a later version is a migration of its own.
///
/// Tables are ours, views are the contract. Times are nanoseconds since 1970 UTC.
///
/// `context.flags` packs, from the lowest bit: `LineBreak` (3 bits), `TimeQuality` (3 bits), two
/// spare bits, then `RecordFlags`. `record.id` grows in order of storage and is never used twice.
package enum SchemaVersion1 {
  package static let sql = tables + "\n" + views

  /// Columns of the view `logs` that are attributes, with their keys.
  static let attributeColumns = [
    (name: "service_name", key: "service.name"), (name: "thread_name", key: "thread.name"),
    (name: "code_file_path", key: "code.file.path"),
    (name: "code_line_number", key: "code.line.number"),
    (name: "code_function_name", key: "code.function.name"),
    (name: "exception_type", key: "exception.type"),
    (name: "exception_message", key: "exception.message"),
    (name: "exception_stacktrace", key: "exception.stacktrace"),
    (name: "trace_id", key: "trace_id"), (name: "span_id", key: "span_id"),
    (name: "host_name", key: "host.name"),
  ]

  private static let tables = """
    CREATE TABLE meta (
      key TEXT PRIMARY KEY,
      value
    ) WITHOUT ROWID;

    -- Words that repeat: processes, loggers, the source's own words for severities.
    CREATE TABLE word (
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL UNIQUE
    );

    -- One life of a file, from creation to truncation or deletion.
    CREATE TABLE file (
      id INTEGER PRIMARY KEY,
      role INTEGER NOT NULL,           -- FileRole
      source TEXT NOT NULL,
      path TEXT NOT NULL,
      device INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      head_length INTEGER NOT NULL,
      head_hash INTEGER NOT NULL,
      state INTEGER NOT NULL,          -- FileState
      format TEXT NOT NULL,
      problem TEXT NOT NULL,
      process TEXT NOT NULL,
      first_seen INTEGER NOT NULL,
      "offset" INTEGER NOT NULL,       -- the checkpoint: first byte that is not stored
      open_offset INTEGER,             -- start of the last record while it may still grow
      open_record INTEGER,             -- and its row
      tail_hash INTEGER NOT NULL,
      tail_length INTEGER NOT NULL,
      size INTEGER NOT NULL,
      skipped_bytes INTEGER NOT NULL,
      pruned_bytes INTEGER NOT NULL DEFAULT 0,
      records INTEGER NOT NULL DEFAULT 0,      -- that are kept
      last_time INTEGER
    );

    -- Bytes that were written, and lost before they were read.
    CREATE TABLE gap (
      id INTEGER PRIMARY KEY,
      file INTEGER NOT NULL,
      from_offset INTEGER NOT NULL,
      to_offset INTEGER NOT NULL,
      reason TEXT NOT NULL,            -- GapReason
      observed_time INTEGER NOT NULL
    );

    CREATE UNIQUE INDEX gap_place ON gap (file, from_offset);

    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      severity INTEGER NOT NULL,
      file INTEGER NOT NULL,
      byte_offset INTEGER NOT NULL,
      byte_length INTEGER NOT NULL,
      context INTEGER NOT NULL,
      pid INTEGER,
      thread_id INTEGER,
      body TEXT,                       -- NULL where the frame has it
      attributes TEXT,                 -- a JSON object; an array of values with frame.keys
      frame INTEGER,                   -- has the text around the body, where there is none here
      head TEXT,                       -- the record's text before the body, as in the file
      tail TEXT,                       -- and after it
      original BLOB,                   -- the record's bytes where they are not head + body + tail
      crash INTEGER
    );

    -- What neighbours mostly say alike. A record needs a byte for all of it.
    CREATE TABLE context (
      id INTEGER PRIMARY KEY,
      flags INTEGER NOT NULL,
      utc_offset INTEGER,              -- minutes east of UTC, as written
      severity_text INTEGER,           -- word
      process INTEGER,                 -- word
      scope INTEGER                    -- word
    );

    CREATE INDEX context_words ON context (scope, process, severity_text);

    -- When records were read: those from one of these ids on, up to the next.
    CREATE TABLE observation (
      record INTEGER PRIMARY KEY,
      time INTEGER NOT NULL
    );

    -- What many records have in common: their texts, in which control characters stand for what a
    -- record's columns say (FrameTemplate), and the keys of their attributes. The view record_text
    -- puts them together.
    CREATE TABLE frame (
      id INTEGER PRIMARY KEY,
      hash INTEGER NOT NULL,
      head TEXT NOT NULL,
      tail TEXT NOT NULL,
      shift INTEGER NOT NULL,          -- seconds east of UTC of the times in the text
      digits INTEGER NOT NULL,         -- of the fraction of a second
      is_whole INTEGER NOT NULL,       -- head, body and tail make record.original
      body TEXT,                       -- where the body is made of values too
      keys TEXT,                       -- JSON: {"key":place in the array,"key":[its value]}
      places INTEGER NOT NULL,         -- the first values, of which some are in the texts
      -- Of the attributes that are columns of the view logs, where they are among keys: a JSON path
      -- into the array, or [its value].
      \(attributeColumns.map { "\($0.name) TEXT" }.joined(separator: ", "))
    );

    CREATE INDEX frame_hash ON frame (hash);

    -- Records that came, by minute; what is pruned stays counted.
    CREATE TABLE rollup (
      minute INTEGER NOT NULL,         -- since 1970
      source INTEGER NOT NULL,         -- word
      severity INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (minute, source, severity)
    ) WITHOUT ROWID;

    -- For each block of 4,096 ids, which runs of five bytes its texts have (GramHash). Blocks
    -- without a row are looked through.
    CREATE TABLE gram_filter (
      block INTEGER PRIMARY KEY,
      bits BLOB NOT NULL
    );

    CREATE INDEX record_time ON record (time);
    CREATE INDEX record_severe ON record (time) WHERE severity >= 17;

    CREATE TABLE crash (
      id INTEGER PRIMARY KEY,
      file INTEGER NOT NULL,
      byte_offset INTEGER NOT NULL,
      time INTEGER NOT NULL,           -- by the report, else when the file was written
      time_from_report INTEGER NOT NULL,
      observed_time INTEGER NOT NULL,
      process TEXT,
      pid INTEGER,
      executable_path TEXT,
      bundle_identifier TEXT,
      version TEXT,
      build TEXT,
      os_name TEXT,
      os_version TEXT,
      device TEXT,
      architecture TEXT,
      kind TEXT NOT NULL,              -- CrashKind
      signal TEXT,
      signal_code TEXT,
      fault_address INTEGER,
      exception_type TEXT,
      reason TEXT,
      thread INTEGER,
      thread_name TEXT,
      fingerprint TEXT NOT NULL,
      top_frame TEXT,
      frames TEXT NOT NULL,            -- JSON array: address, image, symbol, offset, file, line
      flags INTEGER NOT NULL,          -- CrashReportFlags
      note TEXT,
      format TEXT NOT NULL,
      report_id TEXT,
      path TEXT NOT NULL,
      size INTEGER NOT NULL,
      sha256 TEXT,                     -- of the report; none when only log lines tell of it
      latest INTEGER,                  -- where the time is not exact: it lies between time and this
      names TEXT NOT NULL DEFAULT '',  -- all names of the process, one a line
      rank INTEGER NOT NULL DEFAULT 0,         -- of the evidence that the row is made from
      reason_rank INTEGER NOT NULL DEFAULT 0,  -- of the evidence that the reason is from
      record INTEGER,                  -- the record that stands for it in the logs
      has_report INTEGER NOT NULL DEFAULT 0
    );

    CREATE INDEX crash_time ON crash (time);
    CREATE INDEX crash_pid ON crash (pid, time) WHERE pid IS NOT NULL;
    CREATE INDEX crash_without_pid ON crash (time) WHERE pid IS NULL;
    CREATE INDEX crash_inexact ON crash (latest) WHERE latest IS NOT NULL;
    CREATE INDEX crash_fingerprint ON crash (fingerprint, time, version);
    CREATE INDEX crash_kept ON crash (fingerprint, time) WHERE has_report;

    -- The bytes of the report that a crash is made from, deflated (zlib format).
    CREATE TABLE crash_report (
      crash INTEGER PRIMARY KEY,
      content BLOB NOT NULL
    );

    -- What tells of a crash: reports, and records of logs.
    CREATE TABLE crash_evidence (
      id INTEGER PRIMARY KEY,
      crash INTEGER NOT NULL,
      file INTEGER NOT NULL,
      byte_offset INTEGER NOT NULL,
      record INTEGER,                  -- for one out of a log
      time INTEGER NOT NULL,
      format TEXT NOT NULL,
      path TEXT NOT NULL,
      size INTEGER NOT NULL,
      sha256 TEXT,
      report_id TEXT,
      flags INTEGER NOT NULL,          -- CrashReportFlags
      note TEXT                        -- in one line, what it says
    );

    CREATE INDEX crash_evidence_crash ON crash_evidence (crash);
    CREATE UNIQUE INDEX crash_evidence_content ON crash_evidence (sha256) WHERE sha256 NOT NULL;
    CREATE UNIQUE INDEX crash_evidence_record ON crash_evidence (record) WHERE record NOT NULL;
    CREATE INDEX crash_evidence_report_id ON crash_evidence (report_id)
      WHERE report_id IS NOT NULL;

    -- Crashes that were deleted for their quota, by fingerprint.
    CREATE TABLE crash_pruned (
      fingerprint TEXT PRIMARY KEY,
      crashes INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL
    ) WITHOUT ROWID;

    -- The bytes of further reports of a crash, as in crash_report.
    CREATE TABLE evidence_report (
      evidence INTEGER PRIMARY KEY,
      content BLOB NOT NULL
    );

    -- Crashes that somebody has taken note of.
    CREATE TABLE crash_acknowledged (
      crash INTEGER PRIMARY KEY,
      time INTEGER NOT NULL
    );

    -- Runs of processes: those of 'logagent exec', and what crashes tell of others.
    CREATE TABLE run (
      id INTEGER PRIMARY KEY,
      process TEXT NOT NULL,
      program TEXT,                    -- the name of the executable
      pid INTEGER,
      start INTEGER,
      "end" INTEGER,
      outcome TEXT NOT NULL,           -- RunOutcome
      exit_status INTEGER,
      signal TEXT,
      core_dumped INTEGER,
      crash INTEGER,
      last_words TEXT,
      command TEXT
    );

    CREATE INDEX run_process ON run (process, "end");
    CREATE INDEX run_started ON run (process, start) WHERE start IS NOT NULL;
    CREATE INDEX run_pid ON run (pid, start) WHERE start IS NOT NULL;
    CREATE INDEX run_crash ON run (crash) WHERE crash IS NOT NULL;
    """
}
