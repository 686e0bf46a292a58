#!/usr/bin/env python3
"""Twenty long ladders on 19×19: whether the engine plays them where they work, and runs from them where they do not.

    tests/clients/ladders.py ENGINE [VISITS [OPTION=VALUE ...]]

Three white stones have two liberties, and a ladder down the whole board catches them; in every second position a white stone
stands in its way. Black is to move, then White after the first atari. Each has the choice between the ladder and a point
on the edge that is worth nothing, so that larger points elsewhere are no answer. Black has to begin where it works, and
only there; White has to run where it does not, and only there. VISITS is 400 if none are named.
"""

import subprocess
import sys

LETTERS = "ABCDEFGHJKLMNOPQRST"
BLACK = [(2, 16), (3, 16), (1, 15), (1, 14), (2, 13)]
WHITE = [(2, 15), (3, 15), (2, 14)]
BREAKER, START, RUN = (11, 6), (4, 15), (3, 14)


def vertex(case, point):
    """The point, from 0, as the case moves and turns it."""
    a, b = point[0] + case % 4, point[1] - case % 4
    if case & 1:
        a, b = b, a
    return LETTERS[18 - a if case & 2 else a] + str(19 - b if case & 4 else b + 1)


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        """The response without its mark; a refusal ends the run."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        text = "".join(iter(self.process.stdout.readline, "\n"))
        if not text.startswith("="):
            sys.exit(f"{line}: {text.strip()}")
        return text[1:].strip()


def plays(engine, color, case, point):
    """Whether the side to move prefers the point to the edge."""
    edge = (18 - case % 4, 12)
    choice = ",".join(vertex(case, at) for at in (point, edge))
    told = engine.ask(f"kata-search_analyze {color} 100000 allow {color} {choice} 1")
    return told.split()[-1] == vertex(case, point)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    visits, options = (sys.argv[2:] or ["400"])[0], sys.argv[3:]
    engine = Engine([sys.argv[1], "gtp"])
    for option in [f"Max Visits={visits}", *options]:
        name, value = option.split("=", 1)
        engine.ask(f"lz-setoption name {name} value {value}")
    right = dict.fromkeys([("Black", "whole"), ("Black", "broken"), ("White", "whole"), ("White", "broken")], 0)
    for case in range(5):
        for state in ("whole", "broken"):
            engine.ask("boardsize 19")
            engine.ask("clear_board")
            whites = WHITE + [BREAKER] * (state == "broken")
            for color, points in (("b", BLACK), ("w", whites)):
                for point in points:
                    engine.ask(f"play {color} {vertex(case, point)}")
            begins = plays(engine, "b", case, START)
            engine.ask(f"play b {vertex(case, START)}")
            runs = plays(engine, "w", case, RUN)
            right["Black", state] += begins == (state == "whole")
            right["White", state] += runs == (state == "broken")
    for (color, state), count in right.items():
        print(f"{color}, {state}: {count} of 5")


main()
