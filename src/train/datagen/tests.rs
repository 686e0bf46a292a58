use super::*;
use crate::game::{Observer, Side};
use crate::search::alphabeta::Evaluator;
use crate::train::record::{EndReason, Reader, WriterError};
use crate::xiangqi::Board;
use std::fs;
use std::time::Duration;
use tempfile::{TempDir, tempdir};

#[derive(Clone)]
struct Material(i32);

impl Observer for Material {
    fn added(&mut self, _: usize, _: usize) {}
    fn removed(&mut self, _: usize, _: usize) {}
}

impl Evaluator for Material {
    type Game = Board;
    const PARAMS: &'static crate::tune::Params = &crate::tune::XIANGQI;

    fn reset(&mut self, _: &Board) {}
    fn push(&mut self) {}
    fn pop(&mut self) {}
    fn evaluate(&mut self, pos: &Board) -> i32 {
        self.0 = 0;
        pos.for_each_piece(|piece, _| {
            let value = if piece % 7 == 0 { 0 } else { Board::piece_value(piece % 7) };
            self.0 += if piece < 7 { value } else { -value };
        });
        if pos.side_to_move() == Side::First { self.0 } else { -self.0 }
    }
}

fn players(n: usize) -> Vec<Searcher<Material>> {
    (0..n).map(|_| Searcher::new(Material(0)).unwrap()).collect()
}

fn settings() -> Settings {
    Settings { limits: NodeLimits { soft: 60, hard: 480 }, ..Settings::for_game("xiangqi") }
}

fn generate(
    folder: &TempDir,
    settings: &Settings,
    games: u32,
    existing: Existing,
    threads: usize,
) -> Vec<u8> {
    let goal = Goal { games: Some(games), ..Goal::default() };
    let summary = run(folder.path(), settings, goal, existing, players(threads)).unwrap();
    assert_eq!(summary.total.games, games);
    fs::read(summary.path).unwrap()
}

#[test]
fn random_moves_have_no_score_and_results_count_only_after_them() {
    let scratch = tempdir().unwrap();
    let settings = Settings { random_moves: 100, ..settings() };
    let bytes = generate(&scratch, &settings, 20, Existing::Refuse, 2);
    let games: Vec<_> = Reader::new(&bytes[..], "xiangqi").map(Result::unwrap).collect();
    let plies: Vec<_> = games.iter().flat_map(|g| &g.plies).collect();
    let random = plies.iter().filter(|p| p.is_random()).count();
    assert!((plies.len() / 20..plies.len() / 5).contains(&random), "{random} of {}", plies.len());
    for game in &games {
        let clean = game.result_counts_from();
        assert!(game.plies[clean..].iter().all(|p| !p.is_random()));
        assert!(clean == 0 || game.plies[clean - 1].is_random());
        game.replay::<Board>(|_, _, _| ()).unwrap();
    }
}

#[test]
fn games_depend_on_the_seed_and_not_on_threads() {
    let (one, three) = (tempdir().unwrap(), tempdir().unwrap());
    let bytes = generate(&one, &settings(), 20, Existing::Refuse, 1);
    assert!(bytes == generate(&three, &settings(), 20, Existing::Refuse, 3));
    let other = generate(&three, &Settings { seed: 2, ..settings() }, 20, Existing::Refuse, 3);
    assert!(bytes[200..] != other[200..]);
}

#[test]
fn an_interrupted_run_ends_in_the_same_bytes() {
    let (whole, cut) = (tempdir().unwrap(), tempdir().unwrap());
    let bytes = generate(&whole, &settings(), 40, Existing::Refuse, 2);
    let path = cut.path().join(settings().file_name("xiangqi"));
    for length in [0, 30, 64, 500, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(generate(&cut, &settings(), 40, Existing::Resume, 2) == bytes, "cut at {length}");
    }
    let refused = run(cut.path(), &settings(), Goal::default(), Existing::Refuse, players(1));
    assert!(matches!(refused, Err(DatagenError::File(_, WriterError::Exists))));
}

#[test]
fn shards_are_disjoint_and_every_game_follows_the_rules() {
    let scratch = tempdir().unwrap();
    let mut seen = std::collections::HashSet::new();
    for shard in 0..3 {
        let bytes = generate(&scratch, &Settings { shard, shards: 3, ..settings() }, 12, Existing::Refuse, 2);
        for record in Reader::new(&bytes[..], "xiangqi") {
            let record = record.unwrap();
            assert!(seen.insert(record.opening.clone()), "the same opening twice");
            assert!((8..=9).contains(&record.opening.len()));
            let mut plies = 0;
            let end = record
                .replay::<Board>(|pos, mv, ply| {
                    assert!(pos.legal().contains(&mv));
                    assert_eq!(pos.verdict(), crate::game::Verdict::Ongoing);
                    assert!(plies > 0 || ply.score.abs() < 2000);
                    plies += 1;
                })
                .unwrap();
            assert_eq!(plies, record.plies.len());
            assert!(record.ending_holds(&end), "{:?} at {}", record.ending, end.fen());
            assert!(record.ending != EndReason::Length);
        }
    }
    assert_eq!(seen.len(), 36);
}

#[test]
fn games_begin_with_openings_that_people_know() {
    let scratch = tempdir().unwrap();
    let mut at = Board::start();
    let mut line = |text: &str| {
        let mv = at.parse_move(text, Default::default()).unwrap();
        at.do_move(mv, &mut ());
        Board::pack(mv)
    };
    let opening = vec![line("h2e2"), line("h9g7")];
    let known = Settings { known_openings: 500, openings: vec![opening.clone()], ..settings() };
    let bytes = generate(&scratch, &known, 24, Existing::Refuse, 2);
    let games = Reader::new(&bytes[..], "xiangqi").map(|game| game.unwrap().opening);
    let (with, without): (Vec<_>, Vec<_>) = games.partition(|moves| moves.len() < 8);
    assert!(with.len() > 5 && without.len() > 5, "{} {}", with.len(), without.len());
    assert!(with.iter().all(|moves| moves.starts_with(&opening) && moves.len() <= 5));
}

#[test]
fn a_run_ends_when_its_goal_is_reached() {
    let scratch = tempdir().unwrap();
    let goal = Goal { positions: Some(300), ..Goal::default() };
    let first = run(scratch.path(), &settings(), goal, Existing::Refuse, players(2)).unwrap();
    assert!(first.total.positions >= 300 && first.positions == first.total.positions);
    let again = run(scratch.path(), &settings(), goal, Existing::Resume, players(2)).unwrap();
    assert_eq!((again.total.games, again.positions), (first.total.games, 0));
    let goal = Goal { time: Some(Duration::from_millis(300)), ..Goal::default() };
    let timed = run(scratch.path(), &settings(), goal, Existing::Resume, players(2)).unwrap();
    assert!(timed.positions > 0 && timed.elapsed >= goal.time.unwrap());
}
