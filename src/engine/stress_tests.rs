//! Searches stopped at random moments, with threads, tables and games changed in between.

use super::*;
use crate::util::rng::Rng;
use crossbeam::channel::unbounded;

/// Stops searches of up to four threads, and after each resizes or clears the table or the tree, begins a new
/// game, or changes the number of threads.
fn disturb(game: GameId, settings: &[(&str, &str)]) {
    let mut engine = create(game);
    let mut random = Rng::new(1);
    for (name, value) in settings.iter().chain(&[("Hash", "1"), ("Threads", "4")]) {
        engine.set_option(name, value).unwrap();
    }
    for _ in 0..200 {
        let (sender, events) = unbounded();
        let limits = Limits { infinite: true, ..Limits::default() };
        engine.go(limits, sender).unwrap();
        std::thread::sleep(Duration::from_micros(random.pick(&[0, 50, 300, 1000, 3000])));
        engine.stop_handle().set();
        engine.wait();
        let answers = events.try_iter().filter(|event| matches!(event, Event::BestMove(_)));
        assert_eq!(answers.count(), 1);
        let (name, value) = random.pick(&[
            ("Hash", "1"),
            ("Hash", "2"),
            ("Clear Hash", ""),
            ("Threads", "1"),
            ("Threads", "4"),
            ("", ""),
        ]);
        match name {
            "" => engine.new_game(),
            name => engine.set_option(name, value).unwrap(),
        }
    }
}

#[test]
fn chess_bears_changes_between_searches() {
    disturb(GameId::Chess, &[]);
}

#[test]
fn go_bears_changes_between_searches() {
    disturb(GameId::Go, &[("Evaluator", "playouts")]);
}
