//! UCI as clients speak it, against an engine that plays no game.

use super::super::stub::{Client, converse};
use crate::engine::GameId;

#[test]
fn info_lines_hold_numbers_of_any_size() {
    let out = converse(Some("uci"), "go depth 1\nisready");
    let info = "info depth 300 seldepth 301 multipv 1 score cp -35 wdl 100 800 100 nodes 5000000000 \
                nps 4051863857 hashfull 7 tbhits 0 time 1234 pv a1a2 b1b2";
    assert!(out.contains(&info.to_owned()), "{out:?}");
}

#[test]
fn identification_declares_every_option_once() {
    let out = converse(Some("uci"), "uci");
    assert!(out[0].starts_with("id name Sanqi ") && out[1].starts_with("id author "));
    assert_eq!(out.last().map(String::as_str), Some("uciok"));
    for line in [
        "option name Debug Log File type string default <empty>",
        "option name Ponder type check default false",
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Clear Hash type button",
        "option name UCI_Variant type combo default chess var chess var xiangqi",
        "option name UCI_Chess960 type check default false",
    ] {
        assert_eq!(out.iter().filter(|l| *l == line).count(), 1, "{line}: {out:#?}");
    }
    assert_eq!(out.iter().filter(|l| l.starts_with("option name UCI_Chess960")).count(), 1);
}

/// Sends lines and returns what the engine was told.
fn calls(game: Option<GameId>, lines: &str) -> Vec<String> {
    let client = Client::start(Some("uci"), game);
    client.send(lines);
    client.send("isready");
    client.until("readyok");
    client.calls()
}

const XIANGQI: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const CHESS: &str = "8/8/8/8/8/8/8/KQ5k w - - 0 1";

#[test]
fn the_dialect_of_xiangqi_is_found_out() {
    let spoken = |game, lines: &str| calls(game, lines).pop().unwrap_or_default();
    let cyclone = format!("xiangqi Coordinate {XIANGQI} [h2e2]");
    assert_eq!(spoken(None, &format!("uci\nposition fen {XIANGQI} moves h2e2")), cyclone);
    assert_eq!(spoken(None, &format!("fen {XIANGQI} moves h2e2")), cyclone);
    assert_eq!(spoken(Some(GameId::Xiangqi), "startpos"), "xiangqi Coordinate startpos []");
    let fairy = format!("setoption name UCI_Variant value xiangqi\nposition fen {XIANGQI} moves h3e3");
    assert_eq!(spoken(None, &fairy), format!("xiangqi RanksFromOne {XIANGQI} [h3e3]"));
    assert_eq!(
        spoken(Some(GameId::Xiangqi), "setoption name UCI_Variant value xiangqi\nposition startpos"),
        "xiangqi RanksFromOne startpos []"
    );
    let there_and_back = format!("position fen {XIANGQI}\nposition fen {CHESS}");
    assert_eq!(spoken(None, &there_and_back), format!("chess Coordinate {CHESS} []"));
    // A client that has said which game it plays is taken at its word.
    let contradiction = format!("setoption name UCI_Variant value chess\nposition fen {XIANGQI}");
    assert_eq!(spoken(None, &contradiction), format!("chess Coordinate {XIANGQI} []"));
}

#[test]
fn chess960_is_agreed_on_before_and_after_a_position() {
    let lines = "setoption name UCI_Chess960 value true\nposition startpos moves e1h1";
    assert_eq!(
        calls(None, lines),
        ["chess Chess960 startpos []", "chess Chess960 startpos [e1h1]"],
        "the starting position stands before any `position`"
    );
    let off = "position startpos\nsetoption name UCI_Chess960 value false\nposition startpos";
    assert_eq!(calls(None, off), ["chess Coordinate startpos []"; 2]);
}

#[test]
fn what_is_refused_is_named_and_changes_nothing() {
    for (line, answer) in [
        ("setoption name Nope value 1", "info string no such option: Nope"),
        ("setoption name Hash value 0", "info string Hash must be a whole number from 1 to 1024, not '0'"),
        ("setoption name Hash", "info string Hash must be a whole number from 1 to 1024, not ''"),
        (
            "setoption name UCI_Variant value shogi",
            "info string UCI_Variant must be one of chess, xiangqi, not 'shogi'",
        ),
        ("setoption name EvalFile value /missing", "info string /missing: no such file"),
        ("position fen bad", "info string position: bad fen"),
        ("position", "info string position: nothing follows"),
        ("position moves e2e4", "info string position: 'startpos' or 'fen' expected, not 'moves'"),
    ] {
        assert_eq!(converse(Some("uci"), line), [answer], "{line}");
        assert_eq!(calls(None, line), [""; 0], "{line}");
    }
    let out = converse(Some("uci"), "go infinite\nsetoption name Hash value 2\nucinewgame\nd");
    for answer in [
        "info string Hash cannot be set while searching",
        "info string ucinewgame is refused while searching",
        "info string not while searching",
    ] {
        assert!(out.contains(&answer.to_owned()), "{answer}: {out:?}");
    }
}

#[test]
fn a_message_quotes_no_more_than_a_person_reads() {
    let out = converse(Some("uci"), &format!("setoption name {} value 1", "x\r\u{7}".repeat(50_000)));
    assert!(out[0].len() < 1000 && out[0].starts_with("info string no such option: x  x"), "{out:?}");
}

#[test]
fn silence_unless_debugging() {
    assert_eq!(converse(Some("uci"), "nonsense\nregister later\ndebug off"), [""; 0]);
    let out = converse(Some("uci"), "debug on\nnonsense");
    assert_eq!(out, ["info string unknown command: nonsense"]);
}

#[test]
fn extensions_answer() {
    assert_eq!(converse(Some("uci"), "d\neval"), ["+---+", "|   |", "total 12"]);
    assert_eq!(converse(Some("uci"), "go perft 3"), ["a1a2: 3", "b1b2: 10", "", "Nodes searched: 13"]);
    assert_eq!(converse(Some("uci"), "bench 5"), ["5 nodes 5000 nps"]);
    assert_eq!(converse(Some("uci"), "bench"), ["13 nodes 13000 nps"]);
    assert!(converse(Some("uci"), "compiler")[0].starts_with("Sanqi "));
    assert!(converse(Some("uci"), "help").len() > 5);
}
