//! The numbers of the search that can be tuned: one line a number, the values of both games side by side.
//!
//! In a normal build a tunable is an immediate constant; with `--features tune` it is an atomic that
//! UCI options set, and [`ROWS`] describes the options.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// One number: a constant, or an atomic under `--features tune`.
pub struct Cell(#[cfg(not(feature = "tune"))] i32, #[cfg(feature = "tune")] AtomicI32);

#[cfg(not(feature = "tune"))]
impl Cell {
    const fn new(value: i32) -> Self {
        Self(value)
    }

    /// The number.
    #[inline(always)]
    pub const fn get(&self) -> i32 {
        self.0
    }
}

#[cfg(feature = "tune")]
impl Cell {
    const fn new(value: i32) -> Self {
        Self(AtomicI32::new(value))
    }

    /// The number.
    #[inline(always)]
    pub fn get(&self) -> i32 {
        self.0.load(Relaxed)
    }

    /// Changes the number for every search from now on.
    pub fn set(&self, value: i32) {
        self.0.store(value, Relaxed);
    }
}

/// What a tuner has to know of a number.
pub struct Row {
    /// Its name, also that of its UCI option.
    pub name: &'static str,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Size of a perturbation.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident: chess = $c:expr, xiangqi = $x:expr, range = $lo:literal..=$hi:literal, step = $s:literal;)*) => {
        /// The numbers of one game.
        pub struct Params { $($(#[$doc])* pub $name: Cell),* }
        /// Those of chess.
        pub static CHESS: Params = Params { $($name: Cell::new($c)),* };
        /// Those of xiangqi.
        pub static XIANGQI: Params = Params { $($name: Cell::new($x)),* };
        /// All of them, in order.
        pub const ROWS: &[Row] = &[$(Row { name: stringify!($name), min: $lo, max: $hi, step: $s }),*];
        const _: () = { $(assert!($lo <= $c && $c <= $hi && $lo <= $x && $x <= $hi, stringify!($name));)* };
        impl Params {
            /// The number called `name`.
            pub fn cell(&self, name: &str) -> Option<&Cell> {
                match name { $(stringify!($name) => Some(&self.$name),)* _ => None }
            }
        }
    };
}

tunables! {
    /// First half-width of the aspiration window. <https://www.chessprogramming.org/Aspiration_Windows>
    aspiration: chess = 18, xiangqi = 13, range = 5..=60, step = 3;
    /// Sixteenths of its width that a window grows by where it fails.
    window_growth: chess = 11, xiangqi = 8, range = 2..=32, step = 2;
    /// Razoring margin at depth 0, and per depth squared. <https://www.chessprogramming.org/Razoring>
    razor_base: chess = 260, xiangqi = 500, range = 100..=800, step = 30;
    razor_depth: chess = 200, xiangqi = 170, range = 50..=500, step = 20;
    /// Reverse futility margin per depth, and per depth squared. <https://www.chessprogramming.org/Reverse_Futility_Pruning>
    rfp_margin: chess = 42, xiangqi = 26, range = 0..=200, step = 8;
    rfp_square: chess = 11, xiangqi = 8, range = 0..=30, step = 2;
    /// Twelfths of the estimate in the score of such a node; the rest is beta.
    rfp_blend: chess = 5, xiangqi = 4, range = 0..=12, step = 1;
    /// Null move: base reduction and depth divisor. <https://www.chessprogramming.org/Null_Move_Pruning>
    nmp_base: chess = 5, xiangqi = 6, range = 2..=8, step = 1;
    nmp_divisor: chess = 3, xiangqi = 4, range = 2..=8, step = 1;
    nmp_eval_divisor: chess = 110, xiangqi = 301, range = 80..=500, step = 20;
    /// Null move: how far the static evaluation may be below beta, at depth 0 above it, and per depth.
    nmp_margin: chess = 200, xiangqi = 200, range = 0..=400, step = 20;
    nmp_margin_depth: chess = 12, xiangqi = 12, range = 5..=50, step = 3;
    /// ProbCut margin above beta. <https://www.chessprogramming.org/ProbCut>
    probcut_margin: chess = 190, xiangqi = 210, range = 80..=400, step = 15;
    /// The margin's discount in nodes whose evaluation improves.
    probcut_improving: chess = 50, xiangqi = 50, range = 0..=120, step = 8;
    /// Plies by which its search is less deep than the node, the move included.
    probcut_reduction: chess = 5, xiangqi = 4, range = 3..=6, step = 1;
    /// Late-move pruning: moves allowed at depth 0, and sixteenths of one per depth squared. <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
    lmp_base: chess = 4, xiangqi = 3, range = 1..=10, step = 1;
    lmp_square: chess = 14, xiangqi = 16, range = 6..=32, step = 2;
    /// Futility margin of quiet moves: base and per reduced depth. <https://www.chessprogramming.org/Futility_Pruning>
    futility_base: chess = 60, xiangqi = 135, range = 20..=300, step = 12;
    futility_depth: chess = 75, xiangqi = 91, range = 20..=250, step = 10;
    /// Greatest reduced depths at which quiet moves are pruned by futility, and by history.
    futility_most_depth: chess = 10, xiangqi = 8, range = 4..=14, step = 1;
    history_most_depth: chess = 4, xiangqi = 5, range = 2..=10, step = 1;
    /// History below which a late quiet is pruned, per depth. <https://www.chessprogramming.org/History_Leaf_Pruning>
    history_prune: chess = 3900, xiangqi = 2700, range = 500..=9000, step = 300;
    /// SEE pruning: quiets per depth squared, captures per depth.
    see_quiet: chess = 13, xiangqi = 41, range = 5..=80, step = 4;
    see_capture: chess = 130, xiangqi = 120, range = 30..=250, step = 12;
    /// Late-move reductions in 1/1024 ply: base and factor of ln(depth) ln(moves). <https://www.chessprogramming.org/Late_Move_Reductions>
    lmr_base: chess = 1000, xiangqi = 950, range = 0..=2000, step = 60;
    lmr_factor: chess = 365, xiangqi = 414, range = 200..=800, step = 25;
    /// Centipawns that both evaluations, each from its own side, add up to when a move that was searched less deeply lost
    /// that much: it needs a ply less.
    hindsight: chess = 60, xiangqi = 160, range = 20..=400, step = 15;
    /// Terms of the reduction, in 1/1024 ply.
    lmr_cut_node: chess = 2050, xiangqi = 1350, range = 0..=3000, step = 120;
    lmr_not_improving: chess = 350, xiangqi = 400, range = 0..=2000, step = 90;
    lmr_pv: chess = 1100, xiangqi = 500, range = 0..=3000, step = 120;
    lmr_tt_pv: chess = 480, xiangqi = 900, range = 0..=2500, step = 100;
    lmr_tt_pv_high: chess = 500, xiangqi = 500, range = 0..=3000, step = 120;
    lmr_tt_deep: chess = 700, xiangqi = 700, range = 0..=2000, step = 90;
    lmr_tt_low: chess = 800, xiangqi = 300, range = 0..=2000, step = 90;
    lmr_no_hash_move: chess = 500, xiangqi = 500, range = 0..=3000, step = 120;
    lmr_fall: chess = 0, xiangqi = 300, range = 0..=1500, step = 70;
    /// The same for each centipawn of correction of the evaluation.
    lmr_correction: chess = 13, xiangqi = 8, range = 0..=30, step = 2;
    lmr_tt_capture: chess = 0, xiangqi = 701, range = 0..=2000, step = 100;
    lmr_check: chess = 988, xiangqi = 802, range = 0..=2000, step = 90;
    lmr_cutoffs: chess = 512, xiangqi = 512, range = 0..=1500, step = 70;
    /// Reduction, without history, from which the first move of a node is searched a ply less deeply; two plies at half as
    /// much again.
    lmr_first: chess = 3200, xiangqi = 3200, range = 1500..=9000, step = 300;
    /// Centipawns by which a reduced move must beat the best one to be searched again a ply deeper: at depth 0, per depth. How
    /// many times that for two plies; at 1000 never. Eighths of a centipawn per depth: a move that beats the best one by less is
    /// searched again a ply less deeply.
    lmr_deeper: chess = 80, xiangqi = 40, range = 5..=150, step = 8;
    lmr_deeper_depth: chess = 1, xiangqi = 2, range = 0..=8, step = 1;
    lmr_deeper_twice: chess = 3, xiangqi = 1000, range = 1..=1000, step = 1;
    lmr_shallower: chess = 2, xiangqi = 8, range = 0..=20, step = 2;
    /// What the history of a capture lacks to that of a quiet move.
    lmr_capture: chess = 10000, xiangqi = 4000, range = 0..=20000, step = 500;
    /// History that reduces or extends by one ply.
    lmr_history: chess = 11000, xiangqi = 9742, range = 3000..=20000, step = 700;
    /// Share of the nodes, in 1/1024, that looks for mates by checks alone. What it finds: docs/lab/mates-by-checks.md.
    mate_share: chess = 0, xiangqi = 128, range = 0..=512, step = 32;
    /// Least depth of a singular search, one more in nodes of a principal variation: it costs half the node.
    singular_depth: chess = 6, xiangqi = 5, range = 3..=12, step = 1;
    /// Singular extension: margin per depth in 1/64, and the margins of a double and a triple one. <https://www.chessprogramming.org/Singular_Extensions>
    singular_margin: chess = 62, xiangqi = 59, range = 20..=150, step = 6;
    /// The margin's surplus, in the same unit, where the node was once in a principal variation and is not now.
    singular_former_pv: chess = 50, xiangqi = 50, range = 0..=300, step = 15;
    singular_double: chess = 12, xiangqi = 21, range = 2..=60, step = 3;
    singular_triple: chess = 110, xiangqi = 90, range = 20..=250, step = 10;
    /// How much more they are in principal variations: such lines are long as it is.
    singular_pv: chess = 320, xiangqi = 180, range = 0..=400, step = 20;
    /// How much less the margins of a double and a triple extension are for a quiet move.
    singular_quiet: chess = 30, xiangqi = 60, range = 0..=200, step = 10;
    /// Weight of the history of moves near the root in their order, at the root; at ply `n` divided by `n + 1`.
    low_ply: chess = 2, xiangqi = 4, range = 0..=16, step = 1;
    /// Weights of the histories in the order of quiet moves, in 1/16: by squares, by pawns, of the moves 1 and 2 plies back,
    /// of those 4 and 6 plies back.
    order_squares: chess = 20, xiangqi = 16, range = 0..=40, step = 2;
    order_pawns: chess = 6, xiangqi = 16, range = 0..=40, step = 2;
    order_near: chess = 12, xiangqi = 16, range = 0..=40, step = 2;
    order_far: chess = 5, xiangqi = 8, range = 0..=40, step = 2;
    /// Order of quiet moves: a bonus for taking a piece out of danger, for each centipawn of the piece, and a bonus for a
    /// check. Where they come from, and why xiangqi has none: docs/lab/order-by-danger.md, docs/lab/xiangqi.md.
    escape: chess = 7, xiangqi = 0, range = 0..=60, step = 4;
    order_check: chess = 12710, xiangqi = 0, range = 0..=30000, step = 1500;
    /// Units of capture history that a centipawn of the victim outweighs in the order of captures: the victim goes first,
    /// history breaks ties. Units of that order that a good capture may pay for with a centipawn lost in the exchange.
    victim: chess = 27, xiangqi = 16, range = 4..=40, step = 2;
    good_capture_slack: chess = 48, xiangqi = 64, range = 16..=200, step = 8;
    /// Quiescence: captures tried in a node before those that neither recapture nor give check are left out.
    qs_captures: chess = 2, xiangqi = 4, range = 1..=12, step = 1;
    /// Quiescence: margin of futility pruning. <https://www.chessprogramming.org/Delta_Pruning>
    qs_futility: chess = 92, xiangqi = 141, range = 40..=400, step = 15;
    /// Weights of the corrections of the evaluation by pawns, by the other pieces of a side, by material, by the last two
    /// moves; centipawns times depth that one learns as a unit. <https://www.chessprogramming.org/Static_Evaluation_Correction_History>
    correction_pawns: chess = 4, xiangqi = 5, range = 0..=12, step = 1;
    correction_pieces: chess = 4, xiangqi = 5, range = 0..=12, step = 1;
    correction_material: chess = 7, xiangqi = 3, range = 0..=12, step = 1;
    correction_moves: chess = 3, xiangqi = 5, range = 0..=12, step = 1;
    correction_depth: chess = 9, xiangqi = 8, range = 2..=32, step = 1;
    /// History bonus and malus: each per depth, and its greatest value; what the bonus is less at every depth. <https://www.chessprogramming.org/History_Heuristic>
    bonus_depth: chess = 168, xiangqi = 174, range = 50..=400, step = 15;
    bonus_max: chess = 1275, xiangqi = 1600, range = 500..=4000, step = 150;
    bonus_less: chess = 200, xiangqi = 0, range = 0..=600, step = 40;
    malus_depth: chess = 280, xiangqi = 240, range = 50..=500, step = 20;
    malus_max: chess = 1679, xiangqi = 1500, range = 500..=4000, step = 150;
    /// Percent of a bonus that a quiet move earns where no answer to it beats alpha, as was to be expected; all of it where it
    /// was not.
    fail_low_share: chess = 100, xiangqi = 50, range = 0..=150, step = 10;
    /// Thirds of a bonus that histories of answers to the moves 4 and 6 plies back learn.
    far_share: chess = 3, xiangqi = 2, range = 0..=6, step = 1;
}
