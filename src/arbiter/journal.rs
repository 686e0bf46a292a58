//! What survives a match that is interrupted, and what explains a game that went wrong.
//!
//! The *journal* has a line of JSON for the match and one for each finished game, on disk before the game is
//! counted. A match killed at any moment goes on from it: a half-written last line is cut off, and that game
//! is played again. The file is locked as long as a match writes it. The *trace* has a line for every line
//! that went to or came from an engine.

use super::config::MatchConfig;
use super::tournament::{ExtraGame, MakeTap, stranger};
use super::under_way::UnderWay;
use crate::client::player::Tap;
use crate::ensure;
use crate::games::record::GameRecord;
use crate::message;
use crate::util::files::{self, AppendFile, Lock};
use crate::util::message::Message;
use crate::util::sync;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalEntry {
    Match(Box<MatchConfig>),
    Game(Box<GameRecord>),
}

/// A journal being written.
pub struct Journal {
    file: AppendFile,
}

#[derive(PartialEq, Debug)]
pub struct JournaledMatch {
    /// How the match was set up.
    pub config: MatchConfig,
    /// The games that are finished, in the order they ended.
    pub games: Vec<GameRecord>,
}

fn at<E: Into<Message>>(path: &Path) -> impl Fn(E) -> Message + '_ {
    move |why| files::at(path, why)
}

fn cannot_write(error: io::Error) -> Message {
    message!("cannot write the journal: {why}" | "写不了日志：{why}", why = Message::from(error))
}

/// Locks a journal until it is closed: two matches on one would play every game twice.
fn lock(file: &File, path: &Path) -> Result<(), Message> {
    match files::lock(file, path).map_err(at(path))? {
        Lock::Taken => Err(at(path)(message!("a match is running on it" | "有一场比赛正在使用它"))),
        Lock::Ours | Lock::None => Ok(()),
    }
}

impl Journal {
    pub fn create(path: &Path, config: &MatchConfig) -> Result<Self, Message> {
        // An empty file is what is left where there was no room for the first line.
        let options = File::options().append(true).create(true).clone();
        let file = files::open_regular(path, &options).map_err(at(path))?;
        lock(&file, path)?;
        if file.metadata().map_err(at(path))?.len() > 0 {
            return Err(at(path)(message!(
                "there is one already; --resume goes on" | "它已经存在；接着下用 --resume"
            )));
        }
        // Games of an earlier match that was taken away.
        UnderWay::beside(path).clear();
        let mut journal = Self { file: AppendFile::new(file, path).map_err(at(path))? };
        journal.write([JournalEntry::Match(Box::new(config.clone()))]).map_err(|error| {
            let _ = std::fs::remove_file(path);
            at(path)(error)
        })?;
        Ok(journal)
    }

    /// Reads a journal and opens it to go on. A half-written last line is cut off.
    pub fn resume(path: &Path) -> Result<(Self, JournaledMatch), Message> {
        let file = File::options().read(true).append(true).open(path).map_err(at(path))?;
        lock(&file, path)?;
        let (kept, whole) = read_entries(&file, path)?;
        file.set_len(whole).map_err(at(path))?;
        Ok((Self { file: AppendFile::new(file, path).map_err(at(path))? }, kept))
    }

    /// Writes down how the match goes on, where that is not how it was set up.
    pub fn settings(&mut self, config: &MatchConfig) -> Result<(), Message> {
        let entry = JournalEntry::Match(Box::new(config.clone()));
        self.write([entry]).map_err(cannot_write)
    }

    /// Writes a finished game down; it is on disk when this returns.
    pub fn game(&mut self, record: &GameRecord) -> Result<(), Message> {
        self.games(std::slice::from_ref(record))
    }

    /// Writes finished games down; they are on disk when this returns.
    pub fn games(&mut self, records: &[GameRecord]) -> Result<(), Message> {
        let entries = records.iter().map(|record| JournalEntry::Game(Box::new(record.clone())));
        self.write(entries).map_err(cannot_write)
    }

    fn write(&mut self, entries: impl IntoIterator<Item = JournalEntry>) -> io::Result<()> {
        let mut lines = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut lines, &entry)?;
            lines.push(b'\n');
        }
        self.file.write_all(&lines)?;
        self.file.flush()
    }
}

