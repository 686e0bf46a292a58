//! A game of Go under way, as GTP changes it: moves, set-up, handicap, komi, rules. Everything that crosses
//! its border is text: vertices are written `D4`, a pass `pass`.

use super::handicap;
use crate::ensure;
use crate::errors;
use crate::game::Side;
use crate::go::{BLACK, Board, Color, MAX_KOMI, MAX_SIZE, Point, PointSet, Position, Rules, coords, life};
use crate::message;
use crate::util::message::Message;

/// Smallest board. On a single point there is no game.
pub const MIN_SIZE: usize = 2;

errors! {
    /// Why something cannot be done in the game; nothing has changed then.
    pub enum GameError {
        Size = "unacceptable size" | "不能用这种棋盘大小",
        Illegal = "illegal move" | "着法不合规则",
        Coordinate = "invalid coordinate" | "坐标无效",
        Undo = "cannot undo" | "不能悔棋",
        NotEmpty = "board not empty" | "棋盘上有子",
        Handicap = "invalid handicap" | "让子数无效",
        Repeated = "repeated vertex" | "坐标重复",
        Komi = "invalid komi" | "贴目无效",
        Other(why: Message) = "{why}" | "{why}",
    }
}

/// A game, and what was on the board before each set-up of it.
pub struct GameState {
    pub(super) position: Position,
    /// Positions before handicap and other set-up: each is one thing to take back.
    before: Vec<Position>,
    /// The handicap that stones placed by plain moves make.
    placed: u32,
}

impl Default for GameState {
    fn default() -> Self {
        Self { position: Position::new(19, 19, Rules::CHINESE), before: Vec::new(), placed: 0 }
    }
}

impl GameState {
    pub fn size(&self) -> (usize, usize) {
        (self.position.board().width(), self.position.board().height())
    }

    /// Changes the size; the board is empty then. Rules and komi stay.
    pub fn set_size(&mut self, columns: usize, rows: usize) -> Result<(), GameError> {
        let fits = |n: usize| (MIN_SIZE..=MAX_SIZE).contains(&n);
        ensure!(fits(columns) && fits(rows), GameError::Size);
        let mut position = Position::new(columns, rows, *self.position.rules());
        position.set_komi(self.position.komi());
        *self = Self { position, before: Vec::new(), placed: 0 };
        Ok(())
    }

    /// Takes all stones off and begins anew. Rules and komi stay.
    pub fn clear(&mut self) {
        self.position.set_up([], BLACK);
        self.before.clear();
        self.placed = 0;
    }

    pub fn komi(&self) -> f64 {
        let komi = self.position.komi();
        // 6.7 rather than the nearest 32-bit float.
        komi.to_string().parse().unwrap_or_else(|_| f64::from(komi))
    }

    /// Sets the points given to White.
    /// # Errors
    /// [`GameError::Komi`] when it is not a number of at most 1000.
    pub fn set_komi(&mut self, komi: f64) -> Result<(), GameError> {
        // `nan` fails the comparison too.
        if komi.abs() <= f64::from(MAX_KOMI) {
            // No negative zero.
            let komi = komi as f32 + 0.0;
            self.position.set_komi(komi);
            for position in &mut self.before {
                position.set_komi(komi);
            }
            Ok(())
        } else {
            Err(GameError::Komi)
        }
    }

    /// A vertex in its one spelling (`D4`, `pass`). `None`: not one of this board.
    pub fn vertex(&self, text: &str) -> Option<String> {
        self.parse(text).map(|v| self.name(v))
    }

    pub(super) fn parse(&self, text: &str) -> Option<Point> {
        coords::parse_vertex(self.position.board(), text)
    }

    pub(super) fn name(&self, v: Point) -> String {
        coords::vertex(self.position.board(), v)
    }

    fn names(&self, points: impl IntoIterator<Item = Point>) -> Vec<String> {
        points.into_iter().map(|v| self.name(v)).collect()
    }

    /// A point of the board, not a pass.
    pub(super) fn point(&self, text: &str) -> Result<Point, GameError> {
        self.parse(text).filter(|v| v.is_stone()).ok_or(GameError::Coordinate)
    }

    // ---- moves

