//! Games or positions under analysis, several at once, reported in their order.

use super::{Outcome, VERB};
use crate::message;
use crate::util::message::Message;
use crossbeam::channel::{Receiver, Sender, unbounded};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Does one task after the other.
pub(super) trait Worker {
    type Task: Sync;
    type Found: Send;

    /// Does a task, reporting line by line.
    fn work(&mut self, task: &Self::Task, print: &mut dyn FnMut(String)) -> Result<Self::Found, Message>;
}

pub enum TaskReport<T> {
    /// A line for people.
    Line(String),
    /// The task is over: what was found, or why nothing was.
    Done(Result<T, Message>),
}

/// How tasks are distributed.
pub struct Desk<'a, W> {
    /// Tasks at the same time.
    pub concurrency: u16,
    /// The template of the bar that shows how many are done.
    pub bar: String,
    pub hire: &'a (dyn Fn() -> W + Sync),
}

/// Does all tasks. `each` is called in their order, only from this thread; lines of the first task that is
/// not over come at once, those of later ones wait.
/// # Errors
/// The first of `each`, which ends the work; there is no thread.
pub fn share_out<W: Worker>(
    desk: &Desk<W>,
    tasks: &[W::Task],
    each: &mut dyn FnMut(&W::Task, TaskReport<W::Found>) -> Outcome,
) -> Outcome {
    let (sender, report) = unbounded();
    let next = AtomicUsize::new(0);
    let workers = usize::from(desk.concurrency).min(tasks.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, hire) = (sender.clone(), &next, desk.hire);
            let work = move || work(&mut hire(), tasks, next, &sender);
            std::thread::Builder::new()
                .name(VERB.to_owned())
                .spawn_scoped(scope, work)
                .map_err(|e| {
                    message!("no thread to analyze: {e}" | "没有线程可用来分析：{e}", e = Message::from(e))
                })
                .inspect_err(|_| next.store(tasks.len(), Relaxed))?;
        }
        drop(sender);
        let outcome =
            in_order(&report, &progress(tasks.len(), &desk.bar), &mut |i, report| each(&tasks[i], report));
        // After a failure the tasks that are left are not needed. Relaxed: nothing else is read because of
        // it.
        next.store(tasks.len(), Relaxed);
        drop(report);
        outcome
    })
}

/// One worker: takes tasks until there are no more, or the receiver is gone.
fn work<W: Worker>(
    worker: &mut W,
    tasks: &[W::Task],
    next: &AtomicUsize,
    sender: &Sender<(usize, TaskReport<W::Found>)>,
) {
    loop {
        // Relaxed: only the counter decides who takes which task.
        let i = next.fetch_add(1, Relaxed);
        let Some(task) = tasks.get(i) else { return };
        let mut listens = true;
        let found =
            worker.work(task, &mut |line| listens &= sender.send((i, TaskReport::Line(line))).is_ok());
        if !listens || sender.send((i, TaskReport::Done(found))).is_err() {
            return;
        }
    }
}

/// Passes on reports, task by task. The bar counts the tasks that are done.
fn in_order<T>(
    report: &Receiver<(usize, TaskReport<T>)>,
    bar: &ProgressBar,
    each: &mut dyn FnMut(usize, TaskReport<T>) -> Outcome,
) -> Outcome {
    let mut waiting: BTreeMap<usize, Vec<TaskReport<T>>> = BTreeMap::new();
    let mut current = 0;
    for (i, report) in report {
        if matches!(report, TaskReport::Done(_)) {
            bar.inc(1);
        }
        waiting.entry(i).or_default().push(report);
        while let Some(ready) = waiting.remove(&current) {
            let is_over = ready.iter().any(|report| matches!(report, TaskReport::Done(_)));
            bar.suspend(|| ready.into_iter().try_for_each(|report| each(current, report)))?;
            if !is_over {
                break;
            }
            current += 1;
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// A bar for several tasks, hidden where stderr is not a terminal.
fn progress(count: usize, template: &str) -> ProgressBar {
    let target = if count > 1 { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_reported_in_order_and_the_first_at_once() {
        let (sender, receiver) = unbounded();
        let line = |i: usize, text: &str| sender.send((i, TaskReport::Line(text.to_owned()))).unwrap();
        let done = |i: usize| sender.send((i, TaskReport::Done(Err(format!("end {i}").into())))).unwrap();
        line(1, "b1");
        line(0, "a1");
        done(2);
        line(1, "b2");
        done(1);
        line(0, "a2");
        done(0);
        drop(sender);
        let mut heard = Vec::new();
        in_order::<()>(&receiver, &ProgressBar::hidden(), &mut |i, report| {
            heard.push(match report {
                TaskReport::Line(text) => text,
                TaskReport::Done(Err(why)) => why.into(),
                TaskReport::Done(Ok(())) => format!("found {i}"),
            });
            Ok(())
        })
        .unwrap();
        assert_eq!(heard, ["a1", "a2", "end 0", "b1", "b2", "end 1", "end 2"]);
    }

    #[test]
    fn a_failure_of_the_listener_ends_the_reports() {
        let (sender, receiver) = unbounded();
        for i in 0..3 {
            sender.send((i, TaskReport::Done(Err(Message::default())))).unwrap();
        }
        drop(sender);
        let mut heard = 0;
        let failed = in_order::<()>(&receiver, &ProgressBar::hidden(), &mut |_, _| {
            heard += 1;
            Err("full".into())
        });
        assert_eq!((failed, heard), (Err("full".into()), 1));
    }
}
