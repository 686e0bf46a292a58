//! Statistics of files of records of Go: counts, histograms, damage.

use super::datastat::percent;
use super::record::go::{GoEnding, GoGame, GoHeader};
use super::record::{Reader, Record, RecordError};
use super::selfplay::settle;
use crate::game::{Game, Side};
use crate::games::formats::sgf::{self, GameInfo};
use crate::go::{Position, score::Margin};
use crate::message;
use crate::util::message::Message;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::path::Path;

/// Width of a bar of the histogram of game lengths, as a part of the points of the board.
const LENGTH_PARTS: usize = 4;
/// Width of a bar of the histogram of komi, in points.
const KOMI_STEP: i32 = 5;
/// A side would give up whose chances are no better than this (5 % of 255) in this many rows running, those
/// of its opponent among them.
const HOPELESS: u8 = 13;
const HOPELESS_ROWS: u32 = 3;

#[derive(Clone, Debug, Default)]
pub struct GoStatistics {
    /// Headers met: files, or parts that were concatenated.
    pub headers: Vec<GoHeader>,
    pub sizes: BTreeMap<u8, OfSize>,
    /// Games by komi, in steps of five points.
    pub komi: BTreeMap<i32, u64>,
    /// Games that were there before.
    pub duplicate_games: u64,
    /// Damage and games that do not match their records, a line each.
    pub complaints: Vec<String>,
    seen: HashSet<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct OfSize {
    /// Games that replay without an error.
    pub games: u64,
    pub rows: u64,
    /// Moves, those of openings and without a row among them.
    pub plies: u64,
    /// Passes before the last two moves.
    pub passes: u64,
    /// Games by result: White won, drawn, Black won.
    pub results: [u64; 3],
    /// Games by ending, in the order of [`GoEnding::ALL`].
    pub endings: [u64; 3],
    /// Games by length, in fourths of the points of the board.
    pub lengths: BTreeMap<usize, u64>,
    /// Sum of the games' agreement between playouts from the end and the owners there, each 0 to 1; and games
    /// below 95 %.
    pub agreement: (f64, u64),
    /// Points without an owner at the end.
    pub unowned: u64,
    /// Rows whose most visited move is the one played.
    pub best_played: u64,
    /// Sum over rows of the squared difference of value and result, 0 to 1.
    pub brier: f64,
    /// Games that one side would have given up, and those of them that it did not lose: games are played to
    /// the end, so what giving up would have cost is known.
    pub given_up: (u64, u64),
}

impl GoStatistics {
    /// Adds a file, and shows `each` game that matches its record.
    pub fn add(&mut self, path: &Path, mut each: impl FnMut(&GoGame, &Position)) -> Result<(), RecordError> {
        let mut reader = Reader::<_, GoGame>::of(File::open(path)?, Position::NAME);
        while let Some(game) = reader.next_whole(path, &mut self.complaints)? {
            match check(&game) {
                Ok(end) => {
                    self.note(&game);
                    each(&game, &end);
                }
                Err(complaint) => self.complaints.push(format!("{}: {complaint}", path.display())),
            }
        }
        self.headers.extend_from_slice(reader.headers());
        self.headers.dedup();
        Ok(())
    }

