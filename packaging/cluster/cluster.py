#!/usr/bin/env python3
"""Spreads a match, or games for a trainer, over the machines of a Ray cluster. docs/CLUSTER.md has examples.

The work is cut into shards, more of them than there are machines; each is a task of Ray. The program and the files it
needs go to the machines as bytes, and what a shard has made comes back as bytes: no disk is shared. A shard whose
machine dies is played again elsewhere. A shard that is back is on disk before it counts: a run that is started again
plays only those that are missing.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
try:
    import ray
except ImportError:
    sys.exit("cluster.py needs Ray: pip install -r packaging/cluster/requirements.txt")

# Linux: a process asks for a signal at the death of its parent (prctl(2)).
PR_SET_PDEATHSIG = 1
# Lines of a failed command that are printed.
PRINTED_LINES = 5
# Where a shard writes, in its own folder.
OUT = "shard"
# Outputs that would be lost with that folder, and that the journal of the match has all of.
FROM_JOURNAL = ("pgnout", "pgn", "sgfout", "sgf", "report")
# The same that it does not have, and what this script says itself.
NOT_FOR_SHARDS = (*FROM_JOURNAL, "trace", "journal", "resume", "merge", "shard", "out")


@dataclass(frozen=True)
class File:
    """A file that the machines need."""

    content: bytes
    mode: int


@dataclass(frozen=True)
class Work:
    """What is cut into shards: `match`, `datagen` or `selfplay`, and the arguments it has everywhere."""

    command: str
    arguments: list[str]
    program: str
    shards: int
    cpus: int

    def shard(self, index: int) -> list[str]:
        """The command line of one shard, which writes into the folder `OUT`."""
        line = [f"./{self.program}", self.command, *self.arguments, "--shard", f"{index}/{self.shards}"]
        if self.command == "match":
            return [*line, "--journal", f"{OUT}/journal.jsonl"]
        if not any(word.split("=")[0] == "--threads" for word in self.arguments):
            line += ["--threads", str(self.cpus)]
        return [*line, "--out", OUT]


# On a machine of the cluster


def die_with(parent: int) -> None:
    """Has this process end when its parent dies, however that dies: Ray kills without asking."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        # It may have died before.
        if os.getppid() != parent:
            os._exit(1)


def lay_out(files: dict[str, File], folder: Path) -> None:
    """Writes the files into a folder."""
    for name, file in files.items():
        path = folder / name
        path.write_bytes(file.content)
        path.chmod(file.mode)


def call(line: list[str], folder: Path) -> str:
    """Runs a command in a folder; gives what it printed. Raises RuntimeError with the end of its messages."""
    parent = os.getpid()
    done = subprocess.run(line, cwd=folder, capture_output=True, encoding="utf-8", errors="replace",
                          preexec_fn=lambda: die_with(parent))
    if done.returncode != 0:
        lines = done.stderr.splitlines()
        # What is wrong with arguments stands before the help.
        wrong = [at for at, text in enumerate(lines) if text.startswith("error: ")]
        output = "\n".join(lines[wrong[0]:] if wrong else lines[-PRINTED_LINES:])
        raise RuntimeError(f"{' '.join(line)} ended with {done.returncode}:\n{output}")
    return done.stdout


def play(files: dict[str, File], line: list[str]) -> dict[str, bytes]:
    """Plays a shard in a folder of its own; gives the files that it made."""
    with tempfile.TemporaryDirectory(prefix="sanqi-") as name:
        folder = Path(name)
        lay_out(files, folder)
        (folder / OUT).mkdir()
        call(line, folder)
        return {path.name: path.read_bytes() for path in (folder / OUT).iterdir()}


# Here


def write(path: Path, content: bytes) -> None:
    """Writes a file, so that it is there as a whole or not at all."""
    unfinished = path.with_name(f".{path.name}.part")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


