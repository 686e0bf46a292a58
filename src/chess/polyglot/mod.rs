//! Opening books in the format of Polyglot: entries of 16 bytes, sorted by the key of a position.
//! Source: <http://hgm.nubati.net/book_format.html>.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod keys;

use super::board::Board;
use super::movegen::All;
use super::types::{Color, Kind, Move, MoveType, Square};
use crate::game::MoveList;
use crate::game::book::BookFormat;
use crate::util::files;
use crate::util::message::Message;
use crate::{ensure, message};
use arrayvec::ArrayVec;
use keys::KEYS;
use std::borrow::Cow;
use std::path::Path;

const ENTRY_BYTES: usize = 16;
/// Maximum bytes of a book. It is read whole: truncating a mapped file would crash the program.
const MAX_BYTES: u64 = 1 << 30;
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// Games of the engine against itself from named openings: see `books/README.md`.
static OWN: &[u8] = include_bytes!("../../../books/chess.bin");

pub struct Book {
    bytes: Cow<'static, [u8]>,
}

pub(super) type BookMove = crate::game::BookMove<Move>;

impl Book {
    /// Opens a book.
    pub fn open(path: &Path) -> Result<Self, Message> {
        let bytes = files::read(path, MAX_BYTES).map_err(|error| files::at(path, error))?;
        let other = || message!("no Polyglot book" | "不是 Polyglot 开局库");
        ensure!(bytes.len().is_multiple_of(ENTRY_BYTES), files::at(path, other()));
        Ok(Self { bytes: bytes.into() })
    }

    /// The book that is part of the program.
    pub const fn own() -> Self {
        Self { bytes: Cow::Borrowed(OWN) }
    }

    /// What the book plays in this position, the heaviest first. Moves that are not legal, and those of
    /// weight 0, are left out.
    pub fn moves(&self, board: &Board) -> Vec<BookMove> {
        let key = key(board);
        let mut legal = MoveList::<Move>::new();
        board.position().generate::<All>(board.masks(), &mut legal);
        let (all, _) = self.bytes.as_chunks();
        let first = all.partition_point(|bytes| entry(bytes).0 < key);
        let entries = all.iter().skip(first).map(entry).take_while(|entry| entry.0 == key);
        let mut moves: Vec<BookMove> = entries
            .filter_map(|(_, bits, weight)| {
                let mv = legal.iter().copied().find(|&mv| weight > 0 && names(bits, mv))?;
                Some(BookMove { mv, weight })
            })
            .collect();
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        moves
    }
}

/// Key, move and weight of an entry.
fn entry(&[a, b, c, d, e, f, g, h, m0, m1, w0, w1, ..]: &[u8; ENTRY_BYTES]) -> (u64, u16, u16) {
    let key = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
    (key, u16::from_be_bytes([m0, m1]), u16::from_be_bytes([w0, w1]))
}

/// Whether these bits of a book mean `mv`. Castling is the king takes the rook; some books write it as the
/// king goes.
fn names(bits: u16, mv: Move) -> bool {
    let square = |shift: u16| Square::new(usize::from(bits >> shift & 63));
    let promotion = match bits >> 12 & 7 {
        0 => None,
        n => Kind::PROMOTIONS.get(usize::from(n).wrapping_sub(1)).copied(),
    };
    let promotes = (mv.move_type() == MoveType::Promotion).then(|| mv.promotion_kind());
    let castles = mv.move_type() == MoveType::Castling && mv.from().file() == 4;
    mv.from() == square(6)
        && promotes == promotion
        && (mv.to() == square(0) || (castles && mv.castling_targets().0 == square(0)))
}

impl BookFormat for Book {
    type Game = Board;
    /// Key and move.
    type Key = (u64, u16);
    const ENTRY_BYTES: usize = ENTRY_BYTES;

    fn keys(board: &Board, mv: Move) -> ArrayVec<Self::Key, 2> {
        let promotion = (mv.move_type() == MoveType::Promotion)
            .then(|| Kind::PROMOTIONS.iter().position(|&kind| kind == mv.promotion_kind()))
            .flatten();
        let kind = promotion.map_or(0, |place| place.saturating_add(1));
        let bits = (kind << 12 | mv.from().index() << 6 | mv.to().index()) as u16;
        [(key(board), bits)].into_iter().collect()
    }

