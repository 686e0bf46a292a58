//! Matches of xiangqi by the rules of tournaments: fouls, deciding games, groups, play-offs, forfeits (XQ-9,
//! XQ-10).

use crate::arbiter::{BAD, Folder, games, has_python};
use crate::support::{last_line, run, stderr, stdout};
use serde_json::Value;
use std::fs;

/// The arguments of a match of xiangqi between two UCCI engines that act in these ways.
fn xiangqi_match(journal: &str, ways: [&str; 2], flags: &[&str]) -> Vec<String> {
    let mut args: Vec<String> =
        ["match", "--game", "xiangqi", "--openings", "none", "--tc", "st=5", "--journal", journal]
            .map(str::to_owned)
            .into();
    for (name, way) in ["A", "B"].into_iter().zip(ways) {
        args.extend(["--engine".to_owned(), format!("cmd=python3 {BAD} {way}"), format!("name={name}")]);
        args.push("proto=ucci".to_owned());
    }
    args.extend(flags.iter().map(|&flag| flag.to_owned()));
    args
}

fn run_all(args: &[String]) -> std::process::Output {
    run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

fn endings(journal: &str) -> Vec<[String; 3]> {
    let text = |value: &Value| value.as_str().unwrap_or("draw").to_owned();
    let ending = |game: Value| ["reason", "winner", "detail"].map(|key| text(&game["ending"][key]));
    games(journal).into_iter().map(ending).collect()
}

/// The third foul loses: an offer of a draw that was refused is repeated (XQ-9). Who changes its mind may
/// offer again, an offer that is accepted ends the game, and without the flag nothing is counted.
#[test]
fn an_offer_repeated_three_times_after_a_refusal_loses() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let played = |name: &str, ways: [&str; 2], flags: &[&str]| {
        let journal = folder.file(name);
        let output = run_all(&xiangqi_match(&journal, ways, flags));
        assert!(output.status.success(), "{}", stderr(&output));
        (endings(&journal), games(&journal))
    };
    let (ended, games) = played("a", ["offers-draws", "good"], &["--fouls", "3"]);
    let lost = |winner: &str, name: &str| {
        ["fouls", winner, &format!("{name}: offers a draw again, foul 3")].map(str::to_owned)
    };
    assert_eq!(ended, [lost("second", "Red"), lost("first", "Black")]);
    let plies = games[0]["plies"].as_array().unwrap();
    let remarks: Vec<_> = plies.iter().filter_map(|ply| ply["comment"].as_str()).collect();
    assert_eq!(remarks, [1, 2, 3].map(|n| format!("offers a draw again, foul {n}")));
    assert_eq!(plies.len(), 7, "the first offer is none, the fourth the third foul");
    for (name, ways, flags, reason) in [
        ("b", ["changes-its-mind", "good"], &["--fouls", "3"][..], "repetition"),
        ("c", ["offers-draws", "agrees"], &["--fouls", "3"], "agreement"),
        ("d", ["offers-draws", "good"], &[], "repetition"),
    ] {
        let (ended, _) = played(name, ways, flags);
        assert!(ended.iter().all(|[r, w, _]| r == reason && w == "draw"), "{ways:?}: {ended:?}");
    }
}

/// A drawn encounter of a knockout is decided by one more game, which the side that moves first must win,
/// however a draw comes about: by repetition, by agreement or by length (XQ-10).
#[test]
fn a_drawn_encounter_is_decided_by_one_game() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for (name, ways, more, detail) in [
        ("a", ["good", "good"], &[][..], "repetition"),
        ("b", ["offers-draws", "agrees"], &[], "draw agreed"),
        ("c", ["good", "good"], &["--maxmoves", "4"], "moves"),
    ] {
        let journal = folder.file(name);
        let flags = [&["--knockout", "--tie-break", "deciding-game"], more].concat();
        let output = run_all(&xiangqi_match(&journal, ways, &flags));
        assert!(output.status.success(), "{}", stderr(&output));
        let ended = endings(&journal);
        let winners: Vec<_> = ended.iter().map(|[_, winner, _]| winner.as_str()).collect();
        assert_eq!(winners, ["draw", "draw", "second"], "{ended:?}");
        assert!(ended[2][2].ends_with("; a draw wins for Black"), "{ended:?}");
        assert!(ended[2][0] == ended[0][0] || ended[2][2].contains(detail), "{ended:?}");
        let decider = &games(&journal)[2];
        let won = decider["names"][1].as_str().unwrap();
        assert_eq!(last_line(&output).contains("+1 =2 -0"), won == "A", "{}", stdout(&output));
        assert_eq!(last_line(&run(&["match", "--resume", &journal])), last_line(&output));
    }
    // Every game may be a deciding one, too.
    let journal = folder.file("all");
    let output = run_all(&xiangqi_match(&journal, ["good", "good"], &["--deciding-game", "--maxmoves", "4"]));
    assert!(last_line(&output).starts_with("A vs B: +1 =0 -1"), "{}", stdout(&output));
}

