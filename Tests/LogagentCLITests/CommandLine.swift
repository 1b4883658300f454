// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import LogagentCLI
internal import StoreTestSupport
internal import TestSupport

/// Keeps what is written, or fails as a closed pipe or a full disk does.
final class MemorySink: OutputSink {
  var isTerminal = false
  var columns = 80
  var bytes: [UInt8] = []
  var failure: OutputError?

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ more: UnsafeRawBufferPointer) throws(OutputError) {
    if let failure { throw failure }
    bytes.append(contentsOf: more)
  }
}

/// Runs command lines on a store of its own, within this process.
final class CommandLineFixture {
  struct Result {
    var status: LogagentCLI.ExitStatus
    var output: String
    var errors: String
    var bytes: [UInt8]
  }

  let folder: TemporaryDirectory
  let sample: SampleStore
  /// 2026-11-30T12:00:00Z.
  var now = Timestamp(nanoseconds: 1_796_040_000 * 1_000_000_000)
  var environment: [String: String]
  var input = ""
  let output = MemorySink()
  var shouldStop: () -> Bool = { false }
  var pause: (Int) -> Void = { _ in }
  var startPager: () -> Void = {}
  var lineInput: (any LineInput)?
  var queryFolders: [String] = []

  init() throws {
    folder = try TemporaryDirectory()
    sample = try SampleStore(path: folder.file("logs.db"))
    try sample.addFile(1)
    environment = ["LOGAGENT_STATE_DIR": folder.path, "HOME": folder.path]
  }

  func run(_ arguments: String...) -> Result { run(arguments) }

  func run(_ arguments: [String]) -> Result {
    output.bytes = []
    let errors = MemorySink()
    var context = CLIContext(
      environment: environment, output: output, errors: errors, now: { self.now })
    context.input = { Array(self.input.utf8) }
    context.shouldStop = { self.shouldStop() }
    context.pause = { self.pause($0) }
    context.hostName = "host"
    context.startPager = { self.startPager() }
    context.lineInput = lineInput
    context.queryFolders = queryFolders
    let status = CLI.run(arguments, in: context)
    return Result(
      status: status, output: output.text, errors: errors.text, bytes: output.bytes)
  }
}
