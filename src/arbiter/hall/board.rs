//! A game as its pages see it, and what they ask of it.

use crate::game::Side;
use crate::games::game::{Game, Start};
use crate::games::record::{Ending, Ply, Reason};
use crate::games::time::{GameClock, Reading};
use crate::message;
use crate::table::{Examined, Objection, examine};
use crate::util::message::Message;
use crossbeam::channel::{Receiver, Sender, bounded};
use serde::Deserialize;
use std::time::{Duration, Instant};

#[derive(Deserialize, Debug)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum SeatAct {
    Ready,
    /// A move in any notation, with an offer of a draw or without.
    Move {
        mv: String,
        #[serde(default)]
        draw: bool,
    },
    Resign,
    Accept,
    Decline,
    /// A claim of a draw, on the board or with a move that is about to be made.
    Claim {
        #[serde(default)]
        mv: Option<String>,
    },
    /// Go: the dead stones.
    Count {
        dead: Vec<String>,
    },
}

/// What a player has done, found fit to be done.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::arbiter) enum Act {
    /// A move in coordinates, at an instant.
    Move {
        mv: String,
        draw: bool,
        at: Instant,
    },
    /// The game is over: a draw was agreed or rightly claimed.
    Drawn(Ending),
    Decline,
    /// Go: the dead stones.
    Count(Vec<String>),
    /// A claim was examined and is wrong; the move that was announced is made.
    WrongClaim {
        why: Message,
        mv: Option<String>,
        at: Instant,
    },
}

/// What the arbiter asks of a game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum ArbiterOrder {
    /// Stop the clocks.
    Pause,
    /// Let them run again.
    Continue,
    /// Change a clock by a number of seconds.
    Adjust { side: Side, seconds: i64 },
    /// Warn a player.
    Warn { side: Side, why: String },
    /// A player loses the game.
    Forfeit { side: Side },
    /// Adjourn the game with a sealed move.
    Adjourn,
    /// Call the adjournment off before a move is sealed.
    CallOff,
}

/// Where a game stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Phase {
    /// Its persons are waited for.
    Seating,
    Playing,
    Paused,
    /// The game is adjourned as soon as the side to move has sealed its move.
    Sealing,
    /// A move is sealed.
    Adjourned,
    /// Go: this side is asked which stones are dead; the other side named these.
    Counting(Side, Vec<String>),
    Over(Ending),
}

/// A game as its pages see it.
pub(in crate::arbiter) struct Board {
    pub number: usize,
    pub names: [String; 2],
    /// The players, by their places in the match.
    pub seats: [usize; 2],
    /// The game: with a person at the board as it stands, else as it began.
    pub game: Game,
    pub turn: Side,
    pub(super) has_people: bool,
    pub plies: Vec<Ply>,
    pub clocks: [GameClock; 2],
    /// What the move under way had taken when its clock was started.
    pub used: Duration,
    /// When the clock of the side to move was started.
    pub since: Option<Instant>,
    pub offer: Option<Side>,
    pub phase: Phase,
    /// The next move of a person is to be sealed.
    pub is_adjourning: bool,
    /// What happened apart from moves.
    pub notes: Vec<Message>,
    /// When each person was there, or said to be ready.
    pub arrived: [Option<Instant>; 2],
    /// The moves before the last wrong claim.
    claimed: Option<usize>,
    pub(super) ready: [bool; 2],
    pub(super) began: Instant,
    pub(super) acts: [Option<Act>; 2],
    /// A move was taken and is not shown yet.
    pub(super) is_taken: bool,
    resigned: Option<Side>,
    pub(super) orders: Vec<ArbiterOrder>,
    /// Calls the game's thread while an engine thinks.
    bell: (Sender<()>, Receiver<()>),
}

/// What a game hears while it waits for a player.
#[derive(Debug)]
pub(in crate::arbiter) enum News {
    Act(Act),
    Resigned(Side),
    Orders(Vec<ArbiterOrder>),
    /// A person has not come in time.
    Late(Side),
}

impl Board {
    pub fn new(game: Game, names: [String; 2], seats: [usize; 2], clocks: [GameClock; 2]) -> Self {
        Self {
            number: 0,
            names,
            seats,
            turn: game.side_to_move(),
            has_people: false,
            game,
            plies: Vec::new(),
            clocks,
            used: Duration::ZERO,
            since: None,
            offer: None,
            phase: Phase::Playing,
            is_adjourning: false,
            notes: Vec::new(),
            arrived: [None; 2],
            claimed: None,
            ready: [false; 2],
            began: Instant::now(),
            acts: [None, None],
            is_taken: false,
            resigned: None,
            orders: Vec::new(),
            bell: bounded(1),
        }
    }

    /// What a person has done whose turn it is, or what changes the game meanwhile.
    pub fn news(&mut self, side: Side, late: Option<Duration>) -> Option<News> {
        if let Some(side) = self.resigned {
            return Some(News::Resigned(side));
        }
        // A move that was sent before an order is no sealed one.
        if let Some(act) = side.of_mut(&mut self.acts).take() {
            self.is_taken = true;
            return Some(News::Act(act));
        }
        if !self.orders.is_empty() {
            return Some(News::Orders(self.take_orders()));
        }
        self.is_late(side, late).then_some(News::Late(side))
    }

    /// Whether a person has not come in time.
    pub fn is_late(&self, side: Side, late: Option<Duration>) -> bool {
        late.is_some_and(|late| self.began.elapsed() >= late) && side.of(&self.arrived).is_none()
    }

