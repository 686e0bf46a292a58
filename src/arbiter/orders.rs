//! What the arbiter orders, at any moment of a game, and what is written into the ledger.

use super::hall::{ArbiterOrder, Board, Hall, Phase, Waited};
use super::play::{Game, Participant, interruption};
use super::under_way::Step;
use crate::client::player::{MoveRequest, Reply};
use crate::game::Side;
use crate::games::record::{Ending, Reason};
use crate::message;
use crate::table::Written;
use crate::util::message::Message;
use std::time::{Duration, Instant};

impl Game<'_> {
    /// A note for the arbiter and the players.
    pub(super) fn note(&mut self, text: Message) {
        if let Some(hall) = &self.conditions.hall {
            hall.update(self.number, |board| board.notes.push(text.clone()));
        }
        self.notes.push(text);
    }

    /// A note that a match which goes on has again; the record may have a remark on the next move.
    pub(super) fn register(&mut self, text: Message, remark: Option<String>) {
        self.keep(&Step::Noted { text: Written::from(&text), remark: remark.clone() });
        self.remarks.extend(remark);
        self.note(text);
    }

    /// Asks an engine for its move, and does meanwhile what the arbiter orders: at once. While the clocks are
    /// stopped the engine is not: a move that it finds then waits, and that time is not counted.
    /// # Errors
    /// The end of the game, if it comes instead.
    pub(super) fn ask_engine(
        &mut self,
        seat: &mut Participant,
        side: Side,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Reply, Ending> {
        let mut since = Instant::now();
        let (mut stopped, mut counted) = (Duration::ZERO, Duration::ZERO);
        loop {
            let request = MoveRequest { stopped, ..self.request(side, seat.spec) };
            let reply =
                seat.player.think(&request).map_err(|why| self.faulted_unless(interrupted, side, &why))?;
            let Some(hall) = self.conditions.hall.as_deref() else {
                match reply {
                    Some(reply) => return Ok(reply),
                    None => continue,
                }
            };
            if let Some(reply) = reply {
                // What it found while the clocks stood, it found when they were stopped.
                let time = reply.time.saturating_sub(stopped).saturating_sub(counted);
                return Ok(Reply { time, ..reply });
            }
            let (orders, resigned) = hall.orders(self.number);
            if let Some(side) = resigned {
                return Err(self.resigns(side));
            }
            let (called, ran) = (Instant::now(), since.elapsed());
            (self.used, counted) = (self.used.saturating_add(ran), counted.saturating_add(ran));
            if let Some(ending) = self.obey(hall, orders, interrupted) {
                return Err(ending);
            }
            stopped = stopped.saturating_add(called.elapsed());
            since = Instant::now();
            self.show(hall, Some(since), Phase::Playing);
        }
    }

    /// Does what the arbiter asks. `Some`: the game is over.
    pub(super) fn obey(
        &mut self,
        hall: &Hall,
        orders: Vec<ArbiterOrder>,
        interrupted: &dyn Fn() -> bool,
    ) -> Option<Ending> {
        let mut is_paused = false;
        for order in orders {
            match order {
                ArbiterOrder::Pause if !is_paused => {
                    is_paused = true;
                    self.register(message!("the arbiter stops the clocks" | "裁判停钟"), None);
                }
                ArbiterOrder::Continue if is_paused => {
                    is_paused = false;
                    self.register(message!("the clocks run again" | "裁判开钟"), None);
                }
                order => {
                    if let Some(ending) = self.carry_out(order) {
                        return Some(ending);
                    }
                }
            }
        }
        if is_paused { self.hold(hall, &Phase::Paused, interrupted) } else { None }
    }

    /// Keeps the clocks stopped until the arbiter has the game go on. `Some`: the game is over.
    pub(super) fn hold(
        &mut self,
        hall: &Hall,
        phase: &Phase,
        interrupted: &dyn Fn() -> bool,
    ) -> Option<Ending> {
        loop {
            self.show(hall, None, phase.clone());
            match hall.wait(self.number, None, interrupted, Board::calls) {
                Waited::Found((_, Some(side))) => return Some(self.resigns(side)),
                Waited::Found((orders, None)) => {
                    let mut goes_on = false;
                    for order in orders {
                        goes_on |= order == ArbiterOrder::Continue;
                        if let Some(ending) = self.carry_out(order) {
                            return Some(ending);
                        }
                    }
                    if goes_on {
                        let note = match phase {
                            Phase::Adjourned => message!("the game is resumed" | "续弈"),
                            _ => message!("the clocks run again" | "裁判开钟"),
                        };
                        self.register(note, None);
                        return None;
                    }
                }
                Waited::TimeUp => {}
                Waited::Interrupted => return Some(interruption()),
            }
        }
    }

    /// Carries out an order that stops and starts no clocks. `Some`: the game is over.
    fn carry_out(&mut self, order: ArbiterOrder) -> Option<Ending> {
        match order {
            ArbiterOrder::CallOff if self.is_adjourning => {
                self.is_adjourning = false;
                self.keep(&Step::NotAdjourned);
                self.register(message!("the game is not adjourned after all" | "裁判取消封棋"), None);
            }
            ArbiterOrder::Pause | ArbiterOrder::Continue | ArbiterOrder::CallOff => {}
            ArbiterOrder::Adjust { side, seconds } => {
                let name = self.name(side);
                self.change_clock(side, seconds);
                self.register(
                    message!(
                        "{name}: {seconds} s by the arbiter" | "{name}：裁判调整 {seconds} 秒",
                        name,
                        seconds = format!("{seconds:+}")
                    ),
                    None,
                );
            }
            ArbiterOrder::Warn { side, why } => {
                let name = self.name(side);
                let remark = format!("{name} is warned by the arbiter: {why}");
                self.register(
                    message!("{name} is warned: {why}" | "警告{name}：{why}", name, why),
                    Some(remark),
                );
            }
            ArbiterOrder::Forfeit { side } => {
                let detail = message!(
                    "{name} forfeits the game by the arbiter's decision" | "裁判判{name}负",
                    name = self.name(side)
                );
                return Some(self.game.forfeit(side, Reason::Forfeit, detail));
            }
            ArbiterOrder::Adjourn if self.is_adjourning || self.sealed.is_some() => {}
            ArbiterOrder::Adjourn => {
                self.is_adjourning = true;
                self.keep(&Step::Adjourned);
                self.register(
                    message!(
                        "the arbiter adjourns the game: the next move of a person is sealed"
                            | "裁判宣布封棋：下一步由人走的棋为封着"
                    ),
                    None,
                );
            }
        }
        None
    }

    /// A claim of a draw was wrong, `used` into the move: the opponent's clock gets what the match has
    /// agreed, or the claimant's loses it (CH-15). A wrong claim is no flag: a second is left.
    pub(super) fn penalize_claim(&mut self, side: Side, why: Message, used: Duration) {
        let remark = format!("{} claims a draw wrongly", self.name(side));
        self.register(why, Some(remark));
        let seconds = self.conditions.wrong_claim;
        let punished = if seconds < 0 { side } else { side.other() };
        let clock = punished.of(&self.clocks);
        if seconds == 0 || !clock.control().is_timed() || clock.control().per_move.is_some() {
            return;
        }
        let left = clock.state().remaining.saturating_sub(used).as_secs().saturating_sub(1);
        let seconds = seconds.max(i64::try_from(left).unwrap_or(i64::MAX).saturating_neg());
        self.change_clock(punished, seconds);
        let name = self.name(punished);
        self.register(
            message!(
                "{name}: {seconds} s for the wrong claim (CH-15)"
                    | "{name}：{seconds} 秒，因判和要求不成立（CH-15）",
                name,
                seconds = format!("{seconds:+}")
            ),
            None,
        );
    }

    fn change_clock(&mut self, side: Side, seconds: i64) {
        self.adjust(side, seconds);
        self.keep(&Step::Adjusted { side, seconds });
    }

    /// Changes a clock by a number of seconds.
    pub(super) fn adjust(&mut self, side: Side, seconds: i64) {
        let time = Duration::from_secs(seconds.unsigned_abs());
        for clocks in [Some(&mut self.clocks), self.reduced.as_mut()].into_iter().flatten() {
            let clock = side.of_mut(clocks);
            if clock.control().is_timed() && clock.control().per_move.is_none() {
                if seconds < 0 { clock.deduct(time) } else { clock.add(time) }
            }
        }
    }
}
