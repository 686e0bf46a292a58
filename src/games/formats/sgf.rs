//! Records of Go as SGF (FF 4). Source: <https://www.red-bean.com/sgf/>.

use super::pgn::{Headings, civil};
use super::recorded::{Broken, Margin, Place, Recorded};
use crate::clock::Overtime;
use crate::game::Side;
use crate::games::record::{Ending, GameKind, GameRecord, GoSetup, Opening, Ply, Reason};
use crate::games::referee::{Stones, fixed_handicap};
use crate::games::time::Control;
use crate::go::sgf::{self, SgfError, escape};
use crate::go::{Board, Color, Rules, coords};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use sgf_parse::go::Prop;
use sgf_parse::{SgfNode, SgfProp};
use std::fmt::Write;

/// Properties of a root that say who played, where and when, and what those are called in other records.
pub const TAGS: &[(&str, &str)] = &[
    ("PB", "Black"),
    ("BR", "BlackRank"),
    ("BT", "BlackTeam"),
    ("PW", "White"),
    ("WR", "WhiteRank"),
    ("WT", "WhiteTeam"),
    ("EV", "Event"),
    ("RO", "Round"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("GN", "GameName"),
    ("ON", "Opening"),
    ("OT", "Overtime"),
    ("AN", "Annotator"),
    ("SO", "Source"),
    ("US", "Recorder"),
    ("CP", "Copyright"),
    ("GC", "About"),
];

/// What every record begins with.
pub const HEAD: &str = "(;FF[4]GM[1]CA[UTF-8]AP[sanqi]";

/// The record as one game tree, with a line end.
/// # Errors
/// When the record is not one of Go, or its set-up does not exist.
pub fn write(record: &GameRecord, headings: &Headings) -> Result<String, Message> {
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
    let [black, white] = &record.names;
    property("PB", black);
    property("PW", white);
    let (year, month, day) = civil(record.started);
    property("DT", &format!("{year}-{month:02}-{day:02}"));
    time(&record.controls[0], &mut property);
    // An unfinished game has no result, which FF[4] leaves out; Void is one that was annulled.
    if record.ending.reason != Reason::Interrupted {
        property("RE", &result(&record.ending));
    }
    property("GC", record.ending.detail.text(Language::English));
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

/// The rules as SGF names them.
pub fn rules(setup: &GoSetup) -> String {
    match setup.rules.as_str() {
        "aga" => return "AGA".to_owned(),
        "new-zealand" => return "NZ".to_owned(),
        _ => {}
    }
    // Other sets have a capital.
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
    // Limits of another kind stand behind the clock.
    let clock = control.split(' ').next().unwrap_or_default();
    let Ok(control) = clock.parse::<Control>() else { return };
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
        return if ending.reason == Reason::Forfeit { "Void" } else { "0" }.to_owned();
    };
    let how = match ending.reason {
        Reason::Resignation => "R",
        Reason::Time => "T",
        reason if reason.is_fault() => "F",
        // `B+3.5 (黑胜1¾子)`
        _ => ending
            .detail
            .text(Language::English)
            .split(' ')
            .next()
            .and_then(|margin| margin.split_once('+'))
            .map_or("", |m| m.1),
    };
    format!("{}+{how}", GameKind::GO.side_letter(winner))
}

/// What a glyph of a move is in SGF: very bad, bad or doubtful. Empty for none.
pub fn judgment(glyph: &str) -> &'static str {
    match glyph {
        "??" => "BM[2]",
        "?" => "BM[1]",
        "?!" => "DO[]",
        "!" => "TE[1]",
        _ => "",
    }
}

/// Lines of play that are read of one game.
const MAX_LINES: usize = 1000;
/// Bytes of the text of all of them: each has the nodes that they share.
const MAX_TEXT: usize = 32 << 20;

/// Why a game cannot be replayed.
struct Fault {
    /// The move of the main line that is at fault, from 1; none where another thing is.
    mv: Option<usize>,
    /// Moves that stand before the fault.
    kept: usize,
    why: Message,
    /// The game up to the fault.
    before: Option<Box<Recorded>>,
}

impl From<Message> for Fault {
    fn from(why: Message) -> Self {
        Self { mv: None, kept: 0, why, before: None }
    }
}

