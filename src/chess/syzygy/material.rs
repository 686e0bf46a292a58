//! Which pieces there are: what a table is named by, and found by.

use crate::chess::position::Position;
use crate::chess::types::{Color, Kind};

/// Maximum number of pieces of a table.
pub(super) const MAX_PIECES: usize = 7;

/// Numbers of pieces, kings included, by side (White's first) and kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Material([[u8; 6]; 2]);

impl Material {
    pub fn of(pos: &Position) -> Self {
        Self(
            [Color::First, Color::Second]
                .map(|color| Kind::ALL.map(|kind| pos.pieces(color, kind).count() as u8)),
        )
    }

    /// Reads the name of a table, `KRPvKR`; the first side is White.
    pub fn from_name(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let side = |text: &str| {
            let mut counts = [0; 6];
            for letter in text.bytes() {
                let kind = Kind::from_letter(letter).filter(|_| letter.is_ascii_uppercase())?;
                let count: &mut u8 = counts.get_mut(kind.index())?;
                *count = count.saturating_add(1);
            }
            (number_of(Kind::King, &counts) == 1 && text.starts_with('K')).then_some(counts)
        };
        let this = Self([side(white)?, side(black)?]);
        (3..=MAX_PIECES).contains(&this.count()).then_some(this)
    }

    /// The same with colors exchanged.
    pub fn swapped(self) -> Self {
        Self([self.0[1], self.0[0]])
    }

    /// Whether both sides have the same.
    pub fn is_symmetric(&self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Pieces of both sides, kings included.
    pub fn count(&self) -> usize {
        self.0.iter().flatten().map(|&n| usize::from(n)).sum()
    }

    pub fn pawns(&self) -> [u8; 2] {
        self.0.map(|counts| number_of(Kind::Pawn, &counts))
    }

    pub fn has_pawns(&self) -> bool {
        self.pawns() != [0, 0]
    }

    /// Whether a side has exactly one of some kind, its king apart.
    pub fn has_unique_piece(&self) -> bool {
        self.0.iter().any(|counts| counts.iter().take(Kind::King.index()).any(|&n| n == 1))
    }

    /// Whether `pieces` (kind from 1, plus 8 for Black) are these, equal ones side by side.
    pub fn consists_of(&self, pieces: &[u8]) -> bool {
        let count = |piece: u8| pieces.iter().filter(|&&p| p == piece).count();
        let runs = pieces.chunk_by(PartialEq::eq).count();
        let kinds = self.0.iter().flatten().filter(|&&n| n > 0).count();
        pieces.len() == self.count()
            && runs == kinds
            && self.0.iter().zip([0, 8]).all(|(counts, color)| {
                counts.iter().zip(1..).all(|(&n, kind)| count(color + kind) == usize::from(n))
            })
    }
}

#[allow(clippy::indexing_slicing, reason = "every kind has a number")]
fn number_of(kind: Kind, counts: &[u8; 6]) -> u8 {
    counts[kind.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let material = Material::from_name("KRPvKR").unwrap();
        assert_eq!(material.count(), 5);
        assert_eq!(material.pawns(), [1, 0]);
        assert!(material.has_unique_piece() && !material.is_symmetric());
        assert!(Material::from_name("KBBvKBB").is_some_and(|m| m.is_symmetric() && !m.has_unique_piece()));
        for bad in ["", "KvK", "KRK", "RKvK", "KRvk", "KKvK", "KXvK", "KQQQQQQvK", "KRvKvK"] {
            assert_eq!(Material::from_name(bad), None, "{bad}");
        }
        assert!(material.consists_of(&[1, 4, 6, 12, 14]));
        assert!(!material.consists_of(&[1, 4, 6, 12, 13]));
        assert!(!Material::from_name("KBBvK").unwrap().consists_of(&[3, 6, 3, 14]));
    }
}
