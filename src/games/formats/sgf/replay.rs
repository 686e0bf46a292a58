//! Records of Go on the board: a line of a tree played from its start, with stones that are set up on the
//! way.

use super::SgfError;
use super::syntax::{self, Parsed, USUAL_SIZE, letters};
use crate::game::{Game as _, Side};
use crate::games::tree::{Item, Node, ROOT};
use crate::go::{IllegalMove, MAX_KOMI, Point, Position, Rules, coords};

pub const MAX_BYTES: u64 = 4 << 20;

/// Reads the first record of a text up to just before move number `before` (from 1), or to its end. Komi,
/// rules and handicap are the record's; `rules` where it names none that are known. Whose turn it is: who
/// moves next in the record, or as it says, or as the game has it. With it comes what the text lacks at its
/// end.
///
/// A record is a fact: moves that the rules forbid, but the board allows (ko, suicide), are played.
/// # Errors
/// [`SgfError`]; the first thing that is wrong on the main line.
pub fn load(
    text: &str,
    before: Option<usize>,
    rules: Rules,
) -> Result<(Position, Option<SgfError>), SgfError> {
    let game = syntax::games(text, USUAL_SIZE).next().ok_or_else(syntax::no_tree)?;
    let mut replay = Replay::new(&game, rules)?;
    let mut moves = 0_usize;
    for id in game.tree.main_line() {
        let node = game.tree.node(id);
        if let Some((side, _)) = node.played {
            moves = moves.saturating_add(1);
            if before.is_some_and(|before| moves >= before) {
                replay.position.set_side_to_move(side);
                return Ok((replay.position, None));
            }
        }
        replay.node(node)?;
    }
    match game.fault {
        Some((_, fault)) if !syntax::is_of_bracket(&fault) => Err(fault),
        damage => Ok((replay.position, damage.map(|(_, fault)| fault))),
    }
}

pub struct FinishedGame {
    /// Where it ended: its moves are those of the main line.
    pub end: Position,
    /// How many of its first moves are an opening that the players did not choose: `book` stands in their
    /// comments.
    pub book: usize,
}

/// Reads all games of a collection, as [`load`] reads the first; a game that is cut off is wrong.
/// # Errors
/// [`SgfError`] when there is none, or together they would cost too much memory.
pub fn load_all(text: &str, rules: Rules) -> Result<Vec<Result<FinishedGame, SgfError>>, SgfError> {
    syntax::check_collection(text)?;
    let game = |game: Parsed| {
        if let Some((_, fault)) = game.fault {
            return Err(fault);
        }
        let line = || game.tree.main_line().map(|id| game.tree.node(id));
        let book = line().skip(1).take_while(|node| node.comment() == "book").count();
        let mut replay = Replay::new(&game, rules)?;
        line().try_for_each(|node| replay.node(node).map(drop))?;
        Ok(FinishedGame { end: replay.position, book })
    };
    let games: Vec<_> = syntax::games(text, USUAL_SIZE).map(game).collect();
    if games.is_empty() { Err(syntax::no_tree()) } else { Ok(games) }
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing, or it sets the game up before its first move.
    None,
    Move,
    /// The game begins anew from the position that it makes: by stones that are set up, or a move on a stone.
    SetUp,
}

/// A line that is being played.
pub struct Replay {
    /// After the last node.
    pub position: Position,
    /// Handicap stones that the root names.
    pub handicap: u32,
    moves: usize,
}

impl Replay {
    /// The empty board, with the rules that the root names.
    pub fn new(game: &Parsed, rules: Rules) -> Result<Self, SgfError> {
        let root = game.tree.node(ROOT);
        let is_empty = game.tree.len() == 1 && root.items.is_empty();
        if let Some((_, fault)) = game.fault.as_ref().filter(|_| is_empty) {
            return Err(fault.clone());
        }
        let rules = value(root, "RU").and_then(|name| Rules::parse(name).ok()).unwrap_or(rules);
        let mut position = Position::new(game.board.width(), game.board.height(), rules);
        if let Some(komi) = komi(root) {
            position.set_komi(komi);
        }
        let handicap = value(root, "HA").and_then(|count| count.trim().parse().ok()).unwrap_or(0);
        Ok(Self { position, handicap, moves: 0 })
    }

