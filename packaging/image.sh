#!/bin/sh
# packaging/image.sh NOTICES VERSION OUT PROGRAM…: an image for docker load and podman load of each static program: one in
# -arm is for arm64, any other for amd64. It holds the program and the licenses, and needs no tool to be made.
# The same input gives the same bytes: SOURCE_DATE_EPOCH is the time of everything.
set -eu
notices=$1 version=$2 out=$3
shift 3
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out"
created=$(date -u --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
archive() {
	tar --create --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX "$@"
}
sum() {
	sha256sum "$1" | cut -c 1-64
}

for program; do
	case $program in
	*-arm) architecture=arm64 ;;
	*) architecture=amd64 ;;
	esac
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	mkdir -p "$work/root/licenses" "$work/image"
	cp "$program" "$work/root/sanqi"
	cp "$top/LICENSE-MIT" "$top/LICENSE-APACHE" "$notices" "$work/root/licenses"
	archive --directory "$work/root" licenses sanqi >"$work/image/layer.tar"
	cat >"$work/config" <<-END
		{"architecture":"$architecture","os":"linux","created":"$created","config":{"Entrypoint":["/sanqi"]},
		"rootfs":{"type":"layers","diff_ids":["sha256:$(sum "$work/image/layer.tar")"]},
		"history":[{"created":"$created"}]}
	END
	config=$(sum "$work/config").json
	mv "$work/config" "$work/image/$config"
	echo "[{\"Config\":\"$config\",\"RepoTags\":[\"sanqi:$version\"],\"Layers\":[\"layer.tar.gz\"]}]" >"$work/image/manifest.json"
	gzip -9n "$work/image/layer.tar"
	archive --directory "$work/image" "$config" layer.tar.gz manifest.json >"$out/sanqi-$version-image-$architecture.tar"
	rm -rf "$work"
done
