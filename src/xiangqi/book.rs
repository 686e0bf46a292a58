//! Opening books in the format of ElephantEye's `BOOK.DAT`, the one that UCCI programs share: users have
//! these books, and tools to look at them.
//!
//! An entry is 8 bytes, all numbers little-endian: a lock of 32 bits for the position, the move (start in the
//! low byte, end in the high one, on a board 16 points wide), its weight. Entries are sorted by lock. Of a
//! position and its mirror image a book holds the one with the smaller lock. Source:
//! <https://github.com/xqbase/eleeye>.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::board::Board;
use super::types::{FILES, Move, Piece, RANKS, SQUARES, Square};
use crate::game::book::BookFormat;
use crate::game::{AlphaBetaGame, Game, Side};
use crate::util::files;
use crate::util::message::Message;
use crate::{ensure, message};
use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use std::borrow::Cow;
use std::path::Path;

const ENTRY_BYTES: usize = 8;
/// Maximum bytes of a book. It is read whole: truncating a mapped file would crash the program.
const MAX_BYTES: u64 = 1 << 30;

/// Games of the engine against itself: see `books/README.md`.
static OWN: &[u8] = include_bytes!("../../books/xiangqi.dat");

pub struct Book {
    bytes: Cow<'static, [u8]>,
}

pub(super) type BookMove = crate::game::BookMove<Move>;

impl Book {
    /// Opens a book.
    /// # Errors
    /// When the file cannot be read, its length is not that of a book, or its entries are not sorted.
    pub fn open(path: &Path) -> Result<Self, Message> {
        let bytes = files::read(path, MAX_BYTES).map_err(|error| files::at(path, error))?;
        let book = Self { bytes: bytes.into() };
        let other = || message!("no book in the format of BOOK.DAT" | "不是 BOOK.DAT 格式的开局库");
        ensure!(book.is_well_formed(), files::at(path, other()));
        Ok(book)
    }

    /// The book that is part of the program.
    pub const fn own() -> Self {
        Self { bytes: Cow::Borrowed(OWN) }
    }

    /// Whether there are whole entries only, in their order.
    fn is_well_formed(&self) -> bool {
        let (entries, rest) = self.bytes.as_chunks();
        rest.is_empty() && entries.iter().map(|bytes| entry(bytes).0).is_sorted()
    }

    /// What the book plays in this position, the heaviest first. Moves that are not legal, and those of
    /// weight 0, are left out.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let locks = locks(board);
        let as_it_stands = self.under(locks[0], board, |sq| sq);
        let mut moves = match as_it_stands.is_empty() {
            true => self.under(locks[1], board, Square::mirrored),
            false => as_it_stands,
        };
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        moves
    }

    /// The legal moves stored under a lock, their points turned as the board is.
    fn under(&self, lock: u32, board: &Board, turned: fn(Square) -> Square) -> Vec<BookMove> {
        let (all, _) = self.bytes.as_chunks();
        let first = all.partition_point(|bytes| entry(bytes).0 < lock);
        let entries = all.iter().skip(first).map(entry).take_while(|entry| entry.0 == lock);
        let legal = |(_, bits, weight): (u32, u16, u16)| {
            let mv = Move::new(turned(point(bits)?), turned(point(bits >> 8)?));
            let playable = weight > 0 && board.is_pseudo_legal(mv) && board.is_legal(mv);
            playable.then_some(BookMove { mv, weight })
        };
        entries.filter_map(legal).collect()
    }
}

/// Lock, move and weight of an entry.
fn entry(&[a, b, c, d, m0, m1, w0, w1]: &[u8; ENTRY_BYTES]) -> (u32, u16, u16) {
    (u32::from_le_bytes([a, b, c, d]), u16::from_le_bytes([m0, m1]), u16::from_le_bytes([w0, w1]))
}

impl BookFormat for Book {
    type Game = Board;
    /// Lock and move.
    type Key = (u32, u16);
    const ENTRY_BYTES: usize = ENTRY_BYTES;

    fn keys(board: &Board, mv: Move) -> ArrayVec<Self::Key, 2> {
        let [lock, mirrored] = locks(board);
        let bits = |turn: fn(Square) -> Square| offset(turn(mv.from())) | offset(turn(mv.to())) << 8;
        let as_it_stands = (lock <= mirrored).then(|| (lock, bits(|sq| sq)));
        let turned = (mirrored <= lock).then(|| (mirrored, bits(Square::mirrored)));
        as_it_stands.into_iter().chain(turned).collect()
    }

