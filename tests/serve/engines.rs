//! Other engines on the page, threats, and mistakes in words.

use super::*;
use crate::arbiter::BAD;

/// Engines of the command line, whose names the page may use.
fn with_engines() -> Server {
    let own = |protocol: &str| format!("{} {protocol}", engine().display());
    let bad = |way: &str| format!("python3 {BAD} {way}");
    let engines = [
        format!("Twin={}", own("uci")),
        "nodes=300".to_owned(),
        format!("Stone={}", own("gtp")),
        format!("Old={}", bad("ucci-only")),
        format!("Crash={}", bad("crashes-in-game")),
        format!("Cheat={}", bad("illegal-move")),
        "Missing=/no/such/program".to_owned(),
    ];
    let flags: Vec<&str> = std::iter::once("--engine").chain(engines.iter().map(String::as_str)).collect();
    Server::new(&flags)
}

#[test]
fn engines_of_any_protocol_play_and_give_opinions() {
    let server = with_engines();
    let mut tab = server.tab();
    let welcome = tab.ask("welcome", json!({})).unwrap();
    assert_eq!(welcome["engines"], json!(["Twin", "Stone", "Old", "Crash", "Cheat", "Missing"]));
    assert!(!welcome.to_string().contains("python3"), "the page knows a command: {welcome}");
    let play = |tab: &mut Tab, engine: &str, game: &str, moves: &[&str]| {
        let line = json!({"game": game, "moves": moves});
        tab.ask("play", json!({"line": line, "engine": engine, "seconds": 0.3})).unwrap();
        let event = tab.event("move");
        assert!(event["node"]["legal"].is_array(), "{engine}: {event}");
        event["mv"].as_str().unwrap().to_owned()
    };
    let first = play(&mut tab, "Twin", "chess", &[]);
    play(&mut tab, "Twin", "chess", &[&first, "g8f6"]);
    // The same engine in another game, at an earlier position, and another protocol.
    play(&mut tab, "Twin", "xiangqi", &["h2e2"]);
    play(&mut tab, "Twin", "xiangqi", &[]);
    play(&mut tab, "Stone", "go", &["D4"]);
    play(&mut tab, "Old", "xiangqi", &[]);
    let line = json!({"game": "chess", "moves": ["e2e4"]});
    tab.ask("consult", json!({"line": line, "engine": "Twin", "seconds": 0.3})).unwrap();
    let opinion = tab.event("opinion");
    assert_eq!(opinion["engine"], "Twin");
    assert!(
        opinion["score"]["cp"].is_i64() && opinion["pv"].as_array().is_some_and(|pv| !pv.is_empty()),
        "{opinion}"
    );
}

#[test]
fn an_engine_that_fails_is_reported_and_loses_nothing() {
    let server = with_engines();
    let mut tab = server.tab();
    for (name, part) in [("Crash", "gone"), ("Cheat", ""), ("Missing", "no/such")] {
        let line = json!({"game": "chess", "moves": ["e2e4", "e7e5", "d2d4", "e5d4", "c2c3"]});
        for _ in 0..2 {
            tab.ask("play", json!({"line": line, "engine": name, "seconds": 0.3})).unwrap();
            let fault = tab.event("fault");
            assert_eq!(fault["engine"], name);
            let why = fault["error"].as_str().unwrap();
            assert!(!why.is_empty() && why.contains(part), "{fault}");
        }
        // Sanqi plays on.
        tab.ask("play", json!({"line": line, "level": 1})).unwrap();
        assert!(tab.event("move")["mv"].is_string());
    }
    for command in ["Nobody", "/bin/sh", "python3", "../sanqi", ""] {
        let line = json!({"game": "chess"});
        for what in ["play", "consult"] {
            let refused = tab.ask(what, json!({"line": line, "engine": command, "seconds": 1})).unwrap_err();
            assert!(refused.contains("no engine is called"), "{refused}");
        }
    }
}

#[test]
fn an_engine_is_stopped_while_it_thinks() {
    let server = with_engines();
    let mut tab = server.tab();
    let line = json!({"game": "go", "rules": {"go": {"size": 9}}});
    tab.ask("play", json!({"line": line, "engine": "Stone", "seconds": 600})).unwrap();
    tab.ask("stop", json!({})).unwrap();
    tab.ask("play", json!({"line": line, "engine": "Stone", "seconds": 0.2})).unwrap();
    assert!(tab.event("move")["mv"].is_string());
}

#[test]
fn a_threat_is_what_the_opponent_would_play() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    // Qxf7 mate.
    let scholar = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4"];
    tab.ask("threat", json!({"line": {"game": "chess", "moves": scholar}})).unwrap();
    let threat = tab.event("threat");
    assert_eq!((&threat["mv"], &threat["text"]), (&json!("h5f7"), &json!(["Qxf7#"])));
    let check = ["e2e4", "f7f6", "d1h5"];
    let refused = tab.ask("threat", json!({"line": {"game": "chess", "moves": check}})).unwrap_err();
    assert!(refused.contains("check"), "{refused}");
    for game in ["xiangqi", "go"] {
        tab.ask("threat", json!({"line": {"game": game}})).unwrap();
        assert!(tab.event("threat")["mv"].is_string(), "{game}");
    }
    // In a serious game there is none.
    tab.ask("sit", terms("chess", "inf", "match", None)).unwrap();
    let line = json!({"game": "chess"});
    for (what, more) in [("threat", json!({})), ("consult", json!({"engine": "Twin", "seconds": 1}))] {
        let mut request = json!({"line": line});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert!(tab.ask(what, request).unwrap_err().contains("advice"), "{what}");
    }
}

