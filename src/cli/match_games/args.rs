//! The flags of a match, and how they change its configuration.

use crate::app::language::LanguageArg;
use crate::arbiter::adjudicate::{Decided, Tablebases};
use crate::arbiter::config::{MatchConfig, engine_from_words, heading};
use crate::arbiter::schedule::Format;
use crate::games::record::GameKind;
use crate::games::time::Control;
use crate::message;
use crate::util::message::Message;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, ValueEnum};
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};
#[cfg(feature = "serve")]
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

/// Shown instead of a line of all flags: what every match needs.
const USAGE: &str = "sanqi match --engine cmd=A --engine cmd=B --tc 8+0.08 [OPTIONS]
       sanqi match --config FILE [OPTIONS]
       sanqi match --resume FILE.jsonl";

/// Lines of at most 100 columns, as long as those of the help.
const EXAMPLES: &str = "\
Examples:
  Two engines by the clock, until it is decided whether the first one is stronger:
    sanqi match --engine cmd=./new --engine cmd=./old --tc 8+0.08 --games 20000 --sprt elo1=5
  Xiangqi with 20000 nodes a move, from given positions:
    sanqi match --game xiangqi --engine cmd=./new --engine cmd=pikafish --tc nodes=20000 \\
        --openings xiangqi.epd --games 200
  Go on a small board, a second a move, with a page that shows the games:
    sanqi match --game go --size 9 --engine cmd=sanqi --engine cmd=\"gnugo --mode gtp\" --tc st=1 \\
        --games 20 --report match.html";

