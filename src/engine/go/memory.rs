//! The search tree in memory: how much was asked for, how much there is, and what the tree is about.

use super::options::Options;
use crate::eval::go::Mixed;
use crate::go::{Move, Position, Rules};
use crate::message;
use crate::search::tree::{Restriction, SetupError, TreeSearch};
use crate::util::memory;
use crate::util::message::Message;

pub const MIB: usize = 1 << 20;

/// What decides the value of a position besides the stones. Results found on other terms, or with other moves
/// left out, are void.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    pub rules: Rules,
    pub white_bonus: f32,
    pub size: (usize, usize),
    restrictions: Vec<Restriction<Move>>,
}

impl Terms {
    pub fn of(position: &Position, restrictions: &[Restriction<Move>]) -> Self {
        let board = position.board();
        let size = (board.width(), board.height());
        let (rules, white_bonus) = (*position.rules(), position.white_bonus());
        Self { rules, white_bonus, size, restrictions: restrictions.to_vec() }
    }
}

pub struct SizedTree {
    pub search: TreeSearch<Position, Mixed>,
    asked: usize,
    /// Less than was asked for where the system had less.
    pub given: usize,
    /// What the tree is about; `None`: nothing in it counts.
    pub terms: Option<Terms>,
}

impl SizedTree {
    fn new(threads: usize, mib: usize) -> Result<Self, SetupError> {
        let search = TreeSearch::new(Mixed::default(), threads, mib)?;
        Ok(Self { search, asked: mib, given: mib, terms: None })
    }

    /// A tree of this size or, where the system or a container has less, of half of what it gives: the rest
    /// of the program needs memory too.
    fn within_reach(threads: usize, mib: usize) -> Result<Self, SetupError> {
        let mut given = mib;
        while given > 0 && memory::check(given.saturating_mul(MIB), 0).is_err() {
            given /= 2;
        }
        let mut made = Self::new(threads, given);
        while made.is_err() && given > 0 {
            given /= 2;
            made = Self::new(threads, given);
        }
        if given == mib {
            return made;
        }
        drop(made?);
        Ok(Self { asked: mib, ..Self::new(threads, given / 2)? })
    }

    fn fit(&mut self, threads: usize, mib: usize) -> Result<(), SetupError> {
        if self.search.threads() != threads {
            self.search.set_threads(threads)?;
        }
        if self.asked != mib {
            self.terms = None;
            // Until it is allocated, the search has almost no memory.
            (self.asked, self.given) = (0, 0);
            self.search.set_hash(mib)?;
            (self.asked, self.given) = (mib, mib);
        }
        Ok(())
    }
}

/// The tree, made when it is first needed.
#[derive(Default)]
pub struct Memory {
    tree: Option<SizedTree>,
    notice: Option<Message>,
}

impl Memory {
    pub fn tree(&self) -> Option<&SizedTree> {
        self.tree.as_ref()
    }

    /// MiB of the tree.
    pub fn given(&self) -> usize {
        self.tree.as_ref().map_or(0, |tree| tree.given)
    }

    pub fn forget(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.terms = None;
        }
    }

    /// The tree with the threads and the memory of the options. A first tree may be smaller, with a
    /// [notice](Self::take_notice).
    pub fn ready(&mut self, options: &Options) -> Result<&mut SizedTree, SetupError> {
        let Options { threads, hash_mib, .. } = *options;
        let tree = match &mut self.tree {
            Some(tree) => tree,
            none => {
                let tree = none.insert(SizedTree::within_reach(threads, hash_mib)?);
                self.notice = (tree.given < hash_mib).then(|| {
                    message!(
                        "no memory for a table of {hash_mib} MiB: it has {given} MiB"
                            | "内存不够 {hash_mib} MiB 的搜索树：只有 {given} MiB",
                        hash_mib,
                        given = tree.given
                    )
                });
                tree
            }
        };
        tree.fit(threads, hash_mib)?;
        Ok(tree)
    }

    /// Takes memory and threads when they are set, so that a value that cannot be had is refused now and not
    /// at the next move. After an error the tree is as `before`, but may have lost its contents.
    pub fn adapt(&mut self, options: &Options, before: &Options) -> Result<(), Message> {
        let asked = options.hash_mib;
        if asked != before.hash_mib {
            memory::check(asked.saturating_mul(MIB), self.given() * MIB).map_err(|available| {
                message!(
                    "no memory for a table of {asked} MiB: {available} MiB are available"
                        | "没有内存给 {asked} MiB 的搜索树：可用 {available} MiB",
                    asked,
                    available = available / MIB
                )
            })?;
        }
        match &mut self.tree {
            // A default size may be smaller.
            None if asked == before.hash_mib => drop(self.ready(options)?),
            none @ None => *none = Some(SizedTree::new(options.threads, asked)?),
            Some(_) => drop(self.ready(options).map(drop).inspect_err(|_| drop(self.ready(before)))?),
        }
        Ok(())
    }

    /// The notice about the memory, once.
    pub fn take_notice(&mut self) -> Option<Message> {
        self.notice.take()
    }
}
