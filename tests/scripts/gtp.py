"""An engine of Go that is spoken to over GTP."""

import subprocess
import sys


class Engine:
    def __init__(self, command, options=()):
        """Starts the command; each option is `NAME=VALUE`."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for option in options:
            name, value = option.split("=", 1)
            self.ask(f"lz-setoption name {name} value {value}")

    def ask(self, line):
        """The response without its mark.

        Raises ValueError with what the engine says when it refuses."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        text = ""
        for part in iter(self.process.stdout.readline, "\n"):
            if not part:
                sys.exit(f"{line}: the engine ended")
            text += part
        if not text.startswith("="):
            raise ValueError(f"{line}: {text.strip()}")
        return text[1:].strip()
