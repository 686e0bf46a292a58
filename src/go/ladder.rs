//! Ladders: chains that are driven by atari after atari.
//!
//! The reader follows only forcing lines: the attacker plays one of the prey's last two liberties, the prey
//! extends or captures one of its captors. Within that it is exact, up to a limit of positions; beyond the
//! limit a chain counts as not captured.
//! Source: <https://senseis.xmp.net/?Ladder>; the reader of KataGo's `Board::searchIsLadderCaptured` as a model
//! of what to ask.

use super::board::Board;
use super::types::{Color, Point};
use crate::game::Side;
use arrayvec::ArrayVec;

/// Positions looked at before a ladder is given up. A ladder across the 25x25 board takes about 150.
const LIMIT: u32 = 2000;

/// The move that captures the chain of `prey` by a ladder (or at once), its opponent to move. `None`: the chain
/// has three liberties or more, or it escapes.
pub fn capture(board: &Board, prey: Point) -> Option<Point> {
    let hunter = board.color(prey).side()?.other();
    let mut board = board.clone();
    board.set_side_to_move(hunter);
    let mut reader = Reader { prey, budget: LIMIT };
    reader.attack(&board)
}

/// The move by which the chain of `prey`, in atari and its owner to move, gets out. `None`: nothing helps; a
/// chain that is not in atari has nothing to get out of either.
pub fn escape(board: &Board, prey: Point) -> Option<Point> {
    let owner = board.color(prey).side()?;
    if !board.in_atari(prey) {
        return None;
    }
    let mut board = board.clone();
    board.set_side_to_move(owner);
    let mut reader = Reader { prey, budget: LIMIT };
    reader.defend(&board)
}

/// Whether the chain of `prey` is as good as captured: in atari without an escape when its owner is to move, or
/// captured by a ladder when the opponent is.
pub fn is_captured(board: &Board, prey: Point, to_move: Side) -> bool {
    match board.color(prey).side() {
        None => false,
        Some(owner) if owner == to_move => board.in_atari(prey) && escape(board, prey).is_none(),
        Some(_) => capture(board, prey).is_some(),
    }
}

struct Reader {
    prey: Point,
    budget: u32,
}

impl Reader {
    /// A capturing move for the side to move, the hunter.
    fn attack(&mut self, board: &Board) -> Option<Point> {
        let hunter = board.side_to_move();
        let mut liberties = ArrayVec::<Point, 3>::new();
        board.liberties(self.prey, &mut liberties);
        match *liberties.as_slice() {
            [last] => board.is_legal(last, hunter).then_some(last),
            [a, b] => {
                // The liberty that would give the prey more room comes first: it is the usual ladder move.
                let room = |v: Point| v.neighbors().into_iter().filter(|&n| board.is_empty(n)).count();
                let order = if room(b) > room(a) { [b, a] } else { [a, b] };
                order.into_iter().find(|&v| self.atari_holds(board, v))
            }
            _ => None,
        }
    }

    /// Whether the hunter's atari at `v` leaves the prey no escape.
    fn atari_holds(&mut self, board: &Board, v: Point) -> bool {
        if self.budget == 0 || !board.is_legal(v, board.side_to_move()) {
            return false;
        }
        self.budget -= 1;
        let mut after = board.clone();
        after.play(v, &mut ());
        after.in_atari(self.prey) && self.defend(&after).is_none() && self.budget > 0
    }

    /// A saving move for the side to move, whose prey is in atari.
    fn defend(&mut self, board: &Board) -> Option<Point> {
        let owner = board.side_to_move();
        let mut moves = ArrayVec::<Point, 16>::new();
        let enemy = Color::of(owner.other());
        for stone in board.chain(self.prey) {
            for n in stone.neighbors() {
                if board.color(n) == enemy
                    && let Some(liberty) = board.atari_liberty(n)
                    && !moves.contains(&liberty)
                {
                    // More than sixteen captors in atari at once: the first ones tell enough.
                    let _ = moves.try_push(liberty);
                }
            }
        }
        if let Some(liberty) = board.atari_liberty(self.prey)
            && !moves.contains(&liberty)
        {
            let _ = moves.try_push(liberty);
        }
        moves.into_iter().find(|&v| self.move_saves(board, v))
    }

    fn move_saves(&mut self, board: &Board, v: Point) -> bool {
        if !board.is_legal(v, board.side_to_move()) {
            return false;
        }
        if self.budget == 0 {
            return true;
        }
        self.budget -= 1;
        let mut after = board.clone();
        after.play(v, &mut ());
        match after.liberty_count(self.prey, 3) {
            0 | 1 => false,
            2 => self.attack(&after).is_none(),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::testing::board;
    use crate::go::{BLACK, WHITE};

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
    fn three_liberties_are_out_of_reach() {
        let b = board(&["....", ".XO.", "....", "...."]);
        assert_eq!(capture(&b, PREY), None);
    }
}
