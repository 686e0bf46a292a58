//! The command line. Each sub-command is a module with an `Args` struct and a `run` function.
//!
//! Results go to stdout, progress and messages to stderr. Exit codes: 0 success, 2 wrong usage (clap says
//! so by itself), 1 failure with one line that says what and where. `check` has codes of its own.

pub mod analysis;
mod analyze;
mod bench;
mod check;
mod datagen;
mod defaults;
mod doctor;
mod export;
mod genfens;
mod judge;
mod language;
mod level;
mod makebook;
mod match_games;
mod nets;
mod perft;
mod play;
mod protocol;
mod recommend;
mod selfplay;
pub mod serve;
mod set_up;
mod shell;
mod speedtest;
mod train_moves;
mod tune;
mod version;

use crate::engine::GameId;
use crate::util::{files, system};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, builder::PossibleValue, error::ErrorKind};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Chess (UCI), xiangqi (UCCI, UCI) and Go (GTP) in one engine.
///
/// Without a command it speaks whichever protocol the first known word on stdin belongs to.
#[derive(Parser)]
#[command(name = "sanqi", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    protocol: protocol::ProtocolArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCI: chess, xiangqi
    Uci(protocol::ProtocolArgs),
    /// Speak UCCI: xiangqi
    Ucci(protocol::ProtocolArgs),
    /// Speak GTP: Go
    Gtp(protocol::ProtocolArgs),
    /// Play a game against the engine on this terminal
    Play(play::Args),
    Analyze(analyze::Args),
    Analysis(analysis::Args),
    Serve(serve::Args),
    /// Search a fixed set of positions: the node count is the engine's signature
    Bench(bench::Args),
    /// Count the leaves of the tree of legal moves
    Perft(perft::Args),
    /// Measure the speed of the parts
    Speedtest(speedtest::Args),
    /// Say who must deviate from a repetition of xiangqi, and why
    Judge(judge::Args),
    Makebook(makebook::Args),
    Datagen(datagen::DatagenArgs),
    Selfplay(selfplay::SelfplayArgs),
    Export(export::ExportArgs),
    /// Play a match or tournament between engines
    Match(match_games::Args),
    /// Show the protocol traffic of a game, or send it to an engine again
    Replay(match_games::replay::Args),
    Check(check::Args),
    /// Tune numbers of an engine by games against itself
    Tune(tune::Args),
    /// Tell what this machine gives the engine
    Doctor(doctor::Args),
    Datastat(nets::datastat::Args),
    Train(nets::train::Args),
    TrainMoves(train_moves::Args),
    Quantise(nets::quantise::Args),
    Netinfo(nets::netinfo::Args),
    Evalcmp(nets::evalcmp::Args),
    /// Print a completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Print the manual page
    Man(shell::ManArgs),
}

/// Why a command failed, in one line.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

type Outcome = Result<(), Failure>;

/// Refuses an output that would take the place of a file that is read.
fn check_output<'a>(flag: &str, out: &Path, read: impl IntoIterator<Item = &'a PathBuf>) -> Outcome {
    match read.into_iter().any(|file| files::is_same(out, file)) {
        true => Err(Failure(format!("{}: {flag} would take the place of another file", out.display()))),
        false => Ok(()),
    }
}

/// Runs the command line.
pub fn main() -> ExitCode {
    system::show_remarks();
    system::set_up_allocator();
    if system::stdout_was_closed() {
        cannot_write(&io::Error::other("it is closed"));
    }
    // A line of a protocol is text; a path need not be.
    let words: Option<Vec<String>> =
        std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    if let Some(code) = words.and_then(protocol_lines) {
        return code;
    }
    let parse = |words| Cli::command().try_get_matches_from(words);
    let parsed = parse(arguments()).or_else(|error| match error.kind() {
        ErrorKind::ArgumentConflict => protocol_first(arguments()).map_or(Err(error), parse),
        _ => Err(error),
    });
    let matches = match parsed {
        Ok(matches) => matches,
        Err(asked) if asked.kind() == ErrorKind::DisplayVersion => return conclude(version::run()),
        Err(help) if !help.use_stderr() => {
            if let Err(error) = help.print().and_then(|()| io::stdout().flush()) {
                cannot_write(&error);
            }
            return ExitCode::SUCCESS;
        }
        Err(misuse) if check::is_asked_for() => {
            let _ = misuse.print();
            return ExitCode::FAILURE;
        }
        Err(misuse) => misuse.exit(),
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let outcome = match cli.command {
        Some(Command::Uci(args)) => return protocol::run(Some("uci"), &args),
        Some(Command::Ucci(args)) => return protocol::run(Some("ucci"), &args),
        Some(Command::Gtp(args)) => return protocol::run(Some("gtp"), &args),
        Some(Command::Analysis(args)) => analysis::run(&args),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Speedtest(args)) if args.recommends() => recommend::run(&args),
        Some(Command::Speedtest(args)) => speedtest::run(&args),
        Some(Command::Judge(args)) => judge::run(&args),
        Some(Command::Makebook(args)) => makebook::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Selfplay(args)) => selfplay::run(&args),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Match(args)) => match matches.subcommand() {
            Some((_, own)) => match_games::run(&args, own),
            None => Ok(()),
        },
        Some(Command::Check(args)) => {
            return check::run(&args).unwrap_or_else(|failure| conclude(Err(failure)));
        }
        Some(Command::Datastat(args)) => nets::datastat::run(&args),
        Some(Command::Train(args)) => nets::train::run(&args),
        Some(Command::TrainMoves(args)) => train_moves::run(&args),
        Some(Command::Quantise(args)) => nets::quantise::run(&args),
        Some(Command::Netinfo(args)) => nets::netinfo::run(&args),
        Some(Command::Evalcmp(args)) => nets::evalcmp::run(&args),
        Some(Command::Replay(args)) => match_games::replay::run(&args),
        Some(Command::Completions(args)) => shell::completions(&args),
        Some(Command::Man(args)) => shell::man(&args),
        None => return protocol::run(None, &cli.protocol),
    };
    conclude(outcome)
}

