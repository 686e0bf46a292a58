//! Whose pages a match has: what each token is for, and many spectators at once.

use super::{Club, get, post};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

fn of_persons(args: &[&str]) -> Club {
    let persons = ["--games", "1", "--tc", "60", "--engine", "human=A", "--engine", "human=B"];
    let club = Club::open(&[&persons[..], args].concat());
    for seat in [0, 1] {
        club.until(&club.seats[seat], |state| state["board"]["phase"] == "seating");
        assert_eq!(club.act(seat, json!({ "act": "ready" })), None);
    }
    club.turn(0);
    club
}

#[test]
fn a_token_opens_its_own_page_only() {
    let club = of_persons(&[]);
    let token = |page: &str| page.rsplit('/').next().unwrap().to_owned();
    let pages = [&club.live, &club.arbiter, &club.seats[0], &club.seats[1]];
    let kinds = ["", "/arbiter", "/seat"];
    for page in pages {
        for kind in kinds {
            let path = format!("{kind}/{}", token(page));
            let is_its_own = path == *page;
            assert_eq!(
                get(&club.host, &format!("{path}/about")).0,
                if is_its_own { 200 } else { 403 },
                "{path}"
            );
        }
    }
    // The board that a seat sees is its own side's; it cannot give an order, nor the arbiter a move.
    let sides = [0, 1].map(|seat: usize| club.state(&club.seats[seat], 0)["board"]["side"].clone());
    assert_eq!(sides, [json!(0), json!(1)]);
    for (page, asked) in [
        (&club.seats[0], json!({"game": 1, "order": "forfeit", "side": "second"})),
        (&club.arbiter, json!({"game": 1, "ply": 0, "act": "move", "mv": "e2e4"})),
    ] {
        assert!(club.send(page, &asked).is_some(), "{asked}");
    }
    // The same request again, another side's, an earlier position's: refused, and nothing has changed.
    let opening = json!({"game": 1, "ply": 0, "act": "move", "mv": "e2e4"});
    assert!(club.send(&club.seats[1], &opening).is_some());
    assert_eq!(club.send(&club.seats[0], &opening), None);
    club.turn(1);
    for seat in &club.seats {
        assert!(club.send(seat, &opening).is_some());
    }
    let stale = json!({"game": 1, "ply": 0, "act": "move", "mv": "e7e5"});
    assert!(club.send(&club.seats[1], &stale).unwrap().contains("gone on"));
    let origin = format!("http://{}", club.host);
    let reply = json!({"game": 1, "ply": 1, "act": "move", "mv": "e7e5"}).to_string();
    let act = format!("{}/act", club.seats[1]);
    for foreign in ["http://evil.example", "null", &origin.replace("http", "https"), &format!("{origin}0")] {
        assert_eq!(post(&club.host, &act, foreign, &reply).0, 403, "{foreign}");
    }
    assert_eq!(club.state(&club.seats[1], 0)["board"]["moves"].as_array().unwrap().len(), 1);
    assert_eq!(post(&club.host, &act, &origin, &reply).0, 200);
    club.turn(0);
}

/// An adjournment can be called off until a move is sealed; that is done once, and the envelope keeps it.
#[test]
fn a_move_is_sealed_once() {
    let club = of_persons(&[]);
    let order = |order: &str, phase: &str| {
        assert_eq!(club.send(&club.arbiter, &json!({"game": 1, "order": order})), None);
        club.until(&club.seats[0], |state| state["board"]["phase"] == phase);
    };
    order("adjourn", "sealing");
    order("call-off", "playing");
    order("adjourn", "sealing");
    assert!(club.act(1, json!({"act": "move", "mv": "e7e5"})).is_some());
    assert_eq!(club.act(0, json!({"act": "move", "mv": "e2e4"})), None);
    let hash = |state: &Value| state["board"]["notes"].to_string();
    let sealed = club.until(&club.seats[0], |state| state["board"]["phase"] == "adjourned");
    // The hash is in the notes; the move is nowhere.
    assert!(hash(&sealed).contains("sealed") && !sealed.to_string().contains("e2e4"), "{sealed}");
    for seat in [0, 1] {
        assert!(club.act(seat, json!({"act": "move", "mv": "d2d4"})).is_some());
    }
    assert_eq!(hash(&club.state(&club.seats[0], 0)), hash(&sealed));
}

/// Asks for the state over and over on one connection, as a page does, and connects again where there was no
/// room.
fn watch(host: &str, path: &str, is_over: &AtomicBool) -> usize {
    let mut answers = 0;
    while !is_over.load(Relaxed) {
        answers += follow(host, path, is_over).unwrap_or_default();
        std::thread::sleep(Duration::from_millis(50));
    }
    answers
}

fn follow(host: &str, path: &str, is_over: &AtomicBool) -> std::io::Result<usize> {
    let mut stream = TcpStream::connect(host)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut answers = 0;
    while !is_over.load(Relaxed) {
        stream.write_all(format!("GET {path}/state HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())?;
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line)?;
        if line.contains("503") {
            break;
        }
        assert!(line.contains("200"), "{line}");
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line)?;
            if let Some(text) = line.strip_prefix("Content-Length: ") {
                length = text.trim().parse().unwrap();
            }
        }
        reader.read_exact(&mut vec![0; length])?;
        answers += 1;
        std::thread::sleep(Duration::from_millis(500));
    }
    Ok(answers)
}

/// A hundred pages that watch, others that never read what they asked for, and some that never ask: no player
/// waits for them.
#[test]
fn a_hundred_spectators_do_not_delay_a_move() {
    let club = of_persons(&[]);
    let (is_over, served) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (host, live) = (&club.host, &club.live);
    let silent: Vec<_> = (0..10).map(|_| TcpStream::connect(host).unwrap()).collect();
    let deaf: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(host).unwrap();
            let request = format!("GET {live}/boards.js HTTP/1.1\r\nHost: {host}\r\n\r\n");
            stream.write_all(request.repeat(50).as_bytes()).unwrap();
            stream
        })
        .collect();
    let slowest = std::thread::scope(|scope| {
        let watchers: Vec<_> = (0..100)
            .map(|_| {
                scope.spawn(|| {
                    let answers = watch(host, live, &is_over);
                    served.fetch_add(usize::from(answers > 1), Relaxed);
                })
            })
            .collect();
        let mut slowest = Duration::ZERO;
        for moves in [["g1f3", "g8f6"], ["f3g1", "f6g8"]].into_iter().cycle().take(3) {
            for (seat, mv) in moves.into_iter().enumerate() {
                club.turn(seat);
                let sent = Instant::now();
                assert_eq!(club.act(seat, json!({ "act": "move", "mv": mv })), None);
                club.turn(1 - seat);
                slowest = slowest.max(sent.elapsed());
                std::thread::sleep(Duration::from_millis(200));
            }
        }
        is_over.store(true, Relaxed);
        watchers.into_iter().for_each(|watcher| watcher.join().unwrap());
        slowest
    });
    println!("the slowest move of six: {slowest:?}");
    assert_eq!(served.load(Relaxed), 100);
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    drop((silent, deaf));
}
