//! The command line: what scripts may rely on.

use crate::support::{engine, last_line, program, run, run_program, stderr, stdout};
use sanqi::chess::Board;
use tempfile::tempdir;

/// The command fails with code 1 and one line on stderr that has `text` in it.
fn fails(args: &[&str], text: &str) {
    let output = run(args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{args:?}: {message}");
    assert!(message.contains(text), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?} printed {:?}", stdout(&output));
}

#[test]
fn perft_divides_and_sums_up() {
    let output = run(&["perft", "chess", "3"]);
    let text = stdout(&output);
    assert!(text.lines().any(|l| l == "e2e4: 600"), "{text}");
    let last = last_line(&output);
    assert!(last.starts_with("8902 nodes ") && last.ends_with(" nps"), "{last}");
    assert!(last_line(&run(&["perft", "xiangqi", "2"])).starts_with("1920 nodes "));
}

#[test]
fn perft_counts_the_same_with_threads_and_table() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for extra in [&["--threads", "3"][..], &["--hash", "1"], &["--hash", "8", "--threads", "2"]] {
        let args = [&["perft", "chess", "4", "--fen", fen], extra].concat();
        assert!(last_line(&run(&args)).starts_with("4085603 nodes "), "{extra:?}");
    }
}

#[test]
fn perft_suites_tell_what_failed() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("suite.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    std::fs::write(&file, format!("{start} ;D1 20 ;D2 400\n{start} ;D1 21 ;D9 1000000000\n")).unwrap();
    let path = file.to_str().unwrap();
    let output = run(&["perft", "chess", "--suite", path, "--max-nodes", "1000"]);
    assert_eq!(last_line(&output), "1 passed, 1 failed");
    assert!(stdout(&output).contains("D1 is 20, not 21"));
    assert_eq!(output.status.code(), Some(1));
    // What was not checked has not passed.
    std::fs::write(&file, format!("\u{feff}{start} ;D1 20\n{start} ;D2 400\n")).unwrap();
    let output = run(&["perft", "chess", "--suite", path, "--max-nodes", "100"]);
    assert_eq!(
        (last_line(&output).as_str(), output.status.code()),
        ("1 passed, 0 failed, 1 left out", Some(0))
    );
    let output = run(&["perft", "chess", "--suite", path, "--max-nodes", "1"]);
    assert!(stderr(&output).ends_with("suite.epd: --max-nodes leaves out every count\n"));
    assert_eq!(output.status.code(), Some(1));
    std::fs::write(&file, format!("# counts\n{start}\n")).unwrap();
    fails(&["perft", "chess", "--suite", path], "suite.epd:2: no count such as \"D3 8902\"");
    std::fs::write(&file, "# counts\n").unwrap();
    fails(&["perft", "chess", "--suite", path], "suite.epd: no position is in it");
}

#[test]
fn failures_are_one_line_and_usage_is_code_two() {
    fails(&["perft", "chess", "2", "--fen", "nonsense"], "nonsense");
    fails(&["perft", "chess", "--suite", "/no/such/file"], "/no/such/file");
    fails(&["judge", "--moves", "a0a9"], "move 1");
    for (args, what) in [
        (&["match", "--engine", "cmd=x"][..], "two engines"),
        (&["match", "--engine", "cmd=x", "--engine", "cmd=y", "--tc", "soon"], "soon"),
        (&["match", "--engine", "sanqi", "--engine", "cmd=y", "--tc", "8"], "cmd=sanqi"),
        (&["match", "--engine", "cmd=x", "--engine", "cmd=y"], "--tc"),
        (&["match", "--engine", "cmd=x", "--engine", "cmd=y", "--tc", "8++1"], "8++1"),
        (&["match", "--engine", "cmd=x", "--engine", "cmd=y", "--tc", "8", "--concurrency", "0"], "0"),
        (&["perft", "go", "1"], "go"),
        (&["uci", "--game", "go"], "sanqi gtp"),
        (&["ucci", "--game", "chess"], "UCCI has only xiangqi"),
        (&["gtp", "--game", "xiangqi"], "GTP has only Go"),
        (&["perft"], "DEPTH"),
        (&["frobnicate"], "frobnicate"),
        (&["bench", "--threads", "0"], "0"),
        (&["speedtest", "chess", "--threads", "0"], "0"),
        (&["speedtest", "chess", "--hash", "1,0"], "0"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.lines().next().is_some_and(|line| line.starts_with("error: ")), "{text}");
        assert!(text.contains(what), "{text}");
    }
}

