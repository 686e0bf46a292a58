#!/usr/bin/env python3
"""Judges finished games again by rules that are not Sanqi's: python-chess, pyffish, a Go board of a few lines.

Every move must be legal, no game may go on behind its end, and each result that a rule decides must be the one
that stands in the record. Without FILES, Sanqi plays games of the three kinds against itself first.

Exit status: 0 when all agree, 1 when not, 77 when python-chess or pyffish is missing.

    tests/clients/rejudge.py [ENGINE] [--games N] [--files FILE...]

ENGINE is the engine's binary, by default $SANQI, or the newest one under target/. FILES are PGN of chess and
xiangqi, and SGF.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
    import pyffish
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (pip install chess pyffish)")
    sys.exit(77)

from python_chess import find_engine

DRAW = "1/2-1/2"


def winner_of(first_wins):
    return "1-0" if first_wins else "0-1"


def chess_end(board):
    """The result by a rule that ends a game at once, and its name."""
    if board.is_checkmate():
        return winner_of(board.turn == chess.BLACK), "mate"
    if board.is_stalemate():
        return DRAW, "stalemate"
    if board.is_insufficient_material():
        return DRAW, "material"
    if board.is_repetition(3):
        return DRAW, "third occurrence"
    if board.halfmove_clock >= 100:
        return DRAW, "fifty moves"
    return None


def rejudge_chess(game):
    board = game.board()
    for move in game.mainline_moves():
        end = chess_end(board)
        if end:
            raise AssertionError(f"it went on behind {end[1]}: {board.fen()}")
        if move not in board.legal_moves:
            raise AssertionError(f"{move} is illegal: {board.fen()}")
        board.push(move)
    if game.errors:
        raise AssertionError(f"{game.errors}")
    return chess_end(board)


def xiangqi_end(fen, moves):
    """The same, for the ends that need no classes of moves."""
    if not pyffish.legal_moves("xiangqi", fen, moves):
        first = pyffish.get_fen("xiangqi", fen, moves).split()[1] == "w"
        return winner_of(not first), "mate or stalemate"
    places = [" ".join(pyffish.get_fen("xiangqi", fen, moves[:k]).split()[:2]) for k in range(len(moves) + 1)]
    same = [k for k, place in enumerate(places) if place == places[-1]]
    if len(same) < 3:
        return None
    # One that checks by every move of the cycle loses to one that does not; other cycles need 棋例.
    cycle = range(same[-2] + 1, len(moves) + 1)
    checks = {0: [], 1: []}
    for k in cycle:
        first_moved = places[k].endswith("b")
        checks[0 if first_moved else 1].append(pyffish.gives_check("xiangqi", fen, moves[:k]))
    always = [bool(checks[side]) and all(checks[side]) for side in (0, 1)]
    if always[0] != always[1]:
        return winner_of(always[1]), "perpetual check"
    return None, "a third occurrence, its verdict being 棋例's"


def rejudge_xiangqi(tags, moves):
    fen = tags.get("FEN", pyffish.start_fen("xiangqi"))
    played = []
    for text in moves:
        def square(name):
            return name[0].lower() + str(int(name[1]) + 1)
        move = square(text[:2]) + square(text[3:])
        if move not in pyffish.legal_moves("xiangqi", fen, played):
            raise AssertionError(f"{text} is illegal after {played}")
        played.append(move)
    return xiangqi_end(fen, played)


class Board:
    """A Go board that only knows stones, liberties and the positions that were."""

    def __init__(self, size):
        self.size, self.stones = size, {}
        self.known = {frozenset()}

    def around(self, point):
        x, y = point
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(a, b) for a, b in near if 0 <= a < self.size and 0 <= b < self.size]

    def chain(self, point):
        color, chain, free, todo = self.stones.get(point), {point}, set(), [point]
        while todo:
            for near in self.around(todo.pop()):
                if self.stones.get(near) == color and near not in chain:
                    chain.add(near)
                    todo.append(near)
                elif self.stones.get(near) != color:
                    free.add(near)
        return chain, free

    def play(self, color, point):
        if point in self.stones:
            raise AssertionError(f"a stone stands on {point}")
        self.stones[point] = color
        for near in self.around(point):
            if self.stones.get(near, color) != color:
                chain, free = self.chain(near)
                if all(other in self.stones for other in free):
                    for dead in chain:
                        del self.stones[dead]
        _, free = self.chain(point)
        if all(other in self.stones for other in free):
            raise AssertionError(f"suicide at {point}")
        position = frozenset(self.stones.items())
        if position in self.known:
            raise AssertionError(f"{point} repeats a position")
        self.known.add(position)

    def area(self):
        """Black's lead, all stones being alive."""
        lead, seen = 0, set()
        for point in [(x, y) for x in range(self.size) for y in range(self.size)]:
            if point in self.stones:
                lead += 1 if self.stones[point] == "B" else -1
            elif point not in seen:
                region, borders = self.chain(point)
                seen |= region
                owners = {self.stones[border] for border in borders}
                if len(owners) == 1:
                    lead += len(region) * (1 if owners == {"B"} else -1)
        return lead


