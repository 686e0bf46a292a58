//! A net's output, against a direct computation of `nnue/GO-FORMAT.md`, and against the training's twin of
//! the net.

use super::file::{CHECKSUM_AT, HEADER_BYTES};
use super::parameters::{Activation, ConvNetParameters, Layer, MAX_BLOCKS, POLICY, POOLED, pools};
use super::*;
use crate::util::bytes::checksum_of;
use crate::util::rng::Rng;
use std::sync::Arc;

/// Numbers of points, `[channel][point]`.
type Maps = Vec<Vec<i64>>;

/// The net, computed as the format defines it, with no regard for speed.
struct Direct<'a> {
    net: &'a ConvNetParameters,
    width: usize,
    height: usize,
    /// Activations seen, those that are 0, and those that are 255.
    seen: [usize; 3],
}

fn clamp8(v: i64) -> i64 {
    v.clamp(0, 255)
}

fn sat16(v: i64) -> i64 {
    v.clamp(-32768, 32767)
}

fn requantize(layer: &Layer, output: usize, sum: i64) -> i64 {
    let q = sat16((sum + i64::from(layer.bias[output])) >> layer.shift[output]);
    (q * i64::from(layer.multiplier[output]) + 16384) >> 15
}

fn dense(layer: &Layer, inputs: &[i64]) -> Vec<i64> {
    let rows = layer.weights.chunks_exact(inputs.len()).enumerate();
    rows.map(|(o, row)| requantize(layer, o, row.iter().zip(inputs).map(|(&w, &a)| i64::from(w) * a).sum()))
        .collect()
}

impl Direct<'_> {
    fn points(&self) -> usize {
        self.width * self.height
    }

    fn conv3x3(&self, layer: &Layer, from: &Maps) -> Maps {
        let (w, h) = (self.width, self.height);
        // A border of zeros makes all points alike. Sums fit in 32 bits: 64 · 9 · 255 · 127 < 2^25.
        let bordered = |map: &Vec<i64>| {
            let mut rows = vec![vec![0i32; w + 2]; h + 2];
            for (p, &a) in map.iter().enumerate() {
                rows[p / w + 1][p % w + 1] = a as i32;
            }
            rows
        };
        let from: Vec<_> = from.iter().map(bordered).collect();
        let output = |o: usize| {
            let mut sums = vec![vec![0i32; w]; h];
            for (i, map) in from.iter().enumerate() {
                for tap in 0..9 {
                    let weight = i32::from(layer.weights[(o * from.len() + i) * 9 + tap]);
                    for (sums, row) in sums.iter_mut().zip(&map[tap / 3..]) {
                        sums.iter_mut().zip(&row[tap % 3..]).for_each(|(sum, a)| *sum += weight * a);
                    }
                }
            }
            sums.into_iter().flatten().map(|sum| requantize(layer, o, 36 * i64::from(sum))).collect()
        };
        (0..layer.bias.len()).map(output).collect()
    }

    fn conv1x1(&self, layer: &Layer, from: &Maps) -> Maps {
        let mut maps = vec![vec![0; self.points()]; layer.bias.len()];
        for p in 0..self.points() {
            let inputs: Vec<i64> = from.iter().map(|map| map[p]).collect();
            dense(layer, &inputs).into_iter().enumerate().for_each(|(o, z)| maps[o][p] = z);
        }
        maps
    }

    fn pool(&self, from: &Maps) -> Vec<i64> {
        let n = self.points() as i64;
        let size = (self.width + self.height) as i64 - 28;
        let means: Vec<i64> =
            from.iter().map(|map| (16 * map.iter().sum::<i64>() + n / 2).div_euclid(n)).collect();
        let scaled = means.iter().map(|mean| (mean * size).div_euclid(20));
        let largest = from.iter().map(|map| 16 * map.iter().max().unwrap());
        means.iter().copied().chain(scaled).chain(largest).collect()
    }

    fn activate(&mut self, activation: &Activation, x: &Maps) -> Maps {
        let number = |c: usize, x: i64| {
            clamp8(((x * i64::from(activation.gain[c]) + 16384) >> 15) + i64::from(activation.offset[c]))
        };
        let maps = x.iter().enumerate();
        let maps: Maps = maps.map(|(c, map)| map.iter().map(|&x| number(c, x)).collect()).collect();
        self.count(&maps);
        maps
    }

    fn clamp(&mut self, from: &Maps) -> Maps {
        let maps: Maps = from.iter().map(|map| map.iter().map(|&z| clamp8(z)).collect()).collect();
        self.count(&maps);
        maps
    }

    fn count(&mut self, maps: &Maps) {
        for &a in maps.iter().flatten() {
            self.seen[0] += 1;
            self.seen[1] += usize::from(a == 0);
            self.seen[2] += usize::from(a == 255);
        }
    }

    fn evaluate(&mut self, planes: &[u8], globals: &[i16; GLOBALS]) -> ConvNetOutput {
        let net = self.net;
        let plane = |i: usize| planes.iter().skip(i).step_by(PLANES).map(|&b| b.into()).collect();
        let planes: Maps = (0..PLANES).map(plane).collect();
        let of_globals = dense(&net.globals, &globals.map(i64::from));
        let mut x = self.conv3x3(&net.input, &planes);
        add(&mut x, |c, _| of_globals[c]);
        for (i, block) in net.blocks.iter().enumerate() {
            let a = self.activate(&block.activation, &x);
            let mut z = self.conv3x3(&block.first, &a);
            assert_eq!(block.pool.is_some(), pools(i));
            if let Some(pool) = &block.pool {
                let first = self.clamp(&z[..POOLED].to_vec());
                let bias = dense(pool, &self.pool(&first));
                add(&mut z, |c, _| if c < POOLED { 0 } else { bias[c - POOLED] });
            }
            let z = self.clamp(&z);
            let second = self.conv3x3(&block.second, &z);
            add(&mut x, |c, p| second[c][p]);
        }
        let a = self.activate(&net.last, &x);
        let g = self.pool(&a);
        let mut h = self.conv1x1(&net.policy, &a);
        let bias = dense(&net.policy_pool, &g);
        add(&mut h, |c, _| bias[c]);
        let h = self.clamp(&h);
        assert_eq!(h.len(), POLICY);
        let v: Vec<i64> = dense(&net.value_pool, &g).into_iter().map(clamp8).collect();
        let results: Vec<i16> = dense(&net.value, &v).into_iter().map(|z| z as i16).collect();
        let map = |maps: Maps| maps[0].iter().map(|&z| z as i16).collect();
        ConvNetOutput {
            moves: map(self.conv1x1(&net.moves, &h)),
            pass: dense(&net.pass, &g)[0] as i16,
            win: results[0],
            draw: results[1],
            loss: results[2],
            score: results[3],
            spread: results[4],
            owner: map(self.conv1x1(&net.owner, &a)),
        }
    }
}

