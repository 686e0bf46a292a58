//! `sanqi perft`: leaves of the tree of legal moves, by root move, over several threads and with a table,
//! and whole suites of known counts.

use crate::app::console::{Outcome, at, say};
use crate::ensure;
use crate::game::perft::{MAX_PLIES, perft};
use crate::game::{AlphaBetaGame, Text};
use crate::games::formats::decode;
use crate::message;
use crate::search::tt::{Payload, TranspositionTable};
use crate::util::files;
use crate::util::message::Message;
use crate::util::rate::per_second;
use crate::util::sync::on_threads;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(value_parser = ["chess", "xiangqi"])]
    game: String,
    /// Plies
    #[arg(required_unless_present = "suite",
        value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PLIES)))]
    depth: Option<u32>,
    /// The position; the starting position if left out
    #[arg(long)]
    fen: Option<String>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// MiB of table for subtrees already counted; 0 counts every one
    #[arg(long, default_value_t = 0)]
    hash: usize,
    /// Check the counts of a file of lines `FEN ;D1 20 ;D2 400`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "depth"])]
    suite: Option<PathBuf>,
    /// Leave out the counts of a suite that are greater
    #[arg(long, value_name = "N", requires = "suite", default_value_t = u64::MAX, hide_default_value = true)]
    max_nodes: u64,
}

pub fn run(args: &Args) -> Outcome {
    match args.game.as_str() {
        "xiangqi" => run_game::<crate::xiangqi::Board>(args),
        _ => run_game::<crate::chess::Board>(args),
    }
}

fn run_game<G: AlphaBetaGame + Text>(args: &Args) -> Outcome {
    let table = match args.hash {
        0 => None,
        mib => Some(TranspositionTable::new(mib)?),
    };
    let counter = Counter { threads: usize::from(args.threads), table };
    match &args.suite {
        Some(file) => suite::<G>(file, args.max_nodes, &counter),
        None => divide::<G>(args.fen.as_deref(), args.depth.unwrap_or(1), &counter),
    }
}

fn position<G: AlphaBetaGame + Text>(fen: &str) -> Result<G, Message> {
    G::from_fen(fen).map_err(|e| message!("fen \"{fen}\": {e}" | "FEN“{fen}”：{e}", fen, e))
}

fn divide<G: AlphaBetaGame + Text>(fen: Option<&str>, depth: u32, counter: &Counter) -> Outcome {
    let pos = fen.map_or_else(|| Ok(G::start()), position::<G>)?;
    let start = Instant::now();
    let mut total = 0;
    if depth == 0 {
        total = 1;
    } else {
        for (mv, nodes) in counter.divide(&pos, depth) {
            say(format_args!("{}: {nodes}", pos.move_text(mv, Default::default())));
            total += nodes;
        }
    }
    say(format_args!("{total} nodes {} nps", per_second(total, start.elapsed())));
    Ok(())
}

fn suite<G: AlphaBetaGame + Text>(file: &Path, max_nodes: u64, counter: &Counter) -> Outcome {
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    let bytes = files::read_named(file).map_err(|e| at(file, e))?;
    for (number, line) in decode(&bytes).lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |what: Message| Message::from(format!("{}:{}: {what}", file.display(), number + 1));
        let (fen, counts) = parse_suite_line(line).map_err(at)?;
        let pos: G = position(fen).map_err(at)?;
        let counts: Vec<_> = counts.into_iter().filter(|&(_, expected)| expected <= max_nodes).collect();
        if counts.is_empty() {
            left_out += 1;
            say(format_args!("left out {fen}"));
            continue;
        }
        let wrong: Vec<String> = counts
            .into_iter()
            .filter_map(|(depth, expected)| {
                let nodes = counter.count(&pos, depth);
                (nodes != expected).then(|| format!("D{depth} is {nodes}, not {expected}"))
            })
            .collect();
        if wrong.is_empty() {
            passed += 1;
            say(format_args!("ok   {fen}"));
        } else {
            failed += 1;
            say(format_args!("FAIL {fen}: {}", wrong.join(", ")));
        }
    }
    if passed + failed == 0 {
        let why = match left_out {
            0 => message!("no position is in it" | "其中没有局面"),
            _ => message!("--max-nodes leaves out every count" | "--max-nodes 排除了所有的计数"),
        };
        return Err(at(file, why));
    }
    let rest = if left_out > 0 { format!(", {left_out} left out") } else { String::new() };
    say(format_args!("{passed} passed, {failed} failed{rest}"));
    match failed {
        0 => Ok(()),
        _ => Err(message!(
            "{file}: {failed} positions with wrong counts" | "{file}：{failed} 个局面计数不符",
            file = file.display(),
            failed
        )),
    }
}

/// A FEN, and pairs of depth and leaves.
type SuiteLine<'a> = (&'a str, Vec<(u32, u64)>);

/// Reads `FEN ;D1 20 ;D2 400`; what follows `;;` is a comment.
fn parse_suite_line(line: &str) -> Result<SuiteLine<'_>, Message> {
    let mut fields = line.split(";;").next().unwrap_or(line).split(';').map(str::trim);
    let fen = fields.next().unwrap_or("");
    let counts = fields
        .filter(|f| !f.is_empty())
        .map(|field| {
            let (depth, nodes) = field.strip_prefix('D').and_then(|f| f.split_once(' ')).ok_or(field)?;
            let depth = depth.parse().ok().filter(|depth| *depth <= MAX_PLIES).ok_or(field)?;
            Ok((depth, nodes.trim().parse().map_err(|_| field)?))
        })
        .collect::<Result<Vec<_>, &str>>()
        .map_err(|field| {
            message!(
                "\"{field}\" is not a count such as \"D3 8902\"" | "“{field}”不是“D3 8902”这样的计数",
                field
            )
        })?;
    ensure!(!counts.is_empty(), "no count such as \"D3 8902\" is there" | "其中没有“D3 8902”这样的计数");
    Ok((fen, counts))
}

