//! Mates by checks only, however long: a proof-number search in which one side may only check.
//!
//! The tree is narrow, because a side in check has few moves, so it reaches mates far beyond the depth of the
//! main search. Depth first, by thresholds, with a table of what was found:
//! <https://www.chessprogramming.org/Proof-Number_Search>.
//!
//! A repetition never helps the side that checks. A proof hence holds where no position before the root has
//! occurred twice; that a position has no mate may depend on the way to it, and is at worst a mate not found.

use super::score::MAX_PLY;
use crate::game::{AlphaBetaGame, Game, MoveList};

/// Slots of the table; a position has its place among two of them.
const SLOTS: usize = 1 << 15;
/// Longest line, in plies.
const MAX_PLIES: usize = 100;
const _: () = assert!(MAX_PLIES < MAX_PLY);
/// Fewer positions are not worth going on for: the way back to where the search paused takes some.
const MIN_PORTION: u64 = 256;
/// The number of a node that is decided the other way.
const NEVER: u32 = u32::MAX;

/// How much is left to prove (the minimum of positions that must be won) and to disprove, and what a proof
/// has: how many plies it takes, and by which move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
    plies: u16,
    mv: u16,
}

impl Numbers {
    const REFUTED: Self = Self { proof: NEVER, disproof: 0, plies: 0, mv: 0 };

    const fn mate(plies: u16, mv: u16) -> Self {
        Self { proof: 0, disproof: NEVER, plies, mv }
    }

    const fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    numbers: Numbers,
    /// Positions looked at below it.
    work: u32,
    /// The root that it was seen under.
    generation: u32,
}

const EMPTY: Slot = Slot { key: 0, numbers: Numbers::REFUTED, work: 0, generation: 0 };

/// A move of a node, and what is known of the position after it.
struct Child<M> {
    mv: M,
    key: u64,
    numbers: Numbers,
}

/// The search for a mate from one root, which can be continued.
#[derive(Default)]
pub(super) struct MateSearch {
    /// Empty until it is first needed.
    table: Vec<Slot>,
    generation: u32,
    /// Keys of the positions on the way to the node.
    path: Vec<u64>,
    /// Positions looked at, and at how many the search has to pause.
    nodes: u64,
    pause_at: u64,
    is_over: bool,
}

impl MateSearch {
    pub const BYTES: usize = SLOTS * size_of::<Slot>();

    pub fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1).max(1);
        (self.nodes, self.is_over) = (0, false);
    }

    /// Positions looked at for this root.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on until `nodes` positions were looked at in all. `Some` once, when a mate is found; from then
    /// on, and where there is no mate, nothing is done. Every move of the line but the last is answered by
    /// the longest defence known.
    pub fn search<G: AlphaBetaGame>(&mut self, pos: &mut G, pause_at: u64) -> Option<Vec<G::Move>> {
        if self.is_over || pause_at < self.nodes + MIN_PORTION {
            return None;
        }
        self.table.resize(SLOTS, EMPTY);
        self.pause_at = pause_at;
        let root = self.explore(pos, true, [NEVER, NEVER]);
        self.is_over = root.is_decided();
        if root.proof != 0 {
            return None;
        }
        let mut line = Vec::with_capacity(root.plies as usize);
        let is_whole = self.follow(pos, root, &mut line);
        line.iter().for_each(|_| pos.undo_move());
        self.path.clear();
        is_whole.then_some(line)
    }

    /// Plays the moves of a proof. What was driven out of the table is proven again, within reason.
    fn follow<G: AlphaBetaGame>(&mut self, pos: &mut G, root: Numbers, line: &mut Vec<G::Move>) -> bool {
        self.pause_at = self.nodes + SLOTS as u64;
        let mut node = root;
        while node.proof == 0 && line.len() < MAX_PLIES {
            let mv = G::unpack(node.mv);
            self.path.push(pos.key());
            pos.do_move(mv, &mut ());
            line.push(mv);
            let answers = line.len().is_multiple_of(2);
            if !answers && pos.count_legal() == 0 {
                return true;
            }
            node = self.explore(pos, answers, [NEVER, NEVER]);
        }
        false
    }

    /// Numbers of the node, once they reach a limit (of proof, of disproof) or the search pauses. `checks`:
    /// the side to move is the one that checks.
    fn explore<G: AlphaBetaGame>(&mut self, pos: &mut G, checks: bool, limits: [u32; 2]) -> Numbers {
        if self.path.len() >= MAX_PLIES {
            return Numbers::REFUTED;
        }
        let before = self.nodes;
        self.path.push(pos.key());
        let mut children = self.expand(pos, checks);
        let numbers = loop {
            let numbers = combine::<G>(&children, checks);
            let reached = numbers.proof >= limits[0] || numbers.disproof >= limits[1];
            if numbers.is_decided() || reached || self.nodes >= self.pause_at {
                break numbers;
            }
            let (best, child_limits) = most_proving(&children, checks, limits);
            pos.do_move(children[best].mv, &mut ());
            children[best].numbers = self.explore(pos, !checks, child_limits);
            pos.undo_move();
            self.refresh(&mut children);
        };
        self.path.pop();
        self.store(pos.key(), numbers, (self.nodes - before) as u32);
        numbers
    }

    /// Takes over what was found meanwhile through transpositions.
    fn refresh<M>(&self, children: &mut [Child<M>]) {
        for child in children.iter_mut().filter(|child| !child.numbers.is_decided()) {
            child.numbers = self.known(child.key).unwrap_or(child.numbers);
        }
    }

    /// The moves of a node, each with what is known of it.
    fn expand<G: AlphaBetaGame>(&mut self, pos: &mut G, checks: bool) -> Vec<Child<G::Move>> {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        if checks {
            let is_check = pos.check_test();
            moves = moves.into_iter().filter(|&mv| is_check(mv)).collect();
        }
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            pos.do_move(mv, &mut ());
            self.nodes += 1;
            let key = pos.key();
            let numbers = if self.path.contains(&key) {
                Numbers::REFUTED
            } else {
                self.known(key).unwrap_or_else(|| first_numbers(pos, checks))
            };
            pos.undo_move();
            children.push(Child { mv, key, numbers });
        }
        children
    }

    fn known(&self, key: u64) -> Option<Numbers> {
        let found = places(key).into_iter().find(|&place| self.is_of(place, key))?;
        Some(self.table[found].numbers)
    }

    fn is_of(&self, place: usize, key: u64) -> bool {
        self.table[place].key == key && self.table[place].generation == self.generation
    }

    /// In the place that it has, or in that of the position with less work below it.
    fn store(&mut self, key: u64, numbers: Numbers, work: u32) {
        let own = places(key).into_iter().find(|&place| self.is_of(place, key));
        let worth = |place: &usize| {
            let slot = self.table[*place];
            if slot.generation == self.generation { slot.work + 1 } else { 0 }
        };
        let place = own.or_else(|| places(key).into_iter().min_by_key(worth)).unwrap_or_default();
        let before = if own.is_some() { self.table[place].work } else { 0 };
        let work = before.saturating_add(work).min(u32::MAX - 1);
        self.table[place] = Slot { key, numbers, work, generation: self.generation };
    }
}

