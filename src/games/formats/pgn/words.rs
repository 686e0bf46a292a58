//! Words of PGN as people and programs write them: results, castling, promotions, decorations, names of
//! variants.

use super::LONGEST_WORD;
use std::borrow::Cow;

/// The word as PGN has it, if it is a result: with any dash or a colon between the points.
pub fn result_of(word: &str) -> Option<&'static str> {
    // As the numbers of moves are.
    let is_number = || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !word.starts_with(['0', '1', '½', '*']) || is_number() {
        return None;
    }
    let dashed = |c: char| if is_dash(c) || c == ':' { '-' } else { c };
    let word: String = word.chars().filter(|c| *c != ' ').map(dashed).take(LONGEST_WORD).collect();
    match word.strip_suffix('.').unwrap_or(&word) {
        "1-0" => Some("1-0"),
        "0-1" => Some("0-1"),
        "1/2-1/2" | "½-½" | "1/2" | "½" => Some("1/2-1/2"),
        "*" => Some("*"),
        _ => None,
    }
}

/// A result in Chinese, such as `红胜`, `红先负` and `和棋`, as PGN has it.
pub fn result_in_chinese(text: &str) -> Option<&'static str> {
    let is_lost = text.contains(['负', '負']);
    match text.chars().next()? {
        '红' | '紅' | '黑' if text.contains('和') => Some("1/2-1/2"),
        '和' => Some("1/2-1/2"),
        '红' | '紅' => Some(if is_lost { "0-1" } else { "1-0" }),
        '黑' => Some(if is_lost { "1-0" } else { "0-1" }),
        _ => None,
    }
}

/// A result that closes a game in Chinese: `红胜`, `黑方认输`, `和棋！`. A longer text is none.
pub fn closing_of(word: &str) -> Option<&'static str> {
    const SIGNS: &str = "红紅黑方先后後双雙胜勝负負和平棋局弈成作认認输輸";
    if word.is_ascii() {
        return None;
    }
    let word = word.trim_end_matches(is_mark).trim_end_matches('.');
    let is_named = word.contains(['胜', '勝', '负', '負', '和', '平', '输', '輸']);
    if !is_named || !word.chars().all(|c| SIGNS.contains(c)) {
        return None;
    }
    if word.contains(['和', '平']) {
        return Some("1/2-1/2");
    }
    result_in_chinese(&word.replace(['输', '輸'], "负"))
}

/// What annotators write behind a move, of either width.
pub fn is_mark(c: char) -> bool {
    matches!(c, '!' | '?' | '！' | '？')
}

/// The word behind the number of a move: `e4` of `12.e4`, `炮二平五` of `①炮二平五` and of `第1回合炮二平五`; nothing of
/// `12.`, `12...` and a lone number.
pub fn without_number(word: &str) -> &str {
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return word;
    }
    let round = word.strip_prefix('第').and_then(|word| word.split_once("回合"));
    if let Some((_, behind)) = round {
        return behind.trim_start_matches(['.', '…', '．', '、']);
    }
    let circled = word.trim_start_matches(|c| matches!(c, '①'..='⑳' | '㉑'..='㉟' | '㊱'..='㊿'));
    if circled.len() < word.len() {
        return circled.trim_start_matches(['.', '…', '．', '、']);
    }
    let behind = word.trim_start_matches(|c| ascii_digit(c).is_some());
    let after = behind.trim_start_matches(['.', '…', '．', '、']);
    let has_number = behind.len() < word.len();
    if has_number && (after.len() < behind.len() || after.is_empty()) { after } else { word }
}

/// Whether the word is the number of a first move, or that and the move. A date has another digit behind the
/// point.
pub fn begins_a_game(word: &str) -> bool {
    let is_move = |text: &str| text.is_empty() || text.starts_with(char::is_alphabetic);
    let behind = word.strip_prefix(['1', '１']);
    behind.is_some_and(|text| text.is_empty() || text.strip_prefix(['.', '．', '、']).is_some_and(is_move))
        || ["①", "第1回合", "第１回合", "第一回合"].iter().any(|number| word.starts_with(number))
}

