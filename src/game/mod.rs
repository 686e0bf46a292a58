//! What a game is, to a search that knows no game by name.
//!
//! A position implements [`Game`], which is the rules: which moves are legal, what they do, how a game ends.
//! What alpha-beta needs besides is [`AlphaBetaGame`], what Monte-Carlo tree search needs is [`TreeGame`],
//! what people and records need is [`Text`]. Facts about a game are associated constants, so that branches
//! for other games vanish when the search is compiled for one.
//!
//! ```
//! use sanqi::game::{Game, Text};
//! use sanqi::{chess, xiangqi};
//!
//! /// The legal moves of the starting position, in the usual notation of the game.
//! fn first_moves<G: Text>() -> Vec<String> {
//!     let start = G::start();
//!     start.legal().into_iter().map(|mv| start.move_text(mv, G::Notation::default())).collect()
//! }
//!
//! assert!(first_moves::<chess::Board>().contains(&"e2e4".to_owned()));
//! assert_eq!(first_moves::<xiangqi::Board>().len(), 44);
//! ```

pub mod book;
mod id;
pub mod key;
pub mod perft;
#[cfg(test)]
pub(crate) mod testing;
mod text;

pub use book::BookMove;
pub use id::GameId;
pub use text::Text;
pub(crate) use text::plies_before;

use arrayvec::ArrayVec;
use std::fmt::Debug;

/// Room for the legal moves of a position of chess or xiangqi. A game of chess has 218 at most. With 32
/// pieces on a side, sliders see each of the other squares from eight directions at most, and a knight or a
/// pawn in the place of a slider adds four moves: fewer than 450.
pub type MoveList<M> = ArrayVec<M, 512>;

/// The player who moves first in the starting position (White, Red; Black in Go), or the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Side {
    /// White in chess, Red in xiangqi, Black in Go.
    First = 0,
    /// Black in chess and xiangqi, White in Go.
    Second = 1,
}

impl Side {
    /// 0 or 1.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The one of two things, the first player's and the second's, that is this side's.
    #[inline(always)]
    pub const fn of<T>(self, pair: &[T; 2]) -> &T {
        let [first, second] = pair;
        match self {
            Self::First => first,
            Self::Second => second,
        }
    }

    /// [`of`](Self::of), to change it.
    #[inline(always)]
    pub const fn of_mut<T>(self, pair: &mut [T; 2]) -> &mut T {
        let [first, second] = pair;
        match self {
            Self::First => first,
            Self::Second => second,
        }
    }
}

/// The verdict of the rules on the position, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Ongoing,
    Draw,
    /// Won for the side to move (in xiangqi: the opponent completed a forbidden cycle).
    Win,
    /// Lost for the side to move.
    Loss,
    /// The side to move can have at least a draw (xiangqi: by repeating).
    AtLeastDraw,
    /// The opponent can have at least a draw.
    AtMostDraw,
}

/// Watches which pieces come and go while a move is made. The board calls it and knows no more of it:
/// evaluations keep their accumulators up to date with it. Piece and square are the game's own indices
/// (`0..PIECES`, `0..SQUARES`).
pub trait Observer {
    fn added(&mut self, piece: usize, square: usize);
    fn removed(&mut self, piece: usize, square: usize);
}

/// Observes nothing.
impl Observer for () {
    #[inline(always)]
    fn added(&mut self, _: usize, _: usize) {}
    #[inline(always)]
    fn removed(&mut self, _: usize, _: usize) {}
}

