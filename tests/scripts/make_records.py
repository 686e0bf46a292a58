#!/usr/bin/env python3
"""Writes records in the styles of other people's libraries, with variations, comments and glyphs, in many encodings, and
what those libraries find in them: PGN by python-chess, SGF by sgfmill, xiangqi as text and XQF by cchess. SGF is also
written anew by @sabaki/sgf and GNU Go, and xiangqi in the algebraic notation of Fairy-Stockfish, where they are installed.

usage: make_records.py FOLDER FILES_OF_EACH_KIND SEED
FOLDER/index.jsonl has a line for every file. Some files lack one byte; `moves` is null where the library finds a fault.
Exits with 77 when a library is missing."""

import io
import json
import logging
import os
import random
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients"))
ARGUMENTS, sys.argv = sys.argv, [sys.argv[0], "unused"]
try:
    import chess
    import chess.pgn
    import xiangqi_records as xiangqi
    import pyffish
    from sgfmill import sgf
except ImportError as error:
    print("not installed:", error.name)
    sys.exit(77)

logging.disable(logging.CRITICAL)
# Names that an encoding can write, and the labels under which programs declare it.
SCRIPTS = {
    "utf-8": (["Müller", "Иванов", "林成功", "Żółć", "Παπάς"], ["UTF-8", "utf8"]),
    "utf-8-sig": (["Jörg", "大黒", "이창호"], ["UTF-8"]),
    "utf-16": (["Müller", "Иванов", "林成功", "이창호"], ["UTF-16"]),
    "latin-1": (["Müller", "Ångström", "Ñandú"], ["ISO-8859-1", "latin1"]),
    "cp1252": (["Jörg Müller", "Françoise", "Šimun"], ["windows-1252", "CP1252"]),
    "cp1250": (["Żółć, Łukasz", "Dvořák", "Kovačević"], ["windows-1250", "CP1250"]),
    "cp1253": (["Παπαδόπουλος", "Καραγιάννης"], ["windows-1253", "CP1253"]),
    "cp1251": (["Иванов", "Петрова"], ["windows-1251", "CP1251"]),
    "gb18030": (["胡荣华", "许银川", "功夫表演"], ["GB18030", "GBK", "GB2312", "CP936"]),
    "big5": (["許功蓋", "林海峰", "表演能"], ["Big5", "big5", "CP950"]),
    "shift_jis": (["大竹英雄", "表十能", "ソフト"], ["Shift_JIS", "sjis", "CP932"]),
    "euc-kr": (["이창호", "조훈현"], ["EUC-KR", "CP949"]),
}


def names(rng, encoding):
    return [rng.choice(SCRIPTS[encoding][0]) for _ in range(2)]


def chess_tree(rng, encoding):
    """A game with variations inside each other, comments, glyphs and clocks."""
    game = chess.pgn.Game()
    if rng.random() < 0.2:
        board = chess.Board()
        for _ in range(rng.randrange(1, 20)):
            board.push(rng.choice(list(board.legal_moves)))
        if any(board.legal_moves):
            game.setup(board.fen())
    white, black = names(rng, encoding)
    game.headers.update({"White": white, "Black": black, "Result": rng.choice(["1-0", "0-1", "1/2-1/2", "*"])})
    if rng.random() < 0.3:
        game.comment = f"Start {white}"
    node, nesting = game, 0

    def line(node, length, nesting):
        for _ in range(length):
            board = node.board()
            moves = list(board.legal_moves)
            if not moves:
                return
            chosen = rng.sample(moves, min(len(moves), 1 + (rng.random() < 0.15)))
            after = node.add_variation(chosen[0])
            decorate(after)
            for other in chosen[1:]:
                if nesting < 3:
                    variation = node.add_variation(other)
                    decorate(variation)
                    line(variation, rng.randrange(0, 5), nesting + 1)
            node = after

    def decorate(node):
        if rng.random() < 0.2:
            node.comment = rng.choice(["good", f"as {black} played", "[%clk 0:09:58] fast", "[%eval 0.31]", "a; b"])
        if rng.random() < 0.15:
            node.nags.add(rng.choice([1, 2, 3, 4, 5, 6, 10, 14, 18]))
        if rng.random() < 0.05:
            node.starting_comment = "" if node.is_main_variation() else "or"

    line(node, rng.randrange(4, 60), nesting)
    return game, str(game) + "\n\n"


