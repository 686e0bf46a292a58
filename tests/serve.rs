//! `sanqi serve` and those who are not meant to reach it: plain sockets against the server, while a game goes
//! on.

mod engines;
mod killed;
mod known;

use crate::support::{engine, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket, client::IntoClientRequest, http::HeaderValue};

/// A server, ended with its test.
struct Server {
    child: Child,
    address: SocketAddr,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a connection got back.
struct Answer {
    status: u16,
    text: String,
}

impl Server {
    fn new(flags: &[&str]) -> Self {
        Self::start(program(engine()).args(["serve", "--port", "0", "--no-store"]).args(flags))
    }

    /// With its library in a folder.
    fn with_library(folder: &Path) -> Self {
        Self::start(program(engine()).args(["serve", "--port", "0", "--store"]).arg(folder))
    }

    fn start(command: &mut std::process::Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no address: {line:?}"));
        let (address, token) = rest.trim_end_matches('/').split_once('/').expect("a token");
        Self { child, address: address.parse().unwrap(), token: token.to_owned() }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    /// Sends bytes and reads until the server closes.
    fn exchange(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses may close before it has read all.
        let _ = stream.write_all(bytes);
        read_answer(&mut stream)
    }

    /// A request with the right host, closed behind it.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let close = if headers.contains("Connection:") { "" } else { "Connection: close\r\n" };
        self.exchange(
            format!(
                "{method} {path} HTTP/1.1\r\nHost: {}\r\n{close}{length}{headers}\r\n{body}",
                self.address
            )
            .as_bytes(),
        )
    }

    fn path(&self, name: &str) -> String {
        format!("/{}/{name}", self.token)
    }

    fn origin(&self) -> String {
        format!("Origin: http://{}\r\n", self.address)
    }

    fn tab(&self) -> Tab {
        let url = format!("ws://{}{}", self.address, self.path("socket"));
        let mut request = url.into_client_request().unwrap();
        let origin = HeaderValue::from_str(&format!("http://{}", self.address)).unwrap();
        request.headers_mut().insert("Origin", origin);
        let (socket, _) = tungstenite::client(request, self.connect()).expect("the handshake");
        Tab { socket, number: 0, table: Value::Null }
    }
}

/// The page has the same address at every start, for the sake of what the browser keeps; where another
/// program has it, one that is free.
#[test]
fn the_usual_port_is_left_to_the_program_that_has_it() {
    const PORT: u16 = 7326;
    let remarks = tempfile::NamedTempFile::new().unwrap();
    let start =
        || Server::start(program(engine()).args(["serve", "--no-store"]).stderr(remarks.reopen().unwrap()));
    let held = std::net::TcpListener::bind(("127.0.0.1", PORT));
    let server = start();
    assert_ne!(server.address.port(), PORT);
    let printed = std::fs::read_to_string(remarks.path()).unwrap();
    assert!(printed.starts_with("sanqi: port 7326 is taken"), "{printed}");
    drop(server);
    // Unless it is not ours to give back.
    if held.is_ok() {
        drop(held);
        assert_eq!(start().address.port(), PORT);
    }
}

fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // What was sent before the connection was reset counts.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Answer { status, text }
}

/// A tab of the browser.
struct Tab {
    socket: WebSocket<TcpStream>,
    number: u64,
    /// The latest state of the table.
    table: Value,
}

impl Tab {
    fn read(&mut self) -> Value {
        loop {
            match self.socket.read().expect("the server speaks") {
                Message::Text(text) => {
                    let event: Value = serde_json::from_str(text.as_str()).expect("JSON");
                    if event["event"] == "table" {
                        self.table = event.clone();
                    }
                    return event;
                }
                Message::Close(_) => panic!("the server closed"),
                _ => {}
            }
        }
    }

    /// Asks, and waits for the reply; events before it are dropped.
    fn ask(&mut self, what: &str, more: Value) -> Result<Value, String> {
        self.number += 1;
        let mut request = json!({"id": self.number, "do": what});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.socket.send(Message::text(request.to_string())).unwrap();
        loop {
            let reply = self.read();
            if reply["id"] == json!(self.number) {
                return match reply.get("error") {
                    Some(why) => Err(why.as_str().unwrap().to_owned()),
                    None => Ok(reply["ok"].clone()),
                };
            }
        }
    }

