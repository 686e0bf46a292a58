//! `sanqi play GAME`: a game against the engine on a terminal.

mod args;
mod commands;
mod count;
mod game;
mod levels;
mod renew;
mod review;
mod unfinished;

use crate::app::console::{Outcome, at, put, say};
use crate::app::language;
use crate::app::level::Level;
use crate::app::seat::SeatOptions;
use crate::app::terminal;
use crate::app::terminal::boards::{self, Look};
use crate::app::terminal::input::{Heard, LineInput, Waiting};
use crate::app::terminal::typed::{cut, known, narrow};
use crate::app::usage;
use crate::engine::{Limits, Side};
use crate::games::game_file::GameFile;
use crate::games::record::{GameKind, Reason, Thought};
use crate::games::time::{Reading, TimeCall};
use crate::games::typed::Refused;
use crate::table::{Action, Actor, Standing, Table, TableEvent};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::sync::lock;
use crate::util::{files, system, words};
pub use args::Args;
use clap::Args as _;
use game::{Asked, EngineGame, NotDone, Thinking, thought};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use unfinished::Unfinished;

/// Plays until the game is over, or the person has had enough.
pub fn run(args: &Args) -> Outcome {
    if let Err(why) = args.check() {
        crate::app::console::misuse::<Args>("play", why);
    }
    play(args)
}

fn play(args: &Args) -> Outcome {
    let outcome = PlaySession::new(args).and_then(|mut session| session.play());
    language::in_language(args.language.language(), outcome)
}

/// Plays `game` as `sanqi play GAME WORDS…` does.
pub fn run_words(words: &[&str]) -> Outcome {
    let command = Args::augment_args(clap::Command::new("play").no_binary_name(true));
    let matches = command.try_get_matches_from(words).map_err(|e| {
        let [english, chinese] = [Language::English, Language::Chinese].map(|language| {
            let text = usage::text(&e, language);
            let line = text.lines().next().unwrap_or_default();
            line.trim_start_matches("error: ").trim_start_matches("错误：").to_owned()
        });
        Message::new(english, chinese)
    })?;
    let args = <Args as clap::FromArgMatches>::from_arg_matches(&matches)
        .map_err(|e| Message::from(e.to_string()))?;
    args.check()?;
    play(&args)
}

/// The game that is played, as a file would have it, and the file.
static UNKEPT: Mutex<Option<(PathBuf, String)>> = Mutex::new(None);

/// What a line of the person led to.
enum Next {
    /// It is still the person's turn.
    Stay,
    /// A move was made, or taken back, a new game begun, or the game is over.
    Turn,
    Quit,
}

/// The board, the person in front of it and the engine behind it.
struct PlaySession {
    game: EngineGame,
    input: LineInput,
    limits: Limits,
    look: Look,
    file: Option<PathBuf>,
    /// Where the game is kept while it is played.
    unfinished: Option<Unfinished>,
    language: Language,
    /// What is said at the start, such as the number of a start of Chess960.
    preface: Vec<String>,
    /// The moves of the game that was saved last, and whether it was over.
    saved: Option<(String, bool)>,
}

impl PlaySession {
    fn new(args: &Args) -> Result<Self, Message> {
        let language = args.language.language();
        let input = LineInput::open();
        let opened = unfinished::open(args, input.is_terminal())?;
        let unfinished::Opened { table, journal, person, level, kept, preface } = opened;
        let options = SeatOptions {
            threads: args.threads.into(),
            hash: args.hash,
            book: true,
            ..SeatOptions::default()
        };
        let mut game = EngineGame::new(table, person, language, &options)?;
        game.set_level(level)?;
        game.keep_in(journal);
        if let Some(book) = &args.book {
            game.use_book(&book.display().to_string())?;
        }
        let file = args.pgn.as_ref().or(args.sgf.as_ref()).cloned();
        if let Some(path) = &file {
            match path.exists() {
                true => drop(GameFile::open(path)?),
                false => files::try_to_write(path).map_err(|e| at(path, e))?,
            }
        }
        // Whatever ends the program keeps the game, and leaves the terminal as it was.
        let _ = ctrlc::set_handler(|| {
            // It is saved once, here.
            let mut unkept = lock(&UNKEPT);
            if let Some((path, text)) = unkept.take() {
                let _ = GameFile::open(&path).and_then(|mut file| file.add(&text));
            }
            system::interrupted();
        });
        let below = if game.kind() == GameKind::GO { Side::First } else { person };
        Ok(Self {
            game,
            input,
            limits: match args.nodes.is_some() || args.depth.is_some() {
                true => Limits { nodes: args.nodes, depth: args.depth, ..Limits::default() },
                false => {
                    Limits { movetime: Some(Duration::from_secs_f64(args.seconds)), ..Limits::default() }
                }
            },
            look: terminal::look(args.ascii, below),
            file,
            unfinished: kept,
            language,
            preface,
            saved: None,
        })
    }

