//! Moves as people type them at a board: in any notation, case and width of letters, with a number before
//! them or blanks within; and where the move cannot be played, why, and the legal move that is written most
//! alike.

use super::formats::pgn::without_number;
use super::game::Position;
use super::notation::Style;
use crate::chess::san::SanError;
use crate::message;
use crate::util::message::Message;
use crate::xiangqi::notation::{MoveError, read_any};

/// Why what was typed is not played.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    pub why: Message,
    /// The legal move that is written most alike, if there is one.
    pub nearest: Option<String>,
    /// Whether the text names a move at all.
    pub is_move: bool,
}

impl From<Refused> for Message {
    fn from(Refused { why, nearest, .. }: Refused) -> Self {
        match nearest {
            Some(mv) => message!("{why}; did you mean {mv}?" | "{why}；是不是想走 {mv}？", why, mv),
            None => why,
        }
    }
}

/// Words for passing, besides `pass`.
const PASSES: [&str; 4] = ["停一手", "停着", "虚手", "虛手"];

impl Position {
    /// The legal move, in coordinates, that a person means.
    pub fn read_typed(&self, typed: &str) -> Result<String, Refused> {
        let text = bare(&narrow(typed));
        let refused = |is_move: bool, why: Message| {
            // What is no move is named as it was typed, with its blanks.
            let typed = typed.trim().to_owned();
            let why = match self {
                Self::Chess(_) if !is_move => Message::from(SanError::Malformed(typed)),
                Self::Xiangqi(_) if !is_move => MoveError::Malformed(typed).into(),
                _ => why,
            };
            Refused { why, nearest: self.nearest(&text), is_move }
        };
        let mut answers = self.spellings(&text).into_iter().map(|text| self.attempt(&text));
        let as_typed = answers.next().unwrap_or_else(|| self.attempt(&text));
        let Err(first) = as_typed else { return as_typed.map_err(|(is_move, why)| refused(is_move, why)) };
        let (legal, others): (Vec<_>, Vec<_>) = answers.partition(Result::is_ok);
        let mut legal: Vec<String> = legal.into_iter().flatten().collect();
        legal.dedup();
        if let [one, other, ..] = legal.as_slice() {
            let [one, other] = [one, other].map(|mv| self.write(mv, Style::Iccs));
            let why = message!(
                "{text} could be {one} or {other}" | "{text} 可以是 {one} 或 {other}",
                text,
                one,
                other
            );
            return Err(Refused { why, nearest: None, is_move: false });
        }
        if let Some(mv) = legal.pop() {
            return Ok(mv);
        }
        // The reason of a spelling that is a move is more precise.
        let others = others.into_iter().filter_map(Result::err);
        let mut reasons = std::iter::once(first.clone()).chain(others).filter(|(is_move, _)| *is_move);
        let (is_move, why) = match self {
            Self::Xiangqi(_) => reasons.next_back(),
            _ => reasons.next(),
        }
        .unwrap_or(first);
        Err(refused(is_move, why))
    }

    /// The legal move of a text; else the reason, and whether the text is a move at all.
    fn attempt(&self, text: &str) -> Result<String, (bool, Message)> {
        self.read(text).map_err(|why| {
            let is_move = match self {
                Self::Chess(board) => !matches!(board.parse_san(text), Err(SanError::Malformed(_))),
                Self::Xiangqi(board) => !matches!(read_any(board, text), Err(MoveError::Malformed(_))),
                Self::Go(_) => true,
            };
            (is_move, why)
        })
    }

    /// Alternative spellings of typed text, the text itself first.
    fn spellings(&self, text: &str) -> Vec<String> {
        let lower = text.to_lowercase();
        let capital = |text: &str| {
            let (first, rest) = text.split_at_checked(1).unwrap_or_default();
            first.to_uppercase() + rest
        };
        match self {
            Self::Chess(_) => {
                let [usual, lower] = [text, &lower].map(super::formats::pgn::respelled);
                let capital = capital(&lower);
                let coordinates = lower.replace(['-', 'x'], "");
                vec![text.to_owned(), usual, lower, capital, coordinates]
            }
            Self::Xiangqi(_) => vec![text.to_owned(), capital(&lower)],
            Self::Go(_) if PASSES.contains(&text) => vec!["pass".to_owned()],
            Self::Go(_) => vec![text.to_owned(), text.replace('-', "")],
        }
    }

