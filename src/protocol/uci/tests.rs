//! UCI as clients speak it, against an engine that plays no game.

use super::FastAction;
use super::parse::{fast_action, parse};
use crate::controller::stub::{Client, converse};
use crate::engine::GameId;
use crate::protocol::conversation::Command;
use crate::protocol::extras::Extension;
use crate::protocol::go::Go;
use proptest::prelude::*;
use vampirc_uci::{Duration, UciMessage, UciSearchControl, UciTimeControl};

fn go(text: &str) -> Go {
    match parse(text) {
        Command::Go(go) => go,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn go_takes_its_arguments_in_any_mixture_and_order() {
    let read = go("go binc 2 searchmoves e2e4 d2d4 depth 1000 wtime -5 ponder nodes 1234567890123 btime 7");
    assert_eq!(read.search_moves, ["e2e4", "d2d4"]);
    assert_eq!((read.depth, read.nodes, read.ponder), (Some(1000), Some(1_234_567_890_123), true));
    assert_eq!((read.time, read.increment), ([Some(-5), Some(7)], [None, Some(2)]));
    assert_eq!(read.problems, [""; 0]);
    assert_eq!(go("go depth 5 depth 7").depth, Some(7));
    assert_eq!(go("go mate 300 movestogo 256").mate, Some(300));
    assert_eq!(go("go movetime\t5000  infinite").movetime, Some(5000));
    assert_eq!(go("go perft 5").perft, Some(5));
}

#[test]
fn what_is_wrong_in_go_is_named_and_the_rest_holds() {
    let read = go("go depth nodes 100 movetime fast fish 12 searchmoves wtime 5");
    assert_eq!((read.depth, read.nodes, read.movetime), (None, Some(100), None));
    assert_eq!(read.time, [Some(5), None]);
    assert_eq!(
        read.problems,
        [
            "go: depth without a number is ignored",
            "go: movetime 'fast' is no number, and is ignored",
            "go: 'fish' is ignored",
            "go: '12' is ignored",
            "go: searchmoves without a move is ignored",
        ]
    );
    assert_eq!(go("go depth").problems.len(), 1);
}

#[test]
fn numbers_out_of_range_have_a_meaning() {
    let limits = go("go depth -3 nodes 0 movetime -1 wtime -100 winc -1 movestogo 0").limits(0, 1);
    assert_eq!((limits.depth, limits.nodes, limits.movetime), (Some(1), Some(1), Some(Default::default())));
    let clock = limits.clock.unwrap();
    assert!(clock.remaining.is_zero() && clock.increment.is_zero() && clock.moves_to_go.is_none());
    let nines = "9".repeat(60);
    let limits = go(&format!("go depth {nines} nodes {nines} wtime {nines}")).limits(0, 1);
    assert_eq!((limits.depth, limits.nodes), (Some(u32::MAX), Some(i64::MAX as u64)));
    assert!(limits.clock.unwrap().remaining.as_secs() >= 1_000_000_000);
}

#[test]
fn a_lone_clock_is_that_of_the_side_to_move() {
    for side in [0, 1] {
        for text in ["go wtime 100", "go btime 100"] {
            let limits = go(text).limits(side, 1);
            assert_eq!(limits.clock.unwrap().remaining.as_millis(), 100, "{text}");
            assert!(!limits.infinite);
        }
    }
    let limits = go("go wtime 1 btime 2 winc 3 binc 4").limits(1, 1);
    let clock = limits.clock.unwrap();
    assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis()), (2, 4));
    assert_eq!(clock.opponent.unwrap().as_millis(), 1);
}

