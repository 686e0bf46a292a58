#!/bin/sh
# Puts what is installed into a folder, as it will lie below the prefix: packaging/stage.sh PROGRAM FOLDER
# PROGRAM runs here, since it prints its own manual and completions. FOLDER is made anew.
set -eu
program=$1 stage=$2
cd "$(dirname "$0")/.."
rm -rf "$stage"
share=$stage/share doc=$stage/share/doc/sanqi
mkdir -p "$stage/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
	"$share/fish/vendor_completions.d" "$share/sanqi/books" "$doc/nnue"
cp "$program" "$stage/bin/sanqi"
# GUIs let one choose a program, but no arguments: this name starts xiangqi.
ln -s sanqi "$stage/bin/sanqi-xiangqi"
"$program" man --out "$share/man/man1"
ln -s sanqi.1 "$share/man/man1/sanqi-xiangqi.1"
"$program" completions bash >"$share/bash-completion/completions/sanqi"
"$program" completions zsh >"$share/zsh/site-functions/_sanqi"
"$program" completions fish >"$share/fish/vendor_completions.d/sanqi.fish"
cp books/*.bin books/*.dat books/*.epd books/*.pgn books/*.sgf books/README.md "$share/sanqi/books"
cp *.md LICENSE-MIT LICENSE-APACHE "$doc"
cp -R docs "$doc"
rm "$doc/docs/images/terminal.py"
cp nnue/*.md "$doc/nnue"
find "$stage" -type d -exec chmod 755 {} +
find "$stage" -type f -exec chmod 644 {} +
find "$stage" -name "*.sh" -exec chmod 755 {} +
chmod 755 "$stage/bin/sanqi"
