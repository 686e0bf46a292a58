//! Answers: the result of a search as JSON.

use super::query::Task;
use super::settings::Perspective;
use super::subject::Subject;
use crate::app::review::chances;
use crate::engine::go::GameState;
use crate::engine::{Analysis, Info, Score, Side};
use crate::games::record::GameKind;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Values of the side to move as the query wants them.
struct View {
    flips: bool,
}

impl View {
    fn of(task: &Task, side: Side, first_is_black: bool) -> Self {
        let black = if first_is_black { Side::First } else { Side::Second };
        let wanted = match task.shared.perspective {
            Perspective::SideToMove => side,
            Perspective::Black => black,
            Perspective::White => black.other(),
        };
        Self { flips: wanted != side }
    }

    fn chances(&self, chances: f64) -> f64 {
        if self.flips { 1.0 - chances } else { chances }
    }

    fn signed(&self, value: f64) -> f64 {
        if self.flips { -value } else { value }
    }

    fn owners(&self, owners: &[f32]) -> Value {
        owners.iter().map(|&own| json!((self.signed(f64::from(own)) * 1e4).round() / 1e4)).collect()
    }
}

/// Standard deviation of an owner: every playout ends with the point one side's or the other's.
fn deviations(owners: &[f32]) -> Value {
    let deviation = |&own: &f32| json!((f64::from(1.0 - own * own).max(0.0).sqrt() * 1e4).round() / 1e4);
    owners.iter().map(deviation).collect()
}

fn head(task: &Task, during: bool) -> Map<String, Value> {
    let mut answer = Map::new();
    answer.insert("id".to_owned(), task.id().into());
    answer.insert("isDuringSearch".to_owned(), during.into());
    answer.insert("turnNumber".to_owned(), task.turn.into());
    answer
}

/// The answer for a position of Go. `owners` has the owner of each point after each searched move, from the
/// side to move, or nothing.
pub fn of_tree(
    task: &Task,
    state: &GameState,
    analysis: &Analysis,
    owners: &[Vec<f32>],
    during: bool,
) -> Value {
    let side = state.side_to_move();
    let view = View::of(task, side, true);
    let include = &task.shared.include;
    let searched = analysis.moves.iter().filter(|found| found.visits > 0);
    let infos = searched.enumerate().map(|(order, found)| {
        let winrate = view.chances(found.winrate);
        let mut info = json!({
            "move": found.mv, "order": order, "visits": found.visits, "edgeVisits": found.visits,
            "winrate": winrate, "lcb": view.chances(found.lcb), "prior": found.prior,
            "utility": 2.0 * winrate - 1.0, "utilityLcb": 2.0 * view.chances(found.lcb) - 1.0,
            "scoreLead": view.signed(found.score_lead), "scoreMean": view.signed(found.score_lead),
            "scoreSelfplay": view.signed(found.score_lead), "scoreStdev": found.score_stdev,
            "pv": reported_line(&found.pv, task),
        });
        if include.pv_visits {
            put(&mut info, "pvVisits", counts(&found.pv_visits, task));
            put(&mut info, "pvEdgeVisits", counts(&found.pv_edge_visits, task));
        }
        if let Some(owners) = owners.get(order) {
            if include.moves_ownership {
                put(&mut info, "ownership", view.owners(owners));
            }
            if include.moves_ownership_stdev {
                put(&mut info, "ownershipStdev", deviations(owners));
            }
        }
        info
    });
    let winrate = view.chances(analysis.winrate);
    let (own_hash, any_hash) = hashes(state);
    let mut answer = head(task, during);
    answer.insert("moveInfos".to_owned(), infos.collect());
    answer.insert(
        "rootInfo".to_owned(),
        json!({
            "currentPlayer": if side == Side::First { "B" } else { "W" },
            "visits": analysis.visits, "winrate": winrate, "utility": 2.0 * winrate - 1.0, "lcb": winrate,
            "scoreLead": view.signed(analysis.score_lead), "scoreSelfplay": view.signed(analysis.score_lead),
            "scoreStdev": analysis.score_stdev, "thisHash": own_hash, "symHash": any_hash,
        }),
    );
    if include.ownership {
        answer.insert("ownership".to_owned(), view.owners(&analysis.ownership));
    }
    if include.ownership_stdev {
        answer.insert("ownershipStdev".to_owned(), deviations(&analysis.ownership));
    }
    if include.policy {
        answer.insert("policy".to_owned(), policy(state, analysis));
    }
    answer.into()
}

fn reported_line<'a>(line: &'a [String], task: &Task) -> &'a [String] {
    line.get(..task.shared.pv_length).unwrap_or(line)
}

pub(super) fn put(object: &mut Value, field: &str, value: impl Into<Value>) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(field.to_owned(), value.into());
    }
}

/// Numbers that go with the moves of a line, for its reported part.
fn counts(numbers: &[u64], task: &Task) -> Value {
    numbers.iter().take(task.shared.pv_length).copied().collect()
}

