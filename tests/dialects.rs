//! Transcripts: `tests/dialects/*/*.txt`, played against the engine.
//!
//! | line       | meaning                                                                            |
//! |------------|------------------------------------------------------------------------------------|
//! | `$ args`   | arguments of the engine (before anything else)                                     |
//! | `> text`   | a line to send; `\xHH` is a byte, `\t` a tab, `{N x text}` is `text` N times over   |
//! | `< text`   | the next line of output; `*` stands for anything                                   |
//! | `<~ text`  | skips output up to this line                                                       |
//! | `<eof`     | the input ends here, not only after all that is expected has come                     |
//! | `. N`      | waits for N milliseconds                                                           |
//! | `<rest`    | whatever else is written is right                                                  |
//! | `# text`   | a remark                                                                           |
//!
//! Then the input ends. The engine must write what is still expected and nothing else, and exit with
//! success soon.

use crate::session::Session;
use crate::support::{engine, run_program, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[test]
fn transcripts() {
    let mut files = files();
    files.sort();
    assert!(files.len() > 10, "the transcripts are missing");
    let only = std::env::var("TRANSCRIPT").unwrap_or_default();
    let failures: Vec<String> = files
        .iter()
        .filter(|file| file.to_string_lossy().contains(&only))
        .filter_map(|file| play(file).err().map(|e| format!("{}:{e}", file.display())))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn files() -> Vec<PathBuf> {
    let folders = fs::read_dir("tests/dialects").into_iter().flatten().flatten();
    let all = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
    all.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "txt")).collect()
}

/// Plays one transcript. The error begins with the line number.
fn play(file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|e| e.to_string())?;
    let steps: Vec<(usize, &str)> = text.lines().enumerate().map(|(i, line)| (i + 1, line)).collect();
    let arguments = steps.iter().find_map(|(_, line)| line.strip_prefix("$ ")).unwrap_or("");
    let mut session = Session::start(&arguments.split_whitespace().collect::<Vec<_>>());
    let eof = steps.iter().position(|(_, line)| *line == "<eof").unwrap_or(steps.len());
    let (before, after) = steps.split_at(eof);
    for (number, line) in before {
        step(&mut session, line).map_err(|e| format!("{number}: {e}"))?;
    }
    let (rest, status, took) = session.finish();
    compare(&rest, after, steps.iter().any(|(_, line)| *line == "<rest"))?;
    if !status.success() {
        return Err(format!("{}: exit {status}", steps.len()));
    }
    if took > Duration::from_secs(10) {
        return Err(format!("{}: took {took:?} to exit", steps.len()));
    }
    Ok(())
}

/// One line of a transcript.
fn step(session: &mut Session, line: &str) -> Result<(), String> {
    if let Some(text) = line.strip_prefix("> ").or((line == ">").then_some("")) {
        session.send_bytes(&[unescape(text), b"\n".to_vec()].concat());
    } else if let Some(text) = line.strip_prefix("<~ ") {
        let mut skipped = Vec::new();
        loop {
            let next = session.try_next().map_err(|e| format!("{e}: '{text}' after {skipped:#?}"))?;
            let Some((_, found)) = next else {
                return Err(format!("the output ended before '{text}': {skipped:#?}"));
            };
            if matches(text, &found) {
                break;
            }
            skipped.push(found);
        }
    } else if let Some(text) = line.strip_prefix("< ").or((line == "<").then_some("")) {
        let next = session.try_next().map_err(|e| format!("{e}: '{text}'"))?;
        let found = next.map(|(_, line)| line);
        if !found.as_deref().is_some_and(|found| matches(text, found)) {
            return Err(format!("expected '{text}', found {found:?}"));
        }
    } else if let Some(text) = line.strip_prefix(". ") {
        std::thread::sleep(Duration::from_millis(text.trim().parse().map_err(|_| "no number")?));
    } else if !(line.is_empty() || line.starts_with(['#', '$']) || line == "<rest") {
        return Err(format!("cannot read '{line}'"));
    }
    Ok(())
}

/// What came after the end of the input against what was expected then.
fn compare(rest: &[String], expected: &[(usize, &str)], open: bool) -> Result<(), String> {
    let mut rest = rest.iter();
    for (number, line) in expected {
        if let Some(text) = line.strip_prefix("<~ ") {
            if !rest.any(|found| matches(text, found)) {
                return Err(format!("{number}: '{text}' did not come"));
            }
        } else if let Some(text) = line.strip_prefix("< ") {
            let found = rest.next();
            if !found.is_some_and(|found| matches(text, found)) {
                return Err(format!("{number}: expected '{text}', found {found:?}"));
            }
        }
    }
    match rest.next() {
        Some(extra) if !open => Err(format!("end: nothing more was expected, but: {extra}")),
        _ => Ok(()),
    }
}

/// Whether `text` is `pattern`, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The bytes that a line of a transcript stands for.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let byte = rest.strip_prefix("\\x").and_then(|hex| u8::from_str_radix(hex.get(..2)?, 16).ok());
        if let Some(byte) = byte {
            bytes.push(byte);
            rest = &rest[4..];
        } else if let Some(after) = rest.strip_prefix("\\t") {
            bytes.push(b'\t');
            rest = after;
        } else if let Some((n, what, after)) = repetition(rest) {
            bytes.extend(unescape(what).repeat(n));
            rest = after;
        } else {
            bytes.extend_from_slice(&rest.as_bytes()[..c.len_utf8()]);
            rest = &rest[c.len_utf8()..];
        }
    }
    bytes
}

/// `{N x text}` at the start: N, the text, and what follows.
fn repetition(text: &str) -> Option<(usize, &str, &str)> {
    let (inside, after) = text.strip_prefix('{')?.split_once('}')?;
    let (n, what) = inside.split_once(" x ")?;
    Some((n.parse().ok()?, what, after))
}

/// A program that tries XBoard's protocol writes two lines of it, and hears once that it is not spoken.
#[test]
fn xboards_protocol_is_refused_once() {
    let output = run_program(engine(), &["--no-config"], "xboard\nprotover 2\nquit\n");
    let remarks = stderr(&output);
    assert_eq!(remarks.matches("not XBoard's protocol").count(), 1, "{remarks}");
    assert!(output.status.success() && stdout(&output).is_empty());
}

/// A program that begins with JSON hears once who speaks it, and nothing on stdout.
#[test]
fn json_gets_one_hint_where_it_is_spoken() {
    let query = "{\"id\":\"a\",\"moves\":[]}\n";
    let output = run_program(engine(), &[], &query.repeat(2));
    assert!(output.stdout.is_empty() && output.status.success(), "{output:?}");
    let remarks = stderr(&output);
    assert_eq!(remarks.matches("sanqi katago").count(), 1, "{remarks}");
}

#[test]
fn patterns_and_escapes_mean_what_the_table_lists() {
    assert!(matches("bestmove *", "bestmove e2e4") && matches("*", "") && matches("a*c*e", "abcde"));
    assert!(!matches("bestmove", "bestmove e2e4") && !matches("a*c", "acb") && !matches("a*b", "a"));
    assert_eq!(unescape("a\\x00\\xFF{3 x ab}\\t{x}"), b"a\0\xFFababab\t{x}");
}
