#!/usr/bin/env python3
"""How a search's winrate and lead become winning chances: plays games of Go with itself, and fits how they end.

    chances.py play ENGINE ROWS [--evaluator net|hybrid|playouts] [--seed N] [--minutes M]
    chances.py fit ENGINE_STEEPNESS ROWS…
    chances.py check ENGINE_STEEPNESS STEEPNESS ROWS…

`play` appends a row for each search: size, handicap, komi, moves played before, side, visits, winrate, lead, standard deviation, game,
winner (1 Black, -1 White, 0 draw), result. A third of the games has handicap stones, a third a komi that favors one side,
so that the games are lopsided. `fit` prints the numbers of src/engine/go/chances.rs, `check` what other games say of
them: by tenth of the winrate and the chance, and by lead. ENGINE_STEEPNESS is the STEEPNESS of the engine that played, as it
reports chances: 1 for one that reports its winrates, as the rows of docs/lab/go-chances.md have them.
"""

import argparse
import collections
import math
import random
import re
import subprocess
import sys
import time

# Shares of the time.
SIZES = {9: 0.15, 13: 0.35, 19: 0.5}
VISITS = [32, 64, 100]
# Searches with fewer visits are left out.
MIN_VISITS = 16
# A winrate beyond counts as this.
MARGIN = 0.005


