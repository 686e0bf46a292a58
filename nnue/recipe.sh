#!/bin/sh
# Makes a net from nothing: the hand-made evaluation plays the first games, each net plays the games that the next net
# learns from. An interrupted run goes on where it stopped when it is started again with the same settings.
#
#   nnue/recipe.sh chess|xiangqi DIRECTORY        the net ends up in DIRECTORY/chess.bin or DIRECTORY/xiangqi.bin
#
# Settings, as environment variables:
set -eu
if [ $# != 2 ]; then
    echo "usage: nnue/recipe.sh chess|xiangqi DIRECTORY" >&2
    exit 2
fi
game=$1 out=$2
case $game in
chess) enough=600000 labels="--lambda 0.7 --skip 2" ;;
xiangqi) enough=200000 labels="--lambda 0.6 --skip 12" ;;
*) echo "nnue/recipe.sh: chess or xiangqi, not '$game'" >&2 && exit 2 ;;
esac
sanqi=${SANQI:-./sanqi}          # the engine
games=${GAMES:-$enough}          # games of each generation; half of them at depth 1
generations=${GENERATIONS:-4}    # nets made one after the other
hidden=${HIDDEN:-256}            # neurons, a multiple of 128
epochs=${EPOCHS:-3}              # times each position is used
batch=${BATCH:-8192}             # positions of a training step
threads=${THREADS:-$(nproc)}     # games at the same time, and threads of the training

for setting in "GAMES $games" "GENERATIONS $generations" "HIDDEN $hidden" "EPOCHS $epochs" "BATCH $batch" \
    "THREADS $threads"; do
    case ${setting#* } in
    '' | 0* | *[!0-9]*)
        echo "nnue/recipe.sh: ${setting%% *} is a number above 0, not '${setting#* }'" >&2
        exit 2
        ;;
    esac
done

mkdir -p "$out"
player=none                      # the hand-made evaluation
rate=1e-3

generation=1
while [ "$generation" -le "$generations" ]; do
    net=$out/$game-$generation.bin
    # One iteration a move (30 nodes are spent by the first) with 4 % random moves: cheap, and shows what blunders lead
    # to. Then 200 nodes a move with 0.8 %: better scores.
    "$sanqi" datagen "$game" --out "$out" --seed $((2 * generation - 1)) --games $((games / 2)) --nodes 30 \
        --random-moves 40 --threads "$threads" --evalfile "$player" --resume
    "$sanqi" datagen "$game" --out "$out" --seed $((2 * generation)) --games $((games / 2)) --nodes 200 \
        --random-moves 8 --threads "$threads" --evalfile "$player" --resume
    set -- --data "$out/$game-$((2 * generation - 1))-0of1.rec" "$out/$game-$((2 * generation))-0of1.rec"
    # The first net learns from random weights, a later one goes on from the net before with smaller steps.
    [ "$player" = none ] || set -- "$@" --init "$player"
    "$sanqi" train "$game" "$@" --out "$net" --generation "$generation" --threats --hidden "$hidden" --buckets 4 \
        $labels --result-share 0 --decay 0.1 --rate "$rate" --batch "$batch" --epochs "$epochs" \
        --threads "$threads" --resume
    player=$net
    rate=6e-4
    generation=$((generation + 1))
done

"$sanqi" quantise "$game" "$player.ckpt" --out "$out/$game.bin"
