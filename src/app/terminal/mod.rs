//! A person at a terminal: boards that are drawn, lines that are typed, and groups of a board of Go that is
//! counted.

pub mod boards;
pub mod count;
pub mod input;
pub mod typed;

use boards::Look;
use std::io::IsTerminal;

/// How boards are drawn on stdout: in color with figures on a terminal, else in letters.
pub fn look(ascii: bool, below: crate::game::Side) -> Look {
    let figures = std::io::stdout().is_terminal() && !ascii;
    let color = figures && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    Look { color, figures, below }
}
