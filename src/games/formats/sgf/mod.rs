//! Records of Go as SGF (FF 4). Source: <https://www.red-bean.com/sgf/>.

mod error;
mod replay;
mod save;
mod syntax;
pub mod tygem;
mod write;

pub use error::SgfError;
pub use replay::{FinishedGame, MAX_BYTES, komi, komi_points, load, load_all};
pub use save::{GameInfo, MARK, board_size, save};
pub use write::{escape, write_tree};

use super::pgn::{Headings, civil};
use super::recorded::{Broken, Place, Recorded};
use crate::clock::Overtime;
use crate::game::{Game as _, Side};
use crate::games::game::Start;
use crate::games::record::{Ending, GameKind, GameRecord, GoSetup, Opening, Ply, Reason};
use crate::games::referee::{Stones, fixed_handicap, handicap_of};
use crate::games::time::Control;
use crate::games::tree::{Item, NodeId, ROOT, Tree};
use crate::go::{Board, Color, Rules, coords};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use replay::{Replay, Step};
use std::fmt::Write;
use syntax::{Parsed, USUAL_SIZE};

/// Properties of a root for who played, where and when, and what those are called in other records.
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
    property("SZ", &board_size(stones.position().board()));
    property("KM", &setup.komi.to_string());
    property("RU", &rules(setup));
    if !record.opening.name.is_empty() {
        property("ON", &record.opening.name);
    }
    property("EV", &headings.event);
    // PGN's sign of a place that is not known.
    if headings.site != "?" {
        property("PC", &headings.site);
    }
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

/// Lines of play that are read of one game.
const MAX_LINES: usize = 1000;
/// Nodes of all of them: each has the nodes that they share.
const MAX_LINE_NODES: usize = 500_000;

/// What is wrong with a line, and where it stands.
struct Fault {
    line: usize,
    why: Message,
    before: Option<Box<Recorded>>,
}

/// What `read` finds in each of the first `most` games of `text`, which it gets with their numbers; `size` is
/// that of the boards whose games do not name it.
fn of_each<T>(
    text: &str,
    size: usize,
    most: usize,
    read: impl Fn(Parsed, usize) -> Vec<Result<T, Fault>>,
) -> Vec<Result<T, Broken>> {
    if let Err(error) = syntax::check_collection(text) {
        return vec![Err(Broken::new(1, None, error))];
    }
    let mut found = Vec::new();
    for (number, game) in (1..).zip(syntax::games(text, size).take(most)) {
        found.extend(read(game, number).into_iter().map(|found| {
            found.map_err(|Fault { line, why, before }| Broken {
                number,
                place: Some(Place::Line(line)),
                why,
                is_illegal: false,
                before,
            })
        }));
    }
    if found.is_empty() {
        found.push(Err(Broken::new(1, Some(Place::Line(1)), syntax::no_tree())));
    }
    found
}

/// The main lines of the first `most` games in `text`, or why one cannot be replayed.
pub fn read_games(text: &str, most: usize) -> Vec<Result<Recorded, Broken>> {
    of_each(text, USUAL_SIZE, most, |game, number| {
        let line: Vec<_> = game.tree.main_line().collect();
        vec![recorded(&game, &line, number)]
    })
}

/// The same with all variations: every line of play from the start of a game to an end, the main one first.
/// One whose moves are all in a line before it is left out.
pub fn read_lines(text: &str) -> Vec<Result<Recorded, Broken>> {
    of_each(text, USUAL_SIZE, usize::MAX, |game, number| lines_of(&game, number))
}

/// What is wrong with a game of more than `lines` lines and so far `nodes` nodes in them, if that is too
/// much.
pub fn too_many_lines(lines: usize, nodes: usize) -> Option<Message> {
    if lines >= MAX_LINES {
        Some(message!("more than {most} lines" | "变化多于 {most} 条", most = MAX_LINES))
    } else if nodes > MAX_LINE_NODES {
        let most = MAX_LINE_NODES;
        Some(message!("more than {most} moves in all lines" | "所有变化合计多于 {most} 着", most))
    } else {
        None
    }
}

