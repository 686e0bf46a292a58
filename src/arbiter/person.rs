//! A person at a board: waits for the page where an engine would be asked, and heeds the arbiter.

use super::hall::{Act, Board, DeskOrder, Hall, News, Phase, Waited};
use super::play::{Game, Participant, interruption};
use super::under_way::Step;
use crate::client::player::{Choice, Reply};
use crate::game::Side;
use crate::games::record::{Ending, Reason, Thought};
use crate::message;
use crate::util::message::Message;
use std::time::{Duration, Instant};

impl Game<'_> {
    /// Takes the game into the hall. False: the match is over before its persons sat down.
    pub(super) fn enter(&self, seats: &[Participant; 2], interrupted: &dyn Fn() -> bool) -> bool {
        let Some(hall) = &self.conditions.hall else { return true };
        let names = seats.each_ref().map(|seat| seat.spec.name.clone());
        let indices = seats.each_ref().map(|seat| seat.index);
        let mut board = Board::new(self.game.clone(), names, indices, self.clocks.clone());
        (board.number, board.plies) = (self.number, self.plies.clone());
        hall.begin(board, interrupted)
    }

    /// Shows in the hall what the game has come to, with the clock of the side to move running since an
    /// instant.
    fn show(&self, hall: &Hall, since: Option<Instant>, phase: Phase) {
        hall.update(self.number, |board| {
            board.phase = phase;
            board.since = since;
            board.used = self.used;
            board.offer = self.draw_offer;
            board.clocks.clone_from(&self.clocks);
            board.show(&self.game, &self.plies);
        });
    }

    /// A note for the arbiter and the players.
    pub(super) fn note(&self, text: Message) {
        if let Some(hall) = &self.conditions.hall {
            hall.update(self.number, |board| board.notes.push(text));
        }
    }

    /// Before a move: shows the game, and does what was asked meanwhile. `Some`: the game is over.
    pub(super) fn attend(&mut self, interrupted: &dyn Fn() -> bool) -> Option<Ending> {
        let hall = self.conditions.hall.as_deref()?;
        let (orders, resigned) = hall.orders(self.number);
        if let Some(side) = resigned {
            return Some(self.resigns(side));
        }
        let ending = self.obey(hall, orders, interrupted);
        if ending.is_none() {
            self.show(hall, Some(Instant::now()), Phase::Playing);
        }
        ending
    }

    /// Waits for a person's move while the clock runs.
    /// # Errors
    /// The end of the game, if it comes instead.
    pub(super) fn ask_person(
        &mut self,
        hall: &Hall,
        side: Side,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Reply, Ending> {
        let late = hall.late();
        loop {
            let since = Instant::now();
            self.show(hall, Some(since), Phase::Playing);
            let budget = side.of(&self.clocks).budget();
            let flag = budget.and_then(|budget| since.checked_add(budget.saturating_sub(self.used)));
            let waited = hall.wait(self.number, flag, interrupted, |board| board.news(side, late));
            let ended = match waited {
                Waited::Found(News::Act(Act::Move { mv, draw, at })) => {
                    let time = at.saturating_duration_since(since);
                    return Ok(reply(Choice::Move(mv), draw, time));
                }
                Waited::Found(News::Act(Act::Drawn(ending))) => {
                    return Ok(reply(Choice::Draw(ending), false, since.elapsed()));
                }
                Waited::Found(News::Act(Act::Decline)) => {
                    self.draw_offer = None;
                    self.keep(&Step::Declined);
                    let name = self.name(side);
                    self.note(message!("{name} declines the draw" | "{name}拒绝和棋", name));
                    None
                }
                // It was sent for a count that is over.
                Waited::Found(News::Act(Act::Count(_))) => None,
                Waited::Found(News::Resigned(side)) => Some(self.resigns(side)),
                Waited::Found(News::Late(side)) => Some(self.comes_late(hall, side)),
                Waited::Found(News::Orders(orders)) => {
                    self.used = self.used.saturating_add(since.elapsed());
                    if let Some(ending) = self.obey(hall, orders, interrupted) {
                        return Err(ending);
                    }
                    continue;
                }
                Waited::TimeUp => Some(self.flag_falls(side)),
                Waited::Interrupted => Some(interruption()),
            };
            if let Some(ending) = ended {
                return Err(ending);
            }
            self.used = self.used.saturating_add(since.elapsed());
        }
    }

    /// Go: asks a person which stones are dead; the other side has named these. No clock runs.
    /// # Errors
    /// The end of the game, if it comes instead.
    pub(super) fn ask_person_for_the_dead(
        &mut self,
        hall: &Hall,
        side: Side,
        named: Vec<String>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<Vec<String>, Ending> {
        loop {
            self.show(hall, None, Phase::Counting(side, named.clone()));
            match hall.wait(self.number, None, interrupted, |board| board.news(side, None)) {
                Waited::Found(News::Act(Act::Count(dead))) => return Ok(dead),
                Waited::Found(News::Resigned(side)) => return Err(self.resigns(side)),
                Waited::Found(News::Orders(orders)) => {
                    if let Some(ending) = self.obey(hall, orders, interrupted) {
                        return Err(ending);
                    }
                }
                Waited::Found(News::Act(_) | News::Late(_)) | Waited::TimeUp => {}
                Waited::Interrupted => return Err(interruption()),
            }
        }
    }

    fn resigns(&self, side: Side) -> Ending {
        let detail = message!("{name} resigns" | "{name}认输", name = self.name(side));
        Ending::won(side.other(), Reason::Resignation, detail)
    }

    /// A person has not come in time (the old laws of chess, 10.15; XQ-10). If neither has, the game
    /// counts for neither.
    fn comes_late(&self, hall: &Hall, side: Side) -> Ending {
        let minutes = hall.late().unwrap_or_default().as_secs() / 60;
        let other_is_here =
            hall.update(self.number, |board| side.other().of(&board.arrived).is_some()).unwrap_or(true);
        let why = message!("does not come within {minutes} minutes" | "{minutes} 分钟内未到场", minutes);
        if other_is_here {
            let detail = message!("{name} {why}" | "{name}{why}", name = self.name(side), why);
            return Ending::won(side.other(), Reason::Forfeit, detail);
        }
        Ending::drawn(
            Reason::Forfeit,
            message!(
                "neither side comes within {minutes} minutes" | "双方 {minutes} 分钟内都未到场",
                minutes
            ),
        )
    }

    /// Does what the arbiter asks. `Some`: the game is over.
    fn obey(
        &mut self,
        hall: &Hall,
        orders: Vec<DeskOrder>,
        interrupted: &dyn Fn() -> bool,
    ) -> Option<Ending> {
        let mut is_paused = false;
        let mut orders = orders;
        loop {
            for order in std::mem::take(&mut orders) {
                let of = |side: &Side| self.name(*side);
                match order {
                    DeskOrder::Pause => {
                        is_paused = true;
                        self.note(message!("the arbiter stops the clocks" | "裁判停钟"));
                    }
                    DeskOrder::Continue if is_paused => {
                        is_paused = false;
                        self.note(message!("the clocks run again" | "裁判开钟"));
                    }
                    DeskOrder::Continue => {}
                    DeskOrder::Adjust { side, seconds } => {
                        let name = of(&side);
                        self.note(message!(
                            "{name}: {seconds:+} s by the arbiter" | "{name}：裁判调整 {seconds:+} 秒",
                            name,
                            seconds
                        ));
                        self.adjust(side, seconds);
                        self.keep(&Step::Adjusted { side, seconds });
                    }
                    DeskOrder::Warn { side, why } => {
                        let name = of(&side);
                        self.note(message!("{name} is warned: {why}" | "警告{name}：{why}", name, why));
                        self.remarks.push(format!("{} is warned by the arbiter: {why}", self.name(side)));
                    }
                    DeskOrder::Forfeit { side } => {
                        let detail = message!(
                            "{name} forfeits the game by the arbiter's decision" | "裁判判{name}负",
                            name = of(&side)
                        );
                        return Some(self.game.forfeit(side, Reason::Forfeit, detail));
                    }
                }
            }
            if !is_paused {
                return None;
            }
            self.show(hall, None, Phase::Paused);
            let asked = |board: &mut Board| {
                let (orders, resigned) = (board.take_orders(), board.resigned());
                (!orders.is_empty() || resigned.is_some()).then_some((orders, resigned))
            };
            match hall.wait(self.number, None, interrupted, asked) {
                Waited::Found((_, Some(side))) => return Some(self.resigns(side)),
                Waited::Found((more, None)) => orders = more,
                Waited::TimeUp => {}
                Waited::Interrupted => return Some(interruption()),
            }
        }
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

/// What a person does at a board.
fn reply(choice: Choice, draw: bool, time: Duration) -> Reply {
    Reply { choice, ponder: None, draw, time, line: Vec::new(), thought: Thought::default() }
}
