//! UCCI as clients speak it, against an engine that plays no game.

use super::parse::parse;
use super::settings;
use super::{BestMove, Score, Ucci, score};
use crate::controller::stub::{Client, converse};
use crate::protocol::conversation::Command;
use crate::protocol::conversation::Language;

fn calls(lines: &str) -> Vec<String> {
    let client = Client::start(Some("ucci"), None);
    client.send(lines);
    client.send("isready");
    client.until("readyok");
    client.calls()
}

#[test]
fn identification_declares_what_the_text_names_in_short_lines() {
    let out = converse(Some("ucci"), "ucci");
    assert!(out[0] == "id name Sanqi" && out[1].starts_with("id version "));
    assert!(out.iter().all(|line| line.len() <= settings::MAX_LINE));
    for line in [
        "option usemillisec type check default false",
        "option batch type check default false",
        "option debug type check default false",
        "option ponder type check default false",
        "option usebook type check default false",
        "option bookfiles type string",
        "option evalapi type string",
        "option hashsize type spin min 0 max 1024 default 0",
        "option threads type spin min 0 max 8 default 1",
        "option idle type combo var none var small var medium var large default none",
        "option promotion type check default false",
        "option pruning type combo var none var small var medium var large default large",
        "option randomness type combo var none var tiny var small var medium var large var huge default none",
        "option style type combo var solid var normal var risky default normal",
        "option newgame type button",
        "option ruleset type combo var chinese var asian default chinese",
        "option clearhash type button",
        "option debuglogfile type string",
    ] {
        assert_eq!(out.iter().filter(|l| *l == line).count(), 1, "{line}: {out:#?}");
    }
    let is_named = |l: &&String| l.starts_with("option hash ") || l.starts_with("option repetition");
    assert_eq!(out.iter().find(is_named), None);
    assert_eq!(out.last().map(String::as_str), Some("ucciok"));
}

#[test]
fn options_reach_the_engine_by_its_own_names() {
    assert_eq!(calls("setoption hashsize 64"), ["xiangqi Hash=64"]);
    assert_eq!(calls("setoption hashsize 0"), ["xiangqi Hash=16"], "zero is the default");
    assert_eq!(calls("setoption threads 3"), ["xiangqi Threads=3"]);
    let processors = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    assert_eq!(calls("setoption threads 0"), [format!("xiangqi Threads={processors}")]);
    assert_eq!(calls("setoption RULESET Asian"), ["xiangqi Repetition Rule=asian"]);
    assert_eq!(calls("setoption evalapi C:\\my nets\\a"), ["xiangqi EvalFile=C:\\my nets\\a"]);
    for (line, call) in [
        ("idle large", "Idle=80"),
        ("randomness tiny", "Randomness=5"),
        ("Selectivity HUGE", "Randomness=80"),
        ("style solid", "Contempt=-20"),
        ("style risky", "Contempt=20"),
        ("style normal", "Contempt=0"),
        ("pruning small", "Pruning=small"),
        ("drawmoves 50", "No Progress Limit=50"),
    ] {
        assert_eq!(calls(&format!("setoption {line}")), [format!("xiangqi {call}")]);
    }
    for (line, call) in [
        ("name Hash value 64", "Hash=64"),
        ("name Repetition Rule value AsianRule", "Repetition Rule=asian"),
        ("name Idle value 20", "Idle=20"),
        ("name hashsize value 3", "Hash=3"),
        ("hash 3", "Hash=3"),
    ] {
        assert_eq!(calls(&format!("setoption {line}")), [format!("xiangqi {call}")], "{line}");
    }
    assert_eq!(calls("setoption newgame"), ["new"]);
    assert_eq!(calls("setoption clearhash"), ["xiangqi Clear Hash="]);
}

#[test]
fn options_that_the_engine_has_not_are_named_in_debug_mode_only() {
    let lines = "setoption promotion false\nsetoption usebook true\nsetoption bookfiles a;b\n\
                 setoption useegtb true\nsetoption knowledge small\nsetoption Fish 3";
    let unknown = ["useegtb", "knowledge", "Fish"].map(|name| format!("info message no such option: {name}"));
    assert_eq!(converse(Some("ucci"), &format!("setoption debug true\n{lines}")), unknown);
    assert_eq!(converse(Some("ucci"), lines), [""; 0]);
}

#[test]
fn values_out_of_range_are_refused() {
    for (line, answer) in [
        ("setoption hashsize -1", "hashsize must be a whole number from 0 to 1024, not '-1'"),
        ("setoption style wild", "style must be one of solid, normal, risky, not 'wild'"),
        ("setoption batch maybe", "batch must be true or false, not 'maybe'"),
        ("setoption promotion true", "soldiers do not promote in these rules"),
        ("setoption ruleset", "Repetition Rule"),
    ] {
        let out = converse(Some("ucci"), line);
        assert_eq!(out.len(), 1, "{line} {out:?}");
        assert!(
            out[0].starts_with("info message ") && (out[0].contains(answer) || line.ends_with("ruleset"))
        );
        assert_eq!(calls(line), [""; 0]);
    }
}

