//! The chase 捉: which captures a move threatens, and which of them count (XQ-D2, XQ-D3, XQ-D6, XQ-D10).
//!
//! A move chases if after it a piece can be won by a capture that could not win it before. What a capture
//! wins is counted by [`exchange`]; gains that need checks first are in [`check`](super::check).

use super::cycle::{CycleMove, PieceId};
use super::exchange::{self, is_allowed, protectors, worth_at};
use crate::game::Game;
use crate::xiangqi::{Bitboard, Board, Kind, Move, RuleSet, Square};

/// A capture that wins material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Attack {
    /// The piece that captures first.
    pub from: Square,
    /// Where its victim stands.
    pub to: Square,
    /// Kind of the capturing piece.
    pub by: Kind,
    /// What is won, in the units of [`exchange::worth`].
    pub gain: i32,
}

impl Attack {
    /// Whether the general or a soldier captures first, which is idle by XQ-R7 and XQ-R8.
    pub fn is_exempt(&self) -> bool {
        exchange::is_exempt(self.by)
    }
}

/// An attack that a move brought about, and the numbers of the two pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NewAttack {
    pub attack: Attack,
    pub attacker: PieceId,
    pub victim: PieceId,
}

/// When a capture counts as winning material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// The exchange wins material, and the opponent does not mate at once (XQ-D4, XQ-D5).
    Exchange,
    /// Nothing can capture back, or the victim is worth more than the attacker: how the Asian and the
    /// servers' rules look at protection.
    Protection,
}

impl Measure {
    fn of(rules: RuleSet) -> Self {
        match rules {
            RuleSet::Chinese => Self::Exchange,
            RuleSet::Asian | RuleSet::Computer | RuleSet::None => Self::Protection,
        }
    }
}

/// Attacks that the move brings about, those by the general and by soldiers included (XQ-D2). After a check
/// they are looked at as if the check were none.
pub(super) fn new_attacks(cycle_move: &mut CycleMove, rules: RuleSet) -> Vec<NewAttack> {
    let measure = Measure::of(rules);
    let attacks = cycle_move.afterwards(|board| captures_out_of_check(board, measure));
    if attacks.is_empty() {
        return Vec::new();
    }
    let stands = if rules == RuleSet::Asian { aims_of_the_hunted(cycle_move) } else { Vec::new() };
    let mut out = Vec::new();
    for attack in attacks {
        // Only the piece that moves stood elsewhere before; in a cycle it captures nothing.
        let from = if attack.from == cycle_move.mv.to() { cycle_move.mv.from() } else { attack.from };
        let before = Move::new(from, attack.to);
        if !stands.contains(&before) && standing_gain(cycle_move.board, before, measure) == 0 {
            let (attacker, victim) = (cycle_move.ids.at(from), cycle_move.ids.at(attack.to));
            out.push(NewAttack { attack, attacker, victim });
        }
    }
    out
}

/// What a capture could win before the move.
fn standing_gain(board: &mut Board, mv: Move, measure: Measure) -> i32 {
    let side = board.side_to_move();
    if !board.attackers(mv.to(), side, board.occupancy()).has(mv.from()) {
        return 0;
    }
    let ignored = board.checkers();
    winning_gain(board, mv, measure, ignored)
}

/// What the pieces of the mover that are under attack before the move aim at. Such a piece does not chase by
/// standing its ground while another move cuts its victim's roots: a sentence of the Asian rulings.
fn aims_of_the_hunted(cycle_move: &mut CycleMove) -> Vec<Move> {
    let board = &mut *cycle_move.board;
    board.pass();
    let hunters = captures_out_of_check(board, Measure::Protection);
    board.undo_move();
    let side = board.side_to_move();
    let mut out = Vec::new();
    for from in hunters.iter().filter(|attack| !attack.is_exempt()).map(|attack| attack.to) {
        let aims = |&to: &Square| board.attackers(to, side, board.occupancy()).has(from);
        out.extend(board.of_side(side.other()).filter(aims).map(|to| Move::new(from, to)));
    }
    out
}

/// [`winning_captures`], as if the side to move were not in check.
fn captures_out_of_check(board: &mut Board, measure: Measure) -> Vec<Attack> {
    let ignored = board.checkers();
    winning_captures(board, measure, ignored)
}

