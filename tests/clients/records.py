#!/usr/bin/env python3
"""Matches of the engine against itself are written down, and read back by other people's libraries:
chess by python-chess, xiangqi by pyffish, Go by sgfmill. Same moves, same results, no complaint."""

import os
import re
import subprocess
import sys
import tempfile

try:
    import chess.pgn
    import pyffish
    from sgfmill import boards, sgf
except ImportError as error:
    print("not installed:", error.name)
    sys.exit(77)

ENGINE = os.path.abspath(sys.argv[1])
OPENINGS_960 = ["bqrnnbkr/pp1ppppp/8/2p5/5P2/4P3/PPPP2PP/NBRKBQRN b KQkq - 0 2",
                "rnkrbnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRQNBKR w HCda - 0 1"]


def match(game, protocols, *flags):
    """Plays four games; the finished match's last line."""
    command = [ENGINE, "match", "--game", game, "--games", "4", "--concurrency", "2", *flags]
    for name, (protocol, limit) in zip("AB", protocols):
        command += ["--engine", f"cmd={ENGINE} {protocol}", f"name={name}", f"proto={protocol}", limit]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    bad = re.findall(r"\{.*(?:illegal|gone|no .* within|oversteps).*\}", done.stderr)
    assert not bad, bad
    return done.stdout.splitlines()[-1]


def score(results):
    """+W =D -L of A, who has the first seat in the odd games."""
    points = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
    signs = [points[r] * (1 if first == "A" else -1) for first, r in results]
    return f"A vs B: +{signs.count(1)} ={signs.count(0)} -{signs.count(-1)}, "


def read_chess(folder, game, *flags):
    path = os.path.join(folder, game + ".pgn")
    last = match(game, [("uci", "nodes=1500"), ("uci", "depth=4")], "--pgnout", path, "--maxmoves", "80", *flags)
    results = []
    with open(path, encoding="utf-8") as file:
        while record := chess.pgn.read_game(file):
            assert not record.errors, record.errors
            board = record.end().board()
            assert board.chess960 == (game == "chess960")
            assert int(record.headers["PlyCount"]) == board.ply() - record.board().ply()
            outcome = board.outcome(claim_draw=True)
            if outcome and record.headers["Termination"] == "normal":
                assert outcome.result() == record.headers["Result"], record
            elif record.headers["Termination"] == "normal":
                raise AssertionError(f"not over: {record}")
            results.append((record.headers["White"], record.headers["Result"]))
    assert len(results) == 4 and last.startswith(score(results)), (results, last)


def read_xiangqi(folder):
    path = os.path.join(folder, "xiangqi.pgn")
    last = match("xiangqi", [("ucci", "nodes=1500"), ("uci", "depth=4")], "--pgnout", path, "--maxmoves", "80")
    results = []
    with open(path, encoding="utf-8") as file:
        records = file.read().split('[Game "Chinese Chess"]')[1:]
    for record in records:
        tags = dict(re.findall(r'\[(\w+) "(.*?)"\]', record))
        moves = re.findall(r"\b([A-I])(\d)-([A-I])(\d)\b", record)
        played = []
        for a, b, c, d in moves:
            move = f"{a.lower()}{int(b) + 1}{c.lower()}{int(d) + 1}"
            start = pyffish.start_fen("xiangqi")
            assert move in pyffish.legal_moves("xiangqi", start, played), (move, played)
            played.append(move)
        assert len(played) == int(tags["PlyCount"])
        over = not pyffish.legal_moves("xiangqi", pyffish.start_fen("xiangqi"), played)
        assert over == any(word in tags["Reason"] for word in ("mates", "stalemated")), tags
        results.append((tags["Red"], tags["Result"]))
    assert len(results) == 4 and last.startswith(score(results)), (results, last)


def read_go(folder):
    path = os.path.join(folder, "go.sgf")
    last = match("go", [("gtp", "nodes=40"), ("gtp", "nodes=60")], "--size", "9", "--maxmoves", "120", "--sgfout", path)
    with open(path, "rb") as file:
        text = file.read()
    results = []
    for tree in re.split(rb"(?<=\))\n(?=\(;)", text):
        record = sgf.Sgf_game.from_bytes(tree)
        board = boards.Board(record.get_size())
        for node in record.get_main_sequence():
            color, point = node.get_move()
            if color and point:
                board.play(point[0], point[1], color)
        winner = {"b": "1-0", "w": "0-1", None: "1/2-1/2"}[record.get_winner()]
        results.append((record.get_player_name("b"), winner))
    assert len(results) == 4 and last.startswith(score(results)), (results, last)


def main():
    with tempfile.TemporaryDirectory() as folder:
        read_chess(folder, "chess")
        openings = os.path.join(folder, "960.epd")
        with open(openings, "w", encoding="utf-8") as file:
            file.write("\n".join(OPENINGS_960) + "\n")
        read_chess(folder, "chess960", "--openings", openings)
        read_xiangqi(folder)
        read_go(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
