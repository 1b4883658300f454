// SPDX-License-Identifier: Apache-2.0
// What one thread of C needs for the whole way: read, find lines, parse, insert with the schema of
// a store of ours, commit. For swift-log and nginx lines as generate.py writes them; no other line
// is expected, none is joined, nothing is checked.
//
// usage: pipeline swift-log|nginx EMPTY-STORE.db FILE
//        pipeline swift-log|nginx - FILE     finds and parses lines only, in memory: ns a line
#define _GNU_SOURCE
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sqlite3 *db;
static sqlite3_stmt *insert;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "pipeline: %s\n", sqlite3_errmsg(db));
  exit(65);
}

static void run(const char *sql) { check(sqlite3_exec(db, sql, 0, 0, 0)); }

static long two(const char *p) { return (p[0] - '0') * 10 + (p[1] - '0'); }

static sqlite3_int64 nanoseconds(long y, long m, long d, const char *clock) {
  y -= m <= 2;
  long era = y / 400, yoe = y - era * 400, doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
  long days = era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
  long seconds = days * 86400 + two(clock) * 3600 + two(clock + 3) * 60 + two(clock + 6);
  return (sqlite3_int64)seconds * 1000000000;
}

static char attributes[8192];

/* The keys are in the row's frame. */
static int member(int at, const char *value, long length, int text) {
  attributes[at] = at ? ',' : '[', at++;
  if (text) attributes[at++] = '"';
  memcpy(attributes + at, value, (size_t)length), at += (int)length;
  if (text) attributes[at++] = '"';
  return at;
}

struct row {
  sqlite3_int64 time;
  int severity, attributes, frame;
  const char *body;
  long length;
};

/* Values that many lines share are in their frame: one for each, of those that came first. */
static int constant(const char *value, long length) {
  static struct { const char *text; long length; } known[16];
  static int count;
  for (int i = 0; i < count; i++)
    if (known[i].length == length && !memcmp(known[i].text, value, (size_t)length)) return i + 1;
  if (count == 16) return 0;
  known[count].text = memcpy(malloc((size_t)length), value, (size_t)length);
  known[count].length = length;
  return ++count;
}

static void swift_log(const char *p, const char *end, struct row *row) {
  row->time = nanoseconds(two(p) * 100 + two(p + 2), two(p + 5), two(p + 8), p + 11);
  const char *level = p + 25;
  row->severity = *level == 'e' ? 17 : *level == 'w' ? 13 : *level == 'd' ? 5 : 9;
  const char *colon = memchr(level, ':', (size_t)(end - level));
  const char *id = colon + 13, *user = memchr(id, '=', (size_t)(end - id)) + 1;
  const char *bracket = memchr(user, '[', (size_t)(end - user));
  const char *close = memchr(bracket, ']', (size_t)(end - bracket));
  row->frame = constant(bracket + 1, close - bracket - 1);
  int at = row->frame ? 0 : member(0, bracket + 1, close - bracket - 1, 1);
  at = member(at, id, user - 6 - id, 1);
  at = member(at, user, bracket - 1 - user, 1);
  attributes[at++] = ']';
  row->attributes = at;
  row->body = close + 2;
  row->length = end - row->body;
}

static void nginx(const char *p, const char *end, struct row *row) {
  const char *ipEnd = memchr(p, ' ', (size_t)(end - p));
  const char *date = memchr(ipEnd, '[', (size_t)(end - ipEnd)) + 1;
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  long month = 1;
  while (memcmp(months + (month - 1) * 3, date + 3, 3)) month++;
  row->time = nanoseconds(two(date + 7) * 100 + two(date + 9), month, two(date), date + 12);
  const char *quote = memchr(date, '"', (size_t)(end - date));
  const char *space = memchr(quote, ' ', (size_t)(end - quote));
  const char *pathEnd = memchr(space + 1, ' ', (size_t)(end - space));
  const char *closing = memchr(pathEnd, '"', (size_t)(end - pathEnd));
  const char *status = closing + 2, *bytes = status + 4;
  const char *bytesEnd = memchr(bytes, ' ', (size_t)(end - bytes));
  const char *agent = bytesEnd + 6;
  row->severity = *status == '5' ? 17 : *status == '4' ? 13 : 9;
  int isUsual = space - quote == 4 && !memcmp(quote + 1, "GET", 3) &&
                closing - pathEnd == 9 && !memcmp(pathEnd + 6, "1.1", 3);
  row->frame = isUsual ? constant(agent, end - 1 - agent) : 0;
  int at = member(0, p, ipEnd - p, 1);
  if (!row->frame) at = member(at, quote + 1, space - quote - 1, 1);
  at = member(at, space + 1, pathEnd - space - 1, 1);
  if (!row->frame) at = member(at, pathEnd + 6, closing - pathEnd - 6, 1);
  at = member(at, status, 3, 0);
  at = member(at, bytes, bytesEnd - bytes, 0);
  if (!row->frame) at = member(at, agent, end - 1 - agent, 1);
  attributes[at++] = ']';
  row->attributes = at;
  /* The body is in the frame as well. */
  row->body = 0;
  row->length = 0;
}