class Gtp:
    def __init__(self, engine, evaluator):
        options = ["--option", "Threads=1", "--option", f"Evaluator={evaluator}"]
        self.process = subprocess.Popen([engine, "gtp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        for read in self.process.stdout:
            if read.strip():
                lines.append(read.rstrip("\n"))
            elif lines:
                return "\n".join(lines)
        sys.exit("the engine is gone")


def play(gtp, rng, size):
    """The rows of a game, without what all have in common, and its result."""
    area, kind = size * size, rng.randrange(3)
    handicap, komi = 0, 7.5 + rng.randint(-2, 2)
    if kind == 1:
        handicap, komi = rng.randint(2, 5 if size == 9 else 9), 0.5
    elif kind == 2:
        komi = round(7 + rng.gauss(0, 8 + area / 25)) + 0.5
    for line in (f"boardsize {size}", "clear_board", f"komi {komi}", f"kata-set-param maxVisits {rng.choice(VISITS)}"):
        gtp.ask(line)
    side = "b"
    if handicap:
        gtp.ask(f"fixed_handicap {handicap}")
        side = "w"
    rows, passes, ply, opening = [], 0, 0, rng.randint(2, 4 + size // 3)
    while passes < 2 and ply < 3 * area:
        # Moves at random lead to fights that the net does not know.
        is_strange = ply >= opening and rng.random() < 0.02 and ply < area // 2
        is_own = ply >= opening and not is_strange
        text = gtp.ask(f"kata-{'genmove' if is_own else 'search'}_analyze {side} rootInfo true maxmoves {1 if is_own else 8}")
        root = re.search(r"rootInfo (.*)$", text, re.M)
        if root:
            words = root[1].split()
            found = dict(zip(words[::2], words[1::2]))
            rows.append((size, handicap, komi, ply, side, found["visits"], found["winrate"], found["scoreLead"], found["scoreStdev"]))
        mv = re.search(r"^play (\S+)", text, re.M)[1]
        if is_strange:
            mv = rng.choice(re.findall(r"[A-T]\d+", gtp.ask(f"all_legal {side}")) or [mv])
        elif not is_own:
            found = [(name, int(visits)) for name, visits in re.findall(r"info move ([A-T]\d+) visits (\d+)", text)]
            found = [one for one in found if one[1]] or [(mv, 1)]
            mv = rng.choices([name for name, _ in found], [visits ** 0.7 for _, visits in found])[0]
        if not is_own:
            gtp.ask(f"play {side} {mv}")
        passes = passes + 1 if mv == "pass" else 0
        side, ply = "w" if side == "b" else "b", ply + 1
    return rows, gtp.ask("final_score").lstrip("= ")


def collect(engine, path, evaluator, seed, minutes):
    gtp, rng, used = Gtp(engine, evaluator), random.Random(seed), dict.fromkeys(SIZES, 0.0)
    end = time.monotonic() + 60 * minutes
    with open(path, "a", encoding="ascii") as file:
        game = 0
        while time.monotonic() < end:
            size, began = min(SIZES, key=lambda size: used[size] / SIZES[size]), time.monotonic()
            rows, result = play(gtp, rng, size)
            game += 1
            winner = {"B": 1, "W": -1}.get(result[0], 0)
            for row in rows:
                print(*row, f"{evaluator}.{seed}.{game}", winner, result, file=file)
            file.flush()
            used[size] += time.monotonic() - began


def logit(p):
    return math.log(p / (1 - p))


def raw(winrate, reported):
    """The winrate of the search, within the margin."""
    bounded = min(max(winrate, 1e-6), 1 - 1e-6)
    return min(max(chance(1 / reported, bounded), MARGIN), 1 - MARGIN)


Row = collections.namedtuple("Row", "size open winrate lead game won margin")


def load(path, reported):
    """The searches of a file; `reported` is what the engine multiplied the logits of its winrates by."""
    with open(path, encoding="ascii") as file:
        for line in file:
            size, handicap, _, ply, side, visits, winrate, lead, _, game, winner, result = line.split()
            if int(visits) < MIN_VISITS:
                continue
            size, sign, winner = int(size), 1 if side == "b" else -1, int(winner)
            points = float(result[2:]) * winner if winner else 0.0
            yield Row(size, max(0.0, 1 - (int(ply) + int(handicap)) / size ** 2), raw(float(winrate), reported),
                      float(lead), game, (1 + sign * winner) / 2, sign * points)


def stdev(rows):
    """Standard deviation of the lead: on a full board, and what an empty one adds."""
    xs = [row.open for row in rows]
    # The mean distance of a normal distribution is 0.798 deviations.
    ys = [abs(row.margin - row.lead) * math.sqrt(math.pi / 2) for row in rows]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)
    return y - slope * x, slope


def chance(steepness, winrate):
    return 1 / (1 + math.exp(-steepness * logit(winrate)))


def steepness(rows):
    """What the logit of a winrate is to be multiplied by, by Newton's method. Each game counts as one."""
    counts, found = collections.Counter(row.game for row in rows), 1.0
    for _ in range(20):
        gradient = curvature = 0.0
        for row in rows:
            p, x, weight = chance(found, row.winrate), logit(row.winrate), 1 / counts[row.game]
            gradient += weight * (row.won - p) * x
            curvature += weight * p * (1 - p) * x * x
        found += gradient / curvature
    return found


def fit(reported, paths):
    rows = [row for path in paths for row in load(path, reported)]
    print(f"STEEPNESS: {steepness(rows):.2f}")
    for size in SIZES:
        mine = [row for row in rows if row.size == size]
        if mine:
            print("({}.0, {:.1f}, {:.1f})  {} games, {} positions".format(size, *stdev(mine), len({row.game for row in mine}), len(mine)))


def check(reported, multiplier, paths):
    rows = [row for path in paths for row in load(path, reported)]
    for size in [None, *SIZES]:
        mine = [row for row in rows if size in (None, row.size)]
        brier = lambda p: sum((p(row) - row.won) ** 2 for row in mine) / len(mine)
        print(f"{size or 'all'}: {len({row.game for row in mine})} games, {len(mine)} positions, Brier {brier(lambda row: row.winrate):.4f}"
              f" before, {brier(lambda row: chance(multiplier, row.winrate)):.4f} after")
        for name, place in (("winrate", lambda row: int(10 * row.winrate)), ("chance", lambda row: int(10 * chance(multiplier, row.winrate))),
                            ("lead", lambda row: 10 * max(-5, min(5, round(row.lead / 10))))):
            found = collections.defaultdict(list)
            for row in mine:
                found[place(row)].append((row.winrate if name == "winrate" else chance(multiplier, row.winrate), row.won))
            means = [(key, *(100 * sum(values) / len(values) for values in zip(*found[key])), len(found[key])) for key in sorted(found)]
            print(f"  by {name}, predicted and real percent:", "  ".join(f"{key}: {p:.0f} {real:.0f} ({count})" for key, p, real, count in means))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    played = commands.add_parser("play")
    played.add_argument("engine")
    played.add_argument("rows")
    played.add_argument("--evaluator", default="net")
    played.add_argument("--seed", type=int, default=1)
    played.add_argument("--minutes", type=float, default=60)
    fitted = commands.add_parser("fit")
    fitted.add_argument("reported", type=float)
    fitted.add_argument("rows", nargs="+")
    checked = commands.add_parser("check")
    checked.add_argument("reported", type=float)
    checked.add_argument("steepness", type=float)
    checked.add_argument("rows", nargs="+")
    args = parser.parse_args()
    if args.command == "play":
        collect(args.engine, args.rows, args.evaluator, args.seed, args.minutes)
    elif args.command == "fit":
        fit(args.reported, args.rows)
    else:
        check(args.reported, args.steepness, args.rows)


main()
