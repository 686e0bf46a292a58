//! The arbiter's desk of a match, wrong claims, adjournments, and the language of its pages.

use crate::arbiter::{BAD, Folder, games, has_python};
use crate::live::Club;
use crate::support::{engine, program, run, stderr};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A match of two persons, A and B, over one game.
fn of_persons(more: &[&str]) -> Club {
    let club = Club::open(&[&["--games", "1", "--engine", "human=A", "--engine", "human=B"], more].concat());
    sit(&club);
    club
}

fn sit(club: &Club) {
    for seat in 0..club.seats.len() {
        club.until(&club.seats[seat], |state| state["board"]["phase"] == "seating");
        assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
    }
}

fn order(club: &Club, mut order: Value) -> Option<String> {
    order["game"] = 1.into();
    club.send(&club.arbiter, &order)
}

fn board(club: &Club, is_wanted: impl Fn(&Value) -> bool) -> Value {
    club.until(&club.arbiter, |state| is_wanted(&state["boards"][0]))["boards"][0].clone()
}

/// Milliseconds that a side has left.
fn left(board: &Value, side: usize) -> u64 {
    board["clocks"][side][0].as_u64().unwrap()
}

fn notes(board: &Value) -> String {
    board["notes"].to_string()
}

#[test]
fn a_wrong_claim_costs_time_which_a_resumed_match_remembers() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let club = of_persons(&["--tc", "60", "--journal", &journal]);
    club.turn(0);
    assert!(club.act(0, json!({ "act": "claim" })).unwrap().contains("wrongly"));
    let found = board(&club, |board| notes(board).contains("+120 s"));
    assert!(left(&found, 1) == 180_000 && left(&found, 0) <= 60_000, "{found}");
    // Once wrong, the same claim costs no more.
    let again = |asked: Value| loop {
        let answer = club.act(0, asked.clone()).unwrap();
        // The note comes a moment before the board.
        if !answer.contains("not done yet") {
            return answer;
        }
    };
    assert!(again(json!({ "act": "claim" })).contains("wrongly"));
    // With a move: the move is made, and the claim is an offer.
    assert!(again(json!({ "act": "claim", "mv": "e4" })).contains("wrongly"));
    let state = club.turn(1);
    assert_eq!((&state["board"]["texts"], &state["board"]["offer"]), (&json!(["e4"]), &json!(0)));
    assert!(left(&state["board"], 1) > 290_000, "{state}");
    drop(club);
    let club = Club::start(&["--resume", &journal]);
    sit(&club);
    let found = club.turn(1)["board"].clone();
    assert!(left(&found, 1) > 290_000 && notes(&found).matches("+120 s").count() == 2, "{found}");
}

#[test]
fn what_a_wrong_claim_costs_is_for_the_match_to_say() {
    let club = of_persons(&["--tc", "60", "--wrong-claim", "-300"]);
    club.turn(0);
    assert!(club.act(0, json!({ "act": "claim" })).is_some());
    let found = board(&club, |board| notes(board).contains("for the wrong claim"));
    // The flag does not fall for it.
    assert!((1..2000).contains(&left(&found, 0)) && left(&found, 1) == 60_000, "{found}");
    let xiangqi = of_persons(&["--game", "xiangqi", "--tc", "60"]);
    xiangqi.turn(0);
    assert!(xiangqi.act(0, json!({ "act": "claim" })).is_some());
    let found = board(&xiangqi, |board| !board["notes"].as_array().unwrap().is_empty());
    assert_eq!(left(&found, 1), 60_000, "{found}");
}

