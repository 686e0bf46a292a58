//! The numbers of the evaluation, in centipawns: chosen by reasoning, in a form that shows the reason.
//! Tables by square come from formulas of centrality and advance.

use super::tapered::{TaperedScore, s};

/// Material by kind, pawn to king.
pub const MATERIAL: [TaperedScore; 6] =
    [s(82, 108), s(325, 305), s(340, 320), s(470, 540), s(990, 985), s(0, 0)];

/// How much of the middlegame a piece stands for, by kind. Both sides' first pieces make [`FULL_PHASE`].
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The sum of [`PHASE`] at the start of a game.
pub const FULL_PHASE: i32 = 24;

/// By kind and square, a1 first, as White sees it; material included.
pub static PIECE_SQUARE: [[TaperedScore; 64]; 6] = piece_square();

const fn piece_square() -> [[TaperedScore; 64]; 6] {
    let mut table = [[s(0, 0); 64]; 6];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        // Steps from the rim, 0 to 3, and their sum, 0 in a corner and 6 in the center.
        let inner_file = if file < 4 { file } else { 7 - file };
        let inner_rank = if rank < 4 { rank } else { 7 - rank };
        let center = inner_file + inner_rank;
        let extra = [
            pawn_square(inner_file, rank),
            s(KNIGHT_CENTER[center].0 + if rank >= 3 && rank <= 5 { 8 } else { 0 }, KNIGHT_CENTER[center].1),
            bishop_square(inner_file, rank, center),
            rook_square(inner_file, rank),
            s(QUEEN_CENTER[center].0 - if rank >= 5 { 4 } else { 0 }, QUEEN_CENTER[center].1),
            king_square(inner_file, rank, center),
        ];
        let mut kind = 0;
        while kind < 6 {
            let material = MATERIAL[kind];
            table[kind][square] = s(material.mg() + extra[kind].mg(), material.eg() + extra[kind].eg());
            kind += 1;
        }
        square += 1;
    }
    table
}

const KNIGHT_CENTER: [(i32, i32); 7] =
    [(-66, -60), (-38, -40), (-20, -24), (-7, -10), (4, 0), (13, 8), (20, 14)];
const QUEEN_CENTER: [(i32, i32); 7] = [(-12, -30), (-6, -18), (-2, -8), (1, 0), (3, 8), (4, 16), (4, 22)];
const KING_CENTER_EG: [i32; 7] = [-52, -30, -14, 2, 14, 24, 32];

const fn pawn_square(inner_file: usize, rank: usize) -> TaperedScore {
    const ADVANCE: [(i32, i32); 8] =
        [(0, 0), (-3, 4), (-5, -1), (2, 2), (12, 14), (28, 34), (55, 60), (0, 0)];
    // A pawn in the middle of the board fights for the center, and weighs little else.
    let fights = rank >= 2 && rank <= 4;
    let file = if fights { [-8, -3, 3, 12][inner_file] } else { [-2, 0, 1, -2][inner_file] };
    s(ADVANCE[rank].0 + file, ADVANCE[rank].1 - inner_file as i32)
}

const fn bishop_square(inner_file: usize, rank: usize, center: usize) -> TaperedScore {
    const CENTER: [(i32, i32); 7] = [(-16, -18), (-8, -10), (-1, -6), (4, -2), (8, 2), (11, 4), (13, 6)];
    let fianchetto = if rank == 1 && inner_file == 1 { 14 } else { 0 };
    let undeveloped = if rank == 0 { -10 } else { 0 };
    s(CENTER[center].0 + fianchetto + undeveloped, CENTER[center].1)
}

const fn rook_square(inner_file: usize, rank: usize) -> TaperedScore {
    let file = 3 * inner_file as i32;
    match rank {
        0 => s(file - 4, -4),
        6 => s(14, 16),
        7 => s(4, 10),
        4 | 5 => s(file - 8, 5),
        _ => s(file - 12, -3),
    }
}

const fn king_square(inner_file: usize, rank: usize, center: usize) -> TaperedScore {
    const HOME: [i32; 4] = [16, 32, 6, -6];
    let rank_cost = [0, 22, 48, 70, 88, 100, 108, 112][rank];
    s(HOME[inner_file] - rank_cost, KING_CENTER_EG[center])
}

/// Mobility of knight, bishop, rook and queen by the number of squares in reach: each further square is
/// worth less than the one before, so that the curve is a root.
pub static MOBILITY: [[TaperedScore; 28]; 4] =
    [mobility(60, 75, 75), mobility(72, 60, 75), mobility(78, 35, 90), mobility(100, 28, 65)];

