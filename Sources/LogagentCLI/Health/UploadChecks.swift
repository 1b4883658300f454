// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import Glibc
internal import LogModel

/// Whether bundles can go out: the credentials, the certificates, and what lies in the outbox.
extension Examination {
  mutating func checkUploads() {
    let outbox = Outgoing(configuration)
    let (waiting, failed) = (
      outbox.items(in: ["pending", "uploading"]), outbox.items(in: ["failed"])
    )
    guard let target = configuration.upload.configuredTarget else {
      if !waiting.isEmpty {
        add(
          .problem(
            "uploads", "\(Self.count(waiting)) in the outbox, and no server is configured",
            remedy: "upload.url in logagent.toml, or empty \(configuration.outboxPath)"))
      }
      return
    }
    let problems = UploadNeeds.problems(of: target, environment)
    for problem in problems { add(.problem("uploads", problem.text, remedy: problem.remedy)) }
    let bytes = (waiting + failed).reduce(0) { $0 + $1.bytes }
    let quota = configuration.upload.limits.outboxBytes
    if bytes > quota / 10 * 9 {
      add(
        .problem(
          "uploads",
          "the outbox holds \(ByteCount.text(bytes)) of \(ByteCount.text(quota)): "
            + "new bundles are turned away",
          remedy: "logagent upload --retry, or a greater upload.outbox_quota"))
    }
    if let last = failed.last {
      add(
        .warning(
          "uploads", "\(Self.count(failed)) given up, the last one: \(last.error)",
          remedy: "mend it, then logagent upload --retry; logagent upload --status lists them"))
    }
    let day: Int64 = 86_400_000
    if let oldest = waiting.first, now.nanoseconds / 1_000_000 - oldest.queuedMilliseconds > day {
      let error = oldest.error.isEmpty ? "not tried yet" : oldest.error
      add(
        .warning(
          "uploads", "\(Self.count(waiting)) waiting, the first one for more than a day: \(error)",
          remedy: "systemctl enable --now logagent-upload.timer, or logagent upload --retry"))
    }
    if problems.isEmpty { add(.ok("uploads", "to \(target.url), \(Self.count(waiting)) waiting")) }
  }

  private static func count(_ items: [Outgoing.Item]) -> String {
    items.count == 1 ? "1 bundle" : "\(items.count) bundles"
  }
}

/// What an upload needs from this host before it begins.
enum UploadNeeds {
  /// What is missing or can be read by too many; nothing is sent, and no command is run.
  static func problems(
    of target: UploadTarget, _ environment: [String: String]
  ) -> [(text: String, remedy: String)] {
    var problems: [(text: String, remedy: String)] = []
    let secrets = [target.token, target.user, target.password, target.sessionToken].compactMap(
      \.self)
    for source in secrets + target.secretHeaders.map(\.source) {
      if let problem = problem(of: source, environment) { problems.append(problem) }
    }
    for path in [target.caFile, target.clientCertificate, target.clientKey].compactMap(\.self)
    where access(path, R_OK) != 0 {
      problems.append((path + ": " + reason(path), "put it there, readable by the agent's user"))
    }
    return problems
  }

  private static func problem(
    of source: SecretSource, _ environment: [String: String]
  ) -> (text: String, remedy: String)? {
    switch source {
    case .environment(let name):
      if environment[name]?.isEmpty == false { return nil }
      return (
        "\(source.name) is not set here",
        "set it where uploads run: Environment= or EnvironmentFile= of logagent-upload.service"
      )
    case .file(let path):
      if access(path, R_OK) != 0 {
        return ("\(path): \(reason(path))", "put the credential there, mode 0600")
      }
      guard let status = try? FileStatus(path: path) else { return nil }
      if status.size == 0 { return ("\(path) is empty", "put the credential there") }
      if status.permissions & 0o077 != 0, status.kind == .regular {
        return ("\(path) can be read by others", "chmod go= \(path)")
      }
      return nil
    case .command(let words):
      let name = words.first ?? ""
      let folders = name.contains("/") ? [""] : searchPath(environment)
      if folders.contains(where: { access($0 + name, X_OK) == 0 }) { return nil }
      return ("\(source.name) is not there", "install it, or name it by its path")
    }
  }

  private static func searchPath(_ environment: [String: String]) -> [String] {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map { $0 + "/" }
  }

  private static func reason(_ path: String) -> String {
    (try? FileStatus(path: path)) == nil ? "it does not exist" : "it cannot be read"
  }
}
