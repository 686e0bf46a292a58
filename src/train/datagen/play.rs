//! One self-play game: a random opening, searched moves, and the rules and scores that end it.

use super::super::generate::game_rng;
use super::super::record::{EndReason, GameResult, MATE_SCORE, NO_SCORE, TrainingGame, TrainingPly};
use super::{Found, MoveSearcher, NodeLimits, Settings};
use crate::game::{AlphaBetaGame, Game, Side, Verdict};
use crate::util::rng::Rng;

/// A random move may lose this much in exchanges, in centipawns: anything but the queen for nothing.
const OPENING_SEE: i32 = -1000;
/// Random moves behind an opening that people know, at most.
const BEHIND_OPENING: usize = 3;
/// Nodes that decide whether an opening is even enough. They are at most this many times the nodes of a move,
/// or the openings of games with few nodes a move would cost more than the games.
const OPENING_NODES: u64 = 20_000;
const OPENING_MOVES: u64 = 16;
/// A first, cheap look at an opening refuses it beyond this multiple of the limit.
const FIRST_LOOK: i32 = 2;

/// Scores at least this large, for [`WIN_PLIES`] plies in a row, decide a game.
const WIN_SCORE: i32 = 2000;
const LOSS_SCORE: i32 = -WIN_SCORE;
const WIN_PLIES: u32 = 4;
/// Scores at most this large, for [`DRAW_PLIES`] plies in a row after ply [`DRAW_FROM`], draw a game.
const DRAW_SCORE: i32 = 8;
const DRAW_PLIES: u32 = 10;
const DRAW_FROM: usize = 80;
/// One game in this many is played out whatever the scores are.
const PLAYED_OUT: usize = 8;
/// Games end as draws after this many plies: the rules end nearly all of them before.
const LONGEST: usize = 600;

/// Plays game `index` of the run. Depends on nothing but the arguments: the player starts afresh.
/// Also returns the nodes searched.
pub fn play<P: MoveSearcher>(player: &mut P, settings: &Settings, index: u32) -> (TrainingGame, u64) {
    let mut rng = game_rng(settings.seed, settings.shard, index);
    player.new_game();
    let mut nodes = 0;
    let (mut pos, opening) = opening(player, settings, &mut rng, &mut nodes);
    let mut adjudicator = Adjudicator { played_out: rng.below(PLAYED_OUT) == 0, ..Adjudicator::default() };
    let mut plies = Vec::new();
    let (result, ending) = loop {
        if let Some(end) = outcome(&pos) {
            break end;
        }
        if rng.below(1000) < settings.random_moves as usize {
            let mv = random_move(&pos, &mut rng);
            plies.push(TrainingPly { mv: P::Game::pack(mv), score: NO_SCORE });
            pos.do_move(mv, &mut ());
            adjudicator.forget();
            continue;
        }
        let found = player.search(&pos, settings.limits);
        nodes += found.nodes;
        plies.push(TrainingPly { mv: P::Game::pack(found.mv), score: stored(&found) });
        let from_first = if pos.side_to_move() == Side::First { found.score } else { -found.score };
        pos.do_move(found.mv, &mut ());
        let rules = outcome(&pos);
        if let Some(end) = rules.or_else(|| adjudicator.judge(from_first, opening.len() + plies.len())) {
            break end;
        }
    };
    (TrainingGame { index, start: String::new(), opening, plies, result, ending }, nodes)
}

/// Any legal move of a position that has one.
fn random_move<G: AlphaBetaGame>(pos: &G, rng: &mut Rng) -> G::Move {
    rng.pick(&pos.legal())
}

fn stored<M>(found: &Found<M>) -> i16 {
    let max = if found.is_mate { i32::from(i16::MAX) } else { i32::from(MATE_SCORE) - 1 };
    found.score.clamp(-max, max) as i16
}

/// Random moves until a position is found that is neither over nor lopsided, in some games behind an opening
/// that people know.
fn opening<P: MoveSearcher>(
    player: &mut P,
    settings: &Settings,
    rng: &mut Rng,
    nodes: &mut u64,
) -> (P::Game, Vec<u16>) {
    let soft = settings.limits.soft;
    let thorough = OPENING_NODES.min(soft.saturating_mul(OPENING_MOVES));
    loop {
        // Where random moves follow, games part soon enough, and the usual openings are worth learning too.
        let mut plies = if settings.random_moves > 0 { 2 + rng.below(8) } else { 8 + rng.below(2) };
        let (mut start, mut moves) = (P::Game::start(), Vec::new());
        if settings.known_openings > 0 && rng.below(1000) < settings.known_openings as usize {
            moves.clone_from(&settings.openings[rng.below(settings.openings.len())]);
            moves.iter().for_each(|&mv| start.do_move(P::Game::unpack(mv), &mut ()));
            plies = rng.below(BEHIND_OPENING + 1);
        }
        let Some((pos, random)) = random_moves(start, plies, OPENING_SEE, rng) else { continue };
        moves.extend(random);
        if outcome(&pos).is_some() {
            continue;
        }
        let mut is_even = |nodes_each, limit| {
            let found = player.search(&pos, NodeLimits { soft: nodes_each, hard: nodes_each });
            *nodes += found.nodes;
            found.score.abs() <= limit
        };
        if is_even(soft.min(thorough), FIRST_LOOK * settings.opening_score)
            && is_even(thorough, settings.opening_score)
        {
            return (pos, moves);
        }
    }
}

