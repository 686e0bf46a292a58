//! Moves made and taken back: what boards and accumulators keep up to date is what they would be from
//! scratch.

use super::Choices;
use super::naive_go::{Naive, code, compare_all};
use sanqi::eval::{Chess768, Xiangqi689};
use sanqi::game::{AlphaBetaGame, Text};
use sanqi::go::{Point, Position, Rules};
use sanqi::nnue::net::{NetInfo, Parameters};
use sanqi::nnue::{FeatureSet, Net, NnueEvaluator};
use sanqi::util::rng::Rng;
use sanqi::{chess, xiangqi};
use std::sync::{Arc, LazyLock};

/// Where series of moves of chess begin.
pub const CHESS: &[&str] = &[
    chess::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
    "1rk2r2/8/8/8/8/8/8/RR3KRR w GB - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "4k3/2p1p1p1/8/1P1P1P2/1p1p1p2/8/2P1P1P1/4K3 w - - 0 1",
];

/// Where series of moves of xiangqi begin.
pub const XIANGQI: &[&str] = &[
    xiangqi::START_FEN,
    "3ak4/9/4b4/9/9/9/9/4B4/9/3AK1R2 w - - 118 99",
    "3k5/4P4/9/9/9/9/9/9/4p4/5K3 b - - 0 1",
    "4k4/4a4/4b4/2C6/9/2c6/9/4B4/4A4/3K5 w - - 0 1",
];

/// A net of random weights, the same every time.
pub fn random_net<F: FeatureSet>(threats: bool) -> Net<F> {
    let info = NetInfo { threats, ..NetInfo::new(32, 4) };
    let mut rng = Rng::new(1);
    let mut some = |n: usize, most: usize| -> Vec<i16> {
        (0..n).map(|_| (rng.below(2 * most + 1) as i32 - most as i32) as i16).collect()
    };
    let numbers = Parameters {
        inputs: some(info.rows::<F>() * info.hidden, 100),
        bias: some(info.hidden, 200),
        outputs: some(info.buckets * 2 * info.hidden, 127),
        output_bias: some(info.buckets, 3000).into_iter().map(i32::from).collect(),
    };
    Net::new(info, &numbers).expect("the weights are in range")
}

/// A series of moves of chess.
pub fn chess(input: &[u8]) {
    static NETS: LazyLock<[Arc<Net<Chess768>>; 2]> =
        LazyLock::new(|| [false, true].map(|threats| Arc::new(random_net(threats))));
    walk::<Chess768>(input, CHESS, NETS.as_slice());
}

/// A series of moves of xiangqi, which all rule sets judge at its end, as they judge its mirror image.
pub fn xiangqi(input: &[u8]) {
    use xiangqi::{Board, repetition};
    static NETS: LazyLock<[Arc<Net<Xiangqi689>>; 2]> =
        LazyLock::new(|| [false, true].map(|threats| Arc::new(random_net(threats))));
    let Some((start, moves)) = walk::<Xiangqi689>(input, XIANGQI, NETS.as_slice()) else { return };
    let mirrored = Board::from_fen(&mirrored_fen(&start.fen())).expect("a mirror image is a position");
    let turned: Vec<_> =
        moves.iter().map(|mv| xiangqi::Move::new(mv.from().mirrored(), mv.to().mirrored())).collect();
    let rulings = |start: &Board, moves: &[xiangqi::Move]| -> Vec<_> {
        let judgements = repetition::judge_all(start, moves).expect("the moves are legal");
        judgements.into_iter().map(|judgement| judgement.ruling).collect()
    };
    assert_eq!(rulings(&start, &moves), rulings(&mirrored, &turned), "{} {moves:?}", start.fen());
}

/// A position of xiangqi with left and right exchanged.
pub fn mirrored_fen(fen: &str) -> String {
    let (pieces, rest) = fen.split_once(' ').unwrap_or((fen, ""));
    let ranks: Vec<String> = pieces.split('/').map(|rank| rank.chars().rev().collect()).collect();
    format!("{} {rest}", ranks.join("/"))
}

