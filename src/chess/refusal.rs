//! Why a move is not legal, in words for people.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::bitboard::Bitboard;
use super::board::Board;
use super::types::{Kind, Square};
use crate::game::GameId;
use crate::message;
use crate::util::lang::Bilingual;
use crate::util::message::Message;

/// What a kind of piece is called.
pub const fn kind_name(kind: Kind) -> Bilingual {
    match kind {
        Kind::Pawn => Bilingual("pawn", "兵"),
        Kind::Knight => Bilingual("knight", "马"),
        Kind::Bishop => Bilingual("bishop", "象"),
        Kind::Rook => Bilingual("rook", "车"),
        Kind::Queen => Bilingual("queen", "后"),
        Kind::King => Bilingual("king", "王"),
    }
}

impl Board {
    /// Why no piece of `kind` on one of the squares `from` can go to `to`, where none can.
    pub(super) fn why_not(&self, kind: Kind, from: Bitboard, to: Square, promotion: Option<Kind>) -> Message {
        let (us, pos) = (self.side(), self.position());
        let (name, side) = (kind_name(kind), GameId::Chess.side(us));
        let own = pos.pieces(us, kind);
        if own.is_empty() {
            return message!("{side} has no {name}" | "{side}没有{name}", side, name);
        }
        if pos.color(us).has(to) {
            return message!("{side}'s own piece stands on {to}" | "{to} 上是{side}自己的棋子", to, side);
        }
        if !(own & from).into_iter().any(|square| self.reaches(kind, square, to)) {
            return message!("no {name} reaches {to}" | "没有{name}能走到 {to}", name, to);
        }
        let is_last = Bitboard::relative_rank(us, 7).has(to);
        match (kind, promotion) {
            (Kind::Pawn, None) if is_last => message!(
                "the pawn becomes another piece there, a queen by {to}=Q"
                    | "兵到底线必须升变，升后写作 {to}=Q",
                to
            ),
            (_, Some(_)) if kind != Kind::Pawn || !is_last => {
                message!("only a pawn on the last rank becomes another piece" | "只有兵走到底线才能升变")
            }
            (Kind::King, _) => message!("the king would be in check on {to}" | "王走到 {to} 会被将军", to),
            _ if self.masks().checkers.any() => message!("the king is in check" | "王正被将军"),
            _ => message!("it would leave the king in check" | "走后王会被将军"),
        }
    }

    /// Why castling is not legal, where it is not: to the h-file's side if `short`.
    pub(super) fn why_no_castling(&self, short: bool) -> Message {
        let (us, pos) = (self.side(), self.position());
        let king = pos.king(us);
        let rook = (pos.castling_rooks() & pos.color(us)).into_iter().find(|&rook| (rook > king) == short);
        let Some(rook) = rook else {
            return message!("the right to castle is gone" | "已经不能易位");
        };
        if self.masks().checkers.any() {
            return message!("the king is in check" | "王正被将军");
        }
        if (super::attacks::between(king, rook) & pos.occupied()).any() {
            return message!("pieces stand between king and rook" | "王和车之间有棋子");
        }
        message!("the king would pass an attacked square" | "王经过的格受到攻击")
    }

    fn reaches(&self, kind: Kind, from: Square, to: Square) -> bool {
        let (us, pos) = (self.side(), self.position());
        let attacks = pos.attackers(to, pos.occupied()).has(from);
        if kind != Kind::Pawn {
            return attacks;
        }
        let is_capture = pos.color(us.other()).has(to) || self.passed() == Some(to);
        let forward = |set: Bitboard| set.forward(us) & !pos.occupied();
        let once = forward(from.bb());
        let twice = forward(once & Bitboard::relative_rank(us, 2));
        attacks && is_capture || (once | twice).has(to)
    }

    /// The square that a pawn has just passed beside an enemy pawn, be the capture legal or not.
    pub(super) fn passed(&self) -> Option<Square> {
        let pos = self.position();
        if let Some(square) = pos.en_passant() {
            return Some(square);
        }
        if self.saved.is_empty() {
            return self.first_passed;
        }
        let mv = self.last_move()?;
        let is_double =
            mv.from().index().abs_diff(mv.to().index()) == 16 && pos.kind(Kind::Pawn).has(mv.to());
        let behind = mv.to().bb().forward(self.side()).first();
        let neighbors =
            super::attacks::pawn(self.side().other(), behind) & pos.pieces(self.side(), Kind::Pawn);
        (is_double && neighbors.any()).then_some(behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_reason() {
        let start = crate::chess::START_FEN;
        let pinned = "4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1";
        let checked = "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1";
        let passing = "8/8/8/K2pP2r/8/8/P6p/7k w - d6 0 1";
        let pawns = "4k3/P7/8/8/8/8/4P3/R3KN1R w KQ - 0 1";
        for (fen, text, english, chinese) in [
            (start, "Nc7", "no knight reaches c7", "没有马能走到 c7"),
            (start, "e5", "no pawn reaches e5", "没有兵能走到 e5"),
            (start, "exd3", "no pawn reaches d3", "没有兵能走到 d3"),
            (start, "Bb2", "White's own piece stands on b2", "b2 上是白方自己的棋子"),
            (start, "O-O", "pieces stand between king and rook", "王和车之间有棋子"),
            (start, "g1g3", "no knight reaches g3", "没有马能走到 g3"),
            (start, "e4e5", "there is no piece on e4", "e4 上没有棋子"),
            (start, "e7e5", "the piece on e7 is Black's", "e7 上是黑方的棋子"),
            (pinned, "Nc3", "it would leave the king in check", "走后王会被将军"),
            (pinned, "Qe3", "White has no queen", "白方没有后"),
            (checked, "Ra2", "the king is in check", "王正被将军"),
            (checked, "O-O", "the king is in check", "王正被将军"),
            (checked, "Ke2", "the king would be in check on e2", "王走到 e2 会被将军"),
            (passing, "exd6", "it would leave the king in check", "走后王会被将军"),
            (passing, "O-O-O", "the right to castle is gone", "已经不能易位"),
            (
                pawns,
                "a8",
                "the pawn becomes another piece there, a queen by a8=Q",
                "兵到底线必须升变，升后写作 a8=Q",
            ),
            (pawns, "Ra3=Q", "only a pawn on the last rank becomes another piece", "只有兵走到底线才能升变"),
            (
                "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1",
                "O-O",
                "the king would pass an attacked square",
                "王经过的格受到攻击",
            ),
        ] {
            let why = Board::from_fen(fen).unwrap().parse_san(text).unwrap_err();
            assert_eq!(why.to_string(), format!("{text} is not legal here: {english}"), "{fen}");
            assert_eq!(format!("{why:#}"), format!("这里不能走 {text}：{chinese}"), "{fen}");
        }
    }
}
