// SPDX-License-Identifier: Apache-2.0
// Header-only and without exceptions, so that nothing of C++ crosses the C face.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include "CTOML.h"
#include <sstream>
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace {

struct Walk {
  la_toml_visitor visit;
  void *context;

  void node(const toml::node &value, const toml::key *key) {
    la_toml_event event = {};
    place(event, value, key);
    if (auto *table = value.as_table()) {
      send(event, LA_TOML_TABLE);
      for (auto &&[name, child] : *table) node(child, &name);
      end();
    } else if (auto *array = value.as_array()) {
      send(event, LA_TOML_ARRAY);
      for (auto &&child : *array) node(child, nullptr);
      end();
    } else if (auto *text = value.as_string()) {
      string(event, LA_TOML_STRING, text->get());
    } else if (auto *integer = value.as_integer()) {
      event.integer = integer->get();
      send(event, LA_TOML_INTEGER);
    } else if (auto *number = value.as_floating_point()) {
      event.number = number->get();
      send(event, LA_TOML_FLOAT);
    } else if (auto *boolean = value.as_boolean()) {
      event.integer = boolean->get();
      send(event, LA_TOML_BOOLEAN);
    } else {
      std::ostringstream date;
      if (auto *d = value.as_date()) date << d->get();
      if (auto *t = value.as_time()) date << t->get();
      if (auto *dt = value.as_date_time()) date << dt->get();
      string(event, LA_TOML_DATE, date.str());
    }
  }

  void string(la_toml_event &event, la_toml_kind kind, std::string_view text) {
    event.text = text.data();
    event.text_length = text.size();
    send(event, kind);
  }

  void place(la_toml_event &event, const toml::node &value, const toml::key *key) {
    event.line = value.source().begin.line;
    event.column = value.source().begin.column;
    if (!key) return;
    event.key = key->data();
    event.key_length = key->length();
    event.key_line = key->source().begin.line;
    event.key_column = key->source().begin.column;
  }

  void send(la_toml_event &event, la_toml_kind kind) {
    event.kind = kind;
    visit(context, &event);
  }

  void end() {
    la_toml_event event = {};
    send(event, LA_TOML_END);
  }
};

} // namespace

void la_toml_walk(const char *text, size_t length, la_toml_visitor visit, void *context) {
  Walk walk{visit, context};
  auto result = toml::parse(std::string_view(text, length));
  if (result) return walk.node(result.table(), nullptr);
  la_toml_event event = {};
  event.line = result.error().source().begin.line;
  event.column = result.error().source().begin.column;
  walk.string(event, LA_TOML_ERROR, result.error().description());
}
