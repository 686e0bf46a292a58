//! UCCI 3.0: xiangqi.
//!
//! Times are in seconds until the client sets `usemillisec`. Moves are ICCS coordinates, files `a` to
//! `i`, ranks 0 to 9.
//!
//! Source: the protocol text 3.0 of December 2004, revised in November 2007.

mod parse;
mod settings;
#[cfg(test)]
mod tests;

use super::io::Reflex;
use super::words::{GUESSED, Position, shorten};
use super::{Dialect, Host, State, options};
use crate::engine::{
    BestMove, Bound, Event, GameId, HashProbe, Info, Notation, OptionKind, PositionSpec, Score,
};
use parse::{Go, Request};
use settings::{Effect, Setting};

/// What a mate on the board is worth: one less for each ply until it. Other scores stay below
/// [`MAX_SCORE`].
const MATE: i32 = 10_000;
const MAX_SCORE: i32 = 9_000;

/// Whether `line` opens a session.
pub fn opens(line: &str) -> bool {
    matches!(line.split_ascii_whitespace().next(), Some("ucci" | "banmoves" | "probe" | "setoption"))
}

/// A UCCI session.
#[derive(Default)]
pub struct Ucci {
    started: bool,
    milliseconds: bool,
    batch: bool,
    debug: bool,
    ban_moves: Vec<String>,
    /// A `position` that came while searching: it takes effect when the search has ended.
    pending: Option<Position>,
    /// The last `position` was refused: there is nothing to search.
    refused: bool,
    /// Several variations are told.
    multipv: bool,
    /// The running search was started as infinite.
    infinite: bool,
    /// The running search ends only when told to.
    endless: bool,
    /// The running search answers a draw offer.
    answers_offer: bool,
    /// The last best move offered a draw.
    offered: bool,
}

impl Ucci {
    fn identify(host: &mut dyn Host) {
        host.send("id name Sanqi");
        host.send(concat!("id version ", env!("CARGO_PKG_VERSION")));
        host.send("id copyright MIT OR Apache-2.0");
        host.send("id author the Sanqi authors");
        host.send("id user unknown");
        for line in settings::all(&host.options()).iter().filter_map(settings::line) {
            host.send(&line);
        }
        host.send("ucciok");
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) {
        self.settle(host);
        let specs = host.options();
        let problem = match settings::find(&specs, name, value) {
            Some(setting) => self.apply(&setting, value, host).err(),
            // An option that is not known is passed over in silence, as the text asks.
            None if options::translate(name, value).is_some() => host.set_option(name, value).err(),
            None => self.debug.then(|| format!("no such option: {}", shorten(name))),
        };
        if let Some(problem) = problem {
            say(host, &problem);
        }
    }

    /// # Errors
    /// The value is not of the option's kind, or a search is running.
    fn apply(&mut self, setting: &Setting, value: &str, host: &mut dyn Host) -> Result<(), String> {
        if let Some(name) =
            settings::target(setting.effect).filter(|name| options::translate(name, value).is_some())
        {
            return host.set_option(name, value);
        }
        let value = options::check(&setting.spec, value).map_err(|e| e.to_string())?;
        let on = value == "true";
        match (setting.effect, setting.spec.name) {
            (Effect::Dialect, settings::USEMILLISEC) => self.milliseconds = on,
            (Effect::Dialect, settings::BATCH) => self.batch = on,
            (Effect::Dialect, settings::DEBUG) => self.debug = on,
            (Effect::Dialect, _) if on => return Err("soldiers do not promote in these rules".to_owned()),
            (Effect::NewGame, _) => {
                if host.state() != State::Idle {
                    return Err("newgame is refused while searching".to_owned());
                }
                self.offered = false;
                host.engine().new_game();
            }
            (effect, _) => {
                let specs = host.options();
                let target = settings::target(effect).and_then(|name| options::find(&specs, name).ok());
                if let Some(spec) = target {
                    self.multipv = if spec.name == "MultiPV" { value != "1" } else { self.multipv };
                    return host.set_option(spec.name, &engine_value(effect, &value, &spec.kind));
                }
            }
        }
        Ok(())
    }

