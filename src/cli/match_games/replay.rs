//! `sanqi replay`: shows one game's protocol traffic from a trace, or sends an engine the same lines again.

use crate::app::args::seconds_above_0;
use crate::app::console::{Outcome, at, say};
use crate::arbiter::journal::{Traffic, traffic_of};
use crate::client::process::{CommandLine, Process, Silence};
use crate::ensure;
use crate::message;
use crate::util::system;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Args {
    /// The trace that `sanqi match --trace` wrote
    trace: PathBuf,
    /// Number of the game, from 1
    #[arg(long)]
    game: usize,
    /// Only this engine's traffic
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Start this engine, send it what the recorded one was sent, and compare the answers
    #[arg(long, value_name = "COMMAND", requires = "engine")]
    cmd: Option<String>,
    /// Seconds to wait for each answer
    #[arg(long, default_value_t = 60.0, value_parser = seconds_above_0)]
    patience: f64,
}

pub fn run(args: &Args) -> Outcome {
    let mut traffic = traffic_of(&args.trace, args.game)?;
    if let Some(name) = &args.engine {
        traffic.retain(|t| t.engine == *name);
    }
    if traffic.is_empty() {
        return Err(at(
            &args.trace,
            message!("it has no lines of that game and engine" | "其中没有这一局或这个引擎的通信"),
        ));
    }
    match &args.cmd {
        Some(command) => {
            system::end_trees_with_this_program();
            again(&traffic, command, args.patience)
        }
        None => {
            for t in traffic {
                let arrow = if t.sent { '>' } else { '<' };
                say(format_args!("{:>12.6} {} {arrow} {}", t.us as f64 / 1e6, t.engine, t.line));
            }
            Ok(())
        }
    }
}

/// Lines that end an answer: the next question was asked only after them.
fn ends_answer(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    ["uciok", "ucciok", "readyok", "bestmove", "nobestmove", "move", "pong", "resign"].contains(&first)
        || line.starts_with(['=', '?'])
}

/// Plays the manager's part of the recorded conversation.
fn again(traffic: &[Traffic], command: &str, patience: f64) -> Outcome {
    let mut process = Process::start(&CommandLine::parse(command)?)?;
    let wait = Duration::from_secs_f64(patience);
    let (mut differences, mut compared) = (0, 0);
    for recorded in traffic {
        if recorded.sent {
            say(format_args!("> {}", recorded.line));
            process.send(&recorded.line);
        } else if ends_answer(&recorded.line) {
            let deadline = Instant::now() + wait;
            let answer = loop {
                match process.receive(Some(deadline)) {
                    Ok(line) if ends_answer(&line.text) => break line.text,
                    Ok(_) => {}
                    Err(silence) => {
                        let why = match silence {
                            Silence::TimedOut => {
                                message!(
                                    "nothing came within {patience} s" | "{patience} 秒内没有回应",
                                    patience
                                )
                            }
                            Silence::Ended | Silence::Cancelled => {
                                message!("the engine has ended" | "引擎已经结束")
                            }
                        };
                        return Err(message!(
                            "no answer to compare with {expected:?}: {why}"
                                | "没有可与 {expected:?} 比较的回答：{why}",
                            expected = recorded.line,
                            why
                        ));
                    }
                }
            };
            let same = answer.trim() == recorded.line.trim();
            differences += usize::from(!same);
            compared += 1;
            match same {
                true => say(format_args!("< {answer}")),
                false => say(format_args!("< {answer}   (recorded: {})", recorded.line)),
            }
        }
    }
    ensure!(compared != 0, "no answer was recorded, so none was compared" | "没有记下任何回答，无从比较");
    say(format_args!("{differences} answers differ"));
    Ok(())
}