#[derive(clap::Args)]
#[command(override_usage = USAGE, after_help = EXAMPLES)]
pub struct Args {
    /// Read settings from a TOML file; flags override it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub language: LanguageArg,
    /// Show the match on a live page: boards, clocks, standings; on any free port, or on PORT. The address is
    /// printed, and that of the arbiter's desk. A match with persons always has its pages
    #[arg(long, value_name = "PORT", num_args = 0..=1, help_heading = heading::OUTPUT)]
    #[cfg(feature = "serve")]
    pub serve: Option<Option<u16>>,
    /// The address that the live page is served at; others than this machine's let everyone in who knows the
    /// token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), help_heading = heading::OUTPUT)]
    #[cfg(feature = "serve")]
    pub listen: IpAddr,
    /// An engine: cmd=PROGRAM name=NAME proto=uci|ucci|gtp|xboard option.NAME=VALUE tc= st= nodes= depth=
    /// timemargin= args= dir= stderr= init= restart=on ponder=on; or a person, who plays in the browser:
    /// human=NAME, or at the terminal: human=NAME terminal
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", action = ArgAction::Append)]
    #[arg(help_heading = heading::ENGINES)]
    engine: Vec<String>,
    /// Settings of all engines, with the same keys
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = heading::ENGINES)]
    each: Vec<String>,
    /// Go: an engine that settles disputes about dead stones
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = heading::ENGINES)]
    third: Vec<String>,
    /// Time control: 8+0.08, 40/60, 40/90:00+30,30:00+30, 300+5x30 (byo-yomi), 300+25/60 (Canadian), st=1,
    /// inf; or nodes=N, depth=N
    #[arg(long, help_heading = heading::ENGINES)]
    tc: Option<String>,
    /// Seconds to wait for an answer that needs no thought
    #[arg(long, value_name = "S", help_heading = heading::ENGINES)]
    patience: Option<f64>,
    /// Accepted for compatibility: games always come in pairs, and crashed engines are always restarted
    #[arg(long, hide = true, num_args = 0..=1)]
    repeat: Option<Option<usize>>,
    #[arg(long, hide = true)]
    recover: bool,
    /// Stop as soon as a sequential test decides: elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized|logistic
    #[arg(long, num_args = 0.., default_missing_value = "elo0=0", value_name = "KEY=VALUE")]
    #[arg(help_heading = heading::FORMAT, display_order = 900)]
    sprt: Vec<String>,
    /// Openings: FILE, none (the usual start), random (after random moves), or file=FILE
    /// format=epd|pgn|sgf|xqf|cbr|cbl order=random|sequential start=N plies=N; built-in lines if left out
    #[arg(long, num_args = 1.., value_name = "FILE|KEY=VALUE", help_heading = heading::OPENINGS)]
    openings: Vec<String>,
    /// Xiangqi: rules of repetition: chinese, asian, computer or none; Go: the rule set, such as tromp-taylor
    #[arg(long, value_name = "RULES", help_heading = heading::RULES)]
    rules: Option<String>,
    /// Chess: moves without a capture or a pawn move that draw, 50 or more; with endings, only in these:
    /// 100:KRBKR,KNNKP
    #[arg(long, value_name = "MOVES[:ENDINGS]", value_parser = crate::app::args::fifty_moves, help_heading = heading::RULES)]
    fifty_moves: Option<String>,
    /// Xiangqi: half-moves without a capture that draw; 0: no limit
    #[arg(long, value_name = "N", help_heading = heading::RULES)]
    no_progress: Option<u16>,
    /// The side that moves second wins every draw
    #[arg(long, help_heading = heading::RULES)]
    deciding_game: bool,
    /// Repeated draw offers, without a capture or a change of score in between, that lose a game; 0: no limit
    #[arg(long, value_name = "N", help_heading = heading::RULES)]
    fouls: Option<u32>,
    /// Go: board size
    #[arg(long, value_name = "N", help_heading = heading::RULES)]
    size: Option<usize>,
    /// Go: points given to White, or stones, as in 3.75zi
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = crate::app::args::komi, help_heading = heading::RULES)]
    komi: Option<f32>,
    /// Go: handicap stones
    #[arg(long, value_name = "N", help_heading = heading::RULES)]
    handicap: Option<usize>,
    /// Adjudicate losses by score: movecount=3 score=600 twosided=true
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = heading::ADJUDICATION)]
    resign: Vec<String>,
    /// Adjudicate draws by score: movenumber=40 movecount=8 score=10
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", help_heading = heading::ADJUDICATION)]
    draw: Vec<String>,
    /// Full moves after which a game is drawn (Go: moves after which it is counted)
    #[arg(long, value_name = "N", help_heading = heading::ADJUDICATION)]
    maxmoves: Option<usize>,
    /// Chess: adjudicate by the Syzygy tables in these folders
    #[arg(long, value_name = "PATHS", help_heading = heading::ADJUDICATION)]
    tb: Option<String>,
    /// Probe the tables with at most N pieces on the board
    #[arg(long, visible_alias = "tb-pieces", value_name = "N", requires = "tb", default_value_t = 0)]
    #[arg(hide_default_value = true, help_heading = heading::ADJUDICATION)]
    tbpieces: usize,
    /// Ignore the fifty-move rule in the tables
    #[arg(long, visible_alias = "tb-ignore50", requires = "tb", help_heading = heading::ADJUDICATION)]
    tbignore50: bool,
    /// Results of the tables that end a game
    #[arg(long, visible_alias = "tb-adjudicate", requires = "tb", value_enum, default_value_t)]
    #[arg(value_name = "RESULTS", help_heading = heading::ADJUDICATION)]
    tbadjudicate: Decided,
    #[command(flatten)]
    _config: ConfigFlags,
    /// Resume an interrupted match with the settings in its journal
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "config", help_heading = heading::PARTS)]
    pub resume: Option<PathBuf>,
    /// Combine the journals of all parts into one match: prints the result, and writes --journal, --pgnout,
    /// --sgfout and --report. A game that is in two journals counts once
    #[arg(long, num_args = 1.., value_name = "FILE.jsonl", conflicts_with_all = ["config", "resume"])]
    #[arg(help_heading = heading::PARTS)]
    pub merge: Vec<PathBuf>,
}

/// The flags that are fields of [`MatchConfig`], and the former ones of its format.
struct ConfigFlags;

impl FromArgMatches for ConfigFlags {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}

