use super::pairing::circle_pairs;
use super::*;
use crate::arbiter::standings::PointSystem;

fn play_all(
    schedule: &mut Schedule,
    standings: &mut Standings,
    winner: impl Fn(usize, usize) -> u8,
) -> Vec<Fixture> {
    let (mut finished, mut all) = (HashSet::new(), Vec::new());
    while let ScheduleStep::Play(f) = schedule.next(standings, &finished) {
        standings.add(&f, winner(f.seats[0], f.seats[1]));
        finished.insert(f.number);
        all.push(f);
    }
    all
}

#[test]
fn pairs_reverse_colors_on_one_opening() {
    let mut schedule = Schedule::new(Plan { games: 4, ..Plan::of(Format::RoundRobin, 2) });
    let games = play_all(&mut schedule, &mut Standings::new(2), |_, _| 1);
    let seats: Vec<_> = games.iter().map(|f| (f.pair, f.seats)).collect();
    assert_eq!(seats, [(0, [0, 1]), (0, [1, 0]), (1, [0, 1]), (1, [1, 0])]);
    assert_eq!(schedule.expected_games(), Some(4));
    assert_eq!(schedule.champion(), None);
}

#[test]
fn endless_matches_have_a_number_of_expected_games() {
    for format in [Format::RoundRobin, Format::Gauntlet, Format::Swiss] {
        let plan = Plan { games: usize::MAX, rounds: usize::MAX, ..Plan::of(format, 4) };
        assert_eq!(Schedule::new(plan).expected_games(), Some(usize::MAX));
    }
}

#[test]
fn the_shards_are_the_whole() {
    for plan in [
        Plan { games: 9, rounds: 2, ..Plan::of(Format::RoundRobin, 4) },
        Plan { games: 7, ..Plan::of(Format::Gauntlet, 3) },
    ] {
        let games = |shard| {
            let mut schedule = Schedule::new(Plan { shard, ..plan });
            let games = play_all(&mut schedule, &mut Standings::new(plan.players), |_, _| 1);
            assert_eq!(schedule.expected_games(), Some(games.len()));
            games
        };
        let whole = games(Shard::WHOLE);
        let mut parts: Vec<Fixture> = (0..5).flat_map(|index| games(Shard { index, of: 5 })).collect();
        parts.sort_unstable_by_key(|fixture| fixture.number);
        assert_eq!(parts, whole);
        let pairs = |index| games(Shard { index, of: 5 }).into_iter().map(|f| f.pair).collect::<HashSet<_>>();
        assert!(pairs(0).is_disjoint(&pairs(1)), "both games of a pair are of one part");
    }
}

#[test]
fn all_players_meet_once() {
    for players in 2..9 {
        let mut met = circle_pairs(players);
        met.sort_unstable();
        met.dedup();
        assert_eq!(met.len(), players * (players - 1) / 2, "{players}");
    }
}

/// How often `player` moves first, and how often second.
fn colors(games: &[Fixture], player: usize) -> [usize; 2] {
    [0, 1].map(|seat| games.iter().filter(|f| f.seats[seat] == player).count())
}

#[test]
fn with_an_odd_number_of_games_colors_change_from_round_to_round() {
    for games in [1, 3] {
        let plan = Plan { games, rounds: 4, ..Plan::of(Format::RoundRobin, 2) };
        let all = play_all(&mut Schedule::new(plan), &mut Standings::new(2), |_, _| 1);
        let begins: Vec<_> = all.iter().step_by(games).map(|f| f.seats[0]).collect();
        assert_eq!(begins, [0, 1, 0, 1]);
        assert_eq!(colors(&all, 0), [2 * games; 2]);
    }
}

