// SPDX-License-Identifier: Apache-2.0
// The streams of ISA-L are structures of many kilobytes, which Swift should not see.
#pragma once
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdbool.h>
#include <stdlib.h>

// What one step took and gave.
struct la_step {
  uint32_t consumed;
  uint32_t produced;
  bool is_end;
};

// A raw deflate stream; NULL without memory. Its two parts are freed by free().
static inline void *la_isal_deflate_new(void) {
  const uint32_t size = ISAL_DEF_LVL2_DEFAULT;
  // The tables in it are read by vectors.
  struct isal_zstream *stream = NULL;
  if (posix_memalign((void **)&stream, 64, sizeof *stream + size) != 0) return NULL;
  isal_deflate_init(stream);
  stream->level = 2;
  stream->level_buf = (uint8_t *)(stream + 1);
  stream->level_buf_size = size;
  return stream;
}

static inline struct la_step la_isal_deflate(
    void *state, const uint8_t *in, uint32_t in_count, uint8_t *out, uint32_t out_count,
    bool is_flush, bool is_end) {
  struct isal_zstream *stream = (struct isal_zstream *)state;
  stream->next_in = (uint8_t *)in;
  stream->avail_in = in_count;
  stream->next_out = out;
  stream->avail_out = out_count;
  stream->flush = is_flush ? FULL_FLUSH : NO_FLUSH;
  stream->end_of_stream = is_end;
  // It fails for bad parameters only.
  if (isal_deflate(stream) != COMP_OK) abort();
  struct la_step step = {
      in_count - stream->avail_in, out_count - stream->avail_out,
      stream->internal_state.state == ZSTATE_END};
  return step;
}

// A gzip member; NULL without memory. Freed by free().
static inline void *la_isal_gunzip_new(void) {
  struct inflate_state *state = (struct inflate_state *)malloc(sizeof *state);
  if (state == NULL) return NULL;
  isal_inflate_init(state);
  state->crc_flag = ISAL_GZIP;
  return state;
}

// False for damaged data, and for a wrong checksum at its end.
static inline bool la_isal_gunzip(
    void *state, const uint8_t *in, uint32_t in_count, uint8_t *out, uint32_t out_count,
    struct la_step *step) {
  struct inflate_state *stream = (struct inflate_state *)state;
  stream->next_in = (uint8_t *)in;
  stream->avail_in = in_count;
  stream->next_out = out;
  stream->avail_out = out_count;
  const int code = isal_inflate(stream);
  step->consumed = in_count - stream->avail_in;
  step->produced = out_count - stream->avail_out;
  step->is_end = stream->block_state == ISAL_BLOCK_FINISH;
  return code >= ISAL_DECOMP_OK && code <= ISAL_OUT_OVERFLOW;
}
