//! Properties of the judge, on random cycles: it agrees with brute force, with the board turned over, and
//! with itself wherever, whenever and by whichever thread it is asked.

use super::check::{MATE_GAIN, Solver};
use super::exchange::{self, worth};
use super::in_search::{CycleVerdict, judge_cycle};
use super::{Class, Ruling, chase, judge};
use crate::game::{AlphaBetaGame, Game, Side};
use crate::util::rng::Rng;
use crate::xiangqi::{Bitboard, Board, Kind, Move, Piece, RuleSet, Square};
use std::thread;

/// Cycles in a test that takes seconds, and in one that takes minutes.
const FEW: usize = 600;
const MANY: usize = 10_000;

/// A position, and moves that lead back to it twice.
#[derive(Clone, Debug)]
struct Cycle {
    start: Board,
    moves: Vec<Move>,
}

impl Cycle {
    fn describe(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        format!("--fen \"{}\" --moves {}", self.start.fen(), moves.join(" "))
    }
}

/// An ending with few pieces, or a position of a random game.
fn random_position(rng: &mut Rng) -> Option<Board> {
    let mut board = Board::start();
    if rng.below(3) == 0 {
        for _ in 0..20 + rng.below(100) {
            let moves = board.legal();
            if moves.is_empty() {
                return None;
            }
            let mv = rng.pick(&moves);
            board.do_move(mv, &mut ());
        }
        return Some(board.without_history());
    }
    board = Board::empty();
    for side in [Side::First, Side::Second] {
        place(&mut board, side, Kind::General, rng);
        for kind in [Kind::Advisor, Kind::Elephant] {
            (0..rng.below(3)).for_each(|_| place(&mut board, side, kind, rng));
        }
        for _ in 0..1 + rng.below(3) {
            let kind = rng.pick(&[Kind::Chariot, Kind::Horse, Kind::Cannon, Kind::Soldier]);
            place(&mut board, side, kind, rng);
        }
    }
    board.finish(rng.pick(&[Side::First, Side::Second]));
    // The reader of FENs knows what no game can reach.
    Board::from_fen(&board.fen()).ok().filter(|board| board.opponent_checkers().is_empty())
}

/// Puts a piece on some free point where it may stand; gives up after a few tries.
fn place(board: &mut Board, side: Side, kind: Kind, rng: &mut Rng) {
    for _ in 0..200 {
        let Some(sq) = Square::new(rng.below(90)) else { continue };
        let (file, rank) = (sq.file(), sq.rank_for(side));
        let fits = match kind {
            Kind::General => (3..6).contains(&file) && rank < 3,
            Kind::Advisor => [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)].contains(&(file, rank)),
            Kind::Elephant => {
                [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)].contains(&(file, rank))
            }
            Kind::Soldier => rank >= 5 || (rank >= 3 && file % 2 == 0),
            _ => true,
        };
        if fits && board.piece_at(sq).is_none() {
            board.put(Piece::new(side, kind), sq);
            return;
        }
    }
}

/// Moves that can be taken back later. Of the pointed ones, which check or aim at a piece, three times of
/// four.
fn reversible(board: &Board, rng: &mut Rng) -> Option<Move> {
    let mut moves = board.legal();
    moves.retain(|mv| !board.is_capture(*mv) && board.piece_at(mv.from()).kind() != Kind::Soldier);
    let pointed = |&mv: &Move| {
        let mut after = board.clone();
        after.do_move(mv, &mut ());
        after.pass();
        let (side, to) = (after.side_to_move(), mv.to());
        let aims = |&sq: &Square| after.attackers(sq, side, after.occupancy()).has(to);
        after.of_side(side.other()).filter(aims).count() > 0
    };
    let chosen: Vec<Move> = moves.iter().copied().filter(pointed).collect();
    let from = if chosen.is_empty() || rng.below(4) == 0 { moves.as_slice() } else { &chosen };
    (!from.is_empty()).then(|| rng.pick(from))
}

