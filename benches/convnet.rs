//! Go's net: what one evaluation costs, for each kernel this processor has, and what reading its inputs
//! costs.
//!
//! Groups are `convnet/evaluate/SIZE-KERNEL` and `convnet/planes/SIZE`.

use criterion::{Criterion, criterion_group, criterion_main};
use sanqi::convnet::{ConvNet, ConvNetEvaluator, Kernel};
use sanqi::eval::go::planes::{self, DeadStones, Inputs};
use sanqi::game::Game;
use sanqi::go::ladder::LadderReader;
use sanqi::go::playout::random_move;
use sanqi::go::{Point, Position, Rules};
use sanqi::util::rng::Rng;
use std::sync::Arc;

const SIZES: [usize; 3] = [9, 13, 19];
const BLOCKS: usize = 6;

/// A board after random moves on a third of its points.
fn position(size: usize) -> Position {
    let mut rng = Rng::new(2);
    let mut position = Position::new(size, size, Rules::CHINESE);
    for _ in 0..size * size / 3 {
        let mv = random_move(&mut position.board().clone(), &mut rng);
        let side = position.board().side_to_move();
        let mv = if position.check(side, mv).is_ok() { mv } else { Point::PASS };
        position.do_move(mv, &mut ());
    }
    position
}

fn evaluate(c: &mut Criterion) {
    let net = Arc::new(ConvNet::random(1, BLOCKS));
    for size in SIZES {
        let mut inputs = Inputs::default();
        planes::read(&position(size), DeadStones::AllAlive, &mut inputs, &mut LadderReader::default());
        for kernel in Kernel::available() {
            let mut evaluator = ConvNetEvaluator::with_kernel(Arc::clone(&net), kernel);
            c.bench_function(&format!("convnet/evaluate/{size}-{}", kernel.name()), |b| {
                b.iter(|| evaluator.evaluate(size, size, &inputs.planes, &inputs.globals).win);
            });
        }
    }
}

fn read(c: &mut Criterion) {
    for size in SIZES {
        let (position, mut inputs, mut reader) = (position(size), Inputs::default(), LadderReader::default());
        c.bench_function(&format!("convnet/planes/{size}"), |b| {
            b.iter(|| planes::read(&position, DeadStones::AllAlive, &mut inputs, &mut reader));
        });
    }
}

criterion_group!(benches, evaluate, read);
criterion_main!(benches);