#[test]
fn tune_does_not_write_over_another_run() {
    let folder = tempdir().unwrap();
    let [lines, saved] = ["lines", "saved"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    std::fs::write(&lines, "a, int, 5, 0, 10, 1, 0.002\n").unwrap();
    std::fs::write(&saved, "# iteration 7\n").unwrap();
    fails(&["tune", &lines, "--engine", "cmd=x", "--save", &saved], &saved);
    assert_eq!(std::fs::read_to_string(&saved).unwrap(), "# iteration 7\n");
}

#[test]
fn tune_stops_when_the_engine_lacks_the_number() {
    let folder = tempdir().unwrap();
    let lines = folder.path().join("lines");
    std::fs::write(&lines, "no_such_number, int, 5, 0, 10, 1, 0.002\n").unwrap();
    let engine = format!("cmd={}", crate::support::built_with_tests().display());
    let file = lines.to_str().unwrap();
    let output = run(&["tune", file, "--engine", &engine, "--tc", "nodes=1", "--iterations", "1000000"]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let last = message.lines().last().unwrap_or_default();
    assert!(last.contains("no_such_number: the engine has no such option"), "{message}");
}

#[test]
fn judge_names_verdict_and_clause() {
    let args = ["judge", "--fen", "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "--rules", "all", "--moves"];
    let moves = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8";
    let text = stdout(&run(&[&args[..], &[moves]].concat()));
    assert!(text.contains("Chinese rules: Black wins by XQ-R5"), "{text}");
    assert!(text.contains("not judged: the position occurred again: draw"), "{text}");
    let json = stdout(&run(&[&args[..], &[moves, "--json"]].concat()));
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value.as_array().map(Vec::len), Some(4));
}

#[test]
fn the_judge_explains_why_roots_do_not_hold() {
    let printed = |fen: &str, cycle: &str| {
        let moves = [cycle, cycle].join(" ");
        stdout(&run(&["judge", "--fen", fen, "--moves", &moves]))
    };
    let false_root = printed("5kb2/9/9/8R/9/1c3r3/N8/9/9/4K4 w", "a3c2 b4c4 c2a3 c4b4");
    assert!(false_root.contains("Nc2xcb4 wins 4 (false root !rf4)"), "{false_root}");
    let shared = printed("2r4c1/3k4N/5a3/9/2n6/2p6/1N7/9/9/5K3 w", "i8g7 h9g9 g7i8 g9h9");
    assert!(shared.contains("(its root has another piece to protect rc9)"), "{shared}");
    let soldiers = printed("3k3c1/6P2/9/6p2/7P1/9/6NN1/9/9/4K4 w", "g8h8 h9g9 h8g8 g9h9");
    assert!(soldiers.contains("(no root; chases by XQ-R8 and XQ-D11)"), "{soldiers}");
}

#[test]
fn speedtest_reports_numbers() {
    let output = run(&["speedtest", "all", "--seconds", "0.2", "--threads", "1,2", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    for path in [
        "/chess/nps/1",
        "/chess/nps/2",
        "/xiangqi/nps/1",
        "/chess/datagen_nps/scalar",
        "/chess/eval_per_s",
        "/go/random_playouts_per_s/19",
        "/go/net_evals_per_s/9",
        "/go/net_evals_per_s/19",
    ] {
        let value = report.pointer(path).and_then(serde_json::Value::as_u64);
        assert!(value.is_some_and(|n| n > 0), "{path} in {report}");
    }
    let kernel = report.pointer("/go/net_kernel").and_then(serde_json::Value::as_str);
    assert!(kernel.is_some_and(|name| !name.is_empty()), "{report}");
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            assert!(report.pointer("/go/net_evals_per_s_with/avx2 9").is_some(), "{report}");
        }
        let processor = report.pointer("/processor").and_then(serde_json::Value::as_str);
        assert!(processor.is_some_and(|name| !name.is_empty()), "{report}");
    }
}

#[test]
fn arguments_may_be_lines_of_a_protocol() {
    let output = run_program(engine(), &["position startpos moves e2e4", "go depth 2", "quit"], "");
    assert!(stdout(&output).contains("bestmove "), "{}", stdout(&output));
    assert!(!run_program(engine(), &["uci", "--nonsense"], "").status.success());
}

#[test]
fn generated_openings_are_legal_and_belong_to_the_seed() {
    let ask = |seed: &str| stdout(&run(&[&format!("genfens 3 seed {seed} book None"), "quit"]));
    let fens = ask("7");
    assert_eq!(fens.lines().count(), 3);
    for line in fens.lines() {
        let fen = line.strip_prefix("info string genfens ").expect("OpenBench's prefix");
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        assert!(run(&["perft", "chess", "1", "--fen", fen]).status.success(), "{fen}");
    }
    assert_eq!(fens, ask("7"));
    assert_ne!(fens, ask("8"));
}

#[test]
fn generated_openings_of_xiangqi_are_even_and_all_different() {
    let ask =
        |more: &str| stdout(&run(&[&format!("genfens 8 seed 7 book None game xiangqi {more}"), "quit"]));
    let text = ask("plies 4 even 60 nodes 500");
    let fens: std::collections::HashSet<_> = text.lines().collect();
    assert_eq!(fens.len(), 8, "{text}");
    for line in fens {
        let fen = line.strip_prefix("info string genfens ").expect("OpenBench's prefix");
        assert!(run(&["perft", "xiangqi", "1", "--fen", fen]).status.success(), "{fen}");
    }
    fails(&["genfens 1 seed 1 book None game go", "quit"], "no positions for go");
}

/// GUIs let one choose a program, but no arguments.
#[test]
fn a_program_named_after_xiangqi_starts_with_it() {
    let folder = tempdir().unwrap();
    let link = folder.path().join("sanqi-xiangqi");
    std::fs::copy(engine(), &link).unwrap();
    let said = stdout(&run_program(link, &[], "uci\nposition startpos moves h2e2 h9g7\ngo perft 1\nquit\n"));
    assert!(said.contains("option name UCI_Variant type combo default xiangqi"), "{said}");
    assert!(said.contains("Nodes searched: 35"), "{said}");
    // What UCI does not have is printed for people.
    let output = run_program(engine(), &["--game", "go"], "uci\nquit\n");
    assert!(stdout(&output).contains("uciok"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "sanqi: UCI has chess and xiangqi, not Go: the game is chess\n");
}

/// Records and tables with damage: what is wrong is named, and the rest is judged.
#[test]
fn the_judge_reads_records_and_tables() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let chase = "[FEN \"3k5/9/2c6/9/9/9/9/9/R8/5K3 w - - 0 1\"]";
    let game = |fen: &str, moves: &str| format!("[Game \"Chinese Chess\"]\n{fen}\n\n{moves} *\n\n");
    let cycle = "车九平七 炮３平１ 车七平九 炮１平３ ".repeat(3);
    let games = [game(chase, &cycle), game("", "h2e2 h2e2"), game("", "C2=5 H8+7")];
    std::fs::write(path("games.pgn"), games.concat()).unwrap();
    let judged = run(&["judge", "--games", &path("games.pgn"), &path("none.pgn")]);
    let (said, complained) = (stdout(&judged), stderr(&judged));
    assert_eq!(judged.status.code(), Some(1));
    assert!(said.contains("games.pgn game 1:\n") && said.contains("Black wins by XQ-R5"), "{said}");
    assert!(said.contains("games.pgn game 3: nothing is repeated three times"), "{said}");
    assert!(complained.contains("games.pgn: line 9: game 2: \"h2e2\""), "{complained}");
    assert!(complained.contains("none.pgn: ") && complained.contains("could not be read: 2"), "{complained}");
    let json = stdout(&run(&["judge", "--json", "--games", &path("games.pgn")]));
    let rulings: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (rulings[0]["ruling"].as_str(), rulings[1]["ruling"].as_str()),
        (Some("black_wins"), Some("none"))
    );
    let places = rulings
        .iter()
        .map(|printed| (printed["game"].as_u64(), printed["file"] == path("games.pgn").as_str()));
    assert_eq!(places.collect::<Vec<_>>(), [(Some(1), true), (Some(2), true), (Some(3), true)]);
    // A page takes the place of no record, nor of a page where nothing is judged.
    let before = std::fs::read(path("games.pgn")).unwrap();
    std::fs::write(path("page.html"), "precious").unwrap();
    fails(
        &["judge", &path("games.pgn"), "--html", &path("games.pgn")],
        "would take the place of another file",
    );
    let analyze = ["analyze", &path("games.pgn"), "--nodes", "1", "--report", &path("games.pgn")];
    fails(&analyze, "--report would take the place of another file");
    fails(&["judge", "--fen", "x", "--moves", "a0a1", "--html", &path("page.html")], "fen \"x\"");
    fails(&["judge", "--moves", "x", "--html", &path("new.html")], "move 1");
    assert_eq!(std::fs::read(path("games.pgn")).unwrap(), before);
    assert_eq!(std::fs::read_to_string(path("page.html")).unwrap(), "precious");
    assert!(!std::path::Path::new(&path("new.html")).exists());

    let row = |id: &str, moves: &str| format!("{id}\t3k5/9/2c6/9/9/9/9/9/R8/5K3 w\t{moves}\n");
    let cycle = "a1c1 c7a7 c1a1 a7c7 ".repeat(3);
    let table = ["id\tfen\tmoves\n".to_owned(), row("A", &cycle), row("B", "a1c1 c7c7"), row("C", &cycle)];
    std::fs::write(path("table.tsv"), table.concat()).unwrap();
    let judged = run(&["judge", "--batch", &path("table.tsv")]);
    assert_eq!(judged.status.code(), Some(1));
    assert!(
        stdout(&judged)
            .ends_with("A\tblack_wins\tblack_wins\tblack_wins\nC\tblack_wins\tblack_wins\tblack_wins\n")
    );
    assert!(stderr(&judged).contains("table.tsv:3: move 2: \"c7c7\""), "{}", stderr(&judged));
}

/// Chances are fitted to records of self-play, and to matches whose engines reported scores.
#[test]
fn chances_are_fitted_to_records_and_to_matches() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let moves = "1. H2-E2 {+0.35/5 0.01s} H9-G7 {-0.20/6 0.01s} 2. H0-G2 {+M5/6 0.01s} I9-H9 {no score} 1-0";
    std::fs::write(path("match.pgn"), format!("[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n{moves}\n"))
        .unwrap();
    let said = stdout(&run(&["datastat", "--wdl", &path("match.pgn")]));
    assert!(said.starts_with("positions: 2\n") && said.contains("middle: ["), "{said}");
    for game in ["chess", "xiangqi"] {
        let made =
            run(&["datagen", game, "--out", &path(""), "--games", "2", "--nodes", "20", "--threads", "1"]);
        assert!(made.status.success(), "{}", stderr(&made));
        let said = stdout(&run(&["datastat", "--wdl", &path(&format!("{game}-1-0of1.rec"))]));
        assert!(said.starts_with("positions: ") && !said.starts_with("positions: 0\n"), "{said}");
    }
    fails(&["datastat", "--wdl", &path("none.pgn")], "none.pgn");
}

