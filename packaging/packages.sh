#!/bin/sh
# Installs Debian packages: as root, or by sudo, which asks for the password once. Where neither works, the line to
# type is printed, and kept for the summary of the tests.
# Arguments: a stamp to write when nothing is missing (-: none), a folder for logs, the packages.
set -eu
stamp=$1 folder=$2
shift 2
mkdir -p "$folder"
rm -f "$folder/missing"

if ! command -v apt-get >/dev/null; then
    echo "note: no apt-get here; wanted are the programs of Debian's packages: $*"
    exit 0
fi
missing=
for package; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
if [ -n "$missing" ]; then
    line="sudo apt-get update && sudo apt-get install$missing"
    become=
    if [ "$(id -u)" != 0 ]; then
        become=sudo
        if ! command -v sudo >/dev/null; then
            echo "note: to install what is missing, as root: ${line#sudo }" | sed 's/&& sudo /\&\& /' | tee "$folder/missing"
            exit 0
        fi
        # sudo -n asks nothing: it tells whether a question is needed, which only a terminal can answer.
        if ! sudo -n true 2>/dev/null; then
            if [ ! -t 0 ]; then
                echo "note: to install what is missing: $line" | tee "$folder/missing"
                exit 0
            fi
            echo "Debian packages to install:$missing"
            echo "sudo asks for your password now, once; without it the rest goes on."
            if ! sudo -v; then
                echo "note: to install what is missing: $line" | tee "$folder/missing"
                exit 0
            fi
        fi
    fi
    echo "Installing Debian packages:$missing ..."
    here=$(dirname "$0")
    if ! { sh "$here/patiently.sh" "$folder/apt.log" "reading the list of packages" $become apt-get update -q &&
        sh "$here/patiently.sh" "$folder/apt.log" "installing packages" \
            $become env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing; }; then
        echo "note: apt-get failed, see $folder/apt.log; to try it: $line" | tee "$folder/missing"
        exit 0
    fi
fi
[ "$stamp" = - ] || touch "$stamp"
