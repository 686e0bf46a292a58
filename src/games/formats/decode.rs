//! Bytes to text, in one place for every reader.
//!
//! A file that has a byte order mark, is UTF-8 or is UTF-16 is read as that. Any other is one of a few legacy
//! encodings, and few files name theirs, some wrongly. Each candidate is judged by the text that the file
//! would be in it: the cost of its characters in bits, about -log2 of how often they are written, and of
//! signs that a byte of a character was taken for syntax. The lowest cost wins. Since all candidates explain
//! the same bytes, sums are comparable. Source of the encodings: <https://encoding.spec.whatwg.org/>.

mod models;

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use models::{CANDIDATES, Model};

/// Bytes in which SGF names its encoding, and chess shows its moves.
const HEAD: usize = 4096;
/// Bytes of the lines that are judged: those with a byte beyond ASCII.
const SAMPLE: usize = 1 << 14;

/// Cost of a byte that the encoding does not have.
const MALFORMED: usize = 40;
/// Cost of a bracket or quote that a byte of a character has closed or kept open.
const BROKEN_SYNTAX: usize = 40;
/// Cost of characters of two bytes in a game of chess, where isolated bytes are accented letters.
const WIDE_IN_CHESS: usize = 12;
/// Moves of xiangqi in Chinese that make a text certain, and the cost of each that is not there.
const CERTAIN_MOVES: usize = 4;
const MISSING_MOVE: usize = 15;
/// Cost of letters where the moves or the format are those of xiangqi.
const LETTERS_IN_XIANGQI: usize = 30;
/// What the other candidates must be better by than an encoding that the file names: programs that write two
/// bytes a character know what they write, while Latin-1 is often a default.
const DECLARED_WIDE: usize = 60;
const DECLARED_LETTERS: usize = 25;

/// Names of encodings that programs write and WHATWG does not list, in lower case without separators.
const MORE_NAMES: &[(&str, &str)] = &[
    ("cp936", "gbk"),
    ("ms936", "gbk"),
    ("euccn", "gbk"),
    ("gb", "gbk"),
    ("gb231280", "gbk"),
    ("cp932", "shift_jis"),
    ("ms932", "shift_jis"),
    ("windows932", "shift_jis"),
    ("shiftjis", "shift_jis"),
    ("cp949", "euc-kr"),
    ("ms949", "euc-kr"),
    ("uhc", "euc-kr"),
    ("windows936", "gbk"),
    ("cp950", "big5"),
    ("ms950", "big5"),
    ("windows950", "big5"),
];

/// The encoding of a name: one of WHATWG's labels, or a code page such as `CP936`.
pub fn encoding_named(name: &str) -> Option<&'static Encoding> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let more = MORE_NAMES.iter().find(|(other, _)| *other == plain).map(|(_, label)| *label);
    [name, &plain, more.unwrap_or_default()].iter().find_map(|name| Encoding::for_label(name.as_bytes()))
}

pub fn decode(bytes: &[u8]) -> String {
    match judge(bytes) {
        Some(encoding) => decode_as(bytes, encoding),
        None => tidy(&mixed(bytes)),
    }
}

/// The text of a file in this encoding, or in that of its byte order mark.
pub fn decode_as(bytes: &[u8], encoding: &'static Encoding) -> String {
    tidy(&encoding.decode(bytes).0)
}

/// The text without a mark, and with line feeds where all lines end in a carriage return.
fn tidy(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    if text.contains('\n') { text.to_owned() } else { text.replace('\r', "\n") }
}

