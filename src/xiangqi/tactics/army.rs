//! The pieces of one side, what they attack and how often: an attack map.
//! <https://www.chessprogramming.org/Attack_and_Defend_Maps>

use super::pieces::PiecePlacement;
use crate::game::Side;
use crate::xiangqi::bitboard::Bitboard;
use crate::xiangqi::lookup::{self, Occupancy};
use crate::xiangqi::types::{Kind, Square};

/// The pieces of one side and what they attack.
pub struct Army {
    pub side: Side,
    pub general: Bitboard,
    pub guards: Bitboard,
    pub horses: Bitboard,
    pub chariots: Bitboard,
    pub cannons: Bitboard,
    pub soldiers: Bitboard,
    pub all: Bitboard,
    pub attacks: Attacks,
}

/// Points on which a side could capture, own pieces and free points included. Chariots look through own
/// chariots; pins hinder no piece.
pub struct Attacks {
    pub soldiers: Bitboard,
    pub guards: Bitboard,
    pub horses: Bitboard,
    pub chariots: Bitboard,
    /// By cannons: behind one screen, up to the next piece.
    pub cannons: Bitboard,
    /// By the general, one step away.
    pub general: Bitboard,
    pub all: Bitboard,
    /// By two pieces or more.
    pub twice: Bitboard,
    /// Free points that cannons can move to.
    pub cannon_moves: Bitboard,
}

/// What is attacked so far.
#[derive(Default)]
struct Sum {
    all: Bitboard,
    twice: Bitboard,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, attacked: Bitboard) -> Bitboard {
        self.twice |= self.all & attacked;
        self.all |= attacked;
        attacked
    }

    #[inline(always)]
    fn each(&mut self, pieces: Bitboard, mut attacks: impl FnMut(Square) -> Bitboard) -> Bitboard {
        pieces.fold(Bitboard::EMPTY, |union, square| union | self.add(attacks(square)))
    }
}

impl Army {
    #[inline(always)]
    pub fn new(pieces: &PiecePlacement, side: Side) -> Self {
        let [general, advisors, elephants, horses, chariots, cannons, soldiers] =
            Kind::ALL.map(|kind| pieces.of_kind(side, kind));
        let occupied = pieces.occupancy();
        let mut through_chariots: Occupancy = *occupied;
        chariots.for_each(|square| through_chariots.toggle(square));

        let mut sum = Sum::default();
        let (ahead, [left, right]) = lookup::soldier_steps(side, soldiers);
        let by_soldiers = sum.add(ahead) | sum.add(left) | sum.add(right);
        let by_guards = sum.each(advisors, |square| lookup::ADVISOR[square.index()])
            | sum.each(elephants, |square| occupied.elephant(square));
        let by_horses = sum.each(horses, |square| occupied.horse(square));
        let by_chariots = sum.each(chariots, |square| through_chariots.chariot(square));
        let mut cannon_moves = Bitboard::EMPTY;
        let by_cannons = sum.each(cannons, |square| {
            cannon_moves |= occupied.chariot(square);
            occupied.behind_screens(square)
        });
        let by_general = sum.each(general, |square| lookup::GENERAL[square.index()]);
        let guards = advisors | elephants;
        Self {
            side,
            general,
            guards,
            horses,
            chariots,
            cannons,
            soldiers,
            all: general | guards | horses | chariots | cannons | soldiers,
            attacks: Attacks {
                soldiers: by_soldiers,
                guards: by_guards,
                horses: by_horses,
                chariots: by_chariots,
                cannons: by_cannons,
                general: by_general,
                all: sum.all,
                twice: sum.twice,
                cannon_moves: cannon_moves.without(occupied.all),
            },
        }
    }

    /// Horses, chariots and cannons.
    #[inline(always)]
    pub fn officers(&self) -> Bitboard {
        self.horses | self.chariots | self.cannons
    }

    /// All but the general.
    #[inline(always)]
    pub fn subjects(&self) -> Bitboard {
        self.all ^ self.general
    }

    /// Officers that an enemy piece of less worth attacks.
    #[inline(always)]
    pub fn attacked_by_lesser(&self, enemy: &Self) -> Bitboard {
        let by = &enemy.attacks;
        let by_small = by.soldiers | by.guards;
        (self.horses | self.cannons) & by_small | self.chariots & (by_small | by.horses | by.cannons)
    }
}
