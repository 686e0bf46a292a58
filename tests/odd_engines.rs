//! `sanqi match` with engines that speak their protocol oddly: what is no fault costs nothing, and a fault its game alone.

use crate::arbiter::{BAD, Folder, games, has_python};
use crate::support::{run, stderr};
use serde_json::Value;

const ODD: &str = "tests/bad_engines/odd.py";

/// Plays two games of an odd engine and a good one. The reasons of their endings, and who won: `odd`, `good` or nobody.
fn endings(protocol: &str, way: &str) -> Vec<(String, &'static str)> {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let (good, odd) = (format!("cmd=python3 {BAD} good"), format!("cmd=python3 {ODD} {protocol} {way}"));
    let passing = format!("cmd=python3 {ODD} gtp good");
    let mut args =
        vec!["match", "--openings", "none", "--games", "2", "--tc", "3+0.5", "--journal", &journal];
    args.extend(match protocol {
        "gtp" => ["--game", "go", "--size", "9", "--engine", &passing, "name=good"],
        _ => ["--game", "chess", "--seed", "1", "--engine", &good, "name=good"],
    });
    let proto = format!("proto={protocol}");
    args.extend(["--engine", &odd, &proto, "name=odd"]);
    let output = run(&args);
    assert!(output.status.success(), "{way}: {}", stderr(&output));
    let ending = |game: &Value| {
        let winner = match game["ending"]["winner"].as_str() {
            None => "nobody",
            Some(side) if game["names"][usize::from(side == "second")] == "odd" => "odd",
            Some(_) => "good",
        };
        (game["ending"]["reason"].as_str().unwrap().to_owned(), winner)
    };
    let found: Vec<_> = games(&journal).iter().map(ending).collect();
    assert_eq!(found.len(), 2, "{way}");
    found
}

#[test]
fn engines_of_xboards_protocol_may_be_odd() {
    if !has_python() {
        return;
    }
    for (way, reason, winner) in [
        ("numbered", "repetition", "nobody"),
        ("late-features", "repetition", "nobody"),
        ("illegal-words", "repetition", "nobody"),
        ("user-error", "repetition", "nobody"),
        ("single-use", "repetition", "nobody"),
        ("comments", "repetition", "nobody"),
        ("claims-draw", "stall", "good"),
        ("claims-win", "stall", "good"),
        ("resigns", "resignation", "good"),
    ] {
        assert_eq!(
            endings("xboard", way),
            [(reason.to_owned(), winner), (reason.to_owned(), winner)],
            "{way}"
        );
    }
}

#[test]
fn engines_of_gtp_may_be_odd() {
    if !has_python() {
        return;
    }
    for (way, reason) in
        [("good", "counted"), ("plain", "counted"), ("no-clock", "counted"), ("double", "premature-move")]
    {
        let found = endings("gtp", way);
        assert!(found.iter().all(|(found, _)| found == reason), "{way}: {found:?}");
        assert!(way != "double" || found.iter().all(|(_, winner)| *winner == "good"), "{found:?}");
    }
}

/// Players agree on what is dead only where the rules let them. Every stone counts by the others, and the button by those
/// that have one.
#[test]
fn dead_stones_are_taken_off_where_the_rules_let_players_agree() {
    if !has_python() {
        return;
    }
    let cmd = format!("cmd=python3 {ODD} gtp names-dead");
    for (rules, result) in
        [("chinese", "B+17.5"), ("tromp-taylor", "W+7.5"), ("cgos", "W+7.5"), ("aga-button", "B+18")]
    {
        let folder = Folder::new();
        let journal = folder.file("journal.jsonl");
        let mut args = vec!["match", "--openings", "none", "--games", "1", "--game", "go", "--size", "5"];
        args.extend(["--rules", rules, "--journal", &journal, "--tc", "9+1", "--komi", "7.5"]);
        args.extend(["--engine", &cmd, "name=a", "--engine", &cmd, "name=b"]);
        let output = run(&args);
        assert!(output.status.success(), "{rules}: {}", stderr(&output));
        let detail = games(&journal)[0]["ending"]["detail"].to_string();
        assert!(detail.contains(&format!("{result} ")), "{rules}: {detail}");
    }
}

/// An engine that cannot be started any more has lost nothing: the match ends, and can go on later.
#[cfg(unix)]
#[test]
fn an_engine_that_vanishes_ends_the_match() {
    use std::os::unix::fs::PermissionsExt;
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (journal, script, starts) =
        (folder.file("journal.jsonl"), folder.file("engine"), folder.file("starts"));
    // The trial start and two games; then it is gone.
    let text = format!(
        "#!/bin/sh\necho x >>{starts}\ntest $(wc -l <{starts}) -lt 3 || rm $0\nexec python3 {BAD} good\n"
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (good, vanishing) = (format!("cmd=python3 {BAD} good"), format!("cmd={script}"));
    let mut args = vec!["match", "--openings", "none", "--games", "6", "--tc", "st=2", "--journal", &journal];
    args.extend(["--engine", &good, "name=good", "--engine", &vanishing, "name=odd", "restart=on"]);
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot start"), "{}", stderr(&output));
    let reasons: Vec<_> = games(&journal).iter().map(|game| game["ending"]["reason"].clone()).collect();
    assert_eq!(reasons, ["repetition", "repetition"]);
}

/// What an engine or its protocol cannot do is said before the first game.
#[test]
fn what_cannot_be_played_is_refused_at_the_start() {
    if !has_python() {
        return;
    }
    let refused = |args: &[&str], why: &str| {
        let output = run(&[&["match"], args].concat());
        assert!(!output.status.success());
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    };
    let (good, passing) = (format!("cmd=python3 {BAD} good"), format!("cmd=python3 {ODD} gtp good"));
    let odd = format!("cmd=python3 {ODD} xboard no-setboard");
    let xboard = ["--engine", &good, "--engine", &odd, "proto=xboard"];
    refused(&[&xboard[..], &["--tc", "1+0.1"]].concat(), "--openings none");
    refused(&[&xboard[..], &["--openings", "none", "--tc", "st=0.5"]].concat(), "below a second");
    let go = ["--game", "go", "--engine", &passing, "--engine", &passing];
    for below in ["st=0.5", "9+3x0.5"] {
        refused(&[&go[..], &["--tc", below]].concat(), "below a second");
    }
    refused(&[&go[..], &["--tc", "depth=5"]].concat(), "GTP has no command that limits depth");
}