#[test]
fn without_a_limit_a_search_waits_for_stop() {
    for text in ["go", "go movestogo 5", "go searchmoves e2e4", "go infinite depth 3", "go infinite fast"] {
        assert!(go(text).limits(0, 1).infinite, "{text}");
    }
    for text in ["go depth", "go forever", "go movetime fast"] {
        let limits = go(text).limits(0, 1);
        assert!(!limits.infinite && limits.movetime.is_some_and(|time| time.as_secs() == 1), "{text}");
    }
    for text in ["go depth 0", "go winc 100", "go ponder", "go mate 1"] {
        assert!(!go(text).limits(0, 1).infinite, "{text}");
    }
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(parse("joho debug on"), Command::Debug(true));
    assert_eq!(parse("\u{FFFD}\u{0} isready "), Command::IsReady);
    assert_eq!(parse("joho"), Command::Unknown);
    assert_eq!(parse("debug maybe"), Command::Unknown);
    assert_eq!(parse("  \t "), Command::Empty);
    assert_eq!(parse("uciok isreadynow"), Command::Unknown);
    assert_eq!(parse("help stop"), Command::Extension(Extension::Help));
    let (stop, ready) = (FastAction::Stop, FastAction::Answer("readyok"));
    for (line, expected) in
        [("stop", stop), (" quit now", FastAction::Quit), ("x stop", stop), ("x isready", ready)]
    {
        assert_eq!(fast_action(line), expected, "{line}");
    }
    for line in ["help stop", "setoption name stop value quit", "uciok isreadynow"] {
        assert_eq!(fast_action(line), FastAction::None, "{line}");
    }
}

#[test]
fn option_names_and_values_may_hold_blanks() {
    let set = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
    assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", ""));
    assert_eq!(
        parse("setoption  name Debug  Log File value  C:\\my  logs\\a value b "),
        set("Debug Log File", "C:\\my  logs\\a value b")
    );
    assert_eq!(parse("setoption name values of value v"), set("values of", "v"));
    assert_eq!(parse("setoption name X value"), set("X", ""));
    assert_eq!(parse("setoption name value 3"), set("", "3"));
    assert_eq!(parse("setoption Hash 3"), set("Hash 3", ""));
    assert_eq!(parse("setoption"), set("", ""));
}

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

/// Sends lines and returns what the engine got.
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
        "xiangqi Coordinate startpos []",
        "an option that is sent back changes nothing"
    );
    assert_eq!(
        spoken(Some(GameId::Xiangqi), "position startpos moves h3e3 h10g8"),
        "xiangqi RanksFromOne startpos [h3e3 h10g8]"
    );
    let there_and_back = format!("position fen {XIANGQI}\nposition fen {CHESS}");
    assert_eq!(spoken(None, &there_and_back), format!("chess Coordinate {CHESS} []"));
    // Whatever the variant, chess does not have ten ranks.
    let contradiction = format!("setoption name UCI_Variant value chess\nposition fen {XIANGQI}");
    assert_eq!(spoken(None, &contradiction), format!("xiangqi Coordinate {XIANGQI} []"));
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

/// A move of chess as vampirc-uci reads it.
fn a_move() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrnb]?"
}

fn go_arguments() -> impl Strategy<Value = Vec<String>> {
    let clock = prop_oneof![Just("wtime"), Just("btime"), Just("winc"), Just("binc")];
    // Within what the oracle's numbers can hold, and no `ponder`, which it forgets beside a clock.
    let argument = prop_oneof![
        (clock, -99_999i64..10_000_000).prop_map(|(word, n)| format!("{word} {n}")),
        (0u8..=255).prop_map(|n| format!("movestogo {n}")),
        (0u8..=255).prop_map(|n| format!("depth {n}")),
        (0u8..=255).prop_map(|n| format!("mate {n}")),
        (0u64..1_000_000_000_000).prop_map(|n| format!("nodes {n}")),
        prop::collection::vec(a_move(), 1..5).prop_map(|moves| format!("searchmoves {}", moves.join(" "))),
    ];
    prop::collection::vec(argument, 1..8).prop_map(|mut all| {
        // One of each word: the oracle adds up the moves of two searchmoves, as we do.
        all.sort_by_key(|a| a.split(' ').next().map(str::to_owned));
        all.dedup_by_key(|a| a.split(' ').next().map(str::to_owned));
        all
    })
}

