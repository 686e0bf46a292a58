//! A whole match: workers that play games, one place that counts them.

mod people;

use super::config::{Forfeit, MatchConfig};
use super::cup::Cup;
use super::fixture::Fixture;
use super::hall::Hall;
use super::play::{self, Conditions, Pairing, Participant};
use super::schedule::{Schedule, ScheduleStep};
use super::stall_watch::StallWatch;
use super::standings::Standings;
use super::stats::Decision;
use super::under_way::UnderWay;
use super::watch::Watch;
use crate::client::cancel::CancelToken;
use crate::client::player::{EngineSpec, GameSetup, Player, Tap};
use crate::game::Side;
use crate::games::openings::Openings;
use crate::games::record::{GameRecord, Reason};
use crate::message;
use crate::util::message::Message;
use crate::util::sync::lock;
use crossbeam::channel::{Sender, unbounded};
use people::Occupied;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

/// What happens in a match, for what shows or keeps it. Calls come from one thread, in order.
pub trait MatchObserver {
    fn watch(&self) -> Option<Arc<dyn Watch>> {
        None
    }
    fn hall(&self) -> Option<Arc<Hall>> {
        None
    }
    fn started(&mut self, fixture: &Fixture) {
        let _ = fixture;
    }
    /// A game is played once more: the manager stood still, so that the clocks are wrong.
    fn again(&mut self, number: usize) {
        let _ = number;
    }
    /// An engine said something about its options, or lacks one; each of its processes does.
    fn remarked(&mut self, engine: &str, remark: &Message);
    /// A game has ended. It has to be on disk when this returns, if it is to survive: then it is counted.
    /// # Errors
    /// Ends the match; the game does not count.
    fn keep(&mut self, record: &GameRecord) -> Result<(), Message> {
        let _ = record;
        Ok(())
    }
    /// The game has been counted.
    fn finished(&mut self, record: &GameRecord, standings: &Standings);
}

/// Makes a listener for the traffic of one engine in one game.
pub type MakeTap = Arc<dyn Fn(usize, &str) -> Arc<dyn Tap> + Send + Sync>;

/// How a match came to its end.
#[derive(Clone, Debug)]
pub struct MatchOutcome {
    pub standings: Standings,
    /// The result of the sequential test.
    pub decision: Decision,
    /// Games that count.
    pub games: usize,
    /// Who is left of a knockout.
    pub champion: Option<usize>,
    /// Groups, play-offs and knockout rounds, in a match that has them.
    pub cup: Option<Cup>,
    /// Whether it was halted before its end.
    pub interrupted: bool,
}

/// Games that an engine may lose by a crash or a stall, from its first on, before the match is given up.
const CRASHES: usize = 4;

/// What a trial start of an engine showed.
#[derive(Clone, Debug)]
pub enum Trial {
    /// The name it has for itself.
    Ready(String),
    /// Why it cannot play: it forfeits its games.
    Absent(Message),
}

impl Trial {
    /// Why it cannot play.
    fn absence(&self) -> Option<&Message> {
        match self {
            Self::Ready(_) => None,
            Self::Absent(why) => Some(why),
        }
    }

    /// The name it has for itself, if it has reported one.
    pub fn own_name(&self) -> &str {
        match self {
            Self::Ready(name) => name,
            Self::Absent(_) => "",
        }
    }
}

