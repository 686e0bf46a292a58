//! The inner loops of training in 32-bit floats, for every instruction set, chosen at run time.
//!
//! Everything works on chunks of [`CHUNK`] neighboring neurons, whose sums stay in registers. Kernels
//! differ in the last bits, because they add in different orders.
#![allow(unsafe_code)]

mod kernels;
mod lanes;

use crate::util::kernels::kernels;

/// Neurons handled at a time.
pub const CHUNK: usize = 128;

pub type Chunk = [f32; CHUNK];

kernels! { $
    Scalar = "plain" in plain if true;
    #[cfg(target_arch = "x86_64")]
    Avx2 = "avx2" in avx2 if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(target_arch = "x86_64")]
    Avx512 = "avx512" in avx512 if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
}

/// The constants of one AdamW step. <https://arxiv.org/abs/1711.05101>
#[derive(Clone, Copy, Debug)]
pub struct AdamWStep {
    pub rate: f32,
    /// Factor of gradients: one over the size of the batch.
    pub scale: f32,
    /// Factor of weights.
    pub decay: f32,
    /// Weights are clipped to this size.
    pub limit: f32,
}

impl Kernel {
    /// `to = start + rows[list]`.
    #[inline]
    pub fn sum_rows(self, to: &mut Chunk, start: &Chunk, rows: &[Chunk], list: &[u16]) {
        call!(self, sum_rows(to, start, rows, list));
    }

    /// `to += rows[list]`.
    #[inline]
    pub fn add_rows(self, to: &mut Chunk, rows: &[Chunk], list: &[u16]) {
        call!(self, add_rows(to, rows, list));
    }

    /// The sum of `clamp(neurons, 0, 1)^2 * weights`.
    #[inline]
    pub fn forward(self, neurons: &Chunk, weights: &Chunk) -> f32 {
        call!(self, forward(neurons, weights))
    }

    /// Takes the derivative `error` of the loss by the output back through the layer: `neurons` become
    /// derivatives by themselves, which are also added to `bias`; those by the weights are added to
    /// `weight_gradient`.
    #[inline]
    pub fn backward(
        self,
        neurons: &mut Chunk,
        weights: &Chunk,
        weight_gradient: &mut Chunk,
        bias: &mut Chunk,
        error: f32,
    ) {
        call!(self, backward(neurons, weights, weight_gradient, bias, error));
    }

    /// One AdamW step over equally long slices; `gradient` is zeroed.
    pub fn adam(
        self,
        weights: &mut [f32],
        gradient: &mut [f32],
        m: &mut [f32],
        v: &mut [f32],
        step: AdamWStep,
    ) {
        call!(self, adam(weights, gradient, m, v, step));
    }

    /// `to += from`, and `from` is zeroed.
    pub fn drain(self, to: &mut [f32], from: &mut [f32]) {
        call!(self, drain(to, from));
    }
}