/// Counts leaves with the threads and the table it was given.
struct Counter {
    threads: usize,
    table: Option<TranspositionTable<Subtree>>,
}

impl Counter {
    fn count<G: AlphaBetaGame>(&self, pos: &G, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.divide(pos, depth).iter().map(|&(_, nodes)| nodes).sum(),
        }
    }

    /// Leaves below each root move, in the order of generation. `depth` is at least 1.
    fn divide<G: AlphaBetaGame>(&self, pos: &G, depth: u32) -> Vec<(G::Move, u64)> {
        let moves = pos.legal();
        // A pair of moves is a job: single root moves differ too much in size.
        let jobs: Vec<(usize, Option<G::Move>)> =
            moves.iter().enumerate().flat_map(|(i, &mv)| replies(pos, i, mv, depth)).collect();
        let (next, nodes) =
            (AtomicUsize::new(0), moves.iter().map(|_| AtomicU64::new(0)).collect::<Vec<_>>());
        let work = || {
            let mut pos = pos.clone();
            while let Some(&(root, reply)) = jobs.get(next.fetch_add(1, Relaxed)) {
                pos.do_move(moves[root], &mut ());
                nodes[root].fetch_add(self.below(&mut pos, reply, depth - 1), Relaxed);
                pos.undo_move();
            }
        };
        on_threads(self.threads, work);
        moves.iter().zip(nodes).map(|(&mv, n)| (mv, n.into_inner())).collect()
    }

    fn below<G: AlphaBetaGame>(&self, pos: &mut G, reply: Option<G::Move>, depth: u32) -> u64 {
        let Some(reply) = reply else { return self.perft(pos, depth) };
        pos.do_move(reply, &mut ());
        let nodes = self.perft(pos, depth - 1);
        pos.undo_move();
        nodes
    }

    fn perft<G: AlphaBetaGame>(&self, pos: &mut G, depth: u32) -> u64 {
        match &self.table {
            Some(table) if depth >= 2 => hashed(table, pos, depth),
            _ => perft(pos, depth),
        }
    }
}

/// One job for each reply to root move `root`, or one for the move itself when it is a leaf's parent.
fn replies<G: AlphaBetaGame>(pos: &G, root: usize, mv: G::Move, depth: u32) -> Vec<(usize, Option<G::Move>)> {
    if depth < 3 {
        return vec![(root, None)];
    }
    let mut pos = pos.clone();
    pos.do_move(mv, &mut ());
    pos.legal().into_iter().map(|reply| (root, Some(reply))).collect()
}

fn hashed<G: AlphaBetaGame>(table: &TranspositionTable<Subtree>, pos: &mut G, depth: u32) -> u64 {
    if depth < 2 {
        return perft(pos, depth);
    }
    // The depth is mixed into the key: counts of one position at two depths are two entries.
    let key = pos.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let check = key >> 16 & Subtree::CHECK_MASK;
    if let Some(entry) = table.probe(key)
        && entry.check == check
    {
        return entry.nodes;
    }
    let mut nodes = 0;
    for mv in pos.legal() {
        pos.do_move(mv, &mut ());
        nodes += hashed(table, pos, depth - 1);
        pos.undo_move();
    }
    if nodes < 1 << Subtree::NODE_BITS {
        table.store(key, Subtree { check, nodes }, 0);
    }
    nodes
}

/// A counted subtree. The table compares 16 bits of the key and spreads by the highest; these 24 more make
/// a wrong hit less likely than one in 2^50.
#[derive(Clone, Copy)]
struct Subtree {
    check: u64,
    nodes: u64,
}

impl Subtree {
    const NODE_BITS: u32 = 39;
    const CHECK_MASK: u64 = (1 << 24) - 1;
}

impl Payload for Subtree {
    fn pack(self) -> u64 {
        (self.check << Self::NODE_BITS | self.nodes) << 1 | 1
    }

    fn unpack(bits: u64) -> Self {
        let bits = bits >> 1;
        Self { check: bits >> Self::NODE_BITS, nodes: bits & ((1 << Self::NODE_BITS) - 1) }
    }

    fn worth(self, _: u8) -> i32 {
        // Large subtrees save most.
        64 - self.nodes.leading_zeros() as i32
    }

    fn replaces(self, _: Self, _: u8) -> bool {
        true
    }

    fn generation(self) -> u8 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suite_lines_are_fen_counts_and_comment() {
        let (fen, counts) = parse_suite_line("8/8 w - - ;D1 20 ;D2 400 ;; verified").unwrap();
        assert_eq!((fen, counts), ("8/8 w - -", vec![(1, 20), (2, 400)]));
        assert!(parse_suite_line("8/8 w ;D1 x").unwrap_err().to_string().contains("D1 x"));
    }

    #[test]
    fn subtrees_survive_packing() {
        let entry = Subtree { check: Subtree::CHECK_MASK, nodes: (1 << Subtree::NODE_BITS) - 1 };
        let back = Subtree::unpack(entry.pack());
        assert_eq!((back.check, back.nodes), (entry.check, entry.nodes));
        assert_ne!(Subtree { check: 0, nodes: 0 }.pack(), 0);
    }
}
