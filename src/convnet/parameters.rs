//! The numbers of a net, as its file has them.

use super::{CHANNELS, GLOBALS, PLANES};
use crate::util::rng::Rng;
use std::convert::Infallible;

/// Channels whose pool bends the others in a pooling block.
pub const POOLED: usize = 16;
pub const POLICY: usize = 32;
pub const VALUE: usize = 64;
/// Numbers that the value head ends in: win, draw, loss, score, spread.
pub const RESULTS: usize = 5;
/// The last block of every group of this size pools.
pub const POOL_EVERY: usize = 3;
pub const MAX_BLOCKS: usize = 40;
/// Numbers that pooling makes of one channel.
pub const POOLS: usize = 3;

/// Whether a block, counted from 0, pools.
pub const fn pools(block: usize) -> bool {
    block % POOL_EVERY == POOL_EVERY - 1
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConvNetHeader {
    /// Which training: a hash of the run's settings and data.
    pub training: u64,
    pub samples: u64,
    /// Evaluations by nets that the games cost so far.
    pub evaluations: u64,
    /// 1 learned from games without a net.
    pub generation: u32,
    /// Games so far: on boards up to 11 lines, up to 15, up to 19, larger.
    pub games: [u32; 4],
}

/// A linear layer, and how its sums are brought back to 16 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// `[out][in][3][3]` or `[out][in]`, −127 to 127.
    pub weights: Vec<i8>,
    /// `[out]`, at most [`MAX_BIAS`] in size.
    pub bias: Vec<i32>,
    /// `[out]`, not below 0.
    pub multiplier: Vec<i16>,
    /// `[out]`, at most [`MAX_SHIFT`].
    pub shift: Vec<u8>,
}

pub const MAX_BIAS: u32 = 1 << 30;
pub const MAX_SHIFT: u8 = 24;

/// Folded batch norm, from the residual trunk to activations, by channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Activation {
    /// 32768 is 1.0; not below 0.
    pub gain: Vec<i16>,
    /// In steps of an activation.
    pub offset: Vec<i16>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    pub activation: Activation,
    pub first: Layer,
    /// From the pool of the first channels to a bias of the others, if the block pools.
    pub pool: Option<Layer>,
    pub second: Layer,
}

pub struct ConvNetParameters {
    pub(super) header: ConvNetHeader,
    pub(super) input: Layer,
    pub(super) globals: Layer,
    pub(super) blocks: Vec<Block>,
    pub(super) last: Activation,
    pub(super) policy: Layer,
    pub(super) policy_pool: Layer,
    pub(super) moves: Layer,
    pub(super) pass: Layer,
    pub(super) value_pool: Layer,
    pub(super) value: Layer,
    pub(super) owner: Layer,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub outputs: usize,
    pub inputs: usize,
    /// Weights for each pair of an input and an output: 9 or 1.
    pub taps: usize,
    /// Shift that brings random weights' sums to the range of a trained net.
    pub random_shift: u8,
}

impl Shape {
    const fn convolution(outputs: usize, inputs: usize, random_shift: u8) -> Self {
        Self { outputs, inputs, taps: 9, random_shift }
    }

    const fn dense(outputs: usize, inputs: usize, random_shift: u8) -> Self {
        Self { outputs, inputs, taps: 1, random_shift }
    }
}

const INPUT: Shape = Shape::convolution(CHANNELS, PLANES, 3);
const OF_GLOBALS: Shape = Shape::dense(CHANNELS, GLOBALS, 6);
const FIRST: Shape = Shape::convolution(CHANNELS, CHANNELS, 14);
const POOL: Shape = Shape::dense(CHANNELS - POOLED, POOLS * POOLED, 12);
const SECOND: Shape = Shape::convolution(CHANNELS, CHANNELS, 11);
const OF_POLICY: Shape = Shape::dense(POLICY, CHANNELS, 8);
const POLICY_POOL: Shape = Shape::dense(POLICY, POOLS * CHANNELS, 13);
const MOVES: Shape = Shape::dense(1, POLICY, 3);
const PASS: Shape = Shape::dense(1, POOLS * CHANNELS, 9);
const VALUE_POOL: Shape = Shape::dense(VALUE, POOLS * CHANNELS, 13);
const OF_VALUE: Shape = Shape::dense(RESULTS, VALUE, 4);
const OWNER: Shape = Shape::dense(1, CHANNELS, 5);