    fn play(&mut self) -> Outcome {
        self.preface.drain(..).for_each(say);
        self.introduce();
        self.show();
        if matches!(self.open_envelope()?, Next::Quit) {
            return self.keep();
        }
        self.game.go_on()?;
        loop {
            self.note()?;
            let next = if self.game.ending().is_some() {
                self.print_end();
                self.keep()?;
                if matches!(self.look_back()?, Next::Quit) {
                    self.forget();
                    return Ok(());
                }
                Next::Turn
            } else if self.game.table().is_counting() && self.game.table().standing() == &Standing::Stopped {
                self.settle()?
            } else if self.game.side_to_move() == self.game.person {
                self.listen()?
            } else {
                self.answer()?;
                Next::Turn
            };
            if matches!(next, Next::Quit) {
                if self.game.length() == 0 {
                    self.forget();
                }
                return self.keep();
            }
        }
    }

    /// Says who plays which side, how strong the engine is, and where to find more.
    fn introduce(&self) {
        let language = self.language;
        let strength = match (self.game.level(), self.limits.nodes, self.limits.depth) {
            (Some(level), ..) => self.text_of_level(level),
            (_, Some(nodes), _) => words::nodes_a_move(language, nodes),
            (_, _, Some(depth)) => words::depth_of_search(language, depth),
            _ => self.text_of_full_strength(),
        };
        say(words::you_play(language, self.game.name(self.game.person), strength));
        let other = self.kind().side_text(self.game.person.other(), language);
        let other = language.pick(other.to_lowercase(), other.trim_end_matches('方').to_owned());
        let level = if self.game.level() == Some(Level::Number(5)) { 4 } else { 5 };
        if self.kind() == GameKind::GO {
            say(self.game.table().agreement().start.rules.go.text(language));
        }
        say(words::how_to_change(language, level, other));
    }

    /// Does what can be done with a game that is over, until it goes on, another begins, or the person
    /// leaves.
    fn look_back(&mut self) -> Result<Next, Message> {
        if self.input.is_terminal() {
            say(words::game_is_over(self.language));
        }
        loop {
            let Some(line) = self.input.line("> ")? else {
                match self.leave()? {
                    Next::Stay => continue,
                    next => return Ok(next),
                }
            };
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            let word = known(word);
            let is_timed_out = self.game.ending().is_some_and(|ending| ending.reason == Reason::Time);
            let next = match word.as_str() {
                // A clock that has run out stays so.
                "undo" if is_timed_out => None,
                "" | "quit" | "exit" | "board" | "flip" | "moves" | "fen" | "level" | "save" | "new"
                | "load" | "review" | "size" | "komi" | "handicap" | "undo" => {
                    self.command(&word, rest.trim())?
                }
                _ => None,
            };
            match next {
                Some(Next::Stay) => {}
                Some(next) => return Ok(next),
                None => say(words::game_is_over(self.language)),
            }
        }
    }

    /// Whether the game may be dropped: at a terminal the person is asked once if it is in no file.
    fn may_drop(&mut self) -> Result<bool, Message> {
        let is_saved = self.file.is_some()
            || self.saved.as_ref() == Some(&(self.game.moves(), self.game.ending().is_some()));
        // A game that is not over stays in its journal.
        let is_kept = self.game.is_journaled() && self.game.ending().is_none();
        if is_kept || is_saved || self.game.length() == 0 || !self.input.is_terminal() {
            return Ok(true);
        }
        let Some(answer) = self.input.line(&words::drop_prompt(self.language))? else { return Ok(true) };
        let (word, rest) = answer.trim().split_once(char::is_whitespace).unwrap_or((answer.trim(), ""));
        Ok(match known(word).as_str() {
            "save" => self.save(rest.trim()),
            word => matches!(word, "y" | "yes"),
        })
    }

    /// What the end of the input, or the wish to leave, leads to.
    fn leave(&mut self) -> Result<Next, Message> {
        Ok(if self.may_drop()? { Next::Quit } else { Next::Stay })
    }

    fn print_end(&mut self) {
        let Some(ending) = self.game.ending() else { return };
        let result = if self.kind() == GameKind::GO { "" } else { ending.result() };
        let winner = match ending.winner {
            Some(winner) => words::wins(self.language, self.game.name(winner)),
            None => words::draw(self.language),
        };
        let text = format!("{result} {}", words::ended(self.language, winner, ending.text(self.language)));
        self.input.say(text.trim_start());
    }

