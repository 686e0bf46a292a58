//! Records in the styles of other people's libraries, in many encodings: what those libraries find in them is
//! found here, and what is read, written and read again is the same tree.

use crate::support::{client_ran, client_skipped, program};
use sanqi::games::formats::{self, Broken, Recorded, pgn, sgf};
use sanqi::games::notation::Style;
use sanqi::games::record::GameKind;
use sanqi::go::Board;
use serde_json::Value;
use std::path::Path;

/// Files of each kind: `SANQI_RECORDS` for another number.
const FILES: usize = 150;

fn index(folder: &Path) -> Option<Vec<Value>> {
    let files = std::env::var("SANQI_RECORDS").unwrap_or_else(|_| FILES.to_string());
    let python = Path::new("target/tools/venv/bin/python");
    let python = if python.exists() { python } else { Path::new("python3") };
    let made = program(python).arg("tests/scripts/make_records.py").arg(folder).args([&files, "7"]).output();
    let Ok(made) = made.inspect_err(|_| client_skipped("records", "Debian package python3")) else {
        return None;
    };
    if made.status.code() == Some(77) {
        client_skipped("records", String::from_utf8_lossy(&made.stdout).trim());
        return None;
    }
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    client_ran("records");
    let index = std::fs::read_to_string(folder.join("index.jsonl")).unwrap();
    Some(index.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn kind_of(row: &Value) -> GameKind {
    GameKind::from_name(row["kind"].as_str().unwrap()).unwrap()
}

fn moves_of(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect()
}

fn written(game: &Recorded) -> String {
    match &game.go {
        Some(go) => {
            let (columns, rows) = go.board_size();
            sgf::write_tree(&game.tree, &Board::new(columns, rows))
        }
        None => pgn::write_tree(&game.tree, game.start(), &game.tags, Style::Iccs, game.result()).unwrap(),
    }
}

#[test]
fn other_libraries_find_the_same_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let Some(rows) = index(folder.path()) else { return };
    let (mut files, mut names, mut guessed) = (0, 0, 0);
    for row in rows.iter().filter(|row| row["damaged"].is_null()) {
        let file = row["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.path().join(file)).unwrap();
        let games = formats::read(&bytes, Some(kind_of(row)));
        let [Ok(game)] = &games[..] else { panic!("{file}: {games:?}") };
        assert_eq!(game.opening.moves, moves_of(&row["moves"]), "{file}");
        assert!(game.remarks.is_empty(), "{file}: {:?}", game.remarks);
        let is_declared = row["kind"] != "go" || row["declared"] == true;
        if let (Some(white), Some(black)) = (row["white"].as_str(), row["black"].as_str()) {
            let first = game.tag("Red").or(game.tag("White"));
            let is_same = (first, game.tag("Black")) == (Some(white), Some(black));
            let is_unicode = row["encoding"].as_str().is_some_and(|name| name.starts_with("utf"));
            match is_unicode || row["kind"] == "go" && is_declared {
                true => assert!(is_same, "{file} in {}: {white}, {black}: {:?}", row["encoding"], game.tags),
                false => (names, guessed) = (names + 1, guessed + usize::from(is_same)),
            }
        }
        if let Some(komi) = row["komi"].as_f64() {
            assert_eq!(f64::from(game.go.as_ref().unwrap().komi), komi, "{file}");
        }
        let again = formats::read(written(game).as_bytes(), Some(kind_of(row)));
        let [Ok(again)] = &again[..] else { panic!("{file}: {again:?}: {}", written(game)) };
        assert!(again.tree == game.tree, "{file}: {}", written(game));
        assert_eq!((again.start(), written(again)), (game.start(), written(game)), "{file}");
        files += 1;
    }
    println!("{files} files; names whose encoding is not declared: {guessed} of {names} right");
    assert!(files > 0 && guessed * 10 >= names * 9, "{guessed} of {names}");
    one_byte_less(folder.path(), &rows);
}

/// A file that lacks a byte is named as damaged, or has the moves that it had, or those that the other
/// library finds too.
fn one_byte_less(folder: &Path, rows: &[Value]) {
    let (mut files, mut named) = (0, 0);
    for row in rows.iter().filter(|row| row["damaged"] == true) {
        let file = row["file"].as_str().unwrap();
        let bytes = std::fs::read(folder.join(file)).unwrap();
        let games = formats::read(&bytes, Some(kind_of(row)));
        files += 1;
        let is_whole = |game: &Result<Recorded, Broken>| {
            game.as_ref().is_ok_and(|game| game.remarks.is_empty() && game.restarts.is_empty())
        };
        if games.is_empty() || !games.iter().all(is_whole) {
            named += 1;
            continue;
        }
        let found: Vec<_> = games.iter().flatten().map(|game| game.opening.moves.clone()).collect();
        let is_as_before = found.concat() == moves_of(&row["whole"]);
        let theirs = row["moves"].as_array().map(|games| games.iter().map(moves_of).collect::<Vec<_>>());
        assert!(
            is_as_before || theirs.as_ref().is_some_and(|theirs| theirs.concat() == found.concat()),
            "{file}: {found:?}, {theirs:?}: {}",
            String::from_utf8_lossy(&bytes)
        );
    }
    println!("{files} files that lack a byte, {named} of them named");
    assert!(files > 100 && named > 0);
}

/// A million moves, and a hundred thousand variations inside each other, end with an answer.
#[test]
fn long_and_deep_files_end_with_an_answer() {
    const MOVES: usize = 1_000_000;
    const DEPTH: usize = 100_000;
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOVES / 4);
    let variation = "Nf6 Nf3 Ng8 Ng1 ".repeat(MOVES / 4);
    // Each stands for the last move of the one around it.
    let deep = |turns: usize| {
        let moves = ["(Nc6 Nf3 ", "(Nc3 Nf6 ", "(Nb8 Nf3 ", "(Nb1 Nf6 "].into_iter().cycle();
        format!("e4 e5 {}{}", moves.take(turns).collect::<String>(), ")".repeat(turns))
    };
    let shuffle = "00011011".repeat(MOVES / 4);
    let dhtmlxq = format!(
        "[DhtmlXQ][DhtmlXQ_movelist]{}[/DhtmlXQ_movelist][/DhtmlXQ]",
        "0908091909080919".repeat(MOVES / 4)
    );
    for (what, text, kind, moves) in [
        ("long PGN", format!("{long} *"), GameKind::CHESS, Some(MOVES)),
        ("long variation", format!("e4 e5 ({variation}) *"), GameKind::CHESS, Some(2)),
        ("deep variations", format!("{} *", deep(DEPTH)), GameKind::CHESS, Some(2)),
        ("open variations", format!("e4 e5 {} *", "(".repeat(DEPTH)), GameKind::CHESS, Some(2)),
        ("long SGF", format!("(;SZ[9]{})", ";B[];W[]".repeat(MOVES / 2)), GameKind::GO, None),
        ("deep SGF", format!("{}{}", "(;".repeat(DEPTH), ")".repeat(DEPTH)), GameKind::GO, None),
        ("long DhtmlXQ", dhtmlxq, GameKind::XIANGQI, None),
        ("long list", shuffle, GameKind::XIANGQI, None),
    ] {
        let began = std::time::Instant::now();
        let games = formats::read(text.as_bytes(), Some(kind));
        let part = |game: &Result<Recorded, Broken>| match game {
            Ok(game) => Some(game.opening.moves.len()),
            Err(broken) => broken.before.as_ref().map(|game| game.opening.moves.len()),
        };
        println!("{what}: {:?}, {:?}", games.first().and_then(part), began.elapsed());
        if moves.is_some() {
            assert_eq!(games.first().and_then(part), moves, "{what}");
        }
        if let Some(Ok(game)) = games.first() {
            assert!(game.remarks.is_empty(), "{what}: {:?}", game.remarks);
            assert!(!written(game).is_empty());
        }
        assert!(began.elapsed().as_secs() < 60, "{what}: {:?}", began.elapsed());
    }
}