/// What is learned from stays, whatever is asked for.
#[test]
fn what_is_learned_from_is_not_written_over() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let threads = ["--threads", "1", "--out", &path("")];
    assert!(
        run(&[&["datagen", "chess", "--games", "2", "--nodes", "20"], &threads[..]].concat())
            .status
            .success()
    );
    let go = ["selfplay", "go", "--games", "1", "--visits", "8", "--sizes", "5:1"];
    assert!(run(&[&go[..], &threads[..]].concat()).status.success());
    let (records, go) = (path("chess-1-0of1.rec"), path("go-1-0of1.rec"));
    let before = [&records, &go].map(|file| std::fs::read(file).unwrap());
    for command in [
        vec!["train", "chess", "--data", &records, "--out", &records],
        vec!["quantise", "chess", &records, "--out", &records],
        vec!["train-moves", "--data", &records, "--out", &records],
        vec!["datastat", &go, "--sgf", &go],
    ] {
        fails(&command, "would take the place of another file");
    }
    let train =
        ["train", "chess", "--data", &records, "--hidden", "128", "--epochs", "1", "--out", &path("net")];
    for number in ["--rate=nan", "--rate=-1", "--last-rate=inf", "--decay=1e300", "--scale=nan", "--scale=0"]
    {
        fails(&[&train[..], &[number]].concat(), number.split('=').next().unwrap_or_default());
    }
    // The state of a training is replaced only by one that goes on from it.
    std::fs::write(path("net.ckpt"), "precious").unwrap();
    fails(&train, "there is one already; --resume goes on");
    // Arrays stay where there are none to put in their place, and files of other names always.
    for name in ["train-09-bits.npy", "train-images.npy"] {
        std::fs::write(path(name), "precious").unwrap();
    }
    for data in [path("none.rec"), records.clone()] {
        fails(&["export", "go", "--data", &data, "--out", &path("")], &data);
        assert!(folder.path().join("train-09-bits.npy").exists());
    }
    assert!(run(&["export", "go", "--data", &go, "--out", &path("")]).status.success());
    assert!(!folder.path().join("train-09-bits.npy").exists());
    assert_eq!(std::fs::read_to_string(path("train-images.npy")).unwrap(), "precious");
    // A file that is no longer what one run has written is not gone on with.
    let twice = before.each_ref().map(|bytes| [&bytes[..], &bytes[..]].concat());
    std::fs::write(&records, &twice[0]).unwrap();
    let on = ["datagen", "chess", "--games", "9", "--nodes", "20", "--resume"];
    fails(&[&on[..], &threads[..]].concat(), "stands where game 2 is due");
    assert!(std::fs::read(&records).unwrap() == twice[0]);
}