/// Engines pay as well where the match says so.
#[test]
fn a_wrong_claim_of_an_engine_costs_what_the_match_says() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let good = format!("cmd=python3 {BAD} good");
    let odd = "cmd=python3 tests/bad_engines/odd.py xboard claims-and-moves";
    for (claim, most) in [("30", 40_000), ("0", 12_000)] {
        let _ = std::fs::remove_file(&journal);
        let mut args = vec!["match", "--openings", "none", "--games", "1", "--tc", "9+0.1"];
        args.extend(["--wrong-claim", claim, "--journal", &journal]);
        args.extend(["--engine", &good, "name=good", "--engine", odd, "proto=xboard", "name=odd"]);
        let output = run(&args);
        assert!(output.status.success(), "{}", stderr(&output));
        let game = &games(&journal)[0];
        let clocks = game["plies"].as_array().unwrap().iter().filter_map(|ply| ply["clock_ms"].as_u64());
        let (found, text) = (clocks.max().unwrap(), game.to_string());
        assert!(found <= most && (claim == "0" || found > 30_000), "{claim}: {found}");
        assert!(text.contains("Black claims a draw wrongly"), "{text}");
    }
}

/// The arbiter's word holds at once, though an engine thinks and never answers.
#[test]
fn an_engine_that_thinks_does_not_delay_the_arbiter() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let (journal, trace) = (folder.file("journal.jsonl"), folder.file("trace.jsonl"));
    let thinks = format!("cmd=python3 {BAD} thinks");
    let mut args = vec!["--games", "1", "--tc", "600", "--journal", &journal, "--trace", &trace];
    args.extend(["--engine", &thinks, "name=T", "--engine", "human=A"]);
    let mut club = Club::open(&args);
    sit(&club);
    board(&club, |board| board["runs"] == true);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(order(&club, json!({ "order": "pause" })), None);
    let paused = board(&club, |board| board["phase"] == "paused");
    assert!(left(&paused, 0) < 599_900, "{paused}");
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(club.state(&club.arbiter, 0)["boards"][0]["clocks"], paused["clocks"]);
    assert_eq!(order(&club, json!({ "order": "adjust", "side": "first", "seconds": 60 })), None);
    assert_eq!(order(&club, json!({ "order": "warn", "side": "second", "why": "talks" })), None);
    assert_eq!(order(&club, json!({ "order": "continue" })), None);
    let running = board(&club, |board| board["runs"] == true);
    assert!(left(&running, 0) > 650_000 && notes(&running).contains("talks"), "{running}");
    // Its flag falls when the new time is up.
    assert_eq!(order(&club, json!({ "order": "adjust", "side": "second", "seconds": 30 })), None);
    board(&club, |board| left(board, 1) == 630_000);
    let asked = Instant::now();
    assert_eq!(order(&club, json!({ "order": "forfeit", "side": "second" })), None);
    assert!(club.manager.wait().unwrap().success());
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    let game = &games(&journal)[0];
    assert_eq!((&game["ending"]["reason"], &game["ending"]["winner"]), (&json!("forfeit"), &json!("first")));
    let sent = std::fs::read_to_string(&trace).unwrap();
    assert!(sent.contains("\"stop\""), "{sent}");
}

/// A clock that the arbiter shortens falls while the engine thinks.
#[test]
fn the_flag_of_an_engine_falls_when_the_arbiter_takes_its_time() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let thinks = format!("cmd=python3 {BAD} thinks");
    let args = ["--games", "1", "--tc", "600", "--journal", &journal, "--engine", &thinks, "name=T"];
    let mut club = Club::open(&[&args[..], &["--engine", "human=A"]].concat());
    sit(&club);
    board(&club, |board| board["runs"] == true);
    assert_eq!(order(&club, json!({ "order": "adjust", "side": "first", "seconds": -600 })), None);
    assert!(club.manager.wait().unwrap().success());
    assert_eq!(games(&journal)[0]["ending"]["reason"], "time");
}

#[test]
fn a_person_resigns_while_the_engine_thinks() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let thinks = format!("cmd=python3 {BAD} thinks");
    let args = ["--games", "1", "--tc", "600", "--journal", &journal, "--engine", &thinks, "name=T"];
    let mut club = Club::open(&[&args[..], &["--engine", "human=A"]].concat());
    sit(&club);
    board(&club, |board| board["runs"] == true);
    assert_eq!(club.act(0, json!({ "act": "resign" })), None);
    assert!(club.manager.wait().unwrap().success());
    assert_eq!(games(&journal)[0]["ending"]["reason"], "resignation");
}

