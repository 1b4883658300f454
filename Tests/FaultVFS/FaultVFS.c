// SPDX-License-Identifier: Apache-2.0
#include "FaultVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// Tests run side by side in one process: a plan is its thread's own.
static _Thread_local struct {
  int active, call, code, countdown, for_ever, hits;
} plan;

void fault_plan(enum fault_call call, int code, int countdown, int for_ever) {
  plan.active = 1;
  plan.call = (int)call;
  plan.code = code;
  plan.countdown = countdown;
  plan.for_ever = for_ever;
  plan.hits = 0;
}

int fault_clear(void) {
  plan.active = 0;
  return plan.hits;
}

// The code to fail with; SQLITE_OK to go on.
static int fault(enum fault_call call) {
  if (!plan.active || plan.call != (int)call) return SQLITE_OK;
  if (plan.countdown > 0) {
    plan.countdown--;
    return SQLITE_OK;
  }
  if (plan.hits > 0 && !plan.for_ever) return SQLITE_OK;
  plan.hits++;
  return plan.code;
}

// The real file follows this header.
struct file {
  sqlite3_file base;
  sqlite3_file *real;
};

#define REAL(f) (((struct file *)(f))->real)
#define CALL(f, method, ...) REAL(f)->pMethods->method(REAL(f), ##__VA_ARGS__)

static int f_close(sqlite3_file *f) { return CALL(f, xClose); }
static int f_read(sqlite3_file *f, void *b, int n, sqlite3_int64 o) {
  int code = fault(FAULT_READ);
  return code ? code : CALL(f, xRead, b, n, o);
}
static int f_write(sqlite3_file *f, const void *b, int n, sqlite3_int64 o) {
  int code = fault(FAULT_WRITE);
  return code ? code : CALL(f, xWrite, b, n, o);
}
static int f_truncate(sqlite3_file *f, sqlite3_int64 n) {
  int code = fault(FAULT_TRUNCATE);
  return code ? code : CALL(f, xTruncate, n);
}
static int f_sync(sqlite3_file *f, int flags) {
  int code = fault(FAULT_SYNC);
  return code ? code : CALL(f, xSync, flags);
}
static int f_size(sqlite3_file *f, sqlite3_int64 *n) { return CALL(f, xFileSize, n); }
static int f_lock(sqlite3_file *f, int l) { return CALL(f, xLock, l); }
static int f_unlock(sqlite3_file *f, int l) { return CALL(f, xUnlock, l); }
static int f_reserved(sqlite3_file *f, int *r) { return CALL(f, xCheckReservedLock, r); }
static int f_control(sqlite3_file *f, int op, void *p) { return CALL(f, xFileControl, op, p); }
static int f_sector(sqlite3_file *f) { return CALL(f, xSectorSize); }
static int f_traits(sqlite3_file *f) { return CALL(f, xDeviceCharacteristics); }
static int f_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **p) {
  int code = fault(FAULT_MAP);
  return code ? code : CALL(f, xShmMap, page, size, extend, p);
}
static int f_shm_lock(sqlite3_file *f, int o, int n, int l) { return CALL(f, xShmLock, o, n, l); }
static void f_shm_barrier(sqlite3_file *f) { CALL(f, xShmBarrier); }
static int f_shm_unmap(sqlite3_file *f, int d) { return CALL(f, xShmUnmap, d); }

static const sqlite3_io_methods methods = {
    2,         f_close,    f_read,    f_write,   f_truncate, f_sync,        f_size,
    f_lock,    f_unlock,   f_reserved, f_control, f_sector,  f_traits,      f_shm_map,
    f_shm_lock, f_shm_barrier, f_shm_unmap, 0, 0};

static sqlite3_vfs *real_vfs;
static sqlite3_vfs layer;

static int v_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
  (void)vfs;
  struct file *file = (struct file *)f;
  file->base.pMethods = 0;
  file->real = (sqlite3_file *)(file + 1);
  int code = fault(FAULT_OPEN);
  if (code) return code;
  code = real_vfs->xOpen(real_vfs, name, file->real, flags, out);
  if (file->real->pMethods) file->base.pMethods = &methods;
  return code;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs;
  int code = fault(FAULT_DELETE);
  return code ? code : real_vfs->xDelete(real_vfs, name, sync);
}

static int installed = SQLITE_ERROR;

static void install(void) {
  sqlite3_vfs *found = sqlite3_vfs_find(0);
  if (!found) return;
  layer = *found;
  layer.pNext = 0;
  layer.zName = "fault";
  layer.szOsFile = (int)sizeof(struct file) + found->szOsFile;
  layer.xOpen = v_open;
  layer.xDelete = v_delete;
  real_vfs = found;
  installed = sqlite3_vfs_register(&layer, 1);
}

int fault_install(void) {
  // Tests begin at once: a layer over the layer would call itself.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return installed;
}
