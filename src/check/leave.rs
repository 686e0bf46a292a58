//! The end of the process, asked for and not: the same in every protocol.

use super::catalog;
use super::engine::Engine;
use super::exam::Exam;
use std::time::Duration;

const SLOW: Duration = Duration::from_secs(1);
const MOST: Duration = Duration::from_secs(5);
/// How long the process may run on when nobody can speak to it any more.
const EOF: Duration = Duration::from_secs(2);

/// Says `quit` and watches the process end. `state` says what it was doing.
pub fn quits(exam: &mut Exam, engine: &mut Engine, mark: usize, state: &str) {
    engine.send("quit");
    if let Some(status) = engine.await_end(SLOW) {
        if !status.success() {
            exam.report(&catalog::BAD_EXIT, format!("{state}: {status}"), engine, mark);
        }
        return;
    }
    let patience = exam.patience.min(MOST).saturating_sub(SLOW);
    let ends = engine.await_end(patience).is_some();
    let finding = if ends { &catalog::SLOW_QUIT } else { &catalog::QUIT_IGNORED };
    exam.report(finding, state, engine, mark);
}

/// Closes the input and watches the process end.
pub fn ends_without_input(exam: &mut Exam, engine: &mut Engine, mark: usize, state: &str) {
    engine.close_input();
    if engine.await_end(EOF).is_none() {
        exam.report(&catalog::EOF_IGNORED, state, engine, mark);
    }
}
