//! `sanqi check`: is this engine fit for matches?
//!
//! | What | File |
//! |---|---|
//! | Everything that can be found, and how bad it is | `catalog` |
//! | The process, and every line to and from it | `engine` |
//! | What was found so far | `run` |
//! | Which protocol it speaks | `client::detect` |
//! | The conversation, and the end of the process, in any protocol | `session` |
//! | The checks of UCI and UCCI | `conversation` |
//! | Those of GTP and of XBoard's protocol | `gtp`, `xboard` |
//! | Positions, and the rules for moves in them | `positions`, `position` |
//! | The answer, for people and for programs | `report` |
// What an engine prints is input; its lines are read by the client's grammar.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

mod catalog;
mod conversation;
mod engine;
mod gtp;
mod position;
mod positions;
mod report;
mod run;
mod session;
mod xboard;

use crate::app::args::name_and_value;
use crate::app::console::{at, say};
use crate::app::language::LanguageArg;
use crate::client::detect::detect;
use crate::client::player::EngineProtocol;
use crate::client::process::CommandLine;
use crate::games::record::GameKind;
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::{self, remark};
use crate::util::{files, words};
use clap::builder::PossibleValuesParser;
use run::{CheckRun, Group};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The exit code for an engine that is not fit.
const UNFIT: u8 = 2;

/// How long to wait for features: version 1 of XBoard's protocol announces none.
const FEATURES: Duration = Duration::from_secs(5);

/// Say whether an engine is fit for matches, and what is wrong with it
///
/// It may speak UCI, UCCI, GTP or XBoard's protocol. The exit code is 0 when it is fit, 2 when it has a
/// fault, and 1 when it cannot be checked. docs/FINDINGS.md explains every finding.
#[derive(clap::Args)]
pub struct Args {
    /// The engine: a program and its arguments
    #[arg(
        required_unless_present = "list",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ENGINE"
    )]
    engine: Vec<String>,
    /// The protocol; found by itself if left out
    #[arg(long, value_parser = PossibleValuesParser::new(EngineProtocol::ALL.map(EngineProtocol::name)))]
    protocol: Option<String>,
    /// The game, where the protocol leaves the choice; chess, unless the engine declares another
    #[arg(long, value_parser = PossibleValuesParser::new(["chess", "xiangqi"]))]
    game: Option<String>,
    /// Set an option in every process
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    /// Check only these groups; --list names them
    #[arg(long, value_name = "GROUP", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(catalog::groups()))]
    only: Vec<String>,
    /// Leave out what takes long
    #[arg(long)]
    quick: bool,
    /// How long an answer without a clock is waited for; the first of a process at least 10 seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = timeout)]
    timeout: Duration,
    /// Start the engine in this folder: old ones write files where they are started
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Write a page with every finding and its traffic
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// List everything that can be found, and end
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    language: LanguageArg,
}

fn timeout(text: &str) -> Result<Duration, Message> {
    let seconds: f64 = text.parse().map_err(|_| message!("not a number" | "不是数"))?;
    match seconds {
        0.1..=3600.0 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(message!("from 0.1 to 3600 seconds" | "应为 0.1 至 3600 秒")),
    }
}

/// Runs the command. The code that the program ends with.
pub fn run(args: &Args) -> Result<ExitCode, Message> {
    let language = args.language.language();
    if args.list {
        report::list(language);
        return Ok(ExitCode::SUCCESS);
    }
    examine(args, language).map_err(|why| why.text(language).into())
}

fn examine(args: &Args, language: Language) -> Result<ExitCode, Message> {
    let command = command(args)?;
    system::end_trees_with_this_program();
    for flag in flags_behind(&args.engine) {
        remark!("{}", words::flag_for_the_engine(language, flag));
    }
    let protocol = match args.protocol.as_deref().and_then(EngineProtocol::from_name) {
        Some(protocol) => protocol,
        None => detect(&command, &EngineProtocol::ALL, args.timeout.max(run::START))?,
    };
    let kind = match (protocol, args.game.as_deref()) {
        (EngineProtocol::Gtp, _) => GameKind::GO,
        (EngineProtocol::Ucci, _) | (_, Some("xiangqi")) => GameKind::XIANGQI,
        _ => GameKind::CHESS,
    };
    let mut run = CheckRun {
        command,
        options: args.option.clone(),
        protocol,
        kind,
        patience: args.timeout,
        features: FEATURES,
        quick: args.quick,
        name: String::new(),
        facts: Vec::new(),
        found: Vec::new(),
        tried: Vec::new(),
        commands: engine::Commands::default(),
        starts: 0,
        unstarted: None,
    };
    if args.game.is_none() {
        run.kind = match protocol {
            EngineProtocol::Uci => conversation::game(&mut run),
            EngineProtocol::Xboard => xboard::game(&mut run),
            EngineProtocol::Gtp | EngineProtocol::Ucci => kind,
        };
        run.found.clear();
    }
    check(&mut run, &args.only, language)?;
    run.found.sort_by_key(|found| std::cmp::Reverse(found.finding.severity));
    if args.json {
        say(report::json(&run)?);
    } else {
        report::print(&run, std::io::stdout().is_terminal(), language);
    }
    if let Some(path) = &args.html {
        let page = report::page(&run, language);
        files::write_named(path, page).map_err(|e| at(path, e))?;
    }
    Ok(if run.is_fit() { ExitCode::SUCCESS } else { ExitCode::from(UNFIT) })
}

/// Splits a single word with blanks that names no file, as a shell does.
fn command(args: &Args) -> Result<CommandLine, Message> {
    let command = match args.engine.as_slice() {
        [line] if !Path::new(line).is_file() => CommandLine::parse(line)?,
        words => CommandLine { words: words.to_vec(), ..CommandLine::default() },
    };
    Ok(CommandLine { directory: args.dir.clone(), ..command })
}

/// Flags of `check` that stand behind the engine, and so are the engine's.
fn flags_behind(engine: &[String]) -> impl Iterator<Item = &str> {
    let check = <Args as clap::Args>::augment_args(clap::Command::new("check"));
    let own: Vec<String> =
        check.get_arguments().filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    let is_own = move |flag: &&str| own.iter().any(|own| own == flag);
    engine.iter().skip(1).filter_map(|word| word.split('=').next()).filter(is_own)
}

/// Runs the groups of the protocol, all or those named.
fn check(run: &mut CheckRun, only: &[String], language: Language) -> Result<(), Message> {
    let (groups, other) = match run.protocol {
        EngineProtocol::Uci => (conversation::GROUPS, "board"),
        EngineProtocol::Ucci => (conversation::GROUPS, "chess960"),
        EngineProtocol::Gtp => (gtp::GTP, ""),
        EngineProtocol::Xboard => (xboard::XBOARD, ""),
    };
    let groups: Vec<&Group> = groups.iter().filter(|group| group.name != other).collect();
    let is_asked_for = |group: &&Group| only.is_empty() || only.iter().any(|name| name == group.name);
    if !groups.iter().any(is_asked_for) {
        let known: Vec<&str> = groups.iter().map(|group| group.name).collect();
        return Err(message!(
            "the groups of this protocol are {known}" | "这种协议有这些组：{known}",
            known = known.join(", ")
        ));
    }
    for group in groups.iter().filter(|group| is_asked_for(group)) {
        if std::io::stderr().is_terminal() {
            remark!("{}", words::checking(language, group.name));
        }
        run.run(group);
        if let Some(why) = run.unstarted.take() {
            return Err(why);
        }
    }
    Ok(())
}
