#!/usr/bin/env python3
"""Stands between a manager and a sound engine, and plants one fault: that of the finding of `sanqi check` with this id.
`none` plants nothing.

    faulty.py PROTOCOL FAULT ENGINE [ARGUMENT...]
    faulty.py PROTOCOL        lists the faults that can be planted in it"""

import os
import re
import subprocess
import sys
import threading
import time


class Proxy:
    """The engine's process, and what was last said to it."""

    def __init__(self, command):
        self.engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.position = ""
        self.go = ""
        self.command = ""
        # The last line of each verb.
        self.sent = {}
        self.go_at = 0.0
        self.stop_at = 0.0
        self.searching = False
        self.counts = {}

    def say(self, line):
        sys.stdout.buffer.write(line.encode() + b"\n")
        sys.stdout.buffer.flush()

    def send(self, data):
        try:
            self.engine.stdin.write(data)
            self.engine.stdin.flush()
        except OSError:
            pass

    def nth(self, what):
        """How often this was asked, from 1."""
        self.counts[what] = self.counts.get(what, 0) + 1
        return self.counts[what]

    def end(self, code):
        """Ends both processes at once."""
        if self.engine.poll() is None:
            self.engine.kill()
        sys.stdout.flush()
        os._exit(code)


# Faults in what reaches the engine: each gets a line without its end and gives what the engine gets, or None.

def dies_at(*words):
    def fault(proxy, line):
        if any(word in line for word in words):
            proxy.end(1)
        return line
    return fault


def dies_if(condition):
    def fault(proxy, line):
        if condition(proxy, line):
            proxy.end(1)
        return line
    return fault


def replaced(pattern, by):
    return lambda _, line: re.sub(pattern, by, line)


def dropped(condition):
    return lambda proxy, line: None if condition(proxy, line) else line


def waiting(seconds, condition):
    def fault(proxy, line):
        if condition(proxy, line):
            time.sleep(seconds)
        return line
    return fault


def idle_bestmove(proxy, line):
    if line == b"stop" and not proxy.searching:
        proxy.say("bestmove e2e4")
    return line


def idle_move(proxy, line):
    if line == b"?" and not proxy.searching:
        proxy.say("move e2e4")
    return line


def every_other_shallow(proxy, line):
    if line == b"go depth 5" and proxy.nth("depth") % 2 == 0:
        return b"go depth 3"
    return line


def quit_ignored(proxy, line):
    return None if line == b"quit" else line


def bad_exit(proxy, line):
    if line == b"quit":
        proxy.end(3)
    return line


# In every protocol.
SURVIVAL = {
    "long-line": dies_if(lambda _, line: len(line) > 60_000),
    "not-utf8": dies_at(b"\xff"),
    "unknown-command": dies_at(b"xyzzy"),
    "empty-line": dies_if(lambda _, line: not line.strip()),
    "crlf": dropped(lambda _, line: line.endswith(b"\r")),
    "quit-ignored": quit_ignored,
    "slow-quit": waiting(1.4, lambda _, line: line == b"quit"),
    "bad-exit": bad_exit,
}

CONVERSATION_TO = {
    **SURVIVAL,
    "crash": dies_at(b"isready"),
    "slow-readyok": waiting(0.08, lambda _, line: line == b"isready"),
    "readyok-in-search": dropped(lambda proxy, line: line == b"isready" and proxy.searching),
    "negative-clock": dropped(lambda _, line: b"time -" in line),
    "depth-ignored": replaced(rb"^go depth 4", b"go depth 6"),
    "nodes-ignored": replaced(rb"^go nodes (\d+)", rb"go nodes \g<1>0"),
    "nondeterministic": every_other_shallow,
    "idle-bestmove": idle_bestmove,
    "stop-ignored": dropped(lambda _, line: line == b"stop"),
    "stop-lost": dropped(lambda proxy, line: line == b"stop" and time.monotonic() - proxy.go_at < 0.02),
    "infinite-ends": replaced(rb"^go (depth )?infinite", b"go depth 3"),
    "ponder-ends": replaced(rb"^go ponder", b"go"),
    "ponderhit-ignored": dropped(lambda _, line: line == b"ponderhit"),
    "long-game": dies_if(lambda _, line: line.count(b" ") > 300),
    "new-game": dies_if(lambda proxy, line: b"newgame" in line and proxy.nth("newgame") == 2),
    "bad-fen": dies_at(b"nonsense"),
    "bad-history": dies_at(b"zz99"),
}

