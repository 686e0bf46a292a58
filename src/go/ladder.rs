//! Ladders: chains that are driven by atari after atari.
//!
//! The reader follows only forcing lines: the attacker plays one of the prey's last two liberties, the prey
//! extends or captures one of its captors. Within that it is exact, up to a limit of positions; beyond the
//! limit a chain counts as not captured. Source: <https://senseis.xmp.net/?Ladder>; the reader of KataGo's
//! `Board::searchIsLadderCaptured` as a model of what to ask.

use super::board::Board;
use super::types::{Color, Point};
use crate::game::Side;
use arrayvec::ArrayVec;

/// Positions looked at before a ladder is given up. A ladder across the 25x25 board takes about 150.
const LIMIT: u32 = 400;

/// Plies after which a line is given up: kos in a ladder would otherwise go on to the limit.
const MAX_DEPTH: usize = 200;

/// The move that captures the chain of `prey` by a ladder (or at once), its opponent to move. `None`: the
/// chain has three liberties or more, or it escapes.
pub fn capture(board: &Board, prey: Point) -> Option<Point> {
    LadderReader::default().capture(board, prey)
}

/// The move by which the chain of `prey`, in atari and its owner to move, gets out. `None`: nothing helps; a
/// chain that is not in atari has nothing to get out of either.
pub fn escape(board: &Board, prey: Point) -> Option<Point> {
    LadderReader::default().escape(board, prey)
}

/// Whether the chain of `prey` is as good as captured: in atari without an escape when its owner is to move,
/// or captured by a ladder when the opponent is.
pub fn is_captured(board: &Board, prey: Point, to_move: Side) -> bool {
    match board.color(prey).side() {
        None => false,
        Some(owner) if owner == to_move => board.in_atari(prey) && escape(board, prey).is_none(),
        Some(_) => capture(board, prey).is_some(),
    }
}

/// Reads ladders. Keeps its boards from one to the next: making them costs more than a short ladder.
#[derive(Clone, Default)]
pub struct LadderReader {
    prey: Point,
    budget: u32,
    /// The board after each move of the line being read. On the heap: a ladder is deep, and a board large.
    boards: Vec<Box<Board>>,
}

impl LadderReader {
    /// [`capture`].
    pub fn capture(&mut self, board: &Board, prey: Point) -> Option<Point> {
        self.begin(board, prey, board.color(prey).side()?.other());
        self.attack(0)
    }

    /// [`escape`].
    pub fn escape(&mut self, board: &Board, prey: Point) -> Option<Point> {
        let owner = board.color(prey).side()?;
        if !board.in_atari(prey) {
            return None;
        }
        self.begin(board, prey, owner);
        self.defend(0)
    }

    /// Whether the chain of `prey`, in atari and its owner to move, gets out: whether there is an [`escape`].
    pub fn escapes(&mut self, board: &Board, prey: Point) -> bool {
        let extension = board.atari_liberty(prey).filter(|&v| v != board.ko());
        extension.is_some_and(|v| runs_free(board, prey, v, Point::NONE))
            || self.escape(board, prey).is_some()
    }

    /// All moves that capture the chain of `prey`, of two liberties, its opponent to move. None for a chain
    /// of more or fewer.
    pub fn captures(&mut self, board: &Board, prey: Point) -> ArrayVec<Point, 2> {
        let mut liberties = ArrayVec::<Point, 3>::new();
        let mut found = ArrayVec::new();
        let Some(owner) = board.color(prey).side() else { return found };
        board.liberties(prey, &mut liberties);
        let [a, b] = liberties[..] else { return found };
        let mut is_begun = false;
        for (atari, extension) in [(a, b), (b, a)] {
            // Most chains get out by their first move. Seeing that takes no board to play on.
            if !takes_something(board, atari, owner) && runs_free(board, prey, extension, atari) {
                continue;
            }
            if !is_begun {
                self.begin(board, prey, owner.other());
                is_begun = true;
            }
            self.budget = LIMIT;
            if self.atari_holds(0, atari) {
                found.push(atari);
            }
        }
        found
    }

    fn begin(&mut self, board: &Board, prey: Point, mover: Side) {
        (self.prey, self.budget) = (prey, LIMIT);
        match self.boards.first_mut() {
            Some(first) => Board::clone_from(first, board),
            None => self.boards.push(Box::new(board.clone())),
        }
        self.boards[0].set_side_to_move(mover);
    }

