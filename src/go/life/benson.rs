//! Benson's algorithm, without memory from the heap: the net of Go asks it of every position.

use crate::game::Side;
use crate::go::board::Board;
use crate::go::types::{CELLS, Color, MAX_SIZE, Point, PointSet};
use arrayvec::ArrayVec;
use std::ops::Range;

const POINTS: usize = MAX_SIZE * MAX_SIZE;

/// What of one side is alive even if the side passes forever.
pub struct Alive {
    pub stones: PointSet,
    /// The points of the regions that are vital to a chain alive and have none but such chains around.
    pub eyes: PointSet,
}

/// Finds what is alive. `suicide`: whether the rules allow it, which makes eyes with stones in them less
/// safe.
pub fn alive(board: &Board, side: Side, suicide: bool) -> Alive {
    let (points, links, regions) = (ArrayVec::new(), ArrayVec::new(), ArrayVec::new());
    let mut benson = Benson { board, own: Color::of(side), points, links, regions, eyes: [0; CELLS] };
    benson.find_regions(suicide);
    benson.drop_unsafe();
    Alive { stones: benson.stones(), eyes: benson.eyes() }
}

/// A connected region without stones of one side.
struct Region {
    /// Its points, in [`Benson::points`].
    points: Range<u16>,
    /// The chains around it, in [`Benson::links`].
    links: Range<u16>,
    /// Whether every chain around it may still be alive.
    is_safe: bool,
}

/// A chain beside a region.
#[derive(Clone, Copy)]
struct Link {
    chain: Point,
    /// Whether the chain touches every point of the region that is empty. With suicide: every point.
    is_vital: bool,
}

/// The algorithm's memory. It is large, and stays where it is.
struct Benson<'a> {
    board: &'a Board,
    own: Color,
    /// The points of the regions, region by region.
    points: ArrayVec<Point, POINTS>,
    /// The links of the regions, region by region.
    links: ArrayVec<Link, { 4 * POINTS }>,
    regions: ArrayVec<Region, POINTS>,
    /// Safe regions that are vital to a chain, by the chain's root.
    eyes: [u16; CELLS],
}

/// Vital regions without which a chain is not safe.
const TWO: u16 = 2;

impl Benson<'_> {
    fn stones(&self) -> PointSet {
        if !self.regions.iter().any(|region| region.is_safe && !region.links.is_empty()) {
            return PointSet::EMPTY;
        }
        let is_alive =
            |&v: &Point| self.board.color(v) == self.own && self.eyes[self.board.root(v).index()] >= TWO;
        self.board.points().filter(is_alive).collect()
    }

    fn eyes(&self) -> PointSet {
        let is_eye = |region: &&Region| region.is_safe && self.links(region).iter().any(|link| link.is_vital);
        let points = |region: &Region| {
            let Range { start, end } = region.points;
            self.points[start.into()..end.into()].iter().copied()
        };
        self.regions.iter().filter(is_eye).flat_map(points).collect()
    }

    fn links(&self, region: &Region) -> &[Link] {
        let Range { start, end } = region.links;
        &self.links[start.into()..end.into()]
    }

    fn find_regions(&mut self, suicide: bool) {
        let (board, own) = (self.board, self.own);
        let mut seen = PointSet::EMPTY;
        // By the root of a chain: the last region that met it, counted from 1, and how many points it touches
        // there.
        let (mut met, mut touched) = ([0u16; CELLS], [0u16; CELLS]);
        for start in board.points() {
            if board.color(start) == own || !seen.insert(start) {
                continue;
            }
            let (first_point, first_link) = (self.points.len(), self.links.len());
            let number = self.regions.len() as u16 + 1;
            self.points.push(start);
            let (mut at, mut needed) = (first_point, 0);
            while at < self.points.len() {
                let v = self.points[at];
                at += 1;
                let is_needed = suicide || board.is_empty(v);
                needed += u16::from(is_needed);
                let mut beside = ArrayVec::<Point, 4>::new();
                for n in v.neighbors() {
                    match board.color(n) {
                        Color::Border => {}
                        color if color == own => {
                            let chain = board.root(n);
                            if !beside.contains(&chain) {
                                beside.push(chain);
                            }
                        }
                        _ if seen.insert(n) => self.points.push(n),
                        _ => {}
                    }
                }
                for chain in beside {
                    if met[chain.index()] != number {
                        (met[chain.index()], touched[chain.index()]) = (number, 0);
                        self.links.push(Link { chain, is_vital: false });
                    }
                    touched[chain.index()] += u16::from(is_needed);
                }
            }
            for link in &mut self.links[first_link..] {
                link.is_vital = touched[link.chain.index()] == needed;
                self.eyes[link.chain.index()] += u16::from(link.is_vital);
            }
            // Both lengths are below 4 · 625.
            let points = first_point as u16..self.points.len() as u16;
            let links = first_link as u16..self.links.len() as u16;
            self.regions.push(Region { points, links, is_safe: true });
        }
    }

    /// Drops regions beside a chain with less than two vital ones, until nothing changes.
    fn drop_unsafe(&mut self) {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for region in self.regions.iter_mut().filter(|region| region.is_safe) {
                let links = &self.links[region.links.start.into()..region.links.end.into()];
                if links.iter().any(|link| self.eyes[link.chain.index()] < TWO) {
                    (region.is_safe, is_changed) = (false, true);
                    for link in links.iter().filter(|link| link.is_vital) {
                        self.eyes[link.chain.index()] -= 1;
                    }
                }
            }
        }
    }
}