UCI_TO = {
    **CONVERSATION_TO,
    "option-breaks": dies_at(b"Hash value 64"),
    "searchmoves-ignored": replaced(rb" searchmoves.*", b""),
    "mate-ignored": replaced(rb"^go mate.*", b"go infinite"),
    "chess960-position": dies_at(b"e1h1"),
}

UCCI_TO = {
    **CONVERSATION_TO,
    "option-breaks": dies_at(b"hashsize 64"),
    "banmoves-ignored": dropped(lambda _, line: line.startswith(b"banmoves")),
}


def after(command, pattern, by):
    """Replaces a command that follows another."""
    return lambda proxy, line: re.sub(pattern, by, line) if proxy.command == command else line


GTP_TO = {
    **SURVIVAL,
    "crash": dies_at(b"known_command"),
    "no-answer": dropped(lambda _, line: line.startswith(b"known_command")),
    "slow-readyok": waiting(0.08, lambda _, line: line == b"protocol_version"),
    "not-refused": replaced(rb"^no-such-command", b"name"),
    "comment": replaced(rb"^protocol_version #", b"protocol_versions"),
    "no-bestmove": dropped(lambda _, line: line.startswith(b"genmove")),
    "new-game": replaced(rb"^komi -", b"komi minus"),
    "bad-size": replaced(rb"^boardsize 1000", b"boardsize 19"),
    "ended-position": after("play w pass", rb"^genmove b", b"genmove x"),
    "legal-refused": replaced(rb"^play w pass", b"play w x"),
    "illegal-accepted": after("play w j9", rb"^play b d4", b"komi 7.5"),
    "ko-accepted": after("play w c4", rb"^play b d4", b"komi 7.5"),
    "undo": replaced(rb"^undo", b"name"),
}

XBOARD_TO = {
    **SURVIVAL,
    "crash": dies_at(b"protover"),
    "slow-readyok": waiting(0.08, lambda _, line: line.startswith(b"ping")),
    "no-readyok": dropped(lambda _, line: line.startswith(b"ping")),
    "no-bestmove": dropped(lambda _, line: line == b"go"),
    "depth-ignored": replaced(rb"^sd 3", b"sd 6"),
    "idle-bestmove": idle_move,
    "move-now": dropped(lambda _, line: line == b"?"),
    "long-game": dies_if(lambda proxy, line: line.startswith(b"usermove") and proxy.nth("moves") > 350),
    "new-game": dies_if(lambda proxy, line: line == b"new" and proxy.nth("new") == 2),
    "force-ignored": dropped(lambda _, line: line == b"force"),
    "legal-refused": replaced(rb"^usermove e7e5", b"usermove e7e4"),
    "not-refused": dropped(lambda _, line: line == b"usermove e2e5"),
    "undo": dropped(lambda _, line: line == b"undo"),
    "bad-fen": dies_at(b"nonsense"),
}


# Faults in what the engine says: each gets a line and gives the lines that the manager gets.

def without(pattern):
    return lambda _, line: [] if re.search(pattern, line) else [line]


def altered(pattern, by):
    return lambda _, line: [re.sub(pattern, by, line)]


def before(pattern, *extra):
    """More lines before the first that matches."""
    return lambda _, line: [*extra, line] if re.search(pattern, line) else [line]


def delayed(pattern, seconds, condition=lambda proxy: True):
    def fault(proxy, line):
        if re.search(pattern, line) and condition(proxy):
            time.sleep(seconds)
        return [line]
    return fault


def at(position, pattern, by):
    """Alters lines about positions that have this in them alone."""
    return lambda proxy, line: [re.sub(pattern, by, line) if position in proxy.position else line]


def negated(_, line):
    def turn(match):
        number = int(match.group(2))
        return f"score {match.group(1)}{-number}"
    return [re.sub(r"score (cp |mate |)(-?\d+)", turn, line)]


def promotes_loudly(_, line):
    return [re.sub(r"^(bestmove \S{4})([qrbn])", lambda m: m.group(1) + m.group(2).upper(), line)]


def is_go(*words):
    return lambda proxy: any(word in proxy.go for word in words)


KNIGHTS = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3"

