//! The graph of nodes: an arena, and the shared table as an index by graph key.
//!
//! The index finds transpositions and, after a move was played, the new root. Losing an entry of it costs
//! a duplicate node, no more: the way down goes through the nodes' own references.

use super::arena::{Arena, Child, Node, NodeId};
use crate::search::tt::{MemoryError, Payload, TranspositionTable};
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// One part in this many of the memory goes to the index.
const INDEX_SHARE: usize = 32;

/// The arena of a root and its moves on the largest board needs 16 KiB; below this a search could not
/// even look one ply ahead.
const MIN_BYTES: usize = 256 << 10;

/// Nodes found by key, in a fixed amount of memory.
pub struct Graph {
    arena: Arena,
    index: TranspositionTable<NodeRef>,
    full: AtomicBool,
}

#[derive(Clone, Copy)]
struct NodeRef(u32);

impl Payload for NodeRef {
    fn pack(self) -> u64 {
        u64::from(self.0)
    }
    fn unpack(bits: u64) -> Self {
        Self(bits as u32)
    }
    fn worth(self, _: u8) -> i32 {
        // Later nodes are made later, mostly for deeper positions: they go first.
        -((self.0 >> 1) as i32)
    }
    fn replaces(self, _: Self, _: u8) -> bool {
        true
    }
    fn generation(self) -> u8 {
        0
    }
}

impl Graph {
    /// An empty graph in `mib` MiB, all taken together.
    pub fn new(mib: usize) -> Result<Self, MemoryError> {
        let bytes = mib.saturating_mul(1 << 20).max(MIN_BYTES);
        let index_bytes = bytes / INDEX_SHARE;
        let index = TranspositionTable::with_bytes(index_bytes).map_err(|_| MemoryError::Table(mib))?;
        let arena = Arena::new((bytes - index_bytes) / 8).map_err(|_| MemoryError::Table(mib))?;
        Ok(Self { arena, index, full: AtomicBool::new(false) })
    }

    /// A graph in `mib` MiB with the nodes that are read: `words` words, as [`copy_to`](Self::copy_to) wrote
    /// them. `is_move` decides what may be a move. Also returns the number of nodes.
    /// # Errors
    /// There is no memory or no room for it, it cannot be read, or it makes no sense.
    pub fn copied(
        mib: usize,
        words: u64,
        input: &mut dyn Read,
        is_move: impl Fn(u16) -> bool,
    ) -> io::Result<(Self, u64)> {
        let graph = Self::new(mib).map_err(io::Error::other)?;
        let nodes = graph.arena.copy_from(input, words, is_move, |key, id| {
            graph.index.store(key, NodeRef(id.index()), 0);
        })?;
        Ok((graph, nodes))
    }

    /// Length in bytes of what [`copy_to`](Self::copy_to) writes.
    pub fn copy_bytes(&self) -> u64 {
        self.arena.copy_bytes()
    }

    /// Writes all nodes, and returns their number. No search may run meanwhile.
    pub fn copy_to(&self, out: &mut dyn Write) -> io::Result<u64> {
        self.arena.copy_to(out)
    }

    #[inline(always)]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        self.arena.node(id)
    }

    pub fn find(&self, key: u64) -> Option<NodeId> {
        let key = nonzero(key);
        let id = NodeId::from_index(self.index.probe(key)?.0)?;
        self.arena.checked(id, key).then_some(id)
    }

    /// Makes a node for a position. `None`: the memory is full.
    pub fn create(&self, key: u64, moves: &[(u16, f32)]) -> Option<NodeId> {
        let key = nonzero(key);
        let id = self.arena.create(key, moves);
        match id {
            Some(id) => self.index.store(key, NodeRef(id.index()), 0),
            // Relaxed: a thread that sees it late makes a descent more.
            None => self.full.store(true, Relaxed),
        }
        id
    }

    /// Whether a node could not be made since the last [`shrink`](Self::shrink).
    #[inline]
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Share of the memory in use, in permille.
    pub fn permille_full(&self) -> u32 {
        (self.arena.used() * 1000 / self.arena.capacity()) as u32
    }

    /// Forgets everything. No other thread may use the graph meanwhile.
    pub fn clear(&self) {
        self.arena.clear();
        self.index.clear_part(0, 1);
        self.full.store(false, Relaxed);
    }

    /// Drops what `root` does not need, then nodes of few visits, until half of the memory is free. Returns
    /// the root's new place; all others are void. No other thread may use the graph meanwhile.
    pub fn shrink(&self, root: NodeId) -> NodeId {
        let mut min_visits = 0;
        while self.arena.reachable(root, min_visits) > self.arena.capacity() / 2 && min_visits < 1 << 28 {
            min_visits = (2 * min_visits).max(1);
        }
        self.index.clear_part(0, 1);
        let root = self.arena.collect(root, min_visits, |key, id| {
            self.index.store(key, NodeRef(id.index()), 0);
        });
        self.full.store(false, Relaxed);
        root
    }

    /// The child that move `i` of `node` leads to, if it is there.
    pub fn child(&self, node: Node<'_>, i: usize) -> Option<NodeId> {
        match node.child(i) {
            Child::Node(id) => Some(id),
            Child::None | Child::Claimed => None,
        }
    }
}

/// Free memory holds 0, so no key may.
const fn nonzero(key: u64) -> u64 {
    if key == 0 { 1 } else { key }
}