/// Starts every engine once, sets its options and prepares it for a game from `fen`, as its games will.
/// # Errors
/// Names the engine that cannot play, and what is wrong with it. In a match where absent engines forfeit
/// their games: only when no engine is left, or the third one cannot play.
pub fn try_engines(
    config: &MatchConfig,
    fen: Option<&str>,
    halt: &CancelToken,
    observer: &mut dyn MatchObserver,
) -> Result<Vec<Trial>, Message> {
    let mut attempt = |spec: &EngineSpec| {
        if spec.human {
            return Ok(Trial::Ready(String::new()));
        }
        let (sender, remarks) = unbounded();
        let mut player = Player::new(spec.clone(), config.game, config.patience);
        player.set_cancel(halt.clone());
        player.set_remarks(Arc::new(move |remark| drop(sender.send(remark.clone()))));
        let control = spec.tc.as_ref().unwrap_or(&config.tc);
        let setup = GameSetup { kind: config.game, rules: &config.rules, fen, control };
        let ready = player.new_game(&setup);
        for remark in remarks.try_iter() {
            observer.remarked(&spec.name, &remark);
        }
        // An engine that was cut short by the end of the match has shown nothing.
        let is_absent = config.forfeit.is_some() && !halt.is_cancelled();
        match ready {
            Ok(()) => Ok(Trial::Ready(player.own_name().unwrap_or_default().to_owned())),
            Err(fault) if is_absent => Ok(Trial::Absent(fault.detail)),
            Err(fault) => Err(blame(&spec.name, &fault.detail)),
        }
    };
    let trials: Vec<Trial> = config.engines.iter().map(&mut attempt).collect::<Result<_, _>>()?;
    let third = config.third.as_ref().map(&mut attempt).transpose()?;
    match (&third, &config.third, &trials[..], &config.engines[..]) {
        (Some(Trial::Absent(why)), Some(spec), ..) => Err(blame(&spec.name, why)),
        (_, _, [Trial::Absent(why), ..], [first, ..])
            if trials.iter().all(|trial| trial.absence().is_some()) =>
        {
            Err(blame(&first.name, why))
        }
        _ => Ok(trials),
    }
}

fn blame(name: &str, why: &Message) -> Message {
    message!("engine {name}: {why}" | "引擎 {name}：{why}", name, why)
}

/// Plays a match between engines that have been tried; `earlier` are the games of an interrupted one, already
/// kept.
/// # Errors
/// When a game cannot be set up, or the observer cannot go on.
pub fn run(
    config: &MatchConfig,
    openings: &Openings,
    trials: &[Trial],
    earlier: &[GameRecord],
    tap: Option<MakeTap>,
    halt: &CancelToken,
    observer: &mut dyn MatchObserver,
) -> Result<MatchOutcome, Message> {
    let mut state = State::new(config);
    for record in earlier {
        state.count(config, record);
    }
    // Losses that were kept are not held against an engine that has been mended since.
    state.crash_losses = vec![Some(0); config.engines.len()];
    if state.decision != Decision::Continue {
        halt.cancel();
    }
    let people = config.engines.iter().enumerate().filter(|(_, spec)| spec.human).map(|(index, _)| index);
    state.people = people.collect();
    let (state, changed) = (Mutex::new(state), Condvar::new());
    let shared = Shared { state, changed, halt, places: config.concurrency };
    let under_way = config.journal.as_deref().map(UnderWay::beside).map(Arc::new);
    let (watch, hall) = (observer.watch(), observer.hall());
    let conditions = Conditions { watch, hall, under_way: under_way.clone(), ..config.conditions() };
    let (sender, events) = unbounded();
    let stall_watch = StallWatch::default();
    let outcome = std::thread::scope(|scope| {
        // Without it no stop is noticed, and all else is as it was.
        let beats = || stall_watch.beat(halt);
        let _ = std::thread::Builder::new().spawn_scoped(scope, beats);
        for _ in 0..config.concurrency {
            let worker = MatchWorker {
                config,
                conditions: &conditions,
                openings,
                trials,
                tap: tap.clone(),
                shared: &shared,
                stall_watch: &stall_watch,
                events: sender.clone(),
            };
            if let Err(e) = std::thread::Builder::new().spawn_scoped(scope, move || worker.work(scope)) {
                let games = config.concurrency;
                let _ = sender.send(Event::Failed(message!(
                    "no thread for each of {games} games: {why}" | "没有给 {games} 局各一个线程：{why}",
                    games,
                    why = Message::from(e)
                )));
                break;
            }
        }
        drop(sender);
        let result = keep(config, &shared, &events, under_way.as_deref(), observer);
        // A match that was stopped was stopped before the last worker ran out of games.
        let halted = shared.is_over();
        shared.halt();
        result.map(|()| halted)
    });
    under_way.iter().for_each(|games| games.close());
    let halted = outcome?;
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(state.outcome(halted))
}

/// Counts the games of a match that were played elsewhere; gives the number of those that are still to be
/// played, as far as they are known, too.
pub fn count(config: &MatchConfig, games: &[GameRecord]) -> (MatchOutcome, usize) {
    let mut state = State::new(config);
    for record in games {
        state.count(config, record);
    }
    let mut missing = 0_usize;
    while let ScheduleStep::Play(_) = state.next() {
        missing = missing.saturating_add(1);
    }
    let outcome = state.outcome(missing > 0);
    (outcome, missing)
}

