// SPDX-License-Identifier: Apache-2.0

internal import CShims
package import FileIO
internal import Glibc
package import LogModel

/// What to start, and where its output goes.
package struct CaptureRequest: Sendable {
  /// The program, found through PATH, and its arguments.
  package var command: [String]
  /// What the process is called in logs.
  package var name: String
  package var logFolder: String
  /// Where the Swift runtime writes its backtraces.
  package var spoolFolder: String
  package var environment: [String: String]
  /// Whether the output is also passed on to our own standard output and error.
  package var passesOn = true
  package var rule = RollingRule()

  package init(
    command: [String], name: String, logFolder: String, spoolFolder: String,
    environment: [String: String]
  ) {
    self.command = command
    self.name = name
    self.logFolder = logFolder
    self.spoolFolder = spoolFolder
    self.environment = environment
  }
}

/// How a captured program ended.
package struct CaptureResult: Hashable, Sendable {
  package var pid: Int32
  /// `nil` when a signal ended it.
  package var status: Int32?
  /// The signal's number.
  package var signal: Int32?
  package var coreDumped = false
  package var lastWords: String?
  /// What the kernel called the process in the end: a shell may have become another program.
  package var command: String?

  /// What a shell would say: the program's own status, or 128 and the signal.
  package var exitStatus: Int32 { status ?? 128 + (signal ?? 0) }
}

/// Why a program can't be captured.
package enum CaptureError: Error, CustomStringConvertible, Sendable {
  case file(FileError)
  /// The program can't be started.
  case start(program: String, errno: Int32)

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .start(let program, let errno):
      FileError(action: "start", path: program, errno: errno).description
    }
  }

  /// What a shell would say: 127 when there is no such program, 126 when it can't be run.
  package var exitStatus: Int32 {
    switch self {
    case .file: 74
    case .start(_, let errno): errno == ENOENT ? 127 : 126
    }
  }
}

