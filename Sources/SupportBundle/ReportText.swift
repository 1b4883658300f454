// SPDX-License-Identifier: Apache-2.0

internal import Redaction

/// A crash report's bytes, masked when they are text.
enum ReportText {
  /// Whether rules can read it: UTF-8 without control characters.
  static func isText(_ bytes: [UInt8]) -> Bool {
    let isPlain = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 9 || $0 == 27 }
    return isPlain && String(validating: bytes, as: UTF8.self) != nil
  }

  /// `bytes` with marks; a JSON document stays one.
  static func masked(_ bytes: [UInt8], _ redactor: Redactor, _ place: RedactionPlace) -> [UInt8] {
    var result: [UInt8] = []
    let isChanged = bytes.withUnsafeBufferPointer { text in
      (isDocument(bytes)
        ? DocumentRedactor.redact(text, with: redactor, at: place, to: &result) : nil)
        ?? redactor.redact(text, at: place, to: &result)
    }
    return isChanged ? result : bytes
  }

  /// Whether it begins as JSON does.
  static func isDocument(_ bytes: some Sequence<UInt8>) -> Bool {
    let first = bytes.first { $0 > 0x20 }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
