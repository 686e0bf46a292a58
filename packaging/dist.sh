#!/bin/sh
# packaging/dist.sh STAGE VERSION OUT [WINDOWS_PROGRAM]: the archives of a release and their checksums in OUT.
# The same input gives the same bytes: names are sorted, and SOURCE_DATE_EPOCH is the time of everything.
set -eu
stage=$1 version=$2 out=$3 windows=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

name=sanqi-$version-linux-x86_64
cp -a "$stage" "$work/$name"
cp "$here/install.sh" "$here/LINUX.txt" "$work/$name"
chmod 755 "$work/$name/install.sh"
chmod 644 "$work/$name/LINUX.txt"
tar --create --format=ustar --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner \
	--mtime="@$SOURCE_DATE_EPOCH" "$name" >"$work/tar"
gzip -9n <"$work/tar" >"$out/$name.tar.gz"

if test -n "$windows"; then
	name=sanqi-$version-windows-x86_64
	mkdir -p "$work/$name"
	cp "$windows" "$work/$name/sanqi.exe"
	cp -r "$stage/share/sanqi/books" "$stage/share/doc/sanqi/." "$work/$name"
	cp "$here/WINDOWS.txt" "$here/sanqi-xiangqi.cmd" "$work/$name"
	find "$work/$name" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
	rm -f "$out/$name.zip"
	(cd "$work" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -9 -X -q "$name.zip" -@)
	mv "$work/$name.zip" "$out"
fi
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum >"$work/sums")
mv "$work/sums" "$out/SHA256SUMS"
chmod 644 "$out/SHA256SUMS"