/// Games go into a book, and the engine plays what is in it.
#[test]
fn books_are_made_of_games_and_played() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let game =
        |result: &str, moves: &str| format!("[Event \"x\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
    let games =
        [game("1-0", "c3c4 g9e7"), game("1-0", "c3c4 g6g5"), game("*", "h2e2"), game("0-1", "a0a1 g9e7")];
    std::fs::write(path("games.pgn"), games.concat()).unwrap();
    let make = |games: &str| run(&["makebook", &path(games), "--out", &path("book.dat"), "--min-games", "1"]);
    // The start is its own mirror image, so that each of its moves counts twice.
    assert_eq!(last_line(&make("games.pgn")), "3 moves of 3 games");

    let book = path("book.dat");
    let ucci = |setup: &str| {
        let lines = format!("ucci\n{setup}\nposition startpos\ngo depth 1\nquit\n");
        stdout(&run_program(engine(), &[], &lines))
    };
    let played = ucci(&format!("setoption bookfiles {book}"));
    assert!(played.contains("info message a move from the book"), "{played}");
    assert!(played.contains("bestmove c3c4") || played.contains("bestmove g3g4"), "{played}");
    for off in
        [format!("setoption bookfiles {book}\nsetoption usebook false"), "setoption bookfiles".to_owned()]
    {
        assert!(!ucci(&off).contains("from the book"), "{off}");
    }
    let bad = ucci(&format!("setoption bookfiles {}", path("games.pgn")));
    assert!(bad.contains("info message ") && bad.contains("no book in the format of BOOK.DAT"), "{bad}");
    assert!(bad.contains("bestmove"), "{bad}");

    let uci = format!("uci\nsetoption name Book File value {book}\nposition startpos\ngo depth 1\nquit\n");
    let played = stdout(&run_program(engine(), &["uci", "--game", "xiangqi"], &uci));
    assert!(played.contains("bestmove c3c4") || played.contains("bestmove g3g4"), "{played}");

    let records =
        ["datagen", "xiangqi", "--out", &path(""), "--games", "16", "--nodes", "20", "--threads", "1"];
    assert!(run(&records).status.success());
    let made = last_line(&make("xiangqi-1-0of1.rec"));
    assert!(made.ends_with(" moves of 16 games") && !made.starts_with("0 "), "{made}");
    std::fs::write(path("bad.pgn"), game("1-0", "h2h2 h2e2")).unwrap();
    fails(&["makebook", &path("bad.pgn"), "--out", &book], "game 1");
    // Of a file with broken games the others go into the book, and the moves before the faults.
    std::fs::write(path("some.pgn"), game("1-0", "h2e2 h2e2") + &game("1-0", "h2e2 h9g7")).unwrap();
    let some = make("some.pgn");
    assert_eq!((last_line(&some).as_str(), some.status.code()), ("2 moves of 2 games", Some(1)));
    assert!(
        stderr(&some).contains("some.pgn: line 4: game 1: ")
            && stderr(&some).contains("(games that cannot be read: 1)")
    );
    // So it is with a game of another kind.
    let other = game("1-0", "e2e4").replace("[Event", "[Variant \"Chess960\"]\n[Event");
    std::fs::write(path("mixed.pgn"), game("1-0", "h2e2 h9g7") + &other + &game("1-0", "c3c4")).unwrap();
    let mixed = make("mixed.pgn");
    assert_eq!((last_line(&mixed).as_str(), mixed.status.code()), ("4 moves of 2 games", Some(1)));
    assert!(stderr(&mixed).contains("mixed.pgn: game 2: a game of chess960"), "{}", stderr(&mixed));
    fails(&["makebook", &path("none.pgn"), "--out", &book], "none.pgn");
    // A book of nothing is not written over one of something.
    std::fs::write(path("undecided.pgn"), game("*", "h2e2")).unwrap();
    let before = std::fs::read(&book).unwrap();
    fails(&["makebook", &path("undecided.pgn"), "--out", &book], "undecided.pgn: no game has a result");
    assert_eq!(std::fs::read(&book).unwrap(), before);
}