/// Plays the moves that `input` chooses, some of them twice: taken back, and made again. Returns where they
/// began, and the moves that stand.
fn walk<F: FeatureSet>(
    input: &[u8],
    starts: &[&str],
    nets: &[Arc<Net<F>>],
) -> Option<(F::Game, Vec<<F::Game as sanqi::game::Game>::Move>)>
where
    F::Game: Text,
{
    use sanqi::game::Game;
    let mut choices = Choices(input);
    let start = F::Game::from_fen(starts[choices.below(starts.len())?]).expect("a position");
    let net = &nets[choices.below(nets.len())?];
    let (mut board, mut moves, mut keys) = (start.clone(), Vec::new(), vec![start.key()]);
    let mut evaluator = NnueEvaluator::new(Arc::clone(net));
    evaluator.reset(&board);
    while let Some(choice) = choices.below(256).filter(|_| keys.len() < 200) {
        let back = choice >= 224 && !moves.is_empty();
        if back {
            board.undo_move();
            evaluator.pop();
            moves.pop();
            keys.pop();
            assert_eq!(Some(&board.key()), keys.last(), "after taking back in {}", board.fen());
        } else {
            let legal = board.legal();
            if legal.is_empty() {
                break;
            }
            let mv = legal[choice % legal.len()];
            evaluator.push();
            board.do_move(mv, &mut evaluator);
            moves.push(mv);
            keys.push(board.key());
        }
        let fresh = F::Game::from_fen(&board.fen()).expect("a position that was reached");
        assert_eq!(board.key(), fresh.key(), "{}", board.fen());
        assert_eq!(board.pawn_key(), fresh.pawn_key(), "{}", board.fen());
        assert_eq!(board.material_key(), fresh.material_key(), "{}", board.fen());
        assert_eq!(board.in_check(), fresh.in_check(), "{}", board.fen());
        // Not at every move, so that the accumulator has some to catch up with.
        if choice % 3 == 0 {
            let mut from_scratch = NnueEvaluator::new(Arc::clone(net));
            from_scratch.reset(&board);
            assert_eq!(evaluator.evaluate(&board), from_scratch.evaluate(&board), "{}", board.fen());
        }
        board.verdict();
    }
    Some((start, moves))
}

/// The length of a side of the board: to 9, now and then 19.
fn length(choice: usize) -> usize {
    if choice == 63 { 19 } else { choice % 9 + 1 }
}

/// A game of Go with moves taken back, against lists of cells and flood fill.
pub fn go(input: &[u8]) {
    let mut choices = Choices(input);
    let Some((width, height)) = choices.below(64).zip(choices.below(64)) else { return };
    let (width, height) = (length(width), length(height));
    let all_rules = [Rules::CHINESE, Rules::TROMP_TAYLOR, Rules::AGA, Rules::NEW_ZEALAND, Rules::JAPANESE];
    let Some(rules) = choices.below(all_rules.len()).map(|i| all_rules[i]) else { return };
    let (mut position, mut naive) = (Position::new(width, height, rules), Naive::new(width, height));
    // A comparison takes a time that grows with the board: on a large one not every move has one.
    let (area, mut since) = (width * height, 0);
    let mut steps = 0..300;
    while let Some((_, choice)) = steps.next().zip(choices.below(256)) {
        let takes_back = (240..250).contains(&choice) && !position.moves().is_empty();
        if takes_back {
            assert!(position.undo());
            naive.undo();
        } else {
            let side = position.board().side_to_move();
            let at = choice % area;
            let point = Point::new(at % width, at / width);
            let legal = naive.is_legal(at, code(side), &rules);
            assert_eq!(position.check(side, point).is_ok(), legal, "{position:?} {point:?}");
            let passes = choice >= 250 || !legal;
            position.play(side, if passes { Point::PASS } else { point }).expect("the move is legal");
            naive.play((!passes).then_some(at), code(side));
        }
        since += area;
        if takes_back || since >= 100 || area < 50 {
            since = 0;
            compare_all(position.board(), &naive, &position);
        }
    }
    compare_all(position.board(), &naive, &position);
}
