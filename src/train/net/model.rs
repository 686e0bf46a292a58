//! A net in floats: forward, backward, and the layout that makes both fast.
//!
//! Input weights are `[chunk][row][CHUNK]`. A thread works on one chunk of neurons for a whole micro-batch,
//! so that the rows of the chunk stay in the cache and the sums of a sample in registers. For the gradient a
//! counting sort turns "rows of a sample" into "samples of a row".

use super::super::sample::{Active, MAX_ACTIVE, MAX_PIECES, Sample};
use super::super::simd::{CHUNK, Chunk, Kernel};
use crate::nnue::FeatureSet;
use crate::nnue::net::{NetInfo, QA, bucket};
use crate::util::aligned::Aligned;
use crate::util::rng::Rng;
use std::ops::Range;

/// Samples that go through the layers together.
pub const MICRO_BATCH: usize = 128;

/// Where the parts of a net lie in one long row of floats: weights, gradients and moments all have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Neurons, a multiple of [`CHUNK`].
    pub hidden: usize,
    pub inputs: usize,
    /// King buckets times states of pieces.
    pub blocks: usize,
    pub buckets: usize,
}

impl Shape {
    pub fn of<F: FeatureSet>(info: &NetInfo) -> Self {
        Self {
            hidden: info.hidden,
            inputs: info.inputs::<F>(),
            blocks: info.blocks::<F>(),
            buckets: info.buckets,
        }
    }

    pub const fn rows(&self) -> usize {
        self.inputs * self.blocks
    }

    pub const fn chunks(&self) -> usize {
        self.hidden / CHUNK
    }

    /// Input weights, `[chunk][row][CHUNK]`.
    pub const fn input_range(&self) -> Range<usize> {
        0..self.rows() * self.hidden
    }

    /// Row and neuron of the input weight at `at` in [`input_range`](Self::input_range).
    pub const fn input_at(&self, at: usize) -> (usize, usize) {
        let (chunk, row, lane) = (at / (CHUNK * self.rows()), at / CHUNK % self.rows(), at % CHUNK);
        (row, chunk * CHUNK + lane)
    }

    /// Input biases, `[hidden]`.
    pub const fn bias_range(&self) -> Range<usize> {
        let start = self.input_range().end;
        start..start + self.hidden
    }

    /// Output weights, `[bucket][own, other][hidden]`.
    pub const fn output_range(&self) -> Range<usize> {
        let start = self.bias_range().end;
        start..start + self.buckets * 2 * self.hidden
    }

    /// Output biases, `[bucket]`.
    pub const fn output_bias_range(&self) -> Range<usize> {
        let start = self.output_range().end;
        start..start + self.buckets
    }

    /// The factorizer: the weights that all blocks share, `[chunk][input][CHUNK]`. Empty with one block.
    pub const fn factor_range(&self) -> Range<usize> {
        // Chunks begin at cache lines.
        let start = self.output_bias_range().end.next_multiple_of(CHUNK);
        start..start + if self.blocks > 1 { self.inputs * self.hidden } else { 0 }
    }

    pub const fn len(&self) -> usize {
        self.factor_range().end
    }
}

#[derive(Clone)]
pub struct Model {
    pub shape: Shape,
    /// The weights that the optimizer changes. With a factorizer, input weights are differences from it.
    pub weights: Aligned<f32>,
    /// The effective input weights, where they differ: sums with the factorizer, or rounded.
    sums: Option<Aligned<f32>>,
    /// Whether input weights count as the net file will round them.
    rounded: bool,
}

fn chunks(floats: &[f32]) -> &[Chunk] {
    floats.as_chunks().0
}

fn chunks_mut(floats: &mut [f32]) -> &mut [Chunk] {
    floats.as_chunks_mut().0
}

impl Model {
    pub fn random(shape: Shape, rng: &mut Rng) -> Self {
        let mut model = Self::of(shape, Aligned::zeroed(shape.len()));
        let mut uniform = |range: Range<usize>, max: f32| {
            model.weights[range].iter_mut().for_each(|w| *w = (2.0 * rng.unit_f32() - 1.0) * max);
        };
        let rows = if shape.blocks > 1 { shape.factor_range() } else { shape.input_range() };
        uniform(rows, (1.0 / MAX_PIECES as f32).sqrt());
        uniform(shape.output_range(), (1.0 / (2.0 * shape.hidden as f32)).sqrt());
        model.add_factor(2.0);
        model
    }

