// SPDX-License-Identifier: Apache-2.0

internal import LogQuery

/// Values as JSON has them.
enum JSONLiteral {
  /// A string.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    SafeText.appendJSON(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
