//! Zobrist keys: random numbers that the compiler draws. <https://www.chessprogramming.org/Zobrist_Hashing>

use super::bitboard::Bitboard;
use super::types::{Piece, Square};
use crate::game::key::table;

const SEED: u64 = 0x5A4E_5149_C4E5_5001;

static PIECES: [[u64; 64]; 12] = table(SEED);
/// By the square of the rook that may castle.
static CASTLING: [[u64; 64]; 1] = table(SEED + 1);
/// By the file of the en passant square.
static EN_PASSANT: [[u64; 8]; 1] = table(SEED + 2);

/// Black to move.
pub const SIDE: u64 = table::<1, 1>(SEED + 3)[0][0];

#[inline(always)]
pub fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// The `number`-th piece of its kind and color, counted from 0: the sum over all is the material key.
#[inline(always)]
pub fn material(piece: Piece, number: u32) -> u64 {
    PIECES[piece.index()][number as usize & 63].rotate_left(32)
}

#[inline(always)]
pub fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, square| key ^ CASTLING[0][square.index()])
}

/// The en passant square, if the set has one.
#[inline(always)]
pub fn en_passant(square: Bitboard) -> u64 {
    if square.is_empty() { 0 } else { EN_PASSANT[0][square.first().file()] }
}
