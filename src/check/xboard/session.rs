//! A conversation in the Chess Engine Communication Protocol of XBoard, versions 1 and 2.
//!
//! Between its own moves the engine stands in force mode, as with every manager.

use crate::check::catalog::{self, Finding};
use crate::check::engine::Engine;
use crate::check::exam::{Checked, Exam, Halt};
use crate::check::position::Position;
use crate::client::player::{NUDGE, NUDGE_AGAIN, features, move_in, xboard_fen, xboard_option};
use crate::client::process::Silence;
use crate::games::record::GameKind;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long an engine that is known to announce nothing is given to start.
const SILENT: Duration = Duration::from_millis(500);
/// Limits of a fast move: little is left on the clock.
pub const FAST: [&str; 3] = ["level 0 0:10 0", "time 60", "otim 60"];
/// The time that they leave.
pub const FAST_TIME: Duration = Duration::from_millis(600);
/// How long an engine without `ping` is given to do what it was told.
const PAUSE: Duration = Duration::from_millis(100);

/// A line of thinking.
#[derive(Clone, Debug, Default)]
pub struct Post {
    /// Plies.
    pub depth: u32,
    /// Centipawns from the engine's side.
    pub score: i32,
    /// The moves as it writes them.
    pub line: String,
}

/// An answer to `go`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move in the coordinates of the rules. `None`: it resigned, or claimed the end.
    pub mv: Option<String>,
    /// The answer itself.
    pub text: String,
    /// What it told on the way.
    pub posts: Vec<Post>,
    /// From `go` to the answer.
    pub took: Duration,
}

/// The conversation.
pub struct Session<'a> {
    /// Where findings go.
    pub exam: &'a mut Exam,
    /// The process.
    pub engine: Engine,
    /// Where the traffic of the present check begins.
    pub mark: usize,
    /// What it announced, unquoted.
    pub features: HashMap<String, String>,
    /// How long the announcement took; `None` when it was not ended.
    pub announced: Option<Duration>,
    pings: u32,
}

impl<'a> Session<'a> {
    /// Starts the engine, collects its features and sets the options asked for.
    /// # Errors
    /// The process ends, which is noted.
    pub fn open(exam: &'a mut Exam) -> Checked<Self> {
        let engine = exam.start()?;
        let mut session = Self { exam, engine, mark: 0, features: HashMap::new(), announced: None, pings: 0 };
        session.engine.send("xboard");
        let sent = session.engine.send("protover 2");
        session.collect_features(sent)?;
        for (name, value) in session.exam.options.clone() {
            session.engine.send(&xboard_option(&session.features, &name, &value));
        }
        session.ready()?;
        Ok(session)
    }

    fn collect_features(&mut self, sent: Instant) -> Checked {
        let mut deadline = sent + self.exam.features;
        let mut nudge = Some(sent + NUDGE);
        loop {
            let until = nudge.map_or(deadline, |at| at.min(deadline));
            let line = match self.engine.wait_for(until, |text| text.starts_with("feature ")) {
                Ok(line) => line,
                Err(Silence::Ended) => {
                    return Err(self.silent(Silence::Ended, &catalog::NO_HANDSHAKE, "no features"));
                }
                Err(_) if until < deadline => {
                    self.engine.send("easy");
                    nudge = Some(until + NUDGE_AGAIN);
                    continue;
                }
                Err(_) => {
                    if self.features.is_empty() {
                        self.exam.features = SILENT;
                    }
                    return Ok(());
                }
            };
            nudge = None;
            for (name, value) in features(line.text.trim().trim_start_matches("feature ")) {
                // Coordinates are what this side writes.
                let is_refused = name == "san" && value == "1";
                self.engine.send(&format!("{} {name}", if is_refused { "rejected" } else { "accepted" }));
                if name == "done" {
                    if value == "1" {
                        self.announced = Some(line.at.saturating_duration_since(sent));
                        return Ok(());
                    }
                    deadline = sent + self.exam.start_patience();
                }
                if name == "myname" {
                    self.exam.name.clone_from(&value);
                }
                self.features.insert(name, value);
            }
        }
    }

