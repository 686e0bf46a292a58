//! One check: how the engine is started, how long it is waited for, and what was found.

use super::catalog::Finding;
use super::engine::{Commands, Engine, TrafficLine};
use crate::client::player::EngineProtocol;
use crate::client::process::CommandLine;
use crate::games::record::GameKind;
use crate::util::lang::{Bilingual, Language};
use crate::util::message::Message;
use crate::util::sync::lock;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A check was aborted: a finding has the reason, or there is nothing to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aborted;

pub type Checked<T = ()> = Result<T, Aborted>;

/// A group of checks: each starts the engine anew, so that a crash in one hides nothing of the others.
pub struct Group {
    pub name: &'static str,
    pub run: fn(&mut CheckRun) -> Checked,
}

/// Something found, as often as it was found.
#[derive(Debug, Serialize)]
pub struct Reported {
    #[serde(serialize_with = "id_of")]
    pub finding: &'static Finding,
    /// The particulars of the first time.
    #[serde(serialize_with = "english")]
    pub detail: Message,
    pub times: u32,
    /// The lines that show it the first time.
    pub traffic: Vec<TrafficLine>,
}

fn english<S: serde::Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(message.text(Language::English))
}

fn id_of<S: serde::Serializer>(finding: &&Finding, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(finding.id)
}

/// A group that was run: how long it took, how often it started the engine, and what it sent.
pub struct Tried {
    pub name: &'static str,
    pub took: Duration,
    pub starts: u32,
    pub commands: BTreeMap<String, usize>,
}

pub struct CheckRun {
    pub command: CommandLine,
    /// Options to set in every process.
    pub options: Vec<(String, String)>,
    pub protocol: EngineProtocol,
    pub kind: GameKind,
    /// How long an answer without a clock is waited for.
    pub patience: Duration,
    /// How long features of XBoard's protocol are waited for; less once it is known that there are none.
    pub features: Duration,
    /// Leave out what takes long.
    pub quick: bool,
    pub name: String,
    pub facts: Vec<(Bilingual, String)>,
    pub found: Vec<Reported>,
    /// The groups that were run.
    pub tried: Vec<Tried>,
    /// What the present group has sent.
    pub commands: Commands,
    /// Processes that the present group has started.
    pub starts: u32,
    /// Why the engine could not be started: there is nothing to judge.
    pub unstarted: Option<Message>,
}

/// Minimum time to wait for the first answer: a program has to be loaded.
pub const START: Duration = Duration::from_secs(10);

impl CheckRun {
    /// How long the first answer is waited for.
    pub fn start_patience(&self) -> Duration {
        self.patience.max(START)
    }

    pub fn start(&mut self) -> Checked<Engine> {
        self.starts += 1;
        Engine::start(&self.command, Commands::clone(&self.commands)).map_err(|why| {
            self.unstarted = Some(why);
            Aborted
        })
    }

    /// Runs a group. One that aborts has noted why.
    pub fn run(&mut self, group: &Group) {
        let began = Instant::now();
        (self.starts, self.commands) = Default::default();
        let _ = (group.run)(self);
        let commands = std::mem::take(&mut *lock(&self.commands));
        self.tried.push(Tried { name: group.name, took: began.elapsed(), starts: self.starts, commands });
    }

    /// Notes a finding with the traffic since `mark`.
    pub fn report(
        &mut self,
        finding: &'static Finding,
        detail: impl Into<Message>,
        engine: &Engine,
        mark: usize,
    ) {
        if let Some(found) = self.found.iter_mut().find(|found| found.finding == finding) {
            found.times += 1;
            return;
        }
        let detail = detail.into();
        let traffic = engine.excerpt(mark, detail.text(Language::English));
        self.found.push(Reported { finding, detail, times: 1, traffic });
    }
}
