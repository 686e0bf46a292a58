//! Who owns what when the game has ended.

use super::*;
use crate::go::score::{self, Margin};
use crate::go::{Color, PointSet};

/// The status of every stone and point, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The result: `B+7.5`, `W+0.5`, `0`.
    pub score: String,
    /// Name of a status, and the groups that have it.
    parts: Vec<(&'static str, Vec<Vec<String>>)>,
}

impl Status {
    /// The groups of one status: `dead`, `alive`, `seki`, `black_territory`, `white_territory`, `dame`.
    /// `None`: there is no such status.
    pub fn groups(&self, status: &str) -> Option<&[Vec<String>]> {
        self.parts.iter().find(|(name, _)| *name == status).map(|(_, groups)| groups.as_slice())
    }

    /// The status of a point.
    pub fn of(&self, vertex: &str) -> Option<&'static str> {
        let holds = |groups: &Vec<Vec<String>>| groups.iter().flatten().any(|v| v == vertex);
        self.parts.iter().find(|(_, groups)| holds(groups)).map(|(name, _)| *name)
    }
}

impl GoEngine {
    /// The status of every stone and point on the board as it is.
    pub fn status(&mut self) -> Status {
        self.wait();
        let position = &self.table.position;
        let (dead, seki) = (PointSet::EMPTY, PointSet::EMPTY);
        describe(&self.table, score::margin(position, &dead, &seki), &dead, &seki)
    }
}

fn describe(table: &Table, margin: Margin, dead: &PointSet, seki: &PointSet) -> Status {
    let board = table.position.board();
    let count = score::count(board, dead);
    let names = |points: Vec<crate::go::Point>| points.into_iter().map(|v| table.name(v)).collect::<Vec<_>>();
    let chains = |wanted: &dyn Fn(crate::go::Point) -> bool| -> Vec<Vec<String>> {
        let heads = board.points().filter(|&v| board.color(v).side().is_some() && board.root(v) == v);
        heads.filter(|&v| wanted(v)).map(|v| names(board.chain(v).collect())).collect()
    };
    let points = |wanted: &dyn Fn(crate::go::Point) -> bool| -> Vec<Vec<String>> {
        let points = names(board.points().filter(|&v| board.color(v) == Color::Empty && wanted(v)).collect());
        if points.is_empty() { Vec::new() } else { vec![points] }
    };
    let owned = |side: Side| move |v| count_owned(&count.owned, side, v);
    Status {
        score: margin.to_string(),
        parts: vec![
            ("dead", chains(&|v| dead.contains(v))),
            ("seki", chains(&|v| seki.contains(v) && !dead.contains(v))),
            ("alive", chains(&|v| !seki.contains(v) && !dead.contains(v))),
            ("black_territory", points(&owned(Side::First))),
            ("white_territory", points(&owned(Side::Second))),
            ("dame", points(&|v| !count.owned.iter().any(|set| set.contains(v)))),
        ],
    }
}

fn count_owned(owned: &[PointSet; 2], side: Side, v: crate::go::Point) -> bool {
    owned[side.index()].contains(v)
}

impl Table {
    /// The result when just the stones on these points are dead; everything else is alive.
    /// # Errors
    /// [`TableError::Coordinate`] for what is not a point of the board.
    pub fn score_without(&self, dead: &[&str]) -> Result<String, TableError> {
        let dead = dead.iter().map(|text| self.point(text)).collect::<Result<PointSet, _>>()?;
        Ok(score::margin(&self.position, &dead, &PointSet::EMPTY).to_string())
    }
}
