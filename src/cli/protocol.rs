//! Speaking a protocol on standard input and output.

use super::{conclude, play, say};
use crate::controller::{self, Config};
use crate::engine::GameId;
use crate::protocol;
use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

/// How to speak.
#[derive(clap::Args, Default)]
pub struct ProtocolArgs {
    /// The game, where the protocol leaves the choice: UCI speaks of chess, and of xiangqi if told so here
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
}

/// The game that the name of the program says: GUIs let one choose a file, but no arguments, so that a link named
/// `sanqi-xiangqi` starts as `--game xiangqi`.
fn named_game(program: &std::path::Path) -> Option<GameId> {
    GameId::from_name(program.file_stem()?.to_str()?.strip_prefix("sanqi-")?)
}

/// Speaks the protocol called `name`, or whichever the client's first known word belongs to.
pub fn run(name: Option<&str>, args: &ProtocolArgs) -> ExitCode {
    let protocol = name.and_then(protocol::by_name);
    let greeted = protocol.is_none() && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let commands = match greeted.then(welcome) {
        Some(Welcome::Leave(code)) => return code,
        Some(Welcome::Speak(line)) => vec![line],
        None => Vec::new(),
    };
    let game = args.game.or_else(|| named_game(std::path::Path::new(&std::env::args_os().next()?)));
    controller::run(Config { protocol, game, commands, greeted })
}

/// Runs `lines` as if they were typed; then goes on with standard input, unless one of them quits.
pub fn run_lines(lines: Vec<String>) -> ExitCode {
    // A first line that opens no session is one of UCI's: `position`, `go`, `setoption`.
    let first = lines.first().and_then(|line| protocol::detect(line));
    let protocol = first.or_else(|| protocol::by_name("uci"));
    controller::run(Config { protocol, game: None, commands: lines, greeted: false })
}

/// What a person at the terminal wants.
enum Welcome {
    /// The first line of a protocol.
    Speak(String),
    /// Nothing more.
    Leave(ExitCode),
}

/// Greets a person at a terminal, until a line starts a game or belongs to a protocol.
fn welcome() -> Welcome {
    controller::GREETING.iter().for_each(say);
    loop {
        let mut line = String::new();
        // What is not UTF-8 belongs to no protocol.
        if std::io::stdin().lock().read_line(&mut line).is_ok_and(|length| length == 0) {
            return Welcome::Leave(ExitCode::SUCCESS);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["play", game, ..] if GameId::from_name(game).is_some() => {
                return Welcome::Leave(conclude(play::run_words(&words[1..])));
            }
            [] => {}
            ["quit" | "exit"] => return Welcome::Leave(ExitCode::SUCCESS),
            _ if protocol::detect(&line).is_some() => return Welcome::Speak(line.trim_end().to_owned()),
            _ => {
                if words != ["help"] {
                    say(format_args!("Unknown command: {}", line.trim()));
                }
                controller::HELP.iter().for_each(say);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_link_can_name_the_game() {
        assert_eq!(named_game(Path::new("/usr/bin/sanqi-xiangqi")), Some(GameId::Xiangqi));
        for other in ["sanqi", "sanqi-portable", "/opt/sanqi-xiangqi/sanqi"] {
            assert_eq!(named_game(Path::new(other)), None, "{other}");
        }
    }
}
