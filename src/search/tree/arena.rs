//! Where the nodes live: one array of words, allocated once, filled from the bottom.
//!
//! A node is a block of `3 + 3 n` words for `n` moves: key, header, own statistics; then for each move its
//! statistics; then its AMAF statistics, or the squares of its outcomes; then move, prior and child.
//! Everything is atomic, so that threads share nodes without locks, and safe code, so that a mistake can cost
//! strength but not memory. The word of the key is written last and read first (release and acquire): a
//! thread that sees the key sees the node.
//!
//! Why the orderings suffice: a thread gets the place of a node from [`Arena::create`], from [`Node::child`]
//! or by [`Arena::checked`]. Each of the last two acquires what the maker of the node released after it had
//! written the node, directly or through a thread that had acquired it. So number and moves of a node are
//! written before they are read, and never change until the next collection: relaxed loads read them. What
//! does change, statistics, priors and the value of a net, is complete in its word, and nothing is concluded
//! from the order of two of them. Collections, clearing, and copies to and from files run while no search
//! thread does; the channels of the pool order them before and after all searches.
//!
//! No memory beyond the array is used, ever: the garbage collector threads its work list through the
//! headers. It runs while no search thread does.
//! Source: the collector is Lisp 2's sliding one, Jones and Lins, "Garbage Collection" (1996), ch. 5.

mod copy;

use super::stat::{self, Stat};
use std::sync::atomic::{
    AtomicU64, AtomicUsize, Ordering,
    Ordering::{Acquire, Relaxed, Release},
};

/// Place of a node in its arena. Valid until the next collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The place as a number, never 0.
    pub const fn index(self) -> u32 {
        self.0
    }

    /// Inverse of [`index`](Self::index). Any number may be tried with [`Arena::checked`].
    pub const fn from_index(index: u32) -> Option<Self> {
        if index == NO_CHILD || index == CLAIMED { None } else { Some(Self(index)) }
    }
}

const HEADER_WORDS: usize = 3;
const KEY: usize = 0;
const INFO: usize = 1;
const OWN: usize = 2;

/// Where a move's prior stands in its word: above the move, the upper half of a 32-bit float.
const PRIOR_MASK: u32 = 0xFFFF_0000;
/// Child field of a move without a node.
const NO_CHILD: u32 = 0;
/// Child field while one thread makes the node.
const CLAIMED: u32 = u32::MAX;

/// Header: moves in the low 16 bits, the mark above them, then the net's value, the collector's link in the
/// high 32.
const MOVES_MASK: u64 = 0xFFFF;
const MARK: u64 = 1 << 16;
const NET_SHIFT: u32 = 17;
const NET_MASK: u64 = (1 << LINK_SHIFT) - (1 << NET_SHIFT);
/// What the collector leaves in a header.
const KEPT: u64 = MOVES_MASK | NET_MASK;
/// The net's value: none yet; a thread is asking for it; all from [`NET_MIN`] to [`NET_MAX`]: 0 to 1.
const NET_UNASKED: u64 = 0;
const NET_CLAIMED: u64 = 1;
const NET_MIN: u64 = 2;
const NET_MAX: u64 = NET_MASK >> NET_SHIFT;
const LINK_SHIFT: u32 = 32;
/// Ends the collector's work list.
const END: u32 = u32::MAX;

/// The words of all nodes.
pub struct Arena {
    words: Vec<AtomicU64>,
    top: AtomicUsize,
}

/// One node, borrowed from its arena.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    info: &'a AtomicU64,
    own: &'a AtomicU64,
    edges: &'a [AtomicU64],
    amaf: &'a [AtomicU64],
    links: &'a [AtomicU64],
}

/// What becomes of a move of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Child {
    None,
    /// A thread is making it.
    Claimed,
    Node(NodeId),
}

impl<'a> Node<'a> {
    #[inline(always)]
    pub fn len(self) -> usize {
        self.edges.len()
    }

