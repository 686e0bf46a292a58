//! Files of kept analysis: a bad one is refused, and one that is accepted makes no illegal move, whatever it
//! says.

use super::variant;
use sanqi::engine::go::GoEngine;
use sanqi::engine::{self, Engine, Event, GameId, Limits, PositionSpec};
use std::sync::{LazyLock, Mutex, PoisonError};

const HEADER_BYTES: usize = 256;
const CLUSTER_BYTES: usize = 32;
const SLOTS: usize = 3;

/// An engine with a small table, a file that it saved after a search, and the folder with the file.
struct Sample {
    engine: Box<dyn Engine>,
    folder: tempfile::TempDir,
    good: Vec<u8>,
}

impl Sample {
    fn new(game: GameId) -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let path = folder.path().join("table");
        let mut engine = engine::create(game);
        set(&mut *engine, "Hash", "1");
        set(&mut *engine, "Hash File", path.to_str().expect("a name in UTF-8"));
        search(&mut *engine, 6);
        set(&mut *engine, "Save Hash to File", "");
        let good = std::fs::read(&path).expect("the file was saved");
        Self { engine, folder, good }
    }

    /// Has the engine load `bytes` and search: what it says must be legal.
    fn try_out(&mut self, bytes: &[u8]) -> bool {
        let path = self.folder.path().join("table");
        std::fs::write(&path, bytes).expect("a temporary file");
        let loaded = self.engine.set_option("Load Hash from File", "").is_ok();
        if loaded {
            search(&mut *self.engine, 3);
        }
        loaded
    }
}

fn set(engine: &mut dyn Engine, name: &str, value: &str) {
    engine.set_option(name, value).unwrap_or_else(|e| panic!("{name} {value}: {e}"));
}

/// Searches the starting position: every line that is told can be played.
fn search(engine: &mut dyn Engine, depth: u32) {
    engine.set_position(&PositionSpec::default()).expect("the start");
    let (sender, events) = crossbeam::channel::unbounded();
    engine.go(Limits { depth: Some(depth), ..Limits::default() }, sender).expect("a search");
    let mut lines = Vec::new();
    for event in events {
        match event {
            Event::Info(info) => lines.push(info.pv),
            Event::BestMove(best) => {
                lines.push(best.mv.into_iter().chain(best.ponder).collect());
                break;
            }
            _ => (),
        }
    }
    engine.wait();
    assert!(lines.last().is_some_and(|line| !line.is_empty()), "no move");
    for moves in lines {
        let spec = PositionSpec { moves, ..PositionSpec::default() };
        engine.set_position(&spec).unwrap_or_else(|e| panic!("{:?}: {e}", spec.moves));
    }
}

/// Makes both checksums right.
fn repair(bytes: &mut [u8]) {
    let end = bytes.len().saturating_sub(4);
    let mut sum = |from: usize, to: usize| {
        if from <= to && to + 4 <= bytes.len() {
            let crc = crc32fast::hash(&bytes[from..to]);
            bytes[to..to + 4].copy_from_slice(&crc.to_le_bytes());
        }
    };
    sum(0, HEADER_BYTES - 4);
    sum(HEADER_BYTES, end);
}

fn fold(bits: u64) -> u16 {
    (bits ^ (bits >> 16) ^ (bits >> 32) ^ (bits >> 48)) as u16
}

/// Changes every entry by one of the words of `input`, so that its position still finds it.
fn change_entries(content: &mut [u8], input: &[u8]) {
    let words: Vec<u64> = input.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let mut words = words.iter().cycle();
    for cluster in content.chunks_exact_mut(CLUSTER_BYTES) {
        for slot in 0..SLOTS {
            let (entry, tag) = (8 * slot, 8 * SLOTS + 2 * slot);
            let old = u64::from_le_bytes(std::array::from_fn(|i| cluster[entry + i]));
            let (Some(word), true) = (words.next(), old != 0) else { continue };
            let new = old ^ word;
            let key = u16::from_le_bytes([cluster[tag], cluster[tag + 1]]) ^ fold(old);
            cluster[entry..entry + 8].copy_from_slice(&new.to_le_bytes());
            cluster[tag..tag + 2].copy_from_slice(&(key ^ fold(new)).to_le_bytes());
        }
    }
}

