// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Linux says of a process that it ends: `shop[99]: segfault at 0 ip …`,
/// `traps: shop[99] trap invalid opcode ip:…`, `Out of memory: Killed process 99 (shop) …`.
enum KernelDeath {
  /// A process that died, as indices into the text.
  struct Victim {
    var nameStart = 0
    var nameEnd = 0
    var pid: Int64 = -1
    var type: StaticString = ""
    var messageStart = 0
  }

  static func find(_ line: Line) -> Victim? {
    var start = 0
    // `[12345.678901] `, as the ring buffer has it.
    if line.at(0) == UInt8(ascii: "["), let close = line.index(of: UInt8(ascii: "]"), from: 0),
      close < 24
    {
      start = line.afterBlank(close + 1)
    }
    return killed(line, start) ?? fault(line, start)
  }

  private static func killed(_ line: Line, _ start: Int) -> Victim? {
    guard
      line.has("Out of memory: Kill", at: start)
        || line.has("Memory cgroup out of memory: Kill", at: start)
    else { return nil }
    guard let process = line.index(of: " process ", from: start) else { return nil }
    let digits = line.skipDigits(process + 9)
    guard let pid = line.decimal(process + 9, digits), line.has(" (", at: digits),
      let close = line.index(of: UInt8(ascii: ")"), from: digits)
    else { return nil }
    return Victim(
      nameStart: digits + 2, nameEnd: close, pid: pid, type: "out of memory", messageStart: start)
  }

  private static func fault(_ line: Line, _ start: Int) -> Victim? {
    let isTrap = line.has("traps: ", at: start)
    let nameStart = isTrap ? start + 7 : start
    guard let open = line.index(of: UInt8(ascii: "["), from: nameStart), open > nameStart,
      open - nameStart < 16
    else { return nil }
    let digits = line.skipDigits(open + 1)
    guard let pid = line.decimal(open + 1, digits), line.at(digits) == UInt8(ascii: "]") else {
      return nil
    }
    var victim = Victim(nameStart: nameStart, nameEnd: open, pid: pid, messageStart: start)
    if line.has(": segfault at ", at: digits + 1) {
      victim.type = "SIGSEGV"
    } else if isTrap {
      let rest = digits + 1
      if line.has(" trap invalid opcode", at: rest) {
        victim.type = "SIGILL"
      } else if line.has(" trap int3", at: rest) {
        victim.type = "SIGTRAP"
      } else if line.has(" trap divide error", at: rest) {
        victim.type = "SIGFPE"
      } else if line.has(" general protection", at: rest) {
        victim.type = "SIGSEGV"
      } else {
        return nil
      }
    } else {
      return nil
    }
    return victim
  }

  /// Whether the line tells of a death.
  static func begins(_ line: Line) -> Bool { line.count > 20 && find(line) != nil }

  /// Adds to a record of the kernel's which process died of what.
  static func annotate(_ record: inout LogRecord, _ arena: ByteArena) {
    let body = Text(record.body, in: arena)
    let line = body.bytes.slice(0, body.bytes.firstLineEnd)
    guard line.count > 20, let victim = find(line) else { return }
    record.severity = .fatal
    record.flags.add(.severityDerived)
    record.flags.add(.lastWords)
    var writer = JSONWriter(body, after: record.attributes)
    writer.member("exception.type", constant: victim.type)
    writer.member("exception.message", text: body.slice(victim.messageStart, line.count))
    writer.member(
      "process.executable.name", text: body.slice(victim.nameStart, victim.nameEnd))
    writer.member("process.pid", number: victim.pid)
    record.attributes = writer.finish(body)
  }
}
