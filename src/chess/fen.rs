//! Forsyth-Edwards Notation, with the castling rights of Shredder-FEN and X-FEN.
//! <https://www.chessprogramming.org/Forsyth-Edwards_Notation> <https://en.wikipedia.org/wiki/X-FEN>

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::attacks;
use super::bitboard::Bitboard;
use super::board::Board;
use super::position::Position;
use super::types::{Color, Kind, Square};
use crate::ensure;
use crate::errors;
use crate::util::lang::Bilingual;
use std::fmt::Write;

pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

errors! {
    /// Why a FEN is no position of chess. Ranks count from 1.
    pub enum FenError {
        NoPieces = "the piece placement is missing" | "缺少棋子的位置",
        Holdings(text: String) = "there are no pieces in hand, as in \"[{text}]\", in chess" | "国际象棋没有“[{text}]”这样的持子",
        TooManyFields(rest: String) = "more than six fields, from {rest:?} on" | "多于六项，从“{rest}”起",
        RankCount(count: usize) = "pieces: {count} ranks instead of 8" | "棋子：有 {count} 行，应为 8 行",
        RankLength(rank: usize, files: usize) = "pieces: rank {rank} has {files} squares instead of 8"
            | "棋子：第 {rank} 行有 {files} 格，应为 8 格",
        BadPiece(letter: char, rank: usize) = "pieces: {letter:?} on rank {rank} is no piece"
            | "棋子：第 {rank} 行上的“{letter}”不是棋子",
        Kings(side: Bilingual, count: u32) = "pieces: {side} has {count} kings instead of 1"
            | "棋子：{side}有 {count} 个王，应为 1 个",
        TooManyPieces(side: Bilingual, count: u32) = "pieces: {side} has {count} pieces, 32 at most"
            | "棋子：{side}有 {count} 个棋子，至多 32 个",
        PawnOnLastRank(square: Square) = "pieces: a pawn stands on {square}" | "棋子：{square} 上有兵",
        BadSide(text: String) = "side to move: {text:?} is neither w nor b" | "走棋方：“{text}”不是 w 也不是 b",
        KingCapturable(side: Bilingual) = "side to move: {side} could capture the king"
            | "走棋方：{side}可以吃掉对方的王",
        BadCastlingLetter(letter: char) = "castling rights: {letter:?} is none of KQkq, A to H, a to h or -"
            | "易位权：“{letter}”不是 KQkq、A 至 H、a 至 h 或 -",
        BadEnPassant(text: String) = "en passant square: {text:?} is no square of the third or sixth rank"
            | "吃过路兵格：“{text}”不是第三或第六行的格",
        BadClock(text: String) = "half-move clock: {text:?} is no number from 0 to 9999"
            | "半回合计数：“{text}”不是 0 至 9999 的数",
        BadMoveNumber(text: String) = "move number: {text:?} is no number from 0 to 99999"
            | "回合数：“{text}”不是 0 至 99999 的数",
    }
}

/// Pieces of a side.
const MAX_PIECES: u32 = 32;

const fn name(color: Color) -> Bilingual {
    match color {
        Color::First => Bilingual("white", "白方"),
        Color::Second => Bilingual("black", "黑方"),
    }
}

