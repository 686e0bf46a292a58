//! Files that are none, that change while they are in use, and that two runs write.

use super::{shell, text};
use crate::session::Session;
use crate::support::{client_skipped, program};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// The most memory, in KiB, that a process has held.
fn max_memory(session: &Session) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", session.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Sends lines in UCI or UCCI: what is said of them.
fn said(session: &mut Session, lines: &str) -> Vec<String> {
    session.send(&format!("{lines}\nisready"));
    let (_, mut printed) = session.until("readyok");
    printed.pop();
    printed
}

/// A device without end and a pipe without a writer are refused at once, wherever a client may name a file.
#[test]
fn devices_and_pipes_are_refused_at_once() {
    let folder = tempdir().unwrap();
    assert!(shell("mkfifo pipe", folder.path()).status.success());
    let pipe = folder.path().join("pipe");
    let end = |session: Session, word: &str, before: u64| {
        let most = max_memory(&session);
        assert!(most < before + (32 << 10), "{most} KiB at most, {before} KiB before");
        let mut session = session;
        let printed = Instant::now();
        session.send(word);
        // The input is held open till the process is gone.
        while session.next().is_some() {}
        assert!(printed.elapsed() < Duration::from_secs(5), "{:?}", printed.elapsed());
        assert!(session.finish().1.success());
    };
    for place in ["/dev/zero", pipe.to_str().unwrap()] {
        let mut uci = Session::start(&["uci"]);
        said(&mut uci, "setoption name Hash value 1");
        let before = max_memory(&uci);
        let set = |name: &str| format!("setoption name {name} value {place}");
        let table = |button: &str| format!("{}\nsetoption name {button}", set("Hash File"));
        for lines in [
            set("EvalFile"),
            set("Book File"),
            set("Debug Log File"),
            table("Load Hash from File"),
            table("Save Hash to File"),
            format!("setoption name UCI_Variant value xiangqi\n{}", set("EvalFile")),
            set("Book File"),
        ] {
            let printed = said(&mut uci, &lines);
            assert!(
                printed.len() == 1 && printed[0].ends_with("it is not a regular file"),
                "{lines}: {printed:?}"
            );
            assert!(printed[0].contains(place), "{lines}: {printed:?}");
        }
        end(uci, "quit", before);

        let mut ucci = Session::start(&["ucci"]);
        said(&mut ucci, "setoption hashsize 1");
        let before = max_memory(&ucci);
        for lines in [
            format!("setoption evalapi {place}"),
            format!("setoption bookfiles {place}"),
            format!("setoption debuglogfile {place}"),
            format!("setoption hashfile {place}\nsetoption loadhashfromfile"),
            "setoption savehashtofile".to_owned(),
        ] {
            let printed = said(&mut ucci, &lines);
            assert!(
                printed.len() == 1 && printed[0].ends_with("it is not a regular file"),
                "{lines}: {printed:?}"
            );
            assert!(printed[0].contains(place), "{lines}: {printed:?}");
        }
        end(ucci, "quit", before);

        let mut gtp = Session::start(&["gtp", "--option", "hashMiB=1", "--option", "maxVisits=8"]);
        gtp.must("boardsize 5");
        gtp.must("genmove b");
        let before = max_memory(&gtp);
        for (command, refusal) in [
            ("loadsgf", "cannot open or parse"),
            ("printsgf", "it is not a regular file"),
            ("sanqi-load_tree", "it is not a regular file"),
            ("sanqi-save_tree", "it is not a regular file"),
            ("kata-set-param modelFile", "it is not a regular file"),
        ] {
            let printed = gtp.ask(&format!("{command} {place}")).unwrap_err();
            assert!(printed.contains(refusal) && printed.contains(place), "{command}: {printed}");
        }
        end(gtp, "quit", before);
    }
}

/// A net is read whole: what becomes of its file later is nothing to the engine, and a file that was cut is
/// refused when it is named again.
#[test]
fn a_net_that_is_cut_short_or_replaced_while_in_use_does_no_harm() {
    let folder = tempdir().unwrap();
    let net = folder.path().join("net");
    let of = |name: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("nnue").join(name)).unwrap();
    for (game, file) in [("chess", "chess.bin"), ("xiangqi", "xiangqi.bin")] {
        let mut uci = Session::start(&["uci", "--game", game]);
        let load = format!("setoption name EvalFile value {}", net.display());
        let search = |uci: &mut Session| {
            uci.send("ucinewgame\nposition startpos\ngo depth 4");
            uci.until("bestmove").1.pop().unwrap()
        };
        fs::write(&net, of(file)).unwrap();
        assert_eq!(said(&mut uci, &load), [""; 0]);
        let first = search(&mut uci);
        fs::write(&net, &of(file)[..1000]).unwrap();
        assert_eq!(search(&mut uci), first);
        let printed = said(&mut uci, &load);
        assert!(printed.len() == 1 && printed[0].contains("1000 bytes, but the header asks"), "{printed:?}");
        assert_eq!(search(&mut uci), first, "what was loaded before stays");
        fs::write(&net, "something else").unwrap();
        assert_eq!(search(&mut uci), first);
        fs::remove_file(&net).unwrap();
        assert_eq!(search(&mut uci), first);
        assert!(uci.finish().1.success());
    }
    let mut gtp = Session::start(&["gtp", "--option", "hashMiB=4", "--option", "maxVisits=20"]);
    fs::write(&net, of("go-net.bin")).unwrap();
    gtp.must("boardsize 5");
    gtp.must(&format!("kata-set-param modelFile {}", net.display()));
    gtp.must("kata-set-param evaluator net");
    gtp.must("genmove b");
    fs::write(&net, "").unwrap();
    gtp.must("genmove w");
    fs::remove_file(&net).unwrap();
    gtp.must("clear_board");
    gtp.must("genmove b");
    assert!(gtp.finish().1.success());
}

