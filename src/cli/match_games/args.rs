//! The flags of a match, and how they change its configuration.

use crate::app::language::LanguageArg;
use crate::arbiter::adjudicate::{Decided, Draw, Resign, Tablebases};
use crate::arbiter::config::{Forfeit, MatchConfig, engine_from_words};
use crate::arbiter::schedule::{Format, TieBreak};
use crate::arbiter::standings::Scoring;
use crate::arbiter::stats::{EloModel, Sprt};
use crate::games::openings::{OpeningSource, Order};
use crate::games::record::{GameKind, Style};
use crate::games::time::Control;
use crate::util::message::Message;
use crate::util::shard::Shard;
use clap::ArgMatches;
use std::path::{Path, PathBuf};

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
    /// Settings from a TOML file; the other flags override it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What is played
    #[arg(long, value_parser = ["chess", "chess960", "xiangqi", "go"])]
    game: Option<String>,
    /// The same in the words of other managers
    #[arg(long, hide = true, value_parser = ["standard", "fischerandom", "xiangqi"], conflicts_with = "game")]
    variant: Option<String>,
    /// An engine, as words: cmd=PROGRAM name=NAME proto=uci|ucci|gtp|xboard option.NAME=VALUE tc= st= nodes= depth=
    /// timemargin= args= dir= stderr= init= restart=on ponder=on
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", action = clap::ArgAction::Append)]
    engine: Vec<String>,
    /// Settings of all engines, in the same words
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Time control: 8+0.08, 40/60, 40/90:00+30,30:00+30, 300+5x30 (byo-yomi), 300+25/60 (Canadian), st=1, inf; or nodes=N, depth=N
    #[arg(long)]
    tc: Option<String>,
    /// Games of an encounter; two in a row have one opening and colors reversed
    #[arg(long)]
    games: Option<usize>,
    /// What always happens here: pairs of games, and engines started again after a crash
    #[arg(long, hide = true, num_args = 0..=1)]
    repeat: Option<Option<usize>>,
    #[arg(long, hide = true)]
    recover: bool,
    /// Rounds: of a Swiss tournament, or how often everything is played
    #[arg(long)]
    rounds: Option<usize>,
    /// Games at the same time
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Openings, else balanced ones of the program: FILE or none (the usual start), or file=FILE
    /// format=epd|pgn|sgf|xqf|cbr|cbl order=random|sequential start=N plies=N
    #[arg(long, num_args = 1.., value_name = "FILE|KEY=VALUE")]
    openings: Vec<String>,
    /// Seed of the order of openings
    #[arg(long, visible_alias = "srand")]
    seed: Option<u64>,
    /// Stop when decided: elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized|logistic
    #[arg(long, num_args = 0.., default_missing_value = "elo0=0", value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Adjudicate losses: movecount=3 score=600 twosided=true
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Adjudicate draws: movenumber=40 movecount=8 score=10
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Chess: adjudicate by the Syzygy tables in these folders
    #[arg(long, value_name = "PATHS")]
    tb: Option<String>,
    /// Ask them about positions with at most so many pieces
    #[arg(long, visible_alias = "tb-pieces", value_name = "N", requires = "tb")]
    tbpieces: Option<usize>,
    /// Ask them as if there were no fifty-move rule
    #[arg(long, visible_alias = "tb-ignore50", requires = "tb")]
    tbignore50: bool,
    /// Which of their results end a game
    #[arg(long, visible_alias = "tb-adjudicate", requires = "tb", value_parser = ["BOTH", "WIN_LOSS", "DRAW"])]
    tbadjudicate: Option<String>,
    /// Full moves after which a game is drawn (Go: moves after which it is counted)
    #[arg(long, value_name = "N")]
    maxmoves: Option<usize>,
    /// What a clock forgives a move, in milliseconds
    #[arg(long, value_name = "MS")]
    timemargin: Option<u64>,
    /// Seconds to wait for answers that need no thought
    #[arg(long, value_name = "S")]
    patience: Option<f64>,
    /// One of the formats below
    #[arg(long, hide = true, group = "format", value_parser = ["roundrobin", "round-robin", "gauntlet", "swiss", "knockout"])]
    tournament: Option<String>,
    /// Everybody plays everybody (the default)
    #[arg(long, group = "format")]
    round_robin: bool,
    /// The first engine plays all others
    #[arg(long, group = "format")]
    gauntlet: bool,
    /// Players with like scores meet, for --rounds rounds
    #[arg(long, group = "format")]
    swiss: bool,
    /// Who loses an encounter is out
    #[arg(long, group = "format")]
    knockout: bool,
    /// Everybody plays everybody of its group, then the first two of each group play a knockout crosswise: 2, 4, 8
    #[arg(long, value_name = "N", group = "format")]
    groups: Option<usize>,
    /// What decides a level encounter of a knockout or a play-off: more pairs of games, or one game that a draw loses
    /// for the side that moves first, colors by lot
    #[arg(long, value_parser = ["pairs", "deciding-game"])]
    tie_break: Option<String>,
    /// Players whom the table leaves level for the first place, or for one that goes on, play for it
    #[arg(long)]
    play_off: bool,
    /// An engine that cannot be started forfeits its games: each brings its opponent a win, or 2 points of 3/1/0
    #[arg(long, value_name = "POINTS", value_parser = ["win", "2"])]
    forfeit: Option<String>,
    /// How points are counted
    #[arg(long, value_parser = ["1/0.5/0", "3/1/0"])]
    scoring: Option<String>,
    /// Xiangqi: who judges repetitions: chinese, asian, computer, none; Go: the rule set, such as tromp-taylor
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Xiangqi: half-moves without a capture that draw; 0 is no limit
    #[arg(long, value_name = "N")]
    no_progress: Option<u16>,
    /// Draws are won by the side that moves second, in every game
    #[arg(long)]
    deciding_game: bool,
    /// Fouls that lose a game: offers of a draw that are repeated with nothing captured and no mind changed; 0: none
    #[arg(long, value_name = "N")]
    fouls: Option<u32>,
    /// Xiangqi: how moves are written in records
    #[arg(long, value_parser = Style::NAMES)]
    notation: Option<String>,
    /// Go: rows and columns
    #[arg(long)]
    size: Option<usize>,
    /// Go: points given to White
    #[arg(long)]
    komi: Option<f32>,
    /// Go: handicap stones
    #[arg(long)]
    handicap: Option<usize>,
    /// Go: an engine that settles disputes about dead stones
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    third: Vec<String>,
    /// Write games as PGN
    #[arg(long, visible_alias = "pgn", value_name = "FILE")]
    pgnout: Option<PathBuf>,
    /// Go: write games as SGF, one after the other
    #[arg(long, visible_alias = "sgf", value_name = "FILE")]
    sgfout: Option<PathBuf>,
    /// Keep a journal, from which an interrupted match can be resumed
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
    /// Go on with an interrupted match; all its settings are in the journal
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["config", "engine", "each", "third", "game",
        "variant", "journal", "tc", "openings", "seed", "format", "tie_break", "play_off", "rules", "scoring", "size", "komi",
        "handicap"])]
    pub resume: Option<PathBuf>,
    /// Play part i of N, from 0: pairs of games are dealt to the parts in turn, for several machines. Needs --journal
    #[arg(long, value_name = "i/N", conflicts_with = "resume")]
    shard: Option<Shard>,
    /// Make one match of the journals of its parts: the result, and what --journal, --pgnout, --sgfout and --report name.
    /// A game that two journals have counts once
    #[arg(long, num_args = 1.., value_name = "FILE.jsonl", conflicts_with_all = ["resume", "shard", "config", "engine",
        "each", "third", "game", "variant", "tc", "openings", "seed", "format", "tie_break", "play_off", "rules", "scoring",
        "size", "komi", "handicap", "trace", "resign", "draw", "tb", "maxmoves", "timemargin", "patience", "no_progress",
        "deciding_game", "fouls"])]
    pub merge: Vec<PathBuf>,
    /// Keep every line to and from the engines, for `sanqi replay`
    #[arg(long, value_name = "FILE.jsonl")]
    trace: Option<PathBuf>,
    /// Write a page that shows the match
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Name of the match
    #[arg(long)]
    event: Option<String>,
    /// Where it is played
    #[arg(long)]
    site: Option<String>,
    /// Games between two lines about the score
    #[arg(long, value_name = "N")]
    ratinginterval: Option<usize>,
    /// Of the report
    #[command(flatten)]
    pub language: LanguageArg,
}

