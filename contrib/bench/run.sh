#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures logagent beside its peers and beside what C can do at best, on the same generated files,
# and prints one table: medians of several rounds.
#
# usage: contrib/bench/run.sh [--lines N] [--rounds N] [--only WORD] [--no-install]
#
#   --lines N      lines of each input; 1,000,000
#   --rounds N     rounds, of which the median counts; 5
#   --only WORD    only rows that contain WORD, such as import or idle
#   --no-install   take only the peers that are here
#
# As root, peers come from Debian's packages: rsyslog, lnav, sqlite3, ripgrep and sosreport are
# installed, and syslog-ng, which cannot stand beside rsyslog, is unpacked into the work folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${LOGBENCH_WORK:-.build/bench}
install=yes
for word in "$@"; do [ "$word" != --no-install ] || install=no; done
mkdir -p "$work"

if [ "$install" = yes ] && [ "$(id -u)" = 0 ]; then
  missing=
  for package in rsyslog lnav sqlite3 ripgrep sosreport libsqlite3-dev gcc python3; do
    dpkg -s "$package" > /dev/null 2>&1 || missing="$missing $package"
  done
  if [ -n "$missing" ]; then
    apt-get update -qq > /dev/null 2>&1 || true
    # shellcheck disable=SC2086
    apt-get install -y -qq --no-install-recommends $missing > /dev/null 2>&1 ||
      echo "bench: could not install$missing" >&2
  fi
  if [ ! -x "$work/syslog-ng/usr/sbin/syslog-ng" ]; then
    apt-get install -y -qq --no-install-recommends \
      libivykis0 libjson-c5 libnet1 libwrap0 libpcre3 libglib2.0-0 > /dev/null 2>&1 || true
    (cd "$work" && apt-get download syslog-ng-core > /dev/null 2>&1 &&
      dpkg -x syslog-ng-core_*.deb syslog-ng && rm -f syslog-ng-core_*.deb) ||
      echo "bench: could not fetch syslog-ng" >&2
  fi
fi

for product in logagent logagentd logagent-bench; do
  swift build -c release --static-swift-stdlib --product "$product" 2>&1 | grep -E "error" || true
done
for program in scan insert pipeline; do
  gcc -O2 -o "$work/$program" "contrib/bench/$program.c" $([ "$program" = scan ] || echo -lsqlite3)
done
exec python3 contrib/bench/measure.py --work "$work" --programs .build/release "$@"
