// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc

/// A program that was started with a text on its standard input, and whose standard output is read.
///
/// Its standard error is ours. A value that goes before `wait()` leaves the program running.
package struct ChildProcess: ~Copyable {
  /// How a program ended.
  package enum End: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package let identifier: Int32
  /// What it writes, until it ends.
  package let output: FileDescriptor

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - words: the program, looked for in `PATH` when it has no slash, and its arguments.
  ///   - input: its standard input; the writer must ignore SIGPIPE.
  ///   - environment: all of its variables.
  /// - Throws: `FileError` that names the program.
  package init(
    _ words: [String], input: [UInt8] = [], environment: [String: String]
  ) throws(FileError) {
    let program = words.first ?? ""
    let given = try Self.makePipe()
    let taken = try Self.makePipe()
    var child: pid_t = 0
    let error = Self.withCStrings(words) { arguments in
      Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
        la_spawn(
          program, arguments, variables, given.reader.number, taken.writer.number, 2, &child)
      }
    }
    guard error == 0 else { throw FileError(action: "start", path: program, errno: error) }
    identifier = child
    // A child that reads nothing is its own affair; what it makes of that, its end tells.
    _ = try? given.close(afterWriting: input)
    output = taken.takeReader()
  }

  /// All that it writes from here on, at most `limit` bytes of it.
  ///
  /// - Throws: `FileError`.
  package func readAll(limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let result = chunk.withUnsafeMutableBytes { buffer -> Result<Int, FileError> in
        Result { () throws(FileError) in try output.read(into: buffer) ?? 0 }
      }
      let count = try result.get()
      if count == 0 { return bytes }
      bytes += chunk[..<min(count, limit - bytes.count)]
    }
  }

  /// Waits for its end.
  package func wait() -> End {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return Self.end(status)
  }

  /// Its end, if it has come.
  package func endIfEnded() -> End? {
    var status: Int32 = 0
    return waitpid(identifier, &status, WNOHANG) == identifier ? Self.end(status) : nil
  }

  // The macros of wait(2) are no functions that Swift sees.
  private static func end(_ status: Int32) -> End {
    status & 0x7f == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: status & 0x7f)
  }

  private struct Pipe: ~Copyable {
    let reader: FileDescriptor
    let writer: FileDescriptor

    consuming func takeReader() -> FileDescriptor { reader }

    consuming func close(afterWriting bytes: [UInt8]) throws(FileError) {
      try writer.write(bytes)
    }
  }

  private static func makePipe() throws(FileError) -> Pipe {
    var ends: (Int32, Int32) = (-1, -1)
    let status = withUnsafeMutableBytes(of: &ends) {
      pipe($0.bindMemory(to: Int32.self).baseAddress)
    }
    guard status == 0 else { throw FileError.last("make", "a pipe") }
    for number in [ends.0, ends.1] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    return Pipe(
      reader: .adopting(ends.0, path: "pipe"), writer: .adopting(ends.1, path: "pipe"))
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      // The terminator makes it non-empty.
      guard let base = buffer.baseAddress else { preconditionFailure("an empty argument list") }
      return body(base)
    }
  }
}
