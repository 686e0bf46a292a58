//! What UCI and UCCI have in common: positions are set up, searched, and searches are stopped.
//!
//! A [`Language`] translates: lines into [`Command`]s, events into lines. It remembers the client's
//! choices; the host knows what runs, what waits for its end and what was refused.

use super::go::Go;
use super::io::FastAction;
use super::words::{PositionCommand, guessed, shorten};
use super::{Dialect, Host, State, options};
use crate::clock::lag::LagMeter;
use crate::engine::{BestMove, Event, GameId, HashProbe, Info, Limits, OptionSpec};
use crate::message;
use crate::util::message::Message;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Asks for the name and the options.
    Identify,
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    /// Turns debug messages on or off.
    Debug(bool),
    NewGame,
    /// A position, or the reason why it cannot be read.
    Position(Result<PositionCommand, Message>),
    /// Root moves that are forbidden, until the next position.
    BanMoves(Vec<String>),
    Go(Go),
    /// The expected move was played; whether a draw was offered with it.
    PonderHit {
        draw: bool,
    },
    Stop,
    /// Asks for the entry of a position in the transposition table.
    Probe(Result<PositionCommand, Message>),
    Quit,
    /// A command beyond the protocols that many engines understand.
    Extension(super::extras::Extension),
    /// Asks what an option does, or for all options.
    HelpOption(String),
    /// A command that needs no answer.
    Ignored,
    Unknown,
    Empty,
}

/// One protocol of the kind: how lines are read and written, and what the client has chosen of that.
pub(super) trait Language: Send {
    /// Its command that begins a new game.
    const NEW_GAME: &'static str;
    /// A search to no depth asks for the static evaluation.
    const DEPTH_ZERO_EVALUATES: bool;
    /// The form of a remark for people.
    const REMARK: fn(&str) -> String;
    const HELP: &[&str];
    /// The last line to a client that quits, if the protocol has one.
    const FAREWELL: Option<&'static str>;

    fn first_game(&self) -> GameId;
    fn parse(&self, line: &str) -> Command;
    /// The effect of a line on a running search at the moment it arrives.
    fn fast_action(&self) -> fn(&str) -> FastAction;
    /// Whether input is left unread while thinking.
    fn works_through_input(&self) -> bool {
        false
    }
    /// Whether debug messages are sent.
    fn debug(&mut self) -> &mut bool;
    /// The session begins, its game is chosen.
    fn begin(&mut self, _host: &mut dyn Host) {}
    /// The options that are declared, with the names that the protocol has for them.
    fn declared(&self, host: &mut dyn Host) -> Vec<(String, OptionSpec)>;
    /// The answer to [`Command::HelpOption`].
    fn help_option(&self, name: &str, host: &mut dyn Host) -> String {
        options::help(name, &self.declared(host))
    }
    /// The answer to [`Command::Identify`].
    fn identify(&self, host: &mut dyn Host);
    /// Sets an option; true when it asks for a new game.
    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<bool, Message>;
    fn set_position(&mut self, position: &PositionCommand, host: &mut dyn Host) -> Result<(), Message>;
    /// Which clock of a `go` is that of `side` (0 the first, 1 the second), and how many milliseconds it
    /// counts by.
    fn clock(&self, side: usize) -> (usize, i64);

    fn message(&self, remark: &Message) -> String {
        (Self::REMARK)(&remark.to_string())
    }
    fn info(&self, info: &Info) -> Vec<String>;
    /// The root move being searched.
    fn current_move(&self, mv: &str, number: u32) -> String;
    fn best_move(&self, best: &BestMove) -> String;
    fn static_evaluation(&self, score: i32) -> Vec<String>;
    fn pop_hash(&self, probe: &HashProbe) -> String;
}

#[derive(Default)]
pub struct Conversation<L> {
    pub(super) language: L,
    ban_moves: Vec<String>,
    /// The last position was refused: there is nothing to search.
    position_refused: bool,
    /// A position that came while searching, to be set up when the search has ended. A later one takes its
    /// place.
    deferred: Option<String>,
    lag: LagMeter,
}

