import sys

import chess
import chess.engine

with chess.engine.SimpleEngine.popen_uci(sys.argv[1]) as engine:
    engine.configure({"Hash": 64, "Threads": 1})

    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    for line in engine.analyse(board, chess.engine.Limit(depth=8), multipv=2):
        print(line["score"], board.variation_san(line["pv"]))

    engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1300})
    print(board.san(engine.play(board, chess.engine.Limit(nodes=1000)).move))

    engine.configure({"UCI_LimitStrength": False})
    clock = chess.engine.Limit(white_clock=10, black_clock=10, white_inc=0.1, black_inc=0.1)
    print(board.san(engine.play(board, clock).move))
