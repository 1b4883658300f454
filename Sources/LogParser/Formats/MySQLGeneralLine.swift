// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A line of the general query log of MySQL and MariaDB: `time⇥ id Command⇥argument`. Servers to
/// 5.6, and MariaDB's, print the time only when the second changes; two tabs take its place.
struct MySQLGeneralLine {
  var stamp = Stamp()
  var hasTime = false
  /// The connection's number.
  var id = 0..<0
  /// Where the command begins, which with its argument is the message.
  var command = 0

  /// The commands as the server names them, the commonest first.
  private static let commands: [StaticString] = [
    "Query", "Connect", "Quit", "Init DB", "Prepare", "Execute", "Close stmt", "Field List",
    "Statistics", "Ping", "Binlog Dump", "Register Slave", "Change user", "Reset stmt", "Fetch",
    "Long Data", "Set option", "Kill", "Refresh", "Shutdown", "Daemon", "Processlist",
    "Create DB", "Drop DB", "Delayed insert", "Reset connection",
  ]

  static func read(_ line: Line) -> MySQLGeneralLine? {
    var found = MySQLGeneralLine()
    var index = 2
    var isFilled = true
    if !line.has("\t\t", at: 0) {
      guard line.at(0).isDigit else { return nil }
      isFilled = StampScanner.compactDate(line, at: 0, into: &found.stamp)
      guard isFilled || StampScanner.iso(line, at: 0, into: &found.stamp) else { return nil }
      found.hasTime = true
      index = found.stamp.end
    }
    let id = line.skipBlanks(index)
    let end = line.skipDigits(id)
    guard id > index || !found.hasTime, end > id, end - id < 12, line.at(end) == Byte.space else {
      return nil
    }
    found.id = id..<end
    found.command = end + 1
    for name in commands where line.has(name, at: end + 1) {
      let next = end + 1 + name.utf8CodeUnitCount
      // Servers to 5.1 fill the column with blanks.
      guard
        line.at(next) == 0x09 || isFilled && line.has("  ", at: next) || next >= line.firstLineEnd
      else { continue }
      return found
    }
    return nil
  }

  /// Writes the line, which begins at `start`, to `record`.
  func fill(_ record: inout LogRecord, _ text: Text, _ start: Int, _ clock: inout Clock) {
    let line = text.bytes.slice(start, text.count)
    if !hasTime || !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    text.setBody(start + command, text.count, of: &record)
    var writer = JSONWriter(text)
    writer.member(
      "mysql.thread_id", rawValue: text.slice(start + id.lowerBound, start + id.upperBound))
    record.attributes = writer.finish(text)
  }
}
