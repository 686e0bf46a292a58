//! The review of a game: a search of every position, and a verdict on the move before it.

use super::{Session, Task};
use crate::app::review::{Judged, Opinion, Verdicts, by_rule};
use crate::engine::{Limits, Side};
use crate::games::game::Game;
use crate::serve::position::{merge, written, written_line};
use crate::serve::step;
use crate::serve::study::Study;
use crate::serve::wire::Gone;
use serde_json::json;

/// The review of a game, between two of its positions.
pub(super) struct Review {
    pub nodes: u64,
    /// All steps of the game, and how many are done.
    pub moves: Vec<String>,
    pub done: usize,
    /// What the search has found so far.
    pub opinion: Opinion,
    /// What it found of the position before.
    pub before: Option<Opinion>,
    pub verdicts: Verdicts,
}

impl Session<'_> {
    /// Judges the move before the position that was searched, and goes on with the next.
    pub(super) fn review(
        &mut self,
        id: u64,
        mut game: Game,
        study: &Study,
        mut review: Review,
    ) -> Result<(), Gone> {
        let (ply, mut now) = (review.done, std::mem::take(&mut review.opinion));
        now.side = game.side_to_move();
        let best = now.best.as_ref().map(|mv| written(&game, mv));
        let mut event = json!({
            "event": "review", "for": id, "ply": ply, "best": best, "mv": now.best,
            "pv": written_line(&game, &now.line), "chances": study.first_side(now.chances),
        });
        merge(&mut event, study.effort());
        let played = review.moves.get(..ply).and_then(<[_]>::last).filter(|name| step::is_move(name));
        if let Some((mv, before)) = played.zip(review.before.take()) {
            let judged = Judged::new(ply.saturating_sub(1), mv, before, &now);
            let more = json!({"sign": judged.sign, "loss": judged.loss, "score": judged.score, "chances": judged.chances});
            merge(&mut event, more);
            review.verdicts.moves.push(judged);
        }
        self.send(&event)?;
        review.before = Some(now);
        let Some(next) = review.moves.get(ply) else {
            let sides = [Side::First, Side::Second];
            let accuracy = sides.map(|side| review.verdicts.accuracy(side));
            return self.send(&json!({"event": "reviewed", "for": id, "accuracy": accuracy}));
        };
        // It was taken before.
        let _ = step::take(&mut game, next);
        review.done = ply.saturating_add(1);
        let is_last = review.done == review.moves.len();
        if let Some(end) = by_rule(&game).filter(|_| is_last) {
            let study = Study::new(game.position().clone(), 1);
            return self.review(id, game, &study, Review { opinion: end, ..review });
        }
        let limits = review_limits(review.nodes);
        match self.begin(id, Task::Review(review), game, limits, 1) {
            Ok(_) => Ok(()),
            Err(why) => {
                let why = why.text(self.language);
                self.send(&json!({"event": "done", "for": id, "error": why}))
            }
        }
    }
}

pub(super) fn review_limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes.clamp(1, 100_000_000)), analysis: true, ..Limits::default() }
}
