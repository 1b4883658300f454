// SPDX-License-Identifier: Apache-2.0

/// Where the text of a group goes.
enum UserFormatField: Sendable {
  case time, severity, severityNumber, body, process, pid, threadID, scope
  /// An attribute: its name as a JSON string with quotes, and whether its digits are a number.
  case attribute(key: [UInt8], isNumber: Bool)
  /// It is there to be matched only.
  case none

  /// The field of an OpenTelemetry name, in which `_` may stand for a dot: a group's name can't hold
  /// one. Other names become attributes as they are.
  init(name: String) {
    switch name.replacing(".", with: "_") {
    case "time", "timestamp", "time_unix_nano": self = .time
    case "severity", "severity_text", "level": self = .severity
    case "severity_number": self = .severityNumber
    case "body", "message": self = .body
    case "process", "process_executable_name", "process_name": self = .process
    case "pid", "process_pid": self = .pid
    case "tid", "thread_id": self = .threadID
    case "scope", "scope_name", "logger": self = .scope
    case let flat:
      let known = Self.dotted[flat] ?? name
      self = .attribute(key: Self.quoted(known), isNumber: Self.numbers.contains(known))
    }
  }

  private static func quoted(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = [Byte.quote]
    // Group names are words; those of a `fields` table may hold anything.
    for byte in name.utf8 where byte >= 0x20 && byte != Byte.quote && byte != Byte.backslash {
      bytes.append(byte)
    }
    return bytes + [Byte.quote]
  }

  /// The OpenTelemetry names, by themselves with `_` for each dot.
  private static let dotted: [String: String] = {
    Dictionary(
      names.map { ($0.replacing(".", with: "_"), $0) }, uniquingKeysWith: { first, _ in first })
  }()

  /// Names of the semantic conventions (1.44) that log lines have, and our own columns.
  private static let names = [
    "client.address", "client.port", "cloud.region", "code.column.number", "code.file.path",
    "code.function.name", "code.line.number", "container.id", "container.name", "db.namespace",
    "db.operation.name", "db.query.text", "db.response.status_code", "db.system.name",
    "deployment.environment.name", "enduser.id", "error.type", "event.name", "exception.message",
    "exception.stacktrace", "exception.type", "file.path", "host.id", "host.ip", "host.name",
    "http.request.body.size", "http.request.header.referer", "http.request.id",
    "http.request.method", "http.request.size", "http.response.body.size", "http.response.size",
    "http.response.status_code", "http.route", "k8s.namespace.name", "k8s.pod.name",
    "log.iostream", "messaging.destination.name", "messaging.message.id", "network.peer.address",
    "network.peer.port", "network.protocol.name", "network.protocol.version", "os.name",
    "os.version", "process.command", "process.command_line", "process.exit.code",
    "process.executable.path", "process.owner", "process.parent_pid", "process.runtime.name",
    "rpc.method", "rpc.service", "server.address", "server.port", "service.instance.id",
    "service.name", "service.namespace", "service.version", "session.id", "source.address",
    "source.port", "thread.name", "tls.cipher", "tls.protocol.version", "url.domain", "url.full",
    "url.path", "url.query", "url.scheme", "user.email", "user.id", "user.name",
    "user_agent.original",
  ]

  /// Those of them that are integers.
  private static let numbers: Set<String> = [
    "client.port", "code.column.number", "code.line.number", "http.request.body.size",
    "http.request.size", "http.response.body.size", "http.response.size",
    "http.response.status_code", "network.peer.port", "process.exit.code", "process.parent_pid",
    "server.port", "source.port",
  ]
}
