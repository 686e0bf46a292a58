use super::*;

fn lines_of(bytes: &[u8]) -> Vec<String> {
    let output = Output::new(io::sink(), DebugLog::default());
    let input = read(io::Cursor::new(bytes.to_vec()), FastPath::default(), output).unwrap();
    input.lines.iter().map(|line| line.text).collect()
}

#[test]
fn lines_are_framed_whatever_they_hold() {
    assert_eq!(lines_of(b"uci\nisready\r\n\nquit"), ["uci", "isready", "", "quit"]);
    assert_eq!(lines_of(b""), [""; 0]);
    assert_eq!(lines_of(b"\xEF\xBB\xBFuci\n\xEF\xBB\xBF"), ["uci", "\u{FEFF}"]);
    assert_eq!(lines_of(b"\xFF\x00\xC3\n"), ["\u{FFFD}\0\u{FFFD}"]);
}

#[test]
fn a_stop_behind_questions_is_heard_at_once() {
    let action = |line: &str| match line {
        "isready" => FastAction::Answer("readyok"),
        "stop" => FastAction::Stop,
        "quit" => FastAction::Quit,
        _ => FastAction::None,
    };
    for (lines, stops, quits) in [
        (&["stop"][..], true, false),
        (&["isready", "", "# x", "stop"], true, false),
        (&["go", "stop"], false, false),
        (&["isready", "quit"], false, true),
        (&[], false, false),
    ] {
        let fast_path = FastPath::default();
        for line in lines {
            fast_path.state().unread.push_back(Unread { head: (*line).to_owned(), ..Unread::default() });
        }
        fast_path.set_fast_action(action);
        let stop = StopHandle::default();
        fast_path.set_running(Some(Running { stops: vec![stop.clone()], patient: false }));
        assert_eq!((stop.is_set(), fast_path.state().quit_follows()), (stops, quits), "{lines:?}");
        (0..=lines.len()).for_each(|_| fast_path.done());
        assert!(!fast_path.state().quit_follows());
    }
}

#[test]
fn a_journal_grows_where_one_is_and_ends_at_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let name = path.to_str().unwrap();
    std::fs::write(&path, "echo 1\n").unwrap();
    let journal = DebugLog::default();
    assert!(journal.open(name).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "echo 1\n");
    std::fs::remove_file(&path).unwrap();
    for text in ["one", "two"] {
        journal.open(name).unwrap();
        journal.note("<<", text);
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 4 && lines[1].ends_with(" << one") && lines[3].ends_with(" << two"), "{text}");
    assert_eq!(lines[0], lines[2]);
    journal.open_up_to(text.len() + JOURNAL_MARK.len() + 40, name).unwrap();
    for _ in 0..9 {
        journal.note(">>", "0123456789");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 6);
}

#[test]
fn an_output_reports_why_it_failed_unless_the_client_left() {
    struct Failing(io::ErrorKind);
    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for (kind, reported) in [(io::ErrorKind::BrokenPipe, false), (io::ErrorKind::StorageFull, true)] {
        let output = Output::new(Failing(kind), DebugLog::default());
        assert!(output.is_open());
        output.line("x");
        assert!(!output.is_open());
        assert_eq!(output.failure().is_some(), reported, "{kind}");
    }
}

#[test]
fn a_line_longer_than_any_buffer_arrives_whole_and_an_endless_one_is_cut() {
    let long = "x".repeat(1_000_000);
    assert_eq!(lines_of(format!("{long}\nuci\n").as_bytes()), [long.as_str(), "uci"]);
    let endless = lines_of(&[vec![b'y'; MAX_LINE + 70_000], b"\nuci\n".to_vec()].concat());
    assert_eq!(endless.iter().map(String::len).collect::<Vec<_>>(), [MAX_LINE, 3]);
}

/// A client's view of the reader: a search that runs or not, and lines that are dealt with or not.
struct Nervous {
    fast_path: FastPath,
    written: Arc<Mutex<Vec<u8>>>,
    queue: (Sender<Line>, Receiver<Line>),
    stop: StopHandle,
}

impl Nervous {
    fn running(&self, patient: bool) -> Running {
        Running { stops: vec![self.stop.clone()], patient }
    }

    fn new() -> Self {
        let fast_path = FastPath::default();
        fast_path.set_fast_action(|line| match line {
            "stop" => FastAction::Stop,
            "quit" => FastAction::Quit,
            "isready" => FastAction::Answer("readyok"),
            _ => FastAction::None,
        });
        fast_path.done();
        Self { fast_path, written: Arc::default(), queue: channel::unbounded(), stop: StopHandle::default() }
    }

