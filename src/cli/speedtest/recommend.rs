//! `sanqi speedtest --recommend`: the options that suit this machine, by measurement, and their way into the
//! file of options.

use super::{CHESS, XIANGQI};
use crate::app::console::{Outcome, at, say};
use crate::app::defaults;
use crate::app::seat::time_search;
use crate::engine::go::GoEngine;
use crate::engine::{Engine, GameId, PositionSpec};
use crate::message;
use crate::protocol::defaults::Defaults;
use crate::util::message::Message;
use crate::util::{files, system};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More threads are worth their processors when together they search faster by this factor.
const GAIN: f64 = 1.05;
/// The recommended table is that for a search of this time, with this size of a node.
const SECONDS: u64 = 60;
const BYTES_A_NODE: u64 = 8;
/// Inverse share of the available memory for one engine: a match has two, and other programs run.
const SHARE: u64 = 8;

type Recommended = (GameId, Vec<(&'static str, String)>);

/// Measures, prints and, if that is asked for, writes: into the file that is named, or the one in use.
pub fn run(args: &super::Args) -> Outcome {
    let (game, time) = (args.game.as_str(), args.time());
    // Before the work that would be lost.
    let target = args.write_config.as_ref().map(|file| target(file.as_deref())).transpose()?;
    let mut found = Vec::new();
    for game in GameId::ALL.into_iter().filter(|id| game == "all" || game == id.name()) {
        found.push((game, recommended(game, time)?));
    }
    for (game, options) in &found {
        say(format_args!("[{}]", game.name()));
        for (name, value) in options {
            // A word is a text of TOML.
            match value.parse::<u64>() {
                Ok(number) => say(format_args!("{name} = {number}")),
                Err(_) => say(format_args!("{name} = {value:?}")),
            }
        }
    }
    match target {
        Some((path, defaults)) => write(&path, defaults, &found),
        None => Ok(()),
    }
}

/// The file to write, and its present content.
fn target(named: Option<&Path>) -> Result<(PathBuf, Defaults), Message> {
    let none =
        || message!("there is no folder of your settings: name a file" | "找不到您的设置文件夹：请指定文件");
    let path =
        named.map(Path::to_owned).or_else(defaults::found).or_else(defaults::new_place).ok_or_else(none)?;
    let now = if path.exists() { defaults::load(Some(&path), false)? } else { Defaults::default() };
    match now.problems().first() {
        Some(problem) => Err(message!(
            "{problem} (correct it first: it would be lost)" | "{problem}（请先改正，否则会丢失）",
            problem
        )),
        None => {
            // A link stays a link.
            let path = std::fs::canonicalize(&path).unwrap_or(path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(|e| at(folder, e))?;
            }
            files::try_to_write(&path).map_err(|e| at(&path, e))?;
            Ok((path, now))
        }
    }
}

/// The first of `NAME.old`, `NAME.old.2` and so on that is not there.
fn unused_name(path: &Path) -> PathBuf {
    let name = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(".old");
        if number > 1 {
            name.push(format!(".{number}"));
        }
        PathBuf::from(name)
    };
    (1..=u32::MAX).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(1))
}

/// The user's comments around the settings are kept in a copy beside the new file.
fn write(path: &Path, mut defaults: Defaults, found: &[Recommended]) -> Outcome {
    for (game, options) in found {
        for (name, value) in options {
            defaults.set_for(*game, name, value)?;
        }
    }
    let at = |error: std::io::Error| at(path, error);
    if path.exists() {
        let old = unused_name(path);
        std::fs::copy(path, &old).map_err(at)?;
        say(format_args!("kept as {}: the file as it was", old.display()));
    }
    files::write_at_once(path, defaults.render().as_bytes()).map_err(at)?;
    say(format_args!("written: {}", path.display()));
    Ok(())
}

fn recommended(game: GameId, time: Duration) -> Result<Vec<(&'static str, String)>, Message> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut threads, mut speed) = (1, speed(game, 1, time)?);
    for count in candidates(processors).into_iter().skip(1) {
        let faster = self::speed(game, count, time)?;
        if faster as f64 > speed as f64 * GAIN {
            (threads, speed) = (count, faster);
        }
    }
    let available = system::available_memory().map(|bytes| bytes as u64);
    let mut options = vec![("Threads", threads.to_string())];
    match game {
        GameId::Go => {
            options.push(("Hash", go_hash(available).to_string()));
            // The mode reports more of itself behind its name.
            let mode = GoEngine::default().evaluator().0.to_string();
            options.push(("Evaluator", mode.split(':').next().unwrap_or_default().to_owned()));
        }
        _ => options.push(("Hash", hash(speed, available).to_string())),
    }
    Ok(options)
}

/// Numbers of threads to try: powers of two, and every processor.
fn candidates(processors: usize) -> Vec<u16> {
    let max = u16::try_from(processors.clamp(1, 1024)).unwrap_or(1024);
    let mut counts: Vec<u16> = (0..10).map(|power| 1 << power).filter(|count| *count < max).collect();
    counts.push(max);
    counts
}

/// Nodes (visits) a second.
fn speed(game: GameId, threads: u16, time: Duration) -> Result<u64, Message> {
    let positions = match game {
        GameId::Chess => CHESS,
        GameId::Xiangqi => XIANGQI,
        GameId::Go => {
            let mut engine = GoEngine::default();
            engine.set_option("Threads", &threads.to_string())?;
            let (visits, took) = time_search(&mut engine, &PositionSpec::default(), time)?;
            return Ok(crate::util::rate::per_second(visits, took));
        }
    };
    let found = super::searches(game, &positions, &[threads], 64, time)?;
    Ok(found
        .as_object()
        .and_then(|rows| rows.values().next())
        .and_then(serde_json::Value::as_u64)
        .unwrap_or(0))
}

/// MiB of a table that a search of a minute fills, a power of two; at least the built-in size, at most this
/// engine's share of the memory.
fn hash(nodes_a_second: u64, available: Option<u64>) -> u64 {
    let wanted = (nodes_a_second.saturating_mul(SECONDS * BYTES_A_NODE) >> 20).max(16);
    let max = available.map_or(256, |bytes| (bytes / SHARE) >> 20).max(1);
    let power = |mib: u64| 1 << mib.ilog2();
    power(wanted.next_power_of_two()).min(power(max))
}

/// MiB of Go's tree: the share of the memory, a power of two, from 64 to 4096.
fn go_hash(available: Option<u64>) -> u64 {
    let max = available.map_or(256, |bytes| (bytes / SHARE) >> 20);
    1 << max.clamp(64, 4096).ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recommendations_fit_the_machine() {
        assert_eq!(candidates(1), [1]);
        assert_eq!(candidates(6), [1, 2, 4, 6]);
        assert_eq!(candidates(8), [1, 2, 4, 8]);
        // A million nodes a second are 458 MiB a minute.
        assert_eq!(hash(1_000_000, Some(64 << 30)), 512);
        assert_eq!(hash(1_000_000, Some(1 << 30)), 128);
        assert_eq!(hash(10, Some(64 << 30)), 16);
        assert_eq!(hash(u64::MAX, None), 256);
        assert_eq!((go_hash(Some(1 << 30)), go_hash(Some(64 << 30)), go_hash(None)), (128, 4096, 256));
    }
}
