//! GIB and NGF, the records of Tygem and WBaduk, as trees of SGF. Source: the readers of Sabaki and gofish
//! describe them; neither format has a specification.

use super::syntax::Parsed;
use super::{Broken, Place, Recorded, fixed_handicap, recorded};
use crate::game::Side;
use crate::games::tree::{Item, MoveText, NodeId, ROOT, Tree};
use crate::go::{Board, coords};
use crate::message;
use crate::util::message::Message;

/// The game of a text, if it is one of these formats.
pub fn read(text: &str) -> Option<Result<Recorded, Broken>> {
    let draft = if text.trim_start().starts_with("\\HS") { gib(text) } else { ngf(text)? };
    let Draft { tree, board, lines, fault, .. } = draft;
    if let (Some((line, why)), 1) = (&fault, tree.len()) {
        return Some(Err(Broken::new(1, Some(Place::Line(*line)), why.clone())));
    }
    let game = Parsed::of_tree(tree, board, lines);
    let path: Vec<_> = game.tree.main_line().collect();
    let found = match (recorded(&game, &path, 1), fault) {
        (Ok(game), None) => Ok(game),
        (Ok(game), Some((line, why))) => {
            let (place, before) = (Some(Place::Line(line)), Some(Box::new(game)));
            Err(Broken { number: 1, place, why, is_illegal: false, before })
        }
        (Err(fault), _) => Err(Broken {
            number: 1,
            place: Some(Place::Line(fault.line)),
            why: fault.why,
            is_illegal: false,
            before: fault.before,
        }),
    };
    Some(found)
}

/// A game as its lines come.
struct Draft {
    tree: Tree,
    /// Its last node.
    at: NodeId,
    board: Board,
    lines: Vec<usize>,
    fault: Option<(usize, Message)>,
}

impl Draft {
    fn new(size: usize) -> Self {
        Self { tree: Tree::default(), at: ROOT, board: Board::new(size, size), lines: vec![1], fault: None }
    }

    fn property(&mut self, name: &str, value: &str) {
        if !value.trim().is_empty() {
            let item = Item::Property(name.to_owned(), vec![value.trim().to_owned()]);
            self.tree.node_mut(ROOT).items.push(item);
        }
    }

    /// Places a handicap on the star points, if it is one.
    fn handicap(&mut self, stones: usize) {
        let Some(points) = fixed_handicap(self.board.width(), stones) else { return };
        self.property("HA", &stones.to_string());
        let vertex =
            |(col, row)| MoveText::new(&coords::vertex(&self.board, crate::go::Point::new(col, row)));
        let points = points.into_iter().filter_map(vertex).collect();
        let items = &mut self.tree.node_mut(ROOT).items;
        items.extend([Item::Place(Some(Side::First), points), Item::Turn(Side::Second)]);
    }

    /// Adds the move of a line; columns and rows count from the upper left corner, from 0. `false`: the game
    /// ends before it.
    fn play(&mut self, line: usize, side: Option<Side>, point: Option<(u8, u8)>) -> bool {
        let vertex = point.and_then(|(x, y)| coords::from_sgf(&self.board, x, y));
        let mv = vertex.and_then(|v| MoveText::new(&coords::vertex(&self.board, v)));
        let Some((side, mv)) = side.zip(mv) else {
            return self.end(line, message!("a move that is not on the board" | "着法不在棋盘上"));
        };
        self.add(line, side, mv);
        true
    }

    /// Ends the game by a fault.
    fn end(&mut self, line: usize, why: Message) -> bool {
        self.fault = Some((line, why));
        false
    }

    /// A line that is damaged or missing.
    fn lacks_move(&mut self, line: usize) -> bool {
        self.end(line, message!("a move is missing" | "缺一着"))
    }

    fn add(&mut self, line: usize, side: Side, mv: MoveText) {
        self.at = self.tree.play(self.at, side, mv);
        self.lines.push(line);
    }

