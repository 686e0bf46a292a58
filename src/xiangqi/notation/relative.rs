//! What Chinese notation and WXF have in common: a move given by its piece, the piece's file, and how far it
//! goes or where to, all as the moving side counts. Source: the notation standard of xqbase.com.

use super::MoveError;
use super::find::find;
use crate::game::{Game, Side};
use crate::xiangqi::Board;
use crate::xiangqi::types::{Kind, Move, Square};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// The one on this file, 1 to 9 from the mover's right.
    File(u8),
    /// The foremost of those that share a file.
    Front,
    /// The second of three soldiers on a file.
    Middle,
    /// The last of those that share a file.
    Back,
    /// This one, from 1, of the soldiers that share a file with another: files from the mover's right, on a
    /// file from the front.
    Ordinal(u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// 进
    Forward,
    /// 退
    Back,
    /// 平
    Sideways,
}

/// A move as its player describes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Relative {
    pub kind: Kind,
    pub which: Which,
    /// The file that is named besides: then places are counted on it only.
    pub file: Option<u8>,
    pub way: Way,
    /// Ranks for a piece that goes straight ahead or back; the target's file otherwise.
    pub number: u8,
}

impl Relative {
    pub fn of(board: &Board, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let side = board.side_to_move();
        let kind = board.piece_at(from).kind();
        let (way, number) = way(side, mv);
        debug_assert!(to != from);
        Self { kind, which: name(board, kind, from), file: None, way, number }
    }

    pub fn find(self, board: &Board, text: &str) -> Result<Move, MoveError> {
        find(board, text, Some(self.kind), |mv| self.fits(board, mv))
    }

    /// Whether the piece on `sq` may be called so.
    fn names(self, board: &Board, sq: Square) -> bool {
        let number = number_of_file(board.side_to_move(), sq);
        if self.file.is_some_and(|file| file != number) {
            return false;
        }
        let file = file_of(board, self.kind, sq);
        match self.which {
            Which::File(file) => number == file,
            Which::Front => file.len() > 1 && file.first() == Some(&sq),
            Which::Back => file.len() > 1 && file.last() == Some(&sq),
            Which::Middle => file.len() == 3 && file.get(1) == Some(&sq),
            Which::Ordinal(place) => {
                let like = if self.file.is_some() { file } else { sharing(board, self.kind) };
                like.get(usize::from(place).wrapping_sub(1)) == Some(&sq)
            }
        }
    }

    fn fits(self, board: &Board, mv: Move) -> bool {
        let from = mv.from();
        board.piece_at(from).kind() == self.kind
            && way(board.side_to_move(), mv) == (self.way, self.number)
            && self.names(board, from)
    }
}

/// The number of a file as `side` counts, from 1 to 9.
#[allow(clippy::arithmetic_side_effects, reason = "a file of the board")]
fn number_of_file(side: Side, sq: Square) -> u8 {
    sq.file_for(side) as u8 + 1
}

fn way(side: Side, mv: Move) -> (Way, u8) {
    let (from, to) = (mv.from(), mv.to());
    let (start, end) = (from.rank_for(side), to.rank_for(side));
    let file = number_of_file(side, to);
    match end.cmp(&start) {
        std::cmp::Ordering::Equal => (Way::Sideways, file),
        order => {
            let way = if order.is_gt() { Way::Forward } else { Way::Back };
            let straight = from.file() == to.file();
            (way, if straight { start.abs_diff(end) as u8 } else { file })
        }
    }
}

/// The name of the piece of `kind` on `sq` among its like.
fn name(board: &Board, kind: Kind, sq: Square) -> Which {
    let side = board.side_to_move();
    let file = file_of(board, kind, sq);
    // Advisors and elephants on one file go different ways, so their file is enough.
    if file.len() == 1 || matches!(kind, Kind::Advisor | Kind::Elephant) {
        return Which::File(number_of_file(side, sq));
    }
    let sharing = sharing(board, kind);
    let place = file.iter().position(|&other| other == sq).unwrap_or(0);
    if sharing.len() > file.len() || file.len() > 3 {
        let place = sharing.iter().position(|&other| other == sq).unwrap_or(0);
        return Which::Ordinal((place as u8).saturating_add(1));
    }
    match place {
        0 => Which::Front,
        1 if file.len() == 3 => Which::Middle,
        _ => Which::Back,
    }
}

/// Pieces of `kind` of the side to move on the file of `sq`, the foremost first.
fn file_of(board: &Board, kind: Kind, sq: Square) -> Vec<Square> {
    let side = board.side_to_move();
    let mut out: Vec<Square> = board.pieces(side, kind).filter(|other| other.file() == sq.file()).collect();
    out.sort_by_key(|other| std::cmp::Reverse(other.rank_for(side)));
    out
}

/// Pieces of `kind` of the side to move that share their file: files from the right, on a file from the
/// front.
fn sharing(board: &Board, kind: Kind) -> Vec<Square> {
    let side = board.side_to_move();
    let mut out: Vec<Square> =
        board.pieces(side, kind).filter(|&sq| file_of(board, kind, sq).len() > 1).collect();
    out.sort_by_key(|sq| (sq.file_for(side), std::cmp::Reverse(sq.rank_for(side))));
    out
}