#[test]
fn a_net_of_go_is_described() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("go-net.bin");
    let name = path.to_str().expect("a path of text");
    let mut bytes = sanqi::convnet::ConvNet::random(1, 4).to_bytes();
    std::fs::write(&path, &bytes).expect("a file");
    let printed = stdout(&run(&["netinfo", name]));
    assert!(printed.contains("game: go\narchitecture: 4 blocks of 64 channels\n"), "{printed}");
    bytes[5000] ^= 1;
    std::fs::write(&path, &bytes).expect("a file");
    fails(&["netinfo", name], "go-net.bin: checksum is ");
}

#[test]
fn completions_and_manual_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(&run(&["completions", shell])).contains("perft"), "{shell}");
    }
    assert!(stdout(&run(&["man"])).starts_with(".ie"));
}

/// The lines that a report of a fault needs. Scripts read the first one.
#[test]
fn the_version_shows_what_was_built_and_what_runs() {
    let text = stdout(&run(&["--version"]));
    assert_eq!(text.lines().next(), Some(concat!("sanqi ", env!("CARGO_PKG_VERSION"))), "{text}");
    for (field, part) in [
        ("commit: ", ""),
        ("compiler: ", "rustc "),
        ("target: ", std::env::consts::ARCH),
        ("code for chess and xiangqi: ", sanqi::nnue::simd::Kernel::best().name()),
        ("code for go: ", sanqi::convnet::Kernel::best().name()),
        ("net of chess: ", "generation "),
        ("net of xiangqi: ", "generation "),
        ("net of go: ", "generation "),
    ] {
        let printed = text.lines().find_map(|line| line.strip_prefix(field));
        assert!(
            printed.is_some_and(|printed| !printed.is_empty() && printed.contains(part)),
            "{field}{part}: {text}"
        );
    }
    assert_eq!(stdout(&run(&["-V"])), text);
}

