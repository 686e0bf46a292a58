//! The game on the table: the engine plays, the referee says what is legal and when it is over.

use crate::app::level::{self, Level};
use crate::app::seat::{Seat, SeatOptions};
use crate::clock::Overtime;
use crate::engine::{BestMove, Event, Limits, Score, Side};
use crate::games::formats::pgn::{self, Headings};
use crate::games::formats::sgf;
use crate::games::game::{Game, Position, Start};
use crate::games::notation::Style;
use crate::games::record::{
    Ending, GameKind, Numbering, Ply, Reason, ReportedScore as RecordedScore, Thought,
};
use crate::games::time::{Control, GameClock};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use crossbeam::channel::Receiver;
use std::time::{Duration, Instant, SystemTime};

/// What the game is played by.
#[derive(Clone)]
pub(super) struct Conditions {
    /// From where, and by which rules.
    pub start: Start,
    /// Both clocks; `None`: no clock.
    pub control: Option<Control>,
    /// How moves are written.
    pub style: Style,
    /// The language of the person.
    pub language: Language,
}

/// What the engine says while it thinks.
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

/// A game of a person against the engine.
pub struct EngineGame {
    /// What it is played by.
    pub conditions: Conditions,
    seat: Seat,
    level: Option<Level>,
    game: Game,
    /// The moves of the game with what is recorded of them.
    plies: Vec<Ply>,
    clocks: Option<[GameClock; 2]>,
    started: SystemTime,
}

/// The clocks of both sides; none where time has no limit.
fn clocks(conditions: &Conditions) -> Option<[GameClock; 2]> {
    let control = conditions.control.as_ref().filter(|control| control.is_timed())?;
    Some([0, 1].map(|_| GameClock::new(control.clone(), Duration::ZERO)))
}

impl EngineGame {
    /// A game at its start.
    /// # Errors
    /// What is wrong with the conditions.
    pub fn new(conditions: Conditions, threads: u16, hash: u32) -> Result<Self, Message> {
        let options = SeatOptions { threads: threads.into(), hash, book: true, chances: false };
        let mut game = Self {
            game: Game::at(conditions.start.clone())?,
            seat: Seat::sit(conditions.start.kind, &options)?,
            level: None,
            plies: Vec::new(),
            clocks: clocks(&conditions),
            started: SystemTime::now(),
            conditions,
        };
        game.seat.set_up(&game.game)?;
        Ok(game)
    }

    /// Starts anew.
    /// # Errors
    /// As [`new`](Self::new).
    pub fn restart(&mut self) -> Result<(), Message> {
        self.seat.engine().new_game();
        self.clocks = clocks(&self.conditions);
        self.started = SystemTime::now();
        self.undo(self.plies.len())
    }

