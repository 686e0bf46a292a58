//! The arguments of `go`: one reader, and a table of words for each protocol.

use super::words::{at_least_one, guess, milliseconds, number};
use crate::clock::TimeControl;
use crate::engine::Limits;
use crate::message;
use crate::util::message::Message;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    Ponder,
    Infinite,
    /// The opponent offers a draw.
    Draw,
    /// Root moves follow, up to the next argument.
    SearchMoves,
    Number(Number),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Time left on a clock.
    Time(usize),
    /// What a clock gains with each move.
    Increment(usize),
    /// Moves up to the next time control.
    MovesToGo(usize),
    Depth,
    Nodes,
    /// Moves up to the mate.
    Mate,
    /// Milliseconds for this move.
    MoveTime,
    /// Plies of a perft.
    Perft,
}

/// The arguments of a protocol, by their words. Clocks are numbered: 0 and 1 are those of the first and of
/// the second side, or one's own and the opponent's.
pub type Arguments = &'static [(&'static str, Argument)];

/// `go ..`, as sent: nothing has been concluded from it yet. Times are in whatever unit the client uses, and
/// may be negative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub search_moves: Vec<String>,
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    pub infinite: bool,
    pub time: [Option<i64>; 2],
    /// What each clock gains with a move.
    pub increment: [Option<i64>; 2],
    /// Moves up to the next time control of each clock; the first number is that of both where there is one
    /// only.
    pub moves_to_go: [Option<i64>; 2],
    pub depth: Option<i64>,
    pub nodes: Option<i64>,
    pub mate: Option<i64>,
    /// Milliseconds, whatever the unit of the clock.
    pub movetime: Option<i64>,
    /// Plies of a perft, which is not a search.
    pub perft: Option<i64>,
    /// What could not be read, in words for people. The rest holds.
    pub problems: Vec<Message>,
}

impl Go {
    /// Reads the arguments, in any order and mixture; of what is there twice, the last counts.
    pub fn parse(text: &str, arguments: Arguments) -> Self {
        let find =
            |word: &str| arguments.iter().find(|(name, _)| *name == word).map(|(_, argument)| *argument);
        let mut go = Self::default();
        let mut words = text.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            match find(word) {
                None => go.problems.push(message!("go: '{word}' is ignored" | "go：“{word}”略过", word)),
                Some(Argument::Ponder) => go.ponder = true,
                Some(Argument::Infinite) => go.infinite = true,
                Some(Argument::Draw) => go.draw = true,
                Some(Argument::SearchMoves) => {
                    while let Some(mv) = words.next_if(|w| find(w).is_none()) {
                        go.search_moves.push(mv.to_owned());
                    }
                    if go.search_moves.is_empty() {
                        go.problems.push(message!(
                            "go: searchmoves without a move is ignored"
                                | "go：searchmoves 之后没有着法，略过"
                        ));
                    }
                }
                // `depth infinite` is how UCCI writes it.
                Some(Argument::Number(Number::Depth)) if words.next_if_eq(&"infinite").is_some() => {
                    go.infinite = true;
                }
                Some(Argument::Number(which)) => match words.next_if(|w| find(w).is_none()) {
                    None => go.problems.push(message!(
                        "go: {word} without a number is ignored" | "go：{word} 之后没有数，略过",
                        word
                    )),
                    Some(text) => match number(text) {
                        None => go.problems.push(message!(
                            "go: {word} '{text}' is no number, and is ignored"
                                | "go：{word} 之后的“{text}”不是数，略过",
                            word,
                            text
                        )),
                        found => *go.slot(which) = found,
                    },
                },
            }
        }
        go
    }

    #[allow(clippy::indexing_slicing, reason = "a clock is 0 or 1")]
    fn slot(&mut self, which: Number) -> &mut Option<i64> {
        match which {
            Number::Time(clock) => &mut self.time[clock],
            Number::Increment(clock) => &mut self.increment[clock],
            Number::MovesToGo(clock) => &mut self.moves_to_go[clock],
            Number::Depth => &mut self.depth,
            Number::Nodes => &mut self.nodes,
            Number::Mate => &mut self.mate,
            Number::MoveTime => &mut self.movetime,
            Number::Perft => &mut self.perft,
        }
    }

    /// What this means when clock `own` is that of the side to move, and clocks count units of `unit`
    /// milliseconds. Limits below one count as one, times below zero as zero. A client that sends one clock
    /// only means that one. Without any limit the search goes on until it is stopped.
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a clock is 0 or 1")]
    pub fn limits(&self, own: usize, unit: i64) -> Limits {
        let duration = |n: i64| milliseconds(n.saturating_mul(unit));
        let time = self.time[own].or(self.time[1 - own]);
        let has_clock = time.is_some() || self.increment.iter().any(Option::is_some);
        let moves_to_go = self.moves_to_go[own].or(self.moves_to_go[0]);
        let clock = has_clock.then(|| TimeControl {
            remaining: duration(time.unwrap_or(0)),
            increment: duration(self.increment[own].unwrap_or(0)),
            moves_to_go: moves_to_go.filter(|&n| n > 0).map(at_least_one),
            overtime: None,
            opponent: self.time[1 - own].map(duration),
        });
        let numbers = [self.depth, self.nodes, self.mate, self.movetime];
        let limited = clock.is_some() || numbers.iter().any(Option::is_some) || self.infinite || self.ponder;
        let guessed = guess(limited, &self.problems);
        Limits {
            depth: self.depth.map(at_least_one),
            nodes: self.nodes.map(|n| n.max(1).unsigned_abs()),
            mate: self.mate.map(at_least_one),
            movetime: self.movetime.map(milliseconds).or(guessed),
            clock,
            infinite: self.infinite || !(limited || guessed.is_some()),
            ponder: self.ponder,
            search_moves: self.search_moves.clone(),
            draw_offered: self.draw,
            ..Limits::default()
        }
    }
}
