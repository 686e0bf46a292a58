//! What a capture wins in the exchange it begins, and which captures win (XQ-D3 to XQ-D6, XQ-D9, XQ-D10).
//!
//! Unlike the search's static exchange evaluation this one plays every capture on the board, so that pins,
//! screens that appear and generals that would face each other decide by themselves whether a root is real.

use crate::game::{Game, MoveList};
use crate::xiangqi::{Bitboard, Board, Kind, Move, Piece, Square};

/// A capture that wins material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Attack {
    /// The piece that captures first.
    pub from: Square,
    /// Where its victim stands.
    pub to: Square,
    /// Kind of the capturing piece.
    pub by: Kind,
    /// What is won, in the units of [`worth`].
    pub gain: i32,
}

impl Attack {
    /// Whether the general or a soldier captures first, which is idle by XQ-R7 and XQ-R8.
    pub fn is_exempt(&self) -> bool {
        matches!(self.by, Kind::General | Kind::Soldier)
    }
}

/// When a capture counts as winning material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// The exchange on the square wins material, and the opponent does not mate at once (XQ-D4, XQ-D5).
    Exchange,
    /// Nothing can capture back, or the victim is worth more than the attacker: how the Asian and the servers'
    /// rules look at protection.
    Protection,
}

/// What a piece on `sq` is worth in an exchange (XQ-D4); an uncrossed soldier nothing.
pub(super) fn worth(piece: Piece, sq: Square) -> i32 {
    match piece.kind() {
        Kind::General => 1000,
        Kind::Chariot => 8,
        Kind::Horse | Kind::Cannon => 4,
        Kind::Advisor | Kind::Elephant => 2,
        Kind::Soldier => i32::from(sq.is_across(piece.side())),
    }
}

/// Worth of what stands on a point, 0 for nothing.
pub(super) fn worth_at(board: &Board, sq: Square) -> i32 {
    let piece = board.piece_at(sq);
    if piece.is_none() { 0 } else { worth(piece, sq) }
}

/// Whether the piece can be chased at all (XQ-D3).
fn can_be_chased(piece: Piece, sq: Square) -> bool {
    match piece.kind() {
        Kind::General => false,
        Kind::Soldier => sq.is_across(piece.side()),
        _ => true,
    }
}

/// All captures by which the side to move wins material, whoever makes them (generals and soldiers too). A
/// check that stands against it is ignored (XQ-D2).
pub(super) fn winning_captures(board: &mut Board, measure: Measure) -> Vec<Attack> {
    let mut out = Vec::new();
    let side = board.side_to_move();
    let ignored = board.checkers();
    for to in board.of_side(side.other()) {
        if !can_be_chased(board.piece_at(to), to) {
            continue;
        }
        for from in board.attackers(to, side, board.occupancy()) {
            if !board.general_attackers_after(from, to).without(ignored).is_empty() {
                continue;
            }
            let gain = match measure {
                Measure::Exchange => exchange_gain(board, Move::new(from, to), ignored),
                Measure::Protection => unprotected_gain(board, Move::new(from, to)),
            };
            if gain > 0 && !offers_exchange(board, from, to) {
                out.push(Attack { from, to, by: board.piece_at(from).kind(), gain });
            }
        }
    }
    out
}

fn exchange_gain(board: &mut Board, mv: Move, ignored: Bitboard) -> i32 {
    let gain = gain(board, mv, ignored);
    if gain > 0 && ignored.is_empty() && is_answered_by_mate(board, mv) { 0 } else { gain }
}

fn unprotected_gain(board: &mut Board, mv: Move) -> i32 {
    let (value, price) = (worth_at(board, mv.to()), worth_at(board, mv.from()));
    let lesser = price < value && !matches!(board.piece_at(mv.from()).kind(), Kind::Soldier | Kind::General);
    if lesser || protectors(board, mv).0.is_empty() { value } else { 0 }
}