/// Every part is tried; each result is printed with what to do.
#[test]
fn the_doctor_tries_every_part() {
    let output = run(&["doctor"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    for line in [
        concat!("sanqi ", env!("CARGO_PKG_VERSION")),
        "commit: ",
        "net of xiangqi: generation ",
        "processors: ",
        "memory: ",
        "huge pages: ",
        "file of options: none; ",
        "kernels of chess: scalar",
        "kernels of xiangqi: scalar",
        "kernels of go: scalar",
        "perft of chess: 197281 leaves at depth 4, ",
        "perft of xiangqi: 79666 leaves at depth 3, ",
        "perft of go: 651 leaves at depth 2, ",
        "conversation in uci: 3 answers in ",
        "conversation in ucci: 3 answers in ",
        "conversation in gtp: 5 answers in ",
        "go evaluates by ",
    ] {
        assert!(text.lines().any(|printed| printed.starts_with(line)), "{line}: {text}");
    }
    assert!(!text.contains("WRONG"), "{text}");
}

/// What is recommended goes into the file, beside what a person has set; the file as it was is kept.
#[test]
fn recommendations_are_written_into_the_file_of_options() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("settings/sanqi.toml");
    let name = path.to_str().unwrap();
    let ask = |file: &str| {
        let flag = format!("--write-config={file}");
        run(&["speedtest", "chess", "--seconds", "0.1", &flag])
    };
    let printed = stdout(&ask(name));
    let threads =
        printed.lines().find(|line| line.starts_with("Threads = ")).expect("a number of threads").to_owned();
    assert!(
        printed.contains("[chess]\n") && printed.contains("Hash = ") && !printed.contains("[go]"),
        "{printed}"
    );
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.lines().any(|line| line == threads), "{written}");

    std::fs::write(&path, "Idle = 7\n").unwrap();
    let printed = stdout(&ask(name));
    assert!(printed.contains(&format!("kept as {name}.old: ")), "{printed}");
    assert_eq!(std::fs::read_to_string(format!("{name}.old")).unwrap(), "Idle = 7\n");
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.lines().any(|line| line == "Idle = 7") && written.contains("\nThreads = "), "{written}");
    // What a person wrote is not overwritten by the next one.
    ask(name);
    assert_eq!(std::fs::read_to_string(format!("{name}.old")).unwrap(), "Idle = 7\n");
    assert_eq!(std::fs::read_to_string(format!("{name}.old.2")).unwrap(), written);
    // A file with a mistake would lose it.
    std::fs::write(&path, "Idle = 700\n").unwrap();
    fails(&["speedtest", "chess", &format!("--write-config={name}")], "line 1: Idle must be ");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Idle = 700\n");
}

/// What is lost on a full disk is reported.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    for args in [
        &["netinfo"][..],
        &["doctor"],
        &["--version"],
        &["perft", "chess", "2"],
        &["--help"],
        &["match", "--help"],
        &["man"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program(engine()).args(args).stdout(full).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {message}");
        assert!(message.lines().count() == 1 && message.contains("space"), "{args:?}: {message}");
    }
}

/// Levels are set, shown with the current one marked, and left for full strength.
#[test]
fn levels_are_shown_and_left() {
    let printed =
        |args: &[&str], input: &str| stdout(&run_program(engine(), &[&["play"], args].concat(), input));
    let text = printed(&["chess"], "level\nlevel 3\nlevel\nlevel full\nlevel\nlevel 0\n");
    let count = |text: &str, line: &str| {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().filter(|printed| words(printed) == line).count()
    };
    for (line, times) in [
        ("* full strength", 2),
        ("* 3 940", 1),
        ("3 940", 2),
        ("level 3 (940)", 1),
        ("full strength", 1),
        ("full strength, above level 16 (3180)", 1),
        ("level N, from 1 to 16, or level full", 1),
    ] {
        assert_eq!(count(&text, line), times, "{line}: {text}");
    }
    let go = ["go", "--size", "19", "--level", "12k", "--lang", "zh"];
    let text = printed(&go, "级别\n级别 全力\n级别\n");
    for line in ["级别 19 路级位", "1 30k 以下", "* 12k", "* 全力"] {
        assert!(count(&text, line) > 0, "{line}: {text}");
    }
}

