// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Reads the streams of a minidump.
struct MinidumpReader {
  let reader: ByteReader
  let streams: [UInt32: Range<Int>]

  private enum Stream {
    static let threads: UInt32 = 3
    static let modules: UInt32 = 4
    static let exception: UInt32 = 6
    static let system: UInt32 = 7
    static let misc: UInt32 = 15
    static let threadNames: UInt32 = 24
    static let crashpad: UInt32 = 0x4350_0001
    static let procStatus: UInt32 = 0x4767_0004
  }

  private enum Platform: UInt32 {
    case windows = 2
    case macOS = 0x8101
    case iOS = 0x8102
    case linux = 0x8201
    case android = 0x8203
  }

  private struct Module {
    var name: String
    var base: UInt64
    var size: UInt64
  }

  private var platform: Platform?
  private var processor: UInt16 = 0xFFFF
  private var modules: [Module] = []

  init(reader: ByteReader, streams: [UInt32: Range<Int>]) {
    self.reader = reader
    self.streams = streams
  }

  mutating func read(into report: inout CrashReport) {
    readSystem(into: &report)
    readModules()
    readProcess(into: &report)
    readException(into: &report)
  }

  private func start(_ stream: UInt32) -> Int? { streams[stream]?.lowerBound }

  // MARK: - System and process

  private mutating func readSystem(into report: inout CrashReport) {
    guard let at = start(Stream.system) else { return }
    processor = reader.u16(at) ?? processor
    let architectures: [UInt16: String] = [0: "x86", 5: "arm", 9: "x86_64", 12: "arm64"]
    report.architecture = architectures[processor]
    platform = reader.u32(at + 20).flatMap { Platform(rawValue: $0) }
    report.osName = platform.map { "\($0)" }.map { $0 == "macOS" || $0 == "iOS" ? $0 : $0.capital }
    let text = reader.int32(at + 24).flatMap { reader.utf16Text($0) }
    let numbers = [8, 12, 16].compactMap { reader.u32(at + $0).map(String.init) }
    let version = numbers.joined(separator: ".")
    switch (platform, CrashText.meaningful(text)) {
    case (.linux?, let text?), (.android?, let text?):
      // Crashpad takes the numbers off the front of the release.
      report.osVersion = text.hasPrefix("-") ? version + text : text
    case (_, let text?): report.osVersion = "\(version) (\(text))"
    case (_, nil): report.osVersion = CrashText.meaningful(version)
    }
  }

  private mutating func readModules() {
    guard let at = start(Stream.modules), let count = reader.int32(at), count <= 10_000,
      let size = streams[Stream.modules]?.count
    else { return }
    // Some writers align the list to eight bytes.
    let first = at + (size == 8 + count * 108 ? 8 : 4)
    for index in 0..<count {
      let entry = first + index * 108
      guard let base = reader.u64(entry), let size = reader.u32(entry + 8),
        let name = reader.int32(entry + 20).flatMap({ reader.utf16Text($0) })
      else { break }
      modules.append(Module(name: name, base: base, size: UInt64(size)))
    }
  }

  private func readProcess(into report: inout CrashReport) {
    report.executablePath = modules.first.map(\.name)
    report.process = modules.first.flatMap { CrashText.meaningful(CrashText.baseName($0.name)) }
    if let at = start(Stream.misc), let flags = reader.u32(at + 4), flags & 1 != 0 {
      report.pid = reader.u32(at + 8).map { Int64($0) }
    }
    if let range = streams[Stream.procStatus] { readStatus(range, into: &report) }
    guard let at = start(Stream.crashpad), let id = reader.slice(at + 4, 16), id.count == 16 else {
      return
    }
    report.reportID = Self.uuid(Array(id))
  }

  /// `/proc/<pid>/status`, which Breakpad keeps.
  private func readStatus(_ range: Range<Int>, into report: inout CrashReport) {
    let lines = ReportLines(Array(reader.slice(range.lowerBound, min(range.count, 8192)) ?? []))
    for index in 0..<lines.count {
      guard let (key, value) = CrashText.split(lines[index], at: ":") else { continue }
      if key == "Name" { report.process = CrashText.meaningful(value) ?? report.process }
      if key == "Pid" { report.pid = Int64(value) ?? report.pid }
    }
  }

