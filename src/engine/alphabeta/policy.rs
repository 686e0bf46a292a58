//! From what a search found to what is played: variety, draws by agreement, resignation.

use super::strength::SEEN;
use crate::game::AlphaBetaGame;
use crate::search::alphabeta::RootMove;
use crate::search::alphabeta::score::{INFINITE, MATE, is_decisive, is_mate};
use crate::util::rng::Rng;
use crate::util::sync::lock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

/// Best lines that are searched where the move is to be chosen among several.
pub(super) const CHOICES: usize = 6;
/// A side that is mated in this many plies may as well resign.
const HOPELESS_PLIES: i32 = 6;
/// A score this close to zero, after two thirds of the plies that draw without progress, is a draw.
const DRAWN: i32 = 10;
/// Centipawns beyond which the careless see no difference.
const LOST: i32 = 2500;

/// From this difference on to the score that went with an offer of a draw, a score is a change of mind.
const CHANGE_OF_MIND: i32 = 30;

/// An offer of a draw that was made, and may not be repeated before something has changed (XQ-9).
#[derive(Default)]
pub(super) struct Offers {
    made: Option<i32>,
    /// Plies without progress at the last search. Fewer at the next one: there was a capture, or a new game.
    quiet_plies: u16,
}

impl Offers {
    /// Takes note of what a search found.
    fn look(&mut self, quiet_plies: u16, score: i32) {
        let has_changed = |made: i32| (score - made).abs() > CHANGE_OF_MIND;
        if quiet_plies < self.quiet_plies || self.made.is_some_and(has_changed) {
            self.made = None;
        }
        self.quiet_plies = quiet_plies;
    }
}

/// How the result of a search becomes an answer.
#[derive(Clone)]
pub(super) struct Policy {
    /// Lines that the client wants to see.
    pub shown: usize,
    /// By how many centipawns the move played may be worse than the best one.
    pub randomness: i32,
    /// How carelessly the move is chosen; see [`super::strength`]. 0: not at all.
    pub spread: f64,
    pub seed: u64,
    /// Centipawns that a draw is worse than an even position.
    pub contempt: i32,
    /// Whether there are draws by agreement, and resignation.
    pub offers_and_resigns: bool,
    /// Whether the opponent offers a draw, now or during the search.
    pub draw_offered: Arc<AtomicBool>,
    pub offers: Arc<Mutex<Offers>>,
}

impl Policy {
    /// Lines to search: all those that are shown or chosen among.
    pub fn lines(&self) -> usize {
        let chosen_among = match () {
            () if self.spread > 0.0 => SEEN,
            () if self.randomness > 0 => CHOICES,
            () => 1,
        };
        self.shown.max(chosen_among)
    }

    /// Which root move is played; 0 is the best. A mate that is seen is played.
    pub fn choose<M>(&self, moves: &[RootMove<M>]) -> usize {
        if self.spread > 0.0 { self.choose_carelessly(moves) } else { self.choose_near_the_best(moves) }
    }