/// How many bytes the first move in Chinese notation takes, with what stands before it and the marks behind
/// it. Printed moves need no blanks between them.
fn chinese_move(text: &str) -> Option<usize> {
    if text.is_ascii() {
        return None;
    }
    let is_way = |c: char| matches!(c, '进' | '進' | '退' | '平');
    let is_number = |c: char| ascii_digit(c).is_some() || "一二三四五六七八九".contains(c);
    let (_, behind) = text.split_once(is_way)?;
    let behind = behind.strip_prefix(is_number)?.trim_start_matches(is_mark);
    Some(text.len().saturating_sub(behind.len()))
}

/// Whether a word before the first move begins a title, which the rest of its line belongs to: it is Chinese,
/// and a line with a move or with the number of one is none. What looks like a damaged move is none either.
pub fn is_title(word: &str, rest: &str) -> bool {
    let is_piece = |c: char| crate::xiangqi::notation::kind_of(c).is_some();
    let looks_like_move = matches!(word.chars().count(), 4 | 5) && word.chars().take(2).any(is_piece);
    word.contains(|c| matches!(c, '\u{4e00}'..='\u{9fff}'))
        && without_number(word).len() == word.len()
        && !looks_like_move
        && [word, rest].iter().all(|text| chinese_move(text).is_none())
        && !rest.split(is_blank).any(begins_a_game)
}

pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '—' | '−')
}

/// How many bytes the word at the start of a text takes, which ends after `plain` bytes or is joined with
/// what stands behind: castling and results with blanks around the dash, `0 - 0` and `1 - 0`, and promotions
/// in brackets, `e8(Q)`.
pub fn length_of_word(text: &str, plain: usize) -> usize {
    if let Some(length) = text.get(..plain).and_then(chinese_move) {
        return length;
    }
    let part = |text: &str| {
        let parts = ["1/2", "½", "0", "O", "o", "1"];
        parts.iter().find(|part| text.starts_with(**part)).map(|part| part.len())
    };
    let ends = |text: &str| !text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '/'));
    let mut rest = text.get(plain..).unwrap_or_default();
    if !rest.starts_with('(') && !rest.trim_start_matches(' ').starts_with(is_dash) {
        return plain;
    }
    let first = without_number(text.get(..plain).unwrap_or_default());
    let mut length = plain;
    if let [.., b'a'..=b'h', b'1' | b'8'] = first.as_bytes()
        && let [b'(', b'A'..=b'Z' | b'a'..=b'z', b')', ..] = rest.as_bytes()
    {
        let behind = rest.get(3..).unwrap_or_default();
        let check = behind.len().saturating_sub(behind.trim_start_matches(['+', '#', '!', '?']).len());
        return length.saturating_add(3).saturating_add(check);
    }
    // A lone point begins it.
    let number = text.get(..plain).unwrap_or_default();
    if part(first).or_else(|| part(number)) != Some(if first.is_empty() { number.len() } else { first.len() })
    {
        return plain;
    }
    while let Some(dash) = rest.trim_start_matches(' ').strip_prefix(is_dash) {
        let behind = dash.trim_start_matches(' ');
        let Some(next) = part(behind).filter(|next| behind.get(*next..).is_some_and(ends)) else { break };
        rest = behind.get(next..).unwrap_or_default();
        length = text.len().saturating_sub(rest.len());
    }
    let check = rest.len().saturating_sub(rest.trim_start_matches(['+', '#', '!', '?']).len());
    if length > plain { length.saturating_add(check) } else { plain }
}

