#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds the release programs, and does the main job once on real files: a
# small application of three processes (Swift, C, a server) runs and crashes while logagent follows
# its logs, its crash spool and /var/log. Safe to run twice; all it makes, beside the system packages
# and the build, lies in a temporary folder whose name it prints.
#   contrib/quickstart.sh [--keep]      --keep leaves the temporary folder for you to look at
set -euo pipefail
cd "$(dirname "$0")/.."
. contrib/setup.sh

keep=no
[ "${1:-}" = --keep ] && keep=yes

# shellcheck disable=SC2086
install_packages $build_packages $tool_packages
require_swift

echo "==> building the release programs"
swift build -c release --static-swift-stdlib --product logagent
swift build -c release --static-swift-stdlib --product logagentd
swift build -c release --static-swift-stdlib --product logagent-upload
PATH=$PWD/.build/release:$PATH

work=$(mktemp -d "${TMPDIR:-/tmp}/logagent-quickstart.XXXXXX")
agent=""
finish() {
    [ -n "$agent" ] && kill "$agent" 2>/dev/null && wait "$agent" || true
    if [ "$keep" = yes ]; then echo "==> kept: $work"; else rm -rf "$work"; fi
}
trap finish EXIT
mkdir "$work/bin" "$work/logs" "$work/spool"

echo "==> building the sample application (contrib/sample)"
clang=$(command -v clang || command -v cc)
"$clang" -o "$work/bin/server" contrib/sample/server.c
"$clang" -o "$work/bin/ledger" contrib/sample/ledger.c
swiftc -parse-as-library -g -Onone -o "$work/bin/shop" contrib/sample/shop.swift

export LOGAGENT_STATE_DIR=$work/state
echo "==> logagent run $work/logs $work/spool /var/log"
logagent run "$work/logs" "$work/spool" /var/log 2>"$work/agent.log" &
agent=$!
for _ in $(seq 100); do
    grep -qs watching "$work/agent.log" && break
    sleep 0.1
done

echo "==> the application runs, and two of its three processes die"
mkfifo "$work/port"
"$work/bin/server" "$work/logs/access.log" "$work/logs/error.log" 3 >"$work/port" &
server=$!
read -r port <"$work/port"
{ "$work/bin/ledger" >"$work/logs/ledger.jsonl" 2>"$work/logs/ledger.stderr"; } 2>/dev/null || true
SWIFT_BACKTRACE="enable=yes,color=no,interactive=no,format=json,output-to=$work/spool/" \
    bash -c "'$work/bin/shop' $port >'$work/logs/shop.log' 2>'$work/logs/shop.stderr'" 2>/dev/null ||
    true
wait "$server" || true
# A crash report counts as finished when its form says so; a second is plenty.
sleep 1

show() { echo; echo "\$ $*"; "$@"; }

show logagent query --format table "SELECT substr(time, 12, 12) AS time, source, severity, body
    FROM logs WHERE log_file_path LIKE '$work/%' ORDER BY time_unix_nano DESC LIMIT 12"
show logagent crashes --format table
show logagent crash show "$(logagent query "SELECT max(id) FROM crashes WHERE process = 'shop'" --format json | tr -dc 0-9)"
show logagent status
show logagent export --since 1h --output "$work/bundle.tar.gz"
echo
echo "\$ tar tzf $work/bundle.tar.gz"
tar tzf "$work/bundle.tar.gz"

kill "$agent"
wait "$agent"
agent=""
echo
echo "==> done: logs of three processes in one store, the crash, and a bundle to send"
