//! The live page of a match: its files, its state and its games, for those who know the token.

mod crowd;

use crate::arbiter::{BAD, Folder, games, has_python};
use crate::support::{engine, program, signal};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Status and body of what an address answers.
fn get(host: &str, path: &str) -> (u16, String) {
    ask(host, path, None).unwrap()
}

fn post(host: &str, path: &str, origin: &str, body: &str) -> (u16, String) {
    ask(host, path, Some((origin, body))).unwrap()
}

fn ask(host: &str, path: &str, sent: Option<(&str, &str)>) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(host)?;
    let head = format!("{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    let request = match sent {
        None => format!("GET {head}\r\n"),
        Some((origin, body)) => {
            format!("POST {head}Origin: {origin}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        }
    };
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
    Ok((head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned()))
}

#[test]
fn spectators_see_a_match_while_it_is_played() {
    if !has_python() {
        return;
    }
    let mut command = program(engine());
    command.args([
        "match",
        "--game",
        "xiangqi",
        "--groups",
        "2",
        "--openings",
        "none",
        "--tc",
        "st=5",
        "--serve",
    ]);
    // Some games wait for an engine that never moves.
    for (name, way) in [("A", "good"), ("B", "good"), ("C", "good"), ("D", "never-answers")] {
        command.args([
            "--engine",
            &format!("cmd=python3 {BAD} {way}"),
            &format!("name={name}"),
            "proto=ucci",
        ]);
    }
    let mut manager = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(manager.stderr.take().unwrap()).lines().map_while(Result::ok);
    let address = lines.find_map(|line| line.strip_prefix("live page: http://").map(str::to_owned)).unwrap();
    let (host, token) = address.trim_end_matches('/').split_once('/').unwrap();
    for (name, has) in [
        ("", "live.js"),
        ("live.js", "fetch"),
        ("boards.js", "export"),
        ("look.css", ":root"),
        ("live.css", ".live"),
    ] {
        let (status, text) = get(host, &format!("/{token}/{name}"));
        assert!(status == 200 && text.contains(has), "{name}: {status}");
    }
    let json =
        |name: &str| -> Value { serde_json::from_str(&get(host, &format!("/{token}/{name}")).1).unwrap() };
    assert_eq!(json("about")["game"], "xiangqi");
    assert_eq!(json("state")["cup"]["groups"].as_array().unwrap().len(), 2);
    // Games of the good engines end at once.
    let finished = lines.find(|line| line.starts_with("Finished game")).unwrap();
    let number: usize = finished.split(' ').nth(2).unwrap().parse().unwrap();
    let game = json(&format!("game/{number}"));
    assert!(game["plies"].as_array().is_some_and(|plies| !plies.is_empty()), "{game}");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let state = json("state");
    assert!(state["count"].as_u64().unwrap() >= 1, "{state}");
    assert_eq!(state["finished"][0][1].as_array().unwrap().len(), 2);
    for (path, status) in [
        (format!("/{}/state", "0".repeat(32)), 403),
        ("/state".to_owned(), 403),
        (format!("/{token}/game/999"), 404),
        (format!("/{token}/game/x"), 404),
        (format!("/{token}/../state"), 404),
    ] {
        assert_eq!(get(host, &path).0, status, "{path}");
    }
    manager.kill().unwrap();
    manager.wait().unwrap();
}

/// A match with persons in it.
pub(crate) struct Club {
    pub(crate) manager: Child,
    lines: Receiver<String>,
    pub(crate) host: String,
    /// The paths of the pages: the live page, the arbiter's, those of the persons.
    pub(crate) live: String,
    pub(crate) arbiter: String,
    pub(crate) seats: Vec<String>,
}

impl Drop for Club {
    fn drop(&mut self) {
        let _ = self.manager.kill();
        let _ = self.manager.wait();
    }
}

impl Club {
    pub(crate) fn open(args: &[&str]) -> Self {
        Self::start(&[&["--openings", "none"], args].concat())
    }

    pub(crate) fn start(args: &[&str]) -> Self {
        let mut command = program(engine());
        command.arg("match").args(args);
        let mut manager = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(manager.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut club = Self {
            manager,
            lines,
            host: String::new(),
            live: String::new(),
            arbiter: String::new(),
            seats: Vec::new(),
        };
        // Persons are listed last, before the first game.
        loop {
            let line = club.lines.recv_timeout(Duration::from_secs(60)).expect("addresses");
            if line.starts_with("Started game") || line.contains("开始") {
                return club;
            }
            let Some((what, rest)) = line.split_once("http://") else { continue };
            let (host, path) = rest.split_once('/').unwrap();
            host.clone_into(&mut club.host);
            let path = format!("/{}", path.trim_end_matches('/'));
            match what {
                _ if path.starts_with("/seat/") => club.seats.push(path),
                _ if path.starts_with("/arbiter/") => club.arbiter = path,
                _ => club.live = path,
            }
        }
    }

    pub(crate) fn state(&self, page: &str, seen: u64) -> Value {
        let (status, text) = get(&self.host, &format!("{page}/state/{seen}"));
        assert_eq!(status, 200, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The state of a page once it is as wanted.
    pub(crate) fn until(&self, page: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let (end, mut seen) = (Instant::now() + Duration::from_secs(60), 0);
        loop {
            let state = self.state(page, seen);
            if is_wanted(&state) {
                return state;
            }
            assert!(Instant::now() < end, "{state}");
            seen = state["version"].as_u64().unwrap();
        }
    }

    pub(crate) fn send(&self, page: &str, asked: &Value) -> Option<String> {
        let origin = format!("http://{}", self.host);
        let (status, text) = post(&self.host, &format!("{page}/act"), &origin, &asked.to_string());
        assert_eq!(status, 200, "{text}");
        serde_json::from_str::<Value>(&text).unwrap()["refused"].as_str().map(str::to_owned)
    }

    /// Does something at the board as the page shows it; gives why it is refused.
    pub(crate) fn act(&self, seat: usize, mut asked: Value) -> Option<String> {
        let page = &self.seats[seat];
        let board = &self.state(page, 0)["board"];
        asked["game"] = board["n"].clone();
        asked["ply"] = board["moves"].as_array().unwrap().len().into();
        self.send(page, &asked)
    }

    /// Plays a move when it is the person's turn, and waits until the board shows it.
    pub(crate) fn play(&self, seat: usize, mv: &str) {
        let moves = |state: &Value| state["board"]["moves"].as_array().unwrap().len();
        let before = self.turn(seat);
        assert_eq!(self.act(seat, json!({ "act": "move", "mv": mv })), None, "{mv}");
        self.until(&self.seats[seat], |state| {
            let is_other_game = state["board"]["n"] != before["board"]["n"];
            moves(state) > moves(&before) || is_other_game || state["board"]["phase"] == "over"
        });
    }

    pub(crate) fn turn(&self, seat: usize) -> Value {
        self.until(&self.seats[seat], |state| {
            state["board"]["phase"] == "playing" && state["board"]["turn"] == state["board"]["side"]
        })
    }

    /// The end of the game that a person sees.
    pub(crate) fn over(&self, seat: usize) -> String {
        self.until(&self.seats[seat], |state| state["board"]["phase"] == "over")["board"]["ending"]
            .to_string()
    }
}

#[test]
fn a_person_plays_an_engine() {
    if !has_python() {
        return;
    }
    let bad = format!("cmd=python3 {BAD} good");
    let club = Club::open(&[
        "--lang",
        "zh",
        "--games",
        "1",
        "--tc",
        "60+1",
        "--engine",
        "human=李",
        "--engine",
        &bad,
        "name=B",
    ]);
    let seat = &club.seats[0];
    for (name, has) in [("", "seat.js"), ("seat.js", "follow"), ("about", "认输"), ("live.css", ".desk")] {
        let (status, text) = get(&club.host, &format!("{seat}/{name}"));
        assert!(status == 200 && text.contains(has), "{name}: {status}");
    }
    let board = &club.state(seat, 0)["board"];
    assert_eq!(
        (&board["phase"], &board["isReady"], &board["runs"]),
        (&json!("seating"), &json!(false), &json!(false))
    );
    let early = club.act(0, json!({ "act": "move", "mv": "e4" })).unwrap();
    assert!(early.contains("棋钟"), "{early}");
    assert_eq!(club.act(0, json!({ "act": "ready" })), None);
    let board = &club.turn(0)["board"];
    assert_eq!((&board["side"], board["legal"].as_array().unwrap().len()), (&json!(0), 20));
    assert!(board["clocks"][0][0].as_u64().unwrap() <= 60_000 && board["runs"] == true, "{board}");
    // What cannot be played is refused with its reason, and the board is as it was.
    let why = club.act(0, json!({ "act": "move", "mv": "Ke2" })).unwrap();
    assert!(why.chars().any(|c| c > '\u{2e80}'), "{why}");
    for refused in
        [json!({ "act": "accept" }), json!({ "act": "count", "dead": [] }), json!({ "act": "dance" })]
    {
        assert!(club.act(0, refused.clone()).is_some(), "{refused}");
    }
    let wrong_claim = club.act(0, json!({ "act": "claim" })).unwrap();
    assert!(wrong_claim.contains("不成立"), "{wrong_claim}");
    // An old page does nothing.
    let stale = json!({ "game": 1, "ply": 7, "act": "move", "mv": "e4" });
    assert!(club.send(seat, &stale).is_some());
    // Only this page may ask, with its own token, and only for itself.
    let origin = format!("http://{}", club.host);
    let asked = json!({ "game": 1, "ply": 0, "act": "resign" }).to_string();
    for (path, origin, status) in [
        (format!("{seat}/act"), "http://evil.example", 403),
        (format!("/seat/{}/act", "0".repeat(32)), &*origin, 403),
        ("/seat//act".to_owned(), &*origin, 403),
        (format!("{}/act", seat.replace("seat", "arbiter")), &*origin, 403),
        (format!("{}/act", club.live), &*origin, 405),
        (format!("{seat}/order"), &*origin, 405),
    ] {
        assert_eq!(post(&club.host, &path, origin, &asked).0, status, "{path}");
    }
    for path in [format!("{}/state/0", seat.replace("seat", "arbiter")), format!("/seat{}/state", club.live)]
    {
        assert_eq!(get(&club.host, &path).0, 403, "{path}");
    }
    assert_eq!(get(&club.host, &format!("{seat}/state")).0, 404);
    // Typed in any notation, and once only.
    club.play(0, "Nc3");
    club.play(0, "c3b1");
    assert_eq!(club.state(seat, 0)["board"]["texts"][0], "Nc3");
    assert_eq!(club.act(0, json!({ "act": "resign" })), None);
    assert!(club.over(0).contains("认输"));
}

#[test]
fn two_persons_play_each_other() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let mut club = Club::open(&[
        "--game",
        "xiangqi",
        "--games",
        "2",
        "--tc",
        "60",
        "--journal",
        &journal,
        "--engine",
        "human=Li",
        "--engine",
        "human",
        "name=Wang",
    ]);
    for seat in [0, 1] {
        club.until(&club.seats[seat], |state| state["board"]["phase"] == "seating");
        assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
    }
    club.turn(0);
    // The other side's token moves nothing.
    assert!(club.act(1, json!({ "act": "move", "mv": "h2e2" })).is_some());
    assert_eq!(club.act(0, json!({ "act": "move", "mv": "炮二平五", "draw": true })), None);
    let state = club.turn(1);
    assert_eq!((&state["board"]["offer"], &state["board"]["side"]), (&json!(0), &json!(1)));
    assert_eq!(club.act(1, json!({ "act": "decline" })), None);
    club.until(&club.seats[0], |state| state["board"]["offer"].is_null());
    club.play(1, "h9g7");
    club.turn(0);
    assert_eq!(club.act(0, json!({ "act": "move", "mv": "b0c2", "draw": true })), None);
    club.turn(1);
    assert_eq!(club.act(1, json!({ "act": "accept" })), None);
    // The second game: resigned in the other's time.
    for seat in [0, 1] {
        club.until(&club.seats[seat], |state| {
            state["board"]["n"] == 2 && state["board"]["phase"] == "seating"
        });
        assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
    }
    club.turn(1);
    assert_eq!(club.act(0, json!({ "act": "resign" })), None);
    assert!(club.manager.wait().unwrap().success());
    let ended: Vec<_> = games(&journal).iter().map(|game| game["ending"].clone()).collect();
    assert_eq!((&ended[0]["reason"], &ended[0]["winner"]), (&json!("agreement"), &Value::Null));
    assert_eq!((&ended[1]["reason"], &ended[1]["winner"]), (&json!("resignation"), &json!("first")));
}

#[test]
fn a_person_who_does_nothing_loses_on_time_and_one_who_does_not_come_forfeits() {
    if !has_python() {
        return;
    }
    let bad = format!("cmd=python3 {BAD} good");
    let play = |people: &[&str]| {
        let folder = Folder::new();
        let journal = folder.file("journal.jsonl");
        let mut args = vec!["--games", "1", "--tc", "1", "--seating", "0", "--journal", &journal];
        args.extend_from_slice(people);
        let mut club = Club::open(&args);
        assert!(club.manager.wait().unwrap().success());
        let ending = &games(&journal)[0]["ending"];
        (ending["reason"].as_str().unwrap().to_owned(), ending["winner"].as_str().map(str::to_owned))
    };
    let found = play(&["--engine", "human", "--engine", &bad, "name=B"]);
    assert_eq!(found, ("time".to_owned(), Some("second".to_owned())));
    let found = play(&["--late", "0", "--engine", "human", "--engine", &bad, "name=B"]);
    assert_eq!(found, ("forfeit".to_owned(), Some("second".to_owned())));
    let found = play(&["--late", "0", "--engine", "human=A", "--engine", "human=B"]);
    assert_eq!(found, ("forfeit".to_owned(), None));
}

#[test]
fn persons_count_a_board_of_go() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let mut club = Club::open(&[
        "--game",
        "go",
        "--size",
        "9",
        "--games",
        "1",
        "--tc",
        "60+3x10",
        "--journal",
        &journal,
        "--engine",
        "human=A",
        "--engine",
        "human=B",
    ]);
    for seat in [0, 1] {
        club.until(&club.seats[seat], |state| state["board"]["phase"] == "seating");
        assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
    }
    for (seat, mv) in [(0, "e5"), (1, "a1"), (0, "pass"), (1, "停一手")] {
        club.play(seat, mv);
    }
    let counting = |seat: usize| {
        let page = &club.seats[seat];
        club.until(page, |state| {
            state["board"]["phase"] == "counting" && state["board"]["asked"] == state["board"]["side"]
        })
    };
    // One names the dead, the other sees them and agrees.
    let first = if club.state(&club.seats[0], 0)["board"]["asked"] == 0 { 0 } else { 1 };
    counting(first);
    assert!(club.act(1 - first, json!({ "act": "count", "dead": [] })).is_some());
    assert_eq!(club.act(first, json!({ "act": "count", "dead": ["A1"] })), None);
    let state = counting(1 - first);
    assert_eq!(state["board"]["dead"], json!(["A1"]));
    assert_eq!(club.act(1 - first, json!({ "act": "count", "dead": ["A1"] })), None);
    assert!(club.manager.wait().unwrap().success());
    let game = &games(&journal)[0];
    assert_eq!(game["ending"]["reason"], "counted");
    assert_eq!(game["ending"]["winner"], "first", "{}", game["ending"]);
}

/// A manager that is killed is started again: the persons find their game as it was.
#[test]
fn persons_go_on_after_the_manager_was_killed() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let club = Club::open(&[
        "--games",
        "1",
        "--tc",
        "60",
        "--journal",
        &journal,
        "--engine",
        "human=A",
        "--engine",
        "human=B",
    ]);
    let sit = |club: &Club| {
        for seat in [0, 1] {
            club.until(&club.seats[seat], |state| state["board"]["phase"] == "seating");
            assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
        }
    };
    sit(&club);
    for (seat, mv) in [(0, "e4"), (1, "e5"), (0, "Nf3")] {
        club.play(seat, mv);
    }
    let before = club.turn(1)["board"].clone();
    drop(club);
    let mut club = Club::start(&["--resume", &journal]);
    sit(&club);
    let after = club.turn(1)["board"].clone();
    assert_eq!(after["texts"], json!(["e4", "e5", "Nf3"]));
    assert_eq!(after["clocks"][0], before["clocks"][0]);
    club.play(1, "Nc6");
    club.turn(0);
    assert_eq!(club.act(0, json!({ "act": "resign" })), None);
    assert!(club.manager.wait().unwrap().success());
    let game = &games(&journal)[0];
    let moves: Vec<_> = game["plies"].as_array().unwrap().iter().map(|ply| ply["text"].clone()).collect();
    assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(game["ending"]["reason"], "resignation");
}

/// The arbiter sees all boards, stops and changes clocks, warns, and decides that a player loses.
#[test]
fn an_arbiter_has_a_desk() {
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let mut club = Club::open(&[
        "--games",
        "1",
        "--tc",
        "60",
        "--journal",
        &journal,
        "--engine",
        "human=A",
        "--engine",
        "human=B",
    ]);
    for seat in [0, 1] {
        club.until(&club.seats[seat], |state| state["board"]["phase"] == "seating");
        assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
    }
    club.play(0, "e4");
    club.turn(1);
    let desk = club.arbiter.clone();
    let (status, text) = get(&club.host, &format!("{desk}/"));
    assert!(status == 200 && text.contains("arbiter.js"));
    let order = |order: Value| {
        let mut asked = order;
        asked["game"] = 1.into();
        club.send(&desk, &asked)
    };
    let board = |wanted: &dyn Fn(&Value) -> bool| {
        club.until(&desk, |state| wanted(&state["boards"][0]))["boards"][0].clone()
    };
    assert_eq!(board(&|board| board["runs"] == true)["names"], json!(["A", "B"]));
    assert_eq!(order(json!({ "order": "pause" })), None);
    let paused = board(&|board| board["phase"] == "paused");
    assert!(club.act(1, json!({ "act": "move", "mv": "e5" })).is_some(), "the clocks are stopped");
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(club.state(&desk, 0)["boards"][0]["clocks"], paused["clocks"]);
    assert_eq!(order(json!({ "order": "adjust", "side": "first", "seconds": 300 })), None);
    assert!(
        board(&|board| board["notes"].as_array().unwrap().len() == 2)["clocks"][0][0].as_u64().unwrap()
            > 300_000
    );
    assert_eq!(order(json!({ "order": "warn", "side": "second", "why": "talks" })), None);
    assert_eq!(order(json!({ "order": "continue" })), None);
    board(&|board| board["runs"] == true);
    club.play(1, "e5");
    for refused in [
        json!({ "order": "shout" }),
        json!({ "order": "forfeit" }),
        json!({ "order": "adjust", "side": "third" }),
    ] {
        assert!(order(refused.clone()).is_some(), "{refused}");
    }
    assert!(club.send(&desk, &json!({ "game": 7, "order": "pause" })).is_some());
    assert_eq!(order(json!({ "order": "forfeit", "side": "second" })), None);
    assert!(club.manager.wait().unwrap().success());
    let game = &games(&journal)[0];
    assert_eq!((&game["ending"]["reason"], &game["ending"]["winner"]), (&json!("forfeit"), &json!("first")));
    assert!(game["plies"][1].to_string().contains("warned by the arbiter: talks"), "{}", game["plies"]);
}

/// Plays for a person until the match is over or its manager gone: any moves, and after a while the game is
/// resigned.
fn play_for(host: &str, page: &str) {
    let origin = format!("http://{host}");
    let mut seen = 0;
    while let Ok((200, text)) = ask(host, &format!("{page}/state/{seen}"), None) {
        let state: Value = serde_json::from_str(&text).unwrap();
        let board = &state["board"];
        seen = state["version"].as_u64().unwrap();
        if state["over"] == true {
            return;
        }
        let plies = board["moves"].as_array().map_or(0, Vec::len);
        let legal = board["legal"].as_array().cloned().unwrap_or_default();
        let mut asked = match board["phase"].as_str() {
            Some("seating") => json!({ "act": "ready" }),
            Some("playing") if board["turn"] == board["side"] && plies > 30 => json!({ "act": "resign" }),
            Some("playing") if !legal.is_empty() => {
                json!({ "act": "move", "mv": legal[7 * plies % legal.len()] })
            }
            _ => continue,
        };
        (asked["game"], asked["ply"]) = (board["n"].clone(), plies.into());
        std::thread::sleep(Duration::from_millis(20));
        let _ = ask(host, &format!("{page}/act"), Some((origin.as_str(), &asked.to_string())));
    }
}

/// Groups, a forfeit, a knockout; the manager is killed in the middle of a person's game. Nothing is lost.
#[test]
fn a_cup_with_persons_goes_on_after_a_kill() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let journal = folder.file("journal.jsonl");
    let bad = |way: &str| format!("cmd=python3 {BAD} {way}");
    let (good, agrees) = (bad("good"), bad("agrees"));
    let play = |club: &Club, is_enough: &dyn Fn() -> bool| {
        std::thread::scope(|scope| {
            for page in &club.seats {
                let host = club.host.as_str();
                scope.spawn(move || play_for(host, page));
            }
            while !is_enough() {
                std::thread::sleep(Duration::from_millis(5));
            }
            // The pages end with it.
            signal(club.manager.id(), "KILL");
        });
    };
    let club = Club::open(&[
        "--game",
        "xiangqi",
        "--groups",
        "2",
        "--games",
        "1",
        "--scoring",
        "3/1/0",
        "--tie-break",
        "deciding-game",
        "--forfeit",
        "2",
        "--tc",
        "60+1",
        "--concurrency",
        "2",
        "--journal",
        &journal,
        "--engine",
        &good,
        "name=A",
        "proto=ucci",
        "--engine",
        &agrees,
        "name=B",
        "proto=ucci",
        "--engine",
        "cmd=/nonexistent",
        "name=gone",
        "--engine",
        "human=Li",
        "--engine",
        "human=Wang",
    ]);
    // In a game of a person that has begun.
    let kept = || -> Vec<(String, Vec<Value>)> {
        let files = std::fs::read_dir(format!("{journal}.games")).into_iter().flatten().flatten();
        let read = |path: std::path::PathBuf| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole).to_owned();
            let steps = whole.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), steps)
        };
        files.map(|file| read(file.path())).collect()
    };
    play(&club, &|| kept().iter().any(|(_, steps)| steps.len() > 6));
    drop(club);
    let (before, finished) = (kept(), games(&journal).len());
    let mut club = Club::start(&["--resume", &journal]);
    std::thread::scope(|scope| {
        for page in club.seats.clone() {
            let host = club.host.clone();
            scope.spawn(move || play_for(&host, &page));
        }
        assert!(club.manager.wait().unwrap().success());
    });
    let games = games(&journal);
    assert!(games.len() > finished && games.iter().any(|game| game["ending"]["reason"] == "forfeit"));
    let numbers: std::collections::BTreeSet<_> = games.iter().map(|game| game["number"].as_u64()).collect();
    assert_eq!(numbers.len(), games.len(), "a game counts twice");
    for (number, steps) in before.iter().filter(|(_, steps)| !steps.is_empty()) {
        let index = number.parse::<u64>().unwrap() - 1;
        let game = games.iter().find(|game| game["number"] == index).unwrap();
        for (ply, step) in game["plies"].as_array().unwrap().iter().zip(steps) {
            assert_eq!(ply["mv"], step["mv"], "game {number}");
        }
    }
}
