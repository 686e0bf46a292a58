//! The board that playouts run on: chains as a union-find forest, no history.
//!
//! The board is a one-dimensional array with a border of one cell; neighboring rows share their border
//! column. A chain is a tree of the union-find forest. The root of the tree carries the chain's
//! *pseudo-liberties*: every pair of a stone and an empty neighbor counts once. One word packs the number of
//! pseudo-liberties, the sum of their indices and the sum of the squares of their indices, so that merging
//! two chains is one addition. By Cauchy-Schwarz `number * squares == sum * sum` holds exactly when all
//! pseudo-liberties are one point: this detects atari and finds the one liberty without walking the chain.
//! Each cell also carries the 3x3 pattern around it. Additions keep the pattern up to date, and a few bit
//! operations on it give the neighbors.
//!
//! The file is long because placing a stone, merging chains and capturing write the same private arrays, and
//! each relies on what the others leave there.
//!
//! Sources: pseudo-liberties after Łukasz Lew's libego; the sums after Rémi Coulom,
//! <https://www.mail-archive.com/computer-go@computer-go.org/msg07352.html>; union by size after Tarjan
//! (1975). What the arrays cost and the variants that were measured: `benches/playout.rs`.

use super::grid::{DIAGONALS, Grid, NEIGHBORS};
use super::pattern::{self, Pattern};
use super::types::{CELLS, Color, MAX_SIZE, Point, STRIDE};
use crate::game::{Observer, Side, key};

static STONE_KEYS: [[u64; CELLS]; 2] = key::table::<2, CELLS>(0x60_5701E5);
static SIZE_KEYS: [[u64; MAX_SIZE + 1]; 2] = key::table::<2, { MAX_SIZE + 1 }>(0x60_512E);
/// Turned into the key when White is to move.
pub(super) const SIDE_KEY: u64 = 0x9D39_247E_3377_6D41;

/// Stones on a board of any size up to 25x25, rectangles included, whose turn it is, and simple ko. Cheap to
/// copy (`clone_from` copies only the cells in use); knows no history: see [`Position`](super::Position).
pub struct Board {
    /// Packed pseudo-liberties, valid at roots of chains; anything elsewhere.
    libs: Grid<u64>,
    /// 3x3 pattern around a cell of the board; anything on the border.
    patterns: Grid<u16>,
    /// Root of the chain; itself for empty points and the border.
    root: Grid<u16>,
    /// Next stone of the chain, in a ring; valid at stones.
    next: Grid<u16>,
    /// Stones of the chain; valid at roots.
    size: Grid<u16>,
    /// Place of an empty point in `empties`.
    slot: Grid<u16>,
    /// The empty points, in no order: the first `n_empty` entries.
    empties: Grid<u16>,
    colors: Grid<Color>,
    n_empty: usize,
    width: usize,
    height: usize,
    stones_key: u64,
    side: Side,
    ko: Point,
    /// Last move and the one before it.
    last: [Point; 2],
    passes: u32,
    /// Stones on the board, by side.
    stones: [u32; 2],
    /// Stones that were taken off the board, by the side that lost them.
    lost: [u32; 2],
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self {
            libs: self.libs.clone(),
            patterns: self.patterns.clone(),
            root: self.root.clone(),
            next: self.next.clone(),
            size: self.size.clone(),
            slot: self.slot.clone(),
            empties: self.empties.clone(),
            colors: self.colors.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, other: &Self) {
        let n = other.cells();
        if (self.width, self.height) != (other.width, other.height) {
            *self = other.clone();
            return;
        }
        self.libs.copy_prefix(&other.libs, n);
        self.patterns.copy_prefix(&other.patterns, n);
        self.root.copy_prefix(&other.root, n);
        self.next.copy_prefix(&other.next, n);
        self.size.copy_prefix(&other.size, n);
        self.slot.copy_prefix(&other.slot, n);
        self.empties.copy_prefix(&other.empties, n);
        self.colors.copy_prefix(&other.colors, n);
        self.n_empty = other.n_empty;
        self.stones_key = other.stones_key;
        self.side = other.side;
        self.ko = other.ko;
        self.last = other.last;
        self.passes = other.passes;
        self.stones = other.stones;
        self.lost = other.lost;
    }
}

