//! Records of Go as arrays that a trainer in Python reads: inputs and targets of the net.
//!
//! The inputs are made by the code that plays ([`planes`]). Each array is a `.npy` file
//! (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>) named `PART-SIZE-FIELD.npy`:
//! the part is `train` or `aside`, the size that of the board, and each field has a row for each position.
//! Everything is seen from the side to move.
//!
//! | field | type | a row |
//! |---|---|---|
//! | `bits` | u32 | by the number of the point: bit i is plane i |
//! | `globals` | i16 | the net's eight numbers, as if all stones left on the board were alive |
//! | `moves` | u16 | 16 moves by visits, 65535 where there are fewer |
//! | `shares` | u8 | their shares of the visits in 255ths |
//! | `reply` | u16 | the opponent's next move, 65535 if there is none |
//! | `value` | u8 | the search's expected result, 255 won |
//! | `soon` | u8 | later values, then the result, weighted down by `e` every n/3 and n plies (size n) |
//! | `result` | u8 | 0 lost, 1 drawn, 2 won |
//! | `margin` | i16 | lead at the end in half points |
//! | `owner` | i8 | by the number of the point: 1 own at the end, −1 the opponent's, 0 neither's |
//! | `agreement` | u8 | how sure the owners are, 255 most |
//! | `ply` | u16 | moves before |
//! | `game` | u32 | number of the game in the export |

use super::record::go::{GoGame, GoHeader, GoPly};
use super::record::{self, Reader, Record, RecordError};
use crate::ensure;
use crate::errors;
use crate::eval::go::planes::{self, GLOBALS, Inputs, PLANES};
use crate::game::{Game, Side};
use crate::go::{Position, ladder};
use crate::util::files;
use crate::util::message::Message;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

const MOVES: usize = 16;
/// In the place of a move: there is none.
const NO_MOVE: u16 = u16::MAX;
/// Names of the parts: to train on, and set aside.
const PARTS: [&str; 2] = ["train", "aside"];
/// The arrays: name, type, and the numbers of a row, where a row is more than a number.
const FIELDS: [(&str, &str, Width); 13] = [
    ("bits", "<u4", Width::Points),
    ("globals", "<i2", Width::Of(GLOBALS)),
    ("moves", "<u2", Width::Of(MOVES)),
    ("shares", "|u1", Width::Of(MOVES)),
    ("reply", "<u2", Width::One),
    ("value", "|u1", Width::One),
    ("soon", "|u1", Width::Of(2)),
    ("result", "|u1", Width::One),
    ("margin", "<i2", Width::One),
    ("owner", "|i1", Width::Points),
    ("agreement", "|u1", Width::One),
    ("ply", "<u2", Width::One),
    ("game", "<u4", Width::One),
];

#[derive(Clone, Copy)]
enum Width {
    One,
    Of(usize),
    /// As many as the board has points.
    Points,
}

/// Bytes of a header of ours: a multiple of 64 with room for any shape.
const NPY_HEADER: usize = 128;

errors! {
    /// The reason why an export failed.
    pub enum ExportError {
        Write(path: String, why: Message) = "{path}: cannot write: {why}" | "{path}：写不了：{why}",
        Read(path: String, why: RecordError) = "{path}: {why}" | "{path}：{why}",
    }
}

#[derive(Clone, Debug, Default)]
pub struct Exported {
    pub games: u32,
    /// Positions to train on, and those set aside.
    pub positions: [u64; 2],
    /// Damage and games that do not replay, a line each; they are left out.
    pub complaints: Vec<String>,
}

