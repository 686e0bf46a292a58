//! Speaking a protocol on standard input and output.

use crate::app::args::name_and_value;
use crate::app::console::misuse;
use crate::app::console::{Outcome, conclude, say};
use crate::app::defaults;
use crate::app::language::LanguageArg;
use crate::controller::{self, Config};
use crate::engine::GameId;
use crate::message;
use crate::protocol;
use crate::util::files::Sandbox;
use crate::util::lang::Language;
use crate::util::memory;
use crate::util::words;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args, Default)]
pub struct ProtocolArgs {
    /// The game, where the protocol leaves the choice: UCI plays chess unless this is xiangqi
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
    /// Let the client name only files in this folder: nets, books, tables, records and log files
    #[arg(long, value_name = "DIR")]
    sandbox: Option<PathBuf>,
    /// Set an option before the client sends anything: Threads=2, Hash=512; for Go also maxVisits=800,
    /// maxTime=5
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    /// Take the defaults of options from this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Take them from no file
    #[arg(long, conflicts_with = "config")]
    no_config: bool,
    /// Print a file with every option, its range and its value, and speak no protocol
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    language: LanguageArg,
}

/// The game in the name of the program: some GUIs let one choose a file, but no arguments, so that a link
/// named `sanqi-xiangqi` starts as `--game xiangqi`.
fn named_game(program: &Path) -> Option<GameId> {
    GameId::from_name(program.file_stem()?.to_str()?.strip_prefix("sanqi-")?)
}

/// Bytes that a session takes before it searches: threads that read and time, their stacks, what the client
/// has set.
const SESSION_BYTES: usize = 12 << 20;

/// Speaks the protocol called `name`, or the one that the client's first known word belongs to. `play` starts
/// a game on the terminal.
pub fn run(name: Option<&str>, args: &ProtocolArgs, play: fn(&[&str]) -> Outcome) -> ExitCode {
    match (name, args.game) {
        (Some("uci"), Some(GameId::Go)) => misuse::<ProtocolArgs>(
            "uci",
            message!(
                "UCI has chess and xiangqi; for Go: sanqi gtp" | "UCI 只有国际象棋和象棋；围棋用 sanqi gtp"
            ),
        ),
        (Some("ucci"), Some(GameId::Chess | GameId::Go)) => {
            misuse::<ProtocolArgs>("ucci", message!("UCCI has only xiangqi" | "UCCI 只有象棋"))
        }
        (Some("gtp"), Some(GameId::Chess | GameId::Xiangqi)) => {
            misuse::<ProtocolArgs>("gtp", message!("GTP has only Go" | "GTP 只有围棋"))
        }
        _ => {}
    }
    // The standard library ends the program where a small piece of memory is refused.
    if !memory::can_allocate(SESSION_BYTES) {
        return conclude(Err(message!("no memory to start" | "内存不足，无法启动")));
    }
    let defaults = match defaults::load(args.config.as_deref(), args.no_config) {
        Ok(defaults) => defaults,
        Err(failure) => return conclude(Err(failure)),
    };
    if args.print_config {
        return conclude(defaults::print(&defaults));
    }
    let protocol = name.and_then(protocol::by_name);
    let is_unknown =
        |(name, value): &&(String, String)| !protocol::PROTOCOLS.iter().any(|p| (p.has_option)(name, value));
    if let Some((name, _)) = args.option.iter().find(is_unknown).filter(|_| protocol.is_none()) {
        return conclude(Err(message!(
            "option {name}: no such option: {name}" | "选项 {name}：没有这个选项：{name}",
            name
        )));
    }
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if at_terminal {
        say(concat!("Sanqi ", env!("CARGO_PKG_VERSION"), " (chess, xiangqi, Go)"));
    }
    let commands = match (protocol.is_none() && at_terminal).then(|| welcome(play, args.language.language()))
    {
        Some(Welcome::Leave(code)) => return code,
        Some(Welcome::Speak(line)) => vec![line],
        None => Vec::new(),
    };
    let game = args.game.or_else(|| named_game(Path::new(&std::env::args_os().next()?)));
    let sandbox = match args.sandbox.as_deref().map(|dir| (dir, Sandbox::new(dir))) {
        None => Sandbox::default(),
        Some((_, Ok(sandbox))) => sandbox,
        Some((dir, Err(error))) => return conclude(Err(format!("{}: {error}", dir.display()).into())),
    };
    let (options, language) = (args.option.clone(), args.language.language());
    controller::run(Config { protocol, game, commands, sandbox, defaults, options, language })
}

