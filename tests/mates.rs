//! A mate that is reported is proven: its line is legal, as long as the score claims, and ends in mate.

use crate::support::{engine_at, search};
use sanqi::chess::{Board, rules};
use sanqi::engine::{Bound, GameId, Info, Limits, Score};
use sanqi::game::{Game, Text};

/// Mates in one to eight, given and received, with and without sacrifices; endings whose mates are far.
const POSITIONS: &[&str] = &[
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "3r1r1k/1p3p1p/p2p4/4n1NN/6bQ/1BPq4/P3p1PP/1R5K w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "6k1/pp3p1p/2p3p1/8/1q2r3/5Q2/PPP2PPP/3R2K1 b - - 0 1",
    "1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 0 1",
    "5rk1/ppp3pp/8/3pQ3/3P2b1/5rPq/PP1P1P2/R1BB1RK1 b - - 0 1",
    "r4br1/3b1kpp/1q1P4/1pp1RP1N/p7/6Q1/PPB3PP/2KR4 w - - 0 1",
    "7k/8/8/8/8/8/5K2/6Q1 w - - 0 1",
    "8/8/8/8/4k3/8/8/R3K3 w - - 0 1",
    "3k4/8/8/8/8/8/4QQ2/4K3 w - - 0 1",
    "8/1p4kp/6p1/8/8/1QP3P1/1P4KP/4q3 b - - 0 1",
    "3k4/1R6/3K4/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/1k6/2q5/K7 w - - 0 1",
    "5k2/5P2/5K2/8/8/8/7P/8 w - - 0 1",
    "4r1k1/pb3pp1/1p5p/8/1P1q4/P2B1Q2/5PPP/3R2K1 w - - 0 1",
];

fn moves_of(score: Score) -> Option<i32> {
    if let Score::Mate(moves) = score { Some(moves) } else { None }
}

/// What is wrong with the line of a mate score.
fn check(fen: &str, info: &Info) -> Result<(), String> {
    let Some(moves) = moves_of(info.score).filter(|_| info.bound == Bound::Exact) else { return Ok(()) };
    let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
    let mut board = Board::from_fen(fen).unwrap();
    for text in &info.pv {
        let mv = board.parse_move(text, Default::default())?;
        board.do_move(mv, &mut ());
    }
    let mated = matches!(rules::end(&board), Some(rules::End::Checkmate { .. }));
    match (info.pv.len() == plies as usize, mated) {
        (true, true) => Ok(()),
        (_, mated) => Err(format!("mate {moves} in {} plies, mated: {mated}", info.pv.len())),
    }
}

fn check_all(lines: usize, threads: usize, nodes: &[u64]) {
    let (mut wrong, mut mates) = (Vec::new(), 0);
    for fen in POSITIONS {
        let mut engine = engine_at(GameId::Chess, fen, &[]);
        engine.set_option("MultiPV", &lines.to_string()).unwrap();
        engine.set_option("Threads", &threads.to_string()).unwrap();
        for &nodes in nodes {
            engine.new_game();
            // The second search meets a full table.
            for _ in 0..2 {
                let (infos, _) = search(&mut *engine, Limits { nodes: Some(nodes), ..Limits::default() });
                mates += infos.iter().filter(|info| moves_of(info.score).is_some()).count();
                wrong.extend(infos.iter().filter_map(|info| {
                    let problem = check(fen, info).err()?;
                    Some(format!(
                        "{fen} depth {} line {}: {problem}: {:?}",
                        info.depth, info.multipv, info.pv
                    ))
                }));
            }
        }
    }
    assert!(mates > 100, "only {mates} mates were reported");
    assert!(wrong.is_empty(), "{} of {mates} mates:\n{}", wrong.len(), wrong.join("\n"));
}

const NODES: &[u64] = &[3_000, 10_007, 30_011];

#[test]
fn mates_are_proven_in_one_line_by_one_thread() {
    check_all(1, 1, NODES);
}

#[test]
fn mates_are_proven_in_three_lines_by_one_thread() {
    check_all(3, 1, NODES);
}

#[test]
fn mates_are_proven_in_one_line_by_two_threads() {
    check_all(1, 2, NODES);
}

#[test]
fn mates_are_proven_in_three_lines_by_two_threads() {
    check_all(3, 2, NODES);
}