class Match:
    """The journals of the shards, and the one journal of the match in which they are merged."""

    def __init__(self, work: Work, files: dict[str, File], out: Path) -> None:
        self.work, self.files, self.out = work, files, out
        self.parts = out / "shards"
        self.journal = out / "journal.jsonl"
        self.result = ""
        self.parts.mkdir(parents=True, exist_ok=True)
        self.merge([self.part(index) for index in range(work.shards) if self.has(index)])

    def part(self, index: int) -> Path:
        return self.parts / f"{index}of{self.work.shards}.jsonl"

    def has(self, index: int) -> bool:
        """Whether a shard is back."""
        return self.part(index).exists()

    def keep(self, shards: dict[int, dict[str, bytes]]) -> None:
        """Takes in what shards have made."""
        for index, made in shards.items():
            write(self.part(index), made["journal.jsonl"])
        self.merge([self.part(index) for index in shards])

    def merge(self, parts: list[Path]) -> None:
        """Adds parts to the journal. `result` is what the match says then."""
        known = [self.journal] if self.journal.exists() else []
        if not parts:
            return
        # Files that the match needs are found by the names that they have on all machines.
        with tempfile.TemporaryDirectory(prefix="sanqi-") as name:
            lay_out(self.files, Path(name))
            merged = Path(name, "merged.jsonl")
            journals = [str(path.resolve()) for path in known + parts]
            line = [f"./{self.work.program}", "match", "--merge", *journals, "--journal", str(merged)]
            self.result = call(line, Path(name))
            write(self.journal, merged.read_bytes())

    def is_decided(self) -> bool:
        """Whether the sequential test has its answer."""
        return any(line.startswith("LLR ") and line.endswith(" accepted") for line in self.result.splitlines())


class Records:
    """The files of games for a trainer, a file a shard."""

    result = ""

    def __init__(self, work: Work, out: Path) -> None:
        self.work, self.out = work, out

    def has(self, index: int) -> bool:
        """Whether a shard is back."""
        return any(self.out.glob(f"*-{index}of{self.work.shards}.rec"))

    def keep(self, shards: dict[int, dict[str, bytes]]) -> None:
        """Takes in what shards have made."""
        for made in shards.values():
            for name, content in made.items():
                write(self.out / name, content)

    def is_decided(self) -> bool:
        """Records decide nothing."""
        return False


def finished(tasks: dict[ray.ObjectRef, int]) -> Iterator[dict[int, dict[str, bytes]]]:
    """Shards as they come back, several at a time if they do. Raises SystemExit if a shard's command failed."""
    while tasks:
        ray.wait(list(tasks), num_returns=1)
        ready, _ = ray.wait(list(tasks), num_returns=len(tasks), timeout=0)
        shards, failed = {}, None
        for task in ready:
            index = tasks.pop(task)
            try:
                shards[index] = ray.get(task)
            except ray.exceptions.RayError as error:
                failed = failed or f"shard {index}: {getattr(error, 'cause', error)}"
        # What is back is kept before the end.
        if shards:
            yield shards
        if failed:
            sys.exit(failed)


def spread(work: Work, files: dict[str, File], kept: Match | Records) -> None:
    """Plays the shards that are missing, until all are back or the match is decided."""
    remote: Callable = ray.remote(num_cpus=work.cpus, max_retries=-1)(play)
    everywhere = ray.put(files)
    missing = [index for index in range(work.shards) if not kept.has(index)]
    if kept.is_decided():
        missing = []
    tasks = {remote.remote(everywhere, work.shard(index)): index for index in missing}
    back = work.shards - len(missing)
    for shards in finished(tasks):
        kept.keep(shards)
        back += len(shards)
        print(f"{back} of {work.shards} shards", *kept.result.splitlines()[-2:], sep=", ", file=sys.stderr)
        if kept.is_decided():
            for task in tasks:
                ray.cancel(task, force=True)
            return


