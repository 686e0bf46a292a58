//! The training run: batches drawn at random, AdamW with a cosine learning rate, a checkpoint an epoch.

use super::super::sample::Sample;
use super::super::simd::{AdamWStep, Kernel};
use super::checkpoint::Checkpoint;
use super::curve::Row;
use super::data::Dataset;
use super::model::{MICRO_BATCH, Model, Pass, Shape, Target, sigmoid};
use crate::nnue::net::{NetInfo, QA};
use crate::nnue::{BoardFeatures, FeatureSet};
use crate::util::aligned::Aligned;
use crate::util::rng::Rng;
use crate::util::sync::in_parallel;
use crate::util::system::cpu_time;
use indicatif::ProgressBar;
use std::time::{Duration, Instant};

/// Weights stay below this: then a clamped activation times a quantized output weight fits in 16 bits.
pub const WEIGHT_LIMIT: f32 = 1.98;
/// Output weights stay below this, so that the file holds them to 1/256: few want to be larger, and all of
/// them are rounded as coarsely as the largest one demands.
const OUTPUT_LIMIT: f32 = 0.49;

/// The part of a run after which the net learns to live with rounded weights.
const ROUND_FROM: f64 = 0.7;

#[derive(Clone, Debug, PartialEq)]
pub struct TrainingConfig {
    /// Neurons of one accumulator, a multiple of 128.
    pub hidden: usize,
    pub buckets: usize,
    /// King bucket by square ([`NetInfo::king_map`]).
    pub king_map: [u8; 92],
    /// Whether the states of pieces have inputs of their own ([`NetInfo::threats`]).
    pub threats: bool,
    /// Times every sample is used.
    pub epochs: u32,
    pub batch: usize,
    pub rate: f64,
    pub last_rate: f64,
    /// AdamW's weight decay.
    pub decay: f64,
    pub result_share: f32,
    /// Centipawns for one unit of output; `None` is fitted to the data.
    pub scale: Option<f32>,
    /// Generation of the games, for the net's header.
    pub generation: u32,
    /// Threads. The result depends on it in the last bits.
    pub threads: usize,
    pub seed: u64,
    /// Checksum of the file whose weights it begins with.
    pub init: Option<u32>,
}

impl Default for TrainingConfig {
    /// The recipe for a first net.
    fn default() -> Self {
        Self {
            hidden: 256,
            buckets: 8,
            king_map: [0; 92],
            threats: false,
            epochs: 20,
            batch: 16_384,
            rate: 1e-3,
            last_rate: 2.4e-6,
            decay: 0.01,
            result_share: 0.3,
            scale: None,
            generation: 1,
            threads: 1,
            seed: 1,
            init: None,
        }
    }
}

impl TrainingConfig {
    fn info(&self, scale: f32, data: &Dataset) -> NetInfo {
        let mut info = NetInfo::new(self.hidden, self.buckets);
        (info.king_map, info.threats) = (self.king_map, self.threats);
        info.scale = scale.round().clamp(1.0, 65_535.0) as u16;
        info.training = self.fingerprint(data);
        info.positions = data.training.len() as u64;
        info.generation = self.generation;
        info
    }

    /// A number that is the same for the same settings and the same data.
    fn fingerprint(&self, data: &Dataset) -> u64 {
        let text = format!("{self:?} {} {}", data.training.len(), data.validation.len());
        let mut hash = Rng::new(crc32fast::hash(text.as_bytes()).into()).next_u64();
        let stride = (data.training.len() / 4096).max(1);
        for sample in data.training.iter().step_by(stride) {
            let mut word = u64::from(sample.count) | u64::from(sample.score as u16) << 8;
            sample.for_each_piece(|piece, square| word = word.rotate_left(7) ^ (piece * 96 + square) as u64);
            hash = Rng::new(hash ^ word).next_u64();
        }
        hash
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct TrainingSpeed {
    /// Samples used, each time anew.
    pub samples: u64,
    pub wall: Duration,
    /// Processor time of all threads, where the system reports it.
    pub cpu: Option<Duration>,
}

pub struct Training<'a> {
    config: &'a TrainingConfig,
    data: &'a Dataset,
    target: Target,
    state: Checkpoint,
    passes: Vec<Pass>,
    gradients: Vec<Aligned<f32>>,
    kernel: Kernel,
    batches: u64,
    speed: TrainingSpeed,
}

impl<'a> Training<'a> {
    /// Begins a run with random weights.
    pub fn new<F: FeatureSet>(config: &'a TrainingConfig, data: &'a Dataset) -> Self {
        let scale = config.scale.unwrap_or_else(|| fitted_scale(&data.training));
        let info = config.info(scale, data);
        let model = Model::random(Shape::of::<F>(&info), &mut Rng::new(config.seed));
        Self::begin::<F>(config, data, info, model)
    }

