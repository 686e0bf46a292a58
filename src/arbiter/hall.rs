//! The hall of a match: the persons who play in it, their boards, and what they and the arbiter ask for.
//!
//! Games are played by threads of their own. A page asks something of a board, which is examined here at once
//! and taken by the game's thread when it waits for that player; the thread shows here what its game has come
//! to.

mod shown;

use crate::game::Side;
use crate::games::game::{Game, Start};
use crate::games::record::{Ending, Ply, Reason};
use crate::games::time::GameClock;
use crate::message;
use crate::table::{Examined, Objection, examine};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::sync::lock;
use serde::Deserialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a game that waits looks whether the match is over.
const LOOK: Duration = Duration::from_millis(200);
/// How long the end of the match is shown.
const LAST_NEWS: Duration = Duration::from_secs(1);
/// How long a page is thought to be open after its last request: longer than one may wait for news.
const OPEN: Duration = Duration::from_secs(20);

/// What a page asks for.
#[derive(Deserialize, Debug)]
pub struct SeatRequest {
    /// The game, from 1.
    game: usize,
    /// How many moves the page shows: what was meant for an earlier position is refused.
    ply: usize,
    #[serde(flatten)]
    act: Asked,
}

#[derive(Deserialize, Debug)]
#[serde(tag = "act", rename_all = "kebab-case")]
enum Asked {
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
pub(super) enum Act {
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
}

/// What the arbiter asks of a game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum DeskOrder {
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
}

/// What the arbiter's page asks for.
#[derive(Deserialize, Debug)]
struct ArbiterRequest {
    /// The game, from 1.
    game: usize,
    #[serde(flatten)]
    order: DeskOrder,
}

/// Where a game stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Phase {
    /// Its persons are waited for.
    Seating,
    Playing,
    Paused,
    /// Go: this side is asked which stones are dead; the other side named these.
    Counting(Side, Vec<String>),
    Over(Ending),
}

/// A game as its pages see it.
pub(super) struct Board {
    pub number: usize,
    pub names: [String; 2],
    /// The players, by their places in the match.
    pub seats: [usize; 2],
    /// The game: with a person at the board as it stands, else as it began.
    pub game: Game,
    pub turn: Side,
    has_people: bool,
    pub plies: Vec<Ply>,
    pub clocks: [GameClock; 2],
    /// What the move under way had taken when its clock was started.
    pub used: Duration,
    /// When the clock of the side to move was started.
    pub since: Option<Instant>,
    pub offer: Option<Side>,
    pub phase: Phase,
    /// What happened apart from moves.
    pub notes: Vec<Message>,
    /// When each person was there, or said to be ready.
    pub arrived: [Option<Instant>; 2],
    ready: [bool; 2],
    began: Instant,
    acts: [Option<Act>; 2],
    /// A move was taken and is not shown yet.
    is_taken: bool,
    resigned: Option<Side>,
    orders: Vec<DeskOrder>,
}

/// What a game hears while it waits for a player.
#[derive(Debug)]
pub(super) enum News {
    Act(Act),
    Resigned(Side),
    Orders(Vec<DeskOrder>),
    /// A person has not come in time.
    Late(Side),
}

/// How a wait ended.
#[derive(Debug)]
pub(super) enum Waited<T> {
    Found(T),
    TimeUp,
    Interrupted,
}

struct Person {
    name: String,
    /// When its page was last heard of.
    seen: Option<Instant>,
    /// Its game, or the last one.
    board: Option<usize>,
}

#[derive(Default)]
struct HallState {
    /// Grows with every change.
    version: u64,
    people: BTreeMap<usize, Person>,
    boards: BTreeMap<usize, Board>,
    is_over: bool,
}