/// The share of every point, row by row from the top, and of the pass: -1 where no move is legal.
#[allow(clippy::arithmetic_side_effects, reason = "places of points of the board")]
fn policy(state: &GameState, analysis: &Analysis) -> Value {
    let (columns, rows) = state.size();
    let mut shares = vec![-1.0; columns * rows + 1];
    let at = |vertex: &str| {
        point(vertex).map_or(columns * rows, |(column, row)| (rows - 1 - row) * columns + column)
    };
    let mut set = |vertex: &str, share: f64| {
        if let Some(value) = shares.get_mut(at(vertex)) {
            *value = share;
        }
    };
    for vertex in state.legal_points(state.side_to_move()) {
        set(&vertex, 0.0);
    }
    set("pass", 0.0);
    // Restrictions do not change it.
    let known = analysis.moves.iter().map(|found| (&found.mv, found.prior));
    let all: Vec<_> = known.chain(analysis.barred.iter().map(|(mv, prior)| (mv, *prior))).collect();
    let total: f64 = all.iter().map(|(_, prior)| prior).sum();
    for (mv, prior) in all {
        set(mv, prior / total.max(f64::MIN_POSITIVE));
    }
    shares.into()
}

/// Column and row, from 0, of a vertex; none of a pass.
fn point(vertex: &str) -> Option<(usize, usize)> {
    let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(vertex.chars().next()?)?;
    Some((column, vertex.get(1..)?.parse::<usize>().ok()?.checked_sub(1)?))
}

/// Hashes of the position: its own, and one that it shares with its rotations and reflections.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "places of points of the board")]
fn hashes(state: &GameState) -> (String, String) {
    let (columns, rows) = state.size();
    let board = state.board();
    let side = state.side_to_move();
    let mut free = vec![false; columns * rows];
    // A point that ko forbids is part of the position.
    for (column, row) in state.legal_points(side).iter().filter_map(|vertex| point(vertex)) {
        free[(rows - 1 - row) * columns + column] = true;
    }
    let name = |turn: usize| {
        let (mut high, mut low) = (DefaultHasher::new(), DefaultHasher::new());
        (0u8, side).hash(&mut high);
        (1u8, side).hash(&mut low);
        let swaps = turn & 4 != 0;
        let (width, height) = if swaps { (rows, columns) } else { (columns, rows) };
        for y in 0..height {
            for x in 0..width {
                let (mut column, mut row) = if swaps { (y, x) } else { (x, y) };
                if turn & 1 != 0 {
                    column = columns - 1 - column;
                }
                if turn & 2 != 0 {
                    row = rows - 1 - row;
                }
                let at = row * columns + column;
                let cell = (board[at], free[at]);
                cell.hash(&mut high);
                cell.hash(&mut low);
            }
        }
        format!("{:016X}{:016X}", high.finish(), low.finish())
    };
    let all = (0..8).filter(|turn| columns == rows || turn & 4 == 0).map(name);
    (name(0), all.min().unwrap_or_default())
}

/// The answer for a position of chess or xiangqi: the winrate is the expected points, the lead is in pawns.
pub fn of_lines(task: &Task, kind: GameKind, side: Side, lines: &BTreeMap<u32, Info>, during: bool) -> Value {
    debug_assert!(matches!(task.shared.subject, Subject::Pieces(_)));
    let view = View::of(task, side, false);
    let value = |info: &Info| {
        let winrate = view.chances(chances(info.score, info.wdl));
        let mut value = json!({
            "visits": info.nodes, "winrate": winrate, "utility": 2.0 * winrate - 1.0, "depth": info.depth,
        });
        match info.score {
            Score::Centipawns(cp) => put(&mut value, "scoreLead", view.signed(f64::from(cp)) / 100.0),
            // Mate in this many moves; negative: against the side whose view it is.
            Score::Mate(n) => put(&mut value, "mate", if view.flips { n.saturating_neg() } else { n }),
        }
        if let Some([wins, draws, losses]) = info.wdl {
            let own = if view.flips { [losses, draws, wins] } else { [wins, draws, losses] };
            put(&mut value, "wdl", json!(own));
        }
        value
    };
    let begun = lines.values().filter_map(|info| Some((info, info.pv.first()?)));
    let infos = begun.enumerate().map(|(order, (info, first))| {
        let mut value = value(info);
        put(&mut value, "move", first.as_str());
        put(&mut value, "order", order);
        put(&mut value, "pv", reported_line(&info.pv, task));
        value
    });
    let mut answer = head(task, during);
    answer.insert("moveInfos".to_owned(), infos.collect());
    if let Some(first) = lines.values().next() {
        let mut root = value(first);
        put(&mut root, "currentPlayer", kind.side_letter(side));
        answer.insert("rootInfo".to_owned(), root);
    }
    answer.into()
}
