//! What UCI and UCCI have in common: positions are set up, searched, and searches are stopped.
//!
//! A [`Language`] translates: lines into [`Command`]s, events into lines. It remembers what the client has chosen, and
//! nothing of what runs. What runs is the host's; what waits for its end, and what was refused, is known here.

use super::go::Go;
use super::io::FastAction;
use super::words::{GUESSED, Position, shorten};
use super::{Dialect, Host, State};
use crate::engine::{BestMove, Event, GameId, HashProbe, Info, Limits};

/// One line of input.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Who are you, and which options do you have?
    Identify,
    /// Are you there?
    IsReady,
    /// Sets an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, as it was sent.
        value: String,
    },
    /// More messages, or fewer.
    Debug(bool),
    /// Earlier games are over.
    NewGame,
    /// A position, or why it cannot be read.
    Position(Result<Position, String>),
    /// Root moves that are forbidden, until the next position.
    BanMoves(Vec<String>),
    /// A search.
    Go(Go),
    /// The expected move was played, and a draw offered with it or not.
    PonderHit {
        /// A draw was offered.
        draw: bool,
    },
    /// The search is to end.
    Stop,
    /// What does the table know of this position?
    Probe(Result<Position, String>),
    /// The session is to end.
    Quit,
    /// Not part of a protocol, but understood by many engines.
    Extension(super::extras::Extension),
    /// A command that needs no answer.
    Ignored,
    /// Nothing in it is a command.
    Unknown,
    /// An empty line.
    Empty,
}

/// One protocol of the kind: how lines are read and written, and what the client has chosen of that.
pub trait Language: Send {
    /// Its name.
    const NAME: &'static str;
    /// What it calls the command that begins a new game.
    const NEW_GAME: &'static str;
    /// A search to no depth asks for the static evaluation.
    const DEPTH_ZERO_EVALUATES: bool;
    /// Said last, if anything is.
    const FAREWELL: Option<&'static str>;

    /// The game to begin with.
    fn first_game(&self) -> GameId;
    /// Reads one line.
    fn parse(&self, line: &str) -> Command;
    /// What a line does to a running search the moment it arrives.
    fn fast_action(&self) -> fn(&str) -> FastAction;
    /// Whether input is left unread while thinking.
    fn works_through_input(&self) -> bool {
        false
    }
    /// Whether more is told.
    fn debug(&mut self) -> &mut bool;
    /// The answer to [`Command::Identify`].
    fn identify(&self, host: &mut dyn Host);
    /// Sets an option; true when it asks for a new game.
    /// # Errors
    /// What is wrong with it.
    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<bool, String>;
    /// Forgets what concerns the game that is over.
    fn new_game(&mut self) {}
    /// Sets up a position.
    /// # Errors
    /// As [`Engine::set_position`](crate::engine::Engine::set_position).
    fn set_position(&mut self, position: &Position, host: &mut dyn Host) -> Result<(), String>;
    /// The position of a probe, in the engine's terms.
    fn probe(&self, position: &Position) -> crate::engine::PositionSpec;
    /// Which clock of a `go` is that of `side` (0 the first, 1 the second), and how many milliseconds it counts by.
    fn clock(&self, side: usize) -> (usize, i64);

    /// A remark for people.
    fn message(&self, text: &str) -> String;
    /// A variation of an iteration.
    fn info(&self, info: &Info) -> Vec<String>;
    /// The root move being searched.
    fn current_move(&self, mv: &str, number: u32) -> String;
    /// The end of a search, in which the opponent has offered a draw or not.
    fn best_move(&mut self, best: &BestMove, offered: bool) -> String;
    /// The static evaluation, in centipawns.
    fn static_evaluation(&self, score: i32) -> Vec<String>;
    /// What the table knows.
    fn pop_hash(&self, probe: &HashProbe) -> String;
}

/// A session in a language.
#[derive(Default)]
pub struct Conversation<L> {
    pub(super) language: L,
    /// The host has been told which game to play.
    started: bool,
    /// A position that came while searching: it takes effect when the search has ended.
    pending: Option<Position>,
    /// The last position was refused: there is nothing to search.
    refused: bool,
    /// Root moves that are forbidden.
    ban_moves: Vec<String>,
    /// The opponent has offered a draw, and the running search answers.
    offered: bool,
}

impl<L: Language> Conversation<L> {
    /// A session that begins.
    pub fn new(language: L) -> Self {
        Self {
            language,
            started: false,
            pending: None,
            refused: false,
            ban_moves: Vec::new(),
            offered: false,
        }
    }

    fn say(&self, text: &str, host: &mut dyn Host) {
        host.send(&self.language.message(text));
    }

