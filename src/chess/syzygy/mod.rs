//! Syzygy endgame tables: who wins with perfect play (WDL), and how many plies the winner needs to the next
//! capture or pawn move (DTZ).
//!
//! A reader of our own in safe code: tables belong to their owner instead of the process, any thread may
//! probe, and a missing or damaged file costs its answers and nothing else. The tests compare every answer
//! with pyrrhic-rs.
//! Source: R. de Man, <https://github.com/syzygy1/tb>; <https://www.chessprogramming.org/Syzygy_Bases>.
// A table file is untrusted input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod cursor;
mod encoding;
mod material;
#[cfg(all(test, target_arch = "x86_64"))]
mod peer_tests;
mod table;
#[cfg(test)]
mod tests;

use super::board::Board;
use super::draws::{RULE_PLIES, is_dead_material};
use super::movegen::All;
use super::position::Position;
use super::types::{Kind, Move, MoveType};
use crate::game::{Game, MoveList};
use crate::message;
use crate::util::files::{self, open_regular};
use crate::util::memory::map_file;
use crate::util::message::Message;
use crate::util::sync::lock;
use cursor::Damaged;
use material::Material;
use once_cell::sync::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use table::{Metric, Stored, Table};

/// Who wins, from the side to move. The order is that of preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(i8)]
pub enum Wdl {
    Loss = -2,
    /// Lost, but for the fifty-move rule.
    BlessedLoss = -1,
    Draw = 0,
    /// Won, but for the fifty-move rule.
    CursedWin = 1,
    Win = 2,
}

impl Wdl {
    const fn from_number(number: i32) -> Self {
        match number {
            ..=-2 => Self::Loss,
            -1 => Self::BlessedLoss,
            0 => Self::Draw,
            1 => Self::CursedWin,
            _ => Self::Win,
        }
    }

    /// The same, from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::from_number(-(self as i32))
    }

    /// As if there were no fifty-move rule.
    #[must_use]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }

    /// DTZ of a position whose best move is a capture or a pawn move and leads to this. One that needs
    /// more than fifty moves counts 100 more.
    const fn dtz_before_zeroing(self) -> i32 {
        match self {
            Self::Loss => -1,
            Self::BlessedLoss => -101,
            Self::Draw => 0,
            Self::CursedWin => 101,
            Self::Win => 1,
        }
    }
}

/// The tables' result for a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    pub mv: Move,
    /// The result it leads to for who plays it, by the fifty-move rule with the plies already played, and by
    /// repetition of positions of the game.
    pub outcome: Wdl,
    /// Plies to the winner's next capture or pawn move, this move included: positive when winning, negative
    /// when losing, 0 when drawn. A stored value may be one ply too low.
    pub dtz: i32,
}

/// The tables of some folders.
#[derive(Default)]
pub struct Tables {
    entries: Vec<Entry>,
    /// By material, as named and with colors exchanged.
    found: HashMap<Material, usize>,
    max_pieces: usize,
    complaints: Mutex<Vec<Message>>,
}

/// The tables of one material, read when first asked.
struct Entry {
    name: String,
    material: Material,
    wdl: TableFile,
    dtz: TableFile,
}

struct TableFile {
    path: Option<PathBuf>,
    table: OnceCell<Option<Table>>,
}

/// What is wanted of a search for the value of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeroing {
    /// Captures are searched; what is left, the table knows.
    Captures,
    /// Pawn moves too: DTZ tables may hold anything where one of them is best.
    CapturesAndPawnMoves,
}

/// A value, and whether a capture or pawn move reaches it.
type Searched = (Wdl, bool);

/// Maximum number of pieces a table can have.
pub const MAX_PIECES: usize = material::MAX_PIECES;

