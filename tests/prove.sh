#!/bin/sh
# `make prove`: every proof of docs/reliability.md on the same sources, in pieces. A piece that is done is a row of the
# file of rows, and is not done again until something in src, nnue, tests or the like changes: the run may be stopped at any
# time, and go on elsewhere. The table of what is done comes at the end.
# Arguments: the folder for logs, the file of rows; only these pieces instead of all.
set -eu
folder=$1
rows=$2
shift 2
test -z "$(git status --porcelain -- ":!$rows")" || { echo 'make prove needs a commit: there are changes that are not in one' >&2; exit 1; }
sources=$(git ls-tree HEAD Cargo.toml Cargo.lock build.rs src nnue books fuzz tests | git hash-object --stdin | cut -c 1-12)
folder=$folder/$sources
mkdir -p "$folder"
minutes=${MINUTES:-30}
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
processor="${processor:-unknown processor}, $(getconf _NPROCESSORS_ONLN)"
tab=$(printf '\t')
test -e "$rows" || printf 'sources\tpiece\tcommand\tresult\tminutes\tload at the end\tprocessors\tdate\n' >"$rows"

pieces='sequences faults rejudge planted miri tsan soak busy'
for kind in fuzz/fuzz_targets/*.rs; do
    pieces="$pieces fuzz-$(basename "$kind" .rs)"
done
failed=
for piece in ${*:-$pieces}; do
    case $piece in
        fuzz-*) target="fuzz KINDS=${piece#fuzz-} MINUTES=$minutes" ;;
        rejudge) target='rejudge GAMES=2000' ;;
        busy) target='busy GAMES=100' ;;
        soak) target="soak HOURS=${HOURS:-6}" ;;
        *) target=$piece ;;
    esac
    grep -qF "$sources$tab$piece${tab}make $target$tab" "$rows" && continue
    began=$(date +%s)
    echo "$piece: make $target"
    # The target's words are arguments.
    # shellcheck disable=SC2086
    if make $target >"$folder/$piece.log" 2>&1; then
        load=$(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo '?')
        case $piece in
            fuzz-*) figure="$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$piece.log" | tail -n 1) inputs" ;;
            rejudge) figure=$(grep -E 'agree|differ' "$folder/$piece.log" | tr '\n' ';') ;;
            *) figure=$(grep -E '^test result|: .* games|sequences,|noticed|flags' "$folder/$piece.log" | tail -n 3 | tr '\n' ';') ;;
        esac
        printf '%s\t%s\tmake %s\t%s\t%d\t%s\t%s\t%s\n' "$sources" "$piece" "$target" "$figure" \
            $((($(date +%s) - began) / 60)) "$load" "$processor" "$(date +%F)" >>"$rows"
    else
        echo "$piece failed: $folder/$piece.log" >&2
        failed="$failed $piece"
    fi
done
printf '\nSources %s\n\n| piece | command | result | minutes | load at the end | processors | date |\n|---|---|---|---|---|---|---|\n' "$sources"
for piece in $pieces; do
    sed -n "s/^$sources$tab\($piece$tab\)/\1/p" "$rows" | tail -n 1 | grep . || echo "$piece${tab}not done"
done | sed "s/$tab/ | /g; s/^/| /; s/\$/ |/"
test -z "$failed"
