//! Boards on a terminal: in color with figures, or in letters.

use crate::chess::{self, Square};
use crate::game::Side;
use crate::games::game::Position;
use crate::games::referee::Stones;
use crate::go::{self, coords, score::count};
use crate::util::lang::Language;
use crate::util::words;
use crate::xiangqi::{self, notation::piece_name};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// With the colors of the terminal.
    pub color: bool,
    /// Pieces as figures (♞, 馬, ●); else as letters.
    pub figures: bool,
    /// Whose side is below; in Go, whose boards have no sides, that of White turns the board.
    pub below: Side,
}

const RESET: &str = "\x1b[0m";

/// The board, its last move (in coordinates) marked, with a line end.
pub fn draw(position: &Position, last: Option<&str>, look: Look) -> String {
    match position {
        Position::Chess(board) => draw_chess(board, last, look),
        Position::Xiangqi(board) => draw_xiangqi(board, last, look),
        Position::Go(stones) => draw_go(stones, last, look),
    }
}

/// Columns or rows as they are drawn, first the one at the left or at the top.
fn order(count: usize, backwards: bool) -> Vec<usize> {
    if backwards { (0..count).rev().collect() } else { (0..count).collect() }
}

/// The two squares of a move in coordinates: files and ranks from 0.
fn ends(mv: Option<&str>) -> [Option<(usize, usize)>; 2] {
    let point = |at: usize| {
        let bytes = mv?.as_bytes();
        let file = bytes.get(at)?.checked_sub(b'a')?;
        let rank = bytes.get(at + 1)?.checked_sub(b'0')?;
        Some((usize::from(file), usize::from(rank)))
    };
    [point(0), point(2)]
}

fn draw_chess(board: &chess::Board, last: Option<&str>, look: Look) -> String {
    let marked = ends(last).map(|end| end.map(|(file, rank)| (file, rank.wrapping_sub(1))));
    let flipped = look.below == Side::Second;
    let files = order(8, flipped);
    let mut out = String::new();
    for rank in order(8, !flipped) {
        // Writing to a String cannot fail.
        let _ = write!(out, " {} ", rank + 1);
        for &file in &files {
            let is_marked = marked.contains(&Some((file, rank)));
            let piece = board.position().find(Square::at(file, rank));
            out += &chess_square(piece, (file + rank) % 2 == 1, is_marked, look);
        }
        out.push('\n');
    }
    let names: Vec<String> = files.iter().map(|&f| format!(" {} ", (b'a' + f as u8) as char)).collect();
    let _ = writeln!(out, "   {}", names.concat());
    out
}

fn chess_square(piece: Option<(Side, chess::Kind)>, light: bool, marked: bool, look: Look) -> String {
    let letter = |side: Side, kind: chess::Kind| {
        let letter = b"pnbrqk"[kind as usize] as char;
        if side == Side::First { letter.to_ascii_uppercase() } else { letter }
    };
    let text = match piece {
        None if look.color => ' ',
        None if light => ' ',
        None => '.',
        // The filled figures: the outlines are hard to distinguish.
        Some((_, kind)) if look.figures && look.color => ['♟', '♞', '♝', '♜', '♛', '♚'][kind as usize],
        Some((Side::First, kind)) if look.figures => ['♙', '♘', '♗', '♖', '♕', '♔'][kind as usize],
        Some((_, kind)) if look.figures => ['♟', '♞', '♝', '♜', '♛', '♚'][kind as usize],
        Some((side, kind)) => letter(side, kind),
    };
    if !look.color {
        return if marked { format!("[{text}]") } else { format!(" {text} ") };
    }
    let ground = match (marked, light) {
        (true, true) => 186,
        (true, false) => 143,
        (false, true) => 180,
        (false, false) => 137,
    };
    let ink = if piece.is_some_and(|(side, _)| side == Side::First) { "1;97" } else { "30" };
    format!("\x1b[48;5;{ground}m\x1b[{ink}m {text} {RESET}")
}

