//! What a table answers to an action: the events that follow, or its objection. Nothing changes here.

use super::claim::{Examined, examine};
use super::event::Written;
use super::{Action, Actor, Objection, Standing, Table, TableEvent, Unsealing};
use crate::chess::rules;
use crate::game::Side;
use crate::games::game::{Game, Position};
use crate::games::record::{Ending, GameKind, Reason, Thought};
use crate::message;
use crate::util::message::Message;
use std::time::Duration;

impl Table {
    /// The events of an action.
    pub(super) fn answer(
        &self,
        actor: Actor,
        action: Action,
        now: Duration,
    ) -> Result<Vec<TableEvent>, Objection> {
        let one = |event| Ok(vec![event]);
        let arbiter_only = || if actor == Actor::Arbiter { Ok(()) } else { Err(Objection::OnlyTheArbiter) };
        let ended = |ending| Ok(vec![TableEvent::Ended { ending }]);
        match action {
            Action::Resign => {
                let side = self.player(actor);
                let detail = message!("{name} resigns" | "{name}认输", name = self.name(side));
                ended(Ending::won(side.other(), Reason::Resignation, detail))
            }
            Action::Stop if actor != Actor::Arbiter && !self.agreement.conduct.take_backs => {
                Err(Objection::OnlyTheArbiter)
            }
            Action::Stop if self.standing == Standing::Running => {
                one(TableEvent::Stopped { time: self.used_until(now) })
            }
            Action::Stop => Err(Objection::IsStopped),
            Action::Continue => match self.standing {
                Standing::Stopped => one(TableEvent::Continued),
                Standing::Adjourned(_) => Err(Objection::IsAdjourned),
                _ => Err(Objection::IsRunning),
            },
            Action::TakeBack { plies } => self.take_back(actor, plies),
            Action::Unseal { envelope } => self.unseal(envelope),
            Action::Adjust { side, seconds } => {
                arbiter_only().and(one(TableEvent::Adjusted { side, seconds }))
            }
            Action::Warn { side, why } => {
                arbiter_only().and(one(TableEvent::Warned { side, why: Written::from(&why) }))
            }
            Action::Accept | Action::Decline => self.answer_offer(actor, action == Action::Accept),
            Action::Count { dead } => self.count(self.player(actor), dead),
            Action::Move { .. }
            | Action::Illegal { .. }
            | Action::Offer
            | Action::Claim { .. }
            | Action::Seal { .. } => {
                match self.standing {
                    Standing::Stopped => return Err(Objection::IsStopped),
                    Standing::Adjourned(_) => return Err(Objection::IsAdjourned),
                    Standing::Running | Standing::Over(_) => {}
                }
                let side = self.player(actor);
                if side != self.game.side_to_move() {
                    return Err(Objection::NotYourTurn);
                }
                match action {
                    Action::Move { mv, thought } => self.moved(side, &mv, thought, now),
                    Action::Illegal { mv, why } => self.put_back(side, &mv, why),
                    Action::Claim { with } => self.claim(side, with.as_deref(), now),
                    Action::Seal { hash } => one(TableEvent::Sealed { hash, time: self.used_until(now) }),
                    _ => self.offer_draw(side),
                }
            }
        }
    }

    /// The side that a player has; the side to move where the arbiter acts for it.
    fn player(&self, actor: Actor) -> Side {
        match actor {
            Actor::Player(side) => side,
            Actor::Arbiter => self.game.side_to_move(),
        }
    }

    pub(super) fn name(&self, side: Side) -> Message {
        self.game.kind().game().side(side)
    }

    /// A move, and what it brings.
    fn moved(
        &self,
        side: Side,
        mv: &str,
        thought: Thought,
        now: Duration,
    ) -> Result<Vec<TableEvent>, Objection> {
        let mut after = self.game.clone();
        if let Err(why) = after.play(mv) {
            return self.put_back(side, mv, why);
        }
        let mut events = Vec::new();
        if self.offer == Some(side.other()) {
            events.push(TableEvent::Declined { by: side });
        }
        events.push(TableEvent::Moved { mv: mv.to_owned(), time: self.used_until(now), thought });
        events.extend(self.ends_at(&after).map(|ending| TableEvent::Ended { ending }));
        Ok(events)
    }