/// What the coach asks after each move: only this move, judged.
#[test]
fn a_single_move_is_judged() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let judge = |tab: &mut Tab, line: Value, from: usize| {
        tab.ask("review", json!({"line": line, "from": from, "nodes": 4000})).unwrap();
        let found = tab.event("review");
        assert!(tab.event("review")["loss"].is_null());
        tab.event("reviewed");
        found
    };
    let queen = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d2"];
    let found = judge(&mut tab, json!({"game": "chess", "moves": queen}), 5);
    assert_eq!((&found["sign"], &found["mv"].is_string()), (&json!("??"), &true), "{found}");
    assert!(found["why"][0].as_str().unwrap().starts_with("hangs a queen"), "{found}");
    let found = judge(&mut tab, json!({"game": "chess", "moves": ["e2e4", "e7e5"]}), 1);
    assert_eq!((&found["sign"], &found["why"]), (&json!(""), &Value::Null), "{found}");
    let cannon = ["h2e2", "b9c7", "e2e6"];
    let found = judge(&mut tab, json!({"game": "xiangqi", "moves": cannon}), 2);
    assert!(found["loss"].as_f64().unwrap() > 0.05, "{found}");
}

#[test]
fn an_engine_answers_an_offer_in_a_game_without_a_clock() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    for (fen, accepted) in
        [("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", true), ("6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1", false)]
    {
        tab.ask("offer", json!({"line": {"game": "chess", "fen": fen}})).unwrap();
        assert_eq!(tab.event("offer")["accepted"], accepted, "{fen}");
    }
    assert!(tab.ask("offer", json!({"line": {"game": "go"}})).unwrap_err().contains("Go"));
}

/// Other engines at a table: by the clock, against a person and each other, and one that fails.
#[test]
fn engines_play_by_the_clock() {
    let server = with_engines();
    let mut tab = server.tab();
    let seats = |seats: Value| {
        let mut terms = terms("chess", "60+1", "casual", None);
        terms["seats"] = seats;
        terms["level"] = json!(1);
        terms
    };
    tab.sit(seats(json!([null, "Twin"])));
    tab.act("move", json!({"mv": "e2e4"})).unwrap();
    let state = tab.state(|state| state["node"]["ply"] == 2);
    assert_eq!((&state["runs"], &state["seats"]), (&json!("first"), &json!([null, "Twin"])), "{state}");
    assert!(state["clocks"][1].is_string() && state["plies"][0]["clock"].is_u64(), "{state}");
    // Against each other: nobody else moves for them, and the clocks can be stopped.
    tab.sit(seats(json!(["Twin", ""])));
    tab.state(|state| state["node"]["ply"].as_u64() >= Some(4));
    for (what, more) in [("move", json!({"mv": "a2a3"})), ("resign", json!({})), ("offer", json!({}))] {
        let refused = tab.act(what, more).unwrap_err();
        assert!(refused.contains("other side"), "{what}: {refused}");
    }
    let stopped = tab.act("stop", json!({})).unwrap();
    assert_eq!((&stopped["standing"], &stopped["runs"]), (&json!("stopped"), &Value::Null), "{stopped}");
    tab.act("continue", json!({})).unwrap();
    let ply = stopped["node"]["ply"].as_u64().unwrap();
    tab.state(|state| state["node"]["ply"].as_u64() > Some(ply));
    // One that fails stops the clocks; it is started again, or Sanqi plays on.
    tab.sit(seats(json!([null, "Cheat"])));
    for (ply, mv) in [(2, "e2e4"), (4, "d2d4")] {
        tab.act("move", json!({"mv": mv})).unwrap();
        tab.state(|state| state["node"]["ply"] == ply);
    }
    tab.act("move", json!({"mv": "c2c3"})).unwrap();
    for what in ["continue", "substitute"] {
        // It belongs to no request.
        let fault = loop {
            let event = tab.read();
            if event["event"] == "fault" {
                break event;
            }
        };
        assert_eq!((&fault["engine"], &fault["for"]), (&json!("Cheat"), &json!(0)), "{fault}");
        tab.act(what, json!({})).unwrap();
    }
    let state = tab.state(|state| state["node"]["ply"] == 6);
    assert_eq!(state["seats"], json!([null, ""]), "{state}");
    assert!(tab.act("substitute", json!({})).is_err());
    // The journal of a game may name one that this server does not have.
    let state = tab.sit(seats(json!(["Nobody", null])));
    assert_eq!(state["standing"], "stopped", "{state}");
    tab.act("substitute", json!({})).unwrap();
    tab.state(|state| state["node"]["ply"] == 1);
}

#[test]
fn an_analysis_ends_after_its_seconds() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    for game in ["chess", "go"] {
        let line = json!({"game": game, "rules": {"go": {"size": 9}}});
        tab.ask("analyze", json!({"line": line, "lines": 1, "seconds": 0.2})).unwrap();
        tab.event("done");
    }
}
