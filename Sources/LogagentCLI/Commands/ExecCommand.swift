// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel
internal import ProcessCapture

extension Command {
  /// `logagent exec -- COMMAND`: a program with its output captured and its end recorded.
  static let exec: Command = {
    var command = Command(
      "exec", "run a program, capture its output and how it ends", run: execute)
    command.operands = "-- COMMAND [ARGUMENT…]"
    command.operandCount = 1...Int.max
    command.operandCompletion = .commands
    command.examples = [
      Example("logagent exec --name web -- ./server --port 80", "A server, under its name"),
      Example("logagent exec --log-dir /var/log/app -- ./app", "Logs beside the others"),
    ]
    command.flags = [
      Flag("name", short: "n", value: "NAME", "What the process is called (the program's name)"),
      Flag("log-dir", value: "DIR", "Where its log files go (logs)"),
      Flag("spool", value: "DIR", "Where its crash reports go (the log folder's spool)"),
      Flag("quiet", short: "q", "Do not pass the output on as well"),
    ]
    command.notes = [
      """
      Standard output, standard error and the records of starts and ends become files such as \
      'NAME.stderr 2026-11-30--16-00-00-000.log': another one begins after 5 MB or 24 hours, and \
      the last 5 of each stay. Swift's backtraces are written to the spool unless SWIFT_BACKTRACE \
      says otherwise. Signals go through to the program. 'logagent import DIR' or 'logagent run \
      DIR' makes runs and crashes of it.
      """,
      """
      The exit status is the program's own, 128 and the number of the signal that ended it, 127 \
      when there is no such program, or 126 when it cannot be run.
      """,
    ]
    return command
  }()

  private static func execute(_ call: Invocation) throws -> ExitStatus {
    let program = FileSystem.name(of: call.arguments.operands[0])
    let name = call.arguments.value("name") ?? program
    if name.isEmpty || name.contains("/") || name.hasPrefix(".") {
      throw CommandError.usage("--name: '\(name)' is no name for a file")
    }
    let folder = call.arguments.value("log-dir") ?? "logs"
    var request = CaptureRequest(
      command: call.arguments.operands, name: name, logFolder: folder,
      spoolFolder: call.arguments.value("spool") ?? folder + "/spool",
      environment: call.context.environment)
    request.passesOn = !call.arguments.has("quiet")
    var capture = ProcessCapture(request, now: call.context.now)
    let status: Int32
    do throws(CaptureError) {
      status = try capture.run().exitStatus
      if let problem = capture.problem { call.warn("its output is incomplete: \(problem)") }
    } catch {
      call.warn(error.description)
      status = error.exitStatus
    }
    // The program's own status, of which our table of statuses knows nothing.
    exit(status)
  }
}
