#!/usr/bin/env python3
"""Forty files as they are found, chess, xiangqi and Go in many encodings and forms, eight of them broken, go through one
`sanqi analyze` each for chess, xiangqi and Go, several games at a time. The broken ones are named with file and reason;
the annotated games of the others are read back by python-chess, cchess and sgfmill (PyPI): same moves, and for chess the
same clocks."""

import io
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import cchess
    import chess
    import chess.pgn
    from sgfmill import sgf
except ImportError as error:
    print("skipped: no", error.name)
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])


def chess_file(rng, index):
    """A game with clocks, comments of both kinds, variations, glyphs and odd results; how it is encoded."""
    board, texts, moves = chess.Board(), [], []
    for ply in range(6 + index):
        move = rng.choice(list(board.legal_moves))
        if ply % 2 == 0:
            texts.append(f"{ply // 2 + 1}.")
        texts.append(board.san(move))
        others = [m for m in board.legal_moves if m != move]
        if ply % 3 == 0:
            texts.append("{[%clk 0:0" + str(9 - ply % 10) + ":11] [%eval 0.4] Müller}")
        if ply % 4 == 1 and others:
            one, two = (f"{ply // 2 + 1}... {board.san(rng.choice(others))}" for _ in range(2))
            texts.append(f"$2 ({one} ({two} ) {{why}})")
        if ply % 5 == 4:
            texts.append("; to the end of the line )(}\n")
        board.push(move)
        moves.append(move)
        if board.is_game_over():
            break
    tags = '[White "Müller"]\n[Black "B \\"x\\""]\n\n' if index % 3 else ""
    result = ["1-0", "½-½", "1/2-1/2", "*"][index % 4]
    text = tags + " ".join(texts) + " " + result + "\n"
    encoding = ["latin-1", "utf-8", "utf-8-sig", "gb18030"][index % 4]
    if encoding == "gb18030":
        text = text.replace("Müller", "米勒")
    return moves, text.replace("\n", "\r\n" if index % 2 else "\n").encode(encoding)


def xiangqi_file(rng, index):
    """A game in ICCS or as Chinese write it."""
    board, texts, moves = cchess.ChessBoard(cchess.FULL_INIT_FEN), [], []
    for ply in range(6 + index):
        legal = [m for m in board.create_moves() if not board.is_checked_move(*m)]
        if not legal:
            break
        move = board.move(*rng.choice(legal))
        iccs = move.to_iccs()
        moves.append(iccs)
        if ply % 2 == 0:
            texts.append(f"{ply // 2 + 1}.")
        texts.append(f"{iccs[:2]}-{iccs[2:]}".upper() if index % 2 else move.to_text())
        if ply % 4 == 2:
            texts.append("{妙手}")
        board.next_turn()
    form = "ICCS" if index % 2 else "Chinese"
    text = f'[Game "Chinese Chess"]\n[Red "甲方"]\n[Black "乙方"]\n[Format "{form}"]\n\n' + " ".join(texts) + " *\n"
    return moves, text.encode(["utf-8", "gb18030", "utf-16"][index % 3])


def go_file(rng, index):
    """A game with passes, variations and comments; every fourth with handicap, every fourth with other set-up."""
    size = [9, 13, 19, 7][index % 4]
    game = sgf.Sgf_game(size=size)
    root = game.get_root()
    root.set("KM", 6.5)
    root.set("PB", "黑棋")
    free = [(r, c) for r in range(0, size, 2) for c in range(0, size, 2)]
    rng.shuffle(free)
    color = "b"
    if index % 4 == 1:
        root.set("HA", 2)
        root.set_setup_stones([free.pop(), free.pop()], [])
        color = "w"
    elif index % 4 == 3:
        root.set_setup_stones([free.pop(), free.pop()], [free.pop(), free.pop()])
    moves = []
    for ply in range(min(6 + index, len(free))):
        point = None if ply % 7 == 6 else free.pop()
        parent = game.get_last_node()
        node = game.extend_main_sequence()
        node.set_move(color, point)
        if ply % 3 == 0:
            node.set("C", "好 [x] \\ y")
            parent.new_child().set_move(color, free[0])
        moves.append((color, point))
        color = "w" if color == "b" else "b"
    return moves, game.serialise()


