//! The bytes of a net. `nnue/GO-FORMAT.md` describes them.
// A net file is untrusted input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::parameters::{
    Activation, ConvNetHeader, ConvNetParameters, Layer, MAX_BIAS, MAX_BLOCKS, MAX_SHIFT, POLICY, POOL_EVERY,
    POOLED, Shape, Source, VALUE,
};
use super::{CHANNELS, GLOBALS, PLANES};
use crate::ensure;
use crate::util::bytes::{checksum_of, u16_at, u32_at, u64_at};
use crate::util::net_error::NetError;
use std::fmt;

/// First bytes of a net file.
pub const MAGIC: [u8; 8] = *b"SANQICNV";
/// The version written, and the only one read.
pub const VERSION: u32 = 1;
pub const HEADER_BYTES: usize = 128;
const GAME: &str = "go";
/// Which planes and globals go in.
const INPUT_SET: u16 = 1;
pub(super) const CHECKSUM_AT: usize = HEADER_BYTES - 4;
const BLOCKS_AT: usize = 26;
/// Where the numbers of 16 bits begin.
const DIMENSIONS_AT: usize = 20;

impl ConvNetParameters {
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let (header, blocks) = read_header(bytes)?;
        let wanted = file_bytes(blocks);
        ensure!(bytes.len() == wanted, NetError::Length(bytes.len(), wanted));
        let (found, wanted) = (checksum_of(bytes, CHECKSUM_AT), u32_at(bytes, CHECKSUM_AT));
        ensure!(found == wanted, NetError::checksum(found, wanted));
        Self::assembled(header, blocks, &mut Reader(bytes.get(HEADER_BYTES..).unwrap_or_default()))
    }

    #[allow(clippy::indexing_slicing, reason = "a header comes first")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header_bytes(self.header(), self.blocks()).to_vec();
        write_layer(&mut bytes, &self.input);
        write_layer(&mut bytes, &self.globals);
        for block in &self.blocks {
            write_activation(&mut bytes, &block.activation);
            write_layer(&mut bytes, &block.first);
            block.pool.iter().for_each(|pool| write_layer(&mut bytes, pool));
            write_layer(&mut bytes, &block.second);
        }
        write_activation(&mut bytes, &self.last);
        let heads = [&self.policy, &self.policy_pool, &self.moves, &self.pass, &self.value_pool, &self.value];
        heads.into_iter().chain([&self.owner]).for_each(|layer| write_layer(&mut bytes, layer));
        let checksum = checksum_of(&bytes, CHECKSUM_AT);
        bytes[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// CRC-32 of the file.
    pub fn checksum(&self) -> u32 {
        u32_at(&self.to_bytes(), CHECKSUM_AT)
    }
}

impl fmt::Display for ConvNetParameters {
    /// `key: value`, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = self.header();
        writeln!(f, "game: {GAME}")?;
        writeln!(f, "architecture: {} blocks of {CHANNELS} channels", self.blocks())?;
        writeln!(f, "samples: {}", header.samples)?;
        writeln!(f, "evaluations: {}", header.evaluations)?;
        let [small, middle, full, larger] = header.games;
        writeln!(f, "games: {small} up to 11 lines, {middle} up to 15, {full} up to 19, {larger} larger")?;
        writeln!(f, "generation: {}", header.generation)?;
        writeln!(f, "training: {:016x}", header.training)?;
        writeln!(f, "checksum: {:08x}", self.checksum())?;
        write!(f, "bytes: {}", file_bytes(self.blocks()))
    }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "places within the header")]
fn header_bytes(header: &ConvNetHeader, blocks: usize) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
    put(0, &MAGIC);
    put(8, &VERSION.to_le_bytes());
    put(12, GAME.as_bytes());
    put(DIMENSIONS_AT, &INPUT_SET.to_le_bytes());
    let dimensions = [PLANES, GLOBALS, blocks, CHANNELS, POOLED, POLICY, VALUE, POOL_EVERY];
    for (i, dimension) in dimensions.into_iter().enumerate() {
        put(DIMENSIONS_AT + 2 + 2 * i, &(dimension as u16).to_le_bytes());
    }
    put(48, &header.training.to_le_bytes());
    put(56, &header.samples.to_le_bytes());
    put(64, &header.evaluations.to_le_bytes());
    put(72, &header.generation.to_le_bytes());
    for (i, games) in header.games.iter().enumerate() {
        put(76 + 4 * i, &games.to_le_bytes());
    }
    bytes
}

