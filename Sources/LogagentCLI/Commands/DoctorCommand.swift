// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import LogQuery

extension Command {
  /// `logagent doctor`: what is wrong here, and what to do about it.
  static let doctor: Command = {
    var command = Command(
      "doctor", "look for what is wrong on this host, with remedies", run: examine)
    command.examples = [
      Example("sudo logagent doctor", "Look at everything"),
      Example("logagent doctor --quiet", "Only what is wrong, for a script"),
    ]
    command.flags = [
      Flag("quiet", short: "q", "Leave out what is as it should be"),
      Flag("json", "An object a line"),
      rootFlag,
    ]
    command.notes = [
      """
      Looks at the configuration, permissions, the store, disk and quota, sources, crash spools, \
      inotify limits, clock and time zone; at what other programs do to logs and crash reports: \
      logrotate, SWIFT_BACKTRACE, kernel.core_pattern, journald; and sends a canary, a line that \
      is written, read, stored and found again.
      """,
      """
      'ok' is as it should be, 'warn' may lose something one day, 'FAIL' loses something or does \
      not work. The exit status is 69 when something fails.
      """,
    ]
    return command
  }()

  private static func examine(_ call: Invocation) throws -> ExitStatus {
    var findings: [Finding] = []
    let loader = call.loader
    // What is wrong with the configuration is a finding; the rest is looked at by the defaults.
    var configuration: Configuration
    var isConfigured = true
    do throws(ConfigurationError) {
      configuration = try loader.load()
      findings.append(
        .ok("configuration", loader.resolvedFile ?? "none; the defaults hold"))
    } catch {
      configuration = loader.fallback
      isConfigured = false
      findings += error.problems.map {
        .problem(
          "configuration", $0.description, remedy: "mend it; logagent check-config checks it")
      }
    }
    var store: QueryStore?
    do throws(QueryError) {
      store = try QueryStore(path: configuration.storePath)
    } catch {
      // That there is none yet is told with the state directory.
      if error.kind != .missing { findings.append(unusable(error)) }
    }
    var examination = Examination(
      configuration, host: HostRoot(call.arguments.value("root")), store: store,
      now: call.context.now(), environment: call.context.environment)
    examination.run()
    // That the defaults name nothing to read is no news beside a configuration that can't be read.
    findings += examination.findings.filter { isConfigured || $0.subject != "sources" }
    let temporary = call.context.environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let canaryFolder =
      (temporary ?? "/tmp") + "/logagent-doctor-\(call.context.now().nanoseconds)"
    findings.append(Canary.run(in: canaryFolder, configuration, now: call.context.now()))
    if call.arguments.has("quiet") { findings.removeAll { $0.level == .ok } }
    write(findings, call)
    return findings.contains { $0.level == .problem } ? .unavailable : .ok
  }

  private static func unusable(_ error: QueryError) -> Finding {
    .problem(
      "store", error.description,
      remedy: error.kind == .notAllowed
        ? "run as root, or as the agent's user"
        : "move it away; the agent makes another one from the files")
  }

  private static func write(_ findings: [Finding], _ call: Invocation) {
    if call.arguments.has("json") {
      for finding in findings {
        let members = [
          ("level", finding.level.rawValue), ("subject", finding.subject), ("text", finding.text),
          ("remedy", finding.remedy),
        ].map { "\"\($0)\":\(JSONText.quoted($1))" }
        call.output.append("{\(members.joined(separator: ","))}\n")
      }
      return
    }
    let width = call.context.output.isTerminal ? call.context.output.columns : Int.max
    for finding in findings {
      call.output.append(text(of: finding, width: width, usesColor: call.usesColor))
    }
    let problems = findings.count { $0.level == .problem }
    let warnings = findings.count { $0.level == .warning }
    if findings.isEmpty { return }
    call.output.append("\n\(counted(problems, "problem")), \(counted(warnings, "warning"))\n")
  }

  private static func text(of finding: Finding, width: Int, usesColor: Bool) -> String {
    let (word, color) =
      switch finding.level {
      case .ok: ("ok  ", "32")
      case .warning: ("warn", "33")
      case .problem: ("FAIL", "31")
      }
    let mark = usesColor ? "\u{1b}[\(color)m\(word)\u{1b}[0m" : word
    let room = width == Int.max ? width : max(30, width - 6)
    let lines = TextWrap.lines(
      SafeText.escaped("\(finding.subject): \(finding.text)"), width: room)
    var text = mark + "  " + lines.joined(separator: "\n      ") + "\n"
    if !finding.remedy.isEmpty {
      let remedy = TextWrap.lines(SafeText.escaped("→ " + finding.remedy), width: room)
      text += "      " + remedy.joined(separator: "\n        ") + "\n"
    }
    return text
  }
}