    /// Adds a pass of the side whose turn it is.
    fn pass(&mut self, line: usize) {
        let last = self.tree.node(self.at).played.map(|(side, _)| side);
        let has_handicap = self.tree.node(ROOT).items.contains(&Item::Turn(Side::Second));
        let first = if has_handicap { Side::Second } else { Side::First };
        if let Some(pass) = MoveText::new("pass") {
            self.add(line, last.map_or(first, Side::other), pass);
        }
    }
}

fn field<'t>(text: &'t str, name: &str) -> &'t str {
    let find = || {
        let (_, behind) = text.split_once(&format!("\\[{name}="))?;
        Some(behind.split_once("\\]")?.0)
    };
    find().unwrap_or_default()
}

fn gib(text: &str) -> Draft {
    let mut game = Draft::new(19);
    for (side, name, rank) in [("BLACK", "PB", "BR"), ("WHITE", "PW", "WR")] {
        let player = field(text, &format!("GAME{side}NAME"));
        let (player, level) = player.rsplit_once('(').unwrap_or((player, ""));
        game.property(name, player);
        game.property(rank, level.trim_end_matches(')'));
    }
    let date: Vec<&str> = field(text, "GAMEDATE").split('-').map(str::trim).take(3).collect();
    if let [year, month, day] = date[..] {
        game.property("DT", &format!("{year}-{month:0>2}-{day:0>2}"));
    }
    game.property("PC", field(text, "GAMEPLACE"));
    game.property("EV", field(text, "GAMENAME"));
    let main = field(text, "GAMEINFOMAIN");
    let number = |name: &str| {
        main.split(',').find_map(|part| part.trim().strip_prefix(name)?.trim().parse::<f64>().ok())
    };
    if let Some(komi) = number("GONGJE:") {
        game.property("KM", &(komi / 10.0).to_string());
    }
    let margin = number("ZIPSU:").map_or(String::new(), |tenths| (tenths / 10.0).to_string());
    let result = match number("GRLT:").map(|code| code as u8) {
        Some(0) => format!("B+{margin}"),
        Some(1) => format!("W+{margin}"),
        Some(3) => "B+R".to_owned(),
        Some(4) => "W+R".to_owned(),
        Some(7) => "B+T".to_owned(),
        Some(8) => "W+T".to_owned(),
        _ => String::new(),
    };
    game.property("RE", &result);
    let mut last: Option<usize> = None;
    for (line, row) in (1..).zip(text.lines()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        // Moves and passes are numbered.
        if let ["STO" | "SKI", _, number, ..] = words[..] {
            let number = number.parse().ok();
            if last.is_some_and(|last| number != last.checked_add(1)) {
                game.lacks_move(line);
                break;
            }
            last = number;
        }
        match words[..] {
            ["INI", _, _, stones, ..] => game.handicap(stones.parse().unwrap_or(0)),
            ["STO", _, _, color, x, y, ..] => {
                let side = match color {
                    "1" => Some(Side::First),
                    "2" => Some(Side::Second),
                    _ => None,
                };
                if !game.play(line, side, x.parse().ok().zip(y.parse().ok())) {
                    break;
                }
            }
            ["SKI", ..] => game.pass(line),
            ["STO", ..] => {
                game.play(line, None, None);
                break;
            }
            _ => {}
        }
    }
    game
}

