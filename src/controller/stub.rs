//! An engine that plays no game, and a client that drives a session with it: for tests of everything
//! above the engines.

use super::{Config, Controller, Session};
use crate::engine::{
    AnyEngine, BestMove, Engine, Event, GameId, HashProbe, Info, Limits, OptionKind, OptionSpec,
    PositionSpec, Score, Side, StopFlag, StopHandle,
};
use crate::protocol::io::{self, DebugLog, FastPath, Output};
use crate::util::message::Message;
use crossbeam::channel::{self, Receiver, Sender};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub type Calls = Arc<Mutex<Vec<String>>>;

/// The scripted engine. A search ends at once, but: `depth 99` searches until stopped; pondering,
/// until the ponder hit; infinite, until stopped. `mate` of 1 ends at once whatever else is asked, and
/// `mate` of 2 breaks off without a best move.
pub struct Stub {
    game: GameId,
    calls: Calls,
    side: Side,
    stop: StopHandle,
    hit: Arc<AtomicBool>,
    search: Option<JoinHandle<()>>,
}

impl Stub {
    pub fn new(game: GameId, calls: Calls) -> Self {
        let side = Side::First;
        Self { game, calls, side, stop: StopHandle::default(), hit: Arc::default(), search: None }
    }

    fn note(&self, call: String) {
        self.calls.lock().unwrap().push(call);
    }
}

fn search(limits: &Limits, stop: &StopHandle, hit: &AtomicBool, events: &Sender<Event>) {
    let began = Instant::now();
    let info = Info {
        depth: 300,
        seldepth: 301,
        multipv: 1,
        score: Score::Centipawns(-35),
        bound: Default::default(),
        wdl: Some([100, 800, 100]),
        nodes: 5_000_000_000,
        time: Duration::from_millis(1234),
        hashfull: 7,
        tbhits: 0,
        pv: vec!["a1a2".into(), "b1b2".into()],
    };
    let _ = events.send(Event::Info(info));
    let endless = limits.infinite || limits.depth == Some(99);
    let waits = || endless || (limits.ponder && !hit.load(Relaxed));
    while limits.mate.is_none() && waits() && !stop.is_set() {
        assert!(began.elapsed() < Duration::from_secs(60), "never stopped");
        std::thread::yield_now();
    }
    if limits.mate != Some(2) {
        let mv = limits.search_moves.first().cloned().unwrap_or_else(|| "a1a2".into());
        let end = BestMove { mv: Some(mv), ponder: None, draw: limits.draw_offered, resign: false };
        let _ = events.send(Event::BestMove(end));
    }
}

fn declared(game: GameId) -> Vec<OptionSpec> {
    let spec = |name, kind| OptionSpec::new(name, kind, "", "");
    let rules = OptionKind::Combo { default: "chinese", choices: &["chinese", "asian"] };
    let mut all = vec![
        spec("Hash", OptionKind::spin(16, 1, 1024)),
        spec("Threads", OptionKind::spin(1, 1, 8)),
        spec("Clear Hash", OptionKind::Button),
        spec("EvalFile", OptionKind::text("")),
    ];
    if game == GameId::Xiangqi {
        let number = |name| spec(name, OptionKind::spin(0, -100, 100));
        all.push(spec("Repetition Rule", rules));
        all.extend(["Idle", "Randomness", "Contempt", "No Progress Limit"].map(number));
        let pruning = OptionKind::Combo { default: "large", choices: &["none", "small", "medium", "large"] };
        all.push(spec("Pruning", pruning));
    }
    all
}

