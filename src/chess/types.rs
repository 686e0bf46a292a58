//! Squares, pieces and moves.
//!
//! Everything is a small `Copy` newtype over an index, so that tables are indexed without conversion
//! and a move fits in 16 bits.

use crate::game::Side;
use std::fmt::{self, Write};

/// White (moves first) or Black.
pub type Color = Side;

/// One of 64 squares: `a1 = 0`, `b1 = 1`, ... `h8 = 63`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with that index; bits above the sixth are ignored.
    #[inline(always)]
    pub const fn new(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// The square on `file` (0 = a) and `rank` (0 = first).
    #[inline(always)]
    pub const fn at(file: usize, rank: usize) -> Self {
        Self(((rank & 7) * 8 + (file & 7)) as u8)
    }

    /// `0..64`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask shows the compiler what `new` guarantees, so that tables of 64 need no bounds check.
        (self.0 & 63) as usize
    }

    /// `0..8`, the a-file is 0.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.index() & 7
    }

    /// `0..8`, White's first rank is 0.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.index() >> 3
    }

    /// The square seen from Black's side of the board: `a1` and `a8` change places.
    #[inline(always)]
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// The square as `color` sees it: unchanged for White, flipped for Black.
    #[inline(always)]
    #[must_use]
    pub const fn relative(self, color: Color) -> Self {
        Self(self.0 ^ (56 * color as u8))
    }

    /// Parses `e4`.
    pub const fn parse(text: &[u8]) -> Option<Self> {
        match text {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Self::at((*file - b'a') as usize, (*rank - b'1') as usize))
            }
            _ => None,
        }
    }

    pub const fn file_letter(self) -> char {
        (b'a' + self.file() as u8) as char
    }

    /// `1` to `8`.
    pub const fn rank_digit(self) -> char {
        (b'1' + self.rank() as u8) as char
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.file_letter())?;
        f.write_char(self.rank_digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a piece is, without its color. The order is that of increasing value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    /// All kinds, in order of their index.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// What a pawn may become, in the order of the two bits of [`Move`].
    pub const PROMOTIONS: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// `0..6`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind a FEN letter of either case stands for.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            b'p' => Self::Pawn,
            b'n' => Self::Knight,
            b'b' => Self::Bishop,
            b'r' => Self::Rook,
            b'q' => Self::Queen,
            b'k' => Self::King,
            _ => return None,
        })
    }

    /// The upper-case English letter, `P` to `K`.
    pub const fn letter(self) -> char {
        b"PNBRQK"[self as usize] as char
    }
}

/// A piece of a color. Its index is `6 * color + kind`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    #[inline(always)]
    pub const fn new(color: Color, kind: Kind) -> Self {
        Self(color as u8 * 6 + kind as u8)
    }

    /// `0..12`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind::ALL[(self.0 % 6) as usize]
    }

    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0 < 6 { Color::First } else { Color::Second }
    }

    /// The FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        if self.0 < 6 { letter } else { letter.to_ascii_lowercase() }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A move in 16 bits: from (6), to (6), promotion kind less knight (2), [`MoveType`] (2).
///
/// Castling is king takes own rook, in standard chess too, so that Chess960 is no special case.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u16);

/// The two top bits of a [`Move`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum MoveType {
    Normal,
    Promotion,
    EnPassant,
    Castling,
}

impl Move {
    /// The move of 16 zero bits, `a1a1`: legal in no position.
    pub const NONE: Self = Self(0);

    /// A move of a piece that changes nothing but its square, captures included.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Self {
        Self((from.index() | to.index() << 6) as u16)
    }

    /// A pawn's move to the last rank. `kind` is knight to queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: Kind) -> Self {
        Self((from.index() | to.index() << 6 | (kind.index() - 1) << 12 | 1 << 14) as u16)
    }

    /// A capture en passant; `to` is the square behind the captured pawn.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Self {
        Self((from.index() | to.index() << 6 | 2 << 14) as u16)
    }

    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self((king.index() | rook.index() << 6 | 3 << 14) as u16)
    }

    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// A move from any 16 bits.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::new(self.0 as usize)
    }

    /// Where the move ends; in castling the square of the rook.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6) as usize)
    }

    /// The two top bits.
    #[inline(always)]
    pub const fn move_type(self) -> MoveType {
        match self.0 >> 14 {
            0 => MoveType::Normal,
            1 => MoveType::Promotion,
            2 => MoveType::EnPassant,
            _ => MoveType::Castling,
        }
    }

    /// What a promotion makes of the pawn. Means something for promotions only.
    #[inline(always)]
    pub const fn promotion_kind(self) -> Kind {
        Kind::PROMOTIONS[(self.0 as usize >> 12) & 3]
    }

    /// Where the king and the rook of a castling move end: on the g- and f-, or the c- and d-file.
    #[inline(always)]
    pub const fn castling_targets(self) -> (Square, Square) {
        castling_targets(self.from(), self.to())
    }
}

/// Where king and rook stand after castling from these squares.
#[inline(always)]
pub(super) const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let home = king.index() & 56;
    if rook.index() > king.index() {
        (Square::new(home + 6), Square::new(home + 5))
    } else {
        (Square::new(home + 2), Square::new(home + 3))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.move_type() {
            MoveType::Promotion => write!(f, "{}", self.promotion_kind().letter().to_ascii_lowercase()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names() {
        assert_eq!(Square::parse(b"e4"), Some(Square::at(4, 3)));
        assert_eq!(Square::at(7, 7).to_string(), "h8");
        for bad in ["", "e", "e9", "i1", "e44", "E4"] {
            assert_eq!(Square::parse(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn moves_keep_their_parts() {
        let (from, to) = (Square::at(4, 6), Square::at(3, 7));
        for kind in Kind::PROMOTIONS {
            let mv = Move::promotion(from, to, kind);
            assert_eq!((mv.from(), mv.to(), mv.promotion_kind()), (from, to, kind));
            assert_eq!(mv.move_type(), MoveType::Promotion);
        }
        assert_eq!(Move::en_passant(from, to).move_type(), MoveType::EnPassant);
        assert_eq!(Move::normal(from, to).move_type(), MoveType::Normal);
        assert_eq!(Move::from_bits(Move::castling(from, to).bits()), Move::castling(from, to));
    }

    #[test]
    fn pieces_know_kind_and_color() {
        for color in [Color::First, Color::Second] {
            for kind in Kind::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(Kind::from_letter(piece.letter() as u8), Some(kind));
            }
        }
    }
}
