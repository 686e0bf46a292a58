"""Uses an installed sanqi as people and programs do: try.py SIGNATURES COMMAND…

SIGNATURES is GAME=NODES,… for its benches, COMMAND starts it. What was tried is printed, one word each; what fails ends
it with exit code 1. Only what Python itself has is needed."""
import re
import subprocess
import sys
import urllib.request

signatures, command = sys.argv[1], sys.argv[2:]


def run(*args, given=""):
    done = subprocess.run([*command, *args], input=given.encode(), capture_output=True, timeout=900)
    if done.returncode != 0:
        sys.exit(f"{args}: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def game(name, line, begin, ask, answer, accept):
    """Plays six moves of a game with itself."""
    process = subprocess.Popen([*command, *line], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    moves = []

    def say(text):
        process.stdin.write(text + "\n")
        process.stdin.flush()

    say(begin)
    while len(moves) < 6:
        say(ask(moves))
        for reply in iter(process.stdout.readline, ""):
            found = re.match(answer, reply)
            if found:
                moves.append(found[1])
                break
        else:
            sys.exit(f"{name}: the output ended after {moves}")
    say("quit")
    process.stdout.read()
    if process.wait(30) != 0 or not all(re.fullmatch(accept, move) for move in moves):
        sys.exit(f"{name}: exit code {process.returncode}, moves {moves}")
    print(name, end=" ", flush=True)


def search(moves):
    return f"position startpos{' moves ' * bool(moves)}{' '.join(moves)}\ngo nodes 2000"


def served():
    """The first page of the boards, from a port that is free."""
    process = subprocess.Popen([*command, "serve", "--port", "0", "--no-store"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    try:
        for line in process.stdout:
            address = re.search(r"http://\S+", line)
            if address:
                return urllib.request.urlopen(address[0], timeout=60).read().decode()
        sys.exit("serve: no address")
    finally:
        process.terminate()
        process.wait(30)


if not re.match(r"sanqi \d+\.\d+\.\d+", run("--version")):
    sys.exit("--version")
game("UCI", [], "uci", search, r"bestmove (\S+)", r"[a-h][1-8][a-h][1-8][qrbn]?")
game("UCCI", [], "ucci", search, r"bestmove (\S+)", r"[a-i]\d[a-i]\d")
game("GTP", ["gtp", "--option", "Max Visits=50"], "boardsize 9",
     lambda moves: f"genmove {'bw'[len(moves) % 2]}", r"= ?([A-J][1-9]|pass)", r"[A-J][1-9]|pass")
for signature in signatures.split(","):
    name, nodes = signature.split("=")
    if run("bench", name).split("\n")[-2].split(" ")[0] != nodes:
        sys.exit(f"bench {name} is not {nodes}")
print("bench", end=" ")
run("doctor")
print("doctor", end=" ")
if "<html" not in served():
    sys.exit("serve: no page")
print("serve", end=" ")
