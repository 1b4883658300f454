// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery
internal import Redaction
internal import SQLite

/// `report.html`: the bundle as one page that loads nothing, for a person with a browser.
///
/// All that comes from logs lies in one JSON document that no browser runs, and reaches the page as
/// text only; the policy in its head allows our own script and style, by their hashes.
enum ReportPage {
  static let name = "report.html"
  /// The most records that the page shows, the newest.
  static let mostRows: Int64 = 100_000
  /// The most bytes that they may have together, and each.
  private static let mostBytes = 24 << 20
  private static let mostBodyBytes = 4000

  private static let opening = "<script type=\"application/json\" id=\"data\">"
  private static let closing = "</script>"

  /// The page.
  ///
  /// - Parameters:
  ///   - manifest: what the bundle holds.
  ///   - database: the bundle's.
  ///   - problems: files that could not be read.
  ///   - redactor: for texts that are cut; `nil` for none.
  /// - Throws: `SQLiteError`.
  static func make(
    _ manifest: BundleManifest, _ database: Connection,
    _ problems: [(path: String, reason: String)], _ redactor: Redactor?
  ) throws -> [UInt8] {
    var data = ReportData(redactor: redactor)
    let json = try data.json(
      manifest, database, problems, rows: manifest.plan.pageRows, bytes: mostBytes,
      bodyBytes: mostBodyBytes)
    let policy =
      "default-src 'none'; base-uri 'none'; form-action 'none'; "
      + "script-src '\(hash(ReportScript.text))'; style-src '\(hash(ReportStyle.text))'"
    var page: [UInt8] = []
    page.reserveCapacity(json.count + 64 << 10)
    page += Array(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>logagent report</title>
      <style>\(ReportStyle.text)</style>
      </head>
      \(ReportMarkup.text)
      \(opening)
      """.utf8)
    // Nothing in the document can end it.
    for (index, part) in json.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { page += "\\u003c".utf8 }
      page += part
    }
    page += Array("\(closing)\n<script>\(ReportScript.text)</script>\n</body>\n</html>\n".utf8)
    return page
  }

  /// The document in a page that `make` has made; empty when there is none.
  static func data(of page: [UInt8]) -> [UInt8] {
    guard let start = position(of: Array(opening.utf8), in: page[...]),
      let end = position(of: Array(closing.utf8), in: page[(start + opening.utf8.count)...])
    else { return [] }
    return Array(page[(start + opening.utf8.count)..<end])
  }

  private static func position(of word: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var start = bytes.startIndex
    while let index = bytes[start...].firstIndex(of: word[0]) {
      if bytes[index...].starts(with: word) { return index }
      start = index + 1
    }
    return nil
  }

  /// As a policy names a script.
  private static func hash(_ text: String) -> String {
    let digits = Array(SHA256.hex(Array(text.utf8)))
    let bytes = stride(from: 0, to: digits.count, by: 2).map { index in
      UInt8(String(digits[index...index + 1]), radix: 16) ?? 0
    }
    return "sha256-" + base64(bytes)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var value = group.reduce(0) { $0 << 8 | Int($1) }
      value <<= 8 * (3 - group.count)
      for place in 0..<4 {
        text.append(place > group.count ? "=" : digits[value >> (18 - 6 * place) & 63])
      }
    }
    return text
  }
}