    /// Statistics of the node itself, from the side to move.
    #[inline(always)]
    pub fn own(self) -> &'a AtomicU64 {
        self.own
    }

    /// Statistics of the moves, from the side that makes them.
    #[inline(always)]
    pub fn edges(self) -> &'a [AtomicU64] {
        self.edges
    }

    /// AMAF statistics of the moves, from the side that makes them; without AMAF visits and squares of the
    /// outcomes.
    #[inline(always)]
    pub fn amaf(self) -> &'a [AtomicU64] {
        self.amaf
    }

    /// The packed move number `i`. Relaxed: written before the node was published, and kept by every later
    /// update.
    #[inline(always)]
    pub fn mv(self, i: usize) -> u16 {
        self.links[i].load(Relaxed) as u16
    }

    /// Prior probability of move `i`, to about 3 digits. Relaxed, as [`mv`](Self::mv).
    #[inline(always)]
    pub fn prior(self, i: usize) -> f32 {
        f32::from_bits((self.links[i].load(Relaxed) as u32) & PRIOR_MASK)
    }

    /// What move `i` leads to. Pairs with the release of [`set_child`](Self::set_child).
    #[inline(always)]
    pub fn child(self, i: usize) -> Child {
        match (self.links[i].load(Acquire) >> LINK_SHIFT) as u32 {
            NO_CHILD => Child::None,
            CLAIMED => Child::Claimed,
            id => Child::Node(NodeId(id)),
        }
    }

    /// Reserves the making of child `i`. False when another thread was first.
    pub fn claim(self, i: usize) -> bool {
        // Relaxed: who claims learns nothing but that it may make the child. The child is published by
        // `set_child`.
        let old = self.links[i].load(Relaxed);
        let new = old | u64::from(CLAIMED) << LINK_SHIFT;
        old >> LINK_SHIFT == u64::from(NO_CHILD)
            && self.links[i].compare_exchange(old, new, Relaxed, Relaxed).is_ok()
    }

    /// Ends a [`claim`](Self::claim): with the child, or with none if there was no room.
    pub fn set_child(self, i: usize, child: Option<NodeId>) {
        // Release: pairs with the acquire in `child`, so that who sees the place sees the node. Later relaxed
        // updates of the word keep that: they are read-modify-writes.
        let child = u64::from(child.map_or(NO_CHILD, |c| c.0)) << LINK_SHIFT;
        self.change_link(i, Release, |link| link & u64::from(u32::MAX) | child);
    }

    pub fn set_prior(self, i: usize, prior: f32) {
        // Relaxed: a thread that still sees the old prior selects by it once more.
        let prior = u64::from(prior.to_bits() & PRIOR_MASK);
        self.change_link(i, Relaxed, |link| link & !u64::from(PRIOR_MASK) | prior);
    }

    /// Other threads may change the rest of the word meanwhile.
    fn change_link(self, i: usize, order: Ordering, change: impl Fn(u64) -> u64) {
        // The update cannot fail: the closure always has a new value.
        let _ = self.links[i].fetch_update(order, Relaxed, |link| Some(change(link)));
    }

    /// Value that a net gave the position, 0 to 1, as it was set. `None`: no net has answered yet.
    #[inline(always)]
    pub fn net_value(self) -> Option<f32> {
        // Relaxed: the word is all there is to it.
        let net = (self.info.load(Relaxed) & NET_MASK) >> NET_SHIFT;
        (net >= NET_MIN).then(|| (net - NET_MIN) as f32 / (NET_MAX - NET_MIN) as f32)
    }

    /// Reserves the asking of a net. False when it was asked before.
    pub fn claim_net(self) -> bool {
        // Relaxed: the exchange gives the claim to one thread, and nothing else is reached through it.
        let old = self.info.load(Relaxed);
        (old & NET_MASK) >> NET_SHIFT == NET_UNASKED
            && self.info.compare_exchange(old, old | NET_CLAIMED << NET_SHIFT, Relaxed, Relaxed).is_ok()
    }

    /// Ends a [`claim_net`](Self::claim_net), or goes with the making of the node: the value, 0 to 1.
    pub fn set_net_value(self, value: f32) {
        let net = NET_MIN + (value * (NET_MAX - NET_MIN) as f32).round() as u64;
        // Who makes a node sets it when others see the node already, and may claim it. Relaxed: a net gives
        // the same to both.
        let set = |info| Some(info & !NET_MASK | net << NET_SHIFT);
        let _ = self.info.fetch_update(Relaxed, Relaxed, set);
    }

    pub fn total(self) -> Stat {
        stat::load(self.own)
    }
}

const fn block_words(moves: usize) -> usize {
    HEADER_WORDS + 3 * moves
}

impl Arena {
    /// An empty arena of `words` words of 8 bytes, at most 2^32 - 2.
    pub fn new(words: usize) -> Result<Self, std::collections::TryReserveError> {
        let count = words.min(CLAIMED as usize - 1);
        let mut words = Vec::new();
        words.try_reserve_exact(count)?;
        words.resize_with(count, AtomicU64::default);
        Ok(Self { words, top: AtomicUsize::new(1) })
    }

