//! `sanqi analyze`: records as they are found, whole and broken.

use crate::support::{engine, run, run_program, stderr, stdout};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::tempdir;

fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Whole games are analyzed, and the moves before a fault; broken games are named with file, line and reason,
/// and the exit code shows it.
#[test]
fn broken_games_are_named_and_the_others_analyzed() {
    let folder = tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| write(folder.path(), name, bytes);
    let latin = file(
        "latin1.pgn",
        b"[White \"M\xfcller\"]\n\n1. e4 {[%eval 9.99] [%clk 0:09:58] bold} e5 2. Qh5 Nf6 3. Qxe5+ *\n\n[White \"X\"]\n\n1. e4 Zz9 *\n\n1. d4 d5 \xbd-\xbd\n",
    );
    let empty = file("empty.pgn", b"");
    let sgf = file("go.sgf", b"(;GM[1]SZ[9]PB[Black one]PW[White one];B[ee];W[cc];B[];W[])");
    let cut = file("cut.sgf", b"(;GM[1]SZ[9];B[ee];W[zz])\n\n(;GM[1]SZ[9]\n;B[ee");
    let null = file("null.pgn", b"1. e4 e5\n2. -- d5 3. exd5 *\n\n1. e4 e5\n2. Qh5 g6 3. Qxe5+ Z0 *\n");
    let output = run(&["analyze", &latin, &empty, "/no/such/file", &sgf, &cut, &null, "--nodes", "60"]);
    let (printed, text) = (stderr(&output), stdout(&output));
    assert_eq!(output.status.code(), Some(1));
    for line in [
        format!("sanqi: {latin}: line 7: game 2: \"Zz9\" is no move"),
        format!("sanqi: {empty}: no game is in it"),
        "sanqi: /no/such/file: No such file".to_owned(),
        format!("sanqi: {cut}: line 1: game 1: move 2 at 'zz': not on the board"),
        format!("sanqi: {cut}: line 4: game 2: not SGF: "),
        format!("sanqi: {null}: line 5: game 2: a null move: side to move: white could capture the king"),
        "sanqi: analyzed: 7; could not be read: 6".to_owned(),
    ] {
        assert!(printed.contains(&line), "{line}: {printed}");
    }
    assert!(text.contains("game 1: Müller - Black, * (scores as White sees them)"), "{text}");
    assert!(text.contains("\n   2... Nf6") && text.contains("Müller (White): accuracy "), "{text}");
    // A player without a name is a side, once.
    assert!(text.contains("\nBlack: accuracy ") && !text.contains("Black (Black)"), "{text}");
    assert!(text.contains("game 1: Black one - White one"), "{text}");
    assert!(text.contains("\n   2... d5") && text.contains("\n     3. exd5"), "{text}");
    assert!(
        text.lines().any(|line| line.trim().starts_with("4. pass") && line.ends_with("counted")),
        "{text}"
    );
}

/// A name on the command line counts for more than what the text looks like.
#[test]
fn the_encoding_of_a_file_may_be_named() {
    let folder = tempdir().unwrap();
    let game = write(folder.path(), "game.pgn", b"[White \"Kami\xf1ski\"]\n\n1. e4 e5 *\n");
    for (encoding, name) in [(&[][..], "Kamiñski"), (&["--encoding", "windows-1250"], "Kamiński")] {
        let text = stdout(&run(&[&["analyze", &game, "--nodes", "60"], encoding].concat()));
        assert!(text.contains(name), "{text}");
    }
    let refused = run(&["analyze", &game, "--encoding", "morse"]);
    assert!(!refused.status.success() && stderr(&refused).contains("no encoding of that name is known"));
}

#[test]
fn best_lines_are_reported_where_they_are_asked_for() {
    let folder = tempdir().unwrap();
    let game = write(folder.path(), "game.pgn", b"1. a3 a6 2. a4 a5 3. h3 h6 4. h4 h5 *\n");
    let better = |more: &[&str]| {
        let text = stdout(&run(&[&["analyze", &game, "--nodes", "500"], more].concat()));
        text.lines().filter(|line| line.contains("better: ")).count()
    };
    assert!(better(&["--lines"]) > better(&[]).max(5), "{} {}", better(&["--lines"]), better(&[]));
}

