use super::*;
use crate::convnet::{ConvNet, ConvNetEvaluator};
use crate::util::rng::Rng;
use std::net::{SocketAddr, TcpListener};
use std::thread::{self, JoinHandle};

const TRAINING: u64 = 77;

fn random_net() -> ConvNet {
    ConvNet::random(5, 2)
}

/// A server that has the net of [`random_net`] and closes a connection in place of answer `answers`. Returns
/// how many positions it answered, once all its connections have ended.
fn serve(answers: usize) -> (SocketAddr, JoinHandle<usize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let attend = move |mut stream: TcpStream| {
        let mut evaluator = ConvNetEvaluator::new(Arc::new(random_net()));
        let mut greeting = [0; 16];
        stream.read_exact(&mut greeting).unwrap();
        stream.write_all(MAGIC).unwrap();
        stream.write_all(&TRAINING.to_le_bytes()).unwrap();
        let (mut header, mut answered) = ([0; 12], 0);
        for _ in 0..answers {
            if stream.read_exact(&mut header).is_err() {
                return answered;
            }
            let number = |i: usize| u32::from_le_bytes(header[4 * i..4 * i + 4].try_into().unwrap()) as usize;
            let (width, height, count) = (number(0), number(1), number(2));
            let mut positions = vec![0; count * (4 * width * height + 2 * GLOBALS)];
            stream.read_exact(&mut positions).unwrap();
            for position in positions.chunks_exact(positions.len() / count) {
                stream.write_all(&answer(&mut evaluator, width, height, position)).unwrap();
            }
            answered += count;
        }
        answered
    };
    let all = thread::spawn(move || {
        let connections: Vec<_> = (0..CONNECTIONS)
            .map(|_| listener.accept().unwrap().0)
            .map(|stream| thread::spawn(move || attend(stream)))
            .collect();
        connections.into_iter().map(|connection| connection.join().unwrap()).sum()
    });
    (address, all)
}

fn answer(evaluator: &mut ConvNetEvaluator, width: usize, height: usize, position: &[u8]) -> Vec<u8> {
    let (points, globals) = position.split_at(4 * width * height);
    let bits = points.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap()));
    let planes: Vec<u8> = bits.flat_map(|bits| (0..PLANES).map(move |i| (bits >> i & 1) as u8)).collect();
    let mut numbers = globals.chunks_exact(2).map(|b| i16::from_le_bytes(b.try_into().unwrap()));
    let globals = std::array::from_fn(|_| numbers.next().unwrap());
    let ConvNetOutput { moves, pass, win, draw, loss, score, spread, owner } =
        evaluator.evaluate(width, height, &planes, &globals);
    let whole = [*pass, *win, *draw, *loss, *score, *spread];
    moves.iter().chain(&whole).chain(owner).flat_map(|number| number.to_le_bytes()).collect()
}

/// Compares some positions, asked on several threads, with the output of the net itself.
fn compare(net: &Arc<ConvNet>) {
    thread::scope(|scope| {
        for seed in 0..6 {
            scope.spawn(move || {
                let mut rng = Rng::new(seed);
                let (mut own, mut asked) =
                    (ConvNetEvaluator::new(Arc::new(random_net())), ConvNetEvaluator::new(Arc::clone(net)));
                for (width, height) in [(9, 9), (5, 7), (19, 19), (9, 9)] {
                    let planes: Vec<u8> =
                        (0..width * height * PLANES).map(|_| (rng.next_u64() >> 63) as u8).collect();
                    let globals = std::array::from_fn(|_| (rng.next_u64() >> 55) as i16 - 256);
                    let expected = own.evaluate(width, height, &planes, &globals);
                    assert_eq!(expected, asked.evaluate(width, height, &planes, &globals));
                }
            });
        }
    });
}

#[test]
fn a_server_answers_many_threads_and_its_end_is_no_matter() {
    let (address, served) = serve(usize::MAX);
    let net = Arc::new(random_net().served_by(Server::connect(&address.to_string(), TRAINING).unwrap()));
    compare(&net);
    drop(net);
    assert_eq!(served.join().unwrap(), 24);

    let (address, served) = serve(1);
    let net = Arc::new(random_net().served_by(Server::connect(&address.to_string(), TRAINING).unwrap()));
    compare(&net);
    compare(&net);
    assert!((CONNECTIONS..48).contains(&served.join().unwrap()));
}

#[test]
fn what_is_no_server_of_the_net_is_refused() {
    let text = |address: SocketAddr, training| match Server::connect(&address.to_string(), training) {
        Ok(_) => panic!("connected"),
        Err(e) => e.to_string(),
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let other = thread::spawn(move || {
        for greeting in [b"SANQISV1\x05\0\0\0\0\0\0\0", b"HTTP/1.1 400 Bad"] {
            let (mut stream, _) = listener.accept().unwrap();
            stream.read_exact(&mut [0; 16]).unwrap();
            stream.write_all(greeting).unwrap();
        }
    });
    assert_eq!(text(address, TRAINING), "the server has another net");
    assert_eq!(text(address, TRAINING), "no server of nets");
    other.join().unwrap();
    assert!(!text(address, TRAINING).is_empty());
}
