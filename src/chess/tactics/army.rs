//! The pieces of one side, what they attack and how often: an attack map.
//! <https://www.chessprogramming.org/Attack_and_Defend_Maps>

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::magic;
use crate::chess::position::Position;
use crate::chess::types::{Color, Kind, Square};

/// The pieces of one side and what they attack.
pub struct Army {
    pub color: Color,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
    pub all: Bitboard,
    /// Pawns that no enemy pawn stops or can take on their way.
    pub passed: Bitboard,
    pub attacks: Attacks,
}

/// Squares that a side attacks, own pieces and empty squares included. Sliders look through own pieces that
/// move along the same lines, as in a battery; pins hinder no piece.
pub struct Attacks {
    pub pawns: Bitboard,
    pub knights: Bitboard,
    pub bishops: Bitboard,
    pub rooks: Bitboard,
    pub queens: Bitboard,
    pub king: Bitboard,
    pub all: Bitboard,
    /// By two pieces or more.
    pub twice: Bitboard,
}

/// What is attacked so far, and the callback for each officer.
struct Sum<V> {
    all: Bitboard,
    twice: Bitboard,
    each_officer: V,
}

impl<V: FnMut(Square, Bitboard)> Sum<V> {
    #[inline(always)]
    fn add(&mut self, attacked: Bitboard) -> Bitboard {
        self.twice |= self.all & attacked;
        self.all |= attacked;
        attacked
    }

    #[inline(always)]
    fn officers(&mut self, officers: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
        let mut union = Bitboard::EMPTY;
        for square in officers {
            let attacked = self.add(attacks(square));
            (self.each_officer)(square, attacked);
            union |= attacked;
        }
        union
    }
}

impl Army {
    /// The army of `color`. `each_officer` is called with every knight, bishop, rook and queen, in this
    /// order, and of the squares that it attacks.
    #[inline(always)]
    pub fn new(pos: &Position, color: Color, each_officer: impl FnMut(Square, Bitboard)) -> Self {
        let [pawns, knights, bishops, rooks, queens, king] = Kind::ALL.map(|kind| pos.pieces(color, kind));
        let occupied = pos.occupied();
        let enemy_pawns = pos.pieces(color.other(), Kind::Pawn);
        let enemy_captures = attacks::pawns(color.other(), enemy_pawns);
        let passed = pawns & !((enemy_pawns | enemy_captures).front_fill(color.other()) | enemy_captures);

        let mut sum = Sum { all: Bitboard::EMPTY, twice: Bitboard::EMPTY, each_officer };
        let ahead = pawns.forward(color);
        sum.add(ahead.east());
        sum.add(ahead.west());
        let (straight, diagonal) = (rooks | queens, bishops | queens);
        let attacks = Attacks {
            pawns: sum.all,
            knights: sum.officers(knights, attacks::knight),
            bishops: sum.officers(bishops, |square| magic::bishop(square, occupied ^ diagonal)),
            rooks: sum.officers(rooks, |square| magic::rook(square, occupied ^ straight)),
            queens: sum.officers(queens, |square| {
                magic::rook(square, occupied ^ rooks) | magic::bishop(square, occupied ^ bishops)
            }),
            king: sum.add(attacks::king(king.first())),
            all: sum.all,
            twice: sum.twice,
        };
        let all = pos.color(color);
        Self { color, pawns, knights, bishops, rooks, queens, king, all, passed, attacks }
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    pub fn officers(&self) -> Bitboard {
        self.knights | self.bishops | self.rooks | self.queens
    }

    /// Officers that an enemy piece of less worth attacks.
    #[inline(always)]
    pub fn attacked_by_lesser(&self, enemy: &Self) -> Bitboard {
        let by = &enemy.attacks;
        let by_minors = by.pawns | by.knights | by.bishops;
        (self.knights | self.bishops) & by.pawns
            | self.rooks & by_minors
            | self.queens & (by_minors | by.rooks)
    }
}
