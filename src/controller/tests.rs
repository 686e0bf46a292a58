//! Every command in every state and order, against an engine that plays no game.

use super::Config;
use super::stub::{Client, converse};
use std::sync::Arc;

fn sequences<'a>(words: &[&'a str], length: usize) -> Vec<Vec<&'a str>> {
    let mut all = vec![vec![]];
    for _ in 0..length {
        all = all
            .iter()
            .flat_map(|start: &Vec<&str>| words.iter().map(move |w| [start.as_slice(), &[w]].concat()))
            .collect();
    }
    all
}

fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

const UCI_WORDS: &[&str] = &[
    "go infinite",
    "go depth 1",
    "go ponder",
    "go infinite mate 1",
    "position startpos moves a1a2",
    "isready",
    "ponderhit",
    "stop",
    "ucinewgame",
    "setoption name Hash value 2",
    "quit",
];

/// Whatever comes in whatever order, all at once: each `go` has one best move or one refusal, each
/// `isready` its answer, and the session ends.
#[test]
fn uci_commands_in_every_order() {
    for sequence in (1..=4).flat_map(|n| sequences(UCI_WORDS, n)) {
        let heard: Vec<_> = sequence.iter().take_while(|w| **w != "quit").collect();
        let out = converse(Some("uci"), &sequence.join("\n"));
        let asked = heard.iter().filter(|w| w.starts_with("go")).count();
        let answered = count(&out, "bestmove") + count(&out, "info string go is refused");
        assert_eq!(answered, asked, "{sequence:?} {out:?}");
        let asked = heard.iter().filter(|w| ***w == "isready").count();
        assert_eq!(count(&out, "readyok"), asked, "{sequence:?} {out:?}");
    }
}

