#!/usr/bin/env python3
"""XBoard plays two games with each of the engine's dialects: xiangqi over UCCI (by uci2wb, against
HoiXiangqi) and chess over UCI (by polyglot, against itself). The engine reads what XBoard saves of them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
GAMES = 2


def main():
    if len(sys.argv) < 2:
        print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
        return 2
    engine = os.path.abspath(sys.argv[1])
    missing = [tool for tool in ("xvfb-run", "xboard", "uci2wb", "polyglot", "hoixiangqi") if not shutil.which(tool)]
    if missing:
        print("not installed:", ", ".join(missing))
        return SKIPPED
    xiangqi = ["-variant", "xiangqi", "-fcp", f"uci2wb -x {engine}", "-fd", ".", "-scp", "hoixiangqi --xboard", "-sd", "."]
    adapter = 'polyglot -noini -ec "%fcp" -ed "%fd"'
    chess = ["-fUCI", "-sUCI", "-fcp", engine, "-fd", ".", "-scp", engine, "-sd", ".", "-adapterCommand", adapter]
    problems = check("xiangqi over UCCI", xiangqi, engine) + check("chess over UCI", chess, engine)
    print("\n".join(problems))
    return 1 if problems else 0


def check(what, flags, engine):
    """Plays the games; gives what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "games.pgn")
        command = ["xvfb-run", "-a", "xboard", "-noGUI", *flags, "-mg", str(GAMES), "-tc", "0:03", "-inc", "0.03",
                   "-sgf", record, "-xponder", "-popupExitMessage", "false", "-popupMoveErrors", "false"]
        try:
            subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=180, check=False)
        except subprocess.TimeoutExpired:
            return [f"{what}: the games did not end within three minutes"]
        if not os.path.exists(record):
            return [f"{what}: no game was saved"]
        with open(record, encoding="utf-8", errors="replace") as file:
            text = file.read()
        read = subprocess.run([engine, "analyze", record, "--nodes", "1"], capture_output=True, text=True, check=False)
    results = re.findall(r'\[Result "(.*?)"\]', text)
    print(f"{what}: {results}")
    problems = []
    if len(results) != GAMES or any(r not in ("1-0", "0-1", "1/2-1/2") for r in results):
        problems.append(f"{what}: results {results}")
    if read.returncode or len(re.findall(r" game \d+: ", read.stdout)) != GAMES:
        problems.append(f"{what}: the record cannot be read: {read.stderr}")
    # XBoard writes the reason of the end as the last comment.
    for ending in re.findall(r"\{([^{}]*)\}\s*(?:1-0|0-1|1/2-1/2|\*)", text):
        if re.search(r"illegal|forfeit|abort|exited|hang|disconnect|false", ending, re.IGNORECASE):
            problems.append(f"{what}: {' '.join(ending.split())}")
    return problems


if __name__ == "__main__":
    sys.exit(main())
