//! Games of Go against itself, for the net.
//!
//! Game `i` of a shard is a function of seed, shard and `i` only. The tree search plays both sides by
//! playouts, by a net, or by both; a net learns from the visits of its roots, the result, and the owners of
//! the points at the end, for which games are played on until nothing is open.
//!
//! Where a net plays, one search in four has all its visits and leaves a row, the others have a sixth of
//! them: results are dear and rows cheap. With a net only, a row has the improved policy of
//! [`gumbel`](crate::search::tree::gumbel) in place of visits. Sources: Wu, "Accelerating Self-Play Learning
//! in Go" (2019), for playout cap randomization and forks; Danihelka et al., "Policy improvement by planning
//! with Gumbel" (2022).

mod end;
mod play;

pub use end::{Settled, settle};
pub use play::{SelfplayPlayer, play};

use super::generate::{self, DatagenError, Existing, Goal, Summary};
use super::record::go::{GoHeader, MAX_SHARE, MAX_SIZE, MAX_SIZES, MIN_SIZE};
use crate::game::Game;
use crate::go::Position;
use crate::message;
use crate::util::message::Message;
use crate::util::rng::Rng;
use std::path::Path;
use std::str::FromStr;

/// The largest board that has the visits of small ones.
const SMALL: u8 = 13;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Playouts,
    Net,
    /// A net, and playouts beside it.
    Hybrid,
}

/// The settings that determine the games of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplaySettings {
    pub seed: u64,
    /// This part of the run, `0..shards`.
    pub shard: u32,
    /// Parts of the run; each has games of its own.
    pub shards: u32,
    /// Visits of a root on boards up to 13x13.
    pub visits: u32,
    pub large_visits: u32,
    pub sizes: Sizes,
    pub by: By,
    /// Training id of the net; 0 without one.
    pub net: u64,
}

impl Default for SelfplaySettings {
    fn default() -> Self {
        Self {
            seed: 1,
            shard: 0,
            shards: 1,
            visits: 150,
            large_visits: 300,
            sizes: Sizes::default(),
            by: By::Playouts,
            net: 0,
        }
    }
}

impl SelfplaySettings {
    fn visits_on(&self, size: u8) -> u32 {
        if size <= SMALL { self.visits } else { self.large_visits }
    }

    /// Draws the size of a board. The length of a game, and that of a playout, grow with the points of the
    /// board.
    fn draw_size(&self, rng: &mut Rng) -> u8 {
        let weight = |&(size, share): &(u8, u8)| {
            f64::from(share) / (f64::from(size).powi(4) * f64::from(self.visits_on(size)))
        };
        let sizes = &self.sizes.0;
        let mut left = unit(rng) * sizes.iter().map(weight).sum::<f64>();
        let drawn = sizes.iter().find(|size| {
            left -= weight(size);
            left < 0.0
        });
        drawn.or(sizes.last()).map_or(MIN_SIZE, |&(size, _)| size)
    }

    fn header(&self) -> GoHeader {
        GoHeader {
            seed: self.seed,
            shard: self.shard,
            shards: self.shards,
            net: self.net,
            hybrid: self.by == By::Hybrid,
            visits: self.visits,
            large_visits: self.large_visits,
            sizes: self.sizes.0.clone(),
        }
    }

    /// The file of this shard: `go-1-0of1.rec`.
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}of{}.rec", Position::NAME, self.seed, self.shard, self.shards)
    }
}

/// A number in `[0, 1)` with 53 random bits.
fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Sizes of boards, each with its share of the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(Vec<(u8, u8)>);

impl Default for Sizes {
    fn default() -> Self {
        Self(vec![(9, 40), (13, 25), (19, 35)])
    }
}

impl FromStr for Sizes {
    type Err = Message;

    /// `9:40,13:25,19:35`: each size with its share.
    fn from_str(text: &str) -> Result<Self, Message> {
        let part = |part: &str| -> Option<(u8, u8)> {
            let (size, share) = part.split_once(':')?;
            let (size, share) = (size.parse().ok()?, share.parse().ok()?);
            let known = (MIN_SIZE..=MAX_SIZE).contains(&size) && (1..=MAX_SHARE).contains(&share);
            known.then_some((size, share))
        };
        let sizes: Option<Vec<_>> = text.split(',').map(part).collect();
        sizes.filter(|sizes| sizes.len() <= MAX_SIZES).map(Self).ok_or_else(|| {
            message!(
                "at most {MAX_SIZES} sizes from {MIN_SIZE} to {MAX_SIZE} with their shares of the time, 1 to \
                 {MAX_SHARE}, are written 9:40,19:60"
                    | "至多 {MAX_SIZES} 种大小，从 {MIN_SIZE} 到 {MAX_SIZE}，各带 1 到 {MAX_SHARE} 的时间份额，写作 9:40,19:60"
            )
        })
    }
}

/// Plays games into a file of `directory` until `goal` is reached, with as many threads as there are
/// `players`.
pub fn run(
    directory: &Path,
    settings: &SelfplaySettings,
    goal: Goal,
    existing: Existing,
    players: Vec<SelfplayPlayer>,
) -> Result<Summary, DatagenError> {
    let players = players.into_iter().map(|mut player| move |index| play(&mut player, settings, index));
    let (file, header) = (settings.file_name(), settings.header());
    generate::run(directory, &file, Position::NAME, &header, goal, existing, players.collect())
}

#[cfg(test)]
mod tests;
