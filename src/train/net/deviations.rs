//! Positions off the games: one to three random moves away from one that was played, and quiet.
//!
//! Most leaves of a search hold a blunder, which games between equals never show: a net that has seen games
//! alone misjudges them. An evaluation judges these positions without a search, much faster than games
//! are played, so that they carry what is known already and the games what is new.

use super::super::record::GameResult;
use super::super::sample::Sample;
use super::data::Selection;
use crate::eval::GameEval;
use crate::game::{AlphaBetaGame, MoveList, Verdict};
use crate::util::rng::Rng;

/// Random moves before a position is judged, at most.
const MOST_MOVES: usize = 3;

/// Adds positions that `pos` leads to.
pub(super) fn add<G: GameEval>(selection: &mut Selection<G>, pos: &G, rng: &mut Rng, out: &mut Vec<Sample>) {
    let wanted = (selection.deviations + rng.unit_f32()) as usize;
    out.extend((0..wanted).filter_map(|_| deviate(selection, pos, rng)));
}

fn deviate<G: GameEval>(selection: &mut Selection<G>, pos: &G, rng: &mut Rng) -> Option<Sample> {
    let mut pos = pos.clone();
    let mut moves = MoveList::new();
    for _ in 0..=rng.below(MOST_MOVES) {
        moves.clear();
        pos.legal_moves(&mut moves);
        let mv = *moves.get(rng.below(moves.len().max(1)))?;
        pos.do_move(mv, &mut ());
    }
    if !is_quiet(&pos) {
        return None;
    }
    let score = selection.judged(&pos) as i16;
    Sample::new::<G::Features, G>(&pos, score, GameResult::Draw).map(Sample::without_result)
}

/// Whether the game goes on, nobody is in check and no capture gains anything.
fn is_quiet<G: AlphaBetaGame>(pos: &G) -> bool {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    !moves.is_empty()
        && !pos.in_check()
        && pos.verdict(0) == Verdict::Ongoing
        && !moves.iter().any(|&mv| pos.is_capture(mv) && pos.see_ge(mv, 1))
}