/// The encoding of a text. `None`: UTF-8 in which some bytes are Latin-1.
fn judge(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0xFF, 0xFE, ..] | [1..=0xFF, 0, 1..=0xFF, 0, ..] => return Some(UTF_16LE),
        [0xFE, 0xFF, ..] | [0, 1..=0xFF, 0, 1..=0xFF, ..] => return Some(UTF_16BE),
        // GB18030 has a mark of its own.
        [0x84, 0x31, 0x95, 0x33, ..] => return Some(GB18030),
        _ if std::str::from_utf8(bytes).is_ok() => return Some(UTF_8),
        _ => {}
    }
    let (sample, declared) = (sample(bytes), declared(bytes));
    let (is_chess, is_xiangqi) = (is_chess(bytes), names_xiangqi(bytes));
    // What all others must be better by than the declared one.
    let bonus = match declared.map(|encoding| Model::of(encoding).is_wide()) {
        Some(true) => DECLARED_WIDE,
        Some(false) => DECLARED_LETTERS,
        None => 0,
    };
    let cost = |encoding: &'static Encoding, prior: usize| {
        let model = Model::of(encoding);
        let text = encoding.decode_without_bom_handling(&sample).0;
        let in_game = match model.is_wide() {
            true if is_chess => WIDE_IN_CHESS,
            false if is_xiangqi => LETTERS_IN_XIANGQI,
            _ => 0,
        };
        sum([model.cost(&text), broken_syntax(&text), in_game, without_moves(&text), prior])
    };
    let others = CANDIDATES.iter().map(|(encoding, prior)| (*encoding, prior.saturating_add(bonus)));
    // The first of equals.
    let (best, encoding) = (declared.map(|encoding| (encoding, 0)).into_iter().chain(others))
        .map(|(encoding, prior)| (cost(encoding, prior), encoding))
        .min_by_key(|(cost, _)| *cost)
        .unwrap_or((usize::MAX, WINDOWS_1252));
    let letters = if is_xiangqi { LETTERS_IN_XIANGQI } else { 0 };
    let mixed = sum([cost_mixed(&sample), without_moves(&mixed(&sample)), letters, bonus, 0]);
    (best <= mixed).then_some(encoding)
}

fn sum(costs: [usize; 5]) -> usize {
    costs.into_iter().fold(0, usize::saturating_add)
}

/// The encoding that the property `CA` of SGF names. UTF-8 is none: the text is no UTF-8.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    head.trim_ascii_start().strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b";")?;
    let is_name = |bytes: &[u8]| matches!(bytes, [before, b'C', b'A', b'['] if !before.is_ascii_uppercase());
    let at = head.windows(4).position(is_name)?;
    let label = head.get(at.saturating_add(4)..)?.split(|byte| *byte == b']').next()?;
    encoding_named(std::str::from_utf8(label).ok()?)
        .filter(|encoding| *encoding != UTF_8 && encoding.is_ascii_compatible())
}

/// Whether the moves are those of chess in algebraic notation, and nothing names xiangqi.
fn is_chess(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let is_move = |word: &[u8]| {
        let word = word.trim_ascii_start();
        let word = word.iter().position(u8::is_ascii_alphabetic).and_then(|from| word.get(from..));
        let squares = word.unwrap_or_default().strip_suffix(b"+").or(word).unwrap_or_default();
        matches!(squares, [before @ .., b'a'..=b'h', b'1'..=b'8']
            if before.len() < 4 && before.iter().all(|byte| b"NBRQKabcdefghx".contains(byte)))
    };
    head.split(u8::is_ascii_whitespace).any(is_move)
        && !names_xiangqi(bytes)
        && !head.windows(2).any(|window| window == b"(;")
}

/// Whether a tag or the format is that of xiangqi.
fn names_xiangqi(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let has = |name: &[u8]| head.windows(name.len()).any(|window| window.eq_ignore_ascii_case(name));
    [&b"chinese"[..], b"xiangqi", b"[red", b"dhtmlxq"].into_iter().any(has)
}

/// Cost of a text with few moves of xiangqi in Chinese, two numbers and the way between them.
fn without_moves(text: &str) -> usize {
    let is_way = |c: &char| matches!(c, '进' | '進' | '退' | '平');
    let is_number = |c: &char| c.is_ascii_digit() || "一二三四五六七八九１２３４５６７８９".contains(*c);
    let chars: Vec<char> = text.chars().collect();
    let is_move =
        |part: &&[char]| matches!(part, [from, way, to] if is_number(from) && is_way(way) && is_number(to));
    CERTAIN_MOVES.saturating_sub(chars.windows(3).filter(is_move).count()).saturating_mul(MISSING_MOVE)
}

/// The lines with a byte beyond ASCII, up to a bound.
fn sample(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for line in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii()) {
        match line.get(..SAMPLE.saturating_sub(out.len())) {
            // No character is cut.
            Some(part) if part.len() < line.len() => {
                let end = part.iter().rposition(u8::is_ascii_whitespace).unwrap_or(part.len());
                out.extend_from_slice(part.get(..end).unwrap_or_default());
                break;
            }
            _ => out.extend_from_slice(line),
        }
        if out.len() >= SAMPLE {
            break;
        }
    }
    out
}