    /// Plays a move or a pass for `side`, in or out of turn.
    pub fn play(&mut self, side: Side, vertex: &str) -> Result<(), GameError> {
        let v = self.parse(vertex).ok_or(GameError::Coordinate)?;
        self.position.play(side, v).map_err(|_| GameError::Illegal)?;
        self.count_placed();
        Ok(())
    }

    /// Plays a move of a record: one that the rules forbid, but the board allows (ko, suicide), is made.
    /// # Errors
    /// No vertex, off the board or occupied.
    pub fn play_recorded(&mut self, side: Side, vertex: &str) -> Result<(), GameError> {
        let v = self.parse(vertex).ok_or(GameError::Coordinate)?;
        self.position.play_recorded(side, v).map_err(|_| GameError::Illegal)?;
        self.count_placed();
        Ok(())
    }

    /// Black's stones in a row at the start, on an empty board, are handicap: servers and programs that know
    /// no command for it place handicap so. White may pass between them. Where White's stones follow in a row
    /// as well, the moves set up a position. KataGo counts them in this way, too.
    fn count_placed(&mut self) {
        let board = self.position.start_board();
        if board.empty_count() < board.area() {
            return;
        }
        let moves = self.position.moves();
        let stones = moves.iter().filter(|(_, v)| v.is_stone());
        let stones = stones.take_while(|&&(side, _)| side == BLACK).count() as u32;
        let first_white = moves.iter().position(|&(side, v)| side != BLACK && v.is_stone());
        let is_set_up = first_white.and_then(|at| moves.get(at + 1)).is_some_and(|&(side, _)| side != BLACK);
        let placed = if stones > 1 && !is_set_up { stones } else { 0 };
        if placed != self.placed {
            self.placed = placed;
            self.position.set_handicap_count(placed);
        }
    }

    /// Plays these moves, all or none.
    pub fn play_all(&mut self, moves: &[(Side, impl AsRef<str>)]) -> Result<(), GameError> {
        let before = self.position.moves().len();
        let played = moves.iter().try_for_each(|(side, vertex)| {
            let v = self.parse(vertex.as_ref()).ok_or(GameError::Coordinate)?;
            self.position.play(*side, v).map_err(|_| GameError::Illegal)
        });
        if played.is_err() {
            self.position.rewind(before);
        }
        self.count_placed();
        played
    }

    /// Takes back a move, or a whole placement of set-up stones.
    pub fn undo(&mut self) -> Result<(), GameError> {
        if !self.position.undo() {
            self.position = self.before.pop().ok_or(GameError::Undo)?;
        }
        self.count_placed();
        Ok(())
    }

    /// Takes back `count` moves, all or none.
    pub fn undo_many(&mut self, mut count: usize) -> Result<(), GameError> {
        let possible = self.position.moves().len()
            + self.before.iter().map(|position| position.moves().len() + 1).sum::<usize>();
        ensure!(count <= possible, GameError::Undo);
        while count > 0 {
            let moves = self.position.moves().len();
            let own = count.min(moves);
            match own {
                0 => self.position = self.before.pop().ok_or(GameError::Undo)?,
                _ => self.position.rewind(moves - own),
            }
            count -= own.max(1);
        }
        self.count_placed();
        Ok(())
    }

    /// The moves since the last set-up, passes included.
    pub fn moves(&self) -> Vec<(Side, String)> {
        self.position.moves().iter().map(|&(side, v)| (side, self.name(v))).collect()
    }

    /// Points where `side` may play, row by row from the lower left; passing is always legal too.
    pub fn legal_points(&self, side: Side) -> Vec<String> {
        self.names(self.position.legal_points(side))
    }

    pub fn side_to_move(&self) -> Side {
        self.position.board().side_to_move()
    }

    pub fn set_side_to_move(&mut self, side: Side) {
        self.position.set_side_to_move(side);
    }

    /// Passes in a row, up to now.
    pub fn passes(&self) -> u32 {
        self.position.board().passes()
    }

    // ---- the board

    /// What is on every point, row by row from the top.
    pub fn board(&self) -> Vec<Option<Side>> {
        rows(self.position.board()).map(|v| self.position.board().color(v).side()).collect()
    }

    /// What is on a point.
    pub fn stone(&self, vertex: &str) -> Result<Option<Side>, GameError> {
        Ok(self.position.board().color(self.point(vertex)?).side())
    }

