//! Games ended by the match's own rules: hopeless, dull, known to endgame tables, or too long.

use crate::chess::position::Position;
use crate::chess::syzygy::{Tables, Wdl};
use crate::game::Side;
use crate::games::record::{Ending, GameKind, Ply, Reason, ReportedScore};
use crate::games::referee::Referee;
use crate::go::PointSet;
use crate::message;
use serde::{Deserialize, Serialize};

/// When the arbiter ends a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// Lost for an engine that scores its own position as lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// Drawn when both engines see nothing in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Draw>,
    /// Chess: decided by endgame tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tb: Option<Tablebases>,
    /// Full moves after which a game is drawn (Go: moves, after which it is counted as it stands).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resign {
    /// Moves in a row of the losing side.
    pub movecount: usize,
    /// Its score is at most the negative of this, in centipawns.
    pub score: i32,
    /// The winner's score must agree.
    pub twosided: bool,
}

impl Default for Resign {
    fn default() -> Self {
        Self { movecount: 3, score: 600, twosided: false }
    }
}

/// Draw by score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Draw {
    /// Full moves that must have been played, those of the opening included; a FEN's own number does not
    /// count.
    pub movenumber: usize,
    /// Moves in a row of both sides, counted anew from every capture and, in chess, pawn move.
    pub movecount: usize,
    /// Both scores are within this many centipawns of 0.
    pub score: i32,
}

impl Default for Draw {
    fn default() -> Self {
        Self { movenumber: 40, movecount: 8, score: 10 }
    }
}

/// Decision by Syzygy tables, after a capture or a pawn move: only then are they sure of the result.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tablebases {
    /// The folders, separated as the system separates paths.
    pub path: String,
    /// Maximum number of pieces in positions that are looked up; 0: as many as there are tables for.
    #[serde(default)]
    pub pieces: usize,
    /// As if there were no fifty-move rule.
    #[serde(default)]
    pub ignore50: bool,
    /// Which results end a game.
    #[serde(default)]
    pub adjudicate: Decided,
}

/// Which results of endgame tables end a game.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decided {
    #[default]
    Both,
    WinLoss,
    Draw,
}

impl Tablebases {
    fn judge(&self, tables: &Tables, pos: &Position) -> Option<Ending> {
        if self.pieces > 0 && pos.occupied().count() as usize > self.pieces {
            return None;
        }
        let wdl = tables.probe_wdl(pos)?;
        let (us, them) = (pos.side(), pos.side().other());
        let winner = match if self.ignore50 { wdl.without_fifty_moves() } else { wdl } {
            Wdl::Win => Some(us),
            Wdl::Loss => Some(them),
            _ => None,
        };
        match (winner, self.adjudicate) {
            (Some(winner), Decided::Both | Decided::WinLoss) => {
                let name = GameKind::CHESS.game().side(winner);
                let detail = message!("{name} wins by endgame tables" | "残局库判定{name}胜", name);
                Some(Ending::won(winner, Reason::Tablebase, detail))
            }
            (None, Decided::Both | Decided::Draw) => {
                let detail = message!("draw by endgame tables" | "残局库判定和棋");
                Some(Ending::drawn(Reason::Tablebase, detail))
            }
            _ => None,
        }
    }
}

/// Watches the scores of one game.
pub struct Adjudicator<'a> {
    rules: &'a Adjudication,
    tables: Option<&'a Tables>,
    /// Moves in a row whose score was hopeless, by side.
    lost: [usize; 2],
    /// Moves in a row whose score was winning, by side.
    won: [usize; 2],
    /// Half-moves in a row whose score was level, since the last capture or pawn move.
    level: usize,
}

impl<'a> Adjudicator<'a> {
    /// At the start of a game.
    pub fn new(rules: &'a Adjudication, tables: Option<&'a Tables>) -> Self {
        Self { rules, tables, lost: [0; 2], won: [0; 2], level: 0 }
    }

    /// After a move of `side` with the score it reported. `Some`: the game is over.
    pub fn judge(
        &mut self,
        kind: GameKind,
        side: Side,
        score: Option<ReportedScore>,
        plies: &[Ply],
        referee: &dyn Referee,
    ) -> Option<Ending> {
        // As exact as the rules themselves, so first.
        if let (Some(rule), Some(tables), Some(pos)) = (&self.rules.tb, self.tables, referee.endgame())
            && let Some(ending) = rule.judge(tables, pos)
        {
            return Some(ending);
        }
        if referee.made_progress() {
            self.level = 0;
        }
        let by_score = score.and_then(|s| self.by_score(kind, side, s.centipawns(), plies.len()));
        if score.is_none() {
            (*side.of_mut(&mut self.lost), *side.of_mut(&mut self.won), self.level) = (0, 0, 0);
        }
        by_score.or_else(|| self.by_length(plies.len(), referee))
    }

    fn by_score(&mut self, kind: GameKind, side: Side, score: i32, plies: usize) -> Option<Ending> {
        if let Some(rule) = self.rules.resign {
            let count = |counter: &mut usize, holds: bool| {
                *counter = if holds { counter.saturating_add(1) } else { 0 }
            };
            count(side.of_mut(&mut self.lost), score <= rule.score.saturating_neg());
            count(side.of_mut(&mut self.won), score >= rule.score);
            for loser in [side, side.other()] {
                let agreed = !rule.twosided || *loser.other().of(&self.won) >= rule.movecount;
                if *loser.of(&self.lost) >= rule.movecount && agreed {
                    let name = kind.game().side(loser.other());
                    let detail = message!("{name} wins by adjudication" | "提前判定{name}胜", name);
                    return Some(Ending::won(loser.other(), Reason::Adjudication, detail));
                }
            }
        }
        let rule = self.rules.draw?;
        self.level = if score.saturating_abs() <= rule.score { self.level.saturating_add(1) } else { 0 };
        (plies >= rule.movenumber.saturating_mul(2) && self.level >= rule.movecount.saturating_mul(2))
            .then(|| message!("draw by adjudication" | "提前判定和棋"))
            .map(|detail| Ending::drawn(Reason::Adjudication, detail))
    }

