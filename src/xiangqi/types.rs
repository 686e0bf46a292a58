//! Squares, pieces and moves.

use crate::game::Side;
use std::fmt;

/// Files of the board, `a` to `i` from Red's left.
pub const FILES: usize = 9;
/// Ranks of the board, 0 to 9 from Red's home rank.
pub const RANKS: usize = 10;
pub const SQUARES: usize = FILES * RANKS;

/// A point of the board: `rank * 9 + file`, always below 90.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(super) u8);

impl Square {
    /// The point with this index, if there is one.
    #[inline(always)]
    pub const fn new(index: usize) -> Option<Self> {
        if index < SQUARES { Some(Self(index as u8)) } else { None }
    }

    /// The point on `file` (0 to 8, from Red's left) and `rank` (0 to 9, from Red's home).
    pub const fn at(file: usize, rank: usize) -> Option<Self> {
        if file < FILES && rank < RANKS { Some(Self((rank * FILES + file) as u8)) } else { None }
    }

    /// 0 to 89.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 to 8, from Red's left.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    /// 0 to 9, from Red's home.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    /// The rank as `side` counts it: 0 is its own home rank.
    #[inline(always)]
    pub const fn rank_for(self, side: Side) -> usize {
        match side {
            Side::First => self.rank(),
            Side::Second => RANKS - 1 - self.rank(),
        }
    }

    /// The file as `side` counts it in Chinese notation, but from 0: from its own right hand.
    #[inline(always)]
    pub const fn file_for(self, side: Side) -> usize {
        match side {
            Side::First => FILES - 1 - self.file(),
            Side::Second => self.file(),
        }
    }

    /// Whether the point lies beyond the river for `side`.
    #[inline(always)]
    pub const fn is_across(self, side: Side) -> bool {
        self.rank_for(side) >= 5
    }

    /// The same point seen from the other side of the board.
    #[inline(always)]
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(((RANKS - 1 - self.rank()) * FILES + self.file()) as u8)
    }

    /// The point mirrored at the center file.
    #[inline(always)]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self((self.rank() * FILES + FILES - 1 - self.file()) as u8)
    }
}

impl fmt::Display for Square {
    /// ICCS: `a0` to `i9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A kind of piece, without its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// 帥 將
    General = 0,
    /// 仕 士
    Advisor = 1,
    /// 相 象
    Elephant = 2,
    /// 馬
    Horse = 3,
    /// 車
    Chariot = 4,
    /// 炮
    Cannon = 5,
    /// 兵 卒
    Soldier = 6,
}

impl Kind {
    /// Every kind, in the order of its index.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Horse,
        Self::Chariot,
        Self::Cannon,
        Self::Soldier,
    ];

    /// 0 to 6.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// How many of the kind a side starts with, hence can have.
    pub const fn max_count(self) -> u32 {
        match self {
            Self::General => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// The Red letter of FEN.
    pub const fn letter(self) -> char {
        match self {
            Self::General => 'K',
            Self::Advisor => 'A',
            Self::Elephant => 'B',
            Self::Horse => 'N',
            Self::Chariot => 'R',
            Self::Cannon => 'C',
            Self::Soldier => 'P',
        }
    }

    /// Reads a letter of FEN, WXF or algebraic notation, either case: `K/G A B/E/M N/H R C P/S`.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'K' | 'G' => Self::General,
            'A' => Self::Advisor,
            'B' | 'E' | 'M' => Self::Elephant,
            'N' | 'H' => Self::Horse,
            'R' => Self::Chariot,
            'C' => Self::Cannon,
            'P' | 'S' => Self::Soldier,
            _ => return None,
        })
    }
}

