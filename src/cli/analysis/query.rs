//! Queries: what is to be searched, and what is to be told of it.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::bans::{self, RootMoves};
use super::fields::{self, Fault, Warning, flag, integer, integers, number};
use super::settings::{Perspective, Settings};
use crate::arbiter::notation::Position;
use crate::arbiter::record::{GameKind, Opening};
use crate::arbiter::referee::Rules;
use crate::engine::Side;
use crate::engine::tree::{Ban, GameError, GameState};
use crate::go;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Visits of a position of Go if nobody says how many, as in KataGo's own configuration.
const VISITS: u64 = 500;
/// Nodes of a position of chess or xiangqi.
const NODES: u64 = 200_000;
/// Most moves of a query.
pub const MAX_MOVES: usize = 10_000;
/// A number far beyond all priorities anybody means.
const MAX_PRIORITY: i64 = 1 << 62;

/// What is said of settings that are known, and change nothing.
const NO_EFFECT: &str = "Known, but without effect in this search";

/// A query while it is read.
pub struct Context<'a> {
    input: &'a Value,
    settings: Settings,
    /// What cannot be done.
    pub warnings: Vec<Warning>,
}

/// Positions of one game to be searched.
#[derive(Debug)]
pub struct Query {
    shared: Arc<Shared>,
    /// Turns with their priorities.
    turns: Vec<(usize, i64)>,
}

/// One position.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it has in common with the others of its query.
    pub shared: Arc<Shared>,
    /// Moves played before it.
    pub turn: usize,
    /// Greater ones come first.
    pub priority: i64,
}

/// What the positions of a query have in common.
#[derive(Debug)]
pub struct Shared {
    /// The name of the query.
    pub id: String,
    /// The game.
    pub subject: Subject,
    /// Visits (nodes) of a position.
    pub visits: u64,
    /// Time for it.
    pub time: Option<Duration>,
    /// Lines of chess and xiangqi that are searched.
    pub lines: usize,
    /// Moves of a line that are told.
    pub pv_length: usize,
    /// From whose side values are told.
    pub perspective: Perspective,
    /// Time until the first report during the search, and between the others.
    pub reports: Option<(Duration, Duration)>,
    /// Moves of Go that are forbidden, or alone allowed.
    pub bans: Vec<Ban>,
    /// What is forbidden or alone allowed in chess and xiangqi, by turn.
    pub root_moves: BTreeMap<usize, RootMoves>,
    /// What else is told.
    pub include: Include,
}

/// What is told if asked for.
#[derive(Debug, Default)]
pub struct Include {
    /// Whose each point will be.
    pub ownership: bool,
    /// How unsure that is.
    pub ownership_stdev: bool,
    /// The same after every move.
    pub moves_ownership: bool,
    /// Both.
    pub moves_ownership_stdev: bool,
    /// What moves look promising before any search.
    pub policy: bool,
    /// How often the moves of a line and the positions after them were visited.
    pub pv_visits: bool,
}

/// The game that is asked about.
#[derive(Debug)]
pub enum Subject {
    /// Go.
    Go(GoGame),
    /// Chess and xiangqi.
    Pieces(PieceGame),
}

/// A game of Go as a query has it.
#[derive(Debug)]
pub struct GoGame {
    /// Columns and rows.
    pub size: (usize, usize),
    rules: String,
    komi: f64,
    bonus: Option<String>,
    stones: Vec<(Side, String)>,
    first: Side,
    /// The moves with who played them.
    pub moves: Vec<(Side, String)>,
}

/// A game of chess or xiangqi.
#[derive(Debug)]
pub struct PieceGame {
    /// Which.
    pub kind: GameKind,
    /// By which rules.
    pub rules: Rules,
    /// Where it begins.
    pub opening: Opening,
    /// The moves, in coordinates.
    pub moves: Vec<String>,
}

impl<'a> Context<'a> {
    /// Before anything was read; `settings` are those of the program.
    pub fn new(input: &'a Value, settings: &Settings) -> Self {
        Self { input, settings: settings.clone(), warnings: Vec::new() }
    }