/// All captures by which the side to move wins material, with any piece (generals and soldiers too), as if
/// the pieces on `ignored` gave no check.
fn winning_captures(board: &mut Board, measure: Measure, ignored: Bitboard) -> Vec<Attack> {
    let mut out = Vec::new();
    let side = board.side_to_move();
    for to in board.of_side(side.other()) {
        if !exchange::can_be_chased(board.piece_at(to), to) {
            continue;
        }
        for from in board.attackers(to, side, board.occupancy()) {
            let gain = winning_gain(board, Move::new(from, to), measure, ignored);
            if gain > 0 {
                out.push(Attack { from, to, by: board.piece_at(from).kind(), gain });
            }
        }
    }
    out
}

/// What an attacking piece wins by its capture; 0 for nothing, and for an exchange or an offer.
fn winning_gain(board: &mut Board, mv: Move, measure: Measure, ignored: Bitboard) -> i32 {
    if !is_allowed(board, mv, ignored) {
        return 0;
    }
    let gain = match measure {
        Measure::Exchange => exchange_gain(board, mv, ignored),
        Measure::Protection => unprotected_gain(board, mv),
    };
    if gain > 0 && !is_offer(board, mv, measure) { gain } else { 0 }
}

fn exchange_gain(board: &mut Board, mv: Move, ignored: Bitboard) -> i32 {
    let gain = exchange::gain(board, mv, ignored);
    let refuted = gain > 0 && ignored.is_empty() && exchange::is_answered_by_mate(board, mv);
    if refuted { 0 } else { gain.max(0) }
}

fn unprotected_gain(board: &mut Board, mv: Move) -> i32 {
    let (value, price) = (worth_at(board, mv.to()), worth_at(board, mv.from()));
    let lesser = price < value && !exchange::is_exempt(board.piece_at(mv.from()).kind());
    if lesser || protectors(board, mv).0.is_empty() { value } else { 0 }
}

/// Whether the victim is of the attacker's kind and could capture the attacker itself, which makes the attack
/// an exchange or an offer (XQ-D6). By the Chinese rules it is none if that capture is answered by mate or
/// loses material.
fn is_offer(board: &mut Board, mv: Move, measure: Measure) -> bool {
    let (from, to) = (mv.from(), mv.to());
    if board.piece_at(from).kind() != board.piece_at(to).kind() || !exchange::can_capture(board, to, from) {
        return false;
    }
    if measure == Measure::Protection {
        return true;
    }
    let price = worth_at(board, from);
    board.pass();
    board.do_move(Move::new(to, from), &mut ());
    let refuted = exchange::mates_at_once(board, Bitboard::EMPTY) || gain_by_capture(board) > price;
    board.undo_move();
    board.undo_move();
    !refuted
}

/// The most that the side to move wins by a legal capture, with any piece.
fn gain_by_capture(board: &mut Board) -> i32 {
    let side = board.side_to_move();
    let mut best = 0;
    for to in board.of_side(side.other()).without(board.pieces(side.other(), Kind::General)) {
        for from in board.attackers(to, side, board.occupancy()) {
            let mv = Move::new(from, to);
            if is_allowed(board, mv, Bitboard::EMPTY) {
                best = best.max(exchange_gain(board, mv, Bitboard::EMPTY));
            }
        }
    }
    best
}

/// The most that the side to move wins by a legal capture that chases: by neither soldier nor general, and no
/// exchange or offer.
pub(super) fn best_capture(board: &mut Board) -> i32 {
    let attacks = winning_captures(board, Measure::Exchange, Bitboard::EMPTY);
    attacks.iter().filter(|attack| !attack.is_exempt()).map(|attack| attack.gain).max().unwrap_or(0)
}

/// The most that the side to move wins by a capture, soldiers' and the general's included, as if it were not
/// in check.
pub(super) fn best_standing_capture(board: &mut Board) -> i32 {
    let attacks = captures_out_of_check(board, Measure::Exchange);
    attacks.iter().map(|attack| attack.gain).max().unwrap_or(0)
}

/// Whether a capture may be part of a chase through checks (XQ-D8): by neither soldier nor general (XQ-R7,
/// XQ-R8), and no exchange or offer (XQ-D6).
pub(super) fn may_chase(board: &mut Board, mv: Move) -> bool {
    let kind = board.piece_at(mv.from()).kind();
    !exchange::is_exempt(kind) && !is_offer(board, mv, Measure::Exchange)
}

pub(super) fn common_victims<'a>(moves: impl Iterator<Item = &'a [NewAttack]>) -> Vec<PieceId> {
    let mut common: Option<Vec<PieceId>> = None;
    for attacks in moves {
        let victims = attacks.iter().filter(|new| !new.attack.is_exempt()).map(|new| new.victim);
        common = Some(match common {
            None => victims.collect(),
            Some(common) => victims.filter(|victim| common.contains(victim)).collect(),
        });
    }
    common.unwrap_or_default()
}
