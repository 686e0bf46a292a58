//! Evaluation while moves are made and taken back against evaluation from scratch, and its symmetries, in
//! random games of both games.

use sanqi::eval::{Chess768, Xiangqi689};
use sanqi::game::{AlphaBetaGame, Side, Text};
use sanqi::nnue::net::{NetInfo, Parameters};
use sanqi::nnue::simd::Kernel;
use sanqi::nnue::{BoardFeatures, FeatureSet, Net, NnueEvaluator};
use sanqi::util::rng::Rng;
use std::sync::Arc;

type ChessBoard = sanqi::chess::Board;
type XiangqiBoard = sanqi::xiangqi::Board;

/// A net of random weights.
fn random<F: FeatureSet>(info: NetInfo, seed: u64) -> Net<F> {
    let mut rng = Rng::new(seed);
    let mut some = |n: usize, most: i16| -> Vec<i16> {
        (0..n).map(|_| (rng.below(2 * most as usize + 1) as i32 - i32::from(most)) as i16).collect()
    };
    let numbers = Parameters {
        inputs: some(info.rows::<F>() * info.hidden, 100),
        bias: some(info.hidden, 200),
        outputs: some(info.buckets * 2 * info.hidden, 127),
        output_bias: some(info.buckets, 3000).into_iter().map(i32::from).collect(),
    };
    Net::new(info, &numbers).unwrap()
}

/// King buckets by rank, three files of them: enough for kings to change bucket often.
fn info<F: FeatureSet>(hidden: usize, threats: bool) -> NetInfo {
    let mut info = NetInfo { threats, ..NetInfo::new(hidden, 8) };
    for square in 0..F::SQUARES {
        info.king_map[square] = ((square / F::FILES).min(2) * 2 + (square % F::FILES) % 2) as u8;
    }
    info
}

/// The evaluation from scratch.
fn from_scratch<F: FeatureSet<Game = G>, G: AlphaBetaGame + Text>(net: &Net<F>, pos: &G) -> i32 {
    let mut pieces = Vec::new();
    pos.for_each_piece(|piece, square| pieces.push((piece, square)));
    let (info, board) = (net.info(), F::Board::of_pieces(pieces.iter().copied()));
    let sides = [Side::First, Side::Second];
    let views = sides.map(|side| {
        let king = |&&(piece, _): &&(usize, usize)| piece == side.index() * F::KINDS + F::KING;
        let king = pieces.iter().find(king).unwrap().1;
        let balance = pieces.iter().map(|&(piece, square)| F::lateral(side, piece, square)).sum();
        F::view(side, king, balance)
    });
    let mut inputs = [const { Vec::new() }; 2];
    if info.threats {
        board.compare(&F::Board::default(), views, |appears, of_side| {
            assert!(appears, "the empty board has inputs");
            inputs.iter_mut().zip(of_side).for_each(|(inputs, input)| inputs.push(input));
        });
    } else {
        for side in sides.map(Side::index) {
            let input = |&(piece, square): &(usize, usize)| {
                F::input(sides[side], views[side].mirrored, piece, square)
            };
            inputs[side].extend(pieces.iter().map(input));
        }
    }
    let rows = |side: Side| -> Vec<u32> {
        let first = info.first_row::<F>(views[side.index()]);
        inputs[side.index()].iter().map(|input| (first + input) as u32).collect()
    };
    let us = pos.side_to_move();
    net.evaluate_rows(&rows(us), &rows(us.other()), pieces.len())
}

/// Makes and takes back random moves, evaluating now and then, and compares with an evaluation from scratch.
fn incremental_equals_refresh<F: FeatureSet<Game = G>, G: AlphaBetaGame + Text>(
    threats: bool,
    moves: usize,
    check_every: usize,
) {
    let net = Arc::new(random::<F>(info::<F>(64, threats), 11));
    for kernel in Kernel::available() {
        let mut evaluator = NnueEvaluator::with_kernel(Arc::clone(&net), kernel);
        let mut rng = Rng::new(5);
        let (mut pos, mut depth) = (G::start(), 0);
        evaluator.reset(&pos);
        for step in 0..moves {
            let legal = pos.legal();
            if legal.is_empty() || depth == 200 {
                (pos, depth) = (G::start(), 0);
                evaluator.reset(&pos);
            } else if depth > 0 && rng.below(3) == 0 {
                pos.undo_move();
                evaluator.pop();
                depth -= 1;
            } else {
                let mv = rng.pick(&legal);
                evaluator.push();
                pos.do_move(mv, &mut evaluator);
                depth += 1;
            }
            if rng.below(3) > 0 {
                let score = evaluator.evaluate(&pos);
                if step % check_every < 2 {
                    assert_eq!(score, from_scratch(&net, &pos), "{} {}", kernel.name(), pos.fen());
                }
            }
        }
    }
}

#[test]
fn chess_incremental_equals_refresh() {
    incremental_equals_refresh::<Chess768, ChessBoard>(false, 30_000, 2);
    incremental_equals_refresh::<Chess768, ChessBoard>(true, 30_000, 2);
}

#[test]
fn xiangqi_incremental_equals_refresh() {
    incremental_equals_refresh::<Xiangqi689, XiangqiBoard>(false, 30_000, 2);
    incremental_equals_refresh::<Xiangqi689, XiangqiBoard>(true, 30_000, 2);
}

#[test]
#[ignore = "minutes: a million moves for each game and kernel"]
fn incremental_equals_refresh_over_a_million_moves() {
    incremental_equals_refresh::<Chess768, ChessBoard>(false, 1_000_000, 1);
    incremental_equals_refresh::<Chess768, ChessBoard>(true, 1_000_000, 1);
    incremental_equals_refresh::<Xiangqi689, XiangqiBoard>(false, 1_000_000, 1);
    incremental_equals_refresh::<Xiangqi689, XiangqiBoard>(true, 1_000_000, 1);
}

/// Positions of random games.
fn some_positions<G: AlphaBetaGame + Text>(games: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut pos = G::start();
        for _ in 0..120 {
            let legal = pos.legal();
            if legal.is_empty() {
                break;
            }
            pos.do_move(rng.pick(&legal), &mut ());
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

fn symmetric<F: FeatureSet<Game = G>, G: AlphaBetaGame + Text>(threats: bool) {
    let mut evaluator = NnueEvaluator::new(Arc::new(random::<F>(info::<F>(96, threats), 3)));
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
    symmetric::<Chess768, ChessBoard>(false);
    symmetric::<Chess768, ChessBoard>(true);
}

#[test]
fn xiangqi_is_symmetric_in_colour_and_mirror() {
    symmetric::<Xiangqi689, XiangqiBoard>(false);
    symmetric::<Xiangqi689, XiangqiBoard>(true);
}