def rejudge_go(text):
    def tag(name, usual):
        found = re.search(rf"[;\]\s]{name}\[([^\]]*)\]", text)
        return found[1] if found else usual
    size, komi = int(tag("SZ", "19")), float(tag("KM", "7.5"))
    board, passes = Board(size), 0
    moves = re.findall(r";(?:[A-Z]+\[[^\]]*\])*?([BW])\[([a-z]{0,2})\]", text)
    for color, at in moves:
        passes = 0 if at else passes + 1
        if at:
            board.play(color, (ord(at[0]) - 97, ord(at[1]) - 97))
    # Where dead stones are taken off by agreement, the record does not name them.
    if passes < 2 or tag("RU", "").lower() != "tromp-taylor":
        return None
    lead = board.area() - komi
    return ("B" if lead > 0 else "W") + f"+{abs(lead):g}" if lead else "0", "count"


def records(path):
    """Kind, recorded result, and a function that judges each game of a file."""
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("("):
        for game in re.findall(r"\(;FF.*?\](?=\)\s*(?:\(|$))", text, re.S):
            yield "go", re.search(r"RE\[([^\]]*)\]", game)[1], lambda game=game: rejudge_go(game)
    elif "Chinese Chess" in text:
        for part in re.split(r"\n\n(?=\[Game)", text):
            tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', part, re.M))
            moves = re.findall(r"\b[A-I]\d-[A-I]\d\b", re.sub(r"\{[^}]*\}", "", part.split("\n\n", 1)[1]))
            yield "xiangqi", tags["Result"], lambda tags=tags, moves=moves: rejudge_xiangqi(tags, moves)
    else:
        with path.open(encoding="utf-8") as file:
            while game := chess.pgn.read_game(file):
                yield "chess", game.headers["Result"], lambda game=game: rejudge_chess(game)


def play(engine, folder, games):
    for kind, nodes, more, output in [
        ("chess", 200, [], "--pgn"), ("xiangqi", 200, [], "--pgn"),
        ("go", 16, ["--size", "9", "--rules", "tromp-taylor"], "--sgf"),
    ]:
        path = folder / f"{kind}{output.replace('--', '.')}"
        command = [engine, "match", "--game", kind, *more, "--engine", f"cmd={engine}", "name=A", "--engine",
                   f"cmd={engine}", "name=B", "--each", f"nodes={nodes}", "--games", str(games), output, str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        yield path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", nargs="?", default=find_engine())
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    tally, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        files = arguments.files or list(play(arguments.engine, pathlib.Path(folder), arguments.games))
        for path in files:
            for number, (kind, result, judge) in enumerate(records(path), 1):
                try:
                    end = judge()
                    if end and end[0] not in (None, result):
                        raise AssertionError(f"{end[0]} by {end[1]}, recorded as {result}")
                    tally[kind, end[1] if end else "legal moves only"] += 1
                except AssertionError as why:
                    wrong += 1
                    print(f"{path.name}, game {number}: {why}")
    for (kind, rule), count in sorted(tally.items()):
        print(f"{kind}: {count} agree, by {rule}")
    kinds = {kind for kind, _ in tally}
    if not arguments.files and kinds != {"chess", "xiangqi", "go"}:
        print(f"only {sorted(kinds)} were judged")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