    fn entry((lock, bits): Self::Key, weight: u16) -> Vec<u8> {
        [&lock.to_le_bytes()[..], &bits.to_le_bytes(), &weight.to_le_bytes()].concat()
    }
}

/// Where a point lies on the board 16 points wide, Black's home rank on top, three empty lines around.
#[allow(clippy::arithmetic_side_effects, reason = "a point of the board")]
const fn offset(sq: Square) -> u16 {
    ((RANKS - 1 - sq.rank() + 3) * 16 + sq.file() + 3) as u16
}

/// The point of the low byte, if it is one.
#[allow(clippy::arithmetic_side_effects, reason = "a row of the board")]
fn point(bits: u16) -> Option<Square> {
    let (row, column) = (usize::from(bits & 255) / 16, usize::from(bits & 255) % 16);
    let (rank, file) = (row.checked_sub(3)?, column.checked_sub(3)?);
    (rank < RANKS && file < FILES).then(|| Square::at(file, RANKS - 1 - rank)).flatten()
}

/// The locks of a position and of its mirror image.
#[allow(clippy::indexing_slicing, reason = "every piece and point has a lock")]
fn locks(board: &Board) -> [u32; 2] {
    let mut locks = [if board.side_to_move() == Side::Second { LOCKS.black_to_move } else { 0 }; 2];
    board.for_each_piece(|piece, sq| {
        if let Some(sq) = Square::new(sq) {
            locks[0] ^= LOCKS.pieces[piece][sq.index()];
            locks[1] ^= LOCKS.pieces[piece][sq.mirrored().index()];
        }
    });
    locks
}

/// The format's random numbers.
struct Locks {
    black_to_move: u32,
    pieces: [[u32; SQUARES]; Piece::COUNT],
}

#[allow(clippy::indexing_slicing, reason = "every point has a lock")]
static LOCKS: Lazy<Locks> = Lazy::new(|| {
    let mut stream = Rc4::new();
    // Three words belong to each key; the last one is the lock.
    let mut lock = || [stream.word(), stream.word(), stream.word()][2];
    let mut locks = Locks { black_to_move: lock(), pieces: [[0; SQUARES]; Piece::COUNT] };
    for piece in &mut locks.pieces {
        for at in 0..256 {
            let word = lock();
            if let Some(sq) = point(at) {
                piece[sq.index()] = word;
            }
        }
    }
    locks
});

/// RC4 with a key of zeros, the source of the format's numbers. <https://en.wikipedia.org/wiki/RC4>
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

#[allow(clippy::indexing_slicing, reason = "a byte is an index of 256 numbers")]
impl Rc4 {
    fn new() -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut y = 0u8;
        for x in 0..256 {
            y = y.wrapping_add(state[x]);
            state.swap(x, y.into());
        }
        Self { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[usize::from(self.x)]);
        self.state.swap(self.x.into(), self.y.into());
        let [a, b] = [self.x, self.y].map(|i| self.state[usize::from(i)]);
        self.state[usize::from(a.wrapping_add(b))]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Text;
    use crate::game::book::BookMaker;
    use crate::game::testing::played;
    use crate::xiangqi::notation::Notation;
    use std::io::Write;
    use tempfile::NamedTempFile;

    fn play(moves: &str) -> Board {
        played(Board::start(), moves)
    }

