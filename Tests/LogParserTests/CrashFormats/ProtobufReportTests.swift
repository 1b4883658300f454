// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import Testing

/// Writes messages of Protocol Buffers.
private func varint(_ value: UInt64) -> [UInt8] {
  value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
}

private func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
  varint(field << 3) + varint(value)
}

private func bytes(_ field: UInt64, _ value: [UInt8]) -> [UInt8] {
  varint(field << 3 | 2) + varint(UInt64(value.count)) + value
}

private func text(_ field: UInt64, _ value: String) -> [UInt8] { bytes(field, Array(value.utf8)) }

private let plcrash: [UInt8] = {
  let system =
    number(1, 1) + text(2, "17.4") + number(3, 6) + number(4, 1_740_840_600) + text(5, "21E")
  let app = text(1, "com.example.shop") + text(2, "389") + text(3, "1.4.2")
  func frame(_ pc: UInt64, _ symbol: String? = nil) -> [UInt8] {
    number(3, pc) + (symbol.map { bytes(6, text(1, $0) + number(2, pc - 8)) } ?? [])
  }
  let idle = number(1, 0) + bytes(2, frame(0x1010)) + number(3, 0)
  let crashed =
    number(1, 3) + bytes(2, frame(0x2010, "pay")) + bytes(2, frame(0x1020)) + number(3, 1)
  let images =
    bytes(4, number(1, 0x1000) + number(2, 0x800) + text(3, "/usr/lib/libc.dylib"))
    + bytes(4, number(1, 0x2000) + number(2, 0x800) + text(3, "/app/Shop"))
  let signal = text(1, "SIGSEGV") + text(2, "SEGV_MAPERR") + number(3, 0x88)
  let process = text(1, "Shop") + number(2, 77) + text(3, "/app/Shop")
  let info = number(1, 0) + bytes(2, Array(repeating: 0xab, count: 16))
  return Array("plcrash".utf8) + [1] + bytes(1, system) + bytes(2, app) + bytes(3, idle)
    + bytes(3, crashed) + images + bytes(6, signal) + bytes(7, process)
    + bytes(8, text(1, "iPhone15,2")) + bytes(9, info)
}()

private let tombstone: [UInt8] = {
  let frame =
    number(1, 0x100) + number(2, 0x7f00) + text(4, "pay()") + number(5, 12)
    + text(6, "/app/libshop.so")
  let thread = number(1, 8) + text(2, "worker") + bytes(4, frame)
  let signal =
    number(1, 11) + text(2, "SIGSEGV") + number(3, 1) + text(4, "SEGV_MAPERR")
    + number(8, 1) + number(9, 0x10)
  return number(1, 1) + text(2, "google/panther/panther:14/UP1A/1:user/release-keys")
    + text(3, "0") + text(4, "2025-03-01 15:50:00.5+0100") + number(5, 7) + number(6, 8)
    + text(9, "com.example.shop") + text(9, "-x") + bytes(10, signal) + text(14, "no tea")
    + bytes(16, number(1, 7) + bytes(2, text(2, "main")))
    + bytes(16, number(1, 8) + bytes(2, thread))
}()

/// A 32-bit one that read the address 0.
private let sparseTombstone: [UInt8] =
  text(2, "google/oriole/oriole:12/SP1A/1:user/release-keys")
  + text(4, "2025-03-01 15:50:00.5+0100") + number(5, 7)
  + bytes(10, text(2, "SIGSEGV") + number(8, 1))

