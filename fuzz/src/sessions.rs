//! Lines of every protocol, to the controller and a real engine: the engine goes on, it answers as often as
//! it is asked, up to the word that ends the session, and it ends when its input ends.

use sanqi::controller::{self, Config};
use sanqi::protocol;
use sanqi::util::files::Sandbox;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Lines of UCI.
pub fn uci(input: &[u8]) {
    let session = converse(Some("uci"), input, "stop\nisready\n");
    UCI.check(&session.sent, &session.answers);
}

/// Lines of UCCI.
pub fn ucci(input: &[u8]) {
    let session = converse(Some("ucci"), input, "setoption batch false\nstop\nisready\n");
    UCCI.check(&session.sent, &session.answers);
}

/// Lines of GTP.
pub fn gtp(input: &[u8]) {
    let session = converse(Some("gtp"), input, "4711 name\n");
    check_responses(&session.sent, &session.answers);
    let quits = session.sent.iter().filter_map(|line| command_of_gtp(line)).any(|command| command == "quit");
    assert!(quits || session.answers.ends_with("=4711 Sanqi\n\n"), "{}", session.answers);
}

/// Lines of whatever protocol the first of them belongs to that belongs to one. Before that nothing is
/// answered.
pub fn any_protocol(input: &[u8]) {
    let Session { sent, answers } = converse(None, input, "");
    let opens = |line: &String| protocol::detect(line).map(|protocol| protocol.name);
    let Some((at, name)) = sent.iter().enumerate().find_map(|(at, line)| Some((at, opens(line)?))) else {
        return assert_eq!(answers, "", "{sent:?}");
    };
    match name {
        "uci" => UCI.check(&sent[at..], &answers),
        "ucci" => UCCI.check(&sent[at..], &answers),
        _ => check_responses(&sent[at..], &answers),
    }
}

/// What a protocol calls what is counted, where positions are set up and searched.
struct Words {
    /// Its commands.
    own: &'static [&'static str],
    /// What is a command only as the first word.
    first_only: &'static [&'static str],
    /// Whether words before a command that are none are skipped.
    skips: bool,
    /// What refuses a search.
    refusal: &'static str,
}

const UCI: Words = Words {
    own: &[
        "uci",
        "debug",
        "isready",
        "setoption",
        "register",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
    ],
    first_only: &["fen", "startpos", "d", "eval", "bench", "compiler", "help"],
    skips: true,
    refusal: "info string go is refused: a search is running (send stop first)",
};

const UCCI: Words = Words {
    own: &[
        "ucci",
        "isready",
        "setoption",
        "position",
        "banmoves",
        "go",
        "ponderhit",
        "stop",
        "probe",
        "quit",
        "help",
    ],
    first_only: &[],
    skips: false,
    refusal: "info message go is refused: a search is running (send stop first)",
};

impl Words {
    /// The command of a line.
    fn command<'a>(&self, line: &'a str) -> Option<&'a str> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next()?;
        if self.own.contains(&first) || self.first_only.contains(&first) {
            return Some(first);
        }
        words.find(|word| self.skips && self.own.contains(word))
    }

    /// Every `isready` before the end has one `readyok`, and every `go` one best move, unless it was refused.
    fn check(&self, sent: &[String], answers: &str) {
        let (mut gos, mut counts, mut readies) = (0, 0, 0);
        for line in sent {
            match self.command(line) {
                Some("quit") => break,
                Some("isready") => readies += 1,
                // To count the leaves is no search: it has no best move, if the number is one.
                Some("go") if line.split_ascii_whitespace().any(|word| word == "perft") => counts += 1,
                Some("go") => gos += 1,
                _ => {}
            }
        }
        let count = |is_meant: &dyn Fn(&str) -> bool| answers.lines().filter(|line| is_meant(line)).count();
        let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
        let answered = count(&|line| matches!(&*first(line), "bestmove" | "nobestmove"));
        let refused = count(&|line| line == self.refusal);
        assert_eq!(count(&|line| line == "readyok"), readies, "{sent:?}\n{answers}");
        assert!((gos..=gos + counts).contains(&(answered + refused)), "{gos} searches: {sent:?}\n{answers}");
    }
}

/// The command of a line of GTP, behind its number.
fn command_of_gtp(line: &str) -> Option<String> {
    let kept = |c: &char| *c == '\t' || !c.is_control();
    let text: String = line.chars().filter(kept).take_while(|&c| c != '#').collect();
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let is_number = first.bytes().all(|b| b.is_ascii_digit());
    Some(if is_number { words.next().unwrap_or_default() } else { first }.to_owned())
}

/// Every command before the end has one response. A response begins with its mark; what stands between is
/// part of one, up to an empty line.
fn check_responses(sent: &[String], answers: &str) {
    let mut commands = 0;
    for command in sent.iter().filter_map(|line| command_of_gtp(line)) {
        commands += 1;
        if command == "quit" {
            break;
        }
    }
    let responses: Vec<&str> = answers.split("\n\n").filter(|response| !response.trim().is_empty()).collect();
    for response in &responses {
        assert!(response.trim_start_matches('\n').starts_with(['=', '?']), "{response:?} in {answers}");
    }
    assert_eq!(responses.len(), commands, "{sent:?}\n{answers}");
}

/// So many lines of an input are read.
const LINES: usize = 40;

/// A session that has ended.
struct Session {
    /// The lines that the engine was sent, as it reads them.
    sent: Vec<String>,
    /// What it wrote.
    answers: String,
}

/// Has a session in a folder of its own, which its files stay in. What it writes is lines of text.
fn converse(protocol: Option<&str>, input: &[u8], end: &str) -> Session {
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
    let sent = lines.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&lines).split(|&b| b == b'\n');
    let sent = sent.map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let written = Written::default();
    controller::converse(config, Cursor::new(lines), written.clone()).expect("a thread");
    let bytes = std::mem::take(&mut *written.0.lock().unwrap_or_else(PoisonError::into_inner));
    let answers = String::from_utf8(bytes).expect("output is UTF-8");
    assert!(answers.is_empty() || answers.ends_with('\n'), "{answers}");
    assert!(answers.chars().all(|c| matches!(c, '\n' | '\t') || !c.is_control()), "{answers:?}");
    Session { sent, answers }
}

/// Memory and threads by the thousand are no fault: the person asks for them. Here they would take the time
/// of the test.
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