    /// A file of `bytes`, removed at the end of the test.
    fn written(bytes: &[u8]) -> NamedTempFile {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn texts(book: &Book, moves: &str) -> Vec<(String, u16)> {
        let board = play(moves);
        let text = |m: &BookMove| (board.move_text(m.mv, Notation::Coordinate), m.weight);
        book.moves(&board).iter().map(text).collect()
    }

    fn made(games: &[(&str, u32)], min: u32) -> Vec<u8> {
        let mut maker = BookMaker::<Book>::default();
        for &(moves, points) in games {
            let mut board = Board::start();
            maker.begin_game();
            for text in moves.split_whitespace() {
                let mv = board.parse_move(text, Notation::Coordinate).unwrap();
                let first = board.side_to_move() == Side::First;
                maker.add(&board, mv, if first { points } else { 2 - points });
                board.do_move(mv, &mut ());
            }
        }
        maker.finish(min)
    }

    fn named(moves: &[(&str, u16)]) -> Vec<(String, u16)> {
        moves.iter().map(|(mv, weight)| ((*mv).to_owned(), *weight)).collect()
    }

    /// Keys under which ElephantEye's own book knows its first positions.
    #[test]
    fn locks_are_those_of_the_format() {
        assert_eq!(Rc4::new().word().to_le_bytes(), [0xDE, 0x18, 0x89, 0x41], "RC4 of a zero key");
        for (moves, expected) in LOCKS_OF_BOOK {
            assert_eq!(locks(&play(moves)), *expected, "{moves}");
        }
    }

    const LOCKS_OF_BOOK: &[(&str, [u32; 2])] = &[
        ("", [0x0526_56d5, 0x0526_56d5]),
        ("h2e2", [0xeb50_5d7d, 0x5396_644f]),
        ("h2e2 h9g7", [0xdf3a_d30d, 0xf1c7_0c5a]),
        ("c3c4", [0x5a51_6009, 0x0c7c_a37f]),
    ];

    #[test]
    fn what_games_played_comes_back_by_its_points() {
        let games =
            [("h2e2 h9g7 h0g2", 2), ("h2e2 b9c7", 1), ("c3c4 h9g7", 1), ("g3g4 h9g7", 0), ("b2e2", 2)];
        let file = written(&made(&games, 1));
        let book = Book::open(file.path()).unwrap();
        // The start is its own mirror image: h2e2 and b2e2 are one move, counted for both sides of the board.
        assert_eq!(texts(&book, ""), named(&[("b2e2", 5), ("h2e2", 5), ("c3c4", 1), ("g3g4", 1)]));
        // Black lost one of the games and drew the other.
        assert_eq!(texts(&book, "h2e2"), named(&[("b9c7", 1)]));
        assert_eq!(texts(&book, "b2e2"), named(&[("h9g7", 1)]), "the mirror image");
        assert!(texts(&book, "a0a1").is_empty());
        let often = written(&made(&games, 2));
        assert_eq!(
            texts(&Book::open(often.path()).unwrap(), ""),
            named(&[("b2e2", 5), ("h2e2", 5), ("c3c4", 1), ("g3g4", 1)])
        );
        assert!(texts(&Book::open(often.path()).unwrap(), "h2e2").is_empty());
    }

    #[test]
    fn great_weights_keep_their_proportion() {
        let mut maker = BookMaker::<Book>::default();
        let board = play("h2e2");
        let read = |text: &str| board.parse_move(text, Notation::Coordinate).unwrap();
        for (mv, times) in [("h9g7", 60_000), ("b9c7", 20_000)] {
            for _ in 0..times {
                maker.begin_game();
                maker.add(&board, read(mv), 2);
            }
        }
        let file = written(&maker.finish(1));
        assert_eq!(
            texts(&Book::open(file.path()).unwrap(), "h2e2"),
            named(&[("h9g7", 60_000), ("b9c7", 20_000)])
        );
    }

    #[test]
    fn moves_that_are_not_legal_are_left_out() {
        let entry = |bits: u16, weight: u16| {
            [&locks(&play(""))[0].to_le_bytes()[..], &bits.to_le_bytes(), &weight.to_le_bytes()].concat()
        };
        // A move off the board, one of no piece, one of the opponent, one without weight, and a good one.
        let bits = |from: &str, to: &str| {
            let sq = |t: &str| {
                offset(
                    Square::at(usize::from(t.as_bytes()[0] - b'a'), usize::from(t.as_bytes()[1] - b'0'))
                        .unwrap(),
                )
            };
            sq(from) | sq(to) << 8
        };
        let bytes = [
            entry(0xFFFF, 9),
            entry(bits("e4", "e5"), 9),
            entry(bits("h9", "g7"), 9),
            entry(bits("h0", "g2"), 0),
            entry(bits("h2", "e2"), 3),
        ];
        let file = written(&bytes.concat());
        assert_eq!(texts(&Book::open(file.path()).unwrap(), ""), named(&[("h2e2", 3)]));
    }

    #[test]
    fn the_own_book_offers_choices() {
        let book = Book::own();
        assert!(book.is_well_formed());
        let first = texts(&book, "");
        assert!(first.len() > 1 && texts(&book, &first[0].0).len() > 1, "{first:?}");
    }

    #[test]
    fn files_that_are_no_books_are_refused() {
        let (short, unsorted) = (&[0; 9][..], &[9, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0][..]);
        for bytes in [short, unsorted] {
            let file = written(bytes);
            let error = Book::open(file.path()).map(|_| ()).unwrap_err();
            assert!(error.to_string().ends_with("no book in the format of BOOK.DAT"), "{error}");
        }
        assert!(Book::open(Path::new("/no/such/BOOK.DAT")).is_err());
        assert!(Book::open(Path::new("/")).is_err(), "a folder");
        let empty = written(&[]);
        assert!(texts(&Book::open(empty.path()).unwrap(), "").is_empty());
    }
}
