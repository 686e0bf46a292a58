//! The 960 starting positions (CH-2), by their numbers from 0 to 959.
//! <https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme>

use super::board::Board;

/// How many starting positions there are.
pub const COUNT: usize = 960;
/// The number of the standard starting position.
pub const STANDARD: usize = 518;

/// The pieces of White's first rank in start `number`, which is taken modulo 960.
fn first_rank(number: usize) -> [u8; 8] {
    let mut rank = [b' '; 8];
    let mut rest = number % COUNT;
    let mut digit = |base| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    rank[2 * digit(4) + 1] = b'B';
    rank[2 * digit(4)] = b'B';
    let nth_free = |rank: &[u8; 8], n: usize| {
        rank.iter().enumerate().filter(|&(_, &piece)| piece == b' ').nth(n).map_or(0, |(file, _)| file)
    };
    let queen = nth_free(&rank, digit(6));
    rank[queen] = b'Q';
    // The last digit, 0 to 9, names one of the pairs among the five free files.
    let pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (one, two) = pairs[digit(10)];
    let knights = [nth_free(&rank, one), nth_free(&rank, two)];
    for file in knights {
        rank[file] = b'N';
    }
    for piece in [b'R', b'K', b'R'] {
        let file = nth_free(&rank, 0);
        rank[file] = piece;
    }
    rank
}

impl Board {
    /// The Chess960 starting position of that number, modulo 960; 518 is the standard one.
    pub fn chess960(number: usize) -> Self {
        let white = String::from_utf8_lossy(&first_rank(number)).into_owned();
        let black = white.to_ascii_lowercase();
        Self::from_fen(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"))
            .unwrap_or_else(|error| unreachable!("start {number}: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use std::collections::HashSet;

    #[test]
    fn all_numbers_give_different_valid_starts() {
        let starts: HashSet<String> = (0..COUNT).map(|number| Board::chess960(number).fen()).collect();
        assert_eq!(starts.len(), COUNT);
        assert_eq!(Board::chess960(STANDARD), Board::start());
        assert!(Board::chess960(0).fen().starts_with("bbqnnrkr/"));
        assert!(Board::chess960(959).fen().starts_with("rkrnnqbb/"));
    }
}