    fn string(&self, field: &str, why: &str) -> Result<Option<&'a str>, Fault> {
        match self.input.get(field) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| Fault::new(field, why)),
        }
    }

    /// Settings of this query alone.
    fn override_settings(&mut self) -> Result<(), Fault> {
        let Some(value) = self.input.get("overrideSettings") else { return Ok(()) };
        let all = value.as_object().ok_or_else(|| Fault::new("overrideSettings", "Must be an object"))?;
        let mut left = Vec::new();
        for (name, value) in all {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if !self.settings.set(name, &text) {
                left.push(name.as_str());
            }
        }
        let is_known = |name: &&str| fields::WITHOUT_EFFECT.contains(name);
        let (known, unknown): (Vec<_>, Vec<_>) = left.into_iter().partition(is_known);
        for (what, names) in [("Unknown config params", unknown), (NO_EFFECT, known)] {
            if !names.is_empty() {
                self.warn("overrideSettings", format!("{what}: {}", names.join(",")));
            }
        }
        Ok(())
    }

    fn warn(&mut self, field: &str, why: impl Into<String>) {
        self.warnings.push(Warning::new(field, why));
    }

    fn ignore(&mut self, field: &str, why: &str) {
        if self.input.get(field).is_some_and(|value| *value != Value::Bool(false)) {
            self.warn(field, why);
        }
    }

    /// Warns of the fields that do nothing in this game.
    fn unused(&mut self, kind: GameKind) {
        for field in fields::WITHOUT_EFFECT {
            self.ignore(field, NO_EFFECT);
        }
        if kind != GameKind::Go {
            for field in ["includeOwnership", "includeMovesOwnership", "includePolicy", "includePVVisits"] {
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
    /// Reads a query.
    /// # Errors
    /// The first field that is wrong.
    pub fn read(context: &mut Context) -> Result<Self, Fault> {
        let input = context.input;
        let kind = match context.string("game", "Must be \"go\", \"chess\", \"chess960\" or \"xiangqi\"")? {
            None => GameKind::Go,
            Some(name) => GameKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
                Fault::new("game", "Must be \"go\", \"chess\", \"chess960\" or \"xiangqi\"")
            })?,
        };
        let subject = match kind {
            GameKind::Go => Subject::Go(GoGame::read(context)?),
            _ => Subject::Pieces(PieceGame::read(context, kind)?),
        };
        let turns = turns(input, subject.length())?;
        context.override_settings()?;
        let visits = integer(input, "maxVisits", 1..=1 << 50, "Must be an integer from 1 to 2^50")?;
        let usual = context.settings.max_visits.unwrap_or(if kind == GameKind::Go { VISITS } else { NODES });
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
        let root_moves = match &subject {
            Subject::Go(_) => BTreeMap::new(),
            Subject::Pieces(game) => bans::at_turns(game, &bans, turns.iter().map(|(turn, _)| *turn))?,
        };
        context.unused(kind);
        let shared = Arc::new(Shared {
            id: input["id"].as_str().unwrap_or_default().to_owned(),
            subject,
            visits: visits.map_or(usual, |n| n as u64),
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

    /// Its positions.
    pub fn into_tasks(self) -> impl Iterator<Item = Task> {
        let shared = self.shared;
        self.turns.into_iter().map(move |(turn, priority)| Task {
            shared: Arc::clone(&shared),
            turn,
            priority,
        })
    }
}

impl Task {
    /// The name of its query.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// What is told of a position that was not searched.
    pub fn without_results(&self) -> Value {
        json!({"id": self.id(), "turnNumber": self.turn, "isDuringSearch": false, "noResults": true})
    }
}

/// The turns to look at and their priorities: the last turn, if none is named.
fn turns(input: &Value, last: usize) -> Result<Vec<(usize, i64)>, Fault> {
    let listed =
        integers(input, "analyzeTurns", "Must specify an array of integers indicating turns to analyze")?;
    let priorities =
        integers(input, "priorities", "Must specify an array of integers indicating priorities")?;
    let range = -MAX_PRIORITY..=MAX_PRIORITY;
    let one = integer(input, "priority", range.clone(), "Must be a number between -2^62 and 2^62")?;
    if one.is_some() && priorities.is_some() {
        return Err(Fault::new("priority", "Cannot specify both priority and priorities"));
    }
    let wrong = |why: String| Fault::new("priorities", why);
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
    let mut turns = Vec::new();
    for (i, turn) in listed.unwrap_or_else(|| vec![last as i64]).into_iter().enumerate() {
        let known = usize::try_from(turn).ok().filter(|turn| *turn <= last);
        let known =
            known.ok_or_else(|| Fault::new("analyzeTurns", format!("Invalid turn number: {turn}")))?;
        let priority = priorities.as_ref().and_then(|all| all.get(i).copied()).or(one).unwrap_or(0);
        // A turn that is named twice is looked at once, with the priority named last.
        turns.retain(|(other, _)| *other != known);
        turns.push((known, priority));
    }
    turns.sort_unstable();
    Ok(turns)
}

const PAIRS: &str = "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]";

fn player(text: &str) -> Option<Side> {
    match text.to_lowercase().as_str() {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ => None,
    }
}

/// A vertex in its one spelling. `(0,13)` counts columns and rows from the upper left.
fn vertex(state: &GameState, text: &str) -> Option<String> {
    let Some(pair) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return state.vertex(text);
    };
    let (x, y) = pair.split_once(',')?;
    let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    let letter = "ABCDEFGHJKLMNOPQRSTUVWXYZ".chars().nth(x)?;
    state.vertex(&format!("{letter}{}", state.size().1.checked_sub(y)?))
}

fn pairs(input: &Value, field: &str, state: &GameState, passes: bool) -> Result<Vec<(Side, String)>, Fault> {
    let wrong = |why: &str| Fault::new(field, why);
    let all = input[field].as_array().ok_or_else(|| wrong(PAIRS))?;
    if all.len() > MAX_MOVES {
        return Err(wrong("Too many moves"));
    }
    let read = |pair: &Value| {
        let [one, two] = pair.as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err(wrong(PAIRS));
        };
        let (Some(one), Some(two)) = (one.as_str(), two.as_str()) else { return Err(wrong(PAIRS)) };
        let side = player(one).ok_or_else(|| wrong(&format!("Could not parse player: {one}")))?;
        let found = vertex(state, two).filter(|found| passes || found != "pass");
        Ok((side, found.ok_or_else(|| wrong(&format!("Could not parse board location: {two}")))?))
    };
    all.iter().map(read).collect()
}

impl Subject {
    /// How many moves were played.
    fn length(&self) -> usize {
        match self {
            Self::Go(game) => game.moves.len(),
            Self::Pieces(game) => game.moves.len(),
        }
    }

    /// The side that a query names.
    pub fn player(&self, name: &str) -> Option<Side> {
        match self {
            Self::Go(_) => player(name),
            // Here White or Red begins.
            Self::Pieces(_) => match name.to_lowercase().as_str() {
                "r" | "red" => Some(Side::First),
                _ => player(name).map(Side::other),
            },
        }
    }
}

impl GoGame {
    fn read(context: &mut Context) -> Result<Self, Fault> {
        let input = context.input;
        let most = go::MAX_SIZE as i64;
        let size = |field| {
            let why = format!("Must provide an integer from 2 to {most}");
            integer(input, field, 2..=most, &why)?.ok_or_else(|| Fault::new(field, why)).map(|n| n as usize)
        };
        let size = (size("boardXSize")?, size("boardYSize")?);
        let mut state = GameState::default();
        state.set_size(size.0, size.1).map_err(|e| Fault::new("boardXSize", e.to_string()))?;
        let stones = match input.get("initialStones") {
            None => Vec::new(),
            Some(_) => pairs(input, "initialStones", &state, false)?,
        };
        if input.get("moves").is_none() {
            return Err(Fault::new("moves", "Must specify an array of [player,location] pairs"));
        }
        let moves = pairs(input, "moves", &state, true)?;
        let first = match input.get("initialPlayer") {
            Some(name) => Some(
                name.as_str()
                    .and_then(player)
                    .ok_or_else(|| Fault::new("initialPlayer", "Must be \"b\" or \"w\""))?,
            ),
            None => moves.first().map(|(side, _)| *side),
        };
        const RULES: &str = "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with detailed rules parameters.";
        let rules = match input.get("rules") {
            Some(Value::String(name)) => name.clone(),
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => return Err(Fault::new("rules", RULES)),
        };
        let parsed = go::Rules::parse(&rules)
            .map_err(|_| Fault::new("rules", format!("Could not parse rules: {rules}")))?;
        const KOMI: &str = "Must be a integer or half-integer from -150.0 to 150.0";
        let komi = number(input, "komi", -150.0..=150.0, KOMI)?;
        if komi.is_some_and(|komi| (2.0 * komi).fract() != 0.0) {
            return Err(Fault::new("komi", KOMI));
        }
        let bonus = context.string("whiteHandicapBonus", "Must be a string")?.map(str::to_owned);
        // A turn without a move and without a word is Black's, or White's after handicap.
        let is_handicap = stones.len() > 1 && stones.iter().all(|(side, _)| *side == Side::First);
        let first = first.unwrap_or(if is_handicap { Side::Second } else { Side::First });
        let komi = komi.unwrap_or_else(|| f64::from(parsed.usual_komi()));
        let game = Self { size, rules, komi, bonus, stones, first, moves };
        game.set_up(&mut state, game.moves.len())?;
        Ok(game)
    }

    /// A point of the board, or a pass, in its one spelling.
    pub fn vertex(&self, text: &str) -> Option<String> {
        let mut state = GameState::default();
        state.set_size(self.size.0, self.size.1).ok()?;
        vertex(&state, text)
    }

    /// Sets a game to the position after so many moves.
    /// # Errors
    /// The stone or the move that cannot be placed.
    pub fn set_up(&self, state: &mut GameState, turn: usize) -> Result<(), Fault> {
        let bad = |field: &'static str| move |e: GameError| Fault::new(field, e.to_string());
        if state.size() != self.size {
            state.set_size(self.size.0, self.size.1).map_err(bad("boardXSize"))?;
        }
        state.clear();
        state.set_rules(&self.rules).map_err(bad("rules"))?;
        if let Some(bonus) = &self.bonus {
            state.set_rule("whiteHandicapBonus", bonus).map_err(bad("whiteHandicapBonus"))?;
        }
        state.set_komi(self.komi).map_err(bad("komi"))?;
        // Programs give handicap as stones, or as moves of Black's in a row.
        let is_black = |(side, vertex): &&(Side, String)| *side == Side::First && vertex != "pass";
        let in_a_row = match self.stones.is_empty() {
            true => self.moves.iter().take(turn).take_while(is_black).count(),
            false => 0,
        };
        let placed = if in_a_row > 1 { in_a_row } else { 0 };
        let free: Vec<&str> = match placed {
            0 if self.stones.iter().all(|stone| is_black(&stone)) => {
                self.stones.iter().map(|(_, v)| v.as_str()).collect()
            }
            count => self.moves.iter().take(count).map(|(_, v)| v.as_str()).collect(),
        };
        if free.len() > 1 {
            let field = if placed > 0 { "moves" } else { "initialStones" };
            state.set_handicap(&free).map_err(bad(field))?;
        } else if !self.stones.is_empty() {
            let stones: Vec<_> = self.stones.iter().map(|(side, v)| (*side, v.as_str())).collect();
            state.set_up(&stones).map_err(bad("initialStones"))?;
        }
        state.set_side_to_move(if placed > 0 { Side::Second } else { self.first });
        for (at, (side, vertex)) in self.moves.iter().enumerate().take(turn).skip(placed) {
            let illegal = |_| Fault::new("moves", format!("Illegal move {at}: {vertex}"));
            state.play(*side, vertex).map_err(illegal)?;
        }
        Ok(())
    }
}

impl PieceGame {
    fn read(context: &mut Context, kind: GameKind) -> Result<Self, Fault> {
        const MOVES: &str = "Must specify an array of moves, or of [player,move] pairs";
        let input = context.input;
        let fen = context.string("fen", "Must be a string")?.map(str::to_owned);
        let mut rules = Rules::default();
        if let Some(name) =
            context.string("rules", "Must be \"chinese\", \"asian\", \"computer\" or \"none\"")?
            && kind == GameKind::Xiangqi
        {
            rules.repetition.rules = name.to_owned();
        }
        let opening = Opening { fen, ..Opening::default() };
        let field = if opening.fen.is_some() { "fen" } else { "rules" };
        crate::arbiter::referee::create(kind, &rules, &opening).map_err(|why| Fault::new(field, why))?;
        let mut position = start(kind, &rules, &opening)?;
        let all = input.get("moves").and_then(Value::as_array).ok_or_else(|| Fault::new("moves", MOVES))?;
        if all.len() > MAX_MOVES {
            return Err(Fault::new("moves", "Too many moves"));
        }
        let mut moves = Vec::with_capacity(all.len());
        for (at, value) in all.iter().enumerate() {
            let text = match value {
                Value::String(text) => text,
                Value::Array(pair) => match pair.as_slice() {
                    [_, Value::String(text)] => text,
                    _ => return Err(Fault::new("moves", MOVES)),
                },
                _ => return Err(Fault::new("moves", MOVES)),
            };
            let illegal = |_| Fault::new("moves", format!("Illegal move {at}: {text}"));
            let mv = position.read(text).map_err(illegal)?;
            position.play(&mv).map_err(illegal)?;
            moves.push(mv);
        }
        Ok(Self { kind, rules, opening, moves })
    }

    /// Where the game begins.
    /// # Errors
    /// What is wrong with the FEN.
    pub fn start(&self) -> Result<Position, Fault> {
        start(self.kind, &self.rules, &self.opening)
    }
}

fn start(kind: GameKind, rules: &Rules, opening: &Opening) -> Result<Position, Fault> {
    Position::new(kind, rules, opening).map_err(|why| Fault::new("fen", why))
}