    /// Waits for an event of the last request.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let event = self.read();
            if event["event"] == name && event["for"] == json!(self.number) {
                return event;
            }
        }
    }

    /// The position after these moves.
    fn position(&mut self, game: &str, moves: &[&str]) -> Value {
        self.ask("position", json!({"line": {"game": game, "moves": moves}})).unwrap()
    }

    /// Plays the engine against itself for some moves.
    fn play(&mut self, game: &str, plies: usize) {
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..plies {
            self.ask("play", json!({"line": {"game": game, "moves": moves}, "level": 2})).unwrap();
            let event = self.event("move");
            assert!(event["node"]["legal"].is_array(), "{event}");
            moves.push(event["mv"].as_str().unwrap().to_owned());
        }
    }
}

#[test]
fn the_page_is_served_to_those_who_have_the_token() {
    let server = Server::new(&[]);
    assert!(server.address.ip().is_loopback());
    let page = server.ask("GET", &server.path(""), "", "");
    assert_eq!(page.status, 200);
    assert!(page.text.contains("Content-Security-Policy") && page.text.contains("<title>Sanqi"));
    for name in ["style.css", "app.js", "boards.js", "icon.svg"] {
        assert_eq!(server.ask("GET", &server.path(name), "", "").status, 200, "{name}");
    }
    let head = server.ask("HEAD", &server.path("app.js"), "", "");
    assert!(head.status == 200 && head.text.ends_with("\r\n\r\n"));
    // Two requests on one connection.
    let one = format!("GET {} HTTP/1.1\r\nHost: {}\r\n", server.path("icon.svg"), server.address);
    let both = server.exchange(format!("{one}\r\n{one}Connection: close\r\n\r\n").as_bytes());
    assert_eq!(both.text.matches("HTTP/1.1 200").count(), 2);
}

