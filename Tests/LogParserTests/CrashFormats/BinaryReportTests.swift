// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct MinidumpTests {
  static let corpus = ExpectedCrash.all.filter {
    $0.path.hasPrefix("crash/minidump/") && $0["exception_code"] != nil
  }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealDumps(expected: ExpectedCrash) throws {
    #expect(recognise(expected.bytes, name: expected.name) == "minidump")
    let report = try #require(parse(expected.bytes, name: expected.name).first)
    #expect(expected.differences(from: report) == [])
    #expect(report.executablePath == expected["module0"])
    if let os = expected["os"] { #expect(report.osVersion?.contains(os) == true) }
    let code = try #require(expected["exception_code"])
    switch (expected["platform_id"], code) {
    case (_, "0x0"): #expect(report.kind == .unknown)
    case ("0x8201", "0xb"): #expect(report.signal == "SIGSEGV")
    case ("0x8201", "0x8"): #expect(report.signal == "SIGFPE")
    default: #expect(report.exceptionType == code)
    }
    if code != "0x0" {
      let address = "0x" + String(report.faultAddress ?? 0, radix: 16)
      #expect(address == expected["crash_address"])
      #expect(report.frames.count == 1)
      #expect(report.crashedThread != nil)
    }
    #expect(report.flags == [])
    #expect(CrashReportParser.isComplete(expected.bytes, format: "minidump"))
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func aDirectoryThatPointsOutsideIsFlagged() throws {
    let report = try #require(parse(Corpus.bytes("crash/minidump/invalid_range.dmp")).first)
    #expect(report.format == "minidump")
    #expect(report.flags.contains(.incomplete))
  }

  /// A dump of an access violation with nothing but its exception, made by hand.
  private func small() -> [UInt8] {
    func u32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 255) } }
    let header = Array("MDMP".utf8) + u32(0xA793) + u32(1) + u32(32) + u32(0) + u32(1_740_840_600)
    let directory = u32(6) + u32(168) + u32(44)
    let record = u32(4711) + u32(0) + u32(0xC000_0005) + [UInt8](repeating: 0, count: 156)
    return header + u32(0) + u32(0) + directory + record
  }

  @Test func theContentTellsTheFormatAndNotTheName() throws {
    let report = try #require(parse(small(), name: "a.json").first)
    #expect(report.format == "minidump")
    #expect(report.time?.description == "2025-03-01T14:50:00Z")
    #expect(report.exceptionType == "0xc0000005")
    #expect(report.reason == "EXCEPTION_ACCESS_VIOLATION")
    #expect(report.flags == [])
  }

  @Test func aDumpCutBehindItsHeaderKeepsItsTime() throws {
    let report = try #require(parse(Array(small().prefix(32)), name: "f.dmp").first)
    #expect(report.format == "minidump")
    #expect(report.time?.description == "2025-03-01T14:50:00Z")
    #expect(report.flags == [.incomplete])
  }
}

@Suite struct ElfCoreTests {
  @Test(.enabled(if: Corpus.isAvailable))
  func readsTheNotesOfARealCore() throws {
    let expected = try #require(ExpectedCrash.find("crash/core/threads/core.core"))
    let report = try #require(parse(expected.bytes, name: expected.name).first)
    #expect(report.format == "elf-core")
    // The thread's name is known from elsewhere: the kernel puts none into a core.
    #expect(expected.differences(from: report) == ["crashed_thread_name: nil, not parser"])
    #expect(report.signal == "SIGSEGV")
    #expect(report.signalCode == "SEGV_MAPERR")
    #expect(report.faultAddress == 0x20)
    #expect(report.executablePath == expected["main_image"])
    #expect(report.frames.first?.image == "mtcore")
    #expect(report.frames.first?.offset == 0x11C7)
  }

  @Test(.enabled(if: Corpus.isAvailable), arguments: [UInt8(0x7F), 0xFF])
  func placesOutsideTheFileAreNotRead(byte: UInt8) throws {
    let bytes = Corpus.bytes("crash/core/threads/core.core")
    for field in stride(from: 24, to: 64 + 56 * 3, by: 8) {
      var damaged = bytes
      for index in field..<field + 7 { damaged[index] = 0xFF }
      damaged[field + 7] = byte
      #expect(parse(damaged).count == 1)
    }
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func systemdsNameTellsTheTime() throws {
    let bytes = Corpus.bytes("crash/core/threads/core.core")
    let name = "core.mtcore.1000.0123456789abcdef0123456789abcdef.25662.1796022670000000"
    let report = try #require(parse(bytes, name: name).first)
    #expect(report.time?.description == "2026-11-30T07:11:10Z")
  }
}
