use super::*;

fn tree(moves: &[&str]) -> Map<String, Value> {
    let nodes =
        moves.iter().enumerate().map(|(i, mv)| json!({"parent": i.checked_sub(1), "mv": mv, "text": [mv]}));
    let tags = json!([["White", "Anna"], ["Black", "Bert"], ["Date", "2026.11.30"]]);
    let tree = json!({
        "start": {"game": "chess"}, "tags": tags, "result": "1-0", "nodes": nodes.collect::<Vec<_>>(),
        "created": moves.len(), "saved": moves.len(), "at": 3,
    });
    serde_json::from_value(tree).unwrap()
}

fn stored(name: Option<&str>, revision: u64, edited: bool, moves: &[&str]) -> Stored {
    Stored { name: name.map(str::to_owned), revision, edited, tree: tree(moves) }
}

fn open() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("sanqi")).unwrap();
    (folder, store)
}

fn name_of(answer: &Value) -> String {
    answer["name"].as_str().unwrap().to_owned()
}

fn find(store: &Store, query: &str) -> usize {
    lock(&store.index).read = None;
    let search = Search { query: query.to_owned(), game: None, trash: false, unsolved: false, from: 0 };
    store.list(&search).unwrap()["found"].as_u64().unwrap() as usize
}

fn plies(store: &Store, name: &str) -> usize {
    let tab = store.subscribe();
    tab.load(name).unwrap()["tree"]["nodes"].as_array().unwrap().len()
}

#[test]
fn games_with_mistakes_to_practice_on_are_found() {
    let (_folder, store) = open();
    for (moves, unsolved) in [(&["e2e4"], 2), (&["d2d4"], 0), (&["c2c4"], 3)] {
        let mut game = stored(None, 0, true, moves);
        game.tree.insert("unsolved".to_owned(), json!(unsolved));
        store.store(game).unwrap();
    }
    let search = Search { query: String::new(), game: None, trash: false, unsolved: true, from: 0 };
    let found = store.list(&search).unwrap();
    assert_eq!((&found["found"], &found["all"], &found["unsolved"]), (&json!(2), &json!(3), &json!(5)));
}

#[test]
fn games_are_kept_found_and_brought_back() {
    let (folder, store) = open();
    let tab = store.subscribe();
    let first = tab.store(stored(None, 0, true, &["e2e4", "e7e5"])).unwrap();
    assert_eq!(first["revision"], 1);
    let name = name_of(&first);
    let again = tab.store(stored(Some(&name), 1, true, &["e2e4", "e7e5", "g1f3"])).unwrap();
    assert_eq!((name_of(&again), &again["revision"]), (name.clone(), &json!(2)));
    tab.store(stored(None, 0, true, &["d2d4"])).unwrap();
    // Another run of the program finds them.
    let store = Store::open(&folder.path().join("sanqi")).unwrap();
    let tab = store.subscribe();
    for (query, count) in [
        ("", 2),
        ("anna", 2),
        ("BERT 2026-11", 2),
        ("carl", 0),
        ("e2e4", 1),
        ("1. e2e4 e7e5 2.g1f3", 1),
        ("anna d2d4", 1),
        ("e7e5", 0),
        ("国际象棋", 2),
        ("1-0", 2),
    ] {
        assert_eq!(find(&store, query), count, "{query}");
    }
    tab.remove(&name).unwrap();
    assert_eq!((find(&store, ""), plies(&store, &name)), (1, 3));
    assert!(tab.remove(&name).is_err());
    tab.restore(&name).unwrap();
    assert_eq!(find(&store, ""), 2);
    assert!(store.export(false).unwrap().contains("1. e4 e5 2. Nf3 1-0"));
    assert_eq!(store.export(true).unwrap(), "");
}

