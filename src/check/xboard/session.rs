//! A conversation in the Chess Engine Communication Protocol of XBoard, versions 1 and 2.
//!
//! Between its own moves the engine stands in force mode, as with every manager.

use crate::check::catalog::{self, Finding};
use crate::check::position::TestPosition;
use crate::check::run::Checked;
use crate::check::session::{EngineSession, Peer, SearchAnswer, not_legal, quoted};
use crate::client::features;
use crate::client::grammar::xboard::{self, Features, Post, move_in};
use crate::client::process::Silence;
use crate::games::record::GameKind;
use crate::message;
use crate::util::message::Message;
use std::time::{Duration, Instant};

/// How long an engine that is known to announce nothing is given to start.
const SILENT: Duration = Duration::from_millis(500);
/// Limits of a fast move: little is left on the clock.
pub const FAST: [&str; 3] = ["level 0 0:10 0", "time 60", "otim 60"];
/// The time that they leave.
pub const FAST_TIME: Duration = Duration::from_millis(600);
/// How long an engine without `ping` is given to carry out its commands.
const PAUSE: Duration = Duration::from_millis(100);

pub type XboardAnswer = SearchAnswer<Post>;

/// What is known of an engine of XBoard's protocol.
#[derive(Default)]
pub struct XboardPeer {
    pub features: Features,
    /// How long the announcement took; `None` when it was not ended.
    pub announced: Option<Duration>,
    pings: u32,
}

impl Peer for XboardPeer {
    fn greet(session: &mut XboardSession) -> Checked {
        let (wait, patience) = (session.run.features, session.run.start_patience());
        let began = Instant::now();
        let (features, done) = features::collect(&mut session.engine, wait, patience).map_err(|silence| {
            session.silent(silence, &catalog::NO_HANDSHAKE, message!("no features" | "没有 feature"))
        })?;
        if done.is_none() && features.values.is_empty() {
            session.run.features = SILENT;
        }
        if !features.get("myname").is_empty() {
            features.get("myname").clone_into(&mut session.run.name);
        }
        session.peer.announced = done.map(|at| at.saturating_duration_since(began));
        session.peer.features = features;
        for (name, value) in session.run.options.clone() {
            session.engine.send(&session.peer.features.option_line(&name, &value));
        }
        session.ready().map(drop)
    }
}

pub type XboardSession<'a> = EngineSession<'a, XboardPeer>;

