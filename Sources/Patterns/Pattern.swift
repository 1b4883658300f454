// SPDX-License-Identifier: Apache-2.0

internal import CPCRE2

/// A regular expression in Perl's syntax, compiled to machine code by PCRE2.
///
/// Text is UTF-8; bytes that are none match nothing and stop nothing.
///
/// The rule that makes it `Sendable`: the compiled code never changes; what a match writes belongs
/// to a `Matcher`, and a matcher to one thread.
package final class Pattern: @unchecked Sendable {
  package let text: String
  let code: OpaquePointer

  /// Compiles `text`.
  ///
  /// - Parameters:
  ///   - text: in Perl's syntax.
  ///   - ignoresCase: as `(?i)` at the start would say.
  ///   - isAnchored: it matches only where the search begins.
  /// - Throws: `PatternError` with the place of the mistake.
  package init(
    _ text: String, ignoresCase: Bool = false, isAnchored: Bool = false
  ) throws(PatternError) {
    var options = UInt32(PCRE2_UTF) | UInt32(PCRE2_MATCH_INVALID_UTF)
    if ignoresCase { options |= UInt32(PCRE2_CASELESS) }
    if isAnchored { options |= UInt32(PCRE2_ANCHORED) }
    var errorCode: Int32 = 0
    var errorOffset = 0
    let bytes = Array(text.utf8)
    let compiled = pcre2_compile_8(bytes, bytes.count, options, &errorCode, &errorOffset, nil)
    guard let compiled else {
      let reason = Self.message(errorCode)
      throw PatternError(pattern: text, reason: reason, offset: min(errorOffset, bytes.count))
    }
    // Where there is no compiler for this processor, the interpreter does the same, slower.
    _ = pcre2_jit_compile_8(compiled, UInt32(PCRE2_JIT_COMPLETE))
    self.text = text
    code = compiled
    names = Self.names(of: compiled)
  }

  deinit { pcre2_code_free_8(code) }

  /// The names of the named groups with their numbers, by number.
  package let names: [(name: String, group: Int)]

  /// How many groups in parentheses there are, without the whole match.
  package var groupCount: Int {
    var count: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    return Int(count)
  }

  private static func names(of code: OpaquePointer) -> [(name: String, group: Int)] {
    var count: UInt32 = 0
    var size: UInt32 = 0
    var table: UnsafePointer<UInt8>?
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table else { return [] }
    // Each entry: the number in two bytes, highest first, then the name and a NUL.
    let entries = (0..<Int(count)).map { index in
      let entry = table + index * Int(size)
      return (name: String(cString: entry + 2), group: Int(entry[0]) << 8 | Int(entry[1]))
    }
    return entries.sorted { $0.group < $1.group }
  }

  static func message(_ code: Int32) -> String {
    let text = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = Int(max(0, pcre2_get_error_message_8(code, buffer.baseAddress, 256)))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension Pattern {
  /// Whether it occurs in `text`. For many texts a `Matcher` is faster.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    Matcher(self).find(in: text)
  }

  /// Whether it occurs in `text`.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }
}