    pub fn stones(&self, side: Side) -> Vec<String> {
        let board = self.position.board();
        self.names(board.points().filter(|&v| board.color(v) == Color::of(side)))
    }

    /// Liberties of the chain on a point.
    /// # Errors
    /// [`GameError::Coordinate`] when it is not on the board or empty.
    pub fn liberties(&self, vertex: &str) -> Result<Vec<String>, GameError> {
        let board = self.position.board();
        let v = self.point(vertex)?;
        if board.color(v).side().is_none() {
            return Err(GameError::Other(message!("vertex must not be empty" | "该点没有子")));
        }
        let liberties: PointSet =
            board.chain(v).flat_map(Point::neighbors).filter(|&n| board.is_empty(n)).collect();
        Ok(self.names(liberties.iter()))
    }

    /// Whether any number of moves by one side can change what a point is: in GNU Go's words `alive`, `dead`,
    /// `black_territory`, `white_territory`, or `undecided`.
    /// # Errors
    /// [`GameError::Coordinate`] when it is not on the board.
    pub fn unconditional_status(&self, vertex: &str) -> Result<&'static str, GameError> {
        let board = self.position.board();
        let v = self.point(vertex)?;
        let owner = life::unconditional(board, self.position.rules().suicide).owner(v);
        Ok(match (owner, board.color(v).side()) {
            (None, _) => "undecided",
            (Some(owner), Some(side)) => {
                if owner == side {
                    "alive"
                } else {
                    "dead"
                }
            }
            (Some(Side::First), None) => "black_territory",
            (Some(Side::Second), None) => "white_territory",
        })
    }

    /// Stones that `side` has taken.
    pub fn captured_by(&self, side: Side) -> u32 {
        self.position.board().lost(side.other())
    }

    // ---- set-up

    /// Handicap stones on the board, as far as White is compensated for them.
    pub fn handicap(&self) -> u32 {
        self.position.handicap()
    }

    /// Places handicap stones on the star points.
    /// # Errors
    /// [`GameError::NotEmpty`]; [`GameError::Handicap`] for a number that this board has no place for.
    pub fn fixed_handicap(&mut self, stones: usize) -> Result<Vec<String>, GameError> {
        self.require_empty()?;
        let points = handicap::fixed(self.position.board(), stones).ok_or(GameError::Handicap)?;
        Ok(self.place_handicap(&points))
    }

    /// Places up to `stones` handicap stones: on star points, then wherever there is most room.
    /// # Errors
    /// [`GameError::NotEmpty`]; [`GameError::Handicap`] below two or for a full board.
    pub fn free_handicap(&mut self, stones: usize) -> Result<Vec<String>, GameError> {
        self.require_empty()?;
        let points = handicap::free(self.position.board(), stones).ok_or(GameError::Handicap)?;
        Ok(self.place_handicap(&points))
    }

    /// Places these handicap stones.
    /// # Errors
    /// [`GameError::NotEmpty`], [`GameError::Coordinate`], [`GameError::Repeated`],
    /// [`GameError::Handicap`] for less than two or a full board.
    pub fn set_handicap(&mut self, vertices: &[&str]) -> Result<(), GameError> {
        self.require_empty()?;
        let mut points = Vec::with_capacity(vertices.len());
        for text in vertices {
            let v = self.point(text)?;
            ensure!(!points.contains(&v), GameError::Repeated);
            points.push(v);
        }
        ensure!(points.len() >= 2 && points.len() < self.position.board().area(), GameError::Handicap);
        self.place_handicap(&points);
        Ok(())
    }

    fn require_empty(&self) -> Result<(), GameError> {
        let board = self.position.board();
        if board.empty_count() == board.area() { Ok(()) } else { Err(GameError::NotEmpty) }
    }

    fn place_handicap(&mut self, points: &[Point]) -> Vec<String> {
        self.before.push(self.position.clone());
        self.position.set_handicap(points);
        self.names(points.iter().copied())
    }

    /// Replaces the game by one that begins with these stones. The turn is with the side that does not have
    /// the last stone of the list; Black when there is none.
    /// # Errors
    /// [`GameError::Coordinate`]; [`GameError::Repeated`]; a group without liberties is illegal.
    pub fn set_up(&mut self, stones: &[(Side, impl AsRef<str>)]) -> Result<(), GameError> {
        let to_move = stones.last().map_or(BLACK, |(side, _)| side.other());
        let stones: Vec<_> = stones.iter().map(|(side, text)| (Some(*side), text.as_ref())).collect();
        let position = self.with_stones(&[], &stones, to_move)?;
        *self = Self { position, before: Vec::new(), placed: 0 };
        Ok(())
    }

    /// Adds stones to the board, replacing what stands there, or takes some off (`None`), as one thing to
    /// take back. The moves before become part of the set-up.
    pub fn add_stones(&mut self, stones: &[(Option<Side>, impl AsRef<str>)]) -> Result<(), GameError> {
        let board = self.position.board();
        let present: Vec<(Side, Point)> =
            board.points().filter_map(|v| Some((board.color(v).side()?, v))).collect();
        let position = self.with_stones(&present, stones, board.side_to_move())?;
        self.before.push(std::mem::replace(&mut self.position, position));
        Ok(())
    }

    /// A game that begins with `present` overlaid by `stones`.
    fn with_stones(
        &self,
        present: &[(Side, Point)],
        stones: &[(Option<Side>, impl AsRef<str>)],
        to_move: Side,
    ) -> Result<Position, GameError> {
        let mut seen = PointSet::EMPTY;
        let mut all = Vec::with_capacity(present.len() + stones.len());
        for (side, text) in stones {
            let v = self.point(text.as_ref())?;
            ensure!(seen.insert(v), GameError::Repeated);
            all.extend(side.map(|side| (side, v)));
        }
        all.extend(present.iter().filter(|(_, v)| !seen.contains(*v)));
        let mut position = self.position.clone();
        position.set_up(all.iter().copied(), to_move);
        // Set-up takes off what has no liberty; a client that asks for them gets an error instead.
        if all.iter().any(|&(side, v)| position.board().color(v) != Color::of(side)) {
            return Err(GameError::Illegal);
        }
        Ok(position)
    }

    /// The board as a picture of characters, with what else is to know of the game.
    pub fn diagram(&self) -> String {
        let board = self.position.board();
        let turn = if self.side_to_move() == BLACK { "Black" } else { "White" };
        format!(
            "{}{turn} to move, komi {}, captured by Black {} by White {}, {} moves\n",
            self.position.diagram(),
            self.komi(),
            board.lost(BLACK.other()),
            board.lost(BLACK),
            self.position.moves().len(),
        )
    }

    // ---- rules

    pub fn rules_json(&self) -> String {
        self.position.rules().json()
    }

    /// Takes other rules, by name or as JSON. The komi stays.
    pub fn set_rules(&mut self, text: &str) -> Result<(), GameError> {
        let rules = Rules::parse(text).map_err(|e| GameError::Other(Message::of(&e)))?;
        self.each_position(|position| position.set_rules(rules));
        Ok(())
    }

    pub fn set_rule(&mut self, field: &str, value: &str) -> Result<(), GameError> {
        let mut rules = *self.position.rules();
        rules.set(field, value).map_err(|e| GameError::Other(Message::of(&e)))?;
        self.each_position(|position| position.set_rules(rules));
        Ok(())
    }

    fn each_position(&mut self, change: impl Fn(&mut Position)) {
        change(&mut self.position);
        self.before.iter_mut().for_each(change);
    }

    // ---- records

    /// The position, with the moves that led there.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Takes over the game of a record.
    /// # Errors
    /// [`GameError::Size`]: the board is too small to play on; nothing has changed then.
    pub fn load(&mut self, position: Position) -> Result<(), GameError> {
        ensure!(position.board().width().min(position.board().height()) >= MIN_SIZE, GameError::Size);
        self.replace(position);
        Ok(())
    }

    /// Takes over a game under way.
    pub fn replace(&mut self, position: Position) {
        *self = Self { position, before: Vec::new(), placed: 0 };
        self.count_placed();
    }
}

/// The points of a board, row by row from the top.
pub(super) fn rows(board: &Board) -> impl Iterator<Item = Point> + use<> {
    let (width, height) = (board.width(), board.height());
    (0..height).rev().flat_map(move |row| (0..width).map(move |col| Point::new(col, row)))
}
