//! A quantized net and its file. `nnue/FORMAT.md` describes the bytes.
// A net file is untrusted input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use super::features::{BoardFeatures, FeatureSet, KING_SQUARES, KingMap, View};
use super::simd::{CLAMP, Kernel, LANE_MULTIPLE, MAX_LANES, MAX_OUTPUT_WEIGHT};
use crate::ensure;
use crate::util::aligned::Aligned;
use crate::util::bytes::{checksum_of, u16_at, u32_at, u64_at};
use crate::util::net_error::NetError;
use std::fmt;

/// First bytes of a net file.
pub const MAGIC: [u8; 8] = *b"SANQINET";
/// The version written, and the newest one read.
pub const VERSION: u32 = 1;
pub const HEADER_BYTES: usize = 192;
const CHECKSUM_AT: usize = HEADER_BYTES - 4;
/// Scale of the accumulators: 1.0 is `QA`, the largest activation.
pub const QA: i32 = CLAMP as i32;
pub const OUTPUT_SCALES: std::ops::RangeInclusive<u16> = 64..=1024;
pub const MAX_BUCKETS: usize = 32;
/// Maximum number of input blocks: king buckets times states of pieces.
pub const MAX_BLOCKS: usize = 64;

/// The description and origin of a net: the header without its byte counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetInfo {
    pub hidden: usize,
    /// Output layers, chosen by the number of pieces.
    pub buckets: usize,
    /// King bucket by the own king's square after mirroring; [`king_buckets`](Self::king_buckets) counts
    /// them.
    pub king_map: KingMap,
    /// Whether it has the inputs of [`FeatureSet::Board`], as that of threats in chess.
    pub threats: bool,
    /// Centipawns for an output of 1.0.
    pub scale: u16,
    /// Scale of the output weights, one of [`OUTPUT_SCALES`]: the smaller the weights, the finer they can be.
    pub output_scale: u16,
    /// Which training it comes from: a hash of the run's settings and data.
    pub training: u64,
    pub positions: u64,
    /// Generation of its training games: 1 learned from games of the hand-made evaluation.
    pub generation: u32,
}

impl NetInfo {
    /// One king bucket, no history.
    pub fn new(hidden: usize, buckets: usize) -> Self {
        let king_map = [0; KING_SQUARES];
        let output_scale = *OUTPUT_SCALES.start();
        Self {
            hidden,
            buckets,
            king_map,
            threats: false,
            scale: 400,
            output_scale,
            training: 0,
            positions: 0,
            generation: 0,
        }
    }

    pub fn king_buckets(&self) -> usize {
        1 + self.king_map.iter().copied().max().map_or(0, usize::from)
    }

    /// Times that all inputs are there: once for each king bucket and state of a piece.
    pub fn blocks<F: FeatureSet>(&self) -> usize {
        self.king_buckets() * self.states::<F>()
    }

    /// States that pieces may have.
    pub const fn states<F: FeatureSet>(&self) -> usize {
        if self.threats { F::Board::STATES } else { 1 }
    }

    pub const fn inputs<F: FeatureSet>(&self) -> usize {
        if self.threats { F::Board::INPUTS } else { F::INPUTS }
    }

    pub fn rows<F: FeatureSet>(&self) -> usize {
        self.blocks::<F>() * self.inputs::<F>()
    }

    /// Largest size of an input weight or bias: all that a position can switch on, and the bias, stay within
    /// 16 bits.
    pub const fn largest_input<F: FeatureSet>(&self) -> i16 {
        i16::MAX / if self.threats { 1 + F::Board::MAX_ACTIVE as i16 } else { 33 }
    }

    /// First row of the block of king bucket and state 0 of a view; those of the other states follow.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "a king stands on a square, and every square has a bucket")]
    pub fn first_row<F: FeatureSet>(&self, view: View) -> usize {
        usize::from(self.king_map[usize::from(view.king)]) * self.states::<F>() * self.inputs::<F>()
    }
}

