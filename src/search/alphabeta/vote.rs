//! Which thread's move to play. <https://www.chessprogramming.org/Lazy_SMP>

use super::score::is_decisive;

#[derive(Clone, Copy, Debug)]
pub struct Vote {
    /// Its best move, packed.
    pub mv: u16,
    pub score: i32,
    /// Depth of its last whole iteration.
    pub depth: i32,
}

/// Added to every score's distance from the worst, so that the worst vote counts too.
const MIN_WEIGHT: i32 = 20;

/// The index of the thread to believe: the move with the most votes, weighted by depth and by how much its
/// score exceeds the worst; a proven win goes before all votes, the shortest first.
pub fn choose(votes: &[Vote]) -> usize {
    let worst = votes.iter().map(|vote| vote.score).min().unwrap_or(0);
    let weight = |vote: &Vote| i64::from(vote.score - worst + MIN_WEIGHT) * i64::from(vote.depth + 1);
    let total = |mv: u16| votes.iter().filter(|vote| vote.mv == mv).map(weight).sum::<i64>();
    let mut best = 0;
    for (i, vote) in votes.iter().enumerate().skip(1) {
        let leader = &votes[best];
        let better = if is_decisive(leader.score) || is_decisive(vote.score) {
            vote.score > leader.score
        } else {
            (total(vote.mv), weight(vote)) > (total(leader.mv), weight(leader))
        };
        if better && vote.depth > 0 {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vote(mv: u16, score: i32, depth: i32) -> Vote {
        Vote { mv, score, depth }
    }

    #[test]
    fn the_move_most_threads_found_is_played() {
        assert_eq!(choose(&[vote(1, 20, 10), vote(2, 25, 10), vote(2, 22, 10)]), 1);
    }

    #[test]
    fn a_mate_goes_before_votes_and_a_shorter_one_before_a_longer() {
        assert_eq!(choose(&[vote(1, 20, 10), vote(1, 30, 12), vote(3, 31_990, 9), vote(4, 31_994, 9)]), 3);
    }

    #[test]
    fn a_thread_that_finished_nothing_has_no_vote() {
        assert_eq!(choose(&[vote(1, -5, 3), vote(2, 900, 0)]), 0);
    }
}