    /// An illegal move: it is refused, or counts, or loses.
    fn put_back(&self, side: Side, mv: &str, why: Message) -> Result<Vec<TableEvent>, Objection> {
        let conduct = &self.agreement.conduct;
        if conduct.illegal_moves == 0 {
            return Err(Objection::IllegalMove(why));
        }
        let count = self.ledger(side).illegal_moves.saturating_add(1);
        let mut events = vec![TableEvent::PutBack { by: side, mv: mv.to_owned(), count }];
        if count >= conduct.illegal_moves {
            let name = self.name(side);
            let detail = message!(
                "{name} plays illegal move {count}, {mv}: {why}"
                    | "{name}第 {count} 次走违例着法 {mv}：{why}",
                name,
                count,
                mv,
                why
            );
            events.push(TableEvent::Ended { ending: self.game.forfeit(side, Reason::IllegalMove, detail) });
        } else {
            events.extend(adjustment(side.other(), conduct.illegal_bonus, 1));
        }
        Ok(events)
    }

    /// How the rules end the game here, as the conduct has it.
    fn ends_at(&self, game: &Game) -> Option<Ending> {
        let ending = game.ending()?;
        let may_be_claimed = matches!(ending.reason, Reason::Repetition | Reason::NoProgress);
        if let Position::Chess(board) = game.position()
            && self.agreement.conduct.claims
            && may_be_claimed
        {
            return rules::unclaimed(board).map(|_| ending);
        }
        Some(ending)
    }

    fn offer_draw(&self, side: Side) -> Result<Vec<TableEvent>, Objection> {
        let conduct = &self.agreement.conduct;
        if self.game.kind() == GameKind::GO {
            return Err(Objection::NoDraws);
        }
        if self.offer == Some(side) {
            return Err(Objection::OfferStands);
        }
        if self.offer == Some(side.other()) {
            return self.answer_offer(Actor::Player(side), true);
        }
        if !self.ledger(side).declined {
            return Ok(vec![TableEvent::Offered { by: side }]);
        }
        if conduct.fouls == 0 {
            return Err(Objection::OfferAgain);
        }
        let count = self.ledger(side).fouls.saturating_add(1);
        let mut events = vec![TableEvent::Fouled { by: side, count }];
        if count >= conduct.fouls {
            let detail = message!(
                "{name}: offers a draw again, foul {count}" | "{name}再次提和，第 {count} 次犯规",
                name = self.name(side),
                count
            );
            events.push(TableEvent::Ended { ending: Ending::won(side.other(), Reason::Fouls, detail) });
        }
        Ok(events)
    }

    fn answer_offer(&self, actor: Actor, accepts: bool) -> Result<Vec<TableEvent>, Objection> {
        let by = match actor {
            Actor::Player(side) => side,
            Actor::Arbiter => return Err(Objection::NothingOffered),
        };
        if self.offer != Some(by.other()) {
            return Err(Objection::NothingOffered);
        }
        let agreed = || Ending::drawn(Reason::Agreement, message!("draw agreed" | "双方议和"));
        Ok(vec![if accepts { TableEvent::Ended { ending: agreed() } } else { TableEvent::Declined { by } }])
    }

