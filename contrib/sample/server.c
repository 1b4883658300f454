// SPDX-License-Identifier: Apache-2.0
// The sample application's server: answers a few HTTP requests on loopback and writes an access
// log in the combined form and an error log in nginx's form.
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static void stamp(char *text, size_t size, const char *layout) {
  time_t now = time(NULL);
  struct tm local;
  localtime_r(&now, &local);
  strftime(text, size, layout, &local);
}

int main(int argc, char **argv) {
  if (argc < 4) return 64;
  FILE *access = fopen(argv[1], "a"), *errors = fopen(argv[2], "a");
  int requests = atoi(argv[3]);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (!access || !errors || bind(listener, (struct sockaddr *)&address, length) != 0 ||
      listen(listener, 8) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    perror("server");
    return 1;
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int i = 0; i < requests; i++) {
    int client = accept(listener, NULL, NULL);
    char request[1024] = "", path[256] = "-", time[64];
    ssize_t n = read(client, request, sizeof request - 1);
    if (n > 0) sscanf(request, "GET %255s", path);
    int missing = strstr(path, "atlas") != NULL;
    const char *answer = missing ? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                                 : "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n";
    if (write(client, answer, strlen(answer)) < 0) perror("server");
    close(client);
    stamp(time, sizeof time, "%d/%b/%Y:%H:%M:%S %z");
    fprintf(access, "127.0.0.1 - - [%s] \"GET %s HTTP/1.1\" %d %d \"-\" \"shop/1.4\"\n", time, path,
            missing ? 404 : 200, missing ? 0 : 3);
    fflush(access);
    if (missing) {
      stamp(time, sizeof time, "%Y/%m/%d %H:%M:%S");
      fprintf(errors,
              "%s [error] %d#%d: *%d open() \"/srv%s\" failed (2: No such file or directory), "
              "client: 127.0.0.1, server: shop, request: \"GET %s HTTP/1.1\"\n",
              time, getpid(), getpid(), i + 1, path, path);
      fflush(errors);
    }
  }
  return 0;
}
