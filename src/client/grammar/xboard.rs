//! The lines of the Chess Engine Communication Protocol of XBoard and WinBoard, versions 1 and 2.
//! <https://www.gnu.org/software/xboard/engine-intf.html>

use super::{Choice, moves_to_go, number, time_left};
use crate::game::Side;
use crate::games::record::{GameKind, ReportedScore};
use crate::games::time::GameClock;
use std::collections::HashMap;

/// XBoard's score of a mate, to which its moves are added.
const MATE: i32 = 100_000;

/// What an engine announces, unquoted.
#[derive(Default, Debug)]
pub struct Features {
    pub values: HashMap<String, String>,
    /// Names of its own options.
    pub options: Vec<String>,
}

impl Features {
    /// The value of a feature, empty without one.
    pub fn get(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    pub fn has(&self, feature: &str) -> bool {
        self.get(feature) == "1"
    }

    pub fn plays(&self, variant: &str) -> bool {
        self.get("variants").split(',').any(|known| known.trim() == variant)
    }

    /// Keeps a feature. The answer to it: what this side writes is coordinates.
    pub fn take(&mut self, name: &str, value: &str) -> String {
        if name == "option" {
            self.options.extend(value.split(" -").next().map(str::to_owned));
        }
        self.values.insert(name.to_owned(), value.to_owned());
        let verb = if name == "san" && value == "1" { "rejected" } else { "accepted" };
        format!("{verb} {name}")
    }

    /// The line that sets an option. Those of the protocol have commands of their own.
    pub fn option_line(&self, option: &str, value: &str) -> String {
        match option.to_lowercase().as_str() {
            "hash" if self.has("memory") => format!("memory {value}"),
            "threads" if self.has("smp") => format!("cores {value}"),
            _ if value.is_empty() => format!("option {option}"),
            _ => format!("option {option}={value}"),
        }
    }

    pub fn move_line(&self, mv: &str) -> String {
        if self.has("usermove") { format!("usermove {mv}") } else { mv.to_owned() }
    }
}

/// The `name=value` pairs of a line of features; values may be quoted and then hold blanks.
pub fn features(text: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, end) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = end.trim_start();
    }
    pairs
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Post {
    pub depth: u32,
    /// As written: from the engine's side, in centipawns or beyond [`score`](Self::score)'s limit.
    pub raw_score: i32,
    pub nodes: u64,
    /// The moves as it writes them.
    pub line: String,
}

impl Post {
    /// The score. Beyond 100,000 it counts the moves to a mate.
    pub fn score(&self) -> ReportedScore {
        match self.raw_score {
            score @ MATE.. => ReportedScore::Mate(score.saturating_sub(MATE)),
            score if score <= MATE.saturating_neg() => ReportedScore::Mate(score.saturating_add(MATE)),
            score => ReportedScore::Cp(score),
        }
    }
}

/// Reads a line of thinking: depth, score, hundredths of a second, nodes, moves.
pub fn post(text: &str) -> Option<Post> {
    let mut words = text.split_ascii_whitespace();
    let depth = words.next()?.trim_end_matches(['.', '+', '-', '&', '!', '?']).parse().ok()?;
    let raw_score = number(&mut words)?;
    let (_time, nodes) = (number::<i64>(&mut words)?, number(&mut words)?);
    Some(Post { depth, raw_score, nodes, line: words.collect::<Vec<_>>().join(" ") })
}

/// The move in an answer: `move e2e4`, or in version 1 `12. ... e2e4`.
pub fn move_in(text: &str) -> Option<&str> {
    let old = || {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = rest.len() < text.len();
        let rest = rest.strip_prefix('.').unwrap_or(rest).trim_start();
        rest.strip_prefix("...").filter(|_| is_numbered)
    };
    let mv = text.strip_prefix("move ").or_else(old)?.trim();
    (!mv.is_empty() && !mv.contains(' ')).then_some(mv)
}

/// The choice in a line of the engine that plays `side`: a move, `resign`, or a claim that the opponent has
/// won.
pub fn choice(text: &str, side: Side) -> Option<Choice> {
    if let Some(mv) = move_in(text) {
        // Coordinates are written in any case; in algebraic notation the case distinguishes a bishop from a
        // pawn.
        let small = mv.to_lowercase();
        return Some(match is_coordinates(&small) {
            true => Choice::Move(small),
            false => Choice::Algebraic(mv.to_owned()),
        });
    }
    let loses = claim(text).flatten().is_some_and(|winner| winner != side);
    (loses || text == "resign").then_some(Choice::Resign)
}

