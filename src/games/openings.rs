//! Where games start: EPD and FEN lines, moves from PGN and SGF, and the order they are taken in.

use super::formats::{self, sgf};
use super::game::{Game, Start};
use super::record::{GameKind, GameRecord, Opening};
use super::referee::Rules;
use crate::chess::Board;
use crate::game::GameId;
use crate::message;
use crate::util::files;
use crate::util::message::Message;
use crate::util::rng::Rng;
use crate::xiangqi;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningSource {
    pub file: PathBuf,
    #[serde(default)]
    pub order: Order,
    /// Openings to leave out at the beginning.
    #[serde(default)]
    pub skip: usize,
    /// Moves taken from a game record, at most.
    #[serde(default = "all_plies")]
    pub plies: usize,
    /// `epd`, `pgn` or `sgf`, if the file's name does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

impl OpeningSource {
    /// Whether it names openings of the program in place of a file: `none`, the usual start, or `random`.
    pub fn is_built_in(&self) -> bool {
        [NONE, RANDOM].iter().any(|name| self.file.as_os_str() == *name)
    }

    pub fn all(file: PathBuf) -> Self {
        Self { file, order: Order::default(), skip: 0, plies: usize::MAX, format: None }
    }
}

fn all_plies() -> usize {
    usize::MAX
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand in the file.
    Sequential,
    /// Shuffled by the match's seed.
    #[default]
    Random,
}

const NONE: &str = "none";
const RANDOM: &str = "random";

/// How these were made stands in `books/README.md`: lines that people know, and positions after random moves.
const CHESS: &str = include_str!("../../books/chess.pgn");
const XIANGQI: &str = include_str!("../../books/xiangqi.pgn");
const CHESS_RANDOM: &str = include_str!("../../books/chess.epd");
const XIANGQI_RANDOM: &str = include_str!("../../books/xiangqi.epd");
/// By the komi that they are balanced for. Seki aside, Black's lead on the board is odd, so that any other
/// komi from 5 to 9 does what one of these does.
const GO_9: [(f32, &str); 3] = [
    (6.5, include_str!("../../books/go9-6.5.sgf")),
    (7.0, include_str!("../../books/go9-7.sgf")),
    (7.5, include_str!("../../books/go9-7.5.sgf")),
];

/// The rows of the board that the openings of Go are for.
const GO_9_SIZE: usize = 9;

/// The starting positions of Chess960 (CH-2).
const ARRAYS: usize = 960;

#[derive(Clone, Debug)]
pub struct Openings {
    list: Vec<Opening>,
    order: Vec<usize>,
    /// What is wrong with those of the file that were left out.
    pub complaints: Vec<Message>,
}

impl Openings {
    /// The usual start, every time.
    pub fn none() -> Self {
        Self { list: vec![Opening::default()], order: vec![0], complaints: Vec::new() }
    }

    /// The FEN of the first one, unless it begins at the usual start.
    pub fn first_fen(&self) -> Option<&str> {
        let first = self.list.get(*self.order.first()?)?;
        first.fen.as_deref()
    }

    /// Openings of our own, where there are any for a game: without openings all games of two engines would
    /// begin alike. Chess960 has all its arrays, the other games have balanced positions: those of chess and
    /// xiangqi end lines that people know.
    pub fn own(kind: GameKind, rules: &Rules, seed: u64) -> Option<Self> {
        let known = |text: &str| {
            let lines = formats::openings(text.as_bytes(), kind, usize::MAX);
            lines.into_iter().flatten().collect()
        };
        let list = embedded(kind, rules, [&|| known(CHESS), &|| known(XIANGQI)])?;
        Some(Self { order: shuffled(list.len(), seed), list, complaints: Vec::new() })
    }

    /// Reads a file, and checks every opening against the rules. Those that cannot be read or played are left
    /// out. `none` and `random` are openings of the program.
    /// # Errors
    /// When the file cannot be read or no opening is left; names the first that is wrong.
    pub fn load(source: &OpeningSource, kind: GameKind, rules: &Rules, seed: u64) -> Result<Self, Message> {
        let in_file = |why: Message| files::at(&source.file, why);
        if source.file.as_os_str() == NONE {
            return Ok(Self::none());
        }
        if kind == GameKind::GO && rules.go.handicap > 1 {
            let why = message!(
                "Black begins openings, and White games with a handicap" | "开局由黑方先行，让子棋由白方先行"
            );
            return Err(in_file(why));
        }
        let (mut list, mut complaints) = (Vec::new(), Vec::new());
        for opening in read(source, kind, rules)? {
            match opening.and_then(|opening| check(kind, rules, &opening).map(|()| usual(kind, opening))) {
                Ok(opening) => list.push(opening),
                Err(why) => complaints.push(in_file(why)),
            }
        }
        if list.len() <= source.skip {
            let none = || in_file(message!("no opening is left" | "没有剩下可用的开局"));
            return Err(complaints.into_iter().next().unwrap_or_else(none));
        }
        let mut order = match source.order {
            Order::Random => shuffled(list.len(), seed),
            Order::Sequential => (0..list.len()).collect(),
        };
        Ok(Self { order: order.split_off(source.skip), list, complaints })
    }

    /// The opening of a pair of games; they start over when there are fewer than pairs.
    #[allow(clippy::arithmetic_side_effects, reason = "openings that were read are one or more")]
    #[allow(clippy::indexing_slicing, reason = "the order has places in the list")]
    pub fn of_pair(&self, pair: usize) -> &Opening {
        &self.list[self.order[pair % self.order.len()]]
    }

    /// Whether games already played started where they would start now.
    pub fn continue_from(&self, games: &[GameRecord]) -> Result<(), Message> {
        let is_other =
            |game: &&GameRecord| usual(game.kind, game.opening.clone()) != *self.of_pair(game.pair);
        match games.iter().find(is_other) {
            Some(game) => Err(message!(
                "the openings have changed since game {number}" | "第 {number} 局之后开局文件变了",
                number = game.ordinal()
            )),
            None => Ok(()),
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &Opening> {
        self.list.iter()
    }

    pub fn count(&self) -> usize {
        self.order.len()
    }
}

/// The openings of the program for a game, if it has any; chess and xiangqi have several sets.
fn embedded(
    kind: GameKind,
    rules: &Rules,
    [chess, xiangqi]: [&dyn Fn() -> Vec<Opening>; 2],
) -> Option<Vec<Opening>> {
    let go = &rules.go;
    match kind.game() {
        GameId::Chess if kind == GameKind::CHESS960 => Some(arrays()),
        GameId::Chess => Some(chess()),
        GameId::Xiangqi => Some(xiangqi()),
        // Black begins these openings, on an empty board.
        GameId::Go if go.size == GO_9_SIZE && go.handicap < 2 => {
            let distance = |komi: f32| (komi - go.komi).abs();
            let (_, text) = GO_9.into_iter().min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)))?;
            Some(sgf::openings(text, GO_9_SIZE, usize::MAX).into_iter().flatten().collect())
        }
        GameId::Go => None,
    }
}