/// `None`: the text is no NGF.
fn ngf(text: &str) -> Option<Draft> {
    let rows: Vec<&str> = text.lines().map(str::trim).collect();
    let &[_, size, white, black, site, handicap, _, komi, date, _, result, count, ..] = rows.as_slice()
    else {
        return None;
    };
    let size: usize = size.parse().ok().filter(|size| (2..=25).contains(size))?;
    let stones: usize = handicap.parse().ok()?;
    let komi: f64 = komi.parse().ok()?;
    let count: usize = count.parse().ok()?;
    let mut game = Draft::new(size);
    game.property("SZ", &size.to_string());
    for (player, name, rank) in [(black, "PB", "BR"), (white, "PW", "WR")] {
        let mut words = player.split_whitespace();
        game.property(name, words.next().unwrap_or_default());
        game.property(rank, words.last().unwrap_or_default());
    }
    // Half a point is not written.
    let half = if stones == 0 && komi.fract() == 0.0 { 0.5 } else { 0.0 };
    game.property("KM", &(komi + half).to_string());
    game.property("PC", site);
    if let Some(((year, month), day)) = date.get(..8).and_then(|date| {
        let (year, rest) = date.split_at_checked(4)?;
        let (month, day) = rest.split_at_checked(2)?;
        Some(((year, month), day))
    }) {
        game.property("DT", &format!("{year}-{month}-{day}"));
    }
    let winner = ["lack", "hite"].into_iter().zip(["B+", "W+"]).find(|(name, _)| result.contains(name));
    if let Some((_, winner)) = winner {
        let how = if result.contains("resign") {
            "R"
        } else if result.contains("time") {
            "T"
        } else {
            ""
        };
        game.property("RE", &format!("{winner}{how}"));
    }
    game.handicap(stones);
    let mut moves = (1..).zip(&rows).skip(12);
    for _ in 0..count {
        let Some((line, row)) = moves.next() else {
            game.lacks_move(rows.len());
            break;
        };
        // PM, two signs of the number, the color, column and row: B is the first.
        let Some(mv) = row.strip_prefix("PM").and_then(|row| row.as_bytes().get(2..5)) else {
            game.lacks_move(line);
            break;
        };
        let side = match mv.first() {
            Some(b'B') => Some(Side::First),
            Some(b'W') => Some(Side::Second),
            _ => None,
        };
        let place = |at: usize| mv.get(at).and_then(|letter| letter.checked_sub(b'B'));
        if !game.play(line, side, place(1).zip(place(2))) {
            break;
        }
    }
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: &str = "\\HS\n\\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GCDT:1,GTIME:1200-20-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCNT:3,\\]\n\
        \\[GAMEBLACKNAME=박정환 (9D)\\]\n\\[GAMEWHITENAME=shin (8D)\\]\n\\[GAMEDATE=2015- 3-21-10-30-00\\]\n\\HE\n\\GS\n\
        2 1 0\n3 0 &4\nINI 0 1 0 &4\nSTO 0 2 1 15 3\nSTO 0 3 2 3 3\nSTO 0 4 1 15 15\n\\GE\n";

    const NGF: &str = "Rating game\n19\nwhite 5d\nblack 4d\nwww.cyberoro.com\n0\n0\n6\n20150321 [10:30]\n5\n\
        White wins by resign!\n3\nPMABBQEQE\nPMACWEEEE\nPMADBQQQQ\n";

    #[test]
    fn records_of_servers_are_read() {
        for (text, names, komi, result, date) in [
            (GIB, ("박정환", "shin"), 6.5, "W+3.5", "2015-03-21"),
            (NGF, ("black", "white"), 6.5, "W+R", "2015-03-21"),
        ] {
            let game = read(text).unwrap().unwrap();
            assert_eq!(game.opening.moves, ["Q16", "D16", "Q4"], "{text}");
            assert_eq!((game.tag("Black"), game.tag("White")), (Some(names.0), Some(names.1)));
            assert_eq!((game.go.as_ref().unwrap().komi, game.result()), (komi, result));
            assert_eq!(game.tag("Date"), Some(date));
        }
        let game =
            read(&GIB.replace("INI 0 1 0", "INI 0 1 2").replace("STO 0 2 1 15 3\n", "")).unwrap().unwrap();
        assert_eq!((game.go.unwrap().handicap, game.opening.moves.len()), (2, 2));
        assert!(read("1. e4 e5 *").is_none() && read("").is_none());
    }

    #[test]
    fn the_moves_before_a_fault_are_kept() {
        for (text, line) in [
            (GIB.replace("2 3 3", "2 33 3"), 12),
            (GIB.replace("STO 0 3 2 3 3", "STO 0 3"), 12),
            (NGF.replace("WEEEE", "WZEZE"), 14),
            (NGF.replace("PMACW", "PMACX"), 14),
        ] {
            let broken = read(&text).unwrap().unwrap_err();
            assert_eq!(broken.place, Some(Place::Line(line)), "{text}");
            assert_eq!(broken.before.unwrap().opening.moves, ["Q16"]);
        }
    }
}