/// The words of each occurrence of a flag.
fn occurrences(matches: &ArgMatches, flag: &str) -> Vec<Vec<String>> {
    matches
        .get_occurrences::<String>(flag)
        .map(|all| all.map(|words| words.cloned().collect()).collect())
        .unwrap_or_default()
}

/// Changes `config` by the flags given.
/// # Errors
/// Names the flag that cannot be read.
pub fn override_by(args: &Args, matches: &ArgMatches, config: &mut MatchConfig) -> Result<(), Message> {
    if let Some(name) = &args.game {
        config.game = GameKind::from_name(name).unwrap_or_default();
    }
    if let Some(variant) = &args.variant {
        config.game = match variant.as_str() {
            "fischerandom" => GameKind::CHESS960,
            "xiangqi" => GameKind::XIANGQI,
            _ => GameKind::CHESS,
        };
    }
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
        // What the file has for all engines gives way.
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
    if !args.openings.is_empty() {
        config.openings = Some(opening_source(&args.openings)?);
    }
    if !args.sprt.is_empty() {
        config.sprt = Some(sprt(&args.sprt)?);
    }
    set(&mut config.games, args.games);
    set(&mut config.rounds, args.rounds);
    set(&mut config.concurrency, args.concurrency.map(usize::from));
    set(&mut config.seed, args.seed);
    set(&mut config.shard, args.shard);
    set(&mut config.margin_ms, args.timemargin);
    set(&mut config.patience.ready, args.patience);
    set(&mut config.ratinginterval, args.ratinginterval);
    set(&mut config.event, args.event.clone());
    set(&mut config.site, args.site.clone());
    set(&mut config.rules.repetition.no_progress, args.no_progress);
    config.rules.deciding_game |= args.deciding_game;
    set(&mut config.rules.fouls, args.fouls);
    set(&mut config.notation, args.notation.as_deref().and_then(Style::from_name));
    match config.game {
        GameKind::GO => set(&mut config.rules.go.rules, args.rules.clone()),
        _ => set(&mut config.rules.repetition.rules, args.rules.clone()),
    }
    let scoring = |text: &String| if text == "3/1/0" { Scoring::Three } else { Scoring::Half };
    set(&mut config.scoring, args.scoring.as_ref().map(scoring));
    set(&mut config.rules.go.size, args.size);
    set(&mut config.rules.go.komi, args.komi);
    set(&mut config.rules.go.handicap, args.handicap);
    for (slot, flag) in [
        (&mut config.pgn, &args.pgnout),
        (&mut config.sgf, &args.sgfout),
        (&mut config.journal, &args.journal),
        (&mut config.trace, &args.trace),
        (&mut config.report, &args.report),
    ] {
        if let Some(path) = flag {
            *slot = Some(without_key(path));
        }
    }
    config.adjudication.max_moves = args.maxmoves.or(config.adjudication.max_moves);
    format(args, config);
    adjudication(args, config)
}

