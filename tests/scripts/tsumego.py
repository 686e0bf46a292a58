#!/usr/bin/env python3
"""Problems of life and death in Go, of our own making: made and proved by exhaustive search, and asked of an engine.

    tests/scripts/tsumego.py make [SEED] >tests/data/go_tsumego.sgf
    tests/scripts/tsumego.py check [FILE]
    tests/scripts/tsumego.py solve ENGINE [--visits N] [--evaluator net|hybrid|playouts|auto] [--file FILE]

A problem is a board of which play can change only a part. The rest are walls: chains with two one-point eyes or more of their
own, and these eyes. Walls live whatever is played, and their eyes are no moves for the opponent. `check` finds the walls again
from the stones alone. Positions are random; a problem is one in which exactly one first move works, and what the solution
does makes its kind. The file has every first move of the part and the pass, with what comes of it.

**Proofs.** One side wants to capture the target, and all points of the part are searched for both sides. When it passes, the
target stays; the other side may pass at any time. Suicide is illegal, as by Chinese rules. A stone that takes a ko may not be
taken back at once; who may not take back can pass instead, and that pass does not end the game. There are no threats outside.
A move whose result depends on longer repetition has the value 0, and no problem has such a first move: 1 and -1 each stand on
a finite tree that ends with the target captured, connected to a wall, alive by Benson's criterion, or left where it is.

The goal `seki`: the target stays, but by a second search no play of its side makes it alive by Benson's criterion.

The komi is such that the fight decides the game. Where both sides have walls at the part, a third search proves it: with
passes, and area counted after two, the first move that works wins and all others lose. Where one side has walls there, the
target is the fight, and the komi is halfway between the two results.

Not covered: problems with several solutions, results that are ko, moves that only positional superko forbids, open boards.
"""

import argparse
import pathlib
import random
import re
import sys
import time

from gtp import Engine

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "go_tsumego.sgf"
COLORS = ("black", "white")
LETTERS = "ABCDEFGHJ"
LIMIT = 8000  # nodes of a proof, when problems are made
sys.setrecursionlimit(20000)


class TooLarge(Exception):
    """A proof has more nodes than allowed."""


def vertex(point):
    return f"{LETTERS[point[0]]}{point[1] + 1}"


def around(size, point):
    x, y = point
    return [(a, b) for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= a < size and 0 <= b < size]


def flood(size, start, inside):
    """The points connected with `start` among those `inside`."""
    found, todo = {start}, [start]
    while todo:
        new = [n for n in around(size, todo.pop()) if n in inside and n not in found]
        found.update(new)
        todo += new
    return found


def chains(size, stones):
    left = dict(stones)
    while left:
        start, color = next(iter(left.items()))
        chain = flood(size, start, {p for p, c in left.items() if c == color})
        for p in chain:
            del left[p]
        yield color, chain


