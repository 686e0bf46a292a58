#!/usr/bin/env python3
"""Records of xiangqi in every form are read alike by cchess (PyPI) and by `sanqi analyze`: XQF of four versions, plain
and masked, which this script writes; PGN in Chinese notation, in UTF-8 and GB18030; the text of DhtmlXQ."""

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


def pgn(texts):
    numbered = [f"{i // 2 + 1}. {t}" if i % 2 == 0 else t for i, t in enumerate(texts)]
    return ('[Game "Chinese Chess"]\n[Event "对局"]\n[Red "甲方"]\n[Black "乙方"]\n[Result "*"]\n[Format "Chinese"]\n\n'
            + "\n".join(numbered) + "\n*\n")


def dhtmlxq(moves):
    points = "".join(f"{ord(m[0]) - 97}{9 - int(m[1])}{ord(m[2]) - 97}{9 - int(m[3])}" for m in moves)
    return (f"[DhtmlXQ]\n[DhtmlXQ_title]一局[/DhtmlXQ_title]\n[DhtmlXQ_binit][/DhtmlXQ_binit]\n"
            f"[DhtmlXQ_movelist]{points}[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n")


def read_back(path, folder):
    """The moves that the engine finds in a file."""
    out = os.path.join(folder, "out.pgn")
    done = subprocess.run([ENGINE, "analyze", path, "--nodes", "1", "--out", out], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, (path, done.stderr)
    with open(out, encoding="utf-8") as file:
        text = re.sub(r"\([^()]*\)|\{[^}]*\}|\[.*\]", " ", file.read())
    return [m.lower().replace("-", "") for m in re.findall(r"[A-I]\d-[A-I]\d", text)]


def main():
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game")
        for game in range(40):
            moves, texts = random_game(rng, 4 + game)
            version = [10, 11, 12, 18][game % 4]
            with open(path + ".xqf", "wb") as file:
                file.write(xqf(moves, version, rng))
            theirs = [m.to_iccs() for m in cchess.Game.read_from(path + ".xqf").move_line_to_list()]
            assert theirs == moves, (version, theirs, moves)
            assert read_back(path + ".xqf", folder) == moves, version
            with open(path + ".pgn", "wb") as file:
                file.write(pgn(texts).encode(["utf-8", "gb18030", "utf-8-sig", "utf-16"][game % 4]))
            assert read_back(path + ".pgn", folder) == moves, texts
            with open(path + ".txt", "wb") as file:
                file.write(dhtmlxq(moves).encode(["utf-8", "gb18030"][game % 2]))
            assert read_back(path + ".txt", folder) == moves
    return 0


if __name__ == "__main__":
    sys.exit(main())
