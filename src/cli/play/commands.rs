//! The words that a person may type instead of a move.

use super::{Next, PlaySession, levels, unfinished};
use crate::app::console::{put, say};
use crate::app::language::columns;
use crate::app::level::{self, Level};
use crate::app::terminal::typed::known;
use crate::engine::GameId;
use crate::games::game_file::GameFile;
use crate::games::record::{GameKind, Reason};
use crate::table::{Action, Actor, Envelope, TableEvent, Unsealing};
use crate::util::message::Message;
use crate::util::words;
use std::path::Path;

impl PlaySession {
    /// How moves of this game are written.
    pub(super) fn examples(&self) -> String {
        match self.kind().game() {
            GameId::Chess => words::examples_of_chess(self.language),
            GameId::Xiangqi => words::examples_of_xiangqi(self.language),
            GameId::Go => words::examples_of_go(self.language),
        }
    }

    /// Runs a command. `None`: the word is not a command.
    pub(super) fn command(&mut self, word: &str, rest: &str) -> Result<Option<Next>, Message> {
        let is_go = self.kind() == GameKind::GO;
        match word {
            "" => {}
            "quit" | "exit" => return self.leave().map(Some),
            "help" | "?" => self.help(),
            "board" => self.show(),
            "moves" => say(self.game.moves()),
            "fen" if !is_go => say(self.game.position().fen().unwrap_or_default()),
            "flip" => {
                self.look.below = self.look.below.other();
                self.show();
            }
            "hint" | "score" if !self.game.table().agreement().conduct.take_backs => {
                say(words::no_advice(self.language));
            }
            "hint" => {
                let mv = self.consider()?.0.mv.map(|mv| match mv == "pass" {
                    true => words::pass_word(self.language),
                    false => self.game.write(&mv),
                });
                match mv {
                    Some(text) if self.game.side_to_move() == self.game.person => say(text),
                    // While a game of Go is counted it may be the engine's turn.
                    Some(text) => {
                        say(words::played(self.language, self.game.name(self.game.side_to_move()), text))
                    }
                    None => say(words::there_is_no_move(self.language)),
                }
            }
            "score" => match self.consider()?.1 {
                Some(thinking) => {
                    let side = self.game.name(self.game.side_to_move());
                    say(words::opinion(self.language, thinking.score, side, thinking.line));
                }
                None => say(words::nothing_to_search(self.language)),
            },
            "undo" => {
                let is_own_turn = self.game.side_to_move() == self.game.person;
                let plies = match self.game.ending().map(|ending| ending.reason) {
                    // The person's word ended the game, and no move.
                    Some(Reason::Resignation | Reason::Agreement) if is_own_turn => 0,
                    // The engine's answer goes with the person's move, once there is one.
                    _ if is_own_turn => 2,
                    _ => 1,
                };
                let asked = self.game.ask(Action::TakeBack { plies });
                if self.print_answer(asked)? {
                    self.show();
                    return Ok(Some(Next::Turn));
                }
            }
            "new" => return self.start_again(rest).map(Some),
            "size" | "komi" | "handicap" if is_go => return self.set_board(word, rest).map(Some),
            "load" => return self.load(rest).map(Some),
            "review" if self.game.ending().is_none() && !self.game.table().agreement().conduct.take_backs => {
                say(words::no_advice(self.language));
            }
            "review" => self.review()?,
            "save" => _ = self.save(rest),
            "level" => self.level(rest),
            "resign" => {
                let asked = self.game.ask(Action::Resign);
                return self.print_answer(asked).map(|_| Some(Next::Turn));
            }
            "draw" if !is_go => return self.draw().map(Some),
            "claim" if !is_go => return self.claim(rest).map(Some),
            "time" => self.print_time(),
            "pause" => {
                let asked = self.game.ask(Action::Stop);
                self.print_answer(asked)?;
            }
            "continue" => {
                let asked = self.game.ask(Action::Continue);
                self.print_answer(asked)?;
            }
            "adjourn" => return self.adjourn(rest).map(Some),
            _ => return Ok(None),
        }
        Ok(Some(Next::Stay))
    }

