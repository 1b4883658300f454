#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills the agent again and again (SIGKILL) while a file is written and rotated, and compares the
# store with what was written. Prints lines written, stored, lost and doubled.
#   contrib/kill-test.sh [LINES] [KILLS]        default: 200000 lines, at least 10 kills
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x .build/release/logagentd ] || { echo "build first: swift build -c release" >&2; exit 66; }
exec python3 contrib/kill-test.py .build/release/logagentd "${1:-200000}" "${2:-10}"
