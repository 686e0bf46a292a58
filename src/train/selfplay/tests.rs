use super::*;
use crate::convnet::ConvNet;
use crate::game::TreeGame;
use crate::go::testing::board;
use crate::go::{Point, Rules};
use crate::train::gostat::GoStatistics;
use crate::train::record::go::{GoEnding, GoGame};
use crate::train::record::{Reader, WriterError};
use std::fs;
use std::sync::Arc;
use tempfile::{TempDir, tempdir};

fn players(n: usize) -> Vec<SelfplayPlayer> {
    (0..n).map(|_| SelfplayPlayer::new(By::Playouts, None).unwrap()).collect()
}

/// Small boards and few visits: what is tested does not depend on strength.
fn settings(seed: u64) -> SelfplaySettings {
    SelfplaySettings { seed, visits: 24, sizes: "5:60,7:40".parse().unwrap(), ..SelfplaySettings::default() }
}

fn generate(
    folder: &TempDir,
    settings: &SelfplaySettings,
    games: u32,
    existing: Existing,
    threads: usize,
) -> Vec<u8> {
    let goal = Goal { games: Some(games), ..Goal::default() };
    let summary = run(folder.path(), settings, goal, existing, players(threads)).unwrap();
    assert_eq!(summary.total.games, games);
    fs::read(summary.path).unwrap()
}

fn games_of(bytes: &[u8]) -> Vec<GoGame> {
    Reader::<_, GoGame>::of(bytes, "go").map(Result::unwrap).collect()
}

#[test]
fn games_depend_on_the_seed_and_not_on_threads() {
    let (one, three) = (tempdir().unwrap(), tempdir().unwrap());
    let bytes = generate(&one, &settings(1), 10, Existing::Refuse, 1);
    assert!(bytes == generate(&three, &settings(1), 10, Existing::Refuse, 3));
    let other = generate(&three, &settings(2), 10, Existing::Refuse, 3);
    let moves = |bytes: &[u8]| games_of(bytes).into_iter().map(|game| game.plies).collect::<Vec<_>>();
    assert!(moves(&bytes).iter().all(|game| !moves(&other).contains(game)));
}

#[test]
fn an_interrupted_run_ends_in_the_same_bytes() {
    for seed in [3, 4, 5] {
        let (whole, cut) = (tempdir().unwrap(), tempdir().unwrap());
        let bytes = generate(&whole, &settings(seed), 20, Existing::Refuse, 2);
        let path = cut.path().join(settings(seed).file_name());
        for length in [0, 30, 64, 500, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..length]).unwrap();
            assert!(generate(&cut, &settings(seed), 20, Existing::Resume, 2) == bytes, "cut at {length}");
        }
        let other = SelfplaySettings { visits: 25, ..settings(seed) };
        let refused = run(cut.path(), &other, Goal::default(), Existing::Resume, players(1));
        assert!(matches!(refused, Err(DatagenError::File(_, WriterError::OtherRun(_)))));
    }
}

#[test]
fn shards_are_disjoint_and_every_game_follows_the_rules() {
    let scratch = tempdir().unwrap();
    let mut seen = std::collections::HashSet::new();
    for shard in 0..3 {
        let bytes =
            generate(&scratch, &SelfplaySettings { shard, shards: 3, ..settings(6) }, 8, Existing::Refuse, 2);
        for game in games_of(&bytes) {
            let text = format!("{:?}", game.plies);
            assert!(seen.insert(text), "the same game twice");
            assert!((2..=8).contains(&game.opening));
            let mut searched = 0;
            let end = game
                .replay(|position, mv, ply| {
                    assert!(!position.is_over());
                    let Some(row) = &ply.row else { return };
                    searched += 1;
                    assert!(position.check(position.side_to_move(), mv).is_ok());
                    let shares: u32 = row.visits.iter().map(|&(_, share)| u32::from(share)).sum();
                    assert!((1..=16).contains(&row.visits.len()) && shares <= 255 + 16, "{row:?}");
                    assert!(row.visits.is_sorted_by(|a, b| a.1 >= b.1), "{row:?}");
                })
                .unwrap();
            assert!(searched > 0 && game.plies[..game.opening.into()].iter().all(|ply| ply.row.is_none()));
            let settled = settle(&end);
            assert_eq!((settled.owners, settled.margin), (game.owners.clone(), game.margin));
            match game.ending {
                GoEnding::Passes => assert!(end.is_over()),
                GoEnding::Owned => assert!(game.owners.iter().all(|&owner| owner != 0)),
                GoEnding::Length => assert_eq!(game.plies.len(), 3 * game.owners.len()),
            }
        }
    }
    assert_eq!(seen.len(), 24);
}

#[test]
fn settled_boards_have_the_owners_that_playouts_saw() {
    let scratch = tempdir().unwrap();
    let settings = SelfplaySettings { visits: 100, sizes: "9:1".parse().unwrap(), ..settings(7) };
    let bytes = generate(&scratch, &settings, 6, Existing::Refuse, 2);
    let games = games_of(&bytes);
    let mean = games.iter().map(|game| f64::from(game.agreement) / 255.0).sum::<f64>() / games.len() as f64;
    assert!(mean > 0.95, "{mean}");
    assert!(games.iter().all(|game| game.ending != GoEnding::Length));
}

/// Games by a net whose numbers are chance, and their players.
fn by_net(by: By, seed: u64) -> (SelfplaySettings, impl Fn(usize) -> Vec<SelfplayPlayer>) {
    let net = Arc::new(ConvNet::random(2, 1));
    let settings =
        SelfplaySettings { by, net: 77, visits: 20, sizes: "5:60,7:40".parse().unwrap(), ..settings(seed) };
    (settings, move |n| (0..n).map(|_| SelfplayPlayer::new(by, Some(Arc::clone(&net))).unwrap()).collect())
}