/// `plies` random moves, none of which loses more than `see` in exchanges. `None`: the game ended on the way.
pub fn random_moves<G: AlphaBetaGame>(
    mut pos: G,
    plies: usize,
    see: i32,
    rng: &mut Rng,
) -> Option<(G, Vec<u16>)> {
    let mut played = Vec::with_capacity(plies);
    for _ in 0..plies {
        let mut moves = pos.legal();
        moves.retain(|mv| pos.see_ge(*mv, see));
        if moves.is_empty() {
            return None;
        }
        let mv = rng.pick(&moves);
        pos.do_move(mv, &mut ());
        played.push(G::pack(mv));
    }
    Some((pos, played))
}

/// How the rules end the game here, if they do.
fn outcome<G: AlphaBetaGame>(pos: &G) -> Option<(GameResult, EndReason)> {
    let (verdict, ending) = if !pos.legal().is_empty() {
        (pos.verdict(), EndReason::Rules)
    } else if pos.in_check() {
        (Verdict::Loss, EndReason::NoMove)
    } else {
        (G::STALEMATE, EndReason::NoMove)
    };
    let winner = match verdict {
        Verdict::Draw => return Some((GameResult::Draw, ending)),
        Verdict::Win => pos.side_to_move(),
        Verdict::Loss => pos.side_to_move().other(),
        // One-sided verdicts bound a search; the game itself goes on.
        Verdict::Ongoing | Verdict::AtLeastDraw | Verdict::AtMostDraw => return None,
    };
    Some((won_by(winner), ending))
}

const fn won_by(side: Side) -> GameResult {
    match side {
        Side::First => GameResult::FirstWins,
        Side::Second => GameResult::SecondWins,
    }
}

/// Ends games that the scores have decided.
#[derive(Default)]
struct Adjudicator {
    played_out: bool,
    /// Plies in a row with a winning score: positive for the first side, negative for the second.
    winning: i32,
    /// Plies in a row with a drawn score.
    drawn: u32,
}

impl Adjudicator {
    /// Forgets the scores so far.
    fn forget(&mut self) {
        *self = Self { played_out: self.played_out, ..Self::default() };
    }

    /// Adds the score of one more ply, from the first side; `ply` counts from the start.
    fn judge(&mut self, score: i32, ply: usize) -> Option<(GameResult, EndReason)> {
        self.winning = match score {
            WIN_SCORE.. => self.winning.max(0) + 1,
            ..=LOSS_SCORE => self.winning.min(0) - 1,
            _ => 0,
        };
        self.drawn = if score.abs() <= DRAW_SCORE && ply > DRAW_FROM { self.drawn + 1 } else { 0 };
        if ply >= LONGEST {
            return Some((GameResult::Draw, EndReason::Length));
        }
        if self.played_out {
            None
        } else if self.winning.unsigned_abs() >= WIN_PLIES {
            let winner = if self.winning > 0 { Side::First } else { Side::Second };
            Some((won_by(winner), EndReason::WinningScore))
        } else if self.drawn >= DRAW_PLIES {
            Some((GameResult::Draw, EndReason::DrawnScore))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(scores: impl IntoIterator<Item = i32>, from: usize) -> Option<(GameResult, EndReason, usize)> {
        let mut adjudicator = Adjudicator::default();
        (from..).zip(scores).find_map(|(ply, s)| adjudicator.judge(s, ply).map(|(r, e)| (r, e, ply)))
    }

    #[test]
    fn four_winning_scores_in_a_row_win() {
        let win = Some((GameResult::FirstWins, EndReason::WinningScore, 13));
        assert_eq!(judged([2000, 2500, 31_000, 2000], 10), win);
        let loss = Some((GameResult::SecondWins, EndReason::WinningScore, 15));
        assert_eq!(judged([2000, 2500, -2000, -2000, -2000, -2000], 10), loss);
        assert_eq!(judged([2000, 2000, 2000, 1999, 2000, 2000, 2000], 10), None);
    }

    #[test]
    fn ten_drawn_scores_draw_only_late() {
        let draw = Some((GameResult::Draw, EndReason::DrawnScore, 90));
        assert_eq!(judged([0; 40], 60), draw);
        assert_eq!(judged([0, 8, -8, 0, 1, 2, 3, 4, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0], 100), None);
    }

    #[test]
    fn the_longest_game_is_a_draw_even_when_played_out() {
        let mut adjudicator = Adjudicator { played_out: true, ..Adjudicator::default() };
        assert_eq!((0..LONGEST).find_map(|ply| adjudicator.judge(5000, ply)), None);
        assert_eq!(adjudicator.judge(5000, LONGEST), Some((GameResult::Draw, EndReason::Length)));
    }
}