/// The starting positions of Chess960.
fn arrays() -> Vec<Opening> {
    let array =
        |(number, array)| Opening { fen: Some(Board::chess960(array).fen()), number, ..Opening::default() };
    (1..).zip(0..ARRAYS).map(array).collect()
}

fn shuffled(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut rng = Rng::new(seed);
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i.saturating_add(1)));
    }
    order
}

fn check(kind: GameKind, rules: &Rules, opening: &Opening) -> Result<(), Message> {
    let at = |why| message!("opening {number}: {why}" | "开局 {number}：{why}", number = opening.number, why);
    let start = Start { kind, rules: rules.clone(), fen: opening.fen.clone() };
    match Game::after(start, &opening.moves).map_err(at)?.ending() {
        Some(ending) => {
            Err(at(message!("the game is over: {why}" | "棋局已经结束：{why}", why = ending.detail)))
        }
        None => Ok(()),
    }
}

/// The opening with its position in the usual form, which every engine reads. An array of Chess960 stays as
/// it is: its castling rights have two forms.
fn usual(kind: GameKind, opening: Opening) -> Opening {
    let board = |fen: &String| match kind.game() {
        GameId::Chess if kind == GameKind::CHESS960 => None,
        GameId::Chess => Board::from_fen(fen).ok().map(|board| board.fen()),
        GameId::Xiangqi => xiangqi::Board::from_fen(fen).ok().map(|board| board.fen()),
        GameId::Go => None,
    };
    let fen = opening.fen.as_ref().and_then(board);
    Opening { fen: fen.or(opening.fen), ..opening }
}

