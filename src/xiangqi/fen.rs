//! FEN of xiangqi: `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`.
//!
//! Ranks from Black's home down, Red in upper case; `K A B N R C P`, also `G` for the general, `E` and `M`
//! for the elephant, `H` for the horse and `S` for the soldier. Only the first field is needed. Positions
//! that no game can reach are refused by name.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::bitboard::Bitboard;
use super::board::Board;
use super::lookup;
use super::types::{FILES, Kind, Piece, RANKS, Square};
use crate::ensure;
use crate::errors;
use crate::game::Side;
use crate::util::lang::Bilingual;

pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

errors! {
    /// Why a FEN is not a position of xiangqi. Ranks count from 0, Red's home.
    pub enum FenError {
        Empty = "empty fen" | "FEN 为空",
        TooManyFields(rest: String) = "fen has more than 6 fields, from \"{rest}\" on" | "FEN 多于 6 项，从“{rest}”起",
        Holdings(text: String) = "there are no pieces in hand, as in \"[{text}]\", in xiangqi"
            | "象棋没有“[{text}]”这样的持子",
        RankCount(count: usize) = "fen has {count} ranks instead of 10" | "FEN 有 {count} 行，应为 10 行",
        RankWidth(rank: usize, points: usize) = "rank {rank} of the fen describes {points} points instead of 9"
            | "FEN 的横线 {rank} 有 {points} 点，应为 9 点",
        BadPiece(letter: char, rank: usize) = "unknown piece \"{letter}\" on rank {rank}"
            | "横线 {rank} 上有不认识的棋子“{letter}”",
        BadSide(text: String) = "unknown side to move \"{text}\"" | "不认识的走棋方“{text}”",
        BadCounter(text: String) = "\"{text}\" is no move counter" | "“{text}”不是着数",
        NoGeneral(side: Bilingual) = "{side} has no general" | "{side}没有将（帅）",
        ManyGenerals(side: Bilingual, count: u32) = "{side} has {count} generals" | "{side}有 {count} 个将（帅）",
        TooMany(side: Bilingual, count: u32, piece: char, most: u32) =
            "{side} has {count} pieces of \"{piece}\", at most {most} are possible"
            | "{side}有 {count} 个“{piece}”，至多 {most} 个",
        GeneralOutside(side: Bilingual, point: Square) = "{side} general on {point} is outside the palace"
            | "{side}的将（帅）在 {point}，不在九宫内",
        Unreachable(side: Bilingual, piece: char, point: Square) = "{side} \"{piece}\" cannot stand on {point}"
            | "{side}的“{piece}”不能在 {point}",
        FacingGenerals(file: Bilingual) = "the generals face each other on the {file} file" | "将帅在{file}照面",
        CheckIgnored(side: Bilingual) = "{side} is in check but not to move" | "{side}被将军，却没有轮到它走",
    }
}

/// A file between the palaces as people name it: by its letter, in Chinese by its number.
const fn file_name(file: usize) -> Bilingual {
    match file {
        3 => Bilingual("d", "红方六路"),
        4 => Bilingual("e", "五路"),
        _ => Bilingual("f", "红方四路"),
    }
}

const fn side_name(side: Side) -> Bilingual {
    match side {
        Side::First => Bilingual("red", "红方"),
        Side::Second => Bilingual("black", "黑方"),
    }
}

