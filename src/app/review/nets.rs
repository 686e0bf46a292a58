//! Mates that have names.

use crate::chess::types::{Kind, Square};
use crate::chess::{self, attacks, bitboard::Bitboard};
use crate::games::game::Position;
use crate::util::lang::Bilingual;
use crate::xiangqi::{self, lookup};

/// The name of the mate on the board.
pub(super) fn name(position: &Position) -> Option<Bilingual> {
    match position {
        Position::Chess(board) => of_chess(board),
        Position::Xiangqi(board) => of_xiangqi(board),
        Position::Go(_) => None,
    }
}

fn of_chess(board: &chess::Board) -> Option<Bilingual> {
    let (pos, us) = (board.position(), board.side());
    let king = pos.king(us);
    let attackers = pos.attackers(king, pos.occupied());
    let checkers = Bitboard(attackers.0 & pos.color(us.other()).0);
    if checkers.is_empty() || checkers.many() {
        return None;
    }
    let checker = checkers.first();
    let own = pos.color(us);
    if checkers.meets(pos.kind(Kind::Knight)) && attacks::king(king).0 & !own.0 == 0 {
        return Some(Bilingual("smothered mate", "闷杀"));
    }
    let is_heavy = checkers.meets(pos.kind(Kind::Rook)) || checkers.meets(pos.kind(Kind::Queen));
    let is_home = king.relative(us).rank() == 0 && checker.rank() == king.rank();
    let step = |file: usize| Square::at(file, if king.rank() == 0 { 1 } else { 6 });
    let mut ahead = (king.file().saturating_sub(1)..=(king.file() + 1).min(7)).map(step);
    (is_heavy && is_home && ahead.all(|square| pos.pieces(us, Kind::Pawn).has(square)))
        .then_some(Bilingual("back-rank mate", "底线杀"))
}

fn of_xiangqi(board: &xiangqi::Board) -> Option<Bilingual> {
    use crate::game::Game;
    use crate::xiangqi::types::Kind;
    let us = board.side_to_move();
    let (general, checkers) = (board.general(us), board.checkers());
    if checkers.is_several() {
        return None;
    }
    let checker = checkers.first()?;
    let between = lookup::between(checker, general) & board.occupancy().all;
    match board.piece_at(checker).kind() {
        Kind::Cannon => {
            let (side, screen) = board.piece_at(between.first()?).get()?;
            match screen {
                Kind::Cannon if side != us => Some(Bilingual("double cannons", "重炮")),
                Kind::Horse if side != us => Some(Bilingual("cannon behind the horse", "马后炮")),
                Kind::Advisor if side == us => Some(Bilingual("smothered in the palace", "闷宫")),
                _ => None,
            }
        }
        Kind::Horse => match (checker.file_for(us), checker.rank_for(us)) {
            (2 | 6, 1) => Some(Bilingual("horse at the trough", "卧槽马")),
            (3 | 5, 2) => Some(Bilingual("horse at the corner", "挂角马")),
            _ => None,
        },
        _ => None,
    }
}