impl Tables {
    /// Looks for tables in the folders of `path`, separated as the system separates paths (`:`, on Windows
    /// `;`). What is wrong with folders and files is reported by [`take_complaints`](Self::take_complaints).
    pub fn open(path: &str) -> Self {
        let mut tables = Self::default();
        for folder in std::env::split_paths(path).filter(|folder| !folder.as_os_str().is_empty()) {
            tables.add_folder(&folder);
        }
        tables.max_pieces = tables.entries.iter().map(|entry| entry.material.count()).max().unwrap_or(0);
        tables
    }

    /// Adds the tables of a folder that earlier ones lack.
    fn add_folder(&mut self, folder: &Path) {
        let listed = match std::fs::read_dir(folder) {
            Ok(listed) => listed,
            Err(error) => return self.complain(files::at(folder, error)),
        };
        let mut paths: Vec<PathBuf> = listed.flatten().map(|file| file.path()).collect();
        paths.sort();
        for path in paths {
            let stem = path.file_stem().and_then(|s| s.to_str());
            let suffix = path.extension().and_then(|s| s.to_str());
            let Some(metric) = [Metric::Wdl, Metric::Dtz].into_iter().find(|m| suffix == Some(m.suffix()))
            else {
                continue;
            };
            let Some((name, material)) = stem.and_then(|s| Some((s.to_owned(), Material::from_name(s)?)))
            else {
                self.complain(files::at(&path, message!("no name of a table" | "不是残局库的文件名")));
                continue;
            };
            match check(&path, metric) {
                Ok(()) => self.add(name, material, metric, path),
                Err(why) => self.complain(files::at(&path, why)),
            }
        }
    }

    fn add(&mut self, name: String, material: Material, metric: Metric, path: PathBuf) {
        let at = *self.found.entry(material).or_insert_with(|| {
            let file = || TableFile { path: None, table: OnceCell::new() };
            self.entries.push(Entry { name, material, wdl: file(), dtz: file() });
            self.entries.len() - 1
        });
        self.found.insert(material.swapped(), at);
        // A table named the other way round in another folder is a second copy.
        if let Some(entry) = self.entries.get_mut(at).filter(|entry| entry.material == material) {
            entry.file_mut(metric).path.get_or_insert(path);
        }
    }

    /// Number of pieces, kings included, up to which there are tables; 0 when there are none.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// Number of WDL and of DTZ tables.
    pub fn counts(&self) -> (usize, usize) {
        let count = |file: fn(&Entry) -> &TableFile| {
            self.entries.iter().filter(|entry| file(entry).path.is_some()).count()
        };
        (count(|entry| &entry.wdl), count(|entry| &entry.dtz))
    }

    /// What has been found wrong with folders and files since the last call, a line each.
    pub fn take_complaints(&self) -> Vec<Message> {
        std::mem::take(&mut *lock(&self.complaints))
    }

    fn complain(&self, complaint: Message) {
        lock(&self.complaints).push(complaint);
    }

    /// Whether tables of this many pieces can know this position: it must have no castling rights.
    fn covers(&self, pos: &Position) -> bool {
        pos.occupied().count() as usize <= self.max_pieces && pos.castling_rooks().is_empty()
    }

    /// Who wins, if the last move was a capture or a pawn move. `None` when the tables do not know.
    pub fn probe_wdl(&self, pos: &Position) -> Option<Wdl> {
        if !self.covers(pos) {
            return None;
        }
        self.search(pos, Zeroing::Captures).map(|(wdl, _)| wdl)
    }

    /// Plies to the winner's next capture or pawn move: positive when the side to move wins, negative when it
    /// loses, 0 when it draws. One that the fifty-move rule makes a draw is above 100. A stored value may be
    /// one ply too low. A side that is mated has -1. `None` when the tables do not know.
    pub fn probe_dtz(&self, pos: &Position) -> Option<i32> {
        if !self.covers(pos) {
            return None;
        }
        self.dtz(pos)
    }