/// Flags that a game does not have, and a komi that no game has, are wrong usage.
#[test]
fn flags_of_other_games_are_wrong_usage() {
    for (args, why) in [
        ("play chess --komi 7.5", "--komi is not for chess; it is for go"),
        ("play xiangqi --handicap 2", "--handicap is not for xiangqi; it is for go"),
        ("play chess --size 9", "--size is not for chess; it is for go"),
        ("play chess --rules chinese", "--rules is not for chess; it is for xiangqi, go"),
        ("play xiangqi --variant chess960", "--variant is not for xiangqi; it is for chess"),
        ("play go --variant standard", "--variant is not for go; it is for chess"),
        ("play xiangqi --sgf x.sgf", "--sgf is not for xiangqi; it is for go"),
        ("play go --pgn x.pgn", "--pgn is not for go; it is for chess, xiangqi"),
        ("play go --fen x", "--fen is not for go"),
        ("play go --depth 3", "--depth is not for go"),
        ("play go --komi 7.25", "--komi 7.25 is not a number of half points from -1000 to 1000"),
        ("play go --komi -1000.5", "--komi -1000.5 is not"),
        ("play go --komi nan", "--komi NaN is not"),
        ("play xiangqi --komi 6 --lang zh", "--komi 不用于象棋，只用于围棋"),
        ("play go --komi 1e9 --lang zh", "半目倍数"),
    ] {
        let output = run(&args.split(' ').collect::<Vec<_>>());
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args}: {message}");
        assert!(message.contains(why), "{args}: {message}");
        assert!(output.stdout.is_empty(), "{args}");
    }
}

/// A start of Chess960 is chosen by chance, named by its number, and stays when the game begins again.
#[test]
fn a_game_of_chess960_starts_by_chance() {
    let play = ["play", "chess", "--variant", "chess960", "--nodes", "1"];
    let text = stdout(&run_program(engine(), &play, "fen\nnew\nfen\n"));
    let printed = text.lines().next().and_then(|line| line.strip_prefix("Chess960, start "));
    let start = Board::chess960(printed.unwrap().parse().unwrap()).fen();
    assert_eq!(text.lines().filter(|line| *line == start).count(), 2, "{text}");
}

#[test]
fn pages_are_found_by_name() {
    assert!(stdout(&run(&["man", "match"])).contains("sanqi\\-match"));
    let unknown = run(&["man", "no-such-command"]);
    assert!(
        !unknown.status.success() && stderr(&unknown).contains("there is no command \"no-such-command\"")
    );
    let unknown = run(&["help", "no-such-topic"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).ends_with("sanqi help topics lists the pages\n"), "{}", stderr(&unknown));
}

#[test]
fn a_game_of_go_begins_with_its_conditions_and_is_saved_without_an_unknown_place() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("game.sgf").display().to_string();
    let text = stdout(&run_program(
        engine(),
        &["play", "go", "--size", "9", "--handicap", "2", "--level", "1"],
        &format!("save {file}\nquit\n"),
    ));
    assert!(text.lines().nth(1).unwrap().starts_with("9×9, Chinese rules, komi "), "{text}");
    let saved = std::fs::read_to_string(file).unwrap();
    assert!(saved.contains("SZ[9]") && !saved.contains("PC["), "{saved}");
}

