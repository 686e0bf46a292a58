//! The game that a query asks about, with its moves.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::fields::{FieldError, integer, number, string};
use crate::engine::Side;
use crate::engine::go::{GameError, GameState};
use crate::ensure;
use crate::games::game::{Game, Start};
use crate::games::record::GameKind;
use crate::games::referee::Rules;
use crate::go;
use crate::protocol::gtp::color as player;
use serde_json::Value;

pub const MAX_MOVES: usize = 10_000;

#[derive(Debug)]
pub enum Subject {
    Go(GoGame),
    Pieces(Game),
}

#[derive(Debug)]
pub(super) struct GoGame {
    pub size: (usize, usize),
    rules: String,
    komi: f64,
    bonus: Option<String>,
    stones: Vec<(Side, String)>,
    first: Side,
    /// The moves with who played them.
    pub moves: Vec<(Side, String)>,
}

const PAIRS: &str = "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]";

/// Whether Black plays a stone.
fn is_black((side, vertex): &(Side, String)) -> bool {
    *side == Side::First && vertex != "pass"
}

/// A vertex, normalized. `(0,13)` counts columns and rows from the upper left.
fn vertex(state: &GameState, text: &str) -> Option<String> {
    let Some(pair) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return state.vertex(text);
    };
    let (x, y) = pair.split_once(',')?;
    let (x, y): (usize, usize) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    let letter = "ABCDEFGHJKLMNOPQRSTUVWXYZ".chars().nth(x)?;
    state.vertex(&format!("{letter}{}", state.size().1.checked_sub(y)?))
}

fn pairs(
    input: &Value,
    field: &str,
    state: &GameState,
    passes: bool,
) -> Result<Vec<(Side, String)>, FieldError> {
    let wrong = |why: &str| FieldError::new(field, why);
    let all = input[field].as_array().ok_or_else(|| wrong(PAIRS))?;
    ensure!(all.len() <= MAX_MOVES, wrong("Too many moves"));
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
    pub fn read(input: &Value, kind: GameKind) -> Result<Self, FieldError> {
        Ok(match kind {
            GameKind::GO => Self::Go(GoGame::read(input)?),
            _ => Self::Pieces(piece_game(input, kind)?),
        })
    }

    /// Number of moves played.
    pub fn length(&self) -> usize {
        match self {
            Self::Go(game) => game.moves.len(),
            Self::Pieces(game) => game.moves().len(),
        }
    }

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
    fn read(input: &Value) -> Result<Self, FieldError> {
        let max = go::MAX_SIZE as i64;
        let size = |field| {
            let why = format!("Must provide an integer from 2 to {max}");
            integer(input, field, 2..=max, &why)?
                .ok_or_else(|| FieldError::new(field, why))
                .map(|n| n as usize)
        };
        let size = (size("boardXSize")?, size("boardYSize")?);
        let mut state = GameState::default();
        state.set_size(size.0, size.1).map_err(|e| FieldError::new("boardXSize", e.to_string()))?;
        let stones = match input.get("initialStones") {
            None => Vec::new(),
            Some(_) => pairs(input, "initialStones", &state, false)?,
        };
        if input.get("moves").is_none() {
            return Err(FieldError::new("moves", "Must specify an array of [player,location] pairs"));
        }
        let moves = pairs(input, "moves", &state, true)?;
        let first = match input.get("initialPlayer") {
            Some(name) => Some(
                name.as_str()
                    .and_then(player)
                    .ok_or_else(|| FieldError::new("initialPlayer", "Must be \"b\" or \"w\""))?,
            ),
            None => moves.first().map(|(side, _)| *side),
        };
        const RULES: &str = "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with detailed rules parameters.";
        let rules = match input.get("rules") {
            Some(Value::String(name)) => name.clone(),
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => return Err(FieldError::new("rules", RULES)),
        };
        let parsed = go::Rules::parse(&rules)
            .map_err(|_| FieldError::new("rules", format!("Could not parse rules: {rules}")))?;
        const KOMI: &str = "Must be a integer or half-integer from -400.0 to 400.0";
        let komi = number(input, "komi", -400.0..=400.0, KOMI)?;
        ensure!(komi.is_none_or(|komi| (2.0 * komi).fract() == 0.0), FieldError::new("komi", KOMI));
        let bonus = string(input, "whiteHandicapBonus", "Must be a string")?.map(str::to_owned);
        // Without moves or `initialPlayer` it is Black's turn, or White's after handicap.
        let is_handicap = stones.len() > 1 && stones.iter().all(|(side, _)| *side == Side::First);
        let first = first.unwrap_or(if is_handicap { Side::Second } else { Side::First });
        let komi = komi.unwrap_or_else(|| f64::from(parsed.usual_komi()));
        let game = Self { size, rules, komi, bonus, stones, first, moves };
        game.set_up(&mut state, game.moves.len())?;
        Ok(game)
    }

    /// Reads points of the board, and passes, in their one spelling.
    pub fn reader(&self) -> impl Fn(&str) -> Option<String> {
        let mut state = GameState::default();
        let is_sized = state.set_size(self.size.0, self.size.1).is_ok();
        move |text| vertex(&state, text).filter(|_| is_sized)
    }

    /// Black stones in a row at the start of the first `turn` moves; none where other stones were there
    /// before.
    pub fn in_a_row(&self, turn: usize) -> usize {
        match self.stones.is_empty() {
            true => self.moves.iter().take(turn).take_while(|mv| is_black(mv)).count(),
            false => 0,
        }
    }

    /// Sets a game to the position after `turn` moves.
    pub fn set_up(&self, state: &mut GameState, turn: usize) -> Result<(), FieldError> {
        let bad = |field: &'static str| move |e: GameError| FieldError::new(field, e.to_string());
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
        let row: Vec<&str> = self.moves.iter().take(self.in_a_row(turn)).map(|(_, v)| v.as_str()).collect();
        // Stones that fill the board are no handicap, but suicide: they are moves like all others.
        let placed = if row.len() > 1 && state.set_handicap(&row).is_ok() { row.len() } else { 0 };
        if self.stones.len() > 1 && self.stones.iter().all(is_black) {
            let free: Vec<&str> = self.stones.iter().map(|(_, v)| v.as_str()).collect();
            state.set_handicap(&free).map_err(bad("initialStones"))?;
        } else if !self.stones.is_empty() {
            state.set_up(&self.stones).map_err(bad("initialStones"))?;
        }
        state.set_side_to_move(if placed > 0 { Side::Second } else { self.first });
        for (at, (side, vertex)) in self.moves.iter().enumerate().take(turn).skip(placed) {
            let illegal = |_| FieldError::new("moves", format!("Illegal move {at}: {vertex}"));
            state.play_recorded(*side, vertex).map_err(illegal)?;
        }
        Ok(())
    }
}

