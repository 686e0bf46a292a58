use super::*;
use crate::util::rng::Rng;

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() <= 0.01 * expected.abs().max(0.5), "{value} is not {expected}");
}

/// Wins, draws, losses; normalized Elo, its error, LOS in percent, score: published by fastchess.
#[test]
fn game_statistics_equal_published_ones() {
    for (wins, losses, draws, nelo, error, los, score) in [
        (76, 89, 123, -20.76, 40.13, 15.53, 0.477),
        (136, 96, 111, 49.77, 36.77, 99.60, 0.558),
        (34, 356, 0, -508.44, 34.48, 0.0, 0.087),
    ] {
        let d = Distribution::from_games(wins, draws, losses);
        near(d.plain_normalized_elo().value, nelo);
        near(d.plain_normalized_elo().error, error);
        near(100.0 * d.plain_superiority(), los);
        near(d.moments().mean, score);
    }
    let d = Distribution::from_games(136, 111, 96);
    near(d.plain_elo().value, 40.70);
    near(d.plain_elo().error, 30.43);
}

#[test]
fn pair_statistics_equal_published_ones() {
    for (pairs, nelo, nerror, elo, error, los) in [
        ([34, 54, 31 + 32, 64, 75], 57.94, 28.28, 55.58, 27.65, 100.0),
        ([332, 433, 457 + 41, 333, 334], -9.17, 10.96, -8.64, 10.33, 5.05),
        ([7895, 8757, 5485 + 200, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0),
    ] {
        let d = Distribution::from_pairs(pairs);
        near(d.plain_normalized_elo().value, nelo);
        near(d.plain_normalized_elo().error, nerror);
        near(d.plain_elo().value, elo);
        near(d.plain_elo().error, error);
        near(100.0 * d.plain_superiority(), los);
    }
}

/// Found by a search for the greatest likelihood under the constraint that knows nothing of this method.
#[test]
fn likelihood_ratios_of_large_differences_are_the_greatest() {
    for (pairs, elo0, elo1, llr) in [
        ([3, 4, 10, 5, 2], 0.0, 300.0, -15.2668),
        ([0, 0, 0, 0, 10], 0.0, 260.0, 5.4624),
        ([0, 0, 0, 0, 100], 0.0, 300.0, 57.3049),
        ([0, 0, 2, 5, 20], 0.0, 400.0, 14.8661),
        ([0, 0, 2, 5, 20], 0.0, 200.0, 11.8600),
        ([3, 4, 10, 5, 2], -400.0, 0.0, 20.7551),
    ] {
        near(Distribution::from_pairs(pairs).llr(EloModel::Normalized, elo0, elo1), llr);
    }
    near(Distribution::from_games(3, 2, 1).llr(EloModel::Normalized, 0.0, 300.0), 0.2022);
    near(Distribution::from_games(50, 0, 0).llr(EloModel::Normalized, 0.0, 600.0), 31.1716);
    for counts in [[1, 0, 0, 0, 0], [0, 0, 9, 0, 0], [40, 0, 0, 0, 0], [5, 0, 0, 0, 5]] {
        for elo1 in [50.0, 500.0, 2000.0] {
            assert!(Distribution::from_pairs(counts).llr(EloModel::Normalized, 0.0, elo1).is_finite());
        }
    }
}

#[test]
fn likelihood_ratios_equal_published_ones() {
    use EloModel::{Logistic, Normalized};
    for (model, wins, losses, draws, elo0, elo1, llr) in [
        (Normalized, 36433, 36027, 68692, 0.0, 2.0, 0.92),
        (Normalized, 10871, 10650, 20431, -1.75, 0.25, 2.30),
        (Normalized, 4250, 0, 0, 0.0, 10.0, 120.56),
        (Logistic, 21404, 21184, 40708, 0.5, 2.5, -1.57),
        (Logistic, 57433, 57030, 106_593, 0.0, 2.0, -2.59),
    ] {
        near(Distribution::from_games(wins, draws, losses).llr(model, elo0, elo1), llr);
    }
    for (model, pairs, elo0, elo1, llr) in [
        (Normalized, [365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0, 2.25),
        (Normalized, [127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, 3.01),
        (Normalized, [0, 0, 0, 0, 5550], 0.0, 5.0, 111.82),
        (Logistic, [223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07),
        (Logistic, [871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, -4.98),
    ] {
        near(Distribution::from_pairs(pairs).llr(model, elo0, elo1), llr);
    }
}

/// A match of 100 games, fastchess's account of it: `sanqi` with 4000 nodes a move against
/// Stockfish 15.1 with 800, unbalanced openings, no adjudication.
#[test]
fn a_match_of_100_games_is_worth_as_much_as_in_fastchess() {
    use EloModel::{Logistic, Normalized};
    let tally = Tally { wins: 33, draws: 8, losses: 59, pairs: [17, 3, 24, 1, 5] };
    let d = tally.distribution();
    let same = |value: f64, expected: f64| assert!((value - expected).abs() < 0.006, "{value}: {expected}");
    same(d.plain_elo().value, -92.46);
    same(d.plain_elo().error, 65.63);
    same(d.plain_normalized_elo().value, -101.97);
    same(d.plain_normalized_elo().error, 68.10);
    same(100.0 * d.plain_superiority(), 0.17);
    for (model, elo0, elo1, llr) in
        [(Normalized, -100.0, -90.0, -0.05), (Normalized, 0.0, 10.0, -0.82), (Logistic, 0.0, 10.0, -0.84)]
    {
        same(d.llr(model, elo0, elo1), llr);
    }
}

#[test]
fn games_wait_for_their_partners() {
    let paired = Tally { wins: 6, draws: 3, losses: 4, pairs: [1, 1, 2, 1, 0] };
    assert_eq!(paired.distribution(), Distribution::from_pairs(paired.pairs));
    let single = Tally { wins: 6, draws: 3, losses: 4, pairs: [0; 5] };
    assert_eq!(single.distribution(), Distribution::from_games(6, 3, 4));
}

/// What is printed of few games and the likelihood of superiority beside it never contradict each other.
#[test]
fn bounds_agree_with_the_likelihood_of_superiority() {
    for (wins, draws, losses) in
        [(1, 0, 0), (2, 0, 0), (6, 0, 0), (5, 1, 0), (7, 0, 1), (12, 0, 0), (3, 3, 0)]
    {
        let d = Distribution::from_games(wins, draws, losses);
        if let Some(bound) = d.elo().bound {
            assert_eq!(
                bound > 0.0,
                d.superiority() > 0.95,
                "{wins} {draws} {losses}: {bound} {}",
                d.superiority()
            );
        }
    }
    assert!(Distribution::from_games(6, 0, 0).elo().bound.is_some_and(|bound| bound > 0.0));
    assert!(Distribution::from_games(2, 0, 0).elo().bound.is_some());
    assert!(Distribution::from_games(60, 30, 20).elo().bound.is_none());
}

/// Whatever the results, the interval is one: neither infinite nor empty; and more points are never worth
/// less.
#[test]
fn every_match_has_an_interval() {
    for pairs in
        [[0; 5], [0, 0, 1, 0, 0], [0, 3, 0, 0, 0], [0, 0, 0, 0, 10], [7, 1, 2, 0, 0], [5000, 0, 0, 0, 0]]
    {
        let d = Distribution::from_pairs(pairs);
        for estimate in [d.elo(), d.normalized_elo()] {
            assert!(estimate.value.is_finite(), "{pairs:?}: {estimate}");
            assert!(estimate.error.is_finite() && estimate.error > 1.0, "{pairs:?}: {estimate}");
        }
        assert!((0.0..=1.0).contains(&d.superiority()), "{pairs:?}");
    }
    let elos = (0..=10).map(|n| Distribution::from_pairs([10 - n, 0, 0, 0, n]).elo().value);
    assert!(elos.clone().zip(elos.skip(1)).all(|(less, more)| less < more));
    // All of twenty games won: by a published rule of thumb (three over n) less than 14 % can be lost.
    assert_eq!(Distribution::from_pairs([0, 0, 0, 0, 10]).elo().to_string(), "> +323.9 (95 %)");
    assert_eq!(Distribution::from_pairs([10, 0, 0, 0, 0]).elo().to_string(), "< -323.9 (95 %)");
    assert_eq!(Distribution::from_pairs([0, 0, 3, 0, 0]).elo().to_string(), "+0.0 ± 125.6");
    // After a thousand games the prior moves the estimate by a fraction of an Elo.
    let many = Distribution::from_pairs([34, 54, 31 + 32, 64, 75]);
    assert!((many.elo().value - many.plain_elo().value).abs() < 0.5);
}

#[test]
fn error_function_equals_known_values() {
    for (x, value) in
        [(0.0, 0.0), (0.5, 0.520_499_877_813), (-1.0, -0.842_700_792_950), (3.0, 0.999_977_909_503)]
    {
        assert!((erf(x) - value).abs() < 1e-11, "erf({x})");
    }
}

/// Plays pairs of `score` until the test ends; draws make up `drawn` of the games.
fn simulate(sprt: &Sprt, score: f64, drawn: f64, rng: &mut Rng) -> Decision {
    let mut tally = Tally::default();
    loop {
        // Looking every eighth pair overshoots a little more than every pair does, and is faster.
        for _ in 0..8 {
            let mut half_points = 0;
            for _ in 0..2 {
                let x = f64::from(rng.unit_f32());
                let game = if x < drawn { 1 } else { 2 * u8::from(x < drawn + score - drawn / 2.0) };
                tally.add_game(game);
                half_points += game;
            }
            tally.add_pair(half_points);
        }
        match sprt.decide(&tally) {
            Decision::Continue => {}
            decision => return decision,
        }
    }
}

/// Of 2,000 matches between engines exactly `elo0` apart no more than 5 % end with the wrong verdict,
/// three standard errors granted; the same for `elo1`.
#[test]
fn sequential_test_keeps_its_error_rates() {
    let sprt = Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic };
    let mut rng = Rng::new(20_26);
    let allowed = 1000.0 * 0.05 + 3.0 * (1000.0 * 0.05 * 0.95f64).sqrt();
    for (elo, wrong) in [(0.0, Decision::Accept), (30.0, Decision::Reject)] {
        let errors =
            (0..1000).filter(|_| simulate(&sprt, expected_score(elo), 0.4, &mut rng) == wrong).count();
        assert!((errors as f64) < allowed, "{errors} of 1000 wrong at {elo} Elo");
        assert!(errors > 10, "only {errors} of 1000 wrong at {elo} Elo: the test is too careful");
    }
}
