// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CShims.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <linux/magic.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

int la_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int la_epoll_add(int epoll, int fd, uint64_t token) {
  struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = token}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int la_epoll_wait(int epoll, uint64_t *tokens, int capacity, int timeout_ms) {
  struct epoll_event events[16];
  int n = epoll_wait(epoll, events, capacity < 16 ? capacity : 16, timeout_ms);
  for (int i = 0; i < n; i++) tokens[i] = events[i].data.u64;
  return n;
}

int la_signal_fd(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

void la_ignore_signals_in_thread(void) {
  sigset_t all;
  sigfillset(&all);
  // What the thread itself does wrong must still end it.
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGILL);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGTRAP);
  sigdelset(&all, SIGABRT);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}

int la_signal_read(int fd) {
  struct signalfd_siginfo info;
  ssize_t n = read(fd, &info, sizeof info);
  return n == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int la_inotify_create(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int la_inotify_watch_folder(int inotify, const char *path) {
  return inotify_add_watch(inotify, path,
                           IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                               IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
}

// Of one loaded object, the segments that nobody has written to: relocated ones are writable.
static int drop_clean_segments(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    uintptr_t start = object->dlpi_addr + segment->p_vaddr;
    uintptr_t end = start + segment->p_memsz;
    start = (start + page - 1) / page * page;
    end = end / page * page;
    if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void la_trim(void) {
  malloc_trim(0);
  dl_iterate_phdr(drop_clean_segments, NULL);
}

void la_thread_name(const char *name) { pthread_setname_np(pthread_self(), name); }

int la_open_read(const char *path, int follow_links) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follow_links ? 0 : O_NOFOLLOW));
}

int la_create(const char *path, mode_t mode) {
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode & 0600);
  if (fd >= 0 && (mode & ~0600u) && fchmod(fd, mode) != 0) {
    int error = errno;
    close(fd);
    unlink(path);
    errno = error;
    return -1;
  }
  return fd;
}

static void fill(struct la_status *status, const struct stat *s) {
  status->device = s->st_dev;
  status->inode = s->st_ino;
  status->size = s->st_size;
  status->modified_ns = (int64_t)s->st_mtim.tv_sec * 1000000000 + s->st_mtim.tv_nsec;
  status->mode = s->st_mode;
  status->owner = s->st_uid;
  status->links = s->st_nlink;
}

int la_stat(const char *path, int follow_links, struct la_status *status) {
  struct stat s;
  int result = follow_links ? stat(path, &s) : lstat(path, &s);
  if (result == 0) fill(status, &s);
  return result;
}

int la_keeps_folder_times(const char *path) {
  struct statfs s;
  if (statfs(path, &s) != 0) return -1;
  switch ((uint32_t)s.f_type) {
  case EXT4_SUPER_MAGIC: // of ext2 and ext3 too
  case XFS_SUPER_MAGIC:
  case BTRFS_SUPER_MAGIC:
  case F2FS_SUPER_MAGIC:
  case TMPFS_MAGIC:
  case OVERLAYFS_SUPER_MAGIC: return 1;
  default: return 0;
  }
}

int la_fstat(int fd, struct la_status *status) {
  struct stat s;
  int result = fstat(fd, &s);
  if (result == 0) fill(status, &s);
  return result;
}

int la_signal_fd_of(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error) {
    errno = error;
    return -1;
  }
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int la_signal_read_origin(int fd, int *from_terminal) {
  struct signalfd_siginfo info;
  ssize_t n = read(fd, &info, sizeof info);
  if (n != (ssize_t)sizeof info) return 0;
  *from_terminal = info.ssi_code == SI_KERNEL;
  return (int)info.ssi_signo;
}

int la_spawn(const char *file, char *const argv[], char *const envp[], int input, int output,
             int errors, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  int error = posix_spawnp(pid, file, &actions, &attributes, argv, envp);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

int la_wait(pid_t pid, struct la_end *end) {
  int status;
  if (waitpid(pid, &status, WNOHANG) != pid) return 0;
  end->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end->core_dumped = WIFSIGNALED(status) && WCOREDUMP(status);
  return 1;
}

int la_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int la_has_writer(int fd) {
  // Whoever opens the file while we hold the lease makes the kernel send this; it would end us.
  signal(SIGIO, SIG_IGN);
  // A read lease is only given while nobody has the file open for writing.
  if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
    fcntl(fd, F_SETLEASE, F_UNLCK);
    return 0;
  }
  return errno == EAGAIN ? 1 : -1;
}
