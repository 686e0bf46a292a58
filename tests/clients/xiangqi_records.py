#!/usr/bin/env python3
"""Forty records of xiangqi in every form are read alike by cchess (PyPI) and by `sanqi analyze`: XQF of four versions,
plain and masked, CBR and libraries of them (CBL), with remarks and variations, all of which this script writes; PGN in
Chinese notation and ICCS, in UTF-8, UTF-16 and GB18030; the text of DhtmlXQ. A broken one is named with line and
reason, and the others are read."""

import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import cchess
except ImportError:
    print("skipped: no cchess")
    sys.exit(77)

ENGINE = os.path.abspath(sys.argv[1])
MASK = b"[(C) Copyright Mr. Dong Shiwei.]"
# Points of the pieces of the usual start, file and rank from Red's left: Red's, then Black's.
HOMES = [(x, 0) for x in range(9)] + [(1, 2), (7, 2)] + [(x, 3) for x in range(0, 9, 2)]
HOMES += [(x, 9 - y) for x, y in HOMES]


def random_game(rng, plies):
    """Moves in coordinates, and as Chinese write them."""
    board, moves, texts = cchess.ChessBoard(cchess.FULL_INIT_FEN), [], []
    for _ in range(plies):
        legal = [m for m in board.create_moves() if not board.is_checked_move(*m)]
        if not legal:
            break
        move = board.move(*rng.choice(legal))
        moves.append(move.to_iccs())
        texts.append(move.to_text())
        board.next_turn()
    return moves, texts


def square(key):
    return (key * key * 54 + 221) & 0xFF


def xqf(moves, version, rng):
    """A file as its versions mask it; every third move has a remark."""
    head = bytearray(1024)
    head[0:3] = b"XQ" + bytes([version])
    piece = from_key = to_key = remark_key = 0
    stream = bytes(32)
    if version >= 11:
        mask = head[3] = rng.randrange(256)
        head[8:12] = bytes(rng.randrange(256) for _ in range(4))
        xy, xyf, xyt = (rng.randrange(1, 256) for _ in range(3))
        head[13:16] = bytes([xy, xyf, xyt])
        head[12] = -sum([xy, xyf, xyt]) & 0xFF
        piece = square(xy) * xy & 0xFF
        from_key = square(xyf) * piece & 0xFF
        to_key = square(xyt) * from_key & 0xFF
        remark_key = (head[12] * 256 + xy) % 32000 + 767
        stream = bytes(c & ((head[12 + i % 4] & mask) | head[8 + i % 4]) for i, c in enumerate(MASK))
    for i, (x, y) in enumerate(HOMES):
        at = i if version < 12 else (i - piece - 1) % 32
        head[16 + at] = (10 * x + y + piece) & 0xFF
    head[51] = 1
    tail = bytearray()
    nodes = [(0, 0, "")] + [(int(f"{ord(m[0]) - 97}{m[1]}"), int(f"{ord(m[2]) - 97}{m[3]}"), "好" if i % 3 == 0 else "")
                            for i, m in enumerate(moves)]
    for i, (start, end, remark) in enumerate(nodes):
        goes_on, remark = i + 1 < len(nodes), remark.encode("gb18030")
        length = (len(remark) + remark_key).to_bytes(4, "little")
        first = [(0x18 + start + from_key) & 0xFF, (0x20 + end + to_key) & 0xFF]
        if version < 11:
            tail += bytes([*first, 0xF0 if goes_on else 0, 0]) + length + remark
        else:
            tag = (0x80 if goes_on else 0) | (0x20 if remark else 0)
            tail += bytes([*first, tag, 0]) + (length + remark if remark else b"")
    return bytes(head) + bytes((b + stream[i % 32]) & 0xFF for i, b in enumerate(tail))


def cbr(moves, rng, title="一局"):
    """A record of 象棋桥; every fourth move has a remark, every fifth an alternative."""
    head = bytearray(2214)
    head[:16] = b"CCBridge Record\0"
    for at, text in [(180, title), (692, "杯赛"), (1076, "甲方"), (1300, "乙方")]:
        head[at:at + 2 * len(text)] = text.encode("utf-16-le")
    head[2076] = rng.choice([0, 1, 2, 3])
    head[2112] = head[2116] = 1
    for i, (x, y) in enumerate(HOMES):
        kinds = [1, 2, 3, 4, 5, 4, 3, 2, 1, 6, 6, 7, 7, 7, 7, 7]
        head[2120 + 9 * (9 - y) + x] = (0x10 if i < 16 else 0x20) + kinds[i % 16]
    head[2210:2214] = b"\xff" * 4
    place = lambda point: 9 * (9 - int(point[1])) + ord(point[0]) - 97
    tail, alternatives, board = bytearray(4), [], cchess.ChessBoard(cchess.FULL_INIT_FEN)
    for i, mv in enumerate(moves):
        remark = "好棋" if i % 4 == 0 else ""
        others = [m for m in board.create_moves() if not board.is_checked_move(*m)]
        others = [m for m in (cchess.pos2iccs(*m) for m in others) if m != mv] if i % 5 == 2 else []
        mark = (1 if i + 1 == len(moves) else 0) | (2 if others else 0) | (4 if remark else 0)
        tail += bytes([mark, 0, place(mv[:2]), place(mv[2:])])
        if remark:
            tail += (2 * len(remark)).to_bytes(4, "little") + remark.encode("utf-16-le")
        if others:
            alternatives.append(rng.choice(others))
        board.move_iccs(mv)
        board.next_turn()
    # The alternative that was promised last comes first.
    for mv in reversed(alternatives):
        tail += bytes([1, 0, place(mv[:2]), place(mv[2:])])
    return bytes(head + tail)


