//! `sanqi match` with engines that speak their protocol oddly: what is no fault costs nothing, and a fault
//! only its game.

use crate::arbiter::{BAD, Folder, games, has_python};
use crate::support::{run, stderr, stdout};
use serde_json::Value;

const ODD: &str = "tests/bad_engines/odd.py";

/// Plays two games of an odd engine and a good one. The reasons of their endings, and who won: `odd`, `good`
/// or neither.
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
            None => "neither",
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
        ("numbered", "repetition", "neither"),
        ("late-features", "repetition", "neither"),
        ("illegal-words", "repetition", "neither"),
        ("user-error", "repetition", "neither"),
        ("single-use", "repetition", "neither"),
        ("comments", "repetition", "neither"),
        ("claims-draw", "repetition", "neither"),
        ("claims-and-moves", "repetition", "neither"),
        ("claims-wrongly", "time", "good"),
        ("heeds-results", "repetition", "neither"),
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

/// Each period of a time control is passed on as it begins: to UCI by `movestogo` and the increment, to
/// XBoard's protocol by another `level`.
#[test]
fn engines_learn_of_the_next_period() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (trace, pgn) = (folder.file("trace.jsonl"), folder.file("games.pgn"));
    let (uci, xboard) = (format!("cmd=python3 {BAD} good"), format!("cmd=python3 {ODD} xboard good"));
    let mut args = vec!["match", "--openings", "none", "--games", "1", "--tc", "2/0:50,1:40+1"];
    args.extend(["--trace", &trace, "--pgnout", &pgn, "--engine", &uci, "name=A"]);
    args.extend(["--engine", &xboard, "proto=xboard", "name=B"]);
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let sent = |engine: &str, word: &str| -> Vec<String> {
        let shown = stdout(&run(&["replay", &trace, "--game", "1", "--engine", engine]));
        let lines = shown.lines().filter_map(|line| line.split_once(" > ")).map(|(_, line)| line.to_owned());
        lines.filter(|line| line.starts_with(word)).collect()
    };
    let searches = sent("A", "go ");
    for (search, end) in searches.iter().zip(["binc 0 movestogo 2", "binc 0 movestogo 1", "binc 1000"]) {
        assert!(search.ends_with(end), "{searches:?}");
    }
    // What is left of the first 50 s is not lost.
    let levels = sent("B", "level ");
    assert_eq!(levels.len(), 2, "{levels:?}");
    assert_eq!(levels[0], "level 2 0:50 0");
    assert!(levels[1].starts_with("level 0 2:") && levels[1].ends_with(" 1"), "{levels:?}");
    let record = std::fs::read_to_string(&pgn).unwrap();
    assert!(record.contains("[TimeControl \"2/50:100+1\"]"), "{record}");
}