class Fight:
    """The part of a board that play can change, as sets of bits, one side's and the other's; walls only by what they touch."""

    def __init__(self, size, stones):
        self.size, self.board = size, stones
        self.walls = walls = {}
        for color, chain in chains(size, stones):
            near = {n for p in chain for n in around(size, p)} - set(stones)
            eyes = {p for p in near if chain.issuperset(around(size, p))}
            if len(eyes) > 1:
                walls.update({p: color for p in chain | eyes})
        self.part = part = [(x, y) for y in range(size) for x in range(size) if (x, y) not in walls]
        if not part:
            return
        left, low = min(x for x, _ in part), min(y for _, y in part)
        self.step = max(x for x, _ in part) - left + 2
        self.bit = {(x, y): 1 << ((y - low) * self.step + x - left) for x, y in part}
        self.all = sum(self.bit.values())
        self.near = {bit: sum(self.bit.get(n, 0) for n in around(size, p)) for p, bit in self.bit.items()}
        beside = {p: {walls.get(n) for n in around(size, p)} for p in part}
        self.touch = [sum(bit for p, bit in self.bit.items() if c in beside[p]) for c in (0, 1)]
        self.open_to_both = all(self.touch)
        self.stones = [sum(bit for p, bit in self.bit.items() if stones.get(p) == c) for c in (0, 1)]

    def spread(self, bits):
        return bits << 1 | bits >> 1 | bits << self.step | bits >> self.step

    def chain(self, bits, own):
        step = self.step
        while True:
            more = (bits | bits << 1 | bits >> 1 | bits << step | bits >> step) & own
            if more == bits:
                return bits
            bits = more

    def put(self, bit, color, stones):
        """The stones after a move, what it captures, and the point of a ko; `None` if it is suicide."""
        own, other = stones[color] | bit, stones[1 - color]
        empty = self.all & ~(own | other)
        taken, near = 0, self.near[bit] & other
        while near:
            chain = self.chain(near & -near, other)
            near &= ~chain
            if not self.spread(chain) & empty and not chain & self.touch[1 - color]:
                taken |= chain
        ko = 0
        if not self.near[bit] & empty and not bit & self.touch[color]:
            chain = self.chain(bit, own)
            if not taken and not self.spread(chain) & empty and not chain & self.touch[color]:
                return None
            if chain == bit and taken & (taken - 1) == 0:
                ko = taken
        other &= ~taken
        return ((own, other) if color == 0 else (other, own)), taken, ko

    def pieces(self, bits):
        """The connected parts of a set."""
        found = []
        while bits:
            found.append(self.chain(bits & -bits, bits))
            bits &= ~found[-1]
        return found

    def safe(self, color, stones):
        """The chains that are connected to a wall or live by Benson's criterion, and the rooms that they alone enclose."""
        own, other = stones[color], stones[1 - color]
        groups = self.pieces(own)
        rooms = [room for room in self.pieces(self.all & ~own) if not room & self.touch[1 - color]]
        loose = [g for g in groups if not g & self.touch[color]]
        while dead := [g for g in loose if sum(not room & ~other & ~self.spread(g) for room in rooms) < 2]:
            groups, loose = [g for g in groups if g not in dead], [g for g in loose if g not in dead]
            rooms = [room for room in rooms if not any(self.spread(room) & g for g in dead)]
        return groups, rooms

    def lives(self, target, color, stones):
        return self.chain(target, stones[color]) & self.touch[color] or any(g & target for g in self.safe(color, stones)[0])

    def sure(self, color, stones):
        """The points that belong to `color` whatever is played: its safe chains and rooms too narrow for two eyes in them."""
        groups, rooms = self.safe(color, stones)
        points = sum(groups)
        near = self.spread(points) | self.touch[color]
        for room in rooms:
            inner = room & ~near
            if inner.bit_count() < 2 or inner.bit_count() == 2 and self.spread(inner & -inner) & inner:
                points |= room
        return points

    def lead(self, color, stones):
        """How many points of the board more `color` has than the other side once both have passed."""
        points = [s.bit_count() + sum(c == wall for wall in self.walls.values()) for c, s in enumerate(stones)]
        for room in self.pieces(self.all & ~(stones[0] | stones[1])):
            near = [bool(room & self.touch[c] or self.spread(room) & stones[c]) for c in (0, 1)]
            if near[0] != near[1]:
                points[near[1]] += room.bit_count()
        return points[color] - points[1 - color]


class Proof:
    """What follows when `hunter` tries to reach the goal: `capture` of a target of the other color, or `alive` for its own."""

    def __init__(self, fight, hunter, target, goal, limit):
        self.fight, self.hunter, self.target, self.goal = fight, hunter, target, goal
        self.table, self.replies, self.left, self.skip = {}, {}, limit, 0
        place = next(p for p, bit in fight.bit.items() if bit == target)
        far = lambda item: abs(item[0][0] - place[0]) + abs(item[0][1] - place[1])
        self.order = [bit for _, bit in sorted(fight.bit.items(), key=far)]

    def end(self, stones, color):
        """The value where the target is gone or alive, else 0; `color` moves."""
        owner = self.hunter if self.goal == "alive" else 1 - self.hunter
        good = 1 if self.goal == "alive" else -1
        if not stones[owner] & self.target:
            return -good
        return good if color != owner and self.fight.lives(self.target, owner, stones) else 0

    def value(self, stones, ko, color, last=0, passed=False):
        """1: the hunter reaches the goal, -1: it does not, 0: that depends on repetition."""
        key = (*stones, ko, color, passed)
        if key in self.table:
            return self.table[key]
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        self.table[key] = 0
        best = self.end(stones, color)
        if not best:
            hunts = color == self.hunter
            wanted = 1 if hunts else -1
            best, reply = -wanted, self.replies.get((color, last))
            tried = stones[0] | stones[1] | ko | self.skip
            for bit in [reply, *self.order, 0] if reply else [*self.order, 0]:
                if bit & tried:
                    continue
                tried |= bit
                if bit:
                    after = self.fight.put(bit, color, stones)
                    found = self.value(after[0], after[2], 1 - color, bit) if after else -wanted
                else:
                    found = self.passing(stones, ko, color, passed)
                if found == wanted:
                    best = wanted
                    self.replies[color, last] = bit
                    break
                best = max(best, found) if hunts else min(best, found)
        self.table[key] = best
        return best

    def passing(self, stones, ko, color, _):
        """The value of a pass: of the hunter it ends the game, unless it only waits until it may take a ko."""
        return -1 if color == self.hunter and not ko else self.value(stones, 0, 1 - color)


