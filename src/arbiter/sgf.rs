//! Records of Go as SGF (FF 4). Source: <https://www.red-bean.com/sgf/>.
//!
//! A circle with `records`: its files may be SGF, which is read here, and what is read is what all its files hold.

use super::pgn::{Headings, civil};
use super::record::{Ending, GameKind, GameRecord, GoSetup, Opening, Ply, Reason};
use super::records::Recorded;
use super::referee::Stones;
use super::time::Control;
use crate::clock::Overtime;
use crate::game::Side;
use crate::go::sgf::{self, escape};
use crate::go::{Board, Color, Rules, coords};
use sgf_parse::go::{self, Move, Prop};
use std::fmt::Write;

/// What every record begins with.
pub const HEAD: &str = "(;FF[4]GM[1]CA[UTF-8]AP[sanqi]";

/// The record as one game tree, with a line end.
/// # Errors
/// When the record is not one of Go, or its set-up does not exist.
pub fn write(record: &GameRecord, headings: &Headings) -> Result<String, String> {
    let setup = record.go.as_ref().ok_or("not a game of Go")?;
    let stones = Stones::new(setup)?;
    let mut out = String::from(HEAD);
    let mut property = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{name}[{}]", escape(value));
    };
    property("SZ", &setup.size.to_string());
    property("KM", &setup.komi.to_string());
    property("RU", &rules(setup));
    property("EV", &headings.event);
    property("PC", &headings.site);
    property("RO", &format!("{}.{}", record.round, record.ordinal()));
    property("PB", &record.names[Side::First.index()]);
    property("PW", &record.names[Side::Second.index()]);
    let (year, month, day) = civil(record.started);
    property("DT", &format!("{year}-{month:02}-{day:02}"));
    time(&record.controls[0], &mut property);
    property("RE", &result(&record.ending));
    property("GC", &record.ending.detail);
    let board = stones.position().board();
    if setup.handicap > 1 {
        property("HA", &setup.handicap.to_string());
        out.push_str("AB");
        for v in board.points().filter(|&v| board.color(v) == Color::Black) {
            let _ = write!(out, "[{}]", coords::sgf(board, v));
        }
        out.push_str("PL[W]");
    }
    let mut side = if setup.handicap > 1 { Side::Second } else { Side::First };
    for ply in &record.plies {
        let point =
            coords::parse_vertex(board, &ply.mv).ok_or_else(|| format!("{:?} is no vertex", ply.mv))?;
        let letter = if side == Side::First { 'B' } else { 'W' };
        let _ = write!(out, "\n;{letter}[{}]{}", coords::sgf(board, point), annotation(letter, ply));
        side = side.other();
    }
    out.push_str(")\n");
    Ok(out)
}

