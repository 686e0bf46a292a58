//! Go: legality by superko, the end by two passes, counting once it is known what is dead.

use super::Referee;
use crate::ensure;
use crate::game::{Game, Side};
use crate::games::record::{Ending, GoSetup, Reason, Style};
use crate::go::{MAX_KOMI, Move, Point, PointSet, Position, Rules, coords, score};
use crate::message;
use crate::util::message::Message;

#[derive(Clone)]
pub struct Stones {
    pos: Position,
}

impl Stones {
    /// The board at the start of a game.
    /// # Errors
    /// A size, komi, rule set or handicap that does not exist; a stone off the board, one that is named twice
    /// or has no liberty.
    pub fn new(setup: &GoSetup) -> Result<Self, Message> {
        let GoSetup { komi, handicap, .. } = *setup;
        let (columns, rows) = setup.board_size();
        if let Some(size) = [columns, rows].into_iter().find(|size| !(2..=25).contains(size)) {
            return Err(message!(
                "board size {size} is not within 2 to 25" | "棋盘大小 {size} 不在 2 至 25 之内",
                size
            ));
        }
        // A komi that is no number fails as well.
        ensure!(
            (-MAX_KOMI..=MAX_KOMI).contains(&komi),
            "komi {komi} is not within -{max} to {max}" | "贴目 {komi} 不在 -{max} 至 {max} 之内",
            komi,
            max = MAX_KOMI
        );
        let rules = Rules::parse(&setup.rules)?;
        let mut pos = Position::new(columns, rows, rules);
        pos.set_komi(komi);
        if !setup.stones.is_empty() {
            let to_move = if handicap > 1 { Side::Second } else { Side::First };
            place(&mut pos, &setup.stones, to_move)?;
            pos.set_handicap_count(u32::try_from(handicap).unwrap_or(0));
        } else if handicap > 1 {
            pos.set_handicap(&handicap_points(setup)?);
        }
        if let Some(first) = setup.first {
            pos.set_side_to_move(first);
        }
        Ok(Self { pos })
    }

    pub fn position(&self) -> &Position {
        &self.pos
    }

    fn vertex(&self, text: &str) -> Result<Move, Message> {
        coords::parse_vertex(self.pos.board(), text)
            .ok_or_else(|| message!("{text:?} is not a vertex" | "“{text}”不是棋盘上的点", text))
    }

    /// Stones that both lists of vertices name; vertices without a stone are left out.
    pub fn dead_stones(&self, vertices: &[String]) -> PointSet {
        let mut dead = PointSet::EMPTY;
        for text in vertices {
            if let Some(v) = coords::parse_vertex(self.pos.board(), text)
                && self.pos.board().contains(v)
                && !self.pos.board().is_empty(v)
            {
                dead.insert(v);
            }
        }
        dead
    }

    /// The end of the game when the stones of `dead` are taken off.
    pub fn count(&self, dead: &PointSet) -> Ending {
        let margin = score::margin(&self.pos, dead);
        let result = margin.chinese(self.pos.rules().scoring);
        let detail = match score::count_in_stones(&self.pos, dead) {
            Some(count) => {
                let chinese = format!("{margin} ({count:#}，{result})");
                Message::new(format!("{margin} ({count})"), chinese)
            }
            None => Message::new(margin.to_string(), format!("{margin} ({result})")),
        };
        Ending { winner: margin.winner(), reason: Reason::Counted, detail }
    }
}

