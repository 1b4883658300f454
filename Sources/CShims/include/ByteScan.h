// SPDX-License-Identifier: Apache-2.0
// Looking at sixteen bytes at once: Swift compares its SIMD types byte by byte.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Swift calls a function that is merely inline where it is used more than once.
#define LA_INLINE static inline __attribute__((always_inline))

typedef uint8_t la_bytes16 __attribute__((vector_size(16)));

LA_INLINE la_bytes16 la_load16(const void *bytes) {
  la_bytes16 text;
  memcpy(&text, bytes, sizeof text);
  return text;
}

/// The index of the first byte that is not 0, of those that a comparison gave; 16 when all are.
LA_INLINE int la_first_match(la_bytes16 matches) {
#if defined(__SSE2__)
  return __builtin_ctz((unsigned)_mm_movemask_epi8((__m128i)matches) | 0x10000);
#else
  uint64_t halves[2];
  memcpy(halves, &matches, sizeof halves);
  if (halves[0]) return __builtin_ctzll(halves[0]) >> 3;
  return halves[1] ? 8 + (__builtin_ctzll(halves[1]) >> 3) : 16;
#endif
}

/// The index of the first of 16 bytes that a JSON string can't have as it is: a control character, a
/// quote or a backslash; 16 when there is none.
LA_INLINE int la_first_escaped(const void *bytes) {
  la_bytes16 text = la_load16(bytes);
  return la_first_match((la_bytes16)((text == '"') | (text == '\\') | (text < 0x20)));
}

/// The index of the first of 16 bytes that is `byte`; 16 when none is.
LA_INLINE int la_first_equal(const void *bytes, uint8_t byte) {
  return la_first_match((la_bytes16)(la_load16(bytes) == byte));
}

/// The index of the first of 16 bytes that is a blank, a tab or a newline; 16 when none is.
LA_INLINE int la_first_blank(const void *bytes) {
  la_bytes16 text = la_load16(bytes);
  return la_first_match((la_bytes16)((text == ' ') | (text == '\t') | (text == '\n')));
}

/// Whether all bytes are ASCII, and none is ESC.
LA_INLINE bool la_is_plain_ascii(const uint8_t *bytes, size_t count) {
  // Only the uppermost bits tell: that of a byte beyond ASCII, and that of a comparison that held.
  la_bytes16 bad = {0};
  size_t index = 0;
  for (; index + 32 <= count; index += 32) {
    la_bytes16 first = la_load16(bytes + index), second = la_load16(bytes + index + 16);
    bad |= first | second | (la_bytes16)(first == 0x1b) | (la_bytes16)(second == 0x1b);
  }
  if (count >= 16) {
    // Some are looked at twice.
    if (index + 16 < count) {
      la_bytes16 text = la_load16(bytes + index);
      bad |= text | (la_bytes16)(text == 0x1b);
    }
    la_bytes16 last = la_load16(bytes + count - 16);
    bad |= last | (la_bytes16)(last == 0x1b);
    index = count;
  }
  uint64_t halves[2];
  memcpy(halves, &bad, sizeof halves);
  uint64_t found = halves[0] | halves[1];
  for (; index < count; index++) found |= bytes[index] | (bytes[index] == 0x1b ? 0x80 : 0);
  return (found & 0x8080808080808080u) == 0;
}
