//! The game of a person against the engine: a table, the engine that sits at one side of it, and the journal.

use crate::app::level::{self, Level};
use crate::app::opponent;
use crate::app::review::{self, Opinion};
use crate::app::seat::{Seat, SeatOptions};
use crate::engine::{BestMove, Event, Limits, Score, Side};
use crate::games::formats::pgn::{self, Headings};
use crate::games::formats::sgf;
use crate::games::game::{Game, Position};
use crate::games::record::{Ending, GameKind, Numbering, ReportedScore as RecordedScore, Thought};
use crate::games::time::Reading;
use crate::message;
use crate::table::{Action, Actor, Agreement, Objection, Table, TableEvent, TableJournal};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::remark;
use crate::util::words;
use crossbeam::channel::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime};

/// What the engine reports while it thinks.
#[derive(Clone, Debug)]
pub struct Thinking {
    /// Plies; visits in Go.
    pub depth: u64,
    /// From the engine's side: pawns or mate; in Go the chance to win and the lead.
    pub score: String,
    /// The same in centipawns, or hundredths of a point.
    pub centipawns: i32,
    /// The same as records have it; none in Go.
    pub recorded: Option<RecordedScore>,
    /// The line it expects, as people write it.
    pub line: String,
}

pub struct EngineGame {
    /// The language of the person.
    pub language: Language,
    pub person: Side,
    table: Table,
    journal: Option<TableJournal>,
    seat: Seat,
    level: Option<Level>,
    /// Where the table's time begins.
    origin: Instant,
    started: SystemTime,
}

/// What came of asking the table for something.
pub type Asked = Result<Vec<TableEvent>, NotDone>;

/// Why the table did not do what it was asked for.
pub enum NotDone {
    /// The table's reason; nothing has changed.
    Objection(Objection),
    /// The game cannot go on.
    Failure(Message),
}

impl From<Message> for NotDone {
    fn from(why: Message) -> Self {
        Self::Failure(why)
    }
}

pub fn engine_name() -> String {
    format!("Sanqi {}", env!("CARGO_PKG_VERSION"))
}

impl EngineGame {
    /// A game at a table that stands ready; its clock is started by [`go_on`](Self::go_on).
    pub fn new(
        table: Table,
        person: Side,
        language: Language,
        options: &SeatOptions,
    ) -> Result<Self, Message> {
        let mut game = Self {
            seat: Seat::sit(table.game().kind(), options)?,
            language,
            person,
            table,
            journal: None,
            level: None,
            origin: Instant::now(),
            started: SystemTime::now(),
        };
        game.seat.set_up(game.table.game())?;
        Ok(game)
    }

    /// Writes what happens from now on to this journal.
    pub fn keep_in(&mut self, journal: Option<TableJournal>) {
        self.journal = journal;
    }

    /// Whether what happens is on disk at once.
    pub fn is_journaled(&self) -> bool {
        self.journal.is_some()
    }

