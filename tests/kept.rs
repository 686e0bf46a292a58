//! Analysis that is kept: saved by one process, gone on from by another.

use crate::session::Session;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// How a protocol sets options, and how it reports errors.
struct Form {
    protocol: &'static str,
    /// Sets the option of this name to this value.
    set: fn(&str, &str) -> String,
}

const UCI: Form = Form {
    protocol: "uci",
    set: |name, value| match value {
        "" => format!("setoption name {name}"),
        _ => format!("setoption name {name} value {value}"),
    },
};

const UCCI: Form = Form {
    protocol: "ucci",
    set: |name, value| format!("setoption {} {value}", name.replace(' ', "").to_lowercase()),
};

impl Form {
    fn start(&self) -> Session {
        let mut session = Session::start(&[self.protocol]);
        session.send(self.protocol);
        session.until(&format!("{}ok", self.protocol));
        session
    }

    /// Sets an option: what is said of it.
    fn set(&self, session: &mut Session, name: &str, value: &str) -> String {
        session.send(&(self.set)(name, value));
        session.send("isready");
        session.until("readyok").1.join("\n").replace("readyok", "").trim().to_owned()
    }
}

/// Searches the start so deep: the nodes that it took.
fn nodes(session: &mut Session, depth: u32) -> u64 {
    session.send(&format!("position startpos\ngo depth {depth}"));
    let (_, lines) = session.until("bestmove");
    let printed =
        lines.iter().rev().find_map(|line| line.split_once(" nodes ")).expect("nodes are reported").1;
    printed.split(' ').next().and_then(|n| n.parse().ok()).expect("a number of nodes")
}

fn name(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}

/// The search is the one of a process that kept its table, and reaches the depth in fewer nodes than one
/// without.
#[test]
fn a_search_goes_on_from_a_table_that_another_process_saved() {
    for (form, depth) in [(UCI, 17), (UCCI, 15)] {
        let folder = tempdir().unwrap();
        let path = folder.path().join("kept table");
        let mut first = form.start();
        assert_eq!(form.set(&mut first, "Hash File", name(&path)), "");
        let alone = nodes(&mut first, depth);
        let said = form.set(&mut first, "Save Hash to File", "");
        assert!(said.contains(" positions were saved to "), "{said}");
        form.set(&mut first, "Never Clear Hash", "true");
        first.send(if form.protocol == "uci" { "ucinewgame" } else { "setoption newgame" });
        let kept = nodes(&mut first, depth);
        drop(first);
        assert_eq!(fs::metadata(&path).unwrap().len(), (16 << 20) + 256 + 4);

        let mut second = form.start();
        assert_eq!(form.set(&mut second, "Hash File", name(&path)), "");
        let loaded = form.set(&mut second, "Load Hash from File", "");
        let count = |text: &str| text.split(' ').find_map(|word| word.parse::<u64>().ok());
        assert!(loaded.contains(" positions were loaded from "), "{loaded}");
        assert!(count(&loaded) == count(&said) && count(&said) > Some(1000), "{said} {loaded}");
        let on = nodes(&mut second, depth);
        println!("{}: {alone} nodes alone, {on} from the file", form.protocol);
        assert_eq!(on, kept, "{}", form.protocol);
        assert!(4 * on < 3 * alone, "{} {on} of {alone} nodes", form.protocol);
    }
}

/// A file that does not fit is refused with a reason, and the table that was there stays.
#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("table");
    let other = folder.path().join("other");
    let mut session = UCI.start();
    let set = |session: &mut Session, name: &str, value: &str| UCI.set(session, name, value);
    let refused = |session: &mut Session, why: &str| {
        let said = set(session, "Load Hash from File", "");
        assert!(said.starts_with("info string cannot load '") && said.ends_with(why), "{said}, not {why}");
    };
    for button in ["Save Hash to File", "Load Hash from File"] {
        assert_eq!(set(&mut session, button, ""), "info string Hash File names no file");
    }
    set(&mut session, "Hash", "1");
    set(&mut session, "Hash File", name(&path));
    refused(&mut session, "No such file or directory (os error 2)");
    nodes(&mut session, 9);
    set(&mut session, "Save Hash to File", "");
    let good = fs::read(&path).unwrap();

    set(&mut session, "Hash File", name(&other));
    let mut damaged = good.clone();
    damaged[5000] ^= 4;
    for (bytes, why) in [
        (&damaged[..], "it is damaged: the checksum of its content is wrong"),
        (&good[..good.len() - 1], "it is damaged: it has 1048835 bytes, not 1048836"),
        (b"Dear reader, this is a letter.", "it is no file of kept analysis"),
    ] {
        fs::write(&other, bytes).unwrap();
        refused(&mut session, why);
    }
    set(&mut session, "Hash File", name(folder.path()));
    refused(&mut session, "it is a folder");
    set(&mut session, "Hash File", name(&folder.path().join("again")));
    set(&mut session, "Save Hash to File", "");
    assert!(fs::read(folder.path().join("again")).unwrap() == good, "the table has changed");

    set(&mut session, "Hash File", name(&path));
    set(&mut session, "Hash", "2");
    refused(&mut session, "it is of a table of 1 MiB: set Hash to 1 first");
    set(&mut session, "Hash", "1");
    set(&mut session, "EvalFile", "<hand-made>");
    refused(&mut session, ", and here is no net");
    set(&mut session, "EvalFile", "<embedded>");
    set(&mut session, "UCI_Variant", "xiangqi");
    refused(&mut session, "it was saved with a table of chess, and here is a table of xiangqi");

    set(&mut session, "Hash File", name(&other));
    fs::remove_file(&other).unwrap();
    set(&mut session, "Save Hash to File", "");
    set(&mut session, "Repetition Rule", "asian");
    refused(
        &mut session,
        "it was saved with Repetition Rule chinese, No Progress Limit 60, and here is Repetition Rule asian, No \
         Progress Limit 60",
    );
    session.send("position startpos\ngo infinite");
    for button in ["Save Hash to File", "Load Hash from File"] {
        session.send(&(UCI.set)(button, ""));
        session.until(&format!("info string {button} cannot be set while searching"));
    }
    session.send("stop");
    session.until("bestmove");
}

