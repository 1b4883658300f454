#!/bin/sh
# Feeds the parsers with made-up input (libFuzzer, with the address sanitizer).
#
# usage: contrib/fuzz.sh [SECONDS [TARGET…]]
#
# SECONDS is for all targets together, 60 by default. Without a TARGET all are fed; their names are
# printed by FUZZ_LIST=1 .build/fuzz/fuzz. What is found is kept in .build/fuzz/corpus, and an input
# that breaks a promise as .build/fuzz/crash-*: put it into Tests/Fuzz/Corpus/TARGET, where the
# ordinary tests feed it again.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -gt 0 ] && shift
build=.build/fuzz
mkdir -p "$build/corpus"

compile() { # MODULE FOLDER
  swiftc -O -g -parse-as-library -whole-module-optimization -swift-version 6 \
    -package-name logagent -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    -sanitize=fuzzer,address -I "$build" \
    -Xcc -fmodule-map-file="$PWD/Sources/CPCRE2/module.modulemap" \
    -module-name "$1" -emit-module -emit-module-path "$build/$1.swiftmodule" \
    -c $(find "$2" -name '*.swift') -o "$build/$1.o"
}

newest=$(find Sources/LogModel Sources/Patterns Sources/LogParser Tests/Fuzz -name '*.swift' \
  -newer "$build/fuzz" 2>/dev/null | head -1)
if [ ! -x "$build/fuzz" ] || [ -n "$newest" ]; then
  echo "fuzz: building" >&2
  compile LogModel Sources/LogModel
  compile Patterns Sources/Patterns
  compile LogParser Sources/LogParser
  compile FuzzTargets Tests/Fuzz/Targets
  compile FuzzMain Tests/Fuzz/Main
  swiftc -sanitize=fuzzer,address "$build"/FuzzMain.o "$build"/FuzzTargets.o "$build"/LogParser.o \
    "$build"/Patterns.o "$build"/LogModel.o -lpcre2-8 -o "$build/fuzz" 2>"$build/link.log" || {
    cat "$build/link.log" >&2
    exit 1
  }
fi

if [ $# -eq 0 ]; then
  # shellcheck disable=SC2046 # names have no blanks
  set -- $(FUZZ_LIST=1 FUZZ_TARGET=logs "$build/fuzz" 2>/dev/null)
fi
each=$((seconds / $#))
[ "$each" -lt 1 ] && each=1
for target in "$@"; do
  corpus="$build/corpus/$target"
  mkdir -p "$corpus" "Tests/Fuzz/Corpus/$target"
  FUZZ_TARGET=$target FUZZ_SEEDS=$corpus "$build/fuzz" >/dev/null 2>&1
  echo "fuzz: $target for $each s" >&2
  if ! FUZZ_TARGET=$target ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no \
    "$build/fuzz" -max_total_time="$each" -timeout=5 -rss_limit_mb=1024 -max_len=65536 \
    -artifact_prefix="$build/crash-$target-" -print_final_stats=1 "$corpus" \
    "Tests/Fuzz/Corpus/$target" >"$build/$target.log" 2>&1; then
    tail -25 "$build/$target.log" >&2
    echo "fuzz: $target broke a promise; the input is $build/crash-$target-*" >&2
    exit 1
  fi
  grep -E 'number_of_executed_units|new_units_added' "$build/$target.log" >&2 || true
done