impl JournaledMatch {
    /// Reads a journal and leaves it as it is, a half-written last line too.
    pub fn read(path: &Path) -> Result<Self, Message> {
        let file = File::open(path).map_err(at(path))?;
        Ok(read_entries(&file, path)?.0)
    }

    /// Whether the match can go on as `config` has it: the games keep their places in the schedule.
    /// # Errors
    /// The first game that has another place, and what to do.
    pub fn goes_on_by(&self, config: &MatchConfig) -> Result<(), Message> {
        // Two engines may have played more games than are asked for now.
        let extra = if config.engines.len() == 2 { ExtraGame::Accept } else { ExtraGame::Reject };
        let Some(game) = stranger(config, &self.games, extra) else { return Ok(()) };
        let (number, before, now) = (game.ordinal(), self.config.games, config.games);
        Err(match before == now {
            true => message!(
                "its game {number} is not in the schedule: \
                 an earlier version began the match, or it had other rounds"
                    | "赛程里没有它的第 {number} 局：比赛由较早的版本开始，或轮数不同",
                number
            ),
            false => message!(
                "its game {number} is not in the schedule with --games {now}: \
                 go on with --games {before}, and --rounds for more"
                    | "--games {now} 的赛程里没有它的第 {number} 局：请保持 --games {before}，要多下就用 --rounds",
                number,
                now,
                before
            ),
        })
    }
}

fn unreadable(path: &Path, line: usize) -> impl Fn(serde_json::Error) -> Message {
    move |why| Message::from(format!("{}:{line}: {why}", path.display()))
}

/// Reads whole lines; returns their length in bytes, too.
fn read_entries(file: &File, path: &Path) -> Result<(JournaledMatch, u64), Message> {
    let (mut config, mut games, mut seen) = (None, Vec::<GameRecord>::new(), HashSet::new());
    let (mut whole, mut number) = (0_u64, 0_usize);
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = files::read_line(&mut reader, &mut line).map_err(at(path))?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number = number.saturating_add(1);
        match serde_json::from_slice(&line).map_err(unreadable(path, number))? {
            JournalEntry::Match(found) => config = Some(*found),
            JournalEntry::Game(game) if seen.insert(game.number) => games.push(*game),
            JournalEntry::Game(_) => {}
        }
        whole = whole.saturating_add(length as u64);
    }
    let config =
        config.ok_or_else(|| at(path)(message!("no match is described in it" | "其中没有比赛的说明")))?;
    Ok((JournaledMatch { config, games }, whole))
}

/// One line to or from an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Traffic {
    /// Microseconds since the match started or went on. Lines are in the order in which the manager dealt
    /// with them: one received while an engine pondered may be older than the one before it.
    pub us: u64,
    /// Number of the game, from 1 as people count.
    pub game: usize,
    pub engine: String,
    /// Whether the engine was sent it.
    pub sent: bool,
    pub line: String,
}

/// Where the lines of a trace come from: a match that started, or went on.
#[derive(Serialize, Deserialize)]
struct TraceStart {
    /// Seconds since 1970.
    session: u64,
}

/// What is written when the manager stood still and plays a game again: what stands before it is of no game.
#[derive(Serialize, Deserialize)]
struct Again {
    /// Number of the game, from 1.
    again: usize,
}

/// A trace being written. A full disk must not decide games: what could not be written is reported at the
/// end.
pub struct Trace {
    sink: Arc<Sink>,
}

impl Trace {
    /// Opens the file, or makes it; what stands in it stays, but for half a line at its end.
    pub fn open(path: &Path) -> Result<Self, Message> {
        Self::begin(path).map_err(at(path))
    }