#[test]
fn hostile_requests_are_refused_while_a_game_goes_on() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    tab.play("chess", 2);
    let get = |path: &str, headers: &str| server.ask("GET", path, headers, "").status;
    let refused = |name: &str, status: u16, expected: u16| assert_eq!(status, expected, "{name}");

    // 1. A name that somebody made to point here (DNS rebinding).
    let foreign =
        format!("GET {} HTTP/1.1\r\nHost: evil.example:{}\r\n\r\n", server.path(""), server.address.port());
    refused("a foreign Host", server.exchange(foreign.as_bytes()).status, 403);
    // 2. No token, and a wrong one.
    refused("no token", get("/", ""), 403);
    refused("a wrong token", get(&format!("/{}/", "0".repeat(32)), ""), 403);
    // 3. Ways out of the folder, which does not exist.
    for path in [
        "../../etc/passwd",
        "..%2f..%2fetc/passwd",
        "/etc/passwd",
        "app.js/",
        "app.js%00",
        "socket/../app.js",
    ] {
        refused(path, get(&server.path(path), ""), 404);
    }
    // 4. A page of another site.
    refused("a foreign Origin", get(&server.path(""), "Origin: http://evil.example\r\n"), 403);
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    refused(
        "a foreign socket",
        get(&server.path("socket"), &format!("{upgrade}Origin: http://evil.example\r\n")),
        403,
    );
    refused("a socket without Origin", get(&server.path("socket"), upgrade), 403);
    refused("an upload without Origin", server.ask("POST", &server.path("open"), "", "1. e4 *").status, 403);
    // 5. 100 MB, announced and half of it sent.
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}\r\n{}Content-Length: 104857600\r\n\r\n",
        server.path("open"),
        server.address,
        server.origin()
    );
    let mut large = head.into_bytes();
    large.resize(large.len() + (50 << 20), b'x');
    refused("100 MB", server.exchange(&large).status, 413);
    // 6. Other methods, and bodies without an end.
    refused("DELETE", server.ask("DELETE", &server.path(""), "", "").status, 405);
    refused(
        "chunks",
        server
            .ask(
                "POST",
                &server.path("open"),
                &format!("{}Transfer-Encoding: chunked\r\n", server.origin()),
                "",
            )
            .status,
        411,
    );
    // 7. Headers without end.
    let long = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n",
        server.path(""),
        server.address,
        "y".repeat(64 << 10)
    );
    refused("long headers", server.exchange(long.as_bytes()).status, 431);
    // 8. What is not HTTP.
    refused("nonsense", server.exchange(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n").status, 400);
    // 9. Two answers to who is asked.
    let twice =
        format!("GET {} HTTP/1.1\r\nHost: {}\r\nHost: evil.example\r\n\r\n", server.path(""), server.address);
    refused("two Hosts", server.exchange(twice.as_bytes()).status, 400);

    // The game was not disturbed.
    tab.play("chess", 4);
}

#[test]
fn slow_and_many_connections_leave_a_game_alone() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    // 10. A request that never ends, a byte at a time, is cut off though it never pauses for long.
    let mut slow = server.connect();
    let started = Instant::now();
    let mut writer = slow.try_clone().unwrap();
    let dripping = std::thread::spawn(move || {
        while writer.write_all(b"G").is_ok() && started.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(200));
        }
        started.elapsed()
    });
    // 11. A thousand silent connections. The slow one has its place before they come.
    std::thread::sleep(Duration::from_millis(500));
    let idle: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(server.address).ok()).collect();
    tab.play("chess", 4);
    let refused = idle.iter().filter(|stream| {
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let mut start = [0; 12];
        let mut stream: &TcpStream = stream;
        stream.read_exact(&mut start).is_ok() && &start == b"HTTP/1.1 503"
    });
    let refused = refused.count();
    assert!(refused >= 900, "{refused} of {} were refused", idle.len());
    let answer = read_answer(&mut slow);
    assert!([400, 408].contains(&answer.status) || answer.text.is_empty(), "{}", answer.text);
    let kept = dripping.join().unwrap();
    assert!(kept < Duration::from_secs(20), "a slow request was kept for {kept:?}");
    drop(idle);
    tab.play("xiangqi", 2);
    // Places are given back.
    let deadline = Instant::now() + Duration::from_secs(10);
    while server.ask("GET", &server.path(""), "", "").status != 200 {
        assert!(Instant::now() < deadline, "the server stays full");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn messages_that_are_none_are_answered_and_the_tab_stays() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    // 12. Bad JSON of every kind.
    for text in [
        "",
        "{",
        "[]",
        "{\"id\": 1}",
        "{\"id\": 1, \"do\": \"x\"}",
        "{\"id\": -1, \"do\": \"stop\"}",
        "[".repeat(100_000).as_str(),
    ] {
        tab.socket.send(Message::text(text)).unwrap();
        let reply = tab.read();
        assert!(reply["error"].as_str().unwrap().starts_with("not understood"), "{text:.40}: {reply}");
    }
    let bad = |tab: &mut Tab, line: Value| tab.ask("position", json!({"line": line})).unwrap_err();
    assert!(bad(&mut tab, json!({"game": "chess", "fen": "x"})).contains("ranks"));
    assert!(bad(&mut tab, json!({"game": "chess", "moves": ["e2e5"]})).contains("move 1"));
    assert!(bad(&mut tab, json!({"game": "go", "rules": {"go": {"size": 99}}})).contains("size"));
    assert!(bad(&mut tab, json!({"game": "go", "stones": [["A1"], ["A1"]]})).contains("twice"));
    assert!(bad(&mut tab, json!({"game": "xiangqi", "moves": vec!["a0a1"; 3000]})).contains("2500"));
    assert!(bad(&mut tab, json!({"game": "shogi"})).starts_with("not understood"));
    assert!(tab.ask("play", json!({"line": {"game": "chess"}, "level": 17})).unwrap_err().contains("level"));
    assert!(tab.ask("play", json!({"line": {"game": "chess"}, "seconds": -1.0})).is_err());
    assert!(tab.ask("count", json!({"line": {"game": "chess"}, "dead": []})).unwrap_err().contains("Go"));
    assert_eq!(tab.position("chess", &[])["legal"].as_array().unwrap().len(), 20);
    // A message that is too long ends the tab, and the next one is welcome.
    let _ = tab.socket.send(Message::text("x".repeat(8 << 20)));
    let ended = std::iter::from_fn(|| Some(tab.socket.read()))
        .take(5)
        .any(|read| !matches!(read, Ok(Message::Text(_))));
    assert!(ended);
    assert_eq!(server.tab().position("xiangqi", &[])["legal"].as_array().unwrap().len(), 44);
}