    /// Shows what the game has come to. What was asked for in an earlier position is forgotten.
    pub fn show(&mut self, game: &Game, plies: &[Ply]) {
        self.is_taken = false;
        self.turn = game.side_to_move();
        if self.plies.len() == plies.len() {
            return;
        }
        self.plies.extend_from_slice(plies.get(self.plies.len()..).unwrap_or_default());
        if self.has_people {
            self.game = game.clone();
            self.acts = [None, None];
        }
    }

    pub fn take_orders(&mut self) -> Vec<ArbiterOrder> {
        std::mem::take(&mut self.orders)
    }

    pub fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// What the game's thread has to heed at once, while it waits for anyone.
    pub fn calls(&mut self) -> Option<(Vec<ArbiterOrder>, Option<Side>)> {
        let (orders, resigned) = (self.take_orders(), self.resigned);
        (!orders.is_empty() || resigned.is_some()).then_some((orders, resigned))
    }

    /// Rings when there are orders, or a player has resigned.
    pub fn bell(&self) -> Receiver<()> {
        self.bell.1.clone()
    }

    /// Takes an order for the game's thread.
    pub(super) fn take_order(&mut self, order: ArbiterOrder) {
        self.orders.push(order);
        self.ring();
    }

    fn ring(&self) {
        // It rings already where it is full.
        let _ = self.bell.0.try_send(());
    }

    pub(super) fn start(&self) -> &Start {
        self.game.start()
    }

    /// Whether the clock of the side to move runs.
    pub(super) fn is_running(&self) -> bool {
        self.since.is_some() && matches!(self.phase, Phase::Playing | Phase::Sealing | Phase::Adjourned)
    }

    /// What a clock shows.
    pub fn reading(&self, side: Side) -> Option<Reading> {
        let used = if side == self.turn { self.used_until_now() } else { Duration::ZERO };
        side.of(&self.clocks).reading(used)
    }

    /// What the move under way has taken.
    pub fn used_until_now(&self) -> Duration {
        let running = self.since.filter(|_| self.is_running()).map(|since| since.elapsed());
        self.used.saturating_add(running.unwrap_or_default())
    }

    /// Examines what a player asks for. `Some`: the game's thread has to take it.
    pub(super) fn examine(&mut self, side: Side, asked: SeatAct) -> Result<Option<Act>, Message> {
        let is_turn = self.turn == side;
        let its_turn =
            |is_turn: bool| if is_turn { Ok(()) } else { Err(Message::from(Objection::NotYourTurn)) };
        match (&self.phase, &asked) {
            (Phase::Over(_), _) => return Err(Objection::Over.into()),
            (_, SeatAct::Resign | SeatAct::Ready) | (Phase::Playing, _) => {}
            (Phase::Sealing, SeatAct::Move { .. }) => {}
            (Phase::Sealing, _) => {
                return Err(message!("a move is to be sealed" | "现在要封棋"));
            }
            (Phase::Adjourned, _) => return Err(Objection::IsAdjourned.into()),
            (Phase::Counting(..), SeatAct::Count { .. }) => {}
            (Phase::Counting(..), _) => return Err(message!("the board is being counted" | "正在数子")),
            (Phase::Seating | Phase::Paused, _) => return Err(Objection::IsStopped.into()),
        }
        match asked {
            SeatAct::Ready => *side.of_mut(&mut self.ready) = true,
            SeatAct::Resign => {
                self.resigned = Some(side);
                self.ring();
            }
            SeatAct::Move { mv, draw } => {
                its_turn(is_turn)?;
                if draw && self.game.stones().is_some() {
                    return Err(Objection::NoDraws.into());
                }
                let mv = self.game.read_typed(&mv)?;
                return Ok(Some(Act::Move { mv, draw, at: Instant::now() }));
            }
            SeatAct::Accept | SeatAct::Decline if self.offer != Some(side.other()) => {
                return Err(Objection::NothingOffered.into());
            }
            // The offer was made with the other's move: it is this player's turn.
            SeatAct::Accept => {
                let agreed = message!("draw agreed" | "双方议和");
                return Ok(Some(Act::Drawn(Ending::drawn(Reason::Agreement, agreed))));
            }
            SeatAct::Decline => return Ok(Some(Act::Decline)),
            SeatAct::Claim { mv } => {
                its_turn(is_turn)?;
                let announced = mv.map(|mv| self.game.read_typed(&mv)).transpose()?;
                match examine(&self.game, announced.as_deref()).ok_or(Objection::NoClaims)? {
                    Examined::Right(ending) => return Ok(Some(Act::Drawn(ending))),
                    // Once wrong, a position is no other one.
                    Examined::Wrong(why) if announced.is_none() && self.claimed == Some(self.plies.len()) => {
                        return Err(why);
                    }
                    Examined::Wrong(why) => {
                        self.claimed = Some(self.plies.len());
                        return Ok(Some(Act::WrongClaim { why, mv: announced, at: Instant::now() }));
                    }
                }
            }
            SeatAct::Count { dead } => match &self.phase {
                Phase::Counting(asked, _) if *asked == side => return Ok(Some(Act::Count(dead))),
                Phase::Counting(..) => {
                    return Err(message!("the other side is asked first" | "先由对方数子"));
                }
                _ => return Err(Objection::NotCounting.into()),
            },
        }
        Ok(None)
    }
}
