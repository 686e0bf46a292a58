//! Which kind of idle move a move is: exchange, offer, block, follow, or plainly idle. All are allowed
//! (XQ-R2); the names are for people.

use super::Class;
use super::cycle::CycleMove;
use super::exchange;
use crate::game::Game;
use crate::xiangqi::{Bitboard, Board, Kind, Move, Square};

/// Points of its way that a chariot or cannon must lose before a move is said to bar it.
const BARRED: u32 = 3;

pub(super) fn kind(cycle_move: &mut CycleMove) -> Class {
    let mv = cycle_move.mv;
    let before: Vec<_> = enemy_ways(cycle_move.board).collect();
    cycle_move.afterwards(|board| {
        let aims = aims(board, mv.to());
        if aims.clone().any(|sq| is_trade(board, mv.to(), sq)) {
            Class::Exchange
        } else if is_offered(board, mv.to()) {
            Class::Offer
        } else if hinders(board, &before, mv) {
            Class::Block
        } else if aims.count() > 0 {
            Class::Follow
        } else {
            Class::Idle
        }
    })
}

/// Enemy pieces, generals aside, on which the piece on `sq` could capture.
fn aims(board: &Board, sq: Square) -> Bitboard {
    let side = board.side_to_move();
    let enemies = board.of_side(side.other()).without(board.pieces(side.other(), Kind::General));
    enemies.filter(|&to| board.attackers(to, side, board.occupancy()).has(sq)).collect()
}

/// Whether the pieces on two points are of equal worth, could capture each other, and ours is protected.
fn is_trade(board: &mut Board, own: Square, other: Square) -> bool {
    exchange::worth_at(board, own) == exchange::worth_at(board, other)
        && exchange::can_capture(board, other, own)
        && loss(board, own) <= 0
}

fn is_offered(board: &mut Board, own: Square) -> bool {
    loss(board, own) > 0
}

/// What the opponent, were it to move, wins by capturing on the point.
fn loss(board: &mut Board, own: Square) -> i32 {
    board.pass();
    let side = board.side_to_move();
    let mut best = 0;
    for from in board.attackers(own, side, board.occupancy()) {
        if board.general_attackers_after(from, own).is_empty() {
            best = best.max(exchange::gain(board, Move::new(from, own), Bitboard::EMPTY));
        }
    }
    board.undo_move();
    best
}

/// Where the enemy's pieces are, and where they go.
fn enemy_ways(board: &Board) -> impl Iterator<Item = (Square, Kind, Bitboard)> {
    let side = board.side_to_move().other();
    board.of_side(side).map(move |sq| {
        let kind = board.piece_at(sq).kind();
        (sq, kind, board.reach(side, kind, sq))
    })
}

/// Whether the piece that moved now stands in an enemy piece's way: on a leg or eye, before something it
/// could capture, or across much of its line.
fn hinders(board: &Board, before: &[(Square, Kind, Bitboard)], mv: Move) -> bool {
    let moved = Bitboard::of(mv.from()) | Bitboard::of(mv.to());
    let own = board.of_side(board.side_to_move());
    let after: Vec<_> = enemy_ways(board).collect();
    before.iter().zip(after).any(|(&(_, kind, then), (_, _, now))| {
        let lost = then.without(now).without(moved);
        match kind {
            Kind::Horse | Kind::Elephant => !lost.is_empty(),
            Kind::Chariot | Kind::Cannon => lost.meets(own) || lost.count() >= BARRED,
            _ => false,
        }
    })
}