impl From<SgfError> for Fault {
    fn from(error: SgfError) -> Self {
        let mv = if let SgfError::Move(number, ..) = error { Some(number) } else { None };
        Self { mv, kept: mv.map_or(0, |mv| mv.saturating_sub(1)), why: error.into(), before: None }
    }
}

/// What `read` finds in each of the first `most` games of `text`, which it gets with its number and whether its end is
/// missing. A fault is reported with its line.
fn of_each<T>(
    text: &str,
    most: usize,
    read: impl Fn(&SgfNode<Prop>, usize, bool) -> Vec<Result<T, Fault>>,
) -> Vec<Result<T, Broken>> {
    let mut found = Vec::new();
    let broken = |place, why: SgfError| Broken::new(1, place, why);
    if let Err(error) = sgf::check_collection(text) {
        return vec![Err(broken(None, error))];
    }
    for (number, tree) in (1..).zip(sgf::trees(text).take(most)) {
        let in_tree = match tree.parse() {
            Ok(root) => read(&root, number, tree.is_cut),
            Err(error) => vec![Err(error.into())],
        };
        found.extend(in_tree.into_iter().map(|found| {
            found.map_err(|Fault { mv, why, before, .. }| {
                let place = Some(Place::Line(tree.line_of(mv)));
                Broken { number, place, why, before }
            })
        }));
    }
    if found.is_empty() {
        let why = sgf::no_tree();
        found.push(Err(broken(Some(Place::Line(1)), why)));
    }
    found
}

/// The main lines of the first `most` games in `text`, or why one cannot be replayed.
pub fn read_games(text: &str, most: usize) -> Vec<Result<Recorded, Broken>> {
    of_each(text, most, |root, number, is_cut| {
        let game = match read_line(root, number) {
            Ok(game) if is_cut => {
                let before = Some(game).filter(|game| !game.opening.moves.is_empty()).map(Box::new);
                Err(Fault { before, ..sgf::missing_bracket().into() })
            }
            Err(fault) if fault.kept > 0 => {
                let before = read_line(&first_moves(root, fault.kept), number).ok().map(Box::new);
                Err(Fault { before, ..fault })
            }
            other => other,
        };
        vec![game]
    })
}

/// The nodes of the main line up to that with move `kept`, as a tree of its own.
fn first_moves(root: &SgfNode<Prop>, kept: usize) -> SgfNode<Prop> {
    let is_move = |prop: &&Prop| matches!(prop, Prop::B(_) | Prop::W(_));
    let mut moves = 0_usize;
    let line: Vec<_> = (root.main_variation())
        .take_while(|node| {
            let is_needed = moves < kept;
            moves = moves.saturating_add(node.properties().filter(is_move).count());
            is_needed
        })
        .collect();
    let alone =
        |below, node: &&SgfNode<Prop>| vec![SgfNode::new(node.properties.clone(), below, node.is_root)];
    line.iter().rev().fold(Vec::new(), alone).pop().unwrap_or_default()
}

/// The same with all variations: every line of play from the start of a game to an end, the main one first. One whose moves
/// are all in a line before it is left out.
pub fn read_lines(text: &str) -> Vec<Result<Recorded, Broken>> {
    of_each(text, usize::MAX, |root, number, is_cut| {
        let cut = is_cut.then(|| Err(sgf::missing_bracket().into()));
        cut.into_iter().chain(lines_of(root, number)).collect()
    })
}

/// The lines of a game; those that cannot be replayed come first.
#[allow(clippy::arithmetic_side_effects, reason = "a game has at most a thousand lines here")]
fn lines_of(root: &SgfNode<Prop>, number: usize) -> Vec<Result<Recorded, Fault>> {
    let roots = match sgf::lines(root, MAX_LINES, MAX_TEXT) {
        Ok(roots) => roots,
        Err(why) => return vec![Err(why.into())],
    };
    let (mut found, mut lines): (Vec<_>, Vec<Recorded>) = Default::default();
    for (i, line) in roots.iter().enumerate() {
        match read_line(line, number) {
            Ok(game) if lines.iter().any(|other| other.opening.moves.starts_with(&game.opening.moves)) => {}
            Ok(game) => lines.push(Recorded { line: Some(lines.len() + 1), ..game }),
            Err(fault) => {
                // Moves are found on the main line alone.
                let (mv, why) = (fault.mv.filter(|_| i == 0), fault.why);
                let why = message!("line {line}: {why}" | "第 {line} 行：{why}", line = i + 1, why);
                found.push(Err(Fault { mv, why, ..fault }));
            }
        }
    }
    found.extend(lines.into_iter().map(Ok));
    found
}