/// Adds the other value of a channel and a point, and saturates.
fn add(maps: &mut Maps, other: impl Fn(usize, usize) -> i64) {
    for (c, map) in maps.iter_mut().enumerate() {
        for (p, x) in map.iter_mut().enumerate() {
            *x = sat16(*x + other(c, p));
        }
    }
}

/// Planes and globals as `nnue/train/golden.py` draws them.
fn inputs(rng: &mut Rng, points: usize) -> (Vec<u8>, [i16; GLOBALS]) {
    let bits: Vec<u64> = (0..points).map(|_| rng.next_u64()).map(|bits| bits & bits >> 32).collect();
    let planes = bits.iter().flat_map(|bits| (0..PLANES).map(move |i| (bits >> i & 1) as u8)).collect();
    (planes, std::array::from_fn(|_| (rng.next_u64() >> 53) as i16 - 1024))
}

/// `nnue/train/golden.py` made the file with the training's twin of the net.
#[test]
fn every_kernel_agrees_with_the_training() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../../tests/data/go_net.json")).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<i64> {
        value.as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect()
    };
    let mut rng = Rng::new(golden["seed"].as_u64().unwrap());
    let net = ConvNetParameters::drawn(&mut rng, golden["blocks"].as_u64().unwrap() as usize);
    assert_eq!(u64::from(crc32fast::hash(&net.to_bytes())), golden["crc"].as_u64().unwrap());
    let net = Arc::new(ConvNet::from(net));
    let boards = golden["boards"].as_array().unwrap();
    assert!(boards.len() >= 6);
    for board in boards {
        let [height, width] = ["rows", "columns"].map(|name| board[name].as_u64().unwrap() as usize);
        let (planes, globals) = inputs(&mut rng, width * height);
        for kernel in Kernel::available() {
            let mut evaluator = ConvNetEvaluator::with_kernel(net.clone(), kernel);
            let out = evaluator.evaluate(width, height, &planes, &globals);
            let name = format!("{} {width}x{height}", kernel.name());
            let wide = |row: &[i16]| row.iter().map(|&n| i64::from(n)).collect::<Vec<_>>();
            assert_eq!(wide(&out.moves), numbers(&board["move"]), "{name}");
            assert_eq!(wide(&out.owner), numbers(&board["owner"]), "{name}");
            let results = [
                ("pass", out.pass),
                ("win", out.win),
                ("draw", out.draw),
                ("loss", out.loss),
                ("score", out.score),
                ("spread", out.spread),
            ];
            for (what, found) in results {
                assert_eq!(wide(&[found]), numbers(&board[what]), "{name} {what}");
            }
        }
    }
}