#[test]
fn two_tabs_lose_nothing_of_each_other() {
    let (_folder, store) = open();
    let (one, two) = (store.subscribe(), store.subscribe());
    let name = name_of(&one.store(stored(None, 0, true, &["e2e4"])).unwrap());
    assert_eq!(two.news.try_recv().unwrap()["name"], json!(name));
    one.store(stored(Some(&name), 1, true, &["e2e4", "e7e5"])).unwrap();
    // The same again, as after an answer that was lost.
    let same = one.store(stored(Some(&name), 1, true, &["e2e4", "e7e5"])).unwrap();
    assert_eq!((&same["revision"], same.get("copy")), (&json!(2), None));
    assert!(!one.load(&name).unwrap()["shared"].as_bool().unwrap());
    let copy = two.store(stored(Some(&name), 1, true, &["e2e4", "c7c5", "g1f3"])).unwrap();
    assert_eq!(copy["copy"], true);
    assert_eq!((plies(&store, &name), plies(&store, &name_of(&copy))), (2, 3));
    assert!(two.load(&name).unwrap()["shared"].as_bool().unwrap());
    // A tab that only moved its cursor learns that there is a newer revision.
    let looked = two.store(stored(Some(&name), 1, false, &["e2e4"])).unwrap();
    assert_eq!((&looked["stale"], plies(&store, &name)), (&json!(true), 2));
    // A game that was removed meanwhile is kept as another.
    one.remove(&name).unwrap();
    let kept = two.store(stored(Some(&name), 2, true, &["a2a3"])).unwrap();
    assert_ne!(name_of(&kept), name);
    // Settings are merged, and heard by the others.
    while two.news.try_recv().is_ok() {}
    let set = |text: &str| serde_json::from_str(text).unwrap();
    one.settings(set("{\"theme\":\"dark\",\"x\":1}")).unwrap();
    assert_eq!(two.settings(set("{\"x\":null,\"y\":2}")).unwrap(), json!({"theme": "dark", "y": 2}));
    assert_eq!(two.news.try_recv().unwrap()["settings"]["x"], 1);
    assert!(one.settings(set(&format!("{{\"x\":\"{}\"}}", "x".repeat(MAX_SETTINGS)))).is_err());
    drop(one);
    assert_eq!(lock(&store.tabs).len(), 1);
}

/// Wherever a write is cut off, the old game is there; once it has its name, the new one.
#[test]
fn a_game_that_is_half_written_is_the_old_one() {
    let (folder, store) = open();
    let root = folder.path().join("sanqi");
    let tab = store.subscribe();
    let name = name_of(&tab.store(stored(None, 0, true, &["e2e4"])).unwrap());
    let path = root.join("games").join(format!("{name}.json"));
    let old = fs::read(&path).unwrap();
    tab.store(stored(Some(&name), 1, true, &["e2e4", "e7e5"])).unwrap();
    let new = fs::read(&path).unwrap();
    fs::write(&path, &old).unwrap();
    let part = root.join("games").join(format!("{name}.json.part"));
    for end in 0..=new.len() {
        fs::write(&part, &new[..end]).unwrap();
        let store = Store::open(&root).unwrap();
        assert!(!part.exists(), "what was half written stays");
        assert_eq!((plies(&store, &name), find(&store, "")), (1, 1));
        if end % 64 == 0 {
            fs::write(&part, &new[..end]).unwrap();
            let tab = store.subscribe();
            tab.store(stored(Some(&name), 1, true, &["e2e4", "e7e5"])).unwrap();
            assert!(fs::read(&path).unwrap() == new && !part.exists());
            fs::write(&path, &old).unwrap();
        }
    }
    fs::write(&part, &new).unwrap();
    fs::rename(&part, &path).unwrap();
    assert_eq!(plies(&Store::open(&root).unwrap(), &name), 2);
}