    fn position(&mut self, position: Result<Position, String>, host: &mut dyn Host) {
        match position {
            Err(problem) => {
                self.refused = true;
                say(host, &problem);
            }
            Ok(position) if self.settle(host) => self.set_position(&position, host),
            Ok(position) => self.pending = Some(position),
        }
    }

    fn set_position(&mut self, position: &Position, host: &mut dyn Host) {
        self.ban_moves.clear();
        let result = host.engine().set_position(&spec(position));
        self.refused = result.is_err();
        if let Err(problem) = result {
            say(host, &format!("position: {problem}"));
        }
    }

    fn go(&mut self, go: &Go, host: &mut dyn Host) {
        if !self.settle(host) {
            say(host, "go is refused: a search is running (send stop first)");
            return;
        }
        for problem in &go.problems {
            say(host, problem);
        }
        if self.refused {
            say(host, "go: there is no position, the last one was refused");
            host.send("nobestmove");
            return;
        }
        if go.depth.is_some_and(|depth| depth <= 0) && !go.infinite {
            let score = host.engine().static_evaluation();
            host.send(&format!("info depth 0 score {}", score.clamp(-MAX_SCORE, MAX_SCORE)));
            host.send("nobestmove");
            return;
        }
        let limits = go.limits(if self.milliseconds { 1 } else { 1000 }, &self.ban_moves);
        if limits.movetime.is_some() && go.movetime.is_none() {
            say(host, GUESSED);
        }
        self.infinite = limits.infinite;
        self.endless = limits.infinite || limits.ponder;
        self.answers_offer = limits.draw_offered;
        if let Err(problem) = host.go(limits) {
            say(host, &format!("go: {problem}"));
            // Every `go` is answered.
            host.send("nobestmove");
        }
    }

    fn probe(position: Result<Position, String>, host: &mut dyn Host) {
        let found = position.and_then(|position| host.engine().probe(&spec(&position)));
        match found {
            Ok(probe) => host.send(&pop_hash(&probe.unwrap_or_default())),
            Err(problem) => {
                say(host, &format!("probe: {problem}"));
                host.send("pophash");
            }
        }
    }

    /// Waits for the end of a search that has been told to stop; false when one goes on.
    fn settle(&mut self, host: &mut dyn Host) -> bool {
        if host.state() == State::Stopping {
            self.drain(host);
        }
        host.state() == State::Idle
    }

    fn drain(&mut self, host: &mut dyn Host) {
        while let Some(event) = host.next_event() {
            self.event(&event, host);
        }
    }

    /// `bestmove .. [ponder ..] [draw|resign]`. Two offers of a draw in a row are none of a good sport;
    /// a draw that answers the opponent's offer is no offer.
    fn best_move(&mut self, best: &BestMove) -> String {
        let Some(mv) = &best.mv else { return "nobestmove".to_owned() };
        let draw = best.draw && (self.answers_offer || !self.offered);
        self.offered = draw;
        let ponder = best.ponder.as_ref().map(|mv| format!(" ponder {mv}")).unwrap_or_default();
        let remark = if best.resign {
            " resign"
        } else if draw {
            " draw"
        } else {
            ""
        };
        format!("bestmove {mv}{ponder}{remark}")
    }
}

/// The value for the engine option behind a UCCI option.
fn engine_value(effect: Effect, value: &str, kind: &OptionKind) -> String {
    match (effect, kind) {
        (Effect::EngineOrDefault(_), OptionKind::Spin { default, .. }) if value == "0" => default.to_string(),
        (Effect::Threads(_), OptionKind::Spin { min, max, .. }) if value == "0" => {
            let processors = std::thread::available_parallelism().map_or(1, usize::from);
            i64::try_from(processors).unwrap_or(*max).clamp(*min, *max).to_string()
        }
        (Effect::Words(_, words), _) => {
            let number = words.iter().find(|(word, _)| *word == value).map_or(value, |(_, number)| number);
            number.to_owned()
        }
        _ => value.to_owned(),
    }
}

fn spec(position: &Position) -> PositionSpec {
    let Position { fen, moves } = position.clone();
    PositionSpec { fen, moves, notation: Notation::Coordinate }
}

/// `info message ..`.
fn say(host: &mut dyn Host, text: &str) {
    host.send(&format!("info message {}", shorten(text)));
}