/// The lines of a game; those that cannot be replayed come first.
#[allow(clippy::arithmetic_side_effects, reason = "a game has at most a thousand lines here")]
fn lines_of(game: &Parsed, number: usize) -> Vec<Result<Recorded, Fault>> {
    let ends = game.tree.walk().filter(|(id, _)| game.tree.children(*id).next().is_none());
    let (mut found, mut lines, mut nodes): (Vec<_>, Vec<Recorded>, _) = (Vec::new(), Vec::new(), 0);
    for (i, (end, depth)) in ends.enumerate() {
        nodes += depth;
        if let Some(why) = too_many_lines(i, nodes) {
            return vec![Err(Fault { line: game.line, why, before: None })];
        }
        let line = game.line_to(end);
        let nodes: Vec<_> = line.tree.main_line().collect();
        match recorded(&line, &nodes, number) {
            Ok(game) if lines.iter().any(|other| other.opening.moves.starts_with(&game.opening.moves)) => {}
            Ok(game) => lines.push(Recorded { line: Some(lines.len() + 1), ..game }),
            Err(fault) => {
                let why = fault.why;
                let why = message!("line {line}: {why}" | "变化 {line}：{why}", line = i + 1, why);
                found.push(Err(Fault { why, before: None, line: fault.line }));
            }
        }
    }
    if let Some((line, fault)) = &game.fault {
        found.insert(0, Err(Fault { line: *line, why: fault.clone().into(), before: None }));
    }
    found.extend(lines.into_iter().map(Ok));
    found
}

/// A line of a game: where it starts, its moves, and where it begins anew.
fn recorded(game: &Parsed, line: &[NodeId], number: usize) -> Result<Recorded, Fault> {
    let whole = |why: Message| Fault { line: game.line, why, before: None };
    let mut replay = Replay::new(game, Rules::default()).map_err(|why| Fault {
        line: game.fault.as_ref().map_or(game.line, |(line, _)| *line),
        why: why.into(),
        before: None,
    })?;
    let (columns, rows) = (game.board.width(), game.board.height());
    let rules = replay.position.rules();
    let mut setup = GoSetup {
        size: columns,
        rows: Some(rows).filter(|rows| *rows != columns),
        komi: replay.position.komi(),
        // Rules without a name are written field by field.
        rules: rules.name().map_or_else(|| rules.json(), str::to_owned),
        handicap: replay.handicap as usize,
        ..GoSetup::default()
    };
    let mut found = Line::default();
    let mut fault = game.fault.clone().map(|(line, why)| (line, Message::from(why)));
    for &id in line {
        let node = game.tree.node(id);
        let is_out_of_turn =
            node.played.is_some_and(|(side, _)| found.last.is_some_and(|(_, last)| last == side));
        if is_out_of_turn {
            found.begin_anew(&setup, replay.position.board(), node.played.map(|(side, _)| side));
        }
        match (replay.node(node), node.played) {
            (Err(why), _) => {
                fault = Some((game.line_of(id), why.into()));
                break;
            }
            (Ok(Step::Move), Some((side, mv))) => {
                if found.last.is_none() {
                    setup.stones = stones_of(replay.position.start_board());
                    settle_start(&mut setup, Some(side)).map_err(whole)?;
                }
                found.moves.push(mv.to_string());
                found.nodes.push(id);
                found.last = Some((id, side));
            }
            (Ok(Step::SetUp), _) if found.last.is_some() => {
                found.begin_anew(&setup, replay.position.board(), None);
            }
            _ => {}
        }
    }
    if found.last.is_none() {
        setup.stones = stones_of(replay.position.board());
        let first = replay.position.side_to_move();
        settle_start(&mut setup, Some(first)).map_err(whole)?;
    }
    let recorded = Recorded {
        kind: GameKind::GO,
        opening: Opening { moves: found.moves, number, ..Opening::default() },
        tags: tags_of(&game.tree),
        go: Some(setup),
        line: None,
        tree: game.tree.clone(),
        nodes: found.nodes,
        restarts: found.restarts,
        remarks: Vec::new(),
    };
    match fault {
        None => Ok(recorded),
        Some((line, why)) => {
            let before = Some(recorded).filter(|game| !game.opening.moves.is_empty()).map(Box::new);
            Err(Fault { line, why, before })
        }
    }
}

#[derive(Default)]
struct Line {
    moves: Vec<String>,
    nodes: Vec<NodeId>,
    restarts: Vec<(usize, Start)>,
    last: Option<(NodeId, Side)>,
}

