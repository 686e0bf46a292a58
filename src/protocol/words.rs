//! Words, numbers and positions, as UCI and UCCI both write them.

use crate::engine::{GameId, Notation, PositionSpec};
use crate::message;
use crate::util::message::Message;
use std::time::Duration;

/// The first word of `text`, and what follows it without the blanks between.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_ascii_start())
}

/// A whole number; a fraction behind it is cut off, and beyond 64 bits it becomes the maximum or minimum.
pub fn number(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    if digits.is_empty() || !digits.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(whole.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

pub fn at_least_one(n: i64) -> u32 {
    u32::try_from(n.max(1)).unwrap_or(u32::MAX)
}

/// A duration from zero to some thirty years.
pub fn milliseconds(n: i64) -> Duration {
    Duration::from_millis(n.clamp(0, 1_000_000_000_000).unsigned_abs())
}

/// The limit of a `go` whose arguments have no readable limit: it was meant to end.
const GUESS: Duration = Duration::from_secs(1);

/// The time of a search that `go` gave no limit (`limited`), but named problems. A `go` without a word goes
/// on until it is stopped.
pub fn guess(limited: bool, problems: &[Message]) -> Option<Duration> {
    (!limited && !problems.is_empty()).then_some(GUESS)
}

/// The remark when [`guess`] takes its place.
pub fn guessed() -> Message {
    message!("go: no limit was understood, thinking for one second" | "go：没有可识别的限制，思考一秒")
}

/// The text, or the beginning of it that a person would read.
pub fn shorten(text: &str) -> String {
    const MOST: usize = 500;
    match text.char_indices().nth(MOST).and_then(|(end, _)| text.get(..end)) {
        Some(beginning) => format!("{beginning}..."),
        None => text.to_owned(),
    }
}

/// A position: `startpos | fen <fields>`, then `moves ..`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// The FEN, its fields separated by single blanks; `None` is `startpos`.
    pub fen: Option<String>,
    /// The moves as sent.
    pub moves: Vec<String>,
}

impl PositionCommand {
    /// The position, its moves in coordinates.
    pub fn spec(self) -> PositionSpec {
        PositionSpec { fen: self.fen, moves: self.moves, notation: Notation::Coordinate }
    }

    /// Reads what follows the command word.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let (keyword, rest) = first_word(text);
        let mut words = rest.split_ascii_whitespace();
        let before_moves: Vec<&str> = words.by_ref().take_while(|&w| w != "moves").collect();
        let fen = match keyword {
            "startpos" => match before_moves.first() {
                Some(word) => {
                    return Err(message!(
                        "position: 'moves' expected, not '{word}'" | "局面：应为 moves，而不是“{word}”",
                        word
                    ));
                }
                None => None,
            },
            "fen" if before_moves.is_empty() => {
                return Err(message!("position: no FEN after 'fen'" | "局面：fen 之后没有内容"));
            }
            "fen" => Some(before_moves.join(" ")),
            "" => return Err(message!("position: nothing follows" | "局面：没有内容")),
            other => {
                return Err(message!(
                    "position: 'startpos' or 'fen' expected, not '{other}'"
                        | "局面：应为 startpos 或 fen，而不是“{other}”",
                    other
                ));
            }
        };
        Ok(Self { fen, moves: words.map(str::to_owned).collect() })
    }

    /// The game its FEN can only be of: by the number of ranks, 8 or 10.
    pub fn game(&self) -> Option<GameId> {
        let board = self.fen.as_deref()?.split(' ').next()?;
        match board.bytes().filter(|&b| b == b'/').count() {
            7 => Some(GameId::Chess),
            9 => Some(GameId::Xiangqi),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_have_a_value() {
        assert_eq!(number("0012"), Some(12));
        assert_eq!(number("+5"), Some(5));
        assert_eq!(number("-5"), Some(-5));
        assert_eq!(number(&"9".repeat(400)), Some(i64::MAX));
        assert_eq!(number(&format!("-{}", "9".repeat(400))), Some(i64::MIN));
        for text in ["", "-", "+", ".5", "1e3", "0x10", "--1", "5s", "1.5s", "1.5.0", "1,5", "\u{FFFD}"] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(milliseconds(-5), Duration::ZERO);
        assert_eq!(at_least_one(i64::MAX), u32::MAX);
        assert_eq!(at_least_one(-1), 1);
    }

    #[test]
    fn fractions_are_cut_off() {
        for (text, value) in [
            ("199.5", 199),
            ("0.0", 0),
            ("1000.7", 1000),
            ("100.0", 100),
            ("-0.5", 0),
            ("-12.9", -12),
            ("+7.25", 7),
            ("300000.", 300_000),
            ("99999999999999999999.5", i64::MAX),
        ] {
            assert_eq!(number(text), Some(value), "{text}");
        }
    }

    #[test]
    fn positions_are_read_whatever_the_blanks() {
        let read =
            |text| PositionCommand::parse(text).map(|p| (p.fen.unwrap_or_default(), p.moves.join(" ")));
        assert_eq!(read("startpos"), Ok((String::new(), String::new())));
        assert_eq!(read(" startpos\tmoves  e2e4   e7e5 "), Ok((String::new(), "e2e4 e7e5".into())));
        assert_eq!(read("fen 8/8/8/8  w -   - moves"), Ok(("8/8/8/8 w - -".into(), String::new())));
        assert!(read("fen").is_err() && read("fen  moves e2e4").is_err());
        assert!(read("").is_err() && read("e2e4").is_err());
    }

    #[test]
    fn the_number_of_ranks_decides_the_game() {
        let game = |fen: &str| PositionCommand { fen: Some(fen.into()), moves: vec![] }.game();
        assert_eq!(game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), Some(GameId::Chess));
        let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert_eq!(game(xiangqi), Some(GameId::Xiangqi));
        assert_eq!(game("8/8/8"), None);
        assert_eq!(PositionCommand::default().game(), None);
    }
}
