//! `sanqi match`: tournaments between engines of any protocol. `sanqi replay`: one game's protocol traffic.

mod args;
pub mod progress;
pub mod replay;

pub use args::Args;

use super::{Failure, Outcome, misuse, say};
use crate::arbiter::config::MatchConfig;
use crate::arbiter::journal::{self, Journal};
use crate::arbiter::openings::Openings;
use crate::arbiter::pgn::{self, Headings};
use crate::arbiter::record::{GameKind, GameRecord};
use crate::arbiter::schedule::Fixture;
use crate::arbiter::standings::Standings;
use crate::arbiter::stats::Decision;
use crate::arbiter::tournament::{self, Observer, Outcome as MatchOutcome};
use crate::arbiter::{report, sgf};
use clap::ArgMatches;
use progress::{Progress, crosstable, sprt_line, table};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Runs the command. `matches` are its own: they still know which words belong to which engine.
pub fn run(args: &Args, matches: &ArgMatches) -> Outcome {
    let (config, journal, earlier) = match &args.resume {
        Some(path) => {
            let (journal, kept) = Journal::resume(path)?;
            let mut config = kept.config;
            args::override_by(args, matches, &mut config).unwrap_or_else(|why| misuse("match", why));
            (config, Some(journal), kept.games)
        }
        None => {
            let mut config = match &args.config {
                Some(file) => MatchConfig::load(file)?,
                None => MatchConfig::default(),
            };
            args::override_by(args, matches, &mut config).unwrap_or_else(|why| misuse("match", why));
            config.complete().unwrap_or_else(|why| misuse("match", why));
            let journal = config.journal.as_ref().map(|path| Journal::create(path, &config)).transpose()?;
            (config, journal, Vec::new())
        }
    };
    let openings = match &config.openings {
        Some(source) => Openings::load(source, config.game, &config.rules, config.seed)?,
        None => Openings::none(),
    };
    openings.continue_from(&earlier)?;
    let tap = config.trace.as_deref().map(journal::trace_to).transpose()?;
    let mut keeper = Keeper::new(&config, journal, earlier)?;
    let earlier = keeper.games.clone();
    let outcome = tournament::run(&config, &openings, &earlier, tap, &mut keeper)?;
    keeper.progress.finish(&outcome.standings);
    if let Some(path) = &config.report {
        keeper.games.sort_by_key(|game| game.number);
        let page = report::render(&config, &keeper.games, &outcome);
        std::fs::write(path, page).map_err(|e| Failure(format!("{}: {e}", path.display())))?;
    }
    conclude(&config, &outcome);
    Ok(())
}

/// The result, the last line being the one that scripts read.
fn conclude(config: &MatchConfig, outcome: &MatchOutcome) {
    let standings = &outcome.standings;
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    if names.len() > 2 {
        for line in table(&names, standings).into_iter().chain(crosstable(&names, standings)) {
            say(line);
        }
        if let Some(champion) = outcome.champion {
            say(format_args!("{} wins the knockout", names[champion]));
        }
    }
    if let (2, Some(sprt)) = (names.len(), &config.sprt) {
        let verdict = match outcome.decision {
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

/// Writes games to files and tells of them on stderr.
struct Keeper {
    journal: Option<Journal>,
    pgn: Option<File>,
    sgf: Option<File>,
    headings: Headings,
    /// All games, those before an interruption too.
    games: Vec<GameRecord>,
    progress: Progress,
}

impl Keeper {
    /// Opens the files. After an interruption they are written anew from the journal, which alone is sure to
    /// have every game once.
    fn new(config: &MatchConfig, journal: Option<Journal>, games: Vec<GameRecord>) -> Result<Self, Failure> {
        let resumed = !games.is_empty();
        let open = |path: &Path| {
            let mut options = File::options();
            let options = if resumed { options.write(true).truncate(true) } else { options.append(true) };
            options.create(true).open(path).map_err(|e| Failure(format!("{}: {e}", path.display())))
        };
        let is_go = config.game == GameKind::Go;
        let mut keeper = Self {
            journal,
            pgn: config.pgn.as_deref().filter(|_| !is_go).map(open).transpose()?,
            sgf: config.sgf.as_deref().filter(|_| is_go).map(open).transpose()?,
            headings: Headings { event: config.event.clone(), site: config.site.clone() },
            games: Vec::new(),
            progress: Progress::new(config, &games),
        };
        for game in &games {
            keeper.write(game)?;
        }
        keeper.games = games;
        Ok(keeper)
    }

    fn write(&mut self, record: &GameRecord) -> Result<(), String> {
        if let Some(file) = &mut self.pgn {
            let text = pgn::write(record, &self.headings);
            file.write_all(text.as_bytes()).map_err(|e| format!("cannot write the PGN: {e}"))?;
        }
        if let Some(file) = &mut self.sgf {
            let text = sgf::write(record, &self.headings)?;
            file.write_all(text.as_bytes()).map_err(|e| format!("cannot write the SGF: {e}"))?;
        }
        Ok(())
    }
}

impl Observer for Keeper {
    fn started(&mut self, fixture: &Fixture) {
        self.progress.started(fixture);
    }

    fn remarked(&mut self, engine: &str, remark: &str) {
        self.progress.remarked(engine, remark);
    }

    fn finished(&mut self, record: &GameRecord, standings: &Standings) -> Result<(), String> {
        if let Some(journal) = &mut self.journal {
            journal.game(record)?;
        }
        self.write(record)?;
        self.games.push(record.clone());
        self.progress.finished(record, standings);
        Ok(())
    }
}