/// Puts stones on an empty board.
fn place(pos: &mut Position, stones: &[(Side, String)], to_move: Side) -> Result<(), Message> {
    let mut points = Vec::with_capacity(stones.len());
    for (side, text) in stones {
        let v = coords::parse_vertex(pos.board(), text).filter(|v| v.is_stone());
        let v = v.ok_or_else(|| {
            message!("{text:?} is not a point of the board" | "“{text}”不是棋盘上的点", text)
        })?;
        if points.iter().any(|&(_, other)| other == v) {
            return Err(message!("{text} is named twice" | "{text} 出现了两次", text));
        }
        points.push((*side, v));
    }
    pos.set_up(points.iter().copied(), to_move);
    match points.iter().find(|&&(side, v)| pos.board().color(v).side() != Some(side)) {
        Some(&(_, v)) => Err(message!(
            "the stone on {vertex} has no liberty" | "{vertex} 上的棋子没有气",
            vertex = coords::vertex(pos.board(), v)
        )),
        None => Ok(()),
    }
}

/// The fixed handicap points of GTP: corners, center, sides.
fn handicap_points(setup: &GoSetup) -> Result<Vec<Point>, Message> {
    let (columns, rows) = setup.board_size();
    let points = handicap_of(setup).ok_or_else(|| {
        message!(
            "no {stones} handicap stones on {columns}x{rows}" | "{columns}x{rows} 的棋盘不能让 {stones} 子",
            stones = setup.handicap,
            columns,
            rows
        )
    })?;
    Ok(points.into_iter().map(|(col, row)| Point::new(col, row)).collect())
}

/// Columns and rows of the handicap stones of a game. `None`: there are none for the number and the board.
pub fn handicap_of(setup: &GoSetup) -> Option<Vec<(usize, usize)>> {
    let (columns, rows) = setup.board_size();
    fixed_handicap(columns, setup.handicap).filter(|_| columns == rows)
}

/// Columns and rows of the fixed handicap stones (GTP 2, section 4.1.1). `None`: there are none for that
/// size and number.
#[allow(clippy::arithmetic_side_effects, reason = "the size is at least 7 where there are any")]
pub fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<(usize, usize)>> {
    let max = match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=max).contains(&stones) {
        return None;
    }
    let near = if size > 12 { 3 } else { 2 };
    let (far, middle) = (size - 1 - near, size / 2);
    let corners = [(near, near), (far, far), (near, far), (far, near)];
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let mut points: Vec<_> = corners.into_iter().take(stones).collect();
    points.extend(sides.iter().take(stones.saturating_sub(4) & !1));
    if stones % 2 == 1 && stones > 4 {
        points.push((middle, middle));
    }
    Some(points)
}

impl Referee for Stones {
    fn side_to_move(&self) -> Side {
        self.pos.side_to_move()
    }

    fn legal(&self) -> Vec<String> {
        let points = self.pos.legal_points(self.side_to_move());
        points.into_iter().chain([Move::PASS]).map(|v| coords::vertex(self.pos.board(), v)).collect()
    }

    fn play(&mut self, mv: &str) -> Result<String, Message> {
        let (side, v) = (self.side_to_move(), self.vertex(mv)?);
        self.pos.play(side, v)?;
        Ok(coords::vertex(self.pos.board(), v))
    }

    fn play_recorded(&mut self, mv: &str) -> Result<String, Message> {
        let (side, v) = (self.side_to_move(), self.vertex(mv)?);
        self.pos.play_recorded(side, v)?;
        Ok(coords::vertex(self.pos.board(), v))
    }

    fn undo(&mut self, count: usize) {
        self.pos.rewind(self.pos.moves().len().saturating_sub(count));
    }

    fn read(&self, text: &str) -> Result<String, Message> {
        let vertex = coords::parse_vertex(self.pos.board(), text).ok_or_else(|| {
            message!("\"{text}\" is not a point of the board" | "“{text}”不是棋盘上的点", text)
        })?;
        let checked = self.pos.check(self.side_to_move(), vertex);
        checked.map_err(|why| {
            message!("\"{text}\" cannot be played: {why}" | "“{text}”不能下：{why}", text, why)
        })?;
        Ok(coords::vertex(self.pos.board(), vertex))
    }

    fn write(&self, mv: &str, _: Style) -> String {
        mv.to_owned()
    }