    /// The tables' result for every legal move, in the order of generation. `None` when they do not know all.
    pub fn rank_moves(&self, board: &Board) -> Option<Vec<RankedMove>> {
        if !self.covers(board.position()) {
            return None;
        }
        let mut board = board.clone();
        let mut moves = MoveList::<Move>::new();
        board.position().generate::<All>(board.masks(), &mut moves);
        let played = i32::from(board.rule50());
        moves
            .into_iter()
            .map(|mv| {
                board.do_move(mv, &mut ());
                let dtz = if board.is_draw(1) {
                    Some(0)
                } else if board.masks().checkers.any() && !board.has_legal_move() {
                    Some(1)
                } else if board.rule50() == 0 {
                    self.probe_wdl(board.position()).map(|wdl| wdl.reversed().dtz_before_zeroing())
                } else {
                    self.dtz(board.position()).map(|dtz| -dtz - dtz.signum())
                };
                board.undo_move();
                dtz.map(|dtz| RankedMove { mv, outcome: outcome(dtz, played), dtz })
            })
            .collect()
    }

    /// The best move by the tables: the quickest to the next capture or pawn move when winning, the slowest
    /// when losing. `None` when the tables do not know, or there is no legal move.
    pub fn best_move(&self, board: &Board) -> Option<RankedMove> {
        let moves = self.rank_moves(board)?;
        let preference = |ranked: &RankedMove| (ranked.outcome, std::cmp::Reverse(ranked.dtz));
        // Of equal ones the first.
        moves.into_iter().rev().max_by_key(preference)
    }

    /// The value of a position: the best of its captures and of the table's value.
    fn search(&self, pos: &Position, zeroing: Zeroing) -> Option<Searched> {
        let mut moves = MoveList::<Move>::new();
        pos.generate::<All>(&pos.masks(), &mut moves);
        let (mut best, mut searched) = (None, 0);
        for &mv in &moves {
            if !is_capture(pos, mv) && !(zeroing == Zeroing::CapturesAndPawnMoves && is_pawn_move(pos, mv)) {
                continue;
            }
            searched += 1;
            let value = self.search(&after(pos, mv), Zeroing::Captures)?.0.reversed();
            if value == Wdl::Win {
                return Some((value, true));
            }
            best = best.max(Some(value));
        }
        // Captures en passant are not in the tables: without another move there is nothing to look up.
        if searched > 0 && searched == moves.len() {
            return best.map(|value| (value, true));
        }
        let stored = self.stored_wdl(pos)?;
        Some(match best {
            Some(best) if best >= stored => (best, best > Wdl::Draw),
            _ => (stored, false),
        })
    }

    fn stored_wdl(&self, pos: &Position) -> Option<Wdl> {
        if is_dead_material(pos) {
            return Some(Wdl::Draw);
        }
        match self.stored(pos, Metric::Wdl, 0)? {
            Stored::Value(value) => Some(Wdl::from_number(i32::from(value) - 2)),
            Stored::OtherSide => None,
        }
    }

    fn dtz(&self, pos: &Position) -> Option<i32> {
        let (wdl, by_zeroing) = self.search(pos, Zeroing::CapturesAndPawnMoves)?;
        if wdl == Wdl::Draw {
            return Some(0);
        }
        if by_zeroing {
            return Some(wdl.dtz_before_zeroing());
        }
        let sign = (wdl as i32).signum();
        match self.stored(pos, Metric::Dtz, wdl as i32)? {
            Stored::Value(value) => Some(wdl.dtz_before_zeroing() + sign * i32::from(value)),
            Stored::OtherSide => self.dtz_by_moves(pos, sign),
        }
    }

    /// DTZ from the positions after each move, for a side whose own are not stored.
    fn dtz_by_moves(&self, pos: &Position, sign: i32) -> Option<i32> {
        let mut moves = MoveList::<Move>::new();
        pos.generate::<All>(&pos.masks(), &mut moves);
        let mut best = None;
        for &mv in &moves {
            let next = after(pos, mv);
            let dtz = if is_capture(pos, mv) || is_pawn_move(pos, mv) {
                self.search(&next, Zeroing::Captures)?.0.reversed().dtz_before_zeroing()
            } else if next.masks().checkers.any() && !has_move(&next) {
                1
            } else {
                let below = self.dtz(&next)?;
                -below - below.signum()
            };
            if dtz.signum() == sign && best.is_none_or(|best| dtz < best) {
                best = Some(dtz);
            }
        }
        // Without a legal move it is mate.
        Some(best.unwrap_or(-1))
    }

