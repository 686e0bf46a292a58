//! `sanqi check`: sound engines have no finding, each planted fault is found, and the answer has its forms.

use crate::arbiter::Folder;
use crate::support::{client_ran, client_skipped, engine, run, stderr, stdout};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A busy moment of the machine passes; a fault that is not found, and a false alarm, stay.
const ATTEMPTS: usize = 3;
/// Checks that run at once: most of their time they wait. The tests take turns, so that there are never more.
const AT_ONCE: usize = 6;
static TURN: Mutex<()> = Mutex::new(());

const FAULTY: &str = "tests/bad_engines/faulty.py";

/// A sound engine of a protocol, behind a proxy that plants faults; and the other arguments of a check of it.
struct Subject {
    protocol: &'static str,
    /// What makes an engine of UCI speak the protocol.
    adapter: &'static [&'static str],
    engine: &'static [&'static str],
    options: &'static [&'static str],
}

const fn subject(protocol: &'static str, engine: &'static [&'static str]) -> Subject {
    Subject { protocol, adapter: &[], engine, options: &[] }
}

const UCI: Subject = subject("uci", &["uci"]);
const XIANGQI: Subject =
    Subject { options: &["--game", "xiangqi"], ..subject("uci", &["uci", "--game", "xiangqi"]) };
const UCCI: Subject = subject("ucci", &["ucci"]);
// Playouts only: what a net is asked takes longer on a machine that does other things as well.
const GTP: Subject = subject("gtp", &["gtp", "--option", "Evaluator=playouts"]);
const XBOARD: Subject =
    Subject { adapter: &["python3", "tests/bad_engines/xboard.py"], ..subject("xboard", &["uci"]) };

fn has_python() -> bool {
    let found = crate::support::program("python3").arg("--version").output().is_ok();
    match found {
        true => client_ran("faulty engines"),
        false => client_skipped("faulty engines", "Debian package python3"),
    }
    found
}

/// The report of a check of the engine under test behind a proxy that plants `fault`.
fn check(subject: &Subject, fault: &str, more: &[&str]) -> Value {
    let engine = engine().canonicalize().unwrap();
    let mut args = vec!["check", "--quick", "--json", "--protocol", subject.protocol];
    args.extend(subject.options);
    args.extend(more);
    args.extend(["python3", FAULTY, subject.protocol, fault]);
    args.extend(subject.adapter);
    args.push(engine.to_str().unwrap());
    args.extend(subject.engine);
    let output = run(&args);
    let report: Value = serde_json::from_str(&stdout(&output))
        .unwrap_or_else(|e| panic!("{fault}: {e}\n{}{}", stdout(&output), stderr(&output)));
    let code = if report["fit"] == true { 0 } else { 2 };
    assert_eq!(output.status.code(), Some(code), "{fault}");
    report
}

/// The ids of a report's findings.
fn ids(report: &Value) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().map(|finding| finding["id"].as_str().unwrap()).collect()
}

/// Id, severity and group of everything that can be found.
fn catalog() -> Vec<[String; 3]> {
    let output = run(&["check", "--list"]);
    let row = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (severity, group) = (words.next().unwrap(), words.next().unwrap());
        [words.next().unwrap(), severity, group]
    };
    stdout(&output).lines().map(row).collect()
}

