#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# For hours: random scripts against the model, and kills under load, until the time is up or
# something is wrong.
#   contrib/soak.sh [MINUTES]      default: 60
set -euo pipefail
cd "$(dirname "$0")/.."
end=$((SECONDS + ${1:-60} * 60))
swift build -c release --product logagentd
round=0
while [ "$SECONDS" -lt "$end" ]; do
    round=$((round + 1))
    echo "==> round $round"
    LOGAGENT_MODEL_FIRST_SEED=$((round * 10000)) LOGAGENT_MODEL_SCRIPTS=2000 \
        swift test --disable-xctest --scratch-path .build/tests-debug --filter FollowingModelTests
    contrib/kill-test.sh 200000 20
done
echo "==> $round rounds, nothing lost or doubled"
