// SPDX-License-Identifier: Apache-2.0

internal import LogModel
package import SQLite

/// Puts the text around bodies together faster than the store's own views can in SQL, which any
/// client of SQLite understands: some ten times.
package enum FrameText {
  /// What the store's view `logs` makes a record's text of; it is asked for when texts are searched,
  /// and so is put together by one call.
  private static let entire = """
    COALESCE(CAST(r.original AS TEXT),
        COALESCE(r.head, '') || r.body || COALESCE(r.tail, ''))
    """

  /// Makes the views `record_text` and `logs` of this connection use it. They are temporary, and
  /// give what those of the store give; a store without frames stays as it is.
  ///
  /// - Throws: `SQLiteError`.
  package static func install(on connection: Connection) throws(SQLiteError) {
    // SQLite looks through these texts in a hundredth of the time that Swift's String takes, and every
    // question would wait for that.
    let select = try connection.prepare(
      """
      SELECT replace(substr(logs.sql, length(?1) + 1), ?2, 'r.entire')
      FROM sqlite_schema AS logs, sqlite_schema AS texts
      WHERE logs.name = 'logs' AND substr(logs.sql, 1, length(?1)) = ?1
        AND texts.name = 'record_text' AND instr(texts.sql, 'members')
      """)
    select.bind(1, "CREATE VIEW logs AS")
    select.bind(2, entire)
    guard try select.step() else { return }
    let logs = select.text(0)
    select.reset()
    let reader = FrameReader(connection)
    let answer = FrameAnswer()
    // frame_text(part, frame, attributes, time, pid, thread, body): NULL for an empty text.
    try connection.define("frame_text", argumentCount: 7) { call in
      guard let part = FramePart(rawValue: call.integer(0)) else { return call.answerNull() }
      answer.text.removeAll(keepingCapacity: true)
      let isKnown = call.withText(2) { attributes in
        call.withText(6) { body in
          guard
            reader.begin(
              call.integer(1), attributes: attributes, time: call.integer(3),
              pid: call.isNull(4) ? nil : call.integer(4),
              thread: call.isNull(5) ? nil : call.integer(5), body: body)
          else { return false }
          reader.append(part, to: &answer.text)
          return true
        }
      }
      guard isKnown else {
        return call.fail(FrameReader.unknown(call.integer(1)))
      }
      if answer.text.isEmpty { return call.answerNull() }
      answer.text.withUnsafeBufferPointer { call.answer(text: $0) }
    }
    func text(_ part: FramePart) -> String {
      "frame_text(\(part.rawValue), r.frame, r.attributes, r.time, r.pid, r.thread_id, r.body)"
    }
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      CREATE TEMP VIEW record_text AS
      SELECT
        r.id, r.time, (SELECT o.time FROM main.observation o WHERE o.record <= r.id
          ORDER BY o.record DESC LIMIT 1) AS observed_time,
        r.severity, c.flags, r.file, r.byte_offset, r.byte_length, c.utc_offset, c.severity_text,
        c.process, r.pid, r.thread_id, c.scope, r.crash, r.context,
        CASE WHEN r.frame IS NULL THEN r.head ELSE \(text(.head)) END AS head,
        CASE WHEN r.body IS NULL THEN \(text(.body)) ELSE r.body END AS body,
        CASE WHEN r.frame IS NULL THEN r.tail ELSE \(text(.tail)) END AS tail,
        CASE WHEN r.frame IS NULL THEN r.attributes ELSE \(text(.attributes)) END AS attributes,
        CASE WHEN r.frame IS NULL THEN r.original ELSE CAST(\(text(.whole)) AS BLOB) END AS original,
        CASE WHEN r.frame IS NULL THEN \(entire) ELSE \(text(.entire)) END AS entire,
        r.frame, r.attributes AS members
      FROM main.record r LEFT JOIN main.context c ON c.id = r.context;
      CREATE TEMP VIEW logs AS\(logs)
      """)
  }
}

/// What `frame_text` answers, in memory that it uses again and again. A connection is one thread's.
private final class FrameAnswer {
  @exclusivity(unchecked) var text: [UInt8] = []
}
