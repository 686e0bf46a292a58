//! Hand-made evaluation of chess: what the engine plays by without a net, and what the first nets
//! learn from. Tapered between middlegame and endgame; stateless, so that it can be asked anywhere.
//! <https://www.chessprogramming.org/Evaluation>

mod chances;
mod endings;
mod features;
pub mod motifs;
mod tapered;
pub mod threats;
mod values;

use crate::chess::bitboard::Bitboard;
use crate::chess::position::Position;
use crate::chess::tactics::{Army, KingLines};
use crate::chess::{Board, Color, Kind, Square, attacks};
use std::fmt::Write;
use tapered::{TaperedScore, s};
use values::*;

pub use features::Chess768;

/// Static evaluation in centipawns, from the side to move. Stays inside ±6000.
pub fn evaluate(pos: &Board) -> i32 {
    known_ending(pos).unwrap_or_else(|| {
        let board = pos.position();
        relative(Terms::new(board).white_view(), board.side()) + TEMPO
    })
}

/// As [`evaluate`], where only technique is missing to win.
pub fn known_ending(pos: &Board) -> Option<i32> {
    let board = pos.position();
    endings::known_win(board).map(|score| relative(score, board.side()))
}

/// The evaluation by terms, White's and Black's share apart, for people.
pub fn trace(pos: &Board) -> String {
    let board = pos.position();
    let terms = Terms::new(board);
    let mut text = String::from("term          |  white mg    eg |  black mg    eg |  total mg    eg\n");
    for (name, [white, black]) in NAMES.iter().zip(terms.by_term) {
        let _ = writeln!(
            text,
            "{name:<13} | {:>9} {:>5} | {:>9} {:>5} | {:>9} {:>5}",
            white.mg(),
            white.eg(),
            black.mg(),
            black.eg(),
            (white - black).mg(),
            (white - black).eg()
        );
    }
    let _ = writeln!(
        text,
        "\nphase {} of {FULL_PHASE}, endgame scale {} of {}",
        terms.phase,
        terms.scale,
        endings::FULL_SCALE
    );
    if endings::known_win(board).is_some() {
        text.push_str("a known ending: scored by the way to the mate\n");
    }
    let _ = writeln!(text, "evaluation {} centipawns for the side to move", evaluate(pos));
    text
}

const NAMES: [&str; TERMS] =
    ["material", "pawns", "knights", "bishops", "rooks", "queens", "mobility", "king", "threats", "passed"];
const TERMS: usize = 10;
const MATERIAL_TERM: usize = 0;
const PAWNS: usize = 1;
const KNIGHTS: usize = 2;
const BISHOPS: usize = 3;
const MOBILITY_TERM: usize = 6;
const KING: usize = 7;
const THREATS: usize = 8;
const PASSED_TERM: usize = 9;

const SIDES: [Color; 2] = [Color::First, Color::Second];

const fn relative(score: i32, side: Color) -> i32 {
    match side {
        Color::First => score,
        Color::Second => -score,
    }
}

struct Terms<'a> {
    pos: &'a Position,
    occupied: Bitboard,
    /// By color, its pieces and what they attack.
    armies: [Army; 2],
    /// By square, what the knight, bishop, rook or queen there attacks.
    reach: [Bitboard; 64],
    /// By color, the lines to its king.
    lines: [KingLines; 2],
    /// By color, the king's square and its neighbors.
    king_ring: [Bitboard; 2],
    /// By color, the weight of its pieces around the enemy king, and their number.
    assault: [(i32, u32); 2],
    passed: [Bitboard; 2],
    by_term: [[TaperedScore; 2]; TERMS],
    phase: i32,
    scale: i32,
}

