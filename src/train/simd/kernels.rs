//! The loops themselves, over any vector. Everything is inlined into a function that has the instruction set
//! switched on; closures and iterator adapters would not be, so there are none.

use super::lanes::Lanes;
use super::{AdamWStep, CHUNK, Chunk};

/// Vectors held in registers at a time.
const TILE: usize = 8;

#[inline(always)]
pub(super) fn sum_rows<L: Lanes>(to: &mut Chunk, start: &Chunk, rows: &[Chunk], list: &[u16]) {
    let mut at = 0;
    while at < CHUNK {
        let held = add_tile::<L>(load_tile(start, at), at, rows, list);
        store_tile(held, to, at);
        at += TILE * L::N;
    }
}

#[inline(always)]
pub(super) fn add_rows<L: Lanes>(to: &mut Chunk, rows: &[Chunk], list: &[u16]) {
    let mut at = 0;
    while at < CHUNK {
        let held = add_tile::<L>(load_tile(to, at), at, rows, list);
        store_tile(held, to, at);
        at += TILE * L::N;
    }
}

#[inline(always)]
fn load_tile<L: Lanes>(from: &Chunk, at: usize) -> [L; TILE] {
    let mut held = [L::splat(0.0); TILE];
    let mut i = 0;
    while i < TILE {
        held[i] = L::load(&from[at + i * L::N..]);
        i += 1;
    }
    held
}

#[inline(always)]
fn store_tile<L: Lanes>(held: [L; TILE], to: &mut Chunk, at: usize) {
    let mut i = 0;
    while i < TILE {
        held[i].store(&mut to[at + i * L::N..]);
        i += 1;
    }
}

#[inline(always)]
fn add_tile<L: Lanes>(mut held: [L; TILE], at: usize, rows: &[Chunk], list: &[u16]) -> [L; TILE] {
    let mut next = 0;
    while next < list.len() {
        let row = &rows[list[next] as usize];
        let mut i = 0;
        while i < TILE {
            held[i] = held[i].add(L::load(&row[at + i * L::N..]));
            i += 1;
        }
        next += 1;
    }
    held
}

#[inline(always)]
fn clamp<L: Lanes>(x: L) -> L {
    x.max(L::splat(0.0)).min(L::splat(1.0))
}

#[inline(always)]
pub(super) fn forward<L: Lanes>(neurons: &Chunk, weights: &Chunk) -> f32 {
    let (mut even, mut odd) = (L::splat(0.0), L::splat(0.0));
    let mut at = 0;
    while at < CHUNK {
        let (v, w) = (clamp(L::load(&neurons[at..])), clamp(L::load(&neurons[at + L::N..])));
        even = v.mul(v).mul_add(L::load(&weights[at..]), even);
        odd = w.mul(w).mul_add(L::load(&weights[at + L::N..]), odd);
        at += 2 * L::N;
    }
    even.add(odd).total()
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
    let mut at = 0;
    while at < CHUNK {
        let x = L::load(&neurons[at..]);
        let v = clamp(x);
        let by_weight = v.mul(v).mul_add(once, L::load(&weight_gradient[at..]));
        by_weight.store(&mut weight_gradient[at..]);
        let by_neuron = x.inside_unit(v.mul(twice).mul(L::load(&weights[at..])));
        by_neuron.store(&mut neurons[at..]);
        by_neuron.add(L::load(&bias[at..])).store(&mut bias[at..]);
        at += L::N;
    }
}

#[inline(always)]
pub(super) fn adam<L: Lanes>(w: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32], step: AdamWStep) {
    let n = w.len();
    assert!(g.len() == n && m.len() == n && v.len() == n);
    let mut at = 0;
    while at + L::N <= n {
        adam_vector::<L>(&mut w[at..], &mut g[at..], &mut m[at..], &mut v[at..], step);
        at += L::N;
    }
    if at < n {
        // The rest, padded to a vector.
        let (mut w2, mut g2, mut m2, mut v2) = ([0.0; 16], [0.0; 16], [0.0; 16], [0.0; 16]);
        let rest = n - at;
        w2[..rest].copy_from_slice(&w[at..]);
        g2[..rest].copy_from_slice(&g[at..]);
        m2[..rest].copy_from_slice(&m[at..]);
        v2[..rest].copy_from_slice(&v[at..]);
        adam_vector::<L>(&mut w2, &mut g2, &mut m2, &mut v2, step);
        w[at..].copy_from_slice(&w2[..rest]);
        g[at..].copy_from_slice(&g2[..rest]);
        m[at..].copy_from_slice(&m2[..rest]);
        v[at..].copy_from_slice(&v2[..rest]);
    }
}

#[inline(always)]
fn adam_vector<L: Lanes>(w: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32], step: AdamWStep) {
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
    let mut at = 0;
    while at + L::N <= n {
        L::load(&to[at..]).add(L::load(&from[at..])).store(&mut to[at..]);
        L::splat(0.0).store(&mut from[at..]);
        at += L::N;
    }
    while at < n {
        to[at] += from[at];
        from[at] = 0.0;
        at += 1;
    }
}
