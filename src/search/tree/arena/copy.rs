//! The nodes in a file: written word by word, and read with suspicion.

use super::super::stat;
use super::{
    Arena, INFO, KEPT, KEY, LINK_SHIFT, NET_CLAIMED, NET_MASK, NET_SHIFT, NO_CHILD, OWN, block_words,
};
use super::{HEADER_WORDS, MOVES_MASK};
use std::io::{self, Read, Write};
use std::sync::atomic::Ordering::Relaxed;

/// Words that are copied at once.
const PIECE: usize = 8192;
/// No prior is greater, as far as a float is exact.
const GREATEST_PRIOR: f32 = 1.01;

fn senseless(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("its content makes no sense: {why}"))
}

impl Arena {
    /// Length in bytes of what [`copy_to`](Self::copy_to) writes.
    pub fn copy_bytes(&self) -> u64 {
        8 * (self.used() as u64 - 1)
    }

    /// Writes all nodes, and returns their number. No search may run meanwhile.
    pub fn copy_to(&self, out: &mut dyn Write) -> io::Result<u64> {
        let mut bytes = Vec::with_capacity(8 * PIECE);
        for piece in self.words[1..self.used()].chunks(PIECE) {
            bytes.clear();
            bytes.extend(piece.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()));
            out.write_all(&bytes)?;
        }
        Ok(self.blocks().count() as u64)
    }

    /// Reads `words` words of nodes into this arena, which has none, and calls `each(key, place)` for all.
    /// `is_move` decides what may be a move.
    /// # Errors
    /// Those of `input`, or: there is no room, or the nodes make no sense. The arena is of no use then.
    pub fn copy_from(
        &self,
        input: &mut dyn Read,
        words: u64,
        is_move: impl Fn(u16) -> bool,
        mut each: impl FnMut(u64, super::NodeId),
    ) -> io::Result<u64> {
        let room = self.capacity() - 1;
        let words = usize::try_from(words).ok().filter(|&words| words <= room);
        let end = 1 + words.ok_or_else(|| senseless("it has more nodes than there is room for"))?;
        let mut bytes = vec![0; 8 * PIECE];
        for piece in self.words[1..end].chunks(PIECE) {
            let bytes = &mut bytes[..8 * piece.len()];
            input.read_exact(bytes)?;
            for (word, bytes) in piece.iter().zip(bytes.as_chunks::<8>().0) {
                word.store(u64::from_le_bytes(*bytes), Relaxed);
            }
        }
        let starts = self.check_blocks(end, is_move)?;
        self.check_children(&starts)?;
        self.top.store(end, Relaxed);
        for &at in &starts {
            each(self.words[at as usize + KEY].load(Relaxed), super::NodeId(at));
        }
        Ok(starts.len() as u64)
    }

    /// Where each block begins.
    fn check_blocks(&self, end: usize, is_move: impl Fn(u16) -> bool) -> io::Result<Vec<u32>> {
        let word = |at: usize| self.words[at].load(Relaxed);
        let (mut starts, mut at) = (Vec::new(), 1);
        while at < end {
            let moves = if at + HEADER_WORDS <= end { (word(at + INFO) & MOVES_MASK) as usize } else { 0 };
            let next = at + block_words(moves);
            if moves == 0 || next > end || word(at + KEY) == 0 {
                return Err(senseless("a node is cut off"));
            }
            // No thread works in it any more.
            let mut info = word(at + INFO) & KEPT;
            if info & NET_MASK == NET_CLAIMED << NET_SHIFT {
                info &= !NET_MASK;
            }
            self.words[at + INFO].store(info, Relaxed);
            let links = at + HEADER_WORDS + 2 * moves;
            if !stat::is_sound(word(at + OWN))
                || !(at + HEADER_WORDS..links).all(|at| stat::is_sound(word(at)))
            {
                return Err(senseless("a node has more wins than visits"));
            }
            let is_good = |link: u64| {
                let prior = f32::from_bits(link as u32 & super::PRIOR_MASK);
                is_move(link as u16) && (0.0..=GREATEST_PRIOR).contains(&prior)
            };
            if !(links..next).all(|at| is_good(word(at))) {
                return Err(senseless("a node has a move that is none"));
            }
            starts.push(at as u32);
            at = next;
        }
        Ok(starts)
    }

    /// Whether every move leads to a node or to none.
    fn check_children(&self, starts: &[u32]) -> io::Result<()> {
        for &at in starts {
            let node = self.node(super::NodeId(at));
            for (i, link) in node.links.iter().enumerate() {
                match (link.load(Relaxed) >> LINK_SHIFT) as u32 {
                    NO_CHILD => (),
                    super::CLAIMED => node.set_child(i, None),
                    child if starts.binary_search(&child).is_ok() => (),
                    _ => return Err(senseless("a move leads to no node")),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Child, NodeId};
    use super::*;

    /// Two nodes, the second a child of the first.
    fn pair() -> Arena {
        let arena = Arena::new(100).unwrap();
        let root = arena.create(7, &[(3, 0.5), (4, 0.5)]).unwrap();
        let child = arena.create(8, &[(5, 1.0)]).unwrap();
        arena.node(root).set_child(1, Some(child));
        arena.node(root).claim(0);
        stat::add_visit(arena.node(root).own());
        arena
    }

    fn read(bytes: &[u8], room: usize) -> io::Result<(Arena, Vec<(u64, NodeId)>)> {
        let (arena, mut found) = (Arena::new(room).unwrap(), Vec::new());
        let words = bytes.len() as u64 / 8;
        arena.copy_from(&mut &bytes[..], words, |mv| mv < 100, |key, id| found.push((key, id)))?;
        Ok((arena, found))
    }

    #[test]
    fn a_copy_has_the_nodes() {
        let mut bytes = Vec::new();
        let arena = pair();
        assert_eq!(arena.copy_to(&mut bytes).unwrap(), 2);
        assert_eq!(bytes.len() as u64, arena.copy_bytes());
        let (copy, found) = read(&bytes, 100).unwrap();
        let [(7, root), (8, child)] = found[..] else { panic!("{found:?}") };
        let node = copy.node(root);
        assert_eq!((node.len(), node.mv(1), node.total().visits, copy.used()), (2, 4, 1, arena.used()));
        assert_eq!((node.child(0), node.child(1)), (Child::None, Child::Node(child)));
        assert_eq!(copy.node(child).prior(0), 1.0);
        let refusal = |bytes: &[u8], room| read(bytes, room).err().map(|error| error.to_string());
        assert!(refusal(&bytes, bytes.len() / 8).unwrap().contains("room"));
        assert!(refusal(&bytes[..bytes.len() - 8], 100).unwrap().contains("cut off"));
    }

    #[test]
    fn nodes_that_no_search_makes_are_refused() {
        let mut good = Vec::new();
        pair().copy_to(&mut good).unwrap();
        // Of the root: key, header, own, two moves, their other statistics, their links.
        let link = |mv: u16, prior: f32, child: u32| {
            u64::from(prior.to_bits() & super::super::PRIOR_MASK | u32::from(mv))
                | u64::from(child) << LINK_SHIFT
        };
        for (word, value, why) in [
            (0, 0, "cut off"),
            (1, 0, "cut off"),
            (1, 60_000, "cut off"),
            (2, 2000, "more wins"),
            (3, 2000, "more wins"),
            (7, link(100, 0.5, 0), "a move that is none"),
            (7, link(3, f32::NAN, 0), "a move that is none"),
            (7, link(3, -0.5, 0), "a move that is none"),
            (7, link(3, 7.0, 0), "a move that is none"),
            (7, link(3, 0.5, 2), "leads to no node"),
            (7, link(3, 0.5, 1 << 30), "leads to no node"),
        ] {
            let mut bytes = good.clone();
            bytes[8 * word..8 * word + 8].copy_from_slice(&u64::to_le_bytes(value));
            let error = read(&bytes, 100).err().map(|error| error.to_string());
            assert!(error.as_ref().is_some_and(|text| text.contains(why)), "{word} {value:x}: {error:?}");
        }
    }
}