    /// The game that it plays: chess, unless it announces xiangqi and no chess.
    pub fn game(&self) -> GameKind {
        let variants = self.features.get("variants").map_or("", String::as_str);
        let plays = |variant: &str| variants.split(',').any(|known| known.trim() == variant);
        if plays("xiangqi") && !plays("normal") { GameKind::XIANGQI } else { GameKind::CHESS }
    }

    /// Whether a feature is announced as 1.
    pub fn has(&self, feature: &str) -> bool {
        self.features.get(feature).is_some_and(|value| value == "1")
    }

    /// Begins a check: excerpts start here.
    pub fn begin(&mut self) {
        self.mark = self.engine.mark();
    }

    /// Notes a finding, with the traffic of the check.
    pub fn report(&mut self, finding: &'static Finding, detail: impl Into<String>) {
        self.exam.report(finding, detail, &self.engine, self.mark);
    }

    /// Notes that no answer came.
    pub fn silent(&mut self, silence: Silence, finding: &'static Finding, detail: impl Into<String>) -> Halt {
        self.exam.report_silence(silence, finding, detail, &mut self.engine, self.mark)
    }

    /// Waits until all that was sent is done, if the engine can say so. A move on the way was not asked for.
    /// # Errors
    /// No answer, which is noted.
    pub fn ready(&mut self) -> Checked<Duration> {
        self.ready_or(&catalog::SECOND_BESTMOVE)
    }

    /// The same; a move on the way is noted as `finding`.
    /// # Errors
    /// No answer, which is noted.
    pub fn ready_or(&mut self, finding: &'static Finding) -> Checked<Duration> {
        match self.pong() {
            (Ok(took), None) => Ok(took),
            (Ok(took), Some(text)) => {
                self.report(finding, format!("\"{text}\" when no move was asked for"));
                Ok(took)
            }
            (Err(silence), _) => Err(self.silent(silence, &catalog::NO_READYOK, "no pong")),
        }
    }

    fn pong(&mut self) -> (Result<Duration, Silence>, Option<String>) {
        let mut stray = None;
        let mut note = |text: &str| {
            // A claim after the last move is none.
            if move_in(text).is_some() {
                stray = Some(text.to_owned());
            }
        };
        let result = if self.has("ping") {
            self.pings += 1;
            let pong = format!("pong {}", self.pings);
            let sent = self.engine.send(&format!("ping {}", self.pings));
            let found = self.engine.wait_for(sent + self.exam.patience, |text| {
                note(text);
                text == pong
            });
            found.map(|line| line.at.saturating_duration_since(sent))
        } else {
            let sent = Instant::now();
            match self.engine.wait_for(sent + PAUSE, |text| {
                note(text);
                false
            }) {
                Err(Silence::TimedOut) => Ok(PAUSE),
                Err(silence) => Err(silence),
                Ok(_) => Ok(PAUSE),
            }
        };
        (result, stray)
    }

    /// Whether it still answers and plays from the start, looked at without noting anything. `Err`: how it does not.
    pub fn plays(&mut self, position: &Position) -> Result<(), String> {
        let gone = |session: &mut Self, silence| match silence {
            Silence::Ended => session.engine.end_status(),
            _ => format!("no answer within {} s", session.exam.patience.as_secs_f64()),
        };
        self.set_up(position);
        if let Err(silence) = self.pong().0 {
            return Err(gone(self, silence));
        }
        for line in FAST {
            self.engine.send(line);
        }
        let sent = self.engine.send("go");
        let deadline = sent + self.exam.patience;
        match self.engine.wait_for(deadline, is_move) {
            Ok(line) => {
                self.engine.send("force");
                let mv = move_of(&line.text);
                if mv == "resign" {
                    return Ok(());
                }
                position.read(mv).map(drop).map_err(|_| format!("\"{}\" is not legal", line.text.trim()))
            }
            Err(silence) => Err(gone(self, silence)),
        }
    }

    /// Whether it can be given this position.
    pub fn can_set_up(&self, position: &Position) -> bool {
        position.fen.is_none() || self.has("setboard")
    }

    /// Sets up a position: a new game, and the moves.
    pub fn set_up(&mut self, position: &Position) {
        self.begin();
        self.engine.send("new");
        if position.kind == GameKind::XIANGQI {
            self.engine.send("variant xiangqi");
        }
        for line in ["force", "easy", "post"] {
            self.engine.send(line);
        }
        if let Some(fen) = &position.fen {
            self.engine.send(&format!("setboard {}", xboard_fen(position.kind, fen)));
        }
        for mv in &position.moves {
            self.user_move(mv);
        }
    }