proptest! {
    #[test]
    fn go_is_read_as_vampirc_reads_it(arguments in go_arguments().prop_shuffle()) {
        let text = format!("go {}", arguments.join(" "));
        let UciMessage::Go { time_control, search_control } = vampirc_uci::parse_one(&text) else {
            panic!("no go: {text}");
        };
        let own = go(&text);
        let search = search_control.unwrap_or_default();
        let UciSearchControl { search_moves, mate, depth, nodes } = search;
        prop_assert_eq!(&own.search_moves, &search_moves.iter().map(|m| m.to_string()).collect::<Vec<_>>());
        prop_assert_eq!(own.mate, mate.map(i64::from));
        prop_assert_eq!(own.depth, depth.map(i64::from));
        prop_assert_eq!(own.nodes, nodes.map(|n| n as i64));
        let clock = time_control.unwrap_or_else(UciTimeControl::time_left);
        let UciTimeControl::TimeLeft {
            white_time, black_time, white_increment, black_increment, moves_to_go
        } = clock else { panic!("no clock: {text}") };
        let ms = |d: Option<Duration>| d.map(|d| d.num_milliseconds());
        prop_assert_eq!(own.time, [ms(white_time), ms(black_time)]);
        prop_assert_eq!(own.increment, [ms(white_increment), ms(black_increment)]);
        prop_assert_eq!(own.moves_to_go[0], moves_to_go.map(i64::from));
        prop_assert!(own.problems.is_empty());
    }

    #[test]
    fn positions_are_read_as_vampirc_reads_them(
        rank in "[1-8pnbrqkPNBRQK]{1,8}", side in "[wb]", rights in "K?Q?k?q", counters in (0u32..100, 1u32..400),
        startpos: bool, moves in prop::collection::vec(a_move(), 0..40),
    ) {
        let fen = format!("{} {side} {rights} - {} {}", [rank.as_str(); 8].join("/"), counters.0, counters.1);
        let base = if startpos { "startpos".to_owned() } else { format!("fen {fen}") };
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let text = format!("position {base}{tail}");
        let UciMessage::Position { startpos, fen, moves } = vampirc_uci::parse_one(&text) else {
            panic!("no position: {text}");
        };
        let Command::Position(Ok(own)) = parse(&text) else { panic!("{text}") };
        prop_assert_eq!(own.fen.is_none(), startpos);
        prop_assert_eq!(own.fen, fen.map(|f| f.to_string()));
        prop_assert_eq!(own.moves, moves.iter().map(|m| m.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn options_are_set_as_vampirc_sets_them(
        name in "[A-UW-Z][A-Za-z0-9_]{0,8}( [A-UW-Z][a-z0-9]{0,8}){0,3}", value in "([!-~]{1,9}( [!-~]{1,9}){0,3})?",
    ) {
        let tail = if value.is_empty() { String::new() } else { format!(" value {value}") };
        let text = format!("setoption name {name}{tail}");
        let UciMessage::SetOption { name, value } = vampirc_uci::parse_one(&text) else {
            panic!("no setoption: {text}");
        };
        prop_assert_eq!(parse(&text), Command::SetOption { name, value: value.unwrap_or_default() });
    }

    #[test]
    fn no_line_is_too_odd_to_read(line in ".{0,200}", words in prop::collection::vec(
        prop_oneof![
            Just("go"), Just("position"), Just("fen"), Just("startpos"), Just("moves"), Just("setoption"),
            Just("name"), Just("value"), Just("depth"), Just("-1"), Just("999"), Just("searchmoves"),
            Just("debug"), Just("on"), Just("register"), Just("code"), Just("later"), Just("\u{0}"),
        ], 0..12)
    ) {
        parse(&line);
        if let Command::Go(go) = parse(&words.join(" ")) {
            go.limits(0, 1);
        }
    }
}
