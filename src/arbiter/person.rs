//! A person at a board: waits for the page where an engine would be asked.

use super::hall::{Act, Board, Hall, News, Phase, Waited};
use super::play::{Game, Participant, interruption};
use super::under_way::Step;
use crate::client::player::{Choice, Reply};
use crate::game::Side;
use crate::games::record::{Ending, Reason};
use crate::games::time::Reading;
use crate::message;
use std::time::{Duration, Instant};

impl Game<'_> {
    /// Takes the game into the hall. False: the match is over before its persons sat down.
    pub(super) fn enter(&mut self, seats: &[Participant; 2], interrupted: &dyn Fn() -> bool) -> bool {
        let Some(hall) = &self.conditions.hall else { return true };
        let names = seats.each_ref().map(|seat| seat.spec.name.clone());
        let indices = seats.each_ref().map(|seat| seat.index);
        let mut board = Board::new(self.game.clone(), names, indices, self.clocks.clone());
        (board.number, board.plies) = (self.number, self.plies.clone());
        board.notes.clone_from(&self.notes);
        self.bell = board.bell();
        hall.begin(board, interrupted)
    }

    /// Shows in the hall what the game has come to, with the clock of the side to move running since an
    /// instant.
    pub(super) fn show(&self, hall: &Hall, since: Option<Instant>, phase: Phase) {
        let readings = hall.update(self.number, |board| {
            board.phase = phase;
            board.since = since;
            board.used = self.used;
            board.offer = self.draw_offer;
            board.is_adjourning = self.is_adjourning;
            board.clocks.clone_from(&self.clocks);
            board.show(&self.game, &self.plies);
            [Side::First, Side::Second].map(|side| board.reading(side))
        });
        if let Some((watch, readings)) = self.conditions.watch.as_ref().zip(readings) {
            let left = |reading: Reading| u64::try_from(reading.left.as_millis()).unwrap_or(u64::MAX);
            watch.clocks(self.number, readings.map(|reading| reading.map(left)), since.is_some());
        }
    }

    /// Shows in the hall how the game has ended: its persons see it until the next one.
    pub(super) fn show_end(&self, hall: &Hall, ending: &Ending) {
        hall.update(self.number, |board| {
            // Where no move has ended the game, the clock stands where it was then.
            let is_same = board.plies.len() == self.plies.len();
            board.used = if is_same { board.used_until_now() } else { Duration::ZERO };
            (board.since, board.offer) = (None, None);
            board.phase = Phase::Over(ending.clone());
            board.clocks.clone_from(&self.clocks);
            board.show(&self.game, &self.plies);
        });
    }

    /// Before a move: shows the game, and does what was asked meanwhile. `Some`: the game is over.
    pub(super) fn attend(&mut self, interrupted: &dyn Fn() -> bool) -> Option<Ending> {
        let hall = self.conditions.hall.as_deref()?;
        let (orders, resigned) = hall.orders(self.number);
        if let Some(side) = resigned {
            return Some(self.resigns(side));
        }
        let ending = self.obey(hall, orders, interrupted);
        if ending.is_none() && self.sealed.is_none() {
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
        if let Some(reply) = self.open_envelope(hall, interrupted)? {
            return Ok(reply);
        }
        let late = hall.late();
        loop {
            let since = Instant::now();
            let phase = if self.is_adjourning { Phase::Sealing } else { Phase::Playing };
            self.show(hall, Some(since), phase);
            let budget = side.of(&self.clocks).budget();
            let flag = budget.and_then(|budget| since.checked_add(budget.saturating_sub(self.used)));
            let waited = hall.wait(self.number, flag, interrupted, |board| board.news(side, late));
            let ended = match waited {
                Waited::Found(News::Act(Act::Move { mv, at, .. })) if self.is_adjourning => {
                    self.seal(mv, self.used.saturating_add(at.saturating_duration_since(since)))?;
                    self.place.leave();
                    if let Some(ending) = self.hold(hall, &Phase::Adjourned, interrupted) {
                        return Err(ending);
                    }
                    self.place.take();
                    hall.reseat(self.number);
                    if let Some(reply) = self.open_envelope(hall, interrupted)? {
                        return Ok(reply);
                    }
                    continue;
                }
                Waited::Found(News::Act(Act::Move { mv, draw, at })) => {
                    let time = at.saturating_duration_since(since);
                    return Ok(reply(Choice::Move(mv), draw, time));
                }
                Waited::Found(News::Act(Act::WrongClaim { why, mv, at })) => {
                    let time = at.saturating_duration_since(since);
                    self.penalize_claim(side, why, self.used.saturating_add(time));
                    if let Some(mv) = mv {
                        // The announced move is made, and the claim is an offer (FIDE 9.1.2.3, 9.5.3).
                        return Ok(reply(Choice::Move(mv), true, time));
                    }
                    None
                }
                Waited::Found(News::Act(Act::Drawn(ending))) => {
                    return Ok(reply(Choice::Draw(ending), false, since.elapsed()));
                }
                Waited::Found(News::Act(Act::Decline)) => {
                    self.declines(side);
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

    /// A draw is declined in words.
    pub(super) fn declines(&mut self, side: Side) {
        self.draw_offer = None;
        self.keep(&Step::Declined);
        let name = self.name(side);
        self.note(message!("{name} declines the draw" | "{name}拒绝和棋", name));
    }

    pub(super) fn resigns(&self, side: Side) -> Ending {
        let detail = message!("{name} resigns" | "{name}认输", name = self.name(side));
        Ending::won(side.other(), Reason::Resignation, detail)
    }

    /// A person has not come in time (the old laws of chess, 10.15; XQ-10). If neither has, the game
    /// counts for neither.
    pub(super) fn comes_late(&self, hall: &Hall, side: Side) -> Ending {
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
}

/// What a person does at a board.
pub(super) fn reply(choice: Choice, draw: bool, time: Duration) -> Reply {
    let (ponder, wrong_claim, line, thought) = Default::default();
    Reply { choice, ponder, draw, wrong_claim, time, line, thought }
}
