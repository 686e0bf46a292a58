//! UCI, in chess and in xiangqi.
//!
//! Xiangqi comes in two dialects, which clash: after `setoption name UCI_Variant value xiangqi` ranks
//! are counted from 1 to 10 as Fairy-Stockfish does; without it a 9x10 FEN, or a program started for
//! xiangqi, means uci-cyclone, whose ranks go from 0 to 9.
//!
//! Source: Stefan Meyer-Kahlen's protocol text of April 2006; what clients do beyond it stands beside
//! the code that answers it.

pub mod parse;
mod render;
#[cfg(test)]
mod tests;

use super::conversation::{Command, Conversation, Language};
use super::io::FastAction;
use super::words::PositionCommand;
use super::{Dialect, Host, State, options};
use crate::engine::{
    BestMove, GameId, HashProbe, Info, Notation, OptionKind, OptionSpec, PositionSpec, option_specs,
};
use crate::ensure;
use crate::util::lang;
use crate::util::message::Message;
use crate::util::system::remark;
use vampirc_uci::{Serializable, UciMessage};

const VARIANT: &str = "UCI_Variant";
const CHESS960: &str = "UCI_Chess960";

/// A session of `game`: chess, unless it is xiangqi.
pub fn create(game: Option<GameId>, _: lang::Language) -> Box<dyn Dialect> {
    if game == Some(GameId::Go) {
        remark!("sanqi: UCI has chess and xiangqi, not Go: the game is chess");
    }
    Box::new(Conversation::new(Uci::new(game)))
}

/// Whether `line` opens a session: its first word is a command. `setoption` without `name` is UCCI's.
pub fn opens(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("setoption") => words.next() == Some("name"),
        // Words that people type to find out about the program, and lines of a client without an answer.
        Some("help" | "stop" | "ponderhit") | None => false,
        Some(word) => parse::is_command(word),
    }
}

/// Whether an option can be set, as of chess or of xiangqi.
pub fn has_option(name: &str, value: &str) -> bool {
    options::find(&own_options(GameId::Chess), name).is_ok()
        || options::translate(name, value).is_some()
        || options::is_known(&[GameId::Chess, GameId::Xiangqi], name)
}

/// The notation of xiangqi moves, and whether the client chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Variant {
    /// Not set: chess, and xiangqi of uci-cyclone when a FEN is of that size.
    Open,
    /// Started for xiangqi: uci-cyclone.
    Cyclone,
    /// `UCI_Variant` was set.
    Set(GameId),
}

pub(super) struct Uci {
    variant: Variant,
    chess960: bool,
    debug: bool,
    /// A `position` has been set up in this game.
    positioned: bool,
    /// How the moves of xiangqi that were sent count their ranks, once they have shown it.
    ranks: Option<Notation>,
}

impl Uci {
    fn new(game: Option<GameId>) -> Self {
        Self {
            variant: if game == Some(GameId::Xiangqi) { Variant::Cyclone } else { Variant::Open },
            chess960: false,
            debug: false,
            positioned: false,
            ranks: None,
        }
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

    /// Sets up a position. Where the moves of xiangqi make sense with ranks counted the other way only, they
    /// are counted so from now on.
    fn try_position(
        &mut self,
        position: &PositionCommand,
        notation: Notation,
        host: &mut dyn Host,
    ) -> Result<(), Message> {
        let spec = PositionSpec { notation, ..position.clone().spec() };
        let result = host.set_position(&spec);
        let other = match notation {
            Notation::Coordinate => Notation::RanksFromOne,
            _ => Notation::Coordinate,
        };
        let may_be_other = host.game() == GameId::Xiangqi && self.ranks.is_none() && !spec.moves.is_empty();
        if result.is_ok() || !may_be_other {
            return result;
        }
        if host.set_position(&PositionSpec { notation: other, ..spec.clone() }).is_ok() {
            self.ranks = Some(other);
            return Ok(());
        }
        host.set_position(&spec)
    }
}

impl Language for Uci {
    const NEW_GAME: &'static str = "ucinewgame";
    const DEPTH_ZERO_EVALUATES: bool = false;
    const FAREWELL: Option<&'static str> = None;
    const REMARK: fn(&str) -> String = render::message;
    const HELP: &[&str] = HELP;

    fn first_game(&self) -> GameId {
        if self.variant == Variant::Cyclone { GameId::Xiangqi } else { GameId::Chess }
    }

    fn parse(&self, line: &str) -> Command {
        parse::parse(line)
    }

    fn fast_action(&self) -> fn(&str) -> FastAction {
        parse::fast_action
    }

    fn debug(&mut self) -> &mut bool {
        &mut self.debug
    }