@Suite("Crash reports in Protocol Buffers")
struct ProtobufReportTests {
  @Test("PLCrashReporter's file gives all that its text form has")
  func plcrashReport() throws {
    #expect(recognise(plcrash, name: "live_report.plcrash") == "plcrash")
    let report = try #require(parse(plcrash, name: "a.plcrash").first)
    #expect(report.time?.description == "2025-03-01T14:50:00Z")
    #expect(report.process == "Shop")
    #expect(report.pid == 77)
    #expect(report.bundleIdentifier == "com.example.shop")
    #expect(report.version == "1.4.2")
    #expect(report.build == "389")
    #expect(report.osName == "iOS")
    #expect(report.osVersion == "17.4")
    #expect(report.device == "iPhone15,2")
    #expect(report.kind == .signal)
    #expect(report.signal == "SIGSEGV")
    #expect(report.signalCode == "SEGV_MAPERR")
    #expect(report.faultAddress == 0x88)
    #expect(report.crashedThread == 3)
    #expect(report.reportID == "ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB")
    #expect(report.frames.map(\.image) == ["Shop", "libc.dylib"])
    #expect(report.frames.map(\.symbol) == ["pay", nil])
    #expect(report.frames.map(\.offset) == [8, 0x20])
    #expect(report.flags == [])
    #expect(CrashReportParser.isComplete(plcrash, format: "plcrash"))
  }

  @Test("Android's binary tombstone gives what its text twin has")
  func androidReport() throws {
    #expect(recognise(tombstone, name: "tombstone_03.pb") == "android-tombstone-pb")
    let report = try #require(parse(tombstone, name: "tombstone_03.pb").first)
    #expect(report.time?.description == "2025-03-01T14:50:00.5Z")
    #expect(report.process == "com.example.shop")
    #expect(report.pid == 7)
    #expect(report.crashedThread == 8)
    #expect(report.crashedThreadName == "worker")
    #expect(report.architecture == "arm64")
    #expect(report.signal == "SIGSEGV")
    #expect(report.faultAddress == 0x10)
    #expect(report.reason == "no tea")
    #expect(report.frames.map(\.symbol) == ["pay()"])
    #expect(report.frames.map(\.image) == ["libshop.so"])
    #expect(CrashReportParser.isComplete(tombstone, format: "android-tombstone-pb"))
  }

  @Test("a value of 0 is not written: the null pointer, and the first architecture")
  func absentValues() throws {
    #expect(recognise(sparseTombstone, name: "tombstone_00.pb") == "android-tombstone-pb")
    let report = try #require(parse(sparseTombstone, name: "tombstone_00.pb").first)
    #expect(report.faultAddress == 0)
    #expect(report.architecture == "arm")
  }

  @Test(
    "what breaks off is read as far as it goes, wherever that is", arguments: ["plcrash", "pb"])
  func truncated(_ which: String) throws {
    let whole = which == "pb" ? tombstone : plcrash
    for length in 9..<whole.count {
      for report in parse(Array(whole[..<length]), name: "a.\(which)") {
        #expect(report.frames.count <= 2)
      }
    }
    let cut = try #require(parse(Array(whole.dropLast(3)), name: "a.\(which)").first)
    #expect(cut.flags.contains(.incomplete))
  }

  @Test("a length of four gigabytes costs nothing")
  func absurdLength() throws {
    let report = try #require(
      parse(plcrash + varint(3 << 3 | 2) + varint(4 << 30), name: "a.plcrash").first)
    #expect(report.signal == "SIGSEGV")
    #expect(report.flags.contains(.incomplete))
  }

  @Test("text is no tombstone")
  func text() {
    for text in ["\u{08}\u{01}\u{12}\u{04}text", "plain words", "\u{12}\u{06}a/b/c/"] {
      #expect(recognise(Array(text.utf8), name: "tombstone_00.pb") == nil)
    }
  }
}

@Suite("A crash time without a zone")
struct CrashZoneTests {
  @Test("is one of the zone that is given, and says so")
  func zone() throws {
    let text =
      "ProblemType: Crash\nDate: Tue Jun 11 14:39:28 2024\nExecutablePath: /usr/bin/sleep\nSignal: 11\n"
    let modified = Timestamp(nanoseconds: 1_718_200_000_000_000_000)
    let reports = CrashReportParser.parse(
      Array(text.utf8), name: "_usr_bin_sleep.1000.crash", modified: modified, inSpool: true,
      zone: try LogParserTests.zone("Europe/Berlin"))
    let report = try #require(reports.first)
    #expect(report.time?.description == "2024-06-11T12:39:28Z")
    #expect(report.flags.contains(.zoneAssumed))
    #expect(report.note?.contains("Europe/Berlin was taken") == true)
  }
}
