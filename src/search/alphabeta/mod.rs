//! Alpha-beta for every game with captures and a static evaluation.
//!
//! One generic search serves chess and xiangqi: what differs is an associated constant or a method of
//! [`AlphaBetaGame`], or a number in `tune/`. Reading order: [`node`] (the spine), [`steps`] (one function
//! a pruning step), [`qsearch`], [`endgames`] (endings known
//! beforehand), [`mates`] (by checks only), [`iterate`] (deepening and windows), [`options`] (what users may
//! ask for), [`vote`] (many threads).

pub mod budget;
pub mod entry;
pub mod history;
pub mod iterate;
pub mod options;
mod learn;
mod mates;
mod node;
mod picker;
mod qsearch;
pub mod score;
mod steps;
pub mod endgames;
pub mod vote;

use crate::game::{AlphaBetaGame, Game, Observer};
use crate::search::limits::{NodeCounter, StopFlag};
use crate::search::tt::{MemoryError, TranspositionTable};
use crate::tune::Params;
use crossbeam::utils::CachePadded;
use entry::Entry;
use history::{ButterflyIndex, ContHistRow, Context, Histories};
use score::{MAX_PLY, NONE};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A static evaluation that may follow the moves as an [`Observer`], and the numbers that go with it.
pub trait Evaluator: Observer + Clone + Send + 'static {
    type Game: AlphaBetaGame;
    /// The search's numbers for this game.
    const PARAMS: &'static Params;

    /// Forgets the moves seen so far; `pos` is the new root.
    fn reset(&mut self, pos: &Self::Game);
    /// A move is about to be made: its `added` and `removed` follow.
    fn push(&mut self);
    fn pop(&mut self);
    /// Evaluation of `pos` in centipawns from the side to move.
    fn evaluate(&mut self, pos: &Self::Game) -> i32;
}

pub type Move<E> = <<E as Evaluator>::Game as Game>::Move;

/// What all threads of a search share.
pub struct Shared {
    pub table: TranspositionTable<Entry>,
    pub stop: Arc<StopFlag>,
    pub nodes: Vec<CachePadded<NodeCounter>>,
    /// Positions found in endgame tables, by thread.
    pub table_hits: Vec<CachePadded<NodeCounter>>,
    /// Generation of the table: one a search.
    generation: AtomicU8,
}

impl Shared {
    /// For `threads` threads and a table of `mib` MiB.
    pub fn new(threads: usize, mib: usize, stop: Arc<StopFlag>) -> Result<Self, MemoryError> {
        let counters = || (0..threads).map(|_| CachePadded::default()).collect();
        let (nodes, table_hits) = (counters(), counters());
        Ok(Self {
            table: TranspositionTable::new(mib)?,
            stop,
            nodes,
            table_hits,
            generation: AtomicU8::new(0),
        })
    }

    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.get()).sum()
    }

    /// Positions that all threads found in endgame tables.
    pub fn total_table_hits(&self) -> u64 {
        self.table_hits.iter().map(|n| n.get()).sum()
    }

    /// Before a search: counters at zero, older entries of the table become replaceable.
    pub fn begin(&self) {
        self.nodes.iter().chain(&self.table_hits).for_each(|n| n.reset());
        self.generation.store((self.generation() + 1) & 31, Relaxed);
    }

    /// Takes over the generation of a table that was loaded, so that its entries are those of the last
    /// search.
    pub fn set_generation(&self, generation: u8) {
        self.generation.store(generation & 31, Relaxed);
    }

    #[inline(always)]
    pub fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }
}

/// What the search remembers of one ply on the way from the root.
#[derive(Clone)]
struct Frame<M> {
    /// The move made here, as an index of histories; `None` for a null move or none.
    played: Option<ContHistRow>,
    /// Its cell of the quiet history, if it is quiet.
    played_quiet: Option<ButterflyIndex>,
    /// Plies by which the move made here is searched less deeply at present.
    reduction: i32,
    /// Corrected static evaluation, or [`NONE`] in check.
    static_eval: i32,
    /// The move that a singular search leaves out.
    excluded: Option<M>,
    /// Number of the move made here among those of the node, from 1 on; 0 where they are not counted.
    count: usize,
    /// Beta cutoffs among the children.
    cutoffs: u32,
    /// Moves from here on in the best line.
    pv: Vec<M>,
}