/// A move of chess as PGN has it, where others write it: castling with zeros, small letters or without
/// dashes, promotions `e8q`, `e8/Q` and `e8(Q)`, captures in passing with `e.p.`, `Q:f7`, and figurines.
pub fn respelled(word: &str) -> String {
    let figures = [('K', "♔♚"), ('Q', "♕♛"), ('R', "♖♜"), ('B', "♗♝"), ('N', "♘♞")];
    let lettered =
        |c: char| figures.iter().find(|(_, figures)| figures.contains(c)).map_or(c, |(letter, _)| *letter);
    let word: String =
        word.trim_end_matches(['†', '‡']).chars().filter(|c| !matches!(c, '♙' | '♟')).map(lettered).collect();
    let (mv, check) = word.split_at(word.trim_end_matches(['+', '#']).len());
    let castling: String = mv.chars().filter(|c| *c != ' ' && !is_dash(*c)).collect();
    if castling.chars().all(|c| matches!(c, '0' | 'O' | 'o')) && matches!(castling.len(), 2 | 3) {
        return ["O", "-O", "-O"].get(..castling.len()).unwrap_or_default().concat() + check;
    }
    let mv = mv.replace(['(', ')', '/', '='], "").replace(':', "x");
    match mv.char_indices().last() {
        Some((at, piece @ ('Q' | 'R' | 'B' | 'N' | 'q' | 'r' | 'b' | 'n'))) if at > 1 => {
            format!("{}={}{check}", mv.get(..at).unwrap_or_default(), piece.to_ascii_uppercase())
        }
        _ => mv + check,
    }
}

/// What annotators write glued to a move: it is cut off.
const GLUED: [&str; 18] = [
    "□", "e.p.", "e.p", "ep", "+-", "-+", "+/-", "-/+", "+/=", "=/+", "+=", "=+", "=", "±", "∓", "∞", "⩲",
    "⩱",
];

/// Words behind a move that are none: novelties, diagrams, captures in passing, mates, and who resigns.
pub const REMARKS: [&str; 13] =
    ["N", "TN", "D", "e.p.", "e.p", "ep", "mate", "mate.", "ch", "ch.", "White", "Black", "resigns"];

/// What stands glued to a move, cut off. A pawn may become a knight, `e8N`; other moves with the letter are
/// novelties.
pub fn undecorated(word: &str) -> &str {
    let mut word = word.split_once('$').map_or(word, |(mv, _)| mv).trim_end_matches(is_mark);
    if word.ends_with(|c: char| c.is_ascii_digit()) {
        return word;
    }
    while let Some(cut) = GLUED.iter().find_map(|sign| word.strip_suffix(sign)).filter(|cut| cut.len() > 1) {
        word = cut;
    }
    let novelty = word.strip_suffix("TN").or_else(|| word.strip_suffix('N'));
    let is_novelty = |mv: &&str| {
        matches!(
            mv.as_bytes(),
            [b'K' | b'Q' | b'R' | b'B' | b'N', .., b'1'..=b'8'] | [.., b'a'..=b'h', b'2'..=b'7']
        )
    };
    novelty.map(|mv| mv.trim_end_matches(is_mark)).filter(is_novelty).unwrap_or(word)
}

/// Whether a sign stands between words.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '，' | '；' | '。' | '：' | '\u{200b}')
}

/// The digit as ASCII has it, if it is one, of either width.
pub fn ascii_digit(c: char) -> Option<char> {
    let wide = u32::from(c).checked_sub(u32::from('０')).and_then(|digit| char::from_digit(digit, 10));
    if c.is_ascii_digit() { Some(c) } else { wide }
}

/// Who is to move in a FEN, 1 for the second side, and the number of the move.
pub fn numbers_of(fen: Option<&str>) -> (usize, usize) {
    let mut fields = fen.unwrap_or_default().split(' ').skip(1);
    let offset = usize::from(matches!(fields.next(), Some("b" | "B")));
    (offset, fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1))
}

/// What annotators write behind a move, and the glyphs of PGN for it.
const SIGNS: [(&str, u8); 24] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("N", 146),
    ("TN", 146),
    ("D", 220),
    ("□", 7),
];

/// The glyphs of a word behind its number: `$1` and the signs of annotators, glued to a move or on their own.
pub fn glyphs_of(word: &str) -> Vec<u8> {
    // As most moves are.
    let is_bare = word.ends_with(|c: char| c.is_ascii_digit() || c == '.') && !word.contains('$');
    if word.is_empty() || is_bare {
        return Vec::new();
    }
    let word = &match word.is_ascii() {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.replace('！', "!").replace('？', "?")),
    };
    let (mut text, numbers) = word.split_once('$').unwrap_or((word, ""));
    let mut found: Vec<u8> = numbers.split('$').filter_map(|number| number.parse::<u8>().ok()).collect();
    let plain = if text == word { undecorated(word) } else { "" };
    while text.len() > plain.len()
        && let Some((sign, glyph)) = SIGNS.iter().find(|(sign, _)| text.ends_with(sign))
    {
        found.insert(0, *glyph);
        text = text.strip_suffix(sign).unwrap_or_default();
    }
    found
}

