// SPDX-License-Identifier: Apache-2.0

/// Lines of which the time is not the first column, of programs that write columns.
extension TimestampedFormat {
  /// `ID,MM/dd/yy,HH:mm:ss,text` of Windows' DHCP server, whose dates have the month first in every
  /// country.
  static func findTimeOfLease(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    let date = line.skipDigits(start) + 1
    guard date - start <= 6, line.at(date - 1) == Byte.comma, line.has(",", at: date + 8),
      line.at(date + 2) == Byte.slash, line.at(date + 5) == Byte.slash, line.count > date + 16,
      line.two(date + 6) < 100, line.at(date + 17) == Byte.comma,
      StampScanner.timeOfDay(line, at: date + 9, into: &lead.stamp)
    else { return false }
    (lead.stamp.month, lead.stamp.day) = (line.two(date), line.two(date + 3))
    lead.stamp.year = 2000 + line.two(date + 6)
    (lead.stamp.shape, lead.stamp.zone) = (.full, .absent)
    lead.stamp.close()
    lead.end = start
    return true
  }

  /// `UUID time` of FreeSWITCH, which puts a call's id first.
  static func findTimeOfSession(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    guard line.at(start + 8) == Byte.dash, line.at(start + 23) == Byte.dash,
      line.at(start + 36) == Byte.space, line.at(start + 37).isDigit,
      StampScanner.iso(line, at: start + 37, into: &lead.stamp), lead.stamp.shape == .full
    else { return false }
    (lead.threadStart, lead.threadEnd) = (start, start + 36)
    lead.end = lead.stamp.end
    return true
  }

  /// `addresses | protocol | id | user | time | …` of Bitbucket's access log, and
  /// `addresses | event | user | milliseconds | …` of its audit log.
  static func findTimeBehindBars(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    let end = min(line.firstLineEnd, start + 400)
    var index = start
    for column in 1...4 {
      guard let bar = line.slice(0, end).index(of: " | ", from: index), bar > index else {
        return false
      }
      index = bar + 3
      guard line.at(index).isDigit, column >= 3 else { continue }
      let isEpoch = column == 3 && line.skipDigits(index) == index + 13
      guard isEpoch || column == 4,
        StampScanner.scan(line.slice(0, end), at: index, into: &lead.stamp),
        line.has(" | ", at: lead.stamp.end)
      else { continue }
      lead.end = start
      // The milliseconds of the one are as much a time of their own as the date of the other.
      return lead.stamp.shape == (isEpoch ? .epoch : .full)
    }
    return false
  }

  /// `printer user job [dd/MMM/yyyy:HH:mm:ss ±hhmm] …` of CUPS' pages, behind the printer's name.
  static func findTimeOfJob(_ line: Line, _ start: Int, _ end: Int, _ lead: inout Lead) -> Bool {
    let job = line.skipToken(end + 1) + 1
    let bracket = line.skipDigits(job) + 1
    guard bracket > job + 1, line.at(bracket) == Byte.openBracket,
      line.at(bracket + 3) == Byte.slash,
      StampScanner.dayFirst(line, at: bracket + 1, into: &lead.stamp),
      line.has("] ", at: lead.stamp.end)
    else { return false }
    lead.end = start
    return true
  }

  /// `ssssssss.nnnnnnnn 0xthread` in hexadecimal digits, as OpenLDAP's slapd has it since 2.5.
  static func findHexadecimalTime(
    _ line: Line, _ start: Int, _ lead: inout Lead
  ) -> Bool {
    guard line.at(start + 8) == Byte.dot, line.has(" 0x", at: start + 17),
      line.skipHexDigits(start) == start + 8, line.skipHexDigits(start + 9) == start + 17,
      let seconds = line.hexadecimal(start, start + 8),
      let nanoseconds = line.hexadecimal(start + 9, start + 17), nanoseconds < 1_000_000_000
    else { return false }
    (lead.stamp.shape, lead.stamp.zone, lead.stamp.offset) = (.full, .offset, 0)
    (lead.stamp.seconds, lead.stamp.nanosecond) = (seconds, Int(nanoseconds))
    lead.stamp.isValid = true
    lead.stamp.end = start + 17
    lead.end = min(line.count, line.skipToken(start + 18))
    (lead.threadStart, lead.threadEnd) = (start + 18, lead.end)
    return true
  }

  /// `VMID LOGID CHAIN dd/MMM/yyyy:HH:mm:ss ±hhmm` of Proxmox VE's firewall.
  static func findTimeAfterChain(
    _ line: Line, _ start: Int, _ lead: inout Lead
  ) -> Bool {
    let guest = line.skipDigits(start)
    let chain = guest + 3
    let time = line.slice(0, min(line.count, chain + 40)).skipToken(chain) + 1
    guard line.at(guest) == Byte.space, line.at(guest + 1).isDigit,
      line.at(guest + 2) == Byte.space, line.at(chain).isLetter, line.at(time + 2) == Byte.slash,
      line.at(time + 11) == Byte.colon, isWholeTime(line, at: time, &lead)
    else { return false }
    return lead.stamp.zone == .offset
  }
}