/// Four moves that lead back to where they began.
fn loop_from(start: &Board, rng: &mut Rng) -> Option<[Move; 4]> {
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    for _ in 0..20 {
        let mut board = start.clone();
        let Some(first) = reversible(&board, rng) else { continue };
        board.do_move(first, &mut ());
        let Some(second) = reversible(&board, rng) else { continue };
        board.do_move(second, &mut ());
        if !(board.is_pseudo_legal(back(first)) && board.is_legal(back(first))) {
            continue;
        }
        board.do_move(back(first), &mut ());
        if board.is_pseudo_legal(back(second)) && board.is_legal(back(second)) {
            return Some([first, second, back(first), back(second)]);
        }
    }
    None
}

/// Random cycles: one loop made twice, or now and then two loops.
fn random_cycles(seed: u64, count: usize) -> Vec<Cycle> {
    let mut rng = Rng::new(seed);
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let Some(start) = random_position(&mut rng) else { continue };
        let Some(once) = loop_from(&start, &mut rng) else { continue };
        let again = if rng.below(4) == 0 { loop_from(&start, &mut rng) } else { Some(once) };
        let Some(again) = again else { continue };
        out.push(Cycle { start, moves: [once, again].concat() });
    }
    out
}

fn legal(board: &Board) -> Vec<Move> {
    board.legal().to_vec()
}

fn after<T>(board: &mut Board, mv: Move, question: impl FnOnce(&mut Board) -> T) -> T {
    board.do_move(mv, &mut ());
    let answer = question(board);
    board.undo_move();
    answer
}

fn mates_in_one(board: &mut Board) -> bool {
    legal(board).into_iter().any(|mv| after(board, mv, |board| board.in_check() && legal(board).is_empty()))
}

/// XQ-D4 by the letter: every legal move to the point is tried, none is sorted out beforehand. `won` and
/// `lost` list what the side that captured first has taken and given.
fn brute_exchange(board: &mut Board, to: Square, won: &[Piece], lost: &[Piece], first: bool) -> i32 {
    let sum = |pieces: &[Piece], soldiers: bool| -> i32 {
        pieces.iter().filter(|p| (p.kind() == Kind::Soldier) == soldiers).map(|&p| worth(p, to)).sum()
    };
    let stop = {
        let all = sum(won, false) + sum(won, true) - sum(lost, false) - sum(lost, true);
        let gave_soldiers_only = sum(lost, true) > sum(won, true) && sum(lost, false) == 0;
        let soldier_for_piece = gave_soldiers_only && sum(won, false) > 0;
        let piece_for_soldiers = sum(lost, false) > sum(won, false) && sum(won, true) > sum(lost, true);
        if soldier_for_piece || piece_for_soldiers { all.min(0) } else { all }
    };
    let mut best = stop;
    let victim = board.piece_at(to);
    for mv in legal(board).into_iter().filter(|mv| mv.to() == to) {
        let (mut won, mut lost) = (won.to_vec(), lost.to_vec());
        if first {
            won.push(victim)
        } else {
            lost.push(victim)
        }
        let value = after(board, mv, |board| {
            (!mates_in_one(board)).then(|| brute_exchange(board, to, &won, &lost, !first))
        });
        if let Some(value) = value {
            best = if first { best.max(value) } else { best.min(value) };
        }
    }
    best
}

/// XQ-D8 by the letter: the minimax of checks and one capture, without memory or bounds. `None` once `nodes`
/// are used up.
fn brute_gain(board: &mut Board, checks: u8, nodes: &mut u32) -> Option<i32> {
    let mut best = 0;
    for mv in legal(board) {
        let victim = board.piece_at(mv.to());
        let capture = victim.is_some();
        if checks == 0 || !board.gives_check(mv) || (capture && !chase::may_chase(board, mv)) {
            continue;
        }
        let won = if capture { worth(victim, mv.to()) } else { 0 };
        best = best.max(won + after(board, mv, |board| brute_answers(board, checks - 1, nodes))?);
    }
    Some(best)
}

fn brute_answers(board: &mut Board, checks: u8, nodes: &mut u32) -> Option<i32> {
    let mut lowest = MATE_GAIN;
    for mv in legal(board) {
        *nodes = nodes.checked_sub(1)?;
        let victim = board.piece_at(mv.to());
        let lost = if victim.is_some() { worth(victim, mv.to()) } else { 0 };
        let left = after(board, mv, |board| {
            if legal(board).is_empty() {
                return Some(-MATE_GAIN);
            }
            Some(chase::best_capture(board).max(brute_gain(board, checks, nodes)?))
        })?;
        lowest = lowest.min(left - lost);
    }
    Some(lowest)
}

