#!/bin/sh
# `make prove`: every proof of docs/reliability.md on one commit, in pieces. A piece that is done is not done again
# on the same commit, so that the run may be stopped at any time; the table of what is done comes at the end.
# Arguments: the folder for the pieces; only these pieces instead of all.
set -eu
folder=$1
shift
test -z "$(git status --porcelain)" || { echo 'make prove needs a commit: there are changes that are not in one' >&2; exit 1; }
commit=$(git rev-parse --short HEAD)
folder=$folder/$commit
mkdir -p "$folder"
minutes=${MINUTES:-30}

pieces='sequences faults rejudge planted miri tsan soak busy'
for kind in fuzz/fuzz_targets/*.rs; do
    pieces="$pieces fuzz-$(basename "$kind" .rs)"
done
failed=
for piece in ${*:-$pieces}; do
    test -e "$folder/$piece.done" && continue
    case $piece in
        fuzz-*) target="fuzz KINDS=${piece#fuzz-} MINUTES=$minutes" ;;
        rejudge) target='rejudge GAMES=2000' ;;
        busy) target='busy GAMES=100' ;;
        soak) target="soak HOURS=${HOURS:-6}" ;;
        *) target=$piece ;;
    esac
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
        printf '| %s | `make %s` | %s | %d min | %s |\n' "$piece" "$target" "$figure" $((($(date +%s) - began) / 60)) "$load" \
            >"$folder/$piece.done"
    else
        echo "$piece failed: $folder/$piece.log" >&2
        failed="$failed $piece"
    fi
done
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
printf '\nCommit %s, %s, %s processors\n\n| piece | command | result | time | load at the end |\n|---|---|---|---|---|\n' \
    "$commit" "${processor:-unknown processor}" "$(getconf _NPROCESSORS_ONLN)"
for piece in $pieces; do
    cat "$folder/$piece.done" 2>/dev/null || echo "| $piece | | not done | | |"
done
test -z "$failed"