/// Writes the positions of `files` to `directory`. One game in `aside` is set aside, the same ones in every
/// export that has these files first.
pub fn export(files: &[PathBuf], directory: &Path, aside: u32) -> Result<Exported, ExportError> {
    let writing = |why: io::Error| ExportError::Write(directory.display().to_string(), why.into());
    // Existing arrays stay where there is nothing to replace them.
    for path in files {
        let reading = |why| ExportError::Read(path.display().to_string(), why);
        let found = record::game_of(path).map_err(reading)?;
        ensure!(found == Position::NAME, reading(RecordError::WrongGame(found, Position::NAME)));
    }
    fs::create_dir_all(directory).map_err(writing)?;
    let _alone = files::hold(&directory.join("arrays")).map_err(writing)?;
    remove_arrays(directory).map_err(writing)?;
    // The headers of incomplete arrays have no rows.
    write_arrays(files, directory, aside).inspect_err(|_| drop(remove_arrays(directory)))
}

fn write_arrays(files: &[PathBuf], directory: &Path, aside: u32) -> Result<Exported, ExportError> {
    let writing = |why: io::Error| ExportError::Write(directory.display().to_string(), why.into());
    let mut exporter = Exporter {
        directory,
        parts: BTreeMap::new(),
        inputs: Inputs::default(),
        ladders: ladder::LadderReader::default(),
        done: Exported::default(),
    };
    for path in files {
        let reading = |why| ExportError::Read(path.display().to_string(), why);
        let input = File::open(path).map_err(|e| reading(e.into()))?;
        let mut reader = Reader::<_, GoGame>::of(input, Position::NAME);
        while let Some(game) = reader.next_whole(path, &mut exporter.done.complaints).map_err(reading)? {
            let is_aside = is_aside(reader.header(), &game, aside);
            exporter.game(&game, is_aside, path).map_err(writing)?;
        }
    }
    for part in exporter.parts.into_values() {
        part.finish().map_err(writing)?;
    }
    Ok(exporter.done)
}

/// Removes the arrays of an earlier export: sizes that are no longer there would be trained on. A trainer
/// that reads them goes on with what it has opened.
fn remove_arrays(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if is_array(&path.file_name().unwrap_or_default().to_string_lossy()) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Whether a file has the name of an array: `train-09-bits.npy`.
fn is_array(name: &str) -> bool {
    let parts: Vec<&str> = name.strip_suffix(".npy").unwrap_or_default().split('-').collect();
    let [part, size, field] = parts[..] else { return false };
    PARTS.contains(&part)
        && size.len() == 2
        && size.parse::<u8>().is_ok()
        && FIELDS.iter().any(|f| f.0 == field)
}

/// Whether a game is set aside: by what names it, so that it is in every export or in none.
fn is_aside(header: Option<&GoHeader>, game: &GoGame, aside: u32) -> bool {
    let mut hash = crc32fast::Hasher::new();
    if let Some(GoHeader { seed, shard, shards, net, .. }) = header {
        hash.update(&seed.to_le_bytes());
        hash.update(&net.to_le_bytes());
        [*shard, *shards].iter().for_each(|number| hash.update(&number.to_le_bytes()));
    }
    hash.update(&game.index.to_le_bytes());
    aside > 0 && hash.finalize().is_multiple_of(aside)
}

struct Exporter<'a> {
    directory: &'a Path,
    /// By size of the board and whether it is set aside.
    parts: BTreeMap<(u8, bool), Part>,
    inputs: Inputs,
    ladders: ladder::LadderReader,
    done: Exported,
}

impl Exporter<'_> {
    fn game(&mut self, game: &GoGame, is_aside: bool, path: &Path) -> io::Result<()> {
        // Nothing is written of a game that does not replay.
        if let Err(e) = game.replay(|_, _, _| ()) {
            self.done.complaints.push(format!("{}: {e}", path.display()));
            return Ok(());
        }
        let part = match self.parts.entry((game.size, is_aside)) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(Part::create(self.directory, game.size, is_aside)?)
            }
        };
        let soon = soon(game);
        let (number, mut at, mut result) = (self.done.games, 0, Ok(()));
        let (inputs, ladders) = (&mut self.inputs, &mut self.ladders);
        let replayed = game.replay(|position, _, ply| {
            if ply.row.is_some() && result.is_ok() {
                planes::read(position, planes::DeadStones::AllAlive, inputs, ladders);
                result = part.row(&Sample { game, number, at, inputs, soon: soon[at] });
            }
            at += 1;
        });
        debug_assert!(replayed.is_ok(), "it replayed before");
        self.done.games += 1;
        self.done.positions[usize::from(is_aside)] += game.positions();
        result
    }
}