    pub fn of(shape: Shape, weights: Aligned<f32>) -> Self {
        assert_eq!(weights.len(), shape.len());
        let sums = (shape.blocks > 1).then(|| Aligned::zeroed(shape.input_range().len()));
        let mut model = Self { shape, weights, sums, rounded: false };
        model.add_factor(f32::INFINITY);
        model
    }

    /// The mean of the weights of both. `None`: their shapes differ.
    pub fn mean(&self, other: &Self) -> Option<Self> {
        let mut weights = (self.shape == other.shape).then(|| self.weights.clone())?;
        weights.iter_mut().zip(other.weights.iter()).for_each(|(w, &v)| *w = (*w + v) / 2.0);
        Some(Self::of(self.shape, weights))
    }

    /// The same function in a larger shape, with room to learn more: added neurons have random input weights
    /// and no output weights yet, added output buckets begin as the one they split, and added blocks as equal
    /// sums with a factorizer. `None`: `shape` is not larger in one of these ways.
    pub fn grown(&self, shape: Shape, rng: &mut Rng) -> Option<Self> {
        let old = self.shape;
        let fits = (shape.inputs == old.inputs || shape.inputs > old.inputs && old.blocks < shape.blocks)
            && shape.hidden >= old.hidden
            && shape.buckets.is_multiple_of(old.buckets)
            && (shape.blocks == old.blocks || old.blocks == 1);
        if !fits {
            return None;
        }
        let mut grown = Self::random(shape, rng);
        let (from, to) = (&self.weights, &mut grown.weights);
        to[shape.output_range()].fill(0.0);
        let mut copy = |start: usize, source: Range<usize>| {
            to[start..start + source.len()].copy_from_slice(&from[source]);
        };
        if shape.blocks == old.blocks {
            copy(shape.input_range().start, old.input_range());
            copy(shape.factor_range().start, old.factor_range());
        } else {
            for chunk in 0..old.chunks() {
                let row = |inputs: usize| chunk * inputs * CHUNK;
                let source = old.input_range().start + row(old.inputs);
                copy(shape.factor_range().start + row(shape.inputs), source..source + old.inputs * CHUNK);
            }
        }
        copy(shape.bias_range().start, old.bias_range());
        let rows = shape.output_range().step_by(shape.hidden);
        for (row, start) in rows.enumerate() {
            let (bucket, view) = (row / 2 * old.buckets / shape.buckets, row % 2);
            let source = old.output_range().start + (2 * bucket + view) * old.hidden;
            copy(start, source..source + old.hidden);
        }
        let biases = &from[old.output_bias_range()];
        for (bucket, bias) in to[shape.output_bias_range()].iter_mut().enumerate() {
            *bias = biases[bucket * old.buckets / shape.buckets];
        }
        grown.add_factor(f32::INFINITY);
        Some(grown)
    }

    /// Clears the weights that all blocks share of an input.
    pub fn forget(&mut self, input: usize) {
        let shape = self.shape;
        let factor = chunks_mut(&mut self.weights[shape.factor_range()]);
        for chunk in 0..shape.chunks() {
            factor[chunk * shape.inputs + input].fill(0.0);
        }
        self.add_factor(f32::INFINITY);
    }

    /// Input weights as the net uses them, `[chunk][row][CHUNK]`.
    pub fn input_weights(&self) -> &[f32] {
        self.sums.as_deref().unwrap_or(&self.weights[self.shape.input_range()])
    }

    /// From now on input weights count as the net file will round them: training then
    /// compensates for the rounding. The steps go on to move the weights themselves.
    /// <https://www.chessprogramming.org/NNUE#Quantization>
    pub fn round(&mut self) {
        if !self.rounded {
            self.rounded = true;
            self.sums.get_or_insert_with(|| Aligned::zeroed(self.shape.input_range().len()));
            self.add_factor(f32::INFINITY);
        }
    }

