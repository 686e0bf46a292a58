//! The game on the table: the engine plays, the referee says what is legal and when it is over.

use crate::app::level::{self, Level};
use crate::app::seat::{Player, set_up};
use crate::clock::Overtime;
use crate::engine::{BestMove, Event, Limits, Score, Side};
use crate::games::formats::pgn::{self, Headings};
use crate::games::formats::sgf;
use crate::games::notation::{Position, Style};
use crate::games::record::{
    Ending, GameKind, GameRecord, Numbering, Opening, Ply, Reason, Score as Told, Thought,
};
use crate::games::referee::{self, Rules};
use crate::games::time::{Clock, Control};
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::words;
use crate::xiangqi::repetition;
use crossbeam::channel::{Receiver, unbounded};
use std::time::{Duration, Instant, SystemTime};

/// What the game is played by.
#[derive(Clone)]
pub struct Conditions {
    /// What is played.
    pub kind: GameKind,
    /// By which rules.
    pub rules: Rules,
    /// From where.
    pub opening: Opening,
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
    pub told: Option<Told>,
    /// The line it expects, as people write it.
    pub line: String,
}

/// A game in progress.
pub struct Game {
    /// What it is played by.
    pub conditions: Conditions,
    player: Player,
    level: Option<Level>,
    position: Position,
    plies: Vec<Ply>,
    clocks: Option<[Clock; 2]>,
    started: SystemTime,
}

/// The clocks of both sides; none where time has no limit.
fn clocks(conditions: &Conditions) -> Option<[Clock; 2]> {
    let control = conditions.control.as_ref().filter(|control| control.is_timed())?;
    Some([0, 1].map(|_| Clock::new(control.clone(), Duration::ZERO)))
}

impl Game {
    /// A game at its start.
    /// # Errors
    /// What is wrong with the conditions.
    pub fn new(conditions: Conditions, threads: u16, hash: u32) -> Result<Self, Message> {
        // The referee knows all that can be wrong with the rules.
        referee::create(conditions.kind, &conditions.rules, &conditions.opening)?;
        let mut player = Player::new(conditions.kind);
        let engine = player.engine();
        engine.set_option("Threads", &threads.to_string())?;
        engine.set_option("Hash", &hash.to_string())?;
        if conditions.kind == GameKind::XIANGQI {
            // From the book that is built in, so that not every game is the same.
            engine.set_option("OwnBook", "true")?;
        }
        let position = Position::new(conditions.kind, &conditions.rules, &conditions.opening)?;
        let clocks = clocks(&conditions);
        let mut game = Self {
            conditions,
            player,
            level: None,
            position,
            plies: Vec::new(),
            clocks,
            started: SystemTime::now(),
        };
        game.set_up()?;
        Ok(game)
    }

    /// Starts anew.
    /// # Errors
    /// As [`new`](Self::new).
    pub fn restart(&mut self) -> Result<(), Message> {
        self.player.engine().new_game();
        self.plies.clear();
        self.clocks = clocks(&self.conditions);
        self.started = SystemTime::now();
        self.set_up()
    }

    /// Brings the engine and the board to the position after all moves.
    fn set_up(&mut self) -> Result<(), Message> {
        let Conditions { kind, rules, opening, .. } = &self.conditions;
        self.position = Position::new(*kind, rules, opening)?;
        for ply in &self.plies {
            self.position.play(&ply.mv)?;
        }
        self.set_up_engine()
    }