def cbl(records):
    """A library with an index of 128 slots, where cchess looks for the first record."""
    file = bytearray(66624 + 128 * 276)
    file[:16] = b"CCBridgeLibrary\0"
    file[60:64] = (128).to_bytes(4, "little")
    for record in records:
        file += record + bytes(-len(record) % 4096)
    return bytes(file)


def pgn(texts, form="Chinese"):
    numbered = [f"{i // 2 + 1}. {t}" if i % 2 == 0 else t for i, t in enumerate(texts)]
    return ('[Game "Chinese Chess"]\n[Event "对局"]\n[Red "甲方"]\n[Black "乙方"]\n[Result "*"]\n'
            + f'[Format "{form}"]\n\n' + "\n".join(numbered) + "\n*\n")


def dhtmlxq(moves):
    points = "".join(f"{ord(m[0]) - 97}{9 - int(m[1])}{ord(m[2]) - 97}{9 - int(m[3])}" for m in moves)
    return (f"[DhtmlXQ]\n[DhtmlXQ_title]一局[/DhtmlXQ_title]\n[DhtmlXQ_binit][/DhtmlXQ_binit]\n"
            f"[DhtmlXQ_movelist]{points}[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n")


def read_back(path, folder, code=0):
    """The moves that the engine finds in each game of a file, and what it complains of."""
    out = os.path.join(folder, "out.pgn")
    done = subprocess.run([ENGINE, "analyze", path, "--nodes", "1", "--out", out], capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, (path, done.stderr)
    with open(out, encoding="utf-8") as file:
        text = file.read()
    games = re.split(r"^\[Game ", text, flags=re.M)[1:]
    games = [re.sub(r"\([^()]*\)|\{[^}]*\}|\[.*\]|^.*\]$", " ", game, flags=re.M) for game in games]
    return [[m.lower().replace("-", "") for m in re.findall(r"[A-I]\d-[A-I]\d", game)] for game in games], done.stderr


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def theirs(game):
    return [m.to_iccs() for m in game.move_line_to_list()]


def check_broken(folder, files):
    """Damaged files beside whole ones: each is named with what is wrong, and the others are read."""
    moves, texts, whole = files
    path = lambda name: os.path.join(folder, name)
    text = pgn(texts)
    lines = text.split("\n")
    lines[8] = "炮九平九"
    bad_board = whole["cbr"][:2120] + b"\x88" + whole["cbr"][2121:]
    bad = [
        (write(path("cut.xqf"), whole["xqf"][:-3]), "the file ends in a move"),
        (write(path("cut.cbr"), whole["cbr"][:2300]), "the file ends in a move"),
        (write(path("bad.cbr"), bad_board), "0x88 on the board is no piece"),
        (write(path("bad.pgn"), "\n".join(lines).encode("gb18030")), 'line 9: game 1: "炮九平九"'),
        (write(path("bad.txt"), dhtmlxq(["a0a9"] + moves).encode()), 'game 1: move 1: "a0a9"'),
        (write(path("bad.cbl"), cbl([whole["cbr"], bad_board, whole["cbr"]])), "game 2: "),
    ]
    good = write(path("good.xqf"), whole["xqf"])
    out = path("out.pgn")
    done = subprocess.run([ENGINE, "analyze", *[name for name, _ in bad], good, "--nodes", "1", "--out", out],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    for name, why in bad:
        assert any(line.startswith(f"sanqi: {name}: ") and why in line for line in done.stderr.splitlines()), \
            (name, why, done.stderr)
    # The two whole records of the library, and the file behind all the broken ones.
    assert "3 games analyzed; 6 could not be read" in done.stderr, done.stderr
    # The same file is good for a book and for openings.
    book = subprocess.run([ENGINE, "makebook", *[write(path(f"g.{kind}"), whole[kind]) for kind in ("xqf", "cbr")],
                           "--out", path("book.dat"), "--min-games", "1"], capture_output=True, text=True, check=False)
    assert book.returncode == 0 and book.stdout, book.stderr


def main():
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game")
        records, lines = [], []
        for game in range(40):
            moves, texts = random_game(rng, 4 + game)
            version = [10, 11, 12, 18][game % 4]
            whole = {"xqf": xqf(moves, version, rng), "cbr": cbr(moves, rng, f"第{game}局")}
            for kind, data in whole.items():
                write(f"{path}.{kind}", data)
                assert theirs(cchess.Game.read_from(f"{path}.{kind}")) == moves, (kind, version)
                assert read_back(f"{path}.{kind}", folder)[0] == [moves], (kind, version)
            encoding = ["utf-8", "gb18030", "utf-8-sig", "utf-16"][game % 4]
            iccs = [f"{m[:2]}-{m[2:]}".upper() for m in moves]
            for form, words in [("Chinese", texts), ("ICCS", iccs)]:
                write(path + ".pgn", pgn(words, form).encode(encoding))
                assert read_back(path + ".pgn", folder)[0] == [moves], (form, encoding, words)
                if encoding == "utf-8":
                    assert theirs(cchess.Game.read_from(path + ".pgn")) == moves, form
            write(path + ".txt", dhtmlxq(moves).encode(["utf-8", "gb18030"][game % 2]))
            assert read_back(path + ".txt", folder)[0] == [moves]
            records.append(whole["cbr"])
            lines.append(moves)
            if game == 30:
                check_broken(folder, (moves, texts, whole))
        write(path + ".cbl", cbl(records))
        library = cchess.Game.read_from_lib(path + ".cbl")["games"]
        assert [theirs(game) for game in library] == lines
        assert read_back(path + ".cbl", folder)[0] == lines
    return 0


if __name__ == "__main__":
    sys.exit(main())