#[test]
fn tabs_are_limited_and_have_engines_of_their_own() {
    let server = Server::new(&["--tabs", "2"]);
    let (mut one, mut two) = (server.tab(), server.tab());
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let third = server.ask("GET", &server.path("socket"), &format!("{upgrade}{}", server.origin()), "");
    assert_eq!(third.status, 503);
    one.ask("analyze", json!({"line": {"game": "chess"}, "lines": 2})).unwrap();
    two.ask("analyze", json!({"line": {"game": "go", "rules": {"go": {"size": 9}}}, "lines": 1})).unwrap();
    let lines = one.event("lines");
    assert!(lines["lines"][0]["pv"][0][1][0].is_string(), "{lines}");
    let lines = two.event("lines");
    assert_eq!(lines["ownership"].as_array().unwrap().len(), 81);
    // A tab that is closed gives its place back.
    one.socket.get_mut().shutdown(Shutdown::Both).unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while server.ask("GET", &server.path("socket"), &format!("{upgrade}{}", server.origin()), "").status
        == 503
    {
        assert!(Instant::now() < deadline, "the place is not given back");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_rules_are_explained() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let mated = tab.position("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(
        (&mated["ending"]["reason"], &mated["ending"]["result"]),
        (&json!("checkmate"), &json!("0-1"))
    );
    assert_eq!((&mated["check"], mated["legal"].as_array().unwrap().len()), (&json!("e1"), 0));
    assert_eq!(mated["text"], json!(["Qh4#"]));
    let opened = tab.position("xiangqi", &["h2e2"]);
    assert_eq!(opened["text"], json!(["H2-E2", "炮二平五", "C2=5"]));
    // Red checks without end, and is warned before the game ends for it.
    let fen = "3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1";
    let cycle: Vec<&str> = ["a8a9", "d9d8", "a9a8", "d8d9"].into_iter().cycle().take(12).collect();
    let judged = |tab: &mut Tab, plies: usize| {
        tab.ask("position", json!({"line": {"game": "xiangqi", "fen": fen, "moves": cycle[..plies]}}))
            .unwrap()
    };
    let warned = judged(&mut tab, 5);
    assert_eq!(
        (&warned["judged"]["ruling"], &warned["judged"]["clause"]["id"]),
        (&json!("black_wins"), &json!("XQ-R5")),
        "{warned}"
    );
    assert!(warned["ending"].is_null(), "{warned}");
    assert_eq!(warned["judged"]["classes"][1], json!(["check", "将"]), "{warned}");
    let ended = (6..=12).map(|plies| judged(&mut tab, plies)).find(|node| !node["ending"].is_null()).unwrap();
    assert_eq!(
        (&ended["ending"]["reason"], &ended["ending"]["winner"]),
        (&json!("repetition"), &json!("second"))
    );
    // Go: a count, and a group that is said to be dead.
    let line = json!({"game": "go", "rules": {"go": {"size": 5, "komi": 0.5}}, "moves": ["C3", "C1", "pass", "pass"]});
    let alive = tab.ask("count", json!({"line": line, "dead": []})).unwrap();
    let dead = tab.ask("count", json!({"line": line, "dead": ["C1"]})).unwrap();
    assert_eq!(
        dead["ending"]["detail"].as_str().unwrap().split(' ').next(),
        Some("B+24.5"),
        "{alive} {dead}"
    );
}

#[test]
fn files_are_opened_reviewed_and_saved() {
    let server = Server::new(&[]);
    let open = |text: &str| {
        let answer = server.ask("POST", &server.path("open"), &server.origin(), text);
        assert_eq!(answer.status, 200, "{}", answer.text);
        serde_json::from_str::<Value>(answer.text.split_once("\r\n\r\n").unwrap().1).unwrap()
    };
    let found = open("[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n1. e5 *\n");
    assert_eq!((found["games"].as_array().unwrap().len(), found["broken"].as_array().unwrap().len()), (1, 1));
    let game = &found["games"][0];
    let mut tab = server.tab();
    let line = json!({"game": game["game"], "rules": game["rules"], "moves": game["moves"]});
    let pictures = tab.ask("pictures", json!({"line": line})).unwrap();
    assert_eq!((pictures.as_array().unwrap().len(), &pictures[5]["text"]), (6, &json!(["Qxe5#"])));
    tab.ask("review", json!({"line": line, "nodes": 3000})).unwrap();
    let reviews: Vec<Value> = (0..6).map(|_| tab.event("review")).collect();
    // From the end: what is known of the later positions serves the earlier ones.
    assert!(reviews.iter().rev().enumerate().all(|(ply, review)| review["ply"] == ply), "{reviews:?}");
    assert_eq!((&reviews[1]["sign"], &reviews[3]["sign"]), (&json!("??"), &json!("")), "{reviews:?}");
    assert_eq!(reviews[1]["why"][0], "allows Qxe5#, which mates", "{reviews:?}");
    assert_eq!(reviews[1]["why"][1], "允许对方 Qxe5# 杀", "{reviews:?}");
    assert!(tab.event("reviewed")["accuracy"][0].as_f64().unwrap() > 80.0);
    let nodes = json!([{"parent": null, "mv": "e2e4"}, {"parent": 0, "mv": "e7e5"}]);
    let saved = tab.ask("save", json!({"tree": {"start": {"game": "chess"}, "nodes": nodes}})).unwrap();
    assert!(saved.as_str().unwrap().ends_with("1. e4 e5 *\n"));
    assert_eq!(open("nothing that is a game")["games"], json!([]));
}

/// A game of these moves as the page stores it.
fn tree(moves: &[&str]) -> Value {
    let node = |(i, mv): (usize, &&str)| json!({"parent": i.checked_sub(1), "mv": mv, "text": [mv]});
    let nodes: Vec<Value> = moves.iter().enumerate().map(node).collect();
    json!({"start": {"game": "chess"}, "tags": [["White", "Anna"], ["Black", "Bert"]], "nodes": nodes, "saved": 1})
}

impl Tab {
    fn store(&mut self, name: Option<&str>, revision: u64, moves: &[&str]) -> Value {
        let more = json!({"name": name, "revision": revision, "edited": true, "tree": tree(moves)});
        self.ask("store", more).unwrap()
    }

    fn plies(&mut self, name: &str) -> usize {
        let loaded = self.ask("load", json!({"name": name})).unwrap();
        loaded["tree"]["nodes"].as_array().unwrap().len()
    }

    fn found(&mut self, query: &str) -> u64 {
        self.ask("library", json!({"query": query})).unwrap()["found"].as_u64().unwrap()
    }
}

#[test]
fn games_and_settings_outlive_a_server_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::with_library(folder.path());
    let (mut tab, mut other) = (server.tab(), server.tab());
    let welcome = tab.ask("welcome", json!({})).unwrap();
    assert_eq!(
        (welcome["levels"]["chess"].as_array().unwrap().len(), &welcome["settings"]),
        (16, &json!({}))
    );
    assert_eq!(other.found(""), 0);
    let name = tab.store(None, 0, &["e2e4"])["name"].as_str().unwrap().to_owned();
    let heard = other.read();
    assert_eq!((&heard["event"], &heard["name"]), (&json!("library"), &json!(name)));
    assert_eq!(tab.store(Some(&name), 1, &["e2e4", "c7c5"])["revision"], 2);
    // The other has not seen that: what it has becomes a game of its own.
    let copy = other.store(Some(&name), 1, &["e2e4", "e7e5", "g1f3"]);
    assert_eq!(copy["copy"], true);
    assert_eq!((tab.plies(&name), tab.plies(copy["name"].as_str().unwrap())), (2, 3));
    tab.ask("settings", json!({"set": {"theme": "dark"}})).unwrap();
    let heard = std::iter::from_fn(|| Some(other.read())).find(|event| event["event"] == "settings").unwrap();
    assert_eq!(heard["settings"]["theme"], "dark");
    // `kill` is SIGKILL.
    drop(server);
    let server = Server::with_library(folder.path());
    let mut tab = server.tab();
    assert_eq!(tab.ask("welcome", json!({})).unwrap()["settings"]["theme"], "dark");
    assert_eq!(
        (tab.plies(&name), tab.found("anna"), tab.found("e2e4 c7c5"), tab.found("carl")),
        (2, 2, 1, 0)
    );
    tab.ask("remove", json!({"name": name})).unwrap();
    assert_eq!((tab.found(""), tab.plies(&name)), (1, 2));
    tab.ask("restore", json!({"name": name})).unwrap();
    // All games as one file, for those who have the token.
    let export = server.ask("GET", &server.path("library.pgn"), "", "");
    assert!(export.status == 200 && export.text.contains("1. e4 c5 *"), "{}", export.text);
    assert_eq!(server.ask("GET", "/library.pgn", "", "").status, 403);
    for name in ["../settings", "..", "/etc/passwd", "a/b", "A", "", "x\0y", "games"] {
        for what in ["load", "remove", "restore"] {
            assert!(tab.ask(what, json!({"name": name})).is_err(), "{what} {name}");
        }
        let more = json!({"name": name, "revision": 1, "edited": true, "tree": tree(&["e2e4"])});
        let stored = tab.ask("store", more);
        assert!(stored.is_err() || name == "games", "{name}: {stored:?}");
    }
    assert!(tab.ask("store", json!({"edited": true, "tree": {"nodes": []}})).is_err());
}

