#!/bin/sh
# packaging/install.sh install STAGE ROOT: copies a staged tree (stage.sh) to ROOT, and notes what it made.
# packaging/install.sh uninstall ROOT: removes what was noted: every file, and the folders that were not there before.
set -eu
list=share/sanqi/installed

refuse() {
	echo "$1" >&2
	exit "${2:-1}"
}

# Nothing is changed where not all of it can be: $1 names files, and folders that may have to be made.
check() {
	while read -r path; do
		case $path in
		/* | ../* | */../*) refuse "$root/$list names $path, which is not below it" ;;
		esac
		test ! -d "$root/$path" || continue
		folder=$root/${path%/}
		folder=${folder%/*}
		test ! -d "$folder" || test -w "$folder" || refuse "$folder cannot be written to"
	done <"$1"
}

# Notes in the installation what $1 names: all of it or, where that fails, what was noted before.
note() {
	cp "$1" "$root/$list.part" || { rm -f "$root/$list.part" && exit 1; }
	chmod 644 "$root/$list.part"
	mv -f "$root/$list.part" "$root/$list"
}

install_all() {
	stage=$1 root=$2
	test -d "$stage" || refuse "$stage is no folder"
	mkdir -p "$root"
	(cd "$stage" && tar cf "$work/tar" --owner=0 --group=0 .)
	(cd "$stage" && find . -mindepth 1 -type d) >"$work/found"
	# Those of the list are made in any case.
	printf '%s\n' "${list%%/*}" "${list%/*}" >>"$work/found"
	sed 's|^\./||' "$work/found" | LC_ALL=C sort -u >"$work/folders"
	(cd "$stage" && find . -mindepth 1 ! -type d) >"$work/found"
	sed 's|^\./||' "$work/found" | LC_ALL=C sort >"$work/files"
	# What an earlier installation made is still ours, and goes when it is not in this one any more.
	if test -e "$root/$list"; then cp "$root/$list" "$work/old"; else : >"$work/old"; fi
	while read -r folder; do
		test -d "$root/$folder" && ! grep -qxF -e "$folder/" "$work/old" || echo "$folder/"
	done <"$work/folders" >"$work/new"
	cat "$work/files" >>"$work/new"
	echo "$list" >>"$work/new"
	grep -vxF -f "$work/new" "$work/old" >"$work/gone" || test $? = 1
	cat "$work/gone" "$work/new" >"$work/all"
	check "$work/all"
	# Both are noted until all is done: an installation that fails can be removed, or made again.
	(umask 022 && mkdir -p "$root/${list%/*}")
	note "$work/all"
	remove "$work/gone"
	(cd "$root" && tar xf "$work/tar" --no-same-owner --no-overwrite-dir --keep-directory-symlink)
	note "$work/new"
	test ! -s "$work/old" || echo "replaced the installation in $root"
}

# Files first, then folders, the innermost first. A folder in which somebody else put something stays.
remove() {
	while read -r path; do
		case $path in
		*/) ;;
		*) rm -f "$root/$path" ;;
		esac
	done <"$1"
	LC_ALL=C sort -r "$1" >"$work/sorted"
	while read -r path; do
		case $path in
		*/) rmdir "$root/$path" 2>/dev/null || true ;;
		esac
	done <"$work/sorted"
}

uninstall_all() {
	root=$1
	test -e "$root/$list" || refuse "nothing of sanqi is noted in $root/$list"
	cp "$root/$list" "$work/old"
	check "$work/old"
	remove "$work/old"
}

case "${1:-} $# ${3-${2:-}}" in
"install 3 "?* | "uninstall 2 "?*) ;;
*) refuse "usage: $0 install STAGE ROOT | uninstall ROOT" 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
"$1_all" "$2" "${3:-}"