def chess_moves(data):
    """What python-chess finds in a file; None for a fault."""
    games = []
    try:
        text = io.StringIO(data)
        while (game := chess.pgn.read_game(text)) is not None:
            if game.errors:
                return None
            games.append([move.uci() for move in game.mainline_moves()])
    except (ValueError, AssertionError, IndexError, KeyError):
        return None
    return games


POINTS = "abcdefghijklmnopqrs"


def go_tree(rng, encoding):
    size = rng.choice([9, 13, 19])
    game = sgf.Sgf_game(size=size, encoding="UTF-8")
    root = game.get_root()
    black, white = names(rng, encoding)
    root.set("PB", black)
    root.set("PW", white)
    komi = rng.choice([0.5, 5.5, 6.5, 7.5, 0, 375])
    root.set_raw("KM", str(komi).encode())
    if rng.random() < 0.3:
        root.set("C", f"{black} ]\\ (;x)")
    if rng.random() < 0.2:
        root.set_setup_stones([(2, 2), (6, 6)], [(2, 6)])

    def decorate(node):
        if rng.random() < 0.2:
            node.set("C", rng.choice([white, "a ] b", "c \\ d", "two\nlines"]))
        if rng.random() < 0.1:
            node.set("TR", [(0, 0), (1, 2)])
        if rng.random() < 0.1:
            node.set_raw("XX", b"unknown")
        if rng.random() < 0.1:
            node.set_raw("BM", b"2")

    def line(node, color, length, nesting, used):
        for _ in range(length):
            free = [(r, c) for r in range(size) for c in range(size) if (r, c) not in used]
            if not free:
                return
            here = rng.sample(free, min(len(free), 1 + (rng.random() < 0.1)))
            children = []
            for point in here:
                child = node.new_child()
                child.set_move(color, None if rng.random() < 0.02 else point)
                decorate(child)
                children.append((child, point))
            for child, point in children[1:]:
                if nesting < 3:
                    line(child, "w" if color == "b" else "b", rng.randrange(0, 5), nesting + 1, used | {point})
            node, used = children[0][0], used | {children[0][1]}
            color = "w" if color == "b" else "b"

    stones = {(2, 2), (6, 6), (2, 6)}
    line(root, "b", rng.randrange(4, 40), 0, stones)
    text = game.serialise().decode("utf-8")
    text = text.replace("CA[UTF-8]", f"CA[{rng.choice(SCRIPTS[encoding][1])}]" if rng.random() < 0.7 else "", 1)
    return game, text, komi


def go_moves(data):
    try:
        games = sgf.parse_sgf_collection(data) if hasattr(sgf, "parse_sgf_collection") else [sgf.Sgf_game.from_bytes(data)]
        found = []
        for game in games:
            moves = []
            for node in game.get_main_sequence():
                color, point = node.get_move()
                if color is not None:
                    moves.append(vertex(point))
            found.append(moves)
        return found
    except (ValueError, KeyError, IndexError):
        return None


def vertex(point):
    return "pass" if point is None else f"{'ABCDEFGHJKLMNOPQRSTUVWXYZ'[point[1]]}{point[0] + 1}"


def is_go_file(name):
    return re.fullmatch(r"\d+\.sgf", name) is not None