#[test]
fn a_table_is_balanced_in_colors() {
    for (players, games, rounds) in
        (2..10).flat_map(|n| [(n, 1, 1), (n, 1, 2), (n, 3, 1), (n, 3, 3), (n, 2, 1)])
    {
        let plan = Plan { games, rounds, ..Plan::of(Format::RoundRobin, players) };
        let all = play_all(&mut Schedule::new(plan), &mut Standings::new(players), |_, _| 1);
        for player in 0..players {
            let [firsts, seconds] = colors(&all, player);
            let odd = (players - 1) * games * rounds % 2;
            assert_eq!(
                firsts.abs_diff(seconds),
                odd,
                "{player} of {players}: {games} games, {rounds} rounds"
            );
        }
    }
    // The first of an even number of games is as it always was.
    let all = play_all(&mut Schedule::new(Plan::of(Format::RoundRobin, 5)), &mut Standings::new(5), |_, _| 1);
    assert!(all.iter().all(|f| (f.seats[0] < f.seats[1]) == f.number.is_multiple_of(2)));
}

#[test]
fn groups_and_gauntlets_are_balanced_in_colors() {
    let plan = Plan { games: 1, ..Plan::of(Format::Groups, 8) };
    let (_, all) = results(plan, by_number);
    let table: Vec<_> = all.iter().copied().filter(|f| f.round == 1).collect();
    for player in 0..8 {
        let [firsts, seconds] = colors(&table, player);
        assert_eq!(firsts.abs_diff(seconds), 1, "{player}");
    }
    let plan = Plan { games: 1, rounds: 2, ..Plan::of(Format::Gauntlet, 6) };
    let all = play_all(&mut Schedule::new(plan), &mut Standings::new(6), |_, _| 1);
    assert_eq!(colors(&all[..5], 0), [3, 2]);
    assert!((1..6).all(|player| colors(&all, player) == [1, 1]));
}

#[test]
fn in_swiss_rounds_and_knockouts_who_moved_first_less_often_begins() {
    for (format, games, rounds) in [(Format::Swiss, 1, 5), (Format::Swiss, 3, 3), (Format::Knockout, 1, 1)] {
        let (_, all) = results(Plan { games, rounds, ..Plan::of(format, 8) }, by_number);
        for (at, game) in all.iter().enumerate() {
            let before = &all[..at];
            let [first, second] = game.seats.map(|player| colors(before, player)[0]);
            assert!(at % games > 0 || first <= second, "{format:?}: game {at} of {all:?}");
        }
        let [firsts, seconds] = colors(&all, 0);
        assert!(firsts > 0 && seconds > 0, "{format:?}: {all:?}");
    }
}

#[test]
fn the_gauntlet_is_run_by_the_first() {
    let mut schedule = Schedule::new(Plan::of(Format::Gauntlet, 4));
    let games = play_all(&mut schedule, &mut Standings::new(4), |_, _| 1);
    assert_eq!(games.len(), 6);
    assert!(games.iter().all(|f| f.seats.contains(&0)));
}

#[test]
fn swiss_rounds_pair_winners_and_repeat_no_pair() {
    let mut schedule = Schedule::new(Plan { rounds: 3, ..Plan::of(Format::Swiss, 8) });
    let mut standings = Standings::new(8);
    // The lower index always wins.
    let games = play_all(&mut schedule, &mut standings, |a, b| if a < b { 2 } else { 0 });
    assert_eq!(games.len(), 3 * 4 * 2);
    assert_eq!(schedule.expected_games(), Some(games.len()));
    let mut met: Vec<_> =
        games.iter().map(|f| [f.seats[0].min(f.seats[1]), f.seats[0].max(f.seats[1])]).collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 12, "no two meet twice in three rounds of eight");
    assert_eq!(standings.order()[0], 0);
}

/// Who meets whom in a round, lower numbers first.
fn meetings(games: &[Fixture], round: usize) -> Vec<[usize; 2]> {
    let mut met: Vec<_> = games.iter().filter(|f| f.round == round).map(|f| f.seats).collect();
    met.iter_mut().for_each(|seats| seats.sort_unstable());
    met.sort_unstable();
    met.dedup();
    met
}

/// Half points of the first seat where `winner` wins.
fn won_by(winner: usize, f: &Fixture) -> u8 {
    if f.seats[0] == winner { 2 } else { 0 }
}