/// What a game is that lies beyond the end of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtraGame {
    /// One of another match.
    Reject,
    /// One more than were asked for: it counts.
    Accept,
}

/// The first game that the schedule of the match has otherwise. Where results decide who plays whom, it is
/// the schedule to which the results of these games lead, and nothing is known of what lies beyond.
pub fn stranger<'a>(
    config: &MatchConfig,
    games: &'a [GameRecord],
    extra: ExtraGame,
) -> Option<&'a GameRecord> {
    let mut state = State::new(config);
    games.iter().for_each(|game| state.count(config, game));
    let last = games.iter().map(|game| game.number).max()?;
    while state.schedule.fixture(last).is_none() && matches!(state.next(), ScheduleStep::Play(_)) {}
    let is_open = extra == ExtraGame::Accept || !config.format.is_fixed() || config.play_off;
    // Two players meet in every round: its number makes no difference.
    let two = config.engines.len() == 2;
    let is_planned = |game: &GameRecord| match state.schedule.fixture(game.number) {
        Some(f) => (f.pair, f.seats) == (game.pair, game.seats) && (two || f.round == game.round),
        None => is_open,
    };
    games.iter().find(|game| !is_planned(game))
}

enum Event {
    Started(Fixture),
    Again(usize),
    Remarked { engine: String, remark: Message },
    Finished(Box<GameRecord>),
    Failed(Message),
}

/// Counts games as they end, until all workers are done.
fn keep(
    config: &MatchConfig,
    shared: &Shared,
    events: &crossbeam::channel::Receiver<Event>,
    under_way: Option<&UnderWay>,
    observer: &mut dyn MatchObserver,
) -> Result<(), Message> {
    for event in events {
        match event {
            Event::Started(fixture) => observer.started(&fixture),
            Event::Again(number) => observer.again(number),
            Event::Remarked { engine, remark } => observer.remarked(&engine, &remark),
            Event::Failed(why) => return Err(why),
            // The result of an interrupted game is unknown: it is played again.
            Event::Finished(record) if record.ending.reason == Reason::Interrupted => {
                // Not by request: the system is out of resources.
                if !shared.is_over() {
                    return Err(record.ending.detail.clone());
                }
            }
            Event::Finished(record) => {
                observer.keep(&record)?;
                under_way.iter().for_each(|games| games.remove(record.number));
                let (standings, hopeless) = {
                    let mut state = shared.lock();
                    state.count(config, &record);
                    if state.decision != Decision::Continue {
                        shared.halt.cancel();
                    }
                    (state.standings.clone(), state.hopeless())
                };
                shared.changed.notify_all();
                observer.finished(&record, &standings);
                if let Some(engine) = hopeless.and_then(|index| config.engines.get(index)) {
                    let (name, why) = (&engine.name, &record.ending.detail);
                    return Err(message!(
                        "engine {name} lost all of its {CRASHES} games by crash or stall: {why}"
                            | "引擎 {name} 的 {CRASHES} 局都因程序终止或没有应答判负：{why}",
                        name,
                        why
                    ));
                }
            }
        }
    }
    Ok(())
}

struct State {
    schedule: Schedule,
    standings: Standings,
    finished: HashSet<usize>,
    decision: Decision,
    /// Games that each engine has lost by a crash or a stall; `None` once it has ended one otherwise.
    crash_losses: Vec<Option<usize>>,
    /// The players who are persons, the games that are played now, and those that wait for persons.
    people: HashSet<usize>,
    under_way: Vec<Fixture>,
    waiting: Vec<Fixture>,
}

