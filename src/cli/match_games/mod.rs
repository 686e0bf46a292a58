//! `sanqi match`: tournaments between engines of any protocol. `sanqi replay`: one game's protocol traffic.

mod args;
#[cfg(feature = "serve")]
mod pages;
pub mod progress;
pub mod replay;
mod printer;
mod terminal;

pub use args::Args;

use crate::app::console::misuse;
use crate::app::console::{Outcome, at, say};
use crate::app::language::in_language;
use crate::arbiter::config::{MERGE_MAY_CHANGE, MatchConfig, RESUME_MAY_CHANGE};
use crate::arbiter::cup;
use crate::arbiter::fixture::Fixture;
use crate::arbiter::hall::Hall;
use crate::arbiter::journal::{Journal, Trace};
use crate::arbiter::live::LiveMatch;
use crate::arbiter::standings::Standings;
use crate::arbiter::stats::Decision;
use crate::arbiter::tournament::{self, MatchObserver, MatchOutcome, Trial};
use crate::arbiter::watch::Watch;
use crate::arbiter::{merge, report};
use crate::client::cancel::CancelToken;
use crate::client::detect::other_protocol;
use crate::client::player::EngineSpec;
use crate::games::formats::pgn::{self, Headings};
use crate::games::formats::sgf;
use crate::games::game_file::GameFile;
use crate::games::openings::Openings;
use crate::games::record::{GameKind, GameRecord, Opening};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::{self, remark};
use crate::util::{files, stdout, words};
use clap::ArgMatches;
use crossbeam::channel::Sender;
use printer::MatchPrinter;
use progress::{Progress, crosstable, sprt_line, table};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Runs the command. `matches` are its own: they still know which words belong to which engine.
pub fn run(args: &Args, matches: &ArgMatches) -> Outcome {
    let language = args.language.language();
    in_language(language, play(args, matches, language))
}

