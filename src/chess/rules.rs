//! How a game of chess ends, as an arbiter sees it; clause numbers are those of the project's rule cards
//! after the FIDE laws. The search's quicker view of draws is in [`draws`](super::draws).

use super::board::Board;
use super::helpmate::{Winnable, can_win, is_hopeless};
use super::position::Position;
use super::types::{Color, Move};
use crate::game::Game;

/// Positions that a search may visit to find out whether a side can win: a third of a second, when it needs
/// all.
pub const BUDGET: usize = 100_000;
/// The same after each move, when the side to move has no more than [`FORCED_MOVES`]: a quarter of a
/// millisecond.
const FORCED_BUDGET: usize = 500;
const FORCED_MOVES: u64 = 2;
const SIDES: [Color; 2] = [Color::First, Color::Second];

/// An end that comes by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The side to move is mated; the other wins (CH-5).
    Checkmate { winner: Color },
    /// The side to move has no move and is not in check: a draw (CH-6).
    Stalemate,
    /// No sequence of legal moves can mate: a draw (CH-7).
    DeadPosition,
}

/// A draw that the side to move may claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The position is there for the third time (CH-8).
    Threefold,
    /// Fifty moves of each side without a capture or a pawn move (CH-9).
    FiftyMoves,
}

pub fn end(board: &Board) -> Option<End> {
    if !board.has_legal_move() {
        let mated = board.masks().checkers.any();
        let winner = board.side().other();
        return Some(if mated { End::Checkmate { winner } } else { End::Stalemate });
    }
    is_dead(board.position()).then_some(End::DeadPosition)
}

/// What the side to move may claim of the position on the board. A mate on the hundredth ply comes first
/// (CH-9): ask [`end`] before.
pub fn claim(board: &Board) -> Option<Claim> {
    if board.repetitions() >= 2 {
        Some(Claim::Threefold)
    } else if board.rule50() >= board.claim_plies() {
        Some(Claim::FiftyMoves)
    } else {
        None
    }
}

/// What draws without a claim where claims are left to the players: the fifth occurrence, or half as many
/// moves again (FIDE 9.6).
pub fn unclaimed(board: &Board) -> Option<Claim> {
    if board.repetitions() >= 4 {
        Some(Claim::Threefold)
    } else if 2 * board.rule50() >= 3 * board.claim_plies() {
        Some(Claim::FiftyMoves)
    } else {
        None
    }
}

/// What the side to move may claim when it announces the legal move `mv` without playing it (CH-8, CH-9).
pub fn claim_with(board: &Board, mv: Move) -> Option<Claim> {
    let mut after = board.clone();
    after.do_move(mv, &mut ());
    match end(&after) {
        Some(End::Checkmate { .. }) => None,
        _ => claim(&after),
    }
}

/// Who wins when `loser` forfeits the game, by the clock or an illegal move: the opponent, or neither side if
/// the opponent cannot mate by any sequence of legal moves (CH-12; FIDE 6.9, 7.5.5). Where [`BUDGET`] does
/// not settle that, the opponent wins.
pub fn winner_by_forfeit(board: &Board, loser: Color) -> Option<Color> {
    let opponent = loser.other();
    (can_win(board.position(), opponent, BUDGET) != Winnable::No).then_some(opponent)
}

