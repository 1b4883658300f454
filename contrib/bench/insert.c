// SPDX-License-Identifier: Apache-2.0
// The bound of all storing: the rows of a store of ours, taken into memory first, are inserted into
// a new file with the same schema, by bind and step, 8,192 rows a transaction. Prints the wall and
// CPU seconds of the inserting alone.
//
// usage: insert FROM.db TO.db
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct value { int type; sqlite3_int64 number; char *bytes; int length; };

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(int code, sqlite3 *db) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "insert: %s\n", sqlite3_errmsg(db));
  exit(65);
}

static void run(sqlite3 *db, const char *sql) { check(sqlite3_exec(db, sql, 0, 0, 0), db); }

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  sqlite3 *from, *to;
  sqlite3_stmt *select, *insert;
  check(sqlite3_open_v2(argv[1], &from, SQLITE_OPEN_READONLY, 0), from);
  check(sqlite3_open_v2(argv[2], &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                          SQLITE_OPEN_NOMUTEX, 0), to);
  // As the agent opens its store: pages like those of FROM, a log of 4 MiB.
  check(sqlite3_prepare_v2(from, "PRAGMA page_size", -1, &select, 0), from);
  sqlite3_step(select);
  int page = sqlite3_column_int(select, 0);
  sqlite3_finalize(select);
  char sizes[128];
  snprintf(sizes, sizeof sizes, "PRAGMA page_size = %d; PRAGMA wal_autocheckpoint = %d", page,
           (4 << 20) / page);
  run(to, sizes);
  run(to, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
          "PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY;"
          "PRAGMA journal_size_limit = 0;");
  check(sqlite3_prepare_v2(from, "SELECT sql FROM sqlite_schema WHERE tbl_name = 'record' "
                                 "AND sql NOT NULL", -1, &select, 0), from);
  while (sqlite3_step(select) == SQLITE_ROW) run(to, (const char *)sqlite3_column_text(select, 0));
  sqlite3_finalize(select);
  check(sqlite3_prepare_v2(from, "SELECT * FROM record ORDER BY id", -1, &select, 0), from);
  int columns = sqlite3_column_count(select);
  size_t rows = 0, room = 1 << 16;
  struct value *values = malloc(room * (size_t)columns * sizeof *values);
  while (sqlite3_step(select) == SQLITE_ROW) {
    if (rows == room) values = realloc(values, (room *= 2) * (size_t)columns * sizeof *values);
    for (int c = 0; c < columns; c++) {
      struct value *v = &values[rows * (size_t)columns + (size_t)c];
      v->type = sqlite3_column_type(select, c);
      v->number = sqlite3_column_int64(select, c);
      if (v->type != SQLITE_TEXT && v->type != SQLITE_BLOB) continue;
      v->length = sqlite3_column_bytes(select, c);
      v->bytes = malloc((size_t)v->length + 1);
      memcpy(v->bytes, sqlite3_column_blob(select, c), (size_t)v->length);
    }
    rows++;
  }
  char sql[256] = "INSERT INTO record VALUES (?";
  for (int c = 1; c < columns; c++) strcat(sql, ",?");
  strcat(sql, ")");
  check(sqlite3_prepare_v3(to, sql, -1, SQLITE_PREPARE_PERSISTENT, &insert, 0), to);
  double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  for (size_t r = 0; r < rows; r++) {
    if (r % 8192 == 0) run(to, r ? "COMMIT; BEGIN" : "BEGIN");
    for (int c = 0; c < columns; c++) {
      struct value *v = &values[r * (size_t)columns + (size_t)c];
      switch (v->type) {
      case SQLITE_INTEGER: sqlite3_bind_int64(insert, c + 1, v->number); break;
      case SQLITE_TEXT: sqlite3_bind_text(insert, c + 1, v->bytes, v->length, 0); break;
      case SQLITE_BLOB: sqlite3_bind_blob(insert, c + 1, v->bytes, v->length, 0); break;
      default: sqlite3_bind_null(insert, c + 1);
      }
    }
    check(sqlite3_step(insert), to);
    sqlite3_reset(insert);
  }
  run(to, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  printf("%.3f %.3f\n", now(CLOCK_MONOTONIC) - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  return 0;
}
