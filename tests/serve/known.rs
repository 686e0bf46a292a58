//! What the page shows of a position without a search.

use super::Server;
use serde_json::{Value, json};

#[test]
fn openings_have_names_and_xiangqi_its_book() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let mut known = |game: &str, moves: &[&str]| {
        tab.ask("known", json!({"line": {"game": game, "moves": moves}})).unwrap()
    };
    let found = known("chess", &["e2e4", "c7c5", "a2a3"]);
    assert_eq!(found["opening"], json!({"code": "B20", "name": "Sicilian Defense", "nameZh": "西西里防御"}));
    assert_eq!((&found["book"], &found["tables"]), (&json!([]), &Value::Null));
    let found = known("xiangqi", &["h2e2"]);
    assert_eq!(found["opening"]["nameZh"], "中炮");
    let book = found["book"].as_array().unwrap();
    let sum: f64 = book.iter().map(|one| one["share"].as_f64().unwrap()).sum();
    assert!(book.len() > 1 && (sum - 1.0).abs() < 1e-9, "{found}");
    assert_eq!(book[0]["text"].as_array().map(Vec::len), Some(3), "{found}");
    let found = known("go", &["D4"]);
    assert_eq!((&found["opening"], &found["book"]), (&Value::Null, &json!([])));
}

/// Advice is refused at a table where a serious game is played.
#[test]
fn a_serious_game_gets_no_moves_of_the_book() {
    let server = Server::new(&[]);
    let mut tab = server.tab();
    let line = json!({"game": "xiangqi", "moves": []});
    let terms = json!({
        "line": line, "control": "300+3", "conduct": "match", "names": ["A", "B"], "seats": [null, null],
        "level": null, "notation": "iccs",
    });
    tab.ask("sit", terms).unwrap();
    let found = tab.ask("known", json!({"line": {"game": "xiangqi", "moves": ["h2e2"]}})).unwrap();
    assert_eq!((&found["opening"]["nameZh"], &found["book"]), (&json!("中炮"), &json!([])));
}

#[test]
#[ignore = "needs SYZYGY_PATH"]
fn endgame_tables_give_their_verdict() {
    let path = std::env::var("SYZYGY_PATH").expect("SYZYGY_PATH names a folder of Syzygy tables");
    let server = Server::new(&["--syzygy-path", &path]);
    let mut tab = server.tab();
    let mut ask = |fen: &str| {
        let found = tab.ask("known", json!({"line": {"game": "chess", "fen": fen, "moves": []}})).unwrap();
        found["tables"].clone()
    };
    let won = ask("8/8/8/8/8/4k3/4P3/4K2R w - - 0 1");
    assert_eq!(won["winner"], "first", "{won}");
    assert_eq!(won["moves"][0]["winner"], "first", "{won}");
    let lost = ask("4k2r/4p3/4K3/8/8/8/8/8 w - - 0 1");
    assert_eq!(lost["winner"], "second", "{lost}");
    assert_eq!(ask("8/8/8/8/4k3/8/8/4K3 w - - 0 1")["winner"], Value::Null);
}