impl<M> Default for Frame<M> {
    fn default() -> Self {
        Self {
            played: None,
            played_quiet: None,
            reduction: 0,
            static_eval: NONE,
            excluded: None,
            count: 0,
            cutoffs: 0,
            pv: Vec::with_capacity(MAX_PLY),
        }
    }
}

/// Frames before the root, so that six plies before the move before a node always exist.
const BEFORE_ROOT: usize = 7;

#[derive(Clone, Debug)]
pub struct RootMove<M> {
    pub mv: M,
    /// Score in this iteration; `-INFINITE` until searched.
    pub score: i32,
    pub bound: entry::Bound,
    /// The score is that of the last iteration: this one did not come to the move.
    is_old: bool,
    /// Score of the last iteration.
    pub previous: i32,
    /// Mean of the last two iterations' scores, if both are known, else the last one's.
    mean: i32,
    /// Best line, this move first.
    pub pv: Vec<M>,
    /// Best line of the last iteration.
    previous_pv: Vec<M>,
    /// Deepest ply of its search.
    pub seldepth: usize,
    /// Nodes spent on it in all iterations.
    pub nodes: u64,
    /// Rank by endgame tables: moves of greater rank come first, whatever their score.
    pub rank: i32,
    /// Who wins by endgame tables.
    pub outcome: Option<endgames::EndgameResult>,
}

/// One search thread: everything in it lives from move to move.
pub struct Worker<E: Evaluator> {
    pub pos: E::Game,
    pub eval: E,
    /// Root moves, sorted best first after each iteration.
    pub root_moves: Vec<RootMove<Move<E>>>,
    /// Whether the rules leave only one move at the root.
    is_only_move: bool,
    /// Whether not all legal moves are root moves.
    is_restricted: bool,
    pub completed_depth: i32,
    shared: Arc<Shared>,
    index: usize,
    histories: Histories<E>,
    /// A cache of rule verdicts that are expensive to compute.
    verdicts: <E::Game as AlphaBetaGame>::VerdictCache,
    frames: Vec<Frame<Move<E>>>,
    limits: budget::SearchLimits,
    tables: Option<Arc<dyn endgames::EndgameTables<E::Game>>>,
    /// Looks for a mate by checks between iterations; the mate that it found.
    mate_search: mates::MateSearch,
    mate: Option<Vec<Move<E>>>,
    on_root_move: Option<iterate::OnRootMove<E>>,
    reductions: [i32; 256],
    options: options::SearchOptions,
    rests: options::Idle,
    /// What a draw is worth to each side.
    draw_values: [i32; 2],
    nodes: u64,
    seldepth: usize,
    root_depth: i32,
    /// Root moves before this one are already placed (MultiPV).
    pv_index: usize,
    /// No null move above this ply: the verification search is running.
    null_min_ply: usize,
    stopped: bool,
    /// It has used enough of the opponent's time.
    ends_with_ponderhit: bool,
}

impl<E: Evaluator> Worker<E> {
    /// Thread `index` of a search.
    pub fn new(index: usize, eval: E, shared: Arc<Shared>) -> Self {
        Self {
            pos: Game::start(),
            eval,
            root_moves: Vec::new(),
            is_only_move: false,
            is_restricted: false,
            completed_depth: 0,
            shared,
            index,
            histories: Histories::default(),
            verdicts: Default::default(),
            frames: (0..MAX_PLY + BEFORE_ROOT + 4).map(|_| Frame::default()).collect(),
            limits: budget::SearchLimits::default(),
            tables: None,
            mate_search: mates::MateSearch::default(),
            mate: None,
            on_root_move: None,
            reductions: reductions(E::PARAMS),
            options: options::SearchOptions::default(),
            rests: options::Idle::new(0),
            draw_values: [0; 2],
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            pv_index: 0,
            null_min_ply: 0,
            stopped: false,
            ends_with_ponderhit: false,
        }
    }

