//! The search tree in a file, for another process to go on from.

use super::{Forget, GoSearcher};
use crate::engine::go::memory::{MIB, Terms};
use crate::engine::go::options::{EvaluatorKind, Options};
use crate::eval::go::Mode;
use crate::game::{Game, TreeGame};
use crate::go::{Point, Position};
use crate::message;
use crate::search::tree::graph::Graph;
use crate::util::kept::{self, Header, Kept, KeptError};
use crate::util::memory;
use crate::util::message::Message;
use std::path::Path;

const KIND: &str = "tree";
/// How modes other than hybrids are written.
const PLAYOUTS: u64 = 0;
const NET: u64 = u64::MAX;

impl Terms {
    fn text(&self) -> String {
        let (columns, rows) = self.size;
        let rules = self.rules.name().map_or_else(|| self.rules.json(), str::to_owned);
        format!("{columns}x{rows}, {} points for White, rules {rules}", self.white_bonus)
    }
}

impl GoSearcher {
    /// The header of a tree saved now.
    fn header(&self, position: &Position, options: &Options) -> Header {
        Header {
            kind: KIND.to_owned(),
            game: crate::engine::GameId::Go.name().to_owned(),
            terms: Terms::of(position, &[]).text(),
            net: options.net.get().map_or(0, |net| net.checksum()),
            keys: fingerprint(),
            size: self.memory.given() as u64,
            extra: to_number(self.mode(options)),
            length: self.memory.tree().map_or(0, |tree| tree.search.graph().copy_bytes()),
        }
    }

    /// Saves the tree of the game that `position` belongs to, and returns the number of its positions.
    pub fn save_tree(&self, path: &Path, position: &Position, options: &Options) -> Result<u64, Message> {
        let tree = self.memory.tree().filter(|tree| tree.terms == Some(Terms::of(position, &[])));
        let tree = tree.ok_or_else(|| {
            message!(
                "there is no tree: nothing of this game has been searched" | "没有搜索树：这一局还没有搜索过"
            )
        })?;
        let mut nodes = 0;
        kept::save(path, &self.header(position, options), |out| {
            nodes = tree.search.graph().copy_to(out)?;
            Ok(())
        })
        .map_err(|error| error.to_string())?;
        Ok(nodes)
    }

    /// Loads a tree that was saved for the same board, rules and komi, and returns the number of its
    /// positions. It replaces the present tree, and the searches that follow evaluate as those did that made
    /// it.
    pub fn load_tree(&mut self, path: &Path, position: &Position, options: &Options) -> Result<u64, Message> {
        let text = |error: KeptError| error.to_string();
        let mut kept = Kept::open(path).map_err(text)?;
        let theirs = kept.header().clone();
        theirs.check(&self.header(position, options)).map_err(text)?;
        let mode = from_number(theirs.extra).ok_or_else(|| {
            message!("its content makes no sense: unknown evaluator" | "内容没有意义：没有这样的评估方式")
        })?;
        check_mode(mode, options)?;
        self.memory.ready(options)?;
        let mib = self.memory.given();
        memory::check(mib.saturating_mul(MIB), 0).map_err(|_| {
            message!("no memory for a second tree of {mib} MiB" | "没有内存给第二棵 {mib} MiB 的搜索树", mib)
        })?;
        let (words, board) = (theirs.length / 8, position.board());
        let is_move = |bits: u16| {
            let mv = Position::unpack(bits);
            Position::pack(mv) == bits && (mv == Point::PASS || board.contains(mv))
        };
        let (graph, nodes) =
            kept.read(|content| Graph::copied(mib, words, content, is_move)).map_err(text)?;
        self.forget(Forget::Game);
        let tree = self.memory.ready(options)?;
        tree.search.adopt(graph);
        tree.terms = Some(Terms::of(position, &[]));
        (self.mode, self.loaded_mode) = (Some(mode), Some(mode));
        Ok(nodes)
    }
}

/// Whether the options let searches evaluate in this mode.
fn check_mode(mode: Mode, options: &Options) -> Result<(), Message> {
    let fits = match mode {
        _ if !options.asks_for_speed() => mode == options.mode(None),
        Mode::Playouts | Mode::Net => options.evaluator == EvaluatorKind::Auto,
        Mode::Hybrid { share, .. } => share == options.net_share,
    };
    let here = options.mode(None);
    fits.then_some(()).ok_or_else(|| {
        message!(
            "it was saved with Evaluator {mode}, and here is {here}"
                | "它以 Evaluator {mode} 保存，而这里是 {here}",
            mode,
            here
        )
    })
}

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

/// Made of the positions after a few moves.
fn fingerprint() -> u64 {
    let mut position = Position::start();
    kept::fingerprint((0..8).map_while(|_| {
        let mut moves = Vec::new();
        position.candidate_moves(&mut moves);
        position.do_move(*moves.first()?, &mut ());
        Some(position.graph_key())
    }))
}
