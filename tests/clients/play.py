#!/usr/bin/env python3
"""A person at a terminal: games of each kind are played to their end in a pseudo-terminal, with figures and colors,
and the program's words are tried. The standard library alone."""

import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
PROMPT = {"chess": r"(White|Black)[^\n]*> ", "xiangqi": r"(Red|Black)[^\n]*> ", "go": r"(White|Black)[^\n]*> "}

# Unfinished games are kept here.
STATE = tempfile.TemporaryDirectory()

RESULT = r"(1-0|0-1|1/2-1/2) [^\r\n]+[\r\n]"


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *arguments, language="C.UTF-8"):
        self.master, slave = pty.openpty()
        environment = dict(os.environ, TERM="xterm", COLUMNS="80", LINES="40", XDG_STATE_HOME=STATE.name,
                           LC_ALL=language)
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen([ENGINE, *arguments], stdin=slave, stdout=slave, stderr=slave,
                                        env=environment, close_fds=True, start_new_session=True)
        os.close(slave)
        self.seen = ""

    def read(self, seconds):
        if select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            self.seen += data.decode("utf-8", "replace")
            return bool(data)
        return None

    def expect(self, pattern):
        """Waits for what the pattern matches; gives the text up to its end, and forgets that."""
        end = time.time() + 60
        while True:
            found = re.search(pattern, self.seen)
            if found:
                text = self.seen[:found.end()]
                self.seen = self.seen[found.end():]
                return text
            if self.read(max(0.0, end - time.time())) is not True:
                raise AssertionError(f"no {pattern!r} in {self.seen!r}")

    def type(self, line):
        os.write(self.master, line.encode() + b"\r")

    def over(self, saved=False):
        """What is printed at the end of a game; the person leaves then."""
        text = self.expect(r"\x1b\[K> ")
        return text + self.leave(saved)

    def leave(self, saved=False, unfinished=False):
        """Leaves a game; one that is over and in no file is asked about, one that is not is kept."""
        self.type("quit")
        if unfinished:
            self.expect(r"the game is kept in .*--resume continues it")
        elif not saved:
            self.expect(r"drop it\? [^\n]*\) ")
            self.type("yes")
        return self.end()

    def end(self):
        while self.read(30):
            pass
        code = self.process.wait(30)
        os.close(self.master)
        assert code == 0, (code, self.seen)
        return self.seen


