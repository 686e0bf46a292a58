//! The hall of a match: the persons who play in it, their boards, and what they and the arbiter ask for.
//!
//! Games are played by threads of their own. A page asks something of a board, which is examined here at once
//! and taken by the game's thread when it waits for that player; the thread shows here what its game has come
//! to.

mod board;
mod shown;

pub(super) use board::{Act, Board, News};
pub use board::{ArbiterOrder, Phase, SeatAct};
pub use shown::SeatView;

use crate::game::Side;
use crate::message;
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
    act: SeatAct,
}

impl SeatRequest {
    /// Asks something of a game, by its number from 1, after a number of moves.
    pub fn new(game: usize, ply: usize, act: SeatAct) -> Self {
        Self { game, ply, act }
    }
}

/// What the arbiter's page asks for.
#[derive(Deserialize, Debug)]
struct ArbiterRequest {
    /// The game, from 1.
    game: usize,
    #[serde(flatten)]
    order: ArbiterOrder,
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

impl Person {
    fn is_here(&self) -> bool {
        self.seen.is_some_and(|seen| seen.elapsed() < OPEN)
    }
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
    /// How long persons are waited for before their clocks start.
    seating: Duration,
    /// How late a person may come.
    late: Option<Duration>,
    state: Mutex<HallState>,
    changed: Condvar,
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
    ) -> Self {
        let person = |(index, name)| (index, Person { name, seen: None, board: None });
        let people = people.into_iter().map(person).collect();
        // A page that has seen nothing asks for what is newer than 0.
        let state = Mutex::new(HallState { version: 1, people, ..HallState::default() });
        Self { seating, late, state, changed: Condvar::new() }
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
                if person.is_here() {
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
            let is_lost = board.orders.iter().any(|order| matches!(order, ArbiterOrder::Forfeit { .. }));
            (board.ready == [true, true] || board.resigned().is_some() || is_lost).then_some(())
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
    pub(super) fn orders(&self, number: usize) -> (Vec<ArbiterOrder>, Option<Side>) {
        let calls = lock(&self.state).boards.get_mut(&number).and_then(Board::calls);
        calls.unwrap_or_default()
    }

    /// A game that was adjourned goes on: who is not here is late from now on.
    pub(super) fn reseat(&self, number: usize) {
        let mut state = lock(&self.state);
        let HallState { people, boards, .. } = &mut *state;
        let Some(board) = boards.get_mut(&number) else { return };
        board.began = Instant::now();
        for side in [Side::First, Side::Second] {
            let Some(person) = people.get_mut(side.of(&board.seats)) else { continue };
            person.board = Some(number);
            if !person.is_here() {
                *side.of_mut(&mut board.arrived) = None;
            }
        }
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

    /// Does what a person asks for.
    /// # Errors
    /// Why not; nothing has changed then.
    pub fn act(&self, person: usize, request: SeatRequest) -> Result<(), Message> {
        let mut state = lock(&self.state);
        state.note_presence(person);
        let (board, side) =
            state.board_of(person).ok_or_else(|| message!("no game is played" | "没有对局"))?;
        let is_shown = request.game == board.number.saturating_add(1) && request.ply == board.plies.len();
        // What does not depend on the position.
        let is_general = matches!(request.act, SeatAct::Ready | SeatAct::Resign);
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
        match examined? {
            // The claimant gets to know why; what it costs is done by the game's thread.
            Some(Act::WrongClaim { why, .. }) => Err(why),
            _ => Ok(()),
        }
    }

    /// Does what a page asks for; the answer as JSON.
    pub fn act_on(&self, person: usize, asked: &[u8], language: Language) -> String {
        let read = serde_json::from_slice(asked).map_err(unreadable);
        answer(read.and_then(|request| self.act(person, request)), language)
    }

    /// Does what the arbiter's page asks for; the answer as JSON.
    pub fn order_by(&self, asked: &[u8], language: Language) -> String {
        let read: Result<ArbiterRequest, Message> = serde_json::from_slice(asked).map_err(unreadable);
        answer(read.and_then(|ArbiterRequest { game, order }| self.order(game, order)), language)
    }

    /// The arbiter asks something of a game, by its number from 1.
    /// # Errors
    /// There is no such game under way.
    fn order(&self, game: usize, order: ArbiterOrder) -> Result<(), Message> {
        let mut state = lock(&self.state);
        let number = game.wrapping_sub(1);
        if order == ArbiterOrder::Continue
            && let Some((name, other)) = state.detained(number)
        {
            return Err(message!("{name} plays game {other}" | "{name}在下第 {other} 局", name, other));
        }
        let board = state.boards.get_mut(&number);
        let board = board.filter(|board| !matches!(board.phase, Phase::Over(_)));
        let board =
            board.ok_or_else(|| message!("game {game} is not under way" | "第 {game} 局没有在进行", game))?;
        if order == ArbiterOrder::Adjourn && !board.has_people {
            return Err(message!(
                "a move is sealed by a person: engines play this game" | "封棋的是人：这一局由引擎对弈"
            ));
        }
        board.take_order(order);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }
}

fn answer(done: Result<(), Message>, language: Language) -> String {
    json!({ "refused": done.err().map(|why| why.text(language).to_owned()) }).to_string()
}

fn unreadable(why: serde_json::Error) -> Message {
    message!("not understood: {why}" | "读不懂：{why}", why = why.to_string())
}

impl HallState {
    /// A player of an adjourned game who plays another one meanwhile, and which, from 1.
    fn detained(&self, number: usize) -> Option<(&str, usize)> {
        let board = self.boards.get(&number).filter(|board| board.phase == Phase::Adjourned)?;
        board.seats.iter().find_map(|seat| {
            let person = self.people.get(seat)?;
            let other = person.board.filter(|&other| other != number)?;
            let board = self.boards.get(&other)?;
            // Until its envelope is opened, a resumed game is still adjourned, but a clock runs.
            let plays = match board.phase {
                Phase::Adjourned => board.is_running(),
                Phase::Over(_) => false,
                _ => true,
            };
            plays.then_some((person.name.as_str(), other.saturating_add(1)))
        })
    }

    /// Drops finished games that no page shows any more.
    fn forget_finished(&mut self) {
        let shown: BTreeSet<usize> = self.people.values().filter_map(|person| person.board).collect();
        self.boards.retain(|number, board| shown.contains(number) || !matches!(board.phase, Phase::Over(_)));
    }
}

#[cfg(test)]
mod tests;
