//! The lines to a general, and what stands in them. <https://www.chessprogramming.org/Pin>

use super::army::Army;
use crate::xiangqi::bitboard::Bitboard;
use crate::xiangqi::lookup::{self, Occupancy};

/// The lines from the pieces of one side to the general of the other.
#[derive(Default)]
pub struct GeneralLines {
    /// Points from which a chariot gives check.
    pub chariot: Bitboard,
    /// Points from which a cannon gives check.
    pub cannon: Bitboard,
    /// Points from which a horse gives check.
    pub horse: Bitboard,
    /// Points from which a soldier gives check.
    pub soldier: Bitboard,
    /// Pieces of either side that are the only one between the general and a chariot or the other general, or
    /// on the leg of a horse: pinned ones, and those whose move discovers a check.
    pub blockers: Bitboard,
    /// Pairs of pieces between the general and a cannon: check when either goes.
    pub screens: Bitboard,
    /// Free points between the general and a cannon that faces it: check when anything steps in.
    pub hollow: Bitboard,
    /// Cannons on a line with the general, whatever stands between.
    pub cannons: Bitboard,
    /// Whether a chariot stands on a line with the general, whatever stands between.
    pub chariots: bool,
    /// Points of the palace that the other general sees along its file.
    pub gaze: Bitboard,
}

impl GeneralLines {
    #[inline(always)]
    pub fn new(us: &Army, them: &Army, occupied: &Occupancy) -> Self {
        let (Some(target), Some(own)) = (them.general.first(), us.general.first()) else {
            return Self::default();
        };
        let cross = lookup::cross(target);
        let mut lines = Self {
            chariot: occupied.chariot(target),
            cannon: occupied.behind_screens(target),
            horse: occupied.horse_to(target),
            soldier: lookup::soldier_to(us.side, target),
            cannons: cross & us.cannons,
            chariots: cross.meets(us.chariots),
            gaze: occupied.along_file(own) & lookup::PALACE[them.side.index()],
            ..Self::default()
        };
        for square in cross & (us.chariots | us.general) {
            lines.blockers |= alone(lookup::between(target, square) & occupied.all);
        }
        for square in lines.cannons {
            let between = lookup::between(target, square);
            match between & occupied.all {
                none if none.is_empty() => {
                    lines.hollow |= between;
                    // A cannon is no screen of its own.
                    if !us.cannons.is_several() {
                        lines.cannon = lines.cannon.without(lookup::cross(square));
                    }
                }
                pieces if pieces.count() == 2 => lines.screens |= pieces,
                _ => (),
            }
        }
        for square in (lookup::horse_ring(target) & us.horses).without(lines.horse) {
            lines.blockers |= lookup::leg(square, target);
        }
        lines
    }
}

/// The set if it is a single point, else none.
#[inline(always)]
const fn alone(set: Bitboard) -> Bitboard {
    if set.is_several() { Bitboard::EMPTY } else { set }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;
    use crate::xiangqi::tactics::PiecePlacement;
    use crate::xiangqi::{Board, Square};

    /// The lines from Red to Black's general.
    fn lines(board: &str) -> GeneralLines {
        let pieces = PiecePlacement::from(&Board::from_fen(&format!("{board} w")).unwrap());
        let [red, black] = [Side::First, Side::Second].map(|side| Army::new(&pieces, side));
        GeneralLines::new(&red, &black, pieces.occupancy())
    }

    fn set(names: &str) -> Bitboard {
        let square = |name: &str| {
            let bytes = name.as_bytes();
            Square::at((bytes[0] - b'a') as usize, (bytes[1] - b'0') as usize).unwrap()
        };
        names.split_whitespace().map(square).collect()
    }

    #[test]
    fn pieces_alone_on_a_line_are_blockers() {
        assert_eq!(lines("3ak4/9/9/4p4/9/9/9/9/4R4/3K5").blockers, set("e6"));
        assert_eq!(lines("3ak4/4a4/9/4p4/9/9/9/9/4R4/3K5").blockers, set(""));
        // The generals, and the leg of a horse.
        assert_eq!(lines("4k4/4a4/9/9/9/9/9/9/9/4K4").blockers, set("e8"));
        assert_eq!(lines("4k4/3n5/3N5/9/9/9/9/9/9/3K5").blockers, set("d8"));
    }

    #[test]
    fn cannons_have_screens_or_face_the_general() {
        let screened = lines("4k4/4a4/9/4p4/9/9/9/9/4C4/3K5");
        assert_eq!((screened.screens, screened.hollow), (set("e8 e6"), set("")));
        let hollow = lines("4k4/9/9/9/9/4C4/9/9/9/3K5");
        assert_eq!((hollow.screens, hollow.hollow), (set(""), set("e5 e6 e7 e8")));
        assert_eq!(hollow.cannons, set("e4"));
    }

    #[test]
    fn checks_come_from_their_points() {
        let lines = lines("4k4/4a4/9/4p4/9/9/9/9/9/3K5");
        assert_eq!(lines.chariot, set("a9 b9 c9 d9 f9 g9 h9 i9 e8"));
        assert_eq!(lines.cannon, set("e7 e6"));
        assert_eq!(lines.horse, set("c8 g8 d7 f7"));
        assert_eq!(lines.soldier, set("d9 f9 e8"));
        assert_eq!(lines.gaze, set("d9 d8 d7"));
    }
}