/// Groups play each with each, the first two of each go on crosswise, and one wins the final.
#[test]
fn groups_feed_a_knockout() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let mut args =
        vec!["match", "--game", "xiangqi", "--groups", "2", "--scoring", "3/1/0", "--concurrency", "2"];
    args.extend([
        "--openings",
        "none",
        "--fouls",
        "1",
        "--tc",
        "st=5",
        "--journal",
        &journal,
        "--tie-break",
        "deciding-game",
    ]);
    // Who offers draws loses to who does not.
    let ways = ["good", "good", "offers-draws", "offers-draws", "good"];
    let words: Vec<_> = ways
        .iter()
        .enumerate()
        .map(|(i, way)| [format!("cmd=python3 {BAD} {way}"), format!("name=P{i}")])
        .collect();
    for [cmd, name] in &words {
        args.extend(["--engine", cmd, name, "proto=ucci"]);
    }
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let played = games(&journal);
    let mut met: Vec<(u64, [&str; 2])> = played
        .iter()
        .map(|game| {
            let mut names = [0, 1].map(|i| game["names"][i].as_str().unwrap());
            names.sort_unstable();
            (game["round"].as_u64().unwrap(), names)
        })
        .collect();
    met.sort_unstable();
    met.dedup();
    // Groups P0 P3 P4 and P1 P2; P0 and P4 draw and beat P3, P1 beats P2; P0 comes first in the list.
    let table = [["P0", "P3"], ["P0", "P4"], ["P1", "P2"], ["P3", "P4"]].map(|names| (1, names));
    let semifinals = [(2, ["P0", "P2"]), (2, ["P1", "P4"])];
    assert_eq!(met[..6], [&table[..], &semifinals].concat(), "{met:?}");
    assert!(met.len() == 7 && met[6].0 == 3 && met[6].1[0] == "P0", "{met:?}");
    let text = stdout(&output);
    assert!(text.contains("wins the knockout"), "{text}");
    // P0 and P4 are level in everything; the tables of the groups stand before the knockout.
    for line in [
        "Group A",
        "* 1    8.0  +2 =2 -0  P0",
        "* 2    8.0  +2 =2 -0  P4  (order of the list)",
        "  3    0.0  +0 =0 -4  P3",
    ] {
        assert!(text.lines().any(|printed| printed == line), "{line}: {text}");
    }
    let order = ["Group A", "Group B", "Knockout, round 1", "Final"].map(|heading| text.find(heading));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{text}");
    // What cannot be grouped is refused before anything is started.
    for (groups, why) in [("3", "groups must be 2, 4, 8"), ("4", "4 groups need 8 engines, not 5")] {
        let mut args = args.clone();
        args[4] = groups;
        let output = run(&args);
        assert!(output.status.code() == Some(2) && stderr(&output).contains(why), "{}", stderr(&output));
    }
}