/// A valid net: every dimension, weight and checksum was checked.
#[derive(Clone)]
pub struct Net<F: FeatureSet> {
    features: std::marker::PhantomData<F>,
    info: NetInfo,
    /// `[king bucket][input][hidden]`, 1.0 is [`QA`].
    pub(super) inputs: Aligned<i16>,
    /// `[hidden]`, 1.0 is [`QA`].
    pub(super) bias: Aligned<i16>,
    /// `[bucket][own, other][hidden]`, 1.0 is [`NetInfo::output_scale`].
    pub(super) outputs: Aligned<i16>,
    /// `[bucket]`, 1.0 is `QA` times that.
    pub(super) output_bias: Vec<i32>,
    checksum: u32,
}

/// The numbers of a net, not yet checked. Layouts are those of [`Net`].
pub struct Parameters {
    pub inputs: Vec<i16>,
    pub bias: Vec<i16>,
    pub outputs: Vec<i16>,
    pub output_bias: Vec<i32>,
}

impl<F: FeatureSet> Net<F> {
    pub fn new(info: NetInfo, numbers: &Parameters) -> Result<Self, NetError> {
        check_dimensions::<F>(&info)?;
        let rows = info.rows::<F>();
        let lengths = [
            (numbers.inputs.len(), rows * info.hidden),
            (numbers.bias.len(), info.hidden),
            (numbers.outputs.len(), info.buckets * 2 * info.hidden),
            (numbers.output_bias.len(), info.buckets),
        ];
        if let Some(&(found, wanted)) = lengths.iter().find(|(found, wanted)| found != wanted) {
            return Err(NetError::Length(found, wanted));
        }
        let mut net = Self {
            features: std::marker::PhantomData,
            info,
            inputs: Aligned::copied(&numbers.inputs),
            bias: Aligned::copied(&numbers.bias),
            outputs: Aligned::copied(&numbers.outputs),
            output_bias: numbers.output_bias.clone(),
            checksum: 0,
        };
        net.check_weights()?;
        net.checksum = checksum_of(&net.to_bytes(), CHECKSUM_AT);
        Ok(net)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let (info, checksum) = read_header::<F>(bytes)?;
        let wanted = HEADER_BYTES + payload_bytes::<F>(&info);
        ensure!(bytes.len() == wanted, NetError::Length(bytes.len(), wanted));
        let found = checksum_of(bytes, CHECKSUM_AT);
        ensure!(found == checksum, NetError::checksum(found, checksum));
        let mut rest = bytes.get(HEADER_BYTES..).unwrap_or_default();
        let mut numbers = |n: usize| {
            let head;
            (head, rest) = rest.split_at(2 * n);
            head.as_chunks().0.iter().map(|&b| i16::from_le_bytes(b)).collect::<Vec<_>>()
        };
        let inputs = numbers(info.rows::<F>() * info.hidden);
        let bias = numbers(info.hidden);
        let outputs = numbers(info.buckets * 2 * info.hidden);
        let output_bias = rest.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b)).collect();
        Self::new(info, &Parameters { inputs, bias, outputs, output_bias })
    }

    #[allow(clippy::indexing_slicing, reason = "a header comes first")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = header::<F>(&self.info).to_vec();
        for numbers in [&self.inputs, &self.bias, &self.outputs] {
            numbers.iter().for_each(|n| bytes.extend_from_slice(&n.to_le_bytes()));
        }
        self.output_bias.iter().for_each(|n| bytes.extend_from_slice(&n.to_le_bytes()));
        let crc = checksum_of(&bytes, CHECKSUM_AT);
        bytes[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub fn parameters(&self) -> Parameters {
        Parameters {
            inputs: self.inputs.to_vec(),
            bias: self.bias.to_vec(),
            outputs: self.outputs.to_vec(),
            output_bias: self.output_bias.clone(),
        }
    }

    pub fn info(&self) -> &NetInfo {
        &self.info
    }

    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The output layer by the number of pieces on the board.
    #[inline(always)]
    pub fn bucket(&self, pieces: usize) -> usize {
        bucket(pieces, self.info.buckets)
    }

    /// Centipawns from what [`Kernel::dot`](super::simd::Kernel::dot) gave for `bucket`.
    #[inline(always)]
    #[allow(clippy::indexing_slicing, reason = "every bucket has a bias")]
    pub(super) fn centipawns(&self, dot: i64, bucket: usize) -> i32 {
        let output = dot / i64::from(QA) + i64::from(self.output_bias[bucket]);
        let one = i64::from(QA) * i64::from(self.info.output_scale);
        (output * i64::from(self.info.scale) / one) as i32
    }

    /// Evaluation from scratch, in centipawns: the rows of the side to move, those of the other side, and the
    /// number of pieces.
    /// # Panics
    /// When a row does not exist.
    #[allow(clippy::indexing_slicing, reason = "every bucket has its weights")]
    pub fn evaluate_rows(&self, own: &[u32], other: &[u32], pieces: usize) -> i32 {
        let kernel = Kernel::best();
        let [own, other] = [own, other].map(|rows| {
            let mut lanes = self.bias.clone();
            kernel.accumulate_in_place(&mut lanes, &self.inputs, rows, &[]);
            lanes
        });
        let (bucket, width) = (self.bucket(pieces), 2 * self.info.hidden);
        let dot = kernel.dot(&own, &other, &self.outputs[bucket * width..][..width]);
        self.centipawns(dot, bucket)
    }

    fn check_weights(&self) -> Result<(), NetError> {
        let largest = self.info.largest_input::<F>();
        let small = |numbers: &[i16], max: i16| numbers.iter().all(|n| (-max..=max).contains(n));
        ensure!(small(&self.inputs, largest), NetError::OutOfRange("input weight"));
        ensure!(small(&self.bias, largest), NetError::OutOfRange("input bias"));
        ensure!(small(&self.outputs, MAX_OUTPUT_WEIGHT), NetError::OutOfRange("output weight"));
        if self.output_bias.iter().any(|b| b.unsigned_abs() > 1 << 24) {
            return Err(NetError::OutOfRange("output bias"));
        }
        Ok(())
    }
}