impl State {
    fn new(config: &MatchConfig) -> Self {
        let mut standings = Standings::new(config.engines.len());
        standings.scoring = config.scoring;
        standings.in_pairs = config.plays_in_pairs();
        Self {
            schedule: Schedule::new(config.plan()),
            standings,
            finished: HashSet::new(),
            decision: Decision::Continue,
            crash_losses: vec![Some(0); config.engines.len()],
            people: HashSet::new(),
            under_way: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// What to do next. A player that sits a round out is given its points as soon as that is known.
    fn next(&mut self) -> ScheduleStep {
        let step = self.schedule.next(&self.standings, &self.finished);
        self.schedule.grant_byes(&mut self.standings);
        step
    }

    /// How the match ended; `halted`: before all of its games were played.
    fn outcome(self, halted: bool) -> MatchOutcome {
        MatchOutcome {
            interrupted: halted && self.decision == Decision::Continue,
            games: self.finished.len(),
            champion: self.schedule.champion(),
            cup: Cup::of(&self.schedule, &self.standings),
            decision: self.decision,
            standings: self.standings,
        }
    }

    /// An engine that has done nothing but crash.
    fn hopeless(&self) -> Option<usize> {
        self.crash_losses.iter().position(|games| games.is_some_and(|n| n >= CRASHES))
    }

    fn count(&mut self, config: &MatchConfig, record: &GameRecord) {
        if !self.finished.insert(record.number) {
            return;
        }
        if let Some(half_points) = record.ending.half_points(Side::First) {
            match record.ending.reason {
                Reason::Forfeit => self.standings.add_forfeited(&Fixture::of(record), half_points),
                _ => self.standings.add(&Fixture::of(record), half_points),
            }
        }
        if record.ending.reason == Reason::Forfeit {
            let present = record.ending.winner;
            let absent = [Side::First, Side::Second].into_iter().filter(|&side| Some(side) != present);
            absent.for_each(|side| self.standings.stayed_away(record.round, *side.of(&record.seats)));
        }
        if let (Some(Forfeit::TwoPoints), Reason::Forfeit, Some(winner)) =
            (config.forfeit, record.ending.reason, record.ending.winner)
        {
            // A win's third point.
            self.standings.deduct(record.round, *winner.of(&record.seats), 2);
        }
        for side in [Side::First, Side::Second] {
            let own = matches!(record.ending.reason, Reason::Crash | Reason::Stall)
                && record.ending.winner == Some(side.other());
            if let Some(count) = self.crash_losses.get_mut(*side.of(&record.seats)) {
                *count = count.filter(|_| own).map(|n| n.saturating_add(1));
            }
        }
        // A part of a match decides nothing, and games that end after the decision change nothing.
        let is_open = config.shard.is_whole() && self.decision == Decision::Continue;
        if let Some(sprt) = config.sprt.as_ref().filter(|_| is_open) {
            self.decision = sprt.decide(&self.standings.tally(0, 1));
        }
    }
}

struct Shared<'a> {
    state: Mutex<State>,
    /// A game was counted, or the match is over.
    changed: Condvar,
    /// Set when the match is over: no further move is started.
    halt: &'a CancelToken,
    /// Games played at the same time. A game that is resumed may be one more.
    places: usize,
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn is_over(&self) -> bool {
        self.halt.is_cancelled()
    }

    fn halt(&self) {
        self.halt.cancel();
        self.changed.notify_all();
    }

    fn wait<'b>(&self, guard: MutexGuard<'b, State>) -> MutexGuard<'b, State> {
        let waited = self.changed.wait_timeout(guard, std::time::Duration::from_millis(200));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// The next game for a worker; blocks while that depends on games being played.
    fn next(&self) -> Option<Fixture> {
        let mut guard = self.lock();
        loop {
            if self.is_over() {
                return None;
            }
            if guard.under_way.len() < self.places {
                match guard.next_free() {
                    ScheduleStep::Play(fixture) => return Some(fixture),
                    ScheduleStep::Done => return None,
                    ScheduleStep::Wait => {}
                }
            }
            guard = self.wait(guard);
        }
    }
}

#[derive(Clone)]
struct MatchWorker<'a> {
    config: &'a MatchConfig,
    conditions: &'a Conditions,
    openings: &'a Openings,
    trials: &'a [Trial],
    tap: Option<MakeTap>,
    shared: &'a Shared<'a>,
    stall_watch: &'a StallWatch,
    events: Sender<Event>,
}

/// How often a game is played again because the manager stood still. A machine on which it always does has no
/// better games.
const REPLAYS: usize = 3;

