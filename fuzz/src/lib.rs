//! What the engine must do with any input at all: one function for each kind of input, which panics when the
//! engine does not do it.
//!
//! The functions have two callers. `tests/fuzz.rs` gives each some hundred mutations of the seeds in every
//! test run; `make fuzz` gives them to libFuzzer, which looks for inputs that reach new code.

pub mod boards;
pub mod files;
pub mod kept;
pub mod naive_go;
pub mod notations;
pub mod services;
pub mod sessions;

/// A kind of input.
pub struct Target {
    /// Its name: that of its seeds' folder, and of its program in `fuzz_targets`.
    pub name: &'static str,
    /// Gives the engine an input.
    pub run: fn(&[u8]),
    /// How many times dearer than the cheapest an input is, roughly.
    pub cost: usize,
}

const fn target(name: &'static str, run: fn(&[u8]), cost: usize) -> Target {
    Target { name, run, cost }
}

/// All kinds of input.
pub const TARGETS: &[Target] = &[
    target("uci", sessions::uci, 40),
    target("ucci", sessions::ucci, 40),
    target("gtp", sessions::gtp, 40),
    target("any_protocol", sessions::any_protocol, 40),
    target("analysis", services::analysis, 4),
    target("serve", services::serve, 4),
    target("chess_text", notations::chess, 1),
    target("xiangqi_text", notations::xiangqi, 1),
    target("go_text", notations::go, 1),
    target("chess_moves", boards::chess, 4),
    target("xiangqi_moves", boards::xiangqi, 4),
    target("go_moves", boards::go, 4),
    target("game_files", files::games, 2),
    target("sgf", files::sgf, 2),
    target("openings", files::openings, 2),
    target("polyglot", files::polyglot, 2),
    target("book_dat", files::book_dat, 2),
    target("syzygy", files::syzygy, 4),
    target("net", files::net, 4),
    target("go_net", files::go_net, 20),
    target("checkpoint", files::checkpoint, 8),
    target("strengths", files::strengths, 2),
    target("record", files::record, 2),
    target("go_record", files::go_record, 2),
    target("journal", files::journal, 2),
    target("trace", files::trace, 2),
    target("tuning", files::tuning, 1),
    target("match_config", files::match_config, 1),
    target("defaults", files::defaults, 1),
    target("kept_table", kept::table, 40),
    target("kept_tree", kept::tree, 20),
];

/// An input that is a series of choices.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    /// A number below `n`, which is neither 0 nor above 65536; `None` at the end of the input.
    pub fn below(&mut self, n: usize) -> Option<usize> {
        let (&first, rest) = self.0.split_first()?;
        let (high, rest) = if n > 256 { rest.split_first().map(|(&b, rest)| (b, rest))? } else { (0, rest) };
        self.0 = rest;
        Some((usize::from(high) << 8 | usize::from(first)) % n)
    }
}

/// The input itself, or changes of `good`, a file of the kind: the first byte tells which. Each change is
/// four bytes: where, what is done, a value.
pub fn variant(input: &[u8], good: &[u8]) -> Vec<u8> {
    let Some((&mode, changes)) = input.split_first() else { return Vec::new() };
    if mode % 4 == 0 {
        return changes.to_vec();
    }
    let mut bytes = good.to_vec();
    for &[low, high, what, value] in changes.as_chunks::<4>().0 {
        let place = usize::from(u16::from_le_bytes([low, high]));
        // Anywhere, or among the first bytes, where the header is.
        let at = if mode % 4 == 1 { place % 256 } else { (place * bytes.len()) >> 16 };
        if at >= bytes.len() {
            continue;
        }
        match what % 16 {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, value),
            2 => drop(bytes.remove(at)),
            3..8 => bytes[at] = value,
            8 => bytes[at] = bytes[at].wrapping_add(1),
            _ => bytes[at] ^= 1 << (value % 8),
        }
    }
    bytes
}
