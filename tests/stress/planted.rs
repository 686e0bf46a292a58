//! Faults that are planted by hand, one at a time, to find out whether a test notices: `make planted`. They
//! are listed in `planted.toml`.
//!
//! Each is planted in a copy of the sources, in `target/planted`, and the one test that is to notice it is
//! built and run there, without optimizations: that takes seconds where a release build takes minutes.
//! `SANQI_PLANTED` picks faults by a part of their names.

use crate::support::program;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

#[derive(Deserialize)]
struct Faults {
    fault: Vec<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    /// What goes wrong.
    name: String,
    /// Where it is planted.
    file: PathBuf,
    /// What stands there, once.
    from: String,
    /// What stands there instead.
    to: String,
    of: Of,
    /// The path of the test that has to fail.
    test: String,
    /// The commands that run it.
    found_by: String,
}

/// Which tests a test is among.
#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Of {
    Lib,
    All,
    Stress,
    Miri,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn faults() -> Vec<Fault> {
    let text = fs::read_to_string(root().join("tests/stress/planted.toml")).expect("the list");
    toml::from_str::<Faults>(&text).expect("the list is TOML").fault
}

impl Fault {
    /// The file with the fault.
    fn planted(&self) -> String {
        let text = fs::read_to_string(root().join(&self.file)).expect("the file is there");
        assert_eq!(text.matches(&self.from).count(), 1, "{}: {} has to stand once", self.name, self.from);
        text.replace(&self.from, &self.to)
    }

    /// Runs the test that has to notice, in the copy of the sources.
    fn run(&self, copy: &Path) -> Output {
        let mut command = program("cargo");
        let miri: &[&str] = if self.of == Of::Miri { &["+nightly", "miri"] } else { &[] };
        let which: &[&str] = match self.of {
            Of::All => &["--test", "all"],
            Of::Stress => &["--test", "stress"],
            Of::Lib | Of::Miri => &["--lib"],
        };
        command.current_dir(copy).args(miri).args(["test", "--locked", "--target-dir"]);
        let target = if self.of == Of::Miri { "target/miri" } else { "target/planted/build" };
        command.arg(root().join(target)).args(which);
        command.args(["--", "--exact", &self.test]);
        // A whole series of inputs may be needed for what a few show only with luck.
        command.env("SANQI_SEQUENCES", "60").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        command.env("MIRIFLAGS", "-Zmiri-disable-isolation").env_remove("SANQI_CHECKED");
        command.output().expect("cargo")
    }
}

/// The files that git knows, copied where they differ, so that only what changed is built again.
fn copy_sources(to: &Path) {
    let listed = program("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git");
    let listed = String::from_utf8(listed.stdout).expect("names are UTF-8");
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (root().join(name), to.join(name));
        let Ok(bytes) = fs::read(from) else { continue };
        if fs::read(&to).is_ok_and(|there| there == bytes) {
            continue;
        }
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(to, bytes).expect("a copy");
    }
}

/// A fault that no longer fits the code would go unnoticed.
#[test]
fn every_fault_still_fits() {
    let faults = faults();
    assert!(faults.len() >= 12);
    for fault in &faults {
        assert_ne!(fault.planted(), fs::read_to_string(root().join(&fault.file)).unwrap(), "{}", fault.name);
        assert!(fault.found_by.starts_with("make "), "{}", fault.name);
        // The test is there, under its name.
        let name = fault.test.rsplit("::").next().unwrap();
        let found =
            program("git").args(["grep", "-qw", name, "--", "src/*.rs", "tests/*.rs", "fuzz/*.rs"]).status();
        assert!(found.expect("git").success(), "{}: no test {}", fault.name, fault.test);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
#[ignore = "minutes"]
fn every_fault_is_noticed() {
    let copy = root().join("target/planted/sources");
    let only = std::env::var("SANQI_PLANTED").unwrap_or_default();
    let faults: Vec<Fault> = faults().into_iter().filter(|fault| fault.name.contains(&only)).collect();
    copy_sources(&copy);
    // Without a fault all these tests pass, and are found by their names.
    for fault in &faults {
        let sound = fault.run(&copy);
        let passed = sound.status.success() && text(&sound.stdout).contains("test result: ok. 1 passed");
        assert!(passed, "{}\n{}\n{}", fault.test, text(&sound.stdout), text(&sound.stderr));
    }
    let mut missed = Vec::new();
    for fault in &faults {
        fs::write(copy.join(&fault.file), fault.planted()).expect("the fault is planted");
        let faulty = fault.run(&copy);
        let (printed, remarks) = (text(&faulty.stdout), text(&faulty.stderr));
        // A build that fails notices nothing. Miri reports and ends, without the summary of the tests.
        let is_noticed = !faulty.status.success()
            && !remarks.contains("could not compile")
            && (printed.contains("test result: FAILED") || remarks.contains("Undefined Behavior"));
        let verdict = if is_noticed { "noticed" } else { "MISSED" };
        println!("{verdict}\t{}\t{}\t{}", fault.name, fault.test, fault.found_by);
        if !is_noticed {
            println!("{printed}\n{remarks}");
            missed.push(&fault.name);
        }
        fs::copy(root().join(&fault.file), copy.join(&fault.file)).expect("the fault is taken back");
    }
    assert!(missed.is_empty(), "{missed:?}");
}
