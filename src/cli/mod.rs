//! The command line. Each sub-command is a module with an `Args` struct and a `run` function.
//!
//! Results go to stdout, progress and messages to stderr. Exit codes: 0 success, 2 wrong usage (clap's
//! own message), 1 failure with one line that names what and where. `check` has codes of its own.

mod analyze;
mod bench;
#[cfg(feature = "train")]
mod book;
#[cfg(feature = "train")]
mod data;
mod doctor;
mod former;
mod generate;
mod help;
#[cfg(feature = "train")]
mod genfens;
mod judge;
#[cfg(feature = "match")]
mod match_games;
#[cfg(feature = "train")]
mod net;
mod perft;
mod play;
mod protocol;
mod rules;
#[cfg(feature = "train")]
mod speedtest;
#[cfg(feature = "match")]
mod tune;

use crate::app::about;
use crate::app::console::{Outcome, cannot_write, conclude, say};
use crate::app::{console, usage};
#[cfg(feature = "check")]
use crate::check;
use crate::katago;
#[cfg(feature = "serve")]
use crate::serve;
use crate::util::lang::Language;
use crate::util::system::{self, remark};
use crate::util::words;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use std::io;
use std::process::ExitCode;

/// The text of `sanqi --help`. A build without some of the commands has clap's own list.
#[cfg_attr(
    not(all(feature = "check", feature = "match", feature = "serve", feature = "train")),
    allow(dead_code)
)]
const HELP: &str = "\
Chess (UCI), xiangqi (UCCI, UCI) and Go (GTP) in one engine.

Usage: sanqi [OPTIONS]            speak the protocol that the first line on stdin belongs to
       sanqi COMMAND [OPTIONS]    sanqi COMMAND --help has the options

Play      play        a game on this terminal
          serve       boards in the browser
Protocols uci         chess, xiangqi
          ucci        xiangqi
          gtp         Go
          katago      KataGo's JSON analysis, for all three games
Records   analyze     judge each move of recorded games
          judge       claims, flags, repetitions, counts: verdicts by the rules, and why
          book        make an opening book
          rules       the rules of the games, clause by clause
Matches   match       a match or tournament between engines
          replay      the protocol traffic of a game of a match
          check       whether an engine is fit for matches
          tune        tune numbers of an engine by games against itself
Tests     bench       search a fixed set of positions: the node count is the engine's signature
          perft       count the leaves of the tree of legal moves
          speedtest   measure the speed of the parts
Nets      net         train, quantize, show and compare nets
          data        self-play records: play, check, export, learn from
System    doctor      check this machine and the engine on it
          generate    manual pages, and completions for shells
          help        a page of the documentation: sanqi help TOPIC

Options of the protocols:
      --game GAME          chess, xiangqi or go, where the protocol leaves the choice
      --option NAME=VALUE  set an option before the client does
      --sandbox DIR        let the client name files in this folder only
      --config FILE        read the defaults of options from this file
      --no-config          read them from no file
      --print-config       print a file with every option, its range and its value
      --lang LANG          en or zh
  -h, --help               print this
  -V, --version            print what was built
";

/// The same in Chinese.
#[cfg_attr(
    not(all(feature = "check", feature = "match", feature = "serve", feature = "train")),
    allow(dead_code)
)]
const CHINESE_HELP: &str = "\
国际象棋（UCI）、中国象棋（UCCI、UCI）、围棋（GTP）：一个引擎，三种棋。

用法：sanqi [选项]            按标准输入第一行所用的协议工作
      sanqi 命令 [选项]       各命令的选项见 sanqi 命令 --help

下棋      play        在终端里下棋
          serve       在浏览器里下棋、分析
协议      uci         国际象棋、象棋
          ucci        象棋
          gtp         围棋
          katago      KataGo 的 JSON 分析协议，三种棋都可用
棋谱      analyze     逐着评注棋谱
          judge       按规则裁决：判和、超时、循环局面、数子，并说明依据
          book        制作开局库
          rules       逐条显示三种棋的规则
比赛      match       引擎之间的比赛
          replay      一局棋与引擎的往来
          check       检查引擎是否适合比赛
          tune        让引擎自己对下，调参数
测试      bench       搜索一组固定的局面：结点总数就是引擎的签名
          perft       数合法着法树的叶子
          speedtest   测各部分的速度
网络      net         训练、量化、查看、比较网络
          data        自对弈棋谱：对弈、检查、导出、学习