/// Where the parts of a net come from: a file, or random numbers. Parts are asked for in the order of the
/// file.
pub(super) trait Source {
    type Error;
    fn layer(&mut self, shape: Shape) -> Result<Layer, Self::Error>;
    fn activation(&mut self) -> Result<Activation, Self::Error>;
}

impl ConvNetParameters {
    /// Random weights, reproducible by the seed, with activations in the range of a trained net: for tests
    /// and to measure speed. `blocks` is clamped to the range that nets have.
    pub fn random(seed: u64, blocks: usize) -> Self {
        Self::drawn(&mut Rng::new(seed), blocks)
    }

    /// As [`random`](Self::random), from the next numbers of `rng`. `nnue/train/golden.py` draws as this
    /// does.
    pub(super) fn drawn(rng: &mut Rng, blocks: usize) -> Self {
        let header = ConvNetHeader { generation: 1, ..ConvNetHeader::default() };
        let Ok(parameters) = Self::assembled(header, blocks.clamp(1, MAX_BLOCKS), &mut RandomInit(rng));
        parameters
    }

    pub(super) fn assembled<S: Source>(
        header: ConvNetHeader,
        blocks: usize,
        from: &mut S,
    ) -> Result<Self, S::Error> {
        let block = |i: usize, from: &mut S| -> Result<Block, S::Error> {
            Ok(Block {
                activation: from.activation()?,
                first: from.layer(FIRST)?,
                pool: if pools(i) { Some(from.layer(POOL)?) } else { None },
                second: from.layer(SECOND)?,
            })
        };
        // The fields of a struct are evaluated in the order in which they are written.
        Ok(Self {
            header,
            input: from.layer(INPUT)?,
            globals: from.layer(OF_GLOBALS)?,
            blocks: (0..blocks).map(|i| block(i, from)).collect::<Result<_, S::Error>>()?,
            last: from.activation()?,
            policy: from.layer(OF_POLICY)?,
            policy_pool: from.layer(POLICY_POOL)?,
            moves: from.layer(MOVES)?,
            pass: from.layer(PASS)?,
            value_pool: from.layer(VALUE_POOL)?,
            value: from.layer(OF_VALUE)?,
            owner: from.layer(OWNER)?,
        })
    }

    pub fn header(&self) -> &ConvNetHeader {
        &self.header
    }

    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }
}

struct RandomInit<'a>(&'a mut Rng);

impl RandomInit<'_> {
    fn top(&mut self, bits: u32) -> i32 {
        (self.0.next_u64() >> (64 - bits)) as i32
    }
}

impl Source for RandomInit<'_> {
    type Error = Infallible;

    fn layer(&mut self, shape: Shape) -> Result<Layer, Infallible> {
        let Shape { outputs, inputs, taps, random_shift: shift } = shape;
        Ok(Layer {
            weights: (0..outputs * inputs * taps).map(|_| (self.top(7) - 64) as i8).collect(),
            bias: (0..outputs).map(|_| ((i64::from(self.top(16) - 32768) << shift) >> 8) as i32).collect(),
            multiplier: (0..outputs).map(|_| (16384 + self.top(14)) as i16).collect(),
            shift: vec![shift; outputs],
        })
    }

    fn activation(&mut self) -> Result<Activation, Infallible> {
        Ok(Activation {
            gain: (0..CHANNELS).map(|_| (1024 + self.top(10)) as i16).collect(),
            offset: (0..CHANNELS).map(|_| (self.top(8) - 128) as i16).collect(),
        })
    }
}
