// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogQuery
internal import SQLite
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport
internal import Testing

@Suite("The lines of a bundle")
struct RecordLineTests {
  private let base = BundleFixture.base

  @Test("are what RecordJSON makes of the same rows")
  func same() throws {
    let fixture = try BundleFixture()
    let sample = fixture.sample
    try sample.addFile(2, source: "web \"x\"", path: "/a\nb.log", process: "nginx")
    let attributes = [
      "{\"a\":\"b\"}", "{ \"a\" : 1.50e3 }", "{\"a\":[1,{\"b\":null}],\"c\":\"\\u00e9\\n\"}", "{}",
      "no json", "{\"a\":01}", "{\"a\":\"x\u{1}y\"}", "{\"a\":\"ü\u{202e}\"}",
    ]
    for (index, text) in attributes.enumerated() {
      try sample.addRecord(base + Int64(index), "r \(index)", process: "api", attributes: text)
    }
    try sample.addRecord(base + 20, "tab\tquote\" back\\ \u{7f} \u{202e}", file: 2, pid: 7)
    try sample.addRecord(base, "same time", severity: .unspecified, file: 2)
    for index in 0..<40 {
      try sample.addRecord(base + Int64(index / 20), "tie \(index)", file: Int64(1 + index % 2))
    }
    // Times that differ from the one before in the fraction, and those whose digits have none.
    let times: [Int64] = [
      -1_000_000_001, -1, 0, 1, 999_999_999, 1_000_000_000, 1_000_000_001, 1_999_999_999,
      base + 100_000_000, base + 100_000_001, base + 1_000_000_000,
    ]
    for time in times { try sample.addRecord(time, "at \(time)", severity: .fatal) }
    var request = fixture.request("b.tar.gz", since: Int64.min)
    request.database = .always
    request.redaction = nil
    let bundle = try fixture.unpack(request)
    let store = try QueryStore(path: bundle.path("logs.db"))
    var expected: [UInt8] = []
    let select = try store.connection.prepare(
      "SELECT \(RecordJSON.columns) FROM logs WHERE crash_id IS NULL ORDER BY \(RecordJSON.order)")
    let encoder = RecordJSON(select)
    while try select.step() {
      encoder.append(select, to: &expected)
      expected.append(10)
    }
    let lines = try bundle.content("logs.jsonl")
    #expect(String(decoding: lines, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    #expect(lines.split(separator: 10).count == attributes.count + 42 + times.count)
  }
}
