//! Opening books: what their formats have in common, and how one is made from games.

use super::Game;
use arrayvec::ArrayVec;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove<M> {
    /// The move, legal in the position asked about.
    pub mv: M,
    /// How often it is to be played, against the others of the position.
    pub weight: u16,
}

/// A format of opening books: entries of a position, a move and its weight, in the order of their keys.
pub trait BookFormat {
    type Game: Game;
    /// A position and a move.
    type Key: Copy + Ord;
    const ENTRY_BYTES: usize;

    /// Where a move of a position belongs; in two places where the position is its own mirror image.
    fn keys(pos: &Self::Game, mv: <Self::Game as Game>::Move) -> ArrayVec<Self::Key, 2>;
    fn entry(key: Self::Key, weight: u16) -> Vec<u8>;
}

/// Makes a book from games.
pub struct BookMaker<F: BookFormat> {
    moves: BTreeMap<F::Key, Played>,
    /// What was noted of the game at hand.
    noted: BTreeSet<F::Key>,
}

#[derive(Clone, Copy, Default)]
struct Played {
    games: u32,
    /// Two for each win, one for each draw.
    points: u32,
}

impl<F: BookFormat> Default for BookMaker<F> {
    fn default() -> Self {
        Self { moves: BTreeMap::new(), noted: BTreeSet::new() }
    }
}

impl<F: BookFormat> BookMaker<F> {
    pub fn begin_game(&mut self) {
        self.noted.clear();
    }

    /// Notes that `mv` was played here, once a game, in a game that brought the mover 2 points for a win, 1
    /// for a draw or none.
    pub fn add(&mut self, pos: &F::Game, mv: <F::Game as Game>::Move, points: u32) {
        for key in F::keys(pos, mv) {
            if !self.noted.insert(key) {
                continue;
            }
            let played: &mut Played = self.moves.entry(key).or_default();
            played.games = played.games.saturating_add(1);
            played.points = played.points.saturating_add(points);
        }
    }

    /// The book: moves that were played in at least `games` games and brought something, weighed by their
    /// points.
    #[allow(clippy::arithmetic_side_effects, reason = "the divisor is at least 1")]
    pub fn finish(&self, games: u32) -> Vec<u8> {
        let kept = self.moves.iter().filter(|(_, played)| played.games >= games && played.points > 0);
        let max = kept.clone().map(|(_, played)| played.points).max().unwrap_or(0);
        let divisor = max.div_ceil(u16::MAX.into()).max(1);
        kept.flat_map(|(&key, played)| F::entry(key, (played.points / divisor).max(1) as u16)).collect()
    }
}