/// What annotators write for a glyph that judges a move; empty for any other.
pub fn sign_of(glyph: u8) -> &'static str {
    SIGNS.iter().find(|(_, known)| *known == glyph && glyph <= 6).map_or("", |(sign, _)| sign)
}

/// The glyph of what annotators write behind a move.
pub fn glyph_of(sign: &str) -> Option<u8> {
    SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, glyph)| *glyph)
}

/// What is chess in the tag `Variant`, in small letters.
pub const CHESS: [&str; 16] = [
    "correspondence",
    "?",
    "standard",
    "chess",
    "normal",
    "from position",
    "classical",
    "standard chess",
    "standard position",
    "orthodox",
    "regular",
    "rapid",
    "blitz",
    "bullet",
    "armageddon",
    "classical chess",
];

/// What is Chess960 there, without blanks; more may stand in brackets.
pub const CHESS960: [&str; 12] = [
    "doublefischerrandom",
    "chess960",
    "960",
    "fischerandom",
    "fischerrandom",
    "fischerandomchess",
    "fischerrandomchess",
    "freestyle",
    "freestylechess",
    "frc",
    "dfrc",
    "chess9lx",
];

/// Whether the name of a variant is `known`, whatever its blanks and what stands in brackets behind it.
pub fn is_named(name: &str, known: &str) -> bool {
    let plain = name.split('(').next().unwrap_or_default();
    plain.chars().filter(|c| c.is_alphanumeric()).eq(known.chars())
}

#[cfg(test)]
mod tests {
    use crate::games::formats::{Broken, Most, Recorded, pgn};
    use crate::games::record::GameKind;
    use crate::games::tree::{Item, ROOT};

    fn read(text: &str, kind: Option<GameKind>, most: Most) -> Vec<Result<Recorded, Broken>> {
        pgn::read(text, kind, most).collect()
    }

    fn whole(text: &str) -> Vec<Recorded> {
        read(text, None, Most::ALL).into_iter().map(Result::unwrap).collect()
    }

    fn moves_and_fault(text: &str) -> (String, Option<String>) {
        match read(text, None, Most::ALL).remove(0) {
            Ok(game) => (game.opening.moves.join(" "), None),
            Err(broken) => {
                let why = broken.to_string();
                (broken.before.map_or(String::new(), |game| game.opening.moves.join(" ")), Some(why))
            }
        }
    }

    #[test]
    fn castling_and_results_with_blanks_are_read() {
        let before = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7";
        let kings = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7";
        for (moves, expected) in [
            ("4. 0 - 0 0 - 0 5. d3 d6 *", " e1g1 e8g8 d2d3 d7d6"),
            ("4. O - O O - O *", " e1g1 e8g8"),
            ("4.0 - 0 O-O+ *", " e1g1 e8g8"),
            ("4. 0 – 0 o-o *", " e1g1 e8g8"),
            ("4. OO 0-0 *", " e1g1 e8g8"),
            ("4. O–O 0 - 0", " e1g1 e8g8"),
            ("1 - 0", ""),
            ("1/2 - 1/2", ""),
        ] {
            assert_eq!(
                moves_and_fault(&format!("{before} {moves}")),
                (format!("{kings}{expected}"), None),
                "{moves}"
            );
        }
        let long = "[FEN \"r3k3/8/8/8/8/8/8/4K3 b q - 0 1\"]\n\n1... 0 - 0 - 0 2. Ke2 *";
        assert_eq!(moves_and_fault(long), ("e8c8 e1e2".to_owned(), None));
    }