fn play(args: &Args, matches: &ArgMatches, language: Language) -> Outcome {
    if !args.merge.is_empty() {
        return merge_parts(args, matches, language);
    }
    let (mut config, kept) = match &args.resume {
        Some(path) => {
            let (journal, kept) = Journal::resume(path)?;
            let mut config =
                overridden(&kept.config, args, matches, ("--resume", RESUME_MAY_CHANGE), language);
            config.check_tables().unwrap_or_else(|why| misuse::<Args>("match", why.text(language)));
            kept.goes_on_by(&config).map_err(|why| at(path, why))?;
            MatchConfig { journal: Some(path.clone()), ..config.clone() }.check_files(&[])?;
            config.journal.clone_from(&kept.config.journal);
            let news = (config != kept.config).then(|| config.clone());
            config.journal = Some(path.clone());
            for EngineSpec { name, cmd, args, .. } in config.engines.iter().filter(|player| !player.human) {
                let command: Vec<&str> = [cmd].into_iter().chain(args).map(String::as_str).collect();
                remark!("{}", words::started_by(language, name, command.join(" ")));
            }
            (config, Some((journal, news, kept.games)))
        }
        None => {
            let mut config = match &args.config {
                Some(file) => MatchConfig::load(file)?,
                None => MatchConfig::default(),
            };
            args::override_by(args, matches, &mut config)
                .unwrap_or_else(|why| misuse::<Args>("match", why.text(language)));
            config.complete().unwrap_or_else(|why| misuse::<Args>("match", why.text(language)));
            let read: Vec<_> = args
                .config
                .iter()
                .map(|file| (message!("the settings" | "比赛设置"), file.as_path()))
                .collect();
            config.check_files(&read)?;
            (config, None)
        }
    };
    let openings = openings(&config, kept.as_ref().map_or(&[], |(.., games)| games), language)?;
    try_report(&config)?;
    let trace = config.trace.as_deref().map(Trace::open).transpose()?;
    let games = kept.as_ref().map_or(&[][..], |(.., games)| games);
    let (to_seat, lines) = terminal::lines();
    let mut files = MatchFiles::new(&config, games, config.at_terminal().map(|_| to_seat), language)?;
    let cancel = CancelToken::default();
    let on_signal = cancel.clone();
    // Without the handler a signal ends the match as it ends any program: the journal has it all.
    let is_detecting = Arc::new(AtomicBool::new(false));
    let nothing_to_lose = Arc::clone(&is_detecting);
    let _ = ctrlc::set_handler(move || match on_signal.is_cancelled() || nothing_to_lose.load(Relaxed) {
        // Asked a second time, or before the first game: whatever is being waited for is not worth it.
        true => system::interrupted(),
        false => {
            on_signal.cancel();
            // Nor is it when the output is not read.
            for wait in [|| stdout::wait_until_unread(UNREAD), || std::thread::sleep(LAST_WORDS)] {
                let _ = std::thread::Builder::new().spawn(move || {
                    wait();
                    system::interrupted();
                });
            }
        }
    });
    if kept.is_none() {
        is_detecting.store(true, Relaxed);
        detect_protocols(&mut config, language);
        is_detecting.store(false, Relaxed);
    }
    let trials = tournament::try_engines(&config, openings.first_fen(), &cancel, &mut files)?;
    let earlier = match kept {
        Some((mut journal, news, games)) => {
            openings.continue_from(&games)?;
            if let Some(news) = news {
                // The settings of a later --resume.
                journal.settings(&news)?;
            }
            files.journal = Some(journal);
            files.go_on(&config, &games)?;
            games
        }
        None => {
            files.journal = config.journal.as_ref().map(|path| Journal::create(path, &config)).transpose()?;
            Vec::new()
        }
    };
    let taps = trace.as_ref().map(Trace::taps);
    #[cfg(feature = "serve")]
    if args.serve.is_some() || config.has_people() {
        let live = Arc::new(LiveMatch::new(&config, &earlier));
        let hall = Arc::new(config.hall());
        let at_terminal = config.at_terminal();
        let pages =
            Arc::new(pages::MatchPages { live: Arc::clone(&live), hall: Arc::clone(&hall), at_terminal });
        pages::start(pages, args.listen, args.serve.flatten().unwrap_or(0), language)?;
        (files.live, files.hall) = (Some(live), Some(hall));
    }
    #[cfg(not(feature = "serve"))]
    if config.has_people() {
        crate::ensure!(
            config.engines.iter().all(|player| player.terminal || !player.human),
            "this program was built without the pages on which persons play" | "本程序没有编入供人对局的网页"
        );
        files.hall = Some(Arc::new(config.hall()));
    }
    let seat = config.at_terminal().zip(files.hall.clone());
    let _seat = terminal::sit(seat, lines, cancel.clone(), language)?;
    let outcome = tournament::run(&config, &openings, &trials, &earlier, taps, &cancel, &mut files)?;
    files.finish(&config, &outcome, &trials)?;
    if let Some((path, why)) = config.trace.as_ref().zip(trace.and_then(|trace| trace.failure())) {
        return Err(message!(
            "{path}: the trace is not whole: {why}" | "{path}：往来记录不完整：{why}",
            path = path.display(),
            why
        ));
    }
    if outcome.interrupted { Err(interrupted(&config, outcome.games, language)) } else { Ok(()) }
}

/// Finds the protocol of engines that do not answer in the usual one of their game and have no `proto=`. One
/// that answers in none is left for the match to report.
fn detect_protocols(config: &mut MatchConfig, language: Language) {
    let (game, patience) = (config.game, Duration::from_secs_f64(config.patience.ready.clamp(0.1, 3600.0)));
    for spec in &mut config.engines {
        if let Some(found) = other_protocol(spec, game, patience) {
            remark!("{}", words::detected_protocol(language, &spec.name, format!("{found:?}")));
            spec.proto = Some(found);
        }
    }
}

/// What a match has to end after a signal, before it is ended.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// The same while its output is not read.
const UNREAD: Duration = Duration::from_secs(1);

/// The settings of a journal with the flags given over them, of which only those in `free` may change
/// anything.
fn overridden(
    kept: &MatchConfig,
    args: &Args,
    matches: &ArgMatches,
    (flag, free): (&str, &[&str]),
    language: Language,
) -> MatchConfig {
    let mut config = kept.clone();
    args::override_by(args, matches, &mut config)
        .and_then(|()| match kept.difference(&config, free) {
            // A table that only one of them has is named as a whole.
            Some((name, values)) => Err(message!(
                "{flag} cannot change `{name}`: it is the same for the whole match"
                    | "{flag} 不能改变 `{name}`：它在整场比赛中保持不变",
                flag,
                name = if values.contains(&None) { name.split('.').next().unwrap_or(&name) } else { &name }
            )),
            None => Ok(config.check()?),
        })
        .unwrap_or_else(|why| misuse::<Args>("match", why.text(language)));
    config
}

