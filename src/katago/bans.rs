//! Moves that a query forbids, or the only ones that it allows: `avoidMoves` and `allowMoves`.
//!
//! A point of Go is the same in every position. A move of chess or xiangqi is read in the position of each
//! turn that is looked at, because only there its text means one move.

#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::fields::{FieldError, integer};
use super::subject::{GoGame, MAX_MOVES, Subject};
use crate::engine::Side;
use crate::engine::go::{Ban, GameError, GameState};
use crate::ensure;
use crate::games::game::{Game, Position};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of named moves of chess or xiangqi: no position has more.
const MAX_NAMED: usize = 512;

/// Maximum number of dicts in a query.
const MAX_DICTS: usize = 1000;

/// The restrictions on the moves of a position of chess or xiangqi, in coordinates.
#[derive(Clone, Debug, Default)]
pub struct RootMoves {
    /// The only moves to search; empty: all.
    pub allowed: Vec<String>,
    /// Moves that are not searched.
    pub avoided: Vec<String>,
}

/// Reads the bans of a query. Moves of chess and xiangqi stay as they are written.
pub fn read(input: &Value, subject: &Subject) -> Result<Vec<Ban>, FieldError> {
    const SHAPE: &str = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'";
    let (field, allow) = match (input.get("allowMoves"), input.get("avoidMoves")) {
        (None, None) => return Ok(Vec::new()),
        (Some(_), Some(_)) => {
            return Err(FieldError::new("allowMoves", "Cannot specify both allowMoves and avoidMoves"));
        }
        (Some(_), None) => ("allowMoves", true),
        (None, Some(_)) => ("avoidMoves", false),
    };
    let wrong = |why: &str| FieldError::new(field, why);
    let all = input.get(field).and_then(Value::as_array).ok_or_else(|| wrong(SHAPE))?;
    if allow && all.len() > 2 {
        return Err(wrong("The list may contain at most two dicts"));
    }
    if all.len() > MAX_DICTS {
        return Err(wrong("Too many dicts"));
    }
    let each = all.iter().map(|entry| {
        let parts = (entry.get("player"), entry.get("moves"), entry.get("untilDepth"));
        let (Some(side), Some(moves), Some(_)) = parts else { return Err(wrong(SHAPE)) };
        let side = side.as_str().and_then(|name| subject.player(name));
        let side = side.ok_or_else(|| FieldError::new("player", "Must be \"b\" or \"w\""))?;
        let depth = integer(entry, "untilDepth", 1..=1_000_000_000, "Must be a positive integer")?;
        let until_depth = depth.and_then(|depth| u32::try_from(depth).ok()).unwrap_or(1);
        Ok(Ban { side, moves: moves_of(moves, subject)?, allow, until_depth })
    });
    let bans = each.collect::<Result<Vec<Ban>, FieldError>>()?;
    if let [one, two] = bans.as_slice()
        && allow
        && one.side == two.side
    {
        return Err(wrong("Cannot specify allowMoves more than once for the same player"));
    }
    Ok(bans)
}

fn none_is_legal(turn: usize) -> FieldError {
    FieldError::new("moves", format!("None of the allowed moves is legal at turn {turn}"))
}

/// Checks that an allowed move is legal at each of these turns in Go, in ascending order.
pub fn check_turns(
    game: &GoGame,
    bans: &[Ban],
    turns: impl Iterator<Item = usize>,
) -> Result<(), FieldError> {
    if !bans.iter().any(|ban| ban.allow) {
        return Ok(());
    }
    let wrong = |error: GameError| FieldError::new("moves", error.to_string());
    let (mut state, mut played) = (GameState::default(), 0);
    let row = game.in_a_row(game.moves.len());
    for turn in turns {
        // Handicap is placed as a whole; after it the game goes on move by move.
        if played > row {
            for (side, vertex) in game.moves.iter().take(turn).skip(played) {
                state.play_recorded(*side, vertex).map_err(wrong)?;
            }
        } else {
            game.set_up(&mut state, turn)?;
        }
        played = turn;
        let side = state.side_to_move();
        let Some(ban) = bans.iter().find(|ban| ban.side == side) else { continue };
        let legal: BTreeSet<String> = state.legal_points(side).into_iter().collect();
        ensure!(ban.moves.iter().any(|mv| mv == "pass" || legal.contains(mv)), none_is_legal(turn));
    }
    Ok(())
}