impl Board {
    /// Reads a FEN. All fields but the first may be missing, and of the others the two that mean nothing in
    /// xiangqi. Empty holdings, `[]`, and numbers or dashes behind the sixth field are passed over.
    /// # Errors
    /// [`FenError`] names what is wrong.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let Some(placement) = fields.first() else { return Err(FenError::Empty) };
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        // Some programs write the counters behind the side to move.
        let counters = if fields.get(2).is_some_and(is_number) { 2 } else { 4 };
        let mut rest = fields.iter().skip(6);
        if let Some(field) = rest.find(|field| !is_number(field) && **field != "-") {
            return Err(FenError::TooManyFields((*field).to_owned()));
        }
        let (placement, holdings) = placement.split_once('[').unwrap_or((placement, ""));
        let holdings = holdings.trim_end_matches(']');
        ensure!(matches!(holdings, "" | "-"), FenError::Holdings(holdings.to_owned()));
        let mut board = Self::empty();
        board.read_placement(placement)?;
        let side = match fields.get(1).copied().unwrap_or("w") {
            "w" | "r" | "W" | "R" => Side::First,
            "b" | "B" => Side::Second,
            other => return Err(FenError::BadSide(other.to_owned())),
        };
        let mut counters = fields.iter().skip(counters);
        let halfmoves = counter(counters.next())?.unwrap_or(0);
        let fullmoves = counter(counters.next())?.unwrap_or(1).max(1);
        board.check_pieces()?;
        board.state.rule_counter = halfmoves;
        board.first_move.0 = fullmoves;
        board.finish(side);
        board.check_generals()?;
        Ok(board)
    }

    fn read_placement(&mut self, placement: &str) -> Result<(), FenError> {
        let ranks: Vec<&str> = placement.split('/').collect();
        ensure!(ranks.len() == RANKS, FenError::RankCount(ranks.len()));
        for (rank, text) in (0..RANKS).rev().zip(ranks) {
            let mut file = 0_usize;
            for letter in text.chars() {
                if let Some(gap) = letter.to_digit(10).filter(|&gap| gap > 0) {
                    file = file.saturating_add(gap as usize);
                    continue;
                }
                let kind = Kind::from_letter(letter).ok_or(FenError::BadPiece(letter, rank))?;
                let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
                if let Some(sq) = Square::at(file, rank) {
                    self.put(Piece::new(side, kind), sq);
                }
                file = file.saturating_add(1);
            }
            ensure!(file == FILES, FenError::RankWidth(rank, file));
        }
        Ok(())
    }

    #[allow(clippy::indexing_slicing, reason = "a side is 0 or 1")]
    fn check_pieces(&self) -> Result<(), FenError> {
        for side in [Side::First, Side::Second] {
            let (name, generals) = (side_name(side), self.pieces(side, Kind::General));
            match generals.count() {
                0 => return Err(FenError::NoGeneral(name)),
                1 => {}
                count => return Err(FenError::ManyGenerals(name, count)),
            }
            if let Some(sq) = generals.without(lookup::PALACE[side.index()]).first() {
                return Err(FenError::GeneralOutside(name, sq));
            }
            for kind in Kind::ALL {
                let count = self.pieces(side, kind).count();
                if count > kind.max_count() {
                    return Err(FenError::TooMany(name, count, kind.letter(), kind.max_count()));
                }
                let possible = match kind {
                    Kind::Advisor => lookup::ADVISOR_POINTS[side.index()],
                    Kind::Elephant => lookup::ELEPHANT_POINTS[side.index()],
                    // Composed endings have soldiers anywhere.
                    _ => Bitboard::ALL,
                };
                if let Some(sq) = self.pieces(side, kind).without(possible).first() {
                    return Err(FenError::Unreachable(name, kind.letter(), sq));
                }
            }
        }
        Ok(())
    }

    fn check_generals(&self) -> Result<(), FenError> {
        let (red, black) = (self.general(Side::First), self.general(Side::Second));
        if red.file() == black.file() && !lookup::between(red, black).meets(self.occ.all) {
            return Err(FenError::FacingGenerals(file_name(red.file())));
        }
        if !self.opponent_checkers().is_empty() {
            return Err(FenError::CheckIgnored(side_name(self.side.other())));
        }
        Ok(())
    }

    /// The position as a FEN of six fields.
    #[allow(clippy::arithmetic_side_effects, reason = "ranks of the board, and a gap of at most nine points")]
    pub fn fen(&self) -> String {
        let mut out = String::with_capacity(96);
        for rank in (0..RANKS).rev() {
            let mut gap = 0;
            for piece in self.squares.iter().skip(rank * FILES).take(FILES) {
                if piece.is_none() {
                    gap += 1;
                    continue;
                }
                push_gap(&mut out, &mut gap);
                out.push(piece.letter());
            }
            push_gap(&mut out, &mut gap);
            if rank > 0 {
                out.push('/');
            }
        }
        out.push_str(match self.side {
            Side::First => " w",
            Side::Second => " b",
        });
        out + &format!(" - - {} {}", self.state.rule_counter, self.full_move())
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "a gap of at most nine points")]
fn push_gap(out: &mut String, gap: &mut u8) {
    if *gap > 0 {
        out.push((b'0' + *gap) as char);
        *gap = 0;
    }
}

