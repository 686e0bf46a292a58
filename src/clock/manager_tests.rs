use super::*;
use proptest::prelude::*;

const CHESS: Horizon = Horizon { plies: 100, floor: 24 };
const GO19: Horizon = Horizon { plies: 270, floor: 25 };

const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn sudden_death(remaining: u64, increment: u64) -> TimeControl {
    TimeControl { remaining: ms(remaining), increment: ms(increment), ..TimeControl::default() }
}

fn byo_yomi(remaining: u64, length: u64, periods: u32) -> TimeControl {
    let overtime = Some(Overtime::ByoYomi { length: ms(length), periods });
    TimeControl { remaining: ms(remaining), overtime, ..TimeControl::default() }
}

fn canadian(remaining: u64, length: u64, stones: u32) -> TimeControl {
    let overtime = Some(Overtime::Canadian { length: ms(length), stones });
    TimeControl { remaining: ms(remaining), overtime, ..TimeControl::default() }
}

fn plan(clock: &TimeControl, overhead: u64, ply: u32, horizon: Horizon) -> (u64, u64) {
    let b = Budget::plan(clock, ms(overhead), ply, horizon);
    (b.soft.as_millis() as u64, b.hard.as_millis() as u64)
}

#[test]
fn common_controls_get_sensible_plans() {
    // (clock, overhead, horizon) -> soft between, hard between (ms)
    let forty_in_sixty = TimeControl { moves_to_go: Some(40), ..sudden_death(60_000, 0) };
    let last_of_forty = TimeControl { moves_to_go: Some(1), ..sudden_death(5_000, 0) };
    let rows = [
        (sudden_death(1_000, 10), 10, CHESS, 15..=30, 60..=150),
        (sudden_death(8_000, 80), 10, CHESS, 180..=260, 700..=1200),
        (sudden_death(300_000, 2_000), 10, CHESS, 6_000..=9_000, 25_000..=40_000),
        (forty_in_sixty, 10, CHESS, 1_400..=1_500, 5_000..=7_000),
        (last_of_forty, 10, CHESS, 4_500..=4_990, 4_500..=4_990),
        (byo_yomi(0, 30_000, 5), 100, GO19, 29_000..=29_900, 29_000..=29_900),
        (byo_yomi(0, 30_000, 1), 100, GO19, 29_300..=29_300, 29_300..=29_300),
        (byo_yomi(0, 1_000, 2), 50, GO19, 900..=900, 900..=900),
        (byo_yomi(10, 1_000, 2), 50, GO19, 900..=900, 910..=910),
        (byo_yomi(10, 1_000, 1), 50, GO19, 850..=850, 860..=860),
        (byo_yomi(0, 1_000, 1), 50, GO19, 850..=850, 850..=850),
        (byo_yomi(600_000, 30_000, 5), 100, GO19, 29_000..=29_900, 50_000..=60_000),
        (byo_yomi(7_200_000, 1_000, 5), 100, GO19, 50_000..=54_000, 200_000..=250_000),
        (canadian(0, 600_000, 25), 100, GO19, 23_000..=24_000, 90_000..=110_000),
        (canadian(0, 10_000, 1), 100, GO19, 9_000..=9_900, 9_000..=9_900),
        (canadian(60_000, 600_000, 25), 100, GO19, 23_000..=24_000, 40_000..=60_000),
    ];
    for (clock, overhead, horizon, soft, hard) in rows {
        let (s, h) = plan(&clock, overhead, 0, horizon);
        assert!(soft.contains(&s) && hard.contains(&h), "{clock:?}: {s} ms soft, {h} ms hard");
    }
}

#[test]
fn a_fixed_move_time_is_used_up_but_for_the_overhead() {
    let budget = Budget::fixed(ms(100), ms(10));
    assert_eq!(budget, Budget { soft: ms(90), hard: ms(90), carries_over: false });
    assert_eq!(Budget::fixed(ms(5), ms(10)).hard, FLOOR);
}

