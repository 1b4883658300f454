// SPDX-License-Identifier: Apache-2.0
// Variadic SQLite functions have no Swift form; these give the few that we call a type.
#pragma once
#include <sqlite3.h>

static inline int la_sqlite3_set_defensive(sqlite3 *db, int on) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

static inline int la_sqlite3_disable_extensions(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
}

static inline int la_sqlite3_untrust_schema(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// The size of the write-ahead log's file in bytes; 0 when there is none.
static inline sqlite3_int64 la_sqlite3_log_size(sqlite3 *db) {
  sqlite3_file *file = 0;
  sqlite3_int64 size = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) != SQLITE_OK) return 0;
  if (file && file->pMethods) file->pMethods->xFileSize(file, &size);
  return size;
}
