//! What is known of a position without a search: the name of its opening, the moves of the book, the verdict
//! of endgame tables.

use crate::chess::notation::Notation;
use crate::chess::polyglot;
use crate::chess::syzygy::{RankedMove, Tables, Wdl};
use crate::game::{BookMove, Side, Text};
use crate::games::game::{Game, Position};
use crate::games::opening_names::opening_name;
use crate::games::record::GameKind;
use crate::serve::position::{merge, written};
use crate::xiangqi::book;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// Without tables there is no advice: the opening has its name, and that is all.
pub(super) fn known(game: &Game, tables: Option<&Tables>) -> Value {
    let opening = opening_name(game)
        .map(|found| json!({"code": found.code, "name": found.name.0, "nameZh": found.name.1}));
    let book = tables.map(|_| book(game)).unwrap_or_default();
    json!({"opening": opening, "book": book, "tables": tables.and_then(|tables| verdict(game, tables))})
}

/// The moves of the book that is built in, with what share of the points each brought.
fn book(game: &Game) -> Vec<Value> {
    match game.position() {
        Position::Chess(_) if game.kind() == GameKind::CHESS960 => Vec::new(),
        Position::Chess(board) => shares(game, &***board, &polyglot::Book::own().moves(board)),
        Position::Xiangqi(board) => shares(game, &***board, &book::Book::own().moves(board)),
        Position::Go(_) => Vec::new(),
    }
}

fn shares<G: Text>(game: &Game, board: &G, moves: &[BookMove<G::Move>]) -> Vec<Value> {
    let sum: u32 = moves.iter().map(|m| u32::from(m.weight)).sum();
    let each = moves.iter().map(|found| {
        let mv = board.move_text(found.mv, Default::default());
        let share = f64::from(found.weight) / f64::from(sum);
        json!({"mv": mv, "text": written(game, &mv), "points": found.weight, "share": share})
    });
    each.collect()
}

/// Who wins by the endgame tables, and what each move leads to, the best first.
fn verdict(game: &Game, tables: &Tables) -> Option<Value> {
    let Position::Chess(board) = game.position() else { return None };
    let is_chess960 = game.kind() == GameKind::CHESS960;
    let notation = if is_chess960 { Notation::Chess960 } else { Notation::Coordinate };
    let mut ranked = tables.rank_moves(board)?;
    ranked.sort_by_key(|one| (Reverse(one.outcome), one.dtz));
    let best = ranked.first()?;
    let side = game.side_to_move();
    let each = ranked.iter().map(|one| {
        let mv = board.move_text(one.mv, notation);
        let mut row = outcome(one, side);
        merge(&mut row, json!({"mv": mv, "text": written(game, &mv)}));
        row
    });
    let moves: Vec<Value> = each.collect();
    let mut found = outcome(best, side);
    merge(&mut found, json!({"moves": moves}));
    Some(found)
}

fn outcome(ranked: &RankedMove, side: Side) -> Value {
    json!({"winner": winner(ranked, side), "dtz": ranked.dtz.unsigned_abs(), "fifty": is_fifty(ranked)})
}

fn winner(ranked: &RankedMove, side: Side) -> Option<Side> {
    match ranked.outcome {
        Wdl::Win => Some(side),
        Wdl::Loss => Some(side.other()),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => None,
    }
}

/// Whether only the fifty-move rule makes it a draw.
const fn is_fifty(ranked: &RankedMove) -> bool {
    matches!(ranked.outcome, Wdl::CursedWin | Wdl::BlessedLoss)
}
