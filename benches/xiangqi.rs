//! Xiangqi: move trees, and the small questions that the search asks of a board.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sanqi::game::perft::perft;
use sanqi::game::{AlphaBetaGame, Game, MoveList};
use sanqi::xiangqi::Board;
use std::hint::black_box;

const MIDGAME: &str = "r1bakab1r/9/1cn4c1/p1p1p1p1p/4n4/2P3P2/P3P3P/1C2C1N2/9/RNBAKAB1R w - - 0 1";

fn movegen(c: &mut Criterion) {
    let mut group = c.benchmark_group("movegen/perft");
    for (name, board, depth, nodes) in [
        ("xiangqi_start", Board::start(), 4, 3_290_240),
        ("xiangqi_midgame", Board::from_fen(MIDGAME).unwrap(), 3, 0),
    ] {
        let mut board = board;
        let nodes = if nodes == 0 { perft(&mut board, depth) } else { nodes };
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| b.iter(|| perft(black_box(&mut board), depth)));
    }
    group.finish();
}

fn questions(c: &mut Criterion) {
    let mut board = Board::from_fen(MIDGAME).unwrap();
    let moves = board.legal();
    c.bench_function("movegen/make/xiangqi", |b| {
        b.iter(|| {
            for &mv in &moves {
                board.do_move(black_box(mv), &mut ());
                board.undo_move();
            }
        });
    });
    c.bench_function("movegen/see_ge/xiangqi", |b| {
        b.iter(|| moves.iter().filter(|&&mv| board.see_ge(black_box(mv), 0)).count());
    });
    c.bench_function("movegen/gives_check/xiangqi", |b| {
        b.iter(|| moves.iter().filter(|&&mv| board.gives_check(black_box(mv))).count());
    });
    c.bench_function("eval/hand/xiangqi", |b| b.iter(|| sanqi::eval::xiangqi::evaluate(black_box(&board))));
    c.bench_function("movegen/threats/xiangqi", |b| b.iter(|| black_box(&board).threats()));
    c.bench_function("movegen/captures/xiangqi", |b| {
        b.iter(|| {
            let mut out = MoveList::new();
            black_box(&board).captures(&mut out);
            out.len()
        });
    });
}

criterion_group!(benches, movegen, questions);
criterion_main!(benches);
