//! The pieces of one side and what they attack.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::magic;
use crate::chess::types::{Color, Square};
use crate::game::PieceSets;

pub(super) struct Army {
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
    /// Squares without own pieces that officers attack and no enemy pawn does, summed over the officers.
    pub mobility: u32,
}

/// Squares that the side attacks; sliders look through own ones that move along the same lines, as in a battery.
pub(super) struct Attacks {
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

/// What is attacked so far.
#[derive(Default)]
struct Sum {
    all: Bitboard,
    twice: Bitboard,
    /// Squares that count for mobility.
    free: Bitboard,
    mobility: u32,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, attacked: Bitboard) -> Bitboard {
        self.twice |= self.all & attacked;
        self.all |= attacked;
        attacked
    }

    #[inline(always)]
    fn officers(&mut self, officers: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
        let mut union = Bitboard::default();
        for square in officers {
            let attacked = self.add(attacks(square));
            self.mobility += (attacked & self.free).count();
            union |= attacked;
        }
        union
    }
}

impl Army {
    #[inline(always)]
    pub fn new(color: Color, pieces: &PieceSets, occupied: Bitboard) -> Self {
        let [pawns, knights, bishops, rooks, queens, king] =
            std::array::from_fn(|kind| Bitboard(pieces[color.index() * 6 + kind]));
        let all = pawns | knights | bishops | rooks | queens | king;
        let enemy_pawns = Bitboard(pieces[color.other().index() * 6]);
        let enemy_captures = attacks::pawns(color.other(), enemy_pawns);
        let passed = pawns & !((enemy_pawns | enemy_captures).front_fill(color.other()) | enemy_captures);

        let mut sum = Sum { free: !(all | enemy_captures), ..Sum::default() };
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
        let mobility = sum.mobility;
        Self { color, pawns, knights, bishops, rooks, queens, king, all, passed, attacks, mobility }
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