/// The same with a client that waits for each answer: only a search that cannot end by itself is still
/// running when the next line comes. `next` hears the answer to a word, and gives the next state.
fn one_at_a_time(
    protocol: &str,
    words: &[&'static str],
    next: fn(&Client, &'static str, &str) -> &'static str,
) {
    for sequence in sequences(words, 4) {
        let client = Client::start(Some(protocol), None);
        let mut state = "idle";
        for word in &sequence {
            client.send(word);
            state = next(&client, state, word);
            client.send("isready");
            let out = client.until("readyok");
            let moves = count(&out, "bestmove") + count(&out, "nobestmove");
            assert_eq!(moves, 0, "{sequence:?} {word} {out:?}");
            if *word == "isready" {
                client.until("readyok");
            }
        }
        let is_ucci = protocol == "ucci";
        if is_ucci {
            client.send("quit");
        }
        let rest = client.finish();
        assert_eq!(count(&rest, "bestmove"), usize::from(state != "idle"), "{sequence:?} {rest:?}");
        assert!(!is_ucci || rest.last().is_some_and(|line| line == "bye"), "{sequence:?} {rest:?}");
    }
}

#[test]
fn uci_commands_in_every_order_one_at_a_time() {
    let words = ["go infinite", "go ponder", "go depth 1", "ponderhit", "stop", "isready"];
    one_at_a_time("uci", &words, |client, state, word| match (state, word) {
        ("idle", "go infinite") => "searching",
        ("idle", "go ponder") => "pondering",
        ("idle", "go depth 1") | ("pondering", "ponderhit") | ("searching" | "pondering", "stop") => {
            let out = client.until("bestmove");
            assert_eq!(count(&out, "info string"), 0, "{word} {out:?}");
            "idle"
        }
        (state, word) if word.starts_with("go") => {
            let out = client.until("info string go is refused");
            assert_eq!(count(&out, "bestmove"), 0, "{word} {out:?}");
            state
        }
        (state, _) => state,
    });
}

/// In UCCI, where a stray `stop` is not answered either.
#[test]
fn ucci_commands_in_every_order_one_at_a_time() {
    let words =
        ["go depth infinite", "go ponder depth 1", "ponderhit draw", "stop", "isready", "probe startpos"];
    one_at_a_time("ucci", &words, |client, state, word| match (state, word) {
        ("idle", "go depth infinite") => "searching",
        ("idle", "go ponder depth 1") => "pondering",
        ("idle", "stop") => "idle",
        ("pondering", "ponderhit draw") | (_, "stop") => {
            client.until("bestmove");
            "idle"
        }
        (state, "probe startpos") => {
            client.until("pophash bestmove h2e2 lowerbound 5 depth 9 upperbound 7 depth 8");
            state
        }
        (state, word) if word.starts_with("go") => {
            client.until("info message go is refused");
            state
        }
        (state, _) => state,
    });
}

#[test]
fn a_best_move_before_its_time_is_kept_back() {
    for (go, release) in [
        ("go infinite mate 1", "stop"),
        ("go ponder mate 1", "stop"),
        ("go ponder mate 1", "ponderhit"),
        ("go ponder infinite mate 1", "stop"),
    ] {
        let client = Client::start(Some("uci"), None);
        client.send(go);
        client.until("info depth");
        std::thread::sleep(std::time::Duration::from_millis(20));
        client.send("isready");
        assert_eq!(client.until("readyok"), ["readyok"], "{go}");
        client.send(release);
        assert_eq!(client.until("bestmove"), ["bestmove a1a2"], "{go}");
        assert_eq!(client.finish(), [""; 0]);
    }
}

#[test]
fn a_search_that_breaks_off_is_still_answered() {
    let out = converse(Some("uci"), "go mate 2\nisready");
    assert_eq!(count(&out, "bestmove (none)"), 1, "{out:?}");
}

#[test]
fn what_follows_stop_waits_for_the_best_move() {
    let client = Client::start(Some("uci"), None);
    client.send("go infinite\nstop\nposition startpos moves b1b2\nsetoption name Hash value 3\ngo depth 1");
    client.until("bestmove");
    client.until("bestmove");
    let calls = client.calls();
    assert_eq!(calls[1..3], ["chess Coordinate startpos [b1b2]", "chess Hash=3"]);
    assert_eq!(client.finish(), [""; 0]);
}

#[test]
fn a_position_sent_while_searching_holds_for_the_next_search() {
    let client = Client::start(Some("uci"), None);
    client.send("go infinite\nposition startpos moves b1b2\nstop");
    client.until("bestmove");
    client.send("isready");
    client.until("readyok");
    assert_eq!(client.calls()[1], "chess Coordinate startpos [b1b2]");
    assert_eq!(client.finish(), [""; 0]);
}

#[test]
fn the_first_known_word_chooses_the_protocol() {
    let out = converse(None, "hello\n\n\u{0}\nstop\nponderhit\n  uci  \nisready");
    assert_eq!(out.first().map(|l| l.starts_with("id name Sanqi")), Some(true), "{out:?}");
    assert_eq!(out.last().map(String::as_str), Some("readyok"));
    assert_eq!(count(&out, "bestmove"), 0);
    let out = converse(None, "protover 2\nucci\nquit");
    assert_eq!(out[out.len() - 2..], ["ucciok", "bye"]);
    assert_eq!(converse(None, "hello\nxboard\nhelp"), [""; 0]);
    assert_eq!(converse(None, "{\"id\":\"a\"}\n"), [""; 0]);
    for line in ["isready", "setoption name Hash value 2\nisready", "position startpos\nisready"] {
        assert_eq!(converse(None, line), ["readyok"], "{line}");
    }
    assert_eq!(converse(None, "probe startpos\nquit").last().map(String::as_str), Some("bye"));
}

#[test]
fn settings_are_carried_over_when_the_game_changes() {
    let client = Client::start(Some("uci"), None);
    client.send("setoption name hash value 64\nsetoption name Clear Hash");
    client.send("setoption name UCI_Variant value xiangqi\nisready");
    client.until("readyok");
    let calls = client.calls();
    // A button is pressed once; what was set stays set.
    let expected =
        ["chess Hash=64", "chess Clear Hash=", "xiangqi Hash=64", "xiangqi RanksFromOne startpos []"];
    assert_eq!(calls, expected);
}

#[test]
fn lines_of_the_command_line_are_worked_through_before_any_input() {
    let run = |commands: &[&str]| {
        let protocol = crate::protocol::by_name("uci");
        let commands = commands.iter().map(|c| (*c).to_owned()).collect();
        let client = Client::start_with(Config { protocol, commands, ..Config::default() });
        client.send("isready");
        client.finish()
    };
    let out = run(&["go depth 1", "go depth 1", "quit", "bench"]);
    assert_eq!(
        (count(&out, "bestmove"), count(&out, "readyok"), count(&out, "13 nodes")),
        (2, 0, 0),
        "{out:?}"
    );
    let out = run(&["go infinite", "isready", "stop", "go depth 1"]);
    assert_eq!((count(&out, "bestmove"), count(&out, "readyok")), (2, 2), "{out:?}");
    assert_eq!(count(&run(&["go infinite"]), "bestmove"), 1);
}

/// What waits when the session is overdue gets the shortest answer, if any.
#[test]
fn what_comes_before_the_end_and_too_late_is_not_done() {
    let late = "ucinewgame\ngo depth 1\nisready\nposition startpos\ngo infinite\nsetoption name Hash value 2";
    for end in ["\nquit\nisready", ""] {
        let client = Client::start(Some("uci"), None);
        client.send(&format!("setoption name EvalFile value /slow\n{late}{end}"));
        let calls = Arc::clone(&client.calls);
        assert_eq!(client.finish(), ["bestmove (none)", "readyok", "bestmove (none)"]);
        assert_eq!(*calls.lock().unwrap(), ["chess EvalFile=/slow"]);
    }
    let client = Client::start(Some("gtp"), None);
    client
        .send("kata-set-param maxTime 60\n1 genmove b\n2 clear_board\n# no command\n3 name\n4 quit\n5 name");
    let answers: Vec<_> = client.finish().into_iter().filter(|line| !line.is_empty()).skip(1).collect();
    assert!(answers[0].starts_with("=1 "), "{answers:?}");
    // Go's commands are done in order, but for searches and counts.
    assert_eq!(answers[1..], ["=2", "=3 Sanqi", "=4"]);
}