class Count(Proof):
    """Whether `hunter` wins by area: leads by more than `komi`."""

    def __init__(self, fight, hunter, target, komi, limit):
        super().__init__(fight, hunter, target, "area", limit)
        self.komi, self.most = komi, fight.all.bit_count()
        self.base = sum(1 if color == hunter else -1 for color in fight.walls.values())

    def end(self, stones, _):
        sure = [self.fight.sure(c, stones) for c in (self.hunter, 1 - self.hunter)]
        self.skip = sure[0] | sure[1]
        mine, theirs = (points.bit_count() for points in sure)
        if self.base + 2 * mine - self.most > self.komi:
            return 1
        return -1 if self.base + self.most - 2 * theirs < self.komi else 0

    def passing(self, stones, ko, color, passed):
        if passed:
            return 1 if self.fight.lead(self.hunter, stones) > self.komi else -1
        return self.value(stones, 0, 1 - color, 0, not ko)


class Problem:
    """A fight, who moves, the target, and the goal of the mover: `capture`, `live` or `seki`."""

    def __init__(self, fight, side, target, goal, kind="", komi=0):
        self.fight, self.side, self.target, self.goal, self.kind, self.komi = fight, side, target, goal, kind, komi
        self.answers, self.words = {}, {}

    def proof(self, limit=10**9):
        hunter = self.side if self.goal == "capture" else 1 - self.side
        return Proof(self.fight, hunter, self.fight.bit[self.target], "capture", limit)

    def outcomes(self, proof, enough=99):
        """Of every first move whether it works, 1 or -1, `None` being a pass; stops after `enough` that work."""
        fight, found = self.fight, {}
        sign = 1 if self.goal == "capture" else -1
        found[None] = -1 if sign == 1 else -proof.value(fight.stones, 0, 1 - self.side)
        for point, bit in fight.bit.items():
            if point not in fight.board and (after := fight.put(bit, self.side, fight.stones)):
                found[point] = sign * proof.value(after[0], after[2], 1 - self.side, bit)
            if sum(v != -1 for v in found.values()) >= enough:
                break
        return found

    def decides(self, komi, limit=10**9):
        """Whether just the first moves that work win the game by area."""
        fight = self.fight
        count = Count(fight, self.side, fight.bit[self.target], komi, limit)
        for point, works in self.answers.items():
            after = fight.put(fight.bit[point], self.side, fight.stones) if point else (fight.stones, 0, 0)
            if count.value(after[0], after[2], 1 - self.side, fight.bit.get(point, 0), not point) != works:
                return False
        return True

    def never_alive(self, limit=10**9):
        """Whether no first move makes the mover's target alive by Benson's criterion."""
        fight = self.fight
        return Proof(fight, self.side, fight.bit[self.target], "alive", limit).value(fight.stones, 0, self.side) == -1

    def pattern(self):
        """The fight and its edges, the same for the eight symmetries, both colors and either side to move."""
        fight, size = self.fight, self.fight.size
        shown = {p: 2 for p in fight.part} | {p: color for p, color in fight.board.items() if p in fight.bit}
        shown |= {n: fight.walls[n] + 3 for p in fight.part for n in around(size, p) if n in fight.walls}
        found = []
        for turn in range(16):
            turned = {}
            for (x, y), what in shown.items():
                x, y = (size - 1 - x if turn & 1 else x), (size - 1 - y if turn & 2 else y)
                turned[(y, x) if turn & 4 else (x, y)] = (1, 0, 2, 4, 3)[what] if turn & 8 else what
            left, low = min(x for x, _ in turned), min(y for _, y in turned)
            found.append(tuple(sorted((x - left, y - low, what) for (x, y), what in turned.items())))
        return min(found)


