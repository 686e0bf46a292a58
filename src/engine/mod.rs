//! A game, its evaluation and a search behind one object-safe trait: what the controller owns.
//!
//! Everything that crosses this border is text or a plain number, because the layers above know no
//! game's types. Calls return at once unless documented otherwise; a search reports by [`Event`]s.
//!
//! ```
//! use sanqi::engine::{self, Event, GameId, Limits, PositionSpec};
//!
//! let mut engine = engine::create(GameId::Chess);
//! let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".to_owned();
//! engine.set_position(&PositionSpec { fen: Some(fen), ..PositionSpec::default() })?;
//!
//! let (sender, events) = crossbeam::channel::unbounded();
//! engine.go(Limits { depth: Some(5), ..Limits::default() }, sender)?;
//! let best = events.into_iter().find_map(|event| match event {
//!     Event::BestMove(best) => best.mv,
//!     _ => None,
//! });
//! assert_eq!(best.as_deref(), Some("a1a8"));
//! # Ok::<(), sanqi::util::message::Message>(())
//! ```

// What crosses this border is named here, so that protocols need not know the modules below it.
pub use crate::clock::{Overtime, TimeControl};
pub use crate::game::{GameId, Side};
use crate::message;
pub use crate::search::limits::{Limits, StopFlag};
pub use crate::util::lang::Bilingual;
use crate::util::message::Message;
use crate::util::rate::per_second;
use crossbeam::channel::Sender;
use std::borrow::Cow;
use std::time::Duration;

/// A score from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Centipawns (internal units scaled so that 100 is about a pawn).
    Centipawns(i32),
    /// Mate in this number of own moves; negative when being mated.
    Mate(i32),
}

/// How exact a [`Score`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    #[default]
    Exact,
    /// At least the score.
    Lower,
    /// At most the score.
    Upper,
}

/// One principal variation of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of this variation, from 1.
    pub multipv: u32,
    pub score: Score,
    pub bound: Bound,
    /// Expected wins, draws and losses in permille, when a model is there.
    pub wdl: Option<[u32; 3]>,
    /// Nodes of all threads.
    pub nodes: u64,
    pub time: Duration,
    /// Permille of the table in use.
    pub hashfull: u32,
    pub tbhits: u64,
    pub pv: Vec<String>,
}

impl Info {
    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }

    /// The report for a position without legal moves.
    pub const fn of_finished_game(score: Score) -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            wdl: None,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tbhits: 0,
            pv: Vec::new(),
        }
    }
}

/// What tree search reports for one root move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveAnalysis {
    /// The move (a vertex or `pass`).
    pub mv: String,
    pub visits: u64,
    /// Expected result for the side to move, 0 to 1.
    pub winrate: f64,
    /// Lower confidence bound of the winrate.
    pub lcb: f64,
    pub prior: f64,
    /// Expected lead in points, from the side to move.
    pub score_lead: f64,
    pub score_stdev: f64,
    /// As [`Analysis::ownership`], after this move; empty unless asked for.
    pub ownership: Vec<f32>,
    /// Expected continuation, this move first.
    pub pv: Vec<String>,
    /// Visits of the position after each move of `pv`.
    pub pv_visits: Vec<u64>,
    /// Visits of each move of `pv`, from the position before it.
    pub pv_edge_visits: Vec<u64>,
}

/// A report of a running tree search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// Root moves, best first.
    pub moves: Vec<MoveAnalysis>,
    /// Root moves that may not be played, with their priors.
    pub barred: Vec<(String, f64)>,
    pub visits: u64,
    /// Winrate of the side to move at the root.
    pub winrate: f64,
    /// Lead in points of the side to move at the root.
    pub score_lead: f64,
    /// Standard error of the lead: how far that of another search may be.
    pub score_error: f64,
    /// Standard deviation of the result around the lead.
    pub score_stdev: f64,
    /// Per point, row by row from the top: -1 (opponent's) to 1 (own), from the side to move.
    pub ownership: Vec<f32>,
    pub time: Duration,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct BestMove {
    /// `None`: there is no legal move.
    pub mv: Option<String>,
    pub ponder: Option<String>,
    /// Offers or accepts a draw.
    pub draw: bool,
    pub resign: bool,
}

/// What a search reports while it runs. Exactly one [`BestMove`](Event::BestMove) ends it.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A finished iteration (alpha-beta).
    Info(Info),
    /// The root move being searched, and its number from 1.
    CurrentMove(String, u32),
    Analysis(Analysis),
    Message(Message),
    BestMove(BestMove),
}