impl<L: Language> Conversation<L> {
    pub fn new(language: L) -> Self {
        Self {
            language,
            ban_moves: Vec::new(),
            position_refused: false,
            deferred: None,
            lag: LagMeter::default(),
        }
    }

    fn say(&self, remark: &Message, host: &mut dyn Host) {
        host.send(&self.language.message(remark));
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) {
        let game = host.game();
        let set = self.language.set_option(name, value, host);
        // Another game begins at its start.
        self.position_refused &= host.game() == game;
        match set {
            Ok(false) => (),
            Ok(true) => self.new_game(host),
            Err(problem) => self.say(&problem, host),
        }
    }

    fn new_game(&mut self, host: &mut dyn Host) {
        if is_idle(host) {
            host.engine().new_game();
            self.lag = LagMeter::default();
        } else {
            self.say(&busy(L::NEW_GAME), host);
        }
    }

    /// A position that comes while searching takes effect when the search has ended.
    fn position(&mut self, position: Result<PositionCommand, Message>, line: &str, host: &mut dyn Host) {
        match position {
            Err(problem) => {
                self.deferred = None;
                self.position_refused = true;
                self.say(&problem, host);
            }
            Ok(_) if !is_idle(host) => self.deferred = Some(line.to_owned()),
            Ok(position) => {
                self.ban_moves.clear();
                let set = self.language.set_position(&position, host);
                self.position_refused = set.is_err();
                if let Err(problem) = set {
                    self.say(&message!("position: {problem}" | "局面：{problem}", problem), host);
                }
            }
        }
    }

    fn set_up_deferred(&mut self, host: &mut dyn Host) {
        if is_idle(host)
            && let Some(line) = self.deferred.take()
        {
            self.line(&line, host);
        }
    }

    /// Every `go` that is not refused has one answer.
    fn go(&mut self, go: &Go, host: &mut dyn Host) {
        if !is_idle(host) {
            let refused = message!(
                "go is refused: a search is running (send stop first)"
                    | "go 被拒绝：正在搜索（请先发送 stop）"
            );
            return self.say(&refused, host);
        }
        for problem in &go.problems {
            self.say(problem, host);
        }
        if self.position_refused {
            let why = message!("there is no position, the last one was refused" | "没有局面，上一个被拒绝了");
            return self.cannot_go(&why, host);
        }
        if let Some(depth) = go.perft {
            let depth = u32::try_from(depth.max(0)).unwrap_or(u32::MAX);
            return super::extras::perft(depth, &|text| self.language.message(text), host);
        }
        if L::DEPTH_ZERO_EVALUATES && !go.infinite && go.depth.is_some_and(|depth| depth <= 0) {
            let score = host.engine().static_evaluation();
            self.language.static_evaluation(score).iter().for_each(|line| host.send(line));
            return;
        }
        let side = host.engine().side_to_move();
        let (own, unit) = self.language.clock(side.index());
        let mut limits = Limits { ban_moves: self.ban_moves.clone(), ..go.limits(own, unit) };
        if let Some(clock) = &limits.clock {
            limits.lag = self.lag.begin(side, clock, limits.ponder);
        }
        if limits.movetime.is_some() && go.movetime.is_none() {
            self.say(&guessed(), host);
        }
        if let Err(problem) = host.go(limits) {
            self.cannot_go(&problem, host);
        }
    }

    fn cannot_go(&mut self, why: &Message, host: &mut dyn Host) {
        self.say(&message!("go: {why}" | "go：{why}", why), host);
        let line = self.language.best_move(&BestMove::default());
        host.send(&line);
    }

    fn probe(&self, position: Result<PositionCommand, Message>, host: &mut dyn Host) {
        let found = position.and_then(|position| host.engine().probe(&position.spec()));
        let found = found.unwrap_or_else(|problem| {
            self.say(&message!("probe: {problem}" | "查询：{problem}", problem), host);
            None
        });
        host.send(&self.language.pop_hash(&found.unwrap_or_default()));
    }