#[test]
fn a_table_that_is_never_cleared_stays_through_new_games() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("table");
    let mut session = UCI.start();
    let saved = |session: &mut Session| -> (u64, Vec<u8>) {
        let said = UCI.set(session, "Save Hash to File", "");
        let count = said.split(' ').find_map(|word| word.parse().ok()).unwrap_or_else(|| panic!("{said}"));
        (count, fs::read(&path).unwrap())
    };
    UCI.set(&mut session, "Hash", "1");
    UCI.set(&mut session, "Hash File", name(&path));
    nodes(&mut session, 9);
    assert!(saved(&mut session).0 > 1000);
    session.send("ucinewgame");
    assert_eq!(saved(&mut session).0, 0, "a new game is a fresh one");

    UCI.set(&mut session, "Never Clear Hash", "true");
    nodes(&mut session, 9);
    let before = saved(&mut session);
    session.send("ucinewgame");
    let said = UCI.set(&mut session, "Clear Hash", "");
    assert_eq!(said, "info string the table is kept: Never Clear Hash is set");
    // Clients send again what they have set.
    UCI.set(&mut session, "Hash", "1");
    assert!(saved(&mut session) == before && before.0 > 1000, "the table is kept");
    UCI.set(&mut session, "EvalFile", "<hand-made>");
    assert_eq!(saved(&mut session).0, 0, "what another evaluation found is void");
    nodes(&mut session, 9);
    UCI.set(&mut session, "Never Clear Hash", "false");
    session.send("ucinewgame");
    assert_eq!(saved(&mut session).0, 0);
}

/// What the engine did not write is not written over, inside the sandbox or not; outside nothing is.
#[test]
fn nothing_else_is_written_over() {
    let folder = tempdir().unwrap();
    let letter = folder.path().join("letter");
    let inside = folder.path().join("in");
    fs::create_dir(&inside).unwrap();
    fs::write(&letter, "Dear reader").unwrap();
    let mut session = UCI.start();
    UCI.set(&mut session, "Hash", "1");
    UCI.set(&mut session, "Hash File", name(&letter));
    let said = UCI.set(&mut session, "Save Hash to File", "");
    assert!(said.ends_with("it holds something that this program did not write"), "{said}");
    assert_eq!(fs::read(&letter).unwrap(), b"Dear reader");
    drop(session);

    let mut session = Session::start(&["uci", "--sandbox", name(&inside)]);
    UCI.set(&mut session, "Hash", "1");
    for outside in ["../table", name(&letter), "/etc/passwd"] {
        let said = UCI.set(&mut session, "Hash File", outside);
        assert!(said.ends_with("it is not in the sandbox"), "{said}");
        assert_eq!(UCI.set(&mut session, "Save Hash to File", ""), "info string Hash File names no file");
    }
    UCI.set(&mut session, "Hash File", "table");
    for button in ["Save Hash to File", "Save Hash to File", "Load Hash from File"] {
        let said = UCI.set(&mut session, button, "");
        assert!(said.contains(" positions were "), "{said}");
    }
    let names =
        |path: &Path| -> Vec<_> { fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name()).collect() };
    assert_eq!(names(&inside), ["table"]);
    assert_eq!(names(folder.path()).len(), 2);
}

/// Visits of the root when a search of one visit ends.
fn visits(gtp: &mut Session, color: &str) -> u64 {
    gtp.send(&format!("kata-analyze {color} 10 rootInfo true maxVisits 1"));
    let printed = loop {
        let (_, line) = gtp.next().expect("an analysis");
        if let Some((_, printed)) = line.split_once(" rootInfo visits ") {
            break printed.split(' ').next().and_then(|n| n.parse().ok()).expect("a number of visits");
        }
    };
    gtp.must_end_analysis();
    printed
}