    fn note(&mut self, game: &GoGame) {
        let area = usize::from(game.size).pow(2);
        let pass = area as u16;
        let of = self.sizes.entry(game.size).or_default();
        of.games += 1;
        of.rows += game.positions();
        of.plies += game.plies.len() as u64;
        let before = &game.plies[..game.plies.len().saturating_sub(2)];
        of.passes += before.iter().filter(|ply| ply.mv == pass).count() as u64;
        of.results[(game.margin.signum() + 1) as usize] += 1;
        of.endings[game.ending as usize] += 1;
        *of.lengths.entry(game.plies.len() * LENGTH_PARTS / area).or_default() += 1;
        let agreement = f64::from(game.agreement) / 255.0;
        of.agreement.0 += agreement;
        of.agreement.1 += u64::from(agreement < 0.95);
        of.unowned += game.owners.iter().filter(|&&owner| owner == 0).count() as u64;
        for (ply, row) in game.plies.iter().enumerate().filter_map(|(i, ply)| Some((i, ply.row.as_ref()?))) {
            let best = row.visits.first().map(|&(mv, _)| mv);
            of.best_played += u64::from(best == Some(game.plies[ply].mv));
            let mover = if ply % 2 == 0 { Side::First } else { Side::Second };
            let result = game.winner().map_or(0.5, |side| f64::from(u8::from(side == mover)));
            of.brier += (f64::from(row.value) / 255.0 - result).powi(2);
        }
        if let Some(side) = gives_up(game) {
            of.given_up.0 += 1;
            of.given_up.1 += u64::from(game.winner() != Some(side.other()));
        }
        let komi = i32::from(game.komi).div_euclid(2 * KOMI_STEP) * KOMI_STEP;
        *self.komi.entry(komi).or_default() += 1;
        let mut hash = crc32fast::Hasher::new();
        game.plies.iter().for_each(|ply| hash.update(&ply.mv.to_le_bytes()));
        let identity =
            u64::from(hash.finalize()) << 32 | u64::from(game.komi as u16) << 8 | u64::from(game.size);
        self.duplicate_games += u64::from(!self.seen.insert(identity));
    }
}

/// The side that would have given the game up first.
fn gives_up(game: &GoGame) -> Option<Side> {
    let mut run = (None, 0);
    for (ply, row) in game.plies.iter().enumerate().filter_map(|(i, ply)| Some((i, ply.row.as_ref()?))) {
        let mover = if ply % 2 == 0 { Side::First } else { Side::Second };
        let hopeless = if row.value <= HOPELESS {
            Some(mover)
        } else {
            (row.value >= u8::MAX - HOPELESS).then_some(mover.other())
        };
        run = (hopeless, if hopeless == run.0 { run.1 + 1 } else { 1 });
        if let (Some(side), HOPELESS_ROWS) = run {
            return Some(side);
        }
    }
    None
}

/// Plays the game again: the moves are legal, it is over where it ends, and the count is the recorded one.
fn check(game: &GoGame) -> Result<Position, Message> {
    let end = game.replay(|_, _, _| ())?;
    let settled = settle(&end);
    if settled.owners != game.owners || settled.margin != game.margin {
        let (found, recorded) =
            (Margin(f32::from(settled.margin) / 2.0), Margin(f32::from(game.margin) / 2.0));
        return Err(message!(
            "game {game}: counts {found}, not {recorded}" | "第 {game} 局：计为 {found}，而非 {recorded}",
            game = game.index,
            found,
            recorded
        ));
    }
    if game.ending == GoEnding::Passes && end.board().passes() < 2 {
        return Err(message!(
            "game {game}: ended without two passes" | "第 {game} 局：没有双方停着就结束了",
            game = game.index
        ));
    }
    Ok(end)
}

pub fn to_sgf(game: &GoGame, end: &Position) -> String {
    let rows = game.positions();
    let info = GameInfo {
        result: Margin(f32::from(game.margin) / 2.0).to_string(),
        comment: format!(
            "game {}, {rows} rows, ended by {}, agreement {:.3}",
            game.index,
            game.ending.name(),
            f64::from(game.agreement) / 255.0
        ),
        ..GameInfo::default()
    };
    sgf::save(end, &info)
}

impl fmt::Display for GoStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "game: {}", Position::NAME)?;
        writeln!(f, "parts: {}", self.headers.len())?;
        for header in &self.headers {
            let GoHeader { seed, shard, shards, net, hybrid, visits, large_visits, sizes } = header;
            let sizes: Vec<_> = sizes.iter().map(|(size, share)| format!("{size}:{share}")).collect();
            let playouts = if *hybrid { " and playouts" } else { "" };
            let source = if *net == 0 { "playouts".to_owned() } else { format!("net {net:016x}{playouts}") };
            let sizes = sizes.join(",");
            writeln!(
                f,
                "  seed {seed} shard {shard}/{shards} visits {visits}, {large_visits} sizes {sizes} by {source}"
            )?;
        }
        for (size, of) in &self.sizes {
            of.describe(*size, f)?;
        }
        let games: u64 = self.sizes.values().map(|of| of.games).sum();
        writeln!(f, "komi:")?;
        for (&from, &n) in &self.komi {
            let to = from + KOMI_STEP;
            writeln!(f, "{:>14} {n:>12} {:6.2}%", format!("{from} to {to}"), percent(n, games))?;
        }
        writeln!(f, "duplicate games: {}", self.duplicate_games)?;
        writeln!(f, "damage: {}", self.complaints.len())?;
        let rows: u64 = self.sizes.values().map(|of| of.rows).sum();
        write!(f, "{rows} positions, {games} games")
    }
}

