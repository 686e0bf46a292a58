//! Text of unknown encoding: UTF-8, UTF-16 with its mark, what SGF names, GB18030 as Chinese programs write it, or
//! Latin-1.

use encoding_rs::{Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Bytes in which SGF names its encoding.
const HEAD: usize = 1024;

/// The text of a file. What is not UTF-8, nor nearly, and names no encoding, is Chinese where most bytes beyond ASCII stand
/// in pairs, else Latin-1.
pub fn decode(bytes: &[u8]) -> String {
    let encoding = match bytes {
        [0xFF, 0xFE, ..] => UTF_16LE,
        [0xFE, 0xFF, ..] => UTF_16BE,
        // GB18030 has a mark of its own.
        [0x84, 0x31, 0x95, 0x33, ..] => GB18030,
        _ if std::str::from_utf8(bytes).is_ok() => UTF_8,
        _ => match told_by_sgf(bytes) {
            Some(encoding) => encoding,
            None if is_nearly_utf8(bytes) => return mixed(bytes),
            None if is_chinese(bytes) => GB18030,
            None => WINDOWS_1252,
        },
    };
    encoding.decode(bytes).0.trim_start_matches('\u{feff}').to_owned()
}

/// The encoding that the property `CA` of SGF names. UTF-8 is none: the text is no UTF-8.
fn told_by_sgf(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    head.trim_ascii_start().strip_prefix(b"(")?.trim_ascii_start().strip_prefix(b";")?;
    let is_name = |bytes: &[u8]| matches!(bytes, [before, b'C', b'A', b'['] if !before.is_ascii_uppercase());
    let at = head.windows(4).position(is_name)?;
    let label = head.get(at.saturating_add(4)..)?.split(|byte| *byte == b']').next()?;
    Encoding::for_label(label).filter(|encoding| *encoding != UTF_8 && encoding.is_ascii_compatible())
}

/// Whether most bytes beyond ASCII are UTF-8, as in files of two encodings that were joined: nearly all of them where the
/// text may as well be Chinese.
fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut stray) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        valid = valid.saturating_add(chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count());
        stray = stray.saturating_add(chunk.invalid().len());
    }
    valid > stray.saturating_mul(if is_chinese(bytes) { 9 } else { 1 })
}

/// UTF-8 in which other bytes are Latin-1.
fn mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text.trim_start_matches('\u{feff}').to_owned()
}

/// Letters with accents stand alone, or as a pair beside letters of ASCII; Chinese characters are two high bytes each.
fn is_chinese(bytes: &[u8]) -> bool {
    let (mut paired, mut alone, mut rest) = (0_usize, 0_usize, bytes);
    let mut before = b' ';
    while let [first, behind @ ..] = rest {
        let last = before;
        (before, rest) = match rest {
            [0xA1..=0xFE, second @ 0xA1..=0xFE, behind @ ..] => {
                let next = behind.first().copied().unwrap_or(b' ');
                let is_run = !last.is_ascii() || !next.is_ascii();
                if is_run || !(last.is_ascii_alphabetic() || next.is_ascii_alphabetic()) {
                    paired = paired.saturating_add(2);
                } else {
                    alone = alone.saturating_add(2);
                }
                (*second, behind)
            }
            _ => {
                alone = alone.saturating_add(usize::from(!first.is_ascii()));
                (*first, behind)
            }
        };
    }
    paired > alone
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let text = format!("(;GM[1]CA[{label}]PB[{name}])");
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            assert_eq!(decode(&encoding.encode(&text).0), text);
        }
        // Some programs say UTF-8 of whatever they write.
        let text = "(;CA[UTF-8]PB[古力])";
        assert_eq!(decode(&GB18030.encode(text).0), text);
    }
}
