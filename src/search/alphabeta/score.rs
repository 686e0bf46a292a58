//! Scores inside the search: plain `i32`, in centipawns, from the side to move.

/// Deepest ply a search can reach.
pub const MAX_PLY: usize = 246;
pub const MATE: i32 = 32_000;
/// Every score at or above it is a mate within [`MAX_PLY`].
pub const MATE_IN_MAX: i32 = MATE - MAX_PLY as i32;
/// A win at the root that is known without a mate, from endgame tables or by the rules ([`won_by_rule`]):
/// below every mate, above every evaluation.
pub const TABLE_WIN: i32 = MATE_IN_MAX - 1;
/// Every score at or above it is a win, by mate or without.
pub const TABLE_WIN_IN_MAX: i32 = TABLE_WIN - MAX_PLY as i32;
/// Maximum absolute value of a static evaluation.
pub const EVAL_MAX: i32 = TABLE_WIN_IN_MAX - 1;
/// Wider than any score.
pub const INFINITE: i32 = MATE + 1;
/// No score is known.
pub const NONE: i32 = MATE + 2;

#[inline(always)]
pub const fn mate_in(ply: usize) -> i32 {
    MATE - ply as i32
}

#[inline(always)]
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Score of a position at `ply` that the rules call won without a mate: in xiangqi, because the opponent
/// completed a forbidden repetition. It is no reason to resign, and it is shown as centipawns.
#[inline(always)]
pub const fn won_by_rule(ply: usize) -> i32 {
    TABLE_WIN - ply as i32
}

/// Whether the score is a proven win or loss (mate, tablebase or rule).
#[inline(always)]
pub const fn is_decisive(score: i32) -> bool {
    score.abs() >= TABLE_WIN_IN_MAX
}

#[inline(always)]
pub const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_IN_MAX
}

/// A score relative to the root becomes one relative to the node, as the table stores it.
#[inline(always)]
pub const fn to_table(score: i32, ply: usize) -> i16 {
    (if score >= TABLE_WIN_IN_MAX {
        score + ply as i32
    } else if score <= -TABLE_WIN_IN_MAX {
        score - ply as i32
    } else {
        score
    }) as i16
}

/// Inverse of [`to_table`]. `reserve` is the number of plies left before the no-progress rule draws the game.
/// A stored win that needs more plies counts as a good evaluation only.
#[inline(always)]
pub const fn from_table(stored: i16, ply: usize, reserve: i32) -> i32 {
    let score = stored as i32;
    let length = if score.abs() >= MATE_IN_MAX { MATE - score.abs() } else { TABLE_WIN - score.abs() };
    if score >= TABLE_WIN_IN_MAX {
        if length > reserve { EVAL_MAX } else { score - ply as i32 }
    } else if score <= -TABLE_WIN_IN_MAX {
        if length > reserve { -EVAL_MAX } else { score + ply as i32 }
    } else {
        score
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_scores_are_relative_to_their_node() {
        for ply in [0, 1, 17, 120] {
            for score in [0, 35, -900, mate_in(ply + 5), mated_in(ply + 8), won_by_rule(ply + 3)] {
                assert_eq!(from_table(to_table(score, ply), ply, 100), score);
            }
        }
    }

    #[test]
    fn a_repetition_is_worth_less_than_a_mate_and_more_than_any_evaluation() {
        assert!(mate_in(MAX_PLY) > won_by_rule(0) && won_by_rule(MAX_PLY) > EVAL_MAX);
        assert!(is_decisive(-won_by_rule(4)) && !is_mate(-won_by_rule(4)));
    }

    #[test]
    fn a_win_beyond_the_no_progress_rule_is_no_win() {
        let stored = to_table(mate_in(40), 0);
        assert_eq!(from_table(stored, 0, 39), EVAL_MAX);
        assert_eq!(from_table(stored, 0, 40), mate_in(40));
    }
}