impl Board {
    /// Parses a FEN of one to six fields; those that are missing are `w - - 0 1`, and where the counters come
    /// too early, those before them are missing. Empty holdings, `[]`, and numbers or dashes behind the sixth
    /// field are passed over. Castling rights may be those of standard FEN, Shredder-FEN (`HAha`) or X-FEN
    /// (`KQkq` for the outermost rook, else a file). Rights without a rook, a second right to one side and an
    /// en passant square that no pawn has passed are left out, counters beyond their range are the greatest
    /// there are: these FENs exist, and can be played. A side may have more pieces than promotions allow,
    /// up to 32: lists of moves have room for theirs.
    /// # Errors
    /// [`FenError`] names the field and what is wrong with it.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        let mut fields = fen.split_ascii_whitespace().peekable();
        let pieces = fields.next().ok_or(FenError::NoPieces)?;
        let (pieces, holdings) = pieces.split_once('[').unwrap_or((pieces, ""));
        let holdings = holdings.trim_end_matches(']');
        ensure!(matches!(holdings, "" | "-"), FenError::Holdings(holdings.to_owned()));
        let mut pos = parse_pieces(pieces)?;
        pos.side = match fields.next() {
            None | Some("w" | "W") => Color::First,
            Some("b" | "B") => Color::Second,
            Some(other) => return Err(FenError::BadSide(other.to_owned())),
        };
        check_pieces(&pos)?;
        let castling = fields.next_if(|field| !is_number(field)).unwrap_or("-");
        pos.castling = parse_castling(&pos, castling)?;
        let passed = fields.next_if(|field| !is_number(field)).unwrap_or("-");
        let first_passed = parse_en_passant(&mut pos, passed)?;
        let rule50 = match fields.next() {
            None | Some("-") => 0,
            Some(text) => parse_number(text, 9_999).ok_or_else(|| FenError::BadClock(text.to_owned()))?,
        };
        let number = match fields.next() {
            None | Some("-") => 1,
            Some(text) => {
                parse_number(text, 99_999).ok_or_else(|| FenError::BadMoveNumber(text.to_owned()))?
            }
        };
        if let Some(rest) = fields.find(|field| !is_number(field) && *field != "-") {
            return Err(FenError::TooManyFields(rest.to_owned()));
        }
        let ply = number.saturating_sub(1).saturating_mul(2).saturating_add(pos.side as u32);
        let mut board = Self::new(pos, rule50 as u16, ply);
        board.first_passed = first_passed;
        Ok(board)
    }

    /// The position as a FEN of six fields, castling rights as in X-FEN. The en passant square is
    /// written only when a legal capture on it exists.
    pub fn fen(&self) -> String {
        self.fen_with(|pos, rook| {
            let king = pos.king(color_of(pos, rook));
            let rooks = home_rooks(pos, color_of(pos, rook));
            match rook.index() > king.index() {
                true if rooks.last() == rook => 'k',
                false if rooks.first() == rook => 'q',
                _ => rook.file_letter(),
            }
        })
    }

    /// The position as a FEN whose castling rights are the files of the rooks, `HAha`.
    pub fn shredder_fen(&self) -> String {
        self.fen_with(|_, rook| rook.file_letter())
    }

    fn fen_with(&self, letter: impl Fn(&Position, Square) -> char) -> String {
        let pos = self.position();
        let mut text = String::with_capacity(80);
        for rank in (0..8).rev() {
            let mut empty = 0_u8;
            for file in 0..8 {
                let Some(piece) = self.piece_on(Square::at(file, rank)) else {
                    empty = empty.saturating_add(1);
                    continue;
                };
                if empty > 0 {
                    let _ = write!(text, "{empty}");
                }
                empty = 0;
                text.push(piece.letter());
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text.push_str(if self.side() == Color::First { " w " } else { " b " });
        text.push_str(&castling_text(pos, letter));
        match pos.en_passant() {
            Some(square) => {
                let _ = write!(text, " {square}");
            }
            None => text.push_str(" -"),
        }
        let _ = write!(text, " {} {}", self.rule50(), self.move_number());
        text
    }
}

/// Castling rights, White's before Black's, king's side before queen's side.
fn castling_text(pos: &Position, letter: impl Fn(&Position, Square) -> char) -> String {
    let mut text = String::new();
    for color in [Color::First, Color::Second] {
        let mut rooks: Vec<Square> = (pos.castling & pos.color(color)).into_iter().collect();
        rooks.reverse();
        for rook in rooks {
            let letter = letter(pos, rook);
            text.push(if color == Color::First { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if text.is_empty() {
        text.push('-');
    }
    text
}

fn color_of(pos: &Position, square: Square) -> Color {
    if pos.color(Color::First).has(square) { Color::First } else { Color::Second }
}

fn home_rooks(pos: &Position, color: Color) -> Bitboard {
    pos.pieces(color, Kind::Rook) & Bitboard::relative_rank(color, 0)
}

fn parse_number(text: &str, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().map_or(most, |number: u32| number.min(most)))
}

#[allow(clippy::indexing_slicing, reason = "a kind and a color have a place each")]
#[allow(clippy::arithmetic_side_effects, reason = "a rank is from 0 to 7")]
fn parse_pieces(text: &str) -> Result<Position, FenError> {
    let mut pos = Position::EMPTY;
    let count = text.split('/').count();
    ensure!(count == 8, FenError::RankCount(count));
    for (rank, line) in (0..8).rev().zip(text.split('/')) {
        let (mut file, mut after_digit) = (0_usize, false);
        for letter in line.chars() {
            let bad = FenError::BadPiece(letter, rank + 1);
            match letter.to_digit(9).filter(|&gap| gap > 0 && !after_digit) {
                Some(gap) => file = file.saturating_add(gap as usize),
                None => {
                    let byte = u8::try_from(letter).map_err(|_| bad.clone())?;
                    let kind = Kind::from_letter(byte).ok_or(bad)?;
                    let color = if byte.is_ascii_uppercase() { Color::First } else { Color::Second };
                    if file < 8 {
                        let square = Square::at(file, rank).bb();
                        pos.kinds[kind.index()] |= square;
                        pos.colors[color.index()] |= square;
                    }
                    file = file.saturating_add(1);
                }
            }
            after_digit = letter.is_ascii_digit();
        }
        ensure!(file == 8, FenError::RankLength(rank + 1, file));
    }
    Ok(pos)
}

/// What the generator relies on: one king each, no more pieces than half the board (so that no position has
/// more moves than a list holds), no pawns on the last ranks, and a king that cannot be captured.
fn check_pieces(pos: &Position) -> Result<(), FenError> {
    for color in [Color::First, Color::Second] {
        let count = |kind| pos.pieces(color, kind).count();
        ensure!(count(Kind::King) == 1, FenError::Kings(name(color), count(Kind::King)));
        let pieces = pos.color(color).count();
        ensure!(pieces <= MAX_PIECES, FenError::TooManyPieces(name(color), pieces));
    }
    let misplaced = pos.kind(Kind::Pawn) & (Bitboard::rank(0) | Bitboard::rank(7));
    ensure!(!misplaced.any(), FenError::PawnOnLastRank(misplaced.first()));
    let (us, them) = (pos.side, pos.side.other());
    ensure!(!pos.is_attacked(pos.king(them), us, pos.occupied()), FenError::KingCapturable(name(us)));
    Ok(())
}

#[allow(clippy::arithmetic_side_effects, reason = "a letter from a to h, and one of two colors")]
fn parse_castling(pos: &Position, text: &str) -> Result<Bitboard, FenError> {
    let mut rights = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rights);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::First } else { Color::Second };
        let king = pos.king(color);
        let rooks = home_rooks(pos, color);
        let rook = match letter.to_ascii_lowercase() {
            'k' => rooks.last(),
            'q' => rooks.first(),
            file @ 'a'..='h' => Square::at(file as usize - 'a' as usize, 7 * color.index()),
            _ => return Err(FenError::BadCastlingLetter(letter)),
        };
        let right_side = match letter.to_ascii_lowercase() {
            'k' => rook > king,
            'q' => rook < king,
            _ => true,
        };
        if !rooks.has(rook) || !right_side || !Bitboard::relative_rank(color, 0).has(king) {
            continue;
        }
        let is_second = (rights & rooks).into_iter().any(|other| (other > king) == (rook > king));
        if !is_second {
            rights |= rook.bb();
        }
    }
    Ok(rights)
}

/// Keeps the square in the position only if a capture is legal; it must be a square that a pawn passes in any
/// case. Returns it if a pawn has passed one beside it.
fn parse_en_passant(pos: &mut Position, text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let (us, them) = (pos.side, pos.side.other());
    let square = Square::parse(text.as_bytes())
        .filter(|&square| [us, them].iter().any(|&side| Bitboard::relative_rank(side, 5).has(square)))
        .ok_or_else(|| FenError::BadEnPassant(text.to_owned()))?;
    if !Bitboard::relative_rank(us, 5).has(square) {
        return Ok(None);
    }
    let pawn = square.bb().forward(them);
    let passed = square.bb() | square.bb().forward(us);
    let has_passed = pos.pieces(them, Kind::Pawn).meets(pawn) && !pos.occupied().meets(passed);
    let is_attacked = has_passed && attacks::pawn(them, square).meets(pos.pieces(us, Kind::Pawn));
    if is_attacked {
        pos.set_ep_if_legal(square);
    }
    Ok(is_attacked.then_some(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    fn round_trip(fen: &str) {
        assert_eq!(Board::from_fen(fen).map(|board| board.fen()), Ok(fen.to_owned()));
    }

    /// The numbers are those of python-chess.
    #[test]
    fn sides_may_have_more_pieces_than_promotions_give() {
        for (fen, moves) in [
            ("knQQQQQQ/nnQ4Q/QQ5Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQK w - - 0 1", 263),
            ("4k3/pppppppp/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", 17),
            ("kqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/PPPPPPPP/QQQQQQQQ/QQQQQQQQ/KQQQQQQQ w - - 0 1", 14),
        ] {
            round_trip(fen);
            let mut board = Board::from_fen(fen).unwrap();
            assert_eq!((board.legal().len(), board.count_legal()), (moves, moves as u64), "{fen}");
            for mv in board.legal() {
                board.do_move(mv, &mut ());
                assert_eq!(board.legal().len() as u64, board.count_legal());
                board.undo_move();
            }
        }
    }

    #[test]
    fn fens_come_back_as_they_went() {
        round_trip(START_FEN);
        round_trip("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 13 42");
        round_trip("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3");
        round_trip("8/8/8/8/8/8/8/K1k5 w - - 99 120");
    }

    #[test]
    fn fields_may_be_missing_from_the_end() {
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - -").unwrap();
        assert_eq!(board.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        for less in ["4k3/8/8/8/8/8/8/4K3 b -", "4k3/8/8/8/8/8/8/4K3 b"] {
            assert_eq!(Board::from_fen(less).unwrap().fen(), board.fen());
        }
        assert_eq!(Board::from_fen("4k3/8/8/8/8/8/8/4K3").unwrap().fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let board = Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 7").unwrap();
        assert_eq!(board.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 7 1");
    }

    #[test]
    fn odd_fields_are_passed_over() {
        let board = "r3k2r/8/8/3pP3/8/8/8/R3K2R";
        for (rest, expected) in [
            ("w 0 1", "w - - 0 1"),
            ("b 7 9", "b - - 7 9"),
            ("w KQkq 3 9", "w KQkq - 3 9"),
            ("w 12", "w - - 12 1"),
            ("w KQ", "w KQ - 0 1"),
            ("w - d6", "w - d6 0 1"),
            ("w KQkq d6 - -", "w KQkq d6 0 1"),
            ("W KQkq d6 0 2 7", "w KQkq d6 0 2"),
            ("B - - 0 2 - -", "b - - 0 2"),
        ] {
            for holdings in ["", "[]", "[-]"] {
                let fen = format!("{board}{holdings} {rest}");
                assert_eq!(Board::from_fen(&fen).unwrap().fen(), format!("{board} {expected}"), "{fen}");
            }
        }
    }

    #[test]
    fn useless_en_passant_squares_are_dropped() {
        // Nobody can capture.
        let board = Board::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").unwrap();
        assert!(board.fen().contains(" - 0 1"));
        // The capture would open the fifth rank to the rook.
        let board = Board::from_fen("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1").unwrap();
        assert!(board.fen().contains(" - - 0 1"));
    }

    #[test]
    fn castling_rights_have_three_spellings() {
        let shredder = Board::from_fen("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1").unwrap();
        let standard = Board::from_fen("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1").unwrap();
        assert_eq!(shredder, standard);
        assert_eq!(shredder.shredder_fen(), "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1");
        // The inner rook needs its file.
        round_trip("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1");
        round_trip("4k3/8/8/8/8/8/8/4KRR1 w K - 0 1");
    }

    #[test]
    fn odd_fens_that_can_be_played_are_taken() {
        for (fen, taken) in [
            ("4k3/8/8/8/8/8/8/4K2R w Qk - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
            ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
            ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/4P3/4K3 b - - 0 1"),
            ("4k3/8/8/8/8/8/8/4KR2 w KK - 0 1", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 99999999999 99999999999", "4k3/8/8/8/8/8/8/4K3 w - - 9999 99999"),
        ] {
            assert_eq!(Board::from_fen(fen).map(|board| board.fen()).as_deref(), Ok(taken), "{fen}");
        }
    }

    #[test]
    fn every_bad_fen_has_a_named_error() {
        use FenError::*;
        let cases = [
            ("", NoPieces),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1 bm", TooManyFields("bm".into())),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1 7 e2e4", TooManyFields("e2e4".into())),
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1 +0+0", TooManyFields("+0+0".into())),
            ("8/8/8/8/8/8/8/K1k5 w - - 3+3 0 1", BadClock("3+3".into())),
            ("8/8/8/8/8/8/8/K1k5[Qp] w - - 0 1", Holdings("Qp".into())),
            ("8/8/8/8/8/8/K1k5 w - - 0 1", RankCount(7)),
            ("8/8/8/8/8/8/7/K1k5 w - - 0 1", RankLength(2, 7)),
            ("8/8/8/8/8/8/8/K1k6 w - - 0 1", RankLength(1, 9)),
            ("8/8/8/8/8/8/8/K1x5 w - - 0 1", BadPiece('x', 1)),
            ("8/8/8/8/8/44/8/K1k5 w - - 0 1", BadPiece('4', 3)),
            ("8/8/8/8/8/é7/8/K1k5 w - - 0 1", BadPiece('é', 3)),
            ("8/8/8/8/8/8/8/2k5 w - - 0 1", Kings(name(Color::First), 0)),
            ("8/8/8/8/8/8/8/K1k1k1k1 w - - 0 1", Kings(name(Color::Second), 3)),
            (
                "4k3/8/8/N7/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNK w - - 0 1",
                TooManyPieces(name(Color::First), 33),
            ),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", PawnOnLastRank(Square::at(0, 7))),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", BadSide("x".into())),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", KingCapturable(name(Color::First))),
            ("8/8/8/8/8/8/1k6/K7 w - - 0 1", KingCapturable(name(Color::First))),
            ("4k3/8/8/8/8/8/8/4K2R w Kx - 0 1", BadCastlingLetter('x')),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e9 0 1", BadEnPassant("e9".into())),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e4 0 1", BadEnPassant("e4".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", BadClock("-1".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", BadMoveNumber("x".into())),
        ];
        for (fen, error) in cases {
            assert_eq!(Board::from_fen(fen).err(), Some(error), "{fen}");
        }
    }
}
