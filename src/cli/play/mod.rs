//! `sanqi play GAME`: a game against the engine on a terminal.

mod args;
mod boards;
mod count;
mod game;
mod input;
mod typed;
mod levels;

use crate::app::console::{Outcome, at, misuse, put, say};
use crate::app::language::{self, columns};
use crate::app::level::{LEVELS, Level};
use crate::app::seat::any_chess960;
use crate::chess::Board;
use crate::engine::{GameId, Limits, Side};
use crate::games::game::Start;
use crate::games::game_file::GameFile;
use crate::games::notation::Style;
use crate::games::record::{Ending, GameKind, Reason};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::sync::lock;
use crate::util::{files, system, words};
pub use args::Args;
use boards::Look;
use clap::Args as _;
use game::{Conditions, EngineGame, Thinking, thought};
use input::Input;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use typed::{cut, known, narrow};

/// Plays until the game is over, or the person has had enough.
pub fn run(args: &Args) -> Outcome {
    if let Err(why) = args.check() {
        misuse::<Args>("play", why);
    }
    play(args)
}

fn play(args: &Args) -> Outcome {
    let outcome = PlaySession::new(args).and_then(|mut session| session.play());
    language::in_language(args.language.language(), outcome)
}

/// Plays `game` as `sanqi play GAME WORDS…` does.
/// # Errors
/// As [`run`], and when the words cannot be read.
pub fn run_words(words: &[&str]) -> Outcome {
    let command = Args::augment_args(clap::Command::new("play").no_binary_name(true));
    let matches = command.try_get_matches_from(words).map_err(|e| {
        Message::from(
            e.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned(),
        )
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
    /// A move was made, or taken back, or a new game begun.
    Turn,
    /// The game is over.
    Over(Ending),
    /// Enough.
    Quit,
}

/// The board, the person in front of it and the engine behind it.
struct PlaySession {
    game: EngineGame,
    input: Input,
    person: Side,
    limits: Limits,
    look: Look,
    file: Option<PathBuf>,
    language: Language,
    /// The number of the start of Chess960, where chance chose it.
    number: Option<usize>,
    /// When the person's turn began.
    turn: Instant,
    /// How the game ended; `None` while it is played.
    ending: Option<Ending>,
    /// The moves of the game that was saved last, and whether it was over.
    saved: Option<(String, bool)>,
}

impl PlaySession {
    fn new(args: &Args) -> Result<Self, Message> {
        let time = Duration::from_secs_f64(args.seconds);
        let kind = args.kind();
        let by_chance = kind == GameKind::CHESS960 && args.fen.is_none();
        let number = by_chance.then(any_chess960);
        let fen = number.map_or_else(|| args.fen.clone(), |number| Some(Board::chess960(number).fen()));
        let style = Style::from_name(&args.notation).unwrap_or_default();
        let language = args.language.language();
        let start = Start { kind, rules: args.rules(), fen };
        let conditions = Conditions { start, control: args.tc.clone(), style, language };
        let game = EngineGame::new(conditions, args.threads, args.hash).map_err(|why| match &args.fen {
            Some(_) => message!("--fen: {why}" | "--fen：{why}", why),
            None => why,
        })?;
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
        let person = args.person().unwrap_or_else(|| game.side_to_move());
        let terminal = std::io::stdout().is_terminal() && !args.ascii;
        let color = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let below = if kind == GameKind::GO { Side::First } else { person };
        let mut session = Self {
            game,
            input: Input::new(),
            person,
            limits: match args.nodes.is_some() || args.depth.is_some() {
                true => Limits { nodes: args.nodes, depth: args.depth, ..Limits::default() },
                false => Limits { movetime: Some(time), ..Limits::default() },
            },
            look: Look { color, figures: terminal, below },
            file,
            language,
            number,
            turn: Instant::now(),
            ending: None,
            saved: None,
        };
        session.game.set_level(args.level)?;
        Ok(session)
    }

    fn play(&mut self) -> Outcome {
        if let Some(number) = self.number {
            say(words::start_of_chess960(self.language, number));
        }
        self.introduce();
        self.show();
        self.ending = self.game.ending();
        loop {
            self.note()?;
            if self.ending.is_none() && self.game.both_passed() {
                match self.settle()? {
                    Next::Over(counted) => self.ending = Some(counted),
                    Next::Quit => return self.keep(),
                    Next::Stay | Next::Turn => {}
                }
            }
            if let Some(ending) = &self.ending {
                self.tell_end(ending);
                self.keep()?;
                if matches!(self.look_back()?, Next::Quit) {
                    return Ok(());
                }
                // A start may be over, too.
                self.ending = self.game.ending();
                continue;
            }
            self.ending = if self.game.side_to_move() == self.person {
                match self.listen()? {
                    Next::Stay | Next::Turn => None,
                    Next::Over(ending) => Some(ending),
                    Next::Quit => return self.keep(),
                }
            } else {
                self.answer()?
            };
        }
    }

    /// Says who plays which side, how strong the engine is, and where to find more.
    fn introduce(&self) {
        let language = self.language;
        let strength = match (self.game.level(), self.limits.nodes, self.limits.depth) {
            (Some(level), ..) => words::level_is(language, level),
            (_, Some(nodes), _) => words::nodes_a_move(language, nodes),
            (_, _, Some(depth)) => words::depth_of_search(language, depth),
            _ => words::full_strength(language),
        };
        say(words::you_play(language, self.game.name(self.person), strength));
    }

    /// Does what can be done with a game that is over, until it goes on, another begins, or the person leaves.
    fn look_back(&mut self) -> Result<Next, Message> {
        loop {
            let Some(line) = self.input.line("> ")? else {
                match self.leave()? {
                    Next::Stay => continue,
                    next => return Ok(next),
                }
            };
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            let word = known(word);
            let is_timed_out = self.ending.as_ref().is_some_and(|ending| ending.reason == Reason::Time);
            let next = match word.as_str() {
                // A clock that has run out stays so.
                "undo" if is_timed_out => None,
                "" | "quit" | "exit" | "board" | "flip" | "moves" | "fen" | "level" | "save" | "new"
                | "undo" => self.command(&word, rest.trim())?,
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
        let is_saved =
            self.file.is_some() || self.saved.as_ref() == Some(&(self.game.moves(), self.ending.is_some()));
        if is_saved || self.game.length() == 0 || !self.input.is_terminal() {
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

    fn tell_end(&self, ending: &Ending) {
        let result = if self.kind() == GameKind::GO { "" } else { ending.result() };
        let winner = match ending.winner {
            Some(winner) => words::wins(self.language, self.game.name(winner)),
            None => words::draw(self.language),
        };
        say(format!("{result} {winner} ({})", ending.text(self.language)).trim_start());
    }

    fn resigned(&self, side: Side) -> Ending {
        let detail = message!("{name} resigns" | "{name}认输", name = self.kind().game().side(side));
        Ending::won(side.other(), Reason::Resignation, detail)
    }

    fn kind(&self) -> GameKind {
        self.game.kind()
    }

    fn show(&self) {
        put(boards::draw(self.game.position(), self.game.last_move(), self.look));
    }

    /// Writes the game to the file that was asked for.
    fn keep(&self) -> Outcome {
        let ending = self.ending.as_ref();
        // It is kept once, and whole before a signal ends the program.
        let mut unkept = lock(&UNKEPT);
        *unkept = None;
        match &self.file {
            Some(path) if self.game.length() > 0 || ending.is_some() => {
                Ok(GameFile::open(path)?.add(&self.game.save(ending, self.person)?)?)
            }
            _ => Ok(()),
        }
    }

    /// Has a signal keep the game as it is now.
    fn note(&self) -> Outcome {
        let path = self.file.clone().filter(|_| self.game.length() > 0);
        let game = || self.game.save(self.ending.as_ref(), self.person);
        let unkept = path.map(|path| Ok::<_, Message>((path, game()?))).transpose()?;
        *lock(&UNKEPT) = unkept;
        Ok(())
    }

    /// The engine's turn. `Some`: the game is over.
    fn answer(&mut self) -> Result<Option<Ending>, Message> {
        let search = self.game.search(self.limits.clone(), true)?;
        let (best, thinking, time) = self.think(search)?;
        let side = self.game.side_to_move();
        let Some(mv) = best.mv.filter(|_| !best.resign) else {
            return Ok(Some(self.resigned(side)));
        };
        let text = if mv == "pass" { words::passes(self.language) } else { self.game.write(&mv) };
        let (kept, before) = (thought(thinking.as_ref()), self.game.length());
        let ending = self.game.play(&mv, time, kept)?;
        // Where its flag has fallen, the move was not made.
        if self.game.length() > before {
            say(format_args!("{}: {text}", self.game.name(side)));
            self.show();
        }
        self.turn = Instant::now();
        Ok(ending)
    }

    /// Waits for a search, telling on a terminal what it has found so far.
    fn think(
        &mut self,
        search: game::RunningSearch,
    ) -> Result<(crate::engine::BestMove, Option<Thinking>, Duration), Message> {
        let (live, language) = (self.input.is_terminal(), self.language);
        // A line that goes on in the next row is not cleared.
        let width = self.input.width().saturating_sub(1).min(76);
        let mut show = |thinking: &Thinking| {
            if live {
                let line = words::thinking(language, thinking.depth, &thinking.score, &thinking.line);
                let line = cut(&line, width);
                let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
            }
        };
        let found = self.game.finish(search, &mut show);
        if live {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        found
    }

    /// Thinks in the person's place, about a hint, the score or an offered draw.
    fn consider(&mut self) -> Result<(crate::engine::BestMove, Option<Thinking>), Message> {
        // Not from the book, which has no reasons.
        let analysis = self.kind() != GameKind::GO;
        let limits = Limits { movetime: Some(Duration::from_secs(1)), analysis, ..Limits::default() };
        let search = self.game.search(limits, false)?;
        let (best, thinking, _) = self.think(search)?;
        Ok((best, thinking))
    }

    fn prompt(&self) -> String {
        let clocks = [self.person, self.person.other()].map(|side| self.game.clock(side));
        let clocks = match clocks {
            [Some(own), Some(other)] => words::clocks(self.language, own, other),
            _ => String::new(),
        };
        format!("{}{clocks}> ", self.game.name(self.person))
    }

    /// The person's turn.
    fn listen(&mut self) -> Result<Next, Message> {
        let Some(line) = self.input.line(&self.prompt())? else { return self.leave() };
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = known(word);
        // The name of a file stays as it is.
        let rest = if word == "save" { rest.to_owned() } else { narrow(rest) };
        match self.command(&word, rest.trim())? {
            Some(next) => Ok(next),
            // A pass in Chinese.
            None if word == "pass" && self.kind() == GameKind::GO => self.attempt(&word, self.turn.elapsed()),
            None => self.attempt(&narrow(line), self.turn.elapsed()),
        }
    }

    /// Plays what the person typed, or says why it is not a move.
    fn attempt(&mut self, text: &str, time: Duration) -> Result<Next, Message> {
        let mv = match self.game.position().read_typed(text) {
            Ok(mv) => mv,
            Err(refused) => {
                let (language, is_guessed) = (self.language, refused.nearest.is_some());
                let why = Message::from(refused);
                match is_guessed {
                    true => say(why.text(language)),
                    false => say(words::no_such_move(language, why.text(language), self.examples())),
                }
                return Ok(Next::Stay);
            }
        };
        let ending = self.game.play(&mv, time, crate::games::record::Thought::default())?;
        self.show();
        Ok(ending.map_or(Next::Turn, Next::Over))
    }

    /// How moves of this game are written.
    fn examples(&self) -> String {
        match self.kind().game() {
            GameId::Chess => words::examples_of_chess(self.language),
            GameId::Xiangqi => words::examples_of_xiangqi(self.language),
            GameId::Go => words::examples_of_go(self.language),
        }
    }

    /// Runs a command. `None`: the word is not a command.
    fn command(&mut self, word: &str, rest: &str) -> Result<Option<Next>, Message> {
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
            "hint" => {
                let mv = self.consider()?.0.mv.map(|mv| match mv == "pass" {
                    true => words::pass_word(self.language),
                    false => self.game.write(&mv),
                });
                match mv {
                    Some(text) if self.game.side_to_move() == self.person => say(text),
                    // While a game of Go is counted it may be the engine's turn.
                    Some(text) => say(format_args!("{}: {text}", self.game.name(self.game.side_to_move()))),
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
                let is_own_turn = self.game.side_to_move() == self.person;
                let plies = match self.ending.take().map(|ending| ending.reason) {
                    // The person's word ended the game, and no move.
                    Some(Reason::Resignation | Reason::Agreement) if is_own_turn => 0,
                    // The engine's answer goes with the person's move, once there is one.
                    _ if is_own_turn => 2,
                    _ => 1,
                };
                self.game.undo(plies)?;
                self.turn = Instant::now();
                self.show();
                return Ok(Some(Next::Turn));
            }
            "new" => {
                if !self.may_drop()? {
                    return Ok(Some(Next::Stay));
                }
                // A game that is over is in the file already.
                if self.ending.take().is_none() {
                    self.keep()?;
                }
                self.game.restart()?;
                self.turn = Instant::now();
                self.show();
                return Ok(Some(Next::Turn));
            }
            "save" => _ = self.save(rest),
            "level" => self.level(rest),
            "resign" => {
                return Ok(Some(Next::Over(self.resigned(self.person))));
            }
            "draw" if !is_go => {
                // The score is the person's: a draw is taken where the engine stands no better.
                let score = self.consider()?.1.map_or(0, |thinking| thinking.centipawns);
                if score >= 0 && self.game.length() >= 10 || score >= 100 {
                    let ending = Ending::drawn(Reason::Agreement, message!("draw agreed" | "双方议和"));
                    return Ok(Some(Next::Over(ending)));
                }
                say(words::draw_declined(self.language));
            }
            _ => return Ok(None),
        }
        Ok(Some(Next::Stay))
    }

    fn help(&self) {
        let (is_go, language) = (self.kind() == GameKind::GO, self.language);
        say(words::a_move_is(language, self.examples()));
        let end = match is_go {
            true => (words::pass_word(language), words::pass_help(language)),
            false => (words::draw_word(language), words::draw_help(language)),
        };
        let save = if is_go { words::save_go_help(language) } else { words::save_help(language) };
        let lines = [
            (words::hint_word(language), words::hint_help(language)),
            (words::score_word(language), words::score_help(language)),
            (words::undo_word(language), words::undo_help(language)),
            (words::resign_word(language), words::resign_help(language)),
            end,
            (words::moves_word(language), words::moves_help(language)),
            (words::board_word(language), words::board_help(language)),
            (words::level_word(language), words::level_help(language, LEVELS)),
            (words::new_word(language), words::new_help(language)),
            (words::save_word(language), save),
            (words::quit_word(language), words::quit_help(language)),
        ];
        for (word, meaning) in lines {
            let gap = " ".repeat(language.pick(12usize, 24).saturating_sub(columns(&word)));
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
                Some(level) => say(words::level_is(language, level)),
                None => say(words::full_strength(language)),
            },
            _ if self.kind() == GameKind::GO => say(words::level_usage_go(language, LEVELS)),
            _ => say(words::level_usage(language, LEVELS)),
        }
    }

    /// Adds the game to a file, or says why not; whether it is saved.
    fn save(&mut self, path: &str) -> bool {
        if path.is_empty() {
            say(words::save_usage(self.language));
            return false;
        }
        let saved = self
            .game
            .save(self.ending.as_ref(), self.person)
            .and_then(|text| GameFile::open(Path::new(path))?.add(&text));
        match saved {
            Ok(()) => {
                self.saved = Some((self.game.moves(), self.ending.is_some()));
                say(words::saved_to(self.language, path));
                true
            }
            Err(why) => {
                say(why.text(self.language));
                false
            }
        }
    }
}