fn counter(field: Option<&&str>) -> Result<Option<u16>, FenError> {
    match field {
        None => Ok(None),
        Some(&"-") => Ok(None),
        // Counters beyond their range are the greatest there are, as in chess.
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(Some(text.parse().unwrap_or(u16::MAX)))
        }
        Some(text) => Err(FenError::BadCounter((*text).to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::util::lang::Language;
    use crate::util::message::Message;

    fn error(fen: &str) -> FenError {
        Board::from_fen(fen).expect_err(fen)
    }

    #[test]
    fn the_start_comes_back() {
        assert_eq!(Board::start().fen(), START_FEN);
        let black = "4k4/9/9/9/4n4/9/5C3/9/4N4/4K4 b - - 17 42";
        assert_eq!(Board::from_fen(black).unwrap().fen(), black);
    }

    #[test]
    fn one_field_is_enough_and_letters_have_two_habits() {
        let usual = START_FEN.split(' ').next().unwrap();
        let translated = |from: &str, to: &str| -> String {
            usual
                .chars()
                .map(|c| from.chars().position(|f| f == c).map_or(c, |at| to.chars().nth(at).unwrap()))
                .collect()
        };
        for letters in ["KABNRCP", "KAENRCP", "KAEHRCP", "GAEHRCS", "GAMHRCS", "GABNRCP", "KAMNRCS"] {
            let (upper, lower) = ("KABNRCP", letters.to_lowercase());
            let fen = translated(&(upper.to_owned() + &upper.to_lowercase()), &(letters.to_owned() + &lower));
            assert_eq!(Board::from_fen(&fen).unwrap().fen(), START_FEN, "{fen}");
        }
        for rest in [
            "w",
            "r",
            "W",
            "R",
            "w -",
            "w - -",
            "w - - 0",
            "w 0 1",
            "r 0",
            "w - - - 1",
            "w - - - -",
            "w - - 0 1 7",
            "w - - 0 1 - -",
            "w - - 0 1 0 0 0",
        ] {
            for holdings in ["", "[]", "[-]"] {
                let fen = format!("{usual}{holdings} {rest}");
                assert_eq!(Board::from_fen(&fen).unwrap().fen(), START_FEN, "{fen}");
            }
        }
        let counted = Board::from_fen(&format!("{usual}[] b 17 42")).unwrap().fen();
        assert_eq!(counted, format!("{usual} b - - 17 42"));
    }

    #[test]
    fn every_fault_has_a_name() {
        let bare = |rest: &str| format!("3k5/9/9/9/9/9/9/9/9/4{rest} w");
        assert_eq!(error("  "), FenError::Empty);
        assert_eq!(error("9/9 w - - 0 1 x"), FenError::TooManyFields("x".into()));
        assert_eq!(error("9/9 w - - 0 1 7 h2e2"), FenError::TooManyFields("h2e2".into()));
        assert_eq!(error("9/9[Pp] w"), FenError::Holdings("Pp".into()));
        assert_eq!(error("9/9 w x 1"), FenError::RankCount(2));
        assert_eq!(error("9/9 w"), FenError::RankCount(2));
        assert_eq!(error(&bare("K3")), FenError::RankWidth(0, 8));
        assert_eq!(error(&bare("K5")), FenError::RankWidth(0, 10));
        assert_eq!(error(&bare("KQ3")), FenError::BadPiece('Q', 0));
        assert_eq!(error(&bare("K0N3")), FenError::BadPiece('0', 0));
        assert_eq!(error("3k5/9/9/9/9/9/9/9/9/4K4 x"), FenError::BadSide("x".into()));
        assert_eq!(error("3k5/9/9/9/9/9/9/9/9/4K4 w - - x 1"), FenError::BadCounter("x".into()));
        assert_eq!(error("9/9/9/9/9/9/9/9/9/4K4 w"), FenError::NoGeneral(side_name(Side::Second)));
        assert_eq!(error(&bare("KK3")), FenError::ManyGenerals(side_name(Side::First), 2));
        assert_eq!(
            error("3k5/9/9/9/9/9/9/RRR6/9/4K4 w"),
            FenError::TooMany(side_name(Side::First), 3, 'R', 2)
        );
        assert!(matches!(error("3k5/9/9/9/9/9/9/9/9/6K2 w"), FenError::GeneralOutside(..)));
        assert!(matches!(error("3k5/9/9/9/9/9/4K4/9/9/9 w"), FenError::GeneralOutside(..)));
        for fen in [
            "3k5/9/9/9/9/9/9/9/9/3AKA3 w",
            "3k5/9/9/9/9/9/9/9/9/4AK3 w",
            "3k5/9/9/9/9/9/9/9/9/1B2K4 w",
            "3k5/9/9/9/2B6/9/9/9/9/4K4 w",
        ] {
            let wrong = Board::from_fen(fen);
            assert_eq!(wrong.is_ok(), fen.contains("3AKA3"), "{fen}");
            assert!(wrong.is_ok() || matches!(wrong, Err(FenError::Unreachable(..))), "{fen}");
        }
        assert_eq!(error("4k4/9/9/9/9/9/9/9/9/4K4 w"), FenError::FacingGenerals(file_name(4)));
        let facing = Message::from(error("3k5/9/9/9/9/9/9/9/9/3K5 w"));
        assert_eq!(facing.text(Language::English), "the generals face each other on the d file");
        assert_eq!(facing.text(Language::Chinese), "将帅在红方六路照面");
        assert_eq!(error("3k5/9/9/9/9/9/9/9/3R5/4K4 w"), FenError::CheckIgnored(side_name(Side::Second)));
        assert!(Board::from_fen("3k5/9/9/9/9/9/9/9/3R5/4K4 b").is_ok());
    }

    #[test]
    fn soldiers_may_stand_where_composers_put_them() {
        for fen in ["3k2p2/4P4/9/9/9/9/9/9/4p4/2p1K4 w - - 0 1", "3k5/9/9/9/9/9/1P7/P8/9/4KP3 w - - 0 1"] {
            assert_eq!(Board::from_fen(fen).unwrap().fen(), fen);
        }
        assert!(
            Board::from_fen("3k2p2/9/9/9/9/9/9/9/9/4K4 b")
                .unwrap()
                .legal()
                .iter()
                .any(|mv| mv.to_string() == "g9g8")
        );
    }

    #[test]
    fn messages_are_one_line_of_lower_case() {
        let text = error("3k5/9/9/9/9/9/9/RRR6/9/4K4 w").to_string();
        assert_eq!(text, "red has 3 pieces of \"R\", at most 2 are possible");
        assert_eq!(error("9/9/9/9/9/9/9/9/9/4K4 w").to_string(), "black has no general");
        assert_eq!(format!("{:#}", error("9/9/9/9/9/9/9/9/9/4K4 w")), "黑方没有将（帅）");
    }
}