impl MatchWorker<'_> {
    fn work<'scope>(&self, scope: &'scope Scope<'scope, '_>)
    where
        Self: 'scope,
    {
        let replace = || {
            let worker = self.clone();
            // Without it the other games wait.
            let _ = std::thread::Builder::new().spawn_scoped(scope, move || worker.work(scope));
        };
        let mut players: HashMap<usize, Player> = HashMap::new();
        let mut third = self.config.third.clone().map(|spec| self.player(spec));
        while let Some(fixture) = self.shared.next() {
            // Engines of other encounters would only fill the memory.
            players.retain(|index, _| fixture.seats.contains(index));
            let place = Occupied { shared: self.shared, fixture, replace: &replace };
            let _ = self.events.send(Event::Started(fixture));
            let event = match self.play_undisturbed(&place, &mut players, third.as_mut()) {
                Ok(record) => Event::Finished(Box::new(record)),
                Err(why) => Event::Failed(why),
            };
            if self.events.send(event).is_err() {
                return;
            }
        }
    }

    /// The engine in a seat.
    #[allow(clippy::indexing_slicing, reason = "the schedule seats the engines of the match")]
    fn spec(&self, index: usize) -> &EngineSpec {
        &self.config.engines[index]
    }

    fn player(&self, spec: EngineSpec) -> Player {
        let (events, name) = (self.events.clone(), spec.name.clone());
        let mut player = Player::new(spec, self.config.game, self.config.patience);
        player.set_cancel(self.shared.halt.clone());
        player.set_remarks(Arc::new(move |remark| {
            // Nothing receives remarks once the match has failed.
            let _ = events.send(Event::Remarked { engine: name.clone(), remark: remark.clone() });
        }));
        player
    }

    /// Plays a game, and once more if the manager stood still meanwhile and that could have decided it.
    fn play_undisturbed(
        &self,
        place: &Occupied,
        players: &mut HashMap<usize, Player>,
        mut third: Option<&mut Player>,
    ) -> Result<GameRecord, Message> {
        let fixture = place.fixture;
        let is_timed =
            fixture.seats.iter().any(|&i| self.spec(i).tc.as_ref().unwrap_or(&self.config.tc).is_timed());
        for _ in 0..REPLAYS {
            let stops = self.stall_watch.stops();
            let record = self.play(place, players, third.as_deref_mut())?;
            let reason = record.ending.reason;
            // A person does not play a game twice.
            let has_people = fixture.seats.iter().any(|&i| self.spec(i).human);
            let is_touched = !has_people && is_timed || matches!(reason, Reason::Stall | Reason::Time);
            if self.stall_watch.stops() == stops || !is_touched || reason == Reason::Interrupted {
                return Ok(record);
            }
            let _ = self.events.send(Event::Again(fixture.number));
            self.conditions.under_way.iter().for_each(|games| games.remove(fixture.number));
        }
        self.play(place, players, third)
    }

    fn play(
        &self,
        place: &Occupied,
        players: &mut HashMap<usize, Player>,
        mut third: Option<&mut Player>,
    ) -> Result<GameRecord, Message> {
        let fixture = place.fixture;
        let pairing = Pairing {
            number: fixture.number,
            round: fixture.round,
            pair: fixture.pair,
            opening: self.openings.of_pair(fixture.pair),
            deciding: fixture.deciding,
        };
        let absent = fixture.seats.map(|index| self.trials.get(index).and_then(Trial::absence));
        if absent.iter().any(Option::is_some) {
            let players = fixture.seats.map(|index| (index, self.spec(index)));
            return Ok(play::forfeit(self.conditions, pairing, players, absent));
        }
        let mut taken = fixture.seats.map(|index| {
            let mut player = players.remove(&index).unwrap_or_else(|| self.player(self.spec(index).clone()));
            player.set_tap(self.tap.as_ref().map(|make| make(fixture.number, &self.spec(index).name)));
            player
        });
        if let Some(third) = &mut third {
            let name = self.config.third.as_ref().map_or("", |spec| &spec.name);
            third.set_tap(self.tap.as_ref().map(|make| make(fixture.number, name)));
        }
        let [first, second] = &mut taken;
        let seats = [
            Participant { player: first, spec: self.spec(fixture.seats[0]), index: fixture.seats[0] },
            Participant { player: second, spec: self.spec(fixture.seats[1]), index: fixture.seats[1] },
        ];
        let record = play::play(self.conditions, pairing, seats, third, place, &|| self.shared.is_over());
        players.extend(fixture.seats.into_iter().zip(taken));
        record
    }
}

#[cfg(test)]
mod tests;