/// A table in a file. The first byte says the game, and whether any bytes are changed or the entries alone.
pub fn table(input: &[u8]) {
    static SAMPLES: LazyLock<[Mutex<Sample>; 2]> =
        LazyLock::new(|| [GameId::Chess, GameId::Xiangqi].map(|game| Mutex::new(Sample::new(game))));
    let Some((&choice, input)) = input.split_first() else { return };
    let mut sample = SAMPLES[usize::from(choice % 2)].lock().unwrap_or_else(PoisonError::into_inner);
    if choice / 2 % 2 == 0 {
        let mut bytes = variant(input, &sample.good);
        for _ in 0..2 {
            sample.try_out(&bytes);
            repair(&mut bytes);
        }
    } else {
        let mut bytes = sample.good.clone();
        let end = bytes.len() - 4;
        change_entries(&mut bytes[HEADER_BYTES..end], input);
        repair(&mut bytes);
        assert!(sample.try_out(&bytes), "the form was right");
    }
}

/// An engine with a game of Go, and a file that it saved after a search.
struct GoSample {
    engine: GoEngine,
    folder: tempfile::TempDir,
    good: Vec<u8>,
}

impl GoSample {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let mut engine = GoEngine::default();
        set(&mut engine, "Hash", "1");
        engine.game_state().set_size(5, 5).expect("a size");
        let mut this = Self { engine, folder, good: Vec::new() };
        this.think(300);
        let path = this.folder.path().join("tree");
        this.engine.save_tree(&path).expect("a tree");
        this.good = std::fs::read(&path).expect("the file was saved");
        this
    }

    /// Searches a few visits more than are known: the move is legal.
    fn think(&mut self, visits: u64) {
        let (sender, events) = crossbeam::channel::unbounded();
        self.engine.go(Limits { nodes: Some(visits), ..Limits::default() }, sender).expect("a search");
        let best = events.into_iter().find_map(|event| match event {
            Event::BestMove(best) => best.mv,
            _ => None,
        });
        self.engine.wait();
        let (game, mv) = (self.engine.game_state(), best.expect("a move"));
        let side = game.side_to_move();
        game.play(side, &mv).unwrap_or_else(|e| panic!("{mv}: {e}"));
        game.undo().expect("a move was played");
    }

    fn try_out(&mut self, bytes: &[u8]) {
        let path = self.folder.path().join("tree");
        std::fs::write(&path, bytes).expect("a temporary file");
        if self.engine.load_tree(&path).is_ok() {
            self.think(400);
        }
    }
}

/// Exchanges words of nodes that are of one kind, statistics or links, as `input` says, four bytes an
/// exchange: the form stays right.
fn exchange_words(content: &mut [u8], input: &[u8]) {
    let word = |content: &[u8], at: usize| u64::from_le_bytes(std::array::from_fn(|i| content[8 * at + i]));
    let (mut stats, mut links, mut at) = (Vec::new(), Vec::new(), 0);
    while 8 * (at + 3) <= content.len() {
        let moves = (word(content, at + 1) & 0xFFFF) as usize;
        stats.extend(at + 2..at + 3 + 2 * moves);
        links.extend(at + 3 + 2 * moves..at + 3 + 3 * moves);
        at += 3 + 3 * moves;
    }
    for (i, &[a, b, c, d]) in input.as_chunks::<4>().0.iter().enumerate() {
        let kind = if i % 2 == 0 { &links } else { &stats };
        // The first nodes are those that every search passes through.
        let (one, other) =
            (usize::from(u16::from_le_bytes([a, b])) % 60, usize::from(u16::from_le_bytes([c, d])));
        let (one, other) = (kind[one % kind.len()], kind[other % kind.len()]);
        for i in 0..8 {
            content.swap(8 * one + i, 8 * other + i);
        }
    }
}

/// A tree of Go in a file. The first byte says whether any bytes are changed, or words exchanged that may
/// stand in each other's place.
pub fn tree(input: &[u8]) {
    static SAMPLE: LazyLock<Mutex<GoSample>> = LazyLock::new(|| Mutex::new(GoSample::new()));
    let Some((&choice, input)) = input.split_first() else { return };
    let mut sample = SAMPLE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut bytes = if choice % 2 == 0 { variant(input, &sample.good) } else { sample.good.clone() };
    if choice % 2 == 1 {
        let end = bytes.len() - 4;
        exchange_words(&mut bytes[HEADER_BYTES..end], input);
    }
    for _ in 0..2 {
        sample.try_out(&bytes);
        repair(&mut bytes);
    }
}