    /// A claim: it ends the game, or costs time; an announced move is played then, for it cannot be
    /// withdrawn.
    fn claim(&self, side: Side, with: Option<&str>, now: Duration) -> Result<Vec<TableEvent>, Objection> {
        let announced = match with {
            None => None,
            Some(mv) => match self.game.clone().play(mv) {
                Ok(()) => Some(mv),
                Err(why) => return self.put_back(side, mv, why),
            },
        };
        let conduct = &self.agreement.conduct;
        match examine(&self.game, announced).ok_or(Objection::NoClaims)? {
            Examined::Right(ending) => Ok(vec![TableEvent::Ended { ending }]),
            Examined::Wrong(why) => {
                // A wrong claim is no flag: a second is left.
                let kept = self.used_until(now).saturating_add(Duration::from_secs(1));
                let cost =
                    conduct.wrong_claim_cost.min(self.clock(side).state().remaining.saturating_sub(kept));
                let mut events = vec![TableEvent::ClaimFailed { by: side, why: Written::from(&why) }];
                events.extend(adjustment(side, cost, -1));
                events.extend(adjustment(side.other(), conduct.wrong_claim_bonus, 1));
                if let Some(mv) = announced {
                    events.extend(self.moved(side, mv, Thought::default(), now)?);
                }
                Ok(events)
            }
        }
    }

    fn take_back(&self, actor: Actor, plies: usize) -> Result<Vec<TableEvent>, Objection> {
        if matches!(self.standing, Standing::Adjourned(_)) {
            return Err(Objection::IsAdjourned);
        }
        let by_agreement = self.ending().is_none_or(|ending| ending.reason != Reason::Time);
        if actor != Actor::Arbiter && !(self.agreement.conduct.take_backs && by_agreement) {
            return Err(if by_agreement { Objection::NoTakeBacks } else { Objection::Over });
        }
        let plies = plies.min(self.plies.len());
        if plies == 0 && self.ending().is_none() {
            return Err(Objection::NothingToTakeBack);
        }
        Ok(vec![TableEvent::TookBack { plies }])
    }

    /// The sealed move is made when the envelope is opened; an illegal one loses.
    fn unseal(&self, envelope: Unsealing) -> Result<Vec<TableEvent>, Objection> {
        let Standing::Adjourned(hash) = &self.standing else { return Err(Objection::NotAdjourned) };
        let (mv, lost) = match envelope {
            Unsealing::Envelope(envelope) if envelope.hash(self.game.moves()) == *hash => {
                (envelope.mv, false)
            }
            Unsealing::Envelope(_) => return Err(Objection::WrongEnvelope),
            Unsealing::Lost { mv } => (mv, true),
        };
        let (side, mut after) = (self.game.side_to_move(), self.game.clone());
        match after.play(&mv) {
            Ok(()) => {
                let ending = self.ends_at(&after).map(|ending| TableEvent::Ended { ending });
                Ok(std::iter::once(TableEvent::Unsealed { mv, lost }).chain(ending).collect())
            }
            // A player who says what cannot be played may say it again.
            Err(why) if lost => Err(Objection::IllegalMove(why)),
            Err(why) => {
                let name = self.name(side);
                let detail = message!(
                    "{name} sealed a move that is not legal, {mv}: {why}"
                        | "{name}的封着 {mv} 不合规则：{why}",
                    name,
                    mv,
                    why
                );
                Ok(vec![TableEvent::Ended { ending: self.game.forfeit(side, Reason::IllegalMove, detail) }])
            }
        }
    }

    /// A side agrees to a count; with both lists the same the game is over.
    fn count(&self, side: Side, mut dead: Vec<String>) -> Result<Vec<TableEvent>, Objection> {
        let Some(stones) = self.game.stones().filter(|_| self.is_counting()) else {
            return Err(Objection::NotCounting);
        };
        dead.sort();
        dead.dedup();
        let agrees = side.other().of(&self.counts).as_ref() == Some(&dead);
        let ending = agrees.then(|| stones.count(&stones.dead_stones(&dead)));
        let counted = TableEvent::Counted { by: side, dead };
        Ok(std::iter::once(counted).chain(ending.map(|ending| TableEvent::Ended { ending })).collect())
    }
}

/// A change of a clock, where there is one.
fn adjustment(side: Side, time: Duration, sign: i64) -> Option<TableEvent> {
    let seconds = i64::try_from(time.as_secs()).ok().filter(|&seconds| seconds > 0)?;
    Some(TableEvent::Adjusted { side, seconds: seconds.saturating_mul(sign) })
}
