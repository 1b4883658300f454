#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the programs with a static Swift runtime and makes a Debian package of them, which installs
# on a system without Swift. The same commit makes the same bytes.
#   contrib/debian/build-deb.sh [--output DIR]      DIR: where the package goes (.build)
set -euo pipefail
cd "$(dirname "$0")/../.."
. contrib/setup.sh

output=.build
case "${1:-}" in
--output) output=${2:?--output needs a folder} ;;
"") ;;
*)
    echo "usage: contrib/debian/build-deb.sh [--output DIR]" >&2
    exit 64
    ;;
esac

# shellcheck disable=SC2086
install_packages $build_packages dpkg-dev
require_swift

programs="logagent logagentd"
# The uploader is a program of its own where there is one.
if grep -q '"logagent-upload"' Package.swift; then programs="$programs logagent-upload"; fi
for program in $programs; do
    echo "==> building $program"
    swift build -c release --static-swift-stdlib --scratch-path .build/static --product "$program"
done
built=$(swift build -c release --static-swift-stdlib --scratch-path .build/static --show-bin-path)

version=$("$built/logagent" --version | cut -d ' ' -f 2)
maintainer="The authors of logagent <${DEBEMAIL:-logagent@packages.invalid}>"
architecture=$(dpkg --print-architecture)
# Times in the package are those of the commit, so that it can be made again.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

root=$(mktemp -d "${TMPDIR:-/tmp}/logagent-deb.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
put() { install -D -m "${3:-644}" "$1" "$root/$2"; }

for program in $programs; do
    put "$built/$program" "usr/bin/$program" 755
    strip --strip-unneeded "$root/usr/bin/$program"
done
put etc/logagent.toml etc/logagent/logagent.toml
# The service has a folder for its own log.
sed -i 's|^# agent_log = "off"$|agent_log = "/var/log/logagent/agent.log"|' \
    "$root/etc/logagent/logagent.toml"
# Debian's own services log to the journal; /var/log/syslog is there only with rsyslog.
sed -i -e 's|^## \[\[journal\]\]$|[[journal]]|' -e 's|^## name = "journal"$|name = "journal"|' \
    "$root/etc/logagent/logagent.toml"
for line in '^agent_log = ' '^\[\[journal\]\]$' '^name = "journal"$'; do
    grep -q "$line" "$root/etc/logagent/logagent.toml"
done
put etc/systemd/logagent.service usr/lib/systemd/system/logagent.service
for unit in upload.service upload.timer metrics.service metrics.timer; do
    put "etc/systemd/logagent-$unit" "usr/lib/systemd/system/logagent-$unit"
done
put etc/systemd/user/logagent.service usr/lib/systemd/user/logagent.service
put etc/sysusers.d/logagent.conf usr/lib/sysusers.d/logagent.conf
put etc/tmpfiles.d/logagent.conf usr/lib/tmpfiles.d/logagent.conf
for page in contrib/man/*; do
    name=$(basename "$page")
    put "$page" "usr/share/man/man${name##*.}/$name"
    gzip -9n "$root/usr/share/man/man${name##*.}/$name"
done
put contrib/completions/logagent.bash usr/share/bash-completion/completions/logagent
put contrib/completions/_logagent usr/share/zsh/vendor-completions/_logagent
put contrib/completions/logagent.fish usr/share/fish/vendor_completions.d/logagent.fish
for query in contrib/queries/*.sql; do
    put "$query" "usr/share/logagent/queries/$(basename "$query")"
done
doc=usr/share/doc/logagent
for file in contrib/docs/*.md; do put "$file" "$doc/$(basename "$file")"; done
put README.md "$doc/README.md"
put contrib/logrotate/application "$doc/examples/logrotate"
put contrib/container/Containerfile "$doc/examples/Containerfile"
put contrib/container/compose.yaml "$doc/examples/compose.yaml"
put CHANGELOG.md "$doc/CHANGELOG.md"
gzip -9n "$root/$doc/CHANGELOG.md"
# Debian's own form, which tools read the version from.
printf 'logagent (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$root/$doc/changelog"
chmod 644 "$root/$doc/changelog"
gzip -9n "$root/$doc/changelog"
{
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    echo
    echo "Files: *"
    echo "Copyright: $(date -u +%Y -d "@$SOURCE_DATE_EPOCH") the authors of logagent"
    echo "License: Apache-2.0"
    echo " On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0."
} >"$root/$doc/copyright"
# toml++ has only headers, and so becomes a part of the programs; its notice goes with them.
put /usr/share/doc/libtomlplusplus-dev/copyright "$doc/copyright.tomlplusplus"

# What the programs are linked to; dpkg-shlibdeps wants a source package around it.
work=$(mktemp -d "${TMPDIR:-/tmp}/logagent-deb.XXXXXX")
trap 'rm -rf "$root" "$work"' EXIT
mkdir "$work/debian"
printf 'Source: logagent\n\nPackage: logagent\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O "$root"/usr/bin/* 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')

mkdir "$root/DEBIAN"
size=$(du -k --apparent-size -s "$root" | cut -f 1)
cat >"$root/DEBIAN/control" <<CONTROL
Package: logagent
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends, passwd
Suggests: less, libedit2, lz4, xz-utils, zstd
Section: admin
Priority: optional
Description: logs and crash reports in one SQLite store
 An agent that follows log files and crash spools, makes records of the
 OpenTelemetry Logs Data Model of them, and keeps these in one SQLite file,
 exactly once, under a quota. The command asks the store in SQL, shows what all
 processes said around a crash, and writes redacted support bundles.
CONTROL
echo /etc/logagent/logagent.toml >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do
    install -m 755 "contrib/debian/$script" "$root/DEBIAN/$script"
done
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z |
    xargs -0 md5sum) >"$root/DEBIAN/md5sums"
# Of all files, so that nothing of the moment is in the package.
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

mkdir -p "$output"
package="$output/logagent_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
echo "==> $package"