#[test]
fn the_last_two_of_a_swiss_round_do_not_meet_again_where_others_can_give_way() {
    // Players A to F: B beats A, C beats D, F beats E; then A beats F, and the others draw.
    let (_, games) = results(Plan { rounds: 3, ..Plan::of(Format::Swiss, 6) }, |f| {
        let mut players = f.seats;
        players.sort_unstable();
        match (f.round, players) {
            (1, [0, 1]) => won_by(1, f),
            (1, [2, 3]) => won_by(2, f),
            (1, [4, 5]) => won_by(5, f),
            (2, [0, 5]) => won_by(0, f),
            _ => 1,
        }
    });
    assert_eq!(meetings(&games, 1), [[0, 1], [2, 3], [4, 5]]);
    assert_eq!(meetings(&games, 2), [[0, 5], [1, 2], [3, 4]]);
    // B and C would like to meet F and A, which leaves D and E, who have met.
    assert_eq!(meetings(&games, 3), [[0, 3], [1, 5], [2, 4]]);
}

/// Whether all of `players` can be paired with players they have not met.
fn can_be_paired(players: &[usize], met: &HashSet<[usize; 2]>) -> bool {
    let Some((&first, others)) = players.split_first() else { return true };
    others.iter().any(|&other| {
        let rest: Vec<_> = others.iter().copied().filter(|&player| player != other).collect();
        !met.contains(&[first.min(other), first.max(other)]) && can_be_paired(&rest, met)
    })
}

#[test]
fn no_swiss_round_has_a_rematch_that_could_be_avoided() {
    let mut rematches = 0;
    for (seed, players) in (0..60).flat_map(|seed| (2..9).map(move |players| (seed, players))) {
        let rounds = players + 1;
        let (_, games) = results(Plan { rounds, ..Plan::of(Format::Swiss, players) }, |f| {
            Rng::new((seed << 32) | f.number as u64).below(3) as u8
        });
        let (mut met, mut out) = (HashSet::new(), vec![0; players]);
        for round in 1..=rounds {
            let pairs = meetings(&games, round);
            assert_eq!(pairs.len(), players / 2);
            let fewest = out.iter().min().copied();
            let may_sit: Vec<_> = out.iter().map(|&times| Some(times) == fewest).collect();
            let rest = |odd: usize| (0..players).filter(|&p| p != odd).collect::<Vec<_>>();
            let avoidable = match players % 2 {
                0 => can_be_paired(&rest(players), &met),
                _ => (0..players).any(|odd| may_sit[odd] && can_be_paired(&rest(odd), &met)),
            };
            let again = pairs.iter().filter(|&pair| met.contains(pair)).count();
            assert!(again == 0 || !avoidable, "round {round} of {players}, seed {seed}: {pairs:?}");
            rematches += again;
            for odd in (0..players).filter(|odd| !pairs.iter().flatten().any(|p| p == odd)) {
                assert!(may_sit[odd], "{odd} sits out again: {games:?}");
                out[odd] += 1;
            }
            met.extend(pairs);
        }
    }
    assert!(rematches > 0, "more rounds than opponents");
}

#[test]
fn many_players_are_paired_in_time() {
    let rounds = 20;
    let (_, games) =
        results(Plan { rounds, ..Plan::of(Format::Swiss, 64) }, |f| Rng::new(f.number as u64).below(3) as u8);
    let mut met = HashSet::new();
    assert!((1..=rounds).flat_map(|round| meetings(&games, round)).all(|pair| met.insert(pair)));
    // Who has met all others is paired all the same.
    let plan = Plan { games: 1, rounds: 13, ..Plan::of(Format::Swiss, 12) };
    assert_eq!(results(plan, |_| 1).1.len(), 13 * 6);
}

