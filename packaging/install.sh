#!/bin/sh
# packaging/install.sh install STAGE ROOT: copies a staged tree (stage.sh) to ROOT, and notes what it made.
# packaging/install.sh uninstall ROOT: removes what was noted: every file, and the folders that were not there before.
set -eu
list=share/sanqi/installed

install_all() {
	stage=$1 root=$2
	new=$(mktemp)
	trap 'rm -f "$new"' EXIT
	# What an earlier installation made is still ours, and goes when it is not in this one any more.
	test ! -e "$root/$list" || { remove "$root" && echo "replaced the installation in $root"; }
	(cd "$stage" && find . -mindepth 1 -type d | sed 's|^\./||' | LC_ALL=C sort) | while read -r folder; do
		test -d "$root/$folder" || echo "$folder/"
	done >"$new"
	(cd "$stage" && find . -mindepth 1 ! -type d | sed 's|^\./||' | LC_ALL=C sort) >>"$new"
	echo "$list" >>"$new"
	mkdir -p "$root"
	(cd "$stage" && tar cf - --owner=0 --group=0 .) | (cd "$root" && tar xf - --no-same-owner --no-overwrite-dir --keep-directory-symlink)
	cp "$new" "$root/$list"
	chmod 644 "$root/$list"
}

# Files first, then folders, the innermost first. A folder in which somebody else put something stays.
remove() {
	root=$1
	test -e "$root/$list" || { echo "nothing of sanqi is noted in $root/$list"; exit 1; }
	noted=$(cat "$root/$list")
	echo "$noted" | while read -r path; do
		case $path in
		/* | ../* | */../*) echo "$root/$list names $path, which is not below it"; exit 1 ;;
		*/) ;;
		*) rm -f "$root/$path" ;;
		esac
	done
	echo "$noted" | grep '/$' | LC_ALL=C sort -r | while read -r folder; do
		rmdir "$root/$folder" 2>/dev/null || true
	done
}

case $1 in
install) install_all "$2" "$3" ;;
uninstall) remove "$2" ;;
*) echo "usage: $0 install STAGE ROOT | uninstall ROOT" && exit 2 ;;
esac
