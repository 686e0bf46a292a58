//! Records in the styles of other people's libraries, in many encodings: what those libraries find in them is
//! found here, and what is read, written and read again is the same tree.

use crate::support::{client_ran, client_skipped, program, run, stderr, stdout};
use sanqi::games::formats::{self, Broken, Most, Recorded, pgn, sgf};
use sanqi::games::notation::Style;
use sanqi::games::record::GameKind;
use sanqi::games::tree::Item;
use sanqi::go::Board;
use sanqi::serve;
use sanqi::util::lang::Language;
use sanqi::xiangqi::START_FEN;
use serde_json::{Value, json};
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

/// The first game of a file as the boards open and save it.
fn through_the_boards(file: &[u8]) -> String {
    let opened: Value = serde_json::from_str(&serve::without_connection(file, Language::English)).unwrap();
    assert!(!opened["broken"].to_string().contains("left out"), "{}", opened["broken"]);
    let mut tree = opened["games"][0].clone();
    tree["start"] = json!({"game": tree["game"], "fen": tree["fen"], "rules": tree["rules"]});
    let request = json!({"id": 1, "do": "save", "tree": tree});
    match serve::without_engine(&request.to_string()) {
        Some(Ok(text)) => text.as_str().unwrap().to_owned(),
        other => panic!("{other:?}: {request}"),
    }
}

/// The nodes of a record with all that stands in them: of the root of SGF, which is written anew, the
/// comment; whose turn it is where it shows on the board is left out.
fn outline(game: &Recorded) -> String {
    let mut outline = String::new();
    for (id, depth) in game.tree.walk() {
        let node = game.tree.node(id);
        let is_root = depth == 0 && game.go.is_some();
        let items: Vec<_> =
            node.items.iter().filter(|item| !is_root || matches!(item, Item::Comment(_))).collect();
        outline += &format!("{depth} {:?} {items:?}\n", node.played);
    }
    outline
}

fn with_null_moves(bytes: &[u8], kind: Option<GameKind>) -> Vec<Result<Recorded, Broken>> {
    formats::read_most(bytes, kind, Most { null_moves: true, ..Most::ALL })
}

/// What the boards open and save unchanged is the same record.
fn boards_keep(bytes: &[u8], game: &Recorded, name: &str) {
    let saved = through_the_boards(bytes);
    let again = with_null_moves(saved.as_bytes(), Some(game.kind));
    let [Ok(again)] = &again[..] else { panic!("{name}: {again:?}: {saved}") };
    assert_eq!(outline(again), outline(game), "{name}: {saved}");
    // Records of xiangqi that Sanqi writes always name their position.
    let usual = (game.kind == GameKind::XIANGQI).then_some(START_FEN);
    let fen = |game: &Recorded| game.opening.fen.as_deref().or(usual).map(str::to_owned);
    assert_eq!((fen(again), again.result()), (fen(game), game.result()), "{name}: {saved}");
    assert_eq!(again.start().rules, game.start().rules, "{name}: {saved}");
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
        boards_keep(&bytes, game, file);
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
            game.as_ref().is_ok_and(|game| {
                !game.opening.moves.is_empty() && game.remarks.is_empty() && game.restarts.is_empty()
            })
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

/// A row of `tests/data/odd_records.tsv`.
struct Odd<'a> {
    kind: &'a str,
    bytes: Vec<u8>,
    moves: Vec<Vec<&'a str>>,
    fault: &'a str,
    facts: Vec<(&'a str, &'a str)>,
}

/// The rows of the table: a kind of fault, an encoding, the text (`⏎` and `␍` end lines), the moves of each
/// game between bars, what is wrong with it, and facts about the first game.
fn odd_records() -> impl Iterator<Item = Odd<'static>> {
    let rows = include_str!("data/odd_records.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let columns: Vec<_> = row.split('\t').collect();
        let [kind, encoding, text, moves, fault, facts] = columns[..] else { panic!("{row}") };
        let text = text.replace('⏎', "\n").replace('␍', "\r");
        let bytes = match encoding {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            name => formats::encoding_named(name).unwrap().encode(&text).0.into_owned(),
        };
        let moves = moves.split('|').map(|moves| moves.split_whitespace().collect()).collect();
        let facts = facts.split(';').filter_map(|fact| fact.split_once('=')).collect();
        Odd { kind, bytes, moves, fault, facts }
    })
}

