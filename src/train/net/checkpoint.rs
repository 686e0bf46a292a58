//! An unfinished training on disk: weights, moments, progress. It is written after every epoch, so that a
//! killed run goes on after the last whole epoch. It is also the net in floats that `quantize` rounds.
//!
//! Layout, little-endian: `SANQICKP`, version (4), then a net file's header fields, then the rest as listed
//! in [`Checkpoint::to_bytes`], and a CRC-32 of everything before it.
// A checkpoint is untrusted input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

use super::curve::Row;
use super::model::{Model, Shape};
use crate::ensure;
use crate::errors;
use crate::nnue::FeatureSet;
use crate::nnue::net::{MAX_BLOCKS, MAX_BUCKETS, NetInfo, OUTPUT_SCALES};
use crate::nnue::simd::MAX_LANES;
use crate::train::simd::CHUNK;
use crate::util::aligned::Aligned;
use crate::util::files;
use crate::util::message::Message;
use std::io;
use std::path::Path;

const MAGIC: [u8; 8] = *b"SANQICKP";
/// Version 1 has no states of pieces.
const VERSION: u32 = 2;

/// Everything a run needs to go on.
#[derive(Clone)]
pub struct Checkpoint {
    pub info: NetInfo,
    /// Settings and data of the run: another run must not go on with it.
    pub run: u64,
    pub step: u64,
    pub curve: Vec<Row>,
    pub model: Model,
    pub m: Aligned<f32>,
    pub v: Aligned<f32>,
}

errors! {
    /// The reason why a file is not a checkpoint.
    pub enum CheckpointError from io::Error => Io {
        Io(why: Message) = "{why}" | "{why}",
        /// Something else, or damaged.
        Damaged = "not a whole training checkpoint" | "不是完整的训练存档",
        Version(version: u32) =
            "checkpoint version {version} is not known here (newest: {VERSION})"
                | "不认识训练存档的第 {version} 版（最新：{VERSION}）",
        WrongGame(found: String, wanted: &'static str) =
            "a checkpoint of {found}, not of {wanted}" | "这是 {found} 的训练存档，不是 {wanted} 的",
    }
}

impl Checkpoint {
    pub fn to_bytes<F: FeatureSet>(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.model.weights.len().saturating_mul(12).saturating_add(4096));
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        let mut name = [0; 8];
        name.iter_mut().zip(F::GAME.bytes()).for_each(|(to, letter)| *to = letter);
        out.extend_from_slice(&name);
        out.extend_from_slice(&(self.info.hidden as u32).to_le_bytes());
        out.extend_from_slice(&(self.info.buckets as u32).to_le_bytes());
        out.extend_from_slice(&self.info.king_map);
        out.extend_from_slice(&u32::from(self.info.threats).to_le_bytes());
        out.extend_from_slice(&u32::from(self.info.scale).to_le_bytes());
        out.extend_from_slice(&self.info.training.to_le_bytes());
        out.extend_from_slice(&self.info.positions.to_le_bytes());
        out.extend_from_slice(&self.info.generation.to_le_bytes());
        out.extend_from_slice(&self.run.to_le_bytes());
        out.extend_from_slice(&self.step.to_le_bytes());
        out.extend_from_slice(&(self.curve.len() as u32).to_le_bytes());
        for row in &self.curve {
            out.extend_from_slice(&row.epoch.to_le_bytes());
            [row.rate, row.training, row.validation]
                .iter()
                .for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        }
        for floats in [&self.model.weights, &self.m, &self.v] {
            floats.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        }
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    pub fn from_bytes<F: FeatureSet>(bytes: &[u8]) -> Result<Self, CheckpointError> {
        use CheckpointError::Damaged;
        let (body, crc) = bytes.split_last_chunk::<4>().ok_or(Damaged)?;
        let mut input = Input(body.strip_prefix(&MAGIC).ok_or(Damaged)?);
        ensure!(crc32fast::hash(body) == u32::from_le_bytes(*crc), Damaged);
        let version = u32::from_le_bytes(input.take().ok_or(Damaged)?);
        ensure!((1..=VERSION).contains(&version), CheckpointError::Version(version));
        let name: [u8; 8] = input.take().ok_or(Damaged)?;
        let found = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
        ensure!(found == F::GAME, CheckpointError::WrongGame(found, F::GAME));
        input.rest::<F>(version).ok_or(Damaged)
    }

    pub fn read<F: FeatureSet>(path: &Path) -> Result<Self, CheckpointError> {
        Self::from_bytes::<F>(&files::read_named(path)?)
    }

    /// Writes the file at `path` in one step: it is never half there.
    pub fn write<F: FeatureSet>(&self, path: &Path) -> io::Result<()> {
        files::write_at_once(path, &self.to_bytes::<F>())
    }
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }

    fn floats(&mut self, n: usize) -> Option<Aligned<f32>> {
        let (head, rest) = self.0.split_at_checked(n.checked_mul(4)?)?;
        self.0 = rest;
        let mut floats = Aligned::zeroed(n);
        for (to, &from) in floats.iter_mut().zip(head.as_chunks().0) {
            *to = f32::from_le_bytes(from);
        }
        Some(floats)
    }

    /// Everything after the game's name.
    fn rest<F: FeatureSet>(&mut self, version: u32) -> Option<Checkpoint> {
        let (hidden, buckets) = (self.u32()? as usize, self.u32()? as usize);
        let king_map = self.take()?;
        let info = NetInfo {
            hidden,
            buckets,
            king_map,
            threats: version > 1 && self.u32()? != 0,
            scale: self.u32()?.try_into().ok()?,
            output_scale: *OUTPUT_SCALES.start(),
            training: self.u64()?,
            positions: self.u64()?,
            generation: self.u32()?,
        };
        let fits = hidden.is_multiple_of(CHUNK)
            && (1..=MAX_LANES).contains(&hidden)
            && (1..=MAX_BUCKETS).contains(&buckets);
        if !fits || info.blocks::<F>() > MAX_BLOCKS {
            return None;
        }
        let (run, step) = (self.u64()?, self.u64()?);
        let mut curve = Vec::new();
        for _ in 0..self.u32()? {
            let epoch = self.u32()?;
            curve.push(Row { epoch, rate: self.f64()?, training: self.f64()?, validation: self.f64()? });
        }
        let shape = Shape::of::<F>(&info);
        let model = Model::of(shape, self.floats(shape.len())?);
        let (m, v) = (self.floats(shape.len())?, self.floats(shape.len())?);
        self.0.is_empty().then_some(Checkpoint { info, run, step, curve, model, m, v })
    }
}
