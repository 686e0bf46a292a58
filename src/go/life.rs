//! Unconditional life: what cannot be captured even if its owner passes forever.
//!
//! Source: David Benson, "Life in the game of Go" (1976),
//! <https://senseis.xmp.net/?BensonsAlgorithm>. A region that safe chains enclose is territory when the
//! opponent cannot have two eyes in it: an eye needs a point without a safe stone beside it, and two eyes need
//! two such points that are not neighbors.

use super::board::Board;
use super::types::{BLACK, Color, Point, PointSet, WHITE};
use crate::game::Side;

/// What needs no further move, by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unconditional {
    /// Stones that cannot be captured.
    pub alive: [PointSet; 2],
    /// Points that such stones enclose and where the opponent cannot live: empty, or with stones (the
    /// opponent's are dead there).
    pub territory: [PointSet; 2],
}

impl Unconditional {
    /// Whose a point is for certain, stones and territory alike.
    pub fn owner(&self, v: Point) -> Option<Side> {
        [BLACK, WHITE]
            .into_iter()
            .find(|side| self.alive[side.index()].contains(v) || self.territory[side.index()].contains(v))
    }
}

/// Finds what is unconditionally alive and owned. `suicide`: whether the rules allow it, which makes eyes
/// with stones in them less safe.
pub fn unconditional(board: &Board, suicide: bool) -> Unconditional {
    let mut out = Unconditional::default();
    for side in [BLACK, WHITE] {
        let alive = alive(board, side, suicide);
        out.territory[side.index()] = territory(board, side, &alive);
        out.alive[side.index()] = alive;
    }
    out
}

/// A connected region without stones of one side.
struct Region {
    /// Roots of the chains around it.
    around: PointSet,
    /// Roots of the chains that touch every point of it that is empty.
    vital: PointSet,
}

/// Benson's algorithm: drops chains without two vital regions, and regions with a dropped chain around them,
/// until nothing changes.
fn alive(board: &Board, side: Side, suicide: bool) -> PointSet {
    let own = Color::of(side);
    let stones = || board.points().filter(|&v| board.color(v) == own);
    let mut chains: Vec<Point> = stones().filter(|&v| board.root(v) == v).collect();
    let others = board.points().filter(|&v| board.color(v) != own).collect();
    let mut regions: Vec<Region> =
        components(others).iter().map(|points| describe(board, points, own, suicide)).collect();
    loop {
        let before = chains.len();
        chains.retain(|&chain| regions.iter().filter(|r| r.vital.contains(chain)).count() >= 2);
        if chains.len() == before {
            break;
        }
        regions.retain(|region| region.around.iter().all(|chain| chains.contains(&chain)));
    }
    let chains: PointSet = chains.into_iter().collect();
    stones().filter(|&v| chains.contains(board.root(v))).collect()
}

fn describe(board: &Board, points: &[Point], own: Color, suicide: bool) -> Region {
    let roots = |v: &Point| -> PointSet {
        v.neighbors().into_iter().filter(|&n| board.color(n) == own).map(|n| board.root(n)).collect()
    };
    let around: PointSet = points.iter().flat_map(|v| roots(v).iter().collect::<Vec<_>>()).collect();
    let mut vital = around;
    for v in points.iter().filter(|&&v| suicide || board.is_empty(v)) {
        let beside = roots(v);
        vital = vital.iter().filter(|&chain| beside.contains(chain)).collect();
    }
    Region { around, vital }
}

/// Regions around which all stones are safe, and in which the opponent cannot have two eyes.
fn territory(board: &Board, side: Side, alive: &PointSet) -> PointSet {
    if alive.is_empty() {
        return PointSet::EMPTY;
    }
    let open = board.points().filter(|&v| !alive.contains(v)).collect();
    let hopeless = |points: &&Vec<Point>| {
        let eyes: Vec<Point> =
            points.iter().copied().filter(|v| v.neighbors().iter().all(|&n| !alive.contains(n))).collect();
        !eyes.iter().any(|v| eyes.iter().any(|w| v != w && !v.neighbors().contains(w)))
    };
    debug_assert!(alive.iter().all(|v| board.color(v) == Color::of(side)));
    components(open).iter().filter(hopeless).flatten().copied().collect()
}

/// The connected parts of a set of points.
pub(super) fn components(mut set: PointSet) -> Vec<Vec<Point>> {
    let mut out = Vec::new();
    while let Some(first) = set.first() {
        set.remove(first);
        let mut part = vec![first];
        let mut at = 0;
        while let Some(&v) = part.get(at) {
            at += 1;
            for n in v.neighbors() {
                if set.contains(n) {
                    set.remove(n);
                    part.push(n);
                }
            }
        }
        out.push(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::coords;
    use crate::go::testing::board;

    fn names(board: &Board, set: &PointSet) -> String {
        set.iter().map(|v| coords::vertex(board, v)).collect::<Vec<_>>().join(" ")
    }

    /// Alive stones and territory of Black, as numbers of points.
    fn black(rows: &[&str]) -> (usize, usize) {
        let found = unconditional(&board(rows), false);
        (found.alive[0].len(), found.territory[0].len())
    }

    #[test]
    fn two_eyes_live_and_one_does_not() {
        assert_eq!(black(&[".X.X.", "XXXXX", "....."]).0, 7);
        assert_eq!(black(&["..XX.", "XXXX.", "....."]), (0, 0));
    }

    #[test]
    fn chains_live_together_by_eyes_they_share() {
        // Two chains, not connected, around two eyes that each of them touches.
        assert_eq!(black(&["....", "XX..", "X.X.", ".XX."]).0, 6);
        // Without the stone in the edge the one above stands alone, and the eye it guards is false.
        assert_eq!(black(&["....", ".X..", "X.X.", ".XX."]).0, 0);
    }

    #[test]
    fn a_region_is_vital_only_to_chains_that_touch_all_its_empty_points() {
        // The eye on the left has a point in the corner that no black stone touches.
        assert_eq!(black(&["..XX.X", "..XXXX", "XXX...", "......"]).0, 0);
        // With an enemy stone there it is vital again: every empty point is touched.
        assert_eq!(black(&["O.XX.X", "X.XXXX", "XXX...", "......"]).0, 11);
    }

    #[test]
    fn enemy_stones_that_cannot_make_two_eyes_are_in_the_territory() {
        let rows = [".X.X...", "XXXXXXX", "......X", ".O..XXX", "....X..", "XXXXX.."];
        let found = unconditional(&board(&rows), false);
        let b = board(&rows);
        assert!(found.alive[0].len() > 10);
        // White still has room for two eyes on the left.
        assert!(!found.territory[0].contains(Point::new(1, 2)), "{}", names(&b, &found.territory[0]));
        let rows = [".X.X...", "XXXXXXX", ".OO.XXX", "XXXXX..", "......."];
        let found = unconditional(&board(&rows), false);
        assert_eq!(found.owner(Point::new(1, 2)), Some(BLACK));
        // Below there is room for one eye, not for two.
        assert_eq!(found.owner(Point::new(0, 0)), Some(BLACK));
    }

    #[test]
    fn seki_is_not_unconditional_life() {
        let rows = ["OX.OX..", "OXXOX..", "OOOOX..", "XXXXX..", "......."];
        assert_eq!(unconditional(&board(&rows), false).alive[1].len(), 0);
    }

    #[test]
    fn an_empty_board_has_no_owner() {
        assert_eq!(unconditional(&Board::new(19, 19), false), Unconditional::default());
    }
}