    /// What is written at once when `text` arrives, and whether the line is queued.
    fn pass(&self, text: &str) -> (String, bool) {
        struct Shared(Arc<Mutex<Vec<u8>>>);
        impl Write for Shared {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                lock(&self.0).extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let output = Output::new(Shared(Arc::clone(&self.written)), DebugLog::default());
        let line = Line { text: text.into(), arrived: Instant::now() };
        assert!(self.fast_path.pass(line, &self.queue.0, &output));
        let written = String::from_utf8(std::mem::take(&mut *lock(&self.written))).unwrap();
        (written, self.queue.1.try_recv().is_ok())
    }
}

#[test]
fn only_a_running_search_is_stopped_and_only_by_the_dialects_words() {
    let client = Nervous::new();
    assert_eq!(client.pass("stop"), (String::new(), true));
    assert!(!client.stop.is_set(), "no search runs");
    client.fast_path.set_running(Some(client.running(false)));
    assert_eq!(client.pass("position startpos"), (String::new(), true));
    assert!(!client.stop.is_set());
    assert_eq!(client.pass("stop"), (String::new(), true));
    assert!(client.stop.is_set());
}

#[test]
fn the_reader_answers_only_during_a_search_and_never_before_earlier_lines() {
    let client = Nervous::new();
    assert_eq!(client.pass("isready"), (String::new(), true), "no search runs");
    client.fast_path.set_running(Some(client.running(false)));
    assert_eq!(client.pass("isready"), (String::new(), true), "the first one still waits");
    client.fast_path.done();
    client.fast_path.done();
    assert_eq!(client.pass("isready"), ("readyok\n".to_owned(), false));
}

/// The line that the controller deals with, then what came after it: `quit` reaches over any number of lines,
/// and leaves some time; `stop` ends only what is begun right before it.
#[test]
fn what_came_before_a_search_stops_it_too() {
    for (lines, stopped) in [
        (&["genmove", "stop"][..], true),
        (&["genmove", "name", "stop"], false),
        (&["genmove", "name", "quit"], false),
        (&["stop"], false),
    ] {
        let client = Nervous::new();
        lines.iter().for_each(|line| drop(client.pass(line)));
        client.fast_path.set_running(Some(client.running(false)));
        assert_eq!(client.stop.is_set(), stopped, "{lines:?}");
        if lines.contains(&"quit") {
            assert!(!client.fast_path.is_ending());
            std::thread::sleep(GRACE + Duration::from_millis(300));
            assert!(client.fast_path.is_ending() && client.stop.is_set(), "after its time");
        }
    }
}

/// Until the protocol is known, so is not its word for the end.
#[test]
fn quit_that_came_before_the_protocol_was_known_ends_a_search() {
    let fast_path = FastPath::default();
    fast_path.done();
    let client = Nervous { fast_path, ..Nervous::new() };
    ["genmove", "name", "quit"].iter().for_each(|line| drop(client.pass(line)));
    client.fast_path.set_fast_action(|line| match line {
        "quit" => FastAction::Quit,
        _ => FastAction::None,
    });
    client.fast_path.set_running(Some(client.running(false)));
    std::thread::sleep(GRACE + Duration::from_millis(300));
    assert!(client.fast_path.is_ending() && client.stop.is_set());
}

/// One answer that waits for its reader must not keep the thread from hearing what comes next.
#[test]
fn the_reader_waits_for_no_writer() {
    let client = Nervous::new();
    client.fast_path.set_running(Some(client.running(false)));
    let output = Output::new(io::sink(), DebugLog::default());
    let held = lock(&output.sink);
    let line = Line { text: "isready".into(), arrived: Instant::now() };
    assert!(client.fast_path.pass(line, &client.queue.0, &output));
    assert_eq!(client.queue.1.try_recv().unwrap().text, "isready");
    drop(held);
}

#[test]
fn a_client_that_sends_more_than_is_read_is_held() {
    let client = Nervous::new();
    let (fast_path, lines) = (client.fast_path.clone(), client.queue.0.clone());
    let sender = std::thread::spawn(move || {
        let output = Output::new(io::sink(), DebugLog::default());
        let line = || Line { text: "name".into(), arrived: Instant::now() };
        (0..2 * MAX_UNREAD).for_each(|_| assert!(fast_path.pass(line(), &lines, &output)));
    });
    // However slow the machine is: as much as may wait has come, and no more comes.
    while client.queue.1.len() < MAX_UNREAD {
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(100));
    assert!(!sender.is_finished() && client.queue.1.len() <= MAX_UNREAD + 1);
    for _ in 0..2 * MAX_UNREAD {
        client.queue.1.recv().unwrap();
        client.fast_path.done();
    }
    sender.join().unwrap();
}

/// A pipe whose other end is closed after some bytes.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_noticed_and_written_no_more() {
    let output = Output::new(Closing(8), DebugLog::default());
    output.line("readyok");
    assert!(output.is_open());
    output.line("readyok");
    assert!(!output.is_open());
    output.line("readyok");
}
