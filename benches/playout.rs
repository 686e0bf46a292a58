//! What the Go board costs: playouts, copies, superko, reading.
//!
//! Variants that were measured and left behind, in random playouts a second on 9x9 / 19x19 (one busy core of
//! 2.5 GHz, CPU time): row distance known at run time, bounds checks 66 k / 15 k; union-find forest without
//! path compression 93 k / 18.6 k; weighted quick-find, each rule of a move a branch 100 k / 23 k; all rules
//! one branch 115 k / 25 k; flags of dead and threatened neighbors gathered as bits 127 k / 28 k, which is
//! kept. A copy of the code for each side changes nothing.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sanqi::game::Game;
use sanqi::go::playout::{random_move, random_playout};
use sanqi::go::{Board, Position, Rules, life};
use sanqi::util::rng::Rng;
use std::hint::black_box;

fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/playout");
    group.throughput(Throughput::Elements(1));
    for size in [9, 13, 19] {
        let empty = Board::new(size, size);
        let mut board = empty.clone();
        let mut rng = Rng::new(1);
        group.bench_function(format!("{size}x{size}"), |b| {
            b.iter(|| {
                board.clone_from(&empty);
                random_playout(&mut board, &mut rng)
            });
        });
    }
}

fn copies(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/copy");
    for size in [9, 19] {
        let root = random_position(size, size * size);
        let mut copy = root.clone();
        group.bench_function(format!("board/{size}x{size}"), |b| {
            let (from, mut to) = (root.board().clone(), root.board().clone());
            b.iter(|| to.clone_from(black_box(&from)));
        });
        group.bench_function(format!("position/{size}x{size}"), |b| {
            b.iter(|| copy.clone_from(black_box(&root)));
        });
    }
}

/// A position after random moves, with captures behind it when there are many.
fn random_position(size: usize, moves: usize) -> Position {
    let mut rng = Rng::new(2);
    let mut position = Position::new(size, size, Rules::CHINESE);
    for _ in 0..moves {
        let mv = random_move(&mut position.board().clone(), &mut rng);
        let side = position.board().side_to_move();
        let mv = if position.check(side, mv).is_ok() { mv } else { sanqi::go::Point::PASS };
        position.do_move(mv, &mut ());
    }
    position
}

fn rules(c: &mut Criterion) {
    let mut group = c.benchmark_group("go/legal");
    for (name, moves) in [("before_captures", 40), ("after_captures", 400)] {
        let position = random_position(19, moves);
        let side = position.board().side_to_move();
        group.bench_function(name, |b| b.iter(|| position.legal_points(side)));
    }
    let position = random_position(19, 400);
    group.bench_function("unconditional", |b| b.iter(|| life::unconditional(position.board(), false)));
    group.bench_function("undo", |b| {
        b.iter_batched(|| position.clone(), |mut p| p.undo(), BatchSize::SmallInput);
    });
}

criterion_group!(benches, playouts, copies, rules);
criterion_main!(benches);
