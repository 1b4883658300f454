// SPDX-License-Identifier: Apache-2.0
// toml++ behind a C face: a document as a walk over its values, each with its place in the text.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum la_toml_kind {
  LA_TOML_STRING,
  LA_TOML_INTEGER,
  LA_TOML_FLOAT,
  LA_TOML_BOOLEAN,
  LA_TOML_DATE,
  /// A table or an array begins; what follows belongs to it until LA_TOML_END.
  LA_TOML_TABLE,
  LA_TOML_ARRAY,
  LA_TOML_END,
  /// The text is no TOML; `text` says why. Nothing follows.
  LA_TOML_ERROR,
};

/// One step of the walk. Pointers are valid during the call. Lines and columns count from 1;
/// 0 where there is no place.
struct la_toml_event {
  enum la_toml_kind kind;
  /// The key in the table around it; NULL in an array.
  const char *key;
  size_t key_length;
  uint32_t key_line;
  uint32_t key_column;
  uint32_t line;
  uint32_t column;
  /// A string, a date as text, or an error's message.
  const char *text;
  size_t text_length;
  int64_t integer;
  double number;
};

typedef void (*la_toml_visitor)(void *context, const struct la_toml_event *event);

/// Parses `text` and walks it, the root table first; keys of a table come in sorted order.
void la_toml_walk(const char *text, size_t length, la_toml_visitor visit, void *context);

#ifdef __cplusplus
}
#endif