/// The kernels once more, each in functions with the instruction set switched on.
macro_rules! with_features {
    ($module:ident, $lanes:ty $(, $features:literal)?) => {
        mod $module {
            use super::{Chunk, AdamWStep, kernels};

            $(#[target_feature(enable = $features)])?
            pub(super) fn sum_rows(to: &mut Chunk, start: &Chunk, rows: &[Chunk], list: &[u16]) {
                kernels::sum_rows::<$lanes>(to, start, rows, list);
            }
            $(#[target_feature(enable = $features)])?
            pub(super) fn add_rows(to: &mut Chunk, rows: &[Chunk], list: &[u16]) {
                kernels::add_rows::<$lanes>(to, rows, list);
            }
            $(#[target_feature(enable = $features)])?
            pub(super) fn forward(neurons: &Chunk, weights: &Chunk) -> f32 {
                kernels::forward::<$lanes>(neurons, weights)
            }
            $(#[target_feature(enable = $features)])?
            pub(super) fn backward(
                neurons: &mut Chunk,
                weights: &Chunk,
                weight_gradient: &mut Chunk,
                bias: &mut Chunk,
                error: f32,
            ) {
                kernels::backward::<$lanes>(neurons, weights, weight_gradient, bias, error);
            }
            $(#[target_feature(enable = $features)])?
            pub(super) fn adam(w: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32], step: AdamWStep) {
                kernels::adam::<$lanes>(w, g, m, v, step);
            }
            $(#[target_feature(enable = $features)])?
            pub(super) fn drain(to: &mut [f32], from: &mut [f32]) {
                kernels::drain::<$lanes>(to, from);
            }
        }
    };
}

with_features!(plain, super::lanes::Plain);
#[cfg(target_arch = "x86_64")]
with_features!(avx2, super::lanes::Avx2, "avx2,fma");
#[cfg(target_arch = "x86_64")]
with_features!(avx512, super::lanes::Avx512, "avx512f,avx512dq");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::Rng;

    fn chunk(rng: &mut Rng) -> Chunk {
        std::array::from_fn(|_| 3.0 * rng.unit_f32() - 1.0)
    }

    fn near(a: &[f32], b: &[f32]) {
        assert_eq!(a.len(), b.len());
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            assert!((a - b).abs() <= 1e-4 * (1.0 + a.abs()), "{i}: {a} {b}");
        }
    }

    #[test]
    fn every_kernel_agrees_with_the_formulas() {
        let mut rng = Rng::new(1);
        let rows: Vec<Chunk> = (0..20).map(|_| chunk(&mut rng)).collect();
        let (neurons, weights, start) = (chunk(&mut rng), chunk(&mut rng), chunk(&mut rng));
        let list = [3, 3, 19, 0, 7];
        let square = |x: f32| x.clamp(0.0, 1.0).powi(2);
        for kernel in Kernel::available() {
            let mut sum = [9.0; CHUNK];
            kernel.sum_rows(&mut sum, &start, &rows, &list);
            let by_hand = |i: usize| start[i] + list.iter().map(|&r| rows[usize::from(r)][i]).sum::<f32>();
            near(&sum, &std::array::from_fn::<f32, CHUNK, _>(by_hand));
            let mut sum = start;
            kernel.add_rows(&mut sum, &rows, &list);
            near(&sum, &std::array::from_fn::<f32, CHUNK, _>(by_hand));

            let output: f32 = neurons.iter().zip(&weights).map(|(&x, w)| square(x) * w).sum();
            near(&[kernel.forward(&neurons, &weights)], &[output]);

            let (mut back, mut gradient, mut bias) = (neurons, start, rows[0]);
            kernel.backward(&mut back, &weights, &mut gradient, &mut bias, 0.7);
            let derivative = |i: usize| {
                let x = neurons[i];
                if x > 0.0 && x < 1.0 { 0.7 * 2.0 * x * weights[i] } else { 0.0 }
            };
            near(&back, &std::array::from_fn::<f32, CHUNK, _>(derivative));
            near(&bias, &std::array::from_fn::<f32, CHUNK, _>(|i| rows[0][i] + derivative(i)));
            near(&gradient, &std::array::from_fn::<f32, CHUNK, _>(|i| start[i] + 0.7 * square(neurons[i])));
        }
    }

    #[test]
    fn every_kernel_steps_like_adam() {
        let mut rng = Rng::new(2);
        let step = AdamWStep { rate: 0.01, scale: 0.5, decay: 0.999, limit: 1.98 };
        // A length that no vector divides.
        let some = |rng: &mut Rng| (0..77).map(|_| 4.0 * rng.unit_f32() - 2.0).collect::<Vec<_>>();
        let (w, g, m, v) = (some(&mut rng), some(&mut rng), some(&mut rng), some(&mut rng));
        let v: Vec<f32> = v.iter().map(|x| x.abs()).collect();
        for kernel in Kernel::available() {
            let (mut w2, mut g2, mut m2, mut v2) = (w.clone(), g.clone(), m.clone(), v.clone());
            kernel.adam(&mut w2, &mut g2, &mut m2, &mut v2, step);
            for i in 0..w.len() {
                let gradient = 0.5 * g[i];
                let m = 0.9 * m[i] + 0.1 * gradient;
                let v = 0.999 * v[i] + 0.001 * gradient * gradient;
                let w = (w[i] * 0.999 - 0.01 * m / (v.sqrt() + 1e-8)).clamp(-1.98, 1.98);
                near(&[w2[i], g2[i], m2[i], v2[i]], &[w, 0.0, m, v]);
            }
            let (mut to, mut from) = (w.clone(), g.clone());
            kernel.drain(&mut to, &mut from);
            near(&to, &w.iter().zip(&g).map(|(a, b)| a + b).collect::<Vec<_>>());
            assert!(from.iter().all(|&x| x == 0.0));
        }
    }
}