/// Pieces that could capture back after `mv`: those that legally can, and those that only seem to. A check
/// that stands against them already does not count.
pub(super) fn protectors(board: &mut Board, mv: Move) -> (Bitboard, Bitboard) {
    let standing = board.opponent_checkers();
    board.play(mv, &mut ());
    let seeming = board.attackers(mv.to(), board.side_to_move(), board.occupancy());
    let real = seeming
        .filter(|&by| board.general_attackers_after(by, mv.to()).without(standing).is_empty())
        .collect();
    board.take_back();
    (real, seeming.without(real))
}

/// Whether the victim is of the attacker's kind and could capture the attacker itself (XQ-D6).
fn offers_exchange(board: &mut Board, from: Square, to: Square) -> bool {
    board.piece_at(from).kind() == board.piece_at(to).kind() && can_capture(board, to, from)
}

/// Whether the piece on `from`, of the side not to move, could legally capture on `to` were it to move.
pub(super) fn can_capture(board: &mut Board, from: Square, to: Square) -> bool {
    let side = board.piece_at(from).side();
    if !board.attackers(to, side, board.occupancy()).has(from) {
        return false;
    }
    board.pass();
    let legal = board.general_attackers_after(from, to).is_empty();
    board.take_back();
    legal
}

/// Whether the opponent mates at once after the move (XQ-D5).
fn is_answered_by_mate(board: &mut Board, mv: Move) -> bool {
    board.play(mv, &mut ());
    let mut checks = MoveList::new();
    board.checks_into(&mut checks);
    let mated = checks.into_iter().any(|check| {
        board.play(check, &mut ());
        let mate = !board.has_legal_move();
        board.take_back();
        mate
    });
    board.take_back();
    mated
}

/// Pieces and soldiers won and lost so far, for the side that captured first.
#[derive(Clone, Copy, Default)]
struct Tally {
    pieces: i32,
    soldiers: i32,
    gave_piece: bool,
}

impl Tally {
    fn add(mut self, piece: Piece, sq: Square, won: bool) -> Self {
        let value = if won { worth(piece, sq) } else { -worth(piece, sq) };
        if piece.kind() == Kind::Soldier {
            self.soldiers += value;
        } else {
            self.pieces += value;
            self.gave_piece |= !won;
        }
        self
    }

    /// A soldier given for a piece, or a piece for soldiers, wins nothing.
    fn value(self) -> i32 {
        let sum = self.pieces + self.soldiers;
        let soldier_for_piece = self.soldiers < 0 && self.pieces > 0 && !self.gave_piece;
        let piece_for_soldiers = self.pieces < 0 && self.soldiers > 0;
        if soldier_for_piece || piece_for_soldiers { sum.min(0) } else { sum }
    }
}

/// What the side to move wins by capturing on `mv.to()` and going on with legal captures there, each side
/// stopping when it likes. Checks by the pieces on `ignored` do not count against the side to move.
pub(super) fn gain(board: &mut Board, mv: Move, ignored: Bitboard) -> i32 {
    let to = mv.to();
    let tally = Tally::default().add(board.piece_at(to), to, true);
    board.play(mv, &mut ());
    let value = -best_answer(board, to, tally, ignored, -1);
    board.take_back();
    value
}

/// The best that the side to move can make of the exchange on `target`, from its own side; `sign` is 1 for
/// the side that captured first.
fn best_answer(board: &mut Board, target: Square, tally: Tally, ignored: Bitboard, sign: i32) -> i32 {
    let mut best = sign * tally.value();
    let on_target = board.piece_at(target);
    let tolerated = if sign == 1 { ignored } else { Bitboard::EMPTY };
    for from in board.attackers(target, board.side_to_move(), board.occupancy()) {
        if !board.general_attackers_after(from, target).without(tolerated).is_empty() {
            continue;
        }
        let next = tally.add(on_target, target, sign == 1);
        board.play(Move::new(from, target), &mut ());
        best = best.max(-best_answer(board, target, next, ignored, -sign));
        board.take_back();
    }
    best
}