/// Level players of a table play for the first place.
#[test]
fn a_play_off_decides_who_is_first() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let flags = ["--round-robin", "--play-off", "--tie-break", "deciding-game"];
    let mut args = xiangqi_match(&journal, ["good", "good"], &flags);
    args.extend(
        ["--engine", &format!("cmd=python3 {BAD} offers-draws"), "name=C", "proto=ucci"].map(str::to_owned),
    );
    args.extend(["--fouls", "1"].map(str::to_owned));
    let output = run_all(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let played = games(&journal);
    assert_eq!(played.len(), 6 + 1, "the one game that decides");
    let last = played.last().unwrap();
    let winner = last["names"][1].as_str().unwrap();
    assert!(last["ending"]["winner"] == "second" && winner != "C", "{last}");
    assert!(stdout(&output).contains(&format!("{winner} wins the play-off")), "{}", stdout(&output));
    let refused = run(&[
        "match",
        "--knockout",
        "--play-off",
        "--each",
        "depth=1",
        "--engine",
        "cmd=a",
        "--engine",
        "cmd=b",
    ]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("a knockout leaves no ties"));
}

/// An engine that never starts forfeits its games; the others play theirs (XQ-10).
#[test]
fn who_never_starts_forfeits() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    // Two draws, and four games that are forfeited.
    for (points, score) in [("win", "14.0"), ("2", "10.0")] {
        let journal = folder.file(points);
        let flags = ["--scoring", "3/1/0", "--forfeit", points, "--patience", "2", "--maxmoves", "2"];
        let mut args = xiangqi_match(&journal, ["good", "good"], &flags);
        for (name, cmd) in
            [("C", "/no/such/engine".to_owned()), ("D", format!("python3 {BAD} crashes-at-start"))]
        {
            let engine = ["--engine", &format!("cmd={cmd}"), &format!("name={name}"), "proto=ucci"];
            args.extend(engine.map(str::to_owned));
        }
        let output = run_all(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        let table = stdout(&output);
        for (name, score) in [("A", score), ("B", score), ("C", "0.0"), ("D", "0.0")] {
            let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
            let row = rows.clone().find(|words| words.get(1) == Some(&name)).unwrap_or_default();
            assert!(row.contains(&score), "{name}: {table}");
        }
        let mut ended: Vec<_> =
            endings(&journal).into_iter().map(|[reason, winner, _]| format!("{reason} {winner}")).collect();
        ended.sort_unstable();
        let count = |what: &str| ended.iter().filter(|e| *e == what).count();
        let counts = ["adjudication draw", "forfeit draw", "forfeit first", "forfeit second"].map(count);
        assert_eq!(counts, [2, 2, 4, 4], "{ended:?}");
        let absent = games(&journal)
            .into_iter()
            .find(|game| game["ending"]["detail"].as_str().unwrap().contains("Red never started"));
        assert!(absent.is_some_and(|game| game["plies"].as_array().unwrap().is_empty()));
    }
    let args = ["match", "--game", "xiangqi", "--each", "depth=1", "--forfeit", "win", "--patience", "1"];
    let missing =
        run(&[&args[..], &["--engine", "cmd=/no/a", "name=A", "--engine", "cmd=/no/b", "name=B"]].concat());
    assert!(
        missing.status.code() == Some(1) && stderr(&missing).contains("engine A: cannot start /no/a"),
        "{}",
        stderr(&missing)
    );
    let two = run(&[&args[..6], &["2", "--engine", "cmd=a", "--engine", "cmd=b"]].concat());
    assert!(two.status.code() == Some(2) && stderr(&two).contains("--scoring 3/1/0"), "{}", stderr(&two));
}

/// Records of xiangqi are written in the notation asked for, and read again.
#[test]
fn records_are_written_in_the_notation_asked_for() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for (notation, format, moves) in
        [("chinese", "Chinese", "1. 车九进一 {"), ("wxf", "WXF", "1. R9+1 {"), ("iccs", "ICCS", "1. A0-A1 {")]
    {
        let (journal, pgn) = (folder.file(notation), folder.file(&format!("{notation}.pgn")));
        let flags = ["--notation", notation, "--pgnout", &pgn, "--maxmoves", "3"];
        let output = run_all(&xiangqi_match(&journal, ["good", "good"], &flags));
        assert!(output.status.success(), "{}", stderr(&output));
        let text = fs::read_to_string(&pgn).unwrap();
        assert!(text.contains(&format!("[Format \"{format}\"]")) && text.contains(moves), "{text}");
        let read = run(&["analyze", &pgn, "--nodes", "1"]);
        assert!(read.status.success() && stdout(&read).contains("1. A0-A1"), "{}", stderr(&read));
    }
}
