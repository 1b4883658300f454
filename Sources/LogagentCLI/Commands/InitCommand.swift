// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogQuery

extension Command {
  /// `logagent init`: a first configuration for this host.
  static let `init`: Command = {
    var command = Command("init", "write a first configuration for this host", run: initialise)
    command.examples = [
      Example("logagent init --output -", "Look at it first"),
      Example("sudo logagent init", "Write /etc/logagent/logagent.toml"),
    ]
    command.flags = [
      Flag("output", short: "o", value: "FILE", "Write FILE; - is standard output"),
      Flag("force", "Replace a file that is there"),
      rootFlag,
    ]
    command.notes = [
      """
      Looks for logs that running programs have open, for logs below /var/log, and for the folders \
      into which crash reports are put. What it found stands in the file with the reason; the rest \
      are comments with the defaults. Only root sees what the programs of others have open. With \
      --root, --output says where the configuration goes.
      """
    ]
    return command
  }()

  /// The flag of commands that look at the host.
  static let rootFlag = Flag(
    "root", value: "DIR", "Look at the host whose file system lies in DIR")

  private static func initialise(_ call: Invocation) throws -> ExitStatus {
    let host = HostRoot(call.arguments.value("root"))
    if let root = call.arguments.value("root") {
      guard host.isFolder("/") else {
        throw CommandError(.noInput, "\(SafeText.escaped(root)): no such folder")
      }
      // What is found there must not become this host's configuration by mistake.
      guard call.arguments.has("output") else {
        throw CommandError.usage("init: --root needs --output, the file that is to be written")
      }
    }
    let logs = OpenLogs(host)
    let crashes = CrashFolders(host, home: call.context.environment["HOME"])
    let configuration = StartingConfiguration(host, logs: logs, crashes: crashes)
    let text = configuration.text(hostName: call.context.hostName)
    let path =
      call.arguments.value("output") ?? call.arguments.value("config") ?? call.loader.usualFile
    if path == "-" {
      call.output.append(text)
    } else {
      if !call.arguments.has("force"), (try? FileStatus(path: path)) != nil {
        throw CommandError(
          .cannotCreate,
          "\(SafeText.escaped(path)) is there already; --force replaces it, --output - shows what "
            + "would be written")
      }
      do throws(FileError) { try write(text, to: path) } catch {
        throw CommandError.cannotCreate(error)
      }
    }
    if logs.hiddenProcesses > 0 {
      call.warn("\(logs.hiddenProcesses) processes of others were not looked at; root may")
    }
    let count = configuration.sources.count
    let target = path == "-" ? "" : "wrote \(SafeText.escaped(path)): "
    call.warn(
      target + "\(count) \(count == 1 ? "source" : "sources") and "
        + "\(configuration.spools.count) crash \(configuration.spools.count == 1 ? "spool" : "spools")"
        + (path == "-" ? "" : "; 'logagent check-config' shows what they mean"))
    return count + configuration.spools.count == 0 ? .nothingFound : .ok
  }

  private static func write(_ text: String, to path: String) throws(FileError) {
    let folder = FileSystem.folder(of: FileSystem.absolutePath(path))
    try FileSystem.makeFolder(folder, permissions: 0o755)
    let file = try AtomicFile(target: path)
    try file.descriptor.write(text)
    // It holds no secret, and everybody's commands read it.
    try FileSystem.setPermissions(file.temporaryPath, 0o644)
    try file.commit()
  }
}