    /// Clients send `stop` and, without waiting for the best move, what they want next. Waits for the end of a search
    /// that has been told to stop; false when one goes on.
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

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) {
        self.settle(host);
        match self.language.set_option(name, value, host) {
            Ok(false) => (),
            Ok(true) => self.new_game(host),
            Err(problem) => self.say(&problem, host),
        }
    }

    fn new_game(&mut self, host: &mut dyn Host) {
        if self.settle(host) {
            self.language.new_game();
            host.engine().new_game();
        } else {
            self.say(&format!("{} is refused while searching", L::NEW_GAME), host);
        }
    }

    fn position(&mut self, position: Result<Position, String>, host: &mut dyn Host) {
        match position {
            Err(problem) => {
                self.refused = true;
                self.say(&problem, host);
            }
            Ok(position) if self.settle(host) => self.set_position(&position, host),
            Ok(position) => self.pending = Some(position),
        }
    }

    fn set_position(&mut self, position: &Position, host: &mut dyn Host) {
        self.ban_moves.clear();
        let result = self.language.set_position(position, host);
        self.refused = result.is_err();
        if let Err(problem) = result {
            self.say(&format!("position: {problem}"), host);
        }
    }

    /// Every `go` that is not refused has one answer.
    fn go(&mut self, go: &Go, host: &mut dyn Host) {
        if !self.settle(host) {
            return self.say("go is refused: a search is running (send stop first)", host);
        }
        for problem in &go.problems {
            self.say(problem, host);
        }
        if let Some(depth) = go.perft {
            let depth = u32::try_from(depth).unwrap_or(0);
            return self
                .run(|this, host| super::extras::perft(depth, &|text| this.message(text), host), host);
        }
        if self.refused {
            return self.cannot_go("there is no position, the last one was refused", host);
        }
        if L::DEPTH_ZERO_EVALUATES && !go.infinite && go.depth.is_some_and(|depth| depth <= 0) {
            let score = host.engine().static_evaluation();
            self.language.static_evaluation(score).iter().for_each(|line| host.send(line));
            return;
        }
        let side = host.engine().side_to_move().index();
        let (own, unit) = self.language.clock(side);
        let limits = Limits { ban_moves: self.ban_moves.clone(), ..go.limits(own, unit) };
        if limits.movetime.is_some() && go.movetime.is_none() {
            self.say(GUESSED, host);
        }
        self.offered = limits.draw_offered;
        if let Err(problem) = host.go(limits) {
            self.cannot_go(&problem, host);
        }
    }

    fn cannot_go(&mut self, why: &str, host: &mut dyn Host) {
        self.say(&format!("go: {why}"), host);
        let line = self.language.best_move(&BestMove::default(), false);
        host.send(&line);
    }

    fn run(&self, extra: impl FnOnce(&L, &mut dyn Host), host: &mut dyn Host) {
        extra(&self.language, host);
    }

    fn probe(&self, position: Result<Position, String>, host: &mut dyn Host) {
        let found = position.and_then(|position| host.engine().probe(&self.language.probe(&position)));
        let found = found.unwrap_or_else(|problem| {
            self.say(&format!("probe: {problem}"), host);
            None
        });
        host.send(&self.language.pop_hash(&found.unwrap_or_default()));
    }

    fn unknown(&mut self, line: &str, host: &mut dyn Host) {
        if host.is_interactive() {
            host.send(&format!("Unknown command: {}. Type help for help.", shorten(line)));
        } else if *self.language.debug() {
            self.say(&format!("unknown command: {line}"), host);
        }
    }
}

impl<L: Language> Dialect for Conversation<L> {
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn line(&mut self, line: &str, host: &mut dyn Host) {
        if !self.started {
            self.started = true;
            host.select_game(self.language.first_game());
        }
        match self.language.parse(line) {
            Command::Identify => self.language.identify(host),
            Command::IsReady => host.send("readyok"),
            Command::SetOption { name, value } => self.set_option(&name, &value, host),
            Command::Debug(on) => *self.language.debug() = on,
            Command::NewGame => self.new_game(host),
            Command::Position(position) => self.position(position, host),
            Command::BanMoves(moves) if self.settle(host) => self.ban_moves = moves,
            Command::BanMoves(_) => self.say("banmoves is refused while searching", host),
            Command::Go(go) => self.go(&go, host),
            Command::PonderHit { draw } => {
                self.offered |= draw;
                host.ponder_hit(draw);
            }
            Command::Stop => host.stop(),
            Command::Probe(position) => self.probe(position, host),
            Command::Quit => {
                host.stop();
                self.drain(host);
                L::FAREWELL.iter().for_each(|line| host.send(line));
                host.quit();
            }
            Command::Extension(extension) => {
                if self.settle(host) {
                    self.run(|this, host| extension.run(&|text| this.message(text), host), host);
                } else {
                    self.say("not while searching", host);
                }
            }
            Command::Unknown => self.unknown(line, host),
            Command::Ignored | Command::Empty => (),
        }
    }

    fn event(&mut self, event: &Event, host: &mut dyn Host) {
        match event {
            Event::Info(info) => self.language.info(info).iter().for_each(|line| host.send(line)),
            Event::CurrentMove(mv, number) => host.send(&self.language.current_move(mv, *number)),
            Event::Message(text) => self.say(text, host),
            Event::Analysis(_) => (),
            Event::BestMove(best) => {
                let line = self.language.best_move(best, self.offered);
                host.send(&line);
                if let Some(position) = self.pending.take() {
                    self.set_position(&position, host);
                }
            }
        }
    }

    fn fast_action(&self) -> fn(&str) -> FastAction {
        self.language.fast_action()
    }

    fn works_through_input(&self) -> bool {
        self.language.works_through_input()
    }

    fn input_ended(&mut self, host: &mut dyn Host) {
        // Where all input is worked through, the search has some time left.
        if !self.works_through_input() || host.is_endless() {
            host.stop();
        }
    }
}