/// The output layer, of `buckets`, by the number of pieces: equal steps from 2 to 32.
#[inline(always)]
pub fn bucket(pieces: usize, buckets: usize) -> usize {
    pieces.clamp(2, 32).saturating_sub(2) * buckets / 31
}

fn payload_bytes<F: FeatureSet>(info: &NetInfo) -> usize {
    let rows = info.rows::<F>() + 1 + 2 * info.buckets;
    2 * rows * info.hidden + 4 * info.buckets
}

fn check_dimensions<F: FeatureSet>(info: &NetInfo) -> Result<(), NetError> {
    if info.hidden == 0 || !info.hidden.is_multiple_of(LANE_MULTIPLE) || info.hidden > MAX_LANES {
        return Err(NetError::Unsupported("size of the hidden layer"));
    }
    if info.buckets == 0 || info.buckets > MAX_BUCKETS {
        return Err(NetError::Unsupported("number of output buckets"));
    }
    ensure!(info.blocks::<F>() <= MAX_BLOCKS, NetError::Unsupported("number of king buckets"));
    if info.king_map.iter().skip(F::SQUARES).any(|&b| b != 0) {
        return Err(NetError::Unsupported("king bucket outside the board"));
    }
    ensure!(info.scale != 0, NetError::Unsupported("scale"));
    ensure!(OUTPUT_SCALES.contains(&info.output_scale), NetError::Unsupported("scale of output weights"));
    Ok(())
}

