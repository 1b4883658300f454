// SPDX-License-Identifier: Apache-2.0
// inflateInit2 and deflateInit2 are macros.
#pragma once
#include <zlib.h>

static inline int la_inflate_init(z_stream *s, int window_bits) {
  return inflateInit2(s, window_bits);
}

static inline int la_deflate_init(z_stream *s, int level, int window_bits) {
  return deflateInit2(s, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
