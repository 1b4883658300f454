// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import SQLite
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport
internal import Testing

@Suite(
  "report.html in a browser", .serialized,
  .enabled(if: Browser.path != nil, "chromium is missing"))
struct ReportBrowserTests {
  /// The text of the rows that are in the tree.
  private static let rows =
    "[...document.querySelectorAll('.row .b')].map(e => e.textContent).join('|')"
  private static let count = "document.getElementById('count').textContent"

  /// What two processes said in a minute, with a crash of one of them after 30 seconds.
  private func story(_ scheme: String = "light") throws -> Browser {
    let fixture = try BundleFixture()
    try fixture.sample.addFile(2, source: "db", path: "/var/log/db.log")
    for second in 0..<60 {
      let time = BundleFixture.base + Int64(second) * 1_000_000_000
      let severity: Severity = second % 20 == 19 ? .error : second % 10 == 9 ? .warn : .info
      try fixture.sample.addRecord(
        time, severity == .error ? "lost page \(second)" : "asked \(second)", severity: severity,
        file: second % 2 == 0 ? 1 : 2, process: second % 3 == 0 ? "api" : "worker")
    }
    try fixture.sample.addCrash(
      1, BundleFixture.base + 30_500_000_000, report: Array("{\"reason\":\"x\"}".utf8))
    let bundle = try fixture.unpack(fixture.request("b.tar.gz"))
    let browser = try Browser()
    try browser.resize(1280, 900)
    try browser.prefer(scheme)
    try browser.open(bundle.path("report.html"))
    return browser
  }

