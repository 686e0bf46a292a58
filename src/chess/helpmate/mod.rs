//! Whether a side can still mate if both sides work together: the question behind dead positions (CH-7; FIDE
//! 5.2.2) and flags that fall (CH-12; FIDE 6.9).
//!
//! A search through positions, each visited once and the most promising first, whatever the number of moves
//! to it: a mate that is found proves one answer, a search that runs out of positions the other. Positions
//! are dropped when the material or the [bounds](reach) on what the pieces of a closed position can do rule
//! out a mate. The idea of the bounds, and of guiding a search for a helpmate, is M. Ambrona's: "A Practical
//! Algorithm for Chess Unwinnability" (FUN 2022).

mod reach;
#[cfg(test)]
mod tests;

use super::attacks;
use super::bitboard::Bitboard;
use super::movegen::All;
use super::position::Position;
use super::types::{Color, Kind, Move, MoveType, Square};
use crate::game::MoveList;
use reach::Reach;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Whether a side can mate by some series of legal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winnable {
    /// By these moves, of both sides.
    Yes(Vec<Move>),
    No,
    /// The search was given up.
    Unknown,
}

/// Whether `side` can mate, decided by visiting at most `budget` positions.
pub fn can_win(pos: &Position, side: Color, budget: usize) -> Winnable {
    Search { side, budget, nodes: Vec::new(), seen: HashMap::new(), queue: BinaryHeap::new() }.run(pos)
}

/// Whether the material and the bounds of a closed position prove, without a search, that no series of legal
/// moves ends in a mate by any of `sides`. Someone must be to move.
pub fn is_hopeless(pos: &Position, sides: &[Color]) -> bool {
    let mut rest = sides.iter().filter(|&&side| has_mating_material(pos, side)).peekable();
    rest.peek().is_none() || Reach::new(pos).is_some_and(|reach| rest.all(|&side| !reach.can_mate(side)))
}

/// Whether the material allows a mate by `side`, with the worst of defenses, in any arrangement of the
/// pieces.
pub fn has_mating_material(pos: &Position, side: Color) -> bool {
    let own = pos.color(side);
    let enemy = pos.color(side.other());
    let (knights, bishops) = (pos.kind(Kind::Knight), pos.kind(Kind::Bishop));
    if own.meets(pos.kind(Kind::Pawn) | pos.kind(Kind::Rook) | pos.kind(Kind::Queen)) {
        return true;
    }
    if own.meets(knights) {
        // A lone knight needs an enemy piece, other than a queen, to stand in its own king's way.
        let in_the_way = enemy & !(pos.kind(Kind::King) | pos.kind(Kind::Queen));
        return (own & (knights | bishops)).many() || in_the_way.any();
    }
    if own.meets(bishops) {
        // Bishops of one square color need a knight, a pawn or a bishop of the other to block the rest.
        let both_colors = bishops.meets(Bitboard::DARK) && bishops.meets(Bitboard::LIGHT);
        return both_colors || enemy.meets(knights | pos.kind(Kind::Pawn));
    }
    false
}

struct Node {
    pos: Position,
    /// Index of the position before it.
    parent: u32,
    mv: Move,
}

struct Search {
    side: Color,
    budget: usize,
    nodes: Vec<Node>,
    /// Indices of the nodes by the hash of their positions, or by the next free number after it.
    seen: HashMap<u64, u32>,
    /// What has not been looked at yet: the estimate, and the index; the newest of equals comes first.
    queue: BinaryHeap<Reverse<(u32, Reverse<u32>)>>,
}

impl Search {
    fn run(mut self, root: &Position) -> Winnable {
        if is_mate_by(root, self.side) {
            return Winnable::Yes(Vec::new());
        }
        self.add(Node { pos: *root, parent: 0, mv: Move::NONE });
        while let Some(Reverse((_, Reverse(index)))) = self.queue.pop() {
            if let Some(mate) = self.expand(index) {
                return Winnable::Yes(mate);
            }
            if self.nodes.len() > self.budget {
                return Winnable::Unknown;
            }
        }
        Winnable::No
    }