    /// After a step: adds the factorizer up into the weights that count, clipped to `limit`, and rounds them.
    pub fn add_factor(&mut self, limit: f32) {
        let Some(sums) = &mut self.sums else { return };
        let (shape, weights, rounded) = (self.shape, &self.weights, self.rounded);
        let one = QA as f32;
        let finish = |w: f32| {
            let w = w.clamp(-limit, limit);
            if rounded { (w * one).round() / one } else { w }
        };
        if shape.blocks == 1 {
            let own = &weights[shape.input_range()];
            return sums.iter_mut().zip(own).for_each(|(sum, own)| *sum = finish(*own));
        }
        let factor = chunks(&weights[shape.factor_range()]);
        let own = chunks(&weights[shape.input_range()]);
        for (at, (sum, own)) in chunks_mut(sums).iter_mut().zip(own).enumerate() {
            let (chunk, input) = (at / shape.rows(), at % shape.rows() % shape.inputs);
            let shared = &factor[chunk * shape.inputs + input];
            for ((sum, own), shared) in sum.iter_mut().zip(own).zip(shared) {
                *sum = finish(own + shared);
            }
        }
    }

    /// The gradient of the factorizer: the sum of the gradients of the blocks.
    pub fn gather_factor(shape: Shape, gradient: &mut [f32]) {
        if shape.blocks == 1 {
            return;
        }
        let (rest, factor) = gradient.split_at_mut(shape.factor_range().start);
        let own = chunks(&rest[shape.input_range()]);
        for (at, own) in own.iter().enumerate() {
            let (chunk, input) = (at / shape.rows(), at % shape.rows() % shape.inputs);
            let shared = &mut chunks_mut(factor)[chunk * shape.inputs + input];
            shared.iter_mut().zip(own).for_each(|(s, g)| *s += g);
        }
    }
}

/// How a sample becomes a target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Share of the game's result; the rest is the score's.
    pub result_share: f32,
    /// Centipawns for one unit of the net's output.
    pub scale: f32,
}

impl Target {
    /// Expected result in `0..=1`.
    pub fn of(&self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / self.scale);
        sample.outcome().map_or(score, |result| score + self.result_share * (result - score))
    }
}

/// `1 / (1 + e^-x)`.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The working memory of one thread for micro-batches.
pub struct Pass {
    kernel: Kernel,
    info: NetInfo,
    active: Vec<Active>,
    /// `[chunk][own of each sample, other of each sample]`.
    neurons: Aligned<f32>,
    outputs: [f32; MICRO_BATCH],
    /// Where the list of each row begins; one more than rows.
    starts: Vec<u32>,
    /// Sides of samples, sorted by row.
    list: Vec<u16>,
    /// Rows whose list is not empty.
    used: Vec<u16>,
}

impl Pass {
    pub fn new(shape: Shape, info: &NetInfo, kernel: Kernel) -> Self {
        Self {
            kernel,
            info: info.clone(),
            active: vec![Active::default(); MICRO_BATCH],
            neurons: Aligned::zeroed(shape.hidden * 2 * MICRO_BATCH),
            outputs: [0.0; MICRO_BATCH],
            starts: vec![0; shape.rows() + 1],
            list: vec![0; 2 * MICRO_BATCH * MAX_ACTIVE],
            used: Vec::with_capacity(shape.rows()),
        }
    }

    /// The net's outputs for at most [`MICRO_BATCH`] samples; one unit is [`Target::scale`] centipawns.
    pub fn forward<F: FeatureSet>(&mut self, model: &Model, samples: &[Sample]) -> &[f32] {
        let shape = model.shape;
        for (sample, active) in samples.iter().zip(&mut self.active) {
            sample.active::<F>(&self.info, active);
        }
        let bias = chunks(&model.weights[shape.bias_range()]);
        let outputs = chunks(&model.weights[shape.output_range()]);
        let output_bias = &model.weights[shape.output_bias_range()];
        for (sample, output) in samples.iter().zip(&mut self.outputs) {
            *output = output_bias[bucket(sample.count.into(), shape.buckets)];
        }
        let all_rows = chunks(model.input_weights());
        let all_neurons = chunks_mut(&mut self.neurons);
        for chunk in 0..shape.chunks() {
            let rows = &all_rows[chunk * shape.rows()..][..shape.rows()];
            let (own, other) =
                all_neurons[chunk * 2 * MICRO_BATCH..][..2 * MICRO_BATCH].split_at_mut(MICRO_BATCH);
            for (i, (sample, active)) in samples.iter().zip(&self.active).enumerate() {
                self.kernel.sum_rows(&mut own[i], &bias[chunk], rows, &active.own[..active.count]);
                self.kernel.sum_rows(&mut other[i], &bias[chunk], rows, &active.other[..active.count]);
                let at = bucket(sample.count.into(), shape.buckets) * 2 * shape.chunks() + chunk;
                self.outputs[i] += self.kernel.forward(&own[i], &outputs[at])
                    + self.kernel.forward(&other[i], &outputs[at + shape.chunks()]);
            }
        }
        &self.outputs[..samples.len()]
    }