    fn kind(&self) -> GameKind {
        self.game.kind()
    }

    fn show(&self) {
        put(boards::draw(self.game.position(), self.game.last_move(), self.look));
    }

    /// Writes the game to the file that was asked for.
    fn keep(&self) -> Outcome {
        // It is kept once, and whole before a signal ends the program.
        let mut unkept = lock(&UNKEPT);
        *unkept = None;
        let is_over = self.game.ending().is_some();
        let is_kept = self.game.is_journaled() && !is_over && self.game.length() > 0;
        if let Some(kept) = self.unfinished.as_ref().filter(|_| is_kept) {
            say(words::kept_in(self.language, self.kind().game().name(), kept.path.display()));
        }
        match &self.file {
            Some(path) if self.game.length() > 0 || is_over => {
                Ok(GameFile::open(path)?.add(&self.game.save()?)?)
            }
            _ => Ok(()),
        }
    }

    /// Removes the journal of a game that is over or was dropped, if it was not asked for.
    fn forget(&mut self) {
        self.game.keep_in(None);
        if let Some(kept) = self.unfinished.take() {
            kept.remove();
        }
    }

    /// Has a signal keep the game as it is now.
    fn note(&self) -> Outcome {
        let path = self.file.clone().filter(|_| self.game.length() > 0);
        let unkept = path.map(|path| Ok::<_, Message>((path, self.game.save()?))).transpose()?;
        *lock(&UNKEPT) = unkept;
        Ok(())
    }

    fn answer(&mut self) -> Outcome {
        // A pause ends where moves are taken back to the engine's turn.
        self.game.go_on()?;
        let search = self.game.search(self.limits.clone(), true)?;
        let (best, thinking) = self.think(search)?;
        if self.game.ending().is_some() {
            // Its flag has fallen.
            return Ok(());
        }
        let side = self.game.side_to_move();
        let engine = Actor::Player(side);
        let Some(mv) = best.mv.filter(|_| !best.resign) else {
            return self.expect(engine, Action::Resign);
        };
        if let Some(with) = self.game.claims(&mv, thinking.as_ref()) {
            return self.expect(engine, Action::Claim { with });
        }
        let thought = thought(thinking.as_ref());
        if self.game.offers_draw(&thought) {
            self.expect(engine, Action::Offer)?;
        }
        let text = if mv == "pass" { words::passes(self.language) } else { self.game.write(&mv) };
        let before = self.game.length();
        self.expect(engine, Action::Move { mv, thought })?;
        // Where its flag has fallen, the move was not made.
        if self.game.length() > before {
            say(words::played(self.language, self.game.name(side), text));
            self.show();
        }
        if self.game.table().offer() == Some(side) {
            say(words::engine_offers(self.language));
        }
        Ok(())
    }

    /// Asks the table for what it cannot refuse.
    fn expect(&mut self, actor: Actor, action: Action) -> Outcome {
        match self.game.act(actor, action) {
            Ok(events) => self.report(&events),
            Err(NotDone::Failure(why)) => return Err(why),
            Err(NotDone::Objection(why)) => return Err(why.into()),
        }
        Ok(())
    }

    /// Prints what came of asking the table; whether it did it.
    fn print_answer(&mut self, asked: Asked) -> Result<bool, Message> {
        match asked {
            Ok(events) => {
                self.report(&events);
                Ok(true)
            }
            Err(NotDone::Objection(why)) => {
                say(Message::from(why).text(self.language));
                Ok(false)
            }
            Err(NotDone::Failure(why)) => Err(why),
        }
    }

    /// Prints those events that the board does not show.
    fn report(&mut self, events: &[TableEvent]) {
        for event in events {
            if let Some(line) = self.game.table().text_of(event, self.language) {
                self.input.say(&line);
            }
        }
    }

