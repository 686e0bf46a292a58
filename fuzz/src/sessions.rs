//! Lines of every protocol, to the controller and a real engine: nothing is asked but that the engine goes on, and that
//! it ends when its input ends.

use sanqi::controller::{self, Config};
use sanqi::protocol;
use sanqi::util::files::Sandbox;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Lines of UCI.
pub fn uci(input: &[u8]) {
    let answers = converse(Some("uci"), input, "stop\nisready\n");
    assert!(says_quit(input) || is_ready_as_often(input, &answers), "{answers}");
}

/// Lines of UCCI.
pub fn ucci(input: &[u8]) {
    // Nothing but its own end ends a search in a batch, and then there is no time left for the answer.
    let answers = converse(Some("ucci"), input, "setoption batch false\nstop\nisready\n");
    let in_batch = contains(input, b"batch");
    assert!(says_quit(input) || in_batch || is_ready_as_often(input, &answers), "{answers}");
}

/// Lines of GTP.
pub fn gtp(input: &[u8]) {
    let answers = converse(Some("gtp"), input, "4711 name\n");
    assert!(says_quit(input) || answers.ends_with("=4711 Sanqi\n\n"), "{answers}");
    // Every response begins with its mark; what stands between is part of one, up to an empty line.
    for response in answers.split("\n\n").filter(|response| !response.trim().is_empty()) {
        assert!(response.trim_start_matches('\n').starts_with(['=', '?']), "{response:?} in {answers}");
    }
}

/// Lines of whatever protocol the first of them belongs to.
pub fn any_protocol(input: &[u8]) {
    converse(None, input, "");
}

/// Whether every `isready` has its answer, the one at the end too.
fn is_ready_as_often(input: &[u8], answers: &str) -> bool {
    let asked =
        input.split(|&b| b == b'\n').take(LINES).filter(|line| line.trim_ascii() == b"isready").count();
    answers.lines().filter(|line| *line == "readyok").count() > asked
}

fn says_quit(input: &[u8]) -> bool {
    contains(&input.to_ascii_lowercase(), b"quit")
}

fn contains(input: &[u8], word: &[u8]) -> bool {
    input.windows(word.len()).any(|window| window == word)
}

/// So many lines of an input are read.
const LINES: usize = 40;

/// The session, in a folder of its own that its files stay in.
fn converse(protocol: Option<&str>, input: &[u8], end: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let sandbox = Sandbox::new(folder.path()).expect("a folder");
    // Making the usual tables ready would take most of the time.
    let mut options = vec![("Hash".to_owned(), "1".to_owned())];
    // Without a limit a move takes all the time that the end of the input leaves.
    if protocol == Some("gtp") {
        options.push(("Max Visits".to_owned(), "8".to_owned()));
    }
    let protocol = protocol.and_then(protocol::by_name);
    let config = Config { protocol, sandbox, options, ..Config::default() };
    let mut lines = Vec::new();
    for line in input.split_inclusive(|&b| b == b'\n').take(LINES).filter(|line| is_affordable(line)) {
        lines.extend_from_slice(line);
    }
    lines.push(b'\n');
    lines.extend_from_slice(end.as_bytes());
    let written = Written::default();
    controller::converse(config, Cursor::new(lines), written.clone()).expect("a thread");
    let bytes = std::mem::take(&mut *written.0.lock().unwrap_or_else(PoisonError::into_inner));
    String::from_utf8(bytes).expect("output is UTF-8")
}

/// Memory and threads by the thousand are no fault: the person asks for them. Here they would take the time of the test.
fn is_affordable(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line).to_lowercase();
    let words = ["hash", "threads", "maxvisits", "bench"];
    let large = line.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 2);
    !(large && words.iter().any(|word| line.contains(word)))
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