    fn help(&self) {
        let (is_go, language) = (self.kind() == GameKind::GO, self.language);
        say(words::a_move_is(language, self.examples()));
        let end = match is_go {
            true => vec![(words::pass_word(language), words::pass_help(language))],
            false => vec![
                (words::draw_word(language), words::draw_help(language)),
                (words::claim_word(language), words::claim_help(language)),
            ],
        };
        let save = if is_go { words::save_go_help(language) } else { words::save_help(language) };
        let mut lines = vec![
            (words::hint_word(language), words::hint_help(language)),
            (words::score_word(language), words::score_help(language)),
            (words::undo_word(language), words::undo_help(language)),
            (words::resign_word(language), words::resign_help(language)),
        ];
        lines.extend(end);
        lines.extend([
            (words::time_word(language), words::time_help(language)),
            (words::pause_word(language), words::pause_help(language)),
            (words::adjourn_word(language), words::adjourn_help(language)),
            (words::moves_word(language), words::moves_help(language)),
            (words::board_word(language), words::board_help(language)),
            (words::level_word(language), words::level_help(language, level::strongest(self.kind().game()))),
            (words::new_word(language), words::new_help(language)),
        ]);
        if is_go {
            lines.extend([
                (words::size_word(language), words::size_help(language)),
                (words::handicap_word(language), words::handicap_help(language)),
            ]);
        }
        lines.extend([
            (words::review_word(language), words::review_help(language)),
            (words::save_word(language), save),
            (words::load_word(language), words::load_help(language)),
            (words::quit_word(language), words::quit_help(language)),
        ]);
        for (word, meaning) in lines {
            let gap = " ".repeat(language.pick(17usize, 25).saturating_sub(columns(&word)));
            say(format_args!("{word}{gap} {meaning}"));
        }
    }

    /// Sets the level, or shows all of them.
    fn level(&mut self, text: &str) {
        let language = self.language;
        let level = match known(text).as_str() {
            "" => return put(levels::table(&self.game)),
            "full" => Ok(None),
            text => text.parse::<Level>().map(Some),
        };
        match level {
            Ok(level) if self.game.set_level(level).is_ok() => match level {
                Some(level) => say(self.text_of_level(level)),
                None => say(self.text_of_full_strength()),
            },
            _ if self.kind() == GameKind::GO => {
                say(words::level_usage_go(language, level::strongest(GameId::Go)))
            }
            _ => say(words::level_usage(language, level::LEVELS)),
        }
    }

    /// What the strength of each level is called.
    fn worths(&self) -> Vec<String> {
        let size = self.game.table().agreement().start.rules.go.size;
        level::worths(self.language, self.kind().game(), size)
    }

    /// A level, and what it is worth.
    pub(super) fn text_of_level(&self, level: Level) -> String {
        let text = words::level_is(self.language, level);
        match level {
            Level::Number(number) => {
                let worth = self.worths().into_iter().nth(usize::from(number.max(1) - 1));
                words::rated(self.language, text, worth.unwrap_or_default())
            }
            Level::Rank(_) => text,
        }
    }

    /// Full strength, by the strongest level below it.
    pub(super) fn text_of_full_strength(&self) -> String {
        let worth = self.worths().pop().unwrap_or_default();
        words::above_level(self.language, level::strongest(self.kind().game()), worth)
    }

    /// Adds the game to a file, or prints why not; whether it is saved.
    pub(super) fn save(&mut self, path: &str) -> bool {
        if path.is_empty() {
            say(words::save_usage(self.language));
            return false;
        }
        let saved = self.game.save().and_then(|text| GameFile::open(Path::new(path))?.add(&text));
        match saved {
            Ok(()) => {
                self.saved = Some((self.game.moves(), self.game.ending().is_some()));
                say(words::saved_to(self.language, path));
                true
            }
            Err(why) => {
                say(why.text(self.language));
                false
            }
        }
    }

    /// Offers a draw, or takes the one that the engine offers.
    fn draw(&mut self) -> Result<Next, Message> {
        let engine = Actor::Player(self.game.person.other());
        let asked = self.game.ask(Action::Offer);
        let is_offered =
            matches!(&asked, Ok(events) if events.iter().any(|e| matches!(e, TableEvent::Offered { .. })));
        if !self.print_answer(asked)? || !is_offered {
            return Ok(if self.game.ending().is_some() { Next::Turn } else { Next::Stay });
        }
        // The engine thinks about it in its own time. The score is the person's.
        let stops = self.game.act(Actor::Arbiter, Action::Stop).is_ok();
        let score = self.consider()?.1.map_or(0, |thinking| thinking.centipawns);
        if stops {
            self.game.go_on()?;
        }
        if self.game.accepts_draw(score) {
            self.expect(engine, Action::Accept)?;
            return Ok(Next::Turn);
        }
        self.expect(engine, Action::Decline)?;
        say(words::draw_declined(self.language));
        Ok(Next::Stay)
    }

