#!/usr/bin/env python3
"""Reads the PGN or SGF of a match with other people's libraries and compares it with the match's journal: chess by
python-chess, xiangqi by pyffish, Go by sgfmill. Same moves, legal ones, same results, and an end that the rules know.

usage: read_records.py JOURNAL.jsonl GAMES.pgn|GAMES.sgf
Exits with 77 when a library is missing."""

import collections
import json
import re
import sys

try:
    import chess
    import chess.pgn
    import pyffish
    from sgfmill import boards, sgf
except ImportError as error:
    print("not installed:", error.name)
    sys.exit(77)

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def games_of(journal):
    """The finished games in the order in which they ended: that of the record, too."""
    with open(journal, encoding="utf-8") as file:
        entries = [json.loads(line) for line in file]
    return [entry["game"] for entry in entries if "game" in entry]


def result_of(game):
    return {"first": "1-0", "second": "0-1", None: "1/2-1/2"}[game["ending"]["winner"]]


def same(record, journal, what, game):
    assert record == journal, f"game {game['number'] + 1}: {what}: {record} is not {journal}"


def compare_tags(tags, game, first, second):
    same(tags[first], game["names"][0], first, game)
    same(tags[second], game["names"][1], second, game)
    same(tags["Result"], result_of(game), "result", game)
    same(int(tags["PlyCount"]), len(game["plies"]), "plies", game)


def chess_ends(board, reason):
    """Whether the position is an end for this reason, or for none if the reason is not one of the rules."""
    known = {
        "checkmate": board.is_checkmate(),
        "stalemate": board.is_stalemate(),
        "dead-position": board.is_insufficient_material(),
        "repetition": board.is_repetition(3),
        "no-progress": board.halfmove_clock >= 100,
    }
    return known[reason] if reason in known else not (board.is_game_over() or board.is_repetition(3))


def read_chess(path, games):
    with open(path, encoding="utf-8") as file:
        for game in games:
            record = chess.pgn.read_game(file)
            assert record is not None, "the record has fewer games than the journal"
            assert not record.errors, record.errors
            compare_tags(record.headers, game, "White", "Black")
            board = record.board()
            assert board.chess960 == (game["kind"] == "chess960")
            for move, ply in zip(record.mainline_moves(), game["plies"], strict=True):
                same(move, board.parse_uci(ply["mv"]), "move", game)
                board.push(move)
            assert chess_ends(board, game["ending"]["reason"]), (game["ending"], board)
        assert chess.pgn.read_game(file) is None, "the record has more games than the journal"


def xiangqi_ends(fen, moves, reason):
    none_left = not pyffish.legal_moves("xiangqi", fen, moves)
    check = pyffish.gives_check("xiangqi", fen, moves)
    if reason == "repetition":
        places = [" ".join(pyffish.get_fen("xiangqi", fen, moves[:n]).split()[:2]) for n in range(len(moves) + 1)]
        return collections.Counter(places)[places[-1]] >= 3
    if reason in ("checkmate", "stalemate"):
        return none_left and check == (reason == "checkmate")
    return not none_left


def read_xiangqi(path, games):
    with open(path, encoding="utf-8") as file:
        records = file.read().split('[Game "Chinese Chess"]')[1:]
    assert len(records) == len(games), (len(records), len(games))
    for record, game in zip(records, games):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', record, re.M))
        assert tags["Variant"] == "xiangqi"
        compare_tags(tags, game, "Red", "Black")
        text = re.sub(r"\{[^}]*\}", "", record.rsplit("]\n\n", 1)[1])
        moves = re.findall(r"\b([A-I])(\d)-([A-I])(\d)\b", text)
        played = []
        for (a, b, c, d), ply in zip(moves, game["plies"], strict=True):
            same(f"{a}{b}{c}{d}".lower(), ply["mv"], "move", game)
            # pyffish counts ranks from 1.
            move = f"{a.lower()}{int(b) + 1}{c.lower()}{int(d) + 1}"
            assert move in pyffish.legal_moves("xiangqi", tags["FEN"], played), (move, played)
            played.append(move)
        same(text.split()[-1], tags["Result"], "result after the moves", game)
        assert xiangqi_ends(tags["FEN"], played, game["ending"]["reason"]), game["ending"]


def read_go(path, games):
    with open(path, "rb") as file:
        trees = re.split(rb"(?<=\))\n(?=\(;)", file.read())
    assert len(trees) == len(games), (len(trees), len(games))
    for tree, game in zip(trees, games):
        record = sgf.Sgf_game.from_bytes(tree)
        same(record.get_size(), game["go"]["size"], "size", game)
        same(record.get_komi(), game["go"]["komi"], "komi", game)
        same([record.get_player_name(c) for c in "bw"], game["names"], "players", game)
        same(record.get_winner(), {"first": "b", "second": "w", None: None}[game["ending"]["winner"]], "winner", game)
        board = boards.Board(record.get_size())
        moves = [node.get_move() for node in record.get_main_sequence()]
        moves = [(color, point) for color, point in moves if color]
        for i, ((color, point), ply) in enumerate(zip(moves, game["plies"], strict=True)):
            same(color, "bw"[i % 2], "color", game)
            text = f"{COLUMNS[point[1]]}{point[0] + 1}" if point else "pass"
            same(text, ply["mv"], "move", game)
            if point:
                board.play(point[0], point[1], color)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    journal, path = sys.argv[1:]
    games = games_of(journal)
    assert games, "no games"
    {"chess": read_chess, "chess960": read_chess, "xiangqi": read_xiangqi, "go": read_go}[games[0]["kind"]](path, games)
    count = collections.Counter(map(result_of, games))
    print(f"{len(games)} games: same moves, same results ({count['1-0']} 1-0, {count['1/2-1/2']} drawn, {count['0-1']} 0-1)")


if __name__ == "__main__":
    main()