impl Session {
    /// Ends an analysis.
    fn must_end_analysis(&mut self) {
        self.send("name");
        while self.next().expect("an answer").1 != "= Sanqi" {}
        self.next();
    }

    /// A game of Go on 9×9 with two moves.
    fn go(arguments: &[&str]) -> Self {
        let mut gtp = Self::start(&[&["gtp"], arguments].concat());
        for command in ["kata-set-param hashMiB 16", "boardsize 9", "komi 7", "play b E5", "play w C3"] {
            gtp.must(command);
        }
        gtp
    }
}

#[test]
fn a_search_of_go_goes_on_from_a_tree_that_another_process_saved() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("kept tree");
    let (save, load) =
        (format!("sanqi-save_tree {}", name(&path)), format!("sanqi-load_tree {}", name(&path)));
    // On a busy machine a move takes long.
    let mut first = Session::go(&["--option", "maxTime=600"]);
    let refused = first.ask(&save).unwrap_err();
    assert!(refused.ends_with("there is no tree: nothing of this game has been searched"), "{refused}");
    first.must("kata-set-param maxVisits 3000");
    let best = first.must("reg_genmove b");
    let positions = first.must(&save);
    let count = positions.strip_suffix(" positions").and_then(|n| n.parse::<u64>().ok());
    assert!(count > Some(100), "{positions}");
    assert_eq!(first.must(&save), positions, "a second time");
    drop(first);

    let mut second = Session::go(&[]);
    assert_eq!(visits(&mut second, "b"), 1);
    assert_eq!(second.must(&load), positions);
    assert!(visits(&mut second, "b") >= 3000);
    // What is known counts as visits: nothing is left to search.
    second.must("kata-set-param maxVisits 3000");
    assert_eq!(second.must("reg_genmove b"), best);
    // What follows is known too.
    second.must(&format!("play b {best}"));
    assert!(visits(&mut second, "w") > 100);
}

/// Whatever evaluates on this machine, the tree of usual settings is one of usual settings.
#[test]
fn a_tree_of_usual_settings_is_loaded() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a tree");
    let mut first = Session::start(&["gtp", "--option", "maxTime=0.2"]);
    first.must("boardsize 9");
    first.must("genmove b");
    let saved = first.must(&format!("sanqi-save_tree \"{}\"", name(&path)));
    let mut second = Session::start(&["gtp"]);
    second.must("boardsize 9");
    assert!(path.exists() && saved.ends_with(" positions"), "{saved}");
    let mv = first.must("list_stones b");
    second.must(&format!("play b {mv}"));
    assert_eq!(second.must(&format!("sanqi-load_tree \"{}\"", name(&path))), saved);
}

#[test]
fn a_tree_of_go_that_does_not_fit_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("tree");
    let mut gtp = Session::go(&[]);
    gtp.must("kata-set-param maxVisits 500");
    gtp.must("reg_genmove b");
    gtp.must(&format!("sanqi-save_tree {}", name(&path)));
    let good = fs::read(&path).unwrap();
    let other = folder.path().join("other");
    let refused = |gtp: &mut Session, path: &Path, why: &str| {
        let said = gtp.ask(&format!("sanqi-load_tree {}", name(path))).unwrap_err();
        assert!(said.starts_with("cannot load '") && said.contains(why), "{said}, not {why}");
    };
    for (at, why) in [(30, "checksum of its header is wrong"), (3000, "checksum of its content is wrong")] {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        fs::write(&other, damaged).unwrap();
        refused(&mut gtp, &other, why);
    }
    fs::write(&other, b"(;SZ[9])").unwrap();
    refused(&mut gtp, &other, "it is no file of kept analysis");
    let said = gtp.ask(&format!("sanqi-save_tree {}", name(&other))).unwrap_err();
    assert!(said.ends_with("it holds something that this program did not write"), "{said}");
    assert!(visits(&mut gtp, "b") >= 500, "the tree is gone");
    for (change, why) in [
        ("komi 6.5", "9x9, 7 points for White, rules chinese, and here is 9x9, 6.5 points for White"),
        ("komi 7\nkata-set-param evaluator playouts", "it was saved with Evaluator hybrid"),
        ("kata-set-param evaluator auto\nkata-set-param modelFile <none>", ", and here is no net"),
    ] {
        change.lines().for_each(|line| drop(gtp.must(line)));
        refused(&mut gtp, &path, why);
    }
    let sandbox = folder.path().join("in");
    fs::create_dir(&sandbox).unwrap();
    let mut gtp = Session::go(&["--sandbox", name(&sandbox)]);
    refused(&mut gtp, &path, "it is not in the sandbox");
    gtp.must("kata-set-param maxVisits 50");
    gtp.must("reg_genmove b");
    let said = gtp.ask("sanqi-save_tree ../tree").unwrap_err();
    assert_eq!(said, "cannot save '../tree': it is not in the sandbox");
    assert_eq!(gtp.must("sanqi-save_tree tree"), gtp.must("sanqi-load_tree tree"));
}