    /// Claims a draw, on the board or with a move that is announced.
    fn claim(&mut self, text: &str) -> Result<Next, Message> {
        let with = match text {
            "" => None,
            text => match self.read(text) {
                Some(mv) => Some(mv),
                None => return Ok(Next::Stay),
            },
        };
        let before = self.game.length();
        let asked = self.game.ask(Action::Claim { with });
        self.print_answer(asked)?;
        if self.game.length() > before {
            self.show();
        }
        let goes_on = self.game.ending().is_none() && self.game.length() == before;
        Ok(if goes_on { Next::Stay } else { Next::Turn })
    }

    fn print_time(&self) {
        let side = self.game.person;
        let clocks = [side, side.other()].map(|side| Some((self.game.name(side), self.game.reading(side)?)));
        match clocks {
            [Some((own, left)), Some((other, right))] => {
                let control = self.game.table().agreement().controls[side.index()].to_string();
                say(words::time_left(self.language, own, left, other, right, control));
            }
            _ => say(words::no_clock(self.language)),
        }
    }

    /// Adjourns the game with a sealed move.
    fn adjourn(&mut self, text: &str) -> Result<Next, Message> {
        let journal = self.unfinished.as_ref().filter(|_| self.game.is_journaled());
        let Some(envelope_path) = journal.map(unfinished::Unfinished::envelope) else {
            say(words::nowhere_to_adjourn(self.language, self.kind().game().name()));
            return Ok(Next::Stay);
        };
        if text.is_empty() {
            say(words::adjourn_usage(self.language));
            return Ok(Next::Stay);
        }
        let Some(mv) = self.read(text) else { return Ok(Next::Stay) };
        let envelope = unfinished::seal(&mv)?;
        let hash = envelope.hash(self.game.table().game().moves());
        // The envelope is on disk before the game waits for it.
        if let Err(why) = unfinished::write_envelope(&envelope_path, &envelope) {
            say(why.text(self.language));
            return Ok(Next::Stay);
        }
        let asked = self.game.ask(Action::Seal { hash });
        if !self.print_answer(asked)? {
            return Ok(Next::Stay);
        }
        say(words::sealed(self.language, &envelope, envelope_path.display()));
        Ok(Next::Quit)
    }

    /// Opens the envelope of an adjourned game: the one that was kept, or the one that the person gives.
    pub(super) fn open_envelope(&mut self) -> Result<Next, Message> {
        let mut kept = self.unfinished.as_ref().and_then(unfinished::Unfinished::read_envelope);
        while matches!(self.game.table().standing(), crate::table::Standing::Adjourned(_)) {
            let unsealing = match kept.take() {
                Some(envelope) => Unsealing::Envelope(envelope),
                None => {
                    let Some(line) = self.input.line(&words::envelope_prompt(self.language))? else {
                        return Ok(Next::Quit);
                    };
                    let (word, rest) =
                        line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
                    match (known(word).as_str(), line.parse::<Envelope>()) {
                        ("quit", _) => return Ok(Next::Quit),
                        ("lost", _) => match self.read(rest.trim()) {
                            Some(mv) => Unsealing::Lost { mv },
                            None => continue,
                        },
                        (_, Ok(envelope)) => Unsealing::Envelope(envelope),
                        (_, Err(why)) => {
                            say(Message::from(why).text(self.language));
                            continue;
                        }
                    }
                }
            };
            let side = self.game.side_to_move();
            let asked = self.game.act(Actor::Arbiter, Action::Unseal { envelope: unsealing });
            if self.print_answer(asked)? {
                let mv = self.game.last_move().map(str::to_owned).unwrap_or_default();
                say(words::unsealed(self.language, self.game.name(side), mv));
                self.show();
            }
        }
        Ok(Next::Turn)
    }
}