/// Compares the gains after every first move of random cycles.
fn gains_equal_brute_force(count: usize) {
    let (mut gains, mut counted) = (0, 0);
    for cycle in random_cycles(11, count) {
        let mut board = cycle.start.clone();
        board.do_move(cycle.moves[0], &mut ());
        if board.in_check() {
            continue;
        }
        board.pass();
        for checks in [1, 2, 4] {
            let mut nodes = 20_000;
            let Some(wanted) = brute_gain(&mut board, checks, &mut nodes) else { continue };
            let found = Solver::new(u64::MAX).gain_by(&mut board, checks);
            assert_eq!(found, wanted, "{checks} checks after the first move of {}", cycle.describe());
            counted += 1;
            gains += usize::from(found > 0);
        }
    }
    assert!(counted > count && gains > count / 20, "{gains} gains in {counted} positions show nothing");
}

fn exchanges_equal_brute_force(count: usize) {
    let (mut wins, mut counted) = (0, 0);
    for cycle in random_cycles(12, count) {
        let mut board = cycle.start.clone();
        for mv in legal(&board) {
            let victim = board.piece_at(mv.to());
            if victim.is_none() {
                continue;
            }
            let wanted = after(&mut board, mv, |board| brute_exchange(board, mv.to(), &[victim], &[], false));
            let found = exchange::gain_on_one_point(&mut board, mv, Bitboard::EMPTY);
            assert_eq!(found, wanted, "{mv} in {}", cycle.start.fen());
            counted += 1;
            wins += usize::from(found > 0);
        }
    }
    assert!(counted > count / 2 && wins > counted / 10 && wins < counted, "{wins} wins in {counted}");
}

/// The board seen from the other side, or in a mirror.
fn turned(cycle: &Cycle, turn: impl Fn(Square) -> Square, colors: bool) -> Cycle {
    let mut start = Board::empty();
    for sq in (0..90).filter_map(Square::new) {
        if let Some((side, kind)) = cycle.start.piece_at(sq).get() {
            let side = if colors { side.other() } else { side };
            start.put(Piece::new(side, kind), turn(sq));
        }
    }
    let side = cycle.start.side_to_move();
    start.finish(if colors { side.other() } else { side });
    let moves = cycle.moves.iter().map(|mv| Move::new(turn(mv.from()), turn(mv.to()))).collect();
    Cycle { start, moves }
}

fn exchanged(ruling: Ruling) -> Ruling {
    match ruling {
        Ruling::RedWins => Ruling::BlackWins,
        Ruling::BlackWins => Ruling::RedWins,
        other => other,
    }
}

fn symmetries_hold(count: usize) {
    let mut decided = [0; 4];
    for cycle in random_cycles(13, count) {
        let views = [turned(&cycle, Square::flipped, true), turned(&cycle, Square::mirrored, false)];
        for rules in RuleSet::ALL {
            let verdict = |cycle: &Cycle| {
                let judged = judge(&cycle.start, &cycle.moves, rules).unwrap();
                let classes: Vec<Class> = judged.moves.iter().map(|report| report.class).collect();
                (judged.ruling, judged.clause, classes)
            };
            let (ruling, clause, classes) = verdict(&cycle);
            let at = || format!("{rules} {}", cycle.describe());
            assert_eq!(verdict(&views[0]), (exchanged(ruling), clause, classes.clone()), "colors {}", at());
            assert_eq!(verdict(&views[1]), (ruling, clause, classes), "wings {}", at());
            decided[rules as usize] += usize::from(ruling.loser().is_some());
        }
    }
    assert!(decided[..3].iter().all(|&n| n > count / 100), "hardly a forbidden cycle: {decided:?}");
}

