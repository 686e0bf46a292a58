#!/usr/bin/env python3
"""Forty records of xiangqi in every form are read alike by cchess (PyPI) and by the engine: XQF of four versions, plain
and masked, CBR and libraries of them (CBL), with remarks and variations, all of which this script writes; PGN in Chinese
notation of every kind, WXF and ICCS, in UTF-8, UTF-16 and GB18030; the text of DhtmlXQ. Half of the games are the
engine's own. Broken records are named with their place and reason, and the others are read, by every command that reads
moves."""

import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import cchess
except ImportError:
    print("skipped: cchess (pip install cchess)")
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
# Games of each kind.
GAMES = 40
MASK = b"[(C) Copyright Mr. Dong Shiwei.]"
# Points of the pieces of the usual start, file and rank from Red's left: Red's, then Black's.
HOMES = [(x, 0) for x in range(9)] + [(1, 2), (7, 2)] + [(x, 3) for x in range(0, 9, 2)]
HOMES += [(x, 9 - y) for x, y in HOMES]


def random_game(rng, plies):
    """Moves in coordinates. Soldiers move often, so that some come to stand behind each other."""
    board, moves = cchess.ChessBoard(cchess.FULL_INIT_FEN), []
    for _ in range(plies):
        legal = [m for m in board.create_moves() if not board.is_checked_move(*m)]
        if not legal:
            break
        soldiers = [m for m in legal if board.get_fench(m[0]) in "Pp"]
        move = board.move(*rng.choice(soldiers if soldiers and rng.random() < 0.5 else legal))
        moves.append(move.to_iccs())
        board.next_turn()
    return moves


def own_games(folder, count):
    """The engine plays itself, from openings of its own."""
    out = os.path.join(folder, "own.pgn")
    openings = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../books/xiangqi.pgn")
    player = [f"cmd={ENGINE}", "args=uci", "nodes=100", "option.Hash=1"]
    run("match", "--game", "xiangqi", "--engine", *player, "name=A", "--engine", *player, "name=B", "--games", "1",
        "--rounds", str(count), "--maxmoves", "40", "--concurrency", "1", "--openings", f"file={openings}",
        "--pgnout", out)
    with open(out, encoding="utf-8") as file:
        return moves_of(file.read())


def chinese(moves):
    """Moves as cchess writes them in Chinese."""
    board, texts = cchess.ChessBoard(cchess.FULL_INIT_FEN), []
    for mv in moves:
        texts.append(board.move_iccs(mv).to_text())
        board.next_turn()
    return texts


# What other people write for the same characters.
TRADITIONAL = str.maketrans("车马炮帅将进后", "車馬砲帥將進後")
OLD = str.maketrans("车马炮进后", "俥傌包進後")
FULL_WIDTH = str.maketrans("一二三四五六七八九123456789", "１２３４５６７８９１２３４５６７８９")
NARROW = str.maketrans("１２３４５６７８９", "123456789")
WXF = {"车": "R", "马": "H", "炮": "C", "相": "E", "象": "E", "仕": "A", "士": "A", "帅": "K", "将": "K", "兵": "P",
       "卒": "P", "前": "+", "中": ".", "后": "-", "进": "+", "退": "-", "平": "="}


def wxf(text):
    """WXF of a move in Chinese notation: piece, which, way, number."""
    first, second, way, number = text.translate(str.maketrans("一二三四五六七八九", "123456789")).translate(NARROW)
    if second in "车马炮相象仕士帅将兵卒":
        # The piece comes first; ordinals of soldiers are letters.
        place = WXF.get(first) or "abcde"[int(first) - 1]
        return WXF[second] + place + WXF[way] + number
    return WXF[first] + second + WXF[way] + number


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


