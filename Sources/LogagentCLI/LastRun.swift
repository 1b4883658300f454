// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import LogQuery
internal import Pipeline
internal import SQLite

/// How a program's last run ended, as its launcher asks before the next one.
struct LastRun {
  private var outcome: RunOutcome
  private var end: String?
  private var crash: Int64?
  private var reason: String?
  private var place: String?
  private var isAcknowledged = false
  private var name: String

  /// The last run of the process or program `name`; `nil` when none is known. One that has no end
  /// and after which no other began is the one that may be asking.
  init?(of name: String, in store: QueryStore) throws {
    self.name = name
    outcome = .unknown
    let quoted = "'\(name.replacing("'", with: "''"))'"
    var runs: [LastRun] = []
    var copy = self
    try store.forEach(
      """
      SELECT r.outcome, COALESCE(r."end", r.start), r.crash_id,
        COALESCE(c.reason, r.last_words), c.top_frame, c.acknowledged, c.signal, r."end" IS NULL
      FROM runs r LEFT JOIN crashes c ON c.id = r.crash_id
      WHERE r.process = \(quoted) OR r.program = \(quoted)
      ORDER BY COALESCE(r.start_unix_nano, r.end_unix_nano) DESC, r.id DESC LIMIT 2
      """
    ) { row in
      copy.outcome = RunOutcome(rawValue: row.text(0)) ?? .unknown
      copy.end = row.optionalText(1)
      copy.crash = row.optionalInteger(2)
      copy.reason = row.optionalText(3) ?? row.optionalText(6)
      copy.place = row.optionalText(4)
      copy.isAcknowledged = row.integer(5) == 1
      if runs.isEmpty, row.integer(7) == 1, row.isNull(2) { return }
      runs.append(copy)
    }
    guard let last = runs.first else { return nil }
    self = last
  }

  private var hasCrashed: Bool { outcome == .crash || outcome == .outOfMemory }

  /// What a script is told.
  var status: ExitStatus { hasCrashed && !isAcknowledged ? .crashed : .ok }

  /// One line for people.
  var text: String {
    var text = "the last run of \(SafeText.escaped(name)) "
    switch outcome {
    case .clean: text += "ended well"
    case .exit: text += "ended with an error"
    case .crash: text += "crashed"
    case .killed: text += "was killed"
    case .outOfMemory: text += "was killed for lack of memory"
    case .unknown: text += "ended in an unknown way"
    }
    if let reason, outcome != .clean {
      text += ": " + SafeText.escaped(String(reason.prefix { $0 != "\n" }))
    }
    if let place { text += " at " + SafeText.escaped(place) }
    var remarks: [String] = []
    if let end { remarks.append(String(end.prefix(19)) + "Z") }
    if let crash { remarks.append("crash \(crash)") }
    if isAcknowledged { remarks.append("acknowledged") }
    if !remarks.isEmpty { text += " (" + remarks.joined(separator: ", ") + ")" }
    return text
  }

  /// Notes that somebody has seen the crash; nothing without one.
  func acknowledge(_ call: Invocation) throws {
    guard let crash, !isAcknowledged else { return }
    let configuration = try call.configuration()
    try CrashAcknowledgement.add(
      crash: crash, store: call.arguments.value("database"), configuration,
      now: call.context.now())
  }
}
