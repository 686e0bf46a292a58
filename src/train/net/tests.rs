use super::checkpoint::{Checkpoint, CheckpointError};
use super::compare::{Comparison, by_model, by_net, by_score};
use super::data::{DataError, Dataset, Selection};
use super::fit::{Permutation, Training, TrainingConfig, WEIGHT_LIMIT, fitted_scale};
use super::model::{MICRO_BATCH, Model, Pass, Shape, Target};
use super::quantize::{quantize, restore};
use crate::eval::{Chess768, Xiangqi689};
use crate::game::{AlphaBetaGame, Game, Side};
use crate::nnue::FeatureSet;
use crate::nnue::net::{NetInfo, QA};
use crate::train::record::{EndReason, GameResult, RecordHeader, TrainingGame, TrainingPly, Writer};
use crate::train::sample::Sample;
use crate::train::simd::Kernel;
use crate::util::rng::Rng;
use tempfile::tempdir;

/// Positions of random games, scored by material, with results that follow the score.
fn samples<F: FeatureSet, G: AlphaBetaGame>(n: usize, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    let mut pos = G::start();
    let mut plies = 0;
    while found.len() < n {
        let legal = pos.legal();
        if legal.is_empty() || plies == 150 {
            (pos, plies) = (G::start(), 0);
            continue;
        }
        pos.do_move(rng.pick(&legal), &mut ());
        plies += 1;
        // Neighbours in a game are too alike to learn much from.
        if plies % 8 != 0 {
            continue;
        }
        let mut score = 0;
        pos.for_each_piece(|piece, _| {
            let kind = piece % F::KINDS;
            let value = if kind == F::KING { 0 } else { G::piece_value(kind) };
            score += if piece < F::KINDS { value } else { -value };
        });
        let expected = 1.0 / (1.0 + (-score as f32 / 300.0).exp());
        let result = if rng.unit_f32() < expected { GameResult::FirstWins } else { GameResult::SecondWins };
        let score = if pos.side_to_move() == Side::First { score } else { -score };
        found.push(Sample::new::<F, G>(&pos, score.clamp(-3000, 3000) as i16, result).unwrap());
    }
    found
}

fn dataset<F: FeatureSet, G: AlphaBetaGame>(n: usize) -> Dataset {
    Dataset { training: samples::<F, G>(n, 1), validation: samples::<F, G>(n / 20, 2), ..Dataset::default() }
}

fn small_config() -> TrainingConfig {
    TrainingConfig {
        hidden: 128,
        buckets: 4,
        epochs: 4,
        batch: 512,
        threads: 2,
        scale: Some(300.0),
        ..TrainingConfig::default()
    }
}

/// King buckets by rank, so that there is a factorizer.
fn two_kings<F: FeatureSet>() -> [u8; 92] {
    std::array::from_fn(|square| u8::from(square >= F::FILES && square < F::SQUARES))
}

#[test]
fn derivatives_are_those_of_the_loss() {
    let few = samples::<Chess768, crate::chess::Board>(40, 3);
    let mut info = NetInfo::new(128, 4);
    (info.king_map, info.threats) = (two_kings::<Chess768>(), true);
    let shape = Shape::of::<Chess768>(&info);
    let target = Target { result_share: 0.4, scale: 300.0 };
    let mut rng = Rng::new(4);
    let mut model = Model::random(shape, &mut rng);
    for kernel in Kernel::available() {
        let mut pass = Pass::new(shape, &info, kernel);
        let mut gradient = vec![0.0; shape.len()];
        pass.backward::<Chess768>(&model, &few, target, &mut gradient);
        Model::gather_factor(shape, &mut gradient);
        // The largest derivatives of every part, where rounding hides least.
        for range in [
            shape.input_range(),
            shape.bias_range(),
            shape.output_range(),
            shape.output_bias_range(),
            shape.factor_range(),
        ] {
            let mut order: Vec<usize> = range.collect();
            order.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            for &at in order.iter().take(5) {
                let mut loss = |change: f32| {
                    model.weights[at] += change;
                    model.add_factor(f32::INFINITY);
                    let loss = pass.loss::<Chess768>(&model, &few, target);
                    model.weights[at] -= change;
                    loss
                };
                let step = 2e-3;
                let measured = (loss(step) - loss(-step)) / f64::from(2.0 * step);
                let computed = f64::from(gradient[at]);
                let near = (measured - computed).abs() <= 0.03 * computed.abs() + 1e-4;
                assert!(near, "{} {at}: {computed} but measured {measured}", kernel.name());
            }
        }
    }
}