impl Line {
    /// The game goes on from the stones of a board, with a side to move that is not in turn.
    fn begin_anew(&mut self, setup: &GoSetup, board: &Board, first: Option<Side>) {
        let first = first.or_else(|| Some(board.side_to_move()));
        let stones = stones_of(board);
        let start = Start::go(GoSetup { stones, first, ..setup.clone() });
        self.restarts.retain(|(ply, _)| *ply < self.moves.len());
        self.restarts.push((self.moves.len(), start));
        self.last = self.last.zip(first).map(|((id, _), first)| (id, first.other()));
    }
}

fn stones_of(board: &Board) -> Vec<(Side, String)> {
    board.points().filter_map(|v| Some((board.color(v).side()?, coords::vertex(board, v)))).collect()
}

/// The properties of the root that other records have as tags.
fn tags_of(tree: &Tree) -> Vec<(String, String)> {
    let tag = |item: &Item| match item {
        Item::Property(name, values) => {
            let known = TAGS.iter().chain(&[("RE", "Result")]).find(|(property, _)| property == name)?;
            let value = values.first()?;
            let is_text = name == "GC";
            let value = if is_text { value.clone() } else { value.replace(['\n', '\r', '\t'], " ") };
            Some((known.1.to_owned(), value))
        }
        _ => None,
    };
    tree.node(ROOT).items.iter().filter_map(tag).collect()
}

fn board_of(width: usize, height: usize) -> Message {
    message!("a board of {width}x{height}" | "{width}x{height} 的棋盘", width, height)
}