#[test]
fn an_empty_clock_still_gets_the_floor() {
    assert_eq!(plan(&sudden_death(0, 0), 10, 0, CHESS), (1, 1));
    assert_eq!(plan(&byo_yomi(0, 30_000, 0), 10, 0, GO19), (1, 1), "no period is left");
    assert_eq!(plan(&canadian(0, 0, 0), 10, 0, GO19), (1, 1));
}

/// Plays `moves` moves, each for the time of `spend` plus `lag`; returns the smallest reserve.
fn play(
    mut clock: TimeControl,
    moves: u32,
    lag: u64,
    horizon: Horizon,
    spend: fn(Budget) -> Duration,
) -> i64 {
    let mut lowest = i64::MAX;
    for i in 0..moves {
        let budget = Budget::plan(&clock, ms(10), 2 * i, horizon);
        let used = spend(budget) + ms(lag);
        let reserve = spendable(&clock).as_micros() as i64 - used.as_micros() as i64;
        lowest = lowest.min(reserve);
        clock.remaining = clock.remaining.saturating_sub(used) + clock.increment;
    }
    lowest
}

#[test]
fn long_games_never_run_out_of_time() {
    for clock in [sudden_death(1_000, 10), sudden_death(8_000, 80), byo_yomi(1_000, 1_000, 5)] {
        for horizon in [CHESS, GO19] {
            assert!(play(clock, 400, 3, horizon, |b| b.hard) >= 0, "{clock:?} at the hard limit");
            assert!(play(clock, 400, 9, horizon, |b| b.soft) >= 0, "{clock:?} at the soft limit");
        }
    }
    // Sudden death without increment: 120 moves at the soft limit must fit one minute.
    assert!(play(sudden_death(60_000, 0), 120, 5, CHESS, |b| b.soft) >= 0);
}

#[test]
fn a_clear_best_move_saves_time_and_an_open_one_costs_more() {
    let clear = Trend { best_move_nodes: 0.95, stable_iterations: 10, score_drop: 0.0 };
    let usual = Trend { best_move_nodes: 0.6, stable_iterations: 3, score_drop: 0.0 };
    let open = Trend { best_move_nodes: 0.3, stable_iterations: 0, score_drop: 40.0 };
    assert!(clear.factor() < 0.75 && (0.8..1.5).contains(&usual.factor()) && open.factor() > 1.8);
    let nonsense = Trend { best_move_nodes: f64::INFINITY, stable_iterations: u32::MAX, score_drop: -1e300 };
    assert!((0.3..2.5).contains(&nonsense.factor()));
}

#[derive(Default)]
struct FakeClock(AtomicU64);

impl Clock for &FakeClock {
    fn now(&self) -> Duration {
        ms(self.0.load(Relaxed))
    }
}

#[test]
fn the_longest_wait_for_a_processor_is_known() {
    let clock = FakeClock(AtomicU64::new(100));
    let timer = Timer::with_clock(&clock, None, true);
    for now in [103, 104, 190, 195] {
        clock.0.store(now, Relaxed);
        assert!(!timer.hard_reached());
    }
    assert_eq!(timer.longest_wait(), ms(86));
    clock.0.store(290, Relaxed);
    timer.look();
    assert_eq!(timer.longest_wait(), ms(95));
}

#[test]
fn time_pondered_counts_as_thought_but_not_against_the_clock() {
    let clock = FakeClock::default();
    let budget = Budget { soft: ms(100), hard: ms(300), carries_over: true };
    let timer = Timer::with_clock(&clock, Some(budget), true);
    clock.0.store(5_000, Relaxed);
    assert!(!timer.soft_reached(1.0) && !timer.hard_reached());
    timer.ponder_hit();
    assert!(timer.soft_reached(1.0) && !timer.hard_reached());
    clock.0.store(5_299, Relaxed);
    timer.ponder_hit();
    assert!(!timer.hard_reached());
    clock.0.store(5_300, Relaxed);
    assert!(timer.hard_reached());
    assert_eq!(timer.elapsed(), ms(5_300));
}

