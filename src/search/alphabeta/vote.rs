//! Which thread's move to play. <https://www.chessprogramming.org/Lazy_SMP>

use super::score::is_decisive;

/// What one thread found.
#[derive(Clone, Copy, Debug)]
pub struct Ballot {
    /// Its best move, packed.
    pub mv: u16,
    /// Its score.
    pub score: i32,
    /// Depth of its last whole iteration.
    pub depth: i32,
}

/// The index of the thread to believe: the move with the most votes, weighted by depth and by how much its
/// score exceeds the worst; a proven win goes before all votes, the shortest first.
pub fn choose(ballots: &[Ballot]) -> usize {
    let worst = ballots.iter().map(|b| b.score).min().unwrap_or(0);
    let weight = |b: &Ballot| i64::from(b.score - worst + 20) * i64::from(b.depth + 1);
    let votes = |mv: u16| ballots.iter().filter(|b| b.mv == mv).map(weight).sum::<i64>();
    let mut best = 0;
    for (i, ballot) in ballots.iter().enumerate().skip(1) {
        let leader = &ballots[best];
        let better = if is_decisive(leader.score) || is_decisive(ballot.score) {
            ballot.score > leader.score
        } else {
            (votes(ballot.mv), weight(ballot)) > (votes(leader.mv), weight(leader))
        };
        if better && ballot.depth > 0 {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballot(mv: u16, score: i32, depth: i32) -> Ballot {
        Ballot { mv, score, depth }
    }

    #[test]
    fn the_move_most_threads_found_is_played() {
        assert_eq!(choose(&[ballot(1, 20, 10), ballot(2, 25, 10), ballot(2, 22, 10)]), 1);
    }

    #[test]
    fn a_mate_goes_before_votes_and_a_shorter_one_before_a_longer() {
        assert_eq!(
            choose(&[ballot(1, 20, 10), ballot(1, 30, 12), ballot(3, 31_990, 9), ballot(4, 31_994, 9)]),
            3
        );
    }

    #[test]
    fn a_thread_that_finished_nothing_has_no_say() {
        assert_eq!(choose(&[ballot(1, -5, 3), ballot(2, 900, 0)]), 0);
    }
}
