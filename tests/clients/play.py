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

ENGINE = os.path.abspath(sys.argv[1])
PROMPT = {"chess": r"(White|Black)[^\n]*> ", "xiangqi": r"(Red|Black)[^\n]*> ", "go": r"(White|Black)[^\n]*> "}


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *arguments):
        self.master, slave = pty.openpty()
        environment = dict(os.environ, TERM="xterm", COLUMNS="80", LINES="40")
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
    for word, answer in [("Ra9", "a move is written e4"), ("frobnicate", "for words: help"), ("help", "offers a draw"),
                         ("hint", "Ra8#"), ("fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), ("level 3", "level 3"),
                         ("score", "mate in 1, as White sees it"), ("flip", "h  ")]:
        game.type(word)
        game.expect(re.escape(answer))
        game.expect(PROMPT["chess"])
    game.type("Ra8#")
    assert "1-0 White wins (White mates)" in game.end(), game.seen
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
    assert "0-1 Black wins (White resigns)" in game.end(), game.seen


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
    game.type("quit")
    game.end()
    mate = Terminal("play", "xiangqi", "--level", "1", "--fen", "3k5/R8/9/9/9/9/9/9/8R/4K4 w - - 0 1")
    mate.expect(PROMPT["xiangqi"])
    mate.type("俥一進八")
    text = mate.end()
    assert "1-0 Red wins" in text, text


def go(folder):
    record = os.path.join(folder, "game.sgf")
    game = Terminal("play", "go", "--size", "5", "--level", "5", "--sgf", record)
    start = game.expect(PROMPT["go"])
    assert "·" in start, start
    game.type("pass")
    text = game.expect(r"agree\? [^\n]*\) ")
    assert "White: pass" in text and "the result: W+7.5" in text, text
    game.type("yes")
    assert "White wins (W+7.5" in game.end(), game.seen
    with open(record, encoding="utf-8") as file:
        text = file.read()
    assert "RE[W+7.5]" in text and ";B[]" in text, text


def main():
    with tempfile.TemporaryDirectory() as folder:
        chess(folder)
        from_the_greeting()
        chess960()
        xiangqi()
        go(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
