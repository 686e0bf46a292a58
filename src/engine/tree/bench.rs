//! A fixed amount of search: the same visits of the same positions in every run.

use super::search::lock;
use super::*;
use crate::eval::go::Playouts;
use crate::go::{Position, Rules, coords};
use crate::search::tree;

/// Visits of a position, unless another number is asked for.
const VISITS: u64 = 2000;

/// Size of the board, and the moves from the empty board.
const GAMES: &[(usize, &str)] = &[
    (9, ""),
    (9, "E5 C4 E3 C6 C3 D3 D4 C2 B3 E4 D5 F3 F4 E2 G3 F2"),
    (13, "D10 K4 K10 D4 F3 C7 C6 D7 F6 C5 J3 J4 H3 K7 B7 B8"),
    (19, "Q16 D4 Q4 D16 F17 C14 C17 D17 C16 D15 K16 R14 O16 R10 R6 C6"),
];

/// The positions that are searched.
fn positions() -> Vec<Position> {
    let set_up = |&(size, moves): &(usize, &str)| {
        let mut position = Position::new(size, size, Rules::CHINESE);
        for text in moves.split_whitespace() {
            let mv = coords::parse_vertex(position.board(), text);
            let side = position.board().side_to_move();
            let played = mv.is_some_and(|mv| position.play(side, mv).is_ok());
            debug_assert!(played, "{text} on {size}x{size}");
        }
        position
    };
    GAMES.iter().map(set_up).collect()
}

impl GoEngine {
    /// Searches every position to so many visits; the visits of all, and the time.
    pub(super) fn run_bench(&mut self, visits: Option<u32>) -> (u64, Duration) {
        self.wait();
        // The memory of the table's own search is not needed meanwhile.
        *lock(&self.searcher) = Searcher::default();
        let visits = visits.map_or(VISITS, u64::from);
        let Options { threads, hash_mib, .. } = self.options;
        tree::bench::run(Playouts::default(), &positions(), visits, threads, hash_mib)
            .unwrap_or((0, Duration::ZERO))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_the_bench_can_be_played() {
        let played: Vec<usize> = positions().iter().map(|position| position.moves().len()).collect();
        assert_eq!(played, [0, 16, 16, 16]);
    }

    #[test]
    fn one_thread_does_the_same_work_every_time() {
        let mut engine = GoEngine::default();
        engine.set_option("Hash", "8").unwrap();
        let (first, _) = engine.run_bench(Some(50));
        assert_eq!(engine.run_bench(Some(50)).0, first);
        assert!(first >= 4 * 50);
    }
}