    /// Begins a run with the weights of `first`, grown to the shape of `config`, and the unit that they were
    /// trained for. `None`: they are of a shape that does not grow into this one.
    pub fn fine_tune<F: FeatureSet>(
        config: &'a TrainingConfig,
        data: &'a Dataset,
        first: &NetInfo,
        model: &Model,
    ) -> Option<Self> {
        let info = config.info(first.scale.into(), data);
        let mut model = model.grown(Shape::of::<F>(&info), &mut Rng::new(config.seed))?;
        if info.threats && !first.threats {
            // Rows that no position switched on so far.
            F::Board::borrowed_inputs().into_iter().for_each(|input| model.forget(input));
        }
        let same_blocks = (first.king_map, first.threats) == (info.king_map, info.threats);
        (same_blocks || first.blocks::<F>() == 1).then(|| Self::begin::<F>(config, data, info, model))
    }

    fn begin<F: FeatureSet>(
        config: &'a TrainingConfig,
        data: &'a Dataset,
        info: NetInfo,
        model: Model,
    ) -> Self {
        let zeros = || Aligned::zeroed(model.shape.len());
        let (m, v, run) = (zeros(), zeros(), info.training);
        let state = Checkpoint { info, run, step: 0, curve: Vec::new(), model, m, v };
        Self::from_state::<F>(config, data, state)
    }

    /// Goes on with a run. `None`: the checkpoint is of other settings or other data.
    pub fn resume<F: FeatureSet>(
        config: &'a TrainingConfig,
        data: &'a Dataset,
        state: Checkpoint,
    ) -> Option<Self> {
        (state.run == config.fingerprint(data)).then(|| {
            let mut training = Self::from_state::<F>(config, data, state);
            let limit = training.weight_limit::<F>();
            training.state.model.add_factor(limit);
            training
        })
    }

    fn from_state<F: FeatureSet>(config: &'a TrainingConfig, data: &'a Dataset, state: Checkpoint) -> Self {
        let shape = state.model.shape;
        let threads = config.threads.max(1);
        let kernel = Kernel::best();
        Self {
            config,
            data,
            target: Target { result_share: config.result_share, scale: state.info.scale.into() },
            passes: (0..threads).map(|_| Pass::new(shape, &state.info, kernel)).collect(),
            gradients: (0..threads).map(|_| Aligned::zeroed(shape.len())).collect(),
            batches: (data.training.len() / config.batch).max(1) as u64,
            state,
            kernel,
            speed: TrainingSpeed::default(),
        }
    }

    /// The state after the last epoch.
    pub fn state(&self) -> &Checkpoint {
        &self.state
    }

    pub fn speed(&self) -> TrainingSpeed {
        self.speed
    }

    pub fn is_done(&self) -> bool {
        self.state.curve.len() as u32 >= self.config.epochs
    }

    /// Trains one more epoch and measures it.
    pub fn epoch<F: FeatureSet>(&mut self) -> Row {
        let (begun, cpu) = (Instant::now(), cpu_time());
        let epoch = self.state.curve.len() as u32 + 1;
        let order =
            Permutation::new(self.data.training.len() as u64, self.config.seed ^ u64::from(epoch) << 32);
        let bar = progress_bar(self.batches, epoch, self.config.epochs);
        let batch = self.config.batch.min(self.data.training.len());
        let mut samples = Vec::with_capacity(batch);
        let mut loss = 0.0;
        for number in 0..self.batches {
            let first = number * batch as u64;
            samples.clear();
            samples.extend((first..first + batch as u64).map(|i| self.data.training[order.at(i) as usize]));
            loss += self.step::<F>(&samples);
            bar.inc(1);
            if number % 16 == 15 {
                bar.set_message(format!("{:.6}", loss / ((number + 1) * batch as u64) as f64));
            }
        }
        bar.finish_and_clear();
        let used = self.batches * batch as u64;
        self.speed.samples += used;
        self.speed.wall += begun.elapsed();
        self.speed.cpu =
            cpu_time().zip(cpu).map(|(now, then)| self.speed.cpu.unwrap_or_default() + (now - then));
        let validation = self.validate::<F>();
        let row = Row { epoch, rate: self.rate(), training: loss / used as f64, validation };
        self.state.curve.push(row);
        row
    }

    /// The share of the run that is done, up to 1.
    fn progress(&self) -> f64 {
        let total = (self.batches * u64::from(self.config.epochs)).max(1);
        self.state.step.min(total) as f64 / total as f64
    }

    fn rate(&self) -> f64 {
        let wave = 0.5 * (1.0 + (std::f64::consts::PI * self.progress()).cos());
        self.config.last_rate + (self.config.rate - self.config.last_rate) * wave
    }