  private func choose(_ browser: Browser, _ id: String, _ option: String) throws {
    try browser.run(
      """
      { const s = document.getElementById('\(id)');
        s.value = [...s.options].find(o => o.textContent === '\(option)').value;
        s.dispatchEvent(new Event('change')); }
      """)
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
      try fixture.sample.addRecord(BundleFixture.base + Int64(index), line, severity: .error)
    }
    try fixture.sample.addCrash(
      1, BundleFixture.base + 3, report: Array("{\"reason\":\"<b>x</b>\"}".utf8),
      process: "<i>api</i>")
    try fixture.sample.addRecord(
      BundleFixture.base + 4, "long", process: String(repeating: "apps/long-", count: 30))
    let bundle = try fixture.unpack(fixture.request("b.tar.gz"))
    let browser = try Browser()
    try browser.resize(390, 844)
    try browser.open(bundle.path("report.html"))
    #expect(try browser.number("document.documentElement.scrollWidth") <= 390)
    try browser.resize(1280, 900)
    #expect(try browser.text("document.title") == "logagent report")
    let shown = try browser.text(Self.rows)
    for line in lines where !line.contains("\u{202e}") && !line.contains("\u{7}") {
      #expect(shown.contains(line))
    }
    // Control characters and those that turn the direction of text show themselves.
    #expect(shown.contains("\\u202egnp.exe") && shown.contains("bell \\u0007 escape \\u001b[31m"))
    // Elements of the logs' making would stand in the tree as such.
    #expect(try browser.number("document.querySelectorAll('img, iframe, i').length") == 0)
    #expect(try browser.number("document.scripts.length") == 2)
    #expect(try browser.end().contains("evil.invalid") == false)
  }

  @Test("filters by severity, source, process and text, and by an error that came often")
  func filters() throws {
    let browser = try story()
    #expect(try browser.text(Self.count) == "61 of 61")
    try choose(browser, "severity", "error and up")
    #expect(try browser.text(Self.count) == "4 of 61")
    try choose(browser, "severity", "warn and up")
    try choose(browser, "source", "db")
    #expect(try browser.text(Self.count) == "6 of 61")
    try choose(browser, "process", "worker")
    #expect(try browser.text(Self.rows) == "lost page 19|asked 29|asked 49|lost page 59")
    try browser.press("Escape")
    #expect(try browser.text(Self.count) == "61 of 61")

    try browser.press("/")
    for key in "page 3" { try browser.press(String(key)) }
    try browser.run("new Promise(done => setTimeout(done, 300))")
    #expect(try browser.text(Self.rows) == "lost page 39")
    try browser.press("Escape")

    try browser.run("document.querySelector('.group').click()")
    #expect(try browser.text(Self.rows) == "lost page 19|lost page 39|lost page 59")
    try browser.run("document.getElementById('only').click()")
    #expect(try browser.text(Self.count) == "61 of 61")
    try browser.run(
      """
      { const t = document.getElementById('text'); t.value = 'nobody says this';
        t.dispatchEvent(new Event('input')); }
      """)
    try browser.run("new Promise(done => setTimeout(done, 300))")
    #expect(
      try browser.text("document.getElementById('rows').textContent").contains("No record matches"))
  }

  @Test("zooms into the time that is dragged over, and by keys")
  func zoom() throws {
    let browser = try story()
    let edges = try browser.text(
      "{ const r = document.getElementById('chart').getBoundingClientRect();"
        + " [r.left, r.width, r.top + 60].join(' ') }"
    ).split(separator: " ").compactMap { Double($0) }
    let (left, width, y) = (edges[0], edges[1], edges[2])
    // From the 15th second to the 30th.
    try browser.drag(from: (left + width * 0.2458, y), to: (left + width * 0.5, y))
    #expect(try browser.text(Self.count) == "15 of 61")
    #expect(try browser.text(Self.rows).hasPrefix("asked 15|asked 16|"))
    let zoomed = "document.getElementById('zoomed').textContent"
    #expect(try browser.text(zoomed).contains("15 s"))
    try browser.drag(from: (left + 50, y), to: (left + 50, y), clicks: 2)
    #expect(try browser.text(Self.count) == "61 of 61")

    try browser.run("document.getElementById('chart').focus()")
    try browser.press("+")
    #expect(try browser.text(Self.count) == "31 of 61")
    try browser.press("ArrowLeft")
    let moved = try browser.text(Self.rows)
    try browser.press("ArrowLeft")
    try browser.press("ArrowLeft")
    // At the edge it stays as wide as it was.
    #expect(try browser.text(Self.rows).hasPrefix("asked 0|"))
    #expect(try browser.text(Self.rows) != moved)
    #expect(try browser.text(zoomed).contains("30 s"))
    try browser.press("-")
    #expect(try browser.text(Self.count) != "61 of 61")
    try browser.press("Escape")
    #expect(try browser.text(Self.count) == "61 of 61")
  }

  @Test("is led through by keys: errors, crashes, line by line")
  func keys() throws {
    let browser = try story()
    let chosen = "document.querySelector('.row[aria-selected=true] .b').textContent"
    try browser.press("e")
    #expect(try browser.text(chosen) == "lost page 19")
    try browser.press("c")
    #expect(try browser.text(chosen).hasPrefix("CRASH api"))
    try browser.press("j")
    #expect(try browser.text(chosen) == "asked 31")
    try browser.press("k")
    try browser.press("E")
    #expect(try browser.text(chosen) == "lost page 19")
    #expect(try browser.text("document.getElementById('full').textContent") == "lost page 19")
    // The chosen one is marked in the timeline, a third of the way.
    let place = try browser.number("parseFloat(document.getElementById('cursor').style.left)")
    #expect(abs(place - 19.0 / 59 * 100) < 0.1)
    try browser.run("document.querySelector('article > button').click()")
    #expect(try browser.text(chosen).hasPrefix("CRASH api"))
  }

  @Test("can be read in the light, in the dark, on a telephone and on paper")
  func looks() throws {
    for scheme in ["light", "dark"] {
      let browser = try story(scheme)
      let ground = try browser.text("getComputedStyle(document.body).backgroundColor")
      #expect(ground == (scheme == "dark" ? "rgb(18, 22, 28)" : "rgb(246, 247, 249)"))
      // WCAG 2 asks for a contrast of 4.5 for text.
      #expect(try browser.number(Self.lowestContrast) >= 4.5, "\(scheme)")
      try browser.resize(390, 844)
      #expect(try browser.number("document.documentElement.scrollWidth") <= 390)
      let paper = try browser.printed()
      #expect(paper.starts(with: Data("%PDF".utf8)))
      try browser.run("window.dispatchEvent(new Event('beforeprint'))")
      #expect(try browser.number("document.querySelectorAll('.row').length") == 61)
    }
  }

  /// The least contrast of a text in the page with what lies behind it.
  private static let lowestContrast = """
    {
      const light = c => {
        const v = c.map(x => x / 255).map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
      };
      const parse = text => text.match(/[\\d.]+/g).map(Number);
      const behind = e => {
        for (; e; e = e.parentElement) {
          const c = parse(getComputedStyle(e).backgroundColor);
          if (c.length < 4 || c[3] > 0) return c;
        }
      };
      let lowest = 21;
      for (const e of document.querySelectorAll('body *')) {
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!own || !e.offsetParent || /^(SCRIPT|STYLE|OPTION)$/.test(e.tagName)) continue;
        const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
        lowest = Math.min(lowest, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
      }
      lowest
    }
    """

  @Test("says when there is nothing")
  func empty() throws {
    let fixture = try BundleFixture()
    let bundle = try fixture.unpack(fixture.request("b.tar.gz"))
    let browser = try Browser()
    try browser.open(bundle.path("report.html"))
    let said = try browser.text("document.getElementById('log').innerText")
    #expect(said.contains("There are no records in this range."))
    #expect(try browser.number("document.getElementById('time').offsetHeight") == 0)
  }

  @Test("scrolls through a hundred thousand records without a stutter")
  func large() throws {
    let fixture = try BundleFixture()
    try fixture.sample.connection.execute(
      """
      INSERT INTO record (time, severity, file, byte_offset, byte_length, context, body)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT \(BundleFixture.base) + i * 1000000, 9, 1, i * 10, 10, \(fixture.sample.context()),
        'line ' || i FROM n
      """)
    var request = fixture.request("b.tar.gz")
    request.database = .never
    let bundle = try fixture.unpack(request)
    let browser = try Browser()
    try browser.resize(1280, 900)
    try browser.open(bundle.path("report.html"))
    #expect(try browser.text(Self.count) == "100,000 of 100,000")
    // From a scroll to the frame in which its rows stand: a hundred, over the whole length.
    let times = try browser.run(
      """
      (async () => {
        const list = document.getElementById('list'), times = [];
        const frame = () => new Promise(requestAnimationFrame);
        for (let i = 1; i <= 100; i++) {
          await frame();
          const start = performance.now();
          list.scrollTop = i / 100 * (list.scrollHeight - list.clientHeight);
          const row = () => document.getElementById('r' + Math.floor(list.scrollTop / 22));
          for (let n = 0; !row() && n < 60; n++) await frame();
          times.push(performance.now() - start);
        }
        return times.sort((a, b) => a - b);
      })()
      """)
    let sorted = (times as? [Double]) ?? []
    #expect(sorted.count == 100)
    // Two frames of sixty a second are meant; a loaded machine has three.
    #expect(sorted[50] < 51, "median \(sorted[50]) ms, 95 % \(sorted[95]) ms")
    #expect(try browser.text(Self.rows).hasSuffix("line 100000"))
    // Only what is seen is in the tree.
    #expect(try browser.number("document.querySelectorAll('.row').length") < 100)
    try browser.run(
      """
      { const t = document.getElementById('text'); t.value = 'line 777';
        t.dispatchEvent(new Event('input')); }
      """)
    try browser.run("new Promise(done => setTimeout(done, 1000))")
    #expect(try browser.text(Self.count) == "111 of 100,000")
  }
}
