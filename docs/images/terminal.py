#!/usr/bin/env python3
"""Draws a terminal session as SVG: terminal.py OUT.svg LINES COMMAND [INPUT…] keeps the last LINES lines.

The command runs in a terminal of its own, and each INPUT is typed once it waits for one.
"""
import os
import pty
import re
import select
import sys
from xml.sax.saxutils import escape

out, lines, command, *typed = sys.argv[1:]
words = command.split()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(words[0], words)
text = ""
while True:
    # Two quiet seconds mean that the program waits.
    if not select.select([terminal], [], [], 2)[0]:
        if not typed:
            break
        os.write(terminal, (typed.pop(0) + "\n").encode())
        continue
    try:
        text += os.read(terminal, 65536).decode()
    except OSError:
        break
os.kill(pid, 9)
text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")
shown = (f"$ {command}\n{text}").rstrip().split("\n")[-int(lines):]
width, height = 9 * max(map(len, shown)) + 32, 19 * len(shown) + 28
with open(out, "w", encoding="utf-8") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n')
    file.write('<rect width="100%" height="100%" rx="8" fill="#1c1f24"/>\n')
    file.write('<g font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="15" fill="#dfe3e8">\n')
    for at, line in enumerate(shown):
        file.write(f'<text x="16" y="{28 + 19 * at}" xml:space="preserve" textLength="{9 * len(line)}">{escape(line)}</text>\n')
    file.write("</g>\n</svg>\n")