/// What a record holds does not steer the terminal.
#[test]
fn reasons_are_printed_without_escape_sequences() {
    let folder = tempdir().unwrap();
    let game = write(folder.path(), "game.pgn", b"[Game \"xiangqi\"]\n\n1. \x1b]0;owned\x07x *\n");
    let printed = stderr(&run(&["analyze", &game]));
    assert!(printed.contains("game 1: ") && printed.contains("]0"), "{printed}");
    assert!(!printed.contains(['\x1b', '\x07']), "{printed:?}");
}

#[test]
fn a_record_of_many_tags_is_written_in_time() {
    let folder = tempdir().unwrap();
    let tags: String = (0..60_000).map(|number| format!("[T{number} \"x\"]")).collect();
    let game = write(folder.path(), "game.pgn", format!("{tags}\n\n1. e4 e5 *\n").as_bytes());
    let (begun, out) = (Instant::now(), folder.path().join("out.pgn"));
    let output = run(&["analyze", &game, "--nodes", "60", "--out", out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert!(fs::read_to_string(out).unwrap().contains("[T59999 \"x\"]"));
}

/// Go is written as SGF and everything else as PGN, each into a file of its own; what was written is read
/// again.
#[test]
fn annotated_records_are_read_again() {
    let folder = tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| write(folder.path(), name, bytes);
    let pgn = file(
        "in.pgn",
        "[White \"Müller\"]\n\n1. e4 {[%eval 9.99] [%clk 0:09:58] bold} e5 2. Qh5 Nf6 3. Qxe5+ *\n"
            .as_bytes(),
    );
    let sgf = file("in.sgf", b"(;GM[1]SZ[9]PB[Black one]PW[White one];B[ee];W[cc];B[];W[])");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();

    let mixed = path("mixed.pgn");
    let output = run(&["analyze", &pgn, &sgf, "--nodes", "60", "--out", &mixed]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("games of Go are written as SGF"), "{}", stderr(&output));
    assert!(!Path::new(&mixed).exists());
    // What stands there stays as long as there is nothing to put in its place.
    let broken = file("broken.pgn", b"1. e5 *\n");
    let precious = "[Event \"precious\"]\n";
    fs::write(path("out.pgn"), precious).unwrap();
    let output = run(&["analyze", &broken, "--nodes", "60", "--out", &path("out.pgn")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_to_string(path("out.pgn")).unwrap(), precious);
    // What cannot be games is never replaced, and refused before anything is searched.
    fs::write(path("notes.txt"), "Milk, bread\n").unwrap();
    let output = run(&["analyze", &pgn, "--nodes", "100000000000", "--out", &path("notes.txt")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("notes.txt: it is not a file of games"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(path("notes.txt")).unwrap(), "Milk, bread\n");

    let annotate = |from: &str, to: &str| {
        let output = run(&["analyze", from, "--nodes", "400", "--out", to]);
        assert!(output.status.success(), "{}", stderr(&output));
        let again = run(&["analyze", to, "--nodes", "1"]);
        assert!(again.status.success(), "{}", stderr(&again));
        (fs::read_to_string(to).unwrap(), stdout(&again))
    };
    let (annotated, again) = annotate(&pgn, &path("out.pgn"));
    assert!(!annotated.contains("precious"), "{annotated}");
    assert!(annotated.contains("[White \"Müller\"]") && annotated.contains("[%eval"), "{annotated}");
    // What the record said of a move stays, but for another engine's score.
    let words = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("] [%clk 0:09:58] bold}") && !words.contains("9.99"), "{annotated}");
    assert!(again.contains("3. Qxe5+"), "{again}");
    let (annotated, again) = annotate(&sgf, &path("out.sgf"));
    assert!(annotated.contains("SBKV[") && annotated.contains("SBKS["), "{annotated}");
    assert!(again.contains("4. pass"), "{again}");
}

/// What the record has besides the moves is in the annotated record, too.
#[test]
fn annotated_records_keep_what_they_had() {
    let folder = tempdir().unwrap();
    let annotate = |name: &str, text: &str| {
        let from = write(folder.path(), name, text.as_bytes());
        let to = folder.path().join(format!("out-{name}"));
        let output = run(&["analyze", &from, "--nodes", "60", "--out", to.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        (fs::read_to_string(&to).unwrap(), to.to_str().unwrap().to_owned())
    };
    let root = "GN[Final]EV[Cup]RO[2]DT[2024-05-01]PC[Here: there]BR[3d]WR[2d]BT[A]WT[B]US[Me]SO[Book]AN[Ann]CP[Free]\
        ON[none]TM[600]OT[3x30 byo-yomi]HA[0]RE[B+R]C[The \\] start: go]XX[a\\]b][c]";
    let moves = ";B[ee]BL[590.5]OB[3]C[good \\] one]LB[ee:a][cc:b]TR[gg][cc]TE[1]\n\
        (;W[cc]WL[580]OW[2]CR[cc]SQ[dd]MA[ff];B[gc];C[between];W[dg])(;W[gg]C[or];B[cg](;W[cc])(;W[cd]))";
    let (sgf, path) =
        annotate("in.sgf", &format!("(;FF[3]GM[1]SZ[9]AP[Other:1]KM[375]RU[Chinese]{root}\n{moves})"));
    let flat = sgf.replace('\n', "");
    assert!(
        flat.starts_with(&format!("(;FF[4]GM[1]CA[UTF-8]SZ[9]AP[Other:1]KM[375]RU[Chinese]{root}")),
        "{sgf}"
    );
    for kept in [
        "good \\] one]LB[ee:a][cc:b]TR[gg][cc]TE[1]",
        "WL[580]OW[2]CR[cc]SQ[dd]MA[ff]",
        ";C[between];W[dg]",
        "(;W[gg]C[or];B[cg](;W[cc])(;W[cd])))",
    ] {
        assert!(flat.contains(kept), "{kept}: {sgf}");
    }
    // Komi and rules that the record does not name are not made up.
    for (name, root) in [("bare.sgf", "SZ[9]"), ("comma.sgf", "SZ[9]KM[6,5]"), ("odd.sgf", "SZ[9]KM[six]")] {
        let text = annotate(name, &format!("(;GM[1]{root};B[ee])")).0;
        assert!(text.starts_with(&format!("(;FF[4]GM[1]CA[UTF-8]{root}\n;")), "{text}");
    }

    let lines = stdout(&run(&["analyze", &path, "--nodes", "1", "--variations"]));
    for line in ["4. D3", "4. C7", "4. C6"] {
        assert!(lines.contains(line), "{line}: {lines}");
    }

    let pgn = "[White \"A\"]\n\n{Before the game} 1. e4 $14 {x} (1. d4 {solid} d5) e5!? 2. Qh5 Nf6?? (2... Nc6 (2... g6)) 3. Qxe5+ *\n";
    let (pgn, path) = annotate("in.pgn", pgn);
    let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for kept in [
        "] {Before the game} 1. e4 $14 {[%eval",
        " x} (1. d4 {solid} 1... d5) 1... e5 ",
        "$5",
        "$4",
        " (2... Nc6) (2... g6) 3. ",
    ] {
        assert!(words.contains(kept), "{kept}: {words}");
    }
    assert!(run(&["analyze", &path, "--nodes", "1"]).status.success());
}

/// An analysis replaces the marks of the one before, and keeps the annotator and what he wrote.
#[test]
fn marks_are_replaced_when_a_record_is_analyzed_again() {
    let folder = tempdir().unwrap();
    let annotate = |name: &str, text: &str, nodes: &str| {
        let from = write(folder.path(), name, text.as_bytes());
        let to = folder.path().join(format!("out-{name}"));
        let output = run(&["analyze", &from, "--nodes", nodes, "--lines", "--out", to.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read_to_string(&to).unwrap()
    };
    let clocks = "{[%clk 0:00:01] [%emt 0:00:03] a comment that makes the line longer than it may be}";
    let pgn = format!("[White \"A\"]\n[Annotator \"me\"]\n\n1. f3 {clocks} e5 2. g4 $2 (2. e4) Qh4# 0-1\n");
    for (name, text) in [
        ("a.pgn", pgn.as_str()),
        ("b.pgn", "[Game \"xiangqi\"]\n\n1. 帅五进一 {x} 炮8平5 (1... 马8进7) 2. 兵九进一 炮5进4 *\n"),
        ("d.pgn", "1. e4 e5 2. -- {x} d5 (2... c5 3. Z0 a6) 3. exd5 *\n"),
        ("c.sgf", "(;SZ[9]KM[7];B[aa]C[first\nsecond];W[ee](;B[ba];W[ce])(;B[gc]C[x]))"),
    ] {
        let first = annotate(name, text, "400");
        assert_eq!(annotate(name, &first, "400"), first, "{name}");
        let other = annotate(name, &first, "60");
        assert_eq!(annotate(name, text, "60"), other, "{name}");
    }
    let text = annotate("a.pgn", &pgn, "400");
    assert!(text.contains("[Annotator \"me\"]") && !text.contains("[Annotator \"Sanqi"), "{text}");
    assert!(text.contains("[%clk 0:00:01]") && text.contains("[%emt 0:00:03]"), "{text}");
    assert_eq!(text.matches('$').count() - text.matches("[%sanqi ?").count(), 1, "{text}");
}

/// Chinese records are read from stdin in GB18030 and written in the notation asked for.
#[test]
fn xiangqi_is_read_in_its_own_notation_and_encoding() {
    // [Game "Chinese Chess"], 1. 炮二平五 马８进７
    let gb = b"[Game \"Chinese Chess\"]\n\n1. \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed\xa3\xb8\xbd\xf8\xa3\xb7 1-0\n";
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "gb.pgn", gb);
    for (notation, first) in [("chinese", "炮二平五"), ("wxf", "C2=5"), ("iccs", "H2-E2")] {
        let output = run(&["analyze", &path, "--nodes", "50", "--notation", notation]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("1. {first}")), "{}", stdout(&output));
    }
    let utf8 = "1. 炮二平五 马８进７ 1-0\n";
    let output = run_program(engine(), &["analyze", "-", "--movetime", "10"], utf8);
    assert!(stdout(&output).contains("1... H9-G7"), "{}", stderr(&output));
    // The judge, books and openings read it as well.
    let judged = run(&["judge", "--moves", "炮二平五 馬8進7"]);
    assert!(judged.status.success(), "{}", stderr(&judged));
    let book = folder.path().join("book.dat");
    let made = run(&["makebook", &path, "--out", book.to_str().unwrap(), "--min-games", "1"]);
    assert!(stdout(&made).ends_with("moves of 1 games\n"), "{}", stderr(&made));
}

#[test]
fn variations_of_sgf_are_analyzed_where_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = write(folder.path(), "in.sgf", b"(;GM[1]SZ[9];B[ee](;W[cc];B[gc])(;W[gg];B[cg];W[cc]))");
    let analyzed = |more: &[&str]| {
        let output = run(&[&["analyze", &sgf, "--nodes", "30"], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(!analyzed(&[]).contains("line"));
    let annotated = folder.path().join("out.sgf");
    let lines = analyzed(&["--variations", "--out", annotated.to_str().unwrap()]);
    assert!(lines.contains("game 1 line 1") && lines.contains("game 1 line 2"), "{lines}");
    let parts: Vec<&str> = lines.split("game 1 line 2").collect();
    // What both lines begin with is thought of once.
    let first =
        |part: &str| part.lines().find(|line| line.trim_start().starts_with("1. E5")).map(str::to_owned);
    assert_eq!(first(parts[0]), first(parts[1]));
    assert!(parts[0].contains("G7") && !parts[0].contains("4. C7") && parts[1].contains("4. C7"), "{lines}");
    assert_eq!(std::fs::read_to_string(annotated).unwrap().matches("(;FF[4]").count(), 2);
}

#[test]
fn variations_of_pgn_are_analyzed_where_asked_for() {
    let folder = tempdir().unwrap();
    let text = "1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... --) 2. Nf3 Nc6 *\n";
    let pgn = write(folder.path(), "in.pgn", text.as_bytes());
    let output = run(&["analyze", &pgn, "--nodes", "30", "--variations"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = stdout(&output);
    let heads = ["2... Nc6", "2. Nf3", "2. c3"].into_iter().zip(lines.split("game 1 line ").skip(1));
    for (mv, line) in heads {
        assert!(line.contains(mv), "{mv}: {line}");
    }
    assert_eq!(lines.matches("game 1 line ").count(), 3, "{lines}");
}

#[test]
fn a_game_with_set_up_stones_keeps_its_colors_and_moves_that_the_rules_forbid() {
    let folder = tempdir().unwrap();
    let annotated = folder.path().join("out.sgf");
    for (sgf, kept) in [
        ("(;GM[1]SZ[9]HA[2]AB[cc][gg]AW[cg]PL[W];W[ee];B[ef])", [";W[ee]", ";B[ef]"]),
        // Rows and columns differ.
        ("(;GM[1]SZ[9:13]KM[5];B[am];W[ia];B[bl];W[])", ["SZ[9:13]", ";W[ia]"]),
        ("(;GM[1]SZ[13:9]AB[mi];W[ma];B[ai])", ["SZ[13:9]", ";B[ai]"]),
        // Two stones send themselves back.
        ("(;GM[1]SZ[9]AB[ba][bb][ac]PL[W];W[aa];B[ii];W[ab];B[hh])", [";W[ab]", ";B[hh]"]),
    ] {
        let _ = std::fs::remove_file(&annotated);
        let file = write(folder.path(), "in.sgf", sgf.as_bytes());
        let output = run(&["analyze", &file, "--nodes", "20", "--out", annotated.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(&annotated).unwrap();
        assert!(kept.iter().all(|mv| text.contains(mv)), "{text}");
    }
}

/// Positions of both games, a broken one among them, are reported in their order, as one thread solves them.
#[test]
fn a_suite_is_solved_on_several_threads_as_on_one() {
    let folder = tempdir().unwrap();
    let chess = [
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"mate\";",
        "4k3/8/8/8/8/8/8/R3K3 w - - bm Ra8+;",
        "8/8 w - - bm e4;",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";",
    ];
    let xiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - am C2+7; id \"start\";";
    let text = [&chess[..], &[xiangqi], &chess[..]].concat().join("\n");
    let suite = write(folder.path(), "suite.epd", text.as_bytes());
    let solved = |threads: &str| {
        let args = ["analyze", "--suite", &suite, "--nodes", "3000", "--hash", "4", "--concurrency", threads];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(1));
        // All but the times.
        let is_time = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
        let line = |line: &str| line.split(' ').filter(|word| !is_time(word)).collect::<Vec<_>>().join(" ");
        let printed = stdout(&output).lines().map(line).collect::<Vec<_>>();
        (printed, stderr(&output).replace("sanqi: ", ""))
    };
    let (alone, together) = (solved("1"), solved("3"));
    assert_eq!(alone, together);
    let ids: Vec<&str> = alone.0.iter().filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(ids, ["mate", "line 2", "WAC.001", "start", "mate", "line 7", "WAC.001"]);
    let broken = [3, 8].map(|line| format!("{suite}: line {line}: "));
    assert!(broken.iter().all(|broken| alone.1.contains(broken)), "{}", alone.1);
    assert!(alone.1.ends_with("tried: 7; could not be read: 2\n"), "{}", alone.1);
}

#[test]
fn what_is_no_record_is_a_failure() {
    for args in [&["analyze", "/etc/passwd"][..], &["analyze", "/dev/null"], &["analyze", "Cargo.toml"]] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(
            stderr(&output).contains(args[1]) && output.stdout.is_empty(),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}