def walled(rng, size, part, owner):
    """Stones around the part, of the color that `owner` names, with eyes wherever the chains stay whole."""
    walls = {(x, y): owner((x, y)) for x in range(size) for y in range(size) if (x, y) not in part}
    for point in rng.sample(sorted(walls), len(walls)):
        color, near = walls[point], around(size, point)
        if any(walls.get(n) != color for n in near):
            continue
        rest = {p for p, c in walls.items() if c == color and p != point}
        if len(flood(size, near[0], rest)) == len(flood(size, near[0], rest | {point})) - 1:
            del walls[point]
    return walls


def eye_space(rng, inside=(0.12, 0.22, 0.66), least=6, most=9):
    """A group around a few points, with flaws, inside the other side's walls."""
    size = rng.choice((6, 7, 7))
    points = [(x, y) for x in range(size) for y in range(size)]
    start = rng.choice([(0, 0), (0, 0), (rng.randrange(2, 4), 0), (3, 3)])
    room = {start}
    wanted = rng.randint(least, most)
    while len(room) < wanted:
        room.add(rng.choice([n for p in sorted(room) for n in around(size, p)]))
    ring = {(x, y) for x, y in points if any(max(abs(x - a), abs(y - b)) == 1 for a, b in room)} - room
    sides = {p for p in ring if any(n in room for n in around(size, p))}
    ring = {p for p in ring if p in sides or rng.random() < 0.8}
    stones = {}
    for p in sorted(room | ring):
        chances = (0.93, 0.03, 0.04) if p in sides else (0.85, 0, 0.15) if p in ring else inside
        color = rng.choices((0, 1, None), chances)[0]
        if color is not None:
            stones[p] = color
    return size, walled(rng, size, room | ring, lambda _: 1) | stones, room | ring


def between(rng, width, height, paint):
    """A rectangle between the walls of both sides, its stones as `paint` has them: by whose wall a point is nearer to."""
    size = rng.choice((7, 8, 9))
    left, low = rng.choice((0, 1, 2, size - width)), rng.choice((0, 0, 1, 2))
    part = {(x, y) for x in range(left, left + width) for y in range(low, low + height)}
    tilt, shift = rng.choice(((1, 0), (0, 1), (1, 1), (1, -1), (2, 1))), rng.uniform(-1, 1)
    middle = tilt[0] * (left + (width - 1) / 2) + tilt[1] * (low + (height - 1) / 2) + shift
    first = rng.randrange(2)
    owner = lambda p: first ^ (tilt[0] * p[0] + tilt[1] * p[1] > middle)
    stones = {p: color for p in sorted(part) if (color := paint(p, owner(p))) is not None}
    return size, walled(rng, size, part, owner) | stones, part


def race(rng):
    """Chains that are each surrounded by the other side, next to each other."""
    empty, strange = rng.uniform(0.2, 0.45), rng.uniform(0, 0.15)
    paint = lambda _, owner: rng.choices((None, owner, 1 - owner), (empty, strange, 1 - empty - strange))[0]
    return between(rng, *rng.choice(((3, 4), (4, 4), (5, 3), (3, 5))), paint)


def grown(rng, size, start, count, inside):
    """A connected set of up to `count` points of `inside`."""
    found = {start}
    while len(found) < count and (more := [n for p in sorted(found) for n in around(size, p) if n in inside - found]):
        found.add(rng.choice(more))
    return found


def full(rng):
    """A group around one chain and few empty points."""
    size, board, part = eye_space(rng, (0.12, 0, 0.88), 5, 8)
    room = {p for p in part if p not in board}
    start = rng.choice(sorted(room) or [(0, 0)])
    left = rng.choice((2, 3, 3, 4))
    for p in grown(rng, size, start, len(room) - left, room):
        board[p] = 1
    return size, board, part