/// The header's contents, and the number of blocks.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "places within the header")]
fn read_header(bytes: &[u8]) -> Result<(ConvNetHeader, usize), NetError> {
    ensure!(bytes.starts_with(&MAGIC), NetError::Not("a file of a convolutional net"));
    ensure!(bytes.len() >= HEADER_BYTES, NetError::Length(bytes.len(), HEADER_BYTES));
    ensure!(u32_at(bytes, 8) == VERSION, NetError::Version(u32_at(bytes, 8), VERSION));
    NetError::check_game(&bytes[12..20], GAME)?;
    let blocks = usize::from(u16_at(bytes, BLOCKS_AT));
    ensure!((1..=MAX_BLOCKS).contains(&blocks), NetError::Unsupported("number of blocks"));
    let header = ConvNetHeader {
        training: u64_at(bytes, 48),
        samples: u64_at(bytes, 56),
        evaluations: u64_at(bytes, 64),
        generation: u32_at(bytes, 72),
        games: std::array::from_fn(|i| u32_at(bytes, 76 + 4 * i)),
    };
    // All other fields have one value that is known.
    let expected = header_bytes(&header, blocks);
    let differs = |from: usize, to: usize| expected[from..to] != bytes[from..to];
    let fields = [
        (20, 22, "set of inputs"),
        (22, 24, "number of planes"),
        (24, 26, "number of globals"),
        (28, 30, "number of channels"),
        (30, 32, "number of pooled channels"),
        (32, 34, "size of the policy head"),
        (34, 36, "size of the value head"),
        (36, 38, "distance of pooling blocks"),
    ];
    if let Some(&(_, _, what)) = fields.iter().find(|&&(from, to, _)| differs(from, to)) {
        return Err(NetError::Unsupported(what));
    }
    if differs(0, CHECKSUM_AT) {
        return Err(NetError::Unsupported("header: bytes beyond its fields are not zero"));
    }
    Ok((header, blocks))
}

/// Bytes of a file with `blocks` blocks, at most [`MAX_BLOCKS`].
#[allow(clippy::arithmetic_side_effects, reason = "a net of the most blocks is far from the end of the type")]
fn file_bytes(blocks: usize) -> usize {
    struct Lengths(usize);
    impl Source for Lengths {
        type Error = std::convert::Infallible;
        fn layer(&mut self, shape: Shape) -> Result<Layer, Self::Error> {
            self.0 += layer_bytes(shape);
            Ok(Layer { weights: Vec::new(), bias: Vec::new(), multiplier: Vec::new(), shift: Vec::new() })
        }
        fn activation(&mut self) -> Result<Activation, Self::Error> {
            self.0 += ACTIVATION_BYTES;
            Ok(Activation { gain: Vec::new(), offset: Vec::new() })
        }
    }
    let mut lengths = Lengths(HEADER_BYTES);
    let Ok(_) = ConvNetParameters::assembled(ConvNetHeader::default(), blocks, &mut lengths);
    lengths.0
}

const ACTIVATION_BYTES: usize = 4 * CHANNELS;

/// Weights, and seven bytes for each output.
#[allow(clippy::arithmetic_side_effects, reason = "layers of known shapes")]
fn layer_bytes(shape: Shape) -> usize {
    shape.outputs * (shape.inputs * shape.taps + 7)
}

fn write_layer(bytes: &mut Vec<u8>, layer: &Layer) {
    bytes.extend(layer.weights.iter().map(|&w| w as u8));
    layer.bias.iter().for_each(|b| bytes.extend_from_slice(&b.to_le_bytes()));
    layer.multiplier.iter().for_each(|m| bytes.extend_from_slice(&m.to_le_bytes()));
    bytes.extend_from_slice(&layer.shift);
}

fn write_activation(bytes: &mut Vec<u8>, activation: &Activation) {
    activation.gain.iter().chain(&activation.offset).for_each(|n| bytes.extend_from_slice(&n.to_le_bytes()));
}

/// Takes parts off the front of bytes, which are as long as all parts together.
struct Reader<'a>(&'a [u8]);

#[allow(clippy::arithmetic_side_effects, reason = "layers of known shapes")]
impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> &'a [u8] {
        let (head, rest) = self.0.split_at(bytes);
        self.0 = rest;
        head
    }

    fn shorts(&mut self, count: usize) -> Vec<i16> {
        self.take(2 * count).chunks_exact(2).map(|b| u16_at(b, 0) as i16).collect()
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "layers of known shapes")]
impl Source for Reader<'_> {
    type Error = NetError;

    fn layer(&mut self, shape: Shape) -> Result<Layer, NetError> {
        let weights: Vec<i8> =
            self.take(shape.outputs * shape.inputs * shape.taps).iter().map(|&b| b as i8).collect();
        let bias: Vec<i32> =
            self.take(4 * shape.outputs).chunks_exact(4).map(|b| u32_at(b, 0) as i32).collect();
        let multiplier = self.shorts(shape.outputs);
        let shift = self.take(shape.outputs).to_vec();
        let wrong = if weights.contains(&i8::MIN) {
            "weight"
        } else if bias.iter().any(|b| b.unsigned_abs() > MAX_BIAS) {
            "bias"
        } else if multiplier.iter().any(|&m| m < 0) {
            "multiplier"
        } else if shift.iter().any(|&s| s > MAX_SHIFT) {
            "shift"
        } else {
            return Ok(Layer { weights, bias, multiplier, shift });
        };
        Err(NetError::OutOfRange(wrong))
    }

    fn activation(&mut self) -> Result<Activation, NetError> {
        let (gain, offset) = (self.shorts(CHANNELS), self.shorts(CHANNELS));
        ensure!(gain.iter().all(|&g| g >= 0), NetError::OutOfRange("gain"));
        Ok(Activation { gain, offset })
    }
}