/// Cost of places where a bracket or a quote does not end what it should. A byte of a character that is read
/// as a backslash keeps a value of SGF or PGN open; one read as a bracket ends it early.
fn broken_syntax(text: &str) -> usize {
    let faults = text.match_indices(['\\', ']']).filter(|(at, sign)| {
        let behind = text.get(at.saturating_add(1)..).unwrap_or_default();
        match (*sign, behind.strip_prefix([']', '"'])) {
            ("\\", Some(next)) => {
                let name = next.trim_start().trim_start_matches(|c: char| c.is_ascii_uppercase());
                name.starts_with([';', '(', ')', ']']) || name.starts_with('[') && name.len() < next.len()
            }
            ("\\", None) => behind.starts_with(|c: char| !c.is_ascii()),
            (_, _) => behind.starts_with(|c: char| !c.is_ascii() || c == ']'),
        }
    });
    faults.count().saturating_mul(BROKEN_SYNTAX)
}

/// UTF-8 in which other bytes are Latin-1, as in files that were joined.
fn mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text
}

/// Cost of reading bytes so: UTF-8 is hardly ever met by accident.
fn cost_mixed(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().fold(0_usize, |cost, chunk| {
        let letters = chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        let stray = chunk.invalid().len();
        cost.saturating_add(letters.saturating_mul(10)).saturating_add(stray.saturating_mul(20))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_KR, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1253};

    /// Each text, written in the encoding, is read back.
    fn check(encoding: &'static Encoding, texts: &[&str]) {
        for text in texts {
            let (bytes, _, is_lossy) = encoding.encode(text);
            assert!(!is_lossy, "{text}");
            assert_eq!(decode(&bytes), *text, "{}", encoding.name());
        }
    }

    #[test]
    fn old_files_are_read_in_their_encoding() {
        let chinese = "[Red \"胡荣华\"]\n1. 炮二平五 马８进７";
        assert_eq!(decode(&GB18030.encode(chinese).0), chinese);
        assert_eq!(decode(chinese.as_bytes()), chinese);
        assert_eq!(decode(b"[White \"M\xfcller, Stra\xdfe, \xc9t\xe9\"]"), "[White \"Müller, Straße, Été\"]");
        assert_eq!(decode(b"\xef\xbb\xbfx"), "x");
    }

    #[test]
    fn letters_with_accents_are_not_chinese() {
        assert_eq!(decode(b"[White \"cr\xe9\xe9e\"]"), "[White \"créée\"]");
        // Files of two encodings that were joined.
        let latin = WINDOWS_1252.encode("[White \"Muñoz\"]").0;
        for utf8 in ["[White \"Müller\"]\n[Black \"Grünfeld\"]\n", "[Red \"胡荣华\"]\n1. 炮二平五 马８进７\n"]
        {
            let joined = [utf8.as_bytes(), &latin].concat();
            assert_eq!(decode(&joined), format!("{utf8}[White \"Muñoz\"]"));
        }
        // Chinese characters between digits.
        let chinese = "1. 马8进7 [Event \"CCTV杯\"]";
        assert_eq!(decode(&GB18030.encode(chinese).0), chinese);
    }

    #[test]
    fn sgf_names_its_encoding() {
        for (label, name) in [
            ("Shift_JIS", "本因坊秀策ソ"),
            ("EUC-KR", "이창호"),
            ("windows-1251", "Иванов"),
            ("GBK", "丂丄"),
            ("Big5", "功許蓋"),
            ("CP936", "丂丄"),
            ("GB2312", "大黒"),
            ("cp932", "ソ申能"),
            ("sjis", "表"),
            ("MS949", "뷁"),
            ("CP950", "許"),
            ("ISO-8859-1", "Ænima"),
            ("ISO-8859-2", "Łódź"),
            ("KOI8-R", "Иванов"),
        ] {
            let text = format!("(;GM[1]CA[{label}]PB[{name}])");
            let encoding = encoding_named(label).unwrap();
            assert_eq!(decode(&encoding.encode(&text).0), text);
        }
        // Some programs declare everything as UTF-8.
        let text = "(;CA[UTF-8]PB[古力])";
        assert_eq!(decode(&GB18030.encode(text).0), text);
        assert_eq!(encoding_named("no such encoding"), None);
    }

    #[test]
    fn characters_that_end_in_a_byte_of_syntax_end_nothing() {
        check(
            BIG5,
            &[
                "(;GM[1]SZ[9]PB[阿功];B[ee];W[cc];B[gg])",
                "(;GM[1]SZ[9]PB[許功蓋]PW[王];B[ee])",
                "(;GM[1]SZ[9]PW[功]KM[0.5]HA[2])",
                "(;GM[1]SZ[9]PB[周俊勳]PW[林成功];B[ee]C[這步可能是敗著];W[cc])",
                "(;CA[GB2312]GM[1]PB[張栩]PW[王銘琬]EV[第三十屆名人賽挑戰者決定戰];B[ee])",
                "[Game \"Chinese Chess\"]\n[Red \"吳貴臨\"]\n[Black \"許銀川\"]\n\n1. 炮二平五 馬８進７ *",
            ],
        );
        check(
            GB18030,
            &[
                "(;CA[ISO-8859-1]SZ[9]PW[大黒];B[ee])",
                "(;SZ[9]PW[大黒]PB[古力];B[ee])",
                "(;SZ[9];B[ee];W[cc]C[黑棋此处为乗];B[gg])",
                "(;CA[Big5]SZ[9]PB[聂卫平]PW[马晓春]C[黑中盘胜，全局最精彩的一手];B[ee])",
                "(;CA[Shift_JIS]SZ[9]PB[柯洁]PW[古力]C[此手是败着，白棋已无法挽回];B[ee])",
            ],
        );
        check(
            SHIFT_JIS,
            &[
                "(;SZ[9]KM[5.5]C[表]AB[cc][gg];W[ee])",
                "(;SZ[19]PB[本因坊秀策]PW[井上幻庵因碩]C[ソの予定構想];B[qd])",
                "(;SZ[19]PB[趙治勲]PW[小林光一]EV[第45期本因坊戦];B[qd])",
                "(;SZ[19]PB[武宮正樹]C[申し分ない];B[qd])",
            ],
        );
        check(
            EUC_KR,
            &["(;SZ[19]PB[이창호]PW[조훈현];B[qd])", "(;SZ[19]PB[이세돌]PW[박정환]C[좋은 수입니다];B[qd])"],
        );
    }

    #[test]
    fn letters_of_all_alphabets_are_distinguished() {
        let game = "\n\n1. e4 e5 2. Nf3 Nc6 *";
        for (encoding, names) in [
            (
                WINDOWS_1251,
                &["Иванов", "ИВАНОВ И.", "Карпов, Анатолий", "Непомнящий, Ян", "Чемпионат города"][..],
            ),
            (WINDOWS_1253, &["Παπαδόπουλος", "Καραγιάννης", "Γεώργιος Μακρόπουλος", "Ελληνικό Πρωτάθλημα"]),
            (
                WINDOWS_1250,
                &["Żółć, Łukasz", "Dvořák", "Kovačević, Željko", "Navrátil / Hráček", "Győző, Fűzfő"],
            ),
            (
                WINDOWS_1252,
                &["ÉÈÀÙ", "Ångström", "Éàüöß, ÄÖÜ", "Muñoz", "d\u{2019}Été", "Göteborg – Malmö", "Bjørn"],
            ),
            (GB18030, &["侯逸凡", "中国国际象棋甲级联赛"]),
        ] {
            for name in names {
                check(encoding, &[&format!("[White \"{name}\"]{game}")]);
            }
        }
    }

    #[test]
    fn one_bad_byte_does_not_spoil_a_file() {
        // A program has cut a name in a character.
        let text = "[Red \"胡荣华\"]\n[Black \"李来群\"]\n[Event \"全国象棋个人赛\"]\n1. 炮二平五 马８进７";
        let bytes = GB18030.encode(text).0.into_owned();
        let cut = [&bytes[..10], &bytes[11..]].concat();
        let read = decode(&cut);
        assert!(read.contains("李来群") && read.contains("炮二平五"), "{read}");
    }

    #[test]
    fn text_without_line_feeds_gets_them() {
        assert_eq!(decode(b"a\rb\r"), "a\nb\n");
        assert_eq!(decode(b"a\r\nb\r"), "a\r\nb\r");
        assert_eq!(decode(b"(\0;\0)\0"), "(;)");
        assert_eq!(decode(b"\0(\0;\0)"), "(;)");
    }
}
