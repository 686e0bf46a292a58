//! Disks that are full, and places where nothing can be written: no game is lost, and the file is named.

use super::{full_after, shell, text};
use crate::session::Session;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A match of four games of this many moves between two copies of the engine.
fn match_of_four(moves: u32, arguments: &str) -> String {
    let engine = |name: &str| format!("--engine \"cmd=$S uci\" name={name}");
    let (first, second) = (engine("A"), engine("B"));
    format!(
        "$S match --games 4 --openings none --each nodes=1 --maxmoves {moves} {first} {second} {arguments}"
    )
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

/// A trace explains games and decides none: all are played, and a line behind the result reports that it is
/// not whole.
#[test]
fn a_full_disk_cuts_a_trace_and_no_match() {
    let folder = tempdir().unwrap();
    let out = shell(&format!("{} {}", full_after(48), match_of_four(20, "--trace t")), folder.path());
    let (printed, remarks) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(1), "{remarks}");
    assert!(
        printed.lines().last().is_some_and(|line| line.starts_with("A vs B: +0 =4 -0, Elo ")),
        "{printed}"
    );
    let last = remarks.lines().last().unwrap_or_default();
    assert!(last.starts_with("sanqi: t: the trace is not whole: File too large"), "{remarks}");
    // What is there can be read.
    let shown = shell("$S replay t --game 1", folder.path());
    assert!(shown.status.success() && text(&shown.stdout).contains(" A > go "), "{}", text(&shown.stderr));
}

/// A report that the disk does not hold costs neither the result nor the report of before, and can be made
/// again.
#[test]
fn a_full_disk_costs_only_a_report() {
    let folder = tempdir().unwrap();
    let report = folder.path().join("r");
    fs::write(&report, "of yesterday").unwrap();
    let command = match_of_four(1, "--journal j --report r");
    let out = shell(&format!("{} {command}", full_after(40)), folder.path());
    let (printed, remarks) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(1), "{remarks}");
    assert!(
        printed.lines().last().is_some_and(|line| line.starts_with("A vs B: +0 =4 -0, Elo ")),
        "{printed}"
    );
    let last = remarks.lines().last().unwrap_or_default();
    assert!(last.starts_with("sanqi: r: File too large"), "{remarks}");
    assert_eq!(fs::read_to_string(&report).unwrap(), "of yesterday");
    assert!(!folder.path().join("r.part").exists());

    let again = shell("$S match --resume j", folder.path());
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert!(!text(&again.stderr).contains("Started game"), "{}", text(&again.stderr));
    assert!(fs::read_to_string(&report).unwrap().contains("</html>"));
    assert_eq!(lines(&folder.path().join("j")), 5);
}

/// A record that fills up before the journal ends the match. The journal has what the record lacks.
#[test]
fn a_record_that_fills_up_before_the_journal_is_completed_later() {
    let chess = match_of_four(4, "--journal j --pgnout games");
    let go = "$S match --game go --size 5 --games 4 --openings none --each nodes=1 --maxmoves 4 --engine \"cmd=$S gtp\" \
              name=A --engine \"cmd=$S gtp\" name=B --journal j --sgfout games";
    for (command, other, head) in [
        (&*chess, "[Event \"x\"]\n\n1. e4 e5 *\n\n", "[Event \"Sanqi"),
        (go, "(;GM[1]SZ[5];B[aa])\n", "(;FF[4]"),
    ] {
        let folder = tempdir().unwrap();
        let (journal, games) = (folder.path().join("j"), folder.path().join("games"));
        // The games of others fill the file all but 96 bytes.
        let others = other.repeat(4000 / other.len());
        fs::write(&games, &others).unwrap();
        let out = shell(&format!("{} {command}", full_after(8)), folder.path());
        let remarks = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{remarks}");
        assert!(remarks.lines().last().is_some_and(|line| line.starts_with("sanqi: games: ")), "{remarks}");
        assert!(fs::read_to_string(&games).unwrap().starts_with(&others));
        let kept = fs::read_to_string(&journal).unwrap();
        assert_eq!(kept.lines().count(), 2, "the game that the record does not hold is kept: {kept}");

        let again = shell("$S match --resume j", folder.path());
        assert!(again.status.success(), "{}", text(&again.stderr));
        assert!(!text(&again.stderr).contains("Started game 1 "), "{}", text(&again.stderr));
        assert!(fs::read_to_string(&journal).unwrap().starts_with(&kept));
        assert_eq!(lines(&journal), 5);
        let whole = fs::read_to_string(&games).unwrap();
        assert!(whole.starts_with(&others), "games of others are lost");
        assert_eq!(whole.matches(head).count(), 4, "{whole}");
    }
}

