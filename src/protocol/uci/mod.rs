//! UCI, in chess and in xiangqi.
//!
//! Xiangqi comes in two dialects, which clash: after `setoption name UCI_Variant value xiangqi` ranks
//! are counted from 1 to 10 as Fairy-Stockfish does; without it a 9x10 FEN, or a program started for
//! xiangqi, means uci-cyclone, whose ranks go from 0 to 9.
//!
//! Source: Stefan Meyer-Kahlen's protocol text of April 2006; what clients do beyond it stands beside
//! the code that answers it.

mod extras;
pub mod parse;
mod render;
#[cfg(test)]
mod tests;

use super::io::Reflex;
use super::words::{GUESSED, Position, shorten};
use super::{Dialect, Host, State, options};
use crate::engine::{BestMove, Event, GameId, Limits, Notation, OptionKind, OptionSpec, PositionSpec};
use parse::{Go, Request};
use vampirc_uci::{Serializable, UciMessage};

const VARIANT: &str = "UCI_Variant";
const CHESS960: &str = "UCI_Chess960";

/// Whether `line` opens a session: its first word is a command. `setoption` without `name` is UCCI's.
pub fn opens(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("setoption") => words.next() == Some("name"),
        // What people type before they know the protocols, and what a client says that was never answered.
        Some("help" | "stop" | "ponderhit") | None => false,
        Some(word) => parse::is_command(word),
    }
}

/// How moves of xiangqi are written, and whether the client has said so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    /// Not told: chess, and xiangqi of uci-cyclone when a FEN is of that size.
    Open,
    /// Started for xiangqi: uci-cyclone.
    Cyclone,
    /// `UCI_Variant` was set.
    Set(GameId),
}

/// A UCI session.
pub struct Uci {
    variant: Variant,
    chess960: bool,
    debug: bool,
    /// The host has been told which game to play.
    started: bool,
    /// A `position` has been set up in this game.
    positioned: bool,
    /// A `position` that came while searching: it takes effect when the search has ended.
    pending: Option<Position>,
    /// The last `position` was refused: there is nothing to search.
    refused: bool,
    /// How the moves of xiangqi that were sent count their ranks, once they have shown it.
    ranks: Option<Notation>,
}

impl Uci {
    /// A session of `game`: chess, unless it is xiangqi.
    pub fn new(game: Option<GameId>) -> Self {
        Self {
            variant: if game == Some(GameId::Xiangqi) { Variant::Cyclone } else { Variant::Open },
            chess960: false,
            debug: false,
            started: false,
            positioned: false,
            pending: None,
            refused: false,
            ranks: None,
        }
    }

    fn simple(&mut self, message: &UciMessage, host: &mut dyn Host) {
        match message {
            UciMessage::Uci => self.identify(host),
            UciMessage::IsReady => host.send(&UciMessage::ReadyOk.serialize()),
            UciMessage::Debug(on) => self.debug = *on,
            UciMessage::UciNewGame if self.settle(host) => host.engine().new_game(),
            UciMessage::UciNewGame => say(host, "ucinewgame is refused while searching"),
            UciMessage::Stop => host.stop(),
            UciMessage::PonderHit => host.ponder_hit(false),
            UciMessage::Quit => host.quit(),
            // Nothing needs a registration.
            _ => (),
        }
    }

    fn identify(&mut self, host: &mut dyn Host) {
        let name = concat!("Sanqi ", env!("CARGO_PKG_VERSION"));
        host.send(&UciMessage::id_name(name).serialize());
        host.send(&UciMessage::id_author("the Sanqi authors").serialize());
        let all = [host.options(), own_options(host.game()), host.other_options()].concat();
        for spec in &all {
            host.send(&render::option(spec));
        }
        host.send(&UciMessage::UciOk.serialize());
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) {
        if host.state() == State::Stopping {
            self.settle(host);
        }
        if let Err(problem) = self.try_set_option(name, value, host) {
            say(host, &problem);
        }
    }

    /// # Errors
    /// As [`Host::set_option`].
    fn try_set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<(), String> {
        let own = own_options(host.game());
        let Ok(spec) = options::find(&own, name) else {
            return host.set_option(name, value);
        };
        let value = options::check(spec, value).map_err(|e| e.to_string())?;
        if host.state() != State::Idle {
            return Err(format!("{} cannot be set while searching", spec.name));
        }
        if spec.name == CHESS960 {
            self.chess960 = value == "true";
        } else if let Some(game) = GameId::from_name(&value) {
            // Some clients send every option back with its default: that tells nothing.
            if game == host.game() && !self.positioned {
                return Ok(());
            }
            self.ranks = None;
            self.variant = Variant::Set(game);
            self.select_game(game, host);
        }
        // Before the first `position` the starting position stands, and is to be spoken of as agreed.
        if !self.positioned {
            self.set_position(&Position::default(), host);
            self.positioned = false;
        }
        Ok(())
    }

    fn select_game(&mut self, game: GameId, host: &mut dyn Host) {
        if game != host.game() {
            host.select_game(game);
            self.positioned = false;
        }
    }

    fn notation(&self, game: GameId) -> Notation {
        match (game, self.variant) {
            (GameId::Chess, _) if self.chess960 => Notation::Chess960,
            (GameId::Xiangqi, variant) => self.ranks.unwrap_or(match variant {
                Variant::Set(GameId::Xiangqi) => Notation::RanksFromOne,
                _ => Notation::Coordinate,
            }),
            _ => Notation::Coordinate,
        }
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
        match (self.variant, position.game()) {
            // No variant of chess has ten ranks, whatever the client has said.
            (_, Some(GameId::Xiangqi)) => self.select_game(GameId::Xiangqi, host),
            (Variant::Open, Some(game)) => self.select_game(game, host),
            _ => (),
        }
        self.positioned = true;
        if let Some(told) = ranks_of(&position.moves).filter(|_| host.game() == GameId::Xiangqi) {
            self.ranks = Some(told);
        }
        let result = self.try_position(position, self.notation(host.game()), host);
        self.refused = result.is_err();
        if let Err(problem) = result {
            say(host, &format!("position: {problem}"));
        }
    }

