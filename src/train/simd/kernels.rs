//! The loops themselves, over any vector.

use super::lanes::Lanes;
use super::{CHUNK, Chunk, Step};

/// Vectors held in registers at a time.
const TILE: usize = 8;

#[inline(always)]
pub(super) fn sum_rows<L: Lanes>(to: &mut Chunk, start: &Chunk, rows: &[Chunk], list: &[u16]) {
    for at in (0..CHUNK).step_by(TILE * L::N) {
        let mut held: [L; TILE] = std::array::from_fn(|i| L::load(&start[at + i * L::N..]));
        add_tile(&mut held, at, rows, list);
        held.iter().enumerate().for_each(|(i, vector)| vector.store(&mut to[at + i * L::N..]));
    }
}

#[inline(always)]
pub(super) fn add_rows<L: Lanes>(to: &mut Chunk, rows: &[Chunk], list: &[u16]) {
    for at in (0..CHUNK).step_by(TILE * L::N) {
        let mut held: [L; TILE] = std::array::from_fn(|i| L::load(&to[at + i * L::N..]));
        add_tile(&mut held, at, rows, list);
        held.iter().enumerate().for_each(|(i, vector)| vector.store(&mut to[at + i * L::N..]));
    }
}

#[inline(always)]
fn add_tile<L: Lanes>(held: &mut [L; TILE], at: usize, rows: &[Chunk], list: &[u16]) {
    for &row in list {
        let row = &rows[usize::from(row)];
        for (i, vector) in held.iter_mut().enumerate() {
            *vector = vector.add(L::load(&row[at + i * L::N..]));
        }
    }
}

#[inline(always)]
fn clamp<L: Lanes>(x: L) -> L {
    x.max(L::splat(0.0)).min(L::splat(1.0))
}

#[inline(always)]
pub(super) fn forward<L: Lanes>(neurons: &Chunk, weights: &Chunk) -> f32 {
    let mut sums = [L::splat(0.0); 2];
    for at in (0..CHUNK).step_by(2 * L::N) {
        for (i, sum) in sums.iter_mut().enumerate() {
            let at = at + i * L::N;
            let v = clamp(L::load(&neurons[at..]));
            *sum = v.mul(v).mul_add(L::load(&weights[at..]), *sum);
        }
    }
    sums[0].add(sums[1]).total()
}

#[inline(always)]
pub(super) fn backward<L: Lanes>(
    neurons: &mut Chunk,
    weights: &Chunk,
    weight_gradient: &mut Chunk,
    bias: &mut Chunk,
    error: f32,
) {
    let (once, twice) = (L::splat(error), L::splat(2.0 * error));
    for at in (0..CHUNK).step_by(L::N) {
        let x = L::load(&neurons[at..]);
        let v = clamp(x);
        let by_weight = v.mul(v).mul_add(once, L::load(&weight_gradient[at..]));
        by_weight.store(&mut weight_gradient[at..]);
        let by_neuron = x.inside_unit(v.mul(twice).mul(L::load(&weights[at..])));
        by_neuron.store(&mut neurons[at..]);
        by_neuron.add(L::load(&bias[at..])).store(&mut bias[at..]);
    }
}

#[inline(always)]
pub(super) fn adam<L: Lanes>(w: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32], step: Step) {
    let n = w.len();
    assert!(g.len() == n && m.len() == n && v.len() == n);
    let whole = n - n % L::N;
    for at in (0..whole).step_by(L::N) {
        adam_vector::<L>(&mut w[at..], &mut g[at..], &mut m[at..], &mut v[at..], step);
    }
    if whole < n {
        // The rest, padded to a vector.
        let pad = |from: &[f32]| {
            let mut padded = [0.0; 16];
            padded[..from.len()].copy_from_slice(from);
            padded
        };
        let (mut w2, mut g2) = (pad(&w[whole..]), pad(&g[whole..]));
        let (mut m2, mut v2) = (pad(&m[whole..]), pad(&v[whole..]));
        adam_vector::<L>(&mut w2, &mut g2, &mut m2, &mut v2, step);
        for (to, from) in [(w, w2), (g, g2), (m, m2), (v, v2)] {
            to[whole..].copy_from_slice(&from[..n - whole]);
        }
    }
}

#[inline(always)]
fn adam_vector<L: Lanes>(w: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32], step: Step) {
    let gradient = L::load(g).mul(L::splat(step.scale));
    L::splat(0.0).store(g);
    let first = L::load(m).mul_add(L::splat(0.9), gradient.mul(L::splat(0.1)));
    let second = L::load(v).mul_add(L::splat(0.999), gradient.mul(gradient).mul(L::splat(0.001)));
    first.store(m);
    second.store(v);
    let change = first.mul(L::splat(step.rate)).div(second.sqrt().add(L::splat(1e-8)));
    let moved = L::load(w).mul(L::splat(step.decay)).sub(change);
    moved.max(L::splat(-step.limit)).min(L::splat(step.limit)).store(w);
}

#[inline(always)]
pub(super) fn drain<L: Lanes>(to: &mut [f32], from: &mut [f32]) {
    let n = to.len();
    let from = &mut from[..n];
    let whole = n - n % L::N;
    for at in (0..whole).step_by(L::N) {
        L::load(&to[at..]).add(L::load(&from[at..])).store(&mut to[at..]);
        L::splat(0.0).store(&mut from[at..]);
    }
    for i in whole..n {
        to[i] += std::mem::take(&mut from[i]);
    }
}
