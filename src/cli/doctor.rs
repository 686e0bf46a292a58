//! `sanqi doctor`: what this machine gives the engine, in lines to paste into a bug report.

use super::{Outcome, perft::per_second, say};
use crate::engine::tree::GoEngine;
use crate::engine::{self, GameId};
use std::time::Duration;

/// Prints the findings.
pub fn run() -> Outcome {
    say(format_args!(
        "sanqi {} ({} {})",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS
    ));
    let threads = std::thread::available_parallelism().map_or_else(|e| e.to_string(), |n| n.to_string());
    say(format_args!("processors: {threads}"));
    say(format_args!("instructions: {}", instructions()));
    say(format_args!(
        "debug assertions: {}",
        if cfg!(debug_assertions) { "on: a slow build" } else { "off" }
    ));
    for game in GameId::ALL {
        let mut engine = engine::create(game);
        let (nodes, time) = quick_search(engine.as_mut());
        match nodes {
            Some(nodes) => say(format_args!("{}: {} nodes/s", game.name(), per_second(nodes, time))),
            None => say(format_args!("{}: searches, and tells no nodes", game.name())),
        }
    }
    say(format_args!("go evaluates by {}", go_evaluator()));
    Ok(())
}

/// Who evaluates positions of Go, and what decided that.
fn go_evaluator() -> String {
    match GoEngine::default().evaluator() {
        (mode, Some(speed)) => format!(
            "{mode} (an evaluation by the net takes {} µs, a visit {} µs)",
            speed.evaluation.as_micros(),
            speed.visit.as_micros()
        ),
        (mode, None) => mode.to_string(),
    }
}

/// Nodes and time of half a second of search from the start.
fn quick_search(engine: &mut dyn engine::Engine) -> (Option<u64>, Duration) {
    super::speedtest::search(engine, &engine::PositionSpec::default(), Duration::from_millis(500))
        .map_or((None, Duration::ZERO), |found| (Some(found.0), found.1))
}

#[cfg(target_arch = "x86_64")]
fn instructions() -> String {
    let mut found = Vec::new();
    macro_rules! look_for {
        ($($name:tt),*) => { $(if std::arch::is_x86_feature_detected!($name) { found.push($name); })* };
    }
    look_for!("sse4.1", "popcnt", "bmi2", "avx2", "fma", "avx512f", "avx512bw", "avx512vnni", "avx512bf16");
    found.join(" ")
}

#[cfg(not(target_arch = "x86_64"))]
fn instructions() -> String {
    "those every processor of this kind has".to_owned()
}
