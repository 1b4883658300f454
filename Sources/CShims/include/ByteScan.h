// SPDX-License-Identifier: Apache-2.0
// Looking at sixteen bytes at once: Swift compares its SIMD types byte by byte.
#pragma once

#include <stdint.h>
#include <string.h>

typedef uint8_t la_bytes16 __attribute__((vector_size(16)));

/// The index of the first of 16 bytes that a JSON string can't have as it is: a control character, a
/// quote or a backslash; 16 when there is none.
static inline int la_first_escaped(const void *bytes) {
  la_bytes16 text;
  memcpy(&text, bytes, sizeof text);
  __typeof__(text == text) found = (text == '"') | (text == '\\') | (text < 0x20);
  uint64_t halves[2];
  memcpy(halves, &found, sizeof halves);
  if (!(halves[0] | halves[1])) return 16;
  return halves[0] ? __builtin_ctzll(halves[0]) >> 3 : 8 + (__builtin_ctzll(halves[1]) >> 3);
}
