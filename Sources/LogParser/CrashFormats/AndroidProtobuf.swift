// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The binary twin of Android's tombstones (`tombstone_00.pb`, Android 12 and later): a message of
/// Protocol Buffers without any mark (field numbers after AOSP's `tombstone.proto`).
enum AndroidProtobuf: CrashFormat {
  static let name = "android-tombstone-pb"

  /// It begins with the architecture, the build's fingerprint, and a time.
  static func recognises(_ head: CrashHead) -> Bool {
    var fields = ProtobufFields(head.bytes[...])
    var hasFingerprint = false
    for _ in 0..<6 {
      guard let (field, value) = fields.next() else { return false }
      switch field {
      case 2:
        // brand/product/device:release/id/incremental:type/keys
        hasFingerprint =
          value.bytes.count { $0 == UInt8(ascii: "/") } >= 4
          && value.bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
      case 4: return hasFingerprint && value.text.flatMap { CrashTime.read($0) } != nil
      case 1, 3: continue
      default: return false
      }
    }
    return false
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    var fields = ProtobufFields(file.bytes[...])
    while fields.next() != nil {}
    return fields.isComplete
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var report = CrashReport(format: name)
    report.osName = "Android"
    report.kind = .signal
    // A value of 0 is not written: the first of the architectures, and the null pointer.
    report.architecture = "arm"
    var time: Timestamp?
    var threads: [(id: UInt64, bytes: ArraySlice<UInt8>)] = []
    var fields = ProtobufFields(file.bytes[...])
    while let (field, value) = fields.next() {
      switch field {
      case 1:
        let names = ["arm", "arm64", "x86", "x86_64", "riscv64"]
        report.architecture = value.number < 5 ? names[Int(value.number)] : nil
      case 2: report.osVersion = value.text
      case 4: time = value.text.flatMap { CrashTime.read($0) }
      case 5: report.pid = Int64(exactly: value.number)
      case 6: report.crashedThread = Int(exactly: value.number)
      // A list of arguments; its first names the process.
      case 9: report.process = report.process ?? value.text
      case 10: readSignal(value.bytes, into: &report)
      case 14: report.reason = value.text
      case 15: readCause(value.bytes, into: &report)
      case 16 where threads.count < 10_000:
        if let entry = entry(value.bytes) { threads.append(entry) }
      default: continue
      }
    }
    if !fields.isComplete {
      report.flags.insert(.incomplete)
      CrashTime.add("it breaks off", to: &report)
    }
    let crashed = threads.first { Int(exactly: $0.id) == report.crashedThread }
    if let crashed { readThread(crashed.bytes, into: &report) }
    CrashTime.set(time, in: &report, modified: file.modified)
    CrashFingerprint.apply(to: &report)
    return [report]
  }

  private static func readSignal(_ bytes: ArraySlice<UInt8>, into report: inout CrashReport) {
    var fields = ProtobufFields(bytes)
    var hasAddress = false
    while let (field, value) = fields.next() {
      switch field {
      case 2: report.signal = value.text
      case 4: report.signalCode = value.text
      case 8: hasAddress = value.number != 0
      case 9: report.faultAddress = value.number
      default: continue
      }
    }
    report.faultAddress = hasAddress ? report.faultAddress ?? 0 : nil
  }

  private static func readCause(_ bytes: ArraySlice<UInt8>, into report: inout CrashReport) {
    var fields = ProtobufFields(bytes)
    while let (field, value) = fields.next() {
      if field == 1 { report.reason = report.reason ?? value.text }
    }
  }

  /// A thread with its id: an entry of a map.
  private static func entry(
    _ bytes: ArraySlice<UInt8>
  ) -> (id: UInt64, bytes: ArraySlice<UInt8>)? {
    var fields = ProtobufFields(bytes)
    var id: UInt64?
    var thread: ArraySlice<UInt8> = []
    while let (field, value) = fields.next() {
      if field == 1 { id = value.number }
      if field == 2 { thread = value.bytes }
    }
    return id.map { ($0, thread) }
  }

  private static func readThread(_ bytes: ArraySlice<UInt8>, into report: inout CrashReport) {
    var fields = ProtobufFields(bytes)
    while let (field, value) = fields.next() {
      if field == 2 { report.crashedThreadName = value.text }
      if field == 4, report.frames.count < CrashReportParser.maxFrames {
        report.frames.append(frame(value.bytes))
      }
    }
  }

  private static func frame(_ bytes: ArraySlice<UInt8>) -> CrashFrame {
    var frame = CrashFrame()
    var place: UInt64?
    var fields = ProtobufFields(bytes)
    while let (field, value) = fields.next() {
      switch field {
      case 1: place = value.number
      case 2: frame.address = value.number
      case 4: frame.symbol = value.text
      case 5: frame.offset = value.number
      case 6: frame.image = value.text.map { CrashText.baseName($0) }
      default: continue
      }
    }
    if frame.symbol == nil { frame.offset = place }
    return frame
  }
}