def run(*args, code=0, text=None):
    done = subprocess.run([ENGINE, *args], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == code, (args, done.returncode, done.stdout[-1500:], done.stderr[-1500:])
    return done


def moves_of(text):
    """The moves of each game of a PGN in ICCS, in coordinates."""
    games = re.split(r"^\[(?:Game|Event) ", text, flags=re.M)[1:]
    games = [re.sub(r"\([^()]*\)|\{[^}]*\}|\[.*\"\]|^.*\"\]$", " ", game, flags=re.M) for game in games]
    found = [[m.lower().replace("-", "") for m in re.findall(r"[A-I]\d-[A-I]\d", game)] for game in games]
    return [moves for moves in found if moves]


def read_back(paths, folder):
    """The moves that the engine finds in each game of some files."""
    out = os.path.join(folder, "out.pgn")
    run("analyze", *paths, "--nodes", "1", "--out", out)
    with open(out, encoding="utf-8") as file:
        return moves_of(file.read())


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def theirs(game):
    return [m.to_iccs() for m in game.move_line_to_list()]


def check_named(bad, said):
    """Every broken file is named with its place and reason."""
    for name, why, *_ in bad:
        assert any(f"{name}: {why}" in line for line in said.splitlines()), (name, why, said)


def check_broken(folder, files):
    """Damaged files beside whole ones: each is named with what is wrong and where, and the others are read."""
    moves, texts, whole = files
    path = lambda name: os.path.join(folder, name)
    lines = (pgn(texts) + pgn(texts)).split("\n")
    lines[8] = "炮九平九"
    bad_board = whole["cbr"][:2120] + b"\x88" + whole["cbr"][2121:]
    text = dhtmlxq(["a0a9"] + moves) + dhtmlxq(moves)
    # Files, what is said of them, how many of their games are whole, and how many have moves before the fault.
    bad = [
        (write(path("cut.xqf"), whole["xqf"][:-3]),
         f"byte {len(whole['xqf']) - 3}: game 1: the file ends in a move", 0, 1),
        (write(path("cut.cbr"), whole["cbr"][:2300]), "byte 2300: game 1: the file ends in a move", 0, 1),
        (write(path("bad.cbr"), bad_board), "byte 2120: game 1: 0x88 on the board is no piece", 0, 0),
        (write(path("bad.pgn"), "\n".join(lines).encode("gb18030")), 'line 9: game 1: "炮九平九"', 1, 1),
        (write(path("bad.txt"), text.encode()), 'line 4: game 1: move 1: "a0a9"', 1, 0),
        (write(path("bad.cbl"), cbl([whole["cbr"], bad_board, whole["cbr"]])),
         f"byte {66624 + 128 * 276 + 4096 + 2120}: game 2: ", 2, 0),
    ]
    good = write(path("good.xqf"), whole["xqf"])
    files, count = [row[0] for row in bad] + [good], 1 + sum(row[2] + row[3] for row in bad)
    done = run("analyze", *files, "--nodes", "1", "--out", path("out.pgn"), code=1)
    check_named(bad, done.stderr)
    assert f"analyzed: {count}; could not be read: {len(bad)}" in done.stderr, done.stderr
    done = run("judge", "--games", *files, code=1)
    check_named(bad, done.stderr)
    assert done.stdout.count(" game ") == count, done.stdout
    done = run("makebook", *files, "--out", path("book.dat"), "--min-games", "1", code=1)
    check_named(bad, done.stderr)
    # Games without a result teach nothing; the XQF files have one.
    decided = 2 + 3 * (whole["cbr"][2076] != 0)
    assert done.stdout.endswith(f" moves of {decided} games\n"), done.stdout
    # A match begins with the openings that are whole up to their sixth move; of a file without one it reports why.
    player = [f"cmd={ENGINE}", "args=uci", "nodes=20", "option.Hash=1"]
    for name, why, games, parts in bad:
        games += parts if name.endswith(("xqf", "cbr")) else 0
        done = run("match", "--game", "xiangqi", "--engine", *player, "name=A", "--engine", *player, "name=B",
                   "--games", "2", "--maxmoves", "10", "--openings", f"file={name}", "plies=6", "--pgnout",
                   path("m.pgn"), code=0 if games else 1)
        if not games or name.endswith(("txt", "cbl", "pgn")):
            check_named([(name, why)], done.stderr)
        if games:
            with open(path("m.pgn"), encoding="utf-8") as file:
                assert all(game[:6] == moves[:6] for game in moves_of(file.read())), name
            os.remove(path("m.pgn"))


def check_typed(moves, forms):
    """Moves typed in every notation: into the judge, and into a game on the terminal."""
    for words in forms:
        said = run("judge", "--moves", *words, "--json")
        assert said.stdout, words
        said = run("judge", "--moves", *words[:3], "炮九平九", code=1)
        assert 'move 4: "炮九平九"' in said.stderr, said.stderr
        # The first move alone: the engine answers the second.
        typed = f"炮九平九\n{words[0]}\nmoves\nquit\n"
        said = run("play", "xiangqi", "--side", "red", "--level", "1", "--notation", "iccs", text=typed).stdout
        assert "炮九平九" in said, said
        first = f"{moves[0][:2]}-{moves[0][2:]}".upper()
        assert re.search(rf"\b1\. {first} [A-I]\d-[A-I]\d", said), (words[0], said)


def main():
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        path = lambda kind, game: os.path.join(folder, f"{game}.{kind}")
        games = own_games(folder, GAMES // 2)
        assert len(games) == GAMES // 2 and all(len(moves) > 20 for moves in games)
        games += [random_game(rng, 4 + 5 * game) for game in range(GAMES - len(games))]
        files, records, stopped = {}, [], 0
        for game, moves in enumerate(games):
            texts = chinese(moves)
            iccs = [f"{m[:2]}-{m[2:]}".upper() for m in moves]
            version = [10, 11, 12, 18][game % 4]
            encoding = ["utf-8", "gb18030", "utf-8-sig", "utf-16"][game % 4]
            records.append(cbr(moves, rng, f"第{game}局"))
            whole = {"xqf": xqf(moves, version, rng), "cbr": records[-1],
                     "dhtmlxq": dhtmlxq(moves).encode(["utf-8", "gb18030"][game % 2])}
            forms = {"simplified": texts, "traditional": [t.translate(TRADITIONAL) for t in texts],
                     "old": [t.translate(OLD) for t in texts], "wide": [t.translate(FULL_WIDTH) for t in texts],
                     "wxf": [wxf(t) for t in texts], "iccs": iccs}
            for kind, words in forms.items():
                form = {"wxf": "WXF", "iccs": "ICCS"}.get(kind, "Chinese")
                whole[kind] = pgn(words, form).encode(encoding)
            for kind, data in whole.items():
                files.setdefault(kind, []).append(write(path(kind, game), data))
            for kind in ("xqf", "cbr"):
                assert theirs(cchess.Game.read_from(path(kind, game))) == moves, (kind, version)
            if encoding == "utf-8":
                write(path("pgn", game), whole["iccs"])
                assert theirs(cchess.Game.read_from(path("pgn", game))) == moves
                write(path("pgn", game), whole["simplified"])
                found = theirs(cchess.Game.read_from(path("pgn", game)))
                # Where two elephants stand on one file, it does not read the Chinese that it writes.
                assert found == moves[:len(found)]
                stopped += found != moves
            if game == GAMES // 4:
                check_broken(folder, (moves, texts, whole))
                check_typed(moves, forms.values())
        assert stopped <= GAMES // 20, stopped
        for kind, paths in files.items():
            found = read_back(paths, folder)
            differ = [i for i, (a, b) in enumerate(zip(found, games)) if a != b]
            assert len(found) == GAMES and not differ, (kind, len(found), differ[:5])
        write(path("cbl", "all"), cbl(records))
        library = cchess.Game.read_from_lib(path("cbl", "all"))["games"]
        assert [theirs(game) for game in library] == games
        assert read_back([path("cbl", "all")], folder) == games
    return 0


if __name__ == "__main__":
    sys.exit(main())