fn read_line(root: &SgfNode<Prop>, number: usize) -> Result<Recorded, Fault> {
    recorded(&sgf::load_game(root, Rules::default())?.end, root, number)
}

fn recorded(end: &crate::go::Position, root: &SgfNode<Prop>, number: usize) -> Result<Recorded, Fault> {
    let board = end.board();
    if board.width() != board.height() {
        return Err(board_of(board.width(), board.height()).into());
    }
    let mut tags = Vec::new();
    let mut setup = GoSetup { size: board.width(), komi: end.komi(), ..GoSetup::default() };
    // Rules without a name are written field by field.
    setup.rules = end.rules().name().map_or_else(|| end.rules().json(), str::to_owned);
    for prop in root.properties() {
        let (name, value) = match prop {
            Prop::PB(text)
            | Prop::BR(text)
            | Prop::BT(text)
            | Prop::PW(text)
            | Prop::WR(text)
            | Prop::WT(text)
            | Prop::EV(text)
            | Prop::RO(text)
            | Prop::PC(text)
            | Prop::DT(text)
            | Prop::GN(text)
            | Prop::ON(text)
            | Prop::OT(text)
            | Prop::AN(text)
            | Prop::SO(text)
            | Prop::US(text)
            | Prop::CP(text) => (tag_of(prop), text.text.clone()),
            Prop::GC(text) => (tag_of(prop), text.text.clone()),
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
            Prop::AB(_) | Prop::AW(_) | Prop::AE(_) if !moves.is_empty() => {
                let kept = moves.len();
                let why = message!("stones are set up after move {kept}" | "第 {kept} 着之后又摆了子", kept);
                return Err(Fault { mv: Some(kept), kept, why, before: None });
            }
            _ => continue,
        };
        if side.is_some_and(|side| side != mover) {
            return Err(out_of_turn(moves.len()));
        }
        side = Some(mover.other());
        // The loader has found that all are on the board.
        moves.push(sgf::point(board, mv).map_or_else(|| "pass".to_owned(), |v| coords::vertex(board, v)));
    }
    let start = end.start_board();
    let stones = start.points().filter_map(|v| Some((start.color(v).side()?, coords::vertex(start, v))));
    setup.stones.extend(stones);
    // Whoever made the last of so many moves, all in turn, the first mover follows from it.
    let first = side.map(|side| if moves.len() % 2 == 0 { side } else { side.other() });
    settle_start(&mut setup, first)?;
    let opening = Opening { fen: None, moves, number };
    let has_move =
        |node: &&SgfNode<Prop>| node.properties().any(|prop| matches!(prop, Prop::B(_) | Prop::W(_)));
    let comment = |node: &SgfNode<Prop>| {
        let texts =
            node.properties().filter_map(|prop| if let Prop::C(text) = prop { Some(text) } else { None });
        texts.map(|text| text.text.clone()).collect::<String>()
    };
    let comments = root.main_variation().filter(has_move).map(comment).collect();
    let margin = Margin { tree: Some(root.clone()), ..Margin::default() };
    Ok(Recorded { kind: GameKind::GO, opening, comments, tags, go: Some(setup), line: None, margin })
}

fn board_of(width: usize, height: usize) -> Message {
    message!("a board of {width}x{height}" | "{width}x{height} 的棋盘", width, height)
}

/// What a property is called in other records.
fn tag_of(prop: &Prop) -> &'static str {
    let name = prop.identifier();
    TAGS.iter().find(|(property, _)| *property == name).map_or("", |(_, tag)| *tag)
}