/// A game that is over can still be saved with its result, resumed or followed by another; the input may end
/// there as well.
#[test]
fn a_game_that_is_over_is_not_lost() {
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let printed = |args: &[&str], input: &str| {
        let output = run_program(engine(), &[&["play"], args].concat(), input);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let mate = ["chess", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--level", "1"];
    let input = format!("Ra8\nNf3\nsave {}\nundo\nresign\nsave {}\nnew\nRa8\nquit\n", file("1"), file("2"));
    let text = printed(&mate, &input);
    assert_eq!(text.lines().next().unwrap(), "You are White. The engine plays at level 1 (520).");
    let lines: Vec<&str> =
        text.lines().filter(|line| line.contains("wins: ") || line.starts_with("the game is over")).collect();
    let won = "1-0 White wins: White mates";
    let over = "the game is over: save FILE, review, new, load FILE, undo, board, moves, quit";
    assert_eq!(lines, [won, over, "0-1 Black wins: White resigns", won], "{text}");
    let saved = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(saved("1").contains("1. Ra8# ") && saved("1").contains("[Result \"1-0\"]"), "{}", saved("1"));
    assert!(saved("2").contains("[Result \"0-1\"]"), "{}", saved("2"));
    // A file that was asked for has each game once.
    let kept = file("kept");
    printed(&[&mate[..], &["--pgn", &kept]].concat(), "Ra8\nnew\nRa8\n");
    assert_eq!(saved("kept").matches("[Result \"1-0\"]").count(), 2, "{}", saved("kept"));
    assert_eq!(saved("kept").matches("[Result ").count(), 2);
    // A game of Go that goes on has no result yet.
    let go = ["go", "--size", "5", "--komi", "0.5", "--side", "black", "--level", "15k"];
    let input = format!("C3\nsave {}\npass\npass\npass\npass\nyes\nsave {}\n", file("3"), file("4"));
    printed(&go, &input);
    assert!(!saved("3").contains("RE["), "{}", saved("3"));
    assert!(saved("4").contains("RE["), "{}", saved("4"));
}

/// Piped, a game is letters and one line an answer; unknown words are answered with the moves of only that
/// game.
#[test]
fn games_are_played_through_pipes() {
    let mate = ["play", "chess", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--level", "1"];
    let text = stdout(&run_program(engine(), &mate, "Zz9\nRa8\n"));
    assert!(text.is_ascii() && !text.contains('\x1b'), "{text}");
    assert!(text.contains("a move is written e4, Nf3, O-O or e2e4; for words: help"), "{text}");
    assert_eq!(text.lines().last(), Some("1-0 White wins: White mates"));
    // Dead stones are shown and can be disputed: the lone white stone lives, or it does not.
    let go = ["play", "go", "--size", "5", "--komi", "0.5", "--side", "black", "--level", "15k"];
    let text = stdout(&run_program(engine(), &go, "C3\npass\npass\npass\npass\nyes\n"));
    assert!(text.contains("White: ") && text.contains(" wins: "), "{text}");
    for (args, why) in [
        (&["play", "chess", "--fen", "hello"][..], "--fen: "),
        (&["play", "go", "--handicap", "9", "--size", "5"], "no 9 handicap stones"),
        (&["play", "go", "--rules", "lunar"], "lunar"),
        (&["play", "chess", "--level", "8k"], "8k is a rank of Go"),
    ] {
        fails(args, why);
    }
    for command in [&["play", "chess", "--seconds", "-1"][..], &["speedtest", "chess", "--seconds", "nan"]] {
        let output = run(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(stderr(&output).contains("a number of seconds above 0 is wanted"), "{}", stderr(&output));
    }
    // Words are taken as words when both have passed, and a game of no moves is not kept.
    let folder = tempdir().unwrap();
    let kept = folder.path().join("game.sgf");
    let go = [&go[..], &["--sgf", kept.to_str().unwrap()]].concat();
    let text = stdout(&run_program(engine(), &go, "C3\npass\npass\npass\npass\nhelp\nresign\n"));
    assert!(text.contains("White wins: ") && text.contains("\nundo "), "{text}");
    assert!(std::fs::read_to_string(&kept).unwrap().contains(";B[cc]"));
    std::fs::remove_file(&kept).unwrap();
    stdout(&run_program(engine(), &go, "new\nquit\n"));
    assert!(!kept.exists());
}

/// Positions for self-play, asked for in one word or several, from a book with empty lines.
#[test]
fn positions_for_self_play_are_found() {
    let folder = tempdir().unwrap();
    let book = folder.path().join("book");
    let name = book.to_str().unwrap();
    std::fs::write(&book, "\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n").unwrap();
    let one = stdout(&run(&[&format!("genfens 2 seed 5 book {name} nodes 100"), "quit"]));
    assert_eq!(one.lines().filter(|line| line.starts_with("info string genfens ")).count(), 2, "{one}");
    let words = ["genfens", "2", "seed", "5", "book", name, "nodes", "100"];
    assert_eq!(stdout(&run(&words)), one);
    std::fs::write(&book, "\n").unwrap();
    fails(&words, "no position is in it");
}

/// The help of a match shows what every match needs, and matches to copy.
#[test]
fn the_help_of_a_match_has_examples() {
    let help = stdout(&run(&["match", "--help"]));
    assert!(help.contains("sanqi match --engine cmd=A --engine cmd=B --tc 8+0.08"), "{help}");
    let (_, examples) = help.split_once("\nExamples:\n").unwrap();
    assert!(examples.contains("--openings ") && examples.lines().all(|line| line.len() <= 100), "{examples}");
}

/// Names of files need not be text.
#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_no_fault() {
    use std::os::unix::ffi::OsStringExt;
    let name = std::ffi::OsString::from_vec(b"\xff\xfe.pgn".to_vec());
    for command in ["analyze", "check", "uci"] {
        let output =
            crate::support::program(crate::support::engine()).arg(command).arg(&name).output().unwrap();
        assert!(!output.status.success() && output.status.code() != Some(101), "{command}");
        assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    }
}

/// Options of a protocol may stand before its name.
#[test]
fn a_protocol_may_stand_behind_its_options() {
    let folder = tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let output =
        run_program(engine(), &["--sandbox", path, "uci"], "setoption name EvalFile value /etc/passwd\n");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("it is not in the sandbox"), "{}", stdout(&output));
    let refused = run(&["--sandbox", path, "bench"]);
    assert_eq!(refused.status.code(), Some(2));
}