#[test]
fn a_server_without_a_library_keeps_nothing() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    assert!(tab.ask("welcome", json!({})).unwrap().get("settings").is_none());
    let more = json!({"edited": true, "tree": tree(&["e2e4"])});
    assert!(tab.ask("store", more).unwrap_err().contains("keeps no games"));
    assert!(tab.ask("library", json!({})).is_err());
    assert_eq!(server.ask("GET", &server.path("library.pgn"), "", "").status, 404);
}

/// What a person plays with a clock and how.
fn terms(game: &str, control: &str, conduct: &str, engine: Option<&str>) -> Value {
    let seats = ["first", "second"].map(|side| (engine == Some(side)).then_some(""));
    json!({
        "line": {"game": game, "rules": {"go": {"size": 9, "komi": 7.0}}}, "control": control, "conduct": conduct,
        "names": ["One", "Two"], "level": engine.map(|_| 1),
        "seats": seats,
    })
}

impl Tab {
    /// Sits down at a new table; the state of it.
    fn sit(&mut self, terms: Value) -> Value {
        self.asked_at_table("sit", terms).unwrap()
    }

    fn act(&mut self, what: &str, more: Value) -> Result<Value, String> {
        let mut wish = json!({"what": what});
        wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.asked_at_table("act", wish)
    }

