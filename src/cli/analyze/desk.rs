//! Games under analysis, several at once, told of in their order.

use super::{Analyst, Args, Failure, Outcome, VERB};
use crate::arbiter::records::Recorded;
use crate::cli::analyze::judged::Verdicts;
use crossbeam::channel::{Receiver, Sender, unbounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A game of a file, or why there is none.
pub struct Task {
    /// The file's name.
    pub file: String,
    /// The game.
    pub game: Result<Recorded, String>,
}

/// What is told of a game.
pub enum Told {
    /// A line for people.
    Line(String),
    /// The analysis is over: what was found, or why nothing was.
    Done(Result<Verdicts, String>),
}

/// Analyzes all games, so many at a time as `args` say. `each` hears of them in their order, from this thread alone;
/// lines of the first game that is not over come at once, those of later ones wait.
/// # Errors
/// The first of `each`, which ends the work; there is no thread.
pub fn analyze_all(args: &Args, tasks: &[Task], each: &mut dyn FnMut(&Task, Told) -> Outcome) -> Outcome {
    let (sender, told) = unbounded();
    let next = AtomicUsize::new(0);
    let workers = usize::from(args.concurrency).min(tasks.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            let work = move || work(args, tasks, next, &sender);
            std::thread::Builder::new()
                .name(VERB.to_owned())
                .spawn_scoped(scope, work)
                .map_err(|e| Failure(format!("no thread for a game: {e}")))
                .inspect_err(|_| next.store(tasks.len(), Relaxed))?;
        }
        drop(sender);
        let outcome = in_order(&told, tasks.len(), &mut |i, told| each(&tasks[i], told));
        // After a failure nobody needs the games that are left. Relaxed: nothing else is read because of it.
        next.store(tasks.len(), Relaxed);
        drop(told);
        outcome
    })
}

/// One worker: takes games until there are no more, or nobody listens.
fn work(args: &Args, tasks: &[Task], next: &AtomicUsize, sender: &Sender<(usize, Told)>) {
    let mut analyst = Analyst::new(args);
    loop {
        // Relaxed: the counter alone decides who takes which game.
        let i = next.fetch_add(1, Relaxed);
        let Some(task) = tasks.get(i) else { return };
        let mut listens = true;
        let found = match &task.game {
            Ok(game) => {
                let mut tell = |line| listens &= sender.send((i, Told::Line(line))).is_ok();
                let found = analyst.analyze(&task.file, game, &mut tell);
                found.map_err(|Failure(why)| format!("game {}: {why}", game.opening.number))
            }
            Err(why) => Err(why.clone()),
        };
        if !listens || sender.send((i, Told::Done(found))).is_err() {
            return;
        }
    }
}

/// Passes on what is told, game by game. A bar on a terminal shows how many of `count` are done.
fn in_order(
    told: &Receiver<(usize, Told)>,
    count: usize,
    each: &mut dyn FnMut(usize, Told) -> Outcome,
) -> Outcome {
    let bar = progress(count);
    let mut waiting: BTreeMap<usize, Vec<Told>> = BTreeMap::new();
    let mut current = 0;
    for (i, told) in told {
        if matches!(told, Told::Done(_)) {
            bar.inc(1);
        }
        waiting.entry(i).or_default().push(told);
        while let Some(ready) = waiting.remove(&current) {
            let is_over = ready.iter().any(|told| matches!(told, Told::Done(_)));
            bar.suspend(|| ready.into_iter().try_for_each(|told| each(current, told)))?;
            if !is_over {
                break;
            }
            current += 1;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// A bar for several games, hidden where stderr is no terminal.
fn progress(count: usize) -> ProgressBar {
    let target = if count > 1 { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} games, {elapsed_precise}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_told_of_in_order_and_the_first_at_once() {
        let (sender, receiver) = unbounded();
        let line = |i: usize, text: &str| sender.send((i, Told::Line(text.to_owned()))).unwrap();
        let done = |i: usize| sender.send((i, Told::Done(Err(format!("end {i}"))))).unwrap();
        line(1, "b1");
        line(0, "a1");
        done(2);
        line(1, "b2");
        done(1);
        line(0, "a2");
        done(0);
        drop(sender);
        let mut heard = Vec::new();
        in_order(&receiver, 3, &mut |i, told| {
            heard.push(match told {
                Told::Line(text) => text,
                Told::Done(Err(why)) => why,
                Told::Done(Ok(_)) => format!("verdicts {i}"),
            });
            Ok(())
        })
        .unwrap();
        assert_eq!(heard, ["a1", "a2", "end 0", "b1", "b2", "end 1", "end 2"]);
    }

    #[test]
    fn a_failure_of_the_listener_ends_the_telling() {
        let (sender, receiver) = unbounded();
        for i in 0..3 {
            sender.send((i, Told::Done(Err(String::new())))).unwrap();
        }
        drop(sender);
        let mut heard = 0;
        let failed = in_order(&receiver, 3, &mut |_, _| {
            heard += 1;
            Err(Failure("full".to_owned()))
        });
        assert_eq!((failed, heard), (Err(Failure("full".to_owned())), 1));
    }
}