def runner(rng):
    """One to three stones near the other side's stones, on the way to their own wall."""
    owners = {}
    size, board, part = between(rng, *rng.choice(((3, 4), (4, 4), (4, 3))), owners.__setitem__)
    color = rng.randrange(2)
    start = rng.choice([p for p in sorted(part) if owners[p] != color] or sorted(part))
    chain = grown(rng, size, start, rng.choice((1, 2, 2, 3)), part)
    for p in sorted(part - chain):
        if rng.random() < (0.12 if owners[p] == color else 0.5):
            board[p] = rng.choices((color, 1 - color), (0.2, 0.8))[0]
    return size, board | {p: color for p in chain}, part


def throw_in(rng):
    """Among stones of both colors a chain that is cut off but for one point, with an open point beside it."""
    paint = lambda _, owner: rng.choices((None, owner, 1 - owner), (0.27, 0.33, 0.4))[0]
    size, board, part = between(rng, *rng.choice(((4, 4), (5, 4), (5, 3), (3, 5))), paint)
    inner = rng.choice(sorted(part))
    outer = rng.choice([p for p in around(size, inner) if p in part] or [inner])
    start = rng.choice(around(size, inner))
    color = rng.randrange(2)
    chain = grown(rng, size, start, rng.randint(2, 5), part - {inner, outer})
    for q in chain | {inner, outer}:
        for p in set(around(size, q)) & part - chain - {inner, outer}:
            board[p] = color if q == inner else 1 - color
    for p in chain:
        board[p] = color
    for p in (inner, outer):
        board.pop(p, None)
    return size, board, part


def liberties(fight, point, stones):
    """Of the chain at a point, on a board of bits: its stones and its liberties."""
    own = next(s for s in stones if s & fight.bit[point])
    chain = fight.chain(fight.bit[point], own)
    return chain, fight.spread(chain) & fight.all & ~(stones[0] | stones[1])


def kind_of(problem, answer, proof):
    """What the solution does; `None`: nothing that has a name here."""
    fight, side, bit = problem.fight, problem.side, problem.fight.bit[answer]
    stones, taken, ko = fight.put(bit, side, fight.stones)
    target, open_points = liberties(fight, problem.target, fight.stones)
    hunts = problem.goal == "capture"
    won = 1 if hunts else -1
    for reply in fight.bit.values():
        if reply & (stones[0] | stones[1] | ko):
            continue
        then = fight.put(reply, 1 - side, stones)
        if not then or not then[1]:
            continue
        again = fight.put(bit, side, then[0]) if then[1] & bit and bit != then[2] else None
        if hunts and again and target & again[1] and target & (target - 1) and not taken:
            return "snapback"
        if not then[1] & (then[1] - 1):
            continue
        answers = 0
        for back in fight.bit.values():
            if not back & (then[0][0] | then[0][1] | then[2]) and (after := fight.put(back, side, then[0])):
                if proof.value(after[0], after[2], 1 - side, back) == won:
                    answers |= back
        if answers and not answers & ~then[1]:
            return "under"
    rivals = [chain for color, chain in chains(fight.size, fight.board) if color != fight.board[problem.target]]
    rivals = [c for c in rivals if c.isdisjoint(fight.walls) and fight.spread(target) & sum(fight.bit[p] for p in c)]

    def captured(chain, hunter, then, ko):
        return Proof(fight, hunter, fight.bit[min(chain)], "capture", LIMIT).value(then, ko, 1 - side)

    if not hunts and rivals and problem.never_alive(LIMIT):
        return "seki" if -1 in [captured(chain, side, stones, ko) for chain in rivals] else None
    large = [chain for chain in rivals if hunts and len(chain) > 2 and target.bit_count() > 2]
    if any(captured(chain, 1 - side, fight.stones, 0) == 1 for chain in large):
        return "semeai"
    if fight.open_to_both:
        loose = hunts and target.bit_count() < 4 and not bit & open_points and open_points & (open_points - 1)
        return "net" if loose and not taken else None
    return "corner" if (0, 0) in fight.bit and max(answer) < 2 else "life"