/// Writes the start as shortly as possible: stones of a fixed handicap by their number, and who begins only
/// where that is not usual. A number without stones means those of a fixed handicap, where there is one and
/// White begins.
fn settle_start(setup: &mut GoSetup, first: Option<Side>) -> Result<(), Message> {
    let is_fixed = handicap_of(setup).is_some() && first != Some(Side::First);
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

/// The main lines of all games in `text` as openings, each cut to its first `plies` moves; or why one is none
/// of alternating moves from an empty board of `size` rows.
pub fn openings(text: &str, size: usize, plies: usize) -> Vec<Result<Opening, Broken>> {
    of_each(text, size, usize::MAX, |game, number| vec![opening(&game, size, plies, number)])
}

fn opening(game: &Parsed, size: usize, plies: usize, number: usize) -> Result<Opening, Fault> {
    let fault = |line, why| Err(Fault { line, why, before: None });
    let (width, height) = (game.board.width(), game.board.height());
    if (width, height) != (size, size) {
        return fault(game.line, board_of(width, height));
    }
    let line: Vec<_> = game.tree.main_line().collect();
    let found = match recorded(game, &line, number) {
        // What is wrong behind the opening does not matter.
        Err(Fault { before: Some(before), .. }) if before.opening.moves.len() >= plies => *before,
        found => found?,
    };
    let setup = found.go.as_ref();
    if setup.is_some_and(|go| !go.stones.is_empty() || go.handicap > 1) {
        return fault(game.line, message!("starts from set-up stones" | "开局前摆有棋子"));
    }
    let anew = if setup.is_some_and(|go| go.first.is_some()) { Some(0) } else { None };
    let anew = anew.or(found.restarts.first().map(|(ply, _)| *ply)).filter(|ply| *ply < plies);
    if let Some(ply) = anew {
        let number = ply.saturating_add(1);
        let line = found.nodes.get(ply).map_or(game.line, |id| game.line_of(*id));
        return fault(
            line,
            message!("colors do not alternate at move {number}" | "第 {number} 着黑白没有轮流", number),
        );
    }
    let name = found.tag("Opening").unwrap_or_default().to_owned();
    let mut moves = found.opening.moves;
    moves.truncate(plies);
    Ok(Opening { fen: None, moves, number, name })
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
        let text = "(;GM[1]SZ[9]ON[B 52%];B[ee](;W[cc];B[gg])(;W[gc]))(;GM[1]SZ[9];B[];W[aa])";
        let found: Vec<_> = openings(text, 9, 2).into_iter().map(Result::unwrap).collect();
        assert_eq!([&found[0].moves[..], &found[1].moves], [["E5", "C7"], ["pass", "A9"]]);
        assert_eq!([&found[0].name, &found[1].name], ["B 52%", ""]);
        let wrong = openings("(;GM[1];B[ee]\n;B[cc])(;AB[aa])(;B[aa])(;GM[1", 9, 9);
        let found = |i: usize| wrong[i].as_ref().unwrap_err().to_string();
        assert_eq!(found(0), "line 2: game 1: colors do not alternate at move 2");
        assert_eq!(found(1), "line 2: game 2: starts from set-up stones");
        assert!(wrong[2].is_ok() && found(3).starts_with("line 2: game 4: not SGF: "), "{}", found(3));
        let wrong = openings("(;SZ[19];B[dd])(;SZ[9];B[dd];W[pp])(;SZ[9];B[dd];W[tt])", 9, 9);
        let found = |i: usize| wrong[i].as_ref().map_err(ToString::to_string);
        assert_eq!(found(0), Err("line 1: game 1: a board of 19x19".to_owned()));
        assert_eq!(found(1), Err("line 1: game 2: move 2 at 'pp': not on the board".to_owned()));
        assert!(found(2).is_ok_and(|opening| opening.moves == ["D6", "pass"]));
    }

    #[test]
    fn boards_need_not_be_square() {
        let text = "(;FF[4]GM[1]CA[UTF-8]SZ[9:13]HA[2]AB[ca][gm];W[am];B[ia])";
        let game = read_games(text, 1).remove(0).unwrap();
        let go = game.go.as_ref().unwrap();
        assert_eq!((go.board_size(), go.handicap, go.stones.len()), ((9, 13), 2, 2));
        assert_eq!(game.opening.moves, ["A1", "J13"]);
        let mut board = crate::games::game::Game::at(game.start()).unwrap();
        game.opening.moves.iter().for_each(|mv| board.play(mv).unwrap());
        assert!(board.play("J14").is_err());
        assert_eq!(write_tree(&game.tree, &Board::new(9, 13)).replace('\n', ""), text);
        let record = GameRecord { go: game.go.clone(), ..game.start().record() };
        assert!(write(&record, &Headings::default()).unwrap().contains("SZ[9:13]"));
        assert!(read_games("(;SZ[26:9];B[ee])", 1)[0].is_err());
        let square = read_games("(;SZ[9:9];B[ee])", 1).remove(0).unwrap();
        assert_eq!(square.go.unwrap().rows, None);
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
        let broken = read_lines("(;GM[1]SZ[9];B[ee](;W[cc])(;W[zz]))");
        let found = broken[0].as_ref().unwrap_err().to_string();
        assert_eq!(found, "line 1: game 1: line 2: move 2 at 'zz': not on the board");
        assert!(broken[1].is_ok());
        let many = format!("(;GM[1]SZ[9]{})", "(;B[ee])".repeat(MAX_LINES + 1));
        assert!(read_lines(&many)[0].as_ref().unwrap_err().why.to_string().contains("more than 1000 lines"));
        let long = format!("(;GM[1]SZ[9]{}{})", ";B[];W[]".repeat(300), "(;B[ee])".repeat(990));
        let why = read_lines(&long)[0].as_ref().unwrap_err().why.to_string();
        assert!(why.contains("more than 500000 moves in all lines"), "{why}");
    }

    #[test]
    fn what_is_wrong_has_its_line_and_the_other_games_are_read() {
        let text = "(;GM[1]SZ[9]\nC[a \\] (\n]\n;B[ee]\nBL[1];W[gg]\n(;B[zz]C[x])(;B[cc]))\n(;GM[2])\n\
            (;SZ[9];B[ee]\n;W[cc]\n;AB[aa])\n(;SZ[9];B[ee])\n(;SZ[9]\n;B[ee]C[cut\n\n";
        let found = read_games(text, 9);
        let fault = |i: usize| found[i].as_ref().unwrap_err().to_string();
        assert_eq!(fault(0), "line 6: game 1: move 3 at 'zz': not on the board");
        assert_eq!(fault(1), "line 7: game 2: not a game of Go");
        let set_up = found[2].as_ref().unwrap();
        assert_eq!((set_up.opening.moves.len(), set_up.restarts[0].0), (2, 2));
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
        // Stones of White beside those of a handicap; a number without stones; points taken off and set
        // again.
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