#[test]
fn an_odd_player_sits_out_in_turn() {
    let mut standings = Standings::new(5);
    let games = play_all(
        &mut Schedule::new(Plan { games: 1, rounds: 5, ..Plan::of(Format::Swiss, 5) }),
        &mut standings,
        |_, _| 1,
    );
    assert_eq!(games.len(), 10);
    for player in 0..5 {
        assert_eq!(standings.games_of(player), 4, "player {player}");
    }
}

#[test]
fn who_sat_a_swiss_round_out_is_paired_as_if_it_had_won() {
    let (schedule, games) = results(Plan { rounds: 2, ..Plan::of(Format::Swiss, 5) }, |_| 1);
    assert_eq!(meetings(&games, 1), [[0, 1], [2, 3]]);
    // All others have drawn: the last player leads, and the last of the others sits out.
    assert_eq!(meetings(&games, 2), [[0, 4], [1, 2]]);
    assert_eq!(schedule.byes, [(1, 4), (2, 3)]);
    let mut standings = Standings::new(5);
    games.iter().for_each(|f| standings.add(f, 1));
    schedule.grant_byes(&mut standings);
    assert_eq!([0, 1, 2, 3, 4].map(|player| standings.half_points(player)), [4, 4, 4, 6, 6]);
}

#[test]
fn a_bye_decides_who_plays_for_the_first_place() {
    // The player with the bye is level with no other: the first of the three, who drew a game, is behind it.
    let plan = Plan { play_off: true, ..Plan::of(Format::Swiss, 3) };
    let (schedule, games) = results(plan, |f| if f.number == 0 { 1 } else { by_number(f) });
    assert_eq!((schedule.groups[0][0], games.len()), (2, 2));
}

#[test]
fn knockout_ends_with_one_winner() {
    for players in 2..9 {
        let mut standings = Standings::new(players);
        let mut schedule = Schedule::new(Plan::of(Format::Knockout, players));
        let games = play_all(&mut schedule, &mut standings, |a, b| if a < b { 2 } else { 0 });
        assert_eq!(games.len(), 2 * (players - 1), "{players}");
        assert_eq!(schedule.champion(), Some(0));
    }
}

#[test]
fn drawn_knockout_encounters_are_played_on_and_then_go_to_the_better_seed() {
    let mut schedule = Schedule::new(Plan::of(Format::Knockout, 2));
    let games = play_all(&mut schedule, &mut Standings::new(2), |_, _| 1);
    assert_eq!(games.len(), 2 + 2 * MAX_TIE_BREAKS);
    assert_eq!(schedule.alive, [0]);
}

#[test]
fn who_has_beaten_the_first_seed_is_no_better_seed() {
    // 7 beats 0, and all else is drawn: 3 meets 7 next, and goes on.
    let upset = |f: &Fixture| if f.seats.contains(&0) { won_by(7, f) } else { 1 };
    let (schedule, games) = results(Plan::of(Format::Knockout, 8), upset);
    let last: Vec<_> = games.iter().rev().take(2).map(|f| f.seats).collect();
    assert!(last.iter().all(|seats| seats.contains(&1) && seats.contains(&3)), "{last:?}");
    assert_eq!(schedule.champion(), Some(1));
}

#[test]
fn three_points_for_a_win_count_in_a_play_off() {
    let mut standings = Standings::new(3);
    standings.scoring = PointSystem::Three;
    let mut schedule = Schedule::new(Plan { play_off: true, ..Plan::of(Format::RoundRobin, 3) });
    let mut finished = HashSet::new();
    while let ScheduleStep::Play(f) = schedule.next(&standings, &finished) {
        let decided = f.round == 2 && !f.seats.contains(&0);
        standings.add(&f, if decided { 2 } else { 1 });
        finished.insert(f.number);
    }
    // One game each is won by 1 and by 2, the rest is drawn.
    assert_eq!(schedule.champion(), Some(1));
}