    /// Draws a move by `exp(score / spread)`: the greatest sum of score and noise from a Gumbel distribution.
    fn choose_carelessly<M>(&self, moves: &[RootMove<M>]) -> usize {
        let Some(best) = moves.first().filter(|best| !(is_mate(best.score) && best.score > 0)) else {
            return 0;
        };
        let mut rng = Rng::new(self.seed);
        let mut noisy = |root: &RootMove<M>| {
            let waiting = -f64::from(1.0 - rng.unit_f32()).ln();
            let noise = -waiting.max(f64::EPSILON).ln();
            f64::from(root.score.clamp(-LOST, LOST)) + self.spread * noise
        };
        let seen = moves.iter().take(SEEN);
        let seen = seen.take_while(|root| root.score > -INFINITE && root.rank == best.rank);
        let sums = seen.map(&mut noisy).enumerate();
        sums.max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(i, _)| i)
    }

    /// Draws one of the moves that are nearly as good as the best.
    fn choose_near_the_best<M>(&self, moves: &[RootMove<M>]) -> usize {
        let Some(best) = moves.first().filter(|best| self.randomness > 0 && !is_decisive(best.score)) else {
            return 0;
        };
        let near = |root: &RootMove<M>| {
            root.score > -INFINITE && root.rank == best.rank && root.score >= best.score - self.randomness
        };
        let near = moves.iter().take(CHOICES).take_while(|root| near(root)).count();
        Rng::new(self.seed).below(near.max(1))
    }

    /// Whether the answer offers or accepts a draw; asked once a search.
    pub fn draws<G: AlphaBetaGame>(&self, root: &G, score: i32) -> bool {
        let mut offers = lock(&self.offers);
        offers.look(root.rule_counter(), score);
        if !self.offers_and_resigns || is_decisive(score) {
            return false;
        }
        // Whatever the search finds in it: neither side can win.
        let is_dead = root.is_dead();
        if self.draw_offered.load(Relaxed) {
            return is_dead || score <= -self.contempt;
        }
        let is_quiet = 3 * u32::from(root.rule_counter()) >= 2 * u32::from(G::RULE_PLIES);
        let is_drawn = is_dead || (score.abs() <= DRAWN && is_quiet && self.contempt <= 0);
        let offer = is_drawn && offers.made.is_none();
        if offer {
            offers.made = Some(score);
        }
        offer
    }

    /// Whether nothing is left to play for.
    pub fn resigns(&self, score: i32) -> bool {
        self.offers_and_resigns && score < 0 && is_mate(score) && MATE + score <= HOPELESS_PLIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::testing::played;
    use crate::search::alphabeta::score::won_by_rule;
    use crate::xiangqi::Board;

    fn policy(randomness: i32, seed: u64) -> Policy {
        Policy {
            shown: 1,
            randomness,
            spread: 0.0,
            seed,
            contempt: 0,
            offers_and_resigns: true,
            draw_offered: Arc::default(),
            offers: Arc::default(),
        }
    }

    fn root_moves(scores: &[i32]) -> Vec<RootMove<crate::xiangqi::Move>> {
        let moves = Board::start().legal();
        let with = |(&mv, &score): (&_, &i32)| {
            let mut root = RootMove::new(mv);
            root.score = score;
            root
        };
        moves.iter().zip(scores).map(with).collect()
    }

    #[test]
    fn a_drawn_game_is_one_however_large_its_counter() {
        for counter in [0, 79, 80, 21_846, 30_000, 65_535] {
            let fen = format!("4k4/9/9/9/9/9/9/9/9/R2K4r w - - {counter} 1");
            let root = Board::from_fen(&fen).unwrap();
            assert_eq!(policy(0, 1).draws(&root, 0), counter >= 80, "{counter}");
        }
    }

    #[test]
    fn where_neither_side_can_win_a_draw_is_accepted_and_offered_at_any_score() {
        let root = Board::from_fen("3k1a3/4a4/4b4/9/9/9/9/4B4/4A4/3AK4 w").unwrap();
        let offered = Policy { draw_offered: Arc::new(AtomicBool::new(true)), contempt: 30, ..policy(0, 1) };
        assert!(offered.draws(&root, 1) && offered.draws(&root, 40));
        let offers = Policy { contempt: 30, ..policy(0, 1) };
        assert!(offers.draws(&root, 40) && !offers.draws(&root, 40), "once");
    }

    #[test]
    fn moves_nearly_as_good_as_the_best_are_played_too() {
        let moves = root_moves(&[30, 25, 19, -40, -INFINITE]);
        assert!((0..50).all(|seed| policy(0, seed).choose(&moves) == 0));
        for (randomness, last) in [(1, 0), (5, 1), (11, 2), (100, 3)] {
            let mut played = [false; 5];
            (0..200).for_each(|seed| played[policy(randomness, seed).choose(&moves)] = true);
            assert_eq!(played, std::array::from_fn(|i| i <= last), "{randomness}");
        }
        let mate = root_moves(&[MATE - 5, MATE - 7]);
        assert!((0..50).all(|seed| policy(100, seed).choose(&mate) == 0), "a mate is a mate");
        assert_eq!(policy(100, 1).choose(&root_moves(&[])), 0);
    }

    #[test]
    fn the_careless_err_by_little_often_and_by_much_seldom() {
        let moves = root_moves(&[100, 90, 50, -400, -INFINITE]);
        let played = |spread| {
            let mut played = [0; 5];
            (0..1000).for_each(|seed| played[Policy { spread, ..policy(0, seed) }.choose(&moves)] += 1);
            played
        };
        // By exp(score / spread): 0.45, 0.37, 0.17, 0.00002.
        let [best, near, worse, blunder, unknown] = played(50.0);
        assert!((400..500).contains(&best) && (320..420).contains(&near), "{best} {near}");
        assert!((130..210).contains(&worse) && blunder <= 1 && unknown == 0, "{worse} {blunder} {unknown}");
        assert!(played(300.0)[3] > 40, "the very careless do blunder");
        let mate = root_moves(&[MATE - 1, 500]);
        assert!((0..50).all(|seed| Policy { spread: 300.0, ..policy(0, seed) }.choose(&mate) == 0));
    }

    #[test]
    fn draws_are_taken_from_the_weaker_side_and_offered_when_nothing_happens() {
        let start = Board::start();
        let offered = Policy { draw_offered: Arc::new(AtomicBool::new(true)), ..policy(0, 1) };
        assert!(offered.draws(&start, 0) && offered.draws(&start, -300) && !offered.draws(&start, 20));
        assert!(!offered.draws(&start, -MATE + 9), "a draw is not accepted from the mated");
        let bold = Policy { contempt: 30, ..offered.clone() };
        assert!(!bold.draws(&start, -20) && bold.draws(&start, -40));
        assert!(!Policy { offers_and_resigns: false, ..offered }.draws(&start, 0));
        assert!(!policy(0, 1).draws(&start, 0));
        let idle = idle(80);
        assert!(policy(0, 1).draws(&idle, 5) && !policy(0, 1).draws(&idle, 50));
    }

    /// A position after `plies` quiet plies.
    fn idle(plies: usize) -> Board {
        let shuffle = ["b0c2", "b9c7", "c2b0", "c7b9"].repeat(plies.div_ceil(4));
        played(Board::start(), &shuffle[..plies].join(" "))
    }

    #[test]
    fn an_offer_is_repeated_after_a_capture_or_a_change_of_mind_only() {
        let policy = policy(0, 1);
        let offers = |plies: usize, score: i32| policy.draws(&idle(plies), score);
        assert!(offers(80, 5));
        assert!(!offers(82, 5) && !offers(84, -10) && !offers(84, 5), "it was refused");
        assert!(!offers(86, 36), "not drawn any more: a change of mind");
        assert!(offers(88, 5) && !offers(90, 5));
        assert!(!offers(0, 0), "a capture, or a new game");
        assert!(offers(82, 0) && !offers(84, 0));
        // To accept is not an offer; a change of mind is noticed meanwhile.
        policy.draw_offered.store(true, Relaxed);
        assert!(offers(86, 0) && offers(88, -50));
        policy.draw_offered.store(false, Relaxed);
        assert!(offers(90, 0));
    }

    #[test]
    fn only_the_mated_resign() {
        let policy = policy(0, 1);
        assert!(policy.resigns(-MATE + 2) && !policy.resigns(-MATE + 40));
        assert!(!policy.resigns(MATE - 2) && !policy.resigns(-2000));
        assert!(!policy.resigns(-won_by_rule(1)), "who must deviate is not mated");
    }
}
