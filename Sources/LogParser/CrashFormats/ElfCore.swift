// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// ELF core dumps of 64 bits: only the notes are read, which stand at the front. A core tells no
/// time; systemd puts one into the file's name.
enum ElfCore: CrashFormat {
  static let name = "elf-core"

  static func recognises(_ head: CrashHead) -> Bool {
    let reader = ByteReader(head.bytes)
    // Class 64, little-endian, type ET_CORE.
    return head.bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) && reader.u16(16) == 4
  }

  /// The kernel writes for a long time, and a core that was cut looks the same.
  static func isComplete(_ file: CrashFile) -> Bool { false }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let reader = ByteReader(file.bytes)
    var report = notes(reader).report()
    if segments(reader).contains(where: { $0.offset + $0.size > file.bytes.count }) {
      CrashTime.add("memory is not all in what was kept of it", to: &report)
    }
    readName(of: file, into: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }

  private static func segments(_ reader: ByteReader) -> [ElfImage.Segment] {
    guard let table = reader.int64(32), let count = reader.u16(56),
      let headers = reader.slice(table, Int(count) * 56)
    else { return [] }
    return ElfImage.segments(ByteReader(Array(headers)))
  }

  /// What the kernel noted, of all segments of that kind.
  static func notes(_ reader: ByteReader) -> ElfNotes {
    var notes = ElfNotes(reader: reader, machine: reader.u16(18) ?? 0)
    for segment in segments(reader) where segment.type == 4 {
      notes.read(segment.offset, segment.size)
    }
    return notes
  }

  /// `core.<comm>.<uid>.<boot id>.<pid>.<microseconds>`
  private static func readName(of file: CrashFile, into report: inout CrashReport) {
    let parts = file.name.split(separator: ".")
    guard parts.count >= 6, parts[0] == "core", let clock = Int64(parts[parts.count - 1]),
      let pid = Int64(parts[parts.count - 2])
    else { return }
    CrashTime.set(CrashTime.epoch(clock), in: &report, modified: file.modified)
    report.pid = report.pid ?? pid
  }
}

/// The notes of a core: what the kernel knew of the process.
struct ElfNotes {
  /// Several for each thread of the largest program.
  private static let maxNotes = 100_000
  private let reader: ByteReader
  private var count = 0
  let machine: UInt16
  private var draft = CrashReport(format: ElfCore.name)
  private var counter: UInt64?
  /// Where the registers of the crashed thread lie.
  private(set) var statusOffset: Int?
  private(set) var mappings: [CoreMemory.Mapping] = []
  private var signalNumber: Int64 = 0
  private var threadName: String?

  init(reader: ByteReader, machine: UInt16) {
    self.reader = reader
    self.machine = machine
  }

  mutating func read(_ start: Int, _ size: Int) {
    var at = start
    let end = min(start + size, reader.count)
    while at < end, count < Self.maxNotes, let nameSize = reader.int32(at),
      let size = reader.int32(at + 4),
      let type = reader.u32(at + 8)
    {
      let data = at + 12 + (nameSize + 3) / 4 * 4
      if reader.text(at + 12, min(nameSize, 8)).hasPrefix("CORE") { readNote(type, data, size) }
      at = data + (size + 3) / 4 * 4
      count += 1
    }
  }

  private mutating func readNote(_ type: UInt32, _ data: Int, _ size: Int) {
    switch type {
    case 1 where counter == nil: readStatus(data)
    case 3: readProcess(data)
    case 0x5349_4749: readSignal(data)
    case 0x4649_4C45: readFiles(data, size)
    default: break
    }
  }

  /// NT_PRSTATUS: one for each thread, that of the crash first.
  private mutating func readStatus(_ data: Int) {
    statusOffset = data
    signalNumber = Int64(reader.u16(data + 12) ?? 0)
    switch machine {
    case 62: counter = reader.u64(data + 112 + 16 * 8)
    case 183: counter = reader.u64(data + 112 + 32 * 8)
    default: counter = 0
    }
  }

  /// NT_PRPSINFO.
  private mutating func readProcess(_ data: Int) {
    draft.pid = reader.u32(data + 24).map { Int64($0) }
    threadName = CrashText.meaningful(reader.text(data + 40, 16))
    let arguments = reader.text(data + 56, 80)
    let program = arguments.split(separator: " ").first.map { CrashText.baseName(String($0)) }
    draft.process = program ?? threadName
  }

  /// NT_SIGINFO; for signals that were sent, the address is the sender.
  private mutating func readSignal(_ data: Int) {
    let number = Int64(reader.u32(data) ?? 0)
    let code = Int32(bitPattern: reader.u32(data + 8) ?? 0)
    if signalNumber == 0 { signalNumber = number }
    let hasAddress = [4, 5, 7, 8, 11].contains(number) && code > 0
    if hasAddress { draft.faultAddress = reader.u64(data + 16) }
    if number == 11 { draft.signalCode = [1: "SEGV_MAPERR", 2: "SEGV_ACCERR"][code] }
  }

  /// NT_FILE: what is mapped where.
  private mutating func readFiles(_ data: Int, _ size: Int) {
    guard let count = reader.int64(data), let page = reader.u64(data + 8), count <= 65_536 else {
      return
    }
    var name = data + 16 + count * 24
    for index in 0..<count {
      let entry = data + 16 + index * 24
      guard name < data + size, let start = reader.u64(entry), let end = reader.u64(entry + 8),
        let offset = reader.u64(entry + 16), start <= end,
        let place = Int(exactly: offset.multipliedReportingOverflow(by: page).partialValue)
      else { return }
      let path = reader.text(name, 4096)
      name += path.utf8.count + 1
      mappings.append(CoreMemory.Mapping(range: start..<end, offset: place, path: path))
    }
  }

  func report() -> CrashReport {
    var report = draft
    report.architecture = [62: "x86_64", 183: "arm64"][machine]
    report.osName = "Linux"
    if signalNumber > 0 {
      report.kind = .signal
      report.signal = SignalNames.linux(signalNumber) ?? "signal \(signalNumber)"
    }
    let own = mappings.first { CrashText.baseName($0.path) == report.process } ?? mappings.first
    report.executablePath = own?.path
    if let threadName, threadName != report.process { report.crashedThreadName = threadName }
    if let counter, counter > 0 { report.frames = [frame(counter)] }
    return report
  }

  private func frame(_ address: UInt64) -> CrashFrame {
    var frame = CrashFrame(address: address)
    if let mapping = mappings.first(where: { $0.range.contains(address) }) {
      frame.image = CrashText.baseName(mapping.path)
      frame.offset = address - mapping.range.lowerBound &+ UInt64(mapping.offset)
    }
    return frame
  }
}