#[test]
fn a_resumed_schedule_skips_what_is_finished() {
    let mut schedule = Schedule::new(Plan::of(Format::RoundRobin, 3));
    let finished: HashSet<_> = [0, 2, 3].into();
    let mut left = Vec::new();
    let standings = Standings::new(3);
    while let ScheduleStep::Play(f) = schedule.next(&standings, &finished) {
        left.push(f.number);
    }
    assert_eq!(left, [1, 4, 5]);
}

/// Plays all games, with the results that `wins` gives: 2, 1 or 0 half points of the first seat.
fn results(plan: Plan, wins: impl Fn(&Fixture) -> u8) -> (Schedule, Vec<Fixture>) {
    let mut schedule = Schedule::new(plan);
    let mut standings = Standings::new(plan.players);
    let (mut finished, mut all) = (HashSet::new(), Vec::new());
    while let ScheduleStep::Play(f) = schedule.next(&standings, &finished) {
        standings.add(&f, wins(&f));
        finished.insert(f.number);
        all.push(f);
    }
    // Workers ask again, and a match that goes on asks anew: nothing is added, and all is as it was.
    assert_eq!(schedule.next(&standings, &finished), ScheduleStep::Done);
    let mut again = Schedule::new(plan);
    assert_eq!(again.next(&standings, &finished), ScheduleStep::Done);
    assert_eq!((&again.fixtures, again.champion()), (&schedule.fixtures, schedule.champion()));
    assert_eq!(schedule.fixtures, all);
    (schedule, all)
}

/// The lower number wins.
fn by_number(f: &Fixture) -> u8 {
    if f.seats[0] < f.seats[1] { 2 } else { 0 }
}

#[test]
fn groups_are_dealt_to_and_fro() {
    assert_eq!(deal(8, 2), [[0, 3, 4, 7], [1, 2, 5, 6]]);
    assert_eq!(deal(5, 2), [vec![0, 3, 4], vec![1, 2]]);
}

#[test]
fn the_first_two_of_each_group_meet_crosswise() {
    let (schedule, games) = results(Plan::of(Format::Groups, 8), by_number);
    let round = |n: usize| {
        let mut seats: Vec<_> = games.iter().filter(|f| f.round == n).map(|f| f.seats).collect();
        seats.dedup_by_key(|seats| seats[0].min(seats[1]));
        seats
    };
    assert_eq!(games.iter().filter(|f| f.round == 1).count(), 2 * 6 * 2);
    // First of A against second of B, first of B against second of A; the winners meet.
    assert_eq!(round(2), [[0, 2], [1, 3]]);
    assert_eq!(round(3), [[0, 1]]);
    assert_eq!((schedule.champion(), games.len()), (Some(0), 24 + 4 + 2));
}

#[test]
fn players_of_one_group_meet_again_in_the_final_only() {
    let plan = Plan { groups: 4, ..Plan::of(Format::Groups, 16) };
    let home = |player: usize| deal(16, 4).iter().position(|group| group.contains(&player));
    // Either may win: the first seat of a pair's first game, or the second.
    for seconds in [false, true] {
        let (_, games) = results(plan, |f| match f.round {
            1 => by_number(f),
            _ if seconds == (f.number % 2 == 0) => 0,
            _ => 2,
        });
        let early = games.iter().filter(|f| f.round == 2 || f.round == 3);
        assert!(early.clone().all(|f| home(f.seats[0]) != home(f.seats[1])), "{games:?}");
        assert_eq!(early.count(), (4 + 2) * 2);
    }
}