    /// Plays `v` on the board at `depth`; the board at `depth + 1` is the result.
    fn play(&mut self, depth: usize, v: Point) -> &Board {
        if self.boards.len() == depth + 1 {
            let board = self.boards[depth].clone();
            self.boards.push(board);
        } else {
            let (before, after) = self.boards.split_at_mut(depth + 1);
            Board::clone_from(&mut after[0], &before[depth]);
        }
        self.boards[depth + 1].play(v, &mut ());
        &self.boards[depth + 1]
    }

    /// Whether there is nothing left to read with.
    fn gives_up(&mut self, depth: usize) -> bool {
        let over = self.budget == 0 || depth >= MAX_DEPTH;
        self.budget = if over { 0 } else { self.budget - 1 };
        over
    }

    /// A capturing move for the side to move, the hunter.
    fn attack(&mut self, depth: usize) -> Option<Point> {
        let board = &self.boards[depth];
        let mut liberties = ArrayVec::<Point, 3>::new();
        board.liberties(self.prey, &mut liberties);
        match *liberties.as_slice() {
            [last] => board.is_legal(last, board.side_to_move()).then_some(last),
            [a, b] => {
                // The liberty that would give the prey more room comes first: it is the usual ladder move.
                let room = |v: Point| v.neighbors().into_iter().filter(|&n| board.is_empty(n)).count();
                let order = if room(b) > room(a) { [b, a] } else { [a, b] };
                order.into_iter().find(|&v| self.atari_holds(depth, v))
            }
            _ => None,
        }
    }

    /// Whether the hunter's atari at `v` leaves the prey no escape.
    fn atari_holds(&mut self, depth: usize, v: Point) -> bool {
        let board = &self.boards[depth];
        if !board.is_legal(v, board.side_to_move()) || self.gives_up(depth) {
            return false;
        }
        let prey = self.prey;
        self.play(depth, v).in_atari(prey) && self.defend(depth + 1).is_none() && self.budget > 0
    }

    /// A saving move for the side to move, whose prey is in atari.
    fn defend(&mut self, depth: usize) -> Option<Point> {
        let board = &self.boards[depth];
        let mut moves = ArrayVec::<Point, 16>::new();
        let enemy = Color::of(board.side_to_move().other());
        for stone in board.chain(self.prey) {
            for n in stone.neighbors() {
                if board.color(n) == enemy
                    && let Some(liberty) = board.atari_liberty(n)
                    && !moves.contains(&liberty)
                {
                    // More than sixteen captors in atari at once: the first ones suffice.
                    let _ = moves.try_push(liberty);
                }
            }
        }
        if let Some(liberty) = board.atari_liberty(self.prey)
            && !moves.contains(&liberty)
        {
            let _ = moves.try_push(liberty);
        }
        moves.into_iter().find(|&v| self.move_saves(depth, v))
    }

    fn move_saves(&mut self, depth: usize, v: Point) -> bool {
        let board = &self.boards[depth];
        if !board.is_legal(v, board.side_to_move()) {
            return false;
        }
        if self.gives_up(depth) {
            return true;
        }
        let prey = self.prey;
        match self.play(depth, v).liberty_count(prey, 3) {
            0 | 1 => false,
            2 => self.attack(depth + 1).is_none(),
            _ => true,
        }
    }
}

/// Whether a stone on `v`, a liberty of the chain of `prey`, gives the chain three liberties or more, `taken`
/// not counted.
fn runs_free(board: &Board, prey: Point, v: Point, taken: Point) -> bool {
    const ENOUGH: usize = 3;
    // Of a chain no more liberties are needed than these: two of them may be `v` and `taken`.
    let mut liberties = ArrayVec::<Point, { 4 + 4 * (ENOUGH + 2) }>::new();
    let mut add = |n: Point| {
        if n != v && n != taken && !liberties.contains(&n) {
            liberties.push(n);
        }
        liberties.len() >= ENOUGH
    };
    let own = board.color(prey);
    v.neighbors().into_iter().any(|n| {
        if board.is_empty(n) {
            add(n)
        } else if board.color(n) == own && board.root(n) != board.root(prey) {
            let mut of_friend = ArrayVec::<Point, { ENOUGH + 2 }>::new();
            board.liberties(n, &mut of_friend);
            of_friend.into_iter().any(&mut add)
        } else {
            false
        }
    })
}

