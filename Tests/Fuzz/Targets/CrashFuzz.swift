// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser

/// Made-up crash reports.
enum CrashFuzz {
  private static let modified = Timestamp(nanoseconds: 1_796_000_000_000_000_000)

  static func failure(_ bytes: [UInt8], format: String) -> String? {
    let reports = CrashReportParser.parse(bytes, name: "report-77", modified: modified, as: format)
    if reports.count > 10_000 { return "\(reports.count) reports" }
    for report in reports {
      if report.frames.count > CrashReportParser.maxFrames {
        return "\(report.frames.count) frames"
      }
      if report.fingerprint.isEmpty { return "no fingerprint" }
      if let range = report.byteRange, range.upperBound > bytes.count { return "a range outside" }
    }
    _ = CrashReportParser.isComplete(bytes, format: format)
    _ = bytes.withUnsafeBufferPointer { CrashReportParser.recognise(head: $0, name: "x") }
    return nil
  }

  static func jsonFailure(_ bytes: [UInt8]) -> String? {
    let tree = JSONTree(bytes)
    if let offset = tree.breakOffset, offset > bytes.count { return "it breaks behind its end" }
    guard let root = tree.root else { return nil }
    var left = 100_000
    walk(root, depth: 0, &left)
    return nil
  }

  private static func walk(_ value: JSONValue, depth: Int, _ left: inout Int) {
    guard left > 0, depth < 600 else { return }
    left -= 1
    _ = (value.string, value.double, value.int, value.address, value.bool, value.scalarText)
    for element in value.elements { walk(element, depth: depth + 1, &left) }
    var members: [JSONValue] = []
    value.forEachMember { _, member in members.append(member) }
    for member in members { walk(member, depth: depth + 1, &left) }
  }

  static func seeds(_ format: String) -> [[UInt8]] {
    let texts: [String] =
      switch format {
      case "kscrash":
        [
          #"{"report":{"version":"3.3.0","id":"A","timestamp":1740840600,"process_name":"a"},"system":"#
            + #"{"process_id":7},"crash":{"error":{"type":"signal","signal":{"signal":11,"name":"SIGSEGV"}},"#
            + #""threads":[{"index":0,"crashed":true,"backtrace":{"contents":[{"instruction_addr":4096,"#
            + #""symbol_name":"main","symbol_addr":4090,"object_name":"a"}]}}]},"binary_images":[]}"#
        ]
      case "apple-ips":
        [
          #"{"app_name":"a","bug_type":"309","timestamp":"2026-03-01 10:00:00.00 +0100"}"# + "\n"
            + #"{"pid":7,"procName":"a","captureTime":"2026-03-01 10:00:00.1 +0100","faultingThread":0,"#
            + #""exception":{"type":"EXC_CRASH","signal":"SIGABRT"},"threads":[{"triggered":true,"frames":"#
            + #"[{"imageIndex":0,"imageOffset":16,"symbol":"main"}]}],"usedImages":[{"name":"a","base":4096}]}"#
        ]
      case "swift-backtrace-json":
        [
          #"{"timestamp":"2026-03-01T10:00:00Z","kind":"crashReport","description":"Illegal instruction","#
            + #""faultAddress":"0x1","threads":[{"crashed":true,"frames":[{"kind":"programCounter","#
            + #""address":"0x1","symbol":"$s1a1bV","image":"a"}]}],"images":[{"name":"a"}]}"#
        ]
      case "minidump": []
      default: []
      }
    let magic: [UInt8] =
      switch format {
      case "minidump":
        Array("MDMP".utf8) + [0x93, 0xa7, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0]
          + [UInt8](repeating: 0, count: 16) + [6, 0, 0, 0, 168, 0, 0, 0, 44, 0, 0, 0]
          + [UInt8](repeating: 1, count: 168)
      case "elf-core":
        [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 8) + [
          4, 0, 62, 0, 1, 0, 0, 0,
        ]
          + [UInt8](repeating: 0, count: 8) + [64] + [UInt8](repeating: 0, count: 7)
          + [UInt8](repeating: 0, count: 16) + [64, 0, 56, 0, 1, 0]
          + [UInt8](repeating: 0, count: 6)
          + [4] + [UInt8](repeating: 0, count: 7) + [120] + [UInt8](repeating: 0, count: 23) + [40]
          + [UInt8](repeating: 0, count: 60)
      case "plcrash":
        Array("plcrash".utf8) + [1, 0x0a, 8, 8, 1, 0x12, 2, 0x31, 0x37, 0x20, 1]
          + [0x1a, 10, 8, 3, 0x12, 4, 0x18, 0x90, 0x40, 0x00, 0x18, 1]
          + [0x22, 8, 8, 0x80, 0x20, 0x10, 0x80, 0x10, 0x1a, 0]
          + [0x32, 9, 0x0a, 7, 0x53, 0x49, 0x47, 0x53, 0x45, 0x47, 0x56]
      case "android-tombstone-pb":
        [8, 1, 0x12, 9] + Array("a/b/c/d/e".utf8) + [0x22, 19]
          + Array("2025-03-01 15:50:00".utf8) + [0x28, 7, 0x30, 8]
          + [0x52, 9, 8, 11, 0x12, 5] + Array("SIGIO".utf8)
          + [0x82, 1, 10, 8, 8, 0x12, 6, 0x22, 4, 8, 1, 0x10, 2]
      default: []
      }
    return texts.map { Array($0.utf8) } + (magic.isEmpty ? [] : [magic])
  }
}
