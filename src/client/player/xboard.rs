//! Asking engines that speak the Chess Engine Communication Protocol of XBoard and WinBoard, versions 1 and
//! 2.
//! <https://www.gnu.org/software/xboard/engine-intf.html>
//!
//! Between its own moves the engine stands in force mode: it gets moves and never thinks about the wrong
//! side.

use super::conversation::{AwaitedMove, adopt};
use super::thought::Collector;
use super::{Choice, Dialog, EngineSpec, Fault, FaultKind, GameSetup, Link, MoveRequest, Reply, seconds};
use crate::client::features;
use crate::client::grammar::BestMoveLine;
use crate::client::grammar::xboard::{self, Features, claim, is_complaint, is_refusal, move_in};
use crate::client::wire::later;
use crate::game::Side;
use crate::games::record::{Ending, GameKind};
use crate::message;
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Seconds that an engine is given to announce something, which may be of version 1 and never do. XBoard
/// gives it two, which is too short for some on a busy machine.
const FEATURES: f64 = 5.0;
/// How long to wait for the last lines about a game where nothing marks their end.
const LAST_WORDS: Duration = Duration::from_millis(100);

#[derive(Default)]
pub struct Xboard {
    features: Features,
    played: Vec<String>,
    /// Whether its last answer was a move, which is not among them yet.
    answered: bool,
    pings: u32,
    /// It offered a draw, or accepted one, before it was asked for its move.
    offered: bool,
    /// It resigned before it was asked for its move.
    resigned: bool,
    /// It has just been given a position, and may refuse it.
    setting_up: bool,
    /// The period whose `level` it was sent.
    period: usize,
}

impl Dialog for Xboard {
    fn hello(&mut self, link: &mut Link, spec: &EngineSpec, kind: GameKind) -> Result<String, Fault> {
        // Version 1 knows no variants.
        let wait = if kind == GameKind::XIANGQI { link.patience.ready } else { FEATURES };
        let (wait, patience) = (seconds(wait), seconds(link.patience.ready));
        let announced = features::collect(&mut link.wire, wait, patience);
        (self.features, _) = announced.map_err(|silence| link.fault(silence, "features"))?;
        if kind == GameKind::XIANGQI && !self.features.plays("xiangqi") {
            return Err(FaultKind::NoXiangqi.into());
        }
        for (option, value) in &spec.options {
            let line = self.features.option_line(option, value);
            if line.starts_with("option") && !self.features.options.contains(option) {
                link.remark(&message!("it announces no option {option}" | "它没有声明选项 {option}", option));
            }
            link.send(&line);
        }
        for line in &spec.init {
            link.send(line);
        }
        Ok(self.features.get("myname").to_owned())
    }

    fn new_game(&mut self, link: &mut Link, setup: &GameSetup) -> Result<(), Fault> {
        (self.played, self.answered, self.offered, self.resigned) = (Vec::new(), false, false, false);
        link.send("new");
        if setup.kind == GameKind::XIANGQI {
            link.send("variant xiangqi");
        }
        link.send("force");
        link.send("easy");
        link.send("post");
        if let Some(fen) = setup.fen {
            if !self.features.has("setboard") {
                return Err(FaultKind::NoPositions.into());
            }
            link.send(&xboard::setboard(setup.kind, fen));
            self.setting_up = true;
        }
        let is_ready = self.ready(link, true).and_then(|()| self.pass_over(link));
        self.setting_up = false;
        is_ready
    }

    fn is_for_one_game(&self) -> bool {
        self.features.get("reuse") == "0"
    }

    fn think(&mut self, link: &mut Link, request: &MoveRequest) -> Result<Reply, Fault> {
        adopt(&mut self.played, &mut self.answered, request.moves);
        self.limit(link, request);
        self.catch_up(link, request);
        if request.draw_offered && self.features.get("draw") != "0" {
            link.send("draw");
        }
        self.ready(link, false)?;
        if std::mem::take(&mut self.resigned) {
            let (time, thought) = Default::default();
            let line = Vec::new();
            return Ok(Reply { choice: Choice::Resign, ponder: None, draw: false, time, line, thought });
        }
        let (known, side) = (&self.played, request.side);
        // Without a clock nothing else would end its search.
        let needs_depth = request.depth.is_some() && !request.clock().control().is_timed();
        let wrong_claim = RefCell::new(None);
        let reply = AwaitedMove::start(link, "go").listen(link, request, |text, is_early, c| match text {
            _ if needs_depth && xboard::refuses_depth(text) => Err(refused(text)),
            // A comment on its own last move: the referee decides.
            _ if is_early && claim(text).is_some() => Ok(None),
            _ if claim(text) == Some(None) => match request.referee.claim() {
                Some(ending) => {
                    Ok(Some(BestMoveLine { choice: Choice::Draw(ending), ponder: None, draw: false }))
                }
                // The game goes on, and the claim is an offer (CH-15; FIDE 9.1.2.3).
                None => {
                    c.offer_draw();
                    wrong_claim.replace(Some(message!(
                        "it claims {claim:?} wrongly" | "它错误地宣称 {claim:?}",
                        claim = shown(text)
                    )));
                    Ok(None)
                }
            },
            _ => read(text, side, known, c),
        });
        if let Some(text) = wrong_claim.take() {
            link.remark(&text);
        }
        let reply = reply?;
        link.send("force");
        self.answered = matches!(reply.choice, Choice::Move(_) | Choice::Algebraic(_));
        let offered = std::mem::take(&mut self.offered);
        let reply = Reply { draw: reply.draw || offered, ..reply };
        Ok(reply)
    }

