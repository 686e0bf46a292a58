//! Another game in the place of the one that is played: again, on the other side, on another board, or one
//! from a file.

use super::args::is_komi;
use super::{Next, PlaySession, unfinished};
use crate::app::args::komi;
use crate::app::console::{Outcome, at, say};
use crate::app::terminal::typed::known;
use crate::engine::{GameId, Side};
use crate::games::formats;
use crate::games::record::Thought;
use crate::message;
use crate::table::{Action, Actor, Agreement, Table};
use crate::util::message::Message;
use crate::util::{files, words};
use std::ops::RangeInclusive;
use std::path::Path;

const SIZES: RangeInclusive<usize> = 2..=25;
const HANDICAPS: RangeInclusive<usize> = 0..=9;

impl PlaySession {
    /// Starts the same game again, on the side that is named.
    pub(super) fn start_again(&mut self, side: &str) -> Result<Next, Message> {
        let side = match known(side).as_str() {
            "" => Some(self.game.person),
            "first" => Some(Side::First),
            "second" => Some(Side::Second),
            name => [Side::First, Side::Second]
                .into_iter()
                .find(|side| self.kind().side_name(*side).eq_ignore_ascii_case(name)),
        };
        match side {
            Some(side) => self.replace(self.game.table().agreement().clone(), side, &[]),
            None => {
                let sides = [Side::First, Side::Second].map(|side| self.game.name(side));
                say(words::side_usage(self.language, sides.join(self.language.pick(", ", "、"))));
                Ok(Next::Stay)
            }
        }
    }

    /// Starts a game of Go with another size, komi or handicap.
    pub(super) fn set_board(&mut self, word: &str, text: &str) -> Result<Next, Message> {
        let mut agreement = self.game.table().agreement().clone();
        let go = &mut agreement.start.rules.go;
        let within = |range: RangeInclusive<usize>| text.parse().ok().filter(|number| range.contains(number));
        let usage = match word {
            "komi" => match komi(text).ok().filter(|komi| is_komi(*komi)) {
                Some(komi) => {
                    go.komi = komi;
                    None
                }
                None => Some(words::komi_usage(self.language)),
            },
            word => {
                let range = if word == "size" { SIZES } else { HANDICAPS };
                match within(range.clone()) {
                    Some(size) if word == "size" => {
                        (go.size, go.handicap) = (size, 0);
                        None
                    }
                    Some(stones) => {
                        go.handicap = stones;
                        go.komi = super::args::usual_komi(stones);
                        None
                    }
                    None => Some(words::number_usage(self.language, word, range.start(), range.end())),
                }
            }
        };
        match usage {
            None => self.replace(agreement, self.game.person, &[]),
            Some(usage) => {
                say(usage);
                Ok(Next::Stay)
            }
        }
    }

    /// Puts a new game after `moves` in the place of this one, unless the person wants to keep it or it
    /// cannot begin.
    fn replace(&mut self, mut agreement: Agreement, person: Side, moves: &[String]) -> Result<Next, Message> {
        let engine = super::game::engine_name();
        agreement.names = [engine.clone(), engine];
        "Player".clone_into(person.of_mut(&mut agreement.names));
        let table = match Table::new(agreement) {
            Ok(table) => table,
            Err(why) => {
                say(why.text(self.language));
                return Ok(Next::Stay);
            }
        };
        if !self.may_drop()? {
            return Ok(Next::Stay);
        }
        // A game that is over is in the file already.
        if self.game.ending().is_none() {
            self.keep()?;
        } else {
            self.forget();
        }
        self.game.person = person;
        if self.kind().game() != GameId::Go {
            self.look.below = person;
        }
        self.begin(table)?;
        for mv in moves {
            let actor = Actor::Player(self.game.side_to_move());
            let action = Action::Move { mv: mv.clone(), thought: Thought::default() };
            if self.game.act(actor, action).is_err() || self.game.ending().is_some() {
                break;
            }
        }
        self.introduce();
        self.show();
        Ok(Next::Turn)
    }

    fn begin(&mut self, table: Table) -> Outcome {
        let kept =
            if self.input.is_terminal() { unfinished::automatic(self.kind().game().name()) } else { None };
        let (journal, kept) = unfinished::journal(kept, &table, self.game.person, self.game.level())?;
        self.unfinished = kept;
        self.saved = None;
        self.game.restart(table, journal)?;
        self.game.go_on()
    }

    /// Goes on from the end of the first game in a file; the side to move is the person's.
    pub(super) fn load(&mut self, path: &str) -> Result<Next, Message> {
        if path.is_empty() {
            say(words::load_usage(self.language));
            return Ok(Next::Stay);
        }
        let (agreement, moves, person) = match self.recorded(Path::new(path)) {
            Ok(found) => found,
            Err(why) => {
                say(why.text(self.language));
                return Ok(Next::Stay);
            }
        };
        let next = self.replace(agreement, person, &moves)?;
        if matches!(next, Next::Turn) {
            say(words::loaded(self.language, path, self.game.length()));
        }
        Ok(next)
    }

    /// The first game in a file: how it starts, its moves, and whose turn it is behind them.
    fn recorded(&self, path: &Path) -> Result<(Agreement, Vec<String>, Side), Message> {
        let bytes = files::read_named(path).map_err(|why| at(path, why))?;
        let found = formats::read(&bytes, Some(self.kind()));
        let game = match found.into_iter().next() {
            Some(Ok(game)) => game,
            Some(Err(broken)) => return Err(files::at(path, broken.message())),
            None => return Err(files::at(path, message!("no game is in it" | "其中没有对局"))),
        };
        if game.kind.game() != self.kind().game() {
            let name = game.kind.game().texts();
            return Err(files::at(path, message!("it is a game of {name}" | "其中是一局{name}", name)));
        }
        if !game.restarts.is_empty() {
            let why = message!("the game in it begins anew on the way" | "其中的对局中途重新摆子");
            return Err(files::at(path, why));
        }
        let now = self.game.table().agreement();
        let mut start = game.start();
        if game.kind.game() != GameId::Go {
            // Its record does not name them.
            start.rules.clone_from(&now.start.rules);
        }
        let agreement = Agreement { start, ..now.clone() };
        let mut played = crate::games::game::Game::at(agreement.start.clone())?;
        played.follow(&game.opening.moves)?;
        let person = played.side_to_move();
        Ok((agreement, game.opening.moves, person))
    }
}