/// Who meets whom, and what becomes of ties and of engines that cannot play.
fn format(args: &Args, config: &mut MatchConfig) {
    let named = |name| args.tournament.as_deref() == Some(name);
    for (chosen, format) in [
        (named("gauntlet"), Format::Gauntlet),
        (named("swiss"), Format::Swiss),
        (named("knockout"), Format::Knockout),
        (args.groups.is_some(), Format::Groups),
        (args.round_robin, Format::RoundRobin),
        (args.gauntlet, Format::Gauntlet),
        (args.swiss, Format::Swiss),
        (args.knockout, Format::Knockout),
    ] {
        if chosen {
            config.format = format;
        }
    }
    set(&mut config.groups, args.groups);
    config.play_off |= args.play_off;
    let tie_break = args.tie_break.as_deref().map(|name| match name {
        "deciding-game" => TieBreak::DecidingGame,
        _ => TieBreak::Pairs,
    });
    set(&mut config.tie_break, tie_break);
    let forfeit = |points: &str| if points == "2" { Forfeit::TwoPoints } else { Forfeit::Win };
    config.forfeit = args.forfeit.as_deref().map(forfeit).or(config.forfeit);
}

fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

/// The path, or that of `file=PATH` as other managers write it.
fn without_key(path: &Path) -> PathBuf {
    path.to_str().and_then(|text| text.strip_prefix("file=")).map_or_else(|| path.to_owned(), PathBuf::from)
}