/// The hall.
pub struct Hall {
    language: Language,
    /// How long persons are waited for before their clocks start.
    seating: Duration,
    /// How late a person may come.
    late: Option<Duration>,
    state: Mutex<HallState>,
    changed: Condvar,
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
            notes: Vec::new(),
            arrived: [None; 2],
            ready: [false; 2],
            began: Instant::now(),
            acts: [None, None],
            is_taken: false,
            resigned: None,
            orders: Vec::new(),
        }
    }

    /// What a person has done whose turn it is, or what changes the game meanwhile.
    pub fn news(&mut self, side: Side, late: Option<Duration>) -> Option<News> {
        if let Some(side) = self.resigned {
            return Some(News::Resigned(side));
        }
        if !self.orders.is_empty() {
            return Some(News::Orders(self.take_orders()));
        }
        if let Some(act) = side.of_mut(&mut self.acts).take() {
            self.is_taken = true;
            return Some(News::Act(act));
        }
        let is_late =
            late.is_some_and(|late| self.began.elapsed() >= late) && side.of(&self.arrived).is_none();
        is_late.then_some(News::Late(side))
    }

    /// Shows what the game has come to. What was asked for in an earlier position is forgotten.
    pub fn show(&mut self, game: &Game, plies: &[Ply]) {
        self.is_taken = false;
        if self.plies.len() == plies.len() {
            return;
        }
        self.plies.extend_from_slice(plies.get(self.plies.len()..).unwrap_or_default());
        self.turn = game.side_to_move();
        if self.has_people {
            self.game = game.clone();
            self.acts = [None, None];
        }
    }

    pub fn take_orders(&mut self) -> Vec<DeskOrder> {
        std::mem::take(&mut self.orders)
    }

    pub fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    fn start(&self) -> &Start {
        self.game.start()
    }

    /// Whether the clock of the side to move runs.
    fn is_running(&self) -> bool {
        self.since.is_some() && self.phase == Phase::Playing
    }

    /// What a clock shows.
    fn reading(&self, side: Side) -> Option<crate::games::time::Reading> {
        let runs = side == self.turn && !matches!(self.phase, Phase::Over(_));
        let running =
            self.since.filter(|_| self.is_running()).map_or(Duration::ZERO, |since| since.elapsed());
        side.of(&self.clocks).reading(if runs { self.used.saturating_add(running) } else { Duration::ZERO })
    }

    /// Examines what a player asks for. `Some`: the game's thread has to take it.
    fn examine(&mut self, side: Side, asked: Asked) -> Result<Option<Act>, Message> {
        let is_turn = self.turn == side;
        let its_turn =
            |is_turn: bool| if is_turn { Ok(()) } else { Err(Message::from(Objection::NotYourTurn)) };
        match (&self.phase, &asked) {
            (Phase::Over(_), _) => return Err(Objection::Over.into()),
            (_, Asked::Resign | Asked::Ready) | (Phase::Playing, _) => {}
            (Phase::Counting(..), Asked::Count { .. }) => {}
            (Phase::Counting(..), _) => return Err(message!("the board is being counted" | "正在数子")),
            (Phase::Seating | Phase::Paused, _) => return Err(Objection::IsStopped.into()),
        }
        match asked {
            Asked::Ready => *side.of_mut(&mut self.ready) = true,
            Asked::Resign => self.resigned = Some(side),
            Asked::Move { mv, draw } => {
                its_turn(is_turn)?;
                if draw && self.game.stones().is_some() {
                    return Err(Objection::NoDraws.into());
                }
                let mv = self.game.read_typed(&mv)?;
                return Ok(Some(Act::Move { mv, draw, at: Instant::now() }));
            }
            Asked::Accept | Asked::Decline if self.offer != Some(side.other()) => {
                return Err(Objection::NothingOffered.into());
            }
            // The offer was made with the other's move: it is this player's turn.
            Asked::Accept => {
                let agreed = message!("draw agreed" | "双方议和");
                return Ok(Some(Act::Drawn(Ending::drawn(Reason::Agreement, agreed))));
            }
            Asked::Decline => return Ok(Some(Act::Decline)),
            Asked::Claim { mv } => {
                its_turn(is_turn)?;
                let announced = mv.map(|mv| self.game.read_typed(&mv)).transpose()?;
                match examine(&self.game, announced.as_deref()).ok_or(Objection::NoClaims)? {
                    Examined::Right(ending) => return Ok(Some(Act::Drawn(ending))),
                    Examined::Wrong(why) => {
                        self.notes.push(why.clone());
                        return Err(why);
                    }
                }
            }
            Asked::Count { dead } => match &self.phase {
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

impl HallState {
    /// A person's board, and its side of it.
    fn board_of(&mut self, person: usize) -> Option<(&mut Board, Side)> {
        let number = self.people.get(&person)?.board?;
        let board = self.boards.get_mut(&number)?;
        let side = [Side::First, Side::Second].into_iter().find(|side| *side.of(&board.seats) == person)?;
        Some((board, side))
    }

    /// Notes that a person's page is open.
    fn note_presence(&mut self, person: usize) {
        let now = Instant::now();
        if let Some(person) = self.people.get_mut(&person) {
            person.seen = Some(now);
        }
        if let Some((board, side)) = self.board_of(person)
            && side.of(&board.arrived).is_none()
        {
            *side.of_mut(&mut board.arrived) = Some(now);
            self.version = self.version.wrapping_add(1);
        }
    }
}

impl Hall {
    /// A hall for these persons: their places in the match, and their names.
    pub fn new(
        people: impl IntoIterator<Item = (usize, String)>,
        seating: Duration,
        late: Option<Duration>,
        language: Language,
    ) -> Self {
        let person = |(index, name)| (index, Person { name, seen: None, board: None });
        let people = people.into_iter().map(person).collect();
        // A page that has seen nothing asks for what is newer than 0.
        let state = Mutex::new(HallState { version: 1, people, ..HallState::default() });
        Self { language, seating, late, state, changed: Condvar::new() }
    }

    /// The persons by their places in the match.
    pub fn people(&self) -> Vec<(usize, String)> {
        lock(&self.state).people.iter().map(|(index, person)| (*index, person.name.clone())).collect()
    }

    /// How late a person may come.
    pub(super) fn late(&self) -> Option<Duration> {
        self.late
    }

    /// A game begins; its persons are waited for. False: the match is over.
    pub(super) fn begin(&self, mut board: Board, interrupted: &dyn Fn() -> bool) -> bool {
        let number = board.number;
        {
            let mut state = lock(&self.state);
            for side in [Side::First, Side::Second] {
                let Some(person) = state.people.get_mut(side.of(&board.seats)) else {
                    (*side.of_mut(&mut board.arrived), *side.of_mut(&mut board.ready)) =
                        (Some(Instant::now()), true);
                    continue;
                };
                board.has_people = true;
                person.board = Some(number);
                if person.seen.is_some_and(|seen| seen.elapsed() < OPEN) {
                    *side.of_mut(&mut board.arrived) = Some(Instant::now());
                }
            }
            let has_people = board.has_people;
            if has_people {
                board.phase = Phase::Seating;
            }
            state.boards.insert(number, board);
            state.forget_finished();
            if !has_people {
                return true;
            }
        }
        self.update(number, |_| ());
        let end = Instant::now().checked_add(self.seating);
        let seated = self.wait(number, end, interrupted, |board| {
            let is_lost = board.orders.iter().any(|order| matches!(order, DeskOrder::Forfeit { .. }));
            (board.ready == [true, true] || board.resigned.is_some() || is_lost).then_some(())
        });
        // It is played once its clock runs.
        !matches!(seated, Waited::Interrupted)
    }

    /// Changes a board, which all its pages get to see.
    pub(super) fn update<T>(&self, number: usize, change: impl FnOnce(&mut Board) -> T) -> Option<T> {
        let mut state = lock(&self.state);
        state.version = state.version.wrapping_add(1);
        let found = state.boards.get_mut(&number).map(change);
        drop(state);
        self.changed.notify_all();
        found
    }

    /// Waits until `find` finds something on a board.
    pub(super) fn wait<T>(
        &self,
        number: usize,
        end: Option<Instant>,
        interrupted: &dyn Fn() -> bool,
        mut find: impl FnMut(&mut Board) -> Option<T>,
    ) -> Waited<T> {
        let mut state = lock(&self.state);
        loop {
            if let Some(found) = state.boards.get_mut(&number).and_then(&mut find) {
                return Waited::Found(found);
            }
            let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Waited::TimeUp;
            }
            if interrupted() {
                return Waited::Interrupted;
            }
            let waited = self.changed.wait_timeout(state, left.min(LOOK));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// What the arbiter has asked of a game, and who has resigned it.
    pub(super) fn orders(&self, number: usize) -> (Vec<DeskOrder>, Option<Side>) {
        let mut state = lock(&self.state);
        let board = state.boards.get_mut(&number);
        board.map_or((Vec::new(), None), |board| (board.take_orders(), board.resigned))
    }

    /// A game is over. Its persons see it until the next one.
    pub(super) fn end(&self, number: usize, ending: &Ending) {
        self.update(number, |board| {
            (board.since, board.offer) = (None, None);
            board.phase = Phase::Over(ending.clone());
        });
    }

    /// The match is over. The pages of its persons get to see that before the program ends.
    pub fn close(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        state.version = state.version.wrapping_add(1);
        let has_people = !state.people.is_empty();
        drop(state);
        self.changed.notify_all();
        if has_people {
            std::thread::sleep(LAST_NEWS);
        }
    }

    /// Does what a person's page asks for.
    /// # Errors
    /// Why not; nothing has changed then.
    fn act(&self, person: usize, request: SeatRequest) -> Result<(), Message> {
        let mut state = lock(&self.state);
        state.note_presence(person);
        let (board, side) =
            state.board_of(person).ok_or_else(|| message!("no game is played" | "没有对局"))?;
        let is_shown = request.game == board.number.saturating_add(1) && request.ply == board.plies.len();
        // What does not depend on the position.
        let is_general = matches!(request.act, Asked::Ready | Asked::Resign);
        if !is_shown && !(is_general && request.game == board.number.saturating_add(1)) {
            return Err(message!("the game has gone on meanwhile" | "棋局已经变化"));
        }
        if !is_general && (side.of(&board.acts).is_some() || board.is_taken) {
            return Err(message!("the last move is not done yet" | "上一步还没有走完"));
        }
        let examined = board.examine(side, request.act);
        if let Ok(act) = &examined {
            *side.of_mut(&mut board.acts) = act.clone();
        }
        state.version = state.version.wrapping_add(1);
        drop(state);
        self.changed.notify_all();
        examined.map(drop)
    }

    /// Does what a page asks for; the answer as JSON.
    pub fn act_on(&self, person: usize, asked: &[u8]) -> String {
        let read = serde_json::from_slice(asked).map_err(unreadable);
        self.answer(read.and_then(|request| self.act(person, request)))
    }

    /// Does what the arbiter's page asks for; the answer as JSON.
    pub fn order_by(&self, asked: &[u8]) -> String {
        let read: Result<ArbiterRequest, Message> = serde_json::from_slice(asked).map_err(unreadable);
        self.answer(read.and_then(|ArbiterRequest { game, order }| self.order(game, order)))
    }

    fn answer(&self, done: Result<(), Message>) -> String {
        json!({ "refused": done.err().map(|why| why.text(self.language).to_owned()) }).to_string()
    }

    /// The arbiter asks something of a game, by its number from 1.
    /// # Errors
    /// There is no such game under way.
    fn order(&self, game: usize, order: DeskOrder) -> Result<(), Message> {
        let mut state = lock(&self.state);
        let board = game.checked_sub(1).and_then(|number| state.boards.get_mut(&number));
        let board = board.filter(|board| !matches!(board.phase, Phase::Over(_)));
        let board =
            board.ok_or_else(|| message!("game {game} is not under way" | "第 {game} 局没有在进行", game))?;
        board.orders.push(order);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }
}

fn unreadable(why: serde_json::Error) -> Message {
    message!("not understood: {why}" | "读不懂：{why}", why = why.to_string())
}

impl HallState {
    /// Drops finished games that no page shows any more.
    fn forget_finished(&mut self) {
        let shown: BTreeSet<usize> = self.people.values().filter_map(|person| person.board).collect();
        self.boards.retain(|number, board| shown.contains(number) || !matches!(board.phase, Phase::Over(_)));
    }
}

#[cfg(test)]
mod tests;