/// Runs `lines` as if they were typed; then goes on with standard input, unless one of them quits.
pub fn run_lines(lines: Vec<String>) -> ExitCode {
    // A first line that opens no session is one of UCI's: `position`, `go`, `setoption`.
    let first = lines.first().and_then(|line| protocol::detect(line));
    let protocol = first.or_else(|| protocol::by_name("uci"));
    controller::run(Config { protocol, commands: lines, ..Config::default() })
}

/// What a person reads who has not chosen a protocol yet, in both languages.
const GREETING: [&str; 2] = [
    "Speaks UCI, UCCI and GTP; type play chess for a game, help for help.",
    "支持 UCI、UCCI 和 GTP；输入 play xiangqi 下一局棋，输入“帮助”查看用法。",
];
const HELP: [&str; 2] = [
    "play chess, play xiangqi or play go starts a game.\n\
        The first command chooses the protocol:\n  \
        uci           chess; and xiangqi, after setoption name UCI_Variant value xiangqi\n  \
        ucci          xiangqi\n  \
        list_commands Go; so does any other command of GTP\n\
        quit leaves. Sub-commands (serve, analyze, match, ...) are listed by: sanqi --help",
    "play chess（国际象棋）、play xiangqi（象棋）、play go（围棋）开始一局棋。\n\
        协议由第一条命令决定：\n  \
        uci           国际象棋；先用 setoption name UCI_Variant value xiangqi 则为象棋\n  \
        ucci          象棋\n  \
        list_commands 围棋；GTP 的其他命令也一样\n\
        “退出”离开。其他命令（serve、analyze、match 等）见：sanqi --help",
];

/// The choice of a person at the terminal.
enum Welcome {
    /// The first line of a protocol.
    Speak(String),
    /// Nothing more.
    Leave(ExitCode),
}

/// Greets a person at a terminal, until a line starts a game or belongs to a protocol.
fn welcome(play: fn(&[&str]) -> Outcome, language: Language) -> Welcome {
    let say_in = |[english, chinese]: [&'static str; 2]| say(language.pick(english, chinese));
    say_in(GREETING);
    let help = || say_in(HELP);
    loop {
        let mut line = String::new();
        // A line that is not UTF-8 belongs to no protocol.
        if std::io::stdin().lock().read_line(&mut line).is_ok_and(|length| length == 0) {
            return Welcome::Leave(ExitCode::SUCCESS);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["play", game, ..] if GameId::from_name(&game.to_lowercase()).is_some() => {
                let game = game.to_lowercase();
                let words = [&[game.as_str()], &words[2..]].concat();
                return Welcome::Leave(conclude(play(&words)));
            }
            // Not a move of GTP, but an unknown game.
            ["play"] => help(),
            ["play", color, ..] if !is_color_of_gtp(color) => help(),
            [] => {}
            ["quit" | "exit" | "退出"] => return Welcome::Leave(ExitCode::SUCCESS),
            ["help" | "帮助"] => help(),
            _ if protocol::detect(&line).is_some() => return Welcome::Speak(line.trim_end().to_owned()),
            _ => {
                say(words::unknown_command(language, line.trim()));
                help();
            }
        }
    }
}

fn is_color_of_gtp(word: &str) -> bool {
    ["b", "w", "black", "white"].contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_can_name_the_game() {
        assert_eq!(named_game(Path::new("/usr/bin/sanqi-xiangqi")), Some(GameId::Xiangqi));
        for other in ["sanqi", "sanqi-portable", "/opt/sanqi-xiangqi/sanqi"] {
            assert_eq!(named_game(Path::new(other)), None, "{other}");
        }
    }
}