/// An illegal move is put back, the record remarks on it, and the opponent's clock gets what was agreed;
/// engines of every protocol are asked again. One too many loses.
#[test]
fn illegal_moves_are_put_back_as_often_as_the_match_allows() {
    if !has_python() {
        return;
    }
    let play = |game: &str, allowed: &str, odd: &str, proto: &str| -> Value {
        let folder = Folder::new();
        let journal = folder.file("journal.jsonl");
        let good = match game {
            "go" => format!("cmd=python3 {ODD} gtp good"),
            _ => format!("cmd=python3 {BAD} good"),
        };
        let odd = format!("cmd=python3 {odd}");
        let mut args = vec!["match", "--game", game, "--openings", "none", "--games", "1", "--tc", "9+0.5"];
        args.extend(["--illegal-moves", allowed, "--journal", &journal]);
        args.extend(["--engine", &odd, proto, "name=odd", "--engine", &good, "name=good"]);
        let output = run(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        games(&journal).pop().unwrap()
    };
    let (uci, xboard, gtp) = (
        format!("{BAD} illegal-once"),
        format!("{ODD} xboard illegal-once"),
        format!("{ODD} gtp illegal-once"),
    );
    for (game, odd, proto, mv, reason) in [
        ("chess", &uci, "proto=uci", "e2e5", "repetition"),
        ("chess", &xboard, "proto=xboard", "e2e5", "repetition"),
        ("go", &gtp, "proto=gtp", "Z99", "counted"),
    ] {
        let played = play(game, "2+60", odd, proto);
        assert_eq!(played["ending"]["reason"], reason, "{odd}: {}", played["ending"]);
        let plies = played["plies"].as_array().unwrap();
        let remarked = |ply: &Value| {
            let comment = ply["comment"].as_str().or(ply["thought"]["comment"].as_str());
            comment.is_some_and(|text| text.contains(&format!("illegal move 1 put back: {mv}")))
        };
        let at = plies.iter().position(remarked).unwrap_or_else(|| panic!("{odd}: {plies:?}"));
        assert!(plies[at + 1]["clock_ms"].as_u64().unwrap() > 60_000, "{odd}: {plies:?}");
        let lost = play(game, "1", odd, proto);
        assert_eq!(lost["ending"]["reason"], "illegal-move", "{odd}");
    }
    let lost = play("chess", "3", &format!("{BAD} illegal-move"), "proto=uci");
    assert_eq!(lost["ending"]["reason"], "illegal-move");
    assert!(lost["ending"]["detail"].to_string().contains("illegal move 3"), "{}", lost["ending"]);
}

/// A claim that is examined and found right names the move and the rule, one that is wrong is remarked.
#[test]
fn claims_of_draws_are_examined() {
    if !has_python() {
        return;
    }
    let (good, odd) =
        (format!("cmd=python3 {BAD} good"), |way: &str| format!("cmd=python3 {ODD} xboard {way}"));
    let granted = "Black claims a draw with Ng8: third occurrence of the position (FIDE 9.2)";
    for (way, is_wrong_first) in [("claims-draw", false), ("claims-and-moves", true)] {
        let folder = Folder::new();
        let (journal, odd) = (folder.file("journal.jsonl"), odd(way));
        let mut args =
            vec!["match", "--openings", "none", "--games", "1", "--tc", "9+1", "--journal", &journal];
        args.extend(["--engine", &good, "name=good", "--engine", &odd, "proto=xboard", "name=odd"]);
        let output = run(&args);
        assert!(output.status.success(), "{way}: {}", stderr(&output));
        assert_eq!(games(&journal)[0]["ending"]["detail"], granted, "{way}");
        let remarks = stderr(&output);
        assert_eq!(remarks.contains("odd remarks: it claims"), is_wrong_first, "{way}: {remarks}");
    }
}

/// What is no fault of a game, but of the program, is remarked.
#[test]
fn illegal_moves_in_variations_are_remarked() {
    if !has_python() {
        return;
    }
    let [good, bad] = ["good", "illegal-pv"].map(|way| format!("cmd=python3 {BAD} {way}"));
    let mut args = vec!["match", "--openings", "none", "--games", "2", "--tc", "st=2"];
    args.extend(["--engine", &bad, "name=A", "--engine", &good, "name=B"]);
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let printed = stderr(&output);
    for line in ["g1f3 a1a8", "g8f6 a1a8"] {
        let remark = format!("A remarks: illegal move a1a8 in its PV: {line}");
        assert_eq!(printed.matches(&remark).count(), 1, "{printed}");
    }
    assert!(!printed.contains("B remarks"), "{printed}");
}

/// An engine without `proto=` is asked in every protocol of its game.
#[test]
fn a_protocol_is_detected() {
    if !has_python() {
        return;
    }
    let cmd = format!("cmd=python3 {BAD} ucci-only");
    let mut args = vec!["match", "--game", "xiangqi", "--games", "2", "--tc", "st=1", "--openings", "none"];
    args.extend(["--engine", &cmd, "name=A", "--engine", &cmd, "name=B", "proto=ucci"]);
    let output = run(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("engine A speaks Ucci"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("engine B speaks"), "{}", stderr(&output));
}

/// The usual slip: an engine of UCCI as one of UCI.
#[test]
fn a_wrong_protocol_is_named() {
    if !has_python() {
        return;
    }
    let cmd = format!("cmd=python3 {BAD} ucci-only");
    let mut args = vec!["match", "--game", "xiangqi", "--games", "2", "--tc", "st=1", "--patience", "2"];
    args.extend(["--engine", &cmd, "name=A", "proto=uci", "--engine", &cmd, "name=B", "proto=uci"]);
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1));
    let why = "no uciok within 2 s; its last line is \"what is uci?\"; it may speak UCCI: proto=ucci";
    assert!(stderr(&output).contains(why), "{}", stderr(&output));
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

/// Players agree on what is dead only where the rules let them. Every stone counts by the others, and the
/// button by those that have one.
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
        // `B+17.5 (Black 25 stones, 16¼ needed)`, where area is counted without a button.
        let is_result = [" ", "\""].iter().any(|end| detail.starts_with(&format!("\"{result}{end}")));
        assert!(is_result, "{rules}: {detail}");
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
    args.extend([
        "--engine",
        &good,
        "name=good",
        "--engine",
        &vanishing,
        "name=odd",
        "proto=uci",
        "restart=on",
    ]);
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
    refused(&[&xboard[..], &["--openings", "random", "--tc", "1+0.1"]].concat(), "--openings none");
    refused(&[&xboard[..], &["--openings", "none", "--tc", "st=0.5"]].concat(), "below a second");
    let go = ["--game", "go", "--engine", &passing, "--engine", &passing];
    for below in ["st=0.5", "9+3x0.5"] {
        refused(&[&go[..], &["--tc", below]].concat(), "below a second");
    }
    refused(&[&go[..], &["--tc", "depth=5"]].concat(), "GTP has no command that limits depth");
    refused(&[&go[..], &["--tc", "9/60,60"]].concat(), "GTP has no command for several periods");
}
