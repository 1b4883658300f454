// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// `LOG5[thread]: text` and, to version 4, `LOG5[pid:thread]: text` of stunnel: the digit is syslog's
/// number of the level.
struct StunnelLevel {
  var severity: Severity
  var pid: Int64 = -1
  var thread: Int64 = -1
  /// The index behind the colon.
  var end: Int

  @inline(__always)
  static func read(_ line: Line, _ start: Int) -> StunnelLevel? {
    guard line.at(start) == UInt8(ascii: "L"), line.has("LOG", at: start),
      line.at(start + 3) &- Byte.zero < 8, line.at(start + 4) == Byte.openBracket,
      let close = line.slice(0, Swift.min(line.count, start + 48)).index(of: "]:", from: start)
    else { return nil }
    let severity = LevelWords.severity(ofSyslog: Int(line[start + 3] - Byte.zero))
    var found = StunnelLevel(severity: severity, end: close + 2)
    let digits = line.skipDigits(start + 5)
    if line.at(digits) == Byte.colon {
      found.pid = line.decimal(start + 5, digits) ?? -1
      found.thread = line.decimal(digits + 1, close) ?? -1
    } else {
      found.thread = line.decimal(start + 5, close) ?? -1
    }
    return found
  }
}