/// Whether a stone of its opponent on `v` takes a chain of `owner`.
fn takes_something(board: &Board, v: Point, owner: Side) -> bool {
    v.neighbors().into_iter().any(|n| board.color(n) == Color::of(owner) && board.in_atari(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::playout::random_move;
    use crate::go::testing::board;
    use crate::go::{BLACK, WHITE};
    use crate::util::rng::Rng;

    const LADDER: [&str; 9] = [
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".........",
        ".XO......",
        "..XX.....",
        ".........",
    ];
    const PREY: Point = Point::new(2, 2);
    const ABOVE: Point = Point::new(2, 3);

    #[test]
    fn a_ladder_runs_to_the_edge() {
        let mut b = board(&LADDER);
        assert_eq!(capture(&b, PREY), Some(ABOVE));
        assert!(is_captured(&b, PREY, BLACK));
        assert!(!is_captured(&b, PREY, WHITE), "White may still move out");
        b.play(ABOVE, &mut ());
        assert_eq!(escape(&b, PREY), None);
        assert!(is_captured(&b, PREY, WHITE));
    }

    #[test]
    fn a_stone_on_the_way_breaks_it() {
        let mut b = board(&LADDER);
        b.set_up(Point::new(6, 6), WHITE);
        assert_eq!(capture(&b, PREY), None);
        b.play(ABOVE, &mut ());
        assert_eq!(escape(&b, PREY), Some(Point::new(3, 2)));
        // A black stone there changes nothing.
        let mut b = board(&LADDER);
        b.set_up(Point::new(6, 6), BLACK);
        assert_eq!(capture(&b, PREY), Some(ABOVE));
    }

    #[test]
    fn capturing_a_captor_is_an_escape() {
        // C3 is in atari, and so is its captor B3.
        let b = board(&["......", ".OX...", ".XO...", ".OXX..", "......"]);
        assert_eq!(b.atari_liberty(PREY), Some(Point::new(3, 2)));
        assert_eq!(escape(&b, PREY), Some(Point::new(0, 2)));
    }

    #[test]
    fn a_reader_gives_the_same_whatever_it_read_before() {
        let mut reader = LadderReader::default();
        let small = board(&["....", ".XO.", "....", "...."]);
        for b in [&board(&LADDER), &small, &board(&LADDER)] {
            for prey in b.points().filter(|&v| !b.is_empty(v)) {
                assert_eq!(reader.capture(b, prey), capture(b, prey));
                assert_eq!(reader.escape(b, prey), escape(b, prey));
            }
        }
        assert_eq!(reader.captures(&board(&LADDER), PREY)[..], [ABOVE]);
        // In the corner either atari catches.
        let corner = board(&["....", "....", "X...", "O.X.", ".X.."]);
        assert_eq!(reader.captures(&corner, Point::new(0, 1)).len(), 2);
        assert_eq!(reader.captures(&small, Point::new(2, 2)).len(), 0);
    }

    /// What is seen without playing is what reading finds.
    #[test]
    fn a_glance_and_reading_agree() {
        let mut rng = Rng::new(3);
        let (mut reader, mut free, mut caught) = (LadderReader::default(), 0, 0);
        for game in 0..60 {
            let mut b = Board::new(5 + game % 9, 5 + game % 7);
            for _ in 0..2 * b.area() {
                let mv = random_move(&mut b, &mut rng);
                b.play(mv, &mut ());
                for prey in b.points().filter(|&v| !b.is_empty(v) && b.root(v) == v) {
                    assert_eq!(reader.escapes(&b, prey), escape(&b, prey).is_some());
                    let found = reader.captures(&b, prey);
                    let mut liberties = ArrayVec::<Point, 3>::new();
                    b.liberties(prey, &mut liberties);
                    if let [x, y] = liberties[..] {
                        let owner = b.color(prey).side().unwrap();
                        reader.begin(&b, prey, owner.other());
                        let read = [x, y].into_iter().filter(|&v| {
                            reader.budget = LIMIT;
                            reader.atari_holds(0, v)
                        });
                        assert_eq!(found, read.collect::<ArrayVec<_, 2>>());
                        free += usize::from(found.is_empty());
                        caught += found.len();
                    }
                }
            }
        }
        assert!(free > 1000 && caught > 1000, "{free} {caught}");
    }

    #[test]
    fn three_liberties_are_out_of_reach() {
        let b = board(&["....", ".XO.", "....", "...."]);
        assert_eq!(capture(&b, PREY), None);
    }
}