/// A place where nothing can be written is named in the answer, and the session goes on.
#[test]
fn what_a_client_cannot_have_written_is_named() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "a letter").unwrap();
    let inside = file.join("x");
    // The kernel lets no user make a file there, not even root.
    for place in ["/proc/sanqi", inside.to_str().unwrap()] {
        let lines = format!(
            "setoption name Hash value 1\\nsetoption name Debug Log File value {place}\\nsetoption name Hash File value \
             {place}\\nsetoption name Save Hash to File\\nisready\\nposition startpos\\ngo depth 1\\n"
        );
        let printed = text(&shell(&format!("printf '{lines}' | $S uci"), folder.path()).stdout);
        let printed: Vec<&str> = printed.lines().collect();
        assert!(printed[0].starts_with(&format!("info string cannot open {place}: ")), "{printed:?}");
        assert!(printed[1].starts_with(&format!("info string cannot save to '{place}': ")), "{printed:?}");
        assert!(printed[2] == "readyok" && printed.last().unwrap().starts_with("bestmove "), "{printed:?}");

        let lines = format!(
            "ucci\\nsetoption hashsize 1\\nsetoption debuglogfile {place}\\nsetoption hashfile {place}\\nsetoption \
             savehashtofile\\nisready\\n"
        );
        let printed = text(&shell(&format!("printf '{lines}' | $S ucci"), folder.path()).stdout);
        let printed: Vec<&str> = printed.lines().skip_while(|line| *line != "ucciok").skip(1).collect();
        assert!(printed[0].starts_with(&format!("info message cannot open {place}: ")), "{printed:?}");
        assert!(printed[1].starts_with(&format!("info message cannot save to '{place}': ")), "{printed:?}");
        assert_eq!(printed[2], "readyok");

        let mut gtp = Session::start(&["gtp", "--option", "hashMiB=1", "--option", "maxVisits=8"]);
        gtp.must("boardsize 5");
        gtp.must("genmove b");
        let refused = gtp.ask(&format!("printsgf {place}")).unwrap_err();
        assert!(refused.starts_with(&format!("cannot write '{place}': ")), "{refused}");
        let refused = gtp.ask(&format!("sanqi-save_tree {place}")).unwrap_err();
        assert!(refused.starts_with(&format!("cannot save '{place}': ")), "{refused}");
        assert!(!refused.contains("there is no tree"), "{refused}");
        assert!(gtp.must("printsgf").contains(";B["), "the game is gone");
        let tree = folder.path().join("tree");
        assert!(gtp.must(&format!("sanqi-save_tree {}", tree.display())).ends_with(" positions"));
        fs::remove_file(tree).unwrap();

        for command in ["play chess --pgn", "play xiangqi --pgn", "play go --sgf"] {
            let out = shell(&format!("$S {command} {place} </dev/null"), folder.path());
            let remarks = text(&out.stderr);
            assert!(out.status.code() == Some(1) && out.stdout.is_empty(), "{command}: {remarks}");
            assert!(remarks.starts_with(&format!("sanqi: {place}: ")), "{command}: {remarks}");
        }
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "a letter");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something was left behind");
}
