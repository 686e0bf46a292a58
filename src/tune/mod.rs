//! The numbers of the search that can be tuned: one line a number, the values of both games side by side.
//!
//! Factors and shares are in units of 1/[`ONE`]. Two are not, since their values in it would round and change
//! what the search does: `rfp_blend` counts in twelfths, `far_share` in thirds. Pages of docs/lab give some
//! numbers in older units: `order_*`, `lmp_square` and `window_growth` in sixteenths, `singular_*margin` in
//! 1/64, `lmr_shallower` in eighths, `correction_*` in 1/128, `fail_low_share` in percent.
//!
//! In a normal build a tunable is an immediate constant; with `--features tune` it is an atomic that
//! UCI options set, and [`ROWS`] describes the options.

#[cfg(feature = "tune")]
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

/// 1.0 of a factor or a share.
pub const ONE: i32 = 1024;

/// One number: a constant, or an atomic under `--features tune`.
pub struct Cell(#[cfg(not(feature = "tune"))] i32, #[cfg(feature = "tune")] AtomicI32);

#[cfg(not(feature = "tune"))]
impl Cell {
    const fn new(value: i32) -> Self {
        Self(value)
    }

    #[inline(always)]
    pub const fn get(&self) -> i32 {
        self.0
    }

    /// This factor times `x`.
    #[inline(always)]
    pub const fn of(&self, x: i32) -> i32 {
        x * self.get() / ONE
    }
}

#[cfg(feature = "tune")]
impl Cell {
    const fn new(value: i32) -> Self {
        Self(AtomicI32::new(value))
    }

    #[inline(always)]
    pub fn get(&self) -> i32 {
        self.0.load(Relaxed)
    }

    /// This factor times `x`.
    #[inline(always)]
    pub fn of(&self, x: i32) -> i32 {
        x * self.get() / ONE
    }

    /// Changes the number for every search from now on.
    pub fn set(&self, value: i32) {
        self.0.store(value, Relaxed);
    }
}

/// A number as a tuner sees it.
pub struct Tunable {
    /// Its name, also that of its UCI option.
    pub name: &'static str,
    pub min: i32,
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
        pub const ROWS: &[Tunable] = &[$(Tunable { name: stringify!($name), min: $lo, max: $hi, step: $s }),*];
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
    /// Share of its width that a window grows by where it fails.
    window_growth: chess = 704, xiangqi = 512, range = 128..=2048, step = 128;
    /// Razoring margin at depth 0, and per depth squared. <https://www.chessprogramming.org/Razoring>
    razor_base: chess = 260, xiangqi = 500, range = 100..=800, step = 30;
    razor_depth: chess = 200, xiangqi = 170, range = 50..=500, step = 20;
    /// Reverse futility margin per depth, and per depth squared.
    /// <https://www.chessprogramming.org/Reverse_Futility_Pruning>
    rfp_margin: chess = 42, xiangqi = 26, range = 0..=200, step = 8;
    rfp_square: chess = 11, xiangqi = 8, range = 0..=30, step = 2;
    /// Twelfths of the estimate in the score of a node that is cut; the rest is beta.
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
    /// Late-move pruning: moves allowed at depth 0, and per depth squared.
    /// <https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>
    lmp_base: chess = 4, xiangqi = 3, range = 1..=10, step = 1;
    lmp_square: chess = 896, xiangqi = 1024, range = 384..=2048, step = 128;
    /// Futility margin of quiet moves: base and per reduced depth.
    /// <https://www.chessprogramming.org/Futility_Pruning>
    futility_base: chess = 60, xiangqi = 135, range = 20..=300, step = 12;
    futility_depth: chess = 75, xiangqi = 91, range = 20..=250, step = 10;
    /// Maximum reduced depths at which quiet moves are pruned by futility, and by history.
    futility_max_depth: chess = 10, xiangqi = 8, range = 4..=14, step = 1;
    history_max_depth: chess = 4, xiangqi = 5, range = 2..=10, step = 1;
    /// History below which a late quiet is pruned, per depth.
    /// <https://www.chessprogramming.org/History_Leaf_Pruning>
    history_prune: chess = 3900, xiangqi = 2700, range = 500..=9000, step = 300;
    /// SEE pruning: quiets per depth squared, captures per depth.
    see_quiet: chess = 13, xiangqi = 41, range = 5..=80, step = 4;
    see_capture: chess = 130, xiangqi = 120, range = 30..=250, step = 12;
    /// Late-move reductions: base and factor of ln(depth) ln(moves).
    /// <https://www.chessprogramming.org/Late_Move_Reductions>
    lmr_base: chess = 1000, xiangqi = 950, range = 0..=2000, step = 60;
    lmr_factor: chess = 365, xiangqi = 414, range = 200..=800, step = 25;
    /// Centipawns that both evaluations, each from its own side, add up to when a move that was searched less
    /// deeply lost that much: it needs a ply less.
    hindsight: chess = 60, xiangqi = 160, range = 20..=400, step = 15;
    /// Terms of the reduction.
    lmr_cut_node: chess = 2050, xiangqi = 1350, range = 0..=3000, step = 120;
    lmr_not_improving: chess = 350, xiangqi = 400, range = 0..=2000, step = 90;
    lmr_pv: chess = 1100, xiangqi = 500, range = 0..=3000, step = 120;
    lmr_tt_pv: chess = 480, xiangqi = 900, range = 0..=2500, step = 100;
    lmr_tt_pv_high: chess = 500, xiangqi = 500, range = 0..=3000, step = 120;
    lmr_tt_deep: chess = 700, xiangqi = 700, range = 0..=2000, step = 90;
    lmr_tt_low: chess = 800, xiangqi = 300, range = 0..=2000, step = 90;
    lmr_no_hash_move: chess = 500, xiangqi = 500, range = 0..=3000, step = 120;
    lmr_fall: chess = 0, xiangqi = 300, range = 0..=1500, step = 70;
    /// Per centipawn of correction of the evaluation.
    lmr_correction: chess = 13, xiangqi = 8, range = 0..=30, step = 2;
    lmr_tt_capture: chess = 0, xiangqi = 701, range = 0..=2000, step = 100;
    lmr_check: chess = 988, xiangqi = 802, range = 0..=2000, step = 90;
    lmr_cutoffs: chess = 512, xiangqi = 512, range = 0..=1500, step = 70;
    /// Reduction, without history, from which the first move of a node is searched a ply less deeply; two
    /// plies at half as much again.
    lmr_first: chess = 3200, xiangqi = 3200, range = 1500..=9000, step = 300;
    /// Centipawns by which a reduced move must beat the best one to be searched again a ply deeper: at depth
    /// 0, per depth. How many times that for two plies; at 1000 never. Centipawns per depth by which it must
    /// at least beat it not to be searched again a ply less deeply.
    lmr_deeper: chess = 80, xiangqi = 40, range = 5..=150, step = 8;
    lmr_deeper_depth: chess = 1, xiangqi = 2, range = 0..=8, step = 1;
    lmr_deeper_twice: chess = 3, xiangqi = 1000, range = 1..=1000, step = 1;
    lmr_shallower: chess = 256, xiangqi = 1024, range = 0..=2560, step = 256;
    /// What the history of a capture lacks to that of a quiet move.
    lmr_capture: chess = 10000, xiangqi = 4000, range = 0..=20000, step = 500;
    /// History that reduces or extends by one ply.
    lmr_history: chess = 11000, xiangqi = 9742, range = 3000..=20000, step = 700;
    /// Share of the nodes spent on mates by checks only. What it finds: docs/lab/mates-by-checks.md.
    mate_share: chess = 0, xiangqi = 128, range = 0..=512, step = 32;
    /// Minimum depth of a singular search, one more in PV nodes: it costs half the node.
    singular_depth: chess = 6, xiangqi = 5, range = 3..=12, step = 1;
    /// Singular extension: margin per depth, and the margins of a double and a triple one.
    /// <https://www.chessprogramming.org/Singular_Extensions>
    singular_margin: chess = 992, xiangqi = 944, range = 320..=2400, step = 96;
    /// What is added to the margin where the node was once in a principal variation and is not now.
    singular_former_pv: chess = 800, xiangqi = 800, range = 0..=4800, step = 240;
    singular_double: chess = 12, xiangqi = 21, range = 2..=60, step = 3;
    singular_triple: chess = 110, xiangqi = 90, range = 20..=250, step = 10;
    /// How much more they are in PV nodes: these lines are long as it is.
    singular_pv: chess = 320, xiangqi = 180, range = 0..=400, step = 20;
    /// How much less the margins of a double and a triple extension are for a quiet move.
    singular_quiet: chess = 30, xiangqi = 60, range = 0..=200, step = 10;
    /// Weight of the history of moves near the root in their order, at the root; at ply `n` divided by `n +
    /// 1`.
    low_ply: chess = 2, xiangqi = 4, range = 0..=16, step = 1;
    /// Weights of the histories in the order of quiet moves: by squares, by pawns, of the moves 1 and 2 plies
    /// back, of those 4 and 6 plies back.
    order_squares: chess = 1280, xiangqi = 1024, range = 0..=2560, step = 128;
    order_pawns: chess = 384, xiangqi = 1024, range = 0..=2560, step = 128;
    order_near: chess = 768, xiangqi = 1024, range = 0..=2560, step = 128;
    order_far: chess = 320, xiangqi = 512, range = 0..=2560, step = 128;
    /// Order of quiet moves: a bonus for taking a piece out of danger, for each centipawn of the piece, and a
    /// bonus for a check. Where they come from, and why xiangqi has none: docs/lab/order-by-danger.md,
    /// docs/lab/xiangqi.md.
    escape: chess = 7, xiangqi = 0, range = 0..=60, step = 4;
    order_check: chess = 12710, xiangqi = 0, range = 0..=30000, step = 1500;
    /// Units of capture history that a centipawn of the victim outweighs in the order of captures: the victim
    /// goes first, history breaks ties. Units of that order that a good capture may pay for with a centipawn
    /// lost in the exchange.
    victim: chess = 27, xiangqi = 16, range = 4..=40, step = 2;
    good_capture_slack: chess = 48, xiangqi = 64, range = 16..=200, step = 8;
    /// Quiescence: captures tried in a node before those that neither recapture nor give check are left out.
    qs_captures: chess = 2, xiangqi = 4, range = 1..=12, step = 1;
    /// Quiescence: margin of futility pruning. <https://www.chessprogramming.org/Delta_Pruning>
    qs_futility: chess = 92, xiangqi = 141, range = 40..=400, step = 15;
    /// Weights of the corrections of the evaluation by pawns, by the other pieces of a side, by material, by
    /// the last two moves; centipawns times depth that one learns as a unit.
    /// <https://www.chessprogramming.org/Static_Evaluation_Correction_History>
    correction_pawns: chess = 32, xiangqi = 40, range = 0..=96, step = 8;
    correction_pieces: chess = 32, xiangqi = 40, range = 0..=96, step = 8;
    correction_material: chess = 56, xiangqi = 24, range = 0..=96, step = 8;
    correction_moves: chess = 24, xiangqi = 40, range = 0..=96, step = 8;
    correction_depth: chess = 9, xiangqi = 8, range = 2..=32, step = 1;
    /// History bonus and malus: each per depth, and its greatest value; what the bonus is less at every
    /// depth. <https://www.chessprogramming.org/History_Heuristic>
    bonus_depth: chess = 168, xiangqi = 174, range = 50..=400, step = 15;
    bonus_max: chess = 1275, xiangqi = 1600, range = 500..=4000, step = 150;
    bonus_less: chess = 200, xiangqi = 0, range = 0..=600, step = 40;
    malus_depth: chess = 280, xiangqi = 240, range = 50..=500, step = 20;
    malus_max: chess = 1679, xiangqi = 1500, range = 500..=4000, step = 150;
    /// Share of a bonus that a quiet move earns where no answer to it beats alpha, as expected; all of it
    /// where that was not expected.
    fail_low_share: chess = 1024, xiangqi = 512, range = 0..=1536, step = 102;
    /// Thirds of a bonus that histories of answers to the moves 4 and 6 plies back learn.
    far_share: chess = 3, xiangqi = 2, range = 0..=6, step = 1;
}
