//! How a game of chess ends, as an arbiter sees it; clause numbers are those of the project's rule cards
//! after the FIDE laws. The search's quicker view of draws is in [`draws`](super::draws).

use super::attacks;
use super::bitboard::Bitboard;
use super::board::Board;
use super::draws::{RULE_PLIES, is_dead_material};
use super::position::Position;
use super::types::{Color, Kind, Move};
use crate::game::Game;

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
    } else if board.rule50() >= RULE_PLIES {
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

/// Who wins when `loser` forfeits the game, by the clock or an illegal move: the opponent, or neither side if the
/// opponent cannot mate by any sequence of legal moves (CH-12; FIDE 6.9, 7.5.5), as far as that is easily proved. A move
/// that is the only one counts as made.
pub fn winner_by_forfeit(board: &Board, loser: Color) -> Option<Color> {
    let opponent = loser.other();
    let can_win =
        |pos: &Position| can_mate(pos, opponent) && !is_dead(pos) && !has_only_a_wall(pos, opponent);
    let after_the_only_move = |mv: Move| {
        let mut after = board.clone();
        after.do_move(mv, &mut ());
        after.has_legal_move() && can_win(after.position())
    };
    let goes_on = match board.legal().as_slice() {
        &[only] => after_the_only_move(only),
        _ => true,
    };
    (can_win(board.position()) && goes_on).then_some(opponent)
}

/// Whether `side` has only its king and pawns of a wall that the bishops of the opponent can neither break nor be captured
/// by: it can never check.
fn has_only_a_wall(pos: &Position, side: Color) -> bool {
    let (own, enemy) = (pos.color(side), pos.color(side.other()));
    let (pawns, bishops) = (pos.kind(Kind::Pawn), pos.kind(Kind::Bishop));
    let is_of_bishops = (pos.occupied() & !(pawns | bishops | pos.kind(Kind::King))).is_empty();
    // Pawns capture, and are captured, on squares of their own color.
    let complex = |set: Bitboard| [Bitboard::DARK, Bitboard::LIGHT].map(|color| set.meets(color));
    let [own_pawns, its_bishops] = [complex(own & pawns), complex(enemy & bishops)];
    let meets = own_pawns.into_iter().zip(its_bishops).any(|(pawn, bishop)| pawn && bishop);
    is_of_bishops && !own.meets(bishops) && !meets && has_rammed_pawns(pos)
}

/// Whether some sequence of legal moves, the worst of defenses among them, could lead to a mate by `side`
/// with the material on the board.
pub fn can_mate(pos: &Position, side: Color) -> bool {
    let own = pos.color(side);
    let enemy = pos.color(side.other());
    let (knights, bishops) = (pos.kind(Kind::Knight), pos.kind(Kind::Bishop));
    if own.meets(pos.kind(Kind::Pawn) | pos.kind(Kind::Rook) | pos.kind(Kind::Queen)) {
        return true;
    }
    if own.meets(knights) {
        // A lone knight needs an enemy piece, other than a queen, to stand in its own king's way.
        let in_the_way = enemy & !(pos.kind(Kind::King) | pos.kind(Kind::Queen));
        return (own & (knights | bishops)).many() || in_the_way.any();
    }
    if own.meets(bishops) {
        // Bishops of one square color need a knight, a pawn or a bishop of the other to block the rest.
        let both_colors = bishops.meets(Bitboard::DARK) && bishops.meets(Bitboard::LIGHT);
        return both_colors || enemy.meets(knights | pos.kind(Kind::Pawn));
    }
    false
}

/// Whether no sequence of legal moves can mate, as far as that is easily proved (CH-7): by material, or
/// because only kings can ever move.
pub fn is_dead(pos: &Position) -> bool {
    is_dead_material(pos) || is_walled_off(pos)
}

/// Kings and pawns only, and none of the pawns ever moves.
fn is_walled_off(pos: &Position) -> bool {
    pos.occupied() == pos.kind(Kind::Pawn) | pos.kind(Kind::King) && has_rammed_pawns(pos)
}

/// Whether every pawn is rammed with nothing to capture, and no king can ever reach a pawn that is not defended.
fn has_rammed_pawns(pos: &Position) -> bool {
    let pawns = pos.kind(Kind::Pawn);
    !pos.ep.any()
        && [Color::First, Color::Second].into_iter().all(|us| {
            let (own, enemy) = (pos.pieces(us, Kind::Pawn), pos.pieces(us.other(), Kind::Pawn));
            let rammed = own.forward(us) & !pawns == Bitboard::EMPTY;
            let captures = attacks::pawns(us, own).meets(enemy);
            rammed && !captures && !king_reach(pos, us).meets(enemy)
        })
}

/// Squares the king of `us` could walk to while no pawn moves, captures included, the other king ignored.
fn king_reach(pos: &Position, us: Color) -> Bitboard {
    let own_pawns = pos.pieces(us, Kind::Pawn);
    let covered = attacks::pawns(us.other(), pos.pieces(us.other(), Kind::Pawn));
    let mut reach = pos.king(us).bb();
    loop {
        let row = reach | reach.east() | reach.west();
        let wider = reach | (row | row.north() | row.south()) & !own_pawns & !covered;
        if wider == reach {
            return reach;
        }
        reach = wider;
    }
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
        assert!(!is_dead(board("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/3BK3 w - - 0 1").position()));
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
        // Pawns of a wall never check: a bishop that can take none of them, or two, or a dark one.
        for fen in [
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4KB2 w - - 0 1",
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/3BKB2 w - - 0 1",
            "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/2B1K3 w - - 0 1",
            "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4KB2 w - - 0 1",
        ] {
            assert_eq!((winner(fen, white), winner(fen, black)), (None, Some(white)), "{fen}");
        }
        for fen in [
            // The bishop takes a pawn, or is taken by one; the other side has a bishop as well; a pawn can move.
            "4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/2B1K3 w - - 0 1",
            "4kb2/8/1p1p1p1p/1P1P1P1P/8/8/8/4KB2 w - - 0 1",
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
