#!/usr/bin/env python3
"""The 119 composed endings of xiangqibench (PyPI, MIT), each with a proven mate, searched with a number of nodes: how many
mates are reported, and whether each line is legal and ends in mate by the rules of cchess (PyPI).

With the engine alone as argument this is a test; more arguments are numbers of nodes to measure with."""

import importlib.util
import json
import os
import re
import subprocess
import sys

try:
    import cchess
except ImportError:
    print("skipped: cchess (pip install cchess)")
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
# Nodes of the test, and how many mates must be found with them.
NODES, LEAST = 30_000, 105


def cases():
    package = importlib.util.find_spec("xiangqibench")
    if package is None:
        print("skipped: xiangqibench (pip install xiangqibench)")
        sys.exit(77)
    with open(os.path.join(package.submodule_search_locations[0], "data", "cases.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def legal_moves(board):
    return [m for m in board.create_moves() if not board.is_checked_move(*m)]


def ends_in_mate(fen, line):
    """Whether a line is legal and leaves the other side without a move."""
    board = cchess.ChessBoard(fen)
    for move in line:
        if cchess.iccs2pos(move) not in legal_moves(board):
            return False
        board.move_iccs(move)
        board.next_turn()
    return not legal_moves(board)


class Engine:
    def __init__(self):
        command = [ENGINE, "uci", "--game", "xiangqi"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")
        self.send("setoption name Hash value 64", "setoption name Threads value 1")

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def ask(self, line, end):
        """What is said until a line that begins so."""
        self.send(line)
        said = []
        for answer in self.process.stdout:
            said.append(answer.strip())
            if answer.startswith(end):
                return said
        raise AssertionError(f"the engine is gone: {said[-3:]}")

    def mate(self, fen, nodes):
        """Moves to mate and the line, as reported last."""
        self.send("ucinewgame")
        self.ask("isready", "readyok")
        self.send(f"position fen {fen}")
        reports = [line for line in self.ask(f"go nodes {nodes}", "bestmove") if " score " in line and " pv " in line]
        found = re.search(r" score mate (\d+) ", reports[-1]) if reports else None
        return found and (int(found[1]), reports[-1].split(" pv ")[1].split())


def measure(nodes, engine):
    """How many mates are reported, how many of them are longer than proven, and which are missed."""
    found, longer, missed = 0, 0, []
    for case in cases():
        answer = engine.mate(case["fen"], nodes)
        if answer is None:
            missed.append(case["id"])
            continue
        moves, line = answer
        found += 1
        longer += 2 * moves - 1 > case["win_in_plies"]
        assert len(line) == 2 * moves - 1 and ends_in_mate(case["fen"], line), (case["id"], moves, line)
    print(f"{nodes} nodes: {found} of {found + len(missed)} mates, {longer} of them longer than proven;"
          f" missed: {' '.join(missed)}", flush=True)
    return found


def main():
    engine = Engine()
    limits = [int(nodes) for nodes in sys.argv[2:]]
    for nodes in limits or [NODES]:
        found = measure(nodes, engine)
        assert limits or found >= LEAST, found
    engine.send("quit")
    return engine.process.wait(60)


if __name__ == "__main__":
    sys.exit(main())
