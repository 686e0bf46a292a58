//! Queries: what to search, and what to report.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::bans::{self, RootMoves};
use super::fields::{self, FieldError, flag, integer, integers, number, string};
use super::settings::{self, Perspective, Settings, Taken};
use super::subject::Subject;
use crate::engine::go::Ban;
use crate::games::record::GameKind;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Visits of a Go position by default, as in KataGo's own configuration.
const VISITS: u64 = 500;
/// Nodes of a position of chess or xiangqi.
const NODES: u64 = 200_000;
/// Maximum of a priority, far beyond any in use.
const MAX_PRIORITY: i64 = 1 << 62;

/// The warning about known settings without effect.
const NO_EFFECT: &str = "Known, but without effect in this search";

/// A query while it is read.
pub(super) struct Context<'a> {
    input: &'a Value,
    settings: Settings,
    /// Requests that cannot be met.
    pub warnings: Vec<FieldError>,
}

/// Positions of one game to be searched.
#[derive(Debug)]
pub struct Query {
    shared: Arc<Shared>,
    turns: Vec<(usize, i64)>,
}

#[derive(Clone, Debug)]
pub(super) struct Task {
    /// The part shared by all positions of its query.
    pub shared: Arc<Shared>,
    /// Moves played before it.
    pub turn: usize,
    /// Greater ones come first.
    pub priority: i64,
}

/// The part shared by all positions of a query.
#[derive(Debug)]
pub(super) struct Shared {
    pub id: String,
    pub subject: Subject,
    /// Visits (nodes) of a position.
    pub visits: u64,
    pub time: Option<Duration>,
    /// Lines of chess and xiangqi that are searched.
    pub lines: usize,
    /// Moves of a line that are reported.
    pub pv_length: usize,
    /// The side whose view values have.
    pub perspective: Perspective,
    /// Time until the first report during the search, and between the others.
    pub reports: Option<(Duration, Duration)>,
    /// Moves of Go that are forbidden, or the only ones allowed.
    pub bans: Vec<Ban>,
    /// The same in chess and xiangqi, by turn.
    pub root_moves: BTreeMap<usize, RootMoves>,
    pub include: Include,
}

/// Fields that are sent on request.
#[derive(Debug, Default)]
pub struct Include {
    /// The expected owner of each point.
    pub ownership: bool,
    /// Its standard deviation.
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    /// The probabilities of moves before any search.
    pub policy: bool,
    /// How often the moves of a line and the positions after them were visited.
    pub pv_visits: bool,
}

impl<'a> Context<'a> {
    /// A query before any field is read; `settings` are the program's.
    pub fn new(input: &'a Value, settings: &Settings) -> Self {
        Self { input, settings: settings.clone(), warnings: Vec::new() }
    }

    /// Settings of this query only.
    fn override_settings(&mut self) -> Result<(), FieldError> {
        let Some(value) = self.input.get("overrideSettings") else { return Ok(()) };
        let all =
            value.as_object().ok_or_else(|| FieldError::new("overrideSettings", "Must be an object"))?;
        let mut left = Vec::new();
        for (name, value) in all {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let taken = match settings::OF_PROGRAM.contains(&name.as_str()) {
                true => Taken::UnknownName,
                false => self.settings.set(name, &text),
            };
            match taken {
                Taken::Yes => {}
                Taken::UnknownName => left.push(name.as_str()),
                Taken::WrongValue => {
                    let why = format!("Could not set settings: {name} cannot be {value}");
                    return Err(FieldError::new("overrideSettings", why));
                }
            }
        }
        let is_known =
            |name: &&str| fields::WITHOUT_EFFECT.contains(name) || settings::OF_PROGRAM.contains(name);
        let (known, unknown): (Vec<_>, Vec<_>) = left.into_iter().partition(is_known);
        for (what, names) in [("Unknown config params", unknown), (NO_EFFECT, known)] {
            if !names.is_empty() {
                self.warn("overrideSettings", format!("{what}: {}", names.join(",")));
            }
        }
        Ok(())
    }

    fn warn(&mut self, field: &str, why: impl Into<String>) {
        self.warnings.push(FieldError::new(field, why));
    }

    fn ignore(&mut self, field: &str, why: &str) {
        if self.input.get(field).is_some_and(|value| *value != Value::Bool(false)) {
            self.warn(field, why);
        }
    }

    /// Warns of fields without effect in this game.
    fn unused(&mut self, kind: GameKind) {
        for field in fields::WITHOUT_EFFECT {
            self.ignore(field, NO_EFFECT);
        }
        if kind != GameKind::GO {
            for field in fields::INCLUDED_OF_GO {
                self.ignore(field, "belongs to Go");
            }
        }
        if self.settings.warns_of_unused {
            for field in fields::unused(self.input, kind) {
                self.warn(field, "Unexpected or unused field, do you have a typo?");
            }
        }
    }
}

