//! The last complete report of a search.

use crate::client::grammar::uci::{self, InfoLine};
use crate::client::grammar::xboard;
use crate::client::request::EngineProtocol;
use crate::games::record::Thought;
use crate::util::message::Message;

/// Collects the last complete report of the best variation.
#[derive(Debug, Default)]
pub struct Collector {
    thought: Thought,
    pv: Vec<String>,
    has_exact: bool,
    offers_draw: bool,
    wrong_claim: Option<Message>,
}

/// Maximum length of a variation that is kept.
const MAX_PV: usize = 100;

impl Collector {
    /// Reads what follows `info` in UCI and UCCI.
    pub fn line(&mut self, rest: &str) {
        let (info, _) = uci::info(rest, EngineProtocol::Ucci);
        self.thought.comment = info.comment.clone().or(self.thought.comment.take());
        if info.is_first() {
            self.take(info);
        }
    }

    fn take(&mut self, info: InfoLine) {
        self.thought.nodes = info.nodes.or(self.thought.nodes);
        // A bound counts only as long as nothing better is known.
        if info.score.is_none() || (info.is_bound && self.has_exact) {
            return;
        }
        self.has_exact |= !info.is_bound;
        self.thought.score = info.score;
        self.thought.depth = info.depth.or(self.thought.depth);
        self.thought.seldepth = info.seldepth.or(self.thought.seldepth);
        self.pv = if info.pv.len() > MAX_PV { Vec::new() } else { info.pv };
    }

    /// Reads a line of thinking as XBoard's engines write it.
    pub fn post(&mut self, text: &str) {
        if let Some(post) = xboard::post(text) {
            let (depth, score, nodes) = (Some(post.depth), Some(post.score()), Some(post.nodes));
            self.take(InfoLine { depth, score, nodes, ..InfoLine::default() });
        }
    }

    /// The engine offers a draw with the move that it is about to make.
    pub fn offer_draw(&mut self) {
        self.offers_draw = true;
    }

    pub fn offers_draw(&self) -> bool {
        self.offers_draw
    }

    /// The engine has claimed a draw that it does not have.
    pub fn claim_wrongly(&mut self, why: Message) {
        self.wrong_claim = Some(why);
    }

    pub fn take_wrong_claim(&mut self) -> Option<Message> {
        self.wrong_claim.take()
    }

    /// The moves of the best variation; none where it was too long to be looked at.
    pub fn take_pv(&mut self) -> Vec<String> {
        std::mem::take(&mut self.pv)
    }

    pub fn finish(self) -> Thought {
        self.thought
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::ReportedScore;

    fn collect(lines: &[&str]) -> Thought {
        let mut collector = Collector::default();
        for line in lines {
            collector.line(line);
        }
        collector.finish()
    }

    #[test]
    fn the_last_exact_score_of_the_first_variation_counts() {
        let thought = collect(&[
            "depth 9 seldepth 12 multipv 1 score cp 31 nodes 1000 nps 5 pv e2e4",
            "depth 9 multipv 2 score cp 12 nodes 1100 pv d2d4",
            "depth 10 score cp 60 lowerbound nodes 1200 pv e2e4",
            "string depth 99 score cp 1",
            "currmove e2e4 currmovenumber 1 nodes 1300",
        ]);
        assert_eq!(thought.score, Some(ReportedScore::Cp(31)));
        assert_eq!((thought.depth, thought.seldepth, thought.nodes), (Some(9), Some(12), Some(1300)));
    }

    #[test]
    fn the_variation_is_that_of_the_score() {
        let mut collector = Collector::default();
        for line in
            ["depth 1 score cp 1 pv e2e4  e7e5", "depth 2 score cp 1 upperbound pv d2d4", "depth 2 pv a2a3"]
        {
            collector.line(line);
        }
        assert_eq!(collector.take_pv(), ["e2e4", "e7e5"]);
        collector.line(&format!("depth 3 score cp 2 pv {}", "e2e4 ".repeat(1000)));
        assert_eq!(collector.take_pv(), [""; 0]);
    }

    #[test]
    fn the_last_line_of_thinking_counts() {
        let mut collector = Collector::default();
        for line in ["8 156 1084 48000 Nf3 Nc6", "9 -31 2000 90000 e4", "hint: e4", "10 e4"] {
            collector.post(line);
        }
        let thought = collector.finish();
        assert_eq!((thought.depth, thought.nodes), (Some(9), Some(90_000)));
        assert_eq!(thought.score, Some(ReportedScore::Cp(-31)));
    }

    #[test]
    fn bounds_serve_until_an_exact_score_comes() {
        assert_eq!(collect(&["depth 3 score mate -2 upperbound"]).score, Some(ReportedScore::Mate(-2)));
        assert_eq!(collect(&["depth 3 score -17 pv h2e2"]).score, Some(ReportedScore::Cp(-17)));
        assert_eq!(collect(&["depth x score", "score cp y"]).score, None);
    }
}
