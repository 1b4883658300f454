# SPDX-License-Identifier: Apache-2.0
# Sourced by quickstart.sh and test.sh: installs the Debian packages that are missing.

# What the programs are built with.
build_packages="libcurl4-openssl-dev libisal-dev libpcre2-dev
    libsqlite3-dev libtomlplusplus-dev nettle-dev pkg-config zlib1g-dev"
# What the tests and the quick start look at the results with.
tool_packages="jq python3 sqlite3"
# What some tests upload to; without it they are skipped, as are those of S3 without moto (PyPI).
test_packages="nginx-light openssl"

# Installs those of the named packages that are not installed; does nothing when all are.
install_packages() {
    missing=""
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" ||
            missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    echo "==> installing Debian packages:$missing"
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "not root and no sudo: install these packages first:$missing" >&2
            return 1
        }
        as_root=sudo
    fi
    # shellcheck disable=SC2086
    # With RUNLEVEL no service that a package brings is started.
    { $as_root apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 $as_root apt-get install -y -qq \
            --no-install-recommends $missing >/dev/null; }
}

require_swift() {
    command -v swift >/dev/null && return 0
    echo "swift is not on the PATH: install Swift 6.3 (https://www.swift.org/install/linux)" >&2
    return 1
}