/// Runs one program to its end: its standard output and error become log files, signals go through
/// to it, and records in a log of their own tell how it began and ended.
package struct ProcessCapture: ~Copyable {
  private let request: CaptureRequest
  private let now: () -> Timestamp
  private var output: CapturedLog
  private var errors: CapturedLog
  private var words = LastWords()
  private var passesOn: [Bool]
  /// The first error of writing a log: the program shall not suffer from it.
  package private(set) var problem: FileError?

  /// A capture; nothing is started yet.
  ///
  /// - Parameters:
  ///   - request: what to start.
  ///   - now: the clock.
  package init(_ request: CaptureRequest, now: @escaping () -> Timestamp) {
    self.request = request
    self.now = now
    output = CapturedLog(
      folder: request.logFolder, name: request.name + ".stdout", rule: request.rule)
    errors = CapturedLog(
      folder: request.logFolder, name: request.name + ".stderr", rule: request.rule)
    passesOn = [request.passesOn, request.passesOn]
  }

  private static let passedSignals: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGWINCH,
  ]
  /// Those that a terminal sends to the whole group, and so to the program too.
  private static let terminalSignals: Set<Int32> = [SIGINT, SIGQUIT, SIGHUP, SIGWINCH]

  /// Starts the program and waits for its end.
  ///
  /// - Returns: how it ended.
  /// - Throws: `CaptureError` when it can't be started.
  package mutating func run() throws(CaptureError) -> CaptureResult {
    do throws(FileError) {
      try FileSystem.makeFolder(request.logFolder, permissions: 0o750)
      try FileSystem.makeFolder(request.spoolFolder, permissions: 0o750)
    } catch { throw .file(error) }
    let signals = (Self.passedSignals + [SIGCHLD]).withUnsafeBufferPointer {
      la_signal_fd_of($0.baseAddress, Int32($0.count))
    }
    let out = try Self.makePipe()
    let err = try Self.makePipe()
    let start = now()
    let pid = try spawn(output: out.write, errors: err.write)
    close(out.write)
    close(err.write)
    let record = ExecRecord(request, pid: pid, start: start)
    write(record.started())
    var result = CaptureResult(pid: pid)
    follow(pid, signals: signals, out: out.read, err: err.read, &result)
    close(signals)
    result.lastWords = words.text
    write(record.ended(result, at: now()))
    return result
  }

  // MARK: Starting

  private static func makePipe() throws(CaptureError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard la_pipe(&ends) == 0 else { throw .file(FileError.last("make", "a pipe")) }
    return (ends[0], ends[1])
  }

  private func spawn(output: Int32, errors: Int32) throws(CaptureError) -> Int32 {
    var environment = request.environment
    if environment["SWIFT_BACKTRACE"] == nil {
      let spool = FileSystem.absolutePath(request.spoolFolder)
      environment["SWIFT_BACKTRACE"] =
        "enable=yes,color=no,interactive=no,format=json,output-to=\(spool)/"
    }
    let words = request.command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var pid: pid_t = 0
    let error = la_spawn(request.command[0], words, variables, 0, output, errors, &pid)
    guard error == 0 else { throw .start(program: request.command[0], errno: error) }
    return pid
  }

  // MARK: Following

  private mutating func follow(
    _ pid: Int32, signals: Int32, out: Int32, err: Int32, _ result: inout CaptureResult
  ) {
    var isOpen = [true, true]
    var hasEnded = false
    while !hasEnded {
      var polled = [
        pollfd(fd: isOpen[0] ? out : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOpen[1] ? err : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      poll(&polled, 3, -1)
      if polled[0].revents != 0 { isOpen[0] = drain(out, isErrors: false) }
      if polled[1].revents != 0 { isOpen[1] = drain(err, isErrors: true) }
      var fromTerminal: Int32 = 0
      while case let signal = la_signal_read_origin(signals, &fromTerminal), signal != 0 {
        if signal == SIGCHLD {
          hasEnded = hasEnded || Self.wait(pid, &result)
        } else if fromTerminal == 0 || !Self.terminalSignals.contains(signal) {
          kill(pid, signal)
        }
      }
    }
    // What it wrote before its end. A grandchild that keeps the pipes open is not waited for.
    if isOpen[0] { _ = drain(out, isErrors: false) }
    if isOpen[1] { _ = drain(err, isErrors: true) }
    close(out)
    close(err)
  }

  private static func wait(_ pid: Int32, _ result: inout CaptureResult) -> Bool {
    // A process that has ended keeps its name until it is waited for.
    if let name = try? FileSystem.contents(of: "/proc/\(pid)/comm", limit: 64) {
      result.command = String(decoding: name.prefix { $0 != 0x0A }, as: UTF8.self)
    }
    var end = la_end(status: 0, signal: 0, core_dumped: 0)
    guard la_wait(pid, &end) == 1 else { return false }
    result.status = end.signal == 0 ? end.status : nil
    result.signal = end.signal == 0 ? nil : end.signal
    result.coreDumped = end.core_dumped != 0
    return true
  }

  /// Takes what is there; false at the end of the stream.
  private mutating func drain(_ pipe: Int32, isErrors: Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(pipe, &buffer, buffer.count)
      if count == 0 { return false }
      if count < 0 {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      buffer.withUnsafeBytes { store(UnsafeRawBufferPointer(rebasing: $0[..<count]), isErrors) }
      // The other stream and the signals wait.
      if count < buffer.count { return true }
    }
  }

  private mutating func store(_ bytes: UnsafeRawBufferPointer, _ isErrors: Bool) {
    do throws(FileError) {
      if isErrors {
        words.add(bytes)
        try errors.write(bytes, now: now())
      } else {
        try output.write(bytes, now: now())
      }
    } catch { problem = problem ?? error }
    let index = isErrors ? 1 : 0
    guard passesOn[index] else { return }
    var offset = 0
    while offset < bytes.count {
      let written = Glibc.write(
        Int32(index + 1), bytes.baseAddress! + offset, bytes.count - offset)
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN {
        // Somebody has made the other end of it non-blocking, and it is full.
        var wait = pollfd(fd: Int32(index + 1), events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 1_000)
        continue
      }
      guard written > 0 else {
        // Nobody reads it any more.
        passesOn[index] = false
        return
      }
      offset += written
    }
  }

  private mutating func write(_ record: String) {
    var log = CapturedLog(
      folder: request.logFolder, name: request.name + ".exec", rule: request.rule,
      reusesNewest: true)
    let time = now()
    Array(record.utf8).withUnsafeBytes { bytes in
      do throws(FileError) {
        // One write: captures of the same name may share the file.
        try log.write(bytes, now: time)
      } catch { problem = problem ?? error }
    }
  }
}
