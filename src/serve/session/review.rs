//! The review of a game: a search of every position, and a verdict on the move before it.

use super::{Session, Task};
use crate::app::review::{Judged, Opinion, Verdicts, by_rule};
use crate::engine::{Limits, Side};
use crate::games::game::Game;
use crate::serve::position::{Line, merge, written, written_line};
use crate::serve::step;
use crate::serve::study::Study;
use crate::serve::wire::Gone;
use crate::util::lang::Language;
use crate::util::message::Message;
use serde_json::{Value, json};

/// The languages of a reason, in this order.
const LANGUAGES: [Language; 2] = [Language::English, Language::Chinese];

/// The review of a game, between two of its positions. It goes from the end to the start: what a search
/// learns of later positions serves it in the earlier ones.
pub(super) struct Review {
    pub nodes: u64,
    /// The whole game.
    pub line: Line,
    /// Its steps up to the position that is looked at, and up to the first one that will be.
    pub done: usize,
    pub from: usize,
    /// What the search has found so far.
    pub opinion: Opinion,
    /// What it found of the position after this one, and what is sent of that.
    pub later: Option<(Opinion, Value)>,
    pub verdicts: Verdicts,
}

impl Session<'_> {
    /// Begins a review at the end of the game.
    pub(super) fn begin_review(
        &mut self,
        id: u64,
        line: Line,
        nodes: u64,
        from: usize,
    ) -> Result<Value, Message> {
        let game = line.game()?;
        let (opinion, later, verdicts) = Default::default();
        let done = line.moves.len();
        let review = Review { nodes, from: from.min(done), line, done, opinion, later, verdicts };
        let Some(end) = by_rule(&game) else {
            return self.begin(id, Task::Review(review), game, review_limits(nodes), 1);
        };
        self.stop();
        let study = Study::new(game.position().clone(), 1);
        // A page that is gone is noticed with the next request.
        let _ = self.review(id, &game, &study, Review { opinion: end, ..review });
        Ok(Value::Null)
    }

    /// Judges the move after the position that was searched, and goes on with the one before.
    pub(super) fn review(
        &mut self,
        id: u64,
        game: &Game,
        study: &Study,
        mut review: Review,
    ) -> Result<(), Gone> {
        let (ply, mut now) = (review.done, std::mem::take(&mut review.opinion));
        now.side = game.side_to_move();
        let pv = written_line(game, &now.line);
        if let Some((later, mut event)) = review.later.take() {
            if let Some(mv) = review.line.moves.get(ply).filter(|name| step::is_move(name)) {
                let judged = Judged::explained(game, ply, mv, now.clone(), &later);
                let why = judged.reason.as_ref().map(|why| LANGUAGES.map(|language| why.text(language)));
                let more = json!({
                    "sign": judged.sign, "loss": judged.loss, "points": judged.points, "why": why,
                    "score": judged.score, "chances": judged.chances, "better": pv,
                });
                merge(&mut event, more);
                review.verdicts.moves.push(judged);
            }
            self.send(&event)?;
        }
        let best = now.best.as_ref().map(|mv| written(game, mv));
        let mut event = json!({
            "event": "review", "for": id, "ply": ply, "best": best, "mv": now.best,
            "pv": pv, "chances": study.first_side(now.chances),
        });
        merge(&mut event, study.effort());
        if ply <= review.from {
            self.send(&event)?;
            let accuracy = [Side::First, Side::Second].map(|side| review.verdicts.accuracy(side));
            return self.send(&json!({"event": "reviewed", "for": id, "accuracy": accuracy}));
        }
        review.later = Some((now, event));
        review.done = ply.saturating_sub(1);
        let (limits, earlier) = (review_limits(review.nodes), review.line.first(review.done));
        let begun = earlier.game().and_then(|game| self.begin(id, Task::Review(review), game, limits, 1));
        match begun {
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