#[test]
fn games_by_a_net_have_rows_only_of_full_searches() {
    for by in [By::Net, By::Hybrid] {
        let (settings, players) = by_net(by, 31);
        let goal = Goal { games: Some(24), ..Goal::default() };
        let play = |threads| {
            let scratch = tempdir().unwrap();
            let done = run(scratch.path(), &settings, goal, Existing::Refuse, players(threads)).unwrap();
            fs::read(done.path).unwrap()
        };
        let bytes = play(1);
        assert!(bytes == play(3), "{by:?}");
        let (mut plies, mut rows) = (0, 0);
        for game in games_of(&bytes) {
            let searched = &game.plies[game.opening.into()..];
            plies += searched.len();
            rows += searched.iter().filter(|ply| ply.row.is_some()).count();
            for row in searched.iter().filter_map(|ply| ply.row.as_ref()) {
                let shares: u32 = row.visits.iter().map(|&(_, share)| u32::from(share)).sum();
                assert!((1..=16).contains(&row.visits.len()) && (16..=255 + 16).contains(&shares), "{row:?}");
            }
            let end = game.replay(|_, _, _| ()).unwrap();
            assert_eq!(settle(&end).margin, game.margin);
        }
        // One in four, but for the last part of decided games; the first search after the opening is always
        // full.
        let share = rows as f64 / plies as f64;
        assert!((0.08..0.4).contains(&share), "{by:?}: {rows} rows of {plies} plies");
    }
}

#[test]
fn a_run_goes_on_only_with_its_own_net() {
    let scratch = tempdir().unwrap();
    let (settings, players) = by_net(By::Net, 32);
    let goal = |games| Goal { games: Some(games), ..Goal::default() };
    run(scratch.path(), &settings, goal(3), Existing::Refuse, players(1)).unwrap();
    for other in [
        SelfplaySettings { net: 78, ..settings.clone() },
        SelfplaySettings { by: By::Hybrid, ..settings.clone() },
    ] {
        let refused = run(scratch.path(), &other, goal(6), Existing::Resume, players(1));
        assert!(matches!(refused, Err(DatagenError::File(_, WriterError::OtherRun(_)))));
    }
    let done = run(scratch.path(), &settings, goal(6), Existing::Resume, players(1)).unwrap();
    let whole = tempdir().unwrap();
    let straight = run(whole.path(), &settings, goal(6), Existing::Refuse, players(2)).unwrap();
    assert!(fs::read(done.path).unwrap() == fs::read(&straight.path).unwrap());
    let mut statistics = GoStatistics::default();
    statistics.add(&straight.path, |_, _| ()).unwrap();
    assert!(statistics.to_string().contains("by net 000000000000004d"));
    assert!(SelfplayPlayer::new(By::Net, None).is_err());
}

#[test]
fn stones_without_a_chance_of_life_belong_to_whom_they_are_dead_to() {
    // White's stone on the right cannot live; Black's two eyes are on the left.
    let rows = [".X.X...", "XXXXXXX", ".....O.", "XXXXXXX", ".X.X.X.", "XXXXXXX", "......."];
    let mut position = Position::from_board(board(&rows), Rules::CHINESE);
    position.set_komi(7.5);
    let settled = settle(&position);
    let stone = position.board().compact(Point::new(5, 4));
    assert_eq!(settled.owners[stone], 1);
    assert!(settled.owners.iter().all(|&owner| owner == 1));
    assert_eq!(settled.margin, 2 * 49 - 15);
}

#[test]
fn sizes_share_the_time() {
    let settings = SelfplaySettings::default();
    let mut rng = Rng::new(9);
    let mut time = std::collections::BTreeMap::<u8, f64>::new();
    for _ in 0..200_000 {
        let size = settings.draw_size(&mut rng);
        *time.entry(size).or_default() += f64::from(size).powi(4) * f64::from(settings.visits_on(size));
    }
    let all: f64 = time.values().sum();
    for (size, share) in [(9, 0.40), (13, 0.25), (19, 0.35)] {
        assert!((time[&size] / all - share).abs() < 0.02, "{size}: {}", time[&size] / all);
    }
}

#[test]
fn sizes_are_read_or_refused() {
    assert_eq!("9:40,13:25,19:35".parse(), Ok(Sizes::default()));
    assert_eq!("7:1".parse(), Ok(Sizes(vec![(7, 1)])));
    for bad in ["", "9", "4:1", "26:1", "9:0", "9:128", "9:1,", "5:1,6:1,7:1,8:1,9:1,10:1", "x:1"] {
        assert!(bad.parse::<Sizes>().is_err(), "{bad}");
    }
}

#[test]
fn statistics_count_games_and_complain_of_damage() {
    let scratch = tempdir().unwrap();
    let mut bytes = generate(&scratch, &settings(8), 18, Existing::Refuse, 2);
    let path = scratch.path().join(settings(8).file_name());
    let mut good = GoStatistics::default();
    let mut shown = 0;
    good.add(&path, |_, _| shown += 1).unwrap();
    assert_eq!((good.complaints.len(), good.duplicate_games, shown), (0, 0, 18));
    let games = games_of(&bytes);
    assert_eq!(good.sizes.values().map(|of| of.games).sum::<u64>(), 18);
    let rows: u64 = games.iter().map(crate::train::record::Record::positions).sum();
    assert!(good.to_string().ends_with(&format!("{rows} positions, 18 games")));
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let mut damaged = GoStatistics::default();
    damaged.add(&path, |_, _| ()).unwrap();
    assert_eq!(damaged.complaints.len(), 1);
    assert_eq!(damaged.sizes.values().map(|of| of.games).sum::<u64>(), 17);
}
