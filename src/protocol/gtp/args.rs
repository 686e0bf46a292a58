//! Arguments of commands, and the errors that clients match word for word.

use super::line::Request;
use crate::engine::Side;
use crate::engine::go::GameError;
use crate::util::message::Message;
use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

/// The reason of a failure: the text after `?`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub Cow<'static, str>);

impl Refusal {
    /// Arguments that are missing or cannot be read.
    pub const SYNTAX: Self = Self(Cow::Borrowed("syntax error"));
    pub const COLOR: Self = Self(Cow::Borrowed("invalid color"));
    /// A vertex that is not on the board.
    pub const COORDINATE: Self = Self(Cow::Borrowed("invalid coordinate"));
    /// A move whose color or vertex is wrong.
    pub const MOVE: Self = Self(Cow::Borrowed("invalid color or coordinate"));
    pub const ENDING: Self = Self(Cow::Borrowed("cancelled: the session ends"));
}

impl From<&'static str> for Refusal {
    fn from(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl From<Message> for Refusal {
    fn from(message: Message) -> Self {
        String::from(message).into()
    }
}

impl From<Refusal> for Message {
    fn from(refusal: Refusal) -> Self {
        refusal.0.into_owned().into()
    }
}

impl From<GameError> for Refusal {
    fn from(error: GameError) -> Self {
        Self(Cow::Owned(error.to_string()))
    }
}

/// `b`, `w`, `black`, `white`, in any case.
pub fn color(text: &str) -> Option<Side> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

pub const fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

pub const fn color_name(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl Request {
    pub fn arg(&self, index: usize) -> Result<&str, Refusal> {
        self.args.get(index).map(String::as_str).ok_or(Refusal::SYNTAX)
    }

    pub fn color(&self, index: usize) -> Result<Side, Refusal> {
        color(self.arg(index)?).ok_or(Refusal::COLOR)
    }

    pub fn number<T: FromStr>(&self, index: usize) -> Result<T, Refusal> {
        self.arg(index)?.parse().map_err(|_| Refusal::SYNTAX)
    }

    /// The number at `index`, when there is an argument.
    pub fn optional<T: FromStr>(&self, index: usize) -> Result<Option<T>, Refusal> {
        if index < self.args.len() { self.number(index).map(Some) } else { Ok(None) }
    }

    pub fn real(&self, index: usize) -> Result<f64, Refusal> {
        self.number::<f64>(index).ok().filter(|x| x.is_finite()).ok_or(Refusal::SYNTAX)
    }
}

/// `true`, `1`, `on`, `yes` and their opposites.
pub fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
    }
}

/// Items in a row, with blanks between.
pub fn words<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for item in items {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&item.to_string());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::gtp::line::{Line, parse};

    fn request(line: &str) -> Request {
        let Line::Command(request) = parse(line) else { unreachable!("a command") };
        request
    }

    #[test]
    fn colors_are_read_in_any_case() {
        for text in ["b", "B", "black", "Black", "BLACK"] {
            assert_eq!(color(text), Some(Side::First));
        }
        assert_eq!(color("w"), Some(Side::Second));
        assert_eq!(color("empty"), None);
    }

    #[test]
    fn only_finite_numbers_are_numbers() {
        for bad in ["komi nan", "komi inf", "komi -inf", "komi x", "komi", "komi 1e999"] {
            assert_eq!(request(bad).real(0), Err(Refusal::SYNTAX), "{bad}");
        }
        assert_eq!(request("komi -7.5").real(0), Ok(-7.5));
    }
}