fn merge_parts(args: &Args, matches: &ArgMatches, language: Language) -> Outcome {
    let kept = merge::read_and_merge(&args.merge)?;
    let config = overridden(&kept.config, args, matches, ("--merge", MERGE_MAY_CHANGE), language);
    kept.goes_on_by(&config)?;
    let (config, games) = (&config, &kept.games);
    let read: Vec<_> = args
        .merge
        .iter()
        .map(|file| (message!("a journal to merge" | "要合并的日志"), file.as_path()))
        .collect();
    config.check_files(&read)?;
    openings(config, games, language)?.continue_from(games)?;
    try_report(config)?;
    let mut files = MatchFiles::new(config, games, None, language)?;
    if let Some(path) = &config.journal {
        let written = Journal::create(path, config)?.games(games);
        // A part of it would look like a match that goes on.
        written.inspect_err(|_| drop(std::fs::remove_file(path)))?;
    }
    files.go_on(config, games)?;
    let (outcome, missing) = tournament::count(config, games);
    files.finish(config, &outcome, &[])?;
    if outcome.interrupted {
        remark!("{}", words::games_missing(language, missing));
    }
    Ok(())
}

/// Where games start; `earlier` are the games of a match that goes on.
fn openings(config: &MatchConfig, earlier: &[GameRecord], language: Language) -> Result<Openings, Message> {
    match &config.openings {
        Some(source) => {
            let openings = Openings::load(source, config.game, &config.rules, config.seed)?;
            for why in &openings.complaints {
                remark!("{}", words::opening_left_out(language, why.text(language)));
            }
            Ok(openings)
        }
        // Begun before there were positions of our own.
        None if earlier.first().is_some_and(|game| game.opening == Opening::default()) => {
            Ok(Openings::none())
        }
        None => Ok(own_openings(config, language)),
    }
}

/// A report that cannot be written is found out now, not after the last game.
fn try_report(config: &MatchConfig) -> Outcome {
    match &config.report {
        Some(path) => files::try_to_write_named(path).map_err(|e| at(path, e)),
        None => Ok(()),
    }
}

/// Where games start without --openings. Persons begin at the beginning.
fn own_openings(config: &MatchConfig, language: Language) -> Openings {
    let own = Openings::own(config.game, &config.rules, config.seed);
    match own.filter(|_| !config.has_people() || config.game == GameKind::CHESS960) {
        Some(own) => {
            let say = if config.game == GameKind::CHESS960 { words::own_arrays } else { words::own_openings };
            remark!("{}", say(language, own.count()));
            own
        }
        None => {
            remark!("{}", words::usual_start(language));
            Openings::none()
        }
    }
}

/// The failure of a match that was stopped by a signal.
fn interrupted(config: &MatchConfig, games: usize, language: Language) -> Message {
    Message::from(match &config.journal {
        Some(path) => words::resume_by(language, games, path.display()),
        None => words::no_journal(language, games),
    })
}

/// The result. What scripts read, the test's line and the last one, is the same in every language.
fn conclude(config: &MatchConfig, outcome: &MatchOutcome, language: Language) {
    let standings = &outcome.standings;
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    if names.len() > 2 {
        for line in table(&names, standings, language).into_iter().chain(crosstable(&names, standings)) {
            say(line);
        }
    }
    if let Some(cup) = &outcome.cup {
        cup::lines(cup, &names, language, config.tie_break).into_iter().for_each(say);
    }
    if let Some(champion) = report::champion(config, outcome, language) {
        say(champion);
    }
    // Programs read the last lines, which have one language for them.
    let language = if std::io::stdout().is_terminal() { language } else { Language::English };
    let test = config.sprt.as_ref().filter(|_| config.shard.is_whole());
    if let (2, Some(sprt)) = (names.len(), test) {
        let verdict = match outcome.decision {
            Decision::Accept => words::accepted(language, "H1"),
            Decision::Reject => words::accepted(language, "H0"),
            Decision::Continue => words::undecided(language),
        };
        say(format_args!("{}: {verdict}", sprt_line(sprt, &standings.tally(0, 1))));
    }
    say(standings.result_line(&names, language));
}

/// Writes games to files and reports them on stderr.
struct MatchFiles {
    language: Language,
    journal: Option<Journal>,
    pgn: Option<GameFile>,
    sgf: Option<GameFile>,
    headings: Headings,
    /// All games, those before an interruption too.
    games: Vec<GameRecord>,
    /// What spectators see.
    live: Option<Arc<LiveMatch>>,
    /// Where persons play.
    hall: Option<Arc<Hall>>,
    printer: MatchPrinter,
}