fn draw_xiangqi(board: &xiangqi::Board, last: Option<&str>, look: Look) -> String {
    let marked = ends(last);
    let flipped = look.below == Side::Second;
    let files = order(9, flipped);
    let mut out = String::new();
    if look.figures {
        // Chinese notation counts files from the right hand of the side to move.
        let far = if flipped { "一二三四五六七八九" } else { "１２３４５６７８９" };
        out += &heading(far);
    }
    for rank in order(10, !flipped) {
        let _ = write!(out, " {rank} ");
        for &file in &files {
            let is_marked = marked.contains(&Some((file, rank)));
            let sq = xiangqi::Square::at(file, rank);
            let piece = sq.and_then(|sq| board.piece_at(sq).get());
            out += &xiangqi_point(piece, (file, rank), is_marked, look);
        }
        out.push('\n');
        if rank == if flipped { 4 } else { 5 } {
            let river = if look.figures {
                "      楚  河          漢  界\n"
            } else {
                "   ~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
            };
            out += river;
        }
    }
    if look.figures {
        let near = if flipped { "９８７６５４３２１" } else { "九八七六五四三二一" };
        out += &heading(near);
    }
    let width = if look.figures { 2 } else { 1 };
    let names: Vec<String> =
        files.iter().map(|&f| format!(" {:<width$} ", (b'a' + f as u8) as char)).collect();
    let _ = writeln!(out, "   {}", names.concat());
    out
}

/// Numbers of the files, each two columns wide.
fn heading(numbers: &str) -> String {
    let spaced: Vec<String> = numbers.chars().map(|c| format!(" {c} ")).collect();
    format!("   {}\n", spaced.concat())
}

fn xiangqi_point(
    piece: Option<(Side, xiangqi::Kind)>,
    (file, rank): (usize, usize),
    marked: bool,
    look: Look,
) -> String {
    let in_palace = (3..=5).contains(&file) && !(3..=6).contains(&rank);
    let text = match piece {
        None if look.figures => if in_palace { "＊" } else { "・" }.to_owned(),
        None => if in_palace { "*" } else { "." }.to_owned(),
        Some((side, kind)) if look.figures => traditional(side, kind).to_string(),
        Some((Side::First, kind)) => kind.letter().to_string(),
        Some((_, kind)) => kind.letter().to_ascii_lowercase().to_string(),
    };
    if !look.color {
        return if marked { format!("[{text}]") } else { format!(" {text} ") };
    }
    let ink = match piece {
        Some((Side::First, _)) => "1;31",
        Some(_) => "1;30",
        None => "38;5;137",
    };
    let ground = if marked { 186 } else { 223 };
    format!("\x1b[48;5;{ground}m\x1b[{ink}m {text} {RESET}")
}

/// The piece as it is carved into the usual sets.
fn traditional(side: Side, kind: xiangqi::Kind) -> char {
    match piece_name(side, kind) {
        '帅' => '帥',
        '将' => '將',
        '马' if side == Side::First => '傌',
        '马' => '馬',
        '车' if side == Side::First => '俥',
        '车' => '車',
        '炮' if side == Side::Second => '砲',
        other => other,
    }
}

fn draw_go(stones: &Stones, last: Option<&str>, look: Look) -> String {
    let board = stones.position().board();
    let marked = last.and_then(|text| coords::parse_vertex(board, text));
    draw_points(board, look, &|v, star| go_point(board.color(v).side(), star, marked == Some(v), look))
}