    /// Tells it a move.
    pub fn user_move(&mut self, mv: &str) {
        let line = if self.has("usermove") { format!("usermove {mv}") } else { mv.to_owned() };
        self.engine.send(&line);
    }

    /// Sets up a position and has it play there. The limits are lines like `st 1`, kept within `limit`.
    /// # Errors
    /// No answer, which is noted.
    pub fn search(&mut self, position: &Position, limits: &[&str], limit: Duration) -> Checked<Answer> {
        self.set_up(position);
        for line in limits {
            self.engine.send(line);
        }
        self.ready()?;
        let sent = self.engine.send("go");
        let answer = self.answer(position, sent, sent + limit + self.exam.patience, &catalog::NO_BESTMOVE)?;
        self.engine.send("force");
        Ok(answer)
    }

    /// Waits for a move, and looks at it.
    /// # Errors
    /// None comes, which is noted as `finding`.
    pub fn answer(
        &mut self,
        position: &Position,
        sent: Instant,
        deadline: Instant,
        finding: &'static Finding,
    ) -> Checked<Answer> {
        let mut posts = Vec::new();
        let found = self.engine.wait_for(deadline, |text| {
            posts.extend(post(text));
            is_move(text)
        });
        let line = match found {
            Ok(line) => line,
            Err(silence) => return Err(self.silent(silence, finding, "no move")),
        };
        let text = line.text.trim().to_owned();
        let took = line.at.saturating_duration_since(sent);
        let mv = move_in(&text);
        // Managers read what people write as well: "O-O", "Nf3".
        let mv = mv.and_then(|mv| match position.read(mv) {
            Ok(mv) => Some(mv),
            Err(why) => {
                self.report(&catalog::ILLEGAL_MOVE, format!("\"{text}\": {why}"));
                None
            }
        });
        posts.iter().for_each(|post| self.check_line(position, post));
        Ok(Answer { mv, text, posts, took })
    }

    /// Lines are written in many ways. Where the first word is a move in coordinates, it has to be legal.
    fn check_line(&mut self, position: &Position, post: &Post) {
        let first = post.line.split_ascii_whitespace().next().unwrap_or("");
        let is_square = |file: &u8, rank: &u8| file.is_ascii_lowercase() && rank.is_ascii_digit();
        let is_move =
            matches!(first.as_bytes(), [a, b, c, d] | [a, b, c, d, _] if is_square(a, b) && is_square(c, d));
        if let Err(why) = position.read(first)
            && is_move
        {
            self.report(&catalog::ILLEGAL_PV, format!("\"{}\": {why}", post.line));
        }
    }
}

/// Whether a line is a move, or ends the game.
pub fn is_move(text: &str) -> bool {
    let claims = ["resign", "1-0", "0-1", "1/2-1/2"];
    move_in(text).is_some() || claims.iter().any(|claim| text.starts_with(claim))
}

/// The move in an answer, or the answer itself where it has none.
pub fn move_of(text: &str) -> &str {
    move_in(text.trim()).unwrap_or(text.trim())
}

/// A line of thinking: depth, score, hundredths of a second, nodes, moves.
fn post(text: &str) -> Option<Post> {
    let mut words = text.split_ascii_whitespace();
    let depth = words.next()?.trim_end_matches(['.', '+', '-', '&', '!', '?']).parse().ok()?;
    let score = words.next()?.parse().ok()?;
    let (_time, _nodes): (i64, u64) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some(Post { depth, score, line: words.collect::<Vec<_>>().join(" ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_thinking_are_told_from_others() {
        let found = post("8. -31 1084 48000 Nf3 Nc6").unwrap();
        assert_eq!((found.depth, found.score, found.line.as_str()), (8, -31, "Nf3 Nc6"));
        for other in ["move e2e4", "8 -31", "# 8 1 1 1", "hint: e4", "8 x 1 1 e4"] {
            assert!(post(other).is_none(), "{other}");
        }
        assert!(is_move("move e2e4") && is_move("1-0 {White mates}") && !is_move("tellinfo move"));
        assert_eq!(move_of(" move O-O "), "O-O");
    }
}