    #[test]
    fn what_stands_for_no_move_breaks_the_game_there() {
        for (text, moves, word) in [
            ("1. e4 - 2. d4 d5 *", "e2e4", "-"),
            ("1. e4 e5 2. 0 Nc6 3. Nf3 *", "e2e4 e7e5", "0"),
            ("1. e4 e5\n2. Nf3 17 3. d4 *", "e2e4 e7e5 g1f3", "17"),
            ("1. e4 e5 2. — Nc6 *", "e2e4 e7e5", "—"),
            ("1. ... e5 2. Nf3 *", "", "..."),
            ("1. e4 e5 2. … Nc6 *", "e2e4 e7e5", "…"),
            ("1. e4 e5 2. Nf3 -", "e2e4 e7e5 g1f3", "-"),
            ("1. 炮二平五 / 马8进7 *", "h2e2", "/"),
            ("1. e4 e5 0000 2. Nf3 *", "e2e4 e7e5", "0000"),
        ] {
            let (found, fault) = moves_and_fault(text);
            let fault = fault.unwrap_or_default();
            assert_eq!(found, moves, "{text}");
            assert!(fault.ends_with(&format!("{word:?} stands where a move is due")), "{text}: {fault}");
        }
        assert!(moves_and_fault("1. e4 e5\n2. Nf3 17 3. d4 *").1.unwrap().starts_with("line 2: game 1: "));
        // Numbers without points, wrong numbers with them, and dots for a move made before.
        for text in [
            "1 e4 e5 2 Nf3 Nc6 3 Bb5 *",
            "1. e4 e5 5. Nf3 Nc6 9. Bb5 *",
            "1. e4 {x} 1. ... e5 2. Nf3 … 2 ... Nc6 3) Bb5 +- *",
            "1.e4,e5 2.Nf3,Nc6\u{200b}3.Bb5 = *",
            "１ e4 e5 ２ Nf3 Nc6 ３ Bb5 1-0",
        ] {
            assert_eq!(moves_and_fault(text), ("e2e4 e7e5 g1f3 b8c6 f1b5".to_owned(), None), "{text}");
        }
        let late = "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 30\"]\n\n30 ... Ke7 31 Ke2 *";
        assert_eq!(moves_and_fault(late), ("e8e7 e1e2".to_owned(), None));
    }

    #[test]
    fn the_moves_before_a_fault_are_kept() {
        for (text, moves, why) in [
            ("1. e4 e5\n2. Nf3 Ke4 3. d4 *", "e2e4 e7e5 g1f3", "line 2: game 1: "),
            ("1. e4 e5 2. -- Nc6 *", "e2e4 e7e5", "line 1: game 1: a null move"),
            ("1. e4 e5 2. word Nc6 *", "e2e4 e7e5", "line 1: game 1: "),
            ("1. e4 e5 {oops 2. Nf3", "e2e4 e7e5", "line 1: game 1: a comment that is not closed"),
            ("1. 炮二平五 马8进7 2. 车九平八 *", "h2e2 h9g7", "line 1: game 1: "),
            ("1. Ke4 e5 *", "", "line 1: game 1: "),
        ] {
            let (found, fault) = moves_and_fault(text);
            assert_eq!(found, moves, "{text}");
            assert!(fault.unwrap_or_default().starts_with(why), "{text}");
        }
    }

