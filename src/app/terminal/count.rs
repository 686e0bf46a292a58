//! Which stones of a finished game of Go are dead, as a person says it.

use crate::games::game::Position;
use crate::go::coords;

/// All stones of the chain on a vertex; empty where no stone is.
pub fn chain(position: &Position, vertex: &str) -> Vec<String> {
    let Some(stones) = position.stones() else { return Vec::new() };
    let board = stones.position().board();
    match coords::parse_vertex(board, vertex) {
        Some(v) if board.contains(v) && !board.is_empty(v) => {
            board.chain(v).map(|v| coords::vertex(board, v)).collect()
        }
        _ => Vec::new(),
    }
}

/// Changes what the chains on some vertices are taken for; says whether there is any. `missing` hears of
/// vertices without a stone.
pub fn dispute(
    position: &Position,
    vertices: &str,
    dead: &mut Vec<String>,
    mut missing: impl FnMut(&str),
) -> bool {
    let (mut any, mut changed) = (false, Vec::new());
    for vertex in vertices.split_whitespace() {
        let chain = chain(position, vertex);
        if chain.is_empty() {
            missing(vertex);
            continue;
        }
        any = true;
        // Two stones of a chain change it once.
        if chain.iter().any(|v| changed.contains(v)) {
            continue;
        }
        changed.extend(chain.iter().cloned());
        let was_dead = chain.iter().any(|v| dead.contains(v));
        dead.retain(|v| !chain.contains(v));
        if !was_dead {
            dead.extend(chain);
        }
    }
    any
}