    fn declared(&self, host: &mut dyn Host) -> Vec<(String, OptionSpec)> {
        let all = [host.options(), own_options(host.game()), host.other_options()].concat();
        all.into_iter().map(|spec| (spec.name.to_owned(), spec)).collect()
    }

    fn identify(&self, host: &mut dyn Host) {
        let name = concat!("Sanqi ", env!("CARGO_PKG_VERSION"));
        host.send(&UciMessage::id_name(name).serialize());
        host.send(&UciMessage::id_author("the Sanqi authors").serialize());
        for (_, spec) in self.declared(host) {
            host.send(&render::option(&spec));
        }
        host.send(&UciMessage::UciOk.serialize());
    }

    fn set_option(&mut self, name: &str, value: &str, host: &mut dyn Host) -> Result<bool, Message> {
        let own = own_options(host.game());
        let Ok(spec) = options::find(&own, name) else {
            return host.set_option(name, value).map(|()| false);
        };
        let value = options::check(spec, value)?;
        ensure!(host.state() == State::Idle, options::busy(spec.name));
        if spec.name == CHESS960 {
            self.chess960 = value == "true";
        } else if let Some(game) = GameId::from_name(&value) {
            // Some clients send every option back with its default: that means nothing.
            if game == host.game() && (!self.positioned || self.variant == Variant::Cyclone) {
                return Ok(false);
            }
            self.ranks = None;
            self.variant = Variant::Set(game);
            self.select_game(game, host);
        }
        // Before the first `position` the starting position counts, in the notation agreed on.
        if !self.positioned {
            let result = self.set_position(&PositionCommand::default(), host);
            self.positioned = false;
            result?;
        }
        Ok(false)
    }

    fn set_position(&mut self, position: &PositionCommand, host: &mut dyn Host) -> Result<(), Message> {
        match (self.variant, position.game()) {
            // No variant of chess has ten ranks, whatever the client has sent.
            (_, Some(GameId::Xiangqi)) => self.select_game(GameId::Xiangqi, host),
            (Variant::Open, Some(game)) => self.select_game(game, host),
            // A board of ten ranks may have led away from it.
            (Variant::Set(game), _) => self.select_game(game, host),
            _ => (),
        }
        self.positioned = true;
        if let Some(ranks) = ranks_of(&position.moves).filter(|_| host.game() == GameId::Xiangqi) {
            self.ranks = Some(ranks);
        }
        self.try_position(position, self.notation(host.game()), host)
    }

    fn clock(&self, side: usize) -> (usize, i64) {
        (side, 1)
    }

    fn info(&self, info: &Info) -> Vec<String> {
        vec![render::info(info)]
    }

    fn current_move(&self, mv: &str, number: u32) -> String {
        format!("info currmove {mv} currmovenumber {number}")
    }

    fn best_move(&self, best: &BestMove) -> String {
        render::best_move(best)
    }

    fn static_evaluation(&self, score: i32) -> Vec<String> {
        vec![format!("info depth 0 score cp {score}"), render::best_move(&BestMove::default())]
    }

    fn pop_hash(&self, _: &HashProbe) -> String {
        render::message("there is no probe in UCI")
    }
}

/// The options that choose how to speak, and so belong to no engine.
pub(super) fn own_options(game: GameId) -> Vec<OptionSpec> {
    let variant = OptionKind::Combo { default: game.name(), choices: &["chess", "xiangqi"] };
    option_specs! {
        VARIANT, variant => "The game. Xiangqi has ranks 1 to 10." | "下哪一种棋；象棋的横线编号 1 至 10。";
        CHESS960, OptionKind::Check(false) =>
            "Castling is written as the king takes the rook." | "王车易位写成王吃车。";
    }
    .into()
}

/// How moves of xiangqi count their ranks, if one of them has a rank of only one kind: 0, or 10.
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

const HELP: &[&str] = &[
    "uci                               who this is, and its options",
    "isready                           answers readyok",
    "setoption name N [value V]        sets an option",
    "help option N                     what an option does, its values and its default",
    "ucinewgame                        forgets earlier games",
    "position startpos|fen F [moves M] sets up a position",
    "go [depth D] [nodes N] [movetime T] [wtime T btime T winc T binc T movestogo N] [mate N]",
    "   [infinite] [ponder] [searchmoves M]   searches; T is in milliseconds",
    "go perft D                        counts the leaves of the tree of legal moves",
    "stop | ponderhit                  ends the search | the expected move was played",
    "d | eval                          shows the board | explains its evaluation",
    "bench [D] | compiler              measures speed | how this was built",
    "quit                              ends the program",
];
