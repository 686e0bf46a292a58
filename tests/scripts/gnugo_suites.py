#!/usr/bin/env python3
"""GNU Go's own suites, of which its source package holds the positions: how many the engine answers as they are marked.

    tests/scripts/gnugo_suites.py ENGINE FOLDER [VISITS [OPTION=VALUE ...]]

FOLDER is `regression` of the source (gnugo_3.8.orig.tar.gz). A question for a move is answered by the first move of a
search of VISITS visits, 400 if none are named. A question whether stones live or die is answered by whose their point is
when the side that the question lets move has searched: the whole board, so that it may play elsewhere. Questions about
connections, and those whose answer begins with no digit, are left out. Those that GNU Go itself fails are asked.
"""

import pathlib
import re
import sys

from gtp import Engine

SUITES = ["owl", "semeai", "endgame"]
LETTERS = "ABCDEFGHJKLMNOPQRST"


def search(engine, color, allowed=()):
    """The move to play and the owners of the points, 1 the mover's and -1 the opponent's, from the upper left on."""
    limits = f" allow {color} {','.join(allowed)} 1" if allowed else ""
    reply = engine.ask(f"kata-search_analyze {color} 100000 ownership true{limits}")
    owners = re.findall(r"\bownership ((?:-?[\d.]+ ?)+)", reply)
    play = re.search(r"^play (\S+)", reply, re.M)
    return play and play[1].upper(), [float(x) for x in owners[-1].split()] if owners else []


def color_at(engine, vertex):
    stones = {color: engine.ask(f"list_stones {color}").upper().split() for color in ("black", "white")}
    return next((color for color in stones if vertex in stones[color]), None)


def other(color):
    return "white" if color == "black" else "black"


def lives(engine, mover, vertex, size):
    """Whether the stone belongs to its own side after a search of `mover`."""
    owner = color_at(engine, vertex)
    column, row = LETTERS.index(vertex[0]), int(vertex[1:])
    owners = search(engine, mover)[1]
    value = owners[(size - row) * size + column]
    return (value > 0) == (owner == mover)


def is_right(engine, question, answer, size):
    """Whether a question is answered as marked; `None`: it is none for a search of the whole board."""
    word, *blanks = question.split()
    blanks = [blank.upper() for blank in blanks]
    wanted = re.fullmatch(r"\[(.*)\]", answer)
    if not wanted or not blanks:
        return None
    if word in ("reg_genmove", "restricted_genmove"):
        move = search(engine, blanks[0].lower(), blanks[1:])[0]
        negated = wanted[1].startswith("!")
        return (re.fullmatch(wanted[1].lstrip("!").upper(), move or "") is not None) != negated
    code = re.match(r"\d", wanted[1])
    if not code or color_at(engine, blanks[0]) is None:
        return None
    owner, succeeds = color_at(engine, blanks[0]), code[0] != "0"
    if word == "owl_attack":
        return lives(engine, other(owner), blanks[0], size) != succeeds
    # Of a capturing race the first side is asked about, which moves.
    if word in ("owl_defend", "analyze_semeai"):
        return lives(engine, owner, blanks[0], size) == succeeds
    return None


def run(engine, folder, name):
    right = asked = 0
    size, load, question = 19, None, None
    for line in (folder / f"{name}.tst").read_text(encoding="latin-1").splitlines():
        if line.startswith("loadsgf "):
            words = line.split()
            load = " ".join(["loadsgf", str(folder / words[1]), *words[2:3]])
            record = (folder / words[1]).read_text(encoding="latin-1")
            size = int((re.search(r"SZ\[(\d+)\]", record) or ["", "19"])[1])
        elif found := re.match(r"\d+ (.+)", line):
            question = found[1]
        elif (found := re.match(r"#\? (\[.*\])", line)) and question and load:
            try:
                engine.ask(load)
            except ValueError as why:
                print(f"left out: {why}", file=sys.stderr)
                load = None
                continue
            verdict = is_right(engine, question, found[1], size)
            question = None
            if verdict is not None:
                asked, right = asked + 1, right + verdict
    return right, asked


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    visits, options = (sys.argv[3:] or ["400"])[0], sys.argv[4:]
    engine = Engine([sys.argv[1], "gtp"], [f"Max Visits={visits}", *options])
    for name in SUITES:
        right, asked = run(engine, pathlib.Path(sys.argv[2]), name)
        print(f"{name}: {right} of {asked}", flush=True)


main()
