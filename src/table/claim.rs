//! Claims of draws, examined on the board (CH-8, CH-9; XQ-7).

use crate::chess::rules::{self, Claim};
use crate::games::game::{Game, Position};
use crate::games::record::{Ending, Reason, Style};
use crate::games::referee::quiet_moves;
use crate::message;
use crate::util::message::Message;

/// What a claim brings.
#[derive(Clone, PartialEq, Debug)]
pub enum Examined {
    /// It is right: how the game ends.
    Right(Ending),
    /// It is wrong, and why.
    Wrong(Message),
}

/// Examines the claim of the side to move: on the position on the board, or on the one after a legal move
/// that it announces, in coordinates. `None`: games of this kind know no claims.
pub fn examine(game: &Game, announced: Option<&str>) -> Option<Examined> {
    let mut after = game.position().clone();
    if let Some(mv) = announced {
        // The caller has read it: it is legal.
        after.play(mv).ok()?;
    }
    let side = game.kind().game().side(game.side_to_move());
    let by = match announced.map(|mv| game.write(mv, Style::Chinese)) {
        Some(mv) => message!("{side} claims a draw with {mv}" | "{side}走 {mv}，要求判和", side, mv),
        None => message!("{side} claims a draw" | "{side}要求判和", side),
    };
    match after {
        Position::Chess(board) => {
            let is_mate = matches!(rules::end(&board), Some(rules::End::Checkmate { .. }));
            Some(match rules::claim(&board).filter(|_| !is_mate) {
                Some(Claim::Threefold) => Examined::Right(Ending::drawn(
                    Reason::Repetition,
                    message!(
                        "{by}: third occurrence of the position (CH-8)" | "{by}：局面第三次出现（CH-8）",
                        by
                    ),
                )),
                Some(Claim::FiftyMoves) => Examined::Right(Ending::drawn(
                    Reason::NoProgress,
                    message!(
                        "{by}: {rule} (CH-9)" | "{by}：{rule}（CH-9）",
                        by,
                        rule = quiet_moves(board.claim_plies())
                    ),
                )),
                None => Examined::Wrong(message!(
                    "{by}, wrongly: occurrence {count} of the position, {moves} moves since a capture or a pawn move"
                        | "{by}，不成立：局面第 {count} 次出现，{moves} 回合没有吃子或走兵",
                    by,
                    count = board.repetitions().saturating_add(1),
                    moves = board.rule50() / 2
                )),
            })
        }
        Position::Xiangqi(_) => {
            // The judge rules at once, so what is on the board is not over.
            let ruled = after.ending().filter(|ending| {
                matches!(ending.reason, Reason::Repetition | Reason::NoProgress | Reason::DeadPosition)
            });
            Some(match ruled {
                Some(ending) => Examined::Right(ending),
                None => Examined::Wrong(message!(
                    "{by}, wrongly: the position has not occurred three times (XQ-D1)"
                        | "{by}，不成立：局面未满三次出现（XQ-D1）",
                    by
                )),
            })
        }
        Position::Go(_) => None,
    }
}
