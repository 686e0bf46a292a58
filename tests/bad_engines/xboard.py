#!/usr/bin/env python3
"""Makes an engine that speaks UCI speak XBoard's protocol, for chess: its arguments are the command of the engine."""

import subprocess
import sys
import threading


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Adapter:
    def __init__(self, command):
        self.engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.heard = threading.Condition()
        self.complaint = ""
        self.ready = False
        self.thinking = False
        self.discard = False
        self.fen, self.moves, self.force = None, [], False
        self.limit = {}
        threading.Thread(target=self.listen, daemon=True).start()
        self.send("uci")
        self.settle()

    def send(self, line):
        try:
            self.engine.stdin.write(line + "\n")
            self.engine.stdin.flush()
        except OSError:
            pass

    def listen(self):
        for line in self.engine.stdout:
            words = line.split()
            with self.heard:
                if line.startswith("info string position:"):
                    self.complaint = line
                elif words[:1] == ["readyok"]:
                    self.ready = True
                elif words[:1] == ["bestmove"]:
                    self.thinking = False
                    if not self.discard and words[1] != "(none)":
                        self.moves.append(words[1])
                        say("move " + words[1])
                elif words[:1] == ["info"] and "score" in words and "pv" in words and not self.discard:
                    self.post(words)
                self.heard.notify_all()

    def post(self, words):
        def after(name):
            return words[words.index(name) + 1] if name in words else "0"
        kind, value = words[words.index("score") + 1], int(words[words.index("score") + 2])
        score = value if kind == "cp" else (100_000 if value > 0 else -100_000) + value
        pv = " ".join(words[words.index("pv") + 1:])
        say(f"{after('depth')} {score} {int(after('time')) // 10} {after('nodes')} {pv}")

    def settle(self):
        """Waits until the engine has done all its work; returns its complaints."""
        with self.heard:
            self.complaint, self.ready = "", False
        self.send("isready")
        with self.heard:
            self.heard.wait_for(lambda: self.ready)
            return self.complaint

    def halt(self):
        """Ends a search without a move."""
        with self.heard:
            if self.thinking:
                self.discard = True
                self.send("stop")
                self.heard.wait_for(lambda: not self.thinking)
            self.discard = False

    def place(self):
        start = f"fen {self.fen}" if self.fen else "startpos"
        self.send(f"position {start}" + (" moves " + " ".join(self.moves) if self.moves else ""))
        return self.settle()

    def go(self):
        self.place()
        limit = self.limit
        words = "go"
        if "st" in limit:
            words += f" movetime {1000 * limit['st']}"
        elif "time" in limit:
            words += "".join(f" {side}time {10 * limit['time']} {side}inc {limit['increment']}" for side in "wb")
            words += f" movestogo {limit['moves']}" if limit["moves"] else ""
        if "sd" in limit:
            words += f" depth {limit['sd']}"
        self.thinking = True
        self.send(words if words != "go" else "go movetime 200")

    def user_move(self, move):
        self.moves.append(move)
        if self.place():
            self.moves.pop()
            say(f"Illegal move: {move}")
        elif not self.force:
            self.go()

    def command(self, words):
        verb, rest = words[0], words[1:]
        if verb == "protover":
            say('feature done=0 myname="Adapter" ping=1 setboard=1 usermove=1 sigint=0 sigterm=0')
            say("feature colors=0 analyze=0 done=1")
        elif verb == "new":
            self.halt()
            self.fen, self.moves, self.force, self.limit = None, [], False, {}
            self.send("ucinewgame")
        elif verb == "force":
            self.halt()
            self.force = True
        elif verb == "go":
            self.force = False
            self.go()
        elif verb == "?":
            if self.thinking:
                self.send("stop")
        elif verb == "usermove" and rest:
            self.user_move(rest[0])
        elif verb in ("undo", "remove"):
            del self.moves[-1 if verb == "undo" else -2:]
        elif verb == "setboard":
            old, self.fen, self.moves = (self.fen, self.moves), " ".join(rest), []
            if not rest or self.place():
                self.fen, self.moves = old
                say("tellusererror Illegal position")
        elif verb == "ping" and rest:
            say("pong " + rest[0])
        elif verb in ("st", "sd", "time"):
            self.limit[verb] = int(rest[0])
        elif verb == "level":
            minutes, _, seconds = rest[1].partition(":")
            self.limit = {"moves": int(rest[0]), "time": 6000 * int(minutes) + 100 * int(seconds or 0),
                          "increment": int(1000 * float(rest[2]))}
        elif verb not in ("xboard", "accepted", "rejected", "easy", "hard", "post", "nopost", "random", "otim", "result",
                          "computer", "name", "rating"):
            say(f"Error (unknown command): {verb}")

    def run(self):
        for data in sys.stdin.buffer:
            words = data.decode(errors="replace").split()
            if words[:1] == ["quit"]:
                break
            if words:
                self.command(words)
        self.send("quit")
        self.engine.wait()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} ENGINE [ARGUMENT...]")
    Adapter(sys.argv[1:]).run()
