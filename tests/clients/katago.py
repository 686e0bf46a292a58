#!/usr/bin/env python3
"""`sanqi katago` in KataGo's place: katagoanal annotates five records of three sizes, and the queries that KaTrain
sends for a game are replayed.

Exit status: 0 when all went well, 1 when not, 77 when katagoanal is missing.

    tests/clients/katago.py ENGINE
"""

import json
import os
import subprocess
import sys
import tempfile

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
VISITS = 30
RECORDS = [
    "(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese];B[ee];W[gc];B[cg];W[ce];B[gg];W[ec])",
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc];B[];W[gg];B[gc])",
    "(;GM[1]FF[4]SZ[9]KM[0.5]HA[2]AB[cg][gc]RU[Chinese];W[ee];B[ge];W[cc])",
    "(;GM[1]FF[4]SZ[13]KM[7.5]RU[AGA];B[dd];W[jj];B[jd];W[dj])",
    "(;GM[1]FF[4]SZ[19]KM[7.5]RU[Chinese];B[pd];W[dp];B[pp])",
]


def annotate(folder):
    """katagoanal's driver and writer on every record; the annotated record has the same moves."""
    try:
        from KataGoAnal.inject import inject_analysis
        from KataGoAnal.katago_driver import KataGoDriver
        from KataGoAnal.sgf_io import Game
    except ImportError:
        print("skipped: katagoanal is not installed (pip install katagoanal)")
        sys.exit(77)
    config = os.path.join(folder, "analysis.cfg")
    with open(config, "w", encoding="utf-8") as file:
        file.write("reportAnalysisWinratesAs = BLACK\nnumAnalysisThreads = 2\nnnCacheSizePowerOfTwo = 20\n")
    with KataGoDriver(ENGINE, config, os.path.join(folder, "no-such-net.bin.gz"), startup_timeout=60) as driver:
        for text in RECORDS:
            game = Game.from_bytes(text.encode())
            turns = driver.analyze_game(game, max_visits=VISITS)
            assert len(turns) == len(game.mainline_moves) + 1
            for turn in turns:
                assert 0 <= turn["winrate"] <= 1 and turn["visits"] >= VISITS, turn
                assert abs(turn["score_lead"]) <= game.size ** 2 + 10, turn
                orders = [info["order"] for info in turn["move_infos"]]
                assert orders == list(range(len(orders))) and orders, turn
            inject_analysis(game, turns, engine_version="sanqi", model_name="own", max_visits=VISITS)
            again = Game.from_bytes(game.serialise())
            assert again.mainline_moves == game.mainline_moves
            assert "%" in again.get_comment(1), again.get_comment(1)
    return len(RECORDS)


def katrain():
    """The shape of KaTrain's queries: a quick look at every node, then more of some, with one taken back."""
    size, moves = 9, [["B", "E5"], ["W", "C3"], ["B", "G7"]]
    base = {
        "rules": "japanese", "analyzeTurns": [3], "komi": 6.5, "boardXSize": size, "boardYSize": size,
        "includeOwnership": True, "includeMovesOwnership": True, "includePolicy": True, "initialStones": [],
        "initialPlayer": "B", "moves": moves,
        "overrideSettings": {"reportAnalysisWinratesAs": "BLACK", "wideRootNoise": 0.04, "maxTime": 8.0},
    }
    queries = [
        {"id": "QUERY:version", "action": "query_version"},
        {**base, "id": "QUERY:1", "maxVisits": 40, "priority": 1000},
        {**base, "id": "QUERY:2", "maxVisits": 10_000_000, "reportDuringSearchEvery": 0.2, "priority": 0},
        {**base, "id": "QUERY:3", "maxVisits": 25, "analyzeTurns": [0, 1, 2], "priorities": [3, 2, 1]},
        {**base, "id": "QUERY:4", "maxVisits": 25, "allowMoves": [{"player": "W", "moves": ["G3", "C7"], "untilDepth": 1}]},
    ]
    command = [ENGINE, "analysis", "-model", "model.bin.gz", "-config", "missing.cfg", "-analysis-threads", "2",
               "-override-config", "homeDataDir=/tmp"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in child.stderr:
        if "ready to begin handling requests" in line:
            break
    for query in queries:
        child.stdin.write(json.dumps(query) + "\n")
    child.stdin.flush()
    final, during, warnings = {}, [], set()
    while len(final) < 6:
        answer = json.loads(child.stdout.readline())
        assert "error" not in answer, answer
        if "warning" in answer:
            warnings.add(answer["warning"])
        elif answer.get("action") == "query_version":
            assert answer["version"] and answer["git_hash"], answer
        elif answer.get("action") == "terminate":
            pass
        elif answer["isDuringSearch"]:
            if not during:
                child.stdin.write(json.dumps({"id": "QUERY:5", "action": "terminate", "terminateId": "QUERY:2"}) + "\n")
                child.stdin.flush()
            during.append(answer["id"])
        else:
            final[answer["id"], answer["turnNumber"]] = answer
    child.stdin.close()
    assert child.wait(timeout=30) == 0
    assert set(during) == {"QUERY:2"}, during
    assert warnings == {"Known, but without effect in this search: wideRootNoise"}, warnings
    for answer in final.values():
        assert len(answer["policy"]) == size * size + 1 and abs(sum(p for p in answer["policy"] if p > 0) - 1) < 1e-6
        assert len(answer["ownership"]) == size * size and all(-1 <= own <= 1 for own in answer["ownership"])
        for info in answer["moveInfos"]:
            assert len(info["ownership"]) == size * size and info["pv"][0] == info["move"], info
    assert {info["move"] for info in final["QUERY:4", 3]["moveInfos"]} <= {"G3", "C7"}
    assert final["QUERY:1", 3]["policy"][4 * size + 4] == -1, "a stone is there"
    return len(final)


def main():
    with tempfile.TemporaryDirectory() as folder:
        print(f"katagoanal: {annotate(folder)} records annotated")
    print(f"KaTrain: {katrain()} positions answered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
