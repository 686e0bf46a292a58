//! Where pieces attack on an empty board, and the lines between squares: all computed by the compiler.
//! Sliders on an occupied board are in [`magic`](super::magic).

use super::bitboard::Bitboard;
use super::types::{Color, Square};

/// `for_squares!(square => expression)`: a table of 64 rows, in constants.
macro_rules! for_squares {
    ($square:ident => $row:expr) => {{
        let mut table = [Bitboard::EMPTY; 64];
        let mut index = 0;
        while index < 64 {
            let $square = Square::new(index);
            table[index] = $row;
            index += 1;
        }
        table
    }};
}

static KNIGHT: [Bitboard; 64] = for_squares!(square => {
    let near = square.bb();
    let (one, two) = (near.east().or(near.west()), near.east().east().or(near.west().west()));
    one.north().north().or(one.south().south()).or(two.north()).or(two.south())
});

static KING: [Bitboard; 64] = for_squares!(square => {
    let row = square.bb().or(square.bb().east()).or(square.bb().west());
    Bitboard(row.or(row.north()).or(row.south()).0 & !square.bb().0)
});

static PAWN: [[Bitboard; 64]; 2] = [
    for_squares!(square => square.bb().north().east().or(square.bb().north().west())),
    for_squares!(square => square.bb().south().east().or(square.bb().south().west())),
];

static ROOK_RAYS: [Bitboard; 64] = for_squares!(square => rank_of(square).or(file_of(square)));
static BISHOP_RAYS: [Bitboard; 64] = for_squares!(square => diagonal_of(square).or(antidiagonal_of(square)));

static BETWEEN: [[Bitboard; 64]; 64] = pairs(false);
static LINE: [[Bitboard; 64]; 64] = pairs(true);

#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Squares that all pawns of `color` in `pawns` attack together.
#[inline(always)]
pub const fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east().or(ahead.west())
}

/// Squares that all knights of the set attack together.
#[inline(always)]
pub const fn knights(set: Bitboard) -> Bitboard {
    let (one, two) = (set.east().or(set.west()), set.east().east().or(set.west().west()));
    Bitboard((one.0 << 16) | (one.0 >> 16) | (two.0 << 8) | (two.0 >> 8))
}

/// What a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// What a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The squares strictly between two squares of a rank, file or diagonal; none for other pairs.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The pieces that stand alone between `square` and one of the rooks or bishops (queens are both), none of
/// which attacks it.
#[inline(always)]
pub fn screens(square: Square, rooks: Bitboard, bishops: Bitboard, occupied: Bitboard) -> Bitboard {
    let aligned = rook_rays(square) & rooks | bishop_rays(square) & bishops;
    let mut screens = Bitboard::default();
    for from in aligned {
        let pieces = between(square, from) & occupied;
        screens |= if pieces.many() { Bitboard::default() } else { pieces };
    }
    screens
}

/// The whole rank, file or diagonal through both squares, from edge to edge; none for other pairs.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

pub(super) const fn rank_of(square: Square) -> Bitboard {
    Bitboard(Bitboard::rank(square.rank()).0 & !square.bb().0)
}

pub(super) const fn file_of(square: Square) -> Bitboard {
    Bitboard(Bitboard::file(square.file()).0 & !square.bb().0)
}

/// The diagonal that runs like a1-h8 through the square, without it.
pub(super) const fn diagonal_of(square: Square) -> Bitboard {
    slope(square, true)
}

/// The diagonal that runs like h1-a8 through the square, without it.
pub(super) const fn antidiagonal_of(square: Square) -> Bitboard {
    slope(square, false)
}

const fn slope(square: Square, rises: bool) -> Bitboard {
    let mut line = square.bb();
    let mut step = 0;
    while step < 7 {
        let (north, south) = (line.north(), line.south());
        line = line.or(if rises { north.east().or(south.west()) } else { north.west().or(south.east()) });
        step += 1;
    }
    Bitboard(line.0 & !square.bb().0)
}

/// The part of a line (given without `square`) up to and with the first occupied square on either side.
/// Hyperbola quintessence: <https://www.chessprogramming.org/Hyperbola_Quintessence>
pub(super) const fn slide(square: Square, line: Bitboard, occupied: Bitboard) -> Bitboard {
    let (blockers, slider) = (occupied.0 & line.0, square.bb().0);
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    Bitboard((up ^ down) & line.0)
}

/// [`between`] or, with `whole`, [`line`] for all pairs.
const fn pairs(whole: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let from = Square::new(a);
        let lines = [rank_of(from), file_of(from), diagonal_of(from), antidiagonal_of(from)];
        let mut which = 0;
        while which < 4 {
            let mut rest = lines[which];
            while rest.any() {
                let to = rest.first();
                rest.0 &= rest.0 - 1;
                table[a][to.index()] = if whole {
                    lines[which].or(from.bb())
                } else {
                    // What both ends see of the line, when each blocks the other.
                    let back = Bitboard(lines[which].or(from.bb()).0 & !to.bb().0);
                    slide(from, lines[which], to.bb()).and(slide(to, back, from.bb()))
                };
            }
            which += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(name: &str) -> Square {
        Square::parse(name.as_bytes()).unwrap()
    }

    fn set(names: &str) -> Bitboard {
        names.split_whitespace().fold(Bitboard::EMPTY, |set, name| set | sq(name).bb())
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(knight(sq("a1")), set("b3 c2"));
        assert_eq!(knight(sq("g5")), set("h7 f7 e6 e4 f3 h3"));
        assert_eq!(king(sq("h8")), set("g8 g7 h7"));
        assert_eq!(pawn(Color::First, sq("a2")), set("b3"));
        assert_eq!(pawn(Color::Second, sq("e5")), set("d4 f4"));
    }

    #[test]
    fn sets_attack_what_their_members_attack() {
        let members = set("a1 b7 g5 h8 e4");
        assert_eq!(knights(members), members.into_iter().fold(Bitboard::EMPTY, |all, sq| all | knight(sq)));
        for color in [Color::First, Color::Second] {
            let all = members.into_iter().fold(Bitboard::EMPTY, |all, sq| all | pawn(color, sq));
            assert_eq!(pawns(color, members), all);
        }
    }

    #[test]
    fn lines_join_aligned_squares_only() {
        assert_eq!(between(sq("a1"), sq("d4")), set("b2 c3"));
        assert_eq!(between(sq("h5"), sq("e5")), set("f5 g5"));
        assert_eq!(between(sq("a1"), sq("b3")), Bitboard::EMPTY);
        assert_eq!(between(sq("a1"), sq("b2")), Bitboard::EMPTY);
        assert_eq!(line(sq("c1"), sq("e3")), set("c1 d2 e3 f4 g5 h6"));
        assert_eq!(line(sq("c1"), sq("e4")), Bitboard::EMPTY);
        for a in Bitboard::ALL {
            for b in Bitboard::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
            }
        }
    }
}
