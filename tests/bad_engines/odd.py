#!/usr/bin/env python3
"""An engine that speaks XBoard's protocol or GTP oddly, in the way its second argument names. In chess it moves a knight
to and fro, in Go it passes."""

import sys

WAYS = {
    "xboard": ["good", "numbered", "late-features", "illegal-words", "user-error", "claims-draw", "claims-wrongly", "claims-and-moves", "claims-win", "resigns",
               "single-use", "no-setboard", "comments", "heeds-results", "illegal-once"],
    "gtp": ["good", "double", "no-clock", "plain", "names-dead", "illegal-once"],
}
KNIGHT = [["g1f3", "f3g1"], ["g8f6", "f6g8"]]
GTP = ["protocol_version", "name", "version", "list_commands", "known_command", "quit", "boardsize", "clear_board", "komi",
       "play", "genmove", "undo", "time_settings", "time_left"]


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Xboard:
    def __init__(self, way):
        self.way, self.plies, self.games, self.results, self.erred = way, 0, 0, 0, False

    def announce(self):
        say("feature done=0")
        setboard = int(self.way != "no-setboard")
        ping = int(self.way != "comments")
        reuse = int(self.way != "single-use")
        say(f'feature myname="odd" ping={ping} usermove=1 setboard={setboard} reuse={reuse} done=1')

    def go(self):
        side, own = self.plies % 2, self.plies // 2
        if self.plies > 3:
            if self.way == "illegal-words":
                say("Illegal move: st 1")
            elif self.way == "user-error":
                say("tellusererror the book is missing")
            elif self.way in ("claims-wrongly", "claims-and-moves"):
                say("1/2-1/2 {Draw by fifty move rule}")
                if self.way == "claims-wrongly":
                    return
            # With its next move the position will be there for the third time.
            elif self.way == "claims-draw" and self.plies == 7:
                say("1/2-1/2 {Draw by repetition}")
            elif self.way == "claims-win":
                return say(["1-0 {Black resigns}", "0-1 {White resigns}"][side])
        mv = KNIGHT[side][own % 2]
        if self.way == "illegal-once" and self.plies > 3 and not self.erred:
            self.erred, mv = True, "e2e5"
        self.plies += 1
        say(f"{own + 1}. ... {mv}" if self.way == "numbered" else f"move {mv}")
        if self.way == "resigns" and self.plies > 3:
            say("resign")
        if self.way == "comments" and self.plies > 3:
            say("1/2-1/2 {Draw by repetition}")

    def hear(self, line):
        word, _, rest = line.partition(" ")
        if word == "protover":
            # It is read when two more lines have come.
            if self.way == "late-features":
                sys.stdin.readline()
                sys.stdin.readline()
            self.announce()
        elif word == "ping":
            say("pong " + rest)
        elif word == "new":
            # An engine that gets the results has seen one of every game before.
            if self.way == "heeds-results" and self.results < self.games:
                sys.exit()
            self.plies, self.games, self.erred = 0, self.games + 1, False
            if self.way == "single-use" and self.games > 1:
                sys.exit()
        elif word == "usermove":
            self.plies += 1
        elif word == "undo":
            self.plies -= 1
        elif word == "result" and self.way == "heeds-results":
            self.results += 1
        elif word == "go":
            self.go()


class Gtp:
    def __init__(self, way):
        self.way, self.commands = way, [name for name in GTP if way != "no-clock" or not name.startswith("time")]
        self.commands += ["final_status_list"] if way == "names-dead" else []
        self.stones, self.erred = 0, False

    def hear(self, line):
        words = line.split()
        number = ""
        if self.way != "plain" and words and words[0].isdigit():
            number = words.pop(0)
        if not words:
            return
        answers = {"protocol_version": "2", "name": "odd", "list_commands": "\n".join(self.commands), "genmove": "pass"}
        if words[0] == "clear_board":
            self.stones, self.erred = 0, False
        if self.way == "illegal-once" and words[0] == "genmove" and not self.erred:
            self.erred, answers["genmove"] = True, "Z99"
        if self.way == "names-dead" and words[0] == "genmove":
            # Each side has a stone. That of White is called dead.
            answers["genmove"] = ("pass" if self.stones else "C3" if words[1].startswith("b") else "A1")
            self.stones = 1
        if words[0] == "final_status_list":
            answers["final_status_list"] = "A1"
        if self.way == "double" and words[0] == "genmove":
            answers["genmove"] = "ABCDEFGH"[self.stones % 8] + str(1 + self.stones // 8)
            self.stones += 1
        if words[0] in self.commands:
            say(f"={number} {answers.get(words[0], '')}\n")
            if self.way == "double" and words[0] == "genmove":
                say(f"={number} A1\n")
        else:
            say(f"?{number} unknown command\n")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[2] not in WAYS.get(sys.argv[1], []):
        sys.exit(f"usage: {sys.argv[0]} PROTOCOL WAY: {WAYS}")
    engine = {"xboard": Xboard, "gtp": Gtp}[sys.argv[1]](sys.argv[2])
    for text in iter(sys.stdin.readline, ""):
        if text.strip() == "quit" or text.strip().endswith(" quit"):
            break
        engine.hear(text.strip())