#[test]
fn training_learns_material() {
    let data = dataset::<Xiangqi689, crate::xiangqi::Board>(20_000);
    let king_map = two_kings::<Xiangqi689>();
    let config = TrainingConfig { epochs: 8, batch: 128, king_map, ..small_config() };
    let mut training = Training::new::<Xiangqi689>(&config, &data);
    let mut rows = Vec::new();
    while !training.is_done() {
        rows.push(training.epoch::<Xiangqi689>());
    }
    assert!(rows[7].training < 0.8 * rows[0].training, "{rows:?}");
    assert!(rows[7].validation < 0.9 * rows[0].validation, "{rows:?}");
    let state = training.state();
    let floats = by_model::<Xiangqi689>(&state.model, &state.info, &data.validation);
    let expected =
        |scores: &[f64]| scores.iter().map(|s| 1.0 / (1.0 + (-s / 300.0).exp())).collect::<Vec<_>>();
    let against_material = Comparison::of(&expected(&floats), &expected(&by_score(&data.validation)));
    assert!(against_material.correlation > 0.85, "{against_material:?}");

    let net = quantize::<Xiangqi689>(&state.model, state.info.clone()).unwrap();
    let rounding = Comparison::of(&floats, &by_net(&net, &data.validation));
    assert!(rounding.correlation > 0.9995, "{rounding:?}");
    assert!(state.model.weights.iter().all(|w| w.abs() <= WEIGHT_LIMIT));
}

#[test]
fn an_interrupted_training_ends_in_the_same_weights() {
    let data = dataset::<Chess768, crate::chess::Board>(3000);
    let config = small_config();
    let mut whole = Training::new::<Chess768>(&config, &data);
    while !whole.is_done() {
        whole.epoch::<Chess768>();
    }
    let mut first = Training::new::<Chess768>(&config, &data);
    first.epoch::<Chess768>();
    first.epoch::<Chess768>();
    let bytes = first.state().to_bytes::<Chess768>();
    let read = || Checkpoint::from_bytes::<Chess768>(&bytes).unwrap();
    let mut second = Training::resume::<Chess768>(&config, &data, read()).unwrap();
    while !second.is_done() {
        second.epoch::<Chess768>();
    }
    assert_eq!(second.state().curve, whole.state().curve);
    assert!(second.state().to_bytes::<Chess768>() == whole.state().to_bytes::<Chess768>());
    let other = TrainingConfig { seed: 2, ..small_config() };
    assert!(Training::resume::<Chess768>(&other, &data, read()).is_none());
}

fn begins_with_the_weights_of_another<F: FeatureSet, G: AlphaBetaGame>() {
    let data = dataset::<F, G>(600);
    let config = small_config();
    let first = Training::new::<F>(&config, &data).state().clone();
    let begin = |next: &TrainingConfig| {
        let training = Training::fine_tune::<F>(next, &data, &first.info, &first.model)?;
        Some(training.state().clone())
    };
    let state = begin(&TrainingConfig { seed: 2, scale: Some(77.0), ..small_config() }).unwrap();
    assert!(state.model.weights[..] == first.model.weights[..]);
    assert_eq!((state.info.scale, state.step), (first.info.scale, 0));
    let king_map = two_kings::<F>();
    let few = &data.validation;
    let before = by_model::<F>(&first.model, &first.info, few);
    for (king_map, threats) in [(king_map, false), (king_map, true), ([0; 92], true)] {
        let config = TrainingConfig { hidden: 256, buckets: 8, king_map, threats, ..small_config() };
        let larger = begin(&config).unwrap();
        let after = by_model::<F>(&larger.model, &larger.info, few);
        for (before, after) in before.iter().zip(&after) {
            assert!((before - after).abs() < 1e-2 * (1.0 + before.abs()), "{before} {after}");
        }
    }
    assert!(begin(&TrainingConfig { buckets: 2, ..small_config() }).is_none());
}