/// Whether a text has the form of a move from one square to another, ranks of xiangqi among them.
fn is_coordinates(text: &str) -> bool {
    let signs = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let squares: Vec<&str> =
        signs.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let is_file = |part: &&str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    squares.len() == 2 && squares.iter().all(is_file) && text.ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// The winner by a result that an engine claims: `0-1 {White resigns}`. The inner `None`: a draw.
pub fn claim(text: &str) -> Option<Option<Side>> {
    match text.split_ascii_whitespace().next()? {
        "1-0" => Some(Some(Side::First)),
        "0-1" => Some(Some(Side::Second)),
        "1/2-1/2" => Some(None),
        _ => None,
    }
}

/// Whether a line refuses one of the moves that were sent. Some call other commands illegal moves.
pub fn is_refusal(text: &str, sent: &[String]) -> bool {
    let Some(what) = text.strip_prefix("Illegal move") else { return false };
    let what = what.rsplit(':').next().unwrap_or_default().trim();
    let what = what.strip_prefix("usermove ").unwrap_or(what);
    what.is_empty() || sent.iter().any(|mv| mv.eq_ignore_ascii_case(what))
}

/// Whether a line refuses the depth of its searches: `Error (unknown command): sd 5`. Some call that an
/// illegal move.
pub fn refuses_depth(text: &str) -> bool {
    let refusal = text.strip_prefix("Error (").or_else(|| text.strip_prefix("Illegal move"));
    refusal.and_then(|rest| rest.rsplit(':').next()).is_some_and(|what| what.trim().starts_with("sd"))
}

/// Whether a line complains of the position that was set up.
pub fn is_complaint(text: &str) -> bool {
    text.starts_with("Illegal position") || text.starts_with("tellusererror")
}

/// `level MOVES BASE INCREMENT`: minutes and seconds, and seconds with a fraction where there is one.
pub fn level(clock: &GameClock) -> String {
    let (time, increment) = time_left(clock);
    let moves = moves_to_go(clock).unwrap_or(0);
    let seconds = time.as_secs();
    format!("level {moves} {}:{:02} {}", seconds / 60, seconds % 60, increment.as_secs_f64())
}

/// `time` or `otim`, the clock of the engine or of its opponent, in hundredths of a second.
pub fn time(word: &str, clock: &GameClock) -> String {
    format!("{word} {}", time_left(clock).0.as_millis() / 10)
}

/// `setboard`. In xiangqi XBoard calls horses H and elephants E, and leaves out the fields of castling and of
/// en passant.
pub fn setboard(kind: GameKind, fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    match (kind, fields.next()) {
        (GameKind::XIANGQI, Some(board)) => {
            let letter = |c: char| match c {
                'N' => 'H',
                'n' => 'h',
                'B' => 'E',
                'b' => 'e',
                other => other,
            };
            let side = fields.next().filter(|side| *side == "b").unwrap_or("w");
            let counts: Vec<&str> = fields.skip(2).collect();
            let counts = if counts.is_empty() { "0 1".to_owned() } else { counts.join(" ") };
            format!("setboard {} {side} {counts}", board.chars().map(letter).collect::<String>())
        }
        _ => format!("setboard {fen}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_every_form() {
        let choice = |text: &str| super::choice(text, Side::First);
        assert_eq!(choice("move e2e4"), Some(Choice::Move("e2e4".to_owned())));
        assert_eq!(choice("move E7E8Q"), Some(Choice::Move("e7e8q".to_owned())));
        assert_eq!(choice("move b10c8"), Some(Choice::Move("b10c8".to_owned())));
        for algebraic in ["O-O", "Nf3", "e8=Q", "bxc3", "e4"] {
            let read = choice(&format!("move {algebraic}"));
            assert_eq!(read, Some(Choice::Algebraic(algebraic.to_owned())));
        }
        assert_eq!(choice("resign"), Some(Choice::Resign));
        assert_eq!(choice("0-1 {White resigns}"), Some(Choice::Resign));
        assert_eq!(choice("1. ... d7d5"), Some(Choice::Move("d7d5".to_owned())));
        assert_eq!(choice("12 ... Nf6"), Some(Choice::Algebraic("Nf6".to_owned())));
        for other in ["# a remark", "1-0 {Black resigns}", "tellusererror x", "1 2 3 ... 4", "tellinfo move"]
        {
            assert_eq!(choice(other), None, "{other}");
        }
    }

    #[test]
    fn refusals_name_what_was_sent() {
        for text in ["Error (unknown command): sd 3", "Illegal move: sd 3", "Illegal move (unknown): sd"] {
            assert!(refuses_depth(text), "{text}");
        }
        for other in ["Error (unknown command): st 3", "Illegal move: e2e4", "9 30 1 1 sd"] {
            assert!(!refuses_depth(other), "{other}");
        }
        let sent = ["e2e4".to_owned()];
        for refusal in ["Illegal move: e2e4", "Illegal move (castling): E2E4", "Illegal move"] {
            assert!(is_refusal(refusal, &sent), "{refusal}");
        }
        for other in ["Illegal move: sd 3", "Illegal move (unknown): e2e5", "# Illegal move"] {
            assert!(!is_refusal(other, &sent), "{other}");
        }
    }

    #[test]
    fn lines_of_thinking_differ_from_others() {
        let found = post("8. -31 1084 48000 Nf3 Nc6").unwrap();
        assert_eq!((found.depth, found.nodes, found.line.as_str()), (8, 48_000, "Nf3 Nc6"));
        assert_eq!(found.score(), ReportedScore::Cp(-31));
        assert_eq!(post("9 -100003 2000 90000 e4").unwrap().score(), ReportedScore::Mate(-3));
        for other in ["move e2e4", "8 -31", "# 8 1 1 1", "hint: e4", "8 x 1 1 e4"] {
            assert!(post(other).is_none(), "{other}");
        }
    }

    #[test]
    fn positions_are_written_as_xboard_writes_them() {
        let chess = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(setboard(GameKind::CHESS, chess), format!("setboard {chess}"));
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let theirs = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
        for (ours, expected) in
            [("w - - 0 1", "w 0 1"), ("b - - 3 7", "b 3 7"), ("r", "w 0 1"), ("", "w 0 1")]
        {
            let written = setboard(GameKind::XIANGQI, &format!("{start} {ours}"));
            assert_eq!(written, format!("setboard {theirs} {expected}"));
        }
    }

    #[test]
    fn features_may_hold_blanks() {
        let found = features("myname=\"Some Engine 1.0\" ping=1 variants=\"normal,xiangqi\" done=1");
        let pairs: Vec<_> = found.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let expected =
            [("myname", "Some Engine 1.0"), ("ping", "1"), ("variants", "normal,xiangqi"), ("done", "1")];
        assert_eq!(pairs, expected);
        assert_eq!(features("odd"), []);
        assert_eq!(features("open=\"x"), [("open".to_owned(), "x".to_owned())]);
    }
}
