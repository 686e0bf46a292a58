//! Evaluation against its definition, over random games of both games.

use super::net::tests::random;
use super::net::{Info, QA, QB};
use super::simd::Kernel;
use super::{Chess768, Evaluator, FeatureSet, Net, Xiangqi689};
use crate::game::{AlphaBetaGame, MoveList, Side};
use crate::util::rng::Rng;
use std::sync::Arc;

type ChessBoard = crate::chess::Board;
type XiangqiBoard = crate::xiangqi::Board;

/// King buckets by rank, three files of them: enough for kings to change bucket often.
fn info<F: FeatureSet>(hidden: usize) -> Info {
    let mut info = Info::new(hidden, 8);
    for square in 0..F::SQUARES {
        info.king_map[square] = ((square / F::FILES).min(2) * 2 + (square % F::FILES) % 2) as u8;
    }
    info
}

/// The evaluation by definition, in integers.
fn by_definition<F: FeatureSet, G: AlphaBetaGame>(net: &Net<F>, pos: &G) -> i32 {
    let mut pieces = Vec::new();
    pos.for_each_piece(|piece, square| pieces.push((piece, square)));
    let lanes = |side: Side| {
        let king = |&&(piece, _): &&(usize, usize)| piece == side.index() * F::KINDS + F::KING;
        let king = pieces.iter().find(king).unwrap().1;
        let balance = pieces.iter().map(|&(p, s)| F::lateral(side, p, s)).sum();
        let view = F::view(side, king, balance);
        let mut lanes = net.bias.to_vec();
        for &(piece, square) in &pieces {
            let row = net.first_row(view) + F::input(side, view.mirrored, piece, square);
            let row = &net.inputs[row * lanes.len()..][..lanes.len()];
            lanes.iter_mut().zip(row).for_each(|(a, w)| *a += w);
        }
        lanes
    };
    let us = pos.side_to_move();
    let bucket = net.bucket(pieces.len());
    let weights = &net.outputs[bucket * 2 * net.bias.len()..];
    let dot: i64 = [lanes(us), lanes(us.other())]
        .concat()
        .iter()
        .zip(weights)
        .map(|(&a, &w)| i64::from(a.clamp(0, QA as i16)).pow(2) * i64::from(w))
        .sum();
    let output = dot / i64::from(QA) + i64::from(net.output_bias[bucket]);
    (output * i64::from(net.info().scale) / i64::from(QA * QB)) as i32
}

/// Makes and takes back random moves, evaluating now and then, and compares with the definition.
fn incremental_equals_refresh<F: FeatureSet, G: AlphaBetaGame>(moves: usize, check_every: usize) {
    let net = Arc::new(random::<F>(info::<F>(64), 11));
    for kernel in Kernel::available() {
        let mut evaluator = Evaluator::with_kernel(Arc::clone(&net), kernel);
        let mut rng = Rng::new(5);
        let (mut pos, mut depth) = (G::start(), 0);
        evaluator.reset(&pos);
        for step in 0..moves {
            let mut legal = MoveList::new();
            pos.legal_moves(&mut legal);
            if legal.is_empty() || depth == 200 {
                (pos, depth) = (G::start(), 0);
                evaluator.reset(&pos);
            } else if depth > 0 && rng.below(3) == 0 {
                pos.undo_move();
                evaluator.pop();
                depth -= 1;
            } else {
                let mv = legal[rng.below(legal.len())];
                evaluator.push();
                pos.do_move(mv, &mut evaluator);
                depth += 1;
            }
            if rng.below(3) > 0 {
                let score = evaluator.evaluate(&pos);
                if step % check_every < 2 {
                    assert_eq!(score, by_definition(&net, &pos), "{} {}", kernel.name(), pos.fen());
                }
            }
        }
    }
}

#[test]
fn chess_incremental_equals_refresh() {
    incremental_equals_refresh::<Chess768, ChessBoard>(30_000, 2);
}

#[test]
fn xiangqi_incremental_equals_refresh() {
    incremental_equals_refresh::<Xiangqi689, XiangqiBoard>(30_000, 2);
}

#[test]
#[ignore = "a minute: a million moves for each game and kernel"]
fn incremental_equals_refresh_over_a_million_moves() {
    incremental_equals_refresh::<Chess768, ChessBoard>(1_000_000, 1);
    incremental_equals_refresh::<Xiangqi689, XiangqiBoard>(1_000_000, 1);
}

/// Positions of random games.
fn some_positions<G: AlphaBetaGame>(games: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut pos = G::start();
        for _ in 0..120 {
            let mut legal = MoveList::new();
            pos.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            pos.do_move(legal[rng.below(legal.len())], &mut ());
            found.push(pos.clone());
        }
    }
    found
}

/// The FEN's board with `row` applied to each rank, ranks reversed if `flip`, plus the side to move.
fn turned_fen(fen: &str, flip: bool, mirror: bool) -> String {
    let mut fields = fen.split(' ');
    let (board, side) = (fields.next().unwrap(), fields.next().unwrap());
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let mut rows: Vec<String> = board.split('/').map(str::to_owned).collect();
    if flip {
        rows.reverse();
        rows.iter_mut().for_each(|row| *row = row.chars().map(swap).collect());
    }
    if mirror {
        rows.iter_mut().for_each(|row| *row = row.chars().rev().collect());
    }
    let side = if flip != (side == "b") { "b" } else { "w" };
    format!("{} {side} - - 0 1", rows.join("/"))
}

fn symmetric<F: FeatureSet, G: AlphaBetaGame>() {
    let mut evaluator = Evaluator::new(Arc::new(random::<F>(info::<F>(96), 3)));
    let mut evaluate = |pos: &G| {
        evaluator.reset(pos);
        evaluator.evaluate(pos)
    };
    let mut different = std::collections::HashSet::new();
    for pos in some_positions::<G>(30, 9) {
        let score = evaluate(&G::from_fen(&turned_fen(&pos.fen(), false, false)).unwrap());
        for (flip, mirror) in [(true, false), (false, true), (true, true)] {
            let fen = turned_fen(&pos.fen(), flip, mirror);
            assert_eq!(evaluate(&G::from_fen(&fen).unwrap()), score, "{} {fen}", pos.fen());
        }
        different.insert(score);
    }
    assert!(different.len() > 500);
}

#[test]
fn chess_is_symmetric_in_colour_and_mirror() {
    symmetric::<Chess768, ChessBoard>();
}

#[test]
fn xiangqi_is_symmetric_in_colour_and_mirror() {
    symmetric::<Xiangqi689, XiangqiBoard>();
}
