//! Go: legality by superko, the end by two passes, counting once it is known what is dead.

use super::Referee;
use crate::game::{Game, Side};
use crate::games::record::{Ending, GoSetup, Reason, Style};
use crate::go::{MAX_KOMI, Move, PointSet, Position, Rules, coords, score};

/// A game of Go.
#[derive(Clone)]
pub struct Stones {
    pos: Position,
}

impl Stones {
    /// An empty board, or one with fixed handicap stones.
    /// # Errors
    /// A size, komi, rule set or handicap that does not exist.
    pub fn new(setup: &GoSetup) -> Result<Self, String> {
        if !(2..=25).contains(&setup.size) {
            return Err(format!("board size {} is not within 2 to 25", setup.size));
        }
        // A komi that is no number fails as well.
        if !(-MAX_KOMI..=MAX_KOMI).contains(&setup.komi) {
            return Err(format!("komi {} is not within -{MAX_KOMI} to {MAX_KOMI}", setup.komi));
        }
        let rules = Rules::parse(&setup.rules).map_err(|e| e.to_string())?;
        let mut pos = Position::new(setup.size, setup.size, rules);
        pos.set_komi(setup.komi);
        if !setup.stones.is_empty() {
            let stones: Vec<_> = setup.stones.iter().map(|(side, vertex)| (*side, vertex.as_str())).collect();
            let to_move = if setup.handicap > 1 { Side::Second } else { Side::First };
            pos = Self::with_stones(pos, &stones, to_move)?;
            pos.set_handicap_count(u32::try_from(setup.handicap).unwrap_or(0));
        } else if setup.handicap > 1 {
            let points = coords_of_handicap(setup)?;
            pos.set_handicap(&points);
        }
        if let Some(first) = setup.first {
            pos.set_side_to_move(first);
        }
        Ok(Self { pos })
    }

    /// A board with these stones on it; handicap is theirs to be.
    /// # Errors
    /// As [`new`](Self::new); a vertex that is no point of the board or is named twice, a stone without liberties.
    pub fn set_up(setup: &GoSetup, stones: &[(Side, &str)], to_move: Side) -> Result<Self, String> {
        let empty = GoSetup { handicap: 0, stones: Vec::new(), first: None, ..setup.clone() };
        Ok(Self { pos: Self::with_stones(Self::new(&empty)?.pos, stones, to_move)? })
    }

    /// The same board with these stones alone.
    fn with_stones(mut pos: Position, stones: &[(Side, &str)], to_move: Side) -> Result<Position, String> {
        let mut points = Vec::with_capacity(stones.len());
        for &(side, text) in stones {
            let v = coords::parse_vertex(pos.board(), text).filter(|v| v.is_stone());
            let v = v.ok_or_else(|| format!("{text:?} is not a point of the board"))?;
            if points.iter().any(|&(_, other)| other == v) {
                return Err(format!("{text} is named twice"));
            }
            points.push((side, v));
        }
        pos.set_up(points.iter().copied(), to_move);
        match points.iter().find(|&&(side, v)| pos.board().color(v).side() != Some(side)) {
            Some(&(_, v)) => Err(format!("the stone on {} has no liberty", coords::vertex(pos.board(), v))),
            None => Ok(pos),
        }
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.pos
    }

    /// Plays a move of a record: also one that the rules forbid, but the board allows (ko, suicide).
    /// # Errors
    /// Says why it cannot be played.
    pub fn play_recorded(&mut self, text: &str) -> Result<(), String> {
        let v = self.vertex(text)?;
        self.pos.play_recorded(self.pos.side_to_move(), v).map_err(|e| e.to_string())
    }

    fn vertex(&self, text: &str) -> Result<Move, String> {
        coords::parse_vertex(self.pos.board(), text).ok_or_else(|| format!("{text:?} is not a vertex"))
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
        let detail = format!("{margin} ({})", margin.chinese(self.pos.rules().scoring));
        Ending { winner: margin.winner(), reason: Reason::Counted, detail }
    }
}

/// The fixed handicap points of GTP: corners, center, sides.
fn coords_of_handicap(setup: &GoSetup) -> Result<Vec<crate::go::Point>, String> {
    let vertices = fixed_handicap(setup.size, setup.handicap)
        .ok_or_else(|| format!("no {} handicap stones on {}x{}", setup.handicap, setup.size, setup.size))?;
    Ok(vertices.into_iter().map(|(col, row)| crate::go::Point::new(col, row)).collect())
}

/// Columns and rows of the fixed handicap stones (GTP 2, section 4.1.1). `None`: there are none for that
/// size and number.
#[allow(clippy::arithmetic_side_effects, reason = "the size is at least 7 where there are any")]
pub fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<(usize, usize)>> {
    let most = match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
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

    fn make(&mut self, text: &str) -> Result<(), String> {
        let (side, v) = (self.side_to_move(), self.vertex(text)?);
        self.pos.play(side, v).map_err(|e| e.to_string())
    }

    fn goes_on_after(&self, mv: &str) -> bool {
        coords::parse_vertex(self.pos.board(), mv)
            .is_some_and(|v| self.pos.clone().play(self.side_to_move(), v).is_ok())
    }

    fn captures(&self, _: &str) -> bool {
        // There are no offers of draws, so nobody asks.
        false
    }

    fn coordinates(&self, text: &str) -> String {
        let board = self.pos.board();
        coords::parse_vertex(board, text).map_or_else(|| text.to_owned(), |v| coords::vertex(board, v))
    }

    fn notation(&self, _: &str, _: Style) -> String {
        String::new()
    }

    fn ending(&self) -> Option<Ending> {
        None
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
        let setup = GoSetup { size: 5, ..GoSetup::default() };
        let set_up = |stones: &[(Side, &str)]| Stones::set_up(&setup, stones, Side::Second);
        let (black, white) = (Side::First, Side::Second);
        let mut game = set_up(&[(black, "A1"), (black, "A2"), (white, "E5")]).unwrap();
        assert_eq!(game.side_to_move(), white);
        assert!(game.play("A2").is_err() && game.play("B2").is_ok());
        for bad in [&[(black, "A1"), (white, "A2"), (white, "B1")][..], &[(black, "Z9")], &[(black, "pass")]]
        {
            assert!(set_up(bad).is_err(), "{bad:?}");
        }
        assert!(set_up(&[(black, "A1"), (white, "A1")]).is_err_and(|why| why == "A1 is named twice"));
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
        assert_eq!(game.play("D3").unwrap_err(), "ko");
        assert!(game.play("Z9").is_err());
        let ending = game.count(&PointSet::EMPTY);
        assert_eq!(ending.reason, Reason::Counted);
    }
}