/// The move is secret until the match goes on; the clocks stand as they did.
#[test]
fn a_sealed_move_is_opened_when_the_match_goes_on() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let club = of_persons(&["--tc", "600", "--journal", &journal]);
    club.play(0, "e4");
    club.turn(1);
    assert_eq!(order(&club, json!({ "order": "adjourn" })), None);
    let sealing = club.until(&club.seats[1], |state| state["board"]["phase"] == "sealing")["board"].clone();
    assert!(sealing["runs"] == true && sealing["legal"].as_array().unwrap().len() == 20, "{sealing}");
    for refused in [json!({ "act": "claim" }), json!({ "act": "move", "mv": "Ke7" })] {
        assert!(club.act(1, refused.clone()).is_some(), "{refused}");
    }
    assert!(club.act(0, json!({ "act": "move", "mv": "d4" })).is_some(), "the other side seals");
    assert_eq!(club.act(1, json!({ "act": "move", "mv": "c5" })), None);
    let adjourned = board(&club, |board| board["phase"] == "adjourned");
    assert_eq!((&adjourned["texts"], &adjourned["runs"]), (&json!(["e4"]), &json!(false)));
    assert!(club.act(0, json!({ "act": "move", "mv": "d4" })).unwrap().contains("adjourned"));
    let (file, envelope) = (format!("{journal}.games/1.jsonl"), format!("{journal}.games/1.envelope"));
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains("\"sealed\"") && !kept.contains("c7c5"), "{kept}");
    assert!(std::fs::read_to_string(&envelope).unwrap().trim().ends_with(":c7c5"));
    drop(club);
    let mut club = Club::start(&["--resume", &journal]);
    // B, who sealed, is not needed for the opening; A has to answer.
    sit(&club);
    let found = club.turn(0)["board"].clone();
    assert_eq!(found["texts"], json!(["e4", "c5"]));
    assert!(notes(&found).contains("the envelope is opened") && left(&found, 1) < 600_000, "{found}");
    assert_eq!(club.act(0, json!({ "act": "resign" })), None);
    assert!(club.manager.wait().unwrap().success());
    assert!(!std::path::Path::new(&envelope).exists());
    assert_eq!(games(&journal)[0]["plies"].as_array().unwrap().len(), 2);
}

/// The arbiter resumes a game without an end of the match; a lost envelope is asked for again.
#[test]
fn a_game_is_resumed_from_the_desk_and_a_lost_envelope_is_named_again() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let seal = |club: &Club, mv: &str| {
        assert_eq!(order(club, json!({ "order": "adjourn" })), None);
        club.until(&club.seats[0], |state| state["board"]["phase"] == "sealing");
        assert_eq!(club.act(0, json!({ "act": "move", "mv": mv })), None);
        board(club, |board| board["phase"] == "adjourned");
    };
    let club = of_persons(&["--game", "xiangqi", "--tc", "600", "--journal", &journal]);
    club.turn(0);
    seal(&club, "炮二平五");
    assert_eq!(order(&club, json!({ "order": "continue" })), None);
    assert_eq!(club.turn(1)["board"]["texts"].as_array().unwrap().len(), 1);
    club.play(1, "h9g7");
    club.turn(0);
    seal(&club, "b0c2");
    drop(club);
    std::fs::remove_file(format!("{journal}.games/1.envelope")).unwrap();
    let club = Club::start(&["--resume", &journal]);
    sit(&club);
    let found = club.turn(0)["board"].clone();
    assert!(notes(&found).contains("envelope is lost"), "{found}");
    club.play(0, "b0c2");
    assert_eq!(club.turn(1)["board"]["moves"].as_array().unwrap().len(), 3);
}

