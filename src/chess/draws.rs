//! Draws that the search must know of: repetition (CH-8), fifty moves (CH-9), dead positions (CH-7),
//! and the repetition that the next move can bring about.

use super::attacks;
use super::bitboard::Bitboard;
use super::board::Board;
use super::position::Position;
use super::types::{Color, Kind, Piece, Square};
use super::zobrist;
use crate::game::Game;
use once_cell::sync::Lazy;

pub use super::fifty::RULE_PLIES;

impl Board {
    /// Whether a search `ply` plies below its root should score this position as a draw: by dead
    /// position, by fifty moves unless that move mated, by one repetition since the root or two in all.
    pub fn is_draw(&self, ply: usize) -> bool {
        (self.state.rule50 >= RULE_PLIES && (self.state.masks.checkers.is_empty() || self.has_legal_move()))
            || self.is_repetition(ply)
            || is_dead_material(self.position())
    }

    pub fn has_legal_move(&self) -> bool {
        self.count_legal() > 0
    }

    /// Whether the position has occurred once since the search root, or twice in all.
    fn is_repetition(&self, ply: usize) -> bool {
        let mut seen = 0;
        for (back, key) in self.reachable_past(4) {
            if key == self.state.key {
                seen += 1;
                if back < ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// How often the position has occurred before, back to the last capture or pawn move.
    pub fn repetitions(&self) -> usize {
        self.reachable_past(4).filter(|&(_, key)| key == self.state.key).count()
    }

    /// Whether a position since the last capture or pawn move, this one included, has occurred twice.
    pub fn has_repeated(&self) -> bool {
        let reach = usize::from(self.state.rule50.min(self.state.since_null)).min(self.history.len());
        let mut keys = self.history[self.history.len() - reach..].to_vec();
        keys.push(self.state.key);
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Every second key `first`, `first + 2`, ... plies back, as far as the position could repeat.
    #[inline]
    fn reachable_past(&self, first: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
        let limit = usize::from(self.state.rule50.min(self.state.since_null)).min(self.history.len());
        let newest = self.history.len();
        (first..=limit).step_by(2).map(move |back| (back, self.history[newest - back]))
    }

    /// Whether the side to move has a move that repeats a position: one since the search root, or one
    /// that has itself been repeated. Found without generating moves, from the difference of keys.
    /// M. van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing Program" (2013).
    pub fn upcoming_repetition(&self, ply: usize) -> bool {
        let pos = self.position();
        let cuckoo = &*CUCKOO;
        let occupied = pos.occupied();
        self.reachable_past(3).any(|(back, key)| {
            // The same position, but for one piece of ours that can step back to where it was?
            let Some((a, b)) = cuckoo.find(self.state.key ^ key) else { return false };
            let from = if pos.color(pos.side).has(a) { a } else { b };
            if !pos.color(pos.side).has(from) || attacks::between(a, b).meets(occupied) {
                return false;
            }
            back < ply || self.reachable_past(3).any(|(earlier, other)| earlier > back && other == key)
        })
    }
}

/// Whether no sequence of moves can mate because of the material: bare kings, one minor piece in
/// all, or any number of bishops of one square color (CH-7).
pub fn is_dead_material(pos: &Position) -> bool {
    let heavy = pos.kind(Kind::Pawn) | pos.kind(Kind::Rook) | pos.kind(Kind::Queen);
    if heavy.any() {
        return false;
    }
    let (knights, bishops) = (pos.kind(Kind::Knight), pos.kind(Kind::Bishop));
    if knights.any() {
        return !knights.many() && bishops.is_empty();
    }
    !(bishops.meets(Bitboard::LIGHT) && bishops.meets(Bitboard::DARK))
}

/// Key differences of all reversible moves, with the squares they join, in a hash table where every
/// entry has two possible slots. <https://en.wikipedia.org/wiki/Cuckoo_hashing>
struct Cuckoo {
    slots: Box<[(u64, Square, Square)]>,
}

/// A power of two: the 3,668 reversible moves fill a little less than half of it.
const CUCKOO_SLOTS: usize = 8192;

static CUCKOO: Lazy<Cuckoo> = Lazy::new(Cuckoo::new);

impl Cuckoo {
    fn new() -> Self {
        let mut cuckoo =
            Self { slots: vec![(0, Square::new(0), Square::new(0)); CUCKOO_SLOTS].into_boxed_slice() };
        for color in [Color::First, Color::Second] {
            for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen, Kind::King] {
                let piece = Piece::new(color, kind);
                for a in Bitboard::ALL {
                    let reach = super::legality::piece_attacks(kind, a, Bitboard::EMPTY);
                    for b in reach.into_iter().filter(|&b| b > a) {
                        let key = zobrist::piece(piece, a) ^ zobrist::piece(piece, b) ^ zobrist::SIDE;
                        cuckoo.insert((key, a, b));
                    }
                }
            }
        }
        cuckoo
    }

    /// Places an entry; one that is in the way moves to its other slot.
    fn insert(&mut self, mut entry: (u64, Square, Square)) {
        let mut slot = Self::first_slot(entry.0);
        while entry.0 != 0 {
            std::mem::swap(&mut self.slots[slot], &mut entry);
            let (one, two) = (Self::first_slot(entry.0), Self::second_slot(entry.0));
            slot = if slot == one { two } else { one };
        }
    }

    #[inline]
    fn find(&self, key: u64) -> Option<(Square, Square)> {
        let entry = [Self::first_slot(key), Self::second_slot(key)]
            .into_iter()
            .map(|slot| &self.slots[slot])
            .find(|entry| entry.0 == key)?;
        Some((entry.1, entry.2))
    }

    const fn first_slot(key: u64) -> usize {
        key as usize & (CUCKOO_SLOTS - 1)
    }

    const fn second_slot(key: u64) -> usize {
        (key >> 24) as usize & (CUCKOO_SLOTS - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::testing::{play_at_random, played};
    use crate::util::rng::Rng;

    fn play(fen: &str, moves: &str) -> Board {
        played(Board::from_fen(fen).unwrap(), moves)
    }

    #[test]
    fn every_reversible_move_is_in_the_cuckoo_table() {
        assert_eq!(CUCKOO.slots.iter().filter(|entry| entry.0 != 0).count(), 3668);
        let (e1, f2) = (Square::at(4, 0), Square::at(5, 1));
        let king = Piece::new(Color::Second, Kind::King);
        let key = zobrist::piece(king, e1) ^ zobrist::piece(king, f2) ^ zobrist::SIDE;
        assert_eq!(CUCKOO.find(key), Some((e1, f2)));
        assert_eq!(CUCKOO.find(key ^ 1), None);
    }

    #[test]
    fn one_repetition_in_the_tree_or_two_in_the_game_is_a_draw() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        let once = play(crate::chess::START_FEN, shuffle);
        assert!(!once.is_draw(0), "the position occurred once before the root");
        assert!(!once.is_draw(4), "its first occurrence is the root itself");
        assert!(once.is_draw(5));
        let twice = play(crate::chess::START_FEN, &format!("{shuffle} {shuffle}"));
        assert!(twice.is_draw(0));
        assert_eq!(twice.repetitions(), 2);
    }

    #[test]
    fn an_unusable_en_passant_square_does_not_make_a_position_different() {
        // After e2e4 no black pawn can capture: the position after the shuffle is the same (CH-8).
        let board = play(crate::chess::START_FEN, "e2e4 g8f6 g1f3 f6g8 f3g1");
        assert_eq!(board.repetitions(), 1);
        // Here d4xe3 was possible once.
        let fen = "rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(play(fen, "e2e4 g8f6 g1f3 f6g8 f3g1").repetitions(), 0);
    }

    #[test]
    fn castling_rights_make_positions_different() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(play(fen, "h1h2 e8e7 h2h1 e7e8").repetitions(), 0);
        assert_eq!(play(fen, "h1h2 e8e7 h2h1 e7e8 h1h2 e8e7 h2h1 e7e8").repetitions(), 1);
    }

    #[test]
    fn fifty_moves_draw_unless_the_last_one_mates() {
        assert!(Board::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 100 90").unwrap().is_draw(3));
        assert!(!Board::from_fen("4k3/8/8/8/8/8/8/4K2R w - - 99 90").unwrap().is_draw(3));
        let mated = Board::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 100 90").unwrap();
        assert!(!mated.is_draw(3));
        let in_check = Board::from_fen("R3k3/8/3K4/8/8/8/8/8 b - - 100 90").unwrap();
        assert!(in_check.is_draw(3));
    }

    #[test]
    fn dead_material_is_known() {
        let dead = |placement: &str| {
            is_dead_material(Board::from_fen(&format!("{placement} w - - 0 1")).unwrap().position())
        };
        for placement in [
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4KN2",
            "4kb2/8/8/8/8/8/8/4K3",
            "4kb2/8/8/8/8/8/8/2B1K3",
            "2b1kb2/1b6/8/8/8/8/8/4K3",
        ] {
            let bishops_differ = placement.starts_with("2b1kb2");
            assert_eq!(dead(placement), !bishops_differ, "{placement}");
        }
        assert!(dead("b3k3/1b6/8/8/8/8/6B1/4K2B"));
        for placement in [
            "4k3/8/8/8/8/8/8/3NKN2",
            "4kb2/8/8/8/8/8/8/4KB2",
            "4kn2/8/8/8/8/8/8/4KB2",
            "4kn2/8/8/8/8/8/8/4KN2",
            "4k3/8/8/8/8/8/P7/4K3",
            "4k3/8/8/8/8/8/8/R3K3",
        ] {
            assert!(!dead(placement), "{placement}");
        }
    }

    /// The test by keys agrees with playing every move, in random games.
    #[test]
    fn upcoming_repetition_means_that_a_move_repeats() {
        let mut rng = Rng::new(99);
        let (mut found, mut missing) = (0, 0);
        for game in 0..300 {
            let fens = [
                "4k3/8/8/3q4/8/8/8/R3K2R w - - 0 1",
                "4k1n1/8/8/8/8/8/8/1N2K3 w - - 0 1",
                "5rk1/8/8/8/2b5/8/4B3/R3K3 b - - 0 1",
            ];
            let board = Board::from_fen(fens[game % fens.len()]).unwrap();
            play_at_random(board, 60, &mut rng, |board, moves| {
                for ply in [0, 3, 6, 100] {
                    let root = board.plies_played() as i64 - ply as i64;
                    let expected = moves.iter().any(|&mv| {
                        board.do_move(mv, &mut ());
                        let (key, reach) = (board.state.key, usize::from(board.state.rule50));
                        let now = board.history.len();
                        let past = |back: &usize| board.history[now - back] == key;
                        let hits: Vec<i64> = (4..=reach.min(now))
                            .step_by(2)
                            .filter(past)
                            .map(|back| (now - back) as i64)
                            .collect();
                        board.undo_move();
                        hits.len() >= 2 || hits.iter().any(|&at| at > root)
                    });
                    assert_eq!(board.upcoming_repetition(ply), expected, "{board:?} ply {ply} game {game}");
                    if expected { found += 1 } else { missing += 1 }
                }
            });
        }
        assert!(found > 300 && missing > 300, "{found} {missing}");
    }
}
