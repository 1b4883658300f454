// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Where the parts of a record's header lie, and its time.
protocol RecordHeader {
  var stamp: Stamp { get }
  init()
}

/// A format whose records begin with a header that one function reads: by it a line is recognised,
/// and a record is read.
protocol HeaderFormat: LogFormat {
  associatedtype Header: RecordHeader

  /// Reads the header of `line`; false when it has none.
  static func read(_ line: Line, _ header: inout Header) -> Bool

  /// Fills everything but the time, which is set.
  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text)
}

extension HeaderFormat {
  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var header = Header()
    guard read(text.bytes, &header) else { return false }
    if !clock.set(header.stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    fill(&record, header, text)
    return true
  }
}