/// All sizes from 5 to 25, and some that are no squares. One evaluator sees them all, so that nothing of one
/// board is left on the next.
#[test]
fn every_kernel_computes_by_the_format() {
    let squares = SIDES.map(|side| (side, side));
    let sizes: Vec<_> = squares.chain([(5, 25), (25, 5), (7, 6), (9, 13), (19, 8)]).collect();
    let mut rng = Rng::new(7);
    let net = Arc::new(ConvNet::from(ConvNetParameters::drawn(&mut rng, 3)));
    let mut evaluators: Vec<_> = Kernel::available()
        .into_iter()
        .map(|kernel| ConvNetEvaluator::with_kernel(net.clone(), kernel))
        .collect();
    // Large boards before small ones and after them.
    for (width, height) in sizes.iter().rev().chain(&sizes[..3]).copied() {
        let (planes, globals) = inputs(&mut rng, width * height);
        let expected = Direct { net: &net, width, height, seen: [0; 3] }.evaluate(&planes, &globals);
        for evaluator in &mut evaluators {
            let name = evaluator.kernel().name();
            assert_eq!(
                evaluator.evaluate(width, height, &planes, &globals),
                &expected,
                "{name} {width}x{height}"
            );
        }
    }
}

/// Weights, biases, multipliers and activations at their ends: sums come near to 2^31, and saturate.
#[test]
fn every_kernel_is_exact_at_the_ends_of_the_ranges() {
    let mut rng = Rng::new(8);
    for case in 0..12 {
        let mut net = ConvNetParameters::drawn(&mut rng, 3);
        let mut extreme = |layer: &mut Layer, share: usize| {
            for weight in &mut layer.weights {
                if rng.below(8) < share {
                    *weight = if case % 2 == 0 { 127 } else { rng.pick(&[-127, 127]) };
                }
            }
            for bias in &mut layer.bias {
                if rng.below(4) == 0 {
                    *bias = rng.pick(&[-(1 << 30), 1 << 30, 0]);
                }
            }
            for multiplier in &mut layer.multiplier {
                if rng.below(4) == 0 {
                    *multiplier = rng.pick(&[0, 1, i16::MAX]);
                }
            }
            for shift in &mut layer.shift {
                if rng.below(4) == 0 {
                    *shift = rng.pick(&[0, 1, 15, 16, 24]);
                }
            }
        };
        let share = 2 + case / 2;
        extreme(&mut net.input, share);
        extreme(&mut net.globals, share);
        for block in &mut net.blocks {
            extreme(&mut block.first, share);
            block.pool.iter_mut().for_each(|pool| extreme(pool, share));
            extreme(&mut block.second, share);
        }
        for layer in [&mut net.policy, &mut net.policy_pool, &mut net.value_pool, &mut net.value] {
            extreme(layer, share);
        }
        for layer in [&mut net.moves, &mut net.pass, &mut net.owner] {
            extreme(layer, share);
        }
        for block in &mut net.blocks {
            for c in 0..CHANNELS {
                block.activation.gain[c] = rng.pick(&[0, 1024, i16::MAX]);
                block.activation.offset[c] = rng.pick(&[i16::MIN, -1, 0, 255, i16::MAX]);
            }
        }
        let net = Arc::new(ConvNet::from_bytes(&net.to_bytes()).unwrap());
        let (planes, _) = inputs(&mut rng, 7 * 8);
        let globals = std::array::from_fn(|_| rng.pick(&[-4096, 4096, 0, 256]));
        let expected = Direct { net: &net, width: 7, height: 8, seen: [0; 3] }.evaluate(&planes, &globals);
        for kernel in Kernel::available() {
            let mut evaluator = ConvNetEvaluator::with_kernel(net.clone(), kernel);
            assert_eq!(
                evaluator.evaluate(7, 8, &planes, &globals),
                &expected,
                "{} case {case}",
                kernel.name()
            );
        }
    }
}

#[test]
fn random_nets_have_activations_in_range() {
    for blocks in [1, 4, 6, 10] {
        let mut rng = Rng::new(blocks as u64);
        let net = ConvNetParameters::drawn(&mut rng, blocks);
        let (planes, globals) = inputs(&mut rng, 9 * 9);
        let mut direct = Direct { net: &net, width: 9, height: 9, seen: [0; 3] };
        let out = direct.evaluate(&planes, &globals);
        let [seen, zero, full] = direct.seen;
        assert!(zero < seen * 3 / 4 && full < seen / 4, "{blocks} blocks: {zero} and {full} of {seen}");
        let different: std::collections::BTreeSet<_> = out.moves.iter().collect();
        assert!(different.len() > 40, "{blocks} blocks: {:?}", out.moves);
    }
}

