// SPDX-License-Identifier: Apache-2.0

internal import CPCRE2

/// Looks for a pattern in many texts, one after the other, without allocating.
package final class Matcher {
  package let pattern: Pattern
  private let data: OpaquePointer?
  private let context: OpaquePointer?
  private let stack: OpaquePointer?
  /// Why the last search ended without an answer: the pattern backtracks too much for its text.
  package private(set) var failure: String?

  /// A matcher of its own memory.
  ///
  /// - Parameter limit: steps of backtracking after which a search is given up; some million take
  ///   hundreds of milliseconds, and a pattern that needs more is a mistake.
  package init(_ pattern: Pattern, limit: UInt32 = 5_000_000) {
    self.pattern = pattern
    data = pcre2_match_data_create_from_pattern_8(pattern.code, nil)
    context = pcre2_match_context_create_8(nil)
    // The machine's own stack, of which PCRE2 takes 32 KiB, is short for lines of a megabyte.
    stack = pcre2_jit_stack_create_8(32 << 10, 1 << 20, nil)
    pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    pcre2_set_match_limit_8(context, limit)
  }

  deinit {
    pcre2_match_data_free_8(data)
    pcre2_match_context_free_8(context)
    pcre2_jit_stack_free_8(stack)
  }

  /// Whether the pattern occurs in `text`, at or after byte `start`.
  ///
  /// The groups of the match are then at hand until the next search. See `failure` for false.
  package func find(in text: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Bool {
    var none: UInt8 = 0
    let result = withUnsafePointer(to: &none) { empty in
      pcre2_match_8(
        pattern.code, text.baseAddress ?? empty, text.count, start, 0, data, context)
    }
    failure = result < -1 ? Pattern.message(result) : nil
    return result > 0
  }

  /// How many bytes of `text` the pattern takes before it fails: the length of the longest
  /// beginning that a match could still grow from. All of them where the pattern matches.
  ///
  /// It tries one beginning after the other, so it is for short texts: at most 4,096 bytes are
  /// looked at.
  package func reach(in text: UnsafeBufferPointer<UInt8>) -> Int {
    var none: UInt8 = 0
    for length in stride(from: min(text.count, 4096), to: 0, by: -1) {
      let result = withUnsafePointer(to: &none) { empty in
        pcre2_match_8(
          pattern.code, text.baseAddress ?? empty, length, 0,
          UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_PARTIAL_HARD), data, context)
      }
      if result > 0 || result == PCRE2_ERROR_PARTIAL { return length }
    }
    return 0
  }

  /// The bytes of a group in the last match; 0 is the whole match. `nil` for one that took no part.
  package func range(_ group: Int) -> Range<Int>? {
    guard let offsets = pcre2_get_ovector_pointer_8(data) else { return nil }
    let start = offsets[group * 2]
    let end = offsets[group * 2 + 1]
    // PCRE2_UNSET is all ones. With \K a match can even start behind its end.
    return start == Int.max || start < 0 || end < start ? nil : start..<end
  }
}
