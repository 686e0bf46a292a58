//! `sanqi match`: tournaments between engines of any protocol.

use super::{Failure, Outcome, say};
use crate::arbiter::adjudicate::{Draw, Resign};
use crate::arbiter::config::{MatchConfig, engine_from_words};
use crate::arbiter::openings::{OpeningSource, Openings, Order};
use crate::arbiter::pgn::{self, Headings};
use crate::arbiter::record::{GameKind, GameRecord};
use crate::arbiter::schedule::{Fixture, Format};
use crate::arbiter::standings::Standings;
use crate::arbiter::stats::{Decision, EloModel, Sprt, Tally};
use crate::arbiter::tournament::{self, Observer};
use clap::ArgMatches;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// Settings from a TOML file; the other flags override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What is played
    #[arg(long, value_parser = ["chess", "chess960", "xiangqi", "go"])]
    game: Option<String>,
    /// An engine, as words: cmd=PROGRAM name=NAME proto=uci|ucci|gtp option.NAME=VALUE tc= st= nodes= depth=
    /// args= dir= stderr= init= restart=on
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", action = clap::ArgAction::Append)]
    engine: Vec<String>,
    /// Settings of all engines, in the same words
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Time control: 8+0.08, 40/60, 300+5x30 (byo-yomi), 300+25/60 (Canadian), st=1, inf
    #[arg(long)]
    tc: Option<String>,
    /// Games of an encounter
    #[arg(long)]
    games: Option<usize>,
    /// Rounds: of a Swiss tournament, or how often everything is played
    #[arg(long)]
    rounds: Option<usize>,
    /// Games at the same time
    #[arg(long)]
    concurrency: Option<usize>,
    /// Openings: FILE, or file=FILE order=random|sequential skip=N
    #[arg(long, num_args = 1.., value_name = "FILE|KEY=VALUE")]
    openings: Vec<String>,
    /// Seed of the order of openings
    #[arg(long, visible_alias = "srand")]
    seed: Option<u64>,
    /// Stop when decided: elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized|logistic
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Adjudicate losses: movecount=3 score=600 twosided=true
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Adjudicate draws: movenumber=40 movecount=8 score=10
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Full moves after which a game is drawn (Go: moves after which it is counted)
    #[arg(long, value_name = "N")]
    maxmoves: Option<usize>,
    /// What a clock forgives a move, in milliseconds
    #[arg(long, value_name = "MS")]
    timemargin: Option<u64>,
    /// Seconds to wait for answers that need no thought
    #[arg(long, value_name = "S")]
    patience: Option<f64>,
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
    /// Xiangqi: who judges repetitions: chinese, asian, computer, none
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
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
    /// Name of the match
    #[arg(long)]
    event: Option<String>,
    /// Where it is played
    #[arg(long)]
    site: Option<String>,
    /// Games between two lines about the score
    #[arg(long, value_name = "N")]
    ratinginterval: Option<usize>,
}

/// Runs the command. `matches` are its own: they still know which words belong to which engine.
pub fn run(args: &Args, matches: &ArgMatches) -> Outcome {
    let mut config = match &args.config {
        Some(file) => MatchConfig::load(file)?,
        None => MatchConfig::default(),
    };
    override_by(args, matches, &mut config)?;
    config.complete()?;
    let openings = match &config.openings {
        Some(source) => Openings::load(source, config.game, &config.rules, config.seed)?,
        None => Openings::none(),
    };
    let mut keeper = Keeper::new(&config)?;
    let outcome = tournament::run(&config, &openings, &[], None, &mut keeper)?;
    keeper.progress.finish(&outcome.standings);
    conclude(&config, &outcome.standings, outcome.decision);
    Ok(())
}

/// The result, the last line being the one that scripts read.
fn conclude(config: &MatchConfig, standings: &Standings, decision: Decision) {
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    if names.len() > 2 {
        for line in table(&names, standings) {
            say(line);
        }
    }
    if let (2, Some(sprt)) = (names.len(), &config.sprt) {
        let verdict = match decision {
            Decision::Accept => "H1 accepted",
            Decision::Reject => "H0 accepted",
            Decision::Continue => "undecided",
        };
        say(format_args!("{}: {verdict}", sprt_line(sprt, &standings.tally(0, 1))));
    }
    let (opponent, tally) = match names[..] {
        [_, other] => (other, standings.tally(0, 1)),
        _ => ("the others", standings.total(0)),
    };
    say(format_args!(
        "{} vs {opponent}: +{} ={} -{}, Elo {}",
        names[0],
        tally.wins,
        tally.draws,
        tally.losses,
        tally.distribution().elo()
    ));
}