    fn entry((key, bits): Self::Key, weight: u16) -> Vec<u8> {
        [&key.to_be_bytes()[..], &bits.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    }
}

/// The key by which books know the position.
#[allow(clippy::indexing_slicing, reason = "every piece, square and file has a key")]
#[allow(clippy::arithmetic_side_effects, reason = "places in the table of keys")]
pub fn key(board: &Board) -> u64 {
    let pos = board.position();
    let mut key = 0;
    for square in pos.occupied() {
        if let Some(piece) = board.piece_on(square) {
            let kind = 2 * piece.kind().index() + usize::from(piece.color() == Color::First);
            key ^= KEYS[64 * kind + square.index()];
        }
    }
    for rook in pos.castling_rooks() {
        let color = if pos.color(Color::First).has(rook) { Color::First } else { Color::Second };
        let long = usize::from(rook.file() < pos.king(color).file());
        key ^= KEYS[CASTLING + 2 * color.index() + long];
    }
    if let Some(square) = board.passed() {
        key ^= KEYS[EN_PASSANT + square.file()];
    }
    if board.side() == Color::First {
        key ^= KEYS[WHITE_TO_MOVE];
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::notation::Notation;
    use crate::game::book::BookMaker;
    use crate::game::testing::played;
    use crate::game::{Game, Text};
    use tempfile::tempdir;

    fn play(moves: &str) -> Board {
        played(Board::start(), moves)
    }

    /// The examples of the published format.
    #[test]
    fn keys_are_those_of_the_format() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&play(moves)), expected, "{moves}");
        }
    }

    /// Keys are those of python-chess, `chess.polyglot.zobrist_hash`.
    #[test]
    fn pinned_captures_in_passing_are_hashed() {
        for (fen, is_hashed) in [
            // Pinned on the rank, the file, a diagonal, and the file for Black.
            ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", true),
            ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true),
            ("7k/8/5b2/3pP3/3K4/8/8/8 w - d6 0 1", true),
            ("4k3/8/8/8/3Pp3/8/8/4R2K b - d3 0 1", true),
            ("7k/8/8/K1Pp3r/8/8/8/8 w - d6 0 1", true),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true),
            // No pawn stands beside it, or none has passed.
            ("4k3/8/8/3p4/8/8/4P3/4K3 w - d6 0 1", false),
            ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", false),
            ("4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1", false),
            ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let without = Board::from_fen(&fen.replace("d6", "-").replace("d3", "-")).unwrap();
            let difference = if is_hashed { KEYS[EN_PASSANT + 3] } else { 0 };
            assert_eq!(key(&board) ^ key(&without), difference, "{fen}");
            assert_eq!(key(&board.clone()), key(&board));
        }
        let mut board = Board::from_fen("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1").unwrap();
        let before = key(&board);
        assert_eq!(before, 0xe51a_f365_da04_15d8);
        for mv in ["a5b4", "h1g1"] {
            let mv = board.parse_move(mv, Notation::Coordinate).unwrap();
            board.do_move(mv, &mut ());
        }
        assert_eq!(key(&board), key(&Board::from_fen(&board.fen()).unwrap()));
        board.undo_move();
        board.undo_move();
        assert_eq!(key(&board), before);
    }

    fn texts(book: &Book, board: &Board) -> Vec<String> {
        book.moves(board).iter().map(|m| board.move_text(m.mv, Notation::Coordinate)).collect()
    }

    /// An entry; squares are a1 = 0 to h8 = 63.
    fn entry(board: &Board, from: usize, to: usize, promotion: usize, weight: u16) -> Vec<u8> {
        let mv = (promotion << 12 | from << 6 | to) as u16;
        [&key(board).to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    }

    #[test]
    fn what_games_played_comes_back() {
        let mut maker = BookMaker::<Book>::default();
        for (moves, points) in [("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", 2), ("d2d4", 1)] {
            let mut board = Board::start();
            maker.begin_game();
            for text in moves.split_whitespace() {
                let mv = board.parse_move(text, Notation::Coordinate).unwrap();
                maker.add(&board, mv, points);
                board.do_move(mv, &mut ());
            }
        }
        let promotion = Board::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        maker.add(&promotion, promotion.parse_move("a7a8r", Notation::Coordinate).unwrap(), 1);
        let book = Book { bytes: maker.finish(1).into() };
        assert_eq!(texts(&book, &play("")), ["e2e4", "d2d4"]);
        assert_eq!(texts(&book, &play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")), ["e1g1"]);
        assert_eq!(texts(&book, &promotion), ["a7a8r"]);
    }

    #[test]
    fn the_own_book_offers_choices_and_is_sorted() {
        let book = Book::own();
        let (entries, rest) = book.bytes.as_chunks();
        assert!(rest.is_empty() && entries.iter().map(|bytes| super::entry(bytes).0).is_sorted());
        let first = texts(&book, &play(""));
        assert!(first.len() > 2 && texts(&book, &play(&first[0])).len() > 2, "{first:?}");
    }

    #[test]
    fn entries_become_legal_moves() {
        let folder = tempdir().unwrap();
        let castling = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let promotion = Board::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let mut entries = [
            entry(&castling, 4, 7, 0, 3),
            // The king goes, and a move that is not legal, and one without weight.
            entry(&castling, 4, 2, 0, 5),
            entry(&castling, 4, 60, 0, 9),
            entry(&castling, 4, 12, 0, 0),
            entry(&promotion, 48, 56, 1, 1),
            entry(&promotion, 48, 56, 4, 2),
        ];
        entries.sort();
        let path = folder.path().join("own.bin");
        std::fs::write(&path, entries.concat()).unwrap();
        let book = Book::open(&path).unwrap();
        assert_eq!(texts(&book, &castling), ["e1c1", "e1g1"]);
        assert_eq!(texts(&book, &promotion), ["a7a8q", "a7a8n"]);
        assert!(texts(&book, &play("")).is_empty());
        // What becomes of the file later is no matter.
        std::fs::write(&path, []).unwrap();
        assert_eq!(texts(&book, &castling), ["e1c1", "e1g1"]);
        std::fs::write(&path, [0; 17]).unwrap();
        assert!(Book::open(&path).is_err());
        assert!(Book::open(&folder.path().join("none.bin")).is_err());
    }
}
