// SPDX-License-Identifier: Apache-2.0

/// The store's first schema. Frozen once released: a later version is a migration of its own.
///
/// Tables are ours, views are the contract. Times are nanoseconds since 1970 UTC.
///
/// `record.flags` packs, from the lowest bit: `LineBreak` (3 bits), `TimeQuality` (3 bits), two
/// spare bits, then `RecordFlags`. `record.id` grows in order of storage and is never used twice.
package enum SchemaVersion1 {
  package static let sql = """
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
      observed_time INTEGER NOT NULL,
      severity INTEGER NOT NULL,
      flags INTEGER NOT NULL,
      file INTEGER NOT NULL,
      byte_offset INTEGER NOT NULL,
      byte_length INTEGER NOT NULL,
      utc_offset INTEGER,              -- minutes east of UTC, as written
      severity_text INTEGER,           -- word
      process INTEGER,                 -- word
      pid INTEGER,
      thread_id INTEGER,
      scope INTEGER,                   -- word
      crash INTEGER,
      head TEXT,                       -- the record's text before the body, as in the file
      body TEXT NOT NULL,
      tail TEXT,                       -- and after it
      attributes TEXT,                 -- a JSON object
      original BLOB                    -- the record's bytes where they are not head + body + tail
    );

    -- Records that came, by minute; what is pruned stays counted.
    CREATE TABLE rollup (
      minute INTEGER NOT NULL,         -- since 1970
      source INTEGER NOT NULL,         -- word
      severity INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (minute, source, severity)
    ) WITHOUT ROWID;

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

    CREATE VIEW logs AS
    SELECT
      r.id AS id,
      strftime('%Y-%m-%dT%H:%M:%S', r.time / 1000000000
        - (r.time % 1000000000 < 0), 'unixepoch')
        || printf('.%09dZ', (r.time % 1000000000 + 1000000000) % 1000000000) AS time,
      r.time AS time_unix_nano,
      r.observed_time AS observed_time_unix_nano,
      CASE WHEN r.severity = 0 THEN NULL ELSE
        substr('tracedebuginfo warn errorfatal', (r.severity - 1) / 4 * 5 + 1,
          CASE (r.severity - 1) / 4 WHEN 2 THEN 4 WHEN 3 THEN 4 ELSE 5 END) END AS severity,
      r.severity AS severity_number,
      st.text AS severity_text,
      r.body AS body,
      f.source AS source,
      json_extract(r.attributes, '$."service.name"') AS service_name,
      COALESCE(p.text, NULLIF(f.process, '')) AS process,
      r.pid AS pid,
      r.thread_id AS thread_id,
      json_extract(r.attributes, '$."thread.name"') AS thread_name,
      sc.text AS scope_name,
      json_extract(r.attributes, '$."code.file.path"') AS code_file_path,
      json_extract(r.attributes, '$."code.line.number"') AS code_line_number,
      json_extract(r.attributes, '$."code.function.name"') AS code_function_name,
      json_extract(r.attributes, '$."exception.type"') AS exception_type,
      json_extract(r.attributes, '$."exception.message"') AS exception_message,
      json_extract(r.attributes, '$."exception.stacktrace"') AS exception_stacktrace,
      json_extract(r.attributes, '$.trace_id') AS trace_id,
      json_extract(r.attributes, '$.span_id') AS span_id,
      f.path AS log_file_path,
      json_extract(r.attributes, '$."host.name"') AS host_name,
      r.attributes AS attributes,
      r.crash AS crash_id,
      r.file AS file_generation,
      r.byte_offset AS byte_offset,
      r.byte_length AS byte_length,
      CASE r.flags & 7 WHEN 0 THEN 'newline' WHEN 1 THEN 'eof' WHEN 2 THEN 'rotated'
        WHEN 3 THEN 'truncated' ELSE 'length_limit' END AS line_break,
      CASE r.flags >> 3 & 7 WHEN 0 THEN 'zoned' WHEN 1 THEN 'assumed_zone'
        WHEN 2 THEN 'inferred_year' WHEN 3 THEN 'inherited' ELSE 'observed' END AS time_quality,
      r.utc_offset AS utc_offset_minutes,
      r.flags >> 8 AS record_flags,
      COALESCE(CAST(r.original AS TEXT),
        COALESCE(r.head, '') || r.body || COALESCE(r.tail, '')) AS original
    FROM record r
    JOIN file f ON f.id = r.file
    LEFT JOIN word st ON st.id = r.severity_text
    LEFT JOIN word p ON p.id = r.process
    LEFT JOIN word sc ON sc.id = r.scope;

    CREATE VIEW crashes AS
    SELECT
      c.id AS id,
      strftime('%Y-%m-%dT%H:%M:%S', c.time / 1000000000
        - (c.time % 1000000000 < 0), 'unixepoch')
        || printf('.%09dZ', (c.time % 1000000000 + 1000000000) % 1000000000) AS time,
      c.time AS time_unix_nano,
      c.observed_time AS observed_time_unix_nano,
      c.time_from_report AS time_from_report,
      f.source AS source,
      c.process AS process,
      c.pid AS pid,
      c.bundle_identifier AS bundle_identifier,
      c.version AS service_version,
      c.build AS service_build,
      c.os_name AS os_name,
      c.os_version AS os_version,
      c.device AS device,
      c.architecture AS architecture,
      c.kind AS kind,
      c.signal AS signal,
      c.signal_code AS signal_code,
      c.fault_address AS fault_address,
      c.exception_type AS exception_type,
      c.reason AS reason,
      c.fingerprint AS fingerprint,
      g.occurrences AS occurrences,
      strftime('%Y-%m-%dT%H:%M:%S', g.first_seen / 1000000000
        - (g.first_seen % 1000000000 < 0), 'unixepoch')
        || printf('.%09dZ', (g.first_seen % 1000000000 + 1000000000) % 1000000000) AS first_seen,
      strftime('%Y-%m-%dT%H:%M:%S', g.last_seen / 1000000000
        - (g.last_seen % 1000000000 < 0), 'unixepoch')
        || printf('.%09dZ', (g.last_seen % 1000000000 + 1000000000) % 1000000000) AS last_seen,
      g.versions AS versions,
      c.top_frame AS top_frame,
      c.thread AS crashed_thread,
      c.thread_name AS crashed_thread_name,
      c.frames AS frames,
      c.format AS report_format,
      c.report_id AS report_id,
      c.path AS report_path,
      c.size AS report_size,
      c.sha256 AS report_sha256,
      c.flags AS report_flags,
      c.note AS note,
      c.file AS file_generation,
      c.byte_offset AS byte_offset,
      (SELECT count(*) FROM crash_evidence e WHERE e.crash = c.id) AS evidence,
      c.id IN (SELECT crash FROM crash_acknowledged) AS acknowledged
    FROM crash c
    JOIN file f ON f.id = c.file
    JOIN (
      SELECT k.fingerprint, k.crashes + coalesce(p.crashes, 0) AS occurrences,
        min(k.first_seen, coalesce(p.first_seen, k.first_seen)) AS first_seen,
        max(k.last_seen, coalesce(p.last_seen, k.last_seen)) AS last_seen, k.versions
      FROM (
        SELECT fingerprint, count(*) AS crashes, min(time) AS first_seen, max(time) AS last_seen,
          group_concat(DISTINCT version) AS versions
        FROM crash GROUP BY fingerprint
      ) k
      LEFT JOIN crash_pruned p ON p.fingerprint = k.fingerprint
    ) g ON g.fingerprint = c.fingerprint;

    CREATE VIEW crash_evidences AS
    SELECT
      e.id AS id,
      e.crash AS crash_id,
      strftime('%Y-%m-%dT%H:%M:%S', e.time / 1000000000
        - (e.time % 1000000000 < 0), 'unixepoch')
        || printf('.%09dZ', (e.time % 1000000000 + 1000000000) % 1000000000) AS time,
      e.time AS time_unix_nano,
      e.format AS format,
      e.path AS path,
      e.file AS file_generation,
      e.byte_offset AS byte_offset,
      e.record AS log_id,
      e.size AS size,
      e.sha256 AS sha256,
      e.report_id AS report_id,
      e.note AS note
    FROM crash_evidence e;

    CREATE VIEW runs AS
    SELECT
      id,
      process,
      pid,
      program,
      strftime('%Y-%m-%dT%H:%M:%S', start / 1000000000, 'unixepoch')
        || printf('.%09dZ', start % 1000000000) AS start,
      strftime('%Y-%m-%dT%H:%M:%S', "end" / 1000000000, 'unixepoch')
        || printf('.%09dZ', "end" % 1000000000) AS "end",
      start AS start_unix_nano,
      "end" AS end_unix_nano,
      outcome,
      exit_status,
      signal,
      core_dumped,
      crash AS crash_id,
      last_words,
      command
    FROM run;

    CREATE VIEW files AS
    SELECT
      id AS file_generation,
      CASE role WHEN 0 THEN 'log' ELSE 'report' END AS role,
      source,
      path,
      format,
      CASE state WHEN 0 THEN 'active' WHEN 1 THEN 'rotated' WHEN 2 THEN 'truncated'
        WHEN 3 THEN 'gone' ELSE 'refused' END AS state,
      NULLIF(problem, '') AS problem,
      "offset" AS stored_bytes,
      size AS size_bytes,
      max(0, size - "offset") AS bytes_behind,
      skipped_bytes,
      pruned_bytes,
      records,
      first_seen AS first_seen_unix_nano,
      last_time AS last_time_unix_nano
    FROM file;

    CREATE VIEW gaps AS
    SELECT
      g.id AS id,
      f.source AS source,
      f.path AS log_file_path,
      g.file AS file_generation,
      g.from_offset AS from_offset,
      g.to_offset AS to_offset,
      g.to_offset - g.from_offset AS bytes,
      g.reason AS reason,
      g.observed_time AS observed_time_unix_nano
    FROM gap g
    JOIN file f ON f.id = g.file;

    CREATE VIEW histogram AS
    SELECT
      strftime('%Y-%m-%dT%H:%MZ', r.minute * 60, 'unixepoch') AS time,
      r.minute * 60000000000 AS time_unix_nano,
      w.text AS source,
      CASE WHEN r.severity = 0 THEN NULL ELSE
        substr('tracedebuginfo warn errorfatal', (r.severity - 1) / 4 * 5 + 1,
          CASE (r.severity - 1) / 4 WHEN 2 THEN 4 WHEN 3 THEN 4 ELSE 5 END) END AS severity,
      r.severity AS severity_number,
      r.records AS records
    FROM rollup r
    JOIN word w ON w.id = r.source;

    CREATE VIEW sources AS
    SELECT
      source,
      count(*) AS generations,
      sum(state = 0) AS active,
      sum("offset") AS stored_bytes,
      sum(records) AS records,
      sum("offset" - skipped_bytes - pruned_bytes) AS kept_bytes,
      sum(CASE WHEN state < 2 THEN max(0, size - "offset") ELSE 0 END) AS bytes_behind,
      sum(problem <> '') AS problems,
      max(last_time) AS last_time_unix_nano
    FROM file
    GROUP BY source;
    """
}