/// A score as one number.
fn score(score: Score) -> i32 {
    match score {
        Score::Centipawns(cp) => cp.clamp(-MAX_SCORE, MAX_SCORE),
        Score::Mate(moves) if moves > 0 => MATE - moves.min(400) * 2 + 1,
        Score::Mate(moves) => -MATE - moves.max(-400) * 2,
    }
}

/// Two lines for an iteration, as the text has them, with the speed besides. It has no bounds: they are not
/// told. Several variations are numbered as in UCI. In debug mode a message says what else there is to know.
fn send_info(info: &Info, several: bool, debug: bool, host: &mut dyn Host) {
    if info.bound != Bound::Exact || (info.multipv > 1 && !several) {
        return;
    }
    let (time, nodes, nps) = (info.time.as_millis(), info.nodes, info.nodes_per_second());
    host.send(&format!("info time {time} nodes {nodes} nps {nps}"));
    let number = if several { format!(" multipv {}", info.multipv) } else { String::new() };
    let mut line = format!("info depth {}{number} score {}", info.depth, score(info.score));
    if !info.pv.is_empty() {
        line += " pv ";
        line += &info.pv.join(" ");
    }
    host.send(&line);
    if debug {
        say(host, &format!("seldepth {}, {} permille of the table", info.seldepth, info.hashfull));
    }
}

/// `pophash [bestmove m] [lowerbound b depth d] [upperbound a depth d]`.
fn pop_hash(probe: &HashProbe) -> String {
    let mut line = "pophash".to_owned();
    if let Some(mv) = &probe.best_move {
        line += &format!(" bestmove {mv}");
    }
    if let Some((bound, depth)) = probe.lower {
        line += &format!(" lowerbound {bound} depth {depth}");
    }
    if let Some((bound, depth)) = probe.upper {
        line += &format!(" upperbound {bound} depth {depth}");
    }
    line
}

impl Dialect for Ucci {
    fn name(&self) -> &'static str {
        "ucci"
    }

    fn line(&mut self, line: &str, host: &mut dyn Host) {
        if !self.started {
            self.started = true;
            host.select_game(GameId::Xiangqi);
        }
        match parse::parse(line) {
            Request::Identify => Self::identify(host),
            Request::IsReady => host.send("readyok"),
            Request::SetOption { name, value } => self.set_option(&name, &value, host),
            Request::Position(position) => self.position(position, host),
            Request::BanMoves(moves) if self.settle(host) => self.ban_moves = moves,
            Request::BanMoves(_) => say(host, "banmoves is refused while searching"),
            Request::Go(go) => self.go(&go, host),
            Request::PonderHit { draw } => {
                self.answers_offer |= draw;
                self.endless = self.infinite;
                host.ponder_hit(draw);
            }
            Request::Stop => host.stop(),
            Request::Probe(position) => Self::probe(position, host),
            Request::Quit => {
                host.stop();
                self.drain(host);
                host.send("bye");
                host.quit();
            }
            Request::Unknown if host.is_interactive() || self.debug => {
                say(host, &format!("unknown command: {line}"));
            }
            Request::Unknown | Request::Empty => (),
        }
    }

    fn event(&mut self, event: &Event, host: &mut dyn Host) {
        match event {
            Event::Info(info) => send_info(info, self.multipv, self.debug, host),
            Event::CurrentMove(mv, _) => {
                host.send(&format!("info currmove {mv}"));
            }
            Event::Message(text) => say(host, text),
            Event::Analysis(_) => (),
            Event::BestMove(best) => {
                let line = self.best_move(best);
                host.send(&line);
                if let Some(position) = self.pending.take() {
                    self.set_position(&position, host);
                }
            }
        }
    }

    fn waits_for_search(&self) -> bool {
        // A search without an end of its own can only be ended by input.
        self.batch && !self.endless
    }

    fn reflex(&self) -> fn(&str) -> Reflex {
        if self.batch { parse::reflex_in_batch } else { parse::reflex }
    }

    fn works_through_input(&self) -> bool {
        self.batch
    }

    fn input_ended(&mut self, host: &mut dyn Host) {
        if !self.waits_for_search() {
            host.stop();
        }
    }
}