    pub fn capacity(&self) -> usize {
        self.words.len()
    }

    pub fn used(&self) -> usize {
        // Relaxed: a count, by which nothing is reached.
        self.top.load(Relaxed)
    }

    /// Makes a node of at most 65,535 moves (a 25x25 board has 625 and the pass); `key` is not 0. `None`:
    /// there is no room.
    pub fn create(&self, key: u64, moves: &[(u16, f32)]) -> Option<NodeId> {
        let size = block_words(moves.len());
        // Relaxed: the addition gives every block to one thread. What is in the block is published by its
        // key.
        let at = self
            .top
            .fetch_update(Relaxed, Relaxed, |top| Some(top + size).filter(|&end| end <= self.words.len()))
            .ok()?;
        let block = &self.words[at..at + size];
        block[INFO].store(moves.len() as u64, Relaxed);
        let links = &block[HEADER_WORDS + 2 * moves.len()..];
        for (link, &(mv, prior)) in links.iter().zip(moves) {
            link.store(u64::from(prior.to_bits() & PRIOR_MASK | u32::from(mv)), Relaxed);
        }
        debug_assert_ne!(key, 0, "free memory holds 0");
        // Release: pairs with the acquire in `checked`. The words above stand in the array before the key
        // does.
        block[KEY].store(key, Release);
        Some(NodeId(at as u32))
    }

