//! Prints the progress of a match from a thread of its own, so that a stopped terminal or a full pipe does
//! not keep games from the disk.

use super::progress::Progress;
use crate::arbiter::fixture::Fixture;
use crate::arbiter::standings::Standings;
use crate::games::record::GameRecord;
use crate::util::message::Message;
use crate::util::sync::lock;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::{Arc, Mutex};
use std::thread::{Builder, JoinHandle};

enum News {
    Started(Fixture),
    Again(usize),
    Remarked(String, Message),
    Finished(Box<GameRecord>),
    Ended(Box<Standings>),
}

/// The thread. Everything is printed when this has been dropped.
pub struct MatchPrinter {
    /// None while it is dropped.
    news: Option<Sender<News>>,
    thread: Option<JoinHandle<()>>,
    /// The results with the last game. Those of each would fill the memory while the terminal is blocked.
    latest: Arc<Mutex<Option<Standings>>>,
}

impl Drop for MatchPrinter {
    fn drop(&mut self) {
        self.news = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl MatchPrinter {
    pub fn new(progress: Progress) -> io::Result<Self> {
        let (news, events) = unbounded();
        let latest = Arc::<Mutex<Option<Standings>>>::default();
        let shared = Arc::clone(&latest);
        let thread =
            Builder::new().name("printer".into()).spawn(move || print(progress, &events, &shared))?;
        Ok(Self { news: Some(news), thread: Some(thread), latest })
    }

    pub fn started(&self, fixture: &Fixture) {
        self.send(News::Started(*fixture));
    }

    /// A game is played again.
    pub fn again(&self, number: usize) {
        self.send(News::Again(number));
    }

    pub fn remarked(&self, engine: &str, remark: &Message) {
        self.send(News::Remarked(engine.to_owned(), remark.clone()));
    }

    pub fn finished(&self, record: &GameRecord, standings: &Standings) {
        // Only the end of a game is printed. The moves of all waiting games would fill the memory.
        let record = GameRecord { plies: Vec::new(), ..record.clone() };
        *lock(&self.latest) = Some(standings.clone());
        self.send(News::Finished(Box::new(record)));
    }

    /// The match has ended, with these results. Everything is printed when this returns.
    pub fn end(self, standings: &Standings) {
        self.send(News::Ended(Box::new(standings.clone())));
    }

    fn send(&self, news: News) {
        // The thread ends after this end of the channel.
        let _ = self.news.as_ref().map(|sender| sender.send(news));
    }
}

fn print(mut progress: Progress, events: &Receiver<News>, latest: &Mutex<Option<Standings>>) {
    let mut standings = None;
    for news in events {
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
