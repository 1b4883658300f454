// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Logs of supercomputers as they are published: Blue Gene/L and Thunderbird (`LABEL EPOCH DATE NODE
/// …`), and the state changes of HPC clusters (`ID NODE COMPONENT STATE EPOCH FLAG text`).
enum SupercomputerFormat: LogFormat {
  static let info = FormatInfo(
    name: "supercomputer", family: "hpc",
    summary: "Blue Gene/L, Thunderbird and other clusters: an epoch among the first words",
    example: "- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond[2915]: session closed")

  /// Where the parts lie; indices into the line, an end of 0 for none.
  private struct Header {
    var stamp = Stamp()
    var nodeStart = 0
    var nodeEnd = 0
    var processStart = 0
    var processEnd = 0
    var pid: Int64 = -1
    var scopeStart = 0
    var scopeEnd = 0
    var levelStart = 0
    var levelEnd = 0
    var bodyStart = 0
  }

  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    line.at(0).isDigit ? readState(line, &header) : readAlert(line, &header)
  }

  /// The label is `-`, or the name of an alert in capitals.
  private static func readAlert(_ line: Line, _ header: inout Header) -> Bool {
    let label = line.slice(0, min(line.count, 40)).skipToken(0)
    let epoch = label + 1
    let date = epoch + 11
    guard label > 0, line.at(0) == Byte.dash ? label == 1 : line.at(0).isUpper,
      line.skipDigits(epoch) == epoch + 10, line.at(date - 1) == Byte.space,
      line.at(date + 4) == Byte.dot, line.at(date + 7) == Byte.dot,
      line.at(date + 10) == Byte.space,
      EpochTime.scan(line, epoch, epoch + 10, into: &header.stamp)
    else { return false }
    header.nodeStart = date + 11
    header.nodeEnd = line.skipToken(header.nodeStart)
    let inner = line.skipBlanks(header.nodeEnd)
    header.bodyStart = inner
    var own = Stamp()
    if line.at(inner).isDigit, StampScanner.iso(line, at: inner, into: &own) {
      // The same moment with its fraction, in the machine's own zone.
      header.stamp.nanosecond = own.nanosecond
      readBlueGene(line, own.end, &header)
    } else if StampScanner.scan(line, at: inner, into: &own) {
      readSyslog(line, own.end, &header)
    }
    return true
  }

  /// `NODE TYPE COMPONENT LEVEL text`.
  private static func readBlueGene(_ line: Line, _ start: Int, _ header: inout Header) {
    let node = line.skipBlanks(start)
    let type = line.skipBlanks(line.skipToken(node))
    let component = line.skipBlanks(line.skipToken(type))
    let level = line.skipBlanks(line.skipToken(component))
    let levelEnd = line.skipToken(level)
    guard levelEnd > level else { return }
    (header.scopeStart, header.scopeEnd) = (component, line.skipToken(component))
    (header.levelStart, header.levelEnd) = (level, levelEnd)
    header.bodyStart = line.afterBlank(levelEnd)
  }

  /// `host/host process[pid]: text`.
  private static func readSyslog(_ line: Line, _ start: Int, _ header: inout Header) {
    let process = line.skipBlanks(line.skipToken(line.skipBlanks(start)))
    var end = process
    while end < line.count, !line[end].isBlank, line[end] != Byte.openBracket,
      line[end] != Byte.colon
    {
      end += 1
    }
    var colon = end
    if line.at(end) == Byte.openBracket, let close = line.index(of: Byte.closeBracket, from: end) {
      header.pid = line.decimal(end + 1, close) ?? -1
      colon = close + 1
    }
    header.bodyStart = process
    guard end > process, line.at(colon) == Byte.colon else { return }
    (header.processStart, header.processEnd) = (process, end)
    header.bodyStart = line.afterBlank(colon + 1)
  }

  /// `ID NODE COMPONENT STATE EPOCH FLAG text`.
  private static func readState(_ line: Line, _ header: inout Header) -> Bool {
    let id = line.skipDigits(0)
    guard id <= 9, line.at(id) == Byte.space, line.at(id + 1).isWord else { return false }
    var ends: [Int] = []
    var index = id + 1
    for _ in 0..<3 {
      let end = line.skipToken(index)
      guard end > index, line.at(end) == Byte.space else { return false }
      ends.append(end)
      index = end + 1
    }
    let epochEnd = line.skipDigits(index)
    let flagEnd = line.skipDigits(epochEnd + 1)
    guard epochEnd == index + 10, line.at(epochEnd) == Byte.space, flagEnd > epochEnd + 1,
      line.at(flagEnd) == Byte.space, EpochTime.scan(line, index, epochEnd, into: &header.stamp)
    else { return false }
    (header.nodeStart, header.nodeEnd) = (id + 1, ends[0])
    (header.scopeStart, header.scopeEnd) = (ends[0] + 1, ends[1])
    header.bodyStart = flagEnd + 1
    return true
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes.slice(0, text.bytes.firstLineEnd)
    var header = Header()
    guard read(line, &header) else { return false }
    if !clock.set(header.stamp, from: line, of: &record) { clock.inherit(&record) }
    record.pid = header.pid
    record.process = text.slice(header.processStart, header.processEnd)
    record.scope = text.slice(header.scopeStart, header.scopeEnd)
    if header.levelEnd > 0 {
      record.severityText = text.slice(header.levelStart, header.levelEnd)
      record.severity =
        LevelWords.severity(of: line.slice(header.levelStart, header.levelEnd)) ?? .unspecified
    }
    var writer = JSONWriter(text)
    writer.member("host.name", text: text.slice(header.nodeStart, header.nodeEnd))
    if !line.at(0).isDigit, line[0] != Byte.dash {
      writer.member("alert", text: text.slice(0, line.skipToken(0)))
    }
    record.attributes = writer.finish(text)
    text.setBody(min(header.bodyStart, text.count), text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "R_HDA_NR 1131566479 2005.11.09 dn596 Nov 9 12:01:19 dn596/dn596 sshd(pam_unix)[31]: no key",
      time: "2005-11-09T20:01:19Z", process: "sshd(pam_unix)", pid: 31, body: "no key",
      attributes: #"{"host.name":"dn596","alert":"R_HDA_NR"}"#),
    FormatSample(
      "- 1117838570 2005.06.03 R02-M1 2005-06-03-15.42.50.675872 R02-M1 RAS KERNEL FATAL TLB error",
      time: "2005-06-03T22:42:50.675872Z", severity: 21, severityText: "FATAL", scope: "KERNEL",
      body: "TLB error", attributes: #"{"host.name":"R02-M1"}"#),
    FormatSample(
      "134681 node-246 unix.hw state_change.unavailable 1077804742 1 Component State Change",
      time: "2004-02-26T14:12:22Z", scope: "unix.hw", body: "Component State Change",
      attributes: #"{"host.name":"node-246"}"#),
  ]
}
