// SPDX-License-Identifier: Apache-2.0

/// Lines of plain text that belong to the record before them although they are not indented: stack
/// frames and reports of the runtime that a fatal error or a traceback has announced.
struct StackBlock {
  private enum State { case closed, fatal, traceback }
  private var state = State.closed

  mutating func close() { state = .closed }

  /// A fatal error has begun a record.
  mutating func open() { state = .fatal }

  /// Notes whether a line that begins a record announces a stack.
  mutating func noteHeader(_ line: Line) {
    state = line.has("Traceback (most recent call last):", at: 0) ? .traceback : .closed
  }

  /// Whether the line belongs to the block that is open.
  mutating func takes(_ line: Line) -> Bool {
    switch state {
    case .closed: return false
    case .traceback:
      if line[0].isBlank { return true }
      // The exception's own line ends a traceback.
      state = .closed
      return true
    case .fatal: return line[0].isBlank || Self.isReportLine(line)
    }
  }

  /// Lines of the Swift runtime, its backtracer, glibc and the sanitizers.
  private static func isReportLine(_ line: Line) -> Bool {
    let digits = line.skipDigits(0)
    // "0    libswiftCore.so   0x00007f… symbol + 33"
    if digits > 0, line.at(digits).isBlank, line.index(of: " 0x", from: digits) != nil {
      return true
    }
    if digits > 0, line.at(digits) == 0x7c { return true }
    for start: StaticString in [
      "Current stack trace:", "*** Signal ", "*** Program crashed", "*** Swift runtime",
      "Platform:",
      "Thread ", "Registers:", "Images ", "Backtrace took", "Crash at", "Backtrace:", "...", "==",
      "SUMMARY: ", "0x", "freed by thread", "previously allocated by", "Address ", "Shadow ",
      "HINT: ", "Direct leak", "Indirect leak", "READ of", "WRITE of", "AddressSanitizer",
      "This frame has", "allocated by", "=>0x", "Aborted", "======", "rax ", "rip ", "x0 ", "r8 ",
    ] where line.has(start, at: 0) {
      return true
    }
    return false
  }
}
