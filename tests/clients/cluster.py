#!/usr/bin/env python3
"""`packaging/cluster/cluster.py` on a cluster of three nodes, by Ray (PyPI): a match in 24 shards is played to its end though one
node is killed, at a random moment, with a shard at work on it. The games are those of one machine with the same seed,
none is lost and none is twice. A sequential test stops the shards that are left; records for a trainer are those of the
same shards on one machine; nothing is left running."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_DEDUP_LOGS"] = "0"
# By 15, as usual, the shards wait for whatever else runs.
os.environ["RAY_worker_niceness"] = "0"
# What a process of this test is known by, an orphan as well: another match may run on this machine.
MARK = f"SANQI_CLUSTER_TEST={os.getpid()}-{time.time_ns()}"
os.environ.update([MARK.split("=")])
try:
    import ray  # noqa: F401
    from ray.cluster_utils import Cluster
except ImportError as error:
    print("skipped: no", error.name)
    sys.exit(77)

if len(sys.argv) < 2:
    print(f"usage: {sys.argv[0]} ENGINE", file=sys.stderr)
    sys.exit(2)
ENGINE = os.path.abspath(sys.argv[1])
# How often a node is killed, each time in another match.
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 1
SHARDS = 24
STORE_BYTES = 100 << 20
PATIENCE_S = 600
# Ray gives a node thirty seconds to start, which a busy machine may not keep.
ATTEMPTS = 4


def players(nodes):
    """Two players that search a number of nodes, so that their games depend on nothing else."""
    each = ["--each", "option.Threads=1", "option.OwnBook=false"]
    name = "./" + os.path.basename(ENGINE)
    return each + [
        word for player, n in zip("AB", nodes) for word in ["--engine", f"cmd={name}", f"name={player}", f"nodes={n}"]
    ]


def start(address, command, out, arguments, shards=SHARDS):
    """Starts cluster.py."""
    line = [sys.executable, "packaging/cluster/cluster.py", command, "--address", address, "--program", ENGINE, "--out", out]
    line += ["--shards", str(shards), "--", *arguments]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end_of(process):
    """What cluster.py prints to both outputs."""
    out, remarks = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, f"{process.returncode}: {remarks}"
    return out, remarks


def games(journal):
    """Every game of a journal, without what depends on time."""
    lines = [json.loads(line) for line in Path(journal).read_text().splitlines()]
    found = [line["game"] for line in lines if "game" in line]
    keys = ["number", "round", "pair", "seats", "names", "opening", "ending"]
    kept = ["mv", "score", "nodes", "depth"]
    plies = lambda game: [[ply.get(key) for key in kept] for ply in game["plies"]]
    return sorted(([game[key] for key in keys], plies(game)) for game in found)


def parents():
    """The parent of every process, and its command line."""
    table = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                table[int(entry.name)] = parent, (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, ValueError):
            pass
    return table


def is_ours(process):
    """Whether a process was started by this test, directly or not."""
    try:
        return MARK.encode() in Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def at_work(ancestor, mark):
    """Processes of this test below `ancestor` whose command line has `mark` in it."""
    table = parents()

    def is_below(process):
        while process in table and process != ancestor:
            process = table[process][0]
        return process == ancestor

    return [process for process, (_, line) in table.items() if mark in line and is_below(process) and is_ours(process)]


def shards_of(node):
    """Waits until shards are at work on a node; gives their processes."""
    raylet = node.all_processes["raylet"][0].process.pid
    deadline = time.monotonic() + PATIENCE_S
    while not (shards := at_work(raylet, "--shard")):
        assert time.monotonic() < deadline, "no shard came to the node"
        time.sleep(0.02)
    return shards


def kill_one(cluster, node, about_s):
    """Kills a node with a shard at work on it, at a random moment of a match that takes `about_s` seconds."""
    shards_of(node)
    time.sleep(random.random() * about_s / 2)
    killed = len(shards_of(node))
    cluster.remove_node(node, allow_graceful=False)
    return killed


def the_match_survives(cluster, node, folder):
    """The match with a node that dies."""
    seed = random.randrange(1 << 32)
    arguments = ["--games", str(2 * SHARDS), "--seed", str(seed), "--maxmoves", "30", "--patience", "120"]
    arguments += players([1500, 1000])
    alone = os.path.join(folder, f"alone-{seed}.jsonl")
    begun = time.monotonic()
    # Where the program is, as on the machines of the cluster.
    subprocess.run([ENGINE, "match", *arguments, "--journal", alone], cwd=os.path.dirname(ENGINE), check=True,
                   capture_output=True)
    took = time.monotonic() - begun
    out = os.path.join(folder, f"spread-{seed}")
    begun = time.monotonic()
    process = start(cluster.address, "match", out, arguments)
    killed = kill_one(cluster, node, took)
    when = time.monotonic() - begun
    result, _ = end_of(process)
    expected, found = games(alone), games(os.path.join(out, "journal.jsonl"))
    assert [game[0][0] for game in found] == list(range(2 * SHARDS)), "games are lost, or there twice"
    for one, other in zip(expected, found):
        assert one == other, f"another game: {one}, {other}"
    assert result.startswith("A vs B: "), result
    print(f"seed {seed}: {2 * SHARDS} games as on one machine, which took {took:.0f} s; a node killed after "
          f"{when:.1f} s with {killed} shard(s) at work; {time.monotonic() - begun:.0f} s in all", flush=True)


def the_test_stops_all(cluster, folder):
    """A sequential test that is decided long before the last game."""
    out = os.path.join(folder, "test")
    arguments = ["--games", "400", "--maxmoves", "60", *players([2000, 1]), "--sprt", "elo0=0", "elo1=200"]
    result, remarks = end_of(start(cluster.address, "match", out, arguments, shards=200))
    assert "H1 accepted" in result, result
    played = len(games(os.path.join(out, "journal.jsonl")))
    assert played < 200, f"{played} games for a test that a few decide"
    again, _ = end_of(start(cluster.address, "match", out, arguments, shards=200))
    assert again == result and len(games(os.path.join(out, "journal.jsonl"))) == played, "it was decided"
    print(f"a test was decided by {played} of 400 games")


def records_are_the_same(cluster, folder):
    """Records for the trainers of chess and Go."""
    for command, arguments in [
        ("datagen", ["chess", "--games", "2", "--nodes", "200", "--seed", "7"]),
        ("selfplay", ["go", "--games", "1", "--sizes", "9:1", "--visits", "10", "--seed", "7"]),
    ]:
        out, alone = os.path.join(folder, command), os.path.join(folder, command + "-alone")
        end_of(start(cluster.address, command, out, arguments, shards=3))
        for shard in range(3):
            line = [ENGINE, command, *arguments, "--shard", f"{shard}/3", "--threads", "1", "--out", alone]
            subprocess.run(line, check=True, capture_output=True)
        read = lambda where: {path.name: path.read_bytes() for path in Path(where).glob("*.rec")}
        assert read(out) == read(alone) and len(read(out)) == 3, command
        print(f"{command}: {len(read(out))} files as on one machine")


def patiently(start):
    """What `start` makes, which may fail some times."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return start()
        except Exception as error:  # noqa: BLE001: Ray raises no other kind
            if attempt == ATTEMPTS:
                raise
            print("started again:", error)


def main():
    node = {"num_cpus": 1, "object_store_memory": STORE_BYTES}
    head = {**node, "include_dashboard": False}
    cluster = patiently(lambda: Cluster(initialize_head=True, head_node_args=head))
    add = lambda: patiently(lambda: cluster.add_node(**node))
    try:
        add()
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(RUNS):
                the_match_survives(cluster, add(), folder)
            the_test_stops_all(cluster, folder)
            records_are_the_same(cluster, folder)
    finally:
        cluster.shutdown()
    # A match takes up to ten seconds to end.
    deadline = time.monotonic() + 30
    while left := at_work(1, f"./{os.path.basename(ENGINE)} match") + at_work(os.getpid(), "--shard"):
        assert time.monotonic() < deadline, f"processes are left: {left}"
        time.sleep(0.1)


if __name__ == "__main__":
    main()
