"""Random games of xiangqi in the algebraic notation of pyffish: a number of games in, a game a line out, as its moves with
ranks from 1, with ranks from 0, and in coordinates, separated by tabs."""

import random
import re
import sys

try:
    import pyffish
except ImportError:
    sys.exit(77)

rng = random.Random(434)
start = pyffish.start_fen("xiangqi")
for game in range(int(sys.stdin.readline())):
    moves, texts = [], []
    for _ in range(rng.randrange(12, 120)):
        fen = pyffish.get_fen("xiangqi", start, moves)
        legal = pyffish.legal_moves("xiangqi", fen, [])
        if not legal:
            break
        move = rng.choice(legal)
        texts.append(pyffish.get_san("xiangqi", fen, move, False, pyffish.NOTATION_SAN))
        moves.append(move)
    from_one = " ".join(texts)
    from_zero = re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), from_one)
    print(from_one, from_zero, " ".join(moves), sep="\t")