    /// Squared errors of at most [`MICRO_BATCH`] samples, added up.
    pub fn loss<F: FeatureSet>(&mut self, model: &Model, samples: &[Sample], target: Target) -> f64 {
        let outputs = self.forward::<F>(model, samples);
        let error =
            |(sample, &output): (&Sample, &f32)| f64::from(sigmoid(output) - target.of(sample)).powi(2);
        samples.iter().zip(outputs).map(error).sum()
    }

    /// As [`loss`](Self::loss), and adds the derivatives by all weights to `gradient`.
    pub fn backward<F: FeatureSet>(
        &mut self,
        model: &Model,
        samples: &[Sample],
        target: Target,
        gradient: &mut [f32],
    ) -> f64 {
        self.forward::<F>(model, samples);
        let shape = model.shape;
        let mut loss = 0.0;
        let output_bias = shape.output_bias_range().start;
        for (sample, output) in samples.iter().zip(&mut self.outputs) {
            let expected = sigmoid(*output);
            let error = expected - target.of(sample);
            loss += f64::from(error).powi(2);
            *output = 2.0 * error * expected * (1.0 - expected);
            gradient[output_bias + bucket(sample.count.into(), shape.buckets)] += *output;
        }
        self.sort_by_row(samples.len());
        let weights = chunks(&model.weights[shape.output_range()]);
        let (rows, rest) = gradient.split_at_mut(shape.input_range().end);
        let (bias, rest) = rest.split_at_mut(shape.hidden);
        let output_gradient = chunks_mut(&mut rest[..shape.output_range().len()]);
        let (rows, bias) = (chunks_mut(rows), chunks_mut(bias));
        for (chunk, neurons) in chunks_mut(&mut self.neurons).chunks_mut(2 * MICRO_BATCH).enumerate() {
            for (i, sample) in samples.iter().enumerate() {
                let first = bucket(sample.count.into(), shape.buckets) * 2 * shape.chunks() + chunk;
                for (neuron, at) in [(i, first), (MICRO_BATCH + i, first + shape.chunks())] {
                    let (neuron, error) = (&mut neurons[neuron], self.outputs[i]);
                    self.kernel.backward(
                        neuron,
                        &weights[at],
                        &mut output_gradient[at],
                        &mut bias[chunk],
                        error,
                    );
                }
            }
            for &row in &self.used {
                let row = usize::from(row);
                let list = &self.list[self.starts[row] as usize..self.starts[row + 1] as usize];
                self.kernel.add_rows(&mut rows[chunk * shape.rows() + row], neurons, list);
            }
        }
        loss
    }

    /// Counting sort of the sides of samples by the rows they switch on.
    fn sort_by_row(&mut self, samples: usize) {
        self.starts.fill(0);
        let active = &self.active[..samples];
        for a in active {
            for &row in a.own[..a.count].iter().chain(&a.other[..a.count]) {
                self.starts[usize::from(row)] += 1;
            }
        }
        self.used.clear();
        let mut end = 0;
        for (row, start) in self.starts.iter_mut().enumerate() {
            if *start > 0 {
                self.used.push(row as u16);
            }
            end += *start;
            *start = end;
        }
        // Filled from the back, each start ends up where its list begins.
        for (i, a) in active.iter().enumerate().rev() {
            for (rows, side) in [(&a.other, MICRO_BATCH + i), (&a.own, i)] {
                for &row in &rows[..a.count] {
                    let start = &mut self.starts[usize::from(row)];
                    *start -= 1;
                    self.list[*start as usize] = side as u16;
                }
            }
        }
    }
}