#[test]
#[should_panic(expected = "a board of 26x9")]
fn a_board_that_does_not_fit_is_refused() {
    let planes = vec![0; 26 * 9 * PLANES];
    ConvNetEvaluator::new(Arc::new(ConvNet::random(1, 1))).evaluate(26, 9, &planes, &[0; GLOBALS]);
}

#[test]
fn a_net_comes_back_as_written() {
    let header = ConvNetHeader {
        training: 0x0123_4567_89AB_CDEF,
        samples: 1 << 40,
        evaluations: 1 << 41,
        generation: 3,
        games: [1, 2, 3, u32::MAX],
    };
    let mut net = ConvNetParameters::random(1, 7);
    net.header = header.clone();
    let bytes = net.to_bytes();
    let again = ConvNet::from_bytes(&bytes).unwrap();
    assert_eq!((again.header(), again.blocks()), (&header, 7));
    assert_eq!(again.to_bytes(), bytes);
    let text = again.to_string();
    assert!(text.contains("architecture: 7 blocks of 64 channels\n"), "{text}");
    assert!(text.contains("games: 1 up to 11 lines, 2 up to 15, 3 up to 19, 4294967295 larger\n"), "{text}");
    assert!(text.ends_with(&format!("bytes: {}", bytes.len())), "{text}");
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = ConvNet::random(2, 1).to_bytes();
    for bit in (0..8 * HEADER_BYTES).chain((8 * HEADER_BYTES..8 * bytes.len()).step_by(997)) {
        let mut broken = bytes.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        assert!(ConvNet::from_bytes(&broken).is_err(), "bit {bit}");
    }
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let bytes = ConvNet::random(3, 1).to_bytes();
    let message = |bytes: &[u8]| ConvNet::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "not a file of a convolutional net");
    assert_eq!(message(b"SANQINET and more"), "not a file of a convolutional net");
    assert_eq!(message(&bytes[..100]), "100 bytes, but the header asks for 128");
    let (n, short, long) = (bytes.len(), &bytes[..bytes.len() - 1], [&bytes[..], &[0]].concat());
    assert_eq!(message(short), format!("{} bytes, but the header asks for {n}", n - 1));
    assert_eq!(message(&long), format!("{} bytes, but the header asks for {n}", n + 1));
    let changed = |at: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = byte;
        message(&bytes)
    };
    assert_eq!(changed(8, 2), "net file version 2 is not known here (newest: 1)");
    assert_eq!(changed(12, b'n'), "a net for no, not for go");
    assert_eq!(changed(15, b'n'), "a net for go, not for go");
    assert!(changed(5000, bytes[5000] ^ 16).starts_with("checksum is "));
}

#[test]
fn sealed_nonsense_is_refused() {
    let bytes = ConvNet::random(4, 1).to_bytes();
    let sealed = |at: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        let checksum = checksum_of(&bytes, CHECKSUM_AT).to_le_bytes();
        bytes[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&checksum);
        ConvNet::from_bytes(&bytes).unwrap_err().to_string()
    };
    let fields = [
        (20, "set of inputs"),
        (22, "number of planes"),
        (24, "number of globals"),
        (26, "number of blocks"),
        (28, "number of channels"),
        (30, "number of pooled channels"),
        (32, "size of the policy head"),
        (34, "size of the value head"),
        (36, "distance of pooling blocks"),
        (38, "header: bytes beyond its fields are not zero"),
        (47, "header: bytes beyond its fields are not zero"),
        (92, "header: bytes beyond its fields are not zero"),
        (123, "header: bytes beyond its fields are not zero"),
    ];
    for (at, what) in fields {
        assert_eq!(sealed(at, &[200]), format!("unsupported {what}"));
    }
    assert_eq!(sealed(26, &[0]), "unsupported number of blocks");
    assert_eq!(sealed(26, &[MAX_BLOCKS as u8 + 1]), "unsupported number of blocks");
    assert!(sealed(26, &[MAX_BLOCKS as u8]).contains("but the header asks for"));
    let input = 64 * 32 * 9;
    assert_eq!(sealed(HEADER_BYTES + 17, &[0x80]), "weight out of range");
    assert_eq!(sealed(HEADER_BYTES + input, &[1, 0, 0, 0x40]), "bias out of range");
    assert_eq!(sealed(HEADER_BYTES + input, &[0xFF, 0xFF, 0xFF, 0xBF]), "bias out of range");
    assert_eq!(sealed(HEADER_BYTES + input + 4 * 64 + 1, &[0x80]), "multiplier out of range");
    assert_eq!(sealed(HEADER_BYTES + input + 6 * 64, &[25]), "shift out of range");
    let globals = 64 * 8 + 7 * 64;
    assert_eq!(sealed(HEADER_BYTES + input + 7 * 64 + globals + 1, &[0x80]), "gain out of range");
}
