// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// PLCrashReporter's own files: `plcrash`, a version byte, and a message of Protocol Buffers (field
/// numbers after its `crash_report.proto`).
enum PLCrash: CrashFormat {
  static let name = "plcrash"
  private static let magic = Array("plcrash".utf8)

  static func recognises(_ head: CrashHead) -> Bool {
    head.bytes.starts(with: magic) && head.bytes.count > 8 && head.bytes[7] == 1
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    guard file.bytes.count > 8 else { return false }
    var fields = ProtobufFields(file.bytes[8...])
    while fields.next() != nil {}
    return fields.isComplete
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    guard file.bytes.count > 8 else { return [] }
    var reader = PLCrashReader()
    var fields = ProtobufFields(file.bytes[8...])
    while let (field, value) = fields.next() { reader.take(field, value) }
    if !fields.isComplete {
      reader.report.flags.insert(.incomplete)
      CrashTime.add("it breaks off", to: &reader.report)
    }
    CrashTime.set(reader.time, in: &reader.report, modified: file.modified)
    reader.finish()
    CrashFingerprint.apply(to: &reader.report)
    return [reader.report]
  }
}

/// Collects the facts of a report.
private struct PLCrashReader {
  var report = CrashReport(format: PLCrash.name)
  var time: Timestamp?
  private var images: [(base: UInt64, size: UInt64, name: String)] = []
  private var exceptionFrames: [CrashFrame] = []

  private static let maxImages = 10_000

  mutating func take(_ field: Int, _ value: ProtobufFields.Value) {
    switch field {
    case 1: readSystem(value.bytes)
    case 2: readApplication(value.bytes)
    case 3: readThread(value.bytes)
    case 4: readImage(value.bytes)
    case 5: readException(value.bytes)
    case 6: readSignal(value.bytes)
    case 7: readProcess(value.bytes)
    case 8: each(value.bytes) { if $1 == 1 { $0.report.device = $2.text } }
    case 9: each(value.bytes) { if $1 == 2 { $0.report.reportID = Self.uuid($2.bytes) } }
    default: return
    }
  }

  private mutating func each(
    _ bytes: ArraySlice<UInt8>,
    _ body: (inout PLCrashReader, Int, ProtobufFields.Value) -> Void
  ) {
    var fields = ProtobufFields(bytes)
    while let (field, value) = fields.next() { body(&self, field, value) }
  }

  private mutating func readSystem(_ bytes: ArraySlice<UInt8>) {
    each(bytes) { reader, field, value in
      switch field {
      case 1: reader.report.osName = ["macOS", "iOS", "iOS Simulator"][safe: value.number]
      case 2: reader.report.osVersion = value.text
      case 3:
        let names = ["x86", "x86_64", "armv6", "ppc", "ppc64", "armv7"]
        reader.report.architecture = reader.report.architecture ?? names[safe: value.number]
      case 4:
        let seconds = Int64(bitPattern: value.number)
        reader.time = seconds == 0 ? nil : CrashTime.epoch(seconds)
      default: return
      }
    }
  }

  private mutating func readApplication(_ bytes: ArraySlice<UInt8>) {
    each(bytes) { reader, field, value in
      switch field {
      case 1: reader.report.bundleIdentifier = value.text
      case 2: reader.report.build = value.text
      case 3: reader.report.version = value.text
      default: return
      }
    }
  }

  private mutating func readProcess(_ bytes: ArraySlice<UInt8>) {
    each(bytes) { reader, field, value in
      switch field {
      case 1: reader.report.process = value.text
      case 2: reader.report.pid = Int64(exactly: value.number)
      case 3: reader.report.executablePath = value.text
      default: return
      }
    }
  }

  private mutating func readSignal(_ bytes: ArraySlice<UInt8>) {
    each(bytes) { reader, field, value in
      switch field {
      case 1:
        reader.report.signal = value.text
        if reader.report.kind == .unknown { reader.report.kind = .signal }
      case 2: reader.report.signalCode = value.text
      case 3: reader.report.faultAddress = value.number
      default: return
      }
    }
  }

