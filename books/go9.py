#!/usr/bin/env python3
"""Makes openings of Go on 9x9 for a komi: four random moves on the five lines in the middle, kept where neither side is
ahead. Each has the result that is to be expected, Black's share of the points in percent, as the name of its opening.

    books/go9.py ./sanqi KOMI COUNT SEED > books/go9-KOMI.sgf
"""

import json
import random
import subprocess
import sys

COLUMNS = "ABCDEFGHJ"
# Visits of a search, and how far from one half Black's winrate may be after it.
SIEVES = [(100, 0.15), (400, 0.1), (1600, 0.06)]


def likeness(moves):
    """The same for openings that are turned or mirrored, or transposed within a color."""
    forms = []
    for turn in range(8):
        points = []
        for x, y in moves:
            x, y = (8 - x, y) if turn & 1 else (x, y)
            x, y = (x, 8 - y) if turn & 2 else (x, y)
            points.append((y, x) if turn & 4 else (x, y))
        forms.append((sorted(points[0::2]), sorted(points[1::2])))
    return str(min(forms))


class Engine:
    def __init__(self, path, komi):
        self.komi = komi
        self.process = subprocess.Popen([path, "analysis", "--hash", "64"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def black(self, moves, visits):
        """Black's winrate."""
        played = [["BW"[i % 2], f"{COLUMNS[x]}{y + 1}"] for i, (x, y) in enumerate(moves)]
        query = {"id": "x", "rules": "chinese", "komi": self.komi, "boardXSize": 9, "boardYSize": 9, "moves": played,
                 "maxVisits": visits}
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()
        root = json.loads(self.process.stdout.readline())["rootInfo"]
        return root["winrate"] if root.get("currentPlayer", "B") == "B" else 1 - root["winrate"]

    def quit(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    path, komi, count, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    middle = [(x, y) for x in range(2, 7) for y in range(2, 7)]
    engine, seen, kept = Engine(path, komi), set(), 0
    while kept < count:
        moves = rng.sample(middle, 4)
        form = likeness(moves)
        if form in seen:
            continue
        seen.add(form)
        if all(abs((black := engine.black(moves, visits)) - 0.5) <= most for visits, most in SIEVES):
            line = "".join(f";{'BW'[i % 2]}[{chr(97 + x)}{chr(97 + 8 - y)}]" for i, (x, y) in enumerate(moves))
            print(f"(;FF[4]GM[1]SZ[9]KM[{komi:g}]RU[Chinese]ON[B {black:.0%}]{line})", flush=True)
            kept += 1
    print(f"{len(seen)} tried", file=sys.stderr)
    engine.quit()


if __name__ == "__main__":
    main()