impl clap::Args for ConfigFlags {
    fn augment_args(command: Command) -> Command {
        let former = FORMER
            .map(|name| Arg::new(name).long(name).hide(true).action(ArgAction::SetTrue).group("pairing"));
        MatchConfig::augment_args_for_update(command).args(former)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Formats that were flags of their own.
const FORMER: [&str; 4] = ["round-robin", "gauntlet", "swiss", "knockout"];

fn occurrences(matches: &ArgMatches, flag: &str) -> Vec<Vec<String>> {
    matches
        .get_occurrences::<String>(flag)
        .map(|all| all.map(|words| words.cloned().collect()).collect())
        .unwrap_or_default()
}

/// Changes `config` by the flags given.
pub fn override_by(args: &Args, matches: &ArgMatches, config: &mut MatchConfig) -> Result<(), Message> {
    config.update_from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    for words in occurrences(matches, "engine") {
        config.engines.push(engine_from_words(&words)?);
    }
    if !args.each.is_empty() {
        config.each = Some(engine_from_words(&args.each)?);
    }
    if !args.third.is_empty() {
        config.third = Some(engine_from_words(&args.third)?);
    }
    if let Some(tc) = &args.tc {
        // The limits of all engines in the file give way.
        if let Some(each) = config.each.as_mut().filter(|_| args.each.is_empty()) {
            (each.tc, each.nodes, each.depth) = (None, None, None);
        }
        if tc.starts_with("nodes=") || tc.starts_with("depth=") {
            config.tc = Control::INFINITE;
            config.each.get_or_insert_default().limit(tc)?;
        } else {
            config.tc = tc.parse()?;
        }
    }
    if let Some(name) = FORMER.into_iter().find(|name| matches.get_flag(name)) {
        config.format = Format::from_str(name, false)?;
    } else if matches.contains_id("groups") {
        config.format = Format::Groups;
    }
    read_words(&mut config.openings, "openings", &opening_words(&args.openings))?;
    read_words(&mut config.sprt, "sprt", &args.sprt)?;
    config.sprt.filter(|_| !args.sprt.is_empty()).map_or(Ok(()), |sprt| sprt.check())?;
    set(&mut config.patience.ready, args.patience);
    match config.game {
        GameKind::GO => set(&mut config.rules.go.rules, args.rules.clone()),
        _ => set(&mut config.rules.repetition.rules, args.rules.clone()),
    }
    set(&mut config.rules.repetition.no_progress, args.no_progress);
    set(&mut config.rules.fifty_moves, args.fifty_moves.clone());
    config.rules.deciding_game |= args.deciding_game;
    set(&mut config.rules.fouls, args.fouls);
    set(&mut config.rules.go.size, args.size);
    set(&mut config.rules.go.komi, args.komi);
    set(&mut config.rules.go.handicap, args.handicap);
    let adjudication = &mut config.adjudication;
    read_words(&mut adjudication.resign, "resign", &args.resign)?;
    read_words(&mut adjudication.draw, "draw", &args.draw)?;
    adjudication.max_moves = args.maxmoves.or(adjudication.max_moves);
    if let Some(path) = &args.tb {
        adjudication.tb = Some(Tablebases {
            path: path.clone(),
            pieces: args.tbpieces,
            ignore50: args.tbignore50,
            adjudicate: args.tbadjudicate,
        });
    }
    Ok(())
}

fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

/// The words of `--openings` by the keys of a configuration file: a bare file name, and `start`, which counts
/// from 1.
fn opening_words(words: &[String]) -> Vec<String> {
    if let [file] = words
        && !file.starts_with("file=")
    {
        return vec![format!("file={file}")];
    }
    let start = |word: &String| word.strip_prefix("start=")?.parse::<usize>().ok();
    let skip = |word: &String| start(word).map(|start| format!("skip={}", start.saturating_sub(1)));
    words.iter().map(|word| skip(word).unwrap_or_else(|| word.clone())).collect()
}

/// Reads the `key=value` words of a flag, if there are any, as a table of a configuration file.
fn read_words<T: DeserializeOwned>(
    slot: &mut Option<T>,
    flag: &'static str,
    words: &[String],
) -> Result<(), Message> {
    if words.is_empty() {
        return Ok(());
    }
    let read = |word: &String| {
        let (key, text) = word.split_once('=').ok_or_else(|| {
            message!("{flag}: \"{word}\" is not key=value" | "{flag}：“{word}” 不是 key=value", flag, word)
        })?;
        let float = |text: &str| text.parse().ok().and_then(Number::from_f64);
        let value = match text.parse::<i64>() {
            // Files have any name.
            _ if ["file", "format"].contains(&key) => text.into(),
            Ok(number) => number.into(),
            Err(_) if ["true", "false"].contains(&text) => (text == "true").into(),
            Err(_) => float(text).map_or_else(|| text.into(), Value::Number),
        };
        Ok((key.to_owned(), value))
    };
    let table: Map<String, Value> = words.iter().map(read).collect::<Result<_, Message>>()?;
    let why = |why| message!("{flag}: {why}" | "{flag}：{why}", flag, why);
    *slot = Some(serde_json::from_value(table.into()).map_err(why)?);
    Ok(())
}