/// A board of Go whose points are drawn by `point`, which knows the star points.
fn draw_points(board: &go::Board, look: Look, point: &dyn Fn(go::Point, bool) -> String) -> String {
    let size = board.height();
    // Points come row by row from below.
    let points: Vec<_> = board.points().collect();
    let rows: Vec<&[go::Point]> = points.chunks(board.width()).collect();
    let flipped = look.below == Side::Second;
    let columns = order(board.width(), flipped);
    let name = |&column: &usize| format!(" {} ", coords::column(column));
    let header = format!("   {}\n", columns.iter().map(name).collect::<String>());
    let mut out = header.clone();
    for row in order(size, !flipped) {
        let _ = write!(out, "{:>2} ", row + 1);
        for &column in &columns {
            let star = is_star(size, column) && is_star(size, row) && is_star_pair(size, column, row);
            out += &point(rows[row][column], star);
        }
        let _ = writeln!(out, " {}", row + 1);
    }
    out + &header
}

/// The board of a game of Go that is counted: dead stones and territory have marks of their own.
pub fn draw_count(stones: &Stones, dead: &go::PointSet, look: Look) -> String {
    let board = stones.position().board();
    let [black, white] = count(board, dead).owned;
    draw_points(board, look, &|v, _| {
        let stone = board.color(v).side();
        let owner =
            if black.contains(v) { Some(Side::First) } else { white.contains(v).then_some(Side::Second) };
        match (stone, owner) {
            (Some(side), _) if dead.contains(v) => inked(mark(DEAD, side, look), Some(side), false, look),
            (None, Some(side)) => inked(mark(POINTS, side, look), Some(side), false, look),
            _ => go_point(stone, false, false, look),
        }
    })
}

/// What the marks of [`draw_count`] mean.
pub fn count_legend(language: Language, look: Look) -> String {
    let both = |marks| {
        let [black, white] = [Side::First, Side::Second].map(|side| mark(marks, side, look));
        if black == white { black.to_string() } else { format!("{black} {white}") }
    };
    words::count_legend(language, both(DEAD), both(POINTS))
}

/// Marks of Black and of White: in letters, and as figures.
type Marks = [[char; 2]; 2];
const DEAD: Marks = [['x', 'o'], ['▲', '△']];
const POINTS: Marks = [['#', '='], ['■', '□']];

/// The mark of a side. In color the ink distinguishes the sides, and outlines are hard to see.
fn mark(marks: Marks, side: Side, look: Look) -> char {
    let [letters, [filled, outline]] = marks;
    match side {
        _ if !look.figures => letters[side.index()],
        Side::Second if !look.color => outline,
        _ => filled,
    }
}

/// Whether lines with this number, from 0, have star points.
fn is_star(size: usize, at: usize) -> bool {
    let near = if size > 12 { 3 } else { 2 };
    let middle = size % 2 == 1 && at == size / 2;
    size >= 7 && (at == near || at == size - 1 - near || middle)
}

/// On small boards only the corners and the center are stars.
fn is_star_pair(size: usize, column: usize, row: usize) -> bool {
    let on_middle = [column, row].into_iter().filter(|&at| size % 2 == 1 && at == size / 2).count();
    size > 14 || on_middle != 1
}

fn go_point(side: Option<Side>, star: bool, marked: bool, look: Look) -> String {
    let text = match side {
        Some(Side::First) if look.figures => '●',
        Some(_) if look.figures && look.color => '●',
        Some(_) if look.figures => '○',
        Some(Side::First) => 'X',
        Some(_) => 'O',
        None if star => '+',
        None if look.figures => '·',
        None => '.',
    };
    inked(text, side, marked, look)
}

