//! `sanqi tune`: the numbers of an engine, tuned by games against itself.
// The file of parameters and the output of engines are untrusted input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use crate::app::console::misuse;
use crate::app::console::{Outcome, at, read, say};
use crate::app::remarks::Remarks;
use crate::arbiter::config::{MatchConfig, engine_from_words};
use crate::arbiter::spsa::{Parameter, Perturbation, Spsa};
use crate::arbiter::standings::Standings;
use crate::arbiter::tournament::{self, MatchObserver};
use crate::client::cancel::CancelToken;
use crate::games::openings::{OpeningSource, Openings};
use crate::games::record::{Ending, GameKind, GameRecord, Reason};
use crate::message;
use crate::tune::{self, Params, ROWS};
use crate::util::files;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::system::{self, remark};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// Lines "name, int|float, value, min, max, C_end, R_end"; each name is an option of the engine. With
    /// what --save has written a run goes on
    #[arg(required_unless_present = "print")]
    parameters: Option<PathBuf>,
    /// Print the lines of this engine's own numbers, which are options in a build with --features tune
    #[arg(long, value_name = "GAME", value_parser = ["chess", "xiangqi"], exclusive = true)]
    print: Option<String>,
    /// Keep the values here at every report, to go on from. A file that is there already is written only when
    /// it is the one gone on from
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The engine: cmd=PROGRAM option.NAME=VALUE nodes= depth=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", required_unless_present = "print")]
    engine: Vec<String>,
    /// What is played
    #[arg(long, default_value = "chess", value_parser = ["chess", "chess960", "xiangqi", "go"])]
    game: String,
    /// Time control, nodes=N or depth=N
    #[arg(long)]
    tc: Option<String>,
    /// Iterations
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: u64,
    /// Pairs of games an iteration
    #[arg(long, default_value_t = 1)]
    pairs: usize,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Openings
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of perturbations and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Iterations between two reports on stderr
    #[arg(long, default_value_t = 10)]
    report: u64,
}

/// Keeps no games of a tuning run, only what engines remark about their options.
#[derive(Default)]
struct Forgetful {
    remarks: Remarks,
    tuned: Vec<String>,
    /// The first of them that the engine does not have.
    missing: Option<String>,
    /// Games in a row that were decided by a fault of an engine, and the last fault.
    faults: (usize, String),
}

/// Number of faults in a row after which the run ends.
const MAX_FAULTS: usize = 10;

impl MatchObserver for Forgetful {
    fn remarked(&mut self, engine: &str, remark: &Message) {
        if let Some(line) = self.remarks.news(Language::English, engine, remark) {
            remark!("{line}");
        }
        let remark = remark.to_string();
        let missing = self.tuned.iter().find(|name| remark.ends_with(&format!(" no option {name}")));
        self.missing = self.missing.take().or(missing.cloned());
    }

    fn finished(&mut self, record: &GameRecord, _: &Standings) {
        let Ending { reason, detail, .. } = &record.ending;
        let is_fault = reason.is_fault() && *reason != Reason::Time;
        self.faults =
            if is_fault { (self.faults.0.saturating_add(1), detail.to_string()) } else { (0, String::new()) };
    }
}