    fn coordinates(&self, mv: &str) -> String {
        let board = self.pos.board();
        coords::parse_vertex(board, mv).map_or_else(|| mv.to_owned(), |v| coords::vertex(board, v))
    }

    fn goes_on_after(&self, mv: &str) -> bool {
        self.vertex(mv).is_ok_and(|v| self.pos.check(self.side_to_move(), v).is_ok())
    }

    fn stones(&self) -> Option<&Stones> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_handicap_follows_the_protocol() {
        assert_eq!(fixed_handicap(19, 2), Some(vec![(3, 3), (15, 15)]));
        assert_eq!(fixed_handicap(9, 5).unwrap().last(), Some(&(4, 4)));
        assert_eq!(fixed_handicap(19, 9).unwrap().len(), 9);
        assert_eq!(fixed_handicap(19, 6).unwrap()[4..], [(3, 9), (15, 9)]);
        assert_eq!(fixed_handicap(8, 5), None);
        assert_eq!(fixed_handicap(19, 1), None);
    }

    #[test]
    fn stones_may_be_set_up_where_they_have_liberties() {
        let set_up = |stones: &[(Side, &str)]| {
            let stones = stones.iter().map(|&(side, vertex)| (side, vertex.to_owned())).collect();
            Stones::new(&GoSetup { size: 5, stones, first: Some(Side::Second), ..GoSetup::default() })
        };
        let (black, white) = (Side::First, Side::Second);
        let mut game = set_up(&[(black, "A1"), (black, "A2"), (white, "E5")]).unwrap();
        assert_eq!(game.side_to_move(), white);
        assert!(game.play("A2").is_err() && game.play("B2").is_ok());
        for bad in [&[(black, "A1"), (white, "A2"), (white, "B1")][..], &[(black, "Z9")], &[(black, "pass")]]
        {
            assert!(set_up(bad).is_err(), "{bad:?}");
        }
        let twice = set_up(&[(black, "A1"), (white, "A1")]).err();
        assert_eq!(twice.unwrap().to_string(), "A1 is named twice");
    }

    #[test]
    fn boards_may_have_more_rows_than_columns() {
        let on = |size, rows, handicap| GoSetup { size, rows: Some(rows), handicap, ..GoSetup::default() };
        let mut game = Stones::new(&on(9, 13, 0)).unwrap();
        assert!(game.play("J13").is_ok() && game.play("K1").is_err() && game.play("A14").is_err());
        assert!(Stones::new(&on(25, 2, 0)).is_ok() && Stones::new(&on(13, 13, 4)).is_ok());
        for (setup, why) in [
            (on(9, 13, 4), "no 4 handicap stones on 9x13"),
            (on(9, 26, 0), "board size 26 is not within 2 to 25"),
            (on(1, 9, 0), "board size 1 is not within 2 to 25"),
        ] {
            assert_eq!(Stones::new(&setup).err().unwrap().to_string(), why);
        }
    }

    #[test]
    fn every_spelling_of_a_vertex_has_one_form() {
        let game = Stones::new(&GoSetup { size: 9, ..GoSetup::default() }).unwrap();
        for (text, usual) in [("d4", "D4"), ("D04", "D4"), ("PASS", "pass"), ("Z9", "Z9")] {
            assert_eq!(game.coordinates(text), usual);
        }
    }

    #[test]
    fn superko_and_suicide_are_refused_and_areas_counted() {
        let mut game = Stones::new(&GoSetup { size: 5, komi: 0.5, ..GoSetup::default() }).unwrap();
        for mv in ["C4", "D4", "B3", "E3", "C2", "D2", "D3", "C3"] {
            game.play(mv).unwrap();
        }
        assert_eq!(game.play("D3").unwrap_err().to_string(), "ko");
        assert!(game.play("Z9").is_err());
        let ending = game.count(&PointSet::EMPTY);
        assert_eq!(ending.reason, Reason::Counted);
    }
}