def chess(folder):
    record = os.path.join(folder, "game.pgn")
    game = Terminal("play", "chess", "--level", "2", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--pgn", record)
    start = game.expect(PROMPT["chess"])
    assert "♚" in start and "\x1b[48;5;" in start and "Fen:" not in start, start
    for word, answer in [("Ra9", "did you mean Ra8#?"), ("frobnicate", "for words: help"), ("help", "offers a draw"),
                         ("hint", "Ra8#"), ("fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), ("level 3", "level 3"),
                         ("score", "mate in 1, as White sees it"), ("flip", "h  ")]:
        game.type(word)
        game.expect(re.escape(answer))
        game.expect(PROMPT["chess"])
    game.type("Ra8#")
    assert "1-0 White wins: White mates" in game.over(saved=True), game.seen
    with open(record, encoding="utf-8") as file:
        text = file.read()
    assert "1. Ra8# " in text and '[Result "1-0"]' in text, text


def from_the_greeting():
    game = Terminal()
    game.expect("type play chess")
    game.type("play chess --level 1 --side white")
    game.expect(PROMPT["chess"])
    for move in ["e4", "d4"]:
        game.type(move)
        game.expect("Black: ")
        game.expect(PROMPT["chess"])
    game.type("undo")
    game.expect(PROMPT["chess"])
    game.type("moves")
    assert "1. e4 " in game.expect(PROMPT["chess"])
    game.type("resign")
    assert "0-1 Black wins: White resigns" in game.over(), game.seen
    # It is in the person's language, help too.
    greeted = Terminal(language="zh_CN.UTF-8")
    greeted.expect("输入“帮助”查看用法。")
    for word, answer in [("开始", "没有这个命令：开始"), ("帮助", "play xiangqi（象棋）"), ("help", "协议由第一条命令决定")]:
        greeted.type(word)
        greeted.expect(answer)
        greeted.expect("见：sanqi --help")
    greeted.type("退出")
    greeted.end()


def chess960():
    fen = "nrk1brnb/pppppppp/8/8/8/8/PPPPPPPP/NRK1BRNB w FBfb - 0 1"
    game = Terminal("play", "chess", "--variant", "chess960", "--level", "1", "--tc", "60+1", "--fen", fen)
    assert "1:00" in game.expect(PROMPT["chess"])
    game.type("draw")
    game.expect("declines")
    game.expect(PROMPT["chess"])
    game.type("quit")
    game.end()


def xiangqi():
    game = Terminal("play", "xiangqi", "--level", "1")
    start = game.expect(PROMPT["xiangqi"])
    assert "車" in start and "楚" in start and "\x1b[1;31m" in start, start
    for move in ["炮二平五", "馬八進七", "H2+3", "a0a1"]:
        game.type(move)
        game.expect("Black: .[１２３４５６７８９前后].[１２３４５６７８９]|Black: ....")
        game.expect(PROMPT["xiangqi"])
    game.type("moves")
    assert "1. 炮二平五" in game.expect(PROMPT["xiangqi"])
    game.leave(unfinished=True)
    again = Terminal("play", "xiangqi", "--resume")
    again.expect("resumed after move 8")
    again.leave(unfinished=True)
    mate = Terminal("play", "xiangqi", "--level", "1", "--fen", "3k5/R8/9/9/9/9/9/9/8R/4K4 w - - 0 1")
    mate.expect(PROMPT["xiangqi"])
    mate.type("俥一進八")
    text = mate.over()
    assert "1-0 Red wins" in text, text


def to_the_end(kind, weak, strong):
    """Two terminals play one game: the person at each types what the engine of the other has played. Both print the
    same end, whatever it is."""
    one = Terminal("play", kind, "--side", "first", *weak)
    two = Terminal("play", kind, "--side", "second", *strong)
    moves, thinks, waits = 0, two, one
    while True:
        text = thinks.expect(rf"(White|Red|Black): [^\r\n]+[\r\n]|{RESULT}")
        if re.search(RESULT, text):
            break
        waits.expect(PROMPT[kind])
        waits.type(re.search(r": ([^\r\n]+)[\r\n]$", text)[1])
        moves, thinks, waits = moves + 1, waits, thinks
    result = re.search(RESULT, text)[0].strip()
    if "resigns" in result:
        waits.expect(PROMPT[kind])
        waits.type("resign")
    # What the other has printed at the end is read up to its result.
    thinks.over()
    assert result in waits.over(), (result, waits.seen)
    assert moves > 6, (moves, result)


def words_of_chess(folder):
    record = os.path.join(folder, "saved.pgn")
    game = Terminal("play", "chess", "--level", "1")
    game.expect(PROMPT["chess"])
    for word, answer in [("e4", "Black: "), (f"save {record}", "saved to "), ("save", "save FILE"),
                         ("new", "a  b  c"), ("d4", "Black: "), ("level full", "full strength"), ("level", r"\* full strength")]:
        game.type(word)
        game.expect(answer)
        if "?" not in answer:
            game.expect(PROMPT["chess"])
    game.type("moves")
    moves = game.expect(PROMPT["chess"])
    assert "e4" not in moves and "1. d4" in moves, moves
    second = os.path.join(folder, "second.pgn")
    game.type("resign")
    game.expect(r"wins: [^>]*> ")
    for word, answer in [("hint", "the game is over"), ("board", "a  b  c"), ("quit", r"drop it\? "), ("no", ""),
                         ("quit", r"drop it\? "), (f"save {second}", "saved to ")]:
        game.type(word)
        game.expect(answer)
        if answer not in (r"drop it\? ", "saved to "):
            game.expect("> ")
    game.end()
    with open(second, encoding="utf-8") as file:
        text = file.read()
    assert "1. d4 " in text and '[Result "0-1"]' in text, text
    with open(record, encoding="utf-8") as file:
        text = file.read()
    assert "1. e4 " in text and text.rstrip().endswith("*"), text
    won = Terminal("play", "chess", "--level", "1", "--fen", "6k1/5ppp/8/8/8/8/8/R2Q2K1 w - - 0 1")
    won.expect(PROMPT["chess"])
    won.type("draw")
    # No move was made: nothing would be lost.
    assert "1/2-1/2 a draw" in won.over(saved=True), won.seen
    # Ctrl-C leaves as well, and the game is kept.
    game = Terminal("play", "chess", "--level", "1")
    game.expect(PROMPT["chess"])
    game.type("e4")
    game.expect("Black: ")
    game.expect(PROMPT["chess"])
    os.write(game.master, b"\x03")
    game.expect(r"the game is kept in .*--resume continues it")
    game.end()


def words_after_the_end(folder):
    """A recorded game is gone on with, and its mistakes are found after its end."""
    record = os.path.join(folder, "recorded.pgn")
    with open(record, "w", encoding="utf-8") as file:
        file.write("1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ Ke7 5. Qxe5+ *\n")
    game = Terminal("play", "chess", "--level", "1")
    start = game.expect(PROMPT["chess"])
    assert "level 1 (520)" in start and "new black" in start and "help" in start, start
    game.type(f"load {record}")
    assert "You are Black" in game.expect("9 moves"), game.seen
    game.expect(PROMPT["chess"])
    game.type("resign")
    game.expect("the game is over: save FILE, review, new, ")
    game.type("review")
    found = game.expect("Black: accuracy")
    assert re.search(r"3\.\.\. fxe5\?", found), found
    game.leave()


def words_of_go():
    game = Terminal("play", "go", "--size", "5", "--level", "1")
    game.expect(PROMPT["go"])
    for word, answer in [("size 7", "G "), ("komi 5.3", "komi POINTS"), ("estimate", "as Black sees it"),
                         ("levels", "1k"), ("size 99", "from 2 to 25"), ("level 13", "from 1 to 12")]:
        game.type(word)
        game.expect(answer)
        game.expect(PROMPT["go"])
    game.type("new white")
    game.expect("You are White")
    game.expect("Black: ")
    game.expect(PROMPT["go"])
    game.leave(unfinished=True)


def repetition():
    """A perpetual check of which every answer is forced loses, or draws where repetitions are not judged."""
    for rules, result in [("asian", "0-1 Black wins: Asian rules: Black wins"), ("none", "1/2-1/2 a draw")]:
        game = Terminal("play", "xiangqi", "--nodes", "500", "--rules", rules, "--fen", "3k5/R8/3r5/9/8r/9/9/9/9/4K4 w - - 0 1")
        for move in ["a8a9", "a9a8"] * 4:
            text = game.expect(rf"{PROMPT['xiangqi']}|{RESULT}")
            if re.search(RESULT, text):
                break
            game.type(move)
            game.expect("\r\n")
        assert result in text + game.over(), (text, game.seen)


def go(folder):
    record = os.path.join(folder, "game.sgf")
    game = Terminal("play", "go", "--size", "5", "--level", "5", "--sgf", record)
    start = game.expect(PROMPT["go"])
    assert "·" in start, start
    # White passes when the board is hers, and not before.
    text = ""
    for _ in range(30):
        game.type("pass")
        text = game.expect(rf"agree\? [^\n]*\) |{PROMPT['go']}")
        if "agree?" in text:
            break
        assert "White: pass" not in text, text
    result = re.search(r"the result: (W\+[0-9.]+)", text).group(1)
    game.type("help")
    game.expect("agrees to this count")
    game.expect(r"agree\? [^\n]*\) ")
    game.type("yes")
    assert f"White wins: {result}" in game.over(saved=True), game.seen
    with open(record, encoding="utf-8") as file:
        text = file.read()
    assert f"RE[{result}]" in text and ";B[]" in text, text


def disputed(folder):
    """A group is called dead and alive again before the count is agreed to."""
    record = os.path.join(folder, "disputed.sgf")
    game = Terminal("play", "go", "--size", "5", "--komi", "50.5", "--level", "5", "--sgf", record)
    game.expect(PROMPT["go"])
    game.type("C3")
    game.expect("White: ")
    counted = r"agree\? [^\n]*\) "
    for _ in range(20):
        text = game.expect(rf"{counted}|{PROMPT['go']}")
        if "agree?" in text:
            break
        game.type("pass")
    found = lambda text: re.search(r"dead stones: ([^;]*); the result: (\S+)", text).groups()
    counts = [found(text)]
    for vertex in ["C3", "C3"]:
        game.type(vertex)
        text = game.expect(counted)
        assert "▲: dead stones; ■: points of Black and of White" in text, text
        counts.append(found(text))
    assert counts[0] == counts[2] and counts[0][1] != counts[1][1], counts
    assert ("C3" in counts[0][0]) != ("C3" in counts[1][0]), counts
    game.type("F1")
    game.expect("there is no stone on")
    game.expect(counted)
    game.type("yes")
    assert f"White wins: {counts[0][1]}" in game.over(saved=True), game.seen
    with open(record, encoding="utf-8") as file:
        text = file.read()
    assert f"RE[{counts[0][1]}]" in text and "KM[50.5]" in text, text


def handicap(folder):
    record = os.path.join(folder, "handicap.sgf")
    game = Terminal("play", "go", "--handicap", "2", "--rules", "japanese", "--level", "3", "--sgf", record)
    game.expect("White: ")
    game.expect(PROMPT["go"])
    game.type("quit")
    game.end()
    with open(record, encoding="utf-8") as file:
        text = file.read()
    for part in ["HA[2]", "KM[0.5]", "RU[Japanese]", "AB[", ";W["]:
        assert part in text, (part, text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        chess(folder)
        from_the_greeting()
        chess960()
        xiangqi()
        go(folder)
        words_of_chess(folder)
        words_after_the_end(folder)
        words_of_go()
        to_the_end("chess", ["--level", "1"], ["--nodes", "3000"])
        to_the_end("xiangqi", ["--level", "1"], ["--nodes", "3000"])
        repetition()
        disputed(folder)
        handicap(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