#[test]
fn a_run_can_begin_with_the_weights_of_another() {
    begins_with_the_weights_of_another::<Chess768, crate::chess::Board>();
    begins_with_the_weights_of_another::<Xiangqi689, crate::xiangqi::Board>();
}

#[test]
fn a_run_can_begin_with_a_net_file() {
    let data = dataset::<Xiangqi689, crate::xiangqi::Board>(300);
    let state = Training::new::<Xiangqi689>(&small_config(), &data).state().clone();
    let net = quantize::<Xiangqi689>(&state.model, state.info.clone()).unwrap();
    let restored = restore(&net);
    assert_eq!(restored.shape, state.model.shape);
    assert!(quantize::<Xiangqi689>(&restored, state.info).unwrap().to_bytes() == net.to_bytes());
}

#[test]
fn sums_with_the_factorizer_are_cut_off_where_arithmetic_ends() {
    let mut info = NetInfo::new(128, 1);
    info.threats = true;
    let shape = Shape::of::<Chess768>(&info);
    let mut weights = Model::random(shape, &mut Rng::new(1)).weights;
    weights[shape.input_range()].fill(-WEIGHT_LIMIT);
    weights[shape.factor_range()].fill(-WEIGHT_LIMIT);
    let max = info.largest_input::<Chess768>();
    let net = quantize::<Chess768>(&Model::of(shape, weights), info).unwrap();
    assert!(net.parameters().inputs.iter().all(|&n| n == -max));
}

#[test]
fn the_mean_of_two_models_lies_between_them() {
    let shape = Shape::of::<Chess768>(&NetInfo::new(128, 1));
    let a = Model::random(shape, &mut Rng::new(1));
    let b = Model::random(shape, &mut Rng::new(2));
    let mean = a.mean(&b).unwrap();
    let halves = |((&a, &b), &m): ((&f32, &f32), &f32)| (a + b) / 2.0 == m;
    assert!(a.weights.iter().zip(b.weights.iter()).zip(mean.weights.iter()).all(halves));
    assert!(a.mean(&a).unwrap().weights[..] == a.weights[..]);
    let other = Model::random(Shape::of::<Chess768>(&NetInfo::new(128, 4)), &mut Rng::new(1));
    assert!(a.mean(&other).is_none());
}

#[test]
fn weights_count_as_the_file_rounds_them() {
    let data = dataset::<Chess768, crate::chess::Board>(600);
    for king_map in [[0; 92], two_kings::<Chess768>()] {
        let config = TrainingConfig { king_map, ..small_config() };
        let mut model = Training::new::<Chess768>(&config, &data).state().model.clone();
        let unrounded = model.weights.to_vec();
        model.round();
        assert!(model.weights[..] == unrounded[..]);
        let steps = |w: &f32| w * QA as f32;
        assert!(model.input_weights().iter().map(steps).all(|w| (w - w.round()).abs() < 1e-3));
        assert!(unrounded.iter().map(steps).any(|w| (w - w.round()).abs() > 0.1));
    }
}

#[test]
fn damaged_checkpoints_are_refused() {
    let data = dataset::<Chess768, crate::chess::Board>(600);
    let config = small_config();
    let bytes = Training::new::<Chess768>(&config, &data).state().to_bytes::<Chess768>();
    for bit in (0..8 * 200).chain((8 * 200..8 * bytes.len()).step_by(65_537)) {
        let mut broken = bytes.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        assert!(Checkpoint::from_bytes::<Chess768>(&broken).is_err(), "bit {bit}");
    }
    assert!(Checkpoint::from_bytes::<Chess768>(&bytes[..bytes.len() - 9]).is_err());
    let other = Checkpoint::from_bytes::<Xiangqi689>(&bytes);
    assert!(matches!(other, Err(CheckpointError::WrongGame(..))));
}

#[test]
fn every_number_comes_once_in_a_permutation() {
    for n in [1, 2, 3, 4, 5, 31, 64, 1000, 4097] {
        for seed in 0..3 {
            let order = Permutation::new(n, seed);
            let mut seen: Vec<u64> = (0..n).map(|i| order.at(i)).collect();
            if n > 30 {
                let fixed = seen.iter().enumerate().filter(|(i, x)| *i as u64 == **x).count();
                assert!(fixed < 12, "{n} {seed}: {fixed} stay in place");
            }
            seen.sort_unstable();
            assert!(seen.into_iter().eq(0..n));
        }
    }
}