def problems_in(size, stones, part):
    """The problems of a position, of which each has one solution."""
    if any(stones.keys() >= {n for p in chain for n in around(size, p)} for _, chain in chains(size, stones)):
        return
    fight = Fight(size, stones)
    if not set(fight.part) <= part or not 3 <= len(set(fight.part) - stones.keys()) <= 11:
        return
    limit = LIMIT // 5 if fight.open_to_both else LIMIT
    groups = [(color, chain) for color, chain in chains(size, stones) if chain.isdisjoint(fight.walls)]
    for color, chain in sorted(groups, key=lambda group: -len(group[1])):
        if not fight.open_to_both and 3 * len(chain) < sum(len(group) for _, group in groups):
            continue
        for side in (0, 1):
            problem = Problem(fight, side, min(chain), "live" if side == color else "capture")
            try:
                proof = problem.proof(limit)
                if proof.value(fight.stones, 0, 1 - side) != (-1 if problem.goal == "capture" else 1):
                    continue
                found = problem.outcomes(proof, 2)
                works = [p for p, v in found.items() if v != -1]
                if len(works) != 1 or found[works[0]] != 1 or works[0] is None or len(found) < 4:
                    continue
                problem.answers, problem.nodes = found, limit - proof.left
                problem.kind = kind_of(problem, works[0], proof)
                if problem.kind is None:
                    continue
                if problem.kind == "seki":
                    problem.goal = "seki"
                middle = (area(problem, True) + area(problem, False)) // 2 + 0.5
                near = (middle, middle + 4, middle - 4) if problem.fight.open_to_both else (middle,)
                problem.komi = next((k for k in near if len(near) == 1 or problem.decides(k, LIMIT)), None)
            except TooLarge:
                continue
            if problem.komi is not None:
                yield problem


def area(problem, works):
    """Roughly the mover's points less the opponent's after the fight, where its goal was reached or not."""
    fight = problem.fight
    owner = fight.board[problem.target]
    stays = works == (problem.goal != "capture")
    gainer = owner if stays else 1 - owner
    points = [sum(c == color for c in fight.walls.values()) for color in (0, 1)]
    for point, bit in fight.bit.items():
        color = fight.board.get(point, gainer)
        if problem.goal == "seki" and works:
            points[color] += point in fight.board
        elif color == gainer or fight.chain(bit, fight.stones[color]) & fight.touch[color]:
            points[color] += 1
        else:
            points[gainer] += 1
    return points[problem.side] - points[1 - problem.side]


def said(problem, value):
    captured = (value == 1) == (problem.goal == "capture")
    return "captured" if captured else "seki" if problem.goal == "seki" else "stays"


def sgf(problem, number, swap):
    """A line of the file, with every first move and what comes of it."""
    size, board = problem.fight.size, problem.fight.board
    name = lambda p: chr(97 + p[0]) + chr(97 + size - 1 - p[1]) if p else ""
    color = lambda c: "BW"[c ^ swap]
    stones = ["".join(f"[{name(p)}]" for p in sorted(board) if board[p] ^ swap == c) for c in (0, 1)]
    mover = color(problem.side)
    komi = problem.komi if mover == "B" else -problem.komi
    moves = sorted(problem.answers.items(), key=lambda item: (-item[1], item[0] or ()))
    lines = "".join(f"(;{mover}[{name(p)}]{'TE' if v == 1 else 'BM'}[1]C[{said(problem, v)}])" for p, v in moves)
    return (
        f"(;GM[1]FF[4]SZ[{size}]RU[Chinese]KM[{komi}]GN[{problem.kind} {number}]C[{problem.goal}]PL[{mover}]"
        f"TR[{name(problem.target)}]AB{stones[0]}AW{stones[1]}{lines})"
    )


def read(path):
    """The problems of a file."""
    for line in pathlib.Path(path).read_text().splitlines():
        root, *tried = line.split("(;")[1:]
        got = {key: re.findall(r"\[([^\]]*)\]", values) for key, values in re.findall(r"([A-Z]+)((?:\[[^\]]*\])+)", root)}
        size = int(got["SZ"][0])
        point = lambda text: (ord(text[0]) - 97, size - 1 - ord(text[1]) + 97) if text else None
        board = {point(text): color for color in (0, 1) for text in got["A" + "BW"[color]]}
        side, target = "BW".index(got["PL"][0]), point(got["TR"][0])
        komi = float(got["KM"][0]) * (1 if side == 0 else -1)
        problem = Problem(Fight(size, board), side, target, got["C"][0], got["GN"][0], komi)
        for text in tried:
            place, mark, word = re.match(r"[BW]\[(\w*)\](TE|BM)\[1\]C\[(\w+)\]", text).groups()
            problem.answers[point(place)] = 1 if mark == "TE" else -1
            problem.words[point(place)] = word
        yield problem


