//! What a search has found so far, as the page shows it: always from the side that moves first in the game.

use super::position::{written, written_line};
use crate::app::opponent;
use crate::app::review::chances;
use crate::engine::{Analysis, Bound, Event, Info, Score, Side};
use crate::games::game::Position;
use crate::games::record::Thought;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};

/// Moves of a line that are reported.
const LINE: usize = 16;
/// Candidates of Go that are reported.
const CANDIDATES: usize = 20;

pub struct Study {
    position: Position,
    lines: usize,
    infos: BTreeMap<usize, Info>,
    analysis: Option<Analysis>,
    is_news: bool,
}

impl Study {
    /// Before the first finding.
    pub fn new(position: Position, lines: usize) -> Self {
        Self { position, lines, infos: BTreeMap::new(), analysis: None, is_news: false }
    }

    pub fn side(&self) -> Side {
        self.position.side_to_move()
    }

    /// Chances of the side to move as those of the first side.
    pub fn first_side(&self, chances: f64) -> f64 {
        if self.side() == Side::First { chances } else { 1.0 - chances }
    }

    /// Whether something was found since it was last reported.
    pub fn is_news(&self) -> bool {
        self.is_news
    }

    /// Takes in what the search reports.
    pub fn hear(&mut self, event: Event) {
        match event {
            Event::Info(info) if info.bound == Bound::Exact && !info.pv.is_empty() => {
                let rank = info.multipv as usize;
                if (1..=self.lines).contains(&rank) {
                    self.infos.insert(rank, info);
                    self.is_news = true;
                }
            }
            Event::Analysis(analysis) => {
                self.analysis = Some(analysis);
                self.is_news = true;
            }
            _ => {}
        }
    }

    /// All that was found, as fields of an event.
    pub fn report(&mut self) -> Value {
        self.is_news = false;
        match &self.analysis {
            Some(analysis) => self.of_tree(analysis),
            None => self.of_lines(),
        }
    }

    /// How long it has searched, as fields of an event: `depth` in plies, none in Go, and `nodes`, in Go
    /// visits.
    pub fn effort(&self) -> Value {
        let first = self.infos.values().next();
        json!({
            "nodes": match &self.analysis {
                Some(analysis) => Some(analysis.visits),
                None => self.infos.values().map(|info| info.nodes).max(),
            },
            "depth": first.map(|info| info.depth),
        })
    }

    /// What the search thought, as records have it.
    pub fn thought(&self) -> Thought {
        let first = self.infos.values().next();
        let score = first.map(|info| opponent::reported(info.score));
        Thought { score, depth: first.map(|info| info.depth), ..Thought::default() }
    }

    fn of_lines(&self) -> Value {
        let is_first = self.side() == Side::First;
        let line = |info: &Info| {
            let score = match (info.score, is_first) {
                (Score::Centipawns(cp), true) => json!({"cp": cp}),
                (Score::Centipawns(cp), false) => json!({"cp": cp.saturating_neg()}),
                // Mated now, by the move before.
                (Score::Mate(n), true) => json!({"mate": n}),
                (Score::Mate(n), false) => json!({"mate": n.saturating_neg()}),
            };
            let wdl = info.wdl.map(|[w, d, l]| if is_first { [w, d, l] } else { [l, d, w] });
            json!({
                "depth": info.depth,
                "score": score,
                "chances": self.first_side(chances(info.score, info.wdl)),
                "wdl": wdl,
                "pv": written_line(&self.position, info.pv.get(..LINE).unwrap_or(&info.pv)),
            })
        };
        let first = self.infos.values().next();
        // A line of the iteration before may begin with a move that has risen since.
        let mut moves = HashSet::new();
        let lines = self.infos.values().filter(|info| moves.insert(info.pv.first()));
        json!({
            "lines": lines.map(line).collect::<Vec<_>>(),
            "nodes": self.infos.values().map(|info| info.nodes).max(),
            "nps": first.map(Info::nodes_per_second),
            "depth": first.map(|info| info.depth),
        })
    }

    fn of_tree(&self, analysis: &Analysis) -> Value {
        let is_first = self.side() == Side::First;
        let sign = if is_first { 1.0 } else { -1.0 };
        let lines = analysis.moves.iter().filter(|mv| mv.visits > 0).take(CANDIDATES).enumerate();
        let line = |(rank, mv): (usize, &crate::engine::MoveAnalysis)| {
            // A long list of vertices for a move with few visits means nothing.
            let length = if rank < self.lines { LINE } else { 1 };
            json!({
                "mv": mv.mv,
                "text": written(&self.position, &mv.mv),
                "visits": mv.visits,
                "chances": self.first_side(mv.winrate),
                "lead": sign * mv.score_lead,
                "prior": mv.prior,
                "pv": written_line(&self.position, mv.pv.get(..length).unwrap_or(&mv.pv)),
            })
        };
        let seconds = analysis.time.as_secs_f64().max(1e-3);
        let owner = |&own: &f32| (f64::from(own) * sign * 100.0).round() / 100.0;
        json!({
            "lines": lines.map(line).collect::<Vec<_>>(),
            "nodes": analysis.visits,
            "nps": (analysis.visits as f64 / seconds) as u64,
            "chances": self.first_side(analysis.winrate),
            "lead": sign * analysis.score_lead,
            "ownership": analysis.ownership.iter().map(owner).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::Start;
    use crate::games::record::GameKind;

    fn info(multipv: u32, cp: i32, mv: &str) -> Event {
        let score = Score::Centipawns(cp);
        Event::Info(Info { multipv, pv: vec![mv.to_owned()], ..Info::of_finished_game(score) })
    }

    #[test]
    fn scores_are_those_of_the_side_that_began_the_game() {
        let start = Start::fen(GameKind::CHESS, "4k3/8/8/8/8/8/4q3/6K1 b - - 0 1");
        let position = Position::at(&start).unwrap();
        let mut study = Study::new(position, 2);
        assert!(!study.is_news());
        for event in [info(1, 900, "e2e5"), info(2, 880, "e2e6"), info(3, 870, "e2e7")] {
            study.hear(event);
        }
        assert!(study.is_news());
        let report = study.report();
        assert_eq!(report["lines"].as_array().unwrap().len(), 2, "{report}");
        assert_eq!(report["lines"][0]["score"], json!({"cp": -900}));
        assert_eq!(report["lines"][0]["pv"], json!([["e2e5", ["Qe5"]]]));
        assert!(report["lines"][0]["chances"].as_f64().unwrap() < 0.1);
        assert!(!study.is_news());
        study.hear(info(1, 910, "e2e6"));
        let report = study.report();
        assert_eq!(report["lines"].as_array().unwrap().len(), 1, "{report}");
    }
}
