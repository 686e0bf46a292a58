//! Perft: counts the leaves of the tree of legal moves. <https://www.chessprogramming.org/Perft>

use super::Game;

/// Maximum depth in plies: far beyond what can be counted, and each takes room on the stack.
pub const MAX_PLIES: u32 = 128;

/// Leaves of the tree of legal moves `depth` plies deep, as fast as the game can count them.
pub fn perft<G: Game>(pos: &mut G, depth: u32) -> u64 {
    pos.count_leaves(depth)
}

/// The same, always move by move through `do_move` and `undo_move`; the last ply is counted, not played.
pub fn walk<G: Game>(pos: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return pos.count_legal();
    }
    let mut nodes = 0;
    for mv in pos.legal() {
        pos.do_move(mv, &mut ());
        nodes += walk(pos, depth - 1);
        pos.undo_move();
    }
    nodes
}
