#!/bin/sh
# packaging/notices.sh FILE TARGET…: the licenses of everything that is linked into the programs for these targets, as
# those who made it ask for. A text that several crates share stands once. It needs the sources that cargo has downloaded.
set -eu
if [ $# -lt 2 ]; then
	echo "usage: $0 FILE TARGET…" >&2
	exit 2
fi
out=$1
shift
cd "$(dirname "$0")/.."
texts=$(mktemp -d)
trap 'rm -rf "$texts"' EXIT

# A pipe would hide that cargo fails.
for target; do
	cargo tree --locked --prefix none --edges normal,no-proc-macro --target "$target" --format '{p}|{l}' >>"$texts/tree"
	cargo metadata --locked --format-version 1 --filter-platform "$target" >>"$texts/metadata"
done
crates=$(grep -v '^sanqi ' "$texts/tree" | sed 's/ (\*)$//; s/^\([^ ]*\) v\([^ |]*\)[^|]*|/\1-\2|/' | LC_ALL=C sort -u)
folders=$(grep -o '"manifest_path":"[^"]*"' "$texts/metadata" | cut -d '"' -f 4 | sort -u)

runtime=/usr/share/doc/mingw-w64-common/copyright
case " $* " in
*-windows-gnu*) test -r "$runtime" || { echo "$0: $runtime is missing: apt install mingw-w64-common" >&2; exit 1; } ;;
esac

echo "$crates" | while IFS='|' read -r crate license; do
	# Where crates lie in folders without their version (cargo vendor), the name has to do.
	manifest=$(echo "$folders" | grep -F "/$crate/Cargo.toml" || echo "$folders" | grep -F "/${crate%-[0-9]*}/Cargo.toml") || {
		echo "$0: the sources of $crate are not there" >&2
		exit 1
	}
	folder=$(dirname "$manifest")
	found=
	for text in "$folder"/*[Ll][Ii][Cc][Ee][Nn][SsCc]* "$folder"/COPYING* "$folder"/NOTICE* "$folder"/UNLICENSE*; do
		test -f "$text" || continue
		found=yes
		sum=$(sha256sum <"$text" | cut -c 1-64)
		test -e "$texts/$sum" || cp "$text" "$texts/$sum"
		echo "$crate ($license)" >>"$texts/$sum.crates"
	done
	test -n "$found" || echo "$crate ($license), whose package has no text of it" >>"$texts/none"
done

{
	echo 'This program contains software by others, under the licenses below.'
	echo
	echo 'The standard library of Rust, by the Rust project: MIT or Apache-2.0. The program for Linux without libraries also'
	echo 'contains the GNU C library, LGPL-2.1 or later, whose source is in every Debian mirror; to use another'
	echo 'version of it, build Sanqi from source.'
	test ! -e "$texts/none" || { echo && cat "$texts/none"; }
	case " $* " in
	*-windows-gnu*) printf '
%s

' 'The program for Windows contains parts of the runtime of MinGW-w64:' && cat "$runtime" ;;
	esac
	for names in "$texts"/*.crates; do
		printf '\n%s\n\n' ------------------------------------------------------------------------
		LC_ALL=C sort -u "$names"
		echo
		cat "${names%.crates}"
	done
} | tr -d '\r' >"$out"