    /// Asks for something at a table; the state before the reply.
    fn asked_at_table(&mut self, what: &str, more: Value) -> Result<Value, String> {
        self.table = Value::Null;
        let reply = self.ask(what, more)?;
        Ok(if reply.is_null() { self.table.clone() } else { reply })
    }

    /// Waits for the state in which something holds, unless it does already.
    fn state(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        while self.table.is_null() || !holds(&self.table) {
            self.read();
        }
        self.table.clone()
    }
}

#[test]
fn a_clock_runs_is_called_and_lets_the_flag_fall() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let state = tab.sit(terms("go", "1+2x2", "casual", None));
    assert_eq!((&state["standing"], &state["runs"]), (&json!("running"), &json!("first")), "{state}");
    tab.act("move", json!({"mv": "E5"})).unwrap();
    let (mut shown, mut calls) = (Vec::new(), Vec::new());
    let ended = loop {
        let event = tab.read();
        if event["event"] == "table" {
            break event;
        }
        assert_eq!((&event["event"], &event["runs"]), (&json!("clock"), &json!("second")), "{event}");
        shown.push(event["clocks"][1].as_str().unwrap().to_owned());
        calls.extend(event["call"].as_str().map(str::to_owned));
    };
    // Five seconds, in tenths.
    assert!((30..=60).contains(&shown.len()), "{shown:?}");
    assert!(shown.iter().any(|text| text.ends_with("×2")) && shown.iter().any(|text| text.ends_with("×1")));
    assert!(calls.iter().any(|call| call.contains('1')), "{calls:?}");
    let end = json!([ended["standing"], ended["ending"]["winner"], ended["ending"]["reason"]]);
    assert_eq!(end, json!(["over", "first", "time"]), "{ended}");
    assert!(tab.act("move", json!({"mv": "C3"})).unwrap_err().contains("over"));
}

