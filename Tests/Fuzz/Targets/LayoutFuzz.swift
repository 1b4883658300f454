// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser

/// Made-up time layouts with texts, and made-up lnav format files.
enum LayoutFuzz {
  static func failure(_ bytes: [UInt8]) -> String? {
    if bytes.first == UInt8(ascii: "{") {
      // Patterns are PCRE2's own matter: only the file is read here.
      _ = try? LnavFormat.definitions(bytes, path: "x.json")
      return nil
    }
    let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var definition = UserFormatDefinition(name: "fuzz", place: "fuzz")
    definition.patterns = ["(?s)(?<time>.*)"]
    definition.timeLayouts = [String(decoding: parts[0], as: UTF8.self)]
    definition.samples = [
      .init(
        text: String(decoding: parts[1], as: UTF8.self),
        expected: [.init(field: "time", value: "2026-03-01T10:00:00Z")])
    ]
    do throws(UserFormatError) {
      try UserFormat(definition).checkSamples()
    } catch {
      return error.description.isEmpty ? "an error without words" : nil
    }
    return nil
  }
}