/// Says the start as shortly as it can be said: stones of a fixed handicap by their number, and who begins only where
/// that is not usual. A number without stones means those of a fixed handicap, where there is one and White begins.
fn settle_start(setup: &mut GoSetup, first: Option<Side>) -> Result<(), Message> {
    let is_fixed = fixed_handicap(setup.size, setup.handicap).is_some() && first != Some(Side::First);
    if setup.stones.is_empty() && !is_fixed {
        setup.handicap = 0;
    }
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

/// A color that has moved already moves again, `played` moves after the start.
fn out_of_turn(played: usize) -> Fault {
    let number = played.saturating_add(1);
    let why = message!("colors do not alternate at move {number}" | "第 {number} 着黑白没有轮流", number);
    Fault { mv: Some(number), kept: played, why, before: None }
}

/// The main lines of all games in `text` as openings, each cut to its first `plies` moves; or why one is none of
/// alternating moves from an empty board of `size` rows.
pub fn openings(text: &str, size: usize, plies: usize) -> Vec<Result<Opening, Broken>> {
    let board = Board::new(size, size);
    of_each(text, usize::MAX, |root, number, is_cut| {
        let cut = if is_cut { Err(sgf::missing_bracket().into()) } else { Ok(()) };
        let moves = cut.and_then(|()| opening_moves(root, &board));
        vec![moves.map(|mut moves| {
            moves.truncate(plies);
            Opening { fen: None, moves, number }
        })]
    })
}

/// The moves of a game that begins with Black on an empty board.
fn opening_moves(root: &SgfNode<Prop>, board: &Board) -> Result<Vec<String>, Fault> {
    let size = root.properties().find_map(|prop| if let Prop::SZ(size) = prop { Some(*size) } else { None });
    if let Some((width, height)) = size
        && (usize::from(width), usize::from(height)) != (board.width(), board.height())
    {
        return Err(board_of(width.into(), height.into()).into());
    }
    let mut moves = Vec::new();
    for prop in root.main_variation().flat_map(|node| node.properties()) {
        let (side, mv) = match prop {
            Prop::B(mv) => (Side::First, mv),
            Prop::W(mv) => (Side::Second, mv),
            Prop::AB(_) | Prop::AW(_) => {
                return Err(message!("starts from set-up stones" | "开局前摆有棋子").into());
            }
            _ => continue,
        };
        if side.index() != moves.len() % 2 {
            return Err(out_of_turn(moves.len()));
        }
        let v = sgf::point(board, mv).ok_or_else(|| {
            let number = moves.len().saturating_add(1);
            let why = message!("move {number} is off the board" | "第 {number} 着在棋盘外", number);
            Fault { mv: Some(number), kept: moves.len(), why, before: None }
        })?;
        moves.push(coords::vertex(board, v));
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_what_sgf_writes() {
        let ending = |winner, reason, detail: &str| Ending { winner, reason, detail: detail.into() };
        let (black, white) = (Some(Side::First), Some(Side::Second));
        for (ending, text) in [
            (ending(black, Reason::Counted, "B+3.5 (黑胜1¾子)"), "B+3.5"),
            (ending(white, Reason::Resignation, "Black resigns"), "W+R"),
            (ending(white, Reason::Time, "Black oversteps the time"), "W+T"),
            (ending(black, Reason::Crash, "White: the engine is gone"), "B+F"),
            (ending(None, Reason::Counted, "0 (和棋)"), "0"),
            (ending(None, Reason::Forfeit, ""), "Void"),
        ] {
            assert_eq!(result(&ending), text);
        }
    }

    #[test]
    fn main_lines_become_openings() {
        let text = "(;GM[1]SZ[9];B[ee](;W[cc];B[gg])(;W[gc]))(;GM[1]SZ[9];B[];W[aa])";
        let moves: Vec<_> = openings(text, 9, 2).into_iter().map(|found| found.unwrap().moves).collect();
        assert_eq!(moves, [["E5", "C7"], ["pass", "A9"]]);
        let wrong = openings("(;GM[1];B[ee]\n;B[cc])(;AB[aa])(;B[aa])(;GM[1", 9, 9);
        let found = |i: usize| wrong[i].as_ref().unwrap_err().to_string();
        assert_eq!(found(0), "line 2: game 1: colors do not alternate at move 2");
        assert_eq!(found(1), "line 2: game 2: starts from set-up stones");
        assert!(wrong[2].is_ok() && found(3).starts_with("line 2: game 4: not SGF: "), "{}", found(3));
        let wrong = openings("(;SZ[19];B[dd])(;SZ[9];B[dd];W[pp])(;SZ[9];B[dd];W[tt])", 9, 9);
        let found = |i: usize| wrong[i].as_ref().map_err(ToString::to_string);
        assert_eq!(found(0), Err("line 1: game 1: a board of 19x19".to_owned()));
        assert_eq!(found(1), Err("line 1: game 2: move 2 is off the board".to_owned()));
        assert!(found(2).is_ok_and(|opening| opening.moves == ["D6", "pass"]));
    }

    #[test]
    fn every_line_of_a_game_is_read_once() {
        let text = "(;GM[1]SZ[9];B[ee](;W[cc];B[gg](;W[aa])(;C[a mark]))(;W[gc](;B[cc])(;B[dd])))(;GM[1]SZ[9];B[ee])";
        let found = read_lines(text);
        let lines: Vec<(usize, Option<usize>, String)> = found
            .iter()
            .map(|line| line.as_ref().unwrap())
            .map(|line| (line.opening.number, line.line, line.opening.moves.join(" ")))
            .collect();
        let expected = [(1, 1, "E5 C7 G3 A9"), (1, 2, "E5 G7 C7"), (1, 3, "E5 G7 D6"), (2, 1, "E5")];
        assert_eq!(lines, expected.map(|(game, line, moves)| (game, Some(line), moves.to_owned())));
        assert_eq!(read_games(text, 9).len(), 2);
        assert_eq!(read_games(text, 1).len(), 1);
        let broken = read_lines("(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee]))");
        let found = broken[0].as_ref().unwrap_err().to_string();
        assert_eq!(found, "line 1: game 1: line 2: move 2 at 'ee': the point is occupied");
        assert!(broken[1].is_ok());
        let many = format!("(;GM[1]SZ[9]{})", "(;B[ee])".repeat(MAX_LINES + 1));
        assert!(read_lines(&many)[0].as_ref().unwrap_err().why.to_string().contains("more than 1000 lines"));
        let long = format!("(;GM[1]SZ[9]C[{}]{})", "x".repeat(4 << 20), "(;B[ee])".repeat(9));
        assert!(
            read_lines(&long)[0].as_ref().unwrap_err().why.to_string().contains("more than 32 MiB of text")
        );
    }

    #[test]
    fn what_is_wrong_has_its_line_and_the_other_games_are_read() {
        let text = "(;GM[1]SZ[9]\nC[a \\] (\n]\n;B[ee]\nBL[1];W[gg]\n(;B[gg]C[x])(;B[cc]))\n(;GM[2])\n\
            (;SZ[9];B[ee]\n;W[cc]\n;AB[aa])\n(;SZ[9];B[ee])\n(;SZ[9]\n;B[ee]C[cut\n\n";
        let found = read_games(text, 9);
        let fault = |i: usize| found[i].as_ref().unwrap_err().to_string();
        assert_eq!(fault(0), "line 6: game 1: move 3 at 'gg': the point is occupied");
        assert_eq!(fault(1), "line 7: game 2: not a game of Go");
        assert_eq!(fault(2), "line 9: game 3: stones are set up after move 2");
        assert!(found[3].is_ok());
        assert!(fault(4).starts_with("line 13: game 5: not SGF: "), "{}", fault(4));
        assert_eq!(
            read_games("no game", 9)[0].as_ref().unwrap_err().to_string(),
            "line 1: game 1: not SGF: no game tree"
        );
    }

    #[test]
    fn a_game_begins_with_the_stones_that_its_record_has_set_up() {
        let start = |text: &str| {
            let found = read_games(text, 9).remove(0).unwrap();
            let go = found.go.unwrap();
            let stones: Vec<String> = go
                .stones
                .iter()
                .map(|(side, vertex)| format!("{}{vertex}", ["B", "W"][side.index()]))
                .collect();
            (go.handicap, stones.join(" "), go.first)
        };
        let white = Some(Side::Second);
        // Stones of White beside those of a handicap; a number without stones; points taken off and set again.
        assert_eq!(
            start("(;SZ[9]HA[2]AB[cc][gg]AW[cg]PL[W];W[ee];B[ef])"),
            (2, "WC3 BG3 BC7".to_owned(), None)
        );
        assert_eq!(start("(;SZ[9]HA[2];W[ee];B[ef])"), (2, String::new(), None));
        assert_eq!(start("(;SZ[9]HA[2];B[ee];W[ef])"), (0, String::new(), None));
        assert_eq!(start("(;SZ[19]HA[12];W[ee];B[ef])"), (0, String::new(), white));
        assert_eq!(
            start("(;SZ[9]AB[dd][ff];AE[ff]AW[dd]AB[gg];W[ee];B[ef])"),
            (0, "BG3 WD6".to_owned(), white)
        );
    }

    #[test]
    fn brackets_are_escaped() {
        assert_eq!(escape("a]b\\c"), "a\\]b\\\\c");
    }
}