def by_sabaki(path, rows):
    """Every file of Go as @sabaki/sgf writes it, and the moves that it finds there. An encoding that it guesses wrongly is
    none of ours."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rewrite_sgf.mjs")
    node = shutil.which("node")
    done = node and subprocess.run([node, script, path], capture_output=True, text=True, check=False)
    if not done or done.returncode:
        print("not installed: @sabaki/sgf")
        return
    known = {row["file"]: row for row in rows}
    for found in map(json.loads, done.stdout.splitlines()):
        row = known[found["file"].replace(".sabaki", "")]
        if all(found.get(fact) == row[fact] for fact in ("moves", "white", "black")):
            yield {**row, **found}


def by_gnugo(path, rows):
    """Every tenth file of Go as GNU Go writes it, which adds comments of its own."""
    gnugo = shutil.which("gnugo", path=os.environ.get("PATH", "") + ":/usr/games")
    if not gnugo:
        print("not installed: gnugo")
        return
    # It reads no comments in other encodings.
    plain = [row for row in rows if row.get("encoding") in ("utf-8", "latin-1") and is_go_file(row["file"])]
    for row in plain[::10]:
        name = row["file"].replace(".sgf", ".gnugo.sgf")
        command = [gnugo, "-l", row["file"], "--replay", "white", "--level", "1", "--quiet", "-o", name]
        subprocess.run(command, cwd=path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)
        if os.path.exists(os.path.join(path, name)):
            yield {"file": name, "kind": "go", "encoding": row["encoding"], "declared": False, "moves": row["moves"],
                   "komi": row["komi"]}


class Folder:
    def __init__(self, path):
        self.path, self.rows = path, []

    def write(self, name, data, **facts):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)
        self.rows.append({"file": name, **facts})

    def finish(self):
        self.rows += [*by_gnugo(self.path, self.rows), *by_sabaki(self.path, self.rows)]
        with open(os.path.join(self.path, "index.jsonl"), "w", encoding="utf-8") as index:
            index.writelines(json.dumps(row) + "\n" for row in self.rows)


def without_bytes(rng, data, count):
    for at in rng.sample(range(len(data)), min(count, len(data))):
        yield at, data[:at] + data[at + 1:]


def clear(moves):
    """The moves up to one that cchess writes like another: 前兵进一 where soldiers stand behind each other on two files."""
    board = xiangqi.cchess.ChessBoard(xiangqi.cchess.FULL_INIT_FEN)
    for n, mv in enumerate(moves):
        files = [x for x in range(9) for y in range(10) if board.get_fench((x, y)) == "Pp"[n % 2]]
        text = board.move_iccs(mv).to_text()
        if text[0] in "前中后" and text[1] in "兵卒" and sum(files.count(x) > 1 for x in range(9)) > 1:
            return moves[:n]
        board.next_turn()
    return moves


def by_fairy(moves, notation):
    """Moves in the notation of Fairy-Stockfish, whose ranks count from 1."""
    from_one = [re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), mv) for mv in moves]
    if notation is None:
        return from_one
    return pyffish.get_san_moves("xiangqi", pyffish.start_fen("xiangqi"), from_one, False, notation)


def read_by_fairy(data, encoding, notation):
    """The games of a damaged file whose every word is a move as Fairy-Stockfish writes it, or XBoard, which leaves out the
    letter of a soldier; None: there is another word."""
    try:
        _, text = data.decode(encoding).split("\n\n", 1)
    except ValueError:
        return None
    start, played = pyffish.start_fen("xiangqi"), []
    for word in text.split():
        if re.fullmatch(r"\d+\.|\*", word):
            continue
        fen = pyffish.get_fen("xiangqi", start, played)
        target = re.search(r"[a-i]\d+(?=\W?$)", word)
        legal = [mv for mv in pyffish.legal_moves("xiangqi", start, played) if target and mv.endswith(target[0])]
        names = {mv: mv if notation is None else pyffish.get_san("xiangqi", fen, mv, False, notation) for mv in legal}
        found = [mv for mv, name in names.items() if word in (name, name.removeprefix("P"))]
        if len(found) != 1:
            return None
        played += found
    return [[re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), mv) for mv in played]]


def main():
    folder, count, rng = Folder(ARGUMENTS[1]), int(ARGUMENTS[2]), random.Random(int(ARGUMENTS[3]))
    encodings = list(SCRIPTS)
    for i in range(count):
        encoding = encodings[i % len(encodings)]
        game, text = chess_tree(rng, encoding)
        moves = [move.uci() for move in game.mainline_moves()]
        if moves:
            facts = {"moves": moves, "white": game.headers["White"], "black": game.headers["Black"]}
            folder.write(f"{i}.pgn", text.encode(encoding), kind="chess", encoding=encoding, **facts)
            if i % 50 == 0:
                data = text.encode("utf-8")
                for at, cut in without_bytes(rng, data, 150):
                    found = chess_moves(cut.decode("utf-8", "replace"))
                    folder.write(f"{i}-{at}.pgn", cut, kind="chess", whole=moves, damaged=True, moves=found)
        game, text, komi = go_tree(rng, encoding)
        moves = [vertex(node.get_move()[1]) for node in game.get_main_sequence() if node.get_move()[0]]
        facts = {"moves": moves, "white": game.get_root().get("PW"), "black": game.get_root().get("PB")}
        data = text.encode(encoding)
        folder.write(f"{i}.sgf", data, kind="go", encoding=encoding, declared="CA[" in text,
                     komi=komi if komi < 100 else komi / 50, **facts)
        if i % 50 == 0:
            for at, cut in without_bytes(rng, text.encode("utf-8"), 150):
                folder.write(f"{i}-{at}.sgf", cut, kind="go", whole=moves, damaged=True, moves=go_moves(cut))
        moves = clear(xiangqi.random_game(rng, 6 + i % 60))
        texts = xiangqi.chinese(moves)
        form = rng.choice(["simplified", "traditional", "wide", "wxf", "iccs", "san", "lan", "fairy wxf", "from one"])
        fairy = {"san": pyffish.NOTATION_SAN, "lan": pyffish.NOTATION_LAN, "fairy wxf": pyffish.NOTATION_XIANGQI_WXF,
                 "from one": None}
        words = {"simplified": texts, "traditional": [t.translate(xiangqi.TRADITIONAL) for t in texts],
                 "wide": [t.translate(xiangqi.FULL_WIDTH) for t in texts], "wxf": [xiangqi.wxf(t) for t in texts],
                 "iccs": [f"{m[:2]}-{m[2:]}".upper() for m in moves]}
        words = by_fairy(moves, fairy[form]) if form in fairy else words[form]
        old = ["big5", "shift_jis", "euc-kr"] if form == "traditional" else ["gb18030"]
        encoding = rng.choice(["utf-8", "utf-8-sig", "utf-16", *old, *old])
        red, black = ("許功蓋", "林成功") if form == "traditional" else ("甲方", "乙方")
        text = xiangqi.pgn(words, {"wxf": "WXF", "fairy wxf": "WXF", "iccs": "ICCS"}.get(form, "Chinese"))
        if form in ("san", "lan", "from one"):
            text = text.replace('[Format "Chinese"]', '[Variant "xiangqi"]')
        text = text.replace("甲方", red).replace("乙方", black)
        if form == "traditional":
            text = text.replace("对局", "對局")
        files = {f"{i}.xq.pgn": (text.encode(encoding), {"encoding": encoding, "white": red, "black": black}),
                 f"{i}.xqf": (xiangqi.xqf(moves, [10, 11, 12, 18][i % 4], rng), {"encoding": "xqf"})}
        for name, (data, facts) in files.items():
            folder.write(name, data, kind="xiangqi", moves=moves, **facts)
            if i % 25 == 0:
                for at, cut in without_bytes(rng, data, 150):
                    found = read_by_fairy(cut, encoding, fairy[form]) if form in fairy and name.endswith("pgn") else None
                    folder.write(f"{i}-{at}.{name.split('.', 1)[1]}", cut, kind="xiangqi", whole=moves, damaged=True,
                                 moves=found)
    folder.finish()


if __name__ == "__main__":
    main()