/// The openings of a file, or what is wrong with each.
type Parsed = Vec<Result<Opening, Message>>;

fn read(source: &OpeningSource, kind: GameKind, rules: &Rules) -> Result<Parsed, Message> {
    let in_file = |why: Message| files::at(&source.file, why);
    if source.file.as_os_str() == RANDOM {
        let list = embedded(kind, rules, [&|| parse_epd(CHESS_RANDOM), &|| parse_epd(XIANGQI_RANDOM)]);
        let none = || in_file(message!("this game has none" | "这种棋没有"));
        return Ok(list.ok_or_else(none)?.into_iter().map(Ok).collect());
    }
    let bytes = files::read_named(&source.file).map_err(|e| in_file(e.into()))?;
    parse(&bytes, source, kind, rules.go.size)
}

fn parse(bytes: &[u8], source: &OpeningSource, kind: GameKind, size: usize) -> Result<Parsed, Message> {
    let (file, plies) = (&source.file, source.plies);
    let extension = file.extension().and_then(|e| e.to_str());
    let format = source.format.as_deref().or(extension).unwrap_or("").to_lowercase();
    let text = formats::decode(bytes);
    let is_record = matches!(format.as_str(), "pgn" | "xqf" | "cbr" | "cbl" | "wxf")
        || formats::is_dhtmlxq(&text)
        || formats::wxf::is_wxf(&text);
    match format.as_str() {
        "sgf" if kind == GameKind::GO => {
            let list = sgf::openings(&text, size, plies).into_iter();
            Ok(list.map(|opening| opening.map_err(|broken| broken.message())).collect())
        }
        _ if is_record && kind != GameKind::GO => Ok(formats::openings(bytes, kind, plies)),
        "epd" | "fen" | "txt" if kind != GameKind::GO => Ok(parse_epd(&text).into_iter().map(Ok).collect()),
        _ => Err(message!(
            "{file}: openings of {kind} cannot be read from a file of this kind"
                | "{file}：不能从这种文件读取 {kind} 的开局",
            file = file.display(),
            kind
        )),
    }
}

/// One position a line: four fields and operations, or six fields.
fn parse_epd(text: &str) -> Vec<Opening> {
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    let numbered = (1..).zip(lines);
    numbered
        .map(|(number, line)| Opening { fen: Some(epd_to_fen(line)), number, ..Opening::default() })
        .collect()
}