系统      doctor      检查这台机器和引擎
          generate    手册页和命令行补全
          help        按题目查看说明：sanqi help 题目

协议的选项：
      --game GAME          协议不定棋种时的棋种：chess、xiangqi 或 go
      --option NAME=VALUE  先于客户端设好一个选项
      --sandbox DIR        客户端只能指定此文件夹里的文件
      --config FILE        从这个文件读选项的默认值
      --no-config          不从文件读默认值
      --print-config       打印含全部选项、范围和值的文件
      --lang LANG          en 或 zh
  -h, --help               显示这一页
  -V, --version            显示版本和编译信息
";

/// Chess (UCI), xiangqi (UCCI, UCI) and Go (GTP) in one engine.
///
/// Without a command it speaks the protocol that the first known word on stdin belongs to.
#[derive(Parser)]
#[command(name = "sanqi", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[cfg_attr(
    all(feature = "check", feature = "match", feature = "serve", feature = "train"),
    command(override_help = HELP)
)]
struct Cli {
    #[command(flatten)]
    protocol: protocol::ProtocolArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game against the engine on this terminal
    Play(play::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Speak UCI: chess, xiangqi
    Uci(protocol::ProtocolArgs),
    /// Speak UCCI: xiangqi
    Ucci(protocol::ProtocolArgs),
    /// Speak GTP: Go
    Gtp(protocol::ProtocolArgs),
    #[command(alias = "analysis")]
    Katago(katago::Args),
    Analyze(analyze::Args),
    Judge(judge::Args),
    Rules(rules::Args),
    #[cfg(feature = "train")]
    /// Make an opening book
    #[command(subcommand)]
    Book(book::Command),
    #[cfg(feature = "match")]
    /// Play a match or tournament between engines
    Match(match_games::Args),
    #[cfg(feature = "match")]
    /// Show the protocol traffic of a game, or send it to an engine again
    Replay(match_games::replay::Args),
    #[cfg(feature = "check")]
    Check(check::Args),
    #[cfg(feature = "match")]
    /// Tune numbers of an engine by games against itself
    Tune(tune::Args),
    /// Search a fixed set of positions: the node count is the engine's signature
    Bench(bench::Args),
    /// Count the leaves of the tree of legal moves
    Perft(perft::Args),
    #[cfg(feature = "train")]
    /// Measure the speed of the parts
    Speedtest(speedtest::Args),
    #[cfg(feature = "train")]
    /// Train, quantize, show and compare nets
    #[command(subcommand)]
    Net(net::Command),
    #[cfg(feature = "train")]
    /// Records of self-play: play, check, export, learn from
    #[command(subcommand)]
    Data(data::Command),
    /// Check this machine and the engine on it
    Doctor(doctor::Args),
    /// Print manual pages, and completions for shells
    #[command(subcommand)]
    Generate(generate::Command),

    #[command(flatten)]
    Former(former::Command),
}

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
    let language = usage::language_of(std::env::args_os());
    if let Some(page) = help::page(std::env::args_os(), language) {
        say(page.trim_end());
        return ExitCode::SUCCESS;
    }
    let parse = |words| command_in(language).try_get_matches_from(words);
    let parsed = parse(arguments()).or_else(|error| match error.kind() {
        ErrorKind::ArgumentConflict => protocol_first(arguments()).map_or(Err(error), parse),
        _ => Err(error),
    });
    let matches = match parsed {
        Ok(matches) => matches,
        Err(asked) if asked.kind() == ErrorKind::DisplayVersion => return conclude(print_version()),
        Err(help) if !help.use_stderr() => {
            if let Err(error) = console::print_usage(&help, language) {
                cannot_write(&error);
            }
            return ExitCode::SUCCESS;
        }
        Err(misuse) if is_check() => {
            let _ = console::print_usage(&misuse, language);
            return ExitCode::FAILURE;
        }
        Err(misuse) => {
            console::print_usage(&misuse, language).unwrap_or_else(|why| cannot_write(&why));
            if arguments().get(1).is_some_and(|word| word == "help") {
                remark!("{}", words::see_topics(language));
            }
            return ExitCode::from(misuse.exit_code() as u8);
        }
    };
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => console::exit_with(&error, language),
    };
    let outcome = match cli.command {
        None => return protocol::run(None, &cli.protocol, play::run_words),
        Some(Command::Uci(args)) => return protocol::run(Some("uci"), &args, play::run_words),
        Some(Command::Ucci(args)) => return protocol::run(Some("ucci"), &args, play::run_words),
        Some(Command::Gtp(args)) => return protocol::run(Some("gtp"), &args, play::run_words),
        #[cfg(feature = "check")]
        Some(Command::Check(args)) => {
            return check::run(&args).unwrap_or_else(|failure| conclude(Err(failure)));
        }
        #[cfg(feature = "match")]
        Some(Command::Match(args)) => match matches.subcommand() {
            Some((_, own)) => match_games::run(&args, own),
            None => Ok(()),
        },
        Some(Command::Play(args)) => play::run(&args),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Katago(args)) => katago::run(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Judge(args)) => judge::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        #[cfg(feature = "train")]
        Some(Command::Book(book::Command::Make(args))) => book::run(&args),
        #[cfg(feature = "match")]
        Some(Command::Replay(args)) => match_games::replay::run(&args),
        #[cfg(feature = "match")]
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        #[cfg(feature = "train")]
        Some(Command::Speedtest(args)) => speedtest::run(&args),
        #[cfg(feature = "train")]
        Some(Command::Net(command)) => net::run(&command),
        #[cfg(feature = "train")]
        Some(Command::Data(command)) => data::run(&command),
        Some(Command::Doctor(args)) => doctor::run(&args),
        Some(Command::Generate(command)) => generate::run(&command),
        Some(Command::Former(command)) => former::run(&command),
    };
    conclude(outcome)
}

