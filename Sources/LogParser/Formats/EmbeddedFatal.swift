// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Last words of a dying process in whatever stream they reach: the Swift runtime, assertions, the
/// C library, C++ and the sanitizers. They have no time; the lines of their stacks follow.
enum EmbeddedFatal: LogFormat {
  static let info = FormatInfo(
    name: "fatal-error", family: "runtime",
    summary: "Swift runtime errors, assertions, C library aborts, C++ terminate, sanitizers",
    example: "Shop/Cart.swift:42: Fatal error: Index out of range")

  /// What was recognised: indices into the text; an end of 0 means that there is none.
  struct Match {
    var severity = Severity.fatal
    /// The name for `exception.type` when it is one of ours.
    var type: StaticString = ""
    var typeStart = 0
    var typeEnd = 0
    var messageStart = 0
    var messageEnd = 0
    var fileStart = 0
    var fileEnd = 0
    var line: Int64 = -1
    var functionStart = 0
    var functionEnd = 0
    var processEnd = 0
    var pid: Int64 = -1
    /// The message is what stands between the first line and the stack.
    var hasMessageBelow = false
    /// The program that a shell names.
    var programStart = 0
    var programEnd = 0
    /// A shell says that some process died, as that may have said itself.
    var isHearsay = false
  }

  /// Whether the line is the first of such a text.
  static func begins(_ line: Line) -> Bool {
    var match = Match()
    return find(line, &match)
  }

  static func find(_ line: Line, _ match: inout Match) -> Bool {
    guard line.count > 8 else { return false }
    if mayBegin(line[0]),
      SwiftRuntimeError.findAtStart(line, &match) || AbortText.find(line, &match)
        || EmbeddedSanitizer.findAtStart(line, &match) || UncaughtException.find(line, &match)
        || RuntimePanic.find(line, &match) || ShellDeath.find(line, &match)
    {
      return true
    }
    // All others name a place first.
    guard line.index(of: Byte.colon, from: 0) != nil else { return false }
    return SwiftRuntimeError.findAfterPlace(line, &match) || AbortText.findAssertion(line, &match)
      || EmbeddedSanitizer.findAfterPlace(line, &match) || ShellDeath.findAfterPlace(line, &match)
  }