/// An adjourned game leaves its place and its persons to others, and goes on when these persons are free.
#[test]
fn others_play_while_a_game_is_adjourned() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let persons = ["--engine", "human=A", "--engine", "human=B", "--engine", "human=C"];
    let args = ["--games", "1", "--tc", "600", "--concurrency", "1", "--journal", &journal];
    let mut club = Club::open(&[&args[..], &persons].concat());
    let in_phase = |game: usize, phase: &str| {
        let is_it = |board: &&Value| board["n"] == game && board["phase"] == phase;
        let find = |state: &Value| state["boards"].as_array()?.iter().find(is_it).cloned();
        find(&club.until(&club.arbiter, |state| find(state).is_some())).unwrap()
    };
    // Its players take their seats.
    let begin = |game: usize| -> [usize; 2] {
        let board = in_phase(game, "seating");
        [0, 1].map(|side| {
            let name = board["names"][side].as_str().unwrap();
            let seat = ["A", "B", "C"].iter().position(|known| *known == name).unwrap();
            assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
            seat
        })
    };
    let [first, second] = begin(1);
    club.play(first, "e4");
    club.turn(second);
    assert_eq!(order(&club, json!({ "order": "adjourn" })), None);
    club.until(&club.seats[second], |state| state["board"]["phase"] == "sealing");
    assert_eq!(club.act(second, json!({ "act": "move", "mv": "c5" })), None);
    for game in [2, 3] {
        let [white, _] = begin(game);
        let why = order(&club, json!({ "order": "continue" })).unwrap();
        assert!(why.ends_with(&format!(" plays game {game}")), "{why}");
        club.turn(white);
        assert_eq!(club.act(white, json!({ "act": "resign" })), None);
    }
    in_phase(3, "over");
    assert_eq!(order(&club, json!({ "order": "continue" })), None);
    assert_eq!(club.turn(first)["board"]["texts"], json!(["e4", "c5"]));
    assert_eq!(club.act(first, json!({ "act": "resign" })), None);
    assert!(club.manager.wait().unwrap().success());
    let ends = games(&journal).iter().map(|game| game["ending"]["reason"].clone()).collect::<Vec<_>>();
    assert_eq!(ends, ["resignation"; 3]);
}

/// Who has to answer a sealed move and does not come loses, unless the sealed move has ended the game.
#[test]
fn who_comes_late_to_a_resumption_loses_unless_the_sealed_move_mates() {
    for (sealed, reason, winner) in [("Qxf7", "checkmate", "first"), ("Qxe5", "forfeit", "first")] {
        let folder = Folder::new();
        let journal = folder.file("journal.jsonl");
        let club = of_persons(&["--tc", "600", "--journal", &journal]);
        for (seat, mv) in [(0, "e4"), (1, "e5"), (0, "Bc4"), (1, "Nc6"), (0, "Qh5"), (1, "Nf6")] {
            club.play(seat, mv);
        }
        club.turn(0);
        assert_eq!(order(&club, json!({ "order": "adjourn" })), None);
        club.until(&club.seats[0], |state| state["board"]["phase"] == "sealing");
        assert_eq!(club.act(0, json!({ "act": "move", "mv": sealed })), None);
        board(&club, |board| board["phase"] == "adjourned");
        drop(club);
        let mut club = Club::start(&["--resume", &journal, "--late", "0", "--seating", "0"]);
        assert!(club.manager.wait().unwrap().success());
        let ending = &games(&journal)[0]["ending"];
        assert_eq!(ending["reason"], reason, "{ending}");
        if reason == "checkmate" {
            assert_eq!(ending["winner"], winner, "{ending}");
        }
    }
}

/// The end of a game is on the board: the move that mates, the clock that ran out.
#[test]
fn a_page_shows_how_the_game_ended() {
    let club = of_persons(&["--tc", "60"]);
    for (seat, mv) in [(0, "f3"), (1, "e5"), (0, "g4"), (1, "Qh4")] {
        club.play(seat, mv);
    }
    let over = |club: &Club| club.until(&club.seats[0], |state| state["board"]["phase"] == "over");
    let state = over(&club);
    assert_eq!(state["board"]["texts"], json!(["f3", "e5", "g4", "Qh4#"]));
    let club = of_persons(&["--tc", "1"]);
    let board = over(&club)["board"].clone();
    assert_eq!((left(&board, 0), left(&board, 1)), (0, 1000), "{board}");
}

