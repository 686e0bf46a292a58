//! How strong each feature and each pattern of a move is, learned by `sanqi data learn-moves`.
//!
//! The file, little-endian: `SANQIMOV`, version (u32), number of features and of patterns (u32 each), the
//! logarithm of the strength of each feature (f32), then key (u32) and logarithm (f32) of each pattern, and
//! the CRC-32 of all before it.
// A file of strengths is untrusted input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use super::features::FEATURES;
use crate::ensure;
use once_cell::sync::Lazy;

const MAGIC: &[u8; 8] = b"SANQIMOV";
const VERSION: u32 = 1;
const HEADER: usize = MAGIC.len() + 12;
/// Maximum absolute value of a logarithm.
const LIMIT: f32 = 20.0;
/// Maximum number of patterns in a file.
const MAX_PATTERNS: usize = 1 << 20;

crate::errors! {
    /// Why a file holds no strengths.
    pub enum StrengthsError {
        Magic = "not a file of move strengths" | "不是着法强度的文件",
        Version(version: u32, features: u32) =
            "version {version} with {features} features: this program reads version {VERSION} with {FEATURES}"
                | "第 {version} 版，{features} 种特征：本程序读第 {VERSION} 版，{FEATURES} 种",
        Length(expected: usize, found: usize) =
            "{found} bytes in place of {expected}" | "有 {found} 字节，应为 {expected} 字节",
        Checksum = "the checksum is wrong" | "校验和不对",
        /// A number that cannot be the logarithm of a strength.
        Range = "a strength is out of range" | "有的强度超出范围",
    }
}

pub fn embedded() -> &'static Strengths {
    static EMBEDDED: Lazy<Strengths> =
        Lazy::new(|| Strengths::from_bytes(include_bytes!("../../../nnue/go.bin")).unwrap_or_default());
    &EMBEDDED
}

/// Strengths of features and patterns; what has none learned has 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Strengths {
    features: [f32; FEATURES],
    /// Keys and strengths, hashed to the first free place at or after the key; [`FREE`] is no key.
    patterns: Vec<(u32, f32)>,
}

const FREE: u32 = 0;

impl Default for Strengths {
    fn default() -> Self {
        Self::new(&[0.0; FEATURES], &[])
    }
}

impl Strengths {
    #[allow(clippy::indexing_slicing, reason = "the mask keeps a place within the table")]
    pub fn new(features: &[f32; FEATURES], patterns: &[(u32, f32)]) -> Self {
        let places = (2 * patterns.len() + 1).next_power_of_two();
        let mut table = vec![(FREE, 1.0); places];
        for &(key, log) in patterns.iter().filter(|&&(key, _)| key != FREE) {
            let mut at = key as usize & (places - 1);
            while table[at].0 != FREE {
                at = (at + 1) & (places - 1);
            }
            table[at] = (key, log.exp());
        }
        Self { features: features.map(f32::exp), patterns: table }
    }

    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "features are numbered from 0 to `FEATURES`")]
    pub fn feature(&self, feature: usize) -> f32 {
        self.features[feature]
    }

    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "the mask keeps a place within the table")]
    pub fn pattern(&self, key: u32) -> f32 {
        let mask = self.patterns.len() - 1;
        let mut at = key as usize & mask;
        loop {
            match self.patterns[at] {
                (found, strength) if found == key => return strength,
                (FREE, _) => return 1.0,
                _ => at = (at + 1) & mask,
            }
        }
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StrengthsError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(StrengthsError::Magic)?;
        let word = |at: usize| body.get(4 * at..4 * at + 4).and_then(|b| b.try_into().ok());
        let number = |at: usize| word(at).map(u32::from_le_bytes).ok_or(StrengthsError::Magic);
        let (version, features, patterns) = (number(0)?, number(1)?, number(2)? as usize);
        if version != VERSION || features as usize != FEATURES {
            return Err(StrengthsError::Version(version, features));
        }
        let expected = HEADER + 4 * FEATURES + 8 * patterns.min(MAX_PATTERNS) + 4;
        if bytes.len() != expected || patterns > MAX_PATTERNS {
            return Err(StrengthsError::Length(expected, bytes.len()));
        }
        let (content, crc) = bytes.split_at(expected - 4);
        ensure!(crc == crc32fast::hash(content).to_le_bytes(), StrengthsError::Checksum);
        let log = |at: usize| match number(at).map(f32::from_bits)? {
            log if log.abs() <= LIMIT => Ok(log),
            _ => Err(StrengthsError::Range),
        };
        let mut logs = [0.0; FEATURES];
        for (i, slot) in logs.iter_mut().enumerate() {
            *slot = log(3 + i)?;
        }
        let pattern = |i: usize| Ok((number(3 + FEATURES + 2 * i)?, log(4 + FEATURES + 2 * i)?));
        Ok(Self::new(&logs, &(0..patterns).map(pattern).collect::<Result<Vec<_>, _>>()?))
    }
}

/// The file with these logarithms.
pub fn to_bytes(features: &[f32; FEATURES], patterns: &[(u32, f32)]) -> Vec<u8> {
    let clamped = |log: f32| log.clamp(-LIMIT, LIMIT).to_le_bytes();
    let mut out = MAGIC.to_vec();
    for number in [VERSION, FEATURES as u32, patterns.len() as u32] {
        out.extend(number.to_le_bytes());
    }
    features.iter().for_each(|&log| out.extend(clamped(log)));
    for &(key, log) in patterns {
        out.extend(key.to_le_bytes());
        out.extend(clamped(log));
    }
    let crc = crc32fast::hash(&out);
    out.extend(crc.to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        let mut features = [0.0; FEATURES];
        features[3] = 2.0;
        to_bytes(&features, &[(7, 1.0), (7 + 8, -1.0), (9, 0.5)])
    }

    #[test]
    fn what_is_written_is_read() {
        let strengths = Strengths::from_bytes(&file()).unwrap();
        assert_eq!((strengths.feature(3), strengths.feature(4)), (2f32.exp(), 1.0));
        let patterns = [7, 15, 9, 23, 0].map(|key| strengths.pattern(key));
        assert_eq!(patterns, [1f32.exp(), (-1f32).exp(), 0.5f32.exp(), 1.0, 1.0]);
    }

    #[test]
    fn embedded_strengths_are_good() {
        Strengths::from_bytes(include_bytes!("../../../nnue/go.bin")).unwrap();
    }

    #[test]
    fn any_damage_is_refused() {
        let good = file();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 4;
            assert!(Strengths::from_bytes(&bad).is_err(), "byte {at}");
            assert!(Strengths::from_bytes(&good[..at]).is_err(), "{at} bytes");
        }
        let features = [f32::NAN; FEATURES];
        assert_eq!(Strengths::from_bytes(&to_bytes(&features, &[])), Err(StrengthsError::Range));
    }
}
