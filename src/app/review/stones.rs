//! Why a move of Go is a mistake: groups that die or live, stones that are captured, points that are lost.

use super::Opinion;
use crate::game::Side;
use crate::games::game::Game;
use crate::go::{Point, PointSet, coords};
use crate::message;
use crate::util::lang::Bilingual;
use crate::util::message::Message;

/// The mean owner from which on a group is one side's.
const SURE: f32 = 0.4;
/// Stones of a group that is worth a word.
const GROUP: usize = 3;
/// Moves of a line that are played over for captures.
const HORIZON: usize = 5;
/// Points that are worth a word.
const POINTS: f64 = 1.0;

/// What the search shows of a move between `game` and `next`.
pub(super) fn reason(game: &Game, next: &Game, before: &Opinion, after: &Opinion) -> Option<Message> {
    if !before.knows_owners() || !after.knows_owners() {
        return None;
    }
    let what = groups(game, next, before, after)
        .or_else(|| captured(next, before, after, game))
        .or_else(|| missed(game, before))
        .or_else(|| elsewhere(game, next, before));
    let points = before.lead + after.lead;
    let points = (points >= POINTS && before.knows_lead() && after.knows_lead()).then(|| {
        let points = format!("{points:.1}");
        message!("loses about {points} points" | "约亏 {points} 目", points)
    });
    match (what, points) {
        (Some(what), Some(points)) => Some(message!("{what}; {points}" | "{what}；{points}", what, points)),
        (what, points) => what.or(points),
    }
}

/// The largest group whose owner the move has changed.
fn groups(game: &Game, next: &Game, before: &Opinion, after: &Opinion) -> Option<Message> {
    let (then, now) = (game.stones()?.position().board(), next.stones()?.position().board());
    if before.owner.len() != then.area() || after.owner.len() != then.area() {
        return None;
    }
    let mover = game.side_to_move();
    let owner = |all: &[f32], v: Point| {
        let (column, row) = v.col_row();
        all.get((then.height() - 1 - row) * then.width() + column).copied().unwrap_or_default()
    };
    // Chains that were there before, and are not captured.
    let mut seen = PointSet::EMPTY;
    let mut changed: [Vec<(usize, Point)>; 2] = Default::default();
    for v in then.points() {
        let Some(side) = then.color(v).side().filter(|_| seen.insert(v)) else { continue };
        if now.color(v).side() != Some(side) {
            continue;
        }
        let chain: Vec<Point> = then.chain(v).collect();
        let count = chain.len() as f32;
        for &stone in &chain {
            seen.insert(stone);
        }
        let was = chain.iter().map(|&v| owner(&before.owner, v)).sum::<f32>() / count;
        let is = -chain.iter().map(|&v| owner(&after.owner, v)).sum::<f32>() / count;
        if was >= SURE && is <= -SURE {
            changed[side.index()].push((chain.len(), v));
        }
    }
    let stones = |side: Side| changed[side.index()].iter().map(|(count, _)| count).sum::<usize>();
    let [own, other] = [mover, mover.other()].map(|side| (stones(side), side));
    let (stones, side) = if own.0 >= other.0 { own } else { other };
    if stones < GROUP {
        return None;
    }
    // Named by a stone of its largest chain.
    let (_, at) = changed[side.index()].iter().max_by_key(|(count, _)| *count)?;
    let (name, at) = (color(side), coords::vertex(then, *at));
    Some(if side == mover {
        message!(
            "the {name} group at {at} dies ({stones} stones)" | "{at} 一带的{name}棋死了（{stones} 子）",
            name,
            at,
            stones
        )
    } else {
        message!(
            "lets the {name} group at {at} live ({stones} stones)" | "{at} 一带的{name}棋活了（{stones} 子）",
            name,
            at,
            stones
        )
    })
}

fn color(side: Side) -> Bilingual {
    match side {
        Side::First => Bilingual("black", "黑"),
        Side::Second => Bilingual("white", "白"),
    }
}

/// The stones that the mover loses in the next moves, and would not have lost after the best move.
fn captured(next: &Game, before: &Opinion, after: &Opinion, game: &Game) -> Option<Message> {
    let mover = game.side_to_move();
    let lost = |game: &Game, line: &[String]| -> Option<u32> {
        let mut game = game.clone();
        let at = game.stones()?.position().board().lost(mover);
        for mv in line.iter().take(HORIZON) {
            game.play(mv).ok()?;
        }
        Some(game.stones()?.position().board().lost(mover).saturating_sub(at))
    };
    let stones = lost(next, &after.line)?;
    let reply = after.line.first().filter(|_| stones >= 2)?;
    (lost(game, &before.line)? < stones).then(|| {
        message!("loses {stones} stones after {reply}" | "{reply} 后被提 {stones} 子", stones, reply)
    })
}

/// The stones that the best move captures at once.
fn missed(game: &Game, before: &Opinion) -> Option<Message> {
    let (other, better) = (game.side_to_move().other(), before.line.first()?);
    let mut best = game.clone();
    best.play(better).ok()?;
    let lost = |game: &Game| Some(game.stones()?.position().board().lost(other));
    let stones = lost(&best)?.saturating_sub(lost(game)?);
    (stones >= 2).then(|| {
        message!(
            "misses {better}, which captures {stones} stones" | "错过 {better} 提 {stones} 子",
            better,
            stones
        )
    })
}

/// The move was on the wrong side of the board, or none at all.
fn elsewhere(game: &Game, next: &Game, before: &Opinion) -> Option<Message> {
    let board = game.stones()?.position().board();
    let better = before.line.first()?;
    let place = |mv: &str| coords::parse_vertex(board, mv).filter(|v| v.is_stone());
    let (best, played) = (place(better)?, next.moves().last()?);
    let Some(played) = place(played) else {
        return Some(message!("passes, where {better} was to be played" | "停一手，应走 {better}", better));
    };
    if distance(best, played) < board.width().max(board.height()).div_ceil(2).saturating_sub(1) {
        return None;
    }
    let last = game.moves().last().filter(|last| place(last).is_some_and(|last| distance(last, best) <= 3));
    Some(match last {
        Some(last) => {
            message!("leaves {last} unanswered: {better}" | "没有应 {last}：应走 {better}", last, better)
        }
        None => message!("{better}, on another side of the board, was larger" | "{better} 方向更大", better),
    })
}

/// Lines from one point to another, along the longer way.
fn distance(one: Point, other: Point) -> usize {
    let ((a, b), (c, d)) = (one.col_row(), other.col_row());
    a.abs_diff(c).max(b.abs_diff(d))
}
