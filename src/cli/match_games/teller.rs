//! Tells of a match from a thread of its own: a terminal that is held, or a pipe that nobody reads, keeps no game from the
//! disk.

use super::progress::Progress;
use crate::arbiter::fixture::Fixture;
use crate::arbiter::standings::Standings;
use crate::games::record::GameRecord;
use crate::util::sync::lock;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

/// What there is to tell.
enum News {
    Started(Fixture),
    Again(usize),
    Remarked(String, String),
    Finished(Box<GameRecord>),
    Ended(Box<Standings>),
}

/// The thread. All is told when this is dropped.
pub struct Teller {
    /// None while it is dropped.
    news: Option<Sender<News>>,
    thread: Option<JoinHandle<()>>,
    /// The results with the last game. Those of each would fill the memory while nobody reads.
    latest: Arc<Mutex<Option<Standings>>>,
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.news = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl Teller {
    /// Starts it.
    /// # Errors
    /// The system has no thread.
    pub fn new(progress: Progress) -> io::Result<Self> {
        let (news, told) = unbounded();
        let latest = Arc::<Mutex<Option<Standings>>>::default();
        let shared = Arc::clone(&latest);
        let thread = Builder::new().name("teller".into()).spawn(move || tell(progress, &told, &shared))?;
        Ok(Self { news: Some(news), thread: Some(thread), latest })
    }

    /// A game has started.
    pub fn started(&self, fixture: &Fixture) {
        self.send(News::Started(*fixture));
    }

    /// A game is played again.
    pub fn again(&self, number: usize) {
        self.send(News::Again(number));
    }

    /// An engine said something about its options.
    pub fn remarked(&self, engine: &str, remark: &str) {
        self.send(News::Remarked(engine.to_owned(), remark.to_owned()));
    }

    /// A game has ended.
    pub fn finished(&self, record: &GameRecord, standings: &Standings) {
        // Of a game it tells the end alone. The moves of all that wait would fill the memory.
        let record = GameRecord { plies: Vec::new(), ..record.clone() };
        *lock(&self.latest) = Some(standings.clone());
        self.send(News::Finished(Box::new(record)));
    }

    /// The match has ended, with these results. All is told when this returns.
    pub fn end(self, standings: &Standings) {
        self.send(News::Ended(Box::new(standings.clone())));
    }

    fn send(&self, news: News) {
        // The thread ends after this end of the channel.
        let _ = self.news.as_ref().map(|told| told.send(news));
    }
}

fn tell(mut progress: Progress, told: &Receiver<News>, latest: &Mutex<Option<Standings>>) {
    let mut standings = None;
    for news in told {
        match news {
            News::Started(fixture) => progress.started(&fixture),
            News::Again(number) => progress.again(number),
            News::Remarked(engine, remark) => progress.remarked(&engine, &remark),
            News::Finished(game) => {
                standings = lock(latest).take().or(standings);
                if let Some(standings) = &standings {
                    progress.finished(&game, standings);
                }
            }
            News::Ended(standings) => return progress.finish(&standings),
        }
    }
    progress.clear();
}