/// Runs the command: prints the parameter lines with their tuned values.
pub fn run(args: &Args) -> Outcome {
    if let Some(game) = &args.print {
        own_parameters(if game == "chess" { &tune::CHESS } else { &tune::XIANGQI }).iter().for_each(say);
        return Ok(());
    }
    let Some(file) = &args.parameters else { return Ok(()) };
    system::end_trees_with_this_program();
    let _held = args.save.as_deref().map(|save| files::hold(save).map_err(|e| at(save, e))).transpose()?;
    let text = read(file)?;
    let mut spsa = Spsa::parse(&text, args.iterations, args.seed).map_err(|e| at(file, e))?;
    if let Some(other) = args.save.as_ref().filter(|save| !files::is_same(save, file) && save.exists()) {
        return Err(message!(
            "{file} is there already: go on from it, or choose another name"
                | "{file} 已经存在：请从它继续，或另取一个名称",
            file = other.display()
        ));
    }
    if spsa.done() >= args.iterations {
        remark!("the run is over: it has {} iterations", spsa.done());
    }
    if let Some(path) = &args.save {
        files::try_to_write(path).map_err(|e| at(path, e))?;
    }
    let spec = engine_from_words(&args.engine).unwrap_or_else(|why| misuse::<Args>("tune", why));
    let mut config = MatchConfig {
        game: GameKind::ALL.into_iter().find(|k| k.name() == args.game).unwrap_or_default(),
        games: args.pairs.max(1).saturating_mul(2),
        concurrency: args.concurrency,
        engines: vec![spec.clone(), spec],
        ..MatchConfig::default()
    };
    if let Some(limit) = &args.tc {
        let each = config.each.get_or_insert_default();
        each.limit(limit).unwrap_or_else(|why| misuse::<Args>("tune", why));
    }
    config.complete().unwrap_or_else(|why| misuse::<Args>("tune", why));
    if config.has_people() {
        misuse::<Args>("tune", message!("a person has no options to tune" | "人没有可以调的选项"));
    }
    let tuned = spsa.parameters.iter().map(|p| p.name.clone()).collect();
    let mut observer = Forgetful { tuned, ..Forgetful::default() };
    tournament::try_engines(&config, None, &CancelToken::default(), &mut observer)?;
    let mut are_told = false;
    while let Some(trial) = spsa.next_trial() {
        let iteration = spsa.done();
        let openings = openings(args, &config, iteration)?;
        if !std::mem::replace(&mut are_told, true) {
            openings.complaints.iter().for_each(|why| remark!("sanqi: left out: {why}"));
        }
        let net_wins = play(&config, &openings, &trial, &mut observer)?;
        if let (MAX_FAULTS.., why) = &observer.faults {
            return Err(message!(
                "{MAX_FAULTS} games in a row were no games: {why}" | "连续 {MAX_FAULTS} 局都不成对局：{why}",
                MAX_FAULTS,
                why
            ));
        }
        if let Some(name) = &observer.missing {
            return Err(message!(
                "{name}: the engine has no such option, so it cannot be tuned"
                    | "{name}：引擎没有这个选项，无法调整",
                name
            ));
        }
        spsa.learn(&trial, net_wins);
        if iteration.is_multiple_of(args.report.max(1)) || iteration == args.iterations {
            if let Some(path) = &args.save {
                save(path, &spsa)?;
            }
            let values: Vec<String> =
                spsa.parameters.iter().map(|p| format!("{} {}", p.name, p.brief())).collect();
            remark!("iteration {iteration}: {}", values.join(", "));
        }
    }
    for parameter in &spsa.parameters {
        say(parameter);
    }
    Ok(())
}

/// A run that is interrupted meanwhile leaves the old file or the new one.
fn save(path: &Path, spsa: &Spsa) -> Outcome {
    files::write_at_once(path, spsa.state().as_bytes()).map_err(|e| at(path, e))
}

/// Every number of the search as a parameter: perturbed at the end by its step, by OpenBench's usual rate.
fn own_parameters(params: &Params) -> Vec<Parameter> {
    const R_END: f64 = 0.002;
    let parameter = |row: &tune::Tunable| {
        Some(Parameter {
            name: row.name.to_owned(),
            is_integer: true,
            value: params.cell(row.name)?.get().into(),
            range: (row.min.into(), row.max.into()),
            c_end: row.step.into(),
            r_end: R_END,
        })
    };
    ROWS.iter().filter_map(parameter).collect()
}

/// Another shuffle for every iteration.
fn openings(args: &Args, config: &MatchConfig, iteration: u64) -> Result<Openings, Message> {
    let Some(file) = &args.openings else { return Ok(Openings::none()) };
    let source = OpeningSource::all(file.clone());
    Openings::load(&source, config.game, &config.rules, args.seed.wrapping_add(iteration))
}

/// Plays a trial; returns the first side's wins less its losses, per pair.
fn play(
    config: &MatchConfig,
    openings: &Openings,
    trial: &Perturbation,
    observer: &mut dyn MatchObserver,
) -> Result<f64, Message> {
    let mut config = config.clone();
    for (engine, options) in config.engines.iter_mut().zip([&trial.plus, &trial.minus]) {
        engine.options.extend(options.iter().cloned());
    }
    let outcome = tournament::run(&config, openings, &[], &[], None, &CancelToken::default(), observer)?;
    let tally = outcome.standings.tally(0, 1);
    Ok((tally.wins as f64 - tally.losses as f64) / (config.games / 2) as f64)
}
