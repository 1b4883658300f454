#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up, checks the format, builds with warnings as errors, and runs all tests: in debug, and in
# release, since the optimiser has its own bugs. Safe to run twice.
set -euo pipefail
cd "$(dirname "$0")/.."
. contrib/setup.sh

# shellcheck disable=SC2086
install_packages $build_packages $tool_packages $test_packages
require_swift

echo "==> format"
swift format lint --strict --parallel --recursive Sources Tests Package.swift

# Crashing is what some tests make programs do; their backtraces would only slow them.
export SWIFT_BACKTRACE=enable=no
explicit="--explicit-target-dependency-import-check error"

for configuration in debug release; do
    echo "==> tests, $configuration"
    # In release, too, tests reach what is internal to a module.
    flags=()
    [ "$configuration" = release ] && flags=(-Xswiftc -enable-testing)
    # shellcheck disable=SC2086
    swift test $explicit --disable-xctest -c "$configuration" \
        --scratch-path ".build/tests-$configuration" "${flags[@]}"
done