    #[test]
    fn decorations_are_passed_over() {
        let passant = ("[FEN \"4k3/4p3/8/3P4/8/8/8/4K3 b - - 0 1\"]\n\n1... e5 2. ", "e7e5 ", "d5e6");
        let knight = ("1. e4 e5 2. ", "e2e4 e7e5 ", "g1f3");
        let queen = ("[FEN \"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. ", "", "a7a8q");
        let capture = (queen.0, "", "a7b8q");
        for ((start, before, mv), words) in [
            (passant, &["dxe6e.p.", "dxe6ep", "dxe6 e.p.", "dxe6 ep", "dxe6!e.p.", "dxe6"][..]),
            (
                knight,
                &["Nf3+-", "Nf3=", "Nf3±", "Nf3+/-", "Nf3 +-", "Nf3 =", "Nf3$1", "Nf3$1$14", "Nf3 $1 $14"],
            ),
            (
                knight,
                &[
                    "Nf3N",
                    "Nf3 N",
                    "Nf3TN",
                    "Nf3 TN",
                    "Nf3 D",
                    "Nf3†",
                    "Nf3 mate",
                    "Nf3 Black resigns",
                    "Nf3!?",
                ],
            ),
            (queen, &["a8q", "a8(Q)", "a8/Q", "a8=Q", "a8Q", "a7a8q"]),
            (capture, &["axb8(Q)+", "axb8q+", "axb8=Q+", "axb8/Q"]),
        ] {
            for word in words {
                assert_eq!(
                    moves_and_fault(&format!("{start}{word} *")),
                    (format!("{before}{mv}"), None),
                    "{word}"
                );
            }
        }
        for (word, result) in [
            ("1–0", "1-0"),
            ("½–½", "1/2-1/2"),
            ("1:0", "1-0"),
            ("0:1", "0-1"),
            ("1/2:1/2", "1/2-1/2"),
            ("½:½", "1/2-1/2"),
            ("1-0.", "1-0"),
            ("0 - 1", "0-1"),
        ] {
            assert_eq!(whole(&format!("1. e4 e5 {word}\n"))[0].result(), result, "{word}");
        }
        let first = &whole("1. Nf3$1$14 *")[0];
        assert_eq!(first.tree.node(first.nodes[0]).items, [Item::Glyph(1), Item::Glyph(14)]);
    }

    #[test]
    fn xiangqi_in_algebraic_notation_is_read() {
        const TAG: &str = "[Variant \"xiangqi\"]\n\n";
        for (text, moves) in [
            ("1. Che2 Hg7 *", "h2e2 h9g7"),
            ("1. Che3 Hg8 *", "h2e2 h9g7"),
            ("1. h3e3 h10g8 *", "h2e2 h9g7"),
            ("1. Cbe2 {+0.38/19} Hg7 2. Hc2 *", "b2e2 h9g7 b0c2"),
            ("1.c4 g5 2.Che2 Nc7 *", "c3c4 g6g5 h2e2 b9c7"),
            ("1. e4 e5 2. xe5 Hc7 3. Ra2! Hxe5 *", "e3e4 e6e5 e4e5 b9c7 a0a2"),
            ("1. h3e3 h10g8 2. h1g3 (2. b1c3) 2... i10h10 *", "h2e2 h9g7 h0g2 i9h9"),
        ] {
            for text in [format!("{TAG}{text}"), text.to_owned()] {
                let (found, fault) = moves_and_fault(&text);
                assert_eq!(found, moves, "{text}: {fault:?}");
                assert_eq!(fault.is_some(), text.contains("Hxe5"), "{text}: {fault:?}");
            }
        }
        let fen = "[FEN \"5k3/9/3R5/9/3h5/9/3R5/4C4/9/3K5 w - - 0 1\"]\n\n";
        for (text, moves) in [
            ("1. R7xd5 Kf8 2. Rf5+ *", "d7d5 f9f8 d5f5"),
            ("1. R8xd6 Kf9 2. Rf6+ *", "d7d5 f9f8 d5f5"),
            ("1. Ce10 Kf9 *", "e2e9 f9f8"),
        ] {
            assert_eq!(moves_and_fault(&format!("{fen}{text}")), (moves.to_owned(), None), "{text}");
        }
        let format = |moves: &str| whole(&format!("{TAG}1. {moves} *"))[0].tag("Format").map(str::to_owned);
        for (moves, name) in [
            ("Che2", "SAN"),
            ("h3e3 h10g8", "Coordinates"),
            ("h2e2", "ICCS"),
            ("C2=5", "WXF"),
            ("c4 g5", "SAN"),
        ] {
            assert_eq!(format(moves).as_deref(), Some(name), "{moves}");
        }
        // Chess stays chess, with or without a fault.
        for text in ["1. c4 g5 *", "1. e4 e5 2. Nf3 Nc6 *", "1. c4 g5 2. Kd5 *", "1. e5 2. Nf3 *"] {
            let kind = match read(text, None, Most::ALL).remove(0) {
                Ok(game) => Some(game.kind),
                Err(broken) => broken.before.map(|game| game.kind),
            };
            assert!(kind.is_none_or(|kind| kind == GameKind::CHESS), "{text}");
        }
    }

