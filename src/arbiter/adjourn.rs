//! Adjournment: the person to move seals its move, which stays secret until the game goes on (CH-29 to CH-31,
//! GO-16).

use super::hall::{ArbiterOrder, Hall, Phase, Waited};
use super::person::reply;
use super::play::{Game, interruption};
use super::under_way::{SealedMove, Step};
use crate::client::player::{Choice, Reply};
use crate::game::Side;
use crate::games::record::{Ending, Reason};
use crate::message;
use crate::table::Envelope;
use crate::util::message::Message;
use crate::util::system;
use std::time::{Duration, Instant};

/// What the opponent of a sealed move is waited for with.
enum Arrival {
    Here,
    Late,
    Resigned(Side),
    Orders(Vec<ArbiterOrder>),
}

impl Game<'_> {
    /// Seals the move of the side to move: the file of the game gets its hash, and the envelope a file of its
    /// own.
    /// # Errors
    /// The end of the game: there is no salt that nobody can guess.
    pub(super) fn seal(&mut self, mv: String, time: Duration) -> Result<(), Ending> {
        let no_salt = |why| Ending::drawn(Reason::Interrupted, Message::from(why));
        let envelope = Envelope::seal(&mv, system::random().map_err(no_salt)?);
        let hash = envelope.hash(self.game.moves());
        if let Some(under_way) = &self.conditions.under_way
            && let Err(why) = under_way.keep_envelope(self.number, &envelope)
        {
            let why = Message::from(why);
            self.note(message!("the envelope is not on disk: {why}" | "信封没有存盘：{why}", why));
        }
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.keep(&Step::Sealed { hash: hash.clone(), us });
        let name = self.name(self.game.side_to_move());
        self.register(
            message!(
                "{name} has sealed a move; its hash: {hash}" | "{name}已封棋，散列值：{hash}",
                name,
                hash
            ),
            None,
        );
        self.sealed = Some(SealedMove { envelope: Some(envelope), time });
        (self.is_adjourning, self.used) = (false, time);
        Ok(())
    }

    /// Opens the envelope of a game that was adjourned, once the opponent, whose clock runs, is there.
    /// `None`: there is none, or it is lost and the move is to be named again.
    /// # Errors
    /// The end of the game, if it comes instead. A sealed move that ends the game does so though the opponent
    /// comes late.
    pub(super) fn open_envelope(
        &mut self,
        hall: &Hall,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Option<Reply>, Ending> {
        let Some(SealedMove { envelope, time }) = self.sealed.take() else { return Ok(None) };
        let side = self.game.side_to_move();
        let Some(envelope) = envelope else {
            let name = self.name(side);
            self.register(
                message!(
                    "the envelope is lost: {name} names the sealed move again"
                        | "信封遗失：由{name}重新说出所封的着法",
                    name
                ),
                None,
            );
            return Ok(None);
        };
        let sealed = reply(Choice::Move(envelope.mv.clone()), false, time);
        let waited = match self.await_opponent(hall, side.other(), interrupted) {
            Ok(waited) => waited,
            // Lost on time or by coming late, unless the sealed move has ended the game (CH-31).
            Err(ending) if matches!(ending.reason, Reason::Time | Reason::Forfeit) => {
                self.used = Duration::ZERO;
                return Err(self.answer(side, sealed).unwrap_or(ending));
            }
            Err(ending) => return Err(ending),
        };
        let text = envelope.to_string();
        self.register(message!("the envelope is opened: {text}" | "启封：{text}", text), None);
        (self.used, self.waited) = (Duration::ZERO, waited);
        Ok(Some(sealed))
    }

    /// Waits for the player who has to answer a sealed move, while its clock runs; gives what it took.
    fn await_opponent(
        &mut self,
        hall: &Hall,
        side: Side,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Duration, Ending> {
        let (late, mut waited) = (hall.late(), Duration::ZERO);
        loop {
            let since = Instant::now();
            self.show(hall, None, Phase::Adjourned);
            hall.update(self.number, |board| {
                (board.turn, board.used, board.since) = (side, waited, Some(since));
            });
            let budget = side.of(&self.clocks).budget();
            let flag = budget.and_then(|budget| since.checked_add(budget.saturating_sub(waited)));
            let arrival = hall.wait(self.number, flag, interrupted, |board| {
                if let Some((orders, resigned)) = board.calls() {
                    return Some(resigned.map_or(Arrival::Orders(orders), Arrival::Resigned));
                }
                let is_here = side.of(&board.arrived).is_some();
                is_here.then_some(Arrival::Here).or(board.is_late(side, late).then_some(Arrival::Late))
            });
            waited = waited.saturating_add(since.elapsed());
            match arrival {
                Waited::Found(Arrival::Here) => return Ok(waited),
                Waited::Found(Arrival::Late) => return Err(self.comes_late(hall, side)),
                Waited::Found(Arrival::Resigned(side)) => return Err(self.resigns(side)),
                Waited::Found(Arrival::Orders(orders)) => {
                    if let Some(ending) = self.obey(hall, orders, interrupted) {
                        return Err(ending);
                    }
                }
                Waited::TimeUp => return Err(self.flag_falls(side)),
                Waited::Interrupted => return Err(interruption()),
            }
        }
    }
}
