use super::*;
use crate::eval::{Chess768, Xiangqi689};
use crate::util::rng::Rng;

fn random<F: FeatureSet>(mut info: NetInfo, seed: u64) -> Net<F> {
    let mut rng = Rng::new(seed);
    let mut some = |n: usize, max: i16| -> Vec<i16> {
        (0..n).map(|_| (rng.below(2 * max as usize + 1) as i32 - i32::from(max)) as i16).collect()
    };
    info.training = seed;
    let numbers = Parameters {
        inputs: some(info.rows::<F>() * info.hidden, 100),
        bias: some(info.hidden, 200),
        outputs: some(info.buckets * 2 * info.hidden, 127),
        output_bias: some(info.buckets, 3000).into_iter().map(i32::from).collect(),
    };
    Net::new(info, &numbers).unwrap()
}

#[test]
fn a_net_comes_back_as_written() {
    let net = random::<Chess768>(NetInfo { positions: 5, generation: 2, ..NetInfo::new(32, 8) }, 1);
    let bytes = net.to_bytes();
    let again = Net::<Chess768>::from_bytes(&bytes).unwrap();
    assert_eq!(again.info(), net.info());
    assert_eq!(again.checksum(), net.checksum());
    assert_eq!(again.to_bytes(), bytes);
    let text = again.to_string();
    assert!(text.contains("architecture: (768 mirrored -> 32)x2 -> 1x8, SCReLU\n"), "{text}");
    assert!(text.contains(&format!("bytes: {}", bytes.len())), "{text}");
}

#[test]
fn states_of_pieces_come_back_too() {
    let net = random::<Chess768>(NetInfo { threats: true, ..NetInfo::new(32, 1) }, 1);
    let bytes = net.to_bytes();
    let again = Net::<Chess768>::from_bytes(&bytes).unwrap();
    assert!(again.info().threats && again.to_bytes() == bytes);
    let text = again.to_string();
    assert!(
        text.contains("architecture: (768 mirrored, 8 states, 63 motifs -> 32)x2 -> 1x1, SCReLU\n"),
        "{text}"
    );
}

#[test]
fn evaluation_follows_the_format() {
    let net = random::<Chess768>(NetInfo::new(64, 8), 5);
    let mut rng = Rng::new(6);
    for pieces in 2..=32 {
        let mut rows = || (0..pieces).map(|_| rng.below(768) as u32).collect::<Vec<_>>();
        let (own, other) = (rows(), rows());
        let bucket = (pieces - 2) * 8 / 31;
        let mut dot = 0i64;
        for (side, rows) in [&own, &other].into_iter().enumerate() {
            for lane in 0..64 {
                let weight = |&row: &u32| i64::from(net.inputs[row as usize * 64 + lane]);
                let sum = i64::from(net.bias[lane]) + rows.iter().map(weight).sum::<i64>();
                let output = i64::from(net.outputs[(2 * bucket + side) * 64 + lane]);
                dot += sum.clamp(0, 255).pow(2) * output;
            }
        }
        let output = dot / 255 + i64::from(net.output_bias[bucket]);
        assert_eq!(i64::from(net.evaluate_rows(&own, &other, pieces)), output * 400 / (255 * 64));
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let bytes = random::<Xiangqi689>(NetInfo::new(32, 1), 2).to_bytes();
    for bit in (0..8 * HEADER_BYTES).chain((8 * HEADER_BYTES..8 * bytes.len()).step_by(61)) {
        let mut broken = bytes.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        assert!(Net::<Xiangqi689>::from_bytes(&broken).is_err(), "bit {bit}");
    }
}

#[test]
fn wrong_files_are_refused_with_the_reason() {
    let bytes = random::<Chess768>(NetInfo::new(32, 1), 3).to_bytes();
    let message = |bytes: &[u8]| Net::<Chess768>::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "not a net file");
    assert_eq!(message(b"\x7fELF and more"), "not a net file");
    assert_eq!(message(&bytes[..100]), "100 bytes, but the header asks for 192");
    let (n, short, long) = (bytes.len(), &bytes[..bytes.len() - 1], [&bytes[..], &[0]].concat());
    assert_eq!(message(short), format!("{} bytes, but the header asks for {n}", n - 1));
    assert_eq!(message(&long), format!("{} bytes, but the header asks for {n}", n + 1));
    let mut future = bytes.clone();
    future[8] = 200;
    assert_eq!(message(&future), "net file version 200 is not known here (newest: 1)");
    let error = Net::<Xiangqi689>::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(error, "a net for chess, not for xiangqi");
    let mut flipped = bytes;
    flipped[5000] ^= 16;
    assert!(message(&flipped).starts_with("checksum is"));
}

#[test]
fn sealed_nonsense_is_refused() {
    let bytes = random::<Chess768>(NetInfo::new(32, 1), 4).to_bytes();
    let seal = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        let crc = checksum_of(&bytes, CHECKSUM_AT).to_le_bytes();
        bytes[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&crc);
        Net::<Chess768>::from_bytes(&bytes).unwrap_err().to_string()
    };
    assert_eq!(seal(&|b| b[22] = 31), "unsupported size of the hidden layer");
    assert_eq!(seal(&|b| b[24] = 0), "unsupported number of output buckets");
    assert_eq!(seal(&|b| b[20] = 77), "unsupported set of inputs");
    assert_eq!(seal(&|b| b[26] = 254), "unsupported scale of accumulators");
    assert_eq!(seal(&|b| b[28] = 63), "unsupported scale of output weights");
    assert_eq!(seal(&|b| b[52 + 64] = 1), "unsupported king bucket outside the board");
    assert_eq!(seal(&|b| b[52] = 200), "unsupported number of king buckets");
    for reserved in [18, 144, 187] {
        let error = seal(&move |b| b[reserved] = 1);
        assert_eq!(error, "unsupported header: bytes beyond its fields are not zero");
    }
    assert_eq!(seal(&|b| b[HEADER_BYTES + 1] = 100), "input weight out of range");
    assert_eq!(seal(&|b| b[HEADER_BYTES + 2 * 768 * 32 + 64 + 1] = 1), "output weight out of range");
}

#[test]
fn buckets_are_equal_steps() {
    assert_eq!((2..=32).map(|n| bucket(n, 8)).collect::<std::collections::BTreeSet<_>>().len(), 8);
    assert_eq!((bucket(0, 8), bucket(2, 8), bucket(32, 8), bucket(64, 8), bucket(17, 1)), (0, 0, 7, 7, 0));
}