/// The players in order: rating, games, points.
fn table(names: &[&str], standings: &Standings) -> Vec<String> {
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
    let ratings = standings.ratings();
    let mut lines = vec![format!(
        "{:>3} {:<width$} {:>16} {:>6} {:>7} {:>6}",
        "", "player", "rating", "games", "points", "%"
    )];
    for (place, player) in standings.order().into_iter().enumerate() {
        let total = standings.total(player);
        lines.push(format!(
            "{:>3} {:<width$} {:>16} {:>6} {:>7.1} {:>6.1}",
            place + 1,
            names[player],
            ratings[player].to_string(),
            total.games(),
            standings.scoring.half_points(&total) as f64 / 2.0,
            100.0 * total.score()
        ));
    }
    lines
}

fn sprt_line(sprt: &Sprt, tally: &Tally) -> String {
    let (lower, upper) = sprt.bounds();
    format!("LLR {:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.llr(tally), sprt.elo0, sprt.elo1)
}

/// Writes games to files and tells of them on stderr.
struct Keeper {
    pgn: Option<File>,
    headings: Headings,
    progress: Progress,
}

impl Keeper {
    fn new(config: &MatchConfig) -> Result<Self, Failure> {
        let open = |path: &PathBuf| {
            let file = File::options().create(true).append(true).open(path);
            file.map_err(|e| Failure(format!("{}: {e}", path.display())))
        };
        Ok(Self {
            pgn: config.pgn.as_ref().map(open).transpose()?,
            headings: Headings { event: config.event.clone(), site: config.site.clone() },
            progress: Progress::new(config),
        })
    }
}

impl Observer for Keeper {
    fn started(&mut self, fixture: &Fixture) {
        self.progress.started(fixture);
    }

    fn finished(&mut self, record: &GameRecord, standings: &Standings) -> Result<(), String> {
        if let Some(file) = &mut self.pgn {
            let text = pgn::write(record, &self.headings);
            file.write_all(text.as_bytes()).map_err(|e| format!("cannot write the PGN: {e}"))?;
        }
        self.progress.finished(record, standings);
        Ok(())
    }
}

/// Lines on stderr.
struct Progress {
    names: Vec<String>,
    sprt: Option<Sprt>,
    interval: usize,
    finished: usize,
}

impl Progress {
    fn new(config: &MatchConfig) -> Self {
        Self {
            names: config.engines.iter().map(|e| e.name.clone()).collect(),
            sprt: config.sprt,
            interval: config.ratinginterval.max(1),
            finished: 0,
        }
    }

    fn started(&self, fixture: &Fixture) {
        let [first, second] = fixture.seats.map(|i| &self.names[i]);
        eprintln!("Started game {} ({first} vs {second})", fixture.number + 1);
    }

    fn finished(&mut self, record: &GameRecord, standings: &Standings) {
        let [first, second] = &record.names;
        let ending = &record.ending;
        eprintln!(
            "Finished game {} ({first} vs {second}): {} {{{}}}",
            record.number + 1,
            ending.result(),
            ending.detail
        );
        self.finished += 1;
        if self.finished.is_multiple_of(self.interval) {
            self.score(standings);
        }
    }

    fn finish(&self, standings: &Standings) {
        if !self.finished.is_multiple_of(self.interval) {
            self.score(standings);
        }
    }

    fn score(&self, standings: &Standings) {
        if self.names.len() > 2 {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            for line in table(&names, standings) {
                eprintln!("{line}");
            }
            return;
        }
        let tally = standings.tally(0, 1);
        let d = tally.distribution();
        eprintln!(
            "Score of {} vs {}: +{} ={} -{} [{:.3}] {} games, pairs {:?}",
            self.names[0],
            self.names[1],
            tally.wins,
            tally.draws,
            tally.losses,
            tally.score(),
            tally.games(),
            tally.pairs
        );
        eprintln!(
            "Elo {}, nElo {}, LOS {:.1} %, draws {:.1} %",
            d.elo(),
            d.normalized_elo(),
            100.0 * d.superiority(),
            100.0 * tally.draws as f64 / tally.games().max(1) as f64
        );
        if let Some(sprt) = &self.sprt {
            eprintln!("{}", sprt_line(sprt, &tally));
        }
    }
}

/// The words of each occurrence of a flag.
fn occurrences(matches: &ArgMatches, flag: &str) -> Vec<Vec<String>> {
    matches
        .get_occurrences::<String>(flag)
        .map(|all| all.map(|words| words.cloned().collect()).collect())
        .unwrap_or_default()
}

fn override_by(args: &Args, matches: &ArgMatches, config: &mut MatchConfig) -> Result<(), Failure> {
    if let Some(name) = &args.game {
        config.game = GameKind::ALL.into_iter().find(|k| k.name() == name).unwrap_or_default();
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
        config.tc = tc.parse()?;
    }
    if !args.openings.is_empty() {
        config.openings = Some(opening_source(&args.openings)?);
    }
    if !args.sprt.is_empty() {
        config.sprt = Some(sprt(&args.sprt)?);
    }
    set(&mut config.games, args.games);
    set(&mut config.rounds, args.rounds);
    set(&mut config.concurrency, args.concurrency);
    set(&mut config.seed, args.seed);
    set(&mut config.margin_ms, args.timemargin);
    set(&mut config.patience.ready, args.patience);
    set(&mut config.ratinginterval, args.ratinginterval);
    set(&mut config.event, args.event.clone());
    set(&mut config.site, args.site.clone());
    set(&mut config.rules.repetition.rules, args.rules.clone());
    set(&mut config.rules.go.size, args.size);
    set(&mut config.rules.go.komi, args.komi);
    set(&mut config.rules.go.handicap, args.handicap);
    config.pgn = args.pgnout.clone().or_else(|| config.pgn.take());
    config.adjudication.max_moves = args.maxmoves.or(config.adjudication.max_moves);
    for (chosen, format) in [
        (args.round_robin, Format::RoundRobin),
        (args.gauntlet, Format::Gauntlet),
        (args.swiss, Format::Swiss),
        (args.knockout, Format::Knockout),
    ] {
        if chosen {
            config.format = format;
        }
    }
    adjudication(args, config)
}

fn set<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

fn adjudication(args: &Args, config: &mut MatchConfig) -> Result<(), Failure> {
    if !args.resign.is_empty() {
        let words = Words::new("resign", &args.resign, &["movecount", "score", "twosided"])?;
        config.adjudication.resign = Some(Resign {
            movecount: words.get("movecount", 3)?,
            score: words.get("score", 600)?,
            twosided: words.get("twosided", false)?,
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

fn sprt(words: &[String]) -> Result<Sprt, Failure> {
    let words = Words::new("sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let model = match words.get("model", "normalized".to_owned())?.as_str() {
        "normalized" => EloModel::Normalized,
        "logistic" => EloModel::Logistic,
        other => return Err(Failure(format!("sprt: unknown model {other:?}: normalized or logistic"))),
    };
    let test = Sprt {
        elo0: words.get("elo0", 0.0)?,
        elo1: words.get("elo1", 5.0)?,
        alpha: words.get("alpha", 0.05)?,
        beta: words.get("beta", 0.05)?,
        model,
    };
    let chance = |p: f64| p > 0.0 && p < 0.5;
    if test.elo0 >= test.elo1 || !chance(test.alpha) || !chance(test.beta) {
        return Err(Failure("sprt: elo0 must be below elo1, alpha and beta between 0 and 0.5".to_owned()));
    }
    Ok(test)
}

fn opening_source(words: &[String]) -> Result<OpeningSource, Failure> {
    if let [file] = words
        && !file.starts_with("file=")
    {
        return Ok(OpeningSource { file: file.into(), order: Order::default(), skip: 0 });
    }
    let words = Words::new("openings", words, &["file", "order", "skip", "format"])?;
    let order = match words.get("order", "random".to_owned())?.as_str() {
        "random" => Order::Random,
        "sequential" => Order::Sequential,
        other => return Err(Failure(format!("openings: unknown order {other:?}: random or sequential"))),
    };
    Ok(OpeningSource { file: words.get("file", String::new())?.into(), order, skip: words.get("skip", 0)? })
}

/// `key=value` words of one flag.
struct Words<'a> {
    flag: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    fn new(flag: &'static str, words: &'a [String], known: &[&str]) -> Result<Self, Failure> {
        let pairs = words
            .iter()
            .map(|word| match word.split_once('=') {
                Some((key, value)) if known.contains(&key) => Ok((key, value)),
                _ => {
                    Err(Failure(format!("{flag}: {word:?} is not one of {}, with =value", known.join(", "))))
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { flag, pairs })
    }

    fn get<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T, Failure> {
        match self.pairs.iter().rfind(|(k, _)| *k == key) {
            Some((_, text)) => {
                text.parse().map_err(|_| Failure(format!("{}: {key}={text} cannot be read", self.flag)))
            }
            None => Ok(default),
        }
    }
}
