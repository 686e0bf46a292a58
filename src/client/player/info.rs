//! What engines tell about their search: `info` lines of UCI and UCCI.

use crate::games::record::{Score, Thought};
use std::str::SplitAsciiWhitespace;

/// Collects the last complete report of the best variation.
#[derive(Debug, Default)]
pub struct Collector {
    thought: Thought,
    /// The variation of that report, as it was written.
    pv: String,
    has_exact: bool,
    offers_draw: bool,
}

/// A variation with more bytes, of about a hundred moves, is not looked at.
const LONGEST_PV: usize = 500;

/// XBoard's score of a mate, to which its moves are added.
const MATE: i32 = 100_000;

impl Collector {
    /// Reads what follows `info`.
    pub fn line(&mut self, rest: &str) {
        let mut words = rest.split_ascii_whitespace();
        let mut seen = Thought::default();
        let (mut multipv, mut bound, mut pv) = (1, false, "");
        while let Some(word) = words.next() {
            match word {
                "string" | "message" => {
                    let text = words.collect::<Vec<_>>().join(" ");
                    // OpenBench archives these remarks with the moves.
                    if let Some(comment) = text.strip_prefix("pgncomment ") {
                        self.thought.comment = Some(comment.to_owned());
                    }
                    return;
                }
                "depth" => seen.depth = number(&mut words),
                "seldepth" => seen.seldepth = number(&mut words),
                "nodes" => seen.nodes = number(&mut words),
                "multipv" => multipv = number(&mut words).unwrap_or(1),
                "score" => seen.score = score(&mut words),
                "lowerbound" | "upperbound" => bound = true,
                "pv" => {
                    pv = rest.split_once(" pv ").map_or("", |(_, moves)| moves);
                    break;
                }
                _ => {}
            }
        }
        if multipv == 1 && self.take(seen, bound) {
            self.pv.clear();
            if pv.len() <= LONGEST_PV {
                self.pv.push_str(pv);
            }
        }
    }

    /// Keeps a report that is better than the last. `false`: it is not.
    fn take(&mut self, seen: Thought, bound: bool) -> bool {
        self.thought.nodes = seen.nodes.or(self.thought.nodes);
        // A bound counts only as long as nothing better is known.
        if seen.score.is_none() || (bound && self.has_exact) {
            return false;
        }
        self.has_exact |= !bound;
        self.thought.score = seen.score;
        self.thought.depth = seen.depth.or(self.thought.depth);
        self.thought.seldepth = seen.seldepth.or(self.thought.seldepth);
        true
    }

    /// Reads a line of thinking as XBoard's engines write it: depth, score, hundredths of a second, nodes, moves.
    pub fn post(&mut self, text: &str) {
        let mut words = text.split_ascii_whitespace();
        let depth =
            words.next().and_then(|word| word.trim_end_matches(['.', '+', '-', '&', '!', '?']).parse().ok());
        let (score, _, nodes) = (number(&mut words), number::<i64>(&mut words), number(&mut words));
        if let (Some(depth), Some(score), Some(nodes)) = (depth, score, nodes) {
            // Beyond 100,000 it counts the moves to a mate.
            let score = Some(match score {
                MATE.. => Score::Mate(score.saturating_sub(MATE)),
                _ if score <= MATE.saturating_neg() => Score::Mate(score.saturating_add(MATE)),
                _ => Score::Cp(score),
            });
            self.take(Thought { depth: Some(depth), score, nodes: Some(nodes), ..Thought::default() }, false);
        }
    }

    /// The engine offers a draw with the move that it is about to make.
    pub fn offer_draw(&mut self) {
        self.offers_draw = true;
    }

    /// Whether it did.
    pub fn offers_draw(&self) -> bool {
        self.offers_draw
    }

    /// The moves of the best variation; none where it was too long to be looked at.
    pub fn line_of_play(&self) -> Vec<String> {
        self.pv.split_ascii_whitespace().map(str::to_owned).collect()
    }

    /// What was told.
    pub fn finish(self) -> Thought {
        self.thought
    }
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace) -> Option<T> {
    words.next()?.parse().ok()
}

/// `cp 31`, `mate -3`, or UCCI's bare `31`.
fn score(words: &mut SplitAsciiWhitespace) -> Option<Score> {
    match words.next()? {
        "cp" => number(words).map(Score::Cp),
        "mate" => number(words).map(Score::Mate),
        bare => bare.parse().ok().map(Score::Cp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(thought.score, Some(Score::Cp(31)));
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
        assert_eq!(collector.line_of_play(), ["e2e4", "e7e5"]);
        collector.line(&format!("depth 3 score cp 2 pv {}", "e2e4 ".repeat(1000)));
        assert_eq!(collector.line_of_play(), [""; 0]);
    }

    #[test]
    fn bounds_serve_until_an_exact_score_comes() {
        assert_eq!(collect(&["depth 3 score mate -2 upperbound"]).score, Some(Score::Mate(-2)));
        assert_eq!(collect(&["depth 3 score -17 pv h2e2"]).score, Some(Score::Cp(-17)));
        assert_eq!(collect(&["depth x score", "score cp y"]).score, None);
    }
}