/// A game of chess or xiangqi as a query has it.
fn piece_game(input: &Value, kind: GameKind) -> Result<Game, FieldError> {
    const MOVES: &str = "Must specify an array of moves, or of [player,move] pairs";
    let fen = string(input, "fen", "Must be a string")?.map(str::to_owned);
    let mut rules = Rules::default();
    if let Some(name) = string(input, "rules", "Must be \"chinese\", \"asian\", \"computer\" or \"none\"")?
        && kind == GameKind::XIANGQI
    {
        rules.repetition.rules = name.to_owned();
    }
    let field = if fen.is_some() { "fen" } else { "rules" };
    let mut game =
        Game::at(Start { kind, rules, fen }).map_err(|why| FieldError::new(field, why.to_string()))?;
    let all = input.get("moves").and_then(Value::as_array).ok_or_else(|| FieldError::new("moves", MOVES))?;
    ensure!(all.len() <= MAX_MOVES, FieldError::new("moves", "Too many moves"));
    fn text(value: &Value) -> Result<&str, FieldError> {
        match value {
            Value::String(text) => Ok(text),
            Value::Array(pair) => match pair.as_slice() {
                [_, Value::String(text)] => Ok(text),
                _ => Err(FieldError::new("moves", MOVES)),
            },
            _ => Err(FieldError::new("moves", MOVES)),
        }
    }
    let texts = all.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    game.play_texts(&texts).map_err(|(at, _)| {
        FieldError::new("moves", format!("Illegal move {at}: {}", texts.get(at).unwrap_or(&"")))
    })?;
    Ok(game)
}
