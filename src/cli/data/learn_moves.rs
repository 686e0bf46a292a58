//! `sanqi data learn-moves`: learns the strengths of moves from games of Go.

use crate::app::console::{Outcome, at, check_output, read, say};
use crate::ensure;
use crate::message;
use crate::train::moves::{self, StrengthsConfig};
use crate::util::files;
use crate::util::message::Message;
use crate::util::system::remark;
use std::path::PathBuf;

/// Learn from games of Go how promising moves look
///
/// Reads SGF collections, such as `sanqi match --game go --sgf` writes; moves with the comment `book` are not
/// learned from. One game in ten is set aside to measure by.
#[derive(clap::Args)]
pub struct Args {
    /// SGF collections
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Times every position is used
    #[arg(long, value_name = "N", default_value_t = 12)]
    epochs: u32,
    /// A pattern gets a strength of its own if it was played this often
    #[arg(long, value_name = "N", default_value_t = 4)]
    min_count: u32,
    /// Standard deviation of the logarithms of strengths before any game is seen
    #[arg(long, value_name = "X", default_value_t = 1.0)]
    deviation: f32,
    /// Seed of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub fn run(args: &Args) -> Outcome {
    ensure!(args.epochs != 0, "--epochs 0 learns nothing" | "--epochs 0 学不到东西");
    ensure!(
        args.deviation.is_finite() && args.deviation > 0.0,
        "--deviation {given} is not above 0" | "--deviation {given} 须大于 0",
        given = args.deviation
    );
    check_output("--out", &args.out, &args.data)?;
    files::try_to_write(&args.out).map_err(|e| at(&args.out, e))?;
    let texts = args.data.iter().map(|path| Ok((path.display().to_string(), read(path)?)));
    let records = texts.collect::<Result<Vec<_>, Message>>()?;
    let config = StrengthsConfig {
        epochs: args.epochs,
        min_count: args.min_count,
        deviation: args.deviation,
        seed: args.seed,
    };
    let (file, summary) = moves::learn(&records, config, |epoch, summary| {
        let (likelihood, first) = (summary.likelihood, 100.0 * summary.first_choice);
        remark!("epoch {epoch}: games set aside: log likelihood {likelihood:.4}, first choice {first:.1} %");
    });
    summary.complaints.iter().for_each(|complaint| remark!("{complaint}"));
    let [learned, aside] = summary.positions;
    ensure!(learned != 0, "no move to learn from" | "没有可以学习的着法");
    files::write_at_once(&args.out, &file).map_err(|e| at(&args.out, e))?;
    say(format_args!("games: {}", summary.games));
    say(format_args!("positions: {learned}, and {aside} set aside"));
    say(format_args!("patterns: {}", summary.patterns));
    say(format_args!("log likelihood: {:.4}", summary.likelihood));
    say(format_args!("first choice: {:.1} %", 100.0 * summary.first_choice));
    match summary.complaints.len() {
        0 => Ok(()),
        broken => Err(message!("games that cannot be read: {broken}" | "无法读取的对局：{broken}", broken)),
    }
}