    /// Begins another game at the same side of another table.
    pub fn restart(&mut self, table: Table, journal: Option<TableJournal>) -> Result<(), Message> {
        self.seat.engine().new_game();
        (self.table, self.journal, self.started) = (table, journal, SystemTime::now());
        self.seat.set_up(self.table.game())
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    pub fn now(&self) -> Duration {
        self.origin.elapsed()
    }

    /// Asks the table for something.
    /// # Errors
    /// Its objection, or that the engine refuses the position.
    pub fn act(&mut self, actor: Actor, action: Action) -> Asked {
        let events = self.table.act(actor, action, self.now()).map_err(NotDone::Objection)?;
        self.note(&events)?;
        Ok(events)
    }

    /// Asks for something that the person wants.
    pub fn ask(&mut self, action: Action) -> Asked {
        self.act(Actor::Player(self.person), action)
    }

    /// Lets the clocks run, if they are stopped.
    pub fn go_on(&mut self) -> Result<(), Message> {
        match self.act(Actor::Arbiter, Action::Continue) {
            Err(NotDone::Failure(why)) => Err(why),
            _ => Ok(()),
        }
    }

    /// Looks whether the flag has fallen.
    pub fn tick(&mut self) -> Result<(), Message> {
        let events = self.table.tick(self.now());
        self.note(&events)
    }

    fn note(&mut self, events: &[TableEvent]) -> Result<(), Message> {
        if let Some(journal) = &mut self.journal
            && let Err(why) = journal.add(events)
        {
            // The game matters more than its journal.
            self.journal = None;
            remark!(
                "sanqi: {}",
                words::journal_failed(self.language, Message::from(why).text(self.language))
            );
        }
        let moves = |event: &TableEvent| {
            matches!(
                event,
                TableEvent::Moved { .. } | TableEvent::TookBack { .. } | TableEvent::Unsealed { .. }
            )
        };
        if events.iter().any(moves) { self.seat.set_up(self.table.game()) } else { Ok(()) }
    }

    pub fn kind(&self) -> GameKind {
        self.table.game().kind()
    }

    pub fn position(&self) -> &Position {
        self.table.game().position()
    }

    pub fn side_to_move(&self) -> Side {
        self.position().side_to_move()
    }

    /// `White`, `Red`, `Black`.
    pub fn name(&self, side: Side) -> String {
        self.kind().side_text(side, self.language)
    }

    pub fn last_move(&self) -> Option<&str> {
        self.table.game().moves().last().map(String::as_str)
    }

    /// How many moves were played.
    pub fn length(&self) -> usize {
        self.table.plies().len()
    }

    /// What the clock of a side shows; `None`: it has none.
    pub fn reading(&self, side: Side) -> Option<Reading> {
        self.table.reading(side, self.now())
    }

    /// How the game ended, once it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.table.ending()
    }

    /// The stones that the engine takes for dead.
    pub fn dead_stones(&mut self) -> Vec<String> {
        let groups = self.seat.go().map(|go| go.status()).unwrap_or_default();
        groups.groups("dead").unwrap_or_default().concat()
    }

    /// The end of a game of Go when these stones are dead.
    pub fn count(&self, dead: &[String]) -> Option<Ending> {
        let stones = self.position().stones()?;
        Some(stones.count(&stones.dead_stones(dead)))
    }

    /// The moves so far, numbered: `1. e4 e5 2. Nf3`.
    pub fn moves(&self) -> String {
        let numbering = Numbering::of(self.kind(), self.agreement().start.fen.as_deref());
        let mut out = Vec::new();
        for (i, ply) in self.table.plies().iter().enumerate() {
            let text = if ply.text.is_empty() { &ply.mv } else { &ply.text };
            let number = numbering.text(i);
            out.push(match i == 0 || !number.ends_with("...") {
                true => format!("{number} {text}"),
                false => text.clone(),
            });
        }
        out.join(" ")
    }

    /// The level of the engine; `None`: full strength.
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// From now on the engine's moves are those of a player of this level, or as good as they can be.
    pub fn set_level(&mut self, level: Option<Level>) -> Result<(), Message> {
        level::set(self.seat.engine(), level)?;
        self.level = level;
        Ok(())
    }

    /// Starts a search: for a move of the engine's own by its level and its clock, else to give advice as
    /// well as it can. [`finish`](Self::finish) waits for the end.
    pub fn search(&mut self, mut limits: Limits, for_own_move: bool) -> Result<RunningSearch, Message> {
        level::set(self.seat.engine(), self.level.filter(|_| for_own_move))?;
        if for_own_move {
            limits = opponent::limits(&self.table, self.level.is_some(), limits);
        }
        Ok(RunningSearch { events: self.seat.search(limits)? })
    }

    /// What the engine at full strength thinks of a position of some game of this kind;
    /// [`sit_down_again`](Self::sit_down_again) brings it back to this one.
    pub fn opinion_on(&mut self, game: &Game, limits: Limits) -> Result<Opinion, Message> {
        level::set(self.seat.engine(), None)?;
        self.seat.set_up(game)?;
        review::search(&mut self.seat, limits)
    }

    /// Brings the engine to the position of this game.
    pub fn sit_down_again(&mut self) -> Result<(), Message> {
        self.seat.set_up(self.table.game())
    }

    /// Has the engine open from a book in a file.
    pub fn use_book(&mut self, path: &str) -> Result<(), Message> {
        self.seat.engine().set_option("Book File", path)?;
        self.seat.engine().set_option("OwnBook", "true")
    }

