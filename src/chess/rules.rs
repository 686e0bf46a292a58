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
    Checkmate {
        /// Who mated.
        winner: Color,
    },
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

/// Whether the game has ended on the board.
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

/// Who wins when `loser` forfeits the game, by the clock or an illegal move: the opponent, or nobody if the
/// opponent cannot mate by any sequence of legal moves (CH-12; FIDE 6.9, 7.5.5).
pub fn winner_by_forfeit(board: &Board, loser: Color) -> Option<Color> {
    let opponent = loser.other();
    (can_mate(board.position(), opponent) && !is_dead(board.position())).then_some(opponent)
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

/// Kings and pawns only, every pawn rammed and with nothing to capture, and no king can ever reach a pawn
/// that is not defended.
fn is_walled_off(pos: &Position) -> bool {
    let pawns = pos.kind(Kind::Pawn);
    if pos.occupied() != pawns | pos.kind(Kind::King) || pos.ep.any() {
        return false;
    }
    [Color::First, Color::Second].into_iter().all(|us| {
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
