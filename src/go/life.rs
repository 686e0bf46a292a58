//! Unconditional life: what cannot be captured even if its owner passes forever.
//!
//! Source: David Benson, "Life in the game of Go" (1976), <https://senseis.xmp.net/?BensonsAlgorithm>. What
//! safe chains enclose is territory when the opponent cannot live in it, even in a seki where only the
//! opponent moves. Without suicide that is found by playing his moves: he takes what he can, fills what he
//! cannot take, and divides his eyes; who is in atari after that is dead. The order of the moves, and the
//! seki of a pair of stones that he must not take, are the ideas that GNU Go explains in
//! `engine/unconditional.c`. With suicide he could empty his eye space again; territory then has a stricter
//! definition: an eye needs a point without a safe stone beside it, and two eyes two of these points that are
//! not neighbors.

mod benson;

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
        let alive = benson::alive(board, side, suicide).stones;
        out.territory[side.index()] = match alive.is_empty() {
            true => PointSet::EMPTY,
            false if suicide => hopeless_regions(board, &alive),
            false => Siege::new(board, side).territory(&alive),
        };
        out.alive[side.index()] = alive;
    }
    out
}

/// The stones of `side` that are unconditionally alive, and the points of the regions that are vital to one
/// of their chains and have none but such chains around.
pub fn pass_alive(board: &Board, side: Side, suicide: bool) -> PointSet {
    let benson::Alive { mut stones, eyes } = benson::alive(board, side, suicide);
    eyes.iter().for_each(|v| _ = stones.insert(v));
    stones
}

/// Regions around which all stones are safe, and in which the opponent has no room for two eyes.
fn hopeless_regions(board: &Board, alive: &PointSet) -> PointSet {
    let open = board.points().filter(|&v| !alive.contains(v)).collect();
    let hopeless = |points: &&Vec<Point>| {
        let eyes: Vec<Point> =
            points.iter().copied().filter(|v| v.neighbors().iter().all(|&n| !alive.contains(n))).collect();
        !eyes.iter().any(|v| eyes.iter().any(|w| v != w && !v.neighbors().contains(w)))
    };
    components(open).iter().filter(hopeless).flatten().copied().collect()
}

/// The board while the opponent of `side` makes one move after the other.
struct Siege {
    board: Board,
    side: Side,
}

impl Siege {
    fn new(board: &Board, side: Side) -> Self {
        Self { board: board.clone(), side }
    }

    /// What is territory of `side` around its `alive` stones.
    fn territory(mut self, alive: &PointSet) -> PointSet {
        let chains: Vec<Point> = self.chains(self.side).filter(|v| !alive.contains(*v)).collect();
        let (pairs, chains): (Vec<_>, Vec<_>) = chains.into_iter().partition(|&v| self.is_lonely_pair(v));
        while chains.iter().any(|&v| self.takes(v)) {}
        let walls: Vec<Point> = self.chains(self.side).filter(|v| alive.contains(*v)).collect();
        walls.iter().for_each(|&v| self.fill(v));
        while self.chains(self.side.other()).collect::<Vec<_>>().into_iter().any(|v| self.extends(v)) {}
        for &pair in &pairs {
            self.make_room(pair);
        }
        pairs.into_iter().for_each(|v| self.fill(v));
        for chain in self.chains(self.side.other()).collect::<Vec<_>>() {
            self.divide(chain);
        }
        let mut out: PointSet = walls.into_iter().flat_map(|v| self.liberties(v)).collect();
        for chain in self.chains(self.side.other()) {
            if let [liberty] = self.liberties(chain)[..] {
                self.board.chain(chain).chain([liberty]).for_each(|v| _ = out.insert(v));
            }
        }
        out
    }

