#!/usr/bin/env python3
"""Makes openings of Go on 9x9: four random moves on the five lines in the middle, kept where neither side is ahead.

    books/go9.py ./sanqi COUNT SEED > books/go9.sgf
"""

import json
import random
import subprocess
import sys

COLUMNS = "ABCDEFGHJ"
KOMI, VISITS = 7, 200
# Black's winrate in an opening that is kept.
LEAST, MOST = 0.44, 0.56


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


def main():
    engine, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    middle = [(x, y) for x in range(2, 7) for y in range(2, 7)]
    process = subprocess.Popen([engine, "analysis", "--hash", "16"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    seen, kept = set(), 0
    while kept < count:
        moves = rng.sample(middle, 4)
        form = likeness(moves)
        if form in seen:
            continue
        seen.add(form)
        played = [["BW"[i % 2], f"{COLUMNS[x]}{y + 1}"] for i, (x, y) in enumerate(moves)]
        query = {"id": "x", "rules": "chinese", "komi": KOMI, "boardXSize": 9, "boardYSize": 9, "moves": played,
                 "maxVisits": VISITS}
        process.stdin.write(json.dumps(query) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        root = answer["rootInfo"]
        black = root["winrate"] if root.get("currentPlayer", "B") == "B" else 1 - root["winrate"]
        if LEAST <= black <= MOST:
            points = [f"{chr(97 + x)}{chr(97 + 8 - y)}" for x, y in moves]
            line = "".join(f";{'BW'[i % 2]}[{point}]" for i, point in enumerate(points))
            print(f"(;FF[4]GM[1]SZ[9]KM[{KOMI}]RU[Chinese]{line})", flush=True)
            kept += 1
    process.stdin.close()
    process.wait()


if __name__ == "__main__":
    main()