/// `usual` is the root of 1024 times the usual number of squares; the gains are hundredths.
const fn mobility(usual: i32, mg: i32, eg: i32) -> [TaperedScore; 28] {
    let mut row = [s(0, 0); 28];
    let mut squares = 0;
    while squares < 28 {
        let root = (squares as i32 * 1024).isqrt() - usual;
        row[squares] = s(root * mg / 100, root * eg / 100);
        squares += 1;
    }
    row
}

pub const BISHOP_PAIR: TaperedScore = s(28, 52);
/// For each own pawn on the bishop's square color.
pub const BISHOP_PAWNS: TaperedScore = s(-3, -6);
/// A knight or bishop on a square of the enemy half that a pawn defends and no enemy pawn can attack.
pub const OUTPOST: [TaperedScore; 2] = [s(30, 20), s(22, 8)];
/// A minor piece right behind a pawn.
pub const SHIELDED_MINOR: TaperedScore = s(10, 3);
pub const ROOK_OPEN_FILE: TaperedScore = s(38, 10);
pub const ROOK_HALF_OPEN_FILE: TaperedScore = s(15, 7);

pub const DOUBLED: TaperedScore = s(-8, -24);
pub const ISOLATED: TaperedScore = s(-10, -14);
/// Behind its neighbors, and its next step is covered by an enemy pawn.
pub const BACKWARD: TaperedScore = s(-9, -12);
/// More for either on a file without enemy pawns.
pub const WEAK_ON_OPEN_FILE: TaperedScore = s(-10, -6);
/// Beside another pawn or defended by one, by rank.
pub const CONNECTED: [TaperedScore; 8] =
    [s(0, 0), s(4, 0), s(8, 4), s(11, 7), s(22, 20), s(42, 44), s(80, 80), s(0, 0)];

pub const PASSED: [TaperedScore; 8] =
    [s(0, 0), s(4, 10), s(4, 16), s(8, 34), s(28, 66), s(62, 118), s(110, 180), s(0, 0)];
/// Part of [`PASSED`] (in the endgame, 64ths) that remains when an enemy piece stands in front.
pub const BLOCKED_PASSED: i32 = 38;
/// For each rank from the fourth on, when the way to the last rank is not attacked.
pub const FREE_PASSED: TaperedScore = s(6, 14);
/// A passed pawn that no piece is left to stop and the king cannot catch.
pub const UNSTOPPABLE: TaperedScore = s(0, 480);

/// By kind of the attacked piece, attacked by a pawn.
pub const THREAT_BY_PAWN: [TaperedScore; 6] = [s(0, 0), s(52, 36), s(50, 40), s(72, 30), s(66, 26), s(0, 0)];
/// By kind of the attacked piece, attacked by a knight or bishop.
pub const THREAT_BY_MINOR: [TaperedScore; 6] = [s(0, 0), s(14, 16), s(14, 16), s(46, 30), s(44, 34), s(0, 0)];
/// By kind of the attacked piece, attacked by a rook.
pub const THREAT_BY_ROOK: [TaperedScore; 6] = [s(0, 0), s(14, 18), s(14, 18), s(0, 0), s(40, 20), s(0, 0)];
/// A piece or pawn that is attacked and not defended.
pub const HANGING: [TaperedScore; 2] = [s(8, 18), s(34, 22)];

/// Weight of a knight, bishop, rook and queen that attacks the king's surroundings.
pub const KING_ATTACKER: [i32; 4] = [38, 28, 42, 56];
/// A square beside the king that is attacked and only the king defends.
pub const KING_WEAK_SQUARE: i32 = 20;
/// A check by knight, bishop, rook or queen from a square that is not defended.
pub const SAFE_CHECK: [i32; 4] = [70, 42, 84, 66];
/// What an attack lacks without its queen.
pub const NO_QUEEN: i32 = -130;
/// Own pawns before the king by rank as the king's side sees it, 0 for none: middlegame, for each of
/// three files.
pub const SHELTER: [i32; 8] = [-26, 24, 14, 2, -6, -10, -12, -12];
/// Enemy pawns before the king by rank as the king's side sees it, when no own pawn blocks them.
pub const STORM: [i32; 8] = [0, -10, -34, -26, -12, -4, 0, 0];
/// A file beside the king without any pawn.
pub const OPEN_NEAR_KING: i32 = -18;

pub const TEMPO: i32 = 16;
