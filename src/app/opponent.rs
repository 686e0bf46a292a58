//! The engine as an opponent at a table: how long it thinks, and when it offers, accepts and claims a draw.

use crate::app::level;
use crate::engine::{Limits, Score};
use crate::game::Side;
use crate::games::game::Game;
use crate::games::record::{GameKind, ReportedScore, Thought};
use crate::table::{Examined, Table, examine};

/// It offers a draw from ply `LATE_PLIES` on, when `LEVEL_MOVES` scores of its own in a row are within
/// `LEVEL_SCORE` centipawns.
const LEVEL_MOVES: usize = 4;
const LEVEL_SCORE: i32 = 8;
const LATE_PLIES: usize = 80;
/// With at most this many pieces, kings included, a level score is a draw.
const FEW_PIECES: usize = 8;

/// The limits of a search for the engine's move: those given, unless it plays at a level or by a clock.
pub fn limits(table: &Table, has_level: bool, given: Limits) -> Limits {
    let mut limits = given;
    if has_level {
        limits.movetime = Some(level::LONGEST);
    }
    let side = table.game().side_to_move();
    let control = table.clock(side).control();
    if !control.is_timed() {
        return limits;
    }
    match control.per_move {
        Some(time) => limits.movetime = Some(time.mul_f64(0.9)),
        None => {
            let mut state = *table.clock(side).state();
            state.opponent = Some(table.clock(side.other()).state().remaining);
            if let Some(longest) = control.longest_move {
                state.remaining = state.remaining.min(longest);
            }
            limits.clock = Some(state);
            limits.movetime = None;
        }
    }
    limits
}

/// Whether the engine claims a draw instead of playing on, with the move that it has found or without: it
/// does where it stands no better.
pub fn claims(table: &Table, mv: &str, centipawns: i32) -> Option<Option<String>> {
    if !table.agreement().conduct.claims || centipawns > 0 {
        return None;
    }
    let is_right = |with: Option<&str>| matches!(examine(table.game(), with), Some(Examined::Right(_)));
    let claims = [None, Some(mv)].into_iter().find(|&with| is_right(with));
    claims.map(|with| with.map(str::to_owned))
}

/// Whether the engine takes an offered draw: where it stands no better than its opponent, whose score this
/// is, but not in the first moves on a full board; and where a late game or a board with few pieces is level.
pub fn accepts_draw(game: &Game, opponent_score: i32) -> bool {
    let (plies, fen) = (game.moves().len(), game.fen().unwrap_or_default());
    let pieces = fen.chars().take_while(|c| !c.is_whitespace()).filter(char::is_ascii_alphabetic).count();
    let is_early = plies < 10 && pieces > 2 * FEW_PIECES;
    let is_worn = plies >= LATE_PLIES || pieces <= FEW_PIECES;
    opponent_score >= 100 || opponent_score >= 0 && !is_early || opponent_score >= -LEVEL_SCORE && is_worn
}

/// Whether an engine at full strength offers a draw with the move that it is about to make: where its last
/// scores are level, late in the game, and it has not offered one in vain.
pub fn offers_draw(table: &Table, engine: Side, thought: &Thought) -> bool {
    let plies = table.plies();
    let earlier = plies.iter().rev().skip(1).step_by(2).map(|ply| &ply.thought);
    let is_level =
        |thought: &Thought| thought.score.is_some_and(|score| score.centipawns().abs() <= LEVEL_SCORE);
    table.game().kind() != GameKind::GO
        && !table.has_declined(engine)
        && plies.len() >= LATE_PLIES
        && std::iter::once(thought).chain(earlier).take(LEVEL_MOVES).all(is_level)
}

/// A score as records have it.
pub fn reported(score: Score) -> ReportedScore {
    match score {
        Score::Centipawns(cp) => ReportedScore::Cp(cp),
        Score::Mate(n) => ReportedScore::Mate(n),
    }
}
