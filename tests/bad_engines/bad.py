#!/usr/bin/env python3
"""An engine that misbehaves in the way its argument names, and otherwise moves a knight to and fro. Asked in UCCI it
plays xiangqi and moves a chariot round three points.
Any further argument is only a mark to find the process by."""

import os
import subprocess
import sys
import time

WAYS = ["good", "crashes-at-start", "never-answers", "illegal-move", "wrong-color", "floods", "closes-stdin",
        "late-bestmove", "garbage", "huge-lines", "dies-on-quit", "ignores-quit", "slow-isready", "premature-bestmove",
        "crashes-in-game", "no-move", "silent-at-start", "slow", "ponders", "answers-while-pondering", "offers-draws",
        "changes-its-mind", "agrees", "leaves-a-child", "illegal-pv", "ucci-only", "illegal-once", "thinks"]
KNIGHT = {"w": ("g1f3", "f3g1"), "b": ("g8f6", "f6g8")}
CHARIOT = {"w": ("a0a1", "a1a2", "a2a0"), "b": ("a9a8", "a8a7", "a7a9")}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


class Engine:
    def __init__(self, way):
        self.way = way
        self.moves = []
        self.asked = 0
        self.erred = False
        self.ucci = False

    def side(self):
        return "wb"[len(self.moves) % 2]

    def chariot_move(self, offered):
        own = len(self.moves) // 2
        say(f"info depth 1 score {40 * own if self.way == 'changes-its-mind' else 0}")
        draw = self.way in ("offers-draws", "changes-its-mind") or (self.way == "agrees" and offered)
        say("bestmove " + CHARIOT[self.side()][own % 3] + (" draw" if draw else ""))

    def knight_move(self, side):
        return KNIGHT[side][len(self.moves) // 2 % 2]

    def expectation(self, side):
        """Right every other time."""
        if "ponder" not in self.way:
            return ""
        other = "b" if side == "w" else "w"
        reply = KNIGHT[other][(len(self.moves) + 1) // 2 % 2] if len(self.moves) % 4 < 2 else {"w": "a2a3", "b": "a7a6"}[other]
        return " ponder " + reply

    def go(self, word):
        side, way = self.side(), self.way
        if way == "thinks" and word == "go":
            return
        # The first two moves are good ones: what goes wrong goes wrong in the middle of a game.
        if len(self.moves) < 4:
            way = "good"
        if way == "never-answers":
            return
        if way == "illegal-move":
            say("bestmove e2e5")
        elif way == "illegal-once" and not self.erred:
            self.erred = True
            say("bestmove e2e5")
        elif way == "wrong-color":
            say("bestmove " + self.knight_move("b" if side == "w" else "w"))
        elif way == "floods":
            while True:
                raw(b"info string nothing to see here, move along\n" * 1000)
        elif way == "closes-stdin":
            os.close(0)
            time.sleep(60)
        elif way == "late-bestmove":
            time.sleep(1.0)
            say("bestmove " + self.knight_move(side))
        elif way == "garbage":
            raw(bytes(range(1, 256)) * 8 + b"\nbestmove \xff\xfe\x00\x07\n")
        elif way == "no-move":
            say("bestmove (none)")
        elif way == "crashes-in-game":
            os._exit(3)
        elif way == "leaves-a-child":
            # It holds the output open.
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", *sys.argv[2:]])
            os._exit(7)
        else:
            if way == "huge-lines":
                raw(b"info string " + b"x" * 5_000_000 + b"\n")
            if way == "slow":
                time.sleep(0.1)
            pv = " a1a8" if way == "illegal-pv" else ""
            say("info depth 1 score cp 0 nodes 1 pv " + self.knight_move(side) + pv)
            # Its own time for the move, to compare with what the manager has measured.
            say(f"info string pgncomment {(time.perf_counter_ns() - self.asked) // 1000} us")
            say("bestmove " + self.knight_move(side) + self.expectation(side))
            if way == "premature-bestmove":
                say("bestmove " + self.knight_move(side))

    def run(self):
        if self.way == "crashes-at-start":
            sys.exit(1)
        if self.way == "silent-at-start":
            time.sleep(60)
        while True:
            line = sys.stdin.readline()
            words = line.split()
            if not line:
                # Only a manager that closes the pipe without a word gets here.
                if self.way == "ignores-quit":
                    time.sleep(60)
                return
            if not words:
                continue
            if words[0] == "ucci":
                self.ucci = True
                say("option usemillisec type check default false")
                say("ucciok")
            elif words[0] == "go" and self.ucci:
                self.chariot_move(words[1] == "draw")
            elif words[0] == "uci" and self.way == "ucci-only":
                say("what is uci?")
            elif words[0] == "uci":
                say("id name bad " + self.way)
                say("uciok")
            elif words[0] == "ucinewgame":
                self.erred = False
            elif words[0] == "isready":
                if self.way == "slow-isready" and len(self.moves) >= 4:
                    time.sleep(60)
                say("readyok")
            elif words[0] == "position":
                self.moves = words[words.index("moves") + 1:] if "moves" in words else []
            elif words[:2] == ["go", "ponder"]:
                if self.way == "answers-while-pondering":
                    say("bestmove " + self.knight_move(self.side()))
            elif words[0] in ("go", "ponderhit", "stop"):
                self.asked = time.perf_counter_ns()
                self.go(words[0])
            elif words[0] == "quit":
                if self.way == "dies-on-quit":
                    os.abort()
                if self.way != "ignores-quit":
                    return


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in WAYS:
        sys.exit(f"usage: {sys.argv[0]} {'|'.join(WAYS)}")
    Engine(sys.argv[1]).run()
