// SPDX-License-Identifier: Apache-2.0

internal import CNettle

/// SHA-256, by nettle.
package struct SHA256: ~Copyable {
  private var context = sha256_ctx()

  package init() { nettle_sha256_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    nettle_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
  }

  /// Ends it: 64 lower-case hexadecimal digits.
  package mutating func finish() -> String {
    let digest = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      nettle_sha256_digest(&context, 32, buffer.baseAddress)
      count = 32
    }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The digest of `bytes` in hexadecimal.
  package static func hex(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }
}
