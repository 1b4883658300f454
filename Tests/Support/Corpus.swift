// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The folder of real logs and crash reports that may lie beside the checkout; tests that read it
/// are skipped where it is absent.
package enum Corpus {
  /// The folder, or `nil`. `LOGTEST_CORPUS` names another one.
  package static let path: String? = {
    let named = ProcessInfo.processInfo.environment["LOGTEST_CORPUS"]
    let beside = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared/corpus").path
    for candidate in [named, beside].compactMap({ $0 })
    where FileManager.default.fileExists(atPath: candidate + "/INDEX.tsv") {
      return candidate
    }
    return nil
  }()

  package static var isAvailable: Bool { path != nil }
}