#[test]
fn the_clock_counts_seconds_unless_set_otherwise() {
    let clock = |lines: &str| {
        let call = calls(lines).pop().unwrap_or_default();
        call.split("clock: ").nth(1).and_then(|t| t.split(", lag").next()).unwrap_or_default().to_owned()
    };
    assert_eq!(
        clock("go time 60 increment 2 opptime 55 oppincrement 2"),
        "Some(TimeControl { remaining: 60s, increment: 2s, moves_to_go: None, overtime: None, \
         opponent: Some(55s) })"
    );
    assert_eq!(
        clock("setoption usemillisec true\ngo draw time 6000 movestogo 40 opptime 1 oppmovestogo 40"),
        "Some(TimeControl { remaining: 6s, increment: 0ns, moves_to_go: Some(40), overtime: None, \
         opponent: Some(1ms) })"
    );
    assert_eq!(
        clock("setoption usemillisec true\nsetoption usemillisec false\ngo time 1").split(',').next(),
        Some("Some(TimeControl { remaining: 1s")
    );
    let huge = clock("go time 99999999999999999999");
    assert!(huge.starts_with("Some(TimeControl { remaining: 1000000000s"), "{huge}");
}

#[test]
fn banned_moves_hold_until_the_next_position() {
    let banned =
        |lines: &str| calls(lines).pop().unwrap_or_default().contains("ban_moves: [\"h2e2\", \"b2e2\"]");
    assert!(banned("position startpos\nbanmoves h2e2 b2e2\ngo depth 1"));
    assert!(!banned("banmoves h2e2 b2e2\nposition startpos\ngo depth 1"));
    let client = Client::start(Some("ucci"), None);
    client.send("go infinite\nbanmoves h2e2\nisready");
    assert!(client.until("readyok").contains(&"info message banmoves is refused while searching".to_owned()));
}

#[test]
fn depth_zero_is_the_static_evaluation() {
    for go in ["go depth 0", "go depth 0 draw", "go depth -1"] {
        assert_eq!(converse(Some("ucci"), go), ["info depth 0 score -12", "nobestmove"], "{go}");
    }
}

#[test]
fn a_search_reports_bare_numbers() {
    let out = converse(Some("ucci"), "go depth 1");
    assert_eq!(
        out,
        [
            "info time 1234 nodes 5000000000 nps 4051863857",
            "info depth 300 score -35 time 1234 nodes 5000000000 nps 4051863857 wdl 100 800 100 pv a1a2 b1b2",
            "bestmove a1a2"
        ]
    );
    let values = [Score::Mate(1), Score::Mate(2), Score::Mate(0), Score::Mate(-1), Score::Centipawns(20_000)];
    assert_eq!(values.map(score), [9999, 9997, -10_000, -9998, 9000]);
}

#[test]
fn probe_answers_at_any_time() {
    let known = "pophash bestmove h2e2 lowerbound 5 depth 9 upperbound 7 depth 8";
    assert_eq!(converse(Some("ucci"), "probe startpos moves h2e2"), [known]);
    assert_eq!(converse(Some("ucci"), "probe fen 9/9 w"), ["pophash"]);
    assert_eq!(converse(Some("ucci"), "probe"), ["info message probe: position: nothing follows", "pophash"]);
    let client = Client::start(Some("ucci"), None);
    client.send("go infinite\nprobe startpos");
    assert_eq!(client.until("pophash").last().map(String::as_str), Some(known));
}

#[test]
fn the_answer_offers_a_draw_or_resigns() {
    let offer = BestMove { mv: Some("h2e2".into()), ponder: Some("h9g7".into()), draw: true, resign: false };
    let ucci = Ucci::default();
    assert_eq!(ucci.best_move(&offer), "bestmove h2e2 ponder h9g7 draw");
    assert_eq!(ucci.best_move(&BestMove { resign: true, ..offer }), "bestmove h2e2 ponder h9g7 resign");
    assert_eq!(ucci.best_move(&BestMove::default()), "nobestmove");
}

#[test]
fn in_batch_mode_a_file_is_worked_through() {
    let file =
        "ucci\nsetoption batch true\nposition startpos\ngo depth 1\ngo depth 1\nstop\ngo depth 1\nquit";
    for _ in 0..50 {
        let out = converse(None, file);
        let count = |text: &str| out.iter().filter(|l| l.starts_with(text)).count();
        assert_eq!((count("bestmove"), count("nobestmove"), count("info message")), (3, 0, 0), "{out:?}");
        assert_eq!(out.last().map(String::as_str), Some("bye"));
    }
    // The end of the file is not a reason to hurry, unless nothing else would end the search.
    let out = converse(Some("ucci"), "setoption batch true\ngo depth 1");
    assert_eq!(out.last().map(String::as_str), Some("bestmove a1a2"));
    let out = converse(Some("ucci"), "setoption batch true\ngo infinite");
    assert_eq!(out.last().map(String::as_str), Some("bestmove a1a2"));
    let out = converse(Some("ucci"), "setoption batch true\ngo infinite\nisready\nstop\nisready");
    assert_eq!(out.iter().filter(|l| *l == "readyok").count(), 2);
}

#[test]
fn pondering_ends_with_the_expected_move_and_its_offer() {
    let client = Client::start(Some("ucci"), None);
    client.send("go ponder time 5\nponderhit draw");
    client.until("bestmove");
    assert_eq!(client.calls().last().map(String::as_str), Some("hit true"));
}

#[test]
fn lines_are_read_as_the_text_has_them() {
    assert_eq!(parse("ponderhit"), Command::PonderHit { draw: false });
    assert_eq!(parse(" ponderhit\tdraw "), Command::PonderHit { draw: true });
    assert_eq!(parse("banmoves"), Command::BanMoves(vec![]));
    assert_eq!(parse("\u{FFFD}"), Command::Unknown);
    let Command::Go(go) = parse("go draw ponder depth time 5 nodes x 3 nodes 7") else { panic!() };
    assert_eq!((go.draw, go.ponder, go.time[0], go.nodes), (true, true, Some(5), Some(7)));
    assert_eq!(
        go.problems,
        [
            "go: depth without a number is ignored",
            "go: nodes 'x' is no number, and is ignored",
            "go: '3' is ignored"
        ]
    );
}