CONVERSATION_FROM = {
    "no-handshake": without(r"^ucc?iok"),
    "slow-handshake": delayed(r"^ucc?iok", 5.2),
    "no-name": without(r"^id name"),
    "no-author": without(r"^id author"),
    "missing-option": without(r"^option name Hash|^option hashsize"),
    "no-readyok": without(r"^readyok"),
    "no-bestmove": without(r"^(no)?bestmove"),
    "flag": delayed(r"^bestmove", 0.4, is_go("time 300", "time 200")),
    "short-flag": delayed(r"^bestmove", 0.15, is_go("time 60 ")),
    "spendthrift": delayed(r"^bestmove", 0.7, is_go("movestogo 40")),
    "slow-stop": delayed(r"^bestmove", 0.3, lambda proxy: proxy.stop_at > 0),
    "second-bestmove": lambda _, line: [line, line] if line.startswith("bestmove") else [line],
    "illegal-ponder": altered(r"^(bestmove \S+).*", r"\1 ponder e1e8"),
    "illegal-move": altered(r"^bestmove \S+", "bestmove e2e5"),
    "malformed-info": altered(r" score (cp )?(-?\d+)", r" score high \2"),
    "no-score": altered(r" score (\w+ )?-?\d+", ""),
    "illegal-pv": altered(r" pv (\S+)", r" pv \1 \1"),
    "falling-count": lambda proxy, line: [re.sub(r" nodes \d+", " nodes 1", line) if proxy.nth("info") % 2 else line],
    "wrong-time": altered(r" time (\d+)", r" time 9\g<1>000"),
    "wrong-sign": negated,
}

UCI_FROM = {
    **CONVERSATION_FROM,
    "malformed-option": altered(r"^option name Hash type spin", "option name Hash type number"),
    "bad-default": altered(r"(option name Hash .*)default \d+ min 1 ", r"\1default 0 min 1 "),
    "duplicate-option": before(r"^uciok", "option name Same type check default true",
                               "option name same type check default true"),
    "wide-option": before(r"^uciok", "option name Wide type spin default 1 min 0 max 99999999999"),
    "combo-blank": before(r"^uciok", "option name Style type combo default Calm var Calm var Very Wild"),
    "movetime-ignored": delayed(r"^bestmove", 0.7, is_go("movetime")),
    "movetime-overrun": delayed(r"^bestmove", 0.15, is_go("movetime")),
    "odd-move": promotes_loudly,
    "misses-mate": altered(r"^bestmove (a1a|a8a)[18]", r"bestmove \g<1>4"),
    "ended-position": altered(r"^bestmove \(none\)", "bestmove a7a6"),
    "long-pv": at("startpos", r" pv .*", " pv " + KNIGHTS),
    "pv-mismatch": at("startpos", r"^bestmove \S+", "bestmove a2a4"),
    "wrong-nps": altered(r" nps (\d+)", r" nps \g<1>0"),
    "false-mate": altered(r" mate [23]", " mate 1"),
    "mate-unseen": altered(r" mate (-?)\d+", r" cp \g<1>600"),
    "repetition-unseen": at("6k1/RRQ", r" score cp \S+", " score cp 900"),
    "repetition-loses": at("R2k5/9", r"^bestmove .*", "bestmove a8a9"),
    "chess960-castling": altered(r"^bestmove b1a1", "bestmove b1c1"),
}

UCCI_FROM = {
    **CONVERSATION_FROM,
    "malformed-option": altered(r"^option hashsize type spin", "option hashsize type number"),
    "bad-default": altered(r"^(option hashsize .*) default \d+", r"\1 default -1"),
    "duplicate-option": before(r"^ucciok", "option same type check default true", "option same type check default true"),
    "repetition-loses": at("R2k5/9", r"^bestmove .*", "bestmove a8a9"),
    "no-bye": without(r"^bye"),
}


def answered(command, pattern, by):
    """Alters the answer to a command alone."""
    return lambda proxy, line: [re.sub(pattern, by, line)] if proxy.command.startswith(command) else [line]


