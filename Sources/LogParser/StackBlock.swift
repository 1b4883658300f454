// SPDX-License-Identifier: Apache-2.0

/// Lines of plain text that belong to the record before them although they are not indented: stack
/// frames and reports of a runtime that a fatal error or a traceback has announced.
struct StackBlock {
  private enum State {
    case closed
    /// The message of a fatal error may have more lines.
    case message
    /// The stack or the report has begun.
    case stack
    /// A dump of goroutines.
    case goroutines
    /// Python's frames: the line after the last indented one is the exception.
    case traceback
  }

  private var state = State.closed
  /// An indented line of a message was seen: then other lines of it need not be indented.
  private var hasIndentedLine = false
  /// The message may have any lines: those that turn out to be none are parted from it again.
  private var isVerbatim = false
  private var messageLines = 0

  /// The most lines that are taken for a message without a stack.
  private static let maxMessageLines = 8

  var isOpen: Bool { state != .closed }

  mutating func close() { state = .closed }

  /// A fatal error or an uncaught exception has begun a record with `line`.
  mutating func open(_ line: Line) {
    state = .message
    // Rust's message stands on the line after its place.
    hasIndentedLine = line.has("thread '", at: 0) && line[line.count - 1] == Byte.colon
    messageLines = 0
    isVerbatim = SwiftRuntimeError.hasVerbatimMessage(line)
  }

  /// Notes whether a line that begins a record announces a stack.
  mutating func noteHeader(_ line: Line) {
    state = StackTraceText.isTraceback(line, at: 0) ? .traceback : .closed
  }

  /// Whether the line belongs to the block that is open.
  mutating func takes(_ line: Line) -> Bool {
    switch state {
    case .closed: return false
    case .traceback:
      if !line[0].isBlank { state = .closed }
      return true
    case .message: return takesInMessage(line)
    case .goroutines: return line[0].isBlank || RuntimePanic.isGoLine(line)
    case .stack:
      if line.has("Backtrace took ", at: 0) {
        state = .closed
        return true
      }
      return line[0].isBlank || Self.isReportLine(line)
    }
  }

  private mutating func takesInMessage(_ line: Line) -> Bool {
    if StackTraceText.isTraceback(line, at: 0) {
      state = .traceback
      return true
    }
    if line.has("goroutine ", at: 0) || line.has("[signal ", at: 0) {
      state = .goroutines
      return true
    }
    if Self.isReportLine(line) {
      state = .stack
      return true
    }
    if line[0].isBlank {
      hasIndentedLine = true
      return true
    }
    messageLines += 1
    return (hasIndentedLine || isVerbatim) && messageLines <= Self.maxMessageLines
  }

  /// Lines of the Swift runtime, its backtracer, glibc, the sanitizers and the JVM.
  static func isReportLine(_ line: Line) -> Bool {
    let word = line.skipToken(0)
    let next = line.skipBlanks(word)
    // Frames "0    libswiftCore.so   0x00007f… symbol + 33" and registers "rax 0x00… 0".
    if line.skipDigits(0) == word, line.index(of: " 0x", from: word) != nil { return true }
    if word <= 6, line.has("0x", at: next), line.at(next + 2).isHexDigit { return true }
    switch line[0] {
    case UInt8(ascii: "*"): return line.has("*** ", at: 0)
    case Byte.dot: return line.isEqual("...")
    // Around the frames of an exception of Objective-C.
    case 0x28: return line.count == 1 || line.has("(0x", at: 0)
    case 0x29: return line.count == 1
    case Byte.equals: return line.has("==", at: 0) || line.has("=>0x", at: 0)
    case Byte.zero: return line.has("0x", at: 0)
    case UInt8(ascii: "#"): return line.at(1).isDigit
    default: return starts.contains { line.has($0, at: 0) }
    }
  }

  private static let starts: [StaticString] = [
    "Current stack trace:", "Platform: ", "Thread ", "Registers:", "Images (", "rflags ",
    "Backtrace took ", "Crash at ", "Backtrace:", "SUMMARY: ", "freed by thread",
    "previously allocated by", "Address ", "Shadow ", "HINT: ", "Direct leak", "Indirect leak",
    "READ of ", "WRITE of ", "AddressSanitizer", "allocated by ", "Aborted", "Caused by: ",
    "Previous access (", "Current access (", "Fatal access conflict detected.", "libc++abi: ",
    "stack backtrace:", "note: run with ", "note: Some details are omitted",
  ]
}
