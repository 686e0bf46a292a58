//! A match played in parts, as by several machines, is the match that one machine plays.

use crate::arbiter::{Folder, games};
use crate::support::{engine, program, run, stderr, stdout};
use serde_json::{Value, json};
use std::fs;
use std::process::Output;

/// The flags of a match of twelve games that depend on nothing but the seed.
fn flags_of(game: &str) -> Vec<String> {
    let program = format!("cmd={}", engine().display());
    let mut flags = vec!["--game", game, "--games", "12", "--seed", "5", "--maxmoves", "12"];
    flags.extend(["--each", "nodes=200", "proto=uci", "option.Threads=1", "option.OwnBook=false"]);
    flags.extend(["--engine", &program, "args=uci", "name=A"]);
    flags.extend(["--engine", &program, "args=uci", "name=B", "nodes=300"]);
    flags.into_iter().map(str::to_owned).collect()
}

/// Plays that match with `more` flags; the journal is `name` in `folder`.
fn play(folder: &Folder, game: &str, name: &str, more: &[&str]) -> Output {
    let (flags, journal) = (flags_of(game), folder.file(name));
    let mut args = vec!["match", "--journal", &journal];
    args.extend(flags.iter().map(String::as_str));
    args.extend(more);
    run(&args)
}

fn plays(folder: &Folder, game: &str, name: &str, flags: &[&str]) {
    let output = play(folder, game, name, flags);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// What of each game is the same wherever it is played, in the order of their numbers.
fn timeless(journal: &str) -> Vec<Value> {
    let mut all: Vec<Value> = games(journal)
        .iter()
        .map(|game| {
            let plies = game["plies"]
                .as_array()
                .unwrap()
                .iter()
                .map(|ply| json!([ply["mv"], ply["score"], ply["nodes"], ply["depth"]]));
            let names = ["number", "round", "pair", "seats", "names", "opening", "ending"];
            json!([names.map(|name| game[name].clone()), plies.collect::<Vec<_>>()])
        })
        .collect();
    all.sort_by_key(|game| game[0][0].as_u64());
    all
}

fn merge(folder: &Folder, parts: &[&str], flags: &[&str]) -> Output {
    let parts: Vec<String> = parts.iter().map(|name| folder.file(name)).collect();
    let mut args = vec!["match", "--merge"];
    args.extend(parts.iter().map(String::as_str));
    args.extend(flags);
    run(&args)
}

#[test]
fn three_parts_are_the_games_of_one_machine() {
    for game in ["chess", "xiangqi"] {
        let folder = Folder::new();
        let sprt = ["--sprt", "elo0=0", "elo1=5"];
        plays(&folder, game, "whole", &sprt);
        for shard in ["0/3", "1/3", "2/3"] {
            plays(
                &folder,
                game,
                &shard[..1],
                &[&["--shard", shard, "--concurrency", "2"][..], &sprt].concat(),
            );
            assert_eq!(games(&folder.file(&shard[..1])).len(), 4);
        }
        // One part twice, and the beginning of a line as a sudden death leaves it.
        let torn = fs::read_to_string(folder.file("1")).unwrap() + "{\"game\":{\"number\":2,\"rou";
        fs::write(folder.file("torn"), &torn).unwrap();
        let [all, record, report] = ["all", "pgn", "html"].map(|name| folder.file(name));
        let flags = ["--journal", &all, "--pgnout", &record, "--report", &report];
        let merged = merge(&folder, &["2", "torn", "0", "1"], &flags);
        assert!(merged.status.success(), "{}", stderr(&merged));
        assert_eq!(timeless(&all), timeless(&folder.file("whole")));
        assert_eq!(timeless(&all).len(), 12);
        assert_eq!(fs::read_to_string(&record).unwrap().matches("[Event ").count(), 12);
        assert!(fs::read_to_string(&report).unwrap().contains("<html"));
        assert_eq!(fs::read_to_string(folder.file("torn")).unwrap(), torn, "a journal that is merged stays");
        // The result is that of the whole, to the last line and the test's verdict.
        let again = merge(&folder, &["whole"], &[]);
        assert_eq!(stdout(&merged), stdout(&again));
        let printed = stdout(&merged);
        assert!(printed.starts_with("LLR ") && printed.contains(": undecided\n"), "{printed}");
    }
}

#[test]
fn what_is_missing_is_reported_and_can_be_played() {
    let folder = Folder::new();
    plays(&folder, "chess", "whole", &[]);
    plays(&folder, "chess", "1", &["--shard", "1/3"]);
    let all = folder.file("all");
    let merged = merge(&folder, &["1", "1"], &["--journal", &all]);
    assert!(stderr(&merged).contains("games in none of these journals: 8"), "{}", stderr(&merged));
    assert!(run(&["match", "--resume", &all]).status.success());
    assert_eq!(timeless(&all), timeless(&folder.file("whole")));
}

/// `packaging/cluster/slurm.sh`, run as Slurm runs it, and again as after a task was put back into the queue.
#[test]
fn an_array_job_plays_all_parts_and_goes_on() {
    let folder = Folder::new();
    plays(&folder, "chess", "whole", &[]);
    let start = |index: &str, more: &[&str], last: &str| {
        program("sh")
            .args(["packaging/cluster/slurm.sh", &folder.file("parts"), "match"])
            .args(flags_of("chess"))
            .args(more)
            .envs([("SLURM_ARRAY_TASK_ID", index), ("SLURM_ARRAY_TASK_COUNT", "2")])
            .env("SLURM_ARRAY_TASK_MAX", last)
            .env("SANQI", engine())
            .output()
            .unwrap()
    };
    let task = |index: &str| {
        let output = start(index, &[], "1");
        assert!(output.status.success(), "{}", stderr(&output));
    };
    task("0");
    task("1");
    let [first, second] = ["parts/0of2.jsonl", "parts/1of2.jsonl"];
    let (whole_part, journal) = (timeless(&folder.file(first)), folder.file(first));
    let text = fs::read_to_string(&journal).unwrap();
    for kept in [text.lines().take(3).collect::<Vec<_>>().join("\n") + "\n{\"ga", "{\"mat".to_owned()] {
        fs::write(&journal, kept).unwrap();
        task("0");
        assert_eq!(timeless(&journal), whole_part);
    }
    // Other arguments, and an array that begins with 1.
    for (more, last) in [(&["--event", "other"][..], "1"), (&[], "2")] {
        let output = start("0", more, last);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
        assert_eq!(timeless(&journal), whole_part);
    }
    let all = folder.file("all");
    assert!(merge(&folder, &[first, second], &["--journal", &all]).status.success());
    assert_eq!(timeless(&all), timeless(&folder.file("whole")));
}

#[test]
fn journals_of_other_matches_are_refused() {
    let folder = Folder::new();
    plays(&folder, "chess", "0", &["--shard", "0/3"]);
    plays(&folder, "chess", "foreign", &["--shard", "1/3", "--rounds", "2"]);
    fs::write(folder.file("empty"), "").unwrap();
    for (parts, printed) in [
        (&["0", "foreign"][..], "foreign: this journal is of another match: `rounds` is 2, in the first 1"),
        (&["0", "empty"], "empty: no match is described in it"),
        (&["0", "nowhere"], "nowhere: "),
    ] {
        let output = merge(&folder, parts, &[]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stderr(&output).lines().count() == 1 && stderr(&output).contains(printed),
            "{}",
            stderr(&output)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn parts_there_cannot_be_are_refused() {
    let folder = Folder::new();
    for (flags, printed) in [
        (&["--shard", "3/3"][..], "i of N"),
        (&["--shard", "0/3", "--swiss"], "round robins"),
        (&["--shard", "0/3", "--play-off"], "round robins"),
    ] {
        let output = play(&folder, "chess", "journal", flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(stderr(&output).contains(printed), "{}", stderr(&output));
    }
    let two = ["match", "--tc", "depth=1", "--engine", "cmd=x", "--engine", "cmd=y", "--shard", "0/2"];
    let output = run(&two);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a shard needs a journal"), "{}", stderr(&output));
}
