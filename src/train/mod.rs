//! Self-play data and the trainers that learn from it.

pub mod chances; // what a score is worth
pub mod datagen; // games against itself
pub mod datastat; // what is in those records
pub mod generate; // numbered games into a file, on several threads
pub mod goexport; // records of Go as arrays for the trainer
pub mod gostat; // what is in records of Go
pub mod moves; // how strong moves of Go look
pub mod net; // the trainer of the nets of chess and xiangqi
pub mod record; // games on disk
pub mod sample; // a position in 32 bytes
pub mod selfplay; // games of Go against itself
pub mod simd; // the inner loops of training

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// A bar for `length` steps on stderr; without a length a spinner. It is hidden when stderr is not a
/// terminal. It is hidden in unit tests too, which share the terminal with the program that counts them.
fn progress_bar(length: Option<u64>, template: &str) -> ProgressBar {
    if cfg!(test) || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    length.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style)
}
