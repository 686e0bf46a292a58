//! What a capture wins in the exchange that it begins (XQ-D4, XQ-D5, XQ-D9).
//!
//! Every capture is played on the board, unlike in the search's static exchange evaluation. So pins, screens
//! that appear and generals that would face each other decide by themselves whether a root is real.
//!
//! `ignored` names the pieces that give check to the side that captures first, where its attack is looked at
//! as if the check were none (XQ-D2). It is empty where only legal captures count.

use crate::game::{Game, MoveList};
use crate::xiangqi::{Bitboard, Board, Kind, Move, Piece, Square};

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
pub(super) fn can_be_chased(piece: Piece, sq: Square) -> bool {
    match piece.kind() {
        Kind::General => false,
        Kind::Soldier => sq.is_across(piece.side()),
        _ => true,
    }
}

/// Whether the general or a soldier makes the capture, which is idle by XQ-R7 and XQ-R8.
pub(super) fn is_exempt(capturer: Kind) -> bool {
    matches!(capturer, Kind::General | Kind::Soldier)
}

/// Whether a capture leaves the own general safe, the `ignored` checkers aside.
pub(super) fn is_allowed(board: &Board, mv: Move, ignored: Bitboard) -> bool {
    board.general_attackers_after(mv.from(), mv.to()).without(ignored).is_empty()
}

/// Pieces that could capture back after `mv`: those that legally can, and those that only seem to. A check
/// that stands against them already does not count.
pub(super) fn protectors(board: &mut Board, mv: Move) -> (Bitboard, Bitboard) {
    let standing = board.opponent_checkers();
    board.do_move(mv, &mut ());
    let seeming = board.attackers(mv.to(), board.side_to_move(), board.occupancy());
    let real = seeming.filter(|&by| is_allowed(board, Move::new(by, mv.to()), standing)).collect();
    board.undo_move();
    (real, seeming.without(real))
}

/// Those of `roots` that are mated at once when they capture back after `mv` (XQ-D4).
pub(super) fn mated_roots(board: &mut Board, mv: Move, roots: Bitboard) -> Bitboard {
    board.do_move(mv, &mut ());
    let mated = roots.filter(|&by| is_answered_by_mate(board, Move::new(by, mv.to()))).collect();
    board.undo_move();
    mated
}

/// Whether the piece on `from`, of the side not to move, could legally capture on `to` were it to move.
pub(super) fn can_capture(board: &mut Board, from: Square, to: Square) -> bool {
    let side = board.piece_at(from).side();
    if !board.attackers(to, side, board.occupancy()).has(from) {
        return false;
    }
    board.pass();
    let legal = is_allowed(board, Move::new(from, to), Bitboard::EMPTY);
    board.undo_move();
    legal
}

/// Whether the opponent mates at once after the move (XQ-D5).
pub(super) fn is_answered_by_mate(board: &mut Board, mv: Move) -> bool {
    board.do_move(mv, &mut ());
    let mated = mates_at_once(board, Bitboard::EMPTY);
    board.undo_move();
    mated
}

/// Whether the side to move has a mate in one.
pub(super) fn mates_at_once(board: &mut Board, ignored: Bitboard) -> bool {
    let mut checks = MoveList::new();
    if ignored.is_empty() {
        board.checks_into(&mut checks);
    } else {
        board.generate_to(!board.of_side(board.side_to_move()), &mut checks);
        checks.retain(|mv| is_allowed(board, *mv, ignored) && board.gives_check(*mv));
    }
    checks.into_iter().any(|check| {
        board.do_move(check, &mut ());
        let mate = !board.has_legal_move();
        board.undo_move();
        mate
    })
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

    fn sum(self) -> i32 {
        self.pieces + self.soldiers
    }

    /// A soldier given for a piece, or a piece for soldiers, wins nothing.
    fn value(self) -> i32 {
        let soldier_for_piece = self.soldiers < 0 && self.pieces > 0 && !self.gave_piece;
        let piece_for_soldiers = self.pieces < 0 && self.soldiers > 0;
        if soldier_for_piece || piece_for_soldiers { self.sum().min(0) } else { self.sum() }
    }
}

/// Which side captures next in an exchange.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// The side that captured first.
    First,
    Second,
}

/// What the side to move wins by `mv` and the captures that follow on the same point, or on two points that
/// one piece protects.
pub(super) fn gain(board: &mut Board, mv: Move, ignored: Bitboard) -> i32 {
    let alone = gain_on_one_point(board, mv, ignored);
    if alone > 0 { alone } else { alone.max(gain_on_two_points(board, mv, ignored)) }
}

