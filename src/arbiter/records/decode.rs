//! Text of unknown encoding: UTF-8, UTF-16 with its mark, GB18030 as Chinese programs write it, or Latin-1.

use encoding_rs::{GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// The text of a file. What is not UTF-8 is Chinese where most bytes beyond ASCII stand in pairs, else Latin-1.
pub fn decode(bytes: &[u8]) -> String {
    let encoding = match bytes {
        [0xFF, 0xFE, ..] => UTF_16LE,
        [0xFE, 0xFF, ..] => UTF_16BE,
        // GB18030 has a mark of its own.
        [0x84, 0x31, 0x95, 0x33, ..] => GB18030,
        _ if std::str::from_utf8(bytes).is_ok() => UTF_8,
        _ if is_chinese(bytes) => GB18030,
        _ => WINDOWS_1252,
    };
    encoding.decode(bytes).0.trim_start_matches('\u{feff}').to_owned()
}

/// Letters with accents stand alone among letters of ASCII; Chinese characters are two high bytes each.
fn is_chinese(bytes: &[u8]) -> bool {
    let (mut paired, mut alone, mut rest) = (0_usize, 0_usize, bytes);
    loop {
        match rest {
            [0xA1..=0xFE, 0xA1..=0xFE, behind @ ..] => (paired, rest) = (paired.saturating_add(2), behind),
            [0x80..=0xFF, behind @ ..] => (alone, rest) = (alone.saturating_add(1), behind),
            [_, behind @ ..] => rest = behind,
            [] => break,
        }
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
}
