// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel
internal import LogQuery

extension CLI {
  /// Runs the command line of this process; the whole of the program `logagent`.
  package static func main() -> Int32 {
    // A closed pipe shall be an error of write, which ends a command quietly.
    signal(SIGPIPE, SIG_IGN)
    explainLostMappings()
    Interruption.install()
    var context = CLIContext(
      environment: ProcessEnvironment.variables(),
      output: DescriptorSink(1, name: "standard output"),
      errors: DescriptorSink(2, name: "standard error"), now: now)
    context.input = readInput
    context.zone = .host
    context.shouldStop = { Interruption.isRequested }
    context.pause = { milliseconds in _ = poll(nil, 0, Int32(milliseconds)) }
    context.hostName = hostName()
    context.queryFolders = SavedQuery.folders(
      environment: context.environment, program: FileSystem.realPath("/proc/self/exe"))
    if isatty(0) == 1, context.output.isTerminal {
      context.lineInput = LineEditor(historyFile: historyFile(context.environment))
    }
    let pager = Pager()
    let environment = context.environment
    context.startPager = { pager.start(environment) }
    let status = run(Array(CommandLine.arguments.dropFirst()), in: context).rawValue
    pager.finish()
    return status
  }

  /// Stores are mapped: what can't be read of one is a signal and no error.
  private static func explainLostMappings() {
    signal(SIGBUS) { _ in
      let message: StaticString =
        "logagent: the store could not be read: its disk failed, or it was cut while it was read\n"
      _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
      _exit(ExitStatus.inputOutput.rawValue)
    }
  }

  private static func historyFile(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      return folder + "/logagent/query_history"
    }
    return environment["HOME"].map { $0 + "/.local/state/logagent/query_history" }
  }

  private static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  private static func readInput() throws -> [UInt8] {
    // A copy, as the descriptor is closed with the value.
    let input = FileDescriptor.adopting(dup(0), path: "standard input")
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while let count = try buffer.withUnsafeMutableBytes({ try input.read(into: $0) }), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func hostName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, 255) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