/// A piece with its side, or [`Piece::NONE`]: `side * 7 + kind`, the index that observers see.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    pub const NONE: Self = Self(14);
    /// Kinds times sides.
    pub const COUNT: usize = 14;

    #[inline(always)]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self(side as u8 * 7 + kind as u8)
    }

    /// 0 to 13 (Red first), 14 for [`Piece::NONE`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == Self::NONE.0
    }

    #[inline(always)]
    pub const fn is_some(self) -> bool {
        !self.is_none()
    }

    /// Its kind; meaningless for [`Piece::NONE`].
    #[inline(always)]
    pub const fn kind(self) -> Kind {
        Kind::ALL[(self.0 % 7) as usize]
    }

    /// Its kind and side, unless it is [`Piece::NONE`].
    #[inline(always)]
    pub const fn get(self) -> Option<(Side, Kind)> {
        if self.is_none() { None } else { Some((self.side(), self.kind())) }
    }

    /// Its side; meaningless for [`Piece::NONE`].
    #[inline(always)]
    pub const fn side(self) -> Side {
        if self.0 < 7 { Side::First } else { Side::Second }
    }

    /// The letter of FEN, upper case for Red; a dot for [`Piece::NONE`].
    pub const fn letter(self) -> char {
        match self.get() {
            None => '.',
            Some((Side::First, kind)) => kind.letter(),
            Some((Side::Second, kind)) => kind.letter().to_ascii_lowercase(),
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A move: where it starts and ends, `from << 7 | to`. 0 (`a0a0`) is no move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Move(u16);

impl Move {
    pub const NONE: Self = Self(0);

    /// The move between two points.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self((from.0 as u16) << 7 | to.0 as u16)
    }

    /// Where it starts. Only for moves made by [`Move::new`] or found pseudo-legal.
    #[inline(always)]
    pub const fn from(self) -> Square {
        debug_assert!(((self.0 >> 7) as usize) < SQUARES);
        Square((self.0 >> 7) as u8)
    }

    /// Where it ends. Only for moves made by [`Move::new`] or found pseudo-legal.
    #[inline(always)]
    pub const fn to(self) -> Square {
        debug_assert!(((self.0 & 127) as usize) < SQUARES);
        Square((self.0 & 127) as u8)
    }

    /// Both ends, if the bits are points of the board at all.
    #[inline(always)]
    pub const fn ends(self) -> Option<(Square, Square)> {
        match (Square::new((self.0 >> 7) as usize), Square::new((self.0 & 127) as usize)) {
            (Some(from), Some(to)) => Some((from, to)),
            _ => None,
        }
    }

    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move of sixteen bits, legal or not.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

impl fmt::Display for Move {
    /// ICCS in lower case without the dash: `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ends() {
            Some((from, to)) => write!(f, "{from}{to}"),
            None => write!(f, "?{:04x}", self.0),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_flip_and_mirror_back() {
        for index in 0..SQUARES {
            let sq = Square::new(index).unwrap();
            assert_eq!(sq.flipped().flipped(), sq);
            assert_eq!(sq.mirrored().mirrored(), sq);
            assert_eq!(sq.rank_for(Side::Second), sq.flipped().rank());
        }
        assert_eq!(Square::new(SQUARES), None);
    }

    #[test]
    fn letters_name_pieces_in_both_habits() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_letter(kind.letter()), Some(kind));
        }
        assert_eq!(Kind::from_letter('e'), Some(Kind::Elephant));
        assert_eq!(Kind::from_letter('H'), Some(Kind::Horse));
        assert_eq!(
            ['G', 'm', 's'].map(Kind::from_letter),
            [Kind::General, Kind::Elephant, Kind::Soldier].map(Some)
        );
        assert_eq!(Kind::from_letter('q'), None);
    }

    #[test]
    fn every_bit_pattern_is_some_move() {
        for bits in 0..=u16::MAX {
            let mv = Move::from_bits(bits);
            assert_eq!(mv.bits(), bits);
            assert_eq!(mv.ends().is_some(), bits >> 7 < 90 && bits & 127 < 90);
            assert!(!mv.to_string().is_empty());
        }
    }
}
