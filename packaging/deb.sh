#!/bin/sh
# packaging/deb.sh STAGE VERSION OUT PROGRAM…: Debian packages of a staged tree (stage.sh), one for each static program:
# one in -arm is for arm64, any other for amd64. SOURCE_DATE_EPOCH is the time of everything in them.
set -eu
stage=$1 version=$2 out=$3 revision=$2-1
shift 3
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir -p "$root/DEBIAN" "$root/usr"
cp -a "$stage/." "$root/usr"

# Debian's places and forms: the licenses in one file, the changelog, manual and long texts compressed.
doc=$root/usr/share/doc/sanqi
rm "$doc/LICENSE-MIT" "$doc/LICENSE-APACHE"
mkdir -p "$root/usr/share/zsh/vendor-completions" "$root/usr/share/lintian/overrides"
mv "$root/usr/share/zsh/site-functions/_sanqi" "$root/usr/share/zsh/vendor-completions/_sanqi"
rmdir "$root/usr/share/zsh/site-functions"
cp "$here/debian/copyright" "$doc/copyright"
cp "$here/debian/lintian-overrides" "$root/usr/share/lintian/overrides/sanqi"
mv "$doc/CHANGELOG.md" "$doc/changelog"
maintainer=$(sed -n 's/^Maintainer: //p' "$here/debian/control")
printf 'sanqi (%s) stable; urgency=medium\n\n  * Version %s, see changelog.gz.\n\n -- %s  %s\n' \
	"$revision" "$version" "$maintainer" "$(LC_ALL=C date -u -R --date="@$SOURCE_DATE_EPOCH")" >"$doc/changelog.Debian"
find "$root/usr/share/man/man1" -type f -exec gzip -9n {} +
find "$root/usr/share/man/man1" -type l | while read -r page; do
	ln -s "$(readlink "$page").gz" "$page.gz" && rm "$page"
done
gzip -9n "$doc/changelog" "$doc/changelog.Debian" "$doc/THIRD-PARTY.txt"

for program; do
	case $program in
	*-arm) architecture=arm64 ;;
	*) architecture=amd64 ;;
	esac
	cp "$program" "$root/usr/bin/sanqi"
	size=$(du -k -s --apparent-size "$root/usr" | cut -f 1)
	sed -e "s/@VERSION@/$revision/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" "$here/debian/control" >"$root/DEBIAN/control"
	(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
	find "$root" -type d -exec chmod 755 {} +
	find "$root" -type f ! -path "$root/usr/bin/*" -exec chmod 644 {} +
	chmod 755 "$root/usr/bin/sanqi"
	find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
	mkdir -p "$out"
	dpkg-deb --root-owner-group -Zxz --build "$root" "$out/sanqi_${revision}_$architecture.deb"
done
