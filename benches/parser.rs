//! What a line of input costs: our tokenizer beside vampirc-uci's, and setting up the position it names.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use sanqi::chess::{self, Board};
use sanqi::engine::{self, GameId, PositionSpec};
use sanqi::protocol::uci::parse::parse;
use sanqi::xiangqi;
use std::hint::black_box;

const GO: &str = "go wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 40";

/// Knights that go out and home: `plies` legal moves from the starting position.
fn shuffle(plies: usize) -> Vec<String> {
    ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(plies).map(ToString::to_string).collect()
}

fn lines(c: &mut Criterion) {
    let position = format!("position startpos moves {}", shuffle(400).join(" "));
    for (name, line) in [("go", GO), ("position_400", &position)] {
        c.bench_function(&format!("parser/uci/{name}"), |b| b.iter(|| parse(black_box(line))));
        c.bench_function(&format!("parser/vampirc/{name}"), |b| {
            b.iter(|| vampirc_uci::parse_one(black_box(line)));
        });
    }
}

fn positions(c: &mut Criterion) {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    c.bench_function("parser/fen/chess", |b| b.iter(|| Board::from_fen(black_box(fen))));
    c.bench_function("parser/fen/xiangqi", |b| {
        b.iter(|| xiangqi::Board::from_fen(black_box(xiangqi::START_FEN)));
    });
    let mut engine = engine::create(GameId::Chess);
    let spec = PositionSpec {
        fen: Some(chess::START_FEN.to_owned()),
        moves: shuffle(400),
        notation: engine::Notation::Coordinate,
    };
    c.bench_function("parser/position/chess_400", |b| {
        b.iter_batched(|| &spec, |spec| engine.set_position(spec), BatchSize::SmallInput);
    });
}

criterion_group!(benches, lines, positions);
criterion_main!(benches);