#[test]
fn one_deciding_game_follows_a_drawn_encounter_with_colors_by_lot() {
    let plan = Plan { tie_break: TieBreak::DecidingGame, ..Plan::of(Format::Knockout, 2) };
    let mut first_seats = HashSet::new();
    for seed in 0..20 {
        // The referee makes a draw of a deciding game a win of the second seat.
        let (schedule, games) = results(Plan { seed, ..plan }, |f| u8::from(!f.deciding));
        let [a, b, decider] = games[..] else { panic!("{games:?}") };
        assert!(!a.deciding && !b.deciding && decider.deciding && decider.pair == 1);
        assert_eq!(schedule.champion(), Some(decider.seats[1]));
        first_seats.insert(decider.seats[0]);
    }
    assert_eq!(first_seats.len(), 2, "the lot falls both ways");
    let (_, decided) = results(plan, by_number);
    assert_eq!(decided.len(), 2, "nothing is added where there is a winner");
    // Numbers 4 and 5 are the pair that decides the drawn encounter of round 1, also for a match that goes
    // on.
    let (schedule, games) = results(Plan::of(Format::Knockout, 4), |f| match f.number {
        0 | 1 => 1,
        _ => by_number(f),
    });
    assert_eq!(games.iter().map(|f| f.round).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 1, 2, 2]);
    assert_eq!(schedule.champion(), Some(0));
}

#[test]
fn who_is_level_for_the_first_place_plays_for_it() {
    let plan = Plan { play_off: true, ..Plan::of(Format::RoundRobin, 3) };
    // The first two draw against each other and beat the third.
    let table = |f: &Fixture| if f.seats.contains(&2) { by_number(f) } else { 1 };
    let (schedule, games) = results(plan, |f| if f.round == 1 { table(f) } else { 2 - by_number(f) });
    assert_eq!(games.len(), 6 + 2);
    assert!(games[6..].iter().all(|f| f.round == 2 && !f.seats.contains(&2)));
    assert_eq!(schedule.champion(), Some(1));
    let (schedule, games) = results(Plan { play_off: false, ..plan }, table);
    assert_eq!((schedule.champion(), games.len()), (None, 6));
    // Three level players meet once more; those still level then keep the order of the list.
    let (schedule, games) = results(plan, |f| if f.round == 2 && f.seats == [2, 1] { 2 } else { 1 });
    assert_eq!((schedule.champion(), games.len()), (Some(2), 6 + 6));
}

#[test]
fn who_is_level_for_the_second_place_of_a_group_plays_for_it() {
    let plan = Plan { play_off: true, tie_break: TieBreak::DecidingGame, ..Plan::of(Format::Groups, 6) };
    // Groups 0 3 4 and 1 2 5. 3 and 4 draw and lose to 0; the better place is decided in one game.
    let (schedule, games) = results(plan, |f| match f.seats {
        [3, 4] | [4, 3] if f.deciding => {
            if f.seats[0] == 4 {
                2
            } else {
                0
            }
        }
        [3, 4] | [4, 3] => 1,
        _ => by_number(f),
    });
    let play_off: Vec<_> = games.iter().filter(|f| f.round == 2).collect();
    assert!(play_off.len() == 3 && play_off[2].deciding, "{play_off:?}");
    assert!(games.iter().any(|f| f.round == 3 && f.seats == [1, 4]), "{games:?}");
    assert_eq!(schedule.champion(), Some(0));
}

#[test]
fn a_play_off_of_two_can_be_one_game_with_a_winner() {
    let plan = Plan {
        play_off: true,
        play_off_games: 1,
        tie_break: TieBreak::DecidingGame,
        ..Plan::of(Format::RoundRobin, 3)
    };
    let table = |f: &Fixture| if f.seats.contains(&2) { by_number(f) } else { 1 };
    let (schedule, games) = results(plan, |f| if f.deciding { 0 } else { table(f) });
    assert!(games.len() == 7 && games[6].deciding && !games[6].seats.contains(&2), "{games:?}");
    assert_eq!(schedule.champion(), Some(games[6].seats[1]));
    // Three players meet once each.
    let (_, games) = results(plan, |f| if f.round == 1 { 1 } else { by_number(f) });
    assert_eq!(games[6..].len(), 3);
    assert!(games[6..].iter().all(|f| !f.deciding));
}

#[test]
fn a_swiss_tournament_goes_on_as_it_was_paired() {
    // What came later must not change how an earlier round is paired.
    results(Plan { rounds: 3, ..Plan::of(Format::Swiss, 8) }, |f| {
        if f.round == 1 { by_number(f) } else { 2 - by_number(f) }
    });
}