#[test]
fn a_serious_game_has_offers_claims_and_no_advice() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let state = tab.sit(terms("chess", "300+3", "rapid", Some("second")));
    assert_eq!((&state["isSerious"], &state["claims"]), (&json!(true), &json!(true)));
    let line = json!({"game": "chess"});
    for (what, more) in [("hint", json!({})), ("analyze", json!({"lines": 1})), ("offer", json!({}))] {
        let mut asked = json!({"line": line});
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert!(tab.ask(what, asked).unwrap_err().contains("no advice"), "{what}");
    }
    assert!(tab.act("stop", json!({})).unwrap_err().contains("arbiter"));
    assert!(tab.act("typed", json!({"text": "banana"})).unwrap_err().contains("banana"));
    let state = tab.act("typed", json!({"text": "Nc7"})).unwrap();
    assert_eq!(state["ledgers"][0]["illegal"], 1, "{state}");
    assert_eq!(state["clocks"][1], "7:00", "{state}");
    let state = tab.act("claim", json!({})).unwrap();
    assert_eq!(state["ledgers"][0]["claims"], 1, "{state}");
    assert!(state["news"][0].as_str().unwrap().contains("occurrence 1"), "{state}");
    assert_eq!(tab.act("offer", json!({})).unwrap()["offer"], "first");
    assert!(tab.act("offer", json!({})).unwrap_err().contains("stands"));
    let state = tab.act("typed", json!({"text": "E4"})).unwrap();
    // The engine plays on in the first moves, perhaps before the reply.
    let is_answered = |state: &Value| state["runs"] == "first";
    let state = if is_answered(&state) { state } else { tab.state(is_answered) };
    assert_eq!((&state["offer"], &state["standing"]), (&Value::Null, &json!("running")), "{state}");
    assert!(tab.act("takeback", json!({"plies": 2})).unwrap_err().contains("touch-move"));
    let state = tab.act("typed", json!({"text": "Nc7"})).unwrap();
    assert_eq!(json!([state["standing"], state["ending"]["winner"]]), json!(["over", "second"]), "{state}");
    // A game that is over may be looked at.
    tab.ask("analyze", json!({"line": line, "lines": 1})).unwrap();
    // A move taken back while the engine thinks about the next one starts it anew.
    let is_persons = |state: &Value| state["runs"] == "second" && state["node"]["ply"] == 1;
    let state = tab.sit(terms("go", "600", "casual", Some("first")));
    if !is_persons(&state) {
        tab.state(is_persons);
    }
    tab.act("move", json!({"mv": "pass"})).unwrap();
    let state = tab.act("takeback", json!({"plies": 2})).unwrap();
    if !is_persons(&state) {
        tab.state(is_persons);
    }
    let without_claims = tab.sit(terms("go", "inf", "match", None));
    assert!(without_claims["clocks"][0].is_null());
    assert!(tab.act("offer", json!({})).unwrap_err().contains("Go"));
    assert!(tab.act("seal", json!({"mv": "E5"})).unwrap_err().contains("keeps no games"));
}

