//! Standard Algebraic Notation: `Nf3`, `exd8=Q+`, `O-O-O#`. Written as PGN's export format asks, read
//! generously. <https://www.chessprogramming.org/Algebraic_Chess_Notation>

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::bitboard::Bitboard;
use super::board::Board;
use super::legality::piece_attacks;
use super::types::{Kind, Move, MoveType, Square};
use crate::game::{Game, GameId, MoveList};
use crate::util::message::Message;
use crate::{errors, message};

errors! {
    /// Why a text is no move here.
    pub enum SanError {
        Malformed(text: String) = "{text:?} is no move in algebraic notation" | "“{text}”不是代数记谱法的着法",
        Illegal(text: String, why: Message) = "{text} is not legal here: {why}" | "这里不能走 {text}：{why}",
        Ambiguous(text: String, one: String, other: String) = "{text} could be {one} or {other}"
            | "{text} 可以是 {one} 或 {other}",
    }
}

/// A move as a text describes it.
struct Wanted {
    kind: Kind,
    file: Option<usize>,
    rank: Option<usize>,
    to: Square,
    promotion: Option<Kind>,
}

impl Board {
    /// The legal move `mv` in algebraic notation.
    pub fn san(&self, mv: Move) -> String {
        let mut text = match mv.move_type() {
            MoveType::Castling if mv.to() > mv.from() => "O-O".to_owned(),
            MoveType::Castling => "O-O-O".to_owned(),
            _ => self.piece_san(mv),
        };
        if self.gives_check(mv) {
            let mut after = self.clone();
            after.do_move(mv, &mut ());
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn piece_san(&self, mv: Move) -> String {
        let kind = self.mover(mv.from());
        let captures = mv.move_type() == MoveType::EnPassant || self.piece_on(mv.to()).is_some();
        let mut text = String::new();
        if kind == Kind::Pawn {
            if captures {
                text.push(mv.from().file_letter());
            }
        } else {
            text.push(kind.letter());
            text.push_str(&self.disambiguation(mv, kind));
        }
        if captures {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if mv.move_type() == MoveType::Promotion {
            text.push('=');
            text.push(mv.promotion_kind().letter());
        }
        text
    }

    /// File, rank or both of the first square: the least that distinguishes the move from others of its kind.
    fn disambiguation(&self, mv: Move, kind: Kind) -> String {
        let from = mv.from();
        let rivals: Vec<Square> = self
            .legal()
            .iter()
            .filter(|other| other.move_type() == MoveType::Normal && other.to() == mv.to())
            .map(|other| other.from())
            .filter(|&square| square != from && self.mover(square) == kind)
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|square| square.file() != from.file()) {
            from.file_letter().to_string()
        } else if rivals.iter().all(|square| square.rank() != from.rank()) {
            from.rank().saturating_add(1).to_string()
        } else {
            from.to_string()
        }
    }

    /// The legal move that `text` names. Checks and annotations (`+ # ! ?`) are not looked at; castling
    /// may be written with zeros, promotions without `=`.
    /// # Errors
    /// [`SanError`]: the text is no move, no legal one, or more than one.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let bare = text.trim_end_matches(['+', '#', '!', '?']);
        let illegal = |why| SanError::Illegal(text.to_owned(), why);
        let castles = |short: bool| {
            let moves = self.legal();
            let mut castling = moves.iter().filter(|mv| mv.move_type() == MoveType::Castling);
            let found = castling.find(|mv| (mv.to() > mv.from()) == short);
            found.copied().ok_or_else(|| illegal(self.why_no_castling(short)))
        };
        match bare {
            "O-O" | "0-0" => return castles(true),
            "O-O-O" | "0-0-0" => return castles(false),
            _ => {}
        }
        let wanted = Wanted::parse(bare).ok_or_else(|| SanError::Malformed(text.to_owned()))?;
        let moves = wanted.candidates(self);
        let mut fitting = moves.into_iter().filter(|mv| wanted.fits(self, *mv));
        match (fitting.next(), fitting.next()) {
            (Some(mv), None) => Ok(mv),
            (Some(one), Some(two)) => Err(SanError::Ambiguous(text.to_owned(), self.san(one), self.san(two))),
            _ => Err(illegal(wanted.why_not(self))),
        }
    }
}

impl Wanted {
    fn parse(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes();
        let mut promotion = None;
        if let [head @ .., letter @ (b'N' | b'B' | b'R' | b'Q')] = rest {
            promotion = Kind::from_letter(*letter);
            rest = head.strip_suffix(b"=").unwrap_or(head);
        } else if let [head @ .., b'=', letter @ (b'n' | b'b' | b'r' | b'q')] = rest {
            promotion = Kind::from_letter(letter.to_ascii_uppercase());
            rest = head;
        }
        let kind = match rest {
            [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'), tail @ ..] => {
                rest = tail;
                Kind::from_letter(*letter)?
            }
            _ => Kind::Pawn,
        };
        let (head, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let to = Square::parse(to)?;
        let head = head.strip_suffix(b"x").or(head.strip_suffix(b"-")).unwrap_or(head);
        let file = |letter: u8| letter.wrapping_sub(b'a').into();
        let rank = |digit: u8| digit.wrapping_sub(b'1').into();
        let (file, rank) = match *head {
            [] => (None, None),
            [letter @ b'a'..=b'h'] => (Some(file(letter)), None),
            [digit @ b'1'..=b'8'] => (None, Some(rank(digit))),
            [letter @ b'a'..=b'h', digit @ b'1'..=b'8'] => (Some(file(letter)), Some(rank(digit))),
            _ => return None,
        };
        Some(Self { kind, file, rank, to, promotion })
    }

    /// Why the move is not legal, where none fits.
    fn why_not(&self, board: &Board) -> Message {
        let from = Bitboard::ALL.into_iter().filter(|square| {
            self.file.is_none_or(|file| file == square.file())
                && self.rank.is_none_or(|rank| rank == square.rank())
        });
        let from: Bitboard = from.fold(Bitboard::EMPTY, |set, square| set | square.bb());
        // A move in coordinates names no piece.
        let kind = if from.count() == 1 && self.kind == Kind::Pawn {
            let square = from.first();
            match board.piece_on(square) {
                None => return message!("there is no piece on {square}" | "{square} 上没有棋子", square),
                Some(piece) if piece.color() != board.side() => {
                    let side = GameId::Chess.side(piece.color());
                    return message!(
                        "the piece on {square} is {side}'s" | "{square} 上是{side}的棋子",
                        square,
                        side
                    );
                }
                Some(piece) => piece.kind(),
            }
        } else {
            self.kind
        };
        board.why_not(kind, from, self.to, self.promotion)
    }

    /// The legal moves among which the wanted one is: those of pieces, of which few reach a square, without
    /// all others.
    fn candidates(&self, board: &Board) -> MoveList<Move> {
        let (pos, to) = (board.position(), self.to);
        if self.kind == Kind::Pawn || pos.color(pos.side()).has(to) {
            return board.legal();
        }
        let from = piece_attacks(self.kind, to, pos.occupied()) & pos.pieces(pos.side(), self.kind);
        from.into_iter().map(|from| Move::normal(from, to)).filter(|mv| board.is_legal(*mv)).collect()
    }

    fn fits(&self, board: &Board, mv: Move) -> bool {
        let promotes = mv.move_type() == MoveType::Promotion;
        mv.move_type() != MoveType::Castling
            && mv.to() == self.to
            && board.mover(mv.from()) == self.kind
            && promotes.then(|| mv.promotion_kind()) == self.promotion
            && self.file.is_none_or(|file| file == mv.from().file())
            && self.rank.is_none_or(|rank| rank == mv.from().rank())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fen: &str, uci: &str, san: &str) {
        let board = Board::from_fen(fen).unwrap();
        let mv = board.move_from_text(uci).unwrap();
        assert_eq!(board.san(mv), san, "{fen}");
        assert_eq!(board.parse_san(san), Ok(mv), "{fen}");
    }

    #[test]
    fn moves_are_written_as_pgn_asks() {
        check(crate::chess::START_FEN, "g1f3", "Nf3");
        check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5");
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6");
        check("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+");
        check("1k6/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O");
        check("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+");
        check("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#");
    }

    #[test]
    fn the_shortest_clear_origin_is_written() {
        check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1");
        check("R7/4k3/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4");
        // File and rank both occur twice.
        check("8/2k5/8/8/4Q2Q/8/K7/7Q w - - 0 1", "h4e1", "Qh4e1");
        // The other knight is pinned, so it is no rival.
        check("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2");
    }

    #[test]
    fn reading_is_generous_but_not_careless() {
        let board = Board::from_fen("r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1").unwrap();
        assert_eq!(board.parse_san("0-0!?").map(Move::move_type), Ok(MoveType::Castling));
        assert_eq!(board.parse_san("Pe4"), board.parse_san("e4"));
        assert_eq!(board.parse_san("e2-e4"), board.parse_san("e4"));
        assert!(matches!(board.parse_san("Rg9"), Err(SanError::Malformed(_))));
        assert!(matches!(board.parse_san("Ré1"), Err(SanError::Malformed(_))));
        assert!(matches!(board.parse_san(""), Err(SanError::Malformed(_))));
        assert!(matches!(board.parse_san("Ke3"), Err(SanError::Illegal(..))));
        let board = Board::from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").unwrap();
        assert!(matches!(board.parse_san("Rd1"), Err(SanError::Ambiguous(..))));
        let board = Board::from_fen("7k/4P3/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(matches!(board.parse_san("e8"), Err(SanError::Illegal(..))));
        assert_eq!(board.parse_san("e8N"), board.parse_san("e8=N"));
        assert_eq!(board.parse_san("e8=n"), board.parse_san("e8=N"));
    }
}
