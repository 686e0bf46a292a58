#!/bin/sh
# packaging/try.sh DIST ROOTS SUITE…: installs each file of a release in a minimal Debian of each suite, uses it (try.py)
# and removes it again, after which nothing may be left. The last lines are a table, which is also written to DIST.tsv.
# As root, with debootstrap and qemu-user-static. ROOTS keeps the systems for the next time. The program for Windows is tried
# under wine, the crate by this machine's cargo.
set -eu
if [ $# -lt 3 ]; then
	echo "usage: $0 DIST ROOTS SUITE…" >&2
	exit 2
fi
dist=$1 roots=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
for tool in debootstrap qemu-aarch64-static; do
	command -v $tool >/dev/null || { echo "$0 needs $tool: apt install debootstrap qemu-user-static" >&2; exit 1; }
done
mkdir -p "$roots"
roots=$(cd "$roots" && pwd)
dist=$(cd "$dist" && pwd)
table=$dist.tsv
work=$roots/work
: >"$table"

# chess=506436,xiangqi=… as the tests have them. An emulator takes minutes for more than the first.
all=$(sed -n '/const SIGNATURES/p' "$here/../tests/signature.rs" | grep -o '("[a-z]*", [0-9_]*)' | tr -d '()"_ ' | tr ',\n' '=,' | sed 's/,$//')
signatures=$all

# What lies in the system, but for what every installation of a package writes.
list() {
	(cd "$work" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/log \
		-o -path ./var/cache -o -path ./root/.wine -o -path ./root/.cache \) -prune -o -print) | LC_ALL=C sort
}

# In the system: a line of sh.
inside() {
	chroot "$work" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LC_ALL=C.UTF-8 \
		WINEDEBUG=-all WINEDLLOVERRIDES=winemenubuilder.exe=d sh -euc "$1"
}

row() {
	printf '%s\t%s\t%s\t%s\t%s\n' "$file" "$(stat -c %s "$dist/$file")" "$suite" "$used" "$result" | tee -a "$table"
}

# $1: a file of the release, $2: how it is installed, $3: what starts it, $4: how it is removed
try() {
	file=$1
	echo "$suite: $file"
	cp "$dist/$file" "$work/tmp"
	list >"$roots/before"
	used=
	if inside "cd /tmp && $2" >"$roots/log" 2>&1 && used=$(inside "python3 /tmp/try.py $signatures $3" 2>>"$roots/log") &&
		inside "cd / && $4" >>"$roots/log" 2>&1; then
		list >"$roots/after"
		result="left behind: $(diff "$roots/before" "$roots/after" | grep '^[<>]' | tr '\n' ' ')"
		! cmp -s "$roots/before" "$roots/after" || result="nothing left behind"
	else
		result="FAILED: $(tail -n 1 "$roots/log")"
	fi
	row
	rm -rf "$work/tmp/"*
	cp "$here/try.py" "$work/tmp"
}

# $1: a folder in ROOTS, $2: the suite, then packages: a copy of this system is in $work.
system() {
	base=$roots/$1
	if ! test -e "$base/ready"; then
		rm -rf "$base"
		debootstrap --variant=minbase "$2" "$base" >"$base.log" || { echo "debootstrap failed, see $base.log" >&2; exit 1; }
		cp /etc/resolv.conf "$base/etc"
		work=$base
		shift 2
		inside "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $*" >>"$base.log" 2>&1 ||
			{ echo "apt-get failed, see $base.log" >&2; exit 1; }
		touch "$base/ready"
	fi
	work=$roots/work
	leave
	cp -a "$base" "$work"
	mount -t proc proc "$work/proc"
	cp "$here/try.py" "$work/tmp"
}

leave() {
	umount "$work/proc" 2>/dev/null || true
	rm -rf "$work"
}
trap leave EXIT

each() {
	for path in "$dist"/$1; do
		test -e "$path" || continue
		file=${path##*/}
		# Programs for aarch64 run in an emulator.
		case $file in
		*aarch64* | *arm64*) run=/usr/bin/qemu-arm signatures=${all%%,*} ;;
		*) run='' signatures=$all ;;
		esac
		"$2"
	done
}

archive() {
	try "$file" "tar xf $file && cd sanqi-* && mkdir sanqi && mv bin share sanqi && sh install.sh install sanqi /usr/local &&
		man sanqi >/dev/null && man sanqi-match >/dev/null && test -s /usr/local/share/doc/sanqi/THIRD-PARTY.txt" \
		"$run /usr/local/bin/sanqi" "sh /tmp/sanqi-*/install.sh uninstall /usr/local"
}

package() {
	try "$file" "${run:+dpkg --add-architecture arm64 &&} apt-get install -qy ./$file && man sanqi >/dev/null &&
		test -s /usr/share/doc/sanqi/THIRD-PARTY.txt.gz" "$run /usr/bin/sanqi" "apt-get purge -qy sanqi"
}

wheel() {
	try "$file" "python3 -m venv env && find env | sort >old &&
		env/bin/pip install -q --no-index ${run:+--target env/other --only-binary=:all: --platform manylinux2014_aarch64} $file &&
		find env -name THIRD-PARTY.txt | grep -q ." "$run /tmp/env/${run:+other/}bin/sanqi" \
		"cd /tmp && ${run:+rm -r env/other; true ||} env/bin/pip uninstall -qy sanqi && find env | sort | diff old -"
}

# A container has /dev.
image() {
	try "$file" "tar xf $file && mkdir -p image/dev && tar xf layer.tar.gz -C image && test -s image/licenses/THIRD-PARTY.txt &&
		cp -a /dev/random /dev/urandom image/dev && cp /usr/bin/qemu-arm image" "chroot /tmp/image ${run:+/qemu-arm} /sanqi" true
}

windows() {
	try "$file" "python3 -m zipfile -e $file . && mv sanqi-*/ sanqi && test -s sanqi/THIRD-PARTY.txt" "wine /tmp/sanqi/sanqi.exe" "wineserver -w"
}

crate() {
	tmp=$roots/crate
	rm -rf "$tmp" && mkdir "$tmp"
	tar xf "$dist/$file" -C "$tmp"
	used= result=FAILED
	if cargo install -q --locked --path "$tmp"/sanqi-* --root "$tmp/root" --target-dir "${CRATE_TARGET:-$tmp/target}" &&
		used=$(python3 "$here/try.py" "$all" "$tmp/root/bin/sanqi") &&
		cargo uninstall -q --root "$tmp/root" sanqi; then
		result="left behind: $(find "$tmp/root" -type f ! -name '.crates*')"
		test "$result" != "left behind: " || result="nothing left behind"
	fi
	row
	rm -rf "$tmp"
}

for suite; do
	system "$suite" "$suite" python3-venv man-db
	cp "$(command -v qemu-aarch64-static)" "$work/usr/bin/qemu-arm"
	each '*-linux-*.tar.gz' archive
	each '*.deb' package
	each '*.whl' wheel
	each '*-image-*.tar' image
done
# Wine of Debian 12 is too old.
suite=trixie
system wine $suite python3 wine wine64
each '*.zip' windows
leave

# This machine's cargo builds the crate.
suite=here
each '*.crate' crate
column -t -s "$(printf '\t')" "$table"
! grep -q "FAILED\|	left behind: " "$table"