# Of each kind who makes positions for it, how many problems are wanted, how many nodes and first moves they have at least.
MAKERS = {
    "life": (eye_space, 35, 500, 7),
    "corner": (eye_space, 32, 400, 7),
    "semeai": (race, 30, 20, 4),
    "seki": (full, 28, 20, 4),
    "net": (runner, 25, 20, 5),
    "snapback": (throw_in, 25, 0, 4),
    "under": (full, 25, 0, 4),
}


def make(seed):
    rng, found, patterns = random.Random(seed), {kind: [] for kind in MAKERS}, set()
    while lacking := {kind: MAKERS[kind][1] - len(made) for kind, made in found.items() if len(made) < MAKERS[kind][1]}:
        maker = MAKERS[rng.choices(list(lacking), lacking.values())[0]][0]
        for problem in problems_in(*maker(rng)):
            _, _, nodes, moves = MAKERS[problem.kind]
            hard = problem.nodes >= nodes and len(problem.answers) >= moves
            if problem.kind in lacking and hard and (pattern := problem.pattern()) not in patterns:
                patterns.add(pattern)
                found[problem.kind].append(problem)
                print({kind: len(made) for kind, made in found.items()}, file=sys.stderr)
    for number, problem in enumerate((problem for made in found.values() for problem in made), 1):
        print(sgf(problem, number, rng.randrange(2)))


def check(path):
    """Proves the file again; the lines of what is wrong."""
    patterns, wrong = set(), []
    for problem in read(path):
        found = problem.outcomes(problem.proof())
        tests = {
            "the outcomes of first moves differ": found != problem.answers,
            "words differ": problem.words != {point: said(problem, value) for point, value in problem.answers.items()},
            "not exactly one first move works": [v for v in found.values() if v != -1] != [1],
            "it is not seki": problem.goal == "seki" and not problem.never_alive(),
            "the fight does not decide the game": problem.fight.open_to_both and not problem.decides(problem.komi),
            "a problem before it is the same": problem.pattern() in patterns,
        }
        patterns.add(problem.pattern())
        wrong += [f"{problem.kind}: {fault}" for fault, there in tests.items() if there]
    return wrong, len(patterns)


def set_up(engine, problem):
    """Puts a problem on the engine's board."""
    fight = problem.fight
    engine.ask(f"boardsize {fight.size}")
    engine.ask(f"komi {problem.komi if problem.side == 0 else -problem.komi}")
    engine.ask("set_position " + " ".join(f"{COLORS[color]} {vertex(p)}" for p, color in fight.board.items()))
    return fight


def solve(path, command, visits, evaluator):
    engine = Engine([command, "gtp"])
    engine.ask(f"kata-set-param maxVisits {visits}")
    engine.ask(f"kata-set-param evaluator {evaluator}")
    solved, failed = {}, []
    for problem in read(path):
        set_up(engine, problem)
        move = engine.ask(f"genmove {COLORS[problem.side]}").upper()
        right = vertex(next(p for p, value in problem.answers.items() if value == 1))
        kind, number = problem.kind.split()
        one = solved.setdefault(kind, [0, 0])
        one[0] += move == right
        one[1] += 1
        if move != right:
            failed.append(f"{number} {move} for {right}")
    solved["all"] = [sum(column) for column in zip(*solved.values())]
    for kind, (right, asked) in solved.items():
        print(f"{kind}: {right} of {asked}")
    print("not: " + ", ".join(failed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("make").add_argument("seed", type=int, nargs="?", default=1)
    commands.add_parser("check").add_argument("file", nargs="?", default=DATA)
    asks = commands.add_parser("solve")
    asks.add_argument("engine")
    asks.add_argument("--visits", type=int, default=400)
    asks.add_argument("--evaluator", choices=("net", "hybrid", "playouts", "auto"), default="auto")
    asks.add_argument("--file", default=DATA)
    given = parser.parse_args()
    if given.command == "make":
        make(given.seed)
    elif given.command == "solve":
        solve(given.file, given.engine, given.visits, given.evaluator)
    else:
        start = time.monotonic()
        wrong, count = check(given.file)
        print("\n".join(wrong + [f"{count} problems, {len(wrong)} faults, {time.monotonic() - start:.0f} s"]))
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
