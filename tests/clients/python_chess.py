#!/usr/bin/env python3
"""Plays the engine through python-chess: games against Stockfish, analysis, stop, pondering.

Exit status: 0 when all went well, 1 when not, 77 when python-chess or Stockfish is missing.

    tests/clients/python_chess.py [ENGINE] [--games N] [--tables N]

ENGINE is the engine's binary, by default $SANQI, or the newest one under target/.
"""

import argparse
import asyncio
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

try:
    import chess
    import chess.engine
except ImportError:
    print("skipped: python-chess is not installed (pip install chess)")
    sys.exit(77)

# What a move may take beyond its time before it would have lost a real game.
GRACE = 0.5


def find_engine():
    """The engine to test, or None."""
    if "SANQI" in os.environ:
        return os.environ["SANQI"]
    root = pathlib.Path(__file__).resolve().parents[2]
    built = [root / "sanqi", *(root / "target" / p / "sanqi" for p in ("release", "quick", "debug"))]
    built = [path for path in built if path.exists()]
    return str(max(built, key=lambda path: path.stat().st_mtime)) if built else None


def find_stockfish():
    """Debian keeps games in a folder that is not on every PATH."""
    return shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")


def require(condition, message):
    if not condition:
        raise AssertionError(message)


async def play_game(engine, opponent, board, white, limit):
    """Plays `board` to its end; returns the result and the engine's longest move in seconds."""
    longest = 0.0
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        ours = (board.turn == chess.WHITE) == white
        began = time.monotonic()
        # python-chess raises EngineError for an illegal move and EngineTerminatedError for a crash.
        played = await (engine if ours else opponent).play(
            board, limit, game=game, info=chess.engine.INFO_ALL if ours else chess.engine.INFO_NONE
        )
        took = time.monotonic() - began
        require(played.move is not None, f"no move in {board.fen()}")
        if ours:
            longest = max(longest, took)
            require(took < limit.time + GRACE, f"{took:.3f} s for a move of {limit.time} s in {board.fen()}")
            require("score" in played.info, f"no score in {board.fen()}")
            pv = played.info.get("pv", [])
            require(pv and pv[0] == played.move, f"{played.move} is not the first move of {pv}")
        board.push(played.move)
    return board.result(claim_draw=True), longest


def opening(chess960, rng):
    """A starting position with four random plies, or one of Chess960."""
    if chess960:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    board = chess.Board()
    for _ in range(4):
        board.push(rng.choice(list(board.legal_moves)))
    return board


async def pair(arguments):
    """An engine and an opponent, started."""
    _, engine = await chess.engine.popen_uci(arguments.engine)
    _, stockfish = await chess.engine.popen_uci(arguments.stockfish)
    await engine.configure({"Hash": 16})
    return engine, stockfish


async def play_series(arguments, table):
    """Plays the games of `arguments`, dealt out to as many tables as there are."""
    limit = chess.engine.Limit(time=0.1)
    results = []
    engine, stockfish = await pair(arguments)
    for number in range(table, arguments.games, arguments.tables):
        chess960 = number % 4 >= 2
        board = opening(chess960, random.Random(number))
        white = number % 2 == 0
        result, slowest = await play_game(engine, stockfish, board, white, limit)
        ours = {"1-0": white, "0-1": not white}.get(result)
        score = "cut off" if result == "*" else {None: "drawn", True: "won", False: "lost"}[ours]
        results.append(("Chess960" if chess960 else "standard", score, slowest))
    await quit_both(engine, stockfish)
    return results


async def games(arguments):
    series = [play_series(arguments, table) for table in range(arguments.tables)]
    results = [row for rows in await asyncio.gather(*series) for row in rows]
    for kind in ("standard", "Chess960"):
        scores = [score for k, score, _ in results if k == kind]
        counts = ", ".join(f"{scores.count(s)} {s}" for s in ("won", "lost", "drawn", "cut off"))
        slowest = max((took for k, _, took in results if k == kind), default=0)
        print(f"{kind}: {len(scores)} games, {counts}; slowest move {slowest * 1000:.0f} ms of 100")


