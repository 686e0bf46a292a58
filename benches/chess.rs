//! Chess: move trees, and the small questions that the search asks of a board.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sanqi::chess::{Board, START_FEN};
use sanqi::game::perft::walk;
use sanqi::game::{AlphaBetaGame, Game, MoveList};
use std::hint::black_box;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn movegen(c: &mut Criterion) {
    let mut group = c.benchmark_group("movegen/perft");
    for (name, fen, depth, nodes) in
        [("chess_start", START_FEN, 5, 4_865_609), ("chess_kiwipete", KIWIPETE, 4, 4_085_603)]
    {
        let mut board = Board::from_fen(fen).unwrap();
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| b.iter(|| black_box(&board).position().perft(depth)));
        group.bench_function(format!("{name}_by_moves"), |b| b.iter(|| walk(black_box(&mut board), depth)));
    }
    group.finish();
}

fn questions(c: &mut Criterion) {
    let mut board = Board::from_fen(KIWIPETE).unwrap();
    let moves = board.legal();
    c.bench_function("movegen/make/chess", |b| {
        b.iter(|| {
            for &mv in &moves {
                board.do_move(black_box(mv), &mut ());
                board.undo_move();
            }
        });
    });
    c.bench_function("movegen/see_ge/chess", |b| {
        b.iter(|| moves.iter().filter(|&&mv| board.see_ge(black_box(mv), 0)).count());
    });
    c.bench_function("movegen/gives_check/chess", |b| {
        b.iter(|| moves.iter().filter(|&&mv| board.gives_check(black_box(mv))).count());
    });
    c.bench_function("movegen/threats/chess", |b| b.iter(|| black_box(&board).threats()));
    c.bench_function("movegen/captures/chess", |b| {
        b.iter(|| {
            let mut out = MoveList::new();
            black_box(&board).captures(&mut out);
            out.len()
        });
    });
    c.bench_function("eval/hand/chess", |b| b.iter(|| sanqi::eval::chess::evaluate(black_box(&board))));
}

criterion_group!(benches, movegen, questions);
criterion_main!(benches);