#[test]
fn names_lead_nowhere_else() {
    let (folder, store) = open();
    let root = folder.path().join("sanqi");
    fs::write(root.join("secret.json"), "{}").unwrap();
    let tab = store.subscribe();
    for name in
        ["", "../secret", "..", "a/b", "A", "a.b", "a\0b", "/etc/passwd", &"x".repeat(41), "é", "games/x"]
    {
        assert!(tab.load(name).is_err() && tab.remove(name).is_err() && tab.restore(name).is_err(), "{name}");
        assert!(tab.store(stored(Some(name), 1, true, &["e2e4"])).is_err(), "{name}");
    }
    // A link is not followed, not even to a game, and a folder is no game.
    let name = name_of(&tab.store(stored(None, 0, true, &["e2e4"])).unwrap());
    let written = fs::read_to_string(root.join(format!("games/{name}.json"))).unwrap();
    tab.remove(&name).unwrap();
    let outside = folder.path().join("outside.json");
    fs::write(&outside, written.replace(&name, "link")).unwrap();
    fs::create_dir(root.join("games/folder.json")).unwrap();
    if system::link(&outside, &root.join("games/link.json")) {
        assert!(tab.load("link").is_err());
        assert!(tab.store(stored(Some("link"), 1, true, &["d2d4"])).is_err());
        assert_eq!(fs::read_to_string(&outside).unwrap(), written.replace(&name, "link"));
    }
    // Neither is a file that holds something else, or that is too long; both stay, and are named.
    let later = written.replacen("\"version\":1", "\"version\":2", 1).replace(&name, "other");
    fs::write(root.join("games/other.json"), &later).unwrap();
    assert!(tab.load("other").unwrap_err().to_string().contains("version"));
    assert!(tab.store(stored(Some("other"), 1, true, &["d2d4"])).is_err());
    File::create(root.join("games/long.json")).unwrap().set_len(MAX_FILE + 1).unwrap();
    assert_eq!(find(&store, ""), 0);
    assert!(lock(&store.index).unreadable.len() >= 3);
    assert_eq!(fs::read_to_string(root.join("games/other.json")).unwrap(), later);
}

#[test]
fn what_is_no_game_or_too_large_is_refused() {
    let (_folder, store) = open();
    let tab = store.subscribe();
    let refused = |value: Value| {
        let tree = serde_json::from_value(value).unwrap();
        tab.store(Stored { name: None, revision: 0, edited: true, tree }).unwrap_err().to_string()
    };
    assert!(refused(json!({"start": {"game": "shogi"}, "nodes": []})).contains("shogi"));
    assert!(refused(json!({"start": {"game": "chess"}})).contains("nodes"));
    let long = json!({"start": {"game": "chess"}, "nodes": [], "comment": "x".repeat(MAX_GAME)});
    assert!(refused(long).contains("too long"));
    let nodes = vec![json!({"parent": null, "mv": "e2e4"}); super::super::tree::MAX_NODES + 1];
    assert!(refused(json!({"start": {"game": "chess"}, "nodes": nodes})).contains("moves"));
    assert_eq!(find(&store, ""), 0);
    // Boards of Go need not be square.
    for size in [json!(9), json!([9, 5])] {
        let picture = json!({"stones": "b.w", "size": size, "last": "C3"});
        let tree =
            json!({"start": {"game": "go"}, "nodes": [{"parent": null, "mv": "C3"}], "picture": picture});
        let tree = serde_json::from_value(tree).unwrap();
        tab.store(Stored { name: None, revision: 0, edited: true, tree }).unwrap();
    }
    assert_eq!((find(&store, ""), find(&store, "go")), (2, 2));
}

/// A folder that cannot be written to is answered, and the game that is there stays.
#[test]
fn a_disk_without_room_is_answered() {
    let (folder, store) = open();
    let root = folder.path().join("sanqi");
    let tab = store.subscribe();
    let name = name_of(&tab.store(stored(None, 0, true, &["e2e4"])).unwrap());
    // Every name for a file that is not whole yet is taken.
    let part = |number: String| root.join("games").join(format!("{name}.json.part{number}"));
    fs::create_dir(part(String::new())).unwrap();
    for number in 1..=99 {
        fs::create_dir(part(number.to_string())).unwrap();
    }
    assert!(
        tab.store(stored(Some(&name), 1, true, &["e2e4", "e7e5"])).unwrap_err().to_string().contains("json")
    );
    assert_eq!(plies(&store, &name), 1);
    for number in 1..=99 {
        fs::remove_dir(part(number.to_string())).unwrap();
    }
    assert_eq!(tab.store(stored(Some(&name), 1, true, &["e2e4", "e7e5"])).unwrap()["revision"], 2);
}
