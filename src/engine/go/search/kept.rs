//! The search tree in a file: saved, and loaded by another process that goes on from it.

use super::{MIB, Searcher, Terms};
use crate::engine::go::options::{EvaluatorKind, Options};
use crate::eval::go::Mode;
use crate::game::{Game, TreeGame};
use crate::go::{Point, Position};
use crate::search::tree::graph::Graph;
use crate::util::kept::{self, Header, Kept, KeptError};
use crate::util::memory;
use std::path::Path;

/// What the files hold.
const KIND: &str = "tree";
/// How a mode is written that is no hybrid.
const PLAYOUTS: u64 = 0;
const NET: u64 = u64::MAX;

impl Terms {
    /// For people, and to be compared.
    fn text(&self) -> String {
        let (columns, rows) = self.size;
        let rules = self.rules.name().map_or_else(|| self.rules.json(), str::to_owned);
        format!("{columns}x{rows}, {} points for White, rules {rules}", self.white_bonus)
    }
}

impl Searcher {
    /// What a tree that is saved now means.
    fn header(&self, position: &Position, options: &Options) -> Header {
        Header {
            kind: KIND.to_owned(),
            game: crate::engine::GameId::Go.name().to_owned(),
            terms: Terms::of(position, &[]).text(),
            net: options.net.get().map_or(0, |net| net.checksum()),
            keys: fingerprint(),
            size: self.hash_mib as u64,
            extra: to_number(self.mode(options)),
            length: self.search.as_ref().map_or(0, |search| search.graph().copy_bytes()),
        }
    }

    /// Saves what is known of the game that `position` belongs to, and says how many positions that are.
    /// # Errors
    /// Nothing is known, or it cannot be written: what was there stays.
    pub fn save_tree(&self, path: &Path, position: &Position, options: &Options) -> Result<u64, String> {
        let search = self.search.as_ref().filter(|_| self.terms == Some(Terms::of(position, &[])));
        let search = search.ok_or("there is no tree: nothing of this game has been searched")?;
        let mut nodes = 0;
        kept::save(path, &self.header(position, options), |out| {
            nodes = search.graph().copy_to(out)?;
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        Ok(nodes)
    }

    /// Loads a tree that was saved of the same board, rules and komi, and says how many positions it has. The tree that
    /// was there is forgotten, and the searches that follow evaluate as those did that made the new one.
    /// # Errors
    /// It cannot be used: the present tree stays.
    pub fn load_tree(&mut self, path: &Path, position: &Position, options: &Options) -> Result<u64, String> {
        let text = |error: KeptError| error.to_string();
        let mut kept = Kept::open(path).map_err(text)?;
        let theirs = kept.header().clone();
        theirs.check(&self.header(position, options)).map_err(text)?;
        let mode = from_number(theirs.extra).ok_or("its content makes no sense: nobody evaluates so")?;
        self.check_mode(mode, options)?;
        self.ready(options)?;
        memory::check(self.hash_mib.saturating_mul(MIB), 0)
            .map_err(|_| format!("no memory for a second tree of {} MiB", self.hash_mib))?;
        let (mib, words, board) = (self.hash_mib, theirs.length / 8, position.board());
        let is_move = |bits: u16| {
            let mv = Position::unpack(bits);
            Position::pack(mv) == bits && (mv == Point::PASS || board.contains(mv))
        };
        let loaded = kept.read(|content| Graph::copied(mib, words, content, is_move));
        let (graph, nodes) = loaded.map_err(text)?;
        self.ready(options)?.adopt(graph);
        self.forget();
        self.terms = Some(Terms::of(position, &[]));
        (self.mode, self.kept_mode) = (Some(mode), Some(mode));
        Ok(nodes)
    }

    /// Whether the options let searches evaluate in this mode.
    /// # Errors
    /// How the tree was evaluated, and how searches are.
    fn check_mode(&self, mode: Mode, options: &Options) -> Result<(), String> {
        let fits = match mode {
            _ if !options.asks_for_speed() => mode == options.mode(None),
            Mode::Playouts | Mode::Net => options.evaluator == EvaluatorKind::Auto,
            Mode::Hybrid { share, .. } => share == options.net_share,
        };
        let here = options.mode(None);
        fits.then_some(()).ok_or_else(|| format!("it was saved with Evaluator {mode}, and here is {here}"))
    }
}

/// A mode as a number.
fn to_number(mode: Mode) -> u64 {
    match mode {
        Mode::Playouts => PLAYOUTS,
        Mode::Hybrid { net_at, share } => u64::from(net_at) << 32 | u64::from(share.to_bits()),
        Mode::Net => NET,
    }
}

/// Inverse of [`to_number`].
fn from_number(number: u64) -> Option<Mode> {
    let hybrid = Mode::Hybrid { net_at: (number >> 32) as u32, share: f32::from_bits(number as u32) };
    match (number, hybrid) {
        (PLAYOUTS, _) => Some(Mode::Playouts),
        (NET, _) => Some(Mode::Net),
        (_, Mode::Hybrid { net_at: 1..=1_000_000, share: 0.0..=1.0 }) => Some(hybrid),
        _ => None,
    }
}

/// That of the positions after a few moves.
fn fingerprint() -> u64 {
    let mut position = Position::start();
    kept::fingerprint((0..8).map_while(|_| {
        let mut moves = Vec::new();
        position.candidate_moves(&mut moves);
        position.do_move(*moves.first()?, &mut ());
        Some(position.graph_key())
    }))
}