impl XboardSession<'_> {
    /// The game that it plays: chess, unless it announces xiangqi and no chess.
    pub fn game(&self) -> GameKind {
        let features = &self.peer.features;
        if features.plays("xiangqi") && !features.plays("normal") {
            GameKind::XIANGQI
        } else {
            GameKind::CHESS
        }
    }

    pub fn has(&self, feature: &str) -> bool {
        self.peer.features.has(feature)
    }

    /// Waits until all that was sent is done, if the engine can. A move on the way was not asked for.
    pub fn ready(&mut self) -> Checked<Duration> {
        self.ready_or(&catalog::SECOND_BESTMOVE)
    }

    /// [`ready`](Self::ready), with a move on the way noted as `finding`.
    pub fn ready_or(&mut self, finding: &'static Finding) -> Checked<Duration> {
        match self.pong() {
            (Ok(took), None) => Ok(took),
            (Ok(took), Some(text)) => {
                self.report(
                    finding,
                    message!("\"{text}\" when no move was asked for" | "没有要求走棋，却有“{text}”", text),
                );
                Ok(took)
            }
            (Err(silence), _) => {
                Err(self.silent(silence, &catalog::NO_READYOK, message!("no pong" | "没有 pong")))
            }
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
            self.peer.pings += 1;
            let pong = format!("pong {}", self.peer.pings);
            let sent = self.engine.send(&format!("ping {}", self.peer.pings));
            let found = self.engine.wait_for(sent + self.run.patience, |text| {
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
                Ok(_) | Err(Silence::TimedOut) => Ok(PAUSE),
                Err(silence) => Err(silence),
            }
        };
        (result, stray)
    }

    /// Whether it still answers and plays from the start, looked at without noting anything. `Err`: how it
    /// does not.
    pub fn plays(&mut self, position: &TestPosition) -> Result<(), Message> {
        self.set_up(position);
        if let Err(silence) = self.pong().0 {
            return Err(self.unanswered(silence, "answer"));
        }
        for line in FAST {
            self.engine.send(line);
        }
        let sent = self.engine.send("go");
        match self.engine.wait_for(sent + self.run.patience, is_move) {
            Ok(line) => {
                self.engine.send("force");
                let mv = move_of(&line.text);
                if mv == "resign" || position.read(mv).is_ok() { Ok(()) } else { Err(not_legal(&line.text)) }
            }
            Err(silence) => Err(self.unanswered(silence, "answer")),
        }
    }

    pub fn can_set_up(&self, position: &TestPosition) -> bool {
        position.fen.is_none() || self.has("setboard")
    }

    /// Sets up a position: a new game, and the moves.
    pub fn set_up(&mut self, position: &TestPosition) {
        self.begin();
        self.engine.send("new");
        if position.kind == GameKind::XIANGQI {
            self.engine.send("variant xiangqi");
        }
        for line in ["force", "easy", "post"] {
            self.engine.send(line);
        }
        if let Some(fen) = &position.fen {
            self.engine.send(&xboard::setboard(position.kind, fen));
        }
        for mv in &position.moves {
            self.user_move(mv);
        }
    }

    pub fn user_move(&mut self, mv: &str) {
        self.engine.send(&self.peer.features.move_line(mv));
    }

    /// Sets up a position and has it play there. The limits are lines like `st 1`, kept within `limit`.
    pub fn search(
        &mut self,
        position: &TestPosition,
        limits: &[&str],
        limit: Duration,
    ) -> Checked<XboardAnswer> {
        self.set_up(position);
        for line in limits {
            self.engine.send(line);
        }
        self.ready()?;
        let sent = self.engine.send("go");
        let answer = self.answer(position, sent, sent + limit + self.run.patience, &catalog::NO_BESTMOVE)?;
        self.engine.send("force");
        Ok(answer)
    }

    /// Waits for a move, and looks at it.
    pub fn answer(
        &mut self,
        position: &TestPosition,
        sent: Instant,
        deadline: Instant,
        finding: &'static Finding,
    ) -> Checked<XboardAnswer> {
        let mut posts = Vec::new();
        let found = self.engine.wait_for(deadline, |text| {
            posts.extend(xboard::post(text));
            is_move(text)
        });
        let line =
            found.map_err(|silence| self.silent(silence, finding, message!("no move" | "没有走棋")))?;
        let text = line.text.trim().to_owned();
        let took = line.at.saturating_duration_since(sent);
        let mv = move_in(&text);
        // Managers read what people write as well: "O-O", "Nf3".
        let mv = mv.and_then(|mv| match position.read(mv) {
            Ok(mv) => Some(mv),
            Err(why) => {
                self.report(&catalog::ILLEGAL_MOVE, quoted(&text, &why));
                None
            }
        });
        posts.iter().for_each(|post| self.check_line(position, post));
        Ok(XboardAnswer { mv, text, reports: posts, took })
    }

    /// Lines are written in many ways. Where the first word is a move in coordinates, it has to be legal.
    fn check_line(&mut self, position: &TestPosition, post: &Post) {
        let first = post.line.split_ascii_whitespace().next().unwrap_or("");
        let is_square = |file: &u8, rank: &u8| file.is_ascii_lowercase() && rank.is_ascii_digit();
        let is_move =
            matches!(first.as_bytes(), [a, b, c, d] | [a, b, c, d, _] if is_square(a, b) && is_square(c, d));
        if let Err(why) = position.read(first)
            && is_move
        {
            self.report(&catalog::ILLEGAL_PV, quoted(&post.line, &why));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_end_a_search_as_moves_do() {
        assert!(is_move("move e2e4") && is_move("1-0 {White mates}") && !is_move("tellinfo move"));
        assert_eq!(move_of(" move O-O "), "O-O");
    }
}