/// The same of a book in the format of BOOK.DAT.
#[test]
fn a_book_of_xiangqi_that_is_cut_short_while_in_use_does_no_harm() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("x.pgn"), "[Result \"1-0\"]\n\nh2e2 h9g7 1-0\n").unwrap();
    let made = shell("$S makebook x.pgn --min-games 1 --out book.dat", folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let book = folder.path().join("book.dat");
    let mut ucci = Session::start(&["ucci"]);
    ucci.send("ucci");
    ucci.until("ucciok");
    let use_book = format!("setoption bookfiles {}\nsetoption usebook true", book.display());
    assert_eq!(said(&mut ucci, &use_book), [""; 0]);
    let mut search = |change: &dyn Fn()| {
        change();
        ucci.send("setoption newgame\nposition startpos\ngo depth 2");
        let (_, printed) = ucci.until("bestmove");
        assert!(printed.iter().any(|line| line.ends_with("a move from the book")), "{printed:?}");
    };
    search(&|| ());
    search(&|| fs::write(&book, "").unwrap());
    search(&|| fs::write(&book, "something else").unwrap());
    search(&|| fs::remove_file(&book).unwrap());
    assert!(ucci.finish().1.success());
}

/// The engine with these arguments in `folder`, silent.
fn silent(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = program(env!("CARGO_BIN_EXE_sanqi"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A second training to the same net is refused, and the first goes on.
#[test]
fn a_net_has_one_training() {
    let folder = tempdir().unwrap();
    let data = shell("$S datagen chess --nodes 5 --games 20 --threads 1 --out data", folder.path());
    assert!(data.status.success(), "{}", text(&data.stderr));
    let arguments = |epochs: &'static str| {
        let usual =
            ["train", "chess", "--data", "data/chess-1-0of1.rec", "--hidden", "128", "--threads", "1"];
        [&usual[..], &["--batch", "256", "--scale", "400", "--out", "net", "--epochs", epochs]].concat()
    };
    let mut first = silent(folder.path(), &arguments("1000000")).spawn().unwrap();
    let checkpoint = folder.path().join("net.ckpt");
    let began = Instant::now();
    while !checkpoint.exists() {
        assert!(first.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    for resume in [&[][..], &["--resume"]] {
        let mut second = silent(folder.path(), &[&arguments("1000000"), resume].concat());
        let out = second.stderr(Stdio::piped()).output().unwrap();
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        assert_eq!(text(&out.stderr), "sanqi: net: another run is writing it\n");
    }
    assert!(first.try_wait().unwrap().is_none());
    first.kill().unwrap();
    first.wait().unwrap();
    // What is held ends with its process.
    fs::remove_file(&checkpoint).unwrap();
    assert!(silent(folder.path(), &arguments("1")).status().unwrap().success());
    assert!(folder.path().join("net").exists() && !folder.path().join("net.lock").exists());
}

/// The arguments of a match of two copies of the engine that are asked for one node a move.
fn match_arguments<'a>(engine: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let usual = ["match", "--openings", "none", "--each", "nodes=1", "--maxmoves", "4"];
    let engines = ["--engine", engine, "name=A", "--engine", engine, "name=B"];
    [&usual[..], more, &engines].concat()
}

/// A second match with the same trace is refused, and the first goes on.
#[test]
fn a_trace_has_one_writer() {
    let folder = tempdir().unwrap();
    let engine = format!("cmd={} uci", env!("CARGO_BIN_EXE_sanqi"));
    let arguments = |games: &'static str| {
        match_arguments(&engine, &["--trace", "trace", "--games", "2", "--rounds", games])
    };
    let mut first = silent(folder.path(), &arguments("1000000")).spawn().unwrap();
    let trace = folder.path().join("trace");
    let began = Instant::now();
    while fs::metadata(&trace).map_or(0, |found| found.len()) < 5000 {
        assert!(first.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    let out = silent(folder.path(), &arguments("1")).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let last = text(&out.stderr).lines().last().unwrap_or_default().to_owned();
    assert_eq!(last, "sanqi: trace: a match is writing it");
    assert!(first.try_wait().unwrap().is_none());
    first.kill().unwrap();
    first.wait().unwrap();
}

/// Two matches may add to one file of games: every game of both is there, and whole.
#[test]
fn two_matches_add_to_one_file_of_games() {
    let folder = tempdir().unwrap();
    let engine = format!("cmd={} uci", env!("CARGO_BIN_EXE_sanqi"));
    let arguments = match_arguments(&engine, &["--pgnout", "games.pgn", "--games", "2", "--rounds", "20"]);
    let mut runs = [0; 2].map(|_| silent(folder.path(), &arguments).spawn().unwrap());
    for run in &mut runs {
        assert!(run.wait().unwrap().success());
    }
    let games = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    let games: Vec<&str> = games.split("[Event \"").skip(1).collect();
    assert_eq!(games.len(), 80);
    for game in games {
        let is_whole =
            game.matches("[Result \"1/2-1/2\"]").count() == 1 && game.matches("\n1. ").count() == 1;
        assert!(is_whole && game.trim_end().ends_with(" 1/2-1/2"), "{game}");
    }
}

/// Sessions that save their tables to one file at once: each table is written whole, none is refused, and the
/// file is one of them. Lines that they log in one file are whole, too.
#[test]
fn sessions_may_save_to_one_table_and_write_one_log() {
    const SAVES: usize = 40;
    let folder = tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let options = [("Hash", "1".to_owned()), ("Debug Log File", file("log")), ("Hash File", file("table"))];
    let set = options.map(|(name, value)| format!("setoption name {name} value {value}\n")).concat();
    let save = "setoption name Save Hash to File\n".repeat(SAVES);
    // Behind the end of the input what takes long is not done: it comes when all is answered.
    let mut sessions = [0; 3].map(|_| Session::start(&["uci"]));
    sessions.iter_mut().for_each(|session| session.send(&format!("{set}{save}isready")));
    for session in sessions {
        let (_, printed) = session.until("readyok");
        let saved = printed.iter().filter(|line| line.contains(" positions were saved to ")).count();
        assert_eq!((saved, printed.len()), (SAVES, SAVES + 1), "{printed:?}");
        session.finish();
    }
    let mut session = Session::start(&["uci"]);
    let loaded = said(&mut session, &format!("{set}setoption name Load Hash from File"));
    assert!(loaded.concat().contains(" positions were loaded from "), "{loaded:?}");
    session.finish();
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["log", "table"]);

    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let is_whole = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        line.starts_with('#') || (words[0].parse::<f64>().is_ok() && ["<<", ">>"].contains(&words[1]))
    };
    assert_eq!(log.lines().find(|line| !is_whole(line)), None);
    assert_eq!(log.matches(">> readyok").count(), 4);
    assert_eq!(log.matches(" positions were saved to ").count(), 3 * SAVES);
}

/// Some file systems of clusters have no locks: runs go on there, and report it once.
#[test]
fn where_files_cannot_be_locked_runs_go_on() {
    let folder = tempdir().unwrap();
    let shim = "#include <errno.h>\nint flock(int file, int how) { errno = CODE; return -1; }\n";
    fs::write(folder.path().join("flock.c"), shim).unwrap();
    let engine = "--engine \"cmd=$S uci\" --each nodes=1";
    let games = "--games 2 --openings none --maxmoves 4";
    for (code, command, output) in [
        (95, format!("match {games} {engine} {engine} --journal j --trace t"), "j"),
        (38, "datagen chess --nodes 5 --games 2 --threads 1 --out .".to_owned(), "."),
        (37, "selfplay go --visits 4 --games 2 --sizes 5:1 --threads 1 --out go".to_owned(), "go"),
    ] {
        let shim = format!("cc -shared -fPIC -DCODE={code} flock.c -o flock.so");
        if !shell(&shim, folder.path()).status.success() {
            return client_skipped("files that cannot be locked", "a C compiler");
        }
        let out = shell(&format!("LD_PRELOAD=$PWD/flock.so $S {command}"), folder.path());
        let remarks = text(&out.stderr);
        assert!(out.status.success(), "{command}: {remarks}");
        assert_eq!(remarks.matches("no locks on this file system").count(), 1, "{command}: {remarks}");
        assert!(folder.path().join(output).exists());
    }
}

/// A run that is killed leaves the annotated games of the run before.
#[test]
fn a_killed_analysis_leaves_the_games_of_before() {
    let folder = tempdir().unwrap();
    let before = "[Event \"before\"]\n\n1. d4 *\n";
    fs::write(folder.path().join("out.pgn"), before).unwrap();
    fs::write(folder.path().join("games.pgn"), "1. e4 *\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n")
        .unwrap();
    let command = "timeout -s KILL 4 $S analyze games.pgn --movetime 1000 --out out.pgn";
    let out = shell(command, folder.path());
    assert!(!out.status.success() && text(&out.stdout).contains("e4"), "{}", text(&out.stderr));
    assert_eq!(fs::read_to_string(folder.path().join("out.pgn")).unwrap(), before);
}
