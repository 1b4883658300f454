// SPDX-License-Identifier: Apache-2.0
// The sample application's embedded C runtime: logs JSON lines on standard output, and dies of a
// broken promise to itself.
#include <assert.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void say(const char *level, const char *message, int entry) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct tm utc;
  gmtime_r(&now.tv_sec, &utc);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
  printf("{\"time\":\"%s.%06ldZ\",\"level\":\"%s\",\"msg\":\"%s\",\"pid\":%d,\"entry\":%d}\n", text,
         now.tv_nsec / 1000, level, message, getpid(), entry);
  fflush(stdout);
}

int main(void) {
  int balance = 3;
  for (int entry = 1; entry <= 5; entry++) {
    balance--;
    say(balance < 0 ? "error" : "info", balance < 0 ? "balance below zero" : "entry booked", entry);
    usleep(20000);
  }
  assert(balance >= 0);
  return 0;
}