    /// The legal move whose text differs least from a text, where few letters differ. Points of Go are all
    /// alike.
    fn nearest(&self, text: &str) -> Option<String> {
        if matches!(self, Self::Go(_)) {
            return None;
        }
        let digit = |c: char| "一二三四五六七八九".chars().position(|digit| digit == c);
        let ascii = |c: char| digit(c).and_then(|at| "123456789".chars().nth(at)).unwrap_or(c);
        let folded = |text: &str| -> String {
            let kept = narrow(text).to_lowercase().replace(['x', '+', '#', '-'], "");
            kept.chars().map(ascii).collect()
        };
        let wanted = folded(text);
        let styles: &[Style] = match self {
            Self::Xiangqi(_) => &[Style::Chinese, Style::Wxf, Style::Iccs],
            _ => &[Style::Iccs],
        };
        let texts = self.legal().into_iter().flat_map(|mv| {
            let mut texts: Vec<String> = styles.iter().map(|style| self.write(&mv, *style)).collect();
            texts.push(mv);
            texts
        });
        let distance = |text: String| {
            let folded = folded(&text);
            let begins_alike = folded.chars().next() == wanted.chars().next();
            let last = |text: &str| text.chars().last().map_or(0, u32::from);
            let away = last(&folded).abs_diff(last(&wanted));
            ((strsim::levenshtein(&folded, &wanted), !begins_alike, away), text)
        };
        let max = (wanted.chars().count() / 3).max(1);
        let found = texts.map(distance).min_by_key(|(distance, _)| *distance);
        found.filter(|((letters, ..), _)| *letters <= max).map(|(_, text)| text)
    }
}

/// A typed text without the number of the move, blanks and marks.
fn bare(text: &str) -> String {
    let is_number = |word: &&str| !word.starts_with('0') && without_number(word).is_empty();
    let joined: String = text.split_whitespace().skip_while(is_number).collect();
    let joined = without_number(&joined);
    joined.trim_end_matches(['!', '?', '。']).to_owned()
}