impl Query {
    pub fn read(context: &mut Context) -> Result<Self, FieldError> {
        let input = context.input;
        let kind = match string(input, "game", "Must be \"go\", \"chess\", \"chess960\" or \"xiangqi\"")? {
            None => GameKind::GO,
            Some(name) => GameKind::from_name(name).ok_or_else(|| {
                FieldError::new("game", "Must be \"go\", \"chess\", \"chess960\" or \"xiangqi\"")
            })?,
        };
        let subject = Subject::read(input, kind)?;
        let turns = turns(input, subject.length())?;
        context.override_settings()?;
        let visits = integer(input, "maxVisits", 1..=1 << 50, "Must be an integer from 1 to 2^50")?;
        context.settings.max_visits = visits.map(|n| n as u64).or(context.settings.max_visits);
        let usual = if kind == GameKind::GO { VISITS } else { NODES };
        let length = integer(input, "analysisPVLen", 1..=1000, "Must be an integer from 1 to 1000")?;
        number(input, "rootFpuReductionMax", 0.0..=2.0, "Must be a number from 0.0 to 2.0")?;
        number(input, "rootPolicyTemperature", 0.01..=100.0, "Must be a number from 0.01 to 100.0")?;
        let include = Include {
            moves_ownership: flag(input, "includeMovesOwnership")?,
            moves_ownership_stdev: flag(input, "includeMovesOwnershipStdev")?,
            ownership: flag(input, "includeOwnership")?,
            ownership_stdev: flag(input, "includeOwnershipStdev")?,
            policy: flag(input, "includePolicy")?,
            pv_visits: flag(input, "includePVVisits")?,
        };
        let seconds = "Must be number of seconds from 0.001 to 1000000.0";
        let every = number(input, "reportDuringSearchEvery", 0.001..=1e6, seconds)?;
        let first = number(input, "firstReportDuringSearchAfter", 0.001..=1e6, seconds)?;
        let time = Duration::from_secs_f64;
        let never = Duration::from_secs(u64::from(u32::MAX));
        let reports = match (first, every) {
            (None, None) => None,
            (first, every) => {
                let every = every.map_or(never, time);
                Some((first.map_or(every, time), every))
            }
        };
        let lines = integer(input, "lines", 1..=256, "Must be an integer from 1 to 256")?;
        let bans = bans::read(input, &subject)?;
        let numbers = turns.iter().map(|(turn, _)| *turn);
        let root_moves = match &subject {
            Subject::Go(game) => {
                bans::check_turns(game, &bans, numbers)?;
                BTreeMap::new()
            }
            Subject::Pieces(game) => bans::at_turns(game, &bans, numbers)?,
        };
        context.unused(kind);
        let shared = Arc::new(Shared {
            id: input["id"].as_str().unwrap_or_default().to_owned(),
            subject,
            visits: context.settings.visits().unwrap_or(usual),
            time: context.settings.max_time,
            lines: lines.unwrap_or(3) as usize,
            pv_length: length.map_or(context.settings.pv_length, |n| n as usize),
            perspective: context.settings.perspective,
            reports,
            bans,
            root_moves,
            include,
        });
        Ok(Self { shared, turns })
    }

    pub fn into_tasks(self) -> impl ExactSizeIterator<Item = Task> {
        let shared = self.shared;
        self.turns.into_iter().map(move |(turn, priority)| Task {
            shared: Arc::clone(&shared),
            turn,
            priority,
        })
    }
}

impl Task {
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// The answer for a position that was not searched.
    pub fn without_results(&self) -> Value {
        json!({"id": self.id(), "turnNumber": self.turn, "isDuringSearch": false, "noResults": true})
    }
}

/// The turns to look at and their priorities: the last turn, if none is named.
fn turns(input: &Value, last: usize) -> Result<Vec<(usize, i64)>, FieldError> {
    let listed =
        integers(input, "analyzeTurns", "Must specify an array of integers indicating turns to analyze")?;
    let priorities =
        integers(input, "priorities", "Must specify an array of integers indicating priorities")?;
    let range = -MAX_PRIORITY..=MAX_PRIORITY;
    let one = integer(input, "priority", range.clone(), "Must be a number between -2^62 and 2^62")?;
    if one.is_some() && priorities.is_some() {
        return Err(FieldError::new("priority", "Cannot specify both priority and priorities"));
    }
    let wrong = |why: String| FieldError::new("priorities", why);
    match (&listed, &priorities) {
        (None, Some(_)) => {
            return Err(wrong("Can only specify when also specifying analyzeTurns".to_owned()));
        }
        (Some(turns), Some(all)) if turns.len() != all.len() => {
            return Err(wrong("Must be of matching length to analyzeTurns".to_owned()));
        }
        (_, Some(all)) => {
            if let Some(bad) = all.iter().find(|priority| !range.contains(priority)) {
                return Err(wrong(format!("Invalid priority: {bad}")));
            }
        }
        _ => {}
    }
    // A turn that is named twice is looked at once, with the priority named last.
    let mut turns = BTreeMap::new();
    for (i, turn) in listed.unwrap_or_else(|| vec![last as i64]).into_iter().enumerate() {
        let known = usize::try_from(turn).ok().filter(|turn| *turn <= last);
        let known =
            known.ok_or_else(|| FieldError::new("analyzeTurns", format!("Invalid turn number: {turn}")))?;
        let priority = priorities.as_ref().and_then(|all| all.get(i).copied()).or(one).unwrap_or(0);
        turns.insert(known, priority);
    }
    Ok(turns.into_iter().collect())
}