def read_files(paths: list[Path]) -> dict[str, File]:
    """The files by their names. Raises SystemExit when one cannot be read, or its name is taken."""
    files = {}
    for path in paths:
        if path.name == OUT:
            sys.exit(f"{path}: shards write into a folder that is called {OUT}")
        if path.name in files:
            sys.exit(f"{path}: another file is called {path.name}, too")
        try:
            files[path.name] = File(path.read_bytes(), path.stat().st_mode & 0o777)
        except OSError as error:
            sys.exit(f"{path}: {error.strerror}")
    return files


def claim(out: Path, work: Work, files: dict[str, File]) -> object:
    """Notes in a folder whose shards it has, and holds it as long as what it gives lives. Raises SystemExit when the
    folder has shards of another run, or another run holds it."""
    sums = {name: hashlib.sha256(file.content).hexdigest() for name, file in files.items()}
    run = json.dumps({**asdict(work), "files": sums}, indent=1).encode()
    note = out / "run.json"
    out.mkdir(parents=True, exist_ok=True)
    lock = (out / ".lock").open("w")
    try:
        if fcntl:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"{out}: another run writes there")
    has_shards = any(out.rglob("*.rec")) or any(out.rglob("*.jsonl"))
    if has_shards and not note.exists():
        sys.exit(f"{out}: games are there that this script has not fetched; choose another folder")
    if has_shards and note.read_bytes() != run:
        sys.exit(f"{out}: shards of another run are there, with other arguments or files: {note} has them")
    write(note, run)
    return lock


def options(words: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """What is meant for this script, and what for the command: all that follows `--`."""
    at = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(
        description="Spread a match, or games for a trainer, over a Ray cluster.",
        usage="%(prog)s match|datagen|selfplay --out DIR [options] -- ARGUMENTS OF THE COMMAND",
    )
    parser.add_argument("command", choices=["match", "datagen", "selfplay"], help="command of sanqi")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="what comes back; goes on where it was")
    parser.add_argument("--program", type=Path, default=Path("sanqi"), metavar="FILE", help="sanqi (default: ./sanqi)")
    parser.add_argument("--file", type=Path, action="append", default=[], metavar="FILE",
                        help="a file that the machines need: an engine, a net, openings; without its folders there")
    parser.add_argument("--shards", type=int, default=32, metavar="N", help="parts of the work (default: 32)")
    parser.add_argument("--cpus", type=int, default=1, metavar="N", help="processors that a shard takes (default: 1)")
    parser.add_argument("--address", help="of the cluster (default: RAY_ADDRESS, else this machine alone)")
    chosen = parser.parse_args(words[:at])
    if chosen.shards < 1 or chosen.cpus < 1:
        parser.error("--shards and --cpus are at least 1")
    for word in words[at + 1 :]:
        name = word.split("=")[0].lstrip("-")
        if word.startswith("-") and name in NOT_FOR_SHARDS:
            later = f": sanqi match --merge {chosen.out}/journal.jsonl --{name} FILE" if name in FROM_JOURNAL else ""
            parser.error(f"--{name} is not for shards{later}")
    return chosen, words[at + 1 :]


def main() -> None:
    """Runs the script."""
    chosen, arguments = options(sys.argv[1:])
    files = read_files([chosen.program, *chosen.file])
    work = Work(chosen.command, arguments, chosen.program.name, chosen.shards, chosen.cpus)
    try:
        lock = claim(chosen.out, work, files)
        kept = Match(work, files, chosen.out) if work.command == "match" else Records(work, chosen.out)
        # Ray reports machines that died on stdout, which is for the result.
        with contextlib.redirect_stdout(sys.stderr):
            ray.init(address=chosen.address, log_to_driver=False, logging_level="ERROR")
            spread(work, files, kept)
            ray.shutdown()
    except (RuntimeError, OSError) as error:
        sys.exit(f"cluster.py: {error}")
    except KeyboardInterrupt:
        sys.exit("cluster.py: interrupted; the same command goes on")
    lock.close()
    print(kept.result, end="")


if __name__ == "__main__":
    main()