async def quit_both(engine, stockfish):
    began = time.monotonic()
    await asyncio.wait_for(engine.quit(), 5)
    require(time.monotonic() - began < 3, "slow to quit")
    await stockfish.quit()


async def streams_analysis(engine):
    """An endless analysis reports ever deeper lines, in order, until it is stopped."""
    board = chess.Board()
    depths = []
    with await engine.analysis(board, multipv=3) as analysis:
        began = time.monotonic()
        async for info in analysis:
            if info.get("multipv") == 1 and "pv" in info:
                depths.append(info["depth"])
                require(info["pv"][0] in board.legal_moves, "an illegal first move")
            if time.monotonic() - began > 1.0:
                break
        began = time.monotonic()
        analysis.stop()
        best = await analysis.wait()
        took = time.monotonic() - began
    require(best.move in board.legal_moves, "the analysis ended without a move")
    require(depths == sorted(depths) and depths[-1] >= 5, f"depths {depths}")
    require(len(analysis.multipv) == 3, "three lines were asked for")
    print(f"analysis: depth {depths[-1]} after a second, stopped in {took * 1000:.1f} ms")


async def stops(engine):
    """Twenty analyses of random positions, stopped at once or soon."""
    rng = random.Random(1)
    board, slowest = chess.Board(), 0.0
    for _ in range(20):
        with await engine.analysis(board) as analysis:
            await asyncio.sleep(rng.random() * 0.1)
            began = time.monotonic()
            analysis.stop()
            best = await analysis.wait()
            slowest = max(slowest, time.monotonic() - began)
        require(best.move in board.legal_moves, f"no move in {board.fen()}")
        board.push(best.move)
    require(slowest < GRACE, f"stopping took {slowest:.3f} s")
    print(f"stop: 20 analyses, slowest {slowest * 1000:.1f} ms")


async def ponders(engine, stockfish):
    """A game in which the engine ponders: python-chess sends ponderhit or stop as the reply demands."""
    board, game, hits = chess.Board(), object(), 0
    expected = None
    limit = chess.engine.Limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1)
    while not board.is_game_over(claim_draw=True) and board.ply() < 40:
        if board.turn == chess.WHITE:
            played = await asyncio.wait_for(engine.play(board, limit, game=game, ponder=True), 15)
            expected = played.ponder
        else:
            played = await stockfish.play(board, chess.engine.Limit(time=0.05), game=game)
            hits += played.move == expected
        require(played.move in board.legal_moves, f"{played.move} in {board.fen()}")
        board.push(played.move)
    # Ends a search that may still be pondering.
    await asyncio.wait_for(engine.play(board, chess.engine.Limit(depth=1), game=object()), 5)
    print(f"pondering: {board.ply()} plies, {hits} expected moves were played")


def run_the_example(engine):
    """The example of docs/guis finds the mate, twice, and plays a move with a clock."""
    script = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guis" / "python_chess_example.py"
    output = subprocess.run([sys.executable, script, engine], timeout=60, check=True, capture_output=True, text=True).stdout
    lines = output.splitlines()
    require(len(lines) == 4 and "Mate(+1)" in lines[0] and lines[2:] == ["Qxf7#", "Qxf7#"], output)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", nargs="?", default=find_engine())
    parser.add_argument("--games", type=int, default=8, help="half of them Chess960")
    parser.add_argument("--tables", type=int, default=2, help="games at a time")
    arguments = parser.parse_args()
    arguments.stockfish = find_stockfish()
    if arguments.stockfish is None:
        print("skipped: stockfish is not installed (apt-get install stockfish)")
        return 77
    if arguments.engine is None:
        print("failed: no engine is built")
        return 1
    run_the_example(arguments.engine)
    engine, stockfish = await pair(arguments)
    await streams_analysis(engine)
    await stops(engine)
    await ponders(engine, stockfish)
    await quit_both(engine, stockfish)
    await games(arguments)
    print("passed")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except (AssertionError, chess.engine.EngineError, chess.engine.EngineTerminatedError, asyncio.TimeoutError) as e:
        print(f"failed: {type(e).__name__}: {e}")
        sys.exit(1)