    /// Bytes that a worker keeps for itself.
    pub fn bytes() -> usize {
        Histories::<E>::bytes()
            + mates::MateSearch::BYTES
            + (MAX_PLY + BEFORE_ROOT + 4) * (size_of::<Frame<Move<E>>>() + 2 * MAX_PLY)
    }

    /// Forgets earlier games.
    pub fn clear(&mut self) {
        self.histories.clear();
    }

    /// The iteration that the score of a line is from.
    pub fn depth_of(&self, line: usize) -> i32 {
        self.root_depth - i32::from(self.root_moves.get(line).is_some_and(|root| root.is_old))
    }

    /// Replaces what the threads share (a table of another size).
    pub fn set_shared(&mut self, shared: Arc<Shared>) {
        self.shared = shared;
    }

    #[inline(always)]
    fn frame(&mut self, ply: usize) -> &mut Frame<Move<E>> {
        &mut self.frames[ply + BEFORE_ROOT]
    }

    #[inline(always)]
    fn context(&self, ply: usize) -> Context {
        Context {
            previous: self.previous(ply),
            ply,
            threats: self.pos.threats(),
            pawn_row: Histories::<E>::pawn_row(&self.pos),
        }
    }

    /// See [`Context::previous`].
    #[inline(always)]
    fn previous(&self, ply: usize) -> [Option<ContHistRow>; 4] {
        [1, 2, 4, 6].map(|back| self.frames[ply + BEFORE_ROOT - back].played)
    }

    /// Prefetches the table entry of the position after `mv`, because memory is slower than making the move.
    #[inline(always)]
    fn fetch_ahead(&self, mv: Move<E>) {
        self.shared.table.prefetch(self.pos.likely_key_after(mv));
    }

    #[inline(always)]
    fn do_move(&mut self, mv: Move<E>, ply: usize, context: &Context) {
        let quiet = !self.pos.is_capture(mv);
        let played_quiet = quiet.then(|| Histories::<E>::quiet_index(&self.pos, mv, context.threats));
        let played = Some(Histories::<E>::played(&self.pos, mv));
        let frame = self.frame(ply);
        (frame.played, frame.played_quiet, frame.count) = (played, played_quiet, 0);
        self.eval.push();
        Game::do_move(&mut self.pos, mv, &mut self.eval);
    }

    #[inline(always)]
    fn undo_move(&mut self) {
        Game::undo_move(&mut self.pos);
        self.eval.pop();
    }

    /// Counts a node; looks at the clock and the node limit now and then.
    #[inline(always)]
    fn count_node(&mut self, ply: usize) {
        self.nodes += 1;
        self.shared.nodes[self.index].increment();
        self.seldepth = self.seldepth.max(ply);
        if self.limits.hard_nodes_reached(self.nodes, &self.shared)
            || (self.nodes & 1023 == 0 && self.check_limits())
        {
            self.shared.stop.set();
        }
        if self.shared.stop.is_set() && self.root_depth > 1 {
            self.stopped = true;
        }
    }

    /// Now and then: rests, and returns whether the time is used up.
    #[inline(never)]
    fn check_limits(&mut self) -> bool {
        self.rests.rest();
        let is_enough = self.ends_with_ponderhit && !self.limits.is_pondering();
        self.index == 0 && (is_enough || self.limits.hard_time_reached())
    }

    /// Score of a draw, varied by a point, so that the search does not prefer the first draw it finds.
    #[inline(always)]
    fn draw_score(&self) -> i32 {
        1 - (self.nodes & 2) as i32 + self.draw_value()
    }

    /// What a draw is worth to the side to move.
    #[inline(always)]
    fn draw_value(&self) -> i32 {
        self.draw_values[self.pos.side_to_move().index()]
    }
}

/// Logarithms of depth or move count, scaled so that the product of two is a reduction in 1/1024 ply.
fn reductions(params: &Params) -> [i32; 256] {
    let factor = f64::from(params.lmr_factor.get()).sqrt();
    std::array::from_fn(|i| ((i.max(1) as f64).ln() * factor) as i32)
}