    fn chains(&self, side: Side) -> impl Iterator<Item = Point> + '_ {
        let board = &self.board;
        board.points().filter(move |&v| board.color(v) == Color::of(side) && board.root(v) == v)
    }

    /// In the order of points; none for an empty point.
    fn liberties(&self, v: Point) -> Vec<Point> {
        let chain = if self.board.is_empty(v) { None } else { Some(self.board.chain(v)) };
        let beside = chain.into_iter().flatten().flat_map(Point::neighbors);
        beside.filter(|&n| self.board.is_empty(n)).collect::<PointSet>().iter().collect()
    }

    /// A stone of `mover`, if that is no suicide.
    fn play(&mut self, v: Point, mover: Side) -> bool {
        self.board.set_turn(mover, Point::NONE);
        let legal = self.board.is_empty(v) && self.board.is_legal(v, mover);
        if legal {
            self.board.play(v, &mut ());
        }
        legal
    }

    /// The opponent plays on every liberty of a chain.
    fn fill(&mut self, chain: Point) {
        for v in self.liberties(chain) {
            self.play(v, self.side.other());
        }
    }

    /// Whether the opponent takes the chain, which he tries.
    fn takes(&mut self, chain: Point) -> bool {
        if self.board.color(chain) != Color::of(self.side) {
            return false;
        }
        let before = self.board.clone();
        self.fill(chain);
        // A liberty that was suicide to fill as one of two takes the chain as the last.
        let taken = self.board.is_empty(chain) || {
            let left = self.liberties(chain);
            left.len() == 1 && self.play(left[0], self.side.other())
        };
        if !taken {
            self.board = before;
        }
        taken
    }

    /// Whether the opponent's chain is in atari and gets out, or at least grows.
    fn extends(&mut self, chain: Point) -> bool {
        self.board.atari_liberty(chain).is_some_and(|liberty| self.play(liberty, self.side.other()))
    }

    /// Whether the chain is of two stones, with neither edge nor another chain of its side around them.
    fn is_lonely_pair(&self, chain: Point) -> bool {
        let board = &self.board;
        let mut around = board.chain(chain).flat_map(|v| v.neighbors().into_iter().chain(v.diagonals()));
        board.chain_size(chain) == 2
            && around.all(|n| match board.color(n) {
                Color::Border => false,
                color => color != Color::of(self.side) || board.root(n) == board.root(chain),
            })
    }

    /// Two stones whose taking leaves but one eye, where the opponent lives in seki if he does not: a third
    /// stone makes room for two eyes.
    ///
    /// That is so when the empty points are one beyond each end of the pair and one beside each of its
    /// stones, on different sides, and when the two stones beside the pair that face these are of one chain.
    fn make_room(&mut self, pair: Point) {
        let stones: Vec<Point> = self.board.chain(pair).collect();
        let &[v, w] = &stones[..] else { return };
        for (low, high) in [(v, w), (w, v)] {
            let ((x, y), (x1, y1)) = (low.col_row(), high.col_row());
            let up = (x1 as isize - x as isize, y1 as isize - y as isize);
            for right in [(up.1, up.0), (-up.1, -up.0)] {
                // Steps up and right from the lower stone: all are on the board, for the pair is
                // lonely.
                let at = |u: isize, r: isize| {
                    let (dx, dy) = (u * up.0 + r * right.0, u * up.1 + r * right.1);
                    Point::new(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))
                };
                let open = [at(2, 0), at(-1, 0), at(0, 1), at(1, -1)];
                if open.iter().all(|&n| self.board.is_empty(n)) && self.are_joined(at(0, -1), at(1, 1)) {
                    self.play(open[1], self.side);
                    return;
                }
            }
        }
    }

    /// Whether stones of the opponent on both points are of one chain.
    fn are_joined(&self, a: Point, b: Point) -> bool {
        let mut after = Self::new(&self.board, self.side);
        let enemy = self.side.other();
        [a, b].into_iter().for_each(|v| _ = after.play(v, enemy));
        let board = &after.board;
        [a, b].iter().all(|&v| board.color(v) == Color::of(enemy)) && board.root(a) == board.root(b)
    }

    /// The opponent plays into an eye of two points, where it leaves most.
    fn divide(&mut self, chain: Point) {
        if self.board.color(chain) != Color::of(self.side.other()) {
            return;
        }
        let liberties = self.liberties(chain);
        if let &[a, b] = &liberties[..]
            && a.neighbors().contains(&b)
        {
            let better = if self.openness(b) > self.openness(a) { b } else { a };
            self.play(better, self.side.other());
        }
    }

    /// Empty points next to `v`, then liberties of the opponent's stone there.
    fn openness(&self, v: Point) -> (usize, usize) {
        let empty = v.neighbors().into_iter().filter(|&n| self.board.is_empty(n)).count();
        let mut after = Self::new(&self.board, self.side);
        after.play(v, self.side.other());
        (empty, after.liberties(v).len())
    }
}

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

    /// White surrounds a black pair, and Black surrounds White. Taking the pair leaves White a single eye.
    const PAIR: [&str; 9] = [
        ".XXXXXX.X",
        "XXOOOOXXX",
        "XOO.OOXX.",
        "XO.XOOXXX",
        "XOOX.OX.X",
        "XXO.OOXXX",
        "X.XOOOXX.",
        "XXXXXXXXX",
        ".X.X.X.X.",
    ];

    #[test]
    fn a_pair_that_must_not_be_taken_makes_a_seki() {
        let found = unconditional(&board(&PAIR), false);
        assert_eq!(found.owner(Point::new(3, 4)), None);
        assert_eq!(found.owner(Point::new(2, 6)), None);
        assert_eq!(found.owner(Point::new(1, 2)), Some(BLACK));
    }

    #[test]
    fn a_cut_undoes_the_seki() {
        let mut rows = PAIR;
        (rows[1], rows[2]) = ("XXXXOOXXX", "XOX.OOXX.");
        let b = board(&rows);
        let found = unconditional(&b, false);
        // All of it is Black's: his walls, the pair, White's two parts and what is between them.
        assert!(b.points().all(|v| found.owner(v) == Some(BLACK)), "{}", names(&b, &found.territory[0]));
        // With suicide White might empty his eye space and divide it anew.
        assert_eq!(unconditional(&b, true).owner(Point::new(1, 6)), None);
    }

    #[test]
    fn an_empty_board_has_no_owner() {
        assert_eq!(unconditional(&Board::new(19, 19), false), Unconditional::default());
    }
}