    /// Goes on by a node: what it sets up, then its move.
    /// # Errors
    /// What cannot be done; the position is that before it.
    pub fn node(&mut self, node: &Node) -> Result<Step, SgfError> {
        let mut step = Step::None;
        let mut stones = None;
        for item in &node.items {
            match item {
                Item::Place(side, points) => {
                    let stones = stones.get_or_insert_with(|| self.stones());
                    for point in points {
                        let v = coords::parse_vertex(self.position.board(), point).unwrap_or(Point::NONE);
                        stones.retain(|&(_, other)| other != v);
                        stones.extend(side.map(|side| (side, v)));
                    }
                }
                Item::Property(name, values) => refuse(name, values, self.moves)?,
                _ => {}
            }
        }
        if let Some(stones) = stones {
            step = self.set_up(stones);
        }
        for item in &node.items {
            if let Item::Turn(side) = item {
                self.position.set_side_to_move(*side);
            }
        }
        let Some((side, mv)) = node.played else { return Ok(step) };
        let played = self.play(side, &mv)?;
        Ok(if step == Step::SetUp { step } else { played })
    }

    fn stones(&self) -> Vec<(Side, Point)> {
        let board = self.position.board();
        board.points().filter_map(|v| Some((board.color(v).side()?, v))).collect()
    }

    fn set_up(&mut self, stones: Vec<(Side, Point)>) -> Step {
        // Handicap stones on an empty board are Black's first move.
        let is_handicap =
            self.moves == 0 && stones.iter().all(|&(side, _)| side == Side::First) && self.handicap > 1;
        let to_move = if is_handicap { Side::Second } else { self.position.side_to_move() };
        self.position.set_up(stones, to_move);
        self.position.set_handicap_count(self.handicap);
        if self.moves == 0 { Step::None } else { Step::SetUp }
    }

    fn play(&mut self, side: Side, mv: &str) -> Result<Step, SgfError> {
        let v = coords::parse_vertex(self.position.board(), mv).unwrap_or(Point::NONE);
        self.moves = self.moves.saturating_add(1);
        match self.position.play_recorded(side, v) {
            Ok(()) => Ok(Step::Move),
            // FF[4]: a move is executed whatever stands on its point.
            Err(IllegalMove::Occupied) => {
                let mut stones = self.stones();
                stones.retain(|&(_, other)| other != v);
                self.position.set_up(stones, side);
                // The point is empty now.
                let _ = self.position.play_recorded(side, v);
                self.position.set_up(self.stones(), side.other());
                self.position.set_handicap_count(self.handicap);
                Ok(Step::SetUp)
            }
            Err(why) => Err(SgfError::Move(self.moves, mv.to_owned(), why)),
        }
    }
}

/// Refuses a move or a set-up that could not be understood.
fn refuse(name: &str, values: &[String], moves: usize) -> Result<(), SgfError> {
    let text = |value: &String| value.trim().to_owned();
    match name {
        "B" | "W" => match values {
            [at] if letters(at).is_some() => {
                Err(SgfError::Move(moves.saturating_add(1), text(at), IllegalMove::OffBoard))
            }
            _ => Err(SgfError::Property(name.to_owned())),
        },
        "AB" | "AW" | "AE" => {
            match values.iter().all(|value| value.split(':').all(|at| letters(at).is_some())) {
                true => Err(SgfError::SetUp(values.iter().map(text).collect::<Vec<_>>().join(" "))),
                false => Err(SgfError::Property(name.to_owned())),
            }
        }
        "PL" => Err(SgfError::Property(name.to_owned())),
        _ => Ok(()),
    }
}

fn value<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    node.property(name)?.first().map(String::as_str)
}

/// The komi of a game, in points. `None`: it has none, or none that can be understood.
pub fn komi(root: &Node) -> Option<f32> {
    // Some programs write a comma for the point.
    let number = value(root, "KM")?.trim().replace(',', ".").parse::<f64>().ok()?;
    let programs = root.items.iter().filter_map(|item| match item {
        Item::Property(name, values) if name == "AP" => values.first(),
        _ => None,
    });
    let is_of = |name: &str| {
        programs
            .clone()
            .any(|text| text.split(':').next().unwrap_or_default().trim().eq_ignore_ascii_case(name))
    };
    let points = match number {
        // What this program wrote is points.
        number if is_of("sanqi") => Some(number as f32),
        // Fox writes hundredths of a 子, of which the least are quarters.
        number if is_of("foxwq") && number.abs() < 100.0 && number % 25.0 == 0.0 => {
            komi_points(number / 100.0)
        }
        number => komi_points(number),
    };
    points.filter(|points| points.abs() <= MAX_KOMI)
}

/// Komi in points, from a number that may also be of 子 (2.75, 3.75: quarters do not occur in points) or of
/// hundredths (375, as one large server writes it). `None`: no sensible number.
pub fn komi_points(number: f64) -> Option<f32> {
    let number = if number.abs() >= 100.0 { number / 100.0 } else { number };
    let zi = (number * 4.0).fract() == 0.0 && (number * 2.0).fract() != 0.0;
    let points = if zi { number * 2.0 } else { number };
    points.is_finite().then_some(points as f32)
}
