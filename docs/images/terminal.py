#!/usr/bin/env python3
"""Draws a terminal session as SVG, with its colors: terminal.py OUT.svg LINES COMMAND [INPUT…] keeps the last LINES lines.

The command runs in a terminal of its own, and each INPUT is typed once it waits for one.
"""
import os
import pty
import re
import select
import sys
import unicodedata
from xml.sax.saxutils import escape

INK, PAPER = "#dfe3e8", "#1c1f24"
BASIC = ["#2a2e35", "#e5534b", "#57ab5a", "#c69026", "#539bf5", "#b083f0", "#39c5cf", "#adbac7"]


def color(number):
    """A color of the palette of 256."""
    if number < 16:
        return BASIC[number % 8]
    if number >= 232:
        return "#" + f"{8 + 10 * (number - 232):02x}" * 3
    levels = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#" + "".join(f"{levels[part]:02x}" for part in (number // 36, number // 6 % 6, number % 6))


def cells(text):
    """Each line as (character, ink, paper)."""
    ink, paper, lines = INK, PAPER, [[]]
    for code, mark in re.findall(r"\x1b\[([0-9;?]*[A-Za-z])|([^\x1b])", text, re.S):
        if code.endswith("K"):
            lines[-1] = []
        elif code.endswith("m"):
            parts = [int(part or 0) for part in code[:-1].split(";")]
            while parts:
                part = parts.pop(0)
                if part == 0:
                    ink, paper = INK, PAPER
                elif part in (38, 48) and len(parts) > 1 and parts[0] == 5:
                    ink, paper = (color(parts[1]), paper) if part == 38 else (ink, color(parts[1]))
                    del parts[:2]
                elif 30 <= part < 38:
                    ink = BASIC[part - 30]
        elif mark == "\n":
            lines.append([])
        elif mark and mark not in "\r\x08\x07":
            lines[-1].append((mark, ink, paper))
    return lines


out, count, command, *typed = sys.argv[1:]
words = command.split()
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(words[0], words)
text = ""
while True:
    # Three quiet seconds mean that the program waits.
    if not select.select([terminal], [], [], 3)[0]:
        if not typed:
            break
        os.write(terminal, (typed.pop(0) + "\r").encode())
        continue
    try:
        text += os.read(terminal, 65536).decode("utf-8", "replace")
    except OSError:
        break
os.kill(pid, 9)
shown = [line for line in cells(text) if line][-int(count):]
wide = lambda mark: 2 if unicodedata.east_asian_width(mark) in "WF" else 1
width = 9 * max(sum(wide(mark) for mark, *_ in line) for line in shown) + 32
height = 19 * len(shown) + 28
with open(out, "w", encoding="utf-8") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n')
    file.write(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n')
    file.write('<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="15">\n')
    for row, line in enumerate(shown):
        x, y = 16, 28 + 19 * row
        for mark, ink, paper in line:
            if paper != PAPER:
                file.write(f'<rect x="{x}" y="{y - 14}" width="{9 * wide(mark)}" height="19" fill="{paper}"/>\n')
            if mark != " ":
                file.write(f'<text x="{x}" y="{y}" fill="{ink}">{escape(mark)}</text>\n')
            x += 9 * wide(mark)
    file.write("</g>\n</svg>\n")
