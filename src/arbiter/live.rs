//! A match as spectators see it while it is played.
//!
//! Workers report moves to a [`LiveMatch`], whose state is JSON that is made at most four times a second for
//! any number of spectators. The cost of a move is a lock and a copy of a few words.

use super::config::MatchConfig;
use super::cup::Cup;
use super::report;
use super::standings::Standings;
use super::tournament;
use super::watch::Watch;
use crate::games::game::Start;
use crate::games::record::{GameRecord, Ply};
use crate::util::lang::Language;
use crate::util::sync::lock;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How old a state may be that is given out.
const FRESH: Duration = Duration::from_millis(250);
/// Finished games that the state lists.
const LISTED: usize = 200;

struct LiveGame {
    names: [String; 2],
    start: Start,
    plies: Vec<Ply>,
    clocks: [Option<u64>; 2],
    runs: bool,
    /// When the clocks showed that.
    since: Instant,
}

#[derive(Default)]
struct Shown {
    running: BTreeMap<usize, LiveGame>,
    finished: Vec<GameRecord>,
    standings: Option<Standings>,
    cup: Option<Cup>,
    is_over: bool,
}

pub struct LiveMatch {
    config: MatchConfig,
    shown: Mutex<Shown>,
    /// The state that was made last in each language, and when.
    made: Mutex<[Option<(Instant, Arc<str>)>; 2]>,
}

impl LiveMatch {
    /// A match before its first game; `earlier` are the games of an interrupted one.
    pub fn new(config: &MatchConfig, earlier: &[GameRecord]) -> Self {
        let live = Self { config: config.clone(), shown: Mutex::default(), made: Mutex::default() };
        let (outcome, _) = tournament::count(config, earlier);
        let shown = Shown {
            finished: earlier.to_vec(),
            standings: Some(outcome.standings),
            cup: outcome.cup,
            ..Shown::default()
        };
        *lock(&live.shown) = shown;
        live
    }

    /// A game has been counted.
    pub fn finished(&self, record: &GameRecord, standings: &Standings) {
        let mut shown = lock(&self.shown);
        shown.running.remove(&record.number);
        shown.finished.push(record.clone());
        shown.standings = Some(standings.clone());
        if self.config.format.ends_in_knockout() || self.config.play_off {
            shown.cup = tournament::count(&self.config, &shown.finished).0.cup;
        }
    }

    pub fn end(&self) {
        lock(&self.shown).is_over = true;
        *lock(&self.made) = [None, None];
    }

    /// What does not change: names, rules, words of the page.
    pub fn about(&self, language: Language) -> Value {
        let control = self.config.tc.to_string();
        json!({
            "event": self.config.event,
            "game": self.config.game.name(),
            "gameName": self.config.game.game().text(language),
            "conditions": report::conditions(&self.config, language),
            "control": control,
            "words": report::live_words(language),
            "hall": report::hall_words(language),
        })
    }

    /// The state as JSON: boards, clocks, standings, groups and bracket, finished games.
    pub fn state(&self, language: Language) -> Arc<str> {
        let mut both = lock(&self.made);
        let [english, chinese] = &mut *both;
        let made = language.pick(english, chinese);
        if let Some((at, text)) = made
            && at.elapsed() < FRESH
        {
            return Arc::clone(text);
        }
        let text: Arc<str> = self.make(language).to_string().into();
        *made = Some((Instant::now(), Arc::clone(&text)));
        text
    }

    fn make(&self, language: Language) -> Value {
        let shown = lock(&self.shown);
        let names: Vec<&str> = self.config.engines.iter().map(|e| e.name.as_str()).collect();
        let running = shown.running.iter().map(|(number, game)| {
            let last = |side: usize| {
                let plies = game.plies.iter().enumerate().rev();
                let mut scores =
                    plies.filter(|(i, ply)| !ply.book && i % 2 == side).map(|(_, ply)| &ply.thought);
                scores.next().and_then(|thought| Some((thought.score?.to_string(), thought.depth)))
            };
            let (kind, fen) = (self.config.game, game.start.fen.as_deref());
            let (files, texts) = report::texts(kind, fen, self.config.notation, &game.plies, language);
            json!({
                "n": number.saturating_add(1),
                "names": game.names,
                "fen": game.start.fen,
                "go": report::go_setup(game.start.rules.go.clone(), self.config.game),
                "moves": game.plies.iter().map(|ply| &ply.mv).collect::<Vec<_>>(),
                "last": texts.last(),
                "files": files,
                "clocks": game.clocks,
                "runs": game.runs,
                "ago": game.since.elapsed().as_millis() as u64,
                "scores": [last(0), last(1)],
            })
        });
        let running: Vec<Value> = running.collect();
        let finished = shown.finished.iter().rev().take(LISTED).map(|game| {
            json!([game.ordinal(), game.names, game.ending.result(), game.ending.text(language)])
        });
        let standings = shown.standings.as_ref();
        json!({
            "running": running,
            "count": shown.finished.len(),
            "finished": finished.collect::<Value>(),
            "result": standings.map(|standings| standings.result_line(&names, language)),
            "standings": standings.map(|standings| report::standings(&names, standings)),
            "sprt": self.config.sprt.as_ref().zip(standings).map(|(sprt, standings)| {
                let (lower, upper) = sprt.bounds();
                json!([sprt.llr(&standings.tally(0, 1)), lower, upper])
            }),
            "cup": shown.cup.as_ref().map(|cup| report::cup_json(cup, &names, language)),
            "over": shown.is_over,
        })
    }

    /// A finished game as JSON, by its number as people count. `None`: there is none.
    pub fn game(&self, ordinal: usize, language: Language) -> Option<String> {
        let shown = lock(&self.shown);
        let game = shown.finished.iter().find(|game| game.ordinal() == ordinal)?;
        Some(report::game(game, language).to_string())
    }
}

impl Watch for LiveMatch {
    fn begun(&self, number: usize, start: &Start, names: [String; 2], opening: &[Ply]) {
        let game = LiveGame {
            names,
            start: start.clone(),
            plies: opening.to_vec(),
            clocks: [None; 2],
            runs: false,
            since: Instant::now(),
        };
        lock(&self.shown).running.insert(number, game);
    }

    fn moved(&self, number: usize, ply: &Ply, clocks: [Option<u64>; 2]) {
        if let Some(game) = lock(&self.shown).running.get_mut(&number) {
            game.plies.push(ply.clone());
            (game.clocks, game.runs, game.since) = (clocks, true, Instant::now());
        }
    }

    fn clocks(&self, number: usize, clocks: [Option<u64>; 2], runs: bool) {
        if let Some(game) = lock(&self.shown).running.get_mut(&number) {
            (game.clocks, game.runs, game.since) = (clocks, runs, Instant::now());
        }
    }
}
