//! The numbers of a net in the order in which a kernel reads them. Threads share them.

use super::CHANNELS;
use super::grid::Tile;
use super::layout::Layout;
use super::parameters::{self, Activation, ConvNetParameters, Layer, POLICY, VALUE};
use crate::util::aligned::Aligned;
use std::ops::Range;

/// Factor of the sums of convolutions 3×3 before they are rescaled: the fast convolution gives this many
/// times the direct one.
pub const CONVOLUTION_SCALE: i32 = 36;
/// Matrices have a multiple of this many outputs, whatever the kernel. Those beyond the layer's are 0.
pub const OUTPUT_MULTIPLE: usize = 32;

/// How sums become numbers of 16 bits again, by output.
pub struct Rescale {
    pub bias: Aligned<i32>,
    pub shift: Aligned<i32>,
    pub multiplier: Aligned<i16>,
}

impl Rescale {
    /// Of several layers one after the other. `place` is where the kernel wants bias and shift of an output.
    fn joined(layers: &[&Layer], outputs: usize, place: impl Fn(usize) -> usize) -> Self {
        let mut bias = Aligned::zeroed(outputs);
        let mut shift = Aligned::zeroed(outputs);
        let mut multiplier = Aligned::zeroed(outputs);
        let mut output = 0;
        for layer in layers {
            for i in 0..layer.bias.len() {
                bias[place(output)] = layer.bias[i];
                shift[place(output)] = i32::from(layer.shift[i]);
                multiplier[output] = layer.multiplier[i];
                output += 1;
            }
        }
        Self { bias, shift, multiplier }
    }

    /// The definition: a number of 16 bits from a sum. Bias and shift are where the output is.
    #[inline(always)]
    pub fn apply(&self, output: usize, sum: i32) -> i16 {
        let q = sum.wrapping_add(self.bias[output]) >> self.shift[output];
        let q = q.clamp(i16::MIN.into(), i16::MAX.into());
        ((q * i32::from(self.multiplier[output]) + (1 << 14)) >> 15) as i16
    }
}

/// A convolution 3×3 to [`CHANNELS`].
pub struct Convolution {
    pub inputs: usize,
    /// In the kernel's [`Layout`].
    pub weights: Aligned<i16>,
    pub rescale: Rescale,
}

impl Convolution {
    fn new(layer: &Layer, layout: Layout, tile: Tile) -> Self {
        let inputs = layer.weights.len() / (CHANNELS * 9);
        Self {
            inputs,
            weights: layout.convolution(&layer.weights, inputs, tile),
            rescale: Rescale::joined(&[layer], CHANNELS, |output| layout.place(output)),
        }
    }
}

/// A dense layer, or a convolution 1×1.
pub struct Matrix {
    pub inputs: usize,
    /// A multiple of [`OUTPUT_MULTIPLE`].
    pub outputs: usize,
    /// In the kernel's [`Layout`].
    pub weights: Aligned<i16>,
    pub rescale: Rescale,
}

impl Matrix {
    /// Layers of the same inputs, their outputs one after the other.
    fn joined(layers: &[&Layer], layout: Layout) -> Self {
        let all: usize = layers.iter().map(|layer| layer.bias.len()).sum();
        let outputs = all.next_multiple_of(OUTPUT_MULTIPLE);
        let inputs = layers[0].weights.len() / layers[0].bias.len();
        let mut weights: Vec<i8> = layers.iter().flat_map(|layer| layer.weights.iter().copied()).collect();
        weights.resize(outputs * inputs, 0);
        Self {
            inputs,
            outputs,
            weights: layout.matrix(&weights, inputs),
            rescale: Rescale::joined(layers, outputs, |output| layout.place(output)),
        }
    }
}

pub(super) struct Row {
    pub weights: Aligned<i16>,
    rescale: Rescale,
}

impl Row {
    fn new(layer: &Layer) -> Self {
        let weights: Vec<i16> = layer.weights.iter().map(|&w| w.into()).collect();
        Self { weights: Aligned::copied(&weights), rescale: Rescale::joined(&[layer], 1, |output| output) }
    }

    #[inline(always)]
    pub fn rescale(&self, sum: i32) -> i16 {
        self.rescale.apply(0, sum)
    }
}

/// Folded batch norm, from the residual trunk to activations, by channel.
pub struct FoldedNorm {
    pub gain: Aligned<i16>,
    pub offset: Aligned<i16>,
}

impl FoldedNorm {
    fn new(activation: &Activation) -> Self {
        Self { gain: Aligned::copied(&activation.gain), offset: Aligned::copied(&activation.offset) }
    }
}

/// A residual block without the activation that comes before it.
pub(super) struct Block {
    pub first: Convolution,
    /// From the pool to a bias of all channels; that of the pooled ones is 0.
    pub pool: Option<Matrix>,
    pub second: Convolution,
    /// What follows: the activation of the next block, or the last one.
    pub norm: FoldedNorm,
}

/// A net as a kernel reads it.
pub struct Packed {
    pub input: Convolution,
    pub globals: Matrix,
    pub norm: FoldedNorm,
    pub blocks: Vec<Block>,
    pub policy: Matrix,
    /// All layers after the pool: see [`OF_POLICY`] and the ranges after it.
    pub pooled_heads: Matrix,
    pub moves: Row,
    pub value: Matrix,
    pub owner: Row,
}

/// Outputs of [`Packed::pooled_heads`]: the bias of the policy head.
pub const OF_POLICY: Range<usize> = 0..POLICY;
pub const OF_VALUE: Range<usize> = POLICY..POLICY + VALUE;
pub const OF_PASS: usize = POLICY + VALUE;

impl Packed {
    pub fn new(net: &ConvNetParameters, layout: Layout, tile: Tile) -> Self {
        let nexts = net.blocks.iter().skip(1).map(|block| &block.activation).chain([&net.last]);
        let block = |(block, next): (&parameters::Block, &Activation)| Block {
            first: Convolution::new(&block.first, layout, tile),
            pool: block.pool.as_ref().map(|pool| Matrix::joined(&[&zeros_like(pool), pool], layout)),
            second: Convolution::new(&block.second, layout, tile),
            norm: FoldedNorm::new(next),
        };
        Self {
            input: Convolution::new(&net.input, layout, tile),
            globals: Matrix::joined(&[&net.globals], layout),
            norm: FoldedNorm::new(net.blocks.first().map_or(&net.last, |block| &block.activation)),
            blocks: net.blocks.iter().zip(nexts).map(block).collect(),
            policy: Matrix::joined(&[&net.policy], layout),
            pooled_heads: Matrix::joined(&[&net.policy_pool, &net.value_pool, &net.pass], layout),
            moves: Row::new(&net.moves),
            value: Matrix::joined(&[&net.value], layout),
            owner: Row::new(&net.owner),
        }
    }
}

/// A layer that gives 0 for the channels that `pool` leaves out.
fn zeros_like(pool: &Layer) -> Layer {
    let outputs = CHANNELS - pool.bias.len();
    let inputs = pool.weights.len() / pool.bias.len();
    Layer {
        weights: vec![0; outputs * inputs],
        bias: vec![0; outputs],
        multiplier: vec![0; outputs],
        shift: vec![0; outputs],
    }
}