  private mutating func readException(_ bytes: ArraySlice<UInt8>) {
    each(bytes) { reader, field, value in
      switch field {
      case 1:
        reader.report.exceptionType = value.text
        reader.report.kind = .exception
      case 2: reader.report.reason = value.text
      case 3:
        if let frame = Self.frame(value.bytes) { Self.add(frame, to: &reader.exceptionFrames) }
      default: return
      }
    }
  }

  /// Only the crashed thread's frames are kept; the flag stands behind them.
  private mutating func readThread(_ bytes: ArraySlice<UInt8>) {
    var frames: [CrashFrame] = []
    var number: Int?
    var name: String?
    var isCrashed = false
    each(bytes) { _, field, value in
      switch field {
      case 1: number = Int(exactly: value.number)
      case 2: if let frame = Self.frame(value.bytes) { Self.add(frame, to: &frames) }
      case 3: isCrashed = value.number != 0
      case 5: name = value.text
      default: return
      }
    }
    guard isCrashed, report.crashedThread == nil else { return }
    report.crashedThread = number
    report.crashedThreadName = name
    report.frames = frames
  }

  private static func add(_ frame: CrashFrame, to frames: inout [CrashFrame]) {
    if frames.count < CrashReportParser.maxFrames { frames.append(frame) }
  }

  private static func frame(_ bytes: ArraySlice<UInt8>) -> CrashFrame? {
    var frame = CrashFrame()
    var fields = ProtobufFields(bytes)
    while let (field, value) = fields.next() {
      if field == 3 { frame.address = value.number }
      if field == 6 {
        var symbol = ProtobufFields(value.bytes)
        var start: UInt64?
        while let (field, value) = symbol.next() {
          if field == 1 { frame.symbol = value.text }
          if field == 2 { start = value.number }
        }
        if let start, let address = frame.address, address >= start {
          frame.offset = address - start
        }
      }
    }
    return frame.address == nil ? nil : frame
  }

  private mutating func readImage(_ bytes: ArraySlice<UInt8>) {
    var image = (base: UInt64(0), size: UInt64(0), name: "")
    each(bytes) { _, field, value in
      switch field {
      case 1: image.base = value.number
      case 2: image.size = value.number
      case 3: image.name = value.text ?? ""
      default: return
      }
    }
    if images.count < Self.maxImages { images.append(image) }
  }

  /// Gives each frame its image; an exception's own stack is the one that matters.
  mutating func finish() {
    if !exceptionFrames.isEmpty { report.frames = exceptionFrames }
    images.sort { $0.base < $1.base }
    for index in report.frames.indices {
      guard let address = report.frames[index].address, let image = image(of: address) else {
        continue
      }
      report.frames[index].image = CrashText.baseName(image.name)
      if report.frames[index].symbol == nil { report.frames[index].offset = address - image.base }
    }
    report.process = report.process ?? report.executablePath.map { CrashText.baseName($0) }
    if report.reason == nil, let signal = report.signal {
      report.reason = [signal, report.signalCode].compactMap { $0 }.joined(separator: " ")
    }
  }

  private func image(of address: UInt64) -> (base: UInt64, name: String)? {
    var low = 0
    var high = images.count
    while low < high {
      let middle = (low + high) / 2
      if images[middle].base <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let image = images[low - 1]
    return address - image.base < image.size ? (image.base, image.name) : nil
  }

  private static func uuid(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count == 16 else { return nil }
    let digits = Array("0123456789ABCDEF")
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append("-") }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}

extension Array {
  /// The element at `index`, if there is one.
  fileprivate subscript(safe index: UInt64) -> Element? {
    index < UInt64(count) ? self[Int(index)] : nil
  }
}