    fn stored(&self, pos: &Position, metric: Metric, wdl: i32) -> Option<Stored> {
        let entry = self.entries.get(*self.found.get(&Material::of(pos))?)?;
        let file = entry.file(metric);
        let path = file.path.as_ref()?;
        let table = file.table.get_or_init(|| self.load(path, metric, entry.material)).as_ref()?;
        match table.probe(pos, wdl) {
            Ok(stored) => Some(stored),
            Err(Damaged) => {
                let complaint = message!(
                    "{name}.{suffix}: damaged data" | "{name}.{suffix}：数据已损坏",
                    name = entry.name,
                    suffix = metric.suffix()
                );
                let mut complaints = lock(&self.complaints);
                if !complaints.contains(&complaint) {
                    complaints.push(complaint);
                }
                None
            }
        }
    }

    fn load(&self, path: &Path, metric: Metric, material: Material) -> Option<Table> {
        let table = match open_regular(path, File::options().read(true)).and_then(|file| map_file(&file)) {
            Ok(bytes) => Table::new(bytes, metric, material)
                .map_err(|Damaged| message!("damaged header" | "文件头已损坏")),
            Err(error) => Err(error.into()),
        };
        table.map_err(|why| self.complain(files::at(path, why))).ok()
    }
}

impl Entry {
    fn file(&self, metric: Metric) -> &TableFile {
        match metric {
            Metric::Wdl => &self.wdl,
            Metric::Dtz => &self.dtz,
        }
    }

    fn file_mut(&mut self, metric: Metric) -> &mut TableFile {
        match metric {
            Metric::Wdl => &mut self.wdl,
            Metric::Dtz => &mut self.dtz,
        }
    }
}

/// Whether a file has the length and the beginning of a table.
fn check(path: &Path, metric: Metric) -> Result<(), Message> {
    let mut file = open_regular(path, File::options().read(true))?;
    let length = file.metadata()?.len();
    let mut beginning = [0; 4];
    file.read_exact(&mut beginning)?;
    match table::looks_whole(metric, length, beginning) {
        true => Ok(()),
        false => Err(message!("not a whole table" | "残局库不完整")),
    }
}

/// The result of a move of that DTZ, `played` plies after the last capture or pawn move before it.
fn outcome(dtz: i32, played: i32) -> Wdl {
    // A stored value may be one ply too low, so that the last ply is not relied on. A zeroing move itself is
    // exact, and resets the count.
    let in_time = |dtz: i32| dtz == 1 || dtz + played < i32::from(RULE_PLIES);
    match dtz {
        0 => Wdl::Draw,
        1.. => {
            if in_time(dtz) {
                Wdl::Win
            } else {
                Wdl::CursedWin
            }
        }
        _ => {
            if in_time(-dtz) {
                Wdl::Loss
            } else {
                Wdl::BlessedLoss
            }
        }
    }
}

fn is_capture(pos: &Position, mv: Move) -> bool {
    mv.move_type() == MoveType::EnPassant || pos.color(pos.side().other()).has(mv.to())
}

fn is_pawn_move(pos: &Position, mv: Move) -> bool {
    pos.kind(Kind::Pawn).has(mv.from())
}

fn after(pos: &Position, mv: Move) -> Position {
    let mut next = *pos;
    next.play(mv, pos.find(mv.from()).map_or(Kind::Pawn, |(_, kind)| kind));
    next
}

fn has_move(pos: &Position) -> bool {
    let mut moves = MoveList::<Move>::new();
    pos.generate::<All>(&pos.masks(), &mut moves);
    !moves.is_empty()
}