    /// The node at `id`, which was made or found since the last collection.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        let block = &self.words[id.0 as usize..];
        // Relaxed: the place was acquired with the node.
        let len = block[INFO].load(Relaxed) as u16 as usize;
        let (head, rest) = block.split_at(HEADER_WORDS);
        let (edges, rest) = rest.split_at(len);
        let (amaf, rest) = rest.split_at(len);
        Node { info: &head[INFO], own: &head[OWN], edges, amaf, links: &rest[..len] }
    }

    pub fn checked(&self, id: NodeId, key: u64) -> bool {
        // Acquire: pairs with the release in `create`.
        self.words.get(id.0 as usize).is_some_and(|w| w.load(Acquire) == key)
    }

    pub fn clear(&self) {
        for word in &self.words[..self.used()] {
            word.store(0, Relaxed);
        }
        self.top.store(1, Relaxed);
    }

    /// Keeps only what is reachable from `root` through nodes of at least `min_visits` visits, slides it to
    /// the bottom and calls `each(key, place)` for all that stays. Returns the root's new place. Moves whose
    /// nodes go keep their statistics.
    ///
    /// No other thread may use the arena meanwhile.
    pub fn collect(&self, root: NodeId, min_visits: u32, each: impl FnMut(u64, NodeId)) -> NodeId {
        self.unmark();
        self.mark(root, min_visits);
        self.slide(root, each)
    }

    /// Words that [`collect`](Self::collect) would keep. The caller must be the only thread in the arena, as
    /// there.
    pub fn reachable(&self, root: NodeId, min_visits: u32) -> usize {
        self.unmark();
        self.mark(root, min_visits)
    }

    fn info(&self, at: usize) -> u64 {
        self.words[at + INFO].load(Relaxed)
    }

    /// Places of all blocks, in order.
    fn blocks(&self) -> impl Iterator<Item = usize> {
        let end = self.used();
        let mut at = 1;
        std::iter::from_fn(move || {
            (at < end).then(|| {
                let this = at;
                at += block_words(self.info(at) as u16 as usize);
                this
            })
        })
    }

    fn unmark(&self) {
        for at in self.blocks() {
            self.words[at + INFO].store(self.info(at) & KEPT, Relaxed);
        }
    }

    /// Marks what is reachable; returns its words. The list of marked blocks still to be looked at is
    /// threaded through their headers.
    fn mark(&self, root: NodeId, min_visits: u32) -> usize {
        let push = |at: u32, list: u32| {
            let info = &self.words[at as usize + INFO];
            info.store(info.load(Relaxed) & KEPT | MARK | u64::from(list) << LINK_SHIFT, Relaxed);
            at
        };
        let mut words = 0;
        let mut list = push(root.0, END);
        while list != END {
            let node = self.node(NodeId(list));
            list = (self.info(list as usize) >> LINK_SHIFT) as u32;
            words += block_words(node.len());
            for i in 0..node.len() {
                if let Child::Node(child) = node.child(i) {
                    let fresh = self.info(child.0 as usize) & MARK == 0;
                    if fresh && self.node(child).total().visits >= min_visits {
                        list = push(child.0, list);
                    }
                }
            }
        }
        words
    }

    /// Moves the marked blocks down and corrects every reference.
    fn slide(&self, root: NodeId, mut each: impl FnMut(u64, NodeId)) -> NodeId {
        let mut to = 1;
        for at in self.blocks() {
            let info = self.info(at);
            if info & MARK != 0 {
                let kept = info & u64::from(u32::MAX);
                self.words[at + INFO].store(kept | (to as u64) << LINK_SHIFT, Relaxed);
                to += block_words(info as u16 as usize);
            }
        }
        let forward = |id: NodeId| {
            let info = self.info(id.0 as usize);
            (info & MARK != 0).then_some(NodeId((info >> LINK_SHIFT) as u32))
        };
        for at in self.blocks().filter(|&at| self.info(at) & MARK != 0) {
            let node = self.node(NodeId(at as u32));
            for i in 0..node.len() {
                if let Child::Node(child) = node.child(i) {
                    node.set_child(i, forward(child));
                }
            }
        }
        let new_root = forward(root).unwrap_or(root);
        let end = self.used();
        let mut at = 1;
        while at < end {
            let info = self.info(at);
            let size = block_words(info as u16 as usize);
            if info & MARK != 0 {
                let target = (info >> LINK_SHIFT) as usize;
                for i in 0..size {
                    self.words[target + i].store(self.words[at + i].load(Relaxed), Relaxed);
                }
                self.words[target + INFO].store(info & KEPT, Relaxed);
                each(self.words[target + KEY].load(Relaxed), NodeId(target as u32));
            }
            at += size;
        }
        // What is free is zero: a stale key must not answer for a node that is not there.
        for word in &self.words[to..end] {
            word.store(0, Relaxed);
        }
        self.top.store(to, Relaxed);
        new_root
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Nodes of a race. Miri is slow, and looks at orders that a processor never shows.
    const NODES: usize = if cfg!(miri) { 24 } else { 4000 };

    fn key(i: usize) -> u64 {
        i as u64 + 1000
    }

    fn moves(i: usize) -> [(u16, f32); 2] {
        [(i as u16, 0.25), (i as u16 + 1, 0.75)]
    }

    /// Whether node `id` is all of what [`NODES`] number `i` was made of.
    fn is_whole(arena: &Arena, id: NodeId, i: usize) -> bool {
        let node = arena.node(id);
        node.len() == 2 && node.mv(0) == i as u16 && node.mv(1) == i as u16 + 1 && node.prior(1) == 0.75
    }

    /// An arena, and a node in it with a move for each of [`NODES`].
    fn with_root() -> (Arena, NodeId) {
        let arena = Arena::new(1 + block_words(NODES) + NODES * block_words(2)).unwrap();
        let root = arena.create(1, &vec![(0, 0.0); NODES]).unwrap();
        (arena, root)
    }

    /// A thread that sees the key of a node in its place sees the node.
    #[test]
    fn what_has_its_key_is_whole() {
        let (arena, _) = with_root();
        thread::scope(|scope| {
            scope.spawn(|| (0..NODES).all(|i| arena.create(key(i), &moves(i)).is_some()));
            scope.spawn(|| {
                for i in 0..NODES {
                    let place = 1 + block_words(NODES) + i * block_words(2);
                    let id = NodeId::from_index(place as u32).unwrap();
                    while !arena.checked(id, key(i)) {
                        thread::yield_now();
                    }
                    assert!(is_whole(&arena, id, i), "node {i}");
                }
            });
        });
    }

    /// Two threads make the children of a node, each of which is made once; two follow them.
    #[test]
    fn children_are_made_once_and_seen_whole() {
        let (arena, root) = with_root();
        let made = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for i in (0..NODES).filter(|&i| arena.node(root).claim(i)) {
                        made.fetch_add(1, Relaxed);
                        arena.node(root).set_child(i, arena.create(key(i), &moves(i)));
                    }
                });
                scope.spawn(|| {
                    for i in 0..NODES {
                        let id = loop {
                            match arena.node(root).child(i) {
                                Child::Node(id) => break id,
                                Child::None | Child::Claimed => thread::yield_now(),
                            }
                        };
                        assert!(is_whole(&arena, id, i) && arena.checked(id, key(i)), "child {i}");
                        // What others write meanwhile is kept.
                        arena.node(root).set_prior(i, 0.5);
                    }
                });
            }
        });
        assert_eq!(made.into_inner(), NODES);
        let node = arena.node(root);
        assert!((0..NODES).all(|i| node.prior(i) == 0.5 && matches!(node.child(i), Child::Node(_))));
    }
}