/// The command line with its help in a language.
fn command_in(language: Language) -> clap::Command {
    let command = usage::localized(Cli::command(), language);
    #[cfg(all(feature = "check", feature = "match", feature = "serve", feature = "train"))]
    let command = command.override_help(language.pick(HELP, CHINESE_HELP));
    command
}

/// Prints the version and the build, for programs too: in English only.
fn print_version() -> Outcome {
    say(about::text(Language::English)?);
    Ok(())
}

/// Whether the command is `check`, whose exit code 2 means that an engine is not fit: its wrong usage has
/// code 1.
fn is_check() -> bool {
    let cli = Cli::command();
    let command = std::env::args_os().skip(1).find(|word| cli.find_subcommand(word).is_some());
    command.is_some_and(|word| word == "check")
}

/// Runs arguments that are lines of a protocol, `sanqi "position startpos" "go depth 5" quit`, as OpenBench
/// and scripts give them. `None`: they are not.
fn protocol_lines(lines: Vec<String>) -> Option<ExitCode> {
    let first = lines.first()?;
    #[cfg(feature = "train")]
    if first.split_whitespace().next() == Some("genfens") {
        // One argument, or the words in it.
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
    if all.get(1).is_some_and(|word| ["match", "katago", "analysis"].iter().any(|name| word == name)) {
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

/// The command line with the protocol in front of its options: `sanqi --sandbox DIR uci` is
/// `sanqi uci --sandbox DIR`.
fn protocol_first(mut words: Vec<std::ffi::OsString>) -> Option<Vec<std::ffi::OsString>> {
    let is_protocol = |word: &std::ffi::OsString| ["uci", "ucci", "gtp"].iter().any(|name| word == name);
    let at = words.iter().rposition(is_protocol).filter(|at| *at > 1)?;
    let name = words.remove(at);
    words.insert(1, name);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_fits_a_screen_and_names_every_command_and_option() {
        for help in [HELP, CHINESE_HELP] {
            assert!(help.lines().count() <= 40);
            assert!(help.lines().all(|line| line.chars().count() <= 100));
            let cli = Cli::command();
            let commands = cli.get_subcommands().filter(|command| !command.is_hide_set());
            for name in commands.map(|command| command.get_name()) {
                assert!(
                    help.lines().any(|line| line.split_whitespace().take(2).any(|word| word == name)),
                    "{name}"
                );
            }
            for option in cli.get_arguments().filter_map(|argument| argument.get_long()) {
                assert!(help.contains(&format!("--{option} ")), "--{option}");
            }
        }
    }

    /// Commands for training are read by people who read English.
    #[test]
    fn the_help_of_commands_for_players_is_in_chinese() {
        const ENGLISH: [&str; 6] = ["tune", "speedtest", "book", "net", "data", "generate"];
        let cli = usage::localized(Cli::command(), Language::Chinese);
        for command in cli.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = command.get_name();
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_ascii(), "{name}: {about}");
            if ENGLISH.contains(&name) {
                continue;
            }
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_ascii(), "{name} {}: {help}", argument.get_id());
            }
        }
    }
}