impl Engine for Stub {
    fn game(&self) -> GameId {
        self.game
    }
    fn options(&self) -> Vec<OptionSpec> {
        declared(self.game)
    }
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Message> {
        assert!(self.search.is_none(), "an option was set while searching");
        if value == "/missing" {
            return Err(format!("{value}: no such file").into());
        }
        if value == "/slow" {
            std::thread::sleep(io::GRACE + Duration::from_millis(200));
        }
        self.note(format!("{} {name}={value}", self.game.name()));
        Ok(())
    }
    fn new_game(&mut self) {
        assert!(self.search.is_none());
        self.note("new".into());
    }
    fn set_position(&mut self, spec: &PositionSpec) -> Result<(), Message> {
        assert!(self.search.is_none(), "a position was set while searching");
        let PositionSpec { fen, moves, notation } = spec;
        if fen.as_deref().is_some_and(|fen| fen.starts_with("bad")) {
            return Err("bad fen".into());
        }
        self.side = if moves.len() % 2 == 1 { Side::Second } else { Side::First };
        let fen = fen.as_deref().unwrap_or("startpos");
        self.note(format!("{} {notation:?} {fen} [{}]", self.game.name(), moves.join(" ")));
        Ok(())
    }
    fn side_to_move(&self) -> Side {
        self.side
    }
    fn go(&mut self, mut limits: Limits, events: Sender<Event>) -> Result<(), Message> {
        assert!(self.search.is_none(), "a second search was started");
        assert!(limits.received.take().is_some());
        self.note(format!("{limits:?}"));
        self.stop.clear();
        self.hit.store(false, Relaxed);
        let (stop, hit) = (Arc::clone(&self.stop), Arc::clone(&self.hit));
        self.search = Some(std::thread::spawn(move || search(&limits, &stop, &hit, &events)));
        Ok(())
    }
    fn stop_handle(&self) -> StopHandle {
        Arc::clone(&self.stop)
    }
    fn ponder_hit(&mut self, draw_offered: bool) {
        self.note(format!("hit {draw_offered}"));
        self.hit.store(true, Relaxed);
    }
    fn wait(&mut self) {
        if let Some(search) = self.search.take() {
            search.join().unwrap();
        }
    }
    fn diagram(&self) -> String {
        "+---+\n|   |".into()
    }
    fn explain_evaluation(&mut self) -> String {
        "total 12".into()
    }
    fn perft(&self, depth: u32, _: &StopFlag) -> Option<Vec<(String, u64)>> {
        Some(vec![("a1a2".into(), u64::from(depth)), ("b1b2".into(), 10)])
    }
    fn probe(&self, spec: &PositionSpec) -> Result<Option<HashProbe>, Message> {
        let best_move = Some("h2e2".into());
        let [lower, upper] = [(5, 9), (7, 8)].map(|(cp, depth)| Some((Score::Centipawns(cp), depth)));
        Ok(spec.fen.is_none().then_some(HashProbe { best_move, lower, upper }))
    }
    fn static_evaluation(&mut self) -> i32 {
        -12
    }
    fn bench(&mut self, depth: Option<u32>, _: &StopFlag) -> (u64, Duration) {
        (u64::from(depth.unwrap_or(13)), Duration::from_millis(1))
    }
}

pub struct Client {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    pub calls: Calls,
    session: Option<JoinHandle<()>>,
}

impl Client {
    /// Starts a session; `protocol` `None` leaves it to the first word.
    pub fn start(protocol: Option<&str>, game: Option<GameId>) -> Self {
        let protocol = protocol.map(|name| crate::protocol::by_name(name).unwrap());
        Self::start_with(Config { protocol, game, ..Config::default() })
    }

    /// Starts a session with a configuration of any kind.
    pub fn start_with(config: Config) -> Self {
        let (input, source) = channel::unbounded();
        let (sink, output) = channel::unbounded();
        let calls = Calls::default();
        let engine_calls = Arc::clone(&calls);
        let session = std::thread::spawn(move || {
            let (journal, fast_path) = (DebugLog::default(), FastPath::default());
            let output = Output::new(Sink(sink), journal.clone());
            let input = io::read(Source(source, vec![]), fast_path.clone(), output.clone()).unwrap();
            let factory = move |game| match game {
                GameId::Go => AnyEngine::new(game),
                _ => AnyEngine::Board(Box::new(Stub::new(game, Arc::clone(&engine_calls)))),
            };
            let session = Session::new((Box::new(factory), declared), output, fast_path, journal, false);
            Controller::new(config, input, session).run();
        });
        Self { input: Some(input), output, calls, session: Some(session) }
    }

    pub fn send(&self, lines: &str) {
        // A session that has quit listens no more.
        let _ = self.input.as_ref().unwrap().send(format!("{lines}\n").into_bytes());
    }

    /// Ends the input, waits for the end of the session, and returns what it still wrote.
    pub fn finish(mut self) -> Vec<String> {
        self.input = None;
        let rest = self.output.iter().collect();
        self.session.take().unwrap().join().unwrap();
        rest
    }

    /// The lines up to and including the first that begins with `text`.
    pub fn until(&self, text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(text)) {
            match self.output.recv_timeout(Duration::from_secs(20)) {
                Ok(line) => lines.push(line),
                Err(e) => panic!("{e}: '{text}' expected after {lines:?}"),
            }
        }
        lines
    }

    /// The calls of the engine since the last time.
    pub fn calls(&self) -> Vec<String> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

/// Sends `lines` all at once, ends the input, and returns all output.
pub fn converse(protocol: Option<&str>, lines: &str) -> Vec<String> {
    let client = Client::start(protocol, None);
    client.send(lines);
    client.finish()
}

struct Source(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = self.1.len().min(into.len());
        into[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

struct Sink(Sender<String>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let line = String::from_utf8(bytes.to_vec()).unwrap();
        let _ = self.0.send(line.strip_suffix('\n').unwrap().to_owned());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