/// The places that a position can have in the table.
fn places(key: u64) -> [usize; 2] {
    let place = key as usize & (SLOTS - 1);
    [place, place ^ 1]
}

/// What is assumed of a position never seen: the more answers a check leaves, the more there is to prove.
fn first_numbers<G: Game>(pos: &G, after_check: bool) -> Numbers {
    if !after_check {
        return Numbers { proof: 1, disproof: 1, plies: 0, mv: 0 };
    }
    match pos.count_legal() {
        0 => Numbers::mate(0, 0),
        answers => Numbers { proof: answers as u32, disproof: 1, plies: 0, mv: 0 },
    }
}

fn sum<M>(children: &[Child<M>], number: fn(&Numbers) -> u32) -> u32 {
    children.iter().fold(0, |all, child| u32::saturating_add(all, number(&child.numbers)))
}

fn min<M>(children: &[Child<M>], number: fn(&Numbers) -> u32) -> u32 {
    children.iter().map(|child| number(&child.numbers)).min().unwrap_or(NEVER)
}

/// What the children's numbers make of their node. To mate, the side that checks needs one of its moves, and
/// all of the opponent's answers.
fn combine<G: Game>(children: &[Child<G::Move>], checks: bool) -> Numbers {
    let mates = children.iter().filter(|child| child.numbers.proof == 0);
    let plies = |child: &&Child<G::Move>| child.numbers.plies;
    let (proof, disproof, last) = if checks {
        (min(children, |n| n.proof), sum(children, |n| n.disproof), mates.min_by_key(plies))
    } else {
        (sum(children, |n| n.proof), min(children, |n| n.disproof), mates.max_by_key(plies))
    };
    match last {
        _ if proof > 0 => Numbers { proof, disproof, plies: 0, mv: 0 },
        Some(child) => Numbers::mate(child.numbers.plies + 1, G::pack(child.mv)),
        None => Numbers::mate(0, 0),
    }
}

/// The child to look at next, and how far its numbers may rise before another is looked at.
fn most_proving<M>(children: &[Child<M>], checks: bool, limits: [u32; 2]) -> (usize, [u32; 2]) {
    // The number whose least counts, and the number whose sum does.
    let [min, summed]: [fn(&Numbers) -> u32; 2] =
        if checks { [|n| n.proof, |n| n.disproof] } else { [|n| n.disproof, |n| n.proof] };
    let [min_limit, sum_limit] = if checks { limits } else { [limits[1], limits[0]] };
    let (mut best, mut second) = (0, NEVER);
    for (i, child) in children.iter().enumerate().skip(1) {
        let number = min(&child.numbers);
        if number < min(&children[best].numbers) {
            (best, second) = (i, min(&children[best].numbers));
        } else {
            second = second.min(number);
        }
    }
    // A little more than the second, or the search goes to and fro between two children.
    let min_limit = min_limit.min(second.saturating_add(second / 4).saturating_add(1));
    let others = sum(children, summed) - summed(&children[best].numbers);
    let sum_limit = if sum_limit == NEVER { NEVER } else { sum_limit.saturating_sub(others) };
    let limits = if checks { [min_limit, sum_limit] } else { [sum_limit, min_limit] };
    (best, limits)
}

#[cfg(test)]
mod tests;