/// The rules: a position with the history that they need.
pub trait Game: Clone + Send + Sync + 'static {
    const ID: GameId;
    /// `chess`, `xiangqi` or `go`.
    const NAME: &'static str = Self::ID.name();
    /// A move, small and copied freely.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// Where moves are listed: [`MoveList`], or a vector where that has too little room.
    type Moves: Default + AsRef<[Self::Move]> + IntoIterator<Item = Self::Move>;

    fn start() -> Self;
    fn side_to_move(&self) -> Side;
    /// Zobrist key of the position, side to move included.
    fn key(&self) -> u64;
    /// Plays a legal move and reports to `obs` what changed.
    fn do_move<O: Observer>(&mut self, mv: Self::Move, obs: &mut O);
    /// Takes back the last [`do_move`](Self::do_move).
    fn undo_move(&mut self);

    /// Appends all legal moves; in Go the pass is one of them.
    fn legal_moves(&self, out: &mut Self::Moves);
    /// All legal moves.
    #[inline(always)]
    fn legal(&self) -> Self::Moves {
        let mut moves = Self::Moves::default();
        self.legal_moves(&mut moves);
        moves
    }
    /// How many legal moves there are. A game that can count them without making a list should.
    fn count_legal(&self) -> u64 {
        self.legal().as_ref().len() as u64
    }
    /// Leaves of the tree of legal moves `depth` plies deep. A game that can walk it faster than by
    /// `do_move` and `undo_move` should.
    fn count_leaves(&mut self, depth: u32) -> u64 {
        perft::walk(self, depth)
    }
    /// The verdict of the rules on the game so far: repetition, no progress, dead positions, in Go the score
    /// after two passes. A side to move without a legal move is not looked for.
    fn verdict(&self) -> Verdict;

    /// The move in 16 bits.
    fn pack(mv: Self::Move) -> u16;
    /// Inverse of [`pack`](Self::pack).
    fn unpack(bits: u16) -> Self::Move;
}

/// What alpha-beta needs of a game. Of its packed moves 0 is none that is legal, and any 16 bits give some
/// move.
pub trait AlphaBetaGame: Game<Moves = MoveList<<Self as Game>::Move>> {
    /// Squares of the board (64, 90).
    const SQUARES: usize;
    /// Kinds of piece times two sides (12, 14).
    const PIECES: usize;
    /// Score, from the side to move, when it has no legal move and is not in check: draw or loss.
    const STALEMATE: Verdict;
    /// Plies without progress after which the game is drawn (100, 120).
    const RULE_PLIES: u16;
    /// Whether a move that makes the position occur for the second time can be claimed in advance by
    /// the "upcoming repetition" test (chess), or repetitions have verdicts of their own (xiangqi).
    const PLAIN_REPETITION: bool;
    /// Whether a search tries quiet checks where it leaves out late quiet moves.
    const LATE_CHECKS: bool;
    /// Whether a search takes the evaluation as improving wherever it is above beta.
    const IMPROVES_ABOVE_BETA: bool;
    /// What a search remembers of verdicts (xiangqi: of cycles that were judged).
    type VerdictCache: Default + Send;

    /// Pseudo-legal captures (and, in chess, queen promotions): what quiescence search looks at.
    fn captures(&self, out: &mut MoveList<Self::Move>);
    /// Pseudo-legal moves that [`captures`](Self::captures) leaves out.
    fn quiets(&self, out: &mut MoveList<Self::Move>);
    /// Whether the move could be played here if the own king's safety did not count. Moves come from tables
    /// of other positions, so any bit pattern may be asked about.
    fn is_pseudo_legal(&self, mv: Self::Move) -> bool;
    /// Whether a pseudo-legal move leaves the own king safe.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;
    fn gives_check(&self, mv: Self::Move) -> bool;
    /// The same for many moves of this position.
    fn check_test(&self) -> impl Fn(Self::Move) -> bool {
        |mv| self.gives_check(mv)
    }
    /// Whether the move is one that [`captures`](Self::captures) yields.
    fn is_capture(&self, mv: Self::Move) -> bool;
    /// Kind (`0..PIECES`, side included) of the piece that moves.
    fn moving_piece(&self, mv: Self::Move) -> usize;
    /// Kind without side (`0..PIECES / 2`) of what the move captures, if anything.
    fn captured_kind(&self, mv: Self::Move) -> Option<usize>;
    /// Where the move starts and ends (in castling: the king's squares).
    fn from_to(&self, mv: Self::Move) -> (usize, usize);
    /// Whether the exchange on the target square gains at least `threshold` (in the units of
    /// [`piece_value`](Self::piece_value)) for the side to move.
    /// <https://www.chessprogramming.org/Static_Exchange_Evaluation>
    fn see_ge(&self, mv: Self::Move, threshold: i32) -> bool;
    /// Exchange value of a kind of piece (`0..PIECES / 2`); a pawn of chess is 100.
    fn piece_value(kind: usize) -> i32;
    /// Squares where a piece of the side to move is in danger, as two words (chess uses the first). An empty
    /// square is in the set if an enemy piece attacks it; an own piece's square only if the attacker is of
    /// lesser value, in chess also if nothing defends the piece. Quiet moves out of and into these squares
    /// are ordered by it.
    fn threats(&self) -> [u64; 2];