fn rules(setup: &GoSetup) -> String {
    // SGF names the usual sets with a capital.
    let mut letters = setup.rules.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Time left, overtime left, and the engine's own words.
fn annotation(letter: char, ply: &Ply) -> String {
    let mut out = String::new();
    if let Some(ms) = ply.clock_ms {
        let _ = write!(out, "{letter}L[{:.3}]", ms as f64 / 1e3);
    }
    if let Some(left) = ply.overtime {
        let _ = write!(out, "O{letter}[{left}]");
    }
    if ply.book {
        return out + "C[book]";
    }
    let mut comment = format!("{:.3}s", ply.time_us as f64 / 1e6);
    if let Some(score) = ply.thought.score {
        let _ = write!(comment, " {score}");
    }
    if let Some(nodes) = ply.thought.nodes {
        let _ = write!(comment, " {nodes} visits");
    }
    let _ = write!(out, "C[{}]", escape(&comment));
    out
}

/// Main time in seconds, overtime as text.
fn time(control: &str, property: &mut impl FnMut(&str, &str)) {
    let Ok(control) = control.parse::<Control>() else { return };
    if !control.is_timed() || control.per_move.is_some() {
        return;
    }
    property("TM", &control.main.as_secs_f64().to_string());
    match control.overtime {
        Some(Overtime::ByoYomi { length, periods }) => {
            property("OT", &format!("{periods}x{} byo-yomi", length.as_secs_f64()));
        }
        Some(Overtime::Canadian { length, stones }) => {
            property("OT", &format!("{stones}/{} Canadian", length.as_secs_f64()));
        }
        None if !control.increment.is_zero() => {
            property("OT", &format!("{} fischer", control.increment.as_secs_f64()));
        }
        None => {}
    }
}

/// `B+3.5`, `W+R`, `B+T`, `W+F`, `0`, `Void`.
fn result(ending: &Ending) -> String {
    let Some(winner) = ending.winner else {
        return if ending.reason == Reason::Interrupted { "Void" } else { "0" }.to_owned();
    };
    let how = match ending.reason {
        Reason::Resignation => "R",
        Reason::Time => "T",
        reason if reason.is_fault() => "F",
        // `B+3.5 (黑胜1¾子)`
        _ => ending.detail.split(' ').next().and_then(|margin| margin.split_once('+')).map_or("", |m| m.1),
    };
    format!("{}+{how}", &GameKind::Go.side_name(winner)[..1])
}

/// Lines of play that are read of one game.
const MAX_LINES: usize = 1000;

/// The main lines of all games in `text`.
/// # Errors
/// When it is no SGF; else, for each game, its number and why it cannot be replayed.
pub fn read_games(text: &str) -> Result<Vec<Result<Recorded, (usize, String)>>, String> {
    let trees = sgf::trees(text).map_err(|e| e.to_string())?;
    Ok((1..).zip(&trees).map(|(number, root)| read_line(root, number).map_err(|why| (number, why))).collect())
}

/// The same with all variations: every line of play from the start of a game to an end, the main one first. One whose moves
/// are all in a line before it is left out.
/// # Errors
/// Those of [`read_games`], for each line.
#[allow(clippy::arithmetic_side_effects, reason = "a game has at most a thousand lines here")]
pub fn read_lines(text: &str) -> Result<Vec<Result<Recorded, (usize, String)>>, String> {
    let trees = sgf::trees(text).map_err(|e| e.to_string())?;
    let mut found = Vec::new();
    for (number, root) in (1..).zip(&trees) {
        let of_game = |why| (number, why);
        let mut lines: Vec<Recorded> = Vec::new();
        let roots = sgf::lines(root, MAX_LINES + 1);
        if roots.len() > MAX_LINES {
            found.push(Err(of_game(format!("more than {MAX_LINES} lines"))));
            continue;
        }
        for (i, line) in roots.iter().enumerate() {
            match read_line(line, number) {
                Ok(game)
                    if lines.iter().any(|other| other.opening.moves.starts_with(&game.opening.moves)) => {}
                Ok(game) => lines.push(Recorded { line: Some(lines.len() + 1), ..game }),
                Err(why) => found.push(Err(of_game(format!("line {}: {why}", i + 1)))),
            }
        }
        found.extend(lines.into_iter().map(Ok));
    }
    Ok(found)
}

fn read_line(root: &sgf_parse::SgfNode<Prop>, number: usize) -> Result<Recorded, String> {
    let game = sgf::load_game(root, Rules::default()).map_err(|e| e.to_string())?;
    recorded(&game.end, root, number)
}

fn recorded(
    end: &crate::go::Position,
    root: &sgf_parse::SgfNode<Prop>,
    number: usize,
) -> Result<Recorded, String> {
    let board = end.board();
    if board.width() != board.height() {
        return Err(format!("a board of {}x{}", board.width(), board.height()));
    }
    let mut tags = Vec::new();
    let mut setup = GoSetup { size: board.width(), komi: end.komi(), ..GoSetup::default() };
    if let Some(name) = end.rules().name() {
        setup.rules = name.to_owned();
    }
    for prop in root.properties() {
        let (name, value) = match prop {
            Prop::PB(text) => ("Black", text.text.clone()),
            Prop::PW(text) => ("White", text.text.clone()),
            Prop::EV(text) => ("Event", text.text.clone()),
            Prop::RE(text) => ("Result", text.text.clone()),
            Prop::HA(stones) => {
                setup.handicap = usize::try_from(*stones).unwrap_or(0);
                continue;
            }
            _ => continue,
        };
        tags.push((name.to_owned(), value));
    }
    let mut side = None;
    let mut moves = Vec::new();
    for prop in root.main_variation().flat_map(|node| node.properties()) {
        let (mover, mv) = match prop {
            Prop::B(mv) => (Side::First, mv),
            Prop::W(mv) => (Side::Second, mv),
            Prop::AB(points) | Prop::AW(points) if moves.is_empty() => {
                let color = if matches!(prop, Prop::AB(_)) { Side::First } else { Side::Second };
                let vertices = points.iter().filter_map(|p| coords::from_sgf(board, p.x, p.y));
                setup.stones.extend(vertices.map(|v| (color, coords::vertex(board, v))));
                continue;
            }
            Prop::AB(_) | Prop::AW(_) | Prop::AE(_) => {
                return Err(format!("stones are set up after move {}", moves.len()));
            }
            _ => continue,
        };
        if side.is_some_and(|side| side != mover) {
            return Err(format!("colors do not alternate at move {}", moves.len().saturating_add(1)));
        }
        side = Some(mover.other());
        let vertex = match mv {
            Move::Move(p) => coords::from_sgf(board, p.x, p.y).map(|v| coords::vertex(board, v)),
            Move::Pass => None,
        };
        moves.push(vertex.unwrap_or_else(|| "pass".to_owned()));
    }
    // Whoever made the last of so many moves, all in turn, the first mover follows from it.
    let first = side.map(|side| if moves.len() % 2 == 0 { side } else { side.other() });
    settle_start(&mut setup, first)?;
    let opening = Opening { fen: None, moves, number };
    let has_move = |node: &&sgf_parse::SgfNode<Prop>| {
        node.properties().any(|prop| matches!(prop, Prop::B(_) | Prop::W(_)))
    };
    let comment = |node: &sgf_parse::SgfNode<Prop>| {
        let texts =
            node.properties().filter_map(|prop| if let Prop::C(text) = prop { Some(text) } else { None });
        texts.map(|text| text.text.clone()).collect::<String>()
    };
    let comments = root.main_variation().filter(has_move).map(comment).collect();
    Ok(Recorded { kind: GameKind::Go, opening, comments, tags, go: Some(setup), line: None })
}

/// Says the start as shortly as it can be said: stones of a fixed handicap by their number, and who begins only where
/// that is not usual.
fn settle_start(setup: &mut GoSetup, first: Option<Side>) -> Result<(), String> {
    let named = GoSetup { stones: Vec::new(), ..setup.clone() };
    let is_usual = |fixed: &Stones| {
        let board = fixed.position().board();
        let is_its = |(side, vertex): &(Side, String)| {
            coords::parse_vertex(board, vertex).is_some_and(|v| board.color(v).side() == Some(*side))
        };
        setup.stones.iter().all(is_its) && setup.stones.len() == setup.handicap
    };
    if !setup.stones.is_empty() && Stones::new(&named).is_ok_and(|fixed| is_usual(&fixed)) {
        setup.stones.clear();
    }
    let usual = if setup.handicap > 1 { Side::Second } else { Side::First };
    setup.first = first.filter(|first| *first != usual);
    // Nothing is left that a referee could refuse later.
    Stones::new(setup).map(drop)
}

/// The main lines of all games in `text` as openings, each cut to its first `plies` moves.
/// # Errors
/// The number of the game that cannot be read, or is not one of alternating moves from an empty board of
/// `size` rows.
pub fn openings(text: &str, size: usize, plies: usize) -> Result<Vec<Opening>, String> {
    let games = go::parse(text).map_err(|e| format!("not a record of Go: {e}"))?;
    let board = Board::new(size, size);
    let mut found = Vec::new();
    for (number, game) in (1..).zip(games) {
        let mut moves = Vec::new();
        for prop in game.main_variation().flat_map(|node| node.properties()) {
            let (side, mv) = match prop {
                Prop::B(mv) => (Side::First, mv),
                Prop::W(mv) => (Side::Second, mv),
                Prop::AB(_) | Prop::AW(_) => return Err(format!("game {number}: starts from set-up stones")),
                _ => continue,
            };
            if side.index() != moves.len() % 2 {
                let at = moves.len().saturating_add(1);
                return Err(format!("game {number}: colors do not alternate at move {at}"));
            }
            let vertex = match mv {
                // Old records write a pass on 19x19 as a point off the board.
                Move::Move(p) => coords::from_sgf(&board, p.x, p.y).map(|v| coords::vertex(&board, v)),
                Move::Pass => None,
            };
            moves.push(vertex.unwrap_or_else(|| "pass".to_owned()));
        }
        moves.truncate(plies);
        found.push(Opening { fen: None, moves, number });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_what_sgf_writes() {
        let ending = |winner, reason, detail: &str| Ending { winner, reason, detail: detail.to_owned() };
        let (black, white) = (Some(Side::First), Some(Side::Second));
        for (ending, text) in [
            (ending(black, Reason::Counted, "B+3.5 (黑胜1¾子)"), "B+3.5"),
            (ending(white, Reason::Resignation, "Black resigns"), "W+R"),
            (ending(white, Reason::Time, "Black oversteps the time"), "W+T"),
            (ending(black, Reason::Crash, "White: the engine is gone"), "B+F"),
            (ending(None, Reason::Counted, "0 (和棋)"), "0"),
            (ending(None, Reason::Interrupted, ""), "Void"),
        ] {
            assert_eq!(result(&ending), text);
        }
    }

    #[test]
    fn main_lines_become_openings() {
        let text = "(;GM[1]SZ[9];B[ee](;W[cc];B[gg])(;W[gc]))(;GM[1]SZ[9];B[];W[aa])";
        let found = openings(text, 9, 2).unwrap();
        assert_eq!(found[0].moves, ["E5", "C7"]);
        assert_eq!(found[1].moves, ["pass", "A9"]);
        assert!(openings("(;GM[1];B[ee];B[cc])", 9, 9).unwrap_err().contains("move 2"));
        assert!(openings("(;GM[1", 9, 9).is_err());
    }

    #[test]
    fn every_line_of_a_game_is_read_once() {
        let text = "(;GM[1]SZ[9];B[ee](;W[cc];B[gg](;W[aa])(;C[a mark]))(;W[gc](;B[cc])(;B[dd])))(;GM[1]SZ[9];B[ee])";
        let found = read_lines(text).unwrap();
        let lines: Vec<(usize, Option<usize>, String)> = found
            .iter()
            .map(|line| line.as_ref().unwrap())
            .map(|line| (line.opening.number, line.line, line.opening.moves.join(" ")))
            .collect();
        let expected = [(1, 1, "E5 C7 G3 A9"), (1, 2, "E5 G7 C7"), (1, 3, "E5 G7 D6"), (2, 1, "E5")];
        assert_eq!(lines, expected.map(|(game, line, moves)| (game, Some(line), moves.to_owned())));
        assert_eq!(read_games(text).unwrap().len(), 2);
        let broken = read_lines("(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee]))").unwrap();
        assert_eq!(broken[0].as_ref().unwrap_err().1, "line 2: move 2 at 'ee': the point is occupied");
        assert!(broken[1].is_ok());
        let many = format!("(;GM[1]SZ[9]{})", "(;B[ee])".repeat(MAX_LINES + 1));
        assert!(read_lines(&many).unwrap()[0].as_ref().unwrap_err().1.contains("more than 1000 lines"));
    }

    #[test]
    fn brackets_are_escaped() {
        assert_eq!(escape("a]b\\c"), "a\\]b\\\\c");
    }
}