/// Runs `job` for each item, some at a time: most of a check is waiting.
fn in_parallel<T: Send>(items: Vec<T>, job: impl Fn(T) -> Result<(), String> + Sync) {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let queue = Mutex::new(items.into_iter());
    let next = || queue.lock().unwrap().next();
    let worker = || std::iter::from_fn(next).filter_map(|item| job(item).err()).collect::<Vec<_>>();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A finding must be made of what went to and fro: something was sent, and it shows what.
fn is_shown(finding: &Value) -> bool {
    let traffic = finding["traffic"].as_array().unwrap();
    traffic.iter().any(|entry| entry["way"] == ">") && !finding["detail"].as_str().unwrap().is_empty()
}

/// Runs `job` until it succeeds, [`ATTEMPTS`] times at the most.
fn patiently(job: impl Fn() -> Result<(), String>) -> Result<(), String> {
    let mut outcome = job();
    for _ in 1..ATTEMPTS {
        if outcome.is_ok() {
            break;
        }
        outcome = job();
    }
    outcome
}

fn finds_planted(subject: &Subject, id: &str, severity: &str, group: &str) -> Result<(), String> {
    let timeout = if id.starts_with("slow-") { "8" } else { "3" };
    let report = check(subject, id, &["--only", group, "--timeout", timeout]);
    let found = report["findings"].as_array().unwrap().iter().find(|finding| finding["id"] == id);
    match found {
        Some(finding) if finding["severity"] != severity => Err(format!("{id}: {}", finding["severity"])),
        Some(finding) if !is_shown(finding) => Err(format!("{id}: its traffic does not show it")),
        Some(_) if (severity == "fault") != (report["fit"] == false) => Err(format!("{id}: fit is wrong")),
        Some(_) => Ok(()),
        None => Err(format!("{id} is not found, but {:?}", ids(&report))),
    }
}

/// The faults that can be planted in a protocol.
fn faults(protocol: &str) -> Vec<String> {
    let output = crate::support::program("python3").args([FAULTY, protocol]).output().unwrap();
    stdout(&output).lines().map(str::to_owned).collect()
}

/// Plants faults of the subject's protocol, one at a time: those that are `wanted`.
fn finds_faults(subject: &Subject, wanted: impl Fn(&str) -> bool) {
    if !has_python() {
        return;
    }
    let rows = catalog();
    let faults: Vec<String> = faults(subject.protocol).into_iter().filter(|id| wanted(id)).collect();
    assert!(!faults.is_empty());
    in_parallel(faults, |fault| {
        let row = rows.iter().find(|[id, ..]| *id == fault);
        let [id, severity, group] = row.ok_or_else(|| format!("{fault} is not in the catalog"))?;
        // One finding of UCI is about a rule of xiangqi.
        let subject = if subject.protocol == "uci" && id == "repetition-loses" { &XIANGQI } else { subject };
        patiently(|| finds_planted(subject, id, severity, group))
    });
}

#[test]
fn every_fault_planted_in_uci_is_found() {
    finds_faults(&UCI, |_| true);
}

/// What UCCI shares with UCI is found by the same code.
#[test]
fn faults_planted_in_ucci_are_found() {
    let own = [
        "no-handshake",
        "bad-default",
        "flag",
        "illegal-move",
        "infinite-ends",
        "wrong-sign",
        "banmoves-ignored",
        "no-bye",
    ];
    finds_faults(&UCCI, |id| own.contains(&id));
}

#[test]
#[ignore = "takes a minute"]
fn every_fault_planted_in_ucci_is_found() {
    finds_faults(&UCCI, |_| true);
}

#[test]
fn every_fault_planted_in_gtp_is_found() {
    finds_faults(&GTP, |_| true);
}

#[test]
fn every_fault_planted_in_xboard_is_found() {
    finds_faults(&XBOARD, |_| true);
}

#[test]
fn every_finding_has_a_fault_to_be_planted() {
    if !has_python() {
        return;
    }
    let planted: Vec<String> = ["uci", "ucci", "gtp", "xboard"].into_iter().flat_map(faults).collect();
    let forgotten: Vec<_> = catalog().into_iter().filter(|[id, ..]| !planted.contains(id)).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}

#[test]
fn a_sound_engine_has_no_finding() {
    if !has_python() {
        return;
    }
    in_parallel(vec![UCI, XIANGQI, UCCI, GTP, XBOARD], |subject| {
        patiently(|| {
            let report = check(&subject, "none", &[]);
            if ids(&report).is_empty() { Ok(()) } else { Err(format!("{}: {report:#}", subject.protocol)) }
        })
    });
}

/// An engine of Debian's: its package, its command, and the other arguments of a check of it.
struct Real {
    package: &'static str,
    command: &'static [&'static str],
    options: &'static [&'static str],
}

const fn real(
    package: &'static str,
    command: &'static [&'static str],
    options: &'static [&'static str],
) -> Real {
    Real { package, command, options }
}

/// Those that other tests play against as well.
const USUAL: &[Real] = &[
    real("stockfish", &["stockfish"], &[]),
    real("gnugo", &["gnugo", "--mode", "gtp", "--level", "1"], &[]),
    real("hoichess", &["hoichess", "--xboard"], &[]),
];

const OTHERS: &[Real] = &[
    real("fairy-stockfish", &["fairy-stockfish"], &[]),
    real("fairy-stockfish", &["fairy-stockfish"], &["--game", "xiangqi"]),
    real("fairy-stockfish", &["fairy-stockfish"], &["--protocol", "xboard"]),
    real("gnuchess", &["gnuchess", "--uci"], &[]),
    real("toga2", &["toga2"], &[]),
    real("phalanx", &["phalanx"], &[]),
];

/// The path of a program, which Debian may have put among its games.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).chain(["/usr/games".into()]).collect();
    folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Checks a real engine, in a folder of its own: old ones write files where they are started. `Err`: it has a
