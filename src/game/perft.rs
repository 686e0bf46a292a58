//! Perft: counts the leaves of the tree of legal moves. <https://www.chessprogramming.org/Perft>

use super::{AlphaBetaGame, MoveList};

/// Leaves of the tree of legal moves `depth` plies deep; the last ply is counted, not played.
pub fn perft<G: AlphaBetaGame>(pos: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return pos.count_legal();
    }
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    let mut nodes = 0;
    for mv in moves {
        pos.do_move(mv, &mut ());
        nodes += perft(pos, depth - 1);
        pos.undo_move();
    }
    nodes
}
