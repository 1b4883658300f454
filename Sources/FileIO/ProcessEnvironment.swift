// SPDX-License-Identifier: Apache-2.0

/// The variables that this process was started with.
package enum ProcessEnvironment {
  /// All of them by name. Swift 6 refuses `environ`, which any thread could change; the kernel's
  /// copy stays as it was.
  package static func variables() -> [String: String] {
    guard let bytes = try? FileSystem.contents(of: "/proc/self/environ") else { return [:] }
    var variables: [String: String] = [:]
    for entry in bytes.split(separator: 0) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: entry[..<equals], as: UTF8.self)
      variables[name] = String(decoding: entry[(equals + 1)...], as: UTF8.self)
    }
    return variables
  }
}
