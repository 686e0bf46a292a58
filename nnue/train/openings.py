#!/usr/bin/env python3
"""Writes openings of 9x9 for matches of nets: 3 to 6 random moves on the middle 5x5 points.

    openings.py 100 > openings.sgf
"""

from __future__ import annotations

import random
import sys

SEED = 9
POINTS = [column + row for column in "cdefg" for row in "cdefg"]


def opening(rng: random.Random) -> str:
    # Six stones in the middle capture nothing: any order of different points is legal.
    moves = rng.sample(POINTS, rng.randint(3, 6))
    return "(;GM[1]FF[4]SZ[9]" + "".join(f";{'BW'[i % 2]}[{move}]" for i, move in enumerate(moves)) + ")"


def main() -> None:
    rng = random.Random(SEED)
    for _ in range(int(sys.argv[1])):
        print(opening(rng))


if __name__ == "__main__":
    main()
