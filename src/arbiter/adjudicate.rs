//! Games ended by the match's own rules: hopeless, dull, or too long.

use super::record::{Ending, GameKind, Ply, Reason, Score};
use super::referee::Referee;
use crate::game::Side;
use crate::go::PointSet;
use serde::{Deserialize, Serialize};

/// When the arbiter ends a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// Lost for an engine that says so itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Drawn when both engines see nothing in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// Full moves after which a game is drawn (Go: moves, after which it is counted as it stands).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<usize>,
}

/// Resignation by score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Moves in a row of the losing side.
    pub movecount: usize,
    /// Its score is at most the negative of this, in centipawns.
    pub score: i32,
    /// The winner's score must agree.
    #[serde(default)]
    pub twosided: bool,
}

/// Draw by score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// Full moves that must have been played.
    pub movenumber: usize,
    /// Moves in a row of both sides.
    pub movecount: usize,
    /// Both scores are within this many centipawns of 0.
    pub score: i32,
}

/// Watches the scores of one game.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    /// Moves in a row whose score was hopeless, by side.
    lost: [usize; 2],
    /// Moves in a row whose score was winning, by side.
    won: [usize; 2],
    /// Half-moves in a row whose score was level.
    level: usize,
}

impl<'a> Adjudicator<'a> {
    /// At the start of a game.
    pub fn new(rules: &'a Adjudication) -> Self {
        Self { rules, lost: [0; 2], won: [0; 2], level: 0 }
    }

    /// After a move of `side` with the score it told. `Some`: the game is over.
    pub fn judge(
        &mut self,
        kind: GameKind,
        side: Side,
        score: Option<Score>,
        plies: &[Ply],
        referee: &dyn Referee,
    ) -> Option<Ending> {
        let by_score = score.and_then(|s| self.by_score(kind, side, s.centipawns(), plies.len()));
        if score.is_none() {
            (self.lost[side.index()], self.won[side.index()], self.level) = (0, 0, 0);
        }
        by_score.or_else(|| self.by_length(plies.len(), referee))
    }

    fn by_score(&mut self, kind: GameKind, side: Side, score: i32, plies: usize) -> Option<Ending> {
        let us = side.index();
        if let Some(rule) = self.rules.resign {
            let count = |counter: &mut usize, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
            count(&mut self.lost[us], score <= -rule.score);
            count(&mut self.won[us], score >= rule.score);
            for loser in [side, side.other()] {
                let agreed = !rule.twosided || self.won[loser.other().index()] >= rule.movecount;
                if self.lost[loser.index()] >= rule.movecount && agreed {
                    let detail = format!("{} wins by adjudication", kind.side_name(loser.other()));
                    return Some(Ending::won(loser.other(), Reason::Adjudication, detail));
                }
            }
        }
        let rule = self.rules.draw?;
        self.level = if score.abs() <= rule.score { self.level + 1 } else { 0 };
        (plies >= 2 * rule.movenumber && self.level >= 2 * rule.movecount)
            .then(|| Ending::drawn(Reason::Adjudication, "draw by adjudication"))
    }

    fn by_length(&self, plies: usize, referee: &dyn Referee) -> Option<Ending> {
        let limit = self.rules.max_moves?;
        match referee.stones() {
            Some(stones) if plies >= limit => {
                let counted = stones.count(&PointSet::EMPTY);
                Some(Ending { reason: Reason::Adjudication, ..counted })
            }
            None if plies >= 2 * limit => {
                Some(Ending::drawn(Reason::Adjudication, format!("no result after {limit} moves")))
            }
            _ => None,
        }
    }
}
