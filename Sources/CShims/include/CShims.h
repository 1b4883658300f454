// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module lacks, as few plain functions. Each returns -1 and sets errno on error.
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "ByteScan.h"

/// An epoll instance, closed on exec.
int la_epoll_create(void);

/// Adds `fd` for reading; `token` comes back from `la_epoll_wait`.
int la_epoll_add(int epoll, int fd, uint64_t token);

/// Waits up to `timeout_ms` (-1: for ever) and stores up to `capacity` tokens; returns how many.
int la_epoll_wait(int epoll, uint64_t *tokens, int capacity, int timeout_ms);

/// Blocks SIGINT, SIGTERM and SIGHUP in this and later threads; a descriptor that yields them.
int la_signal_fd(void);

/// Leaves all signals to the other threads.
void la_ignore_signals_in_thread(void);

/// The next signal waiting at a descriptor of `la_signal_fd`; 0 for none.
int la_signal_read(int fd);

/// An inotify instance, non-blocking and closed on exec.
int la_inotify_create(void);

/// Watches the names in a folder; returns the watch descriptor.
int la_inotify_watch_folder(int inotify, const char *path);

/// Gives freed heap pages back to the system, and lets go of pages of code and constants that were
/// read from the program's files: what is needed again is mapped again from the page cache.
void la_trim(void);

/// The name of the calling thread, as debuggers and top show it; at most 15 bytes.
void la_thread_name(const char *name);

/// Opens without following a last link and without waiting for a FIFO's writer.
int la_open_read(const char *path, int follow_links);

/// Whether some program has the open file open for writing: 1, 0, or -1 when that can't be told
/// (another user's file, or a file system without leases).
int la_has_writer(int fd);

/// Opens a new file (O_EXCL) for writing with exactly `mode`, whatever the umask is.
int la_create(const char *path, mode_t mode);

/// What stat(2) tells, with the time of the last modification in nanoseconds.
struct la_status {
  uint64_t device;
  uint64_t inode;
  int64_t size;
  int64_t modified_ns;
  uint32_t mode;
  uint32_t owner;
  uint64_t links;
};

/// Whether a folder lies on a local file system that is known to set its time at each change: 1 or 0.
int la_keeps_folder_times(const char *path);

int la_stat(const char *path, int follow_links, struct la_status *status);
int la_fstat(int fd, struct la_status *status);

/// Blocks these signals in this thread; a descriptor that yields them.
int la_signal_fd_of(const int *signals, int count);

/// Like `la_signal_read`; `from_terminal` tells a signal that a terminal sent to the whole group.
int la_signal_read_origin(int fd, int *from_terminal);

/// Starts a program, found through PATH, with all signals as they are by default and these
/// descriptors as standard input, output and error; 0, or an errno.
int la_spawn(const char *file, char *const argv[], char *const envp[], int input, int output,
             int errors, pid_t *pid);

/// How a process ended.
struct la_end {
  /// -1 when a signal ended it.
  int status;
  /// 0 when it ended by itself.
  int signal;
  int core_dumped;
};

/// Whether the child has ended (1), and how; 0 when it runs.
int la_wait(pid_t pid, struct la_end *end);

/// A pipe, both ends closed on exec; the reading end doesn't wait.
int la_pipe(int ends[2]);