    /// Sets up a position. Where the moves of xiangqi make sense with ranks counted the other way only, they are
    /// counted so from now on.
    /// # Errors
    /// As [`Engine::set_position`](crate::engine::Engine::set_position).
    fn try_position(
        &mut self,
        position: &Position,
        notation: Notation,
        host: &mut dyn Host,
    ) -> Result<(), String> {
        let Position { fen, moves } = position.clone();
        let spec = PositionSpec { fen, moves, notation };
        let result = host.engine().set_position(&spec);
        let other = match notation {
            Notation::Coordinate => Notation::RanksFromOne,
            _ => Notation::Coordinate,
        };
        let may_be_other = host.game() == GameId::Xiangqi && self.ranks.is_none() && !spec.moves.is_empty();
        if result.is_ok() || !may_be_other {
            return result;
        }
        if host.engine().set_position(&PositionSpec { notation: other, ..spec.clone() }).is_ok() {
            self.ranks = Some(other);
            return Ok(());
        }
        host.engine().set_position(&spec)
    }

    fn go(&mut self, go: &Go, host: &mut dyn Host) {
        if !self.settle(host) {
            say(host, "go is refused: a search is running (send stop first)");
            return;
        }
        for problem in &go.problems {
            say(host, problem);
        }
        if let Some(depth) = go.perft {
            extras::perft(u32::try_from(depth).unwrap_or(0), host);
            return;
        }
        if self.refused {
            say(host, "go: there is no position, the last one was refused");
            host.send(&render::best_move(&BestMove::default()));
            return;
        }
        let side = host.engine().side_to_move().index();
        let limits = go.limits(side);
        if limits.movetime.is_some() && go.movetime.is_none() {
            say(host, GUESSED);
        }
        self.start(limits, host);
    }

    fn start(&mut self, limits: Limits, host: &mut dyn Host) {
        if let Err(problem) = host.go(limits) {
            say(host, &format!("go: {problem}"));
            // Every `go` is answered.
            host.send(&render::best_move(&BestMove::default()));
        }
    }

    /// Clients send `stop` and, without waiting for the best move, what they want next. Waits for the
    /// end of a search that has been told to stop; false when one goes on.
    fn settle(&mut self, host: &mut dyn Host) -> bool {
        if host.state() == State::Stopping {
            while let Some(event) = host.next_event() {
                self.event(&event, host);
            }
        }
        host.state() == State::Idle
    }

    fn unknown(&self, line: &str, host: &mut dyn Host) {
        if host.is_interactive() {
            host.send(&format!("Unknown command: {}. Type help for help.", shorten(line)));
        } else if self.debug {
            say(host, &format!("unknown command: {line}"));
        }
    }
}

/// The options that choose how to speak, and so belong to no engine.
fn own_options(game: GameId) -> Vec<OptionSpec> {
    let variant = OptionKind::Combo { default: game.name(), choices: &["chess", "xiangqi"] };
    vec![
        OptionSpec { name: VARIANT, kind: variant, help: "The game. Xiangqi has ranks 1 to 10." },
        OptionSpec {
            name: CHESS960,
            kind: OptionKind::Check(false),
            help: "Castling is written as the king takes the rook.",
        },
    ]
}

/// How moves of xiangqi count their ranks, if one of them can be of one kind alone: rank 0, or rank 10.
fn ranks_of(moves: &[String]) -> Option<Notation> {
    let ranks = |mv: &String| {
        let numbers = mv.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        numbers.map(str::to_owned).collect::<Vec<_>>()
    };
    moves.iter().flat_map(ranks).find_map(|rank| match rank.as_str() {
        "0" => Some(Notation::Coordinate),
        "10" => Some(Notation::RanksFromOne),
        _ => None,
    })
}

/// `info string ..`.
fn say(host: &mut dyn Host, text: &str) {
    host.send(&render::message(text));
}

impl Dialect for Uci {
    fn name(&self) -> &'static str {
        "uci"
    }

    fn line(&mut self, line: &str, host: &mut dyn Host) {
        if !self.started {
            self.started = true;
            let cyclone = self.variant == Variant::Cyclone;
            host.select_game(if cyclone { GameId::Xiangqi } else { GameId::Chess });
        }
        match parse::parse(line) {
            Request::Simple(message) => self.simple(&message, host),
            Request::SetOption { name, value } => self.set_option(&name, &value, host),
            Request::Position(position) => self.position(position, host),
            Request::Go(go) => self.go(&go, host),
            Request::Extension(extension) => {
                if self.settle(host) {
                    extras::run(&extension, host);
                } else {
                    say(host, "not while searching");
                }
            }
            Request::Unknown => self.unknown(line, host),
            Request::Empty => (),
        }
    }

    fn event(&mut self, event: &Event, host: &mut dyn Host) {
        match event {
            Event::Info(info) => host.send(&render::info(info)),
            Event::CurrentMove(mv, number) => {
                host.send(&format!("info currmove {mv} currmovenumber {number}"));
            }
            Event::Message(text) => say(host, text),
            Event::Analysis(_) => (),
            Event::BestMove(best) => {
                host.send(&render::best_move(best));
                if let Some(position) = self.pending.take() {
                    self.set_position(&position, host);
                }
            }
        }
    }

    fn reflex(&self) -> fn(&str) -> Reflex {
        parse::reflex
    }
}