/// A point of Go that shows `text` in the color of a side.
fn inked(text: char, side: Option<Side>, marked: bool, look: Look) -> String {
    if !look.color {
        return if marked { format!("({text})") } else { format!(" {text} ") };
    }
    let ink = match side {
        Some(Side::First) => "30",
        Some(_) => "97",
        None => "38;5;94",
    };
    let ground = if marked { 186 } else { 179 };
    format!("\x1b[48;5;{ground}m\x1b[{ink}m {text} {RESET}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::Start;
    use crate::games::record::{GameKind, GoSetup};

    fn start(kind: GameKind) -> Position {
        Position::at(&Start { kind, ..Start::go(GoSetup { size: 9, ..GoSetup::default() }) }).unwrap()
    }

    fn plain(below: Side) -> Look {
        Look { color: false, figures: false, below }
    }

    #[test]
    fn letters_are_for_pipes_and_figures_for_people() {
        let mut game = start(GameKind::CHESS);
        game.play("g1f3").unwrap();
        let board = draw(&game, Some("g1f3"), plain(Side::First));
        assert!(board.starts_with(" 8  r  n  b  q  k  b  n  r \n"), "{board}");
        assert!(board.contains(" R  N  B  Q  K  B [.] R \n") && board.contains("[N]"), "{board}");
        assert!(board.is_ascii() && !board.contains('\x1b'));
        let flipped = draw(&game, None, plain(Side::Second));
        assert!(flipped.starts_with(" 1  R  .  B  K  Q  B  N  R \n"), "{flipped}");
        let color = draw(&game, None, Look { color: true, figures: true, below: Side::First });
        assert!(color.contains('♞') && color.contains("\x1b[48;5;"));
    }

    #[test]
    fn xiangqi_has_its_river_and_its_characters() {
        let look = Look { color: false, figures: true, below: Side::First };
        let board = draw(&start(GameKind::XIANGQI), None, look);
        assert!(board.contains(" 車  馬  象  士  將  士  象  馬  車 "), "{board}");
        assert!(
            board.contains(" 俥  傌  相  仕  帥  仕  相  傌  俥 ") && board.contains("楚  河"),
            "{board}"
        );
        assert!(draw(&start(GameKind::XIANGQI), None, plain(Side::Second)).is_ascii());
    }

    #[test]
    fn small_boards_of_go_have_five_stars() {
        let mut game = start(GameKind::GO);
        assert_eq!(draw(&game, None, plain(Side::First)).matches('+').count(), 5);
        game.play("C3").unwrap();
        assert!(draw(&game, Some("C3"), plain(Side::First)).contains("(X)"));
        game.play("A5").unwrap();
        game.play("E1").unwrap();
        let rows = draw(&game, None, plain(Side::First));
        assert!(rows.contains(" 5  O  .  .  .  +") && rows.contains(" 1  .  .  .  .  X  ."), "{rows}");
        let turned = draw(&game, None, plain(Side::Second));
        assert!(turned.starts_with("    J  H  G ") && turned.contains(" 1  .  .  .  .  X  ."), "{turned}");
        assert!(turned.contains("  O  5\n"), "{turned}");
    }

    #[test]
    fn a_count_shows_the_dead_and_the_territory() {
        let go = GoSetup { size: 5, ..GoSetup::default() };
        let mut game = Position::at(&Start::go(go)).unwrap();
        // A wall for each, Black's dead stone behind White's wall, and an empty line between the walls.
        for mv in "B1 D1 B2 D2 B3 D3 B4 D4 B5 D5 E3 pass".split(' ') {
            game.play(mv).unwrap();
        }
        let stones = game.stones().unwrap();
        let dead = stones.dead_stones(&["E3".to_owned()]);
        let board = draw_count(stones, &dead, plain(Side::First));
        assert!(board.contains(" 3  #  X  .  O  x  3\n 2  #  X  .  O  =  2\n"), "{board}");
        assert_eq!(
            count_legend(Language::English, plain(Side::First)),
            "x o: dead stones; # =: points of Black and of White"
        );
        let figures = Look { color: false, figures: true, below: Side::First };
        let board = draw_count(stones, &dead, figures);
        assert!(board.contains(" 3  ■  ●  ·  ○  ▲  3\n 2  ■  ●  ·  ○  □  2\n"), "{board}");
        let color = Look { color: true, ..figures };
        let board = draw_count(stones, &dead, color);
        assert!(board.contains("\x1b[97m ■ ") && board.contains("\x1b[30m ▲ "), "{board}");
        assert_eq!(count_legend(Language::Chinese, color), "▲：死子；■：黑方和白方的地");
    }
}
