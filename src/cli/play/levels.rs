//! The levels of a game as a table, the current one marked.

use super::game::EngineGame;
use crate::app::language::{left, right};
use crate::app::level::{self, Level};
use crate::engine::GameId;
use crate::util::words;

/// Columns of a level's name and of what the level is worth.
const WIDTHS: [usize; 2] = [14, 16];

/// Every level with its rating, in Go with its rank on this board, a line each.
pub fn table(game: &EngineGame) -> String {
    let language = game.language;
    let (id, size) = (game.kind().game(), game.table().agreement().start.rules.go.size);
    let worth = match id {
        GameId::Go => words::rank_on_board(language, size),
        GameId::Chess | GameId::Xiangqi => words::rating_column(language),
    };
    let mut out = row(' ', &words::level_column(language), &worth);
    let is_current = |level: Option<Level>| if level == game.level() { '*' } else { ' ' };
    for (number, worth) in (1..).zip(level::worths(language, id, size)) {
        out += &row(is_current(Some(Level::Number(number))), &number.to_string(), &worth);
    }
    if let Some(Level::Rank(rank)) = game.level() {
        out += &row('*', "", rank);
    }
    out + &row(is_current(None), &words::full_strength(language), "")
}

fn row(mark: char, level: &str, worth: &str) -> String {
    let [level_width, worth_width] = WIDTHS;
    let line = format!("{mark} {}{}", left(level, level_width), right(worth, worth_width));
    format!("{}\n", line.trim_end())
}
