//! Positions as the page draws them: what stands where, what may be played, how the rules judge it.
//!
//! The page knows no rules. It keeps a tree of moves and asks what a position is; a position is named by
//! where the game began and the moves since.

use super::step;
use crate::game::{AlphaBetaGame, Side};
use crate::games::game::{Game, Position, Start};
use crate::games::notation::Style;
use crate::games::record::{Ending, GameKind, GoSetup, Reason};
use crate::games::referee::Rules;
use crate::go::{Point, PointSet, coords};
use crate::message;
use crate::page;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::xiangqi::repetition;
use serde::Deserialize;
use serde_json::{Value, json};

pub const MAX_MOVES: usize = 2500;

/// A position: where a game began, by which rules, and the moves since.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub game: GameKind,
    /// Where it began; `None`: as usual. Go has its stones instead.
    #[serde(default)]
    pub fen: Option<String>,
    /// By which rules; of these the game's own count.
    #[serde(default)]
    pub rules: Rules,
    /// Stones of Black and of White on the board at the start, if any were set up.
    #[serde(default)]
    pub stones: [Vec<String>; 2],
    /// Who moves first where stones were set up.
    #[serde(default)]
    pub turn: Option<Side>,
    /// The [steps](super::step), moves in coordinates for the most part.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Line {
    pub fn start(&self) -> Start {
        let mut rules = self.rules.clone();
        if self.stones.iter().any(|own| !own.is_empty()) || self.turn.is_some() {
            let sides = [Side::First, Side::Second].into_iter().zip(&self.stones);
            let stones = sides.flat_map(|(side, own)| own.iter().map(move |v| (side, v.clone())));
            rules.go = GoSetup { handicap: 0, stones: stones.collect(), first: self.turn, ..rules.go };
        }
        let fen = self.fen.clone().filter(|fen| !fen.trim().is_empty());
        Start { kind: self.game, rules, fen }
    }

    /// The game at the end of the line. A record may hold what the rules forbid.
    pub fn game(&self) -> Result<Game, Message> {
        if self.moves.len() > MAX_MOVES {
            return Err(message!("more than {max} moves" | "超过 {max} 步", max = MAX_MOVES));
        }
        let mut game = Game::at(self.start())?;
        for (number, mv) in (1_usize..).zip(&self.moves) {
            step::take(&mut game, mv)
                .map_err(|why| message!("move {number}: {why}" | "第 {number} 着：{why}", number, why))?;
        }
        Ok(game)
    }

    /// Its first steps.
    pub fn first(&self, steps: usize) -> Self {
        Self { moves: self.moves.iter().take(steps).cloned().collect(), ..self.clone() }
    }
}

/// What is on the board and who is to move. `text` is the last move as people write it.
pub fn picture(game: &Game, text: Value) -> Value {
    let mut picture = json!({
        "ply": game.moves().len(),
        "turn": game.side_to_move(),
        "last": game.moves().last(),
        "text": text,
    });
    let more = match game.position() {
        Position::Chess(board) => {
            let king = board.position().king(board.side());
            json!({"fen": game.fen(), "check": board.in_check().then(|| king.to_string())})
        }
        Position::Xiangqi(board) => {
            let general = board.general(game.side_to_move());
            json!({"fen": game.fen(), "check": board.in_check().then(|| general.to_string())})
        }
        Position::Go(stones) => {
            let board = stones.position().board();
            let (columns, rows) = (board.width(), board.height());
            let points = (0..rows).rev().flat_map(|row| (0..columns).map(move |col| (col, row)));
            let letter = |(col, row)| match board.color(Point::new(col, row)).side() {
                Some(Side::First) => 'b',
                Some(Side::Second) => 'w',
                None => '.',
            };
            json!({
                "stones": points.map(letter).collect::<String>(),
                "size": page::board_size((columns, rows)),
                "captures": [board.lost(Side::Second), board.lost(Side::First)],
                "passes": board.passes(),
            })
        }
    };
    merge(&mut picture, more);
    picture
}

/// [`picture`] with the legal moves, in Go without the pass, and the verdict of the rules.
pub fn description(game: &Game, text: Value) -> Value {
    let mut picture = picture(game, text);
    let ending = game.ending();
    let mut legal = if ending.is_some() { Vec::new() } else { game.legal() };
    legal.retain(|mv| mv != "pass");
    let ending = ending.as_ref().map(ending_json);
    merge(&mut picture, json!({"legal": legal, "ending": ending, "judged": judgement(game)}));
    picture
}