    /// Waits for a search, showing on a terminal what it has found so far.
    fn think(
        &mut self,
        search: game::RunningSearch,
    ) -> Result<(crate::engine::BestMove, Option<Thinking>), Message> {
        let (live, language) = (self.input.is_terminal(), self.language);
        // A line that goes on in the next row is not cleared.
        let width = self.input.width().saturating_sub(1).min(76);
        let mut show = |table: &Table, now: Duration, thinking: Option<&Thinking>| {
            if live {
                let clock = table.reading(table.game().side_to_move(), now);
                let clock = clock.map_or_else(String::new, |reading| format!("[{reading}] "));
                let line = thinking.map(|t| words::thinking(language, t.depth, &t.score, &t.line));
                let line = format!("{clock}{}", line.unwrap_or_default());
                let _ = write!(std::io::stderr(), "\r\x1b[K{}", cut(&line, width));
            }
        };
        let is_late = |table: &Table, now: Duration| table.until_flag(now) == Some(Duration::ZERO);
        let found = self.game.finish(search, is_late, &mut show);
        if live {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        self.game.tick()?;
        found
    }

    /// Thinks in the person's place, about a hint, the score or an offered draw.
    fn consider(&mut self) -> Result<(crate::engine::BestMove, Option<Thinking>), Message> {
        // Not from the book, which has no reasons.
        let analysis = self.kind() != GameKind::GO;
        let limits = Limits { movetime: Some(Duration::from_secs(1)), analysis, ..Limits::default() };
        let search = self.game.search(limits, false)?;
        let (best, thinking) = self.think(search)?;
        Ok((best, thinking))
    }

    fn listen(&mut self) -> Result<Next, Message> {
        let (game, mut last) = (&self.game, None);
        let line = match self.input.hear(&mut || waiting(game, &mut last))? {
            Heard::Line(line) => line,
            Heard::End => return self.leave(),
            Heard::Nothing => {
                self.game.tick()?;
                return Ok(Next::Turn);
            }
        };
        // The line came too late where the flag has fallen meanwhile.
        self.game.tick()?;
        if self.game.ending().is_some() {
            return Ok(Next::Turn);
        }
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = known(word);
        // The name of a file stays as it is.
        let rest = if ["save", "load"].contains(&word.as_str()) { rest.to_owned() } else { narrow(rest) };
        match self.command(&word, rest.trim())? {
            Some(next) => Ok(next),
            // A pass in Chinese.
            None if word == "pass" && self.kind() == GameKind::GO => self.attempt(&word),
            None => self.attempt(&narrow(line)),
        }
    }

    /// Plays what the person typed, or prints why it is not a move.
    fn attempt(&mut self, text: &str) -> Result<Next, Message> {
        let action = match self.game.position().read_typed(text) {
            Ok(mv) => Action::Move { mv, thought: Thought::default() },
            // What is no move was only typed wrongly.
            Err(Refused { why, is_move: true, .. })
                if self.game.table().agreement().conduct.illegal_moves > 0 =>
            {
                Action::Illegal { mv: text.to_owned(), why }
            }
            Err(refused) => {
                self.explain(refused);
                return Ok(Next::Stay);
            }
        };
        let asked = self.game.ask(action);
        let before = self.game.length();
        if !self.print_answer(asked)? {
            return Ok(Next::Stay);
        }
        if self.game.length() != before || self.game.ending().is_none() {
            self.show();
        }
        Ok(Next::Turn)
    }

    /// The legal move that the person typed; else prints why there is none.
    fn read(&self, text: &str) -> Option<String> {
        self.game.position().read_typed(text).map_err(|refused| self.explain(refused)).ok()
    }

    /// Prints why what was typed is not played.
    fn explain(&self, refused: Refused) {
        let (language, is_guessed) = (self.language, refused.nearest.is_some());
        let why = Message::from(refused);
        match is_guessed {
            true => say(why.text(language)),
            false => say(words::no_such_move(language, why.text(language), self.examples())),
        }
    }
}

/// The prompt of the person's turn at this moment, and what has to be announced since the last one.
fn waiting(game: &EngineGame, last: &mut Option<Reading>) -> Waiting {
    let language = game.language;
    let own = game.reading(game.person);
    let clocks = match (own, game.reading(game.person.other())) {
        (Some(own), Some(other)) => words::clocks(language, own, other),
        _ => String::new(),
    };
    let stopped = if game.table().standing() == &Standing::Stopped {
        words::stopped_mark(language)
    } else {
        String::new()
    };
    let prompt = format!("{}{clocks}{stopped}> ", game.name(game.person));
    let until_flag = game.table().until_flag(game.now());
    let Some((reading, until_flag)) = own.zip(until_flag) else { return Waiting::still(prompt) };
    let call = last.replace(reading).and_then(|earlier| reading.call_since(&earlier));
    let notice = call.map(|call| match call {
        TimeCall::Seconds(seconds) => words::seconds_left(language, seconds),
        TimeCall::Periods(periods) => words::periods_left(language, periods),
    });
    // The next change of what the clock shows.
    let left = reading.until_change();
    let step = if left < Duration::from_secs(11) { 100 } else { 1000 };
    let again = Duration::from_millis(u64::from(left.subsec_millis()) % step + 1).min(until_flag);
    let has_overtime = game.table().clock(game.person).control().overtime.is_some();
    Waiting {
        prompt,
        // From 0:10 to 0:09.9, and on to 0:09.9 / 25.
        reserve: if has_overtime { 7 } else { 2 },
        again: Some(again),
        notices: notice.into_iter().collect(),
        is_over: until_flag.is_zero(),
    }
}