impl<'a> Terms<'a> {
    fn new(pos: &'a Position) -> Self {
        let mut reach = [Bitboard::EMPTY; 64];
        let armies = SIDES.map(|us| Army::new(pos, us, |square, attacked| reach[square.index()] = attacked));
        let [white, black] = &armies;
        let lines = [KingLines::new(white, black), KingLines::new(black, white)];
        let king_ring = [white, black].map(|army| army.attacks.king | army.king);
        let mut terms = Self {
            pos,
            occupied: pos.occupied(),
            armies,
            reach,
            lines,
            king_ring,
            assault: [(0, 0); 2],
            passed: [Bitboard::EMPTY; 2],
            by_term: [[TaperedScore::ZERO; 2]; TERMS],
            phase: 0,
            scale: endings::FULL_SCALE,
        };
        terms.pawns(Color::First);
        terms.pawns(Color::Second);
        terms.pieces(Color::First);
        terms.pieces(Color::Second);
        for us in SIDES {
            terms.king(us);
            terms.threats(us);
            terms.passed_pawns(us);
        }
        terms.phase = Kind::ALL
            .iter()
            .map(|&kind| PHASE[kind.index()] * pos.kind(kind).count() as i32)
            .sum::<i32>()
            .min(FULL_PHASE);
        terms.scale = endings::scale(pos, terms.sum().eg(), terms.passed);
        terms
    }

    fn sum(&self) -> TaperedScore {
        self.by_term.iter().fold(TaperedScore::ZERO, |sum, [white, black]| sum + *white - *black)
    }

    /// Blends middlegame and endgame by the material left.
    fn white_view(&self) -> i32 {
        let sum = self.sum();
        let eg = sum.eg() * self.scale / endings::FULL_SCALE;
        (sum.mg() * self.phase + eg * (FULL_PHASE - self.phase)) / FULL_PHASE
    }

    #[inline(always)]
    fn add(&mut self, term: usize, us: Color, score: TaperedScore) {
        self.by_term[term][us.index()] += score;
    }

    #[inline(always)]
    const fn army(&self, color: Color) -> &Army {
        &self.armies[color.index()]
    }

    /// Pawn structure. <https://www.chessprogramming.org/Pawn_Structure>
    fn pawns(&mut self, us: Color) {
        let own = self.pos.pieces(us, Kind::Pawn);
        let enemy = self.pos.pieces(us.other(), Kind::Pawn);
        let enemy_attacks = self.army(us.other()).attacks.pawns;
        let (mut material, mut score) = (TaperedScore::ZERO, TaperedScore::ZERO);
        for square in own {
            let rank = square.relative(us).rank();
            material += PIECE_SQUARE[Kind::Pawn.index()][square.relative(us).index()];
            let front = square.bb().front_fill(us);
            let beside = square.bb().file_fill().west() | square.bb().file_fill().east();
            let neighbors = own & beside;
            let on_open_file = !front.meets(enemy);
            let defended = attacks::pawn(us.other(), square) & own;
            let phalanx = (square.bb().west() | square.bb().east()) & own;
            if (defended | phalanx).any() {
                score += CONNECTED[rank];
            } else if neighbors.is_empty() {
                score += ISOLATED;
                if on_open_file {
                    score += WEAK_ON_OPEN_FILE;
                }
            } else {
                let step = square.bb().forward(us);
                // All neighbors are ahead, and to join them would cost the pawn.
                let behind = neighbors & !(front.east() | front.west());
                if behind.is_empty() && (enemy_attacks | enemy).meets(step) {
                    score += BACKWARD;
                    if on_open_file {
                        score += WEAK_ON_OPEN_FILE;
                    }
                }
            }
            if front.meets(own) {
                score += DOUBLED;
            } else if !(front | front.west() | front.east()).meets(enemy) {
                self.passed[us.index()] |= square.bb();
            }
        }
        self.add(MATERIAL_TERM, us, material);
        self.add(PAWNS, us, score);
    }