/// Whether no sequence of legal moves can mate (CH-7), as far as it shows without much of a search: by the
/// material, because the position is closed, or because the few moves there are lead to that.
pub fn is_dead(pos: &Position) -> bool {
    let is_forced = || pos.perft(1) <= FORCED_MOVES;
    is_hopeless(pos, &SIDES)
        || is_forced() && SIDES.iter().all(|&side| can_win(pos, side, FORCED_BUDGET) == Winnable::No)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn games_end_by_mate_stalemate_and_dead_positions() {
        let mate = End::Checkmate { winner: Color::First };
        assert_eq!(end(&board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")), Some(mate));
        assert_eq!(end(&board("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1")), Some(End::Stalemate));
        assert_eq!(end(&board("7k/8/8/8/8/8/8/4KB2 b - - 0 1")), Some(End::DeadPosition));
        assert_eq!(end(&Board::start()), None);
    }

    #[test]
    fn walls_of_pawns_are_dead() {
        assert!(is_dead(board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1").position()));
        // The h-file is open.
        assert!(!is_dead(board("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1").position()));
        // A pawn can move.
        assert!(!is_dead(board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/1P6/4K3 w - - 0 1").position()));
        // A piece can be given for a pawn.
        assert!(!is_dead(board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/2B1K3 w - - 0 1").position()));
        // Bishops that can take nothing, and shut in on their side.
        assert!(is_dead(board("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1").position()));
        // The only move takes the last piece, or there are others.
        assert!(is_dead(board("7k/8/8/8/8/8/1q6/K7 w - - 0 1").position()));
        assert!(!is_dead(board("7k/8/8/8/8/8/1r6/1K6 w - - 0 1").position()));
        // The king stands behind the enemy's wall.
        assert!(!is_dead(board("4k3/2K5/8/p1p1p1p1/P1P1P1P1/8/8/8 w - - 0 1").position()));
    }

    #[test]
    fn time_is_lost_only_to_who_could_mate() {
        let winner = |fen, loser| winner_by_forfeit(&board(fen), loser);
        let (white, black) = (Color::First, Color::Second);
        assert_eq!(winner(crate::chess::START_FEN, white), Some(black));
        // A bare king wins nothing.
        assert_eq!(winner("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", white), None);
        assert_eq!(winner("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", black), Some(white));
        // A wall, and on one side of it a bishop that can take nothing, or two, or a dark one.
        for fen in [
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4KB2 w - - 0 1",
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/3BKB2 w - - 0 1",
            "4kb2/8/1p1p1p1p/1P1P1P1P/8/8/8/4KB2 w - - 0 1",
            "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/2B1K3 w - - 0 1",
            "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4KB2 w - - 0 1",
        ] {
            assert_eq!((winner(fen, white), winner(fen, black)), (None, None), "{fen}");
        }
        for fen in [
            // The bishop takes a pawn, or is taken by one; a pawn can move.
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/2B1K3 w - - 0 1",
            "4k3/8/1p1p1p1p/1P1P1P2/8/8/8/4KB2 w - - 0 1",
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4KN2 w - - 0 1",
        ] {
            assert_eq!(winner(fen, white), Some(black), "{fen}");
        }
        // The only move takes the queen, or leaves it, or takes the rook.
        assert_eq!(winner("7k/8/8/8/8/8/1q6/K7 w - - 0 1", white), None);
        assert_eq!(winner("7k/8/8/8/8/8/3q4/K7 w - - 0 1", white), Some(black));
        assert_eq!(winner("6k1/8/8/8/8/8/1r6/K7 w - - 0 1", white), None);
        // A knight mates only with help.
        assert_eq!(winner("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", black), None);
        assert_eq!(winner("4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", black), None);
        assert_eq!(winner("4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", black), Some(white));
        assert_eq!(winner("4k3/p7/8/8/8/8/8/4KB2 w - - 0 1", black), Some(white));
        assert_eq!(winner("4k2r/8/8/8/8/8/8/4KB2 w - - 0 1", black), None);
        // A search is needed: the a-pawn can be given up on a5, but not on a4 (A. Buchanan, StrateGems 2002).
        let (a5, a4) = (
            "Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1",
            "Bb2kb2/bKp1p1p1/1pP1P1P1/1P6/p5P1/P7/8/8 b - - 0 1",
        );
        assert_eq!([winner(a5, black), winner(a5, white)], [Some(white), None]);
        assert_eq!([winner(a4, black), winner(a4, white)], [None, None]);
    }

    #[test]
    fn the_announced_move_counts_for_claims() {
        let mut game = Board::start();
        let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for text in shuffle.iter().chain(&shuffle[..3]) {
            let mv = game.move_from_text(text).unwrap();
            game.do_move(mv, &mut ());
        }
        assert_eq!(claim(&game), None);
        let third = game.move_from_text("f6g8").unwrap();
        assert_eq!(claim_with(&game, third), Some(Claim::Threefold));
        let other = game.move_from_text("e7e5").unwrap();
        assert_eq!(claim_with(&game, other), None);
        game.do_move(third, &mut ());
        assert_eq!(claim(&game), Some(Claim::Threefold));
    }

    #[test]
    fn fifty_moves_may_be_claimed_unless_the_last_one_mates() {
        let quiet = board("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
        let rook = quiet.move_from_text("a1a2").unwrap();
        assert_eq!(claim(&quiet), None);
        assert_eq!(claim_with(&quiet, rook), Some(Claim::FiftyMoves));
        let mating = board("4k3/8/4K3/8/8/8/8/R7 w - - 99 80");
        let mate = mating.move_from_text("a1a8").unwrap();
        assert_eq!(claim_with(&mating, mate), None);
    }
}