    fn set_up_engine(&mut self) -> Result<(), Message> {
        let Conditions { kind, rules, opening, .. } = &self.conditions;
        let moves: Vec<String> = self.plies.iter().map(|ply| ply.mv.clone()).collect();
        set_up(&mut self.player, *kind, rules, opening, &moves)
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Who is to move.
    pub fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// `White`, `Red`, `Black`.
    pub fn name(&self, side: Side) -> String {
        self.conditions.kind.side_text(side, self.conditions.language)
    }

    /// What the judge says of a game of xiangqi that ended by repetition.
    pub fn repetition(&self, ending: &Ending) -> Option<String> {
        let Conditions { kind, rules, opening, language, .. } = &self.conditions;
        let (Reason::Repetition, Position::Xiangqi(board)) = (ending.reason, &self.position) else {
            return None;
        };
        let Ok(Position::Xiangqi(start)) = Position::new(*kind, rules, opening) else { return None };
        let judged = repetition::judge(&start, &board.moves_played(), rules.repetition.rules.parse().ok()?);
        Some(judged.ok()?.summary(*language))
    }

    /// The last move in coordinates.
    pub fn last_move(&self) -> Option<&str> {
        self.plies.last().map(|ply| ply.mv.as_str())
    }

    /// How many moves were played.
    pub fn length(&self) -> usize {
        self.plies.len()
    }

    /// `5:00`, of a side with a clock; once that is used up, `0:30 ×5` for five periods and `1:00 / 25` for 25 stones.
    pub fn clock(&self, side: Side) -> Option<String> {
        let clock = &self.clocks.as_ref()?[side.index()];
        let told = |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        let state = clock.state();
        Some(match (clock.control().per_move, state.overtime) {
            (Some(time), _) => told(time),
            (None, Some(Overtime::ByoYomi { length, periods })) if state.remaining.is_zero() => {
                format!("{} ×{periods}", told(length))
            }
            (None, Some(Overtime::Canadian { length, stones })) if state.remaining.is_zero() => {
                format!("{} / {stones}", told(length))
            }
            _ => told(state.remaining),
        })
    }

    /// Plays a move, written in any way.
    /// # Errors
    /// Why it cannot be played; nothing has changed then.
    pub fn play(&mut self, text: &str, time: Duration, thought: Thought) -> Result<Option<Ending>, Message> {
        let mv = self.position.read(text)?;
        let side = self.side_to_move();
        let fallen = self.clocks.as_mut().is_some_and(|clocks| clocks[side.index()].spend(time).is_err());
        if fallen {
            let referee = self.referee()?;
            let late = format!("{} oversteps the time", self.conditions.kind.side_name(side));
            return Ok(Some(referee.forfeit(side, Reason::Time, late)));
        }
        let text = self.position.write(&mv, self.conditions.style);
        self.position.play(&mv)?;
        let (clock_ms, overtime) = self.clocks.as_ref().map_or((None, None), |c| c[side.index()].told());
        let time_us = time.as_micros() as u64;
        self.plies.push(Ply { text, time_us, clock_ms, overtime, thought, ..Ply::plain(&mv) });
        self.set_up_engine()?;
        self.ending()
    }

    fn referee(&self) -> Result<Box<dyn referee::Referee>, Message> {
        let Conditions { kind, rules, opening, .. } = &self.conditions;
        let mut referee = referee::create(*kind, rules, opening)?;
        self.plies.iter().try_for_each(|ply| referee.make(&ply.mv))?;
        Ok(referee)
    }

    /// How the rules end the game, if they do. After two passes a game of Go is to be counted.
    /// # Errors
    /// Never, for moves that were played.
    pub fn ending(&self) -> Result<Option<Ending>, Message> {
        Ok(self.referee()?.ending())
    }

    /// Whether both have passed in turn.
    pub fn both_passed(&self) -> bool {
        let passes = self.plies.iter().rev().take_while(|ply| ply.mv == "pass").count();
        self.conditions.kind == GameKind::GO && passes >= 2
    }

    /// The stones that the engine takes for dead.
    pub fn dead_stones(&mut self) -> Vec<String> {
        let groups = self.player.go().map(|go| go.status()).unwrap_or_default();
        groups.groups("dead").unwrap_or_default().concat()
    }

    /// All stones of the chain on a vertex; empty where no stone is.
    pub fn chain(&self, vertex: &str) -> Vec<String> {
        let Position::Go(stones) = &self.position else { return Vec::new() };
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
        let Position::Go(stones) = &self.position else { return None };
        Some(stones.count(&stones.dead_stones(dead)))
    }

    /// Takes back `plies` moves, at most all.
    /// # Errors
    /// Never, for moves that were played.
    pub fn undo(&mut self, plies: usize) -> Result<(), Message> {
        self.plies.truncate(self.plies.len().saturating_sub(plies));
        self.set_up()
    }

    /// The moves so far, numbered: `1. e4 e5 2. Nf3`.
    pub fn moves(&self) -> String {
        let numbering = Numbering::of(self.conditions.kind, &self.conditions.opening);
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
    /// When there is no such player of this game.
    pub fn set_level(&mut self, level: Option<Level>) -> Result<(), Message> {
        level::set(self.player.engine(), level)?;
        self.level = level;
        Ok(())
    }

    /// Starts a search: for a move of the engine's own by its level and its clock, else to give advice as well as it can.
    /// [`finish`](Self::finish) waits for the end.
    /// # Errors
    /// When the engine cannot search.
    pub fn search(&mut self, mut limits: Limits, for_own_move: bool) -> Result<Search, Message> {
        level::set(self.player.engine(), self.level.filter(|_| for_own_move))?;
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
        let (sender, events) = unbounded();
        self.player.engine().go(limits, sender)?;
        Ok(Search { events, start: Instant::now() })
    }

    /// Waits for the end of a search; `tell` hears what the engine thinks meanwhile.
    /// # Errors
    /// When it ended without a move.
    pub fn finish(
        &mut self,
        search: Search,
        tell: &mut dyn FnMut(&Thinking),
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
                    told: Some(told(info.score)),
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
                    told: None,
                    line: analysis.moves.first().map_or(String::new(), |mv| self.line(&mv.pv)),
                },
                _ => continue,
            };
            tell(&thinking);
            last = Some(thinking);
        }
        self.player.engine().wait();
        let best = best.ok_or_else(|| Message::from("the search ended without a move".to_owned()))?;
        Ok((best, last, search.start.elapsed()))
    }

    fn line(&self, moves: &[String]) -> String {
        let moves = &moves[..moves.len().min(8)];
        self.position.write_line(moves, self.conditions.style).join(" ")
    }

    /// A move in coordinates as people write it.
    pub fn write(&self, mv: &str) -> String {
        self.position.write(mv, self.conditions.style)
    }

    fn unfinished(&self) -> Ending {
        Ending::drawn(Reason::Interrupted, "the game was not finished")
    }

    fn record(&self, ending: &Ending) -> GameRecord {
        let Conditions { kind, rules, opening, control, .. } = &self.conditions;
        let control = control.as_ref().map_or_else(|| "-".to_owned(), |control| control.to_string());
        GameRecord {
            number: 0,
            round: 1,
            pair: 0,
            kind: *kind,
            seats: [0, 1],
            names: ["?".to_owned(), "?".to_owned()],
            controls: [control.clone(), control],
            opening: opening.clone(),
            plies: self.plies.clone(),
            ending: ending.clone(),
            started: self.started.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs()),
            duration_ms: self.started.elapsed().map_or(0, |d| d.as_millis() as u64),
            latency_us: [0; 2],
            overhead_us: 0,
            notation: self.conditions.style,
            go: (*kind == GameKind::GO).then(|| rules.go.clone()),
        }
    }

    /// The game as PGN or SGF; `ending` if it is over.
    /// # Errors
    /// Never, for moves that were played.
    pub fn save(&self, ending: Option<&Ending>, person: Side) -> Result<String, Message> {
        let mut record = self.record(&ending.cloned().unwrap_or_else(|| self.unfinished()));
        record.names[person.index()] = "Player".to_owned();
        record.names[person.other().index()] = format!("Sanqi {}", env!("CARGO_PKG_VERSION"));
        let headings = Headings { event: "Game against Sanqi".to_owned(), site: "?".to_owned() };
        match record.kind {
            GameKind::GO => Ok(sgf::write(&record, &headings)?),
            _ => Ok(pgn::write(&record, &headings)),
        }
    }
}

/// A running search.
pub struct Search {
    events: Receiver<Event>,
    start: Instant,
}

/// What the engine thought, for the record.
pub fn thought(thinking: Option<&Thinking>) -> Thought {
    let score = thinking.and_then(|t| t.told);
    let depth = thinking.filter(|t| t.told.is_some()).map(|t| t.depth as u32);
    Thought { score, depth, ..Thought::default() }
}

fn told(score: Score) -> Told {
    match score {
        Score::Centipawns(cp) => Told::Cp(cp),
        Score::Mate(n) => Told::Mate(n),
    }
}

fn centipawns(score: Score) -> i32 {
    told(score).centipawns()
}

fn score_text(language: Language, score: Score) -> String {
    match score {
        Score::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(n) if n > 0 => words::mate_in(language, n),
        Score::Mate(n) => words::mated_in(language, n.saturating_neg()),
    }
}