#[test]
fn an_adjourned_game_goes_on_after_the_server_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::with_library(folder.path());
    let mut tab = server.tab();
    let name = tab.sit(terms("xiangqi", "600+5", "match", None))["table"].clone();
    for text in ["炮二平五", "马8进7"] {
        tab.act("typed", json!({"text": text})).unwrap();
    }
    let sealed = tab.act("seal", json!({"mv": "h0g2"})).unwrap();
    let envelope = sealed["envelope"].as_str().unwrap();
    assert!(tab.act("move", json!({"mv": "h0g2"})).unwrap_err().contains("adjourned"));
    // Another tab does not take it away.
    let resume = json!({"table": name});
    assert!(server.tab().asked_at_table("resume", resume.clone()).unwrap_err().contains("another program"));
    // The envelope is nowhere on the disk.
    let journal =
        std::fs::read_to_string(folder.path().join(format!("tables/{}.table", name.as_str().unwrap())));
    assert!(!journal.unwrap().contains("h0g2"));
    // `kill` is SIGKILL.
    drop(server);
    let server = Server::with_library(folder.path());
    let mut tab = server.tab();
    for wrong in ["", "..", "0123456789abcdef", "../lock"] {
        assert!(tab.asked_at_table("resume", json!({"table": wrong})).is_err(), "{wrong}");
    }
    let state = tab.asked_at_table("resume", resume.clone()).unwrap();
    let plies = |state: &Value| state["plies"].as_array().unwrap().len();
    assert_eq!(json!([state["standing"], plies(&state)]), json!(["adjourned", 2]), "{state}");
    assert!(state["clocks"][0].as_str().unwrap().starts_with("10:0"), "{state}");
    let wrong = json!({"envelope": envelope.replace("h0g2", "b0c2")});
    assert!(tab.act("unseal", wrong).unwrap_err().contains("does not belong"));
    let state = tab.act("unseal", json!({"envelope": envelope})).unwrap();
    assert_eq!(json!([state["standing"], state["plies"][0]["mv"]]), json!(["running", "h0g2"]), "{state}");
    // A page that goes stops the clocks.
    drop(tab);
    let mut tab = server.tab();
    let state = (0..100).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        tab.asked_at_table("resume", resume.clone()).ok()
    });
    let state = state.expect("the table is free again");
    assert_eq!(json!([state["standing"], plies(&state)]), json!(["stopped", 3]), "{state}");
    assert!(tab.act("move", json!({"mv": "h9i7"})).unwrap_err().contains("stopped"));
    assert_eq!(tab.act("continue", json!({})).unwrap()["standing"], "running");
    // Its journal goes when the record has the end.
    tab.act("resign", json!({})).unwrap();
    let mut finished = tree(&["e2e4"]);
    finished["finished"] = name.clone();
    tab.ask("store", json!({"name": null, "revision": 0, "edited": true, "tree": finished})).unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("tables")).unwrap().count(), 0);
}

#[test]
fn the_arbiters_desk_answers_the_page() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    let line = json!({"game": "chess", "moves": moves});
    let found = tab.ask("judge", json!({"line": line, "ask": "claim"})).unwrap();
    assert_eq!((&found[0]["clause"], &found[0]["ply"]), (&json!("CH-8"), &json!(7)), "{found}");
    assert!(found[0]["text"].as_str().unwrap().contains("Ng8"), "{found}");
    assert!(
        tab.ask("judge", json!({"line": line, "ask": "count"})).unwrap_err().contains("no question of chess")
    );
    assert!(tab.ask("judge", json!({"line": line, "ask": "sense"})).is_err());
    let go = json!({"game": "go", "rules": {"go": {"size": 9}}, "moves": ["E5"]});
    let found = tab.ask("judge", json!({"line": go, "ask": "point", "point": "E5"})).unwrap();
    assert_eq!(found[0]["clause"], "GO-1", "{found}");
}