    fn by_length(&self, plies: usize, referee: &dyn Referee) -> Option<Ending> {
        let limit = self.rules.max_moves?;
        match referee.stones() {
            Some(stones) if plies >= limit => {
                let counted = stones.count(&PointSet::EMPTY);
                Some(Ending { reason: Reason::Adjudication, ..counted })
            }
            None if plies >= limit.saturating_mul(2) => {
                let why = message!("no result after {limit} moves" | "{limit} 回合后仍无结果，判和", limit);
                Some(Ending::drawn(Reason::Adjudication, why))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::game::{Game, Start};

    #[test]
    fn any_number_of_a_configuration_and_any_score_is_taken() {
        let game = Game::at(GameKind::CHESS.into()).unwrap();
        for (limit, count) in [(i32::MIN, 0), (i32::MAX, usize::MAX), (0, usize::MAX)] {
            let rules = Adjudication {
                resign: Some(Resign { movecount: count, score: limit, twosided: false }),
                draw: Some(Draw { movenumber: count, movecount: count, score: limit }),
                tb: None,
                max_moves: Some(usize::MAX),
            };
            for score in
                [ReportedScore::Cp(i32::MIN), ReportedScore::Cp(i32::MAX), ReportedScore::Mate(i32::MIN)]
            {
                let mut adjudicator = Adjudicator::new(&rules, None);
                let ending = adjudicator.judge(GameKind::CHESS, Side::First, Some(score), &[], &**game);
                assert_eq!(ending.is_some(), count == 0, "{limit} {score:?}");
            }
        }
    }

    /// As fastchess and cutechess count.
    #[test]
    fn captures_and_pawn_moves_begin_the_count_of_level_moves_anew() {
        let draw = Some(Draw { movenumber: 1, movecount: 1, score: 10 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        let drawn_after = |kind: GameKind, moves: &[&str]| {
            let mut game = Game::at(kind.into()).unwrap();
            let mut adjudicator = Adjudicator::new(&rules, None);
            let mut plies = Vec::new();
            moves.iter().position(|mv| {
                let side = game.side_to_move();
                game.play(mv).unwrap();
                assert_eq!(game.ending(), None);
                plies.push(Ply::plain(mv));
                adjudicator.judge(game.kind(), side, Some(ReportedScore::Cp(0)), &plies, &**game).is_some()
            })
        };
        let chess = ["e2e4", "d7d6", "d2d4", "e7e5", "d4e5", "d6e5", "d1d8"];
        assert_eq!(drawn_after(GameKind::CHESS, &chess), None);
        assert_eq!(drawn_after(GameKind::CHESS, &["e2e4", "g8f6"]), Some(1));
        assert_eq!(drawn_after(GameKind::XIANGQI, &["h2e2", "h9g7"]), Some(1));
        // A cannon takes a horse. Soldiers may move.
        assert_eq!(drawn_after(GameKind::XIANGQI, &["h2h9", "i9h9"]), None);
        assert_eq!(drawn_after(GameKind::XIANGQI, &["h2h9", "i9h9", "g3g4"]), Some(2));
    }

    #[test]
    #[ignore = "needs Syzygy tables: make test SYZYGY_PATH=FOLDER"]
    fn endgame_tables_decide_after_captures_and_pawn_moves() {
        let path = std::env::var("SYZYGY_PATH").expect("SYZYGY_PATH names a folder of Syzygy tables");
        let tables = Tables::open(&path);
        assert_eq!(tables.max_pieces(), 4, "{path}");
        let all = Tablebases { path, pieces: 0, ignore50: false, adjudicate: Decided::Both };
        let judge = |rule: &Tablebases, fen: &str, mv: &str| {
            let rules = Adjudication { tb: Some(rule.clone()), ..Adjudication::default() };
            let mut game = Game::at(Start::fen(GameKind::CHESS, fen)).unwrap();
            let side = game.side_to_move();
            game.play(mv).unwrap();
            assert_eq!(game.ending(), None);
            let mut adjudicator = Adjudicator::new(&rules, Some(&tables));
            adjudicator.judge(GameKind::CHESS, side, None, &[Ply::plain(mv)], &**game).map(|e| e.winner)
        };
        let (won, drawn) = ("8/8/8/3p4/4K3/8/2B1N3/7k w - - 0 1", "8/8/8/3p4/4K3/8/4N3/1N5k w - - 0 1");
        assert_eq!(judge(&all, won, "e4d5"), Some(Some(Side::First)));
        assert_eq!(judge(&all, drawn, "e4d5"), Some(None));
        // No capture, no pawn move: the tables do not know how many moves are left.
        assert_eq!(judge(&all, won, "e4d3"), None);
        assert_eq!(judge(&Tablebases { pieces: 3, ..all.clone() }, won, "e4d5"), None);
        assert_eq!(judge(&Tablebases { adjudicate: Decided::Draw, ..all.clone() }, won, "e4d5"), None);
        assert_eq!(judge(&Tablebases { adjudicate: Decided::WinLoss, ..all.clone() }, drawn, "e4d5"), None);
    }
}
