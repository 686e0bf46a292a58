//! Endings that the general terms misjudge: wins that need a direction, leads that cannot be won.

use super::{distance, relative};
use crate::chess::bitboard::Bitboard;
use crate::chess::position::Position;
use crate::chess::{Color, Kind, SEE_VALUES, Square};

/// The endgame value counts in full.
pub const FULL_SCALE: i32 = 128;

/// Added where only technique is missing to win.
const WON: i32 = 400;

/// A lone king against material that mates it: the score, from White's side, grows as the king is
/// driven to the edge (with bishop and knight: to a corner of the bishop's color) and the other comes near.
pub fn known_win(pos: &Position) -> Option<i32> {
    let lone = [Color::First, Color::Second]
        .into_iter()
        .find(|&color| pos.color(color) == pos.pieces(color, Kind::King))?;
    let strong = lone.other();
    if pos.pieces(strong, Kind::Pawn).any() || !mates_alone(pos, strong) {
        return None;
    }
    let (weak_king, strong_king) = (pos.king(lone), pos.king(strong));
    let heavy = pos.straight_sliders(strong).any();
    let bishops = pos.pieces(strong, Kind::Bishop);
    let driven = if !heavy && pos.pieces(strong, Kind::Knight).any() && !bishops.many() {
        driven_to_corner(pos, lone, bishops)
    } else {
        20 * from_center(weak_king)
    };
    let near = 8 * (7 - distance(weak_king, strong_king) as i32);
    Some(relative(WON + material(pos, strong) + driven + near, strong))
}

/// Bishop and knight against a bare king: how near the king is to a corner that the bishop covers. The
/// distance counts along ranks and files, so that every step along the edge gains. Confining the king is left
/// to the search, because a king without room in the wrong corner is no progress.
/// <https://en.wikipedia.org/wiki/Bishop_and_knight_checkmate>
fn driven_to_corner(pos: &Position, lone: Color, bishops: Bitboard) -> i32 {
    let (king, strong) = (pos.king(lone), lone.other());
    let [near, far] = if bishops.meets(Bitboard::DARK) { [(0, 0), (7, 7)] } else { [(0, 7), (7, 0)] };
    let steps =
        |(file, rank): (usize, usize)| (king.file().abs_diff(file) + king.rank().abs_diff(rank)) as i32;
    let corner = 7 - steps(near).min(steps(far));
    let kings = distance(king, pos.king(strong)) as i32;
    let knight = distance(king, pos.pieces(strong, Kind::Knight).first()) as i32;
    250 * corner - 40 * kings - 8 * knight
}

/// Whether the pieces of `strong` can force mate on a lone king.
fn mates_alone(pos: &Position, strong: Color) -> bool {
    let bishops = pos.pieces(strong, Kind::Bishop);
    let knights = pos.pieces(strong, Kind::Knight);
    pos.straight_sliders(strong).any()
        || (bishops.meets(Bitboard::LIGHT) && bishops.meets(Bitboard::DARK))
        || (bishops.any() && knights.any())
        || knights.count() > 2
}

/// Steps from the four center squares, files and ranks together: 0 to 6.
fn from_center(square: Square) -> i32 {
    let off = |x: usize| if x < 4 { 3 - x } else { x - 4 };
    (off(square.file()) + off(square.rank())) as i32
}

/// Exchange values of all pieces but pawns.
fn material(pos: &Position, color: Color) -> i32 {
    [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen]
        .into_iter()
        .map(|kind| SEE_VALUES[kind.index()] * pos.pieces(color, kind).count() as i32)
        .sum()
}

/// How much of the endgame value counts, in [`FULL_SCALE`]ths: the sign of `eg` is the side that is ahead.
pub fn scale(pos: &Position, eg: i32, passed: [Bitboard; 2]) -> i32 {
    let strong = if eg >= 0 { Color::First } else { Color::Second };
    let weak = strong.other();
    let (own, enemy) = (material(pos, strong), material(pos, weak));
    let pawns = pos.pieces(strong, Kind::Pawn);
    let minor = SEE_VALUES[Kind::Bishop.index()];
    if pawns.is_empty() {
        return match own - enemy {
            // A minor piece or two knights win nothing by themselves.
            _ if own <= minor => 0,
            _ if is_two_knights(pos, strong) && pos.pieces(weak, Kind::Pawn).is_empty() => 0,
            lead if lead <= minor => FULL_SCALE / 8,
            _ => FULL_SCALE,
        };
    }
    if is_wrong_bishop(pos, strong) {
        return 4;
    }
    let bishops = [Color::First, Color::Second].map(|color| pos.pieces(color, Kind::Bishop));
    let opposite = !bishops[0].many()
        && !bishops[1].many()
        && bishops.iter().all(|set| set.any())
        && bishops[0].meets(Bitboard::DARK) != bishops[1].meets(Bitboard::DARK);
    if opposite {
        let alone = own <= minor && enemy <= minor;
        let passed = passed[strong.index()].count() as i32;
        return if alone { 40 + 12 * passed.min(4) } else { 84 + 4 * pawns.count() as i32 }.min(FULL_SCALE);
    }
    // With few pawns left the defender may trade them all.
    (92 + 9 * pawns.count() as i32).min(FULL_SCALE)
}

fn is_two_knights(pos: &Position, color: Color) -> bool {
    let pieces = pos.color(color) & !pos.pieces(color, Kind::King);
    pieces == pos.pieces(color, Kind::Knight) && pieces.count() == 2
}

/// Pawns of one rook's file only, bishops that do not cover the square they promote on, and the enemy
/// king in that corner: a draw. <https://en.wikipedia.org/wiki/Wrong_bishop>
fn is_wrong_bishop(pos: &Position, strong: Color) -> bool {
    let pawns = pos.pieces(strong, Kind::Pawn);
    let pieces = pos.color(strong) & !pawns & !pos.pieces(strong, Kind::King);
    let bishops = pos.pieces(strong, Kind::Bishop);
    let file = pawns.first().file();
    if pieces != bishops || (pawns & !Bitboard::file(file)).any() || !matches!(file, 0 | 7) {
        return false;
    }
    let goal = Square::at(file, 7).relative(strong);
    let goal_color = if Bitboard::DARK.has(goal) { Bitboard::DARK } else { Bitboard::LIGHT };
    let own_way = distance(pos.king(strong), goal);
    // Without bishops it is king and pawn against king, where the corner draws as well.
    !bishops.meets(goal_color) && distance(pos.king(strong.other()), goal) <= 1.min(own_way)
}
