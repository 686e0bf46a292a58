#!/usr/bin/env python3
"""The bots of docs/bots drive the engine by the code that their programs drive engines with.

lichess-bot: its file is read as YAML, and python-chess configures the engine and plays as lichess-bot's wrapper does.
pychess.org: pychess-external-engine tries the engine by the script of the docs, and its own classes search positions of chess,
Chess960 and xiangqi, in which pyffish checks every line.

Exit status: 0 when all went well, 1 when not, 77 when a package is missing.

    tests/clients/bots.py ENGINE
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.engine
    import pyffish
    import yaml
    from pychess_external_engine.config import EngineConfig
    from pychess_external_engine.protocol import SearchRequest
    from pychess_external_engine.rules import RulesWorker
    from pychess_external_engine.search import SearchController
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (pip install chess pyyaml pychess-external-engine)")
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
BOTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "bots"
# Variant, whether it is Chess960, where the game begins, moves since.
POSITIONS = [
    ("chess", False, pyffish.start_fen("chess"), []),
    ("chess", False, pyffish.start_fen("chess"), ["e2e4", "c7c5", "g1f3"]),
    ("chess", False, "8/8/8/8/8/5k2/4p3/4K3 b - - 0 1", []),
    ("chess", False, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", []),
    ("chess", True, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1", []),
    ("chess", True, "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 1", []),
    ("xiangqi", False, pyffish.start_fen("xiangqi"), []),
    ("xiangqi", False, pyffish.start_fen("xiangqi"), ["h3e3", "h10g8", "h1g3"]),
    ("xiangqi", False, "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", []),
    ("xiangqi", False, "2bakab2/9/9/9/9/9/R8/9/9/3K5 w - - 0 1", []),
]


def lichess_bot():
    """What lichess-bot reads, sets and plays with."""
    with open(BOTS / "lichess-bot.yml", encoding="utf-8") as file:
        config = yaml.safe_load(file)
    assert isinstance(config["token"], str) and config["url"].startswith("https://"), config
    engine = config["engine"]
    assert engine["protocol"] == "uci" and os.path.basename(ENGINE).startswith(engine["name"]), engine
    assert set(config["challenge"]["variants"]) == {"standard", "fromPosition", "chess960"}, config["challenge"]
    managed = [name for name in engine["uci_options"] if chess.engine.Option(name, "", None, None, None, None).is_managed()]
    assert not managed, f"lichess-bot leaves these to python-chess: {managed}"
    with chess.engine.SimpleEngine.popen_uci(ENGINE) as player:
        # An option that the engine does not have is an error here.
        player.configure(engine["uci_options"])
        for board in [chess.Board(), chess.Board.from_chess960_pos(1)]:
            for _ in range(4):
                limit = chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.1, black_inc=0.1)
                played = player.play(board, limit, info=chess.engine.INFO_ALL, ponder=engine["ponder"])
                assert played.move in board.legal_moves and "score" in played.info, board.fen()
                board.push(played.move)
    print(f"lichess-bot: {len(engine['uci_options'])} options set, 8 moves played")


def check_engine():
    """The script of the docs, up to the connection."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ENGINE, os.path.join(folder, "sanqi"))
        path = f"{folder}:{os.environ['PATH']}"
        script = BOTS / "pychess-external-engine.sh"
        # The program looks the engine up by itself, so it is given as the script gives it.
        result = subprocess.run([script, "--check-engine"], cwd=folder, env=dict(os.environ, PATH=path), timeout=60,
                              check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert set(found["variants"]) == {"chess", "xiangqi"} and found["chess960"], found
    assert found["maxThreads"] == 2 and found["maxHash"] == 512, found
    print(f"pychess-external-engine: {found}")


def request(number, position):
    variant, chess960, initial, moves = position
    return SearchRequest.parse({
        "protocolVersion": 1, "sessionId": f"session-{number:08}", "searchId": f"search-{number:08}",
        "variant": variant + "960" * chess960, "engineVariant": variant, "chess960": chess960,
        "initialFen": initial, "moves": moves, "currentFen": pyffish.get_fen(variant, initial, moves, chess960),
        "multiPv": 3, "search": {"nodes": 20000},
    })


async def searches():
    """Three lines of each position; all of every line is legal, and the search ends by itself."""
    controller = SearchController(EngineConfig((ENGINE,), max_threads=1), RulesWorker)
    await controller.initialize()
    lines = 0
    try:
        for number, position in enumerate(POSITIONS):
            asked = request(number, position)
            variant, chess960, initial, moves = position
            await controller.begin(asked)
            events = [event async for event in controller.events(asked)]
            end = events[-1]
            legal = pyffish.legal_moves(variant, initial, moves, chess960)
            assert end["type"] == "completed" and end["reason"] == "limit" and end["bestmove"] in legal, (position, end)
            result = [event for event in events if event["type"] == "evaluation"][-1]["pvs"]
            assert len(result) == min(3, len(legal)), (position, result)
            for line in result:
                # Raises an error where a move is illegal.
                pyffish.get_fen(variant, initial, moves + line["moves"], chess960)
                lines += 1
    finally:
        await controller.close()
    print(f"pychess-external-engine: {len(POSITIONS)} positions, {lines} lines")


def main():
    lichess_bot()
    check_engine()
    asyncio.run(searches())
    return 0


if __name__ == "__main__":
    sys.exit(main())
