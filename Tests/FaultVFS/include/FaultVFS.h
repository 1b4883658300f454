// SPDX-License-Identifier: Apache-2.0
// A layer under SQLite that makes file operations of the calling thread fail, for tests.
#pragma once

/// The operations that can be made to fail.
enum fault_call { FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_TRUNCATE, FAULT_SYNC, FAULT_DELETE,
                  FAULT_MAP };

/// Makes the layer the default for connections that are opened from now on; 0, or SQLite's code.
int fault_install(void);

/// From now on, after `countdown` others, the next operation `call` of this thread fails with
/// SQLite's `code`; once, or from then on for ever.
void fault_plan(enum fault_call call, int code, int countdown, int for_ever);

/// Ends the plan of this thread; how many operations it has made fail.
int fault_clear(void);
