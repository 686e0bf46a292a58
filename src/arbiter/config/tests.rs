use super::difference::{flatten, is_part_of};
use super::*;
use crate::game::Side;
use std::collections::BTreeMap;
use tempfile::tempdir;

#[test]
fn engines_inherit_what_they_leave_open() {
    let mut config = MatchConfig {
        each: Some(
            engine_from_words(&[
                "cmd=/usr/bin/a",
                "args=-q",
                "tc=1+0.1",
                "option.Hash=1",
                "option.Threads=2",
                "ponder",
            ])
            .unwrap(),
        ),
        engines: vec![
            engine_from_words(&["args=-x 1", "cmd=/bin/a", "option.Hash=64", "ponder=off"]).unwrap(),
            engine_from_words(&["nodes=5"]).unwrap(),
        ],
        ..MatchConfig::default()
    };
    config.complete().unwrap();
    let [a, b] = &config.engines[..] else { panic!() };
    assert_eq!((a.name.as_str(), b.name.as_str()), ("a", "a'"));
    assert_eq!((a.cmd.as_str(), b.cmd.as_str()), ("/bin/a -x 1 -q", "/usr/bin/a -q"));
    assert_eq!(a.options.len(), 2);
    assert!(a.options.contains(&("Hash".to_owned(), "64".to_owned())));
    assert_eq!(b.tc, Some("1+0.1".parse().unwrap()));
    assert_eq!((a.ponders(), b.ponders()), (false, true));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let two = |words: &[&str]| MatchConfig {
        engines: vec![engine_from_words(words).unwrap(), engine_from_words(&["cmd=b", "depth=1"]).unwrap()],
        ..MatchConfig::default()
    };
    assert!(MatchConfig::default().complete().unwrap_err().to_string().contains("two engines"));
    assert!(two(&["cmd=a"]).complete().unwrap_err().to_string().contains("time control"));
    assert!(two(&["cmd=a", "depth=1", "proto=gtp"]).complete().unwrap_err().to_string().contains("protocol"));
    assert_eq!(two(&["cmd=a", "depth=1"]).complete(), Ok(()));
    let groups = 1 << (usize::BITS - 1);
    let mut many = MatchConfig { format: Format::Groups, groups, ..two(&["cmd=a", "depth=1"]) };
    assert!(many.complete().unwrap_err().to_string().contains(&format!("need {} engines", usize::MAX)));
    let refused = |change: &dyn Fn(&mut MatchConfig)| {
        let mut config = two(&["cmd=a", "depth=1"]);
        change(&mut config);
        config.complete().unwrap_err().to_string()
    };
    assert!(refused(&|config| config.patience.stall = f64::INFINITY).contains("patience"));
    assert!(refused(&|config| config.rules.go.komi = f32::NAN).contains("komi"));
    assert!(refused(&|config| config.rules.go.first = Some(Side::Second)).contains("empty board"));
    assert!(refused(&|config| (config.format, config.rounds) = (Format::Knockout, 3)).contains("--rounds"));
}

/// A new setting has to be added to one of the lists, or here.
#[test]
fn some_settings_are_the_same_for_the_whole_match() {
    let mut settings = BTreeMap::new();
    flatten("", serde_json::to_value(MatchConfig::default()).unwrap(), &mut settings);
    let fixed = |free: &[&str]| -> Vec<&str> {
        let is_free = |name: &str| is_part_of(name, free);
        settings.keys().map(String::as_str).filter(|name| !is_free(name)).collect()
    };
    let always = [
        "engines",
        "format",
        "game",
        "groups",
        "play_off",
        "play_off_games",
        "rules.go.handicap",
        "rules.go.komi",
        "rules.go.rules",
        "rules.go.size",
        "rules.repetition.rules",
        "scoring",
        "seed",
        "tc",
        "tie_break",
    ];
    let more = |names: &[&'static str]| {
        let mut all = [&always[..], names].concat();
        all.sort_unstable();
        all
    };
    assert_eq!(fixed(RESUME_MAY_CHANGE), more(&["event", "site"]));
    let of_games = ["adjudication", "margin_ms", "patience", "rules.deciding_game", "rules.fouls"];
    let merged: Vec<&str> = fixed(MERGE_MAY_CHANGE);
    assert!(
        merged.iter().all(|name| always.contains(name)
            || is_part_of(name, &of_games)
            || *name == "rules.repetition.no_progress"),
        "{merged:?}"
    );
    let changed = MatchConfig { seed: 7, rounds: 3, ..MatchConfig::default() };
    let difference = MatchConfig::default().difference(&changed, RESUME_MAY_CHANGE);
    assert_eq!(difference, Some(("seed".to_owned(), [Some("1".to_owned()), Some("7".to_owned())])));
}

#[test]
fn errors_in_a_file_name_the_line() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("match.toml");
    std::fs::write(&file, "game = \"chess\"\n\ngamez = 3\n").unwrap();
    let error = MatchConfig::load(&file).unwrap_err().to_string();
    assert!(error.contains(".toml:3:") && error.contains("gamez"), "{error}");
}