    fn begin(path: &Path) -> Result<Self, Message> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        if file.metadata()?.is_file() {
            ensure!(files::lock(&file, path)? != Lock::Taken, "a match is writing it" | "有一场比赛正在写它");
            let mut beginning = Vec::new();
            (&file).take(BEGINNING.len() as u64).read_to_end(&mut beginning)?;
            ensure!(
                BEGINNING.starts_with(&beginning),
                "it holds something that this program did not write" | "其中有不是本程序写的内容"
            );
            cut_last_line(&mut file)?;
        }
        let session = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let mut line = serde_json::to_vec(&TraceStart { session }).map_err(io::Error::from)?;
        line.push(b'\n');
        file.write_all(&line)?;
        let sink = Sink { file: Mutex::new((file, None)), listened: Mutex::default(), start: Instant::now() };
        Ok(Self { sink: Arc::new(sink) })
    }

    /// Makes the listeners that feed it.
    pub fn taps(&self) -> MakeTap {
        let sink = Arc::clone(&self.sink);
        Arc::new(move |game, engine| {
            if !sync::lock(&sink.listened).insert((game, engine.to_owned())) {
                sink.write(&Again { again: game.saturating_add(1) });
            }
            Arc::new(Listener {
                sink: Arc::clone(&sink),
                game: game.saturating_add(1),
                engine: engine.to_owned(),
            })
        })
    }

    /// Why it is not whole, if it is not.
    pub fn failure(&self) -> Option<Message> {
        sync::lock(&self.sink.file).1.clone()
    }
}

/// How a trace begins.
const BEGINNING: &[u8] = b"{\"session\":";

/// Takes away what stands behind the last end of a line.
#[allow(clippy::arithmetic_side_effects, reason = "places within the file")]
fn cut_last_line(file: &mut File) -> io::Result<()> {
    let length = file.metadata()?.len();
    let mut end = length;
    let mut block = vec![0; 1 << 16];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let block = block.get_mut(..(end - start) as usize).unwrap_or_default();
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)?;
        if let Some(at) = block.iter().rposition(|&b| b == b'\n') {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    if end < length { file.set_len(end) } else { Ok(()) }
}

/// Reads the traffic of one game, as it was played last: an interrupted game is played again. Half a line at
/// the end of the file is what an interruption left.
pub fn traffic_of(path: &Path, game: usize) -> Result<Vec<Traffic>, Message> {
    let mut reader = BufReader::new(File::open(path).map_err(at(path))?);
    let (mut found, mut session) = (Vec::new(), Vec::new());
    let (mut line, mut number) = (Vec::new(), 0_usize);
    loop {
        line.clear();
        files::read_line(&mut reader, &mut line).map_err(at(path))?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number = number.saturating_add(1);
        if serde_json::from_slice::<TraceStart>(&line).is_ok() {
            found = if session.is_empty() { found } else { std::mem::take(&mut session) };
            continue;
        }
        if let Ok(Again { again }) = serde_json::from_slice(&line) {
            if again == game {
                session.clear();
            }
            continue;
        }
        let traffic: Traffic = serde_json::from_slice(&line).map_err(unreadable(path, number))?;
        if traffic.game == game {
            session.push(traffic);
        }
    }
    Ok(if session.is_empty() { found } else { session })
}

struct Sink {
    /// The file, and the first thing that went wrong with it.
    file: Mutex<(File, Option<Message>)>,
    /// The games and engines that were listened to.
    listened: Mutex<HashSet<(usize, String)>>,
    start: Instant,
}

impl Sink {
    fn write(&self, entry: &impl Serialize) {
        let Ok(mut line) = serde_json::to_vec(entry) else { return };
        line.push(b'\n');
        let (file, failure) = &mut *sync::lock(&self.file);
        // After half a line nothing more would be read.
        if failure.is_none() {
            *failure = file.write_all(&line).err().map(Message::from);
        }
    }
}

struct Listener {
    sink: Arc<Sink>,
    game: usize,
    engine: String,
}

