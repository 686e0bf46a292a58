#!/usr/bin/env python3
"""cchess (PyPI) plays the engine against itself by its engine driver, in UCCI and in UCI: every move is legal by its
board, a limit is kept, and a position that is no good is answered without a move."""

import os
import sys
import time

try:
    import cchess
    from cchess.engine import UcciEngine, UciEngine
except ImportError:
    print("skipped: cchess (pip install cchess)")
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
# Plies of a game, and how long an answer may take on a busy machine.
PLIES = 16
PATIENCE = 60
FACING = "4k4/9/9/9/9/9/9/9/9/4K4 w"


def answer(engine):
    """What ends a search: the move, or what the driver makes of its lack."""
    end = time.time() + PATIENCE
    while time.time() < end:
        action = engine.get_action()
        if action is None:
            time.sleep(0.005)
        elif action["action"] in ("bestmove", "dead", "draw"):
            return action
    raise AssertionError("no answer")


def play(make, limits):
    engine = make()
    assert engine.load(ENGINE) and engine.wait_for_ready()
    for name, value in [("usemillisec", "true"), ("Threads", 1), ("Hash", 16)]:
        engine.set_option(name, value)
    board, moves = cchess.ChessBoard(cchess.FULL_INIT_FEN), []
    for ply in range(PLIES):
        # Its driver sends `stop` whatever the engine does.
        engine.stop_thinking()
        started = time.time()
        engine.go_from(board.to_fen(), limits)
        action = answer(engine)
        if action["action"] == "dead":
            legal = [m for m in board.create_moves() if not board.is_checked_move(*m)]
            assert "resign" in action["raw_msg"] or not legal, (board.to_fen(), action)
            break
        assert "movetime" not in limits or time.time() - started < 20, (limits, time.time() - started)
        move = board.move_iccs(action["move"])
        assert move is not None, (board.to_fen(), action)
        moves.append(action["move"])
        assert "score" in action or "mate" in action or ply == 0, action
        board.next_turn()
    assert len(moves) >= PLIES or len(moves) > 10, moves
    engine.go_from(FACING, limits)
    assert answer(engine)["action"] == "dead"
    engine.go_from(cchess.FULL_INIT_FEN, limits)
    assert answer(engine)["action"] == "bestmove"
    engine.quit()
    assert engine.process.wait(PATIENCE) in (0, -15)


def main():
    for make in (UcciEngine, UciEngine):
        for limits in ({"depth": 5}, {"nodes": 2000}, {"movetime": 30}):
            play(make, limits)
    return 0


if __name__ == "__main__":
    sys.exit(main())