fn adjudication(args: &Args, config: &mut MatchConfig) -> Result<(), Message> {
    if !args.resign.is_empty() {
        let words = Words::new("resign", &args.resign, &["movecount", "score", "twosided"])?;
        config.adjudication.resign = Some(Resign {
            movecount: words.get("movecount", 3)?,
            score: words.get("score", 600)?,
            twosided: words.get("twosided", false)?,
        });
    }
    if let Some(path) = &args.tb {
        config.adjudication.tb = Some(Tablebases {
            path: path.clone(),
            pieces: args.tbpieces.unwrap_or(0),
            ignore50: args.tbignore50,
            adjudicate: match args.tbadjudicate.as_deref() {
                Some("WIN_LOSS") => Decided::WinLoss,
                Some("DRAW") => Decided::Draw,
                _ => Decided::Both,
            },
        });
    }
    if !args.draw.is_empty() {
        let words = Words::new("draw", &args.draw, &["movenumber", "movecount", "score"])?;
        config.adjudication.draw = Some(Draw {
            movenumber: words.get("movenumber", 40)?,
            movecount: words.get("movecount", 8)?,
            score: words.get("score", 10)?,
        });
    }
    Ok(())
}

fn sprt(words: &[String]) -> Result<Sprt, Message> {
    let words = Words::new("sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let model = match words.get("model", "normalized".to_owned())?.as_str() {
        "normalized" => EloModel::Normalized,
        "logistic" => EloModel::Logistic,
        other => return Err(Message::from(format!("sprt: unknown model {other:?}: normalized or logistic"))),
    };
    let test = Sprt {
        elo0: words.get("elo0", 0.0)?,
        elo1: words.get("elo1", 5.0)?,
        alpha: words.get("alpha", 0.05)?,
        beta: words.get("beta", 0.05)?,
        model,
    };
    test.check()?;
    Ok(test)
}

fn opening_source(words: &[String]) -> Result<OpeningSource, Message> {
    if let [file] = words
        && !file.starts_with("file=")
    {
        return Ok(OpeningSource::all(file.into()));
    }
    let words = Words::new("openings", words, &["file", "format", "order", "start", "skip", "plies"])?;
    let order = match words.get("order", "random".to_owned())?.as_str() {
        "random" => Order::Random,
        "sequential" => Order::Sequential,
        other => {
            return Err(Message::from(format!("openings: unknown order {other:?}: random or sequential")));
        }
    };
    Ok(OpeningSource {
        file: words.get("file", String::new())?.into(),
        order,
        skip: words.get("skip", words.get("start", 1usize)?.saturating_sub(1))?,
        plies: words.get("plies", usize::MAX)?,
        format: words.find("format").map(str::to_owned),
    })
}

/// `key=value` words of one flag.
struct Words<'a> {
    flag: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    fn new(flag: &'static str, words: &'a [String], known: &[&str]) -> Result<Self, Message> {
        let pairs = words
            .iter()
            .map(|word| match word.split_once('=') {
                Some((key, value)) if known.contains(&key) => Ok((key, value)),
                _ => Err(Message::from(format!(
                    "{flag}: {word:?} is not one of {}, with =value",
                    known.join(", ")
                ))),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { flag, pairs })
    }

    fn find(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().rfind(|(k, _)| *k == key).map(|(_, text)| *text)
    }

    fn get<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T, Message> {
        match self.find(key) {
            Some(text) => {
                text.parse().map_err(|_| Message::from(format!("{}: {key}={text} cannot be read", self.flag)))
            }
            None => Ok(default),
        }
    }
}