    /// What is played.
    pub fn kind(&self) -> GameKind {
        self.game.kind()
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Who is to move.
    pub fn side_to_move(&self) -> Side {
        self.game.side_to_move()
    }

    /// `White`, `Red`, `Black`.
    pub fn name(&self, side: Side) -> String {
        self.kind().side_text(side, self.conditions.language)
    }

    /// The last move in coordinates.
    pub fn last_move(&self) -> Option<&str> {
        self.game.moves().last().map(String::as_str)
    }

    /// How many moves were played.
    pub fn length(&self) -> usize {
        self.plies.len()
    }

    /// `5:00`, of a side with a clock; once that is used up, `0:30 ×5` for five periods and `1:00 / 25` for 25 stones.
    pub fn clock(&self, side: Side) -> Option<String> {
        let clock = &self.clocks.as_ref()?[side.index()];
        let text = |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        let state = clock.state();
        Some(match (clock.control().per_move, state.overtime) {
            (Some(time), _) => text(time),
            (None, Some(Overtime::ByoYomi { length, periods })) if state.remaining.is_zero() => {
                format!("{} ×{periods}", text(length))
            }
            (None, Some(Overtime::Canadian { length, stones })) if state.remaining.is_zero() => {
                format!("{} / {stones}", text(length))
            }
            _ => text(state.remaining),
        })
    }

    /// Plays a move, written in any way.
    /// # Errors
    /// Why it cannot be played; nothing has changed then.
    pub fn play(&mut self, text: &str, time: Duration, thought: Thought) -> Result<Option<Ending>, Message> {
        let mv = self.game.read(text)?;
        let side = self.side_to_move();
        let fallen = self.clocks.as_mut().is_some_and(|clocks| clocks[side.index()].spend(time).is_err());
        if fallen {
            let late =
                message!("{name} oversteps the time" | "{name}超时", name = self.kind().game().side(side));
            return Ok(Some(self.game.forfeit(side, Reason::Time, late)));
        }
        let ply = self.game.ply(&mv, self.conditions.style);
        self.game.play(&mv)?;
        let (clock_ms, overtime) = self.clocks.as_ref().map_or((None, None), |c| c[side.index()].recorded());
        self.plies.push(Ply { time_us: time.as_micros() as u64, clock_ms, overtime, thought, ..ply });
        self.seat.set_up(&self.game)?;
        Ok(self.ending())
    }

    /// How the rules end the game, if they do. After two passes a game of Go is to be counted.
    pub fn ending(&self) -> Option<Ending> {
        self.game.ending()
    }

    /// Whether both have passed in turn.
    pub fn both_passed(&self) -> bool {
        self.game.both_passed()
    }

    /// The stones that the engine takes for dead.
    pub fn dead_stones(&mut self) -> Vec<String> {
        let groups = self.seat.go().map(|go| go.status()).unwrap_or_default();
        groups.groups("dead").unwrap_or_default().concat()
    }

    /// All stones of the chain on a vertex; empty where no stone is.
    pub fn chain(&self, vertex: &str) -> Vec<String> {
        let Some(stones) = self.game.stones() else { return Vec::new() };
        let board = stones.position().board();
        match crate::go::coords::parse_vertex(board, vertex) {
            Some(v) if board.contains(v) && !board.is_empty(v) => {
                board.chain(v).map(|v| crate::go::coords::vertex(board, v)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The end of a game of Go when these stones are dead.
    pub fn count(&self, dead: &[String]) -> Option<Ending> {
        let stones = self.game.stones()?;
        Some(stones.count(&stones.dead_stones(dead)))
    }

    /// Takes back `plies` moves, at most all.
    /// # Errors
    /// Never, for moves that were played.
    pub fn undo(&mut self, plies: usize) -> Result<(), Message> {
        self.plies.truncate(self.plies.len().saturating_sub(plies));
        self.game.truncate(self.plies.len());
        self.seat.set_up(&self.game)
    }

    /// The moves so far, numbered: `1. e4 e5 2. Nf3`.
    pub fn moves(&self) -> String {
        let numbering = Numbering::of(self.kind(), self.conditions.start.fen.as_deref());
        let mut out = Vec::new();
        for (i, ply) in self.plies.iter().enumerate() {
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
    /// # Errors
    /// When the game does not have this level.
    pub fn set_level(&mut self, level: Option<Level>) -> Result<(), Message> {
        level::set(self.seat.engine(), level)?;
        self.level = level;
        Ok(())
    }

    /// Starts a search: for a move of the engine's own by its level and its clock, else to give advice as well as it can.
    /// [`finish`](Self::finish) waits for the end.
    /// # Errors
    /// When the engine cannot search.
    pub fn search(&mut self, mut limits: Limits, for_own_move: bool) -> Result<RunningSearch, Message> {
        level::set(self.seat.engine(), self.level.filter(|_| for_own_move))?;
        if for_own_move && self.level.is_some() {
            limits.movetime = Some(level::LONGEST);
        }
        let side = self.side_to_move();
        if let (true, Some(clocks)) = (for_own_move, &self.clocks) {
            let mut state = *clocks[side.index()].state();
            state.opponent = Some(clocks[side.other().index()].state().remaining);
            limits.clock = Some(state);
            limits.movetime = None;
        }
        Ok(RunningSearch { events: self.seat.search(limits)?, start: Instant::now() })
    }

    /// Waits for the end of a search; `report` hears what the engine thinks meanwhile.
    /// # Errors
    /// When it ended without a move.
    pub fn finish(
        &mut self,
        search: RunningSearch,
        show: &mut dyn FnMut(&Thinking),
    ) -> Result<(BestMove, Option<Thinking>, Duration), Message> {
        let (mut last, mut best) = (None, None);
        for event in &search.events {
            let thinking = match event {
                Event::BestMove(found) => {
                    best = Some(found);
                    break;
                }
                Event::Info(info) if info.multipv == 1 => Thinking {
                    depth: u64::from(info.depth),
                    score: score_text(self.conditions.language, info.score),
                    centipawns: centipawns(info.score),
                    recorded: Some(recorded(info.score)),
                    line: self.line(&info.pv),
                },
                Event::Analysis(analysis) => Thinking {
                    depth: analysis.visits,
                    score: words::winrate_and_lead(
                        self.conditions.language,
                        100.0 * analysis.winrate,
                        analysis.score_lead,
                    ),
                    centipawns: (100.0 * analysis.score_lead) as i32,
                    recorded: None,
                    line: analysis.moves.first().map_or(String::new(), |mv| self.line(&mv.pv)),
                },
                _ => continue,
            };
            show(&thinking);
            last = Some(thinking);
        }
        self.seat.engine().wait();
        let best = best.ok_or_else(|| Message::from("the search ended without a move".to_owned()))?;
        Ok((best, last, search.start.elapsed()))
    }

    fn line(&self, moves: &[String]) -> String {
        let moves = &moves[..moves.len().min(8)];
        self.game.write_line(moves, self.conditions.style).join(" ")
    }

    /// A move in coordinates as people write it.
    pub fn write(&self, mv: &str) -> String {
        self.game.write(mv, self.conditions.style)
    }

    /// The game as PGN or SGF; `ending` if it is over.
    /// # Errors
    /// Never, for moves that were played.
    pub fn save(&self, ending: Option<&Ending>, person: Side) -> Result<String, Message> {
        let Conditions { start, control, style, .. } = &self.conditions;
        let control = control.as_ref().map_or_else(|| "-".to_owned(), |control| control.to_string());
        let mut record = start.record();
        record.controls = [control.clone(), control];
        record.plies.clone_from(&self.plies);
        record.started = self.started.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
        record.duration_ms = self.started.elapsed().map_or(0, |d| d.as_millis() as u64);
        record.notation = *style;
        if let Some(ending) = ending {
            record.ending = ending.clone();
        }
        record.names[person.index()] = "Player".to_owned();
        record.names[person.other().index()] = format!("Sanqi {}", env!("CARGO_PKG_VERSION"));
        let headings = Headings { event: "Game against Sanqi".to_owned(), site: "?".to_owned() };
        match record.kind {
            GameKind::GO => Ok(sgf::write(&record, &headings)?),
            _ => Ok(pgn::write(&record, &headings)),
        }
    }
}

pub struct RunningSearch {
    events: Receiver<Event>,
    start: Instant,
}

/// What the engine thought, for the record.
pub fn thought(thinking: Option<&Thinking>) -> Thought {
    let score = thinking.and_then(|t| t.recorded);
    let depth = thinking.filter(|t| t.recorded.is_some()).map(|t| t.depth as u32);
    Thought { score, depth, ..Thought::default() }
}

fn recorded(score: Score) -> RecordedScore {
    match score {
        Score::Centipawns(cp) => RecordedScore::Cp(cp),
        Score::Mate(n) => RecordedScore::Mate(n),
    }
}

fn centipawns(score: Score) -> i32 {
    recorded(score).centipawns()
}

fn score_text(language: Language, score: Score) -> String {
    match score {
        Score::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(n) if n > 0 => words::mate_in(language, n),
        Score::Mate(n) => words::mated_in(language, n.saturating_neg()),
    }
}