    #[test]
    fn printed_chinese_is_read() {
        const MOVES: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7";
        for (text, result) in [
            ("1.炮二平五，马8进7；2.马二进三，车9平8；3.车一平二，马2进3。红胜。", "1-0"),
            ("1. 炮二平五, 马8进7 2. 马二进三, 车9平8 3. 车一平二, 马2进3\n和棋。", "1/2-1/2"),
            ("①炮二平五 马8进7 ②马二进三 车9平8 ③车一平二 马2进3 黑胜", "0-1"),
            ("① 炮二平五 马8进7\n② 马二进三 车9平8\n③ 车一平二 马2进3\n红方认输！", "0-1"),
            ("①．炮二平五　马８进７　②．馬二進三　車９平８　③．車一平二　馬２進３　紅勝", "1-0"),
            ("第1回合 炮二平五 马8进7\n第2回合 马二进三 车9平8\n第3回合 车一平二 马2进3", "*"),
            (
                "第一回合：炮二平五，马8进7。第二回合：马二进三，车9平8。第三回合：车一平二，马2进3。双方和棋",
                "1/2-1/2",
            ),
            ("第１回合炮二平五马８进７第２回合马二进三车９平８第３回合车一平二马２进３", "*"),
            ("炮二平五马8进7马二进三车9平8车一平二马2进3", "*"),
            ("1.炮二平五马8进72.马二进三车9平83.车一平二马2进3黑方负。", "1-0"),
            ("1、炮二平五 马8进7 2、马二进三 车9平8 3、车一平二 马2进3。", "*"),
            ("炮二平五！ 马8进7？马二进三!!车9平8？！ 车一平二！？马2进3 弈和", "1/2-1/2"),
            (
                "一九五六年全国赛 第3局\n红方：张三 黑方：李四\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3",
                "*",
            ),
            ("每周一局（红先胜）\n①炮二平五马8进7②马二进三车9平8③车一平二马2进3", "*"),
            ("中炮对屏风马\n炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3", "*"),
            (
                "[Red \"甲\"]\n\n顺炮 2024 年\n1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 红胜",
                "1-0",
            ),
        ] {
            let games = read(text, None, Most::ALL);
            assert_eq!(games.len(), 1, "{text}");
            let game = games[0].as_ref().unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!((game.opening.moves.join(" ").as_str(), game.result()), (MOVES, result), "{text}");
            let title = text.split("\n").find(|line| line.starts_with(['一', '每', '中', '顺']));
            let title = title.filter(|title| !title.contains('平')).unwrap_or_default();
            let preface = game.tree.node(ROOT).comment();
            assert!(preface.starts_with(title), "{text}: {preface}");
        }
        let marked = &whole("炮二平五！ 马8进7？马二进三！！ 车9平8？！车一平二!?")[0];
        let glyphs: Vec<_> = marked.nodes.iter().flat_map(|id| marked.tree.node(*id).items.clone()).collect();
        assert_eq!(glyphs, [1, 2, 3, 6, 5].map(Item::Glyph));
        // What may be a damaged move is no title, nor is what stands beside moves or behind a number.
        for text in [
            "炮二乎五 马8进7 马二进三",
            "炮二乎五\n马8进7\n马二进三",
            "1. 标题\n马8进7",
            "标题 炮二平五 马8进7",
            "①标题 炮二平五",
            "前兵三乎二\n炮二平五",
        ] {
            let (moves, fault) = moves_and_fault(text);
            assert!(fault.is_some() && moves.is_empty(), "{text}: {moves}");
        }
        // A word behind moves that is neither is a fault, and so is a result that goes on.
        for text in ["炮二平五 马8进7 变例", "炮二平五 马8进7 红胜势"] {
            assert_eq!(moves_and_fault(text).0, "h2e2 h9g7");
            assert!(moves_and_fault(text).1.is_some(), "{text}");
        }
    }
}
