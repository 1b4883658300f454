// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import SQLite
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport
internal import Testing

enum Browser {
  static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}

@Suite(
  "report.html in a browser", .serialized,
  .enabled(if: Browser.path != nil, "chromium is missing"))
struct ReportBrowserTests {
  /// The page after its script has run, and what the browser asked of the network.
  private func open(_ bundle: Unpacked) throws -> (dom: String, network: String) {
    let folder = try TemporaryDirectory()
    let dom = try Shell.run(
      try #require(Browser.path),
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--user-data-dir=\(folder.file("profile"))", "--log-net-log=\(folder.file("net.json"))",
        "--virtual-time-budget=5000", "--dump-dom", "file://\(bundle.path("report.html"))",
      ])
    let network = try String(contentsOfFile: folder.file("net.json"), encoding: .utf8)
    return (dom, network)
  }

  @Test("shows what logs say as text, whatever it is, and asks nothing of the network")
  func hostile() throws {
    let fixture = try BundleFixture()
    let lines = [
      "<script>document.title='owned'</script>", "<img src=\"http://evil.invalid/x.png\">",
      "</script><script src=http://evil.invalid/y.js></script>", "<!-- <script>",
      "\u{202e}gnp.exe", "bell \u{7} escape \u{1b}[31m", "<iframe src=\"http://evil.invalid/z\">",
      "<style>@import 'http://evil.invalid/w.css'</style>",
    ]
    for (index, line) in lines.enumerated() {
      try fixture.sample.addRecord(BundleFixture.base + Int64(index), line)
    }
    try fixture.sample.addCrash(
      1, BundleFixture.base + 3, report: Array("{\"reason\":\"<b>x</b>\"}".utf8),
      process: "<i>api</i>")
    let (dom, network) = try open(try fixture.unpack(fixture.request("b.tar.gz")))
    #expect(!dom.contains("<title>owned"))
    #expect(dom.contains("&lt;img src="), "the log is not shown")
    #expect(dom.contains("&lt;script&gt;document.title"))
    // Elements of the logs' making would stand in the tree as such.
    #expect(!dom.contains("<img ") && !dom.contains("<iframe") && !dom.contains("<i>api"))
    #expect(!network.contains("evil.invalid"))
  }

  @Test("opens with a hundred thousand records")
  func large() throws {
    let fixture = try BundleFixture()
    try fixture.sample.connection.execute(
      """
      INSERT INTO record (time, observed_time, severity, flags, file, byte_offset, byte_length, body)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT \(BundleFixture.base) + i * 1000000, 0, 9, 0, 1, i * 10, 10, 'line ' || i FROM n
      """)
    var request = fixture.request("b.tar.gz")
    request.database = .never
    let (dom, _) = try open(try fixture.unpack(request))
    #expect(dom.contains("100,000") || dom.contains("100000"))
    // Only what is seen is in the tree.
    #expect(dom.ranges(of: "class=\"row").count < 1000)
  }
}
