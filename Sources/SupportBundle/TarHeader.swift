// SPDX-License-Identifier: Apache-2.0

/// The 512 bytes before a file in a tar archive (POSIX.1-1988, "ustar").
///
/// Owner and group are 0, the mode is 0600: the bytes depend on nothing else than what is given.
enum TarHeader {
  static let blockBytes = 512

  /// - Parameters:
  ///   - name: relative, at most 100 bytes.
  ///   - size: bytes; from 8 GiB on in the binary form that all tars of today read.
  ///   - time: seconds since 1970.
  static func bytes(name: String, size: Int64, time: Int64) -> [UInt8] {
    precondition(name.utf8.count <= 100, "a member's name is too long: \(name)")
    var header = [UInt8](repeating: 0, count: blockBytes)
    put(Array(name.utf8), 0, &header)
    put(octal(0o600, digits: 7), 100, &header)
    put(octal(0, digits: 7), 108, &header)
    put(octal(0, digits: 7), 116, &header)
    if size < 1 << 33 {
      put(octal(size, digits: 11), 124, &header)
    } else {
      header[124] = 0x80
      for index in 0..<8 {
        header[128 + index] = UInt8(truncatingIfNeeded: size >> (56 - index * 8))
      }
    }
    put(octal(time, digits: 11), 136, &header)
    header[156] = UInt8(ascii: "0")
    put(Array("ustar\u{0}00".utf8), 257, &header)
    put(octal(sum(header), digits: 6) + [0, 0x20], 148, &header)
    return header
  }

  /// The zeros behind a content of `size` bytes.
  static func padding(_ size: Int64) -> [UInt8] {
    let rest = Int(size % Int64(blockBytes))
    return rest == 0 ? [] : [UInt8](repeating: 0, count: blockBytes - rest)
  }

  /// What a header says.
  struct Member {
    var name: String
    var size: Int64
    var isPlainFile: Bool
  }

  /// Reads a header; `nil` for what is none, or is damaged.
  static func member(_ header: [UInt8]) -> Member? {
    guard header.count == blockBytes, header[257..<262].elementsEqual("ustar".utf8),
      number(header[148..<156]) == sum(header), let size = number(header[124..<136])
    else { return nil }
    let type = header[156]
    // Of a link or a folder only the header is there.
    let isPlainFile = type == UInt8(ascii: "0") || type == 0
    var name = text(header[0..<100])
    let folder = text(header[345..<500])
    // GNU's tar keeps times there.
    if !folder.isEmpty, header[262] == 0 { name = folder + "/" + name }
    return Member(name: name, size: isPlainFile ? size : 0, isPlainFile: isPlainFile)
  }

  /// The sum of a header's bytes, which counts its own field as blanks.
  private static func sum(_ header: [UInt8]) -> Int64 {
    header.reduce(0) { $0 + Int64($1) } + header[148..<156].reduce(0) { $0 + 0x20 - Int64($1) }
  }

  /// Octal digits between blanks and zeros, or the binary form; `nil` for others.
  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    if field.first == 0x80 {
      guard field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
      return Int64(exactly: field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    return Int64(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 < 0 ? nil : $0 }
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func put(_ bytes: [UInt8], _ offset: Int, _ header: inout [UInt8]) {
    header.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }

  private static func octal(_ value: Int64, digits: Int) -> [UInt8] {
    let text = String(max(0, value), radix: 8)
    return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
  }
}
