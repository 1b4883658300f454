// SPDX-License-Identifier: Apache-2.0

/// Files that a reporter keeps beside its reports for itself: they tell of no crash.
enum SpoolCompanion {
  /// Whether a file in a spool is one: Crashpad's settings, and its notes on what was uploaded.
  static func recognises(_ bytes: [UInt8], name: String) -> Bool {
    if name == "settings.dat" { return bytes.count <= 1024 }
    guard name.hasSuffix(".meta") || name.hasSuffix(".lock") else { return false }
    return bytes.count <= 1024 && isIdentifier(name.dropLast(5))
  }

  /// `aaaaaaaa-1111-2222-3333-444444444444`
  private static func isIdentifier(_ text: Substring) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy(CrashText.isHexDigit) }
  }
}
