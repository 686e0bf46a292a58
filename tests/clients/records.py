#!/usr/bin/env python3
"""Matches of the engine against itself are written down, and read back by other people's libraries
(tests/scripts/read_records.py). Same moves, same results, no complaint; the last line counts them alike."""

import json
import os
import re
import subprocess
import sys
import tempfile

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scripts", "read_records.py")
OPENINGS_960 = ["bqrnnbkr/pp1ppppp/8/2p5/5P2/4P3/PPPP2PP/NBRKBQRN b KQkq - 0 2",
                "rnkrbnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRQNBKR w HCda - 0 1"]


def match(game, protocols, journal, *flags):
    """Plays four games; the finished match's last line."""
    command = [ENGINE, "match", "--game", game, "--games", "4", "--concurrency", "2", "--journal", journal, *flags]
    for name, (protocol, limit) in zip("AB", protocols):
        command += ["--engine", f"cmd={ENGINE} {protocol}", f"name={name}", f"proto={protocol}", limit]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stderr, "a pipe was given what is for a terminal"
    bad = re.findall(r"\{.*(?:illegal|gone|no .* within|oversteps).*\}", done.stderr)
    assert not bad, bad
    return done.stdout.splitlines()[-1]


def score(journal):
    """+W =D -L of A."""
    count = [0, 0, 0]
    with open(journal, encoding="utf-8") as file:
        games = [entry["game"] for entry in map(json.loads, file) if "game" in entry]
    for game in games:
        winner = game["ending"]["winner"]
        own = "first" if game["names"][0] == "A" else "second"
        count[1 if winner is None else 0 if winner == own else 2] += 1
    return "A vs B: +{} ={} -{}, ".format(*count)


def read_back(folder, game, protocols, *flags):
    record = os.path.join(folder, game + (".sgf" if game == "go" else ".pgn"))
    journal = os.path.join(folder, game + ".jsonl")
    last = match(game, protocols, journal, "--sgfout" if game == "go" else "--pgnout", record, *flags)
    assert last.startswith(score(journal)), last
    done = subprocess.run([sys.executable, READER, journal, record], capture_output=True, text=True, check=False)
    if done.returncode == 77:
        print(done.stdout.strip())
        sys.exit(77)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("4 games: same moves, same results"), done.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        chess = [("uci", "nodes=1500"), ("uci", "depth=4")]
        read_back(folder, "chess", chess, "--maxmoves", "80")
        openings = os.path.join(folder, "960.epd")
        with open(openings, "w", encoding="utf-8") as file:
            file.write("\n".join(OPENINGS_960) + "\n")
        read_back(folder, "chess960", chess, "--maxmoves", "80", "--openings", openings)
        read_back(folder, "xiangqi", [("ucci", "nodes=1500"), ("uci", "depth=4")], "--maxmoves", "80")
        read_back(folder, "go", [("gtp", "nodes=40"), ("gtp", "nodes=60")], "--size", "9", "--maxmoves", "120")
    return 0


if __name__ == "__main__":
    sys.exit(main())