#[test]
fn the_scale_is_the_one_the_results_follow() {
    let scale = fitted_scale(&samples::<Chess768, crate::chess::Board>(60_000, 8));
    assert!((270.0..330.0).contains(&scale), "{scale}");
}

#[test]
fn kernels_agree_on_whole_nets() {
    let few = samples::<Chess768, crate::chess::Board>(MICRO_BATCH, 5);
    let info = NetInfo::new(256, 8);
    let shape = Shape::of::<Chess768>(&info);
    let model = Model::random(shape, &mut Rng::new(6));
    let outputs = Kernel::available()
        .into_iter()
        .map(|kernel| Pass::new(shape, &info, kernel).forward::<Chess768>(&model, &few).to_vec());
    let outputs: Vec<Vec<f32>> = outputs.collect();
    for other in &outputs[1..] {
        for (a, b) in outputs[0].iter().zip(other) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
}

/// A file of random games, and how many of their positions are late enough: quiet ones, and others.
fn written(games: u32) -> (Vec<u8>, [usize; 2]) {
    let header = RecordHeader { game: "chess".to_owned(), shards: 1, ..RecordHeader::default() };
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let mut rng = Rng::new(77);
    let mut usable = [0; 2];
    for index in 0..games {
        let mut pos = <crate::chess::Board as Game>::start();
        let (mut opening, mut plies) = (Vec::new(), Vec::new());
        for at in 0..60 {
            let legal = pos.legal();
            if legal.is_empty() {
                break;
            }
            let mv = rng.pick(&legal);
            if at < 8 {
                opening.push(crate::chess::Board::pack(mv));
            } else {
                let score = if rng.below(10) == 0 { 31_000 } else { 55 };
                plies.push(TrainingPly { mv: crate::chess::Board::pack(mv), score });
                let counts = at >= 16 && score == 55 && !pos.in_check();
                usable[usize::from(pos.is_capture(mv))] += usize::from(counts);
            }
            Game::do_move(&mut pos, mv, &mut ());
        }
        let start = String::new();
        let (result, ending) = (GameResult::Draw, EndReason::Length);
        writer.push(&TrainingGame { index, start, opening, plies, result, ending }).unwrap();
    }
    (writer.finish().unwrap(), usable)
}

#[test]
fn quiet_late_positions_become_samples_and_games_stay_together() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("games.rec");
    let (bytes, [usable, captures]) = written(400);
    std::fs::write(&path, &bytes).unwrap();
    let plain = Selection::<crate::chess::Board>::default();
    let load_by = |selection: &Selection<_>, threads| {
        let files = [path.clone(), path.clone()];
        Dataset::load(&files, selection, threads)
    };
    let load = |threads| load_by(&plain, threads);
    let data = load(1).unwrap();
    assert_eq!((data.games, data.complaints.len()), (800, 0));
    assert_eq!(data.training.len() + data.validation.len(), 2 * usable);
    assert!(data.validation.len() > usable / 200, "{}", data.validation.len());
    // The second copy of a game is on the same side as the first.
    let (first, second) = data.validation.split_at(data.validation.len() / 2);
    assert_eq!(first, second);
    assert!(data.training == load(3).unwrap().training);

    let all = load_by(&Selection { captures: true, ..plain.clone() }, 1).unwrap();
    assert_eq!(all.training.len() + all.validation.len(), 2 * (usable + captures));

    let mut broken = bytes;
    let middle = broken.len() / 2;
    broken[middle] ^= 1;
    std::fs::write(&path, &broken).unwrap();
    let data = load(1).unwrap();
    assert_eq!((data.games, data.complaints.len()), (2 * (400 - 16), 2));
    std::fs::write(&path, &broken[..64]).unwrap();
    assert!(matches!(load(1), Err(DataError::Empty)));
    std::fs::write(&path, b"nonsense").unwrap();
    assert!(matches!(load(1), Err(DataError::File(..))));
}