/// One pseudo-liberty on cell `v`: number, sum, sum of squares. No field can overflow: a 25x25 board has 1200
/// pairs of neighbors, and indices stay below 703, so that the squares sum up to less than 2^30.
#[inline(always)]
const fn liberty(v: usize) -> u64 {
    let v = v as u64;
    1 | v << 12 | (v * v) << 33
}

/// Packed pseudo-liberties of a single stone on `v`, with the pattern `around` it: the sum over the empty
/// neighbors' distances `d` of `liberty(v + d)`, multiplied out.
#[inline(always)]
const fn liberties_around(v: usize, around: u16) -> u64 {
    let (number, sum, squares) = FREE_SUMS[(!(around | around >> 1) & 0x55) as usize];
    let twice_v_sum = (2 * v as u64).wrapping_mul(sum);
    liberty(v)
        .wrapping_mul(number)
        .wrapping_add(sum << 12)
        .wrapping_add(twice_v_sum.wrapping_add(squares) << 33)
}

/// Number of empty neighbors, sum of their distances and sum of the squares of those, by the low bits of
/// their cells.
static FREE_SUMS: [(u64, u64, u64); 0x56] = {
    let mut out = [(0, 0, 0); 0x56];
    let mut mask = 0;
    while mask < out.len() {
        let mut i = 0;
        while i < 4 {
            if mask >> (2 * i) & 1 != 0 {
                let d = NEIGHBORS[i];
                out[mask].0 += 1;
                out[mask].1 = (out[mask].1 as i64 + d as i64) as u64;
                out[mask].2 += (d * d) as u64;
            }
            i += 1;
        }
        mask += 1;
    }
    out
};

const fn split(libs: u64) -> (u64, u64, u64) {
    (libs & 0xFFF, libs >> 12 & 0x1F_FFFF, libs >> 33)
}

/// Whether packed pseudo-liberties are all on one point (or there are none).
#[inline(always)]
const fn on_one_point(libs: u64) -> bool {
    let (number, sum, squares) = split(libs);
    number * squares == sum * sum
}