typedef void (*parser)(const char *, const char *, struct row *);

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The best of five rounds, as logagent-bench takes it. */
static int parse_only(parser parse, int fd) {
  off_t size = lseek(fd, 0, SEEK_END);
  char *bytes = malloc((size_t)size + 1);
  if (size <= 0 || pread(fd, bytes, (size_t)size, 0) != size) return 66;
  double best = 1e9;
  long lines = 0;
  sqlite3_int64 sum = 0;
  for (int round = 0; round < 5; round++) {
    double start = cpu_seconds();
    lines = 0;
    for (char *p = bytes, *newline; (newline = memchr(p, '\n', (size_t)(bytes + size - p)));
         p = newline + 1, lines++) {
      struct row row;
      parse(p, newline, &row);
      sum += row.time + row.attributes;
    }
    double took = cpu_seconds() - start;
    if (took < best) best = took;
  }
  printf("%ld lines, %.0f ns a line, %.2f M lines/s (%llx)\n", lines, best * 1e9 / lines,
         lines / best / 1e6, (unsigned long long)sum);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  parser parse = strcmp(argv[1], "nginx") ? swift_log : nginx;
  int fd = open(argv[3], O_RDONLY);
  if (fd < 0) return 66;
  if (!strcmp(argv[2], "-")) return parse_only(parse, fd);
  check(sqlite3_open_v2(argv[2], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0));
  run("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096; PRAGMA temp_store = MEMORY;"
      "PRAGMA journal_size_limit = 0; PRAGMA wal_autocheckpoint = 512;");
  check(sqlite3_prepare_v3(
      db, "INSERT INTO record (id, time, severity, file, byte_offset, byte_length, context, body, "
          "attributes, frame) VALUES (?, ?, ?, 1, ?, ?, 1, ?, ?, ?)",
      -1, SQLITE_PREPARE_PERSISTENT, &insert, 0));
  enum { SIZE = 1 << 20 };
  char *buffer = malloc(SIZE);
  size_t held = 0;
  sqlite3_int64 id = 0, offset = 0;
  ssize_t count;
  run("BEGIN");
  while ((count = read(fd, buffer + held, SIZE - held)) > 0) {
    char *p = buffer, *end = buffer + held + count, *newline;
    while ((newline = memchr(p, '\n', (size_t)(end - p)))) {
      struct row row;
      parse(p, newline, &row);
      sqlite3_bind_int64(insert, 1, ++id);
      sqlite3_bind_int64(insert, 2, row.time);
      sqlite3_bind_int(insert, 3, row.severity);
      sqlite3_bind_int64(insert, 4, offset);
      sqlite3_bind_int64(insert, 5, newline + 1 - p);
      sqlite3_bind_text(insert, 6, row.body, (int)row.length, 0);
      sqlite3_bind_text(insert, 7, attributes, row.attributes, 0);
      sqlite3_bind_int(insert, 8, row.frame + 1);
      check(sqlite3_step(insert));
      sqlite3_reset(insert);
      if (id % 8192 == 0) run("COMMIT; BEGIN");
      offset += newline + 1 - p;
      p = newline + 1;
    }
    held = (size_t)(end - p);
    memmove(buffer, p, held);
  }
  run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  printf("%lld\n", (long long)id);
  return 0;
}