    /// Adds the positions after every move. The moves to a mate, if one of them is.
    fn expand(&mut self, index: u32) -> Option<Vec<Move>> {
        let Node { pos, parent, mv } = self.nodes[index as usize];
        // What closed a position before still does after a move that can be taken back.
        let is_new = index == 0 || is_irreversible(&self.nodes[parent as usize].pos, mv);
        if is_new && is_hopeless(&pos, &[self.side]) {
            return None;
        }
        let mut moves = MoveList::new();
        pos.generate::<All>(&pos.masks(), &mut moves);
        for &mv in &moves {
            let mut after = pos;
            let Some((_, kind)) = pos.find(mv.from()) else { continue };
            after.play(mv, kind);
            if is_mate_by(&after, self.side) {
                return Some(self.line(index, mv));
            }
            self.add(Node { pos: after, parent: index, mv });
        }
        None
    }

    /// Queues a position that has not been seen and whose material allows a mate.
    fn add(&mut self, node: Node) {
        if !has_mating_material(&node.pos, self.side) {
            return;
        }
        let index = self.nodes.len() as u32;
        let mut key = hash(&node.pos);
        while let Some(&other) = self.seen.get(&key) {
            if self.nodes[other as usize].pos == node.pos {
                return;
            }
            key = key.wrapping_add(1);
        }
        self.seen.insert(key, index);
        self.queue.push(Reverse((estimate(&node.pos, self.side), Reverse(index))));
        self.nodes.push(node);
    }

    /// The moves from the root to a node, and one more.
    fn line(&self, mut index: u32, last: Move) -> Vec<Move> {
        let mut moves = vec![last];
        while index != 0 {
            let node = &self.nodes[index as usize];
            moves.push(node.mv);
            index = node.parent;
        }
        moves.reverse();
        moves
    }
}

fn is_mate_by(pos: &Position, side: Color) -> bool {
    pos.side() != side && pos.masks().checkers.any() && pos.perft(1) == 0
}

fn is_irreversible(pos: &Position, mv: Move) -> bool {
    mv.move_type() != MoveType::Normal || pos.kind(Kind::Pawn).has(mv.from()) || pos.occupied().has(mv.to())
}

fn hash(pos: &Position) -> u64 {
    let words = pos.kinds.iter().chain(&pos.colors).chain([&pos.castling, &pos.ep]);
    words.fold(pos.side().index() as u64, |hash, word| {
        (hash.rotate_left(29) ^ word.0).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// How far a mate by `side` seems to be: a guess, which decides nothing but the order of the search. A rich
/// side mates fastest when the other has lost all it could lose.
fn estimate(pos: &Position, side: Color) -> u32 {
    let loser = side.other();
    let (victim, own_king) = (pos.king(loser), pos.king(side));
    let (pawns, attacked) = (pos.kind(Kind::Pawn), pos.attacked_squares(side));
    let flights = attacks::king(victim) & !attacked & !pos.color(loser);
    let pieces = pos.color(side) & !pawns & !pos.kind(Kind::King);
    let mut cost = 2 * flights.count() + 3 * edge(victim) + 3 * distance(victim, own_king);
    cost += pieces.into_iter().map(|piece| 2 * distance(piece, victim)).sum::<u32>();
    if !pieces.meets(pos.kind(Kind::Queen) | pos.kind(Kind::Rook)) {
        let steps = (pawns & pos.color(side)).into_iter().map(|pawn| 7 - pawn.relative(side).rank() as u32);
        cost += steps.min().map_or(47, |steps| 11 + 2 * steps);
        if (pieces ^ pos.kind(Kind::Bishop) & pos.color(side) | pawns & pos.color(side)).is_empty() {
            cost += 26 * corner(victim, pieces);
        }
    }
    let men = pos.color(loser) & !pos.kind(Kind::King);
    cost += 10 * (men & !pawns).count() + 8 * (men & pawns).count();
    cost + if men.meets(attacked) { 0 } else { 2 } + if pos.masks().checkers.any() { 0 } else { 4 }
}

/// How far a king is from the next corner of the bishops' square color.
fn corner(king: Square, bishops: Bitboard) -> u32 {
    let color = if bishops.meets(Bitboard::DARK) { Bitboard::DARK } else { Bitboard::LIGHT };
    let corners = color & (Bitboard::rank(0) | Bitboard::rank(7)) & (Bitboard::file(0) | Bitboard::file(7));
    corners.into_iter().map(|corner| distance(king, corner)).min().unwrap_or(0)
}

fn edge(square: Square) -> u32 {
    let near = |at: usize| at.min(7 - at) as u32;
    near(square.file()) + near(square.rank())
}

fn distance(a: Square, b: Square) -> u32 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())) as u32
}