/// For each ply, from its side: means of the searches from there on, weighted down by `e` every n/3 and every
/// n plies.
fn soon(game: &GoGame) -> Vec<[f32; 2]> {
    let mut later = [black_result(game); 2];
    let n = f32::from(game.size);
    let weights = [3.0, 1.0].map(|part| 1.0 - (-part / n).exp());
    let mut out = vec![[0.0; 2]; game.plies.len()];
    for (at, ply) in game.plies.iter().enumerate().rev() {
        let from_mover = |value: f32| if is_black(at) { value } else { 1.0 - value };
        out[at] = later.map(from_mover);
        // A move without a row does not count: time stands still.
        if let Some(row) = &ply.row {
            let value = from_mover(f32::from(row.value) / 255.0);
            for (later, weight) in later.iter_mut().zip(weights) {
                *later += weight * (value - *later);
            }
        }
    }
    out
}

const fn is_black(at: usize) -> bool {
    at.is_multiple_of(2)
}

/// The result from Black: 0, 1/2 or 1.
fn black_result(game: &GoGame) -> f32 {
    match game.winner() {
        None => 0.5,
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
    }
}

/// One position with its row of every array.
struct Sample<'a> {
    game: &'a GoGame,
    number: u32,
    at: usize,
    inputs: &'a Inputs,
    soon: [f32; 2],
}

/// The arrays of one size of board, one for each of [`FIELDS`].
struct Part([Array; FIELDS.len()]);

impl Part {
    fn create(directory: &Path, size: u8, is_aside: bool) -> io::Result<Self> {
        let part = PARTS[usize::from(is_aside)];
        let create = |(field, kind, width)| {
            let width = match width {
                Width::One => None,
                Width::Of(numbers) => Some(numbers),
                Width::Points => Some(usize::from(size).pow(2)),
            };
            Array::create(&directory.join(format!("{part}-{size:02}-{field}.npy")), kind, width)
        };
        let arrays = FIELDS.into_iter().map(create).collect::<io::Result<Vec<_>>>()?;
        Ok(Self(arrays.try_into().unwrap_or_else(|_| unreachable!("an array for each field"))))
    }

    fn row(&mut self, sample: &Sample<'_>) -> io::Result<()> {
        let Sample { game, number, at, inputs, soon } = *sample;
        let GoPly { row: Some(row), .. } = &game.plies[at] else { return Ok(()) };
        let bits =
            |point: &[u8]| point.iter().rev().fold(0, |bits: u32, &plane| bits << 1 | u32::from(plane));
        let visited = |i: usize| row.visits.get(i).copied().unwrap_or((NO_MOVE, 0));
        let sign = if is_black(at) { 1 } else { -1 };
        let owner = |&owner: &u8| (sign * [0, 1, -1][usize::from(owner % 3)]) as u8;
        // In the order of the fields.
        let columns: [Vec<u8>; FIELDS.len()] = [
            inputs.planes.chunks_exact(PLANES).flat_map(|point| bits(point).to_le_bytes()).collect(),
            inputs.globals.iter().flat_map(|number| number.to_le_bytes()).collect(),
            (0..MOVES).flat_map(|i| visited(i).0.to_le_bytes()).collect(),
            (0..MOVES).map(|i| visited(i).1).collect(),
            game.plies.get(at + 1).map_or(NO_MOVE, |ply| ply.mv).to_le_bytes().into(),
            vec![row.value],
            soon.map(|value| (255.0 * value).round() as u8).into(),
            vec![(sign * game.margin.signum() + 1) as u8],
            (sign * game.margin).to_le_bytes().into(),
            game.owners.iter().map(owner).collect(),
            vec![game.agreement],
            (at as u16).to_le_bytes().into(),
            number.to_le_bytes().into(),
        ];
        for (array, column) in self.0.iter_mut().zip(columns) {
            array.out.write_all(&column)?;
            array.rows += 1;
        }
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        self.0.into_iter().try_for_each(Array::finish)
    }
}

