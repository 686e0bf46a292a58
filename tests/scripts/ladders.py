#!/usr/bin/env python3
"""Long ladders on 19x19: does the engine read them right, whichever side it has?

    tests/scripts/ladders.py ENGINE [VISITS [OPTION=VALUE ...]]

Twenty ladders of 9 to 14 steps to the edge, each once as it is and once with a stone of the runner in its way; in the first
case that stone stands aside. Two steps are made already, so that five stones are at stake. The engine has each side of each,
by searches of VISITS visits, 400 if none are named:

    chase    the ladder works; the other side runs all the way: is the chain captured?
    run      the ladder is broken; the other side chases: does the chain get out?
    give up  the ladder works: does the engine leave the chain in atari, at the latest after one run?
    let go   the ladder is broken: does the engine stop giving atari, at the latest after one?
"""

import random
import sys

from gtp import Engine

SIZE, LADDERS, SEED, MADE = 19, 20, 7, 4
LETTERS = "ABCDEFGHJKLMNOPQRST"
COLORS = ("black", "white")


def vertex(point):
    return f"{LETTERS[point[0]]}{point[1] + 1}"


def point_of(name):
    """The point of a vertex; `None` of pass and resign."""
    name = name.upper()
    return None if name in ("PASS", "RESIGN") else (LETTERS.index(name[0]), int(name[1:]) - 1)


class Board:
    """Stones, without ko: no line of a ladder here has one."""

    def __init__(self, stones=()):
        self.stones = dict(stones)

    def around(self, point):
        x, y = point
        near = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [(a, b) for a, b in near if 0 <= a < SIZE and 0 <= b < SIZE]

    def liberties(self, point):
        """Those of the chain at the point."""
        chain, found, todo = {point}, set(), [point]
        while todo:
            for n in self.around(todo.pop()):
                if n not in self.stones:
                    found.add(n)
                elif self.stones[n] == self.stones[point] and n not in chain:
                    chain.add(n)
                    todo.append(n)
        self.chain = chain
        return found

    def after(self, point, color):
        """The board after a move; `None` if it is suicide."""
        board = Board(self.stones)
        board.stones[point] = color
        for n in board.around(point):
            if board.stones.get(n, color) != color and not board.liberties(n):
                for dead in board.chain:
                    del board.stones[dead]
        return board if board.liberties(point) else None

    def counters(self, prey):
        """Where the prey's side takes chains in atari that touch it."""
        self.liberties(prey)
        near = {n for stone in self.chain for n in self.around(stone)}
        enemies = [n for n in near if self.stones.get(n, self.stones[prey]) != self.stones[prey]]
        return {liberty for n in enemies if len(found := self.liberties(n)) == 1 for liberty in found}

    def capture(self, prey):
        """A move that captures the prey by a ladder, its opponent to move; `None` if there is none."""
        if prey not in self.stones:
            return None
        side = self.stones[prey]
        open_points = self.liberties(prey)
        if len(open_points) == 1:
            return next(iter(open_points))
        if len(open_points) > 2:
            return None
        for mv in sorted(open_points):
            board = self.after(mv, 1 - side)
            if board and not board.gets_out(prey):
                return mv
        return None

    def gets_out(self, prey):
        """Whether the prey, in atari and its side to move, escapes a ladder."""
        side = self.stones[prey]
        for mv in self.liberties(prey) | self.counters(prey):
            board = self.after(mv, side)
            if board and len(board.liberties(prey)) > 1 and board.capture(prey) is None:
                return True
        return False


def ladder(rng):
    """A ladder that works and the same one broken, the prey in atari, and where and of what color it is."""
    while True:
        steps = rng.randint(9, 14)
        x, y = SIZE - 2 - steps, rng.randint(SIZE - 5 - steps, SIZE - 2 - steps)
        prey = rng.randint(0, 1)
        frame = {(x, y): prey}
        frame |= {p: 1 - prey for p in ((x - 1, y), (x, y - 1), (x + 1, y - 1), (x, y + 1))}
        far = rng.randint(5, steps)
        on_the_way = (x + far, y + far)
        aside = (rng.randint(3, 6), SIZE - 1 - rng.randint(3, 6))
        flips = rng.randint(0, 1), rng.randint(0, 1), rng.randint(0, 1)
        boards = []
        for extra in (aside, on_the_way):
            # Stones of both sides in corners that the ladder does not cross: as many of each.
            stones = frame | {extra: prey, (2, SIZE - 4): prey, (SIZE - 4, 2): 1 - prey}
            boards.append(Board({turned(p, flips): color for p, color in stones.items()}))
        start = turned((x, y), flips)
        boards = [advanced(board, start) for board in boards]
        if len(boards[0].liberties(start)) == 1 and not boards[0].gets_out(start) and boards[1].gets_out(start):
            return *boards, start, prey


