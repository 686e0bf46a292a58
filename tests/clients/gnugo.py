#!/usr/bin/env python3
"""Plays the engine against GNU Go over GTP; sgfmill keeps the board and counts.

Exit status: 0 when all went well, 1 when not, 77 when sgfmill or GNU Go is missing.

    tests/clients/gnugo.py [ENGINE] [--games N] [--sizes 9,13,19] [--level L] [--time FACTOR]

ENGINE is the engine's binary, by default $SANQI, or the newest one under target/. Every game must end by
two passes or resignation, without an illegal move (superko included), a loss on time or a hang, and the
engine must count it as sgfmill does.
"""

import argparse
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading
import time

try:
    from sgfmill import boards, common
except ImportError:
    print("skipped: sgfmill is not installed (pip install sgfmill)")
    sys.exit(77)

KOMI = 7.5
# How late an answer may come before the game is lost on time: this machine may be busy.
GRACE = 0.5
# How long anything may take that no clock limits.
PATIENCE = 120

# One clock a game, turn by turn. Seconds; the engine gets it in the words of each protocol. Of two games on each size
# byo-yomi, which lasts as long as there are moves, is played on the smallest.
CLOCKS = [
    ("absolute", 12.0),
    ("byoyomi", 2.0, 1.0, 3),
    ("canadian", 2.0, 5.0, 20),
    ("fischer", 6.0, 0.15),
    ("absolute", 12.0),
    ("fischer", 6.0, 0.15),
]


def require(condition, message):
    if not condition:
        raise AssertionError(message)


def find_engine():
    """The engine to test, or None."""
    if "SANQI" in os.environ:
        return os.environ["SANQI"]
    root = pathlib.Path(__file__).resolve().parents[2]
    built = [root / "sanqi", *(root / "target" / p / "sanqi" for p in ("release", "quick", "debug"))]
    built = [path for path in built if path.exists()]
    return str(max(built, key=lambda path: path.stat().st_mtime)) if built else None


class Player:
    """A GTP engine in a process of its own."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def ask(self, command, patience=PATIENCE):
        """The answer to a command; an error, a crash or a hang ends the test."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = []
        while True:
            try:
                line = self.lines.get(timeout=patience)
            except queue.Empty:
                raise AssertionError(f"{self.name} hangs at '{command}'") from None
            require(line is not None, f"{self.name} ended at '{command}'")
            if line == "" and answer:
                break
            if line:
                answer.append(line)
        require(answer[0].startswith("="), f"{self.name} refuses '{command}': {answer}")
        answer[0] = answer[0][1:].strip()
        return "\n".join(answer).strip()

    def quit(self):
        began = time.monotonic()
        self.ask("quit", 5)
        self.process.wait(5)
        require(time.monotonic() - began < 3, f"{self.name} is slow to quit")


class Clock:
    """The referee's clock of one side."""

    def __init__(self, kind, main, *rest):
        self.kind, self.main, self.rest = kind, main, rest
        self.left = main
        self.periods = rest[1] if kind == "byoyomi" else 0
        self.period_left, self.stones = (rest[0], rest[1]) if kind == "canadian" else (0.0, 0)

    def settings(self):
        numbers = " ".join(f"{x:g}" for x in (self.main, *self.rest))
        if self.kind == "absolute":
            return f"time_settings {self.main:g} 0 0"
        if self.kind == "canadian":
            return f"time_settings {numbers}"
        if self.kind == "byoyomi":
            return f"kgs-time_settings byoyomi {numbers}"
        return f"kata-time_settings fischer {numbers}"

    def time_left(self, color):
        if self.left > 0:
            return f"time_left {color} {self.left:.2f} 0"
        if self.kind == "byoyomi":
            return f"time_left {color} {self.rest[0]:g} {self.periods}"
        if self.kind == "canadian":
            return f"time_left {color} {self.period_left:.2f} {self.stones}"
        return f"time_left {color} 0 0"

    def spend(self, seconds):
        """Takes a move's time off; returns whether that much was left."""
        if self.kind == "fischer":
            self.left -= seconds
            late = -self.left
            self.left += self.rest[0]
            return late <= GRACE
        over = seconds - self.left
        self.left = max(0.0, -over)
        if over <= 0:
            return True
        if self.kind == "absolute":
            return over <= GRACE
        if self.kind == "byoyomi":
            while over > self.rest[0] + GRACE and self.periods > 0:
                over -= self.rest[0]
                self.periods -= 1
            return self.periods > 0
        self.period_left -= over
        self.stones -= 1
        late = -self.period_left
        if self.stones == 0:
            self.period_left, self.stones = self.rest
        return late <= GRACE


