//! The numbering of positions that the tables are ordered by: pieces of one kind are a combination of
//! squares, the leading pieces or pawns are reduced by the symmetries of the board.
//! Source: R. de Man's description of the format, <https://github.com/syzygy1/tb>.

/// `BINOMIAL[k][n]`: ways to choose `k` of `n` squares; 0 when `k > n`.
pub(super) static BINOMIAL: [[u64; 64]; 8] = binomials();

/// Kings that do not touch, one of them in the triangle a1-d1-d4.
pub(super) const KING_PAIRS: u64 = 462;
/// Placements of three different pieces, the first in that triangle.
pub(super) const TRIPLES: u64 = 31_332;

#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn binomials() -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 8 && k <= n {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

/// How far a square lies above the diagonal a1-h8 (below: negative).
pub(super) const fn above_diagonal(square: usize) -> i32 {
    (square >> 3) as i32 - (square & 7) as i32
}

/// The square reflected in the diagonal a1-h8.
pub(super) const fn transpose(square: usize) -> usize {
    (square >> 3 | square << 3) & 63
}

/// Squares below the diagonal a1-h8, numbered 0 to 27 rank by rank.
static BELOW_DIAGONAL: [u8; 64] = below_diagonal();

#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn below_diagonal() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut square, mut next) = (0, 0);
    while square < 64 {
        if above_diagonal(square) < 0 {
            table[square] = next;
            next += 1;
        }
        square += 1;
    }
    table
}

/// The triangle a1-d1-d4: 0 to 5 below the diagonal rank by rank, 6 to 9 on it.
static TRIANGLE: [u8; 64] = triangle();

#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn triangle() -> [u8; 64] {
    let mut table = [0; 64];
    let (mut square, mut next) = (0, 0);
    while square < 32 {
        if square & 7 < 4 {
            if above_diagonal(square) < 0 {
                table[square] = next;
                next += 1;
            } else if above_diagonal(square) == 0 {
                table[square] = 6 + (square & 7) as u8;
            }
        }
        square += 1;
    }
    table
}

/// Two kings, the first in the triangle (by its number there). Pairs that both stand on the diagonal come
/// last; those with the second above it do not occur.
static KINGS: [[u16; 64]; 10] = king_pairs();

#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn king_pairs() -> [[u16; 64]; 10] {
    let map = triangle();
    let mut table = [[0; 64]; 10];
    let mut next = 0;
    let mut both_on_diagonal = 0;
    while both_on_diagonal < 2 {
        let mut number = 0;
        while number < 10 {
            let mut first = 0;
            while first < 32 {
                let in_triangle = first & 7 < 4 && above_diagonal(first) <= 0;
                if in_triangle && map[first] == number {
                    let on = above_diagonal(first) == 0;
                    let mut second = 0;
                    while second < 64 {
                        let files = (first & 7).abs_diff(second & 7);
                        let ranks = (first >> 3).abs_diff(second >> 3);
                        let touch = files <= 1 && ranks <= 1;
                        let off = above_diagonal(second);
                        let last = on && off == 0;
                        if !touch && !(on && off > 0) && last == (both_on_diagonal == 1) {
                            table[number as usize][second] = next;
                            next += 1;
                        }
                        second += 1;
                    }
                }
                first += 1;
            }
            number += 1;
        }
        both_on_diagonal += 1;
    }
    assert!(next as u64 == KING_PAIRS);
    table
}

/// Order of pawns: that of the greatest number leads. Edge files and low ranks are great.
static PAWN_ORDER: [u8; 64] = pawn_order();

#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn pawn_order() -> [u8; 64] {
    let mut table = [0; 64];
    let mut left = 48;
    let mut file = 0;
    while file < 4 {
        let mut rank = 1;
        while rank < 7 {
            table[rank * 8 + file] = left - 1;
            table[rank * 8 + 7 - file] = left - 2;
            left -= 2;
            rank += 1;
        }
        file += 1;
    }
    table
}

/// A pawn's place in that order.
#[allow(clippy::indexing_slicing, reason = "a square of the board")]
pub(super) fn order_of(square: usize) -> u8 {
    PAWN_ORDER[square]
}

/// Maximum number of leading pawns: five, in tables of seven pieces.
const LEADERS: usize = 6;

/// `.0[n][square]`: positions of `n` pawns before those whose leader is on `square`; `.1[n][file]`: all of
/// them.
static LEADING_PAWNS: ([[u64; 64]; LEADERS], [[u64; 4]; LEADERS]) = leading_pawns();