#[allow(clippy::indexing_slicing, reason = "fields of the header")]
fn header<F: FeatureSet>(info: &NetInfo) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..12 + F::GAME.len()].copy_from_slice(F::GAME.as_bytes());
    let id = if info.threats { F::Board::ID } else { F::ID };
    let shorts = [id, info.hidden as u16, info.buckets as u16, QA as u16, info.output_scale, info.scale];
    for (i, short) in shorts.into_iter().enumerate() {
        bytes[20 + 2 * i..22 + 2 * i].copy_from_slice(&short.to_le_bytes());
    }
    bytes[32..40].copy_from_slice(&info.training.to_le_bytes());
    bytes[40..48].copy_from_slice(&info.positions.to_le_bytes());
    bytes[48..52].copy_from_slice(&info.generation.to_le_bytes());
    bytes[52..52 + KING_SQUARES].copy_from_slice(&info.king_map);
    bytes
}

/// The header's contents, and the checksum it claims.
#[allow(clippy::indexing_slicing, reason = "fields of the header")]
fn read_header<F: FeatureSet>(bytes: &[u8]) -> Result<(NetInfo, u32), NetError> {
    ensure!(bytes.starts_with(&MAGIC), NetError::Not("a net file"));
    let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
        return Err(NetError::Length(bytes.len(), HEADER_BYTES));
    };
    let (u16_at, u32_at, u64_at) =
        (|at| u16_at(header, at), |at| u32_at(header, at), |at| u64_at(header, at));
    ensure!(u32_at(8) == VERSION, NetError::Version(u32_at(8), VERSION));
    NetError::check_game(&header[12..20], F::GAME)?;
    let threats = u16_at(20) == F::Board::ID;
    if u16_at(20) != F::ID && !threats {
        return Err(NetError::Unsupported("set of inputs"));
    }
    if i32::from(u16_at(26)) != QA {
        return Err(NetError::Unsupported("scale of accumulators"));
    }
    let mut king_map = [0; KING_SQUARES];
    king_map.copy_from_slice(&header[52..52 + KING_SQUARES]);
    let info = NetInfo {
        hidden: u16_at(22).into(),
        buckets: u16_at(24).into(),
        king_map,
        threats,
        scale: u16_at(30),
        output_scale: u16_at(28),
        training: u64_at(32),
        positions: u64_at(40),
        generation: u32_at(48),
    };
    check_dimensions::<F>(&info)?;
    // The remaining bytes are reserved: a later version may give them a meaning.
    if self::header::<F>(&info)[..CHECKSUM_AT] != header[..CHECKSUM_AT] {
        return Err(NetError::Unsupported("header: bytes beyond its fields are not zero"));
    }
    Ok((info, u32_at(CHECKSUM_AT)))
}

impl<F: FeatureSet> fmt::Display for Net<F> {
    /// `key: value`, a line each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = &self.info;
        let kings = info.king_buckets();
        writeln!(f, "game: {}", F::GAME)?;
        write!(f, "architecture: ({}", F::NAME)?;
        if kings > 1 {
            write!(f, ", {kings} king buckets")?;
        }
        if info.threats {
            write!(f, ", {}", F::Board::NAME)?;
        }
        writeln!(f, " -> {})x2 -> 1x{}, SCReLU", info.hidden, info.buckets)?;
        writeln!(f, "scale: {}", info.scale)?;
        writeln!(f, "output scale: {}", info.output_scale)?;
        writeln!(f, "positions: {}", info.positions)?;
        writeln!(f, "generations: {}", info.generation)?;
        writeln!(f, "training: {:016x}", info.training)?;
        writeln!(f, "checksum: {:08x}", self.checksum)?;
        write!(f, "bytes: {}", HEADER_BYTES + payload_bytes::<F>(info))
    }
}

impl<F: FeatureSet> fmt::Debug for Net<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Net({} {:08x})", F::GAME, self.checksum)
    }
}

#[cfg(test)]
mod tests;
