//! Games for tests.

use super::{AlphaBetaGame, Text};
use crate::util::rng::Rng;

/// The position after these moves, in the usual notation.
pub fn played<G: Text>(mut pos: G, moves: &str) -> G {
    for text in moves.split_whitespace() {
        let mv = pos.parse_move(text, Default::default()).unwrap();
        pos.do_move(mv, &mut ());
    }
    pos
}

/// Plays up to `plies` random moves, and shows each position with a legal move to `look`, with these moves.
pub fn play_at_random<G: AlphaBetaGame>(
    mut pos: G,
    plies: usize,
    rng: &mut Rng,
    mut look: impl FnMut(&mut G, &[G::Move]),
) {
    for _ in 0..plies {
        let moves = pos.legal();
        if moves.is_empty() {
            return;
        }
        look(&mut pos, &moves);
        pos.do_move(rng.pick(&moves), &mut ());
    }
}