impl OfSize {
    fn describe(&self, size: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games;
        let a_game = |n: u64| n as f64 / games.max(1) as f64;
        writeln!(f, "{size}x{size}: {games} games, {} rows", self.rows)?;
        writeln!(
            f,
            "  a game: {:.1} rows, {:.1} plies, {:.1} early passes, {:.1} neutral points",
            a_game(self.rows),
            a_game(self.plies),
            a_game(self.passes),
            a_game(self.unowned)
        )?;
        let [white, draw, black] = self.results.map(|n| percent(n, games));
        writeln!(f, "  results: Black wins {black:.1}%, draw {draw:.1}%, White wins {white:.1}%")?;
        let endings = GoEnding::ALL
            .map(|ending| format!("{} {:.1}%", ending.name(), percent(self.endings[ending as usize], games)));
        writeln!(f, "  endings: {}", endings.join(", "))?;
        let length = |(&part, &n): (&usize, &u64)| {
            let from = 100 * part / LENGTH_PARTS;
            format!("{from}-{}% {:.1}%", from + 100 / LENGTH_PARTS, percent(n, games))
        };
        let lengths: Vec<_> = self.lengths.iter().map(length).collect();
        writeln!(f, "  length in plies to points: {}", lengths.join(", "))?;
        let (given_up, not_lost) = self.given_up;
        writeln!(
            f,
            "  below 5% in three rows running: {:.1}% of the games, of which {:.2}% were not lost",
            percent(given_up, games),
            percent(not_lost, given_up)
        )?;
        let (sum, few) = self.agreement;
        writeln!(
            f,
            "  ownership agreement: {:.2}%, below 95% in {:.1}% of the games",
            100.0 * sum / games.max(1) as f64,
            percent(few, games)
        )?;
        let brier = self.brier / self.rows.max(1) as f64;
        let best = percent(self.best_played, self.rows);
        writeln!(f, "  rows: value Brier {brier:.4}, most visited move played {best:.1}%")
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::go::{GoPly, SearchedPosition};
    use super::*;

    /// A game of nothing but rows with these values, from the side to move; 255 and 0 are won and lost.
    fn game(values: &[Option<u8>], margin: i16) -> GoGame {
        let row = |&value| SearchedPosition { value, score: 0, visits: vec![(0, 255)] };
        let plies = values.iter().map(|value| GoPly { mv: 0, row: value.as_ref().map(row) });
        GoGame {
            index: 0,
            size: 5,
            komi: 15,
            opening: 0,
            plies: plies.collect(),
            ending: GoEnding::Passes,
            margin,
            agreement: 255,
            owners: vec![0; 25],
        }
    }

    #[test]
    fn a_side_gives_up_after_three_hopeless_rows_running() {
        let up = |values: &[Option<u8>]| gives_up(&game(values, 0));
        // Black is to move first: it is lost for Black, won for White, lost for Black.
        assert_eq!(up(&[Some(10), Some(250), Some(13)]), Some(Side::First));
        assert_eq!(up(&[Some(250), None, None, Some(3), Some(242)]), Some(Side::Second));
        assert_eq!(up(&[Some(10), Some(250), Some(14), Some(250), Some(10)]), None);
        assert_eq!(up(&[Some(10), Some(10), Some(10), Some(10)]), None);
        assert_eq!(up(&[Some(128); 9]), None);
    }

    #[test]
    fn games_given_up_and_not_lost_are_counted() {
        let mut statistics = GoStatistics::default();
        let lost_for_black = [Some(10), Some(250), Some(13)];
        for margin in [-5, 0, 7] {
            statistics.note(&game(&lost_for_black, margin));
        }
        statistics.note(&game(&[Some(128); 3], -5));
        assert_eq!(statistics.sizes[&5].given_up, (3, 2));
        assert!(
            statistics.to_string().contains("running: 75.0% of the games, of which 66.67% were not lost")
        );
    }
}
