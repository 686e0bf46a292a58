//! A position of Go as a record.

use super::write::escape;
use crate::game::Side;
use crate::go::{BLACK, Board, Color, Move, Position, WHITE, coords};

/// What a written record has beside the moves. Empty texts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameInfo {
    pub black: String,
    pub white: String,
    /// `B+7.5`, `W+R`, `0`.
    pub result: String,
    /// Date, `YYYY-MM-DD`.
    pub date: String,
    pub comment: String,
}

/// What stands near the beginning of every record that [`save`] writes: the program's name, its version
/// follows.
pub const MARK: &str = "AP[Sanqi:";

/// The moves that placed a handicap on the empty board, up to its last stone: White may have passed between
/// them.
fn placed(position: &Position) -> &[(Side, Move)] {
    let (board, moves) = (position.start_board(), position.moves());
    let stones = moves.iter().enumerate().filter(|(_, (_, mv))| mv.is_stone());
    let handicap: Vec<usize> = stones.take_while(|(_, (side, _))| *side == BLACK).map(|(i, _)| i).collect();
    let is_placed = handicap.len() > 1
        && handicap.len() == position.handicap() as usize
        && board.empty_count() == board.area();
    let last = handicap.last().filter(|_| is_placed);
    last.and_then(|&last| moves.get(..=last)).unwrap_or_default()
}

/// Writes the game as SGF: set-up stones, komi, rules, handicap, moves.
pub fn save(position: &Position, info: &GameInfo) -> String {
    let board = position.start_board();
    let mut out = format!("(;FF[4]GM[1]CA[UTF-8]{MARK}");
    out += &escape(env!("CARGO_PKG_VERSION"));
    out += "]";
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            out += &format!("{name}[{}]", escape(value));
        }
    };
    add("SZ", &board_size(board));
    add("KM", &position.komi().to_string());
    let rules = position.rules();
    add("RU", &rules.name().map_or_else(|| rules.short(), str::to_owned));
    add("PB", &info.black);
    add("PW", &info.white);
    add("RE", &info.result);
    add("DT", &info.date);
    add("C", &info.comment);
    if position.handicap() > 1 {
        add("HA", &position.handicap().to_string());
    }
    let placed = placed(position);
    let handicap = placed.iter().map(|&(_, mv)| mv).filter(|mv| mv.is_stone());
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let set_up = board.points().filter(|&v| board.color(v) == color);
        let set_up = set_up.chain(handicap.clone().filter(|_| color == Color::Black));
        let stones: String = set_up.map(|v| format!("[{}]", coords::sgf(board, v))).collect();
        if !stones.is_empty() {
            out += name;
            out += &stones;
        }
    }
    let moves = position.moves().get(placed.len()..).unwrap_or_default();
    let first = moves.first().map_or(position.board().side_to_move(), |&(side, _)| side);
    if first == WHITE {
        out += "PL[W]";
    }
    for (i, &(side, mv)) in moves.iter().enumerate() {
        if i % 10 == 0 {
            out.push('\n');
        }
        let name = if side == BLACK { 'B' } else { 'W' };
        out += &format!(";{name}[{}]", coords::sgf(board, mv));
    }
    out.push(')');
    out
}

pub fn board_size(board: &Board) -> String {
    let (width, height) = (board.width(), board.height());
    if width == height { width.to_string() } else { format!("{width}:{height}") }
}
