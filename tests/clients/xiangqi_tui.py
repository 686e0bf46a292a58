#!/usr/bin/env python3
"""xiangqi_tui (crates.io) plays both sides with the engine in a pseudo-terminal, in UCI and in UCCI, by time, depth and
nodes. What passes between them is kept: every move is taken into the game, and the engine has nothing to complain of."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
PROGRAM = shutil.which("xiangqi_tui")
# Plies of a game, and how long it may take on a busy machine.
PLIES = 24
PATIENCE = 120


def settings(protocol, limit):
    lines = ["engine_threads=1", "engine_hash_mb=64", "book_cloud_enabled=0",
             "book_local_enabled=0", f"engine_protocol={protocol}", f"engine_search_limit={limit}",
             "engine_movetime_ms=100", "engine_search_depth=6", "engine_search_nodes=3000"]
    return "\n".join(lines) + "\n"


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def plies(traffic):
    """Moves of the game that the client has set up. It sends no moves with a position, so positions may come back."""
    positions = re.findall(r"^position fen (\S+ [wb])", traffic, re.M)
    return sum(before != after for before, after in zip(positions, positions[1:]))


def play(folder, protocol, limit):
    with open(os.path.join(folder, "xiangqi_tui.conf"), "w", encoding="utf-8") as file:
        file.write(settings(protocol, limit))
    asked, answered, script = (os.path.join(folder, name) for name in ("asked", "answered", "engine"))
    with open(script, "w", encoding="utf-8") as file:
        # The client kills the engine after each move, and waits until there is no writer any more.
        keep = "exec tee -a {} 2>/dev/null"
        file.write(f"#!/bin/bash\nexec {ENGINE} < <({keep.format(asked)}) > >({keep.format(answered)})\n")
    os.chmod(script, 0o755)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
    client = subprocess.Popen([PROGRAM], stdin=slave, stdout=slave, stderr=slave, cwd=folder, start_new_session=True,
                              env=dict(os.environ, TERM="xterm-256color", XIANGQI_ENGINE_PATH=script))
    os.close(slave)
    try:
        screen = b""

        def watch(seconds, until=lambda: False):
            """Takes in what is shown until something holds."""
            nonlocal screen
            end = time.time() + seconds
            while time.time() < end and not until():
                if select.select([master], [], [], 0.1)[0]:
                    try:
                        screen += os.read(master, 65536)
                    except OSError:
                        # The client has ended, and with it its end of the terminal.
                        break
            return until()

        assert watch(PATIENCE, lambda: b"FEN" in screen), screen[-500:]
        # A slash reaches the command line from anywhere; the two computers are switched on there.
        for keys in [b"/bai\r", b"/rai\r"]:
            os.write(master, keys)
            watch(0.5)
        watch(PATIENCE, lambda: plies(read(asked)) >= PLIES)
        os.write(master, b"\x03")
        watch(PATIENCE, lambda: client.poll() is not None)
    finally:
        client.kill()
        client.wait()
        os.close(master)
    traffic, answers = read(asked), read(answered)
    place = f"{protocol} {limit}:\n{traffic[-1500:]}\n{answers[-1500:]}"
    assert plies(traffic) >= PLIES, place
    assert f"go {limit} " in traffic, place
    # A position that the client sets up after a move is the one behind the move that it received.
    assert len(re.findall(r"^bestmove [a-i]\d[a-i]\d", answers, re.M)) >= PLIES, place
    # It offers levels that not every engine has.
    answers = answers.replace("info string no such option: Skill Level\n", "")
    assert not re.search(r"^(info (string|message)|nobestmove|bestmove \(none\))", answers, re.M), place
    assert re.search(r"^info .*\bnps \d+", answers, re.M), place
    assert protocol + "ok\n" in answers, place


def main():
    if PROGRAM is None:
        print("skipped: xiangqi_tui (cargo install xiangqi_tui)")
        return 77
    for protocol, limit in [("uci", "movetime"), ("ucci", "movetime"), ("ucci", "nodes"), ("uci", "depth")]:
        with tempfile.TemporaryDirectory() as folder:
            play(folder, protocol, limit)
    return 0


if __name__ == "__main__":
    sys.exit(main())
