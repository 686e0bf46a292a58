//! Why a move is a mistake, in words. Each statement is made from the lines of the search and checked by
//! playing them: where a line does not show what it should, nothing is said.

use super::Opinion;
use super::lines::Lines;
use super::{material, nets, stones};
use crate::engine::Score;
use crate::games::game::{Game, Position};
use crate::games::record::{Ending, Reason};
use crate::message;
use crate::util::message::Message;

/// Chances from which on a draw is a pity.
const WINNING: f64 = 0.65;

/// Why `mv`, which can be played at the end of `game`, is a mistake, from the opinions on the positions
/// before and after it. `None`: the search shows nothing that is easily put into words.
pub fn reason(game: &Game, mv: &str, before: &Opinion, after: &Opinion) -> Option<Message> {
    let mut next = game.clone();
    next.play_recorded(mv).ok()?;
    if let Position::Go(_) = game.position() {
        return stones::reason(game, &next, before, after);
    }
    let lines = Lines { game, next: &next, mv, before, after };
    lines
        .ends()
        .or_else(|| lines.allows_mate())
        .or_else(|| lines.misses_mate())
        .or_else(|| lines.allows_draw())
        .or_else(|| lines.misses_draw())
        .or_else(|| material::reason(&lines))
}

impl Lines<'_> {
    /// The move ends the game by a rule.
    fn ends(&self) -> Option<Message> {
        let Ending { winner, reason, detail } = self.next.ending()?;
        match (winner, reason) {
            (Some(winner), Reason::Repetition) if winner != self.mover() => Some(message!(
                "repeats the position and loses by the rules: {detail}" | "重复局面，按棋例判负：{detail}",
                detail
            )),
            (None, reason) if self.before.chances >= WINNING => Some(drawn(reason)),
            _ => None,
        }
    }

    fn allows_mate(&self) -> Option<Message> {
        let Some(Score::Mate(n @ 1..)) = self.after.score else { return None };
        if matches!(self.before.score, Some(Score::Mate(..=0))) {
            return None;
        }
        let reply = self.reply()?;
        Some(match mate(self.next, &self.after.line) {
            Some((1, net)) => {
                message!("allows {reply}, which mates{net}" | "允许对方 {reply} 杀{net}", reply, net)
            }
            Some((n, net)) => {
                message!(
                    "allows mate in {n}, beginning with {reply}{net}" | "{reply} 后被 {n} 步杀{net}",
                    n,
                    reply,
                    net
                )
            }
            None => message!(
                "the search sees mate in {n} after {reply}" | "引擎算出 {reply} 后 {n} 步杀",
                n,
                reply
            ),
        })
    }

    fn misses_mate(&self) -> Option<Message> {
        let Some(Score::Mate(1..)) = self.before.score else { return None };
        if matches!(self.after.score, Some(Score::Mate(..=0))) {
            return None;
        }
        let ((n, net), better) = (mate(self.game, &self.before.line)?, self.better()?);
        Some(message!(
            "misses mate in {n} with {better}{net}" | "错过 {better} 的 {n} 步杀{net}",
            n,
            better,
            net
        ))
    }

    /// The reply draws by a rule.
    fn allows_draw(&self) -> Option<Message> {
        if self.before.chances < WINNING {
            return None;
        }
        let mut game = self.next.clone();
        game.play(self.after.line.first()?).ok()?;
        let end = game.ending().filter(|end| end.winner.is_none())?;
        let (reply, what) = (self.reply()?, drawn(end.reason));
        Some(message!("allows {reply}: {what}" | "允许对方 {reply}：{what}", reply, what))
    }

    /// The better move draws or wins by a rule other than mate.
    fn misses_draw(&self) -> Option<Message> {
        let mut game = self.game.clone();
        game.play(self.before.line.first()?).ok()?;
        let Ending { winner, reason, .. } = game.ending()?;
        let better = self.better()?;
        match winner {
            None if 1.0 - self.after.chances < 0.5 => {
                let what = drawn(reason);
                Some(message!("misses {better}: {what}" | "错过 {better}：{what}", better, what))
            }
            Some(winner) if winner == self.mover() && reason == Reason::Repetition => Some(message!(
                "misses {better}, which wins by the rules of repetition" | "错过 {better}，按棋例可判胜",
                better
            )),
            _ => None,
        }
    }
}

fn drawn(reason: Reason) -> Message {
    match reason {
        Reason::Stalemate => message!("stalemate, a draw" | "对方无子可动，成和棋"),
        Reason::Repetition => message!("the position is repeated, a draw" | "局面循环重复，成和棋"),
        Reason::NoProgress => message!("too long without progress, a draw" | "限着到达，成和棋"),
        _ => message!("neither side can win any more, a draw" | "双方均无取胜可能，成和棋"),
    }
}

/// The number of moves in which a line mates, and the name of the mate in parentheses or nothing. `None`: the
/// line does not end in a mate by the side that begins it.
fn mate(game: &Game, line: &[String]) -> Option<(usize, Message)> {
    let (winner, mut game) = (game.side_to_move(), game.clone());
    line.iter().try_for_each(|mv| game.play(mv)).ok()?;
    let end = game.ending()?;
    let is_mate = matches!(end.reason, Reason::Checkmate | Reason::Stalemate);
    if !is_mate || end.winner != Some(winner) {
        return None;
    }
    let name = nets::name(game.position())
        .map_or_else(Message::default, |name| message!(" ({name})" | "（{name}）", name));
    Some((line.len().div_ceil(2), name))
}

#[cfg(test)]
mod tests;
