// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension SchemaVersion1 {
  /// What people ask: these names and columns stay.
  static let views = """
    -- The records with their texts. What costs time is only done where a frame needs it.
    CREATE VIEW record_text AS
    SELECT
      r.id, r.time, (SELECT o.time FROM observation o WHERE o.record <= r.id
        ORDER BY o.record DESC LIMIT 1) AS observed_time,
      r.severity, c.flags, r.file, r.byte_offset, r.byte_length, c.utc_offset, c.severity_text,
      c.process, r.pid, r.thread_id, c.scope, r.crash, r.context,
      CASE WHEN r.frame IS NULL THEN r.head WHEN fr.is_whole THEN NULL
        ELSE nullif(\(head), '') END AS head,
      \(body) AS body,
      CASE WHEN r.frame IS NULL THEN r.tail WHEN fr.is_whole THEN NULL
        ELSE nullif(\(tail), '') END AS tail,
      CASE WHEN fr.keys IS NULL THEN r.attributes ELSE (
        SELECT '{' || group_concat(json_quote(k.key) || ':' || CASE k.type
          WHEN 'array' THEN substr(k.value, 2, length(k.value) - 2)
          ELSE r.attributes -> k.value END, ',') || '}'
        FROM json_each(fr.keys) k) END AS attributes,
      CASE WHEN fr.is_whole THEN CAST(\(head) || \(body) || \(tail) AS BLOB)
        ELSE r.original END AS original,
      r.frame, r.attributes AS members
    FROM record r
    LEFT JOIN context c ON c.id = r.context
    LEFT JOIN frame fr ON fr.id = r.frame;

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
      \(attribute("service_name")) AS service_name,
      COALESCE(p.text, NULLIF(f.process, '')) AS process,
      r.pid AS pid,
      r.thread_id AS thread_id,
      \(attribute("thread_name")) AS thread_name,
      sc.text AS scope_name,
      \(attribute("code_file_path")) AS code_file_path,
      \(attribute("code_line_number")) AS code_line_number,
      \(attribute("code_function_name")) AS code_function_name,
      \(attribute("exception_type")) AS exception_type,
      \(attribute("exception_message")) AS exception_message,
      \(attribute("exception_stacktrace")) AS exception_stacktrace,
      \(attribute("trace_id")) AS trace_id,
      \(attribute("span_id")) AS span_id,
      f.path AS log_file_path,
      \(attribute("host_name")) AS host_name,
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
    FROM record_text r
    JOIN file f ON f.id = r.file
    LEFT JOIN frame fr ON fr.id = r.frame
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

  private static let head = frame("head", fields: true)
  private static let tail =
    "CASE WHEN fr.tail = '' THEN '' ELSE \(frame("tail", fields: false)) END"
  private static let body =
    "CASE WHEN r.body IS NULL THEN \(frame("body", fields: false)) ELSE r.body END"

  /// An attribute as a column: where the frame has the keys, by its place among the values, or
  /// the value that the frame has.
  private static func attribute(_ name: String) -> String {
    let key = attributeColumns.first { $0.name == name }?.key ?? name
    return "CASE WHEN substr(fr.\(name), 1, 1) = '[' THEN json_extract(fr.\(name), '$[0]') "
      + "ELSE json_extract(r.members, coalesce(fr.\(name), '$.\"\(key)\"')) END"
  }

  /// The text of a frame's `column` with the values of its record.
  ///
  /// - Parameter fields: whether it has places for the time, the process and the thread.
  private static func frame(_ column: String, fields: Bool) -> String {
    var text = "fr.\(column)"
    func put(_ value: String, at mark: UInt8) { text = "replace(\(text), char(\(mark)), \(value))" }
    if fields {
      let seconds = "r.time / 1000000000 - (r.time % 1000000000 < 0) + fr.shift"
      put("strftime('%H:%M:%S', \(seconds), 'unixepoch')", at: FrameMark.time)
      put("strftime('%Y-%m-%d', \(seconds), 'unixepoch')", at: FrameMark.date)
      let nanoseconds = "(r.time % 1000000000 + 1000000000) % 1000000000"
      put(
        "CASE WHEN fr.digits > 0 THEN substr(printf('%09d', \(nanoseconds)), 1, fr.digits) "
          + "ELSE '' END", at: FrameMark.fraction)
    }
    put("coalesce(r.pid, '')", at: FrameMark.pid)
    put("coalesce(r.thread_id, '')", at: FrameMark.thread)
    // A few branches by the number of values: those that a frame has not are not looked for.
    var branches = "CASE WHEN fr.places = 0 THEN \(text)"
    for index in 0..<FrameMark.valueCount {
      put("coalesce(trim(r.attributes -> \(index), '\"'), '')", at: FrameMark.value + UInt8(index))
      if [3, 7, 11].contains(index) { branches += " WHEN fr.places <= \(index + 1) THEN \(text)" }
    }
    return branches + " ELSE \(text) END"
  }
}
