#!/bin/sh
# Plays a match, or games for a trainer, in the tasks of an array job of Slurm; they share a folder.
#
#     sbatch --array=0-31 packaging/cluster/slurm.sh cup match --games 2000 --each tc=8+0.08 --engine cmd=… --engine cmd=…
#     sanqi match --merge cup/*.jsonl --report cup.html          when all tasks have ended
#     sbatch --array=0-31 packaging/cluster/slurm.sh data datagen chess --games 1000 --threads 1
#
# A task that is started again goes on where it was. SANQI names the program. The array has to begin with 0.
#SBATCH --job-name=sanqi
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -eu
if [ $# -lt 2 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    echo "usage: sbatch --array=0-N slurm.sh FOLDER match|datagen|selfplay ARGUMENTS" >&2
    exit 2
fi
sanqi=${SANQI:-sanqi} folder=$1 command=$2
shift 2
index=$SLURM_ARRAY_TASK_ID of=$SLURM_ARRAY_TASK_COUNT
if [ "${SLURM_ARRAY_TASK_MIN:-0}" -ne 0 ] || [ "${SLURM_ARRAY_TASK_MAX:-$((of - 1))}" -ne $((of - 1)) ]; then
    echo "the array has to be 0-N, without steps: its numbers are those of the shards" >&2
    exit 2
fi
mkdir -p "$folder"
if [ "$command" != match ]; then
    exec "$sanqi" "$command" "$@" --shard "$index/$of" --out "$folder" --resume
fi
journal=$folder/${index}of$of.jsonl
arguments=$folder/${index}of$of.arguments
# A journal without a whole line is of a task that ended before its first game.
if [ -s "$journal" ] && [ "$(wc -l <"$journal")" -gt 0 ]; then
    if [ -e "$arguments" ] && ! printf '%s\n' "$@" | cmp -s - "$arguments"; then
        echo "$journal: a match with other arguments is there: $arguments has them" >&2
        exit 2
    fi
    exec "$sanqi" match --resume "$journal"
fi
rm -f "$journal"
printf '%s\n' "$@" >"$arguments"
exec "$sanqi" match "$@" --shard "$index/$of" --journal "$journal"
