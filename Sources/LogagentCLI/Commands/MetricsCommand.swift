// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogQuery

extension Command {
  /// `logagent metrics`: the status for Prometheus.
  static let metrics: Command = {
    var command = Command(
      "metrics", "tell the status to Prometheus, as a file or on a socket", run: runMetrics)
    command.examples = [
      Example("logagent metrics", "Look at them"),
      Example(
        "logagent metrics -o /var/lib/prometheus/node-exporter/logagent.prom",
        "For node_exporter's textfile collector, from a timer"),
      Example("logagent metrics --listen /run/logagent/metrics.sock", "On a socket"),
    ]
    command.flags = [
      Flag(
        "output", short: "o", value: "FILE", "Write FILE, whole or not at all; - is standard output"
      ),
      Flag(
        "listen", value: "SOCKET", completion: .files,
        "Answer HTTP requests on this Unix socket until SIGTERM"),
      Invocation.databaseFlag,
    ]
    command.notes = [
      """
      The socket is local; nothing is opened to the network: curl --unix-socket \
      /run/logagent/metrics.sock http://localhost/metrics asks it.
      """
    ]
    return command
  }()

  private static func runMetrics(_ call: Invocation) throws -> ExitStatus {
    let configuration = try call.configuration()
    func text() throws -> String {
      let store = try call.openStore()
      return try MetricsText(StoreStatus.now(of: store, configuration), store).text
    }
    if let path = call.arguments.value("listen") {
      if call.arguments.has("output") {
        throw CommandError.usage("metrics: --listen and --output are two ways")
      }
      let socket: MetricsSocket
      do throws(FileError) {
        socket = try MetricsSocket(path: path)
      } catch { throw CommandError.cannotCreate(error) }
      call.warn("metrics on \(SafeText.escaped(path))")
      while !call.context.shouldStop() { _ = socket.answer(within: 1000, text) }
      return .ok
    }
    let path = call.arguments.value("output") ?? "-"
    if path == "-" {
      call.output.append(try text())
      return .ok
    }
    let body = try text()
    do throws(FileError) { try write(body, to: path) } catch {
      throw CommandError.cannotCreate(error)
    }
    return .ok
  }

  private static func write(_ text: String, to path: String) throws(FileError) {
    let file = try AtomicFile(target: path)
    try file.descriptor.write(text)
    // The exporter is another user.
    try FileSystem.setPermissions(file.temporaryPath, 0o644)
    try file.commit()
  }
}