/// Letters, digits and signs as wide as Chinese characters, which a Chinese keyboard writes, in their usual
/// width.
pub fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => (c as u32).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c),
        _ => c,
    };
    text.chars().map(narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::Start;
    use crate::games::record::{GameKind, GoSetup};
    use crate::util::lang::Language;

    fn position(kind: GameKind, fen: &str) -> Position {
        let fen = (!fen.is_empty()).then(|| fen.to_owned());
        Position::at(&Start { fen, ..kind.into() }).unwrap()
    }

    #[test]
    fn chess_is_read_as_people_type_it() {
        let castling = "r3k2r/2P5/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let bishop = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
        for (fen, typed, mv) in [
            ("", "nf3", "g1f3"),
            ("", "NF3", "g1f3"),
            ("", "E4", "e2e4"),
            ("", "G1F3", "g1f3"),
            ("", "1. e4", "e2e4"),
            ("", "1 e4", "e2e4"),
            ("", "1.Nf3!?", "g1f3"),
            ("", "e2 - e4", "e2e4"),
            ("", "ｅ４", "e2e4"),
            ("", "Ｎｆ３", "g1f3"),
            ("", "b1-c3", "b1c3"),
            ("", "B1 - C3", "b1c3"),
            (castling, "o-o", "e1g1"),
            (castling, "0-0", "e1g1"),
            (castling, "0 - 0 - 0", "e1c1"),
            (castling, "ooo", "e1c1"),
            (castling, "C8=Q", "c7c8q"),
            (castling, "c8n", "c7c8n"),
            (castling, "axb8", ""),
            (bishop, "bxc3", "b2c3"),
            (bishop, "ke2", "e1e2"),
        ] {
            let read = position(GameKind::CHESS, fen).read_typed(typed).unwrap_or_default();
            assert_eq!(read, mv, "{typed}");
        }
    }

    #[test]
    fn xiangqi_and_go_are_read_as_people_type_them() {
        for (typed, mv) in [
            ("炮二平 五", "h2e2"),
            ("砲二平五", "h2e2"),
            ("炮２平５", "h2e2"),
            ("1. 馬八進七", "b0c2"),
            ("1、马八进七！", "b0c2"),
            ("H2-E2", "h2e2"),
            ("h2 e2", "h2e2"),
            ("Ｈ２－Ｅ２", "h2e2"),
            ("c2=5", "h2e2"),
            ("Ｃ２＝５", "h2e2"),
            ("hc2", "b0c2"),
            ("CHE2", "h2e2"),
            ("c4", "c3c4"),
        ] {
            assert_eq!(position(GameKind::XIANGQI, "").read_typed(typed).as_deref(), Ok(mv), "{typed}");
        }
        for (typed, mv) in [
            ("d4", "D4"),
            ("D 4", "D4"),
            ("Ｄ４", "D4"),
            ("d-4", "D4"),
            ("1. q16", "Q16"),
            ("PASS", "pass"),
            ("停一手", "pass"),
            ("虚手", "pass"),
        ] {
            assert_eq!(position(GameKind::GO, "").read_typed(typed).as_deref(), Ok(mv), "{typed}");
        }
    }

    #[test]
    fn refusals_have_a_reason_and_name_the_nearest_move() {
        let (chess, xiangqi) = (GameKind::CHESS, GameKind::XIANGQI);
        let checked = "4k3/8/8/8/4r3/8/8/R3K3 w - - 0 1";
        let facing = "4k4/9/9/9/9/9/9/9/4C4/4K4 w - - 0 1";
        for (kind, fen, typed, english, chinese) in [
            (
                chess,
                "",
                "Nc7",
                "Nc7 is not legal here: no knight reaches c7; did you mean Nc3?",
                "这里不能走 Nc7：没有马能走到 c7；是不是想走 Nc3？",
            ),
            (
                chess,
                "",
                "nc7",
                "Nc7 is not legal here: no knight reaches c7; did you mean Nc3?",
                "这里不能走 Nc7：没有马能走到 c7；是不是想走 Nc3？",
            ),
            (
                chess,
                "",
                "e5",
                "e5 is not legal here: no pawn reaches e5; did you mean e4?",
                "这里不能走 e5：没有兵能走到 e5；是不是想走 e4？",
            ),
            (
                chess,
                checked,
                "Ra8",
                "Ra8 is not legal here: the king is in check",
                "这里不能走 Ra8：王正被将军",
            ),
            (chess, "", "Ra9", "\"Ra9\" is no move in algebraic notation", "“Ra9”不是代数记谱法的着法"),
            (
                chess,
                "",
                " pawn to e4",
                "\"pawn to e4\" is no move in algebraic notation",
                "“pawn to e4”不是代数记谱法的着法",
            ),
            (
                xiangqi,
                "",
                "炮 二 五",
                "\"炮 二 五\" is not a move; did you mean 炮二平五?",
                "“炮 二 五”不是着法；是不是想走 炮二平五？",
            ),
            (
                xiangqi,
                "",
                "马二进四",
                "\"马二进四\" is not possible here: the horse's leg is blocked; did you mean 马二进三?",
                "这里不能走“马二进四”：蹩马腿；是不是想走 马二进三？",
            ),
            (
                xiangqi,
                facing,
                "炮五平六",
                "\"炮五平六\" leaves the generals facing each other; did you mean 炮五进六?",
                "走“炮五平六”会使两将（帅）照面；是不是想走 炮五进六？",
            ),
        ] {
            let why = Message::from(position(kind, fen).read_typed(typed).unwrap_err());
            assert_eq!(why.text(Language::English), english);
            assert_eq!(why.text(Language::Chinese), chinese);
        }
        let mut go = Position::at(&Start::go(GoSetup { size: 5, komi: 0.5, ..GoSetup::default() })).unwrap();
        for mv in ["C4", "D4", "B3", "E3", "C2", "D2", "D3", "C3"] {
            go.play(mv).unwrap();
        }
        for (typed, english, chinese) in [
            ("d3", "\"d3\" cannot be played: ko", "“d3”不能下：劫，须先在别处下一着"),
            ("c 4", "\"c4\" cannot be played: the point is occupied", "“c4”不能下：此处已有棋子"),
            ("t20", "\"t20\" is not a point of the board", "“t20”不是棋盘上的点"),
        ] {
            let why = Message::from(go.read_typed(typed).unwrap_err());
            assert_eq!((why.text(Language::English), why.text(Language::Chinese)), (english, chinese));
        }
    }
}
