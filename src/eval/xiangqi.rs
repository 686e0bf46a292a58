//! Hand-made evaluation of xiangqi, for play without a net and for the first games a net learns from.
//!
//! Every term is a pair of numbers for a full and for a bare board, blended by the attackers left. The
//! numbers are our own: material and squares from a few ramps, mobility, danger to the general, soldiers and
//! guards. <https://www.chessprogramming.org/Tapered_Eval>

mod chances;
mod features;
mod motifs;
mod threats;

use crate::game::{Game, Side};
use crate::xiangqi::{Bitboard, Board, Kind, Square, lookup};
use std::fmt::Write;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

pub use features::Xiangqi689;

/// Maximum score that is not a mate.
const LIMIT: i32 = 20_000;
/// Tempo bonus of the side to move.
const TEMPO: i32 = 14;

/// Centipawns on a full and on a bare board.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct TaperedScore {
    full: i32,
    bare: i32,
}

const fn s(full: i32, bare: i32) -> TaperedScore {
    TaperedScore { full, bare }
}

impl TaperedScore {
    /// The blend for `phase` attackers' worth of [`FULL_PHASE`].
    fn at(self, phase: i32) -> i32 {
        (self.full * phase + self.bare * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for TaperedScore {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        s(self.full + other.full, self.bare + other.bare)
    }
}
impl Sub for TaperedScore {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
impl Neg for TaperedScore {
    type Output = Self;
    fn neg(self) -> Self {
        s(-self.full, -self.bare)
    }
}
impl Mul<i32> for TaperedScore {
    type Output = Self;
    fn mul(self, times: i32) -> Self {
        s(self.full * times, self.bare * times)
    }
}
impl AddAssign for TaperedScore {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// What each kind adds to the phase; 32 on a full board.
const PHASE: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];
const FULL_PHASE: i32 = 32;

/// Worth of a piece by kind.
const MATERIAL: [TaperedScore; 7] =
    [s(0, 0), s(185, 190), s(190, 200), s(405, 440), s(930, 980), s(455, 440), s(70, 85)];

/// Bonus by kind and rank (0 is the own home), full and bare board.
const BY_RANK: [[TaperedScore; 10]; 7] = [
    ramp([10, -18, -45, 0, 0, 0, 0, 0, 0, 0], [0, 4, 2, 0, 0, 0, 0, 0, 0, 0]),
    ramp([0, 8, -8, 0, 0, 0, 0, 0, 0, 0], [0, 5, 0, 0, 0, 0, 0, 0, 0, 0]),
    ramp([0, 0, 4, 0, -5, 0, 0, 0, 0, 0], [0, 0, 4, 0, 0, 0, 0, 0, 0, 0]),
    ramp([-28, -10, 4, 10, 16, 22, 28, 26, 14, -6], [-20, -8, 0, 6, 12, 20, 26, 24, 14, 0]),
    ramp([-22, 0, 4, 6, 12, 18, 20, 14, 16, 8], [-10, 0, 0, 2, 8, 14, 16, 14, 14, 8]),
    ramp([0, 4, 12, 2, 6, 6, 10, 14, 6, 16], [10, 10, 10, 4, 2, 0, 0, 0, 0, 4]),
    ramp([0, 0, 0, 0, 6, 62, 84, 92, 70, 10], [0, 0, 0, 0, 10, 66, 94, 104, 84, 18]),
];

/// Bonus by kind and distance from the edge file (4 is the center).
const BY_FILE: [[TaperedScore; 5]; 7] = [
    ramp([0, 0, 0, -6, 8], [0, 0, 0, 0, 10]),
    ramp([0, 0, 0, 0, 4], [0, 0, 0, 0, 6]),
    ramp([-10, 0, 0, 0, 12], [-6, 0, 0, 0, 8]),
    ramp([-24, -4, 6, 10, 4], [-14, 0, 4, 8, 8]),
    ramp([-8, 0, 4, 10, 8], [-4, 0, 2, 6, 6]),
    ramp([-2, 0, 0, 4, 16], [0, 0, 0, 2, 8]),
    ramp([0, 4, 12, 18, 22], [-8, 4, 14, 22, 24]),
];

const fn ramp<const N: usize>(full: [i32; N], bare: [i32; N]) -> [TaperedScore; N] {
    let mut out = [s(0, 0); N];
    let mut at = 0;
    while at < N {
        out[at] = s(full[at], bare[at]);
        at += 1;
    }
    out
}

/// Material and square together, by kind and point as Red sees it.
static SQUARE_WORTH: [[TaperedScore; 90]; 7] = {
    let mut table = [[s(0, 0); 90]; 7];
    let mut kind = 0;
    while kind < 7 {
        let mut sq = 0;
        while sq < 90 {
            let (file, rank) = (sq % 9, sq / 9);
            let (by_rank, by_file) =
                (BY_RANK[kind][rank], BY_FILE[kind][if file > 4 { 8 - file } else { file }]);
            let worth = MATERIAL[kind];
            table[kind][sq] =
                s(worth.full + by_rank.full + by_file.full, worth.bare + by_rank.bare + by_file.bare);
            sq += 1;
        }
        kind += 1;
    }
    table
};

/// Per point that a piece can go to, more or fewer than usual.
const MOBILITY: [(TaperedScore, i32); 7] =
    [(s(0, 0), 0), (s(0, 0), 0), (s(0, 0), 0), (s(9, 10), 4), (s(5, 6), 8), (s(3, 4), 8), (s(0, 0), 0)];
/// What a kind adds to the danger by aiming at the palace.
const AIM: [i32; 7] = [0, 0, 0, 3, 4, 2, 2];

/// A cannon gains by each piece on the board beyond sixteen, a horse loses.
const CANNON_PER_PIECE: TaperedScore = s(3, 3);
const HORSE_PER_PIECE: TaperedScore = s(-3, -3);
/// Both guards of a kind, standing.
const ADVISOR_PAIR: TaperedScore = s(18, 14);
const ELEPHANT_PAIR: TaperedScore = s(22, 16);
/// Missing an advisor against each enemy chariot, a horse or soldier nearby counting in the danger.
const ADVISOR_GONE: TaperedScore = s(-24, -16);
/// Missing an elephant against each enemy cannon.
const ELEPHANT_GONE: TaperedScore = s(-16, -10);
/// A cannon before the general with nothing between: no piece may step in.
const HOLLOW_CANNON: TaperedScore = s(110, 50);
/// The same with a chariot still on the board.
const HOLLOW_WITH_CHARIOT: TaperedScore = s(70, 60);
/// A cannon at the enemy's home rank with a clear way to the first guard.
const BOTTOM_CANNON: TaperedScore = s(42, 18);
/// A chariot on the enemy general's file, with at most one piece between.
const OPEN_LINE: TaperedScore = s(34, 18);
/// Two crossed soldiers side by side.
const LINKED_SOLDIERS: TaperedScore = s(22, 38);
/// A crossed soldier beside or before the palace.
const SOLDIER_AT_PALACE: TaperedScore = s(18, 26);
/// Two horses that protect each other, or a cannon or horse that a soldier, elephant or horse protects.
const LINKED_PIECE: TaperedScore = s(8, 6);
/// A soldier that blocks the own horse's way ahead.
const BLOCKED_HORSE: TaperedScore = s(-8, 0);

/// Static evaluation in centipawns, from the side to move, within `±20_000`.
pub fn evaluate(pos: &Board) -> i32 {
    let total = Terms::new(pos).total(&mut ());
    let score = if pos.side_to_move() == Side::First { total } else { -total };
    (score + TEMPO).clamp(-LIMIT, LIMIT)
}

/// The terms of [`evaluate`] as a table for people, from Red's side.
pub fn trace(pos: &Board) -> String {
    let mut rows: Vec<(&'static str, [TaperedScore; 2])> = Vec::new();
    let terms = Terms::new(pos);
    let total = terms.total(&mut |name, side: Side, score| match rows.iter_mut().find(|row| row.0 == name) {
        Some(row) => row.1[side.index()] += score,
        None => {
            let mut by_side = [TaperedScore::default(); 2];
            by_side[side.index()] = score;
            rows.push((name, by_side));
        }
    });
    let mut out = format!("{:<12}{:>14}{:>14}{:>9}\n", "term", "red", "black", "blend");
    for (name, [red, black]) in rows {
        let pair = |score: TaperedScore| format!("{}/{}", score.full, score.bare);
        let blend = (red - black).at(terms.phase);
        let _ = writeln!(out, "{name:<12}{:>14}{:>14}{blend:>9}", pair(red), pair(black));
    }
    let _ =
        writeln!(out, "phase {}/{FULL_PHASE}, total {total} for red, {} to move", terms.phase, evaluate(pos));
    out
}

/// Receives every term of the evaluation.
trait Listener {
    fn term(&mut self, name: &'static str, side: Side, score: TaperedScore);
}
impl Listener for () {
    #[inline(always)]
    fn term(&mut self, _: &'static str, _: Side, _: TaperedScore) {}
}
impl<F: FnMut(&'static str, Side, TaperedScore)> Listener for F {
    fn term(&mut self, name: &'static str, side: Side, score: TaperedScore) {
        self(name, side, score);
    }
}

/// What several terms need to know.
struct Terms<'a> {
    pos: &'a Board,
    /// Pieces by side and kind.
    count: [[i32; 7]; 2],
    phase: i32,
}

impl<'a> Terms<'a> {
    fn new(pos: &'a Board) -> Self {
        let mut count = [[0; 7]; 2];
        let mut phase = 0;
        for side in [Side::First, Side::Second] {
            for kind in Kind::ALL {
                let pieces = pos.pieces(side, kind).count() as i32;
                count[side.index()][kind.index()] = pieces;
                phase += pieces * PHASE[kind.index()];
            }
        }
        Self { pos, count, phase: phase.min(FULL_PHASE) }
    }

    fn total(&self, heard: &mut impl Listener) -> i32 {
        let score = self.of(Side::First, heard) - self.of(Side::Second, heard);
        let blend = score.at(self.phase);
        let ahead = if blend >= 0 { Side::First } else { Side::Second };
        blend * self.winning_chances(ahead) / 64
    }

    fn count(&self, side: Side, kind: Kind) -> i32 {
        self.count[side.index()][kind.index()]
    }

    fn of(&self, side: Side, heard: &mut impl Listener) -> TaperedScore {
        let mut sum = TaperedScore::default();
        let mut add = |name, score| {
            heard.term(name, side, score);
            sum += score;
        };
        add("material", self.material(side));
        let (mobility, danger) = self.activity(side);
        add("mobility", mobility);
        add("attack", danger);
        add("lines", self.lines(side));
        add("guards", self.guards(side));
        add("soldiers", self.soldiers(side));
        add("links", self.links(side));
        sum
    }

    /// Material, squares, and what the number of pieces does to cannons and horses.
    fn material(&self, side: Side) -> TaperedScore {
        let mut sum = TaperedScore::default();
        for kind in Kind::ALL {
            let worth = &SQUARE_WORTH[kind.index()];
            for sq in self.pos.pieces(side, kind) {
                sum += worth[seen_by(side, sq).index()];
            }
        }
        let crowd = self.pos.occupancy().all.count() as i32 - 16;
        let cannons = CANNON_PER_PIECE * self.count(side, Kind::Cannon);
        sum + (cannons + HORSE_PER_PIECE * self.count(side, Kind::Horse)) * crowd
    }

    /// Freedom of the moving pieces, and the danger that they bring to the enemy palace.
    fn activity(&self, side: Side) -> (TaperedScore, TaperedScore) {
        let (pos, occ) = (self.pos, self.pos.occupancy());
        let own = pos.of_side(side);
        let enemy = side.other();
        let palace = lookup::PALACE[enemy.index()];
        let mut feared = Bitboard::EMPTY;
        for sq in pos.pieces(enemy, Kind::Soldier) {
            feared |= lookup::soldier(enemy, sq);
        }
        let mut sum = TaperedScore::default();
        let mut units = 0;
        for kind in [Kind::Horse, Kind::Chariot, Kind::Cannon] {
            let (per_point, usual) = MOBILITY[kind.index()];
            for sq in pos.pieces(side, kind) {
                let (reach, aims) = match kind {
                    Kind::Horse => (occ.horse(sq), occ.horse(sq)),
                    Kind::Chariot => (occ.chariot(sq), occ.chariot(sq)),
                    _ => (occ.chariot(sq).without(occ.all) | occ.cannon(sq), occ.cannon(sq)),
                };
                sum += per_point * (reach.without(own | feared).count() as i32 - usual);
                let hits = (aims & palace).count() as i32;
                if hits > 0 {
                    units += AIM[kind.index()] + hits;
                }
            }
        }
        for sq in pos.pieces(side, Kind::Soldier) & lookup::HOME[enemy.index()] {
            if lookup::soldier(side, sq).meets(palace) {
                units += AIM[Kind::Soldier.index()];
            }
        }
        let gone = 4 - self.count(enemy, Kind::Advisor) - self.count(enemy, Kind::Elephant);
        let danger = units * units * (5 + gone) / 10;
        (sum, s(danger.min(400), danger.min(400) / 2))
    }

    /// Cannons and chariots on the lines of the enemy general.
    fn lines(&self, side: Side) -> TaperedScore {
        let (pos, all) = (self.pos, self.pos.occupancy().all);
        let general = pos.general(side.other());
        let has_chariot = self.count(side, Kind::Chariot) > 0;
        let mut sum = TaperedScore::default();
        for sq in pos.pieces(side, Kind::Cannon) {
            let screens = (lookup::between(general, sq) & all).count();
            let aligned = lookup::cross(general).has(sq);
            if aligned
                && sq.file() == general.file()
                && screens == 0
                && general.rank().abs_diff(sq.rank()) > 1
            {
                sum += HOLLOW_CANNON;
                if has_chariot {
                    sum += HOLLOW_WITH_CHARIOT;
                }
            } else if sq.rank_for(side) == 9 && aligned && screens <= 1 && has_chariot {
                sum += BOTTOM_CANNON;
            }
        }
        for sq in pos.pieces(side, Kind::Chariot) {
            if sq.file() == general.file() && !(lookup::between(general, sq) & all).is_several() {
                sum += OPEN_LINE;
            }
        }
        sum
    }

    /// Advisors and elephants of a side against what attacks them.
    fn guards(&self, side: Side) -> TaperedScore {
        let enemy = side.other();
        let (advisors, elephants) = (self.count(side, Kind::Advisor), self.count(side, Kind::Elephant));
        let mut sum = ADVISOR_GONE * ((2 - advisors) * self.count(enemy, Kind::Chariot));
        sum += ELEPHANT_GONE * ((2 - elephants) * self.count(enemy, Kind::Cannon));
        if advisors == 2 {
            sum += ADVISOR_PAIR;
        }
        if elephants == 2 {
            sum += ELEPHANT_PAIR;
        }
        sum
    }

    /// Crossed soldiers together, and near the palace.
    fn soldiers(&self, side: Side) -> TaperedScore {
        let enemy = side.other();
        let crossed = self.pos.pieces(side, Kind::Soldier) & lookup::HOME[enemy.index()];
        let mut sum = TaperedScore::default();
        for sq in crossed {
            if sq.file() < 8 && crossed.has(Square::new(sq.index() + 1).unwrap_or(sq)) {
                sum += LINKED_SOLDIERS;
            }
            if (2..=6).contains(&sq.file()) && (6..=8).contains(&sq.rank_for(side)) {
                sum += SOLDIER_AT_PALACE;
            }
        }
        sum
    }

    /// Horses and cannons that something cheap protects, and horses that the own soldiers block.
    fn links(&self, side: Side) -> TaperedScore {
        let (pos, occ) = (self.pos, self.pos.occupancy());
        let mut held = Bitboard::EMPTY;
        for sq in pos.pieces(side, Kind::Soldier) {
            held |= lookup::soldier(side, sq);
        }
        for sq in pos.pieces(side, Kind::Elephant) {
            held |= occ.elephant(sq);
        }
        for sq in pos.pieces(side, Kind::Horse) {
            held |= occ.horse(sq);
        }
        let middle = pos.pieces(side, Kind::Horse) | pos.pieces(side, Kind::Cannon);
        let mut sum = LINKED_PIECE * (held & middle).count() as i32;
        for sq in pos.pieces(side, Kind::Horse) {
            let ahead = match side {
                Side::First => Square::new(sq.index() + 9),
                Side::Second => sq.index().checked_sub(9).and_then(Square::new),
            };
            if ahead.is_some_and(|ahead| pos.pieces(side, Kind::Soldier).has(ahead)) {
                sum += BLOCKED_HORSE;
            }
        }
        sum
    }

    /// How much of a lead of `side` can be turned into a win, in 64ths: little when nothing or one light
    /// piece is left to attack with, against a standing guard.
    fn winning_chances(&self, side: Side) -> i32 {
        let count = |kind| self.count(side, kind);
        let light = 2 * (count(Kind::Horse) + count(Kind::Cannon)) + count(Kind::Soldier);
        if count(Kind::Chariot) == 0 && light == 0 {
            return 2;
        }
        let enemy = side.other();
        let against = |kind| self.count(enemy, kind);
        let guards = against(Kind::Advisor) + against(Kind::Elephant);
        let defenders = 4 * against(Kind::Chariot)
            + 2 * (against(Kind::Horse) + against(Kind::Cannon))
            + against(Kind::Soldier);
        let attackers = 4 * count(Kind::Chariot) + light;
        // A cannon needs a screen of its own to finish.
        let blunt =
            light == 2 && count(Kind::Cannon) == 1 && count(Kind::Advisor) + count(Kind::Elephant) == 0;
        match attackers {
            0..=1 if guards >= 2 => 12,
            2 if blunt || guards >= 3 => 8,
            2 if guards >= 1 => 24,
            3 if guards == 4 => 24,
            4 if guards == 4 => 32,
            _ if attackers <= defenders && guards == 4 && attackers <= 6 => 40,
            _ => 64,
        }
    }
}

/// The point as Red would see it, were the board turned so that `side` is Red.
const fn seen_by(side: Side, sq: Square) -> Square {
    match side {
        Side::First => sq,
        Side::Second => sq.flipped(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::testing::play_at_random;
    use crate::util::rng::Rng;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap()
    }

    /// The same position with colors, or left and right, exchanged.
    fn turned(fen: &str, colors: bool) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap =
            |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        let mut ranks: Vec<String> = fields[0].split('/').map(str::to_owned).collect();
        if colors {
            ranks.reverse();
            ranks.iter_mut().for_each(|rank| *rank = rank.chars().map(swap).collect());
        } else {
            ranks.iter_mut().for_each(|rank| *rank = rank.chars().rev().collect());
        }
        let side = if colors == (fields[1] == "w") { "b" } else { "w" };
        board(&format!("{} {side}", ranks.join("/")))
    }

    #[test]
    fn the_start_is_worth_the_tempo() {
        assert_eq!(evaluate(&Board::start()), TEMPO);
    }

    #[test]
    fn colors_and_wings_do_not_matter() {
        let mut rng = Rng::new(7);
        for _ in 0..30 {
            play_at_random(Board::start(), 81, &mut rng, |pos, _| {
                let score = evaluate(pos);
                assert_eq!(score, evaluate(&turned(&pos.fen(), true)), "{}", pos.fen());
                assert_eq!(score, evaluate(&turned(&pos.fen(), false)), "{}", pos.fen());
            });
        }
    }

    #[test]
    fn material_rules() {
        let with = |piece: &str| evaluate(&board(&format!("3k5/9/9/9/9/9/4{piece}4/9/4K4/9 w")));
        assert!(with("R") > 800 && with("R") > with("C") && with("N") > with("P"));
        assert!(evaluate(&board("2bakab2/9/9/9/9/9/9/9/4C4/4K4 w")) < 60, "a bare cannon does not win");
        assert!(evaluate(&board("2bakab2/9/9/9/9/9/9/9/4A4/2B1KAB2 w")) < 30, "nothing to attack with");
    }

    #[test]
    fn hollow_cannons_are_feared() {
        let hollow = board("r1bakabnr/9/1cn4c1/p1p3p1p/4C4/9/P1P1P1P1P/7C1/9/RNBAKABNR b");
        let screened = board("r1bakabnr/9/1cn4c1/p1p1p1p1p/4C4/9/P1P3P1P/7C1/9/RNBAKABNR b");
        assert_eq!(Terms::new(&hollow).lines(Side::First), HOLLOW_CANNON + HOLLOW_WITH_CHARIOT);
        assert_eq!(Terms::new(&screened).lines(Side::First), TaperedScore::default());
    }

    #[test]
    fn trace_adds_up() {
        let text = trace(&Board::start());
        assert!(text.contains("material") && text.ends_with("total 0 for red, 14 to move\n"), "{text}");
    }
}
