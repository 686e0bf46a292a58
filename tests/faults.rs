//! What becomes of the engine where the system gives less than it asks for.

use std::process::{Command, Output};

/// The binary under test with so many KiB of address space and these lines as its input.
fn confined(kib: u32, arguments: &str, lines: &str) -> Output {
    let script = format!("ulimit -v {kib}; printf '{lines}' | {} {arguments}", env!("CARGO_BIN_EXE_sanqi"));
    Command::new("sh").args(["-c", &script]).env("RUST_BACKTRACE", "0").output().expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// 256 MiB are Go's default: with less it plays with less, and never passes for want of memory.
#[test]
fn go_plays_with_the_memory_there_is() {
    let out = confined(340_000, "gtp", "boardsize 9\\nkata-set-param maxVisits 30\\ngenmove b\\nname\\n");
    let (answers, remarks) = (text(&out.stdout), text(&out.stderr));
    let answers: Vec<&str> = answers.lines().filter(|line| !line.is_empty()).collect();
    let [_, _, mv, name] = answers[..] else { panic!("{answers:?} {remarks}") };
    assert!(mv.starts_with("= ") && mv != "= pass" && name == "= Sanqi", "{answers:?} {remarks}");
    assert!(remarks.contains("no memory for a table of 256 MiB"), "{remarks}");
}

/// Without enough for one thread there is one line, and no panic.
#[test]
fn too_little_memory_to_start_is_said_in_one_line() {
    for kib in [40_000, 60_000, 80_000, 100_000] {
        let out = confined(kib, "uci", "uci\\nposition startpos\\ngo depth 1\\n");
        let (answers, remarks) = (text(&out.stdout), text(&out.stderr));
        let plays = answers.contains("bestmove ") && out.status.success();
        let says = out.status.code() == Some(1) && remarks.lines().count() == 1;
        // Below what the loader needs for the program itself there is nobody to say anything.
        let never_ran = answers.is_empty() && !remarks.contains("panicked") && !out.status.success();
        // The allocator of the standard library says it itself, and no code of ours runs after it.
        let aborted = remarks.starts_with("memory allocation of");
        assert!(plays || says || never_ran || aborted, "{kib}: {:?} {answers} {remarks}", out.status);
        assert!(!remarks.contains("panicked"), "{kib}: {remarks}");
    }
}