/// A `.npy` file that grows by rows. Until it is finished its header has none.
struct Array {
    out: BufWriter<File>,
    kind: &'static str,
    width: Option<usize>,
    rows: u64,
}

impl Array {
    fn create(path: &Path, kind: &'static str, width: Option<usize>) -> io::Result<Self> {
        let mut array = Self { out: BufWriter::new(File::create(path)?), kind, width, rows: 0 };
        let header = array.header();
        array.out.write_all(&header)?;
        Ok(array)
    }

    fn header(&self) -> [u8; NPY_HEADER] {
        let width = self.width.map_or(String::new(), |width| width.to_string());
        let shape = format!("({},{width})", self.rows);
        let text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': {shape}, }}", self.kind);
        let mut header = [b' '; NPY_HEADER];
        header[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
        header[8..10].copy_from_slice(&(NPY_HEADER as u16 - 10).to_le_bytes());
        header[10..10 + text.len()].copy_from_slice(text.as_bytes());
        header[NPY_HEADER - 1] = b'\n';
        header
    }

    fn finish(mut self) -> io::Result<()> {
        let header = self.header();
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::generate::{Existing, Goal};
    use crate::train::selfplay::{self, By, SelfplayPlayer, SelfplaySettings};
    use tempfile::tempdir;

    /// Rows and width in the header of an array, and what follows it.
    fn load(path: &Path) -> (usize, usize, Vec<u8>) {
        let bytes = fs::read(path).unwrap();
        let header = String::from_utf8_lossy(&bytes[10..NPY_HEADER]).into_owned();
        let shape = header.split_once("'shape': (").unwrap().1.split_once(')').unwrap().0;
        let (rows, width) = shape.split_once(',').unwrap();
        assert!(bytes.starts_with(b"\x93NUMPY\x01\x00\x76\x00{") && header.ends_with('\n'));
        (rows.parse().unwrap(), width.parse().unwrap_or(1), bytes[NPY_HEADER..].to_vec())
    }

    #[test]
    fn arrays_hold_what_the_games_show() {
        let scratch = tempdir().unwrap();
        let settings =
            SelfplaySettings { visits: 24, sizes: "5:1".parse().unwrap(), ..SelfplaySettings::default() };
        let goal = Goal { games: Some(12), ..Goal::default() };
        let players = vec![SelfplayPlayer::new(By::Playouts, None).unwrap()];
        let made = selfplay::run(scratch.path(), &settings, goal, Existing::Refuse, players).unwrap();
        let out = scratch.path().join("arrays");
        fs::create_dir(&out).unwrap();
        let (stale, other) = (out.join("train-07-bits.npy"), out.join("notes.npy"));
        fs::write(&stale, "").unwrap();
        fs::write(&other, "").unwrap();
        let done = export(std::slice::from_ref(&made.path), &out, 3).unwrap();
        assert_eq!((done.games, done.positions[0] + done.positions[1]), (12, made.total.positions));
        assert!(done.positions.iter().all(|&n| n > 0), "{done:?}");
        assert!(!stale.exists() && other.exists());

        let games: Vec<GoGame> =
            Reader::<_, GoGame>::of(File::open(&made.path).unwrap(), "go").map(Result::unwrap).collect();
        let mut rows = [0; 2];
        for (part, name) in ["train", "aside"].into_iter().enumerate() {
            let field = |field: &str| load(&out.join(format!("{name}-05-{field}.npy")));
            let (count, area, bits) = field("bits");
            assert_eq!((count as u64, area, bits.len()), (done.positions[part], 25, 4 * 25 * count));
            let (_, _, numbers) = field("game");
            let (_, _, plies) = field("ply");
            let (_, _, owners) = field("owner");
            let (_, _, results) = field("result");
            let (_, _, moves) = field("moves");
            let (_, _, globals) = field("globals");
            let (_, _, margins) = field("margin");
            let (_, _, values) = field("value");
            for row in 0..count {
                let number = u32::from_le_bytes(numbers[4 * row..][..4].try_into().unwrap());
                let at = usize::from(u16::from_le_bytes(plies[2 * row..][..2].try_into().unwrap()));
                let game = &games[number as usize];
                let best = game.plies[at].row.as_ref().unwrap().visits[0].0;
                assert_eq!(moves[32 * row..][..2], best.to_le_bytes());
                let mover = if at.is_multiple_of(2) { 1 } else { 2 };
                for (&owner, &stored) in game.owners.iter().zip(&owners[25 * row..]) {
                    assert_eq!(
                        stored as i8,
                        if owner == 0 {
                            0
                        } else if owner == mover {
                            1
                        } else {
                            -1
                        }
                    );
                }
                // Half points: komi as the side to move sees it, 256 for 16 points, and what it owns.
                let komi = i16::from_le_bytes(globals[16 * row..][..2].try_into().unwrap()) / 8;
                let owned: i16 = owners[25 * row..][..25].iter().map(|&owner| i16::from(owner as i8)).sum();
                let margin = i16::from_le_bytes(margins[2 * row..][..2].try_into().unwrap());
                assert_eq!(
                    (2 * owned + komi, margin),
                    (margin, if mover == 1 { game.margin } else { -game.margin })
                );
                assert_eq!(values[row], game.plies[at].row.as_ref().unwrap().value);
                let won = game.margin.signum() * if mover == 1 { 1 } else { -1 };
                assert_eq!(i16::from(results[row]), won + 1);
                // Own stones and the opponent's, as in the position itself.
                let mut plies = 0;
                game.replay(|position, _, _| {
                    if plies == at {
                        for v in position.board().points() {
                            let i = 4 * (25 * row + position.board().compact(v));
                            let stone = u32::from_le_bytes(bits[i..i + 4].try_into().unwrap()) >> 1 & 3;
                            let own = position.board().color(v).side().map(|s| s == position.side_to_move());
                            assert_eq!(stone, own.map_or(0, |own| if own { 1 } else { 2 }));
                        }
                    }
                    plies += 1;
                })
                .unwrap();
                rows[part] += 1;
            }
        }
        assert_eq!(rows.map(|n: u64| n), done.positions);
    }

    #[test]
    fn later_values_run_into_the_result() {
        let row = |value| {
            let visits = vec![(0, 255)];
            Some(crate::train::record::go::SearchedPosition { value, score: 0, visits })
        };
        let game = GoGame {
            index: 0,
            size: 9,
            komi: 15,
            opening: 0,
            plies: vec![
                GoPly { mv: 0, row: row(51) },
                GoPly { mv: 1, row: row(102) },
                GoPly { mv: 2, row: None },
            ],
            ending: crate::train::record::go::GoEnding::Passes,
            margin: -3,
            agreement: 255,
            owners: vec![0; 81],
        };
        let soon = soon(&game);
        // White has won: nothing is known after the last two plies but that.
        assert_eq!(soon[2], [0.0; 2]);
        assert_eq!(soon[1], [1.0; 2]);
        // The search of White's move expected 0.4 for White, 0.6 for Black.
        let weight = |part: f32| 1.0 - (-part / 9.0f32).exp();
        for (found, part) in soon[0].into_iter().zip([3.0, 1.0]) {
            assert!((found - 0.6 * weight(part)).abs() < 1e-6, "{found}");
        }
    }
}