#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn leading_pawns() -> ([[u64; 64]; LEADERS], [[u64; 4]; LEADERS]) {
    let (order, binomial) = (pawn_order(), binomials());
    let (mut before, mut all) = ([[0; 64]; LEADERS], [[0; 4]; LEADERS]);
    let mut count = 1;
    while count < LEADERS {
        let mut file = 0;
        while file < 4 {
            let (mut sum, mut rank) = (0, 1);
            while rank < 7 {
                let square = rank * 8 + file;
                before[count][square] = sum;
                sum += binomial[count - 1][order[square] as usize];
                rank += 1;
            }
            all[count][file] = sum;
            file += 1;
        }
        count += 1;
    }
    (before, all)
}

/// Placements of `count` leading pawns whose leader is on `file` (0 to 3); `None` for an absurd count.
pub(super) fn leading_pawn_placements(count: usize, file: usize) -> Option<u64> {
    LEADING_PAWNS.1.get(count).filter(|_| count > 0)?.get(file & 3).copied()
}

/// Number of the leading pawns: the leader first, the others in rising [`PAWN_ORDER`].
#[allow(
    clippy::indexing_slicing,
    reason = "pawns of a table of at most seven pieces, on squares of the board"
)]
pub(super) fn pawns(squares: &[usize]) -> u64 {
    let rest = squares.iter().enumerate().skip(1);
    LEADING_PAWNS.0[squares.len().min(LEADERS - 1)][squares[0]]
        + rest.map(|(i, &square)| BINOMIAL[i][usize::from(order_of(square))]).sum::<u64>()
}

/// Number of two kings, the first in the triangle.
#[allow(clippy::indexing_slicing, reason = "squares of the board, and the numbers of those in the triangle")]
pub(super) fn kings(first: usize, second: usize) -> u64 {
    u64::from(KINGS[usize::from(TRIANGLE[first])][second])
}

/// Number of three different pieces: the first in the triangle, the first that is off the diagonal below it.
#[allow(clippy::indexing_slicing, reason = "squares of the board")]
pub(super) fn triple(squares: [usize; 3]) -> u64 {
    const OFF: u64 = 6 * 63 * 62;
    const FIRST_ON: u64 = 4 * 28 * 62;
    const TWO_ON: u64 = 4 * 7 * 28;
    let [a, b, c] = squares;
    let below = |square: usize| u64::from(BELOW_DIAGONAL[square]);
    // A later piece has fewer squares to choose from.
    let second = |x: usize| (x - usize::from(b > a)) as u64;
    let third = |x: usize| (x - usize::from(c > a) - usize::from(c > b)) as u64;
    if above_diagonal(a) != 0 {
        (u64::from(TRIANGLE[a]) * 63 + second(b)) * 62 + third(c)
    } else if above_diagonal(b) != 0 {
        OFF + ((a >> 3) as u64 * 28 + below(b)) * 62 + third(c)
    } else if above_diagonal(c) != 0 {
        OFF + FIRST_ON + ((a >> 3) as u64 * 7 + second(b >> 3)) * 28 + below(c)
    } else {
        OFF + FIRST_ON + TWO_ON + ((a >> 3) as u64 * 7 + second(b >> 3)) * 6 + third(c >> 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn king_pairs_are_numbered_once_each() {
        let mut seen = [0; KING_PAIRS as usize];
        for first in (0..32).filter(|s| s & 7 < 4 && above_diagonal(*s) <= 0) {
            for second in 0..64 {
                let touch =
                    (first & 7usize).abs_diff(second & 7) <= 1 && (first >> 3).abs_diff(second >> 3) <= 1;
                let mirrored = above_diagonal(first) == 0 && above_diagonal(second) > 0;
                if !touch && !mirrored {
                    seen[kings(first, second) as usize] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n == 1));
    }

    #[test]
    fn triples_are_numbered_once_each() {
        let mut seen = vec![0; TRIPLES as usize];
        for a in (0..32).filter(|s| s & 7 < 4 && above_diagonal(*s) <= 0) {
            for b in (0..64).filter(|&b| b != a) {
                for c in (0..64).filter(|&c| c != a && c != b) {
                    let first_off = [a, b, c].into_iter().map(above_diagonal).find(|&off| off != 0);
                    if first_off.is_none_or(|off| off < 0) {
                        seen[triple([a, b, c]) as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&n| n == 1), "{:?}", seen.iter().position(|&n| n != 1));
    }

    #[test]
    fn leading_pawns_are_numbered_once_each() {
        for file in 0..4 {
            let mut seen = vec![0; leading_pawn_placements(2, file).unwrap() as usize];
            for leader in (1..7).map(|rank| rank * 8 + file) {
                for other in (8..56).filter(|&s| PAWN_ORDER[s] < PAWN_ORDER[leader]) {
                    seen[pawns(&[leader, other]) as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&n| n == 1));
        }
        assert_eq!(leading_pawn_placements(0, 0), None);
        assert_eq!(leading_pawn_placements(9, 0), None);
    }
}
