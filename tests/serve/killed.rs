//! A server of the boards that is killed in the middle of edits.

use super::{Server, tree};
use sanqi::util::rng::Rng;
use serde_json::json;
use std::time::Duration;
use tungstenite::Message;

/// Edits of a game while the server is killed now and then: `SANQI_EDITS` for another number.
const EDITS: usize = 200;

/// What was acknowledged is there after a kill at any moment; of the edit that was under way, all or nothing.
#[test]
fn no_acknowledged_edit_is_lost_to_a_kill() {
    let wanted = std::env::var("SANQI_EDITS").ok().and_then(|n| n.parse().ok()).unwrap_or(EDITS);
    let folder = tempfile::tempdir().unwrap();
    let mut random = Rng::new(1);
    let moves: Vec<&str> = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(400).collect();
    let (mut name, mut revision, mut plies, mut edits, mut kills) = (None::<String>, 0, 0, 0, 0);
    while edits < wanted {
        let server = Server::with_library(folder.path());
        let mut tab = server.tab();
        if let Some(name) = &name {
            let loaded = tab.ask("load", json!({"name": name})).unwrap();
            let found = loaded["tree"]["nodes"].as_array().unwrap().len();
            let is_whole = found == plies && loaded["revision"] == revision;
            // The edit that was under way may be there, with its revision.
            assert!(
                is_whole || loaded["revision"] == revision + 1,
                "{found}, not {plies}: {}",
                loaded["revision"]
            );
            (plies, revision) = (found, loaded["revision"].as_u64().unwrap());
        }
        for _ in 0..random.below(40) {
            plies = random.below(moves.len());
            let stored = tab.store(name.as_deref(), revision, &moves[..plies]);
            assert!(stored.get("copy").is_none_or(|copy| copy == false), "{stored}");
            (name, revision) =
                (stored["name"].as_str().map(str::to_owned), stored["revision"].as_u64().unwrap());
            edits += 1;
        }
        let under_way = tree(&moves[..random.below(moves.len())]);
        let request = json!({"id": 0, "do": "store", "name": name, "revision": revision, "edited": true, "tree": under_way});
        if name.is_some() {
            tab.socket.send(Message::text(request.to_string())).unwrap();
        }
        std::thread::sleep(Duration::from_micros(random.below(3000) as u64));
        // `kill` is SIGKILL.
        drop(server);
        kills += 1;
    }
    println!("{edits} edits, {kills} kills");
}
