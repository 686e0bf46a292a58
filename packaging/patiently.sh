#!/bin/sh
# Runs a command, and prints every 25 seconds that it is still at work. Its exit code is the command's.
# Arguments: a log for the command's output (-: it is shown), what it is doing, the command.
set -u
log=$1 text=$2
shift 2
if [ "$log" = - ]; then
    "$@" &
else
    "$@" >"$log" 2>&1 </dev/null &
fi
job=$!
trap 'kill $job 2>/dev/null' INT TERM
seconds=0
while kill -0 $job 2>/dev/null; do
    sleep 1
    seconds=$((seconds + 1))
    [ $((seconds % ${EVERY:-25})) != 0 ] || echo "  ... still $text: $seconds s"
done
wait $job