  /// The first bytes of the texts that do not begin with a place.
  private static func mayBegin(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "="), UInt8(ascii: "A"), UInt8(ascii: "C"),
      UInt8(ascii: "E"), UInt8(ascii: "F"), UInt8(ascii: "P"), UInt8(ascii: "S"), UInt8(ascii: "T"),
      UInt8(ascii: "W"), UInt8(ascii: "c"), UInt8(ascii: "d"), UInt8(ascii: "f"),
      UInt8(ascii: "B"), UInt8(ascii: "I"), UInt8(ascii: "O"), UInt8(ascii: "l"), UInt8(ascii: "m"),
      UInt8(ascii: "p"),
      UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      true
    default: false
    }
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    // NSLog and others put a time and a process before the runtime's words.
    if line.at(0).isDigit, TimestampedFormat.fits(line) {
      return TimestampedFormat.parse(text, &clock, &record)
    }
    var match = Match()
    guard find(line.slice(0, line.firstLineEnd), &match) else { return false }
    clock.inherit(&record)
    let end = messageEnd(line)
    record.body = text.slice(0, end)
    fill(&record, match, Text(record.body, in: text.arena), from: 0)
    if end < text.count {
      record.original = text.slice(0, text.count)
      record.flags.add(.hasParts)
    }
    return true
  }

  /// Adds what the body of an already parsed record says about the end of its process: system logs
  /// put their own header before the runtime's words.
  static func annotate(_ record: inout LogRecord, _ arena: ByteArena) {
    let body = Text(record.body, in: arena)
    var match = Match()
    guard find(body.bytes.slice(0, body.bytes.firstLineEnd), &match) else { return }
    match.processEnd = 0
    fill(&record, match, body, from: 0)
  }

  private static func fill(
    _ record: inout LogRecord, _ match: Match, _ text: Text, from: Int
  ) {
    var match = match
    record.severity = match.severity
    if match.severity == .fatal, !match.isHearsay { record.flags.add(.lastWords) }
    if match.processEnd > 0 { record.process = text.slice(0, match.processEnd) }
    if match.pid >= 0 { record.pid = match.pid }
    let stack = stackStart(text.bytes, match)
    var writer = JSONWriter(text, after: record.attributes)
    if match.typeEnd > 0 {
      writer.member("exception.type", text: text.slice(match.typeStart, match.typeEnd))
    } else {
      writer.member("exception.type", constant: match.type)
    }
    var messageEnd = match.messageEnd
    if messageEnd == text.bytes.firstLineEnd { messageEnd = min(stack, text.count) }
    if match.hasMessageBelow, match.messageEnd == 0 {
      match.messageStart = min(text.bytes.firstLineEnd + 1, text.count)
      messageEnd = stack
    }
    while messageEnd > match.messageStart, text.bytes[messageEnd - 1] == Byte.newline {
      messageEnd -= 1
    }
    if messageEnd > match.messageStart {
      writer.member("exception.message", text: text.slice(match.messageStart, messageEnd))
    }
    if stack < text.count {
      writer.member("exception.stacktrace", text: text.slice(stack + 1, text.count))
    }
    if match.fileEnd == 0, stack < text.count { StackPlace.find(text.bytes, from: stack, &match) }
    if match.fileEnd > 0 {
      writer.member("code.file.path", text: text.slice(match.fileStart, match.fileEnd))
    }
    if match.line >= 0 { writer.member("code.line.number", number: match.line) }
    if match.programEnd > 0 {
      writer.member(
        "process.executable.name", text: text.slice(match.programStart, match.programEnd))
    }
    if match.functionEnd > 0 {
      writer.member("code.function.name", text: text.slice(match.functionStart, match.functionEnd))
    }
    record.attributes = writer.finish(text)
  }

  /// The index of the newline before the stack, or the end of the text.
  private static func stackStart(_ text: Line, _ match: Match) -> Int {
    var index = text.firstLineEnd
    while index < text.count {
      if text.has("\nCurrent stack trace:", at: index) || text.has("\n*** ", at: index)
        || text.has("\n    #0 ", at: index) || text.has("\ngoroutine ", at: index)
        || text.has("\n\ngoroutine ", at: index) || text.has("\nstack backtrace:", at: index)
        || text.has("\nnote: run with ", at: index) || text.has("\n  what(): ", at: index)
      {
        return index
      }
      index = text.index(of: Byte.newline, from: index + 1) ?? text.count
    }
    return text.count
  }

  static let samples = [
    FormatSample(
      "Shop/Cart.swift:42: Fatal error: Index out of range\nCurrent stack trace:\n0    x 0x1 y",
      severity: 21,
      body:
        "Shop/Cart.swift:42: Fatal error: Index out of range\nCurrent stack trace:\n0    x 0x1 y",
      attributes: #"{"exception.type":"Fatal error","exception.message":"Index out of range","#
        + #""exception.stacktrace":"Current stack trace:\n0    x 0x1 y","#
        + #""code.file.path":"Shop/Cart.swift","code.line.number":42}"#),
    FormatSample(
      "Fatal error: a: b: file /src/x.swift, line 7", severity: 21,
      body: "Fatal error: a: b: file /src/x.swift, line 7",
      attributes: #"{"exception.type":"Fatal error","exception.message":"a: b","#
        + #""code.file.path":"/src/x.swift","code.line.number":7}"#),
    FormatSample(
      "SWIFT TASK CONTINUATION MISUSE: main() leaked its continuation without resuming it.",
      severity: 13,
      body: "SWIFT TASK CONTINUATION MISUSE: main() leaked its continuation without resuming it.",
      attributes: #"{"exception.type":"Swift task continuation misuse","#
        + #""exception.message":"main() leaked its continuation without resuming it."}"#),
    FormatSample(
      "shopd: src/cart.c:19: add: Assertion `n > 0' failed.", severity: 21, process: "shopd",
      body: "shopd: src/cart.c:19: add: Assertion `n > 0' failed.",
      attributes: #"{"exception.type":"Assertion failed","exception.message":"n > 0","#
        + #""code.file.path":"src/cart.c","code.line.number":19,"code.function.name":"add"}"#),
    FormatSample(
      "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no disk",
      severity: 21,
      body:
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no disk",
      attributes: #"{"exception.type":"std::runtime_error","#
        + #""exception.stacktrace":"  what():  no disk"}"#),
    FormatSample(
      "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n"
        + "*** First throw call stack:\n(\n\t0   CoreFoundation  0x01 raise + 1\n)",
      severity: 21,
      body: "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n"
        + "*** First throw call stack:\n(\n\t0   CoreFoundation  0x01 raise + 1\n)",
      attributes: #"{"exception.type":"NSRangeException","exception.message":"beyond","#
        + #""exception.stacktrace":"*** First throw call stack:\n(\n\t0   CoreFoundation  0x01 "#
        + #"raise + 1\n)"}"#),
    FormatSample(
      "double free or corruption (!prev)", severity: 21, body: "double free or corruption (!prev)",
      attributes: #"{"exception.type":"abort","#
        + #""exception.message":"double free or corruption (!prev)"}"#),
    FormatSample(
      "==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2", severity: 21,
      pid: 4242,
      body: "==4242==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2",
      attributes: #"{"exception.type":"AddressSanitizer","#
        + #""exception.message":"heap-use-after-free on address 0x1 at pc 0x2"}"#),
    FormatSample(
      "panic: no disk\n\ngoroutine 4 [running]:\nmain.main()\n\t/a.go:6 +0x39", severity: 21,
      body: "panic: no disk\n\ngoroutine 4 [running]:\nmain.main()\n\t/a.go:6 +0x39",
      attributes: #"{"exception.type":"panic","exception.message":"no disk","#
        + #""exception.stacktrace":"\ngoroutine 4 [running]:\nmain.main()\n\t/a.go:6 +0x39"}"#),
    FormatSample(
      "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nnote: run with `X`",
      severity: 21,
      body: "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nnote: run with `X`",
      attributes: #"{"exception.type":"panic","exception.message":"index out of bounds","#
        + #""exception.stacktrace":"note: run with `X`","code.file.path":"src/main.rs","#
        + #""code.line.number":2}"#),
    FormatSample(
      "./nightly.sh: line 7:  4242 Segmentation fault      (core dumped) ./bin/shop -x",
      severity: 21, pid: 4242,
      body: "./nightly.sh: line 7:  4242 Segmentation fault      (core dumped) ./bin/shop -x",
      attributes: #"{"exception.type":"SIGSEGV","exception.message":"Segmentation fault","#
        + #""process.executable.name":"shop"}"#),
    FormatSample(
      "src/a.c:3:9: runtime error: signed integer overflow", severity: 17,
      body: "src/a.c:3:9: runtime error: signed integer overflow",
      attributes: #"{"exception.type":"UndefinedBehaviorSanitizer","#
        + #""exception.message":"signed integer overflow","code.file.path":"src/a.c","#
        + #""code.line.number":3}"#),
  ]
}