# Names, what is in them, and a part of the reason why they are refused.
BROKEN = {
    "chess": [("move.pgn", b"1. e5 *\n", "e5"), ("empty.pgn", b"", "no game is in it"),
              ("fen.pgn", b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *\n', "king")],
    "xiangqi": [("far.pgn", '[Game "Chinese Chess"]\n\n1. 炮九平九 *\n'.encode("gb18030"), "炮九平九"),
                ("cut.xqf", b"XQ\x0a" + bytes(1030), ""), ("noise.cbr", b"CCBridge Record\0" + b"\xff" * 64, "")],
    "go": [("cut.sgf", b"(;GM[1]SZ[9];B[ee];W[", ""), ("twice.sgf", b"(;GM[1]SZ[9];B[ee];W[zz])", "")],
}
# The moves before the fault, which are analyzed.
PARTS = {"cut.sgf": [("b", (4, 4))], "twice.sgf": [("b", (4, 4))]}


def annotate(folder, game, files):
    """Analyzes all files of a game at once; what is written, and what is complained of."""
    out = os.path.join(folder, game + ".out")
    done = subprocess.run([ENGINE, "analyze", *files, "--game", game, "--nodes", "20", "--concurrency", "3", "--out", out],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, (game, done.returncode, done.stderr)
    assert "\x1b" not in done.stderr + done.stdout, "a pipe was given what is for a terminal"
    with open(out, encoding="utf-8") as file:
        return file.read(), done.stdout, done.stderr.splitlines()


def read_chess(text, games):
    lines = io.StringIO(text)
    for moves in games:
        record = chess.pgn.read_game(lines)
        assert record is not None and not record.errors, record and record.errors
        assert list(record.mainline_moves()) == moves, record
        for ply, node in enumerate(record.mainline()):
            assert node.eval() is not None or node.board().is_game_over(), node
            clock = 60 * (9 - ply % 10) + 11 if ply % 3 == 0 else None
            assert node.clock() == clock, (ply, node.comment)
            assert ply % 3 or "Müller" in node.comment or "米勒" in node.comment, node.comment
    assert chess.pgn.read_game(lines) is None


def read_xiangqi(text, games, folder):
    records = ['[Game ' + part for part in re.split(r"^\[Game ", text, flags=re.M)[1:]]
    assert len(records) == len(games)
    for record, moves in zip(records, games):
        # cchess wants a move a line, or two with a number before them, and knows neither glyphs nor variations.
        head, body = record.split("\n\n", 1)
        body = re.sub(r"\{[^}]*\}", "", body)
        body = re.sub(r"\([^()]*\)|\$\d+|\d+\.\.\.", "", body)
        words = re.sub(r"(\d+\.)\s+", r"\1 ", "\n".join(body.split())).replace(".\n", ". ")
        path = os.path.join(folder, "back.pgn")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"{head}\n\n{words}\n")
        found = [m.to_iccs() for m in cchess.Game.read_from(path).move_line_to_list()]
        assert found == moves, (found, moves, record)
        assert len(moves) < 3 or "妙手" in record, record


def read_go(text, games):
    trees = [tree for tree in re.split(r"(?<=\))\n(?=\(;FF)", text) if tree.strip()]
    assert len(trees) == len(games)
    for tree, moves in zip(trees, games):
        record = sgf.Sgf_game.from_bytes(tree.encode())
        # A move off the board stands there as it was.
        nodes = [node for node in record.get_main_sequence() if "zz" not in str(node.get_raw_move())]
        found = [node.get_move() for node in nodes]
        assert [(c, p) for c, p in found if c] == moves, (found, moves)
        assert all(0 <= float(node.get("SBKV")) <= 100 for node in nodes if node.get_move()[0])


def main():
    rng = random.Random(40)
    makers = {"chess": (chess_file, 12), "xiangqi": (xiangqi_file, 10), "go": (go_file, 10)}
    assert sum(n for _, n in makers.values()) + sum(map(len, BROKEN.values())) == 40
    with tempfile.TemporaryDirectory() as folder:
        for game, (make, count) in makers.items():
            entries = []
            for index in range(count):
                moves, data = make(rng, index)
                path = os.path.join(folder, f"{game}{index}." + ("sgf" if game == "go" else "pgn"))
                with open(path, "wb") as file:
                    file.write(data)
                entries.append((path, moves))
            for name, data, _ in BROKEN[game]:
                path = os.path.join(folder, name)
                with open(path, "wb") as file:
                    file.write(data)
                # Among the whole ones, so that the others go on after it.
                entries.insert(len(entries) // 2, (path, PARTS.get(name)))
            files = [path for path, _ in entries]
            games = [moves for _, moves in entries if moves is not None]
            text, remarks, complaints = annotate(folder, game, files)
            for name, _, why in BROKEN[game]:
                named = [line for line in complaints if line.startswith(f"sanqi: {os.path.join(folder, name)}: ")]
                assert named and why in named[0], (name, why, complaints)
            assert f"analyzed: {len(games)}; could not be read: {len(BROKEN[game])}" in complaints[-1], complaints
            # Whatever is analyzed at the same time, games are reported in the order of the files.
            order = [line.split(" game ")[0] for line in remarks.splitlines() if " (scores as " in line]
            assert order == [path for path, moves in entries if moves is not None]
            if game == "chess":
                read_chess(text, games)
            elif game == "xiangqi":
                read_xiangqi(text, games, folder)
            else:
                read_go(text, games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
