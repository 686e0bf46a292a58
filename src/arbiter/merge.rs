//! Journals of the parts of a match, brought together.
//!
//! A part is a match of its own that plays some of the games, for example on another machine. The settings of
//! the games must be the same in all journals; how many were played at once, and which files were written,
//! need not.

use super::config::MatchConfig;
use super::journal::JournaledMatch;
use super::tournament::{ExtraGame, stranger};
use crate::games::record::GameRecord;
use crate::message;
use crate::util::message::Message;
use crate::util::shard::Shard;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Settings with a longer text are not quoted when they differ, in characters.
const MAX_QUOTED: usize = 60;

/// Makes one match of its journals. A game that several have counts once, as the first of them has it; the
/// games are in the order of their numbers. The match that comes of it writes no files.
/// # Errors
/// When there is no journal, and when one is of another match; names it and what differs.
pub fn merge(journals: Vec<(PathBuf, JournaledMatch)>) -> Result<JournaledMatch, Message> {
    let mut config: Option<MatchConfig> = None;
    let (mut games, mut seen) = (Vec::<GameRecord>::new(), HashSet::new());
    for (path, kept) in journals {
        let theirs = of_the_match(&kept.config);
        let refuse = |why: Message| {
            Err(message!(
                "{path}: this journal is of another match: {why}" | "{path}：这个日志属于另一场比赛：{why}",
                path = path.display(),
                why
            ))
        };
        if let Some((name, values)) = config.as_ref().and_then(|ours| ours.difference(&theirs, &[])) {
            return refuse(describe(&name, values));
        }
        if let Some(game) = stranger(&theirs, &kept.games, ExtraGame::Reject) {
            return refuse(message!(
                "its game {number} is not in the schedule" | "赛程里没有它的第 {number} 局",
                number = game.ordinal()
            ));
        }
        config.get_or_insert(theirs);
        games.extend(kept.games.into_iter().filter(|game| seen.insert(game.number)));
    }
    games.sort_by_key(|game| game.number);
    match config {
        Some(config) => Ok(JournaledMatch { config, games }),
        None => Err(message!("there is no journal to merge" | "没有要合并的日志")),
    }
}

pub fn read_and_merge(paths: &[PathBuf]) -> Result<JournaledMatch, Message> {
    let read = |path: &PathBuf| Ok((path.clone(), JournaledMatch::read(Path::new(path))?));
    merge(paths.iter().map(read).collect::<Result<_, Message>>()?)
}

/// What all parts of a match have in common.
fn of_the_match(config: &MatchConfig) -> MatchConfig {
    let usual = MatchConfig::default();
    MatchConfig {
        shard: Shard::WHOLE,
        concurrency: usual.concurrency,
        ratinginterval: usual.ratinginterval,
        site: usual.site,
        journal: None,
        pgn: None,
        sgf: None,
        trace: None,
        report: None,
        ..config.clone()
    }
}

fn describe(name: &str, values: [Option<String>; 2]) -> Message {
    if values.iter().flatten().any(|value| value.len() > MAX_QUOTED) {
        return message!("`{name}` is not as in the first" | "`{name}` 与第一个不同", name);
    }
    let [ours, theirs] =
        values.map(|value| value.map_or_else(|| message!("not set" | "没有设置"), Message::from));
    message!(
        "`{name}` is {theirs}, in the first {ours}" | "`{name}` 是 {theirs}，第一个里是 {ours}",
        name,
        theirs,
        ours
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::schedule::{Schedule, ScheduleStep};
    use crate::arbiter::standings::Standings;
    use crate::arbiter::testing::unplayed;
    use crate::client::player::EngineSpec;

    fn config(games: usize) -> MatchConfig {
        let spec = |name: &str| EngineSpec { name: name.to_owned(), ..EngineSpec::default() };
        MatchConfig { games, engines: vec![spec("A"), spec("B")], ..MatchConfig::default() }
    }

    /// The journal of a part, all games of it played.
    fn part(shard: Shard) -> (PathBuf, JournaledMatch) {
        let config = MatchConfig { shard, concurrency: 7, journal: Some("x".into()), ..config(8) };
        let (mut schedule, standings) = (Schedule::new(config.plan()), Standings::new(2));
        let mut games = Vec::new();
        while let ScheduleStep::Play(fixture) = schedule.next(&standings, &HashSet::new()) {
            games.push(unplayed(&config, &fixture, [true, false]));
        }
        (PathBuf::from(format!("{}.jsonl", shard.index)), JournaledMatch { config, games })
    }

    #[test]
    fn parts_become_the_whole_and_doubles_count_once() {
        let parts = [2, 0, 1, 2].map(|index| part(Shard { index, of: 3 }));
        let merged = merge(parts.into()).unwrap();
        assert_eq!(merged.games.iter().map(|g| g.number).collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
        assert_eq!(merged.config, config(8));
        let half = merge(vec![part(Shard { index: 1, of: 3 })]).unwrap();
        assert_eq!(half.games.iter().map(|g| g.number).collect::<Vec<_>>(), [2, 3]);
        assert!(merge(Vec::new()).is_err());
    }

    #[test]
    fn journals_of_other_matches_are_refused() {
        let with = |change: fn(&mut JournaledMatch)| {
            let mut other = part(Shard { index: 1, of: 3 });
            change(&mut other.1);
            merge(vec![part(Shard { index: 0, of: 3 }), other]).err()
        };
        assert_eq!(with(|_| {}), None);
        assert_eq!(with(|kept| kept.config.site = "elsewhere".into()), None);
        for (change, reason) in [
            ((|kept| kept.config.seed = 9) as fn(&mut JournaledMatch), "`seed` is 9, in the first 1"),
            (|kept| kept.config.engines[0].name = "C".into(), "`engines` is not as in the first"),
            (|kept| kept.games[0].number = 99, "its game 100 is not in the schedule"),
            (|kept| kept.games[0].number = usize::MAX, "is not in the schedule"),
            (|kept| kept.games[0].seats = [1, 0], "its game 3 is not in the schedule"),
        ] {
            let error = with(change).unwrap().to_string();
            assert!(
                error.starts_with("1.jsonl: this journal is of another match") && error.contains(reason),
                "{error}"
            );
        }
    }
}
