// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogQuery
internal import Pipeline

extension Command {
  /// `logagent cat`: log files made again from the store.
  static let cat: Command = {
    var command = Command("cat", "write a log file again from the store", run: runCat)
    command.operands = "[FILE]"
    command.operandCount = 0...1
    command.examples = [
      Example("logagent cat /var/log/app.log.3", "A file that is deleted by now"),
      Example("logagent cat --source app > app.log", "All files of a source, one after the other"),
      Example("logagent cat --compare app.log", "Is what is stored what is in the file?"),
    ]
    command.flags = [
      Flag("source", value: "NAME", "All files of this source"),
      Flag("compare", "Write nothing; compare with the files on disk"),
      Invocation.databaseFlag,
    ]
    command.notes = [
      """
      The bytes are those of the file, line ends too. Where the store does not hold them (blank \
      lines and holes, what was pruned, the rest of overlong lines, text that was UTF-16) a message \
      says how many are missing, and the exit status is 2.
      """
    ]
    return command
  }()

  private static func runCat(_ call: Invocation) throws -> ExitStatus {
    let source = call.arguments.value("source")
    let path = call.arguments.operands.first.map(FileSystem.absolutePath)
    guard (path == nil) != (source == nil) else {
      throw CommandError.usage("cat: name a file, or a source with --source")
    }
    let store = try call.openStore()
    let files = try StoredFile.find(path: path, source: source, in: store.connection)
    guard !files.isEmpty else {
      throw CommandError(
        .nothingFound, "the store knows no such file or source; the view 'files' lists them")
    }
    var status = ExitStatus.ok
    for file in files {
      let isWhole =
        call.arguments.has("compare")
        ? try compare(file, store, call) : try write(file, store, call)
      if !isWhole { status = .someInputFailed }
    }
    return status
  }

  private static func write(
    _ file: StoredFile, _ store: QueryStore, _ call: Invocation
  ) throws -> Bool {
    var missing: Int64 = 0
    try file.rebuild(from: store.connection) { piece in
      switch piece {
      case .stored(_, let bytes): call.output.append(contentsOf: bytes)
      case .partial(_, let length, let bytes):
        call.output.append(contentsOf: bytes)
        call.output.append("\n")
        missing += length - Int64(bytes.count)
      case .absent(_, let length): missing += length
      }
    }
    if missing == 0 { return true }
    let pruned = file.prunedBytes > 0 ? ", \(file.prunedBytes) of them pruned" : ""
    call.warn(
      "\(SafeText.escaped(file.path)): \(missing) of \(file.offset) bytes are not in the store"
        + pruned)
    return false
  }

  private static func compare(
    _ file: StoredFile, _ store: QueryStore, _ call: Invocation
  ) throws -> Bool {
    let name = SafeText.escaped(file.path)
    let result: StoredFile.Comparison
    do {
      result = try file.compare(with: store.connection)
    } catch let error as FileError {
      call.output.append("\(name): \(error.isNotFound ? "not on disk any more" : error.reason)\n")
      return error.isNotFound
    }
    if let place = result.firstDifference {
      call.output.append("\(name): differs from byte \(place) on\n")
      return false
    }
    let rest = result.notCompared == 0 ? "" : ", \(result.notCompared) not stored byte by byte"
    call.output.append("\(name): \(result.same) bytes are the same\(rest)\n")
    return true
  }
}