def advanced(board, prey):
    """The ladder some moves on: the prey runs, and is put into atari where it has least room."""
    side = board.stones[prey]
    for _ in range(MADE):
        board = board.after(*board.liberties(prey), side)
        board = board.after(closest(board, prey), 1 - side)
    return board


def closest(board, prey):
    """The atari that leaves a prey of two liberties the least room; `None` if it gets more than two by any."""
    side = board.stones[prey]
    room = []
    for mv in board.liberties(prey):
        if (atari := board.after(mv, 1 - side)) and len(last := atari.liberties(prey)) == 1:
            ran = atari.after(*last, side)
            room.append((len(ran.liberties(prey)) if ran else 0, mv))
    return min(room)[1] if room and min(room)[0] <= 2 else None


def turned(point, flips):
    x, y = point
    x, y = (SIZE - 1 - x if flips[0] else x), (SIZE - 1 - y if flips[1] else y)
    return (y, x) if flips[2] else (x, y)


class Game:
    """A position on the engine's board and on ours."""

    def __init__(self, engine, board, prey):
        self.engine, self.board, self.prey = engine, board, prey
        engine.ask(f"boardsize {SIZE}")
        engine.ask("clear_board")
        for point, color in board.stones.items():
            engine.ask(f"play {COLORS[color]} {vertex(point)}")

    def play(self, point, color):
        self.engine.ask(f"play {COLORS[color]} {vertex(point)}")
        self.board = self.board.after(point, color)

    def think(self, color):
        """The move that the engine plays here."""
        point = point_of(self.engine.ask(f"genmove {COLORS[color]}"))
        if point:
            self.board = self.board.after(point, color)
        return point

    def captured(self):
        return self.prey not in self.board.stones


def chase(game, side):
    """The prey's chain runs and the engine chases."""
    while len(last := game.board.liberties(game.prey)) == 1:
        ran = game.board.after(*last, side)
        if ran is None or len(ran.liberties(game.prey)) < 2:
            return True
        game.play(*last, side)
        game.think(1 - side)
        if game.captured():
            return True
    return False


def run(game, side):
    """The engine runs and the other side chases as long as it can."""
    while True:
        game.think(side)
        if game.captured() or game.board.capture(game.prey) is not None:
            return False
        atari = closest(game.board, game.prey) if len(game.board.liberties(game.prey)) == 2 else None
        if atari is None:
            return True
        game.play(atari, 1 - side)


def give_up(game, side):
    """The engine has the chain in atari; the other side goes on with the ladder."""
    for runs in range(SIZE):
        last = game.board.liberties(game.prey)
        if game.think(side) not in last:
            return runs <= 1
        game.play(closest(game.board, game.prey), 1 - side)
    return False


def let_go(game, side):
    """The chain runs out of the ladder; the engine may give the next atari."""
    ataris = -1
    while len(last := game.board.liberties(game.prey)) == 1:
        game.play(*last, side)
        game.think(1 - side)
        ataris += 1
    return ataris <= 1


TASKS = [("chase", chase, 0), ("run", run, 1), ("give up", give_up, 0), ("let go", let_go, 1)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    visits, options = (sys.argv[2:] or ["400"])[0], sys.argv[3:]
    engine = Engine([sys.argv[1], "gtp"], [f"Max Visits={visits}", *options])
    rng = random.Random(SEED)
    ladders = [ladder(rng) for _ in range(LADDERS)]
    for name, task, broken in TASKS:
        right = [task(Game(engine, boards[broken], prey), side) for *boards, prey, side in ladders]
        wrong = [str(number + 1) for number, is_right in enumerate(right) if not is_right]
        print(f"{name}: {sum(right)} of {LADDERS}" + (f", not {' '.join(wrong)}" if wrong else ""), flush=True)


main()
