//! Sealed moves (封棋): the record of an adjourned game holds a hash of the move, and the player the envelope
//! that opens it.

use crate::errors;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use std::str::FromStr;

/// A sealed move with the salt that keeps its hash from being guessed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    salt: String,
    /// The move in coordinates.
    pub mv: String,
}

errors! {
    /// Why a text is no envelope.
    pub enum EnvelopeError {
        NotAnEnvelope = "an envelope is written as 32 hexadecimal digits, a colon and a move" | "信封应为 32 位十六进制数、冒号和一步棋",
    }
}

/// Bytes of a salt.
const SALT_BYTES: usize = 16;

impl Envelope {
    /// Seals a move. `random` fills the salt and must be unpredictable.
    pub fn seal(mv: &str, random: [u8; SALT_BYTES]) -> Self {
        Self { salt: hex(&random), mv: mv.to_owned() }
    }

    /// SHA-256 of salt, move and the moves before it, in hexadecimal digits.
    pub fn hash(&self, moves: &[String]) -> String {
        hex(&Sha256::digest(format!("{}\n{}\n{}", self.salt, self.mv, moves.join(" "))))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl fmt::Display for Envelope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.salt, self.mv)
    }
}

impl FromStr for Envelope {
    type Err = EnvelopeError;

    fn from_str(text: &str) -> Result<Self, EnvelopeError> {
        let (salt, mv) = text.trim().split_once(':').ok_or(EnvelopeError::NotAnEnvelope)?;
        let is_salt = salt.len() == 2 * SALT_BYTES && salt.bytes().all(|b| b.is_ascii_hexdigit());
        let is_move = (2..=8).contains(&mv.len()) && mv.bytes().all(|b| b.is_ascii_alphanumeric());
        match is_salt && is_move {
            true => Ok(Self { salt: salt.to_ascii_lowercase(), mv: mv.to_owned() }),
            false => Err(EnvelopeError::NotAnEnvelope),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_is_opened_by_nothing_else() {
        let moves = ["e2e4".to_owned()];
        let envelope = Envelope::seal("e7e5", [7; 16]);
        assert_eq!(envelope.to_string(), "07070707070707070707070707070707:e7e5");
        assert_eq!(envelope.to_string().parse(), Ok(envelope.clone()));
        let hash = envelope.hash(&moves);
        assert_eq!(hash.len(), 64);
        for other in [Envelope::seal("e7e6", [7; 16]), Envelope::seal("e7e5", [8; 16])] {
            assert_ne!(other.hash(&moves), hash);
        }
        assert_ne!(envelope.hash(&[]), hash);
        // By sha256sum.
        assert_eq!(
            Envelope::seal("e2e4", [0; 16]).hash(&[]),
            "67b4290c823d023a5c58d7acb720942961bc835e201511064555115c9e423bbe"
        );
        for text in [
            "",
            "e2e4",
            "0707:e2e4",
            "07070707070707070707070707070707:",
            "0707070707070707070707070707070x:e2e4",
        ] {
            assert_eq!(text.parse::<Envelope>(), Err(EnvelopeError::NotAnEnvelope), "{text:?}");
        }
    }
}