/// Each page is in the language of its browser, and refuses in it.
#[test]
fn pages_follow_the_language_of_the_browser() {
    let club = of_persons(&["--tc", "60", "--lang", "en"]);
    club.turn(0);
    let ask = |path: &str, language: &str, sent: Option<&str>| {
        let mut stream = TcpStream::connect(&club.host).unwrap();
        let host = &club.host;
        let head =
            format!("{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nAccept-Language: {language}");
        let request = match sent {
            None => format!("GET {head}\r\n\r\n"),
            Some(body) => {
                format!(
                    "POST {head}\r\nOrigin: http://{host}\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                )
            }
        };
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let claim = r#"{"game":1,"ply":0,"act":"accept"}"#;
    for page in [&club.seats[0], &club.arbiter, &club.live] {
        let about = |language: &str| ask(&format!("{page}/about"), language, None);
        assert!(about("zh-CN,zh;q=0.9,en;q=0.8").contains("认输") && about("zh-TW").contains("认输"));
        assert!(about("en-US").contains("Resign") && about("fr").contains("Resign"), "{}", about("fr"));
    }
    let act = format!("{}/act", club.seats[0]);
    assert!(ask(&act, "zh-CN", Some(claim)).contains("没有提和"));
    assert!(ask(&act, "en", Some(claim)).contains("no draw is offered"));
    let state = ask(&format!("{}/state", club.live), "zh-CN", None);
    let other = ask(&format!("{}/state", club.live), "en", None);
    assert!(state.contains("200 OK") && other.contains("200 OK"));
}

/// Plays at the terminal: waits for a line that has a text, then types another.
fn at_terminal(args: &[&str], script: &[(&str, &str)]) -> String {
    let mut command = program(engine());
    command.args(["match", "--openings", "none", "--games", "1", "--lang", "en"]).args(args);
    let mut manager =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut typed = manager.stdin.take().unwrap();
    let mut script = script.iter();
    let (mut next, mut all) = (script.next(), String::new());
    for line in BufReader::new(manager.stdout.take().unwrap()).lines().map_while(Result::ok) {
        all += &line;
        all.push('\n');
        if let Some((wanted, answer)) = next.filter(|(wanted, _)| line.contains(wanted)) {
            assert!(!wanted.is_empty());
            typed.write_all(format!("{answer}\n").as_bytes()).unwrap();
            next = script.next();
        }
    }
    assert!(next.is_none() && manager.wait().unwrap().success(), "{next:?}: {all}");
    all
}

#[test]
fn a_person_plays_at_the_terminal() {
    if !has_python() {
        return;
    }
    let good = format!("cmd=python3 {BAD} good");
    let args = ["--tc", "60", "--engine", "human=Ann", "terminal", "--engine", &good, "name=bad"];
    let shown = at_terminal(
        &args,
        &[
            ("Press Enter", ""),
            ("Your move", "e5"),
            ("did you mean e4", "e4"),
            ("Black: Nf6", "claim"),
            ("+120 s", "draw"),
            ("with your next move", "Nc3"),
            ("Black: Ng8", "moves"),
            ("1. e4 Nf6 2. Nc3 Ng8", "认输"),
        ],
    );
    assert!(shown.contains("You have White") && shown.contains("White resigns"), "{shown}");
    assert!(shown.contains(" 6     .     .    [n]    ."), "{shown}");
}

#[test]
fn a_person_at_the_terminal_counts_a_board_of_go() {
    if !has_python() {
        return;
    }
    let odd = "cmd=python3 tests/bad_engines/odd.py gtp names-dead";
    let args = ["--game", "go", "--size", "5", "--komi", "7.5", "--tc", "60", "--engine", "terminal=Ann"];
    let shown = at_terminal(
        &[&args[..], &["--engine", odd, "name=odd"]].concat(),
        &[
            ("Press Enter", ""),
            ("Your move", "c3"),
            ("White: A1", "停一手"),
            ("Enter agrees", "A1"),
            ("dead stones: none", "a1"),
            ("Enter agrees", ""),
        ],
    );
    assert!(shown.contains("B+17.5"), "{shown}");
}

#[test]
fn the_terminal_has_one_seat() {
    let two = ["match", "--tc", "60", "--engine", "terminal=A", "--engine", "human=B", "terminal"];
    let refused = run(&two);
    assert!(stderr(&refused).contains("one person can sit at the terminal"), "{}", stderr(&refused));
}