/// How a client writes moves. What a game does not know is its usual way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `e2e4`, `e7e8q`, castling `e1g1`; xiangqi ICCS `h2e2` (ranks 0 to 9).
    #[default]
    Coordinate,
    /// Chess960: castling is king takes rook, `e1h1`.
    Chess960,
    /// Xiangqi with ranks 1 to 10, `h3e3`, `b10c8`.
    RanksFromOne,
}

impl From<Notation> for crate::chess::notation::Notation {
    fn from(notation: Notation) -> Self {
        if notation == Notation::Chess960 { Self::Chess960 } else { Self::Coordinate }
    }
}

impl From<Notation> for crate::xiangqi::notation::Notation {
    fn from(notation: Notation) -> Self {
        if notation == Notation::RanksFromOne { Self::RanksFromOne } else { Self::Coordinate }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionSpec {
    /// FEN; `None` is the starting position.
    pub fen: Option<String>,
    pub moves: Vec<String>,
    pub notation: Notation,
}

/// What the table knows of a position (UCCI `probe`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashProbe {
    pub best_move: Option<String>,
    /// Score known to be reached at least, with its depth.
    pub lower: Option<(Score, u32)>,
    /// Score known not to be exceeded, with its depth.
    pub upper: Option<(Score, u32)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OptionKind {
    Check(bool),
    /// A whole number: default and range.
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of several words without blanks: the default, and all of them.
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
    },
    Text(Cow<'static, str>),
    Button,
}

impl OptionKind {
    pub const fn text(default: &'static str) -> Self {
        Self::Text(Cow::Borrowed(default))
    }

    pub const fn spin(default: i64, min: i64, max: i64) -> Self {
        Self::Spin { default, min, max }
    }
}

/// One option of an engine or of the controller, to be declared by every dialect in its own form.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionSpec {
    /// The UCI name (`Move Overhead`).
    pub name: &'static str,
    pub kind: OptionKind,
    /// One sentence for documentation and help.
    pub help: Bilingual,
}

/// Options in a row: `NAME, kind => "help" | "说明";`.
macro_rules! option_specs {
    ($($name:expr, $kind:expr => $english:literal | $chinese:literal;)*) => {
        [$($crate::engine::OptionSpec::new($name, $kind, $english, $chinese)),*]
    };
}
pub(crate) use option_specs;

impl OptionSpec {
    pub const fn new(
        name: &'static str,
        kind: OptionKind,
        english: &'static str,
        chinese: &'static str,
    ) -> Self {
        Self { name, kind, help: Bilingual(english, chinese) }
    }
}

/// A game being played and searched.
pub trait Engine: Send {
    fn game(&self) -> GameId;
    fn options(&self) -> Vec<OptionSpec>;
    /// Sets an option. The controller has found `name` in [`options`](Self::options), spelled as there, has
    /// checked `value` against the kind (`true` or `false`; a number in range; a listed choice; any text;
    /// nothing for a button), and calls this only while no search runs.
    /// # Errors
    /// The value cannot be had (the file is missing, the memory too small); nothing has changed then.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message>;
    /// The remarks of the options that were set since the last call.
    fn take_remarks(&mut self) -> Vec<Message> {
        Vec::new()
    }
    /// Forgets everything about earlier games, except what an option keeps.
    fn new_game(&mut self);
    /// Sets up a position. From now on events write moves in the notation of `spec`.
    /// # Errors
    /// A bad FEN leaves everything as it was. An illegal move: the moves before it stand, and the
    /// message names it.
    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), Message>;
    fn side_to_move(&self) -> Side;
    /// Starts a search that sends its events to `events` and ends with exactly one `BestMove`, which
    /// comes at once when there is no legal move. The stop flag is cleared before this returns. Listed
    /// root moves that are not legal here are left out, with a [`Message`](Event::Message) for each; when
    /// none of [`Limits::search_moves`] is left, all moves are searched.
    /// # Errors
    /// When one is running already; nothing was started then. Behind its `BestMove` it ends in a moment:
    /// [`wait`](Self::wait) for that.
    fn go(&mut self, limits: Limits, events: Sender<Event>) -> Result<(), Message>;
    /// A handle by which any thread can stop the running search at once.
    fn stop_handle(&self) -> StopHandle;
    /// The opponent played the expected move, and may have offered a draw with it: the clock runs from
    /// now.
    fn ponder_hit(&mut self, draw_offered: bool);
    /// Blocks until no search is running.
    fn wait(&mut self);
    fn diagram(&self) -> String;
    fn explain_evaluation(&mut self) -> String;
    /// Perft with one line a root move: `(move, nodes)`. Blocks, until `stop` is set; the result is partial
    /// then. `None`: this game has none.
    fn perft(&self, depth: u32, stop: &StopFlag) -> Option<Vec<(String, u64)>>;
    /// What the table knows of a position.
    /// # Errors
    /// As for [`set_position`](Self::set_position); the current position stays.
    fn probe(&self, spec: &PositionSpec) -> Result<Option<HashProbe>, Message>;
    /// Static evaluation of the current position in centipawns from the side to move.
    fn static_evaluation(&mut self) -> i32;
    /// Runs the benchmark: `(nodes, time)`. Blocks, until `stop` is set; the result is partial then. Callers
    /// that set `stop` set the engine's own [`stop_handle`](Self::stop_handle) after it.
    fn bench(&mut self, depth: Option<u32>, stop: &StopFlag) -> (u64, Duration);
}

