"""Prints random chess positions as python-chess sees them, for tests/chess_crosscheck.rs.

Usage: chess_positions.py POSITIONS SEED

One line a position, tab-separated: the move that led here (or `new` after a jump), `960` or `std`, the FEN
(Shredder letters in Chess960), in check (0 or 1), how the game ends here, the legal moves in coordinates
(castling as king takes rook in Chess960), and every fourth time the same moves in algebraic notation.
"""

import random
import sys

import chess


def ending(board):
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "dead"
    return "-"


def random_ending(rng):
    """A valid position of a few random pieces: promotions and mates are near."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), rng.randint(3, 9))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, True))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, False))
        for square in squares[2:]:
            kind = rng.choice([1, 1, 1, 2, 3, 4, 5])
            board.set_piece_at(square, chess.Piece(kind, rng.random() < 0.5))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board


def show(board, origin, number):
    moves = sorted(board.legal_moves, key=lambda move: move.uci())
    fen = board.shredder_fen() if board.chess960 else board.fen()
    fields = [origin, "960" if board.chess960 else "std", fen, str(int(board.is_check())), ending(board)]
    fields.append(" ".join(move.uci() for move in moves))
    fields.append(" ".join(board.san(move) for move in moves) if number % 4 == 0 else "")
    print("\t".join(fields))
    return moves


def main():
    wanted, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    number = 0
    game = 0
    while number < wanted:
        game += 1
        if game % 3 == 0:
            board = chess.Board.from_chess960_pos(rng.randrange(960))
        elif game % 3 == 1:
            board = chess.Board()
        else:
            board = random_ending(rng)
        origin = "new"
        for _ in range(rng.randint(20, 160)):
            moves = show(board, origin, number)
            number += 1
            if not moves or number >= wanted or board.is_insufficient_material():
                break
            # Captures and pawn moves a little more often than chance: they lead to more kinds of positions.
            lively = [m for m in moves if board.is_zeroing(m)]
            move = rng.choice(lively if lively and rng.random() < 0.3 else moves)
            origin = move.uci()
            board.push(move)


main()