/// [`description`] of a game with its last move as people write it.
pub fn described(mut game: Game) -> Value {
    let text = game.undo().map_or(Value::Null, |last| {
        let text = written(&game, &last);
        // It was played before.
        let _ = game.play_recorded(&last);
        text
    });
    description(&game, text)
}

/// The judge's opinion of a position of xiangqi that occurred before: what its repetition would be worth.
fn judgement(game: &Game) -> Option<Value> {
    let Position::Xiangqi(board) = game.position() else { return None };
    let judged = repetition::judge_here(board)?;
    let names = |class: repetition::Class| json!([class.names().0, class.names().1]);
    let moves: Vec<Value> = judged.moves.iter().map(|report| names(report.class)).collect();
    let texts = cycle_texts(game, judged.first_ply, judged.last_ply);
    let clause =
        judged.clause.map(|clause| json!({"id": clause.name(), "text": clause.text(Language::English)}));
    let mut value = serde_json::to_value(&judged).ok()?;
    merge(&mut value, json!({"clause": clause, "classes": moves, "texts": texts}));
    Some(value)
}

/// The moves of a cycle as people write them, by half-moves from 1.
fn cycle_texts(game: &Game, first: usize, last: usize) -> Vec<Value> {
    let (mut at, before) = (game.clone(), first.saturating_sub(1));
    at.truncate(before);
    let moves = game.moves().get(before..last).unwrap_or_default();
    let each = moves.iter().map(|mv| {
        let text = written(&at, mv);
        let _ = at.play(mv);
        text
    });
    each.collect()
}

/// The result when the stones on these points are dead, and these points with the whole chains on them.
pub fn count(game: &Game, dead: &[String]) -> Result<Value, Message> {
    let Some(stones) = game.stones() else {
        return Err(message!("only Go is counted" | "只有围棋才数子"));
    };
    let board = stones.position().board();
    let mut all = PointSet::EMPTY;
    for v in stones.dead_stones(dead).iter() {
        for stone in board.chain(v) {
            all.insert(stone);
        }
    }
    let ending = stones.count(&all);
    let owned = crate::go::score::count(board, &all).owned;
    let names = |set: &PointSet| set.iter().map(|v| coords::vertex(board, v)).collect::<Vec<_>>();
    Ok(json!({
        "dead": names(&all),
        "black": names(&owned[0]),
        "white": names(&owned[1]),
        "ending": ending_json(&ending),
    }))
}

/// A move given in coordinates, as people write it: in xiangqi in all three notations.
pub fn written(position: &Position, mv: &str) -> Value {
    match position {
        Position::Xiangqi(_) => {
            json!([Style::Iccs, Style::Chinese, Style::Wxf].map(|style| position.write(mv, style)))
        }
        _ => json!([position.write(mv, Style::Iccs)]),
    }
}

/// A step as people write it, in every notation of the game.
pub fn written_step(game: &Game, name: &str) -> Value {
    if step::is_move(name) {
        return written(game, name);
    }
    match step::node(game, name).ok() {
        Some(node) => match node.played {
            Some((_, mv)) => json!([&*mv]),
            None if node.sets_up() => json!(["◇"]),
            None => json!(["◦"]),
        },
        None => json!([name]),
    }
}

/// A line of play from `position`: coordinates, and each move as people write it.
pub fn written_line(position: &Position, moves: &[String]) -> Value {
    let mut position = position.clone();
    let each = moves.iter().map_while(|mv| {
        let text = written(&position, mv);
        position.play(mv).ok().map(|_| json!([mv, text]))
    });
    each.collect()
}

/// An ending as the page shows it. The reason is a word that the page has in its languages.
pub fn ending_json(ending: &Ending) -> Value {
    json!({
        "winner": ending.winner,
        "result": if ending.reason == Reason::Interrupted { "*" } else { ending.result() },
        "reason": ending.reason,
        "detail": ending.detail.text(Language::English),
        "detailZh": ending.detail.text(Language::Chinese),
    })
}

/// Adds the fields of an object to another.
pub fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
