//! Inference: what one quiet move costs an accumulator, starting from the board, and the output layer; for
//! each kernel this processor has, for two sizes of net and for one with threats.

use criterion::{Criterion, criterion_group, criterion_main};
use sanqi::eval::{Chess768, Xiangqi689};
use sanqi::game::{AlphaBetaGame, MoveList, Text};
use sanqi::nnue::net::{NetInfo, Parameters};
use sanqi::nnue::simd::Kernel;
use sanqi::nnue::{FeatureSet, Net, NnueEvaluator};
use sanqi::util::rng::Rng;
use std::hint::black_box;
use std::sync::Arc;

const CHESS: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 2 8";
const XIANGQI: &str = "r1bakabr1/9/1cn4c1/p1p1p3p/5np2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1";

/// Neurons, and whether the net has threats.
const SHAPES: [(usize, bool); 3] = [(256, false), (512, false), (256, true)];

fn random<F: FeatureSet>(hidden: usize, threats: bool) -> Arc<Net<F>> {
    let info = NetInfo { threats, ..NetInfo::new(hidden, 8) };
    let mut rng = Rng::new(1);
    let mut some = |n: usize| (0..n).map(|_| rng.below(201) as i16 - 100).collect::<Vec<_>>();
    let numbers = Parameters {
        inputs: some(info.rows::<F>() * hidden),
        bias: some(hidden),
        outputs: some(16 * hidden),
        output_bias: vec![0; 8],
    };
    Arc::new(Net::new(info, &numbers).unwrap())
}

/// Quiet moves that leave the views as they are: by pieces other than kings, to empty squares.
fn quiet_moves<F: FeatureSet, G: AlphaBetaGame>(pos: &G) -> Vec<G::Move> {
    let mut moves = MoveList::new();
    pos.quiets(&mut moves);
    moves.into_iter().filter(|&mv| pos.is_legal(mv) && pos.moving_piece(mv) % F::KINDS != F::KING).collect()
}

fn game<F: FeatureSet<Game = G>, G: AlphaBetaGame + Text>(c: &mut Criterion, fen: &str) {
    let mut pos = G::from_fen(fen).unwrap();
    let moves = quiet_moves::<F, G>(&pos);
    for (hidden, threats) in SHAPES {
        let net = random::<F>(hidden, threats);
        let name = if threats { "-threats" } else { "" };
        for kernel in Kernel::available() {
            let id = |what: &str| format!("nnue/{what}/{}-{hidden}{name}-{}", G::NAME, kernel.name());
            let mut evaluator = NnueEvaluator::with_kernel(Arc::clone(&net), kernel);
            evaluator.reset(&pos);
            evaluator.evaluate(&pos);
            let mut next = 0;
            c.bench_function(&id("update/quiet"), |b| {
                b.iter(|| {
                    next = (next + 1) % moves.len();
                    evaluator.push();
                    pos.do_move(moves[next], &mut evaluator);
                    let score = black_box(evaluator.evaluate(&pos));
                    pos.undo_move();
                    evaluator.pop();
                    score
                });
            });
            c.bench_function(&id("refresh"), |b| {
                b.iter(|| {
                    // A fresh root each time; every other one differs from the cache by a move.
                    next = (next + 1) % moves.len();
                    pos.do_move(moves[next], &mut ());
                    evaluator.reset(&pos);
                    let score = black_box(evaluator.evaluate(&pos));
                    pos.undo_move();
                    score
                });
            });
            c.bench_function(&id("forward"), |b| b.iter(|| evaluator.evaluate(black_box(&pos))));
        }
    }
}

fn all(c: &mut Criterion) {
    game::<Chess768, sanqi::chess::Board>(c, CHESS);
    game::<Xiangqi689, sanqi::xiangqi::Board>(c, XIANGQI);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = all
}
criterion_main!(benches);
