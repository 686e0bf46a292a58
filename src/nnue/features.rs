//! The inputs of a net: for each side, one input for each piece on each square, seen from that
//! side and mirrored so that its own king stands on the left. <https://www.chessprogramming.org/NNUE#HalfKA>
//!
//! Mirroring halves what has to be learned. A xiangqi general on the middle file leaves the side open; then
//! the distribution of the pieces decides ([`FeatureSet::lateral`]), so that a position and its mirror image
//! always get the same inputs.

use crate::game::{AlphaBetaGame, Side};

/// Room for the squares of any board in [`KingMap`]; net files have as much.
pub const KING_SQUARES: usize = 92;

/// King bucket by the own king's square after mirroring; zero beyond the board.
pub type KingMap = [u8; KING_SQUARES];

/// How one side looks at the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Whether left and right are exchanged.
    pub mirrored: bool,
    /// The own king's square, after mirroring and from the own side: it selects the king bucket.
    pub king: u8,
}

/// The inputs of one game. Pieces are `side * KINDS + kind`, squares `rank * FILES + file` from the first
/// side's home, as observers see them.
pub trait FeatureSet: Copy + Clone + Send + Sync + 'static {
    type Game: AlphaBetaGame;
    /// Inputs that depend on the whole board, in nets that have them.
    type Board: BoardFeatures<Self>;
    const GAME: &'static str;
    /// The file of the net in the binary; empty when there is none.
    const EMBEDDED: &'static [u8];
    /// The name of these inputs, for people.
    const NAME: &'static str;
    /// Number of these inputs in net files. A change of any index needs a new one.
    const ID: u16;
    const FILES: usize;
    const SQUARES: usize;
    /// Kinds of piece, sides not counted.
    const KINDS: usize;
    const KING: usize;
    /// Inputs for each king bucket.
    const INPUTS: usize;
    /// Whether [`lateral`](Self::lateral) is ever other than zero.
    const HAS_LATERAL: bool;

    /// Input of a piece on a square as `side` sees it, without the king bucket: `0..INPUTS`.
    fn input(side: Side, mirrored: bool, piece: usize, square: usize) -> usize;

    /// What a piece on a square adds to the left-right balance of `side`. Mirroring the square changes the
    /// sign; a negative sum mirrors the view when the king is on the middle file.
    fn lateral(side: Side, piece: usize, square: usize) -> i64;

    /// A king map ([`NetInfo::king_map`](super::net::NetInfo::king_map)) with `buckets` buckets, if there is
    /// one.
    fn king_map(buckets: usize) -> Option<KingMap>;

    /// How `side` looks at the board when its king is on `king` and the sum over all pieces of
    /// [`lateral`](Self::lateral) is `balance`.
    #[inline(always)]
    fn view(side: Side, king: usize, balance: i64) -> View {
        let file = king % Self::FILES;
        // Twice the distance from the middle: negative on the left.
        let off_middle = (2 * file + 1) as i32 - Self::FILES as i32;
        let mirrored = if off_middle == 0 { balance < 0 } else { off_middle > 0 };
        View { mirrored, king: Self::turned(side, mirrored, king) as u8 }
    }

    #[inline(always)]
    fn turned(side: Side, mirrored: bool, square: usize) -> usize {
        let (mut file, mut rank) = (square % Self::FILES, square / Self::FILES);
        if mirrored {
            file = Self::FILES - 1 - file;
        }
        if side == Side::Second {
            rank = Self::SQUARES / Self::FILES - 1 - rank;
        }
        rank * Self::FILES + file
    }

    /// `piece` as `side` sees it: its own kinds come first.
    #[inline(always)]
    fn relative(side: Side, piece: usize) -> usize {
        if side == Side::First {
            piece
        } else if piece >= Self::KINDS {
            piece - Self::KINDS
        } else {
            piece + Self::KINDS
        }
    }
}

/// Inputs that depend on more than one piece and its square. One move changes them all over the board, so an
/// accumulator compares the board with an earlier one instead of following the moves. The value is a board as
/// these inputs see it, and the default is the empty one.
///
/// The base inputs are there once for each of [`STATES`](Self::STATES) states that a piece may be in, in a
/// block of [`INPUTS`](Self::INPUTS). What is left of a block, and base inputs that no piece can switch on,
/// may stand for something else.
pub trait BoardFeatures<F: FeatureSet>: Clone + Default + Send + Sync + 'static {
    /// Number of these inputs in net files, as [`FeatureSet::ID`].
    const ID: u16;
    /// The name of these inputs, for people.
    const NAME: &'static str;
    const STATES: usize;
    /// Inputs of a block: the base inputs and what follows them.
    const INPUTS: usize;
    /// Maximum number of active inputs.
    const MAX_ACTIVE: usize;

    fn of_position(pos: &F::Game) -> Self;
    /// These pieces on their squares.
    fn of_pieces(pieces: impl Iterator<Item = (usize, usize)>) -> Self;
    /// How each side looks at the board, where the sums of [`FeatureSet::lateral`] are `balance`.
    fn views(&self, balance: [i64; 2]) -> [View; 2];
    fn piece_count(&self) -> usize;
    /// Calls `change` for every input that `self` and `old` do not share: whether `self` has it, and its
    /// number as each side sees it, counted from the first row of the king bucket.
    fn compare(&self, old: &Self, views: [View; 2], change: impl FnMut(bool, [usize; 2]));
    /// Inputs of a block that stand for something else than a piece.
    fn borrowed_inputs() -> Vec<usize>;
}