fn fact(game: &Recorded, name: &str) -> String {
    match name {
        "game" => game.kind.name().to_owned(),
        "fen" => game.opening.fen.clone().unwrap_or_default(),
        "komi" => game.go.as_ref().unwrap().komi.to_string(),
        "size" => game.go.as_ref().unwrap().board_size().0.to_string(),
        "stones" => game.go.as_ref().unwrap().stones.len().to_string(),
        "restarts" => game.restarts.len().to_string(),
        "nodes" => game.tree.len().to_string(),
        tag => game.tag(tag).unwrap_or_default().to_owned(),
    }
}

/// What people and programs have written, kind by kind: the moves, names and komi that are meant, or the
/// moves before the fault and its reason.
#[test]
fn odd_records_are_read_as_they_are_meant_or_named() {
    let mut wrong = Vec::new();
    for Odd { kind, bytes, moves, fault, facts } in odd_records() {
        let games = formats::read(&bytes, None);
        let mut faults: Vec<String> = Vec::new();
        let mut parts = Vec::new();
        for game in games {
            match game {
                Ok(game) => parts.push(Some(game)),
                Err(mut broken) => {
                    parts.push(broken.before.take().map(|game| *game));
                    faults.push(broken.to_string());
                }
            }
        }
        let found: Vec<Vec<&str>> = parts
            .iter()
            .map(|game| game.iter().flat_map(|game| game.opening.moves.iter().map(String::as_str)).collect())
            .collect();
        let named = faults.join("; ");
        let is_named = if fault.is_empty() { faults.is_empty() } else { named.contains(fault) };
        if found != moves || !is_named {
            wrong.push(format!("{kind}: {}: {found:?}, {named}", String::from_utf8_lossy(&bytes)));
        }
        let game = parts.first().and_then(Option::as_ref);
        for (name, value) in facts {
            let found = game.map(|game| fact(game, name));
            if found.as_deref() != Some(value) {
                wrong.push(format!("{kind}: {name}={value}: {found:?}: {}", String::from_utf8_lossy(&bytes)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The boards keep what is odd, too, wherever it is read whole.
#[test]
fn odd_records_come_back_from_the_boards() {
    let mut kept = 0;
    for Odd { kind, bytes, .. } in odd_records() {
        if let [Ok(game)] = &with_null_moves(&bytes, None)[..] {
            boards_keep(&bytes, game, kind);
            kept += 1;
        }
    }
    assert!(kept > 100, "{kept}");
    for text in [
        "1. e4 e5 2. -- d5 3. exd5 {won} (3. Nf3 Z0 4. Nxe5) *",
        "{a} {b} 1. {before} e4 {x} $1 {y} $14 e5 ({c} 1... c5 2. Zz9 {unread} Nc6) (1... c5) 2. Nf3 *",
        "(;SZ[9];B[ee];C[of its own];W[cc](;AB[aa][bb]AW[cb]AE[ee]PL[W]C[here];W[gg];W[gc])(;B[gg];B[gc]C[twice])\
         (;AE[ee]W[dd]LB[dd:1]))",
        "(;SZ[9]AB[aa]PL[W];W[ee]C[a]GC[b];;B[ff](;W[aa])(;W[aa])(;W[]))",
    ] {
        let games = with_null_moves(text.as_bytes(), None);
        let [Ok(game)] = &games[..] else { panic!("{text}: {games:?}") };
        boards_keep(text.as_bytes(), game, text);
    }
}

/// The same by the binary: what is wrong is named with its file, everything else is analyzed without a
/// remark.
#[test]
fn odd_records_are_analyzed_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<_> = odd_records().collect();
    let path = |number: usize| folder.path().join(format!("{number}.txt")).to_str().unwrap().to_owned();
    rows.iter().enumerate().for_each(|(number, row)| std::fs::write(path(number), &row.bytes).unwrap());
    let files: Vec<String> = (0..rows.len()).map(path).collect();
    let mut args = vec!["analyze", "--nodes", "1", "--lang", "en"];
    args.extend(files.iter().map(String::as_str));
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1));
    let (named, analyzed) = (stderr(&output), stdout(&output));
    for (row, file) in rows.iter().zip(&files) {
        let own: Vec<_> = named.lines().filter(|line| line.contains(&format!("{file}: "))).collect();
        let is_named = own.iter().any(|line| line.contains(row.fault));
        let is_right = if row.fault.is_empty() { own.is_empty() } else { is_named };
        assert!(is_right, "{}: {}: {own:?}", row.kind, String::from_utf8_lossy(&row.bytes));
        let games = analyzed.matches(&format!("{file} game ")).count();
        let expected = row.moves.iter().filter(|moves| !moves.is_empty()).count();
        assert_eq!(games, expected, "{}: {}", row.kind, String::from_utf8_lossy(&row.bytes));
    }
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