/// The search's verdict where its budget is large is the judge's, and no verdict depends on where a cycle is
/// entered.
fn entries_agree(count: usize) {
    for cycle in random_cycles(14, count) {
        for rules in RuleSet::ALL {
            let ruling = judge(&cycle.start, &cycle.moves, rules).unwrap().ruling;
            let wanted = ruling.loser().map_or(CycleVerdict::Draw, CycleVerdict::LostBy);
            let at = || format!("{rules} {}", cycle.describe());
            assert_eq!(judge_cycle(&cycle.start, &cycle.moves, rules, 1_000_000), Some(wanted), "{}", at());
            for budget in [2, 100] {
                let said = judge_cycle(&cycle.start, &cycle.moves, rules, budget);
                let one_sided = match said {
                    None => true,
                    Some(CycleVerdict::HeldBy(side)) => wanted != CycleVerdict::LostBy(side),
                    Some(CycleVerdict::RiskedBy(side)) => wanted != CycleVerdict::LostBy(side.other()),
                    Some(found) => found == wanted,
                };
                assert!(one_sided, "{said:?} with a budget of {budget}, not {wanted:?}: {}", at());
                let (mut board, mut moves) = (cycle.start.clone(), cycle.moves.clone());
                for _ in 1..moves.len() {
                    board.do_move(moves[0], &mut ());
                    moves.rotate_left(1);
                    let entered = judge_cycle(&board.without_history(), &moves, rules, budget);
                    assert_eq!(entered, said, "entered elsewhere: {}", at());
                }
            }
        }
    }
}

/// A board's verdict at the end of each cycle, deep in a tree and as a root, with one memory for all of them.
fn verdicts(cycles: &[Cycle], order: impl Iterator<Item = usize>) -> Vec<String> {
    let mut memory = <Board as AlphaBetaGame>::VerdictCache::default();
    let mut out = vec![String::new(); cycles.len()];
    for at in order {
        let mut board = cycles[at].start.clone();
        for &mv in &cycles[at].moves {
            board.do_move(mv, &mut ());
            let said = [100, 0].map(|ply| board.verdict_in_tree(ply, &mut memory));
            out[at] += &format!("{said:?}");
        }
    }
    out
}

fn threads_change_nothing(count: usize) {
    let cycles = random_cycles(15, count);
    let alone = verdicts(&cycles, 0..count);
    thread::scope(|scope| {
        let ask = |thread: usize| {
            let (cycles, alone) = (&cycles, &alone);
            // Every thread comes to the cycles in an order of its own, and finds other ones in its memory.
            // The count is prime, so that every step leads to all of them.
            let step = [1, 7, 11, 13, 17, 19, 23, 29][thread];
            let order = (0..count).map(move |at| (at * step + thread) % count);
            scope.spawn(move || assert_eq!(&verdicts(cycles, order.chain(0..count)), &doubled(alone)))
        };
        (0..8).map(ask).collect::<Vec<_>>().into_iter().for_each(|asked| asked.join().unwrap());
    });
    let kinds = ["Win", "Loss", "Draw"].map(|kind| alone.iter().filter(|said| said.contains(kind)).count());
    assert!(kinds.iter().all(|&n| n > 0), "{kinds:?}");
}

/// Each verdict twice, where each cycle was asked about twice.
fn doubled(verdicts: &[String]) -> Vec<String> {
    verdicts.iter().map(|said| said.repeat(2)).collect()
}

#[test]
fn gains_by_checks_are_the_minimax() {
    gains_equal_brute_force(FEW);
}

#[test]
fn exchanges_are_the_minimax_of_legal_captures() {
    exchanges_equal_brute_force(FEW);
}

#[test]
fn colors_and_wings_exchange_the_verdict() {
    symmetries_hold(FEW);
}

#[test]
fn a_verdict_does_not_depend_on_the_entry() {
    entries_agree(FEW);
}

#[test]
fn a_verdict_does_not_depend_on_other_threads() {
    threads_change_nothing(307);
}

#[test]
#[ignore = "minutes"]
fn ten_thousand_random_cycles_keep_every_property() {
    gains_equal_brute_force(MANY);
    exchanges_equal_brute_force(MANY);
    symmetries_hold(MANY);
    entries_agree(MANY);
    threads_change_nothing(MANY + 7);
}