    fn unknown(&mut self, line: &str, host: &mut dyn Host) {
        if host.is_interactive() {
            host.send(&format!("Unknown command: {}. Type help for help.", shorten(line)));
        } else if *self.language.debug() {
            self.say(&message!("unknown command: {line}" | "不认识的命令：{line}", line), host);
        }
    }
}

fn busy(command: &str) -> Message {
    message!("{command} is refused while searching" | "搜索时拒绝 {command}", command)
}

fn is_idle(host: &dyn Host) -> bool {
    host.state() == State::Idle
}

impl<L: Language> Dialect for Conversation<L> {
    fn open(&mut self, host: &mut dyn Host) {
        host.select_game(self.language.first_game());
        self.language.begin(host);
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<(), Message> {
        // By its name in the protocol, or in the engine.
        match self.language.declared(host).iter().any(|(own, _)| own.eq_ignore_ascii_case(name)) {
            true => self.language.set_option(name, value, host).map(drop),
            false => host.set_option(name, value),
        }
    }

    fn farewell(&mut self, host: &mut dyn Host) {
        L::FAREWELL.iter().for_each(|line| host.send(line));
    }

    fn line(&mut self, line: &str, host: &mut dyn Host) {
        self.set_up_deferred(host);
        match self.language.parse(line) {
            Command::Identify => self.language.identify(host),
            Command::IsReady => host.send("readyok"),
            Command::SetOption { name, value } => self.set_option(&name, &value, host),
            Command::Debug(on) => *self.language.debug() = on,
            Command::NewGame => self.new_game(host),
            Command::Position(position) => self.position(position, line, host),
            Command::BanMoves(moves) if is_idle(host) => self.ban_moves = moves,
            Command::BanMoves(_) => self.say(&busy("banmoves"), host),
            Command::Go(go) => self.go(&go, host),
            Command::PonderHit { draw } => {
                self.lag.ponder_hit();
                host.ponder_hit(draw);
            }
            Command::Stop => host.stop(),
            Command::Probe(position) => self.probe(position, host),
            Command::Quit => host.quit(),
            Command::Extension(extension) => {
                if is_idle(host) {
                    extension.run(L::HELP, &|text| self.language.message(text), host);
                } else {
                    self.say(&message!("not while searching" | "搜索时不行"), host);
                }
            }
            Command::HelpOption(name) => {
                let text = self.language.help_option(&name, host);
                self.say(&text.into(), host);
            }
            Command::Unknown => self.unknown(line, host),
            Command::Ignored | Command::Empty => (),
        }
    }

    fn dismiss(&mut self, line: &str, host: &mut dyn Host) {
        match self.language.parse(line) {
            Command::Quit => host.quit(),
            Command::IsReady => host.send("readyok"),
            Command::Go(_) => host.send(&self.language.best_move(&BestMove::default())),
            _ => (),
        }
    }

    fn event(&mut self, event: &Event, host: &mut dyn Host) {
        match event {
            Event::Info(info) => self.language.info(info).iter().for_each(|line| host.send(line)),
            Event::CurrentMove(mv, number) => host.send(&self.language.current_move(mv, *number)),
            Event::Message(text) => self.say(text, host),
            Event::Analysis(_) => (),
            Event::BestMove(best) => {
                let line = self.language.best_move(best);
                host.send(&line);
                self.lag.end();
                self.set_up_deferred(host);
            }
        }
    }

    fn remark_form(&self) -> fn(&str) -> Vec<String> {
        |text| vec![(L::REMARK)(text)]
    }

    fn fast_action(&self) -> fn(&str) -> FastAction {
        self.language.fast_action()
    }

    fn works_through_input(&self) -> bool {
        self.language.works_through_input()
    }

    fn input_ended(&mut self, host: &mut dyn Host) {
        // Where all input is processed, the search still has some time.
        if !self.works_through_input() || host.is_endless() {
            host.stop();
        }
    }
}
