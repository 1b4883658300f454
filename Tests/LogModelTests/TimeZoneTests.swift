// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import Testing

@Suite("Time zones")
struct TimeZoneTests {
  private func load(_ name: String) throws -> LogModel.TimeZone {
    let bytes = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name))
    let zone = LogModel.TimeZone(tzif: Array(bytes), name: name)
    return try #require(zone)
  }

  @Test(
    "offsets are those of Foundation, before the table, in it and by the rule after it",
    arguments: [
      "Europe/Berlin", "America/New_York", "America/Chicago", "Asia/Kolkata", "Asia/Tokyo",
      "Australia/Lord_Howe", "Pacific/Chatham", "America/St_Johns", "Africa/Casablanca",
      "America/Santiago", "UTC",
    ])
  func agreesWithFoundation(name: String) throws {
    let zone = try load(name)
    let found = Foundation.TimeZone(identifier: name)
    let reference = try #require(found)
    // From 1972 (Foundation rounds older local times) to 2100, at odd steps of about nine days.
    for seconds in stride(from: 63_072_000, to: 4_102_444_800, by: 777_777) {
      let time = try #require(Timestamp(seconds: Int64(seconds)))
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      #expect(zone.offset(at: time) == reference.secondsFromGMT(for: date), "\(time)")
    }
  }

  @Test("a skipped hour has the offset before it, a repeated one both")
  func readsLocalTimes() throws {
    let berlin = try load("Europe/Berlin")
    let skipped = CivilTime(year: 2026, month: 3, day: 29, hour: 2, minute: 30)
    #expect(berlin.offset(forLocal: skipped, previous: nil) == 3600)
    let repeated = CivilTime(year: 2026, month: 10, day: 25, hour: 2, minute: 30)
    #expect(berlin.offset(forLocal: repeated, previous: nil) == 7200)
    let before = repeated.timestamp(utcOffset: 7200)
    #expect(berlin.offset(forLocal: repeated, previous: before) == 7200)
    let later = CivilTime(year: 2026, month: 10, day: 25, hour: 0, minute: 59).timestamp()
    #expect(berlin.offset(forLocal: repeated, previous: later) == 3600)
    let summer = CivilTime(year: 2026, month: 7, day: 1)
    #expect(berlin.offset(forLocal: summer, previous: nil) == 7200)
    let winter = CivilTime(year: 2060, month: 1, day: 1)
    #expect(berlin.offset(forLocal: winter, previous: nil) == 3600)
  }

  @Test("an abbreviation counts on the days on which the zone uses it")
  func readsAbbreviations() throws {
    let chicago = try load("America/Chicago")
    func offset(_ name: String, _ month: Int) -> Int? {
      let time = CivilTime(year: 2024, month: month, day: 14).timestamp()
      return Array(name.utf8).withUnsafeBufferPointer { name in
        time.flatMap { chicago.usesAbbreviation(name, at: $0) }
      }
    }
    #expect(offset("CST", 2) == -21_600)
    #expect(offset("CST", 8) == nil)
    #expect(offset("CDT", 8) == -18_000)
    #expect(offset("", 8) == nil)
  }

  @Test("a fixed offset holds always")
  func readsFixedOffsets() {
    let zone = LogModel.TimeZone(fixedOffsetSeconds: -12_600)
    #expect(zone.offset(at: Timestamp(nanoseconds: .min)) == -12_600)
    #expect(zone.offset(at: Timestamp(nanoseconds: .max)) == -12_600)
    #expect(LogModel.TimeZone.utc.offset(at: Timestamp(nanoseconds: 0)) == 0)
  }

  @Test("damaged files are refused and never trap")
  func refusesDamage() throws {
    let bytes = Array(
      try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin")))
    let none = LogModel.TimeZone(tzif: [], name: "x")
    #expect(none.map(\.name) == nil)
    for length in stride(from: 0, to: bytes.count, by: 7) {
      _ = LogModel.TimeZone(tzif: Array(bytes.prefix(length)), name: "x")
    }
    for index in bytes.indices.prefix(400) {
      var damaged = bytes
      damaged[index] ^= 0xff
      let zone = LogModel.TimeZone(tzif: damaged, name: "x")
      _ = zone?.offset(at: Timestamp(nanoseconds: 1_796_000_000_000_000_000))
    }
  }
}
