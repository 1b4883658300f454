// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What the C library and the C++ runtime print before they abort.
enum AbortText {
  static func find(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    terminate(line, &match) || abort(line, &match) || otherAssertion(line, &match)
  }

  private static func terminate(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    if line.has("terminate called ", at: 0) {
      match.type = "terminate"
      if line.has("after throwing an instance of '", at: 17),
        let end = line.index(of: UInt8(ascii: "'"), from: 48)
      {
        (match.typeStart, match.typeEnd) = (48, end)
      } else {
        match.messageEnd = line.count
      }
      return true
    }
    if line.has("libc++abi: terminating ", at: 0)
      || line.has("libc++abi.dylib: terminating ", at: 0)
    {
      match.type = "terminate"
      let end = line.count
      if let type = line.index(of: "exception of type ", from: 0) {
        let start = type + 18
        let stop = Self.typeEnd(line, start)
        (match.typeStart, match.typeEnd) = (start, stop)
        (match.messageStart, match.messageEnd) = (line.afterBlank(stop + 1), end)
      } else {
        (match.messageStart, match.messageEnd) = (11, end)
      }
      return true
    }
    guard line.isEqual("pure virtual method called") else { return false }
    match.type = "terminate"
    match.messageEnd = line.count
    return true
  }

  /// The end of a C++ type's name: the first colon that is not half of `::`.
  private static func typeEnd(_ line: Line, _ start: Int) -> Int {
    var index = start
    while index < line.count {
      if line[index] == Byte.colon {
        guard line.at(index + 1) == Byte.colon else { return index }
        index += 1
      }
      index += 1
    }
    return line.count
  }

  private static func abort(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    for start: StaticString in [
      "*** stack smashing detected ***", "*** buffer overflow detected ***",
      "*** longjmp causes uninitialized stack frame ***", "*** Error in `",
      "*** Program crashed: ", "*** bit out of range 0 - FD_SETSIZE on fd_set ***",
      "double free or corruption", "free(): invalid ", "free(): double free detected",
      "free(): corrupted ", "malloc(): ", "malloc_consolidate(): ", "corrupted size vs. prev_size",
      "corrupted double-linked list", "munmap_chunk(): invalid pointer", "realloc(): invalid ",
      "corrupted unsorted chunks", "tcache_thread_shutdown(): ", "Fatal glibc error: ",
      "BUG IN CLIENT OF LIB",
    ] where line.has(start, at: 0) {
      match.type = "abort"
      match.messageEnd = line.count
      return true
    }
    return false
  }

  /// glibc's ``PROG: FILE:LINE: FUNC: Assertion `EXPR' failed.``
  static func findAssertion(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    guard line.count > 30, line[line.count - 1] == Byte.dot,
      line.has("' failed.", at: line.count - 9),
      let start = line.index(of: "Assertion `", from: 0)
    else { return false }
    match.type = "Assertion failed"
    (match.messageStart, match.messageEnd) = (start + 11, line.count - 9)
    var from = 0
    if let colon = line.index(of: ": ", from: 0), !line.at(colon - 1).isDigit || colon < 4,
      colon + 2 < start
    {
      match.processEnd = colon
      from = colon + 2
    }
    var colon = from
    while let found = line.index(of: Byte.colon, from: colon), found < start {
      let digits = line.skipDigits(found + 1)
      if digits > found + 1, line.has(": ", at: digits) {
        (match.fileStart, match.fileEnd) = (from, found)
        match.line = line.decimal(found + 1, digits) ?? -1
        if start - 2 > digits + 2, line.has(": ", at: start - 2) {
          (match.functionStart, match.functionEnd) = (digits + 2, start - 2)
        }
        break
      }
      colon = found + 1
    }
    return true
  }

  /// Apple's `(EXPR), function F, file X, line N.` and musl's `EXPR (FILE: FUNC: LINE)`.
  private static func otherAssertion(
    _ line: Line, _ match: inout EmbeddedFatal.Match
  ) -> Bool {
    guard line.has("Assertion failed: ", at: 0) else { return false }
    match.type = "Assertion failed"
    (match.messageStart, match.messageEnd) = (18, line.count)
    if let function = line.index(of: ", function ", from: 18),
      let file = line.index(of: ", file ", from: function),
      let number = line.index(of: ", line ", from: file)
    {
      match.messageEnd = function
      (match.functionStart, match.functionEnd) = (function + 11, file)
      (match.fileStart, match.fileEnd) = (file + 7, number)
      match.line = line.decimal(number + 7, line.skipDigits(number + 7)) ?? -1
    }
    return true
  }
}