impl MatchFiles {
    /// Opens the files of games; `earlier` are those of an interrupted match.
    fn new(
        config: &MatchConfig,
        earlier: &[GameRecord],
        seat: Option<Sender<String>>,
        language: Language,
    ) -> Result<Self, Message> {
        let is_go = config.game == GameKind::GO;
        let open = |path: &PathBuf| GameFile::open(path);
        let unused = match is_go {
            true => config.pgn.as_ref().map(|_| ("--pgnout", "--sgfout")),
            false => config.sgf.as_ref().map(|_| ("--sgfout", "--pgnout")),
        };
        if let Some((flag, other)) = unused {
            remark!("{}", words::other_record(language, flag, other));
        }
        Ok(Self {
            language,
            journal: None,
            pgn: config.pgn.as_ref().filter(|_| !is_go).map(open).transpose()?,
            sgf: config.sgf.as_ref().filter(|_| is_go).map(open).transpose()?,
            headings: Headings { event: config.event.clone(), site: config.site.clone() },
            games: Vec::new(),
            live: None,
            hall: None,
            printer: MatchPrinter::new(Progress::new(config, earlier, seat, language))?,
        })
    }

    /// Takes over the games of an interrupted match: those that the files lack are added. Only the journal
    /// is sure to have every game once.
    fn go_on(&mut self, config: &MatchConfig, games: &[GameRecord]) -> Result<(), Message> {
        self.games = games.to_vec();
        if let Some(file) = &mut self.pgn {
            let texts: Vec<String> = games.iter().map(|game| pgn::write(game, &self.headings)).collect();
            file.complete(&texts, pgn::head(config.game))?;
        }
        if let Some(file) = &mut self.sgf {
            let texts: Result<Vec<String>, Message> =
                games.iter().map(|game| sgf::write(game, &self.headings)).collect();
            file.complete(&texts?, sgf::HEAD)?;
        }
        Ok(())
    }

    /// Reports the result of the match, and writes its report.
    fn finish(mut self, config: &MatchConfig, outcome: &MatchOutcome, trials: &[Trial]) -> Outcome {
        self.live.iter().for_each(|live| live.end());
        self.hall.iter().for_each(|hall| hall.close());
        self.printer.end(&outcome.standings);
        conclude(config, outcome, self.language);
        if let Some(path) = &config.report {
            self.games.sort_by_key(|game| game.number);
            let page = report::render(config, &self.games, outcome, trials, self.language);
            files::write_named(path, page).map_err(|e| at(path, e))?;
        }
        let written = [&config.pgn, &config.sgf, &config.journal, &config.trace, &config.report];
        let written: Vec<_> = written.into_iter().flatten().map(|path| path.display().to_string()).collect();
        if !written.is_empty() {
            remark!("{}", words::files_written(self.language, written.join(self.language.pick(", ", "、"))));
        }
        Ok(())
    }

    fn write(&mut self, record: &GameRecord) -> Result<(), Message> {
        if let Some(file) = &mut self.pgn {
            file.add(&pgn::write(record, &self.headings))?;
        }
        if let Some(file) = &mut self.sgf {
            file.add(&sgf::write(record, &self.headings)?)?;
        }
        Ok(())
    }
}

impl MatchObserver for MatchFiles {
    fn watch(&self) -> Option<Arc<dyn Watch>> {
        self.live.clone().map(|live| -> Arc<dyn Watch> { live })
    }

    fn hall(&self) -> Option<Arc<Hall>> {
        self.hall.clone()
    }

    fn started(&mut self, fixture: &Fixture) {
        self.printer.started(fixture);
    }

    fn again(&mut self, number: usize) {
        self.printer.again(number);
    }

    fn remarked(&mut self, engine: &str, remark: &Message) {
        self.printer.remarked(engine, remark);
    }

    fn keep(&mut self, record: &GameRecord) -> Result<(), Message> {
        if let Some(journal) = &mut self.journal {
            journal.game(record)?;
        }
        self.write(record)?;
        self.games.push(record.clone());
        Ok(())
    }

    fn finished(&mut self, record: &GameRecord, standings: &Standings) {
        if let Some(live) = &self.live {
            live.finished(record, standings);
        }
        self.printer.finished(record, standings);
    }
}