fn conclude(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Whoever closed stderr does not want to know.
            let _ = writeln!(io::stderr(), "sanqi: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs arguments that are lines of a protocol, `sanqi "position startpos" "go depth 5" quit`, as OpenBench
/// and scripts give them. `None`: they are not.
fn protocol_lines(lines: Vec<String>) -> Option<ExitCode> {
    let first = lines.first()?;
    if first.split_whitespace().next() == Some("genfens") {
        // One argument, or the words of it.
        let words = if lines.len() > 1 && first == "genfens" { lines.join(" ") } else { first.clone() };
        return Some(conclude(genfens::run(&words)));
    }
    let is_ours =
        first.starts_with('-') || Cli::command().find_subcommand(first).is_some() || first == "help";
    if is_ours || !(first.contains(' ') || crate::protocol::detect(first).is_some()) {
        return None;
    }
    Some(protocol::run_lines(lines))
}

/// The command line. Flags of a match and of an analysis may have one dash, as other programs write them.
fn arguments() -> Vec<std::ffi::OsString> {
    let mut all: Vec<_> = std::env::args_os().collect();
    if all.get(1).is_some_and(|word| word == "match" || word == "analysis") {
        for word in all.iter_mut().skip(2) {
            let one_dash = |s: &str| {
                s.strip_prefix('-').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
            };
            if let Some(flag) = word.to_str().filter(|s| s.len() > 2 && one_dash(s)) {
                *word = format!("-{flag}").into();
            }
        }
    }
    all
}

/// The command line with the protocol in front of its options: `sanqi --sandbox DIR uci` is `sanqi uci --sandbox DIR`.
fn protocol_first(mut words: Vec<std::ffi::OsString>) -> Option<Vec<std::ffi::OsString>> {
    let is_protocol = |word: &std::ffi::OsString| ["uci", "ucci", "gtp"].iter().any(|name| word == name);
    let at = words.iter().rposition(is_protocol).filter(|at| *at > 1)?;
    let name = words.remove(at);
    words.insert(1, name);
    Some(words)
}

/// Ends the program with the code for wrong usage: arguments that can be read, but make no sense.
fn misuse(command: &str, why: impl fmt::Display) -> ! {
    let mut cli = Cli::command();
    cli.build();
    let command = cli.find_subcommand_mut(command).cloned().unwrap_or(cli);
    command.clone().error(ErrorKind::ValueValidation, why).exit()
}

/// Reads a length of time on the command line.
fn seconds_above_0(text: &str) -> Result<f64, String> {
    let is_length = |&seconds: &f64| (1e-9..=1e9).contains(&seconds);
    text.parse().ok().filter(is_length).ok_or_else(|| "a number of seconds above 0 is wanted".to_owned())
}

/// Writes one line of the result. A reader that went away ends the program quietly; a full disk ends it with code 1.
fn say(line: impl fmt::Display) {
    put(format_args!("{line}\n"));
}

/// The same without a line end.
fn put(text: impl fmt::Display) {
    let text = text.to_string();
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(system::plain(&text).as_bytes()).and_then(|()| out.flush()) {
        cannot_write(&error);
    }
}

/// Ends the program because stdout takes no more.
fn cannot_write(error: &io::Error) -> ! {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    let _ = writeln!(io::stderr(), "sanqi: cannot write to stdout: {error}");
    std::process::exit(1)
}

/// Reads a file; the error names it.
fn read(path: &std::path::Path) -> Result<String, Failure> {
    files::read_named_text(path).map_err(|e| Failure(format!("{}: {e}", path.display())))
}

impl clap::ValueEnum for GameId {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
