#!/bin/sh
# `make busy`: games with as many threads as there are processors, beside eight processes that never rest. No flag may
# fall; a game during which the machine stood still is played again, as `match` does. The journals stay in the folder,
# so that the run may be stopped and started again.
# Arguments: the engine, the folder, the games of each kind.
set -eu
engine=$1 folder=$2 games=$3
mkdir -p "$folder"
threads=$(getconf _NPROCESSORS_ONLN)
busy=
trap 'kill $busy 2>/dev/null' EXIT
for _ in 1 2 3 4 5 6 7 8; do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done
flags=0
for kind in ${KINDS:-chess go}; do
    journal=$folder/$kind.jsonl
    case $kind in
        chess) more="args=uci option.Threads=$threads" control='8+0.08' ;;
        *) more="args=gtp option.numSearchThreads=$threads" control='0+5x1' ;;
    esac
    if test -e "$journal"; then
        "$engine" match --resume "$journal" --games "$games"
    else
        # The words of an engine are arguments.
        # shellcheck disable=SC2086
        "$engine" match --game $kind --size 9 --engine "cmd=$engine" name=A $more --engine "cmd=$engine" name=B $more \
            --tc "$control" --games "$games" --journal "$journal"
    fi >"$folder/$kind.log" 2>&1
    lost=$(grep -c '"reason":"time"' "$journal" || true)
    echo "$kind, $control: $(grep -c '"plies"' "$journal") games, $lost flags, load $(cut -d ' ' -f 1 /proc/loadavg)"
    flags=$((flags + lost))
done
test "$flags" = 0
