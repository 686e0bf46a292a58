//! The engine with a net of random weights: everything that works without a net still works.

use super::*;
use crate::convnet::ConvNet;
use crate::engine::{Analysis, BestMove};
use crate::game::TreeGame;
use crossbeam::channel::unbounded;

const KINDS: [&str; 3] = ["hybrid", "net", "auto"];

/// An engine that has read a small net from a file, and the folder of the file.
fn engine(evaluator: &str) -> (GoEngine, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("go-net.bin");
    std::fs::write(&path, ConvNet::random(6, 1).to_bytes()).unwrap();
    let mut engine = GoEngine::default();
    let settings =
        [("Hash", "2"), ("EvalFile", path.to_str().unwrap()), ("Evaluator", evaluator), ("Seed", "4")];
    for (name, value) in settings {
        engine.set_option(name, value).unwrap();
    }
    engine.game_state().set_size(7, 7).unwrap();
    (engine, folder)
}

fn search(engine: &mut GoEngine, limits: Limits) -> (Analysis, BestMove) {
    let (sender, events) = unbounded();
    engine.go(limits, sender).unwrap();
    finish(engine, &events)
}

fn finish(engine: &mut GoEngine, events: &crossbeam::channel::Receiver<Event>) -> (Analysis, BestMove) {
    let mut last = Analysis::default();
    for event in events {
        match event {
            Event::Analysis(analysis) => last = analysis,
            Event::BestMove(best) => {
                engine.wait();
                return (last, best);
            }
            _ => (),
        }
    }
    unreachable!("a search ends with a move")
}

fn visits(n: u64) -> Limits {
    Limits { nodes: Some(n), ..Limits::default() }
}

fn play(engine: &mut GoEngine, moves: &[&str]) {
    for mv in moves {
        let side = engine.side_to_move();
        engine.game_state().play(side, mv).unwrap();
    }
}

#[test]
fn a_search_by_visits_is_the_same_every_time_and_on_every_machine() {
    for kind in KINDS {
        let run = || {
            let (mut engine, _folder) = engine(kind);
            play(&mut engine, &["D4", "C3"]);
            let (analysis, best) = search(&mut engine, visits(80));
            let moves = analysis.moves.iter().map(|m| (m.mv.clone(), m.visits, m.winrate.to_bits()));
            (moves.collect::<Vec<_>>(), analysis.ownership, best.mv)
        };
        let first = run();
        assert_eq!((first.1.len(), run()), (49, first.clone()), "{kind}");
    }
}

#[test]
fn moves_are_undone_and_searched_again_from_what_is_known() {
    for kind in KINDS {
        let (mut engine, _folder) = engine(kind);
        let (_, best) = search(&mut engine, visits(60));
        play(&mut engine, &[&best.mv.unwrap(), "A1"]);
        assert!(search(&mut engine, visits(30)).1.mv.is_some());
        engine.game_state().undo().unwrap();
        engine.game_state().undo().unwrap();
        let (again, best) = search(&mut engine, visits(60));
        assert!(again.visits >= 60 && best.mv.is_some(), "{kind}");
    }
}

#[test]
fn a_clock_ends_searches_and_pondering_becomes_one() {
    for kind in KINDS {
        let (mut engine, _folder) = engine(kind);
        let time = Duration::from_millis(200);
        let (analysis, best) = search(&mut engine, Limits { movetime: Some(time), ..Limits::default() });
        assert!(best.mv.is_some() && analysis.visits > 0, "{kind}");
        let (sender, events) = unbounded();
        let limits = Limits { movetime: Some(time), ponder: true, ..Limits::default() };
        engine.go(limits, sender).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        engine.ponder_hit(false);
        assert!(finish(&mut engine, &events).1.mv.is_some(), "{kind}");
    }
}

/// White's stones on the right have one eye, and Black's two.
const DEAD: [&str; 25] = [
    "A4", "G6", "B4", "G5", "C4", "F6", "D4", "F7", "E4", "pass", "F4", "pass", "G4", "pass", "A6", "pass",
    "B6", "pass", "C6", "pass", "D6", "pass", "E6", "pass", "E7",
];

#[test]
fn playouts_decide_which_stones_are_dead_with_any_evaluator() {
    let status = |kind: &str| {
        let (mut engine, _folder) = engine(kind);
        play(&mut engine, &DEAD);
        let status = engine.status();
        (status.score.clone(), status.groups("dead").unwrap().concat().len())
    };
    let expected = status("playouts");
    assert_eq!(expected.1, 4);
    for kind in KINDS {
        assert_eq!(status(kind), expected, "{kind}");
    }
}

#[test]
fn games_end_by_themselves() {
    for kind in ["hybrid", "net"] {
        let (mut engine, _folder) = engine(kind);
        engine.game_state().set_size(5, 5).unwrap();
        let mut plies = 0;
        while !engine.game.position.is_over() {
            let side = engine.side_to_move();
            let mv = search(&mut engine, visits(40)).1.mv.unwrap();
            engine.game_state().play(side, &mv).unwrap();
            plies += 1;
            assert!(plies < 300, "{kind}");
        }
    }
}

#[test]
fn another_evaluator_begins_anew() {
    let (mut engine, _folder) = engine("net");
    search(&mut engine, visits(50));
    engine.set_option("Evaluator", "playouts").unwrap();
    let (first, _) = search(&mut engine, visits(50));
    assert_eq!(first.visits, 50);
    let mut plain = GoEngine::default();
    for (name, value) in [("Hash", "2"), ("Seed", "4"), ("EvalFile", "<none>")] {
        plain.set_option(name, value).unwrap();
    }
    plain.game_state().set_size(7, 7).unwrap();
    let (second, _) = search(&mut plain, visits(50));
    let summary = |analysis: &Analysis| {
        analysis.moves.iter().map(|m| (m.mv.clone(), m.visits, m.winrate.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(summary(&first), summary(&second));
}

#[test]
fn the_speed_of_the_net_is_reported() {
    let (mut engine, _folder) = engine("auto");
    let (mode, speed) = engine.evaluator();
    let speed = speed.expect("a net that was measured");
    assert_eq!(mode, engine.settings().mode(Some(&speed)));
    assert_eq!(engine.evaluator().1, Some(speed), "measured once");
    engine.set_option("Evaluator", "net").unwrap();
    assert_eq!(engine.evaluator(), (Mode::Net, None));
}
