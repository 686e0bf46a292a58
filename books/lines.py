#!/usr/bin/env python3
"""Makes openings that people know: the named lines of the program, each move of them searched, continued by moves that are
hardly worse than the best until they are long enough, and kept where neither side is ahead.

    books/lines.py ENGINE chess|xiangqi COUNT [--loss 60] [--seed 1] > books/chess.pgn

Needs pyffish. What was searched is kept in a file beside the output (--kept FILE), so that a second run is quick.
"""

import argparse
import functools
import json
import os
import random
import re
import subprocess
import sys

import pyffish

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# Centipawns that a move which continues a line may be worse than the best, and that a side may be ahead at its end.
SLACK, EVEN = 20, 40
# Half-moves of an opening: shorter lines are continued, by up to two more, longer ones cut.
LEAST, MOST = 8, 16
# Nodes for the four best moves of a position on a named line, of one behind it, and for the score at the end of a line.
NAMED, BEHIND, END, BEST = 300_000, 60_000, 100_000, 4
# Lines that begin with one name, at most.
PER_NAME = 40

DIGITS = {c: str(i) for i, c in enumerate("一二三四五六七八九", 1)}
WXF = DIGITS | dict(zip("炮马车相象士仕帅将兵卒进退平前后", "CHREEAAKKPP+-=+-"))


class Engine:
    def __init__(self, command, game, kept):
        self.game, self.path = game, kept
        self.kept = json.load(open(kept)) if kept and os.path.exists(kept) else {}
        self.process = subprocess.Popen([command, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in [f"setoption name UCI_Variant value {game}", "setoption name Hash value 64"]:
            self.send(line)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def save(self):
        if self.path:
            with open(self.path, "w") as file:
                json.dump(self.kept, file)

    def search(self, moves, nodes, best=1, only=None):
        """Moves and their centipawns for the side to move, the best first."""
        self.send(f"setoption name MultiPV value {best}")
        self.send("ucinewgame")
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.send(f"go nodes {nodes}" + (f" searchmoves {only}" if only else ""))
        scores = {}
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                break
            if "pv" in words and "upperbound" not in words and "lowerbound" not in words:
                rank = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
                kind, value = words[words.index("score") + 1:][:2]
                value = int(value) if kind == "cp" else 30_000 if int(value) > 0 else -30_000
                scores[rank] = (words[words.index("pv") + 1], value)
        return dict(scores[rank] for rank in sorted(scores))

    def moves(self, moves, nodes, wanted=None):
        """The best moves, from what is kept, with a move that is wanted among them."""
        found = self.kept.setdefault(key(self.game, moves), {})
        if not found:
            found.update(self.search(moves, nodes, BEST))
        if wanted and wanted not in found:
            found.update(self.search(moves, nodes // 3, only=wanted))
        return found

    def ahead(self, moves):
        """How far the side that moves first is ahead."""
        name = key(self.game, moves) + " end"
        if name not in self.kept:
            self.kept[name] = max(self.search(moves, END).values())
        return self.kept[name] if len(moves) % 2 == 0 else -self.kept[name]


@functools.cache
def fen_after(game, moves):
    return pyffish.get_fen(game, pyffish.start_fen(game), list(moves))


def fen(game, moves):
    return fen_after(game, tuple(moves))


def key(game, moves):
    """Names a position, however it was reached."""
    return " ".join(fen(game, moves).split()[:4 if game == "chess" else 2])


def mirrored(position):
    board, side = position.split()
    return "/".join(rank[::-1] for rank in board.split("/")) + " " + side


def table(game):
    """The names and lines of the program's tables."""
    for row in open(os.path.join(ROOT, f"src/games/opening_names/{game}.tsv"), encoding="utf-8"):
        code, name, _, text = row.rstrip("\n").split("\t")
        moves = []
        for word in text.split():
            position = fen(game, moves)
            if game == "chess":
                same = [m for m in pyffish.legal_moves(game, position, [])
                        if pyffish.get_san(game, position, m).rstrip("+#") == word.rstrip("+#")]
            else:
                wanted = "".join(WXF.get(c, c) for c in word)
                same = [m for m in pyffish.legal_moves(game, position, [])
                        if pyffish.get_san(game, position, m, False, pyffish.NOTATION_XIANGQI_WXF) == wanted]
            if len(same) != 1:
                sys.exit(f"{name}: {word} is not a move")
            moves.append(same[0])
        yield code, name, moves


def reverses(move, other):
    points = [re.findall("[a-i][0-9]+", each) for each in (move, other)]
    return points[0] == points[1][::-1]


def loses(engine, moves, ply):
    """How much worse than the best the move at this place is."""
    found = engine.moves(moves[:ply], NAMED, moves[ply])
    return max(found.values()) - found[moves[ply]]


def continued(engine, rng, moves, least):
    """The line with moves by lot that are hardly worse than the best."""
    moves = list(moves)
    while len(moves) < least:
        found = engine.moves(moves, BEHIND)
        best = max(found.values())
        # No piece goes back to where it came from.
        back = moves[-2] if len(moves) > 1 else ""
        good = [move for move, score in found.items() if score >= best - SLACK and not reverses(move, back)]
        moves.append(rng.choice(good or list(found)))
    return moves


def iccs(move):
    """A move whose ranks are counted from 1, in the notation that counts them from 0."""
    points = re.findall("([a-i])([0-9]+)", move)
    return "-".join(f"{file.upper()}{int(rank) - 1}" for file, rank in points)


def text(game, moves):
    words = []
    for ply, move in enumerate(moves):
        if game == "chess":
            written = pyffish.get_san(game, fen(game, moves[:ply]), move)
        else:
            written = iccs(move)
        words.append(f"{ply // 2 + 1}. {written}" if ply % 2 == 0 else written)
    return " ".join(words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("game", choices=["chess", "xiangqi"])
    parser.add_argument("count", type=int)
    parser.add_argument("--loss", type=int, default=60, help="centipawns that a named move may lose")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", metavar="FILE")
    args = parser.parse_args()
    game, rng = args.game, random.Random(args.seed)
    engine = Engine(args.engine, game, args.kept)
    names = []
    for code, name, moves in table(game):
        worst = max(loses(engine, moves, ply) for ply in range(len(moves)))
        if worst <= args.loss:
            names.append((code, name, moves[:MOST]))
        else:
            print(f"left out: {name}, a move loses {worst}", file=sys.stderr)
    engine.save()
    print(f"{len(names)} names", file=sys.stderr)
    seen, kept = set(), []
    for turn in range(PER_NAME):
        for code, name, moves in names:
            if len(kept) == args.count:
                break
            least = max(LEAST + rng.randrange(3), len(moves))
            line = continued(engine, rng, moves, least)
            position = key(game, line)
            if position in seen:
                continue
            seen.add(position)
            if abs(engine.ahead(line)) > EVEN:
                continue
            if game == "xiangqi":
                seen.add(mirrored(position))
            kept.append((code, name, line))
        engine.save()
        print(f"round {turn + 1}: {len(kept)} openings", file=sys.stderr)
    for code, name, line in sorted(kept, key=lambda one: one[2]):
        tags = [("ECO", code)] * bool(code) + [("Opening", name)] + [("Variant", game)] * (game != "chess") + [("Result", "*")]
        print("\n".join(f'[{tag} "{value}"]' for tag, value in tags) + f"\n\n{text(game, line)} *\n")
    engine.process.stdin.close()


if __name__ == "__main__":
    main()
