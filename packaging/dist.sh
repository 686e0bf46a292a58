#!/bin/sh
# packaging/dist.sh STAGE VERSION OUT PROGRAM…: an archive of a release for each program: one in .exe is for Windows, one in
# -arm for Linux on aarch64, any other for Linux on x86-64. The rest of STAGE is in all of them.
# The same input gives the same bytes: names are sorted, and SOURCE_DATE_EPOCH is the time of everything.
set -eu
stage=$1 version=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for program; do
	case $program in
	*.exe) name=sanqi-$version-windows-x86_64 ;;
	*-arm) name=sanqi-$version-linux-aarch64 ;;
	*) name=sanqi-$version-linux-x86_64 ;;
	esac
	mkdir "$work/$name"
	case $program in
	*.exe)
		cp "$program" "$work/$name/sanqi.exe"
		cp -r "$stage/share/sanqi/books" "$stage/share/doc/sanqi/." "$work/$name"
		cp "$here/WINDOWS.txt" "$here/sanqi-xiangqi.cmd" "$work/$name"
		find "$work/$name" -exec touch --date="@$SOURCE_DATE_EPOCH" {} +
		rm -f "$out/$name.zip"
		(cd "$work" && find "$name" -type f | LC_ALL=C sort | TZ=UTC zip -9 -X -q "$name.zip" -@)
		mv "$work/$name.zip" "$out"
		;;
	*)
		cp -a "$stage/." "$work/$name"
		cp "$program" "$work/$name/bin/sanqi"
		cp "$here/install.sh" "$here/LINUX.txt" "$work/$name"
		chmod 755 "$work/$name/install.sh" "$work/$name/bin/sanqi"
		chmod 644 "$work/$name/LINUX.txt"
		tar --create --format=ustar --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner \
			--mtime="@$SOURCE_DATE_EPOCH" "$name" >"$work/tar"
		gzip -9n <"$work/tar" >"$out/$name.tar.gz"
		;;
	esac
done