#[test]
fn the_factor_moves_the_soft_limit_only_when_saved_time_carries_over() {
    let clock = FakeClock::default();
    for (carries_over, at_half, at_double) in [(true, true, false), (false, false, true)] {
        clock.0.store(0, Relaxed);
        let budget = Budget { soft: ms(100), hard: ms(300), carries_over };
        let timer = Timer::with_clock(&clock, Some(budget), false);
        clock.0.store(60, Relaxed);
        assert_eq!(timer.soft_reached(0.5), at_half);
        clock.0.store(120, Relaxed);
        assert_eq!(timer.soft_reached(2.0), at_double);
    }
}

#[test]
fn what_was_lost_before_the_search_counts_up_to_half_of_the_budget() {
    let budget = Some(Budget::fixed(ms(20_000), ms(0)));
    let elapsed = |ago| {
        let received = std::time::Instant::now().checked_sub(ms(ago)).unwrap();
        Timer::since(Some(received), budget).elapsed()
    };
    assert!((ms(100)..ms(5_000)).contains(&elapsed(100)));
    assert!((ms(10_000)..ms(14_000)).contains(&elapsed(15_000)));
    assert!(Timer::since(None, budget).elapsed() < ms(5_000));
}

#[test]
fn without_a_budget_no_limit_is_reached() {
    let clock = FakeClock::default();
    let timer = Timer::with_clock(&clock, None, false);
    clock.0.store(u64::MAX, Relaxed);
    assert!(!timer.soft_reached(1.0) && !timer.hard_reached());
}

fn any_ms() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(u64::MAX), 0..20_000u64, 0..100_000_000u64, any::<u64>()]
}

fn any_overtime() -> impl Strategy<Value = Option<Overtime>> {
    prop_oneof![
        Just(None),
        (any_ms(), any::<u32>()).prop_map(|(l, periods)| Some(Overtime::ByoYomi { length: ms(l), periods })),
        (any_ms(), any::<u32>()).prop_map(|(l, stones)| Some(Overtime::Canadian { length: ms(l), stones })),
        (0..60_000u64, 0..30u32).prop_map(|(l, stones)| Some(Overtime::Canadian { length: ms(l), stones })),
    ]
}

prop_compose! {
    fn any_clock()(
        remaining in any_ms(),
        increment in any_ms(),
        moves_to_go in prop_oneof![Just(None), (0..60u32).prop_map(Some), any::<u32>().prop_map(Some)],
        overtime in any_overtime(),
    ) -> TimeControl {
        let (remaining, increment) = (ms(remaining), ms(increment));
        TimeControl { remaining, increment, moves_to_go, overtime, opponent: None }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_input_breaks_the_limits(
        clock in any_clock(), overhead in any_ms(), ply in any::<u32>(),
        plies in any::<u32>(), floor in any::<u32>(),
    ) {
        let overhead = ms(overhead);
        let budget = Budget::plan(&clock, overhead, ply, Horizon { plies, floor });
        prop_assert!(FLOOR <= budget.soft && budget.soft <= budget.hard && budget.hard <= CEILING);
        let free = spendable(&clock).saturating_sub(overhead);
        prop_assert!(budget.hard <= free.max(FLOOR), "{budget:?} of {free:?}");
    }

    #[test]
    fn more_time_never_means_less_thought(
        remaining in 0..1_000_000u64, more in 0..1_000_000u64, increment in 0..10_000u64, ply in 0..400u32,
    ) {
        let less = Budget::plan(&sudden_death(remaining, increment), ms(10), ply, CHESS);
        let more = Budget::plan(&sudden_death(remaining + more, increment), ms(10), ply, CHESS);
        prop_assert!(less.soft <= more.soft && less.hard <= more.hard);
    }

    #[test]
    fn a_fixed_time_never_overflows(time in any_ms(), overhead in any_ms()) {
        let budget = Budget::fixed(ms(time), ms(overhead));
        prop_assert!(budget.soft == budget.hard && budget.hard >= FLOOR);
        prop_assert!(budget.hard <= ms(time).saturating_sub(ms(overhead)).max(FLOOR));
    }
}