impl Tap for Listener {
    fn line(&self, sent: bool, at: Instant, text: &str) {
        let us = at.saturating_duration_since(self.sink.start).as_micros() as u64;
        let (engine, line) = (self.engine.clone(), text.to_owned());
        self.sink.write(&Traffic { us, game: self.game, engine, sent, line });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arbiter::fixture::Fixture;
    use crate::arbiter::testing::unplayed;
    use crate::client::player::EngineSpec;
    use tempfile::tempdir;

    /// A match between this number of engines, with these games: round, pair and seats.
    fn kept(engines: usize, games: usize, played: &[(usize, usize, [usize; 2])]) -> JournaledMatch {
        let spec = |i: usize| EngineSpec { name: i.to_string(), ..EngineSpec::default() };
        let config =
            MatchConfig { games, engines: (0..engines).map(spec).collect(), ..MatchConfig::default() };
        let record = |(number, &(round, pair, seats)): (usize, &(usize, usize, [usize; 2]))| {
            unplayed(&config, &Fixture { number, round, pair, seats, deciding: false }, [true, false])
        };
        let games = played.iter().enumerate().map(record).collect();
        JournaledMatch { config, games }
    }

    #[test]
    fn a_match_goes_on_where_its_games_keep_their_places() {
        let three = kept(3, 2, &[(1, 0, [1, 2]), (1, 0, [2, 1]), (1, 1, [0, 1])]);
        let by = |kept: &JournaledMatch, games, rounds| {
            kept.goes_on_by(&MatchConfig { games, rounds, ..kept.config.clone() })
        };
        assert_eq!([by(&three, 2, 1), by(&three, 2, 5)], [Ok(()), Ok(())]);
        let refused = by(&three, 4, 1).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "its game 3 is not in the schedule with --games 4: go on with --games 2, and --rounds for more"
        );
        let two = kept(2, 2, &[(1, 0, [0, 1]), (1, 0, [1, 0])]);
        assert_eq!([by(&two, 2, 1), by(&two, 200, 1), by(&two, 2, 9)], [Ok(()), Ok(()), Ok(())]);
        let longer = kept(2, 4, &[(1, 0, [0, 1]), (1, 0, [1, 0]), (1, 1, [0, 1])]);
        assert_eq!(by(&longer, 2, 1), Ok(()));
    }

    #[test]
    fn a_match_that_gave_the_first_move_to_the_same_engine_is_not_mixed_with_one_that_does_not() {
        let old = kept(2, 1, &[(1, 0, [0, 1]), (2, 1, [0, 1])]);
        let refused = old.goes_on_by(&MatchConfig { rounds: 4, ..old.config.clone() }).unwrap_err();
        assert!(
            refused.to_string().starts_with("its game 2 is not in the schedule: an earlier version"),
            "{refused}"
        );
    }

    #[test]
    fn a_journal_has_one_writer() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("k.jsonl");
        let journal = Journal::create(&path, &MatchConfig::default()).unwrap();
        assert!(Journal::resume(&path).err().unwrap().to_string().contains("a match is running"));
        drop(journal);
        let (mut journal, kept) = Journal::resume(&path).unwrap();
        // What is changed at a resumption holds at the next one.
        let changed = MatchConfig { rounds: 7, ..kept.config };
        journal.settings(&changed).unwrap();
        drop(journal);
        assert_eq!(Journal::resume(&path).unwrap().1.config, changed);
        // Where a file can be taken away while it is open, that is noticed.
        let (mut journal, _) = Journal::resume(&path).unwrap();
        let is_gone = std::fs::remove_file(&path).is_ok();
        let lines = journal.settings(&changed);
        assert!(!crate::util::system::IS_LINUX || is_gone && lines.is_err(), "{lines:?}");
    }

    #[test]
    fn a_trace_goes_on_where_it_was_torn() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("t.jsonl");
        let play = |game: usize, text: &str| {
            let trace = Trace::open(&path).unwrap();
            trace.taps()(game - 1, "A").line(true, Instant::now(), text);
            assert_eq!(trace.failure(), None);
        };
        let lines = |game: usize| -> Vec<String> {
            traffic_of(&path, game).unwrap().into_iter().map(|t| t.line).collect()
        };
        play(1, "first");
        play(2, "cut short");
        let text = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&text[..], br#"{"us":1,"ga"#].concat()).unwrap();
        assert_eq!((lines(1), lines(2)), (vec!["first".to_owned()], vec!["cut short".to_owned()]));
        play(2, "again");
        // A game that is played again within a session counts as it was played last.
        let trace = Trace::open(&path).unwrap();
        for text in ["stood still", "played on"] {
            trace.taps()(2, "A").line(true, Instant::now(), text);
        }
        drop(trace);
        assert_eq!(lines(3), ["played on"]);
        assert_eq!((lines(1), lines(2)), (vec!["first".to_owned()], vec!["again".to_owned()]));
    }

    #[test]
    fn a_full_disk_is_reported() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let trace = Trace::open(Path::new("/dev/full"));
        assert!(trace.is_err_and(|e| e.to_string().contains("/dev/full") && e.to_string().contains("space")));
    }
}