    /// [`key`](Game::key) after a pseudo-legal move. It may be wrong for rare moves, such as those that
    /// change castling rights, because it only chooses the memory to prefetch.
    fn likely_key_after(&self, mv: Self::Move) -> u64;

    /// Passes the turn. Only called when not in check.
    fn do_null_move(&mut self);
    /// Takes back [`do_null_move`](Self::do_null_move).
    fn undo_null_move(&mut self);
    /// Whether the side to move has a piece that makes zugzwang unlikely (chess: more than pawns).
    fn has_heavy_material(&self) -> bool;
    /// Whether zugzwang is unlikely enough for a null move (chess: more than pawns and one minor piece; see
    /// docs/lab/zugzwang.md).
    fn passing_is_safe(&self) -> bool {
        self.has_heavy_material()
    }

    /// What a search may take for the [`verdict`](Game::verdict) a number of plies below its root, where one
    /// repetition is enough. What `cache` remembers spares work and changes no verdict.
    fn verdict_in_tree(&self, ply: usize, cache: &mut Self::VerdictCache) -> Verdict;
    /// Whether the side to move has a move that repeats an earlier position (only asked when
    /// [`PLAIN_REPETITION`](Self::PLAIN_REPETITION)).
    fn upcoming_repetition(&self, ply: usize) -> bool;
    /// Plies since the last capture or pawn move (xiangqi: capture).
    fn rule_counter(&self) -> u16;
    /// Plies without progress that are left before the game is drawn.
    fn plies_left(&self) -> i32;
    /// Whether the game is drawn at once because neither side can win (CH-7, XQ-D14).
    fn is_dead(&self) -> bool;
    /// Whether a position since the last capture or pawn move, this one included, has occurred twice.
    fn has_repeated(&self) -> bool;

    /// Zobrist key of the pawns only (xiangqi: soldiers, advisors and elephants).
    fn pawn_key(&self) -> u64;
    /// Zobrist key of the pieces of `side` that [`pawn_key`](Self::pawn_key) leaves out.
    fn non_pawn_key(&self, side: Side) -> u64;
    /// Key of the material on the board, whatever its squares.
    fn material_key(&self) -> u64;

    /// Calls `each(piece, square)` for every piece on the board.
    fn for_each_piece(&self, each: impl FnMut(usize, usize));
}

/// Methods of a trait that the type has by the same name.
macro_rules! delegate {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) -> $out:ty;)*) => {
        $(
            #[inline(always)]
            fn $name(&self $(, $argument: $type)*) -> $out {
                Self::$name(self $(, $argument)*)
            }
        )*
    };
}
pub(crate) use delegate;

/// What Monte-Carlo tree search needs of a game.
///
/// The search copies the root into a scratch position with `clone_from` for every descent and never takes
/// a move back.
pub trait TreeGame: Game {
    /// Moves worth searching: legal, and not plainly senseless (filling an own eye); passing among them.
    /// Empty only when the game [is over](Self::is_over).
    fn candidate_moves(&self, out: &mut Vec<Self::Move>);
    /// Whether a move that was a candidate in a position of the same [`graph_key`](Self::graph_key) is legal
    /// here. Asked once a ply of every descent.
    fn is_legal(&self, mv: Self::Move) -> bool;
    /// Whether the game is over on the board (two passes).
    fn is_over(&self) -> bool;
    /// Key that also distinguishes positions whose history forbids different moves (superko), so that a
    /// graph of nodes is safe.
    fn graph_key(&self) -> u64;
    /// Number of different packed moves: each is below it. Sizes arrays indexed by moves.
    fn move_space(&self) -> usize;
}