  /// A GUID: its first three fields are little-endian.
  private static func uuid(_ bytes: [UInt8]) -> String? {
    guard bytes.contains(where: { $0 != 0 }) else { return nil }
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]
    var text = ""
    for (place, index) in order.enumerated() {
      if [4, 6, 8, 10].contains(place) { text += "-" }
      let digits = String(bytes[index], radix: 16)
      text += digits.count == 1 ? "0" + digits : digits
    }
    return text
  }

  // MARK: - Exception

  private func readException(into report: inout CrashReport) {
    guard let at = start(Stream.exception), let code = reader.u32(at + 8) else { return }
    let address = reader.u64(at + 24)
    readThread(reader.u32(at), into: &report)
    guard code != 0, code != 0xFFFF_FFFF else {
      CrashTime.add("the dump was asked for; nothing crashed", to: &report)
      return
    }
    report.kind = .signal
    report.faultAddress = address
    switch platform {
    case .linux?, .android?:
      report.signal = SignalNames.linux(Int64(code)) ?? "signal \(code)"
      if report.signal == "SIGABRT" { report.faultAddress = nil }
    case .macOS?, .iOS?: report.exceptionType = Self.machNames[code] ?? "EXC_\(code)"
    case .windows?, nil:
      report.kind = .exception
      report.exceptionType = "0x" + String(code, radix: 16)
      report.reason = Self.windowsNames[code]
    }
    let context = reader.int32(at + 164)
    let counter = context.flatMap { programCounter($0) }
    if let counter = counter ?? (platform == .windows ? address : nil) {
      report.frames = [frame(counter)]
    }
  }

  private func programCounter(_ context: Int) -> UInt64? {
    switch processor {
    case 0: reader.u32(context + 0xB8).map { UInt64($0) }
    case 9: reader.u64(context + 0xF8)
    case 12, 0x8003: reader.u64(context + 264)
    default: nil
    }
  }

  private func frame(_ address: UInt64) -> CrashFrame {
    var frame = CrashFrame(address: address)
    let module = modules.first { address >= $0.base && address - $0.base < $0.size }
    if let module {
      frame.image = CrashText.baseName(module.name)
      frame.offset = address - module.base
    }
    return frame
  }

  /// The crashed thread's place in the list, and its name.
  private func readThread(_ id: UInt32?, into report: inout CrashReport) {
    guard let id else { return }
    if let range = streams[Stream.threads], let count = reader.int32(range.lowerBound) {
      let first = range.lowerBound + (range.count == 8 + count * 48 ? 8 : 4)
      report.crashedThread = (0..<min(count, 10_000)).first { reader.u32(first + $0 * 48) == id }
    }
    guard let at = start(Stream.threadNames), let count = reader.int32(at) else { return }
    let entry = (0..<min(count, 10_000)).map { at + 4 + $0 * 12 }.first { reader.u32($0) == id }
    let name = entry.flatMap { reader.int64($0 + 4) }.flatMap { reader.utf16Text($0) }
    report.crashedThreadName = CrashText.meaningful(name)
  }

  private static let machNames: [UInt32: String] = [
    1: "EXC_BAD_ACCESS", 2: "EXC_BAD_INSTRUCTION", 3: "EXC_ARITHMETIC", 4: "EXC_EMULATION",
    5: "EXC_SOFTWARE", 6: "EXC_BREAKPOINT", 10: "EXC_CRASH", 11: "EXC_RESOURCE",
  ]

  private static let windowsNames: [UInt32: String] = [
    0x8000_0003: "EXCEPTION_BREAKPOINT", 0xC000_0005: "EXCEPTION_ACCESS_VIOLATION",
    0xC000_0006: "EXCEPTION_IN_PAGE_ERROR", 0xC000_001D: "EXCEPTION_ILLEGAL_INSTRUCTION",
    0xC000_0094: "EXCEPTION_INT_DIVIDE_BY_ZERO", 0xC000_00FD: "EXCEPTION_STACK_OVERFLOW",
    0xC000_0374: "STATUS_HEAP_CORRUPTION", 0xC000_0409: "STATUS_STACK_BUFFER_OVERRUN",
    0xE06D_7363: "C++ exception",
  ]
}

extension String {
  /// With its first letter in upper case.
  fileprivate var capital: String { prefix(1).uppercased() + dropFirst() }
}