/// The moves of a ban, as far as they can be read without a position.
fn moves_of(value: &Value, subject: &Subject) -> Result<Vec<String>, FieldError> {
    let wrong = |why: String| FieldError::new("moves", why);
    let texts = value.as_array().map(|all| all.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let texts = texts.flatten().ok_or_else(|| wrong("Must be an array of GTP board vertices".to_owned()))?;
    let max = if matches!(subject, Subject::Go(_)) { MAX_MOVES } else { MAX_NAMED };
    ensure!(texts.len() <= max, wrong("Too many moves".to_owned()));
    let Subject::Go(game) = subject else { return Ok(texts.into_iter().map(str::to_owned).collect()) };
    let (read, mut seen, mut moves) = (game.reader(), BTreeSet::new(), Vec::new());
    for text in texts {
        let mv = read(text).ok_or_else(|| wrong(format!("Could not parse board location: {text}")))?;
        // Each once.
        if seen.insert(mv.clone()) {
            moves.push(mv);
        }
    }
    Ok(moves)
}

/// The restrictions in chess or xiangqi at each of these turns, in ascending order.
/// # Errors
/// A move that is legal at none of them, and a turn at which no allowed move is legal.
pub fn at_turns(
    game: &Game,
    bans: &[Ban],
    turns: impl Iterator<Item = usize>,
) -> Result<BTreeMap<usize, RootMoves>, FieldError> {
    let mut found = BTreeMap::new();
    if bans.is_empty() {
        return Ok(found);
    }
    let wrong = |why: String| FieldError::new("moves", why);
    let mut unread: BTreeSet<Named> = BTreeSet::new();
    // Each move once, in the order of the query.
    let moves: Vec<Named> = bans.iter().flat_map(named).filter(|&one| unread.insert(one)).collect();
    ensure!(moves.len() <= MAX_NAMED, wrong("Too many moves".to_owned()));
    let (mut at, mut barred) = (game.clone(), None);
    at.truncate(0);
    for turn in turns {
        let moves_before = game.moves().get(..turn).unwrap_or(game.moves());
        at.follow(moves_before).map_err(|why| wrong(why.to_string()))?;
        let side = at.side_to_move();
        let legal = legal_here(&at, &moves, &mut unread);
        let allow = bans.iter().any(|ban| ban.allow && ban.side == side);
        // Without a move in the list all moves would be allowed.
        if allow && legal.is_empty() {
            barred.get_or_insert(turn);
        }
        let root = match allow {
            true => RootMoves { allowed: legal, avoided: Vec::new() },
            false => RootMoves { allowed: Vec::new(), avoided: legal },
        };
        found.insert(turn, root);
    }
    match (moves.iter().find(|one| unread.contains(one)), barred) {
        (Some((_, text)), _) => Err(wrong(format!("Could not parse move: {text}"))),
        (None, Some(turn)) => Err(none_is_legal(turn)),
        (None, None) => Ok(found),
    }
}

/// A move as it is written, after whether the first side is to play it.
type Named<'a> = (bool, &'a str);

fn named(ban: &Ban) -> impl Iterator<Item = Named<'_>> {
    ban.moves.iter().map(|text| (ban.side == Side::First, text.as_str()))
}

/// Those of the side to move that are legal in a position, each once. They are taken out of `unread`.
fn legal_here<'a>(position: &Position, moves: &[Named<'a>], unread: &mut BTreeSet<Named<'a>>) -> Vec<String> {
    let mut legal = Vec::new();
    for one in moves.iter().filter(|(is_first, _)| *is_first == (position.side_to_move() == Side::First)) {
        if let Ok(mv) = position.read(one.1) {
            unread.remove(one);
            if !legal.contains(&mv) {
                legal.push(mv);
            }
        }
    }
    legal
}