/// The FEN of an EPD line, its move counters completed: from two more fields, or from its operations.
pub fn epd_to_fen(line: &str) -> String {
    let position = line.split(';').next().unwrap_or(line);
    let words: Vec<&str> = position.split_whitespace().collect();
    let fields = words.get(..4).unwrap_or(&words);
    let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let number = |i: usize| words.get(i).copied().filter(is_number);
    let operation = |name: &str| {
        let all = line.split_whitespace().skip(4).collect::<Vec<_>>().join(" ");
        let found = all
            .split(';')
            .find_map(|part| part.trim().strip_prefix(name)?.strip_prefix(' ').map(str::to_owned));
        found.filter(|value| is_number(&value.as_str()))
    };
    match (number(4), number(5)) {
        (Some(half), Some(full)) => format!("{} {half} {full}", fields.join(" ")),
        _ => {
            let (half, full) = (operation("hmvc"), operation("fmvn"));
            format!(
                "{} {} {}",
                fields.join(" "),
                half.as_deref().unwrap_or("0"),
                full.as_deref().unwrap_or("1")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::record::GoSetup;
    use tempfile::tempdir;

    #[test]
    fn epd_lines_become_fens() {
        let board = "4k3/8/8/8/8/8/8/4K2R w K -";
        for line in [board.to_owned(), format!("{board} bm Rh8; id \"x\";"), format!("{board} 0 1")] {
            assert_eq!(epd_to_fen(&line), format!("{board} 0 1"));
        }
        assert_eq!(epd_to_fen(&format!("{board} 3 40 ; c0 \"x\"")), format!("{board} 3 40"));
        let line = format!("{board} hmvc 97; fmvn 60; id \"x\";");
        assert_eq!(epd_to_fen(&line), format!("{board} 97 60"));
        // Every engine reads the usual form.
        let fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
        let opening = usual(GameKind::XIANGQI, Opening { fen: Some(fen.to_owned()), ..Opening::default() });
        assert_eq!(opening.fen.as_deref(), Some(crate::xiangqi::START_FEN));
    }

    #[test]
    fn openings_of_our_own_are_positions_that_games_can_start_from() {
        let on = |size, handicap| {
            let go = GoSetup { size, handicap, ..GoSetup::default() };
            Rules { go, ..Rules::default() }
        };
        let rules = on(9, 0);
        let random = |kind, rules: &Rules, seed| {
            Openings::load(&OpeningSource::all(RANDOM.into()), kind, rules, seed).ok()
        };
        for (make, moves) in [(Openings::own as fn(_, &_, _) -> _, 8), (random, 0)] {
            for kind in GameKind::ALL {
                let own = make(kind, &rules, 1).unwrap();
                let least = if [GameKind::XIANGQI, GameKind::GO].contains(&kind) { 500 } else { 960 };
                assert!(own.count() >= least, "{kind}: {}", own.count());
                own.list.iter().for_each(|opening| check(kind, &rules, opening).unwrap());
                if [GameKind::CHESS, GameKind::XIANGQI].contains(&kind) {
                    assert!(own.list.iter().all(|opening| opening.moves.len() >= moves), "{kind}");
                }
                assert_ne!(own.order, make(kind, &rules, 2).unwrap().order);
                assert_eq!(own.order, make(kind, &rules, 1).unwrap().order);
            }
        }
        for other in [on(13, 0), on(19, 0), on(9, 2)] {
            assert!(Openings::own(GameKind::GO, &other, 1).is_none());
            assert!(random(GameKind::GO, &other, 1).is_none());
        }
    }

    #[test]
    fn a_bad_opening_is_named_and_the_others_are_taken() {
        let folder = tempdir().unwrap();
        let load = |name: &str, text: &str, kind: GameKind, skip: usize| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            let source = OpeningSource { order: Order::Sequential, skip, ..OpeningSource::all(file) };
            Openings::load(&source, kind, &Rules::default(), 1)
        };
        let positions = "4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8 w - -\n";
        let records =
            "[Game \"Chinese Chess\"]\n\n1. 炮二平五 *\n\n[Game \"Chinese Chess\"]\n\n1. 炮二平二 *\n";
        for (name, text, kind, part) in [
            ("a.epd", positions, GameKind::CHESS, "a.epd: opening 2: "),
            ("b.pgn", records, GameKind::XIANGQI, "b.pgn: line 7: game 2: "),
        ] {
            let openings = load(name, text, kind, 0).unwrap();
            assert_eq!((openings.count(), openings.complaints.len()), (1, 1));
            assert!(openings.complaints[0].to_string().contains(part), "{:?}", openings.complaints);
            let error = load(name, text, kind, 1).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let file = folder.path().join("d.sgf");
        std::fs::write(&file, "(;GM[1]SZ[9];B[ee])").unwrap();
        let (go, source) = (GoSetup { size: 9, handicap: 2, ..GoSetup::default() }, OpeningSource::all(file));
        let refused = Openings::load(&source, GameKind::GO, &Rules { go, ..Rules::default() }, 1);
        assert!(refused.unwrap_err().to_string().contains("Black begins"));
        assert!(
            load("c.epd", "", GameKind::CHESS, 0)
                .unwrap_err()
                .to_string()
                .ends_with("c.epd: no opening is left")
        );
    }
}