GTP_FROM = {
    "no-handshake": without(r"^="),
    "slow-handshake": delayed(r"^=", 5.2, lambda proxy: proxy.command == "list_commands"),
    "no-name": answered("name", r"^= .*", "= "),
    "other-version": answered("protocol_version", r"^= 2", "= 1"),
    "required-command": lambda proxy, line: [] if line.endswith("komi") else
        [line.replace("true", "false") if proxy.command == "known_command komi" else line],
    "known-command": answered("known_command", "true", "false"),
    "stray-output": before(r"^=", "thinking about it"),
    "no-blank-line": without(r"^$"),
    "id-lost": altered(r"^([=?])\d+", r"\1"),
    "no-clock": without(r"time_left$"),
    "flag": delayed(r"^=", 1.3, lambda proxy: proxy.command.startswith("genmove")),
    "illegal-move": answered("genmove", r"^= .*", "= Z99"),
    "final-score": answered("final_score", r"^= .*", "= Black wins"),
    "wrong-sign": answered("final_score", r"^= B", "= W"),
}

XBOARD_FROM = {
    "no-features": without(r"^feature"),
    "slow-handshake": delayed(r"^feature.* done=1", 5.2),
    "no-done": altered(r" done=[01]", ""),
    "no-name": altered(r'myname="[^"]*"', ""),
    "missing-feature": altered(r"usermove=1", "usermove=0"),
    "second-bestmove": lambda _, line: [line, line] if line.startswith("move") else [line],
    "flag": delayed(r"^move", 1.5),
    "short-flag": delayed(r"^move", 0.2, lambda proxy: proxy.sent.get("time") == "time 8"),
    "movetime-ignored": delayed(r"^move", 0.8, lambda proxy: "st" in proxy.sent),
    "movetime-overrun": delayed(r"^move", 0.25, lambda proxy: "st" in proxy.sent),
    "slow-stop": delayed(r"^move", 0.5),
    "illegal-move": altered(r"^move .*", "move e2e5"),
    "misses-mate": altered(r"^move (a1a|a8a)[18]", r"move \g<1>4"),
    "no-score": without(r"^\d+ "),
    "illegal-pv": altered(r"^((\d+ -?\d+ \d+ \d+) ).*", r"\1e2e5 e7e5"),
    "wrong-sign": lambda _, line: [re.sub(r"^(\d+) (-?\d+)", lambda m: f"{m.group(1)} {-int(m.group(2))}", line)],
}

# Faults of each protocol: in what reaches the engine, and in what comes from it.
FAULTS = {
    "uci": (UCI_TO, UCI_FROM),
    "ucci": (UCCI_TO, UCCI_FROM),
    "gtp": (GTP_TO, GTP_FROM),
    "xboard": (XBOARD_TO, XBOARD_FROM),
}


def from_engine(proxy, change, fault):
    """Passes on what the engine says, and ends with it."""
    for data in proxy.engine.stdout:
        line = data.decode(errors="replace").rstrip("\r\n")
        lines = change(proxy, line)
        if re.match("(no)?bestmove|move ", line):
            proxy.searching = False
        for changed in lines:
            proxy.say(changed)
    if fault != "quit-ignored" and (fault != "eof-ignored" or proxy.command == "quit"):
        proxy.end(proxy.engine.wait())


def to_engine(proxy, change):
    """Passes on what the manager says."""
    for data in sys.stdin.buffer:
        line = data.removesuffix(b"\n")
        changed = change(proxy, line)
        text = line.decode(errors="replace")
        if text.startswith("position"):
            proxy.position = text
        elif text.startswith("go"):
            proxy.go, proxy.go_at, proxy.stop_at, proxy.searching = text, time.monotonic(), 0.0, True
        elif text == "stop":
            proxy.stop_at = time.monotonic()
        proxy.command = text
        proxy.sent[text.split(" ")[0]] = text
        if changed is not None:
            proxy.send(changed + b"\n")


def main():
    tables = FAULTS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    if tables is None:
        sys.exit(__doc__)
    known = ["eof-ignored", *tables[0], *tables[1]]
    if len(sys.argv) == 2:
        print("\n".join(sorted(known)))
        return
    fault = sys.argv[2]
    if fault not in ["none", *known] or len(sys.argv) < 4:
        sys.exit(__doc__)
    proxy = Proxy(sys.argv[3:])
    outward = tables[1].get(fault, lambda _, line: [line])
    listener = threading.Thread(target=from_engine, args=(proxy, outward, fault), daemon=True)
    listener.start()
    to_engine(proxy, tables[0].get(fault, lambda _, line: line))
    if fault in ("eof-ignored", "quit-ignored"):
        time.sleep(60)
    proxy.engine.stdin.close()
    proxy.end(proxy.engine.wait())


if __name__ == "__main__":
    main()
