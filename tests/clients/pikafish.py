#!/usr/bin/env python3
"""pikafish-terminal (PyPI) drives the engine in place of Pikafish: games by depth and by time, its check of legal moves by
`go perft 1`, hints, evaluations, and the ends of games. Nothing is downloaded."""

import os
import random
import sys

try:
    from pikafish_terminal.board import XiangqiBoard
    from pikafish_terminal.config import get_config
    from pikafish_terminal.difficulty import create_custom_difficulty
    from pikafish_terminal.engine import PikafishEngine
except ImportError:
    print("skipped: pikafish-terminal (pip install pikafish-terminal)")
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
PLIES = 40


def play(rng, **limit):
    difficulty = limit.pop("difficulty", None)
    engine = PikafishEngine(path=ENGINE, difficulty=difficulty, **limit)
    engine.new_game()
    board, moves = XiangqiBoard(), []
    for ply in range(PLIES):
        over, why = engine.is_game_over(START, moves)
        if over:
            assert engine.best_move(START, moves) == "(none)", (moves, why)
            break
        move = engine.best_move(START, moves)
        # Now and then the person at the terminal asks for hints, and plays one that is not the best.
        if ply % 5 == 4:
            hints = engine.get_candidate_moves(START, moves, max_moves=3)
            assert 0 < len(hints) <= 3, (moves, hints)
            assert all(engine.is_move_legal(START, moves, mv) for mv, _ in hints), (moves, hints)
            assert abs(engine.get_position_evaluation(START, moves)) <= 10_000
            move = rng.choice(hints)[0]
        assert engine.is_move_legal(START, moves, move), (moves, move)
        board.push_move(move)
        moves.append(move)
    assert len(moves) == PLIES or over, moves
    assert not engine.is_move_legal(START, moves, "e0e9")
    # Mate in one is found, and behind it the game is over.
    mate = "3k5/R8/9/9/9/9/9/9/8R/4K4 w - - 0 1"
    move = engine.best_move(mate, [])
    assert engine.is_game_over(mate, [move])[0], move
    assert engine.best_move(mate, [move]) == "(none)"
    engine.quit()


def main():
    rng = random.Random(5)
    settings = get_config()._config
    settings["hints"]["time_limit_ms"] = settings["scoring"]["time_limit_ms"] = 50
    play(rng, depth=4)
    play(rng, difficulty=create_custom_difficulty(6, 100))
    return 0


if __name__ == "__main__":
    sys.exit(main())