pub type StopHandle = std::sync::Arc<crate::search::limits::StopFlag>;

#[doc(hidden)]
pub mod alphabeta;
mod book;
mod chances;
#[doc(hidden)]
pub mod chess;
#[doc(hidden)]
pub mod evalfile;
#[doc(hidden)]
pub mod syzygy;
#[doc(hidden)]
pub mod go;
#[doc(hidden)]
pub mod xiangqi;

pub use alphabeta::Ratings;

/// An engine as its owner has it: that of Go can be asked more than the others.
pub enum AnyEngine {
    Board(Box<dyn Engine>),
    Go(Box<go::GoEngine>),
}

impl AnyEngine {
    /// A new engine for `game`. Without the memory for the smallest one the program ends here, and prints
    /// why.
    pub fn new(game: GameId) -> Self {
        match game {
            GameId::Go => Self::Go(Box::default()),
            _ => Self::Board(create(game)),
        }
    }

    pub fn engine(&mut self) -> &mut dyn Engine {
        match self {
            Self::Board(engine) => engine.as_mut(),
            Self::Go(engine) => engine.as_mut(),
        }
    }

    /// What only Go's engine can do.
    pub fn go(&mut self) -> Option<&mut go::GoEngine> {
        match self {
            Self::Board(_) => None,
            Self::Go(engine) => Some(engine),
        }
    }
}

/// The options that an engine of `game` has, without making one.
pub fn declared(game: GameId) -> Vec<OptionSpec> {
    match game {
        GameId::Chess => alphabeta::declared::<chess::Chess>(),
        GameId::Xiangqi => alphabeta::declared::<xiangqi::Xiangqi>(),
        GameId::Go => go::options::specs(),
    }
}

/// The ratings of the players below full strength that an engine of `game` can be (`UCI_Elo`),
/// rising; Go has ranks instead.
pub const fn ratings(game: GameId) -> Option<Ratings> {
    match game {
        GameId::Chess => Some(<chess::Chess as alphabeta::Setup>::RATINGS),
        GameId::Xiangqi => Some(<xiangqi::Xiangqi as alphabeta::Setup>::RATINGS),
        GameId::Go => None,
    }
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, Message> {
    value.parse().map_err(|_| message!("'{value}' is not a whole number" | "“{value}”不是整数", value))
}

fn unknown_option(name: &str) -> Message {
    message!("no such option: {name}" | "没有这个选项：{name}", name)
}

/// A new engine for `game`. Without the memory for the smallest one the program ends here, with the reason.
pub fn create(game: GameId) -> Box<dyn Engine> {
    let made: Result<Box<dyn Engine>, Message> = match game {
        GameId::Chess => alphabeta::AlphaBeta::<chess::Chess>::new().map(|engine| Box::new(engine) as _),
        GameId::Xiangqi => {
            alphabeta::AlphaBeta::<xiangqi::Xiangqi>::new().map(|engine| Box::new(engine) as _)
        }
        GameId::Go => Ok(Box::new(go::GoEngine::default())),
    };
    made.unwrap_or_else(|error| {
        crate::util::system::remark!("sanqi: {error}");
        std::process::exit(1)
    })
}

#[cfg(test)]
mod stress_tests;