impl Board {
    /// An empty board, Black to move.
    ///
    /// Width and height are in `1..=25`; anything else is cut to that.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.clamp(1, MAX_SIZE), height.clamp(1, MAX_SIZE));
        let mut board = Self {
            libs: Grid::new(0),
            patterns: Grid::new(0),
            root: Grid::new(0),
            next: Grid::new(0),
            size: Grid::new(0),
            slot: Grid::new(0),
            empties: Grid::new(0),
            colors: Grid::new(Color::Border),
            n_empty: 0,
            width,
            height,
            stones_key: SIZE_KEYS[0][width] ^ SIZE_KEYS[1][height],
            side: Side::First,
            ko: Point::NONE,
            last: [Point::NONE; 2],
            passes: 0,
            stones: [0; 2],
            lost: [0; 2],
        };
        for v in 0..CELLS {
            board.root[v] = v as u16;
        }
        for v in board.points() {
            board.colors[v.index()] = Color::Empty;
            board.add_empty(v.index());
        }
        for v in board.points() {
            board.patterns[v.index()] = board.read_pattern(v);
        }
        board
    }

    // ---- geometry

    pub const fn width(&self) -> usize {
        self.width
    }

    pub const fn height(&self) -> usize {
        self.height
    }

    pub const fn area(&self) -> usize {
        self.width * self.height
    }

    /// Indices in use, border included: indices of points are below it.
    pub const fn cells(&self) -> usize {
        (self.height + 2) * STRIDE + 1
    }

    /// Number of the point counted row by row from the lower left, below [`area`](Self::area).
    pub const fn compact(&self, v: Point) -> usize {
        let (col, row) = v.col_row();
        row * self.width + col
    }

    /// Whether `v` is a point of this board (any value may be asked about).
    pub const fn contains(&self, v: Point) -> bool {
        !matches!(self.color(v), Color::Border)
    }

    /// All points, row by row from the lower left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |row| (0..width).map(move |col| Point::new(col, row)))
    }

    // ---- state

    #[inline(always)]
    pub const fn color(&self, v: Point) -> Color {
        self.colors.get(v.index())
    }

    #[inline(always)]
    pub const fn is_empty(&self, v: Point) -> bool {
        matches!(self.colors.get(v.index()), Color::Empty)
    }

    /// The empty points, in no particular order (which depends on the moves played, not on chance).
    #[inline(always)]
    pub fn empties(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.empties.prefix(self.n_empty).iter().map(|&v| Point::from_index(usize::from(v)))
    }

    #[inline(always)]
    pub const fn empty_count(&self) -> usize {
        self.n_empty
    }

    /// The `i`th of the [empty points](Self::empties), `i` below their number.
    #[inline(always)]
    pub const fn empty_at(&self, i: usize) -> Point {
        Point::from_index(self.empties.get(i) as usize)
    }

    /// Exchanges two places of the list of empty points: for drawing at random without replacement.
    #[inline(always)]
    pub fn swap_empties(&mut self, i: usize, j: usize) {
        debug_assert!(i < self.n_empty && j < self.n_empty);
        let (a, b) = (self.empties[i], self.empties[j]);
        self.empties[i] = b;
        self.empties[j] = a;
        self.slot[usize::from(b)] = i as u16;
        self.slot[usize::from(a)] = j as u16;
    }

    #[inline(always)]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// Gives the turn to `side`. A change of turn lifts the ko.
    pub const fn set_side_to_move(&mut self, side: Side) {
        if side as u8 != self.side as u8 {
            self.side = side;
            self.ko = Point::NONE;
        }
    }

    /// Gives the turn to `side`, which may not play on `ko`.
    pub(super) const fn set_turn(&mut self, side: Side, ko: Point) {
        (self.side, self.ko) = (side, ko);
    }

    /// The point that the side to move may not take back, or [`Point::NONE`].
    #[inline(always)]
    pub const fn ko(&self) -> Point {
        self.ko
    }

    /// The last move; [`Point::NONE`] at the start.
    #[inline(always)]
    pub const fn last_move(&self) -> Point {
        self.last[0]
    }

    #[inline(always)]
    pub const fn second_last_move(&self) -> Point {
        self.last[1]
    }

    /// Passes in a row, up to now.
    #[inline(always)]
    pub const fn passes(&self) -> u32 {
        self.passes
    }

    #[inline(always)]
    pub const fn stones(&self, side: Side) -> u32 {
        self.stones[side.index()]
    }

    /// Stones of a side that were captured (suicides included) since the board was empty.
    pub const fn lost(&self, side: Side) -> u32 {
        self.lost[side.index()]
    }

    /// Black's stones that came on the board less White's, since it was empty: what area counts and territory
    /// does not.
    pub const fn placed_difference(&self) -> i32 {
        let ([black, white], [black_lost, white_lost]) = (self.stones, self.lost);
        (black + black_lost) as i32 - (white + white_lost) as i32
    }

    /// Zobrist key of the stones, without the side to move.
    #[inline(always)]
    pub const fn stones_key(&self) -> u64 {
        self.stones_key
    }

    /// Key of the stones, the side to move and the ko.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        let side = if matches!(self.side, Side::Second) { SIDE_KEY } else { 0 };
        // A ko point is empty, so that turning its stone key by one bit cannot meet a stone.
        let ko = if self.ko.is_stone() { STONE_KEYS[0][self.ko.index()].rotate_left(1) } else { 0 };
        self.stones_key ^ side ^ ko
    }

    /// The 3x3 pattern around a point of the board.
    #[inline(always)]
    pub const fn pattern(&self, v: Point) -> Pattern {
        Pattern(self.patterns.get(v.index()))
    }

    // ---- chains

    /// Root of the chain of the stone on `v`: one point that stands for the chain.
    #[inline(always)]
    pub const fn root(&self, v: Point) -> Point {
        Point::from_index(self.find(v.index()))
    }

    /// Root of the chain of `v`; an empty or border cell is its own.
    #[inline(always)]
    const fn find(&self, v: usize) -> usize {
        self.find_near(v, 0)
    }

    /// Stones of the chain that the stone on `v` belongs to.
    #[inline(always)]
    pub const fn chain_size(&self, v: Point) -> u32 {
        self.size.get(self.find(v.index())) as u32
    }

    /// The stones of the chain of the stone on `v`, beginning with `v`.
    pub fn chain(&self, v: Point) -> impl Iterator<Item = Point> + '_ {
        let mut at = Some(v);
        std::iter::from_fn(move || {
            let stone = at?;
            let next = Point::from_index(usize::from(self.next[stone.index()]));
            at = (next != v).then_some(next);
            Some(stone)
        })
    }

    /// Pseudo-liberties of the chain: pairs of a stone and an empty neighbor. At least the number of
    /// liberties.
    #[inline(always)]
    pub const fn pseudo_liberties(&self, v: Point) -> u32 {
        split(self.libs.get(self.find(v.index()))).0 as u32
    }

    /// Whether the chain of the stone on `v` has exactly one liberty. O(1).
    #[inline(always)]
    pub const fn in_atari(&self, v: Point) -> bool {
        on_one_point(self.libs.get(self.find(v.index())))
    }

    /// The only liberty of the chain of the stone on `v`, if it is in atari. O(1).
    #[inline(always)]
    pub fn atari_liberty(&self, v: Point) -> Option<Point> {
        let libs = self.libs.get(self.find(v.index()));
        let (number, sum, _) = split(libs);
        // A chain on the board has a liberty, so `number` is not 0; `checked_div` keeps that out of the
        // trust.
        if on_one_point(libs) { sum.checked_div(number).map(|v| Point::from_index(v as usize)) } else { None }
    }

    /// The liberties of the chain of the stone on `v`, each once, until `out` is full. Walks the chain.
    pub fn liberties<const N: usize>(&self, v: Point, out: &mut arrayvec::ArrayVec<Point, N>) {
        out.clear();
        let mut seen = super::types::PointSet::EMPTY;
        for stone in self.chain(v) {
            for n in stone.neighbors() {
                if self.is_empty(n) && seen.insert(n) && out.try_push(n).is_err() {
                    return;
                }
            }
        }
    }

    /// Number of liberties of the chain of the stone on `v`, counted up to `limit`. Walks the chain.
    pub fn liberty_count(&self, v: Point, limit: usize) -> usize {
        if self.in_atari(v) {
            return limit.min(1);
        }
        let mut seen = super::types::PointSet::EMPTY;
        let mut count = 0;
        for stone in self.chain(v) {
            for n in stone.neighbors() {
                if self.is_empty(n) && seen.insert(n) {
                    count += 1;
                    if count >= limit {
                        return count;
                    }
                }
            }
        }
        count
    }

    // ---- legality

    /// Whether `side` may play on the empty point `v` by the rules that look only at this board: no suicide,
    /// and no immediate return in a ko.
    #[inline(always)]
    pub fn is_legal(&self, v: Point, side: Side) -> bool {
        debug_assert!(self.is_empty(v));
        self.pattern(v).has_liberty()
            || (!self.is_suicide_when_walled(v, side) && !(v == self.ko && side == self.side))
    }

    /// Whether a stone of `side` on the empty point `v` would leave its chain without a liberty.
    pub fn is_suicide(&self, v: Point, side: Side) -> bool {
        !self.pattern(v).has_liberty() && self.is_suicide_when_walled(v, side)
    }

    /// [`is_suicide`](Self::is_suicide) for a point without an empty neighbor.
    #[inline(always)]
    fn is_suicide_when_walled(&self, v: Point, side: Side) -> bool {
        let around = self.patterns[v.index()];
        let (own, enemy) = (pattern::neighbors_of(around, side), pattern::neighbors_of(around, side.other()));
        let mut atari = 0;
        for i in 0..4 {
            let root = self.find_near(v.index(), NEIGHBORS[i]);
            atari |= u16::from(on_one_point(self.libs[root])) << (2 * i);
        }
        ((own & !atari) | (enemy & atari)) == 0
    }

    /// Whether the empty point `v` looks like an eye of `side`: its neighbors are own stones or border, and
    /// the enemy holds less than two of its diagonals (on the edge: none).
    #[inline(always)]
    pub const fn is_eye_like(&self, v: Point, side: Side) -> bool {
        self.pattern(v).is_eye_like(side)
    }

    /// Whether `side` may play on the empty point `v` and fills no eye of its own by it.
    #[inline(always)]
    pub fn is_sensible(&self, v: Point, side: Side) -> bool {
        let around = self.pattern(v);
        // One branch for all that cannot be foreseen.
        around.has_liberty()
            || !(around.is_eye_like(side)
                | ((v == self.ko) & (side == self.side))
                | self.is_suicide_when_walled(v, side))
    }

    /// What a chain's liberties would be if `side` played on the empty point `v`: packed, captures left out.
    #[inline]
    fn liberties_after(&self, v: Point, side: Side) -> u64 {
        let own = Color::of(side);
        let mut roots = [usize::MAX; 4];
        let mut libs = 0u64;
        for (i, n) in v.neighbors().into_iter().enumerate() {
            let color = self.color(n);
            if color == Color::Empty {
                libs = libs.wrapping_add(liberty(n.index()));
            } else if color == own {
                let root = self.find(n.index());
                if !roots[..i].contains(&root) {
                    libs = libs.wrapping_add(self.libs[root]);
                }
                roots[i] = root;
                libs = libs.wrapping_sub(liberty(v.index()));
            }
        }
        libs
    }

    /// Whether `side` playing on the empty point `v` takes stones.
    #[inline]
    pub fn is_capture(&self, v: Point, side: Side) -> bool {
        let enemy = Color::of(side.other());
        v.neighbors().into_iter().any(|n| self.color(n) == enemy && self.in_atari(n))
    }

    /// Whether `side` playing on the empty point `v` takes nothing and leaves its chain at most one liberty.
    /// O(1).
    #[inline]
    pub fn is_self_atari(&self, v: Point, side: Side) -> bool {
        !self.pattern(v).has_two_liberties()
            && on_one_point(self.liberties_after(v, side))
            && !self.is_capture(v, side)
    }

    /// [`stones_key`](Self::stones_key) after `side` has played on the empty point `v`.
    pub fn stones_key_after(&self, v: Point, side: Side) -> u64 {
        let mut after = self.stones_key ^ STONE_KEYS[side.index()][v.index()];
        let chain_key = |stone: Point, side: Side| {
            self.chain(stone).fold(0, |key, s| key ^ STONE_KEYS[side.index()][s.index()])
        };
        let mut roots = arrayvec::ArrayVec::<Point, 4>::new();
        let (own, enemy) = (Color::of(side), Color::of(side.other()));
        for n in v.neighbors() {
            if self.color(n) == enemy && self.in_atari(n) && !roots.contains(&self.root(n)) {
                roots.push(self.root(n));
                after ^= chain_key(n, side.other());
            }
        }
        if roots.is_empty() && self.is_suicide(v, side) {
            after ^= STONE_KEYS[side.index()][v.index()];
            for n in v.neighbors() {
                if self.color(n) == own && !roots.contains(&self.root(n)) {
                    roots.push(self.root(n));
                    after ^= chain_key(n, side);
                }
            }
        }
        after
    }

    // ---- moves

    /// Plays for the side to move: a pass, or a stone on an empty point. Chains without liberties are taken
    /// off, the opponent's first, then the own one (suicide). Legality is the caller's business.
    #[inline]
    pub fn play<O: Observer>(&mut self, v: Point, obs: &mut O) {
        let side = self.side;
        self.last = [v, self.last[0]];
        self.side = side.other();
        if v.is_stone() {
            self.passes = 0;
            self.place(v.index(), side, obs);
        } else {
            self.ko = Point::NONE;
            self.passes += 1;
        }
    }

    /// Forgets passes and what was played last: the game goes on from here.
    pub const fn resume(&mut self) {
        self.last = [Point::NONE; 2];
        self.passes = 0;
    }

    /// Puts a stone of `side` on an empty point as set-up: no turn, no ko. Chains without liberties are taken
    /// off.
    pub fn set_up(&mut self, v: Point, side: Side) {
        debug_assert!(self.is_empty(v));
        self.place(v.index(), side, &mut ());
        self.ko = Point::NONE;
    }

    #[inline]
    fn place<O: Observer>(&mut self, v: usize, side: Side, obs: &mut O) {
        debug_assert!(self.colors[v] == Color::Empty);
        let around = self.patterns[v];
        let (own, enemy) = (pattern::neighbors_of(around, side), pattern::neighbors_of(around, side.other()));
        self.stones_key ^= STONE_KEYS[side.index()][v % CELLS];
        self.stones[side.index()] += 1;
        self.remove_empty(v);
        self.set_color(v, Color::of(side));
        obs.added(side.index(), v);
        self.ko = Point::NONE;

        // Every neighboring chain loses a pseudo-liberty. Empty points and the border are their own roots, so
        // that nothing needs a distinction; what is written there is never read.
        let here = liberty(v);
        let mut dead = 0;
        for i in 0..4 {
            let root = self.find_near(v, NEIGHBORS[i]);
            let libs = self.libs[root].wrapping_sub(here);
            self.libs[root] = libs;
            dead |= u16::from(libs == 0) << (2 * i);
        }

        // The stone joins the chain of its first own neighbor, or starts one: the same steps, no branch.
        (self.libs[v], self.size[v], self.next[v]) = (0, 0, v as u16);
        let first = own.trailing_zeros() as usize / 2 % 4;
        let mut root = if own == 0 { v } else { self.find_near(v, NEIGHBORS[first]) };
        self.root[v] = root as u16;
        self.libs[root] = self.libs[root].wrapping_add(liberties_around(v, around));
        self.size[root] += 1;
        let next = self.next[root];
        self.next[root] = v as u16;
        self.next[v] = next;

        if dead & enemy != 0 {
            self.take_off_neighbors(v, dead & enemy, own == 0, side, obs);
        }
        let mut rest = own & own.wrapping_sub(1);
        while rest != 0 {
            let i = rest.trailing_zeros() as usize / 2;
            rest &= rest - 1;
            let other = self.find_near(v, NEIGHBORS[i % 4]);
            if other != root {
                root = self.union(root, other);
            }
        }
        if self.libs[root] == 0 {
            self.take_off(root, side, obs);
        }
    }

    /// Takes off the chains of `side`'s opponent that the stone on `v` has left without liberty, and notes
    /// the ko. `dead` has the low bit of the neighbor's cell for each; `single`: the stone has no own
    /// neighbor.
    fn take_off_neighbors<O: Observer>(
        &mut self,
        v: usize,
        dead: u16,
        single: bool,
        side: Side,
        obs: &mut O,
    ) {
        let before = self.lost[side.other().index()];
        let mut taken = v;
        let mut rest = dead;
        while rest != 0 {
            taken = self.find_near(v, NEIGHBORS[rest.trailing_zeros() as usize / 2 % 4]);
            rest &= rest - 1;
            self.take_off(taken, side.other(), obs);
        }
        if single && self.lost[side.other().index()] == before + 1 && self.libs[v] == liberty(taken) {
            self.ko = Point::from_index(taken);
        }
    }

    /// Joins two chains; returns the root of the whole.
    #[inline(always)]
    fn union(&mut self, a: usize, b: usize) -> usize {
        let (big, small) = if self.size[a] < self.size[b] { (b, a) } else { (a, b) };
        self.libs[big] = self.libs[big].wrapping_add(self.libs[small]);
        self.size[big] += self.size[small];
        let mut v = small;
        loop {
            self.root[v] = big as u16;
            let next = usize::from(self.next[v]);
            if next == small {
                break;
            }
            v = next;
        }
        (self.next[v], self.next[big]) = (self.next[big], small as u16);
        big
    }

    /// Takes the chain of `root` off the board. Every stone gives a liberty to each neighbor's root; what
    /// that does to empty points, the border and the chain itself is overwritten before anybody looks.
    fn take_off<O: Observer>(&mut self, root: usize, side: Side, obs: &mut O) {
        let mut v = root;
        loop {
            let next = usize::from(self.next[v]);
            self.stones_key ^= STONE_KEYS[side.index()][v % CELLS];
            self.stones[side.index()] -= 1;
            self.lost[side.index()] += 1;
            self.set_color(v, Color::Empty);
            self.root[v] = v as u16;
            self.add_empty(v);
            obs.removed(side.index(), v);
            let here = liberty(v);
            for i in 0..4 {
                let distance = NEIGHBORS[i];
                let other = self.find_near(v, distance);
                self.libs[other] = self.libs[other].wrapping_add(here);
            }
            v = next;
            if v == root {
                return;
            }
        }
    }

    /// Changes a cell between empty and a stone, in its own place and in the patterns around it.
    #[inline(always)]
    fn set_color(&mut self, v: usize, color: Color) {
        let delta = if color == Color::Empty { (self.colors[v] as u16).wrapping_neg() } else { color as u16 };
        self.colors[v] = color;
        for i in 0..4 {
            // The neighbor in direction `i` sees this cell in the opposite direction, `3 - i`.
            let near = self.patterns.near_mut(v, NEIGHBORS[i]);
            *near = near.wrapping_add(delta << (2 * (3 - i)));
            let near = self.patterns.near_mut(v, DIAGONALS[i]);
            *near = near.wrapping_add(delta << (8 + 2 * (3 - i)));
        }
    }

    /// The pattern around a point, read from the colors.
    fn read_pattern(&self, v: Point) -> u16 {
        let cells = v.neighbors().into_iter().chain(v.diagonals());
        cells.enumerate().fold(0, |code, (i, n)| code | (self.color(n) as u16) << (2 * i))
    }

    /// [`find`](Self::find) of the neighbor of `v` at some distance.
    #[inline(always)]
    const fn find_near(&self, v: usize, distance: isize) -> usize {
        self.root.near(v, distance) as usize
    }

    #[inline(always)]
    fn add_empty(&mut self, v: usize) {
        self.slot[v] = self.n_empty as u16;
        self.empties[self.n_empty] = v as u16;
        self.n_empty += 1;
    }

    #[inline(always)]
    fn remove_empty(&mut self, v: usize) {
        self.n_empty -= 1;
        let (slot, last) = (self.slot[v], self.empties[self.n_empty]);
        self.empties[usize::from(slot)] = last;
        self.slot[usize::from(last)] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    impl Board {
        /// Everything that is kept incrementally, computed anew.
        fn assert_consistent(&self) {
            for v in self.points() {
                assert_eq!(self.patterns[v.index()], self.read_pattern(v));
                if self.is_empty(v) {
                    assert_eq!(self.root(v), v);
                    continue;
                }
                let stones: Vec<_> = self.chain(v).collect();
                assert_eq!(self.chain_size(v) as usize, stones.len());
                let free = stones.iter().flat_map(|s| s.neighbors()).filter(|&n| self.is_empty(n));
                let libs = free.fold(0, |libs, n| libs + liberty(n.index()));
                assert_eq!(split(self.libs[self.find(v.index())]), split(libs), "{v:?}");
            }
        }
    }

    #[test]
    fn what_is_kept_incrementally_equals_what_is_computed_anew() {
        let mut rng = Rng::new(5);
        for (width, height) in [(2, 2), (9, 2), (9, 9), (25, 5)] {
            let mut board = Board::new(width, height);
            for _ in 0..10 * width * height {
                let v = board.empty_at(rng.below(board.empty_count()));
                // Suicides included.
                board.play(v, &mut ());
                board.assert_consistent();
            }
        }
    }
}