class Referee:
    """A board that knows what is illegal: suicide, and any repetition."""

    def __init__(self, size):
        self.size = size
        self.board = boards.Board(size)
        self.seen = {self.key()}

    def key(self):
        return tuple(sorted(self.board.list_occupied_points()))

    def play(self, color, text, who):
        vertex = common.move_from_vertex(text, self.size)
        if vertex is None:
            return
        require(self.board.get(*vertex) is None, f"{who} plays on a stone: {text}")
        self.board.play(*vertex, color)
        require(self.board.get(*vertex) == color, f"{who} commits suicide: {text}")
        require(self.key() not in self.seen, f"{who} repeats a position: {text}")
        self.seen.add(self.key())

    def score(self, dead):
        """Black's lead by area when the stones on these points are dead."""
        board = self.board.copy()
        for text in dead:
            row, col = common.move_from_vertex(text, self.size)
            board.board[row][col] = None
        return board.area_score() - KOMI


def result_text(lead):
    return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def play_game(engine, gnugo, size, engine_color, clock):
    """Plays one game; returns its report."""
    referee = Referee(size)
    players = {engine_color: engine, "w" if engine_color == "b" else "b": gnugo}
    for player in players.values():
        for command in (f"boardsize {size}", "clear_board", f"komi {KOMI}"):
            player.ask(command)
    engine.ask(clock.settings())
    passes, moves, longest, color = 0, 0, 0.0, "b"
    while passes < 2:
        require(moves < 3 * size * size, "the game does not end")
        player, other = players[color], players["w" if color == "b" else "b"]
        if player is engine:
            engine.ask(clock.time_left(color))
        began = time.monotonic()
        move = player.ask(f"genmove {color}").lower()
        took = time.monotonic() - began
        if player is engine:
            longest = max(longest, took)
            require(clock.spend(took), f"a loss on time at move {moves + 1}: {took:.2f} s, {vars(clock)}")
        if move == "resign":
            return f"{player.name} resigns after {moves} moves"
        referee.play(color, move, player.name)
        other.ask(f"play {color} {move}")
        passes = passes + 1 if move == "pass" else 0
        moves += 1
        color = "w" if color == "b" else "b"
    dead = engine.ask("final_status_list dead").split()
    score, theirs = engine.ask("final_score"), gnugo.ask("final_score")
    require(score == result_text(referee.score(dead)), f"{score} is not {result_text(referee.score(dead))}")
    # Seki and unplayed points are judged in more than one way: that is reported, and is no failure.
    differs = "" if theirs.split()[0] == score else f" (GNU Go: {theirs.split()[0]})"
    if differs:
        print(engine.ask("showboard"), f"\nsanqi: dead {' '.join(dead)}; seki", end=" ")
        print(*engine.ask("final_status_list seki").split(), end="; ")
        print("GNU Go: dead", *gnugo.ask("final_status_list dead").split())
    return f"{score}{differs} after {moves} moves, longest {longest:.2f} s, {len(dead)} dead stones"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", nargs="?", default=find_engine())
    parser.add_argument("--games", type=int, default=2, help="games on each size")
    parser.add_argument("--sizes", default="9,13,19")
    parser.add_argument("--level", type=int, default=1, help="level of GNU Go")
    parser.add_argument("--time", type=float, default=1.0, help="factor for the engine's time")
    args = parser.parse_args()
    gnugo_path = shutil.which("gnugo", path=os.environ.get("PATH", "") + ":/usr/games")
    if not gnugo_path:
        print("skipped: GNU Go is not installed (apt-get install gnugo)")
        return 77
    if not args.engine:
        print("skipped: the engine is not built")
        return 77
    gnugo_command = [gnugo_path, "--mode", "gtp", "--chinese-rules", "--positional-superko", "--forbid-suicide"]
    gnugo_command += ["--level", str(args.level), "--seed", "1"]
    game = 0
    for size in map(int, args.sizes.split(",")):
        for i in range(args.games):
            engine, gnugo = Player("sanqi", [args.engine, "gtp"]), Player("gnugo", gnugo_command)
            kind, main_time, *rest = CLOCKS[game % len(CLOCKS)]
            clock = Clock(kind, main_time * args.time, *rest)
            color = "bw"[i % 2]
            result = play_game(engine, gnugo, size, color, clock)
            print(f"{size}x{size}, {kind}, sanqi is {color}: {result}", flush=True)
            engine.quit()
            gnugo.quit()
            game += 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AssertionError as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
