//! The live page of a match: its files, its state and its games, for those who know the token.

use crate::arbiter::{BAD, has_python};
use crate::support::{engine, program};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

/// Status and body of what an address answers.
fn get(host: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
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