/// fault.
fn is_fit(engine: &Real) -> Result<(), String> {
    let Some(path) = program(engine.command[0]) else {
        client_skipped(engine.package, &format!("Debian package {}", engine.package));
        return Ok(());
    };
    client_ran(engine.package);
    let folder = Folder::new();
    let mut args = vec!["check", "--quick", "--json", "--dir", folder.path()];
    args.extend(engine.options);
    args.push(path.to_str().unwrap());
    args.extend(&engine.command[1..]);
    let output = run(&args);
    let report: Value =
        serde_json::from_str(&stdout(&output)).map_err(|e| format!("{args:?}: {e}{}", stderr(&output)))?;
    eprintln!("{:?}: {:?}", engine.command, ids(&report));
    if report["fit"] == true { Ok(()) } else { Err(format!("{args:?}: {report:#}")) }
}

#[test]
fn usual_engines_are_fit() {
    let wrong: Vec<String> = USUAL.iter().filter_map(|engine| patiently(|| is_fit(engine)).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes minutes"]
fn old_and_rare_engines_are_fit() {
    let wrong: Vec<String> = OTHERS.iter().filter_map(|engine| patiently(|| is_fit(engine)).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_answer_is_a_table_and_a_page() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let page = folder.file("check.html");
    let engine = engine().canonicalize().unwrap();
    let args = [
        "check",
        "--quick",
        "--only",
        "handshake,moves",
        "--html",
        &page,
        "python3",
        FAULTY,
        "uci",
        "illegal-move",
    ];
    let output = run(&[&args[..], &[engine.to_str().unwrap(), "uci"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(!text.contains('\u{1b}'), "{text}");
    for part in [
        "Sanqi",
        "UCI, chess",
        "fault    illegal-move",
        "> position",
        "< bestmove e2e5",
        "not fit for matches: 1 fault",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let page = std::fs::read_to_string(page).unwrap();
    for part in ["<code>illegal-move</code>", "&lt; bestmove e2e5", "not fit for matches"] {
        assert!(page.contains(part), "{part:?}");
    }
    assert!(!page.contains("{{") && !page.contains("http"), "nothing to fill or to load");
}

#[test]
fn what_cannot_be_checked_has_code_one() {
    let failed = |args: &[&str], why: &str| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    };
    failed(&["check"], "ENGINE");
    failed(&["check", "--only", "nothing", "sh"], "nothing");
    failed(&["check", "no-such-program"], "cannot start no-such-program");
    failed(&["check", "--protocol", "uci", "no-such-program"], "cannot start no-such-program");
    failed(&["--nonsense", "check", "cat"], "--nonsense");
    failed(&["check", "true", "--html", "x.html"], "--html is given to the engine");
    failed(&["check", "true"], "ends and answers none of uci, ucci, gtp and xboard: exit status: 0");
    failed(&["check", "--timeout", "0.5", "cat"], "answers none of uci, ucci, gtp and xboard");
}

/// The first process speaks well, and there is no second one.
#[cfg(unix)]
#[test]
fn an_engine_that_starts_once_is_not_called_fit() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    // A path with a blank in it is a path.
    let script = folder.file("only once");
    let engine = engine().canonicalize().unwrap();
    std::fs::write(&script, format!("#!/bin/sh\nrm \"$0\"\nexec {:?} uci\n", engine.to_str().unwrap()))
        .unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = run(&["check", "--protocol", "uci", "--quick", "--only", "ready,quit", &script]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stderr(&output).contains("cannot start"), "{}", stderr(&output));
}

#[test]
fn options_and_features_decide_which_game_is_played() {
    let game = |args: &[&str]| {
        let output = run(&[&["check", "--json", "--only", "handshake"], args].concat());
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        report["game"].as_str().unwrap().to_owned()
    };
    let sanqi = engine().canonicalize().unwrap();
    let sanqi = sanqi.to_str().unwrap();
    for (option, name) in
        [("Hash=1", "chess"), ("uci_variant=xiangqi", "xiangqi"), ("UCI_Chess960=true", "chess960")]
    {
        assert_eq!(game(&["--protocol", "uci", "--option", option, sanqi, "uci"]), name, "{option}");
    }
    if has_python() {
        let features = "import sys\nfor line in sys.stdin:\n  n = line.split()\n  \
                        if n[0] == 'protover': print('feature ping=1 variants=\"xiangqi\" done=1', flush=True)\n  \
                        if n[0] == 'ping': print('pong', n[1], flush=True)\n  if n[0] == 'quit': break\n";
        assert_eq!(game(&["--protocol", "xboard", "python3", "-u", "-c", features]), "xiangqi");
    }
}
