#!/usr/bin/env python3
"""The problems of `tests/data/go_tsumego.sgf`: proved again, and their moves and walls as the engine's own rules have them.

The proofs are those of `tests/scripts/tsumego.py`. The engine is asked, without a search, which moves are legal and which
stones live unconditionally.
"""

import pathlib
import subprocess
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))

import tsumego  # noqa: E402
from gtp import Engine  # noqa: E402


def main():
    engine = Engine([sys.argv[1], "gtp"])
    for problem in tsumego.read(tsumego.DATA):
        fight = tsumego.set_up(engine, problem)
        answers = {tsumego.vertex(point) for point in problem.answers if point}
        eyes = {tsumego.vertex(p) for p, color in fight.walls.items() if color == problem.side and p not in fight.board}
        legal = set(engine.ask(f"all_legal {tsumego.COLORS[problem.side]}").split())
        assert legal == answers | eyes, f"{problem.kind}: legal moves {legal ^ (answers | eyes)}"
        for point in fight.walls.keys() & fight.board.keys():
            status = engine.ask(f"unconditional_status {tsumego.vertex(point)}")
            assert status == "alive", f"{problem.kind}: {tsumego.vertex(point)} is {status}"
        for name in answers:
            engine.ask(f"play {tsumego.COLORS[problem.side]} {name}")
            engine.ask("undo")
    sys.exit(subprocess.run([sys.executable, SCRIPTS / "tsumego.py", "check"]).returncode)


main()
