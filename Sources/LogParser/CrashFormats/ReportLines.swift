// SPDX-License-Identifier: Apache-2.0

/// The lines of a text report, found once and decoded one at a time.
struct ReportLines {
  private let bytes: [UInt8]
  /// Where each line's text lies, without its end (`\n` or `\r\n`).
  let ranges: [Range<Int>]

  init(_ bytes: [UInt8]) {
    var ranges: [Range<Int>] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      let hasReturn = end > start && bytes[end - 1] == 0x0D
      ranges.append(start..<(hasReturn ? end - 1 : end))
      start = end + 1
    }
    self.bytes = bytes
    self.ranges = ranges
  }

  var count: Int { ranges.count }

  /// The line's text, of at most 8 KiB: no line of a report that tells something is longer.
  subscript(index: Int) -> String {
    String(decoding: bytes[ranges[index]].prefix(8192), as: UTF8.self)
  }

  /// Where the line at `index` begins; the end of the text when there is none.
  func start(of index: Int) -> Int {
    index < ranges.count ? ranges[index].lowerBound : bytes.count
  }
}