    /// One step of the optimizer; returns the squared errors added up.
    fn step<F: FeatureSet>(&mut self, samples: &[Sample]) -> f64 {
        if self.progress() >= ROUND_FROM {
            self.state.model.round();
        }
        let (model, target) = (&self.state.model, self.target);
        let share = samples.len().div_ceil(self.passes.len()).next_multiple_of(MICRO_BATCH);
        let mut work: Vec<_> =
            self.passes.iter_mut().zip(&mut self.gradients).zip(samples.chunks(share)).collect();
        let run = |((pass, gradient), samples): &mut ((&mut Pass, &mut Aligned<f32>), &[Sample])| -> f64 {
            samples.chunks(MICRO_BATCH).map(|few| pass.backward::<F>(model, few, target, gradient)).sum()
        };
        let loss = in_parallel(work.len(), work.iter_mut(), run).iter().sum();
        self.update::<F>(samples.len());
        loss
    }

    fn weight_limit<F: FeatureSet>(&self) -> f32 {
        WEIGHT_LIMIT.min(f32::from(self.state.info.largest_input::<F>()) / QA as f32)
    }

    /// Adds the threads' gradients up and moves the weights.
    fn update<F: FeatureSet>(&mut self, samples: usize) {
        let rate = self.rate();
        let step = AdamWStep {
            rate: rate as f32,
            scale: 1.0 / samples as f32,
            decay: (1.0 - rate * self.config.decay) as f32,
            limit: self.weight_limit::<F>(),
        };
        let (kernel, limit) = (self.kernel, step.limit);
        let (first, others) = self.gradients.split_at_mut(1);
        for other in others {
            kernel.drain(&mut first[0], other);
        }
        Model::gather_factor(self.state.model.shape, &mut first[0]);
        let size = first[0].len().div_ceil(self.passes.len());
        let mut parts: Vec<_> = self
            .state
            .model
            .weights
            .chunks_mut(size)
            .zip(first[0].chunks_mut(size))
            .zip(self.state.m.chunks_mut(size).zip(self.state.v.chunks_mut(size)))
            .collect();
        in_parallel(parts.len(), parts.iter_mut(), |((w, g), (m, v))| kernel.adam(w, g, m, v, step));
        let model = &mut self.state.model;
        let outputs = &mut model.weights[model.shape.output_range()];
        outputs.iter_mut().for_each(|w| *w = w.clamp(-OUTPUT_LIMIT, OUTPUT_LIMIT));
        model.add_factor(limit);
        self.state.step += 1;
    }

    /// Mean squared error over the games set aside.
    fn validate<F: FeatureSet>(&mut self) -> f64 {
        let samples = &self.data.validation;
        let (model, target) = (&self.state.model, self.target);
        let share = samples.len().div_ceil(self.passes.len()).next_multiple_of(MICRO_BATCH).max(MICRO_BATCH);
        let mut work: Vec<_> = self.passes.iter_mut().zip(samples.chunks(share)).collect();
        let losses = in_parallel(work.len(), work.iter_mut(), |(pass, samples)| -> f64 {
            samples.chunks(MICRO_BATCH).map(|few| pass.loss::<F>(model, few, target)).sum()
        });
        losses.iter().sum::<f64>() / samples.len() as f64
    }
}

fn progress_bar(batches: u64, epoch: u32, epochs: u32) -> ProgressBar {
    let template = "epoch {prefix} [{bar:30}] {pos}/{len} batches, loss {msg} (ends in {eta})";
    crate::train::progress_bar(Some(batches), template).with_prefix(format!("{epoch}/{epochs}"))
}

/// The scale with which scores predict results best: golden-section search over its logarithm.
pub fn fitted_scale(samples: &[Sample]) -> f32 {
    let stride = (samples.len() / 200_000).max(1);
    let error = |log_scale: f64| -> f64 {
        let scale = log_scale.exp() as f32;
        let one = |s: &Sample| Some(f64::from(s.outcome()? - sigmoid(f32::from(s.score) / scale)).powi(2));
        samples.iter().step_by(stride).filter_map(one).sum()
    };
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (40f64.ln(), 2000f64.ln());
    while high - low > 1e-3 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if error(a) < error(b) { high = b } else { low = a }
    }
    ((low + high) / 2.0).exp() as f32
}

/// A random order of `0..n` that takes no memory: four Feistel rounds over the next even number of bits,
/// walked until the result is in range. <https://en.wikipedia.org/wiki/Format-preserving_encryption>
pub struct Permutation {
    n: u64,
    half: u32,
    keys: [u64; 4],
}

impl Permutation {
    /// The order that belongs to `seed`. `n` is at least 1.
    pub fn new(n: u64, seed: u64) -> Self {
        let bits = 64 - n.saturating_sub(1).leading_zeros();
        let mut rng = Rng::new(seed);
        Self { n, half: bits.div_ceil(2).max(1), keys: std::array::from_fn(|_| rng.next_u64()) }
    }

    /// The number at place `i`, for `i < n`.
    pub fn at(&self, i: u64) -> u64 {
        let mask = (1 << self.half) - 1;
        let mut x = i;
        loop {
            let (mut left, mut right) = (x >> self.half, x & mask);
            for key in self.keys {
                let mixed = (right ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                (left, right) = (right, left ^ (mixed >> 40 ^ mixed >> 21) & mask);
            }
            x = left << self.half | right;
            if x < self.n {
                return x;
            }
        }
    }
}