    fn rest(&mut self, link: &mut Link, ending: &Ending) -> Result<(), Fault> {
        let reason =
            ending.detail.to_string().replace(|c: char| c.is_control() || matches!(c, '{' | '}'), " ");
        link.send(&format!("result {} {{{reason}}}", ending.result()));
        Ok(())
    }
}

impl Xboard {
    /// Waits until all commands are done, if the engine can, and measures the round trip. A move that
    /// comes before a game is of the game before, and no fault of this one.
    fn ready(&mut self, link: &mut Link, is_before_a_game: bool) -> Result<(), Fault> {
        if !self.features.has("ping") {
            return Ok(());
        }
        self.pings = self.pings.wrapping_add(1);
        let pong = format!("pong {}", self.pings);
        let (offered, resigned) = (&mut self.offered, &mut self.resigned);
        let (known, setting_up) = (&self.played, self.setting_up);
        let sent = link.send(&format!("ping {}", self.pings));
        let at = link.wait_for("pong", |line| match line.text.trim() {
            text if text == pong => Ok(Some(line.at)),
            text if is_refusal(text, known) || setting_up && is_complaint(text) => Err(refused(text)),
            "offer draw" => {
                *offered = true;
                Ok(None)
            }
            "resign" => {
                *resigned = true;
                Ok(None)
            }
            text if move_in(text).is_some() && !is_before_a_game => {
                Err(FaultKind::Premature(text.to_owned()).into())
            }
            _ => Ok(None),
        })?;
        link.latencies.push(at.saturating_duration_since(sent));
        Ok(())
    }

    /// Before a game, without `ping`: waits for last lines about the previous game, and skips them.
    fn pass_over(&self, link: &mut Link) -> Result<(), Fault> {
        if self.features.has("ping") {
            return Ok(());
        }
        let deadline = later(Instant::now(), LAST_WORDS);
        while let Some(line) = link.receive(deadline)? {
            if self.setting_up && is_complaint(line.text.trim()) {
                return Err(refused(line.text.trim()));
            }
            if line.at > deadline {
                break;
            }
        }
        Ok(())
    }

    fn limit(&mut self, link: &Link, request: &MoveRequest) {
        let control = request.clock().control();
        if let Some(per_move) = control.per_move {
            // In whole seconds, at least one.
            link.send(&format!("st {}", per_move.as_secs().max(1)));
        } else if control.is_timed() {
            // `level` has one period: the next one is sent when it begins.
            let period = request.clock().period();
            if request.moves.len() < 2 || self.played.is_empty() || period != self.period {
                self.period = period;
                link.send(&xboard::level(request.clock()));
            }
            for (word, clock) in [("time", request.clock()), ("otim", request.clock_of(request.side.other()))]
            {
                if self.features.get("time") != "0"
                    && clock.control().is_timed()
                    && clock.control().per_move.is_none()
                {
                    link.send(&xboard::time(word, clock));
                }
            }
        }
        if let Some(depth) = request.depth {
            link.send(&format!("sd {depth}"));
        }
    }

    /// Plays what the engine has not seen; takes back what was not played after all.
    fn catch_up(&mut self, link: &Link, request: &MoveRequest) {
        let common =
            self.played.iter().zip(request.moves).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        for _ in common..self.played.len() {
            link.send("undo");
        }
        self.played.truncate(common);
        for mv in request.moves.iter().skip(common) {
            link.send(&self.features.move_line(mv));
            self.played.push(mv.clone());
        }
    }
}

/// The part of a line that is quoted.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}

fn refused(text: &str) -> Fault {
    FaultKind::RefusedCommand(text.to_owned()).into()
}

/// `move e2e4`, `resign`, `offer draw`, a claim like `0-1 {White resigns}`, or a line of thinking of the
/// engine that plays `side` and knows of these moves.
fn read(
    text: &str,
    side: Side,
    known: &[String],
    collector: &mut Collector,
) -> Result<Option<BestMoveLine>, Fault> {
    if let Some(choice) = xboard::choice(text, side) {
        return Ok(Some(BestMoveLine { choice, ponder: None, draw: collector.offers_draw() }));
    }
    // The referee has not ended the game, but the engine takes it for over and stops thinking.
    if claim(text).flatten().is_some() {
        return Err(FaultKind::Claim(shown(text)).into());
    }
    if is_refusal(text, known) {
        return Err(refused(text));
    }
    if text == "offer draw" {
        collector.offer_draw();
    }
    collector.post(text);
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_and_refusals_in_place_of_a_move_are_faults() {
        let known = ["e2e4".to_owned()];
        let heard = |text: &str, collector: &mut Collector| read(text, Side::First, &known, collector);
        for claimed in ["1-0 {Black resigns}", "1-0 {White mates}"] {
            let fault = heard(claimed, &mut Collector::default()).unwrap_err();
            assert!(fault.detail.to_string().contains(claimed), "{fault:?}");
        }
        assert!(heard("Illegal move: e2e4", &mut Collector::default()).is_err());
        let mut collector = Collector::default();
        assert_eq!(heard("offer draw", &mut collector), Ok(None));
        assert!(heard("move e2e4", &mut collector).unwrap().unwrap().draw);
    }
}