    /// Waits for the end of a search; `show` hears what the engine thinks, and in between every fifth of a
    /// second. Once `is_late`, the search is stopped.
    pub fn finish(
        &mut self,
        search: RunningSearch,
        is_late: impl Fn(&Table, Duration) -> bool,
        show: &mut dyn FnMut(&Table, Duration, Option<&Thinking>),
    ) -> Result<(BestMove, Option<Thinking>), Message> {
        let (stop, mut last, mut best) = (self.seat.engine().stop_handle(), None, None);
        loop {
            let event = match search.events.recv_timeout(Duration::from_millis(200)) {
                Ok(event) => event,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    if is_late(&self.table, self.now()) {
                        stop.set();
                    }
                    show(&self.table, self.now(), last.as_ref());
                    continue;
                }
            };
            let thinking = match event {
                Event::BestMove(found) => {
                    best = Some(found);
                    break;
                }
                Event::Info(info) if info.multipv == 1 => Thinking {
                    depth: u64::from(info.depth),
                    score: score_text(self.language, info.score),
                    centipawns: opponent::reported(info.score).centipawns(),
                    recorded: Some(opponent::reported(info.score)),
                    line: self.line(&info.pv),
                },
                Event::Analysis(analysis) => Thinking {
                    depth: analysis.visits,
                    score: words::winrate_and_lead(
                        self.language,
                        100.0 * analysis.winrate,
                        analysis.score_lead,
                    ),
                    centipawns: (100.0 * analysis.score_lead) as i32,
                    recorded: None,
                    line: analysis.moves.first().map_or(String::new(), |mv| self.line(&mv.pv)),
                },
                _ => continue,
            };
            last = Some(thinking);
            show(&self.table, self.now(), last.as_ref());
        }
        self.seat.engine().wait();
        let best = best.ok_or_else(|| message!("the search ended without a move" | "搜索没有给出着法"))?;
        Ok((best, last))
    }

    fn line(&self, moves: &[String]) -> String {
        let moves = &moves[..moves.len().min(8)];
        self.position().write_line(moves, self.agreement().notation).join(" ")
    }

    /// A move in coordinates as people write it.
    pub fn write(&self, mv: &str) -> String {
        self.position().write(mv, self.agreement().notation)
    }

    fn agreement(&self) -> &Agreement {
        self.table.agreement()
    }

    /// The claim that the engine makes instead of playing on, as [`opponent::claims`] has it.
    pub fn claims(&self, mv: &str, thinking: Option<&Thinking>) -> Option<Option<String>> {
        opponent::claims(&self.table, mv, thinking.map_or(0, |thinking| thinking.centipawns))
    }

    /// Whether the engine accepts a draw; the score is the person's.
    pub fn accepts_draw(&self, score: i32) -> bool {
        opponent::accepts_draw(self.table.game(), score)
    }

    /// Whether the engine offers a draw with its move.
    pub fn offers_draw(&self, thought: &Thought) -> bool {
        self.level.is_none() && opponent::offers_draw(&self.table, self.person.other(), thought)
    }

    /// The game so far as PGN or SGF.
    pub fn save(&self) -> Result<String, Message> {
        let mut record = self.table.record_of_game();
        record.started = self.started.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
        record.duration_ms = self.started.elapsed().map_or(0, |d| d.as_millis() as u64);
        if record.controls.iter().all(|control| control == "inf") {
            record.controls = ["-", "-"].map(str::to_owned);
        }
        let headings = Headings { event: "Game against Sanqi".to_owned(), site: "?".to_owned() };
        match record.kind {
            GameKind::GO => Ok(sgf::write(&record, &headings)?),
            _ => Ok(pgn::write(&record, &headings)),
        }
    }
}

pub struct RunningSearch {
    events: Receiver<Event>,
}

/// What the engine thought, for the record.
pub fn thought(thinking: Option<&Thinking>) -> Thought {
    let score = thinking.and_then(|t| t.recorded);
    let depth = thinking.filter(|t| t.recorded.is_some()).map(|t| t.depth as u32);
    Thought { score, depth, ..Thought::default() }
}

fn score_text(language: Language, score: Score) -> String {
    match score {
        Score::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(n) if n > 0 => words::mate_in(language, n),
        Score::Mate(n) => words::mated_in(language, n.saturating_neg()),
    }
}