    /// Placement, mobility and assault of knights, bishops, rooks and queens.
    fn pieces(&mut self, us: Color) {
        let them = us.other();
        let own_pawns = self.pos.pieces(us, Kind::Pawn);
        let enemy_pawns = self.pos.pieces(them, Kind::Pawn);
        let pawn_attacked = self.army(them).attacks.pawns;
        let own_attacked = self.army(us).attacks.pawns;
        let stuck = own_pawns & (self.occupied.forward(them) | Bitboard::relative_rank(us, 1));
        let area = !(stuck | pawn_attacked | self.pos.pieces(us, Kind::King));
        let ring = self.king_ring[them.index()];
        let pinned_to_king = self.lines[us.index()].blockers & self.pos.color(us);
        let king = self.pos.king(us);
        let (mut material, mut mobility) =
            (PIECE_SQUARE[Kind::King.index()][king.relative(us).index()], TaperedScore::ZERO);
        // Squares that no enemy pawn can ever attack.
        let safe = !(enemy_pawns.front_fill(them).west() | enemy_pawns.front_fill(them).east());
        let outposts = safe
            & own_attacked
            & (Bitboard::relative_rank(us, 3)
                | Bitboard::relative_rank(us, 4)
                | Bitboard::relative_rank(us, 5));

        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            let row = kind.index() - 1;
            let mut placement = TaperedScore::ZERO;
            for square in self.pos.pieces(us, kind) {
                material += PIECE_SQUARE[kind.index()][square.relative(us).index()];
                let mut reach = self.reach[square.index()];
                if pinned_to_king.has(square) {
                    reach &= attacks::line(king, square);
                }
                mobility += MOBILITY[row][(reach & area).count() as usize];
                if reach.meets(ring) {
                    let assault = &mut self.assault[us.index()];
                    assault.0 += KING_ATTACKER[row];
                    assault.1 += 1;
                }
                match kind {
                    Kind::Knight | Kind::Bishop => {
                        if outposts.has(square) {
                            placement += OUTPOST[row];
                        }
                        if square.bb().forward(us).meets(own_pawns) {
                            placement += SHIELDED_MINOR;
                        }
                        if kind == Kind::Bishop {
                            let color =
                                if Bitboard::DARK.has(square) { Bitboard::DARK } else { Bitboard::LIGHT };
                            placement += BISHOP_PAWNS * (own_pawns & color).count();
                        }
                    }
                    Kind::Rook => {
                        let file = Bitboard::file(square.file());
                        if !file.meets(own_pawns) {
                            placement +=
                                if file.meets(enemy_pawns) { ROOK_HALF_OPEN_FILE } else { ROOK_OPEN_FILE };
                        }
                    }
                    _ => {}
                }
            }
            self.add(KNIGHTS + row, us, placement);
        }
        let bishops = self.pos.pieces(us, Kind::Bishop);
        if bishops.meets(Bitboard::DARK) && bishops.meets(Bitboard::LIGHT) {
            self.add(BISHOPS, us, BISHOP_PAIR);
        }
        self.add(MATERIAL_TERM, us, material);
        self.add(MOBILITY_TERM, us, mobility);
    }

    /// Safety of the king of `us`: its pawn cover, and the assault on it.
    /// <https://www.chessprogramming.org/King_Safety>
    fn king(&mut self, us: Color) {
        let them = us.other();
        let mut score = s(self.shelter(us), 0);
        let (weight, attackers) = self.assault[them.index()];
        let guards = &self.army(us).attacks;
        // Defended only by the king, or not at all.
        let weak = self.army(them).attacks.all & !guards.twice & (!guards.all | guards.king);
        let mut danger = weight + KING_WEAK_SQUARE * (self.king_ring[us.index()] & weak).count() as i32;
        danger += self.safe_checks(us, weak);
        if self.pos.pieces(them, Kind::Queen).is_empty() {
            danger += NO_QUEEN;
        }
        danger -= score.mg() / 2;
        if danger > 0 && attackers + u32::from(self.pos.pieces(them, Kind::Queen).any()) > 1 {
            score -= s((danger * danger / 600).min(700), danger / 14);
        }
        // In the endgame the king keeps to the pawns.
        let pawns = self.pos.kind(Kind::Pawn);
        if pawns.any() {
            let king = self.pos.king(us);
            let nearest = pawns.into_iter().map(|pawn| distance(king, pawn)).min().unwrap_or(0);
            score -= s(0, 6) * nearest;
        }
        self.add(KING, us, score);
    }

    /// Pawns before the king, own and hostile, on its file and the two beside it: middlegame centipawns.
    fn shelter(&self, us: Color) -> i32 {
        let king = self.pos.king(us);
        let own = self.pos.pieces(us, Kind::Pawn);
        let enemy = self.pos.pieces(us.other(), Kind::Pawn);
        // Pawns behind the king neither shield nor storm.
        let relevant = king.bb().front_fill(us) | king.bb();
        let relevant = relevant | relevant.west() | relevant.east();
        let middle = king.file().clamp(1, 6);
        (middle - 1..=middle + 1)
            .map(|file| {
                let file = Bitboard::file(file);
                let rank = |pawns: Bitboard| {
                    let pawns = pawns & file & relevant;
                    if pawns.is_empty() {
                        return 0;
                    }
                    match us {
                        Color::First => pawns.first().rank(),
                        Color::Second => 7 - pawns.last().rank(),
                    }
                };
                let (shield, storm) = (rank(own), rank(enemy));
                let open = if file.meets(own | enemy) { 0 } else { OPEN_NEAR_KING };
                // A rammed pawn storms no further.
                let storm = if shield > 0 && storm == shield + 1 { STORM[storm] / 4 } else { STORM[storm] };
                SHELTER[shield] + storm + open
            })
            .sum()
    }

    /// Checks that the enemy of `us` can give from squares where it loses nothing.
    fn safe_checks(&self, us: Color, weak: Bitboard) -> i32 {
        let them = us.other();
        let by = &self.army(them).attacks;
        let open = !self.pos.color(them) & (!self.army(us).attacks.all | weak & by.twice);
        let KingLines { rook, bishop, .. } = self.lines[us.index()];
        let checks = [
            attacks::knight(self.pos.king(us)) & by.knights,
            bishop & by.bishops,
            rook & by.rooks,
            (rook | bishop) & by.queens,
        ];
        checks
            .iter()
            .zip(SAFE_CHECK)
            .filter(|(squares, _)| squares.meets(open))
            .map(|(_, danger)| danger)
            .sum()
    }

    /// Enemy pieces that `us` attacks with something cheaper, or that are undefended.
    fn threats(&mut self, us: Color) {
        let them = us.other();
        let by = &self.army(us).attacks;
        let minors = by.knights | by.bishops;
        let mut score = TaperedScore::ZERO;
        for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
            let targets = self.pos.pieces(them, kind);
            if !targets.meets(by.all) {
                continue;
            }
            let at = kind.index();
            score += THREAT_BY_PAWN[at] * (targets & by.pawns).count();
            score += THREAT_BY_MINOR[at] * (targets & minors).count();
            score += THREAT_BY_ROOK[at] * (targets & by.rooks).count();
        }
        let loose = by.all & !self.army(them).attacks.all & self.pos.color(them);
        let pawns = loose & self.pos.kind(Kind::Pawn);
        score += HANGING[0] * pawns.count() + HANGING[1] * (loose ^ pawns).count();
        self.add(THREATS, us, score);
    }

    /// Passed pawns: rank, kings, and what stands or looks in the way.
    /// <https://www.chessprogramming.org/Passed_Pawn>
    fn passed_pawns(&mut self, us: Color) {
        let them = us.other();
        let (own_king, enemy_king) = (self.pos.king(us), self.pos.king(them));
        let bare =
            (self.pos.color(them) & !(self.pos.kind(Kind::Pawn) | self.pos.kind(Kind::King))).is_empty();
        let mut score = TaperedScore::ZERO;
        for square in self.passed[us.index()] {
            let rank = square.relative(us).rank();
            let step = square.bb().forward(us);
            let front = square.bb().front_fill(us);
            let bonus = PASSED[rank];
            let blocked = step.meets(self.pos.color(them));
            score += if blocked { s(bonus.mg() / 2, bonus.eg() * BLOCKED_PASSED / 64) } else { bonus };
            if rank < 3 {
                continue;
            }
            let weight = rank as i32 - 2;
            let way = |king| distance(king, step.first()).min(5) as i32;
            score += s(0, weight * (5 * way(enemy_king) - 2 * way(own_king)) * 3 / 4);
            if !front.meets(self.army(them).attacks.all | self.pos.color(them)) {
                score += FREE_PASSED * weight as u32;
            }
            if bare && !front.meets(self.occupied) && self.runs_free(us, square, enemy_king) {
                score += UNSTOPPABLE;
            }
        }
        self.add(PASSED_TERM, us, score);
    }

    /// Rule of the square.
    /// <https://en.wikipedia.org/wiki/King_and_pawn_versus_king_endgame#Rule_of_the_square>
    fn runs_free(&self, us: Color, pawn: Square, enemy_king: Square) -> bool {
        let goal = Square::at(pawn.file(), 7).relative(us);
        let steps = distance(pawn, goal).min(5);
        let to_move = u32::from(self.pos.side() != us);
        distance(enemy_king, goal) > steps + to_move
    }
}

/// King's moves between two squares of an empty board.
fn distance(a: Square, b: Square) -> u32 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())) as u32
}

#[cfg(test)]
mod tests;