/// What the side to move wins by capturing on `mv.to()` and going on with legal captures there, each side
/// stopping when it likes.
pub(super) fn gain_on_one_point(board: &mut Board, mv: Move, ignored: Bitboard) -> i32 {
    let to = mv.to();
    let tally = Tally::default().add(board.piece_at(to), to, true);
    board.do_move(mv, &mut ());
    let value = -best_answer(board, to, tally, ignored, Turn::Second);
    board.undo_move();
    value
}

/// The best that the side to move can make of the exchange on `target`, from its own side. A capture does not
/// count if the other side mates at once after it: that root is false (XQ-D4), that attack no threat (XQ-D5).
fn best_answer(board: &mut Board, target: Square, tally: Tally, ignored: Bitboard, turn: Turn) -> i32 {
    let is_first = turn == Turn::First;
    let (mut best, next_turn, tolerated) = match turn {
        Turn::First => (tally.value(), Turn::Second, ignored),
        Turn::Second => (-tally.value(), Turn::First, Bitboard::EMPTY),
    };
    let next = tally.add(board.piece_at(target), target, is_first);
    for from in board.attackers(target, board.side_to_move(), board.occupancy()) {
        let mv = Move::new(from, target);
        if !is_allowed(board, mv, tolerated) {
            continue;
        }
        board.do_move(mv, &mut ());
        let value = -best_answer(board, target, next, ignored, next_turn);
        if value > best && !answers_with_mate(board, is_first, ignored) {
            best = value;
        }
        board.undo_move();
    }
    best
}

/// Whether the side to move mates the side that has just captured. A side in an ignored check cannot be asked
/// whether it is mated.
fn answers_with_mate(board: &mut Board, first_side_captured: bool, ignored: Bitboard) -> bool {
    if first_side_captured {
        ignored.is_empty() && mates_at_once(board, Bitboard::EMPTY)
    } else {
        mates_at_once(board, ignored)
    }
}

/// A capture that would win nothing, and the pieces that protect its victim.
struct Second {
    mv: Move,
    roots: Bitboard,
}

/// What `first` wins because the piece that captures back lets go of another point (XQ-D9): three captures,
/// and the rest of the exchange on the second point. Not positive if there is nothing of the kind.
fn gain_on_two_points(board: &mut Board, first: Move, ignored: Bitboard) -> i32 {
    let target = first.to();
    if is_exempt(board.piece_at(first.from()).kind()) {
        return 0;
    }
    let seconds = seconds(board, first, ignored);
    if seconds.is_empty() {
        return 0;
    }
    let won = Tally::default().add(board.piece_at(target), target, true);
    board.do_move(first, &mut ());
    let mut lowest = won.value();
    let after = won.add(board.piece_at(target), target, false);
    for root in board.attackers(target, board.side_to_move(), board.occupancy()) {
        let mv = Move::new(root, target);
        if lowest <= 0 || !is_allowed(board, mv, Bitboard::EMPTY) {
            continue;
        }
        board.do_move(mv, &mut ());
        if !mates_at_once(board, ignored) {
            let mut best = best_answer(board, target, after, ignored, Turn::First);
            for second in seconds.iter().filter(|second| second.roots.has(root)) {
                let won = gain_if_possible(board, second.mv, ignored);
                if won > 0 {
                    best = best.max(after.sum() + won);
                }
            }
            lowest = lowest.min(best);
        }
        board.undo_move();
    }
    board.undo_move();
    lowest
}

/// Captures elsewhere that win nothing, and whose victim is protected by a piece that protects the victim of
/// `first` too.
fn seconds(board: &mut Board, first: Move, ignored: Bitboard) -> Vec<Second> {
    let mut out = Vec::new();
    let side = board.side_to_move();
    let (own_roots, _) = protectors(board, first);
    if own_roots.is_empty() {
        return out;
    }
    for to in board.of_side(side.other()).without(Bitboard::of(first.to())) {
        if !can_be_chased(board.piece_at(to), to) {
            continue;
        }
        let by = board.attackers(to, side, board.occupancy()).without(Bitboard::of(first.from()));
        for mv in by.map(|from| Move::new(from, to)) {
            if !is_allowed(board, mv, ignored) {
                continue;
            }
            let roots = protectors(board, mv).0 & own_roots;
            if !roots.is_empty() && gain_on_one_point(board, mv, ignored) <= 0 {
                out.push(Second { mv, roots });
            }
        }
    }
    out
}

/// What a capture wins on its point, 0 if it is not possible or the opponent mates at once after it.
fn gain_if_possible(board: &mut Board, mv: Move, ignored: Bitboard) -> i32 {
    let side = board.side_to_move();
    let possible =
        board.attackers(mv.to(), side, board.occupancy()).has(mv.from()) && is_allowed(board, mv, ignored);
    if !possible {
        return 0;
    }
    let won = gain_on_one_point(board, mv, ignored);
    if won > 0 && ignored.is_empty() && is_answered_by_mate(board, mv) { 0 } else { won }
}
