//! Evaluations by another process, `nnue/train/serve.py`: one that has a graphics processor answers hundreds
//! of positions in the time of one, which is what many games at once are for.
//!
//! Both sides greet with [`MAGIC`] and the training id of the net. Then each request is columns, rows and a
//! count of positions (u32 each) and the positions: for each point, row by row, a u32 whose bit `i` is plane
//! `i`; then the numbers of the whole board (i16). The answer has for each position the numbers of
//! [`ConvNetOutput`] in their order (i16). All numbers are little-endian.
//!
//! A server's output is nearly that of the net itself: it may compute in floats. Where it can no longer be
//! reached positions are evaluated here.

use super::output::ConvNetOutput;
use super::{GLOBALS, PLANES};
use crate::util::sync::lock;
use crate::util::system::remark;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The first bytes that either side sends.
const MAGIC: &[u8; 8] = b"SANQISV1";
/// Connections, so that one request is computed while others are on their way.
const CONNECTIONS: usize = 4;
/// Maximum number of positions in a request.
const MAX: usize = 1024;
/// A server that neither reads nor writes for this long is lost.
const LONGEST: Duration = Duration::from_secs(60);
/// Numbers of an answer beside those of the points: pass, win, draw, loss, score, spread.
const WHOLE_BOARD: usize = 6;

/// A server that evaluates positions by a net.
pub struct Server(Arc<Shared>);

impl Server {
    /// Connects to `HOST:PORT`, where a server has the net of this training.
    pub fn connect(address: &str, training: u64) -> io::Result<Self> {
        let mut streams = Vec::new();
        for _ in 0..CONNECTIONS {
            streams.push(greeted(address, training)?);
        }
        let state = State { open: streams.len(), ..State::default() };
        let shared = Arc::new(Shared { state: Mutex::new(state), came: Condvar::new() });
        for stream in streams {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().spawn(move || shared.serve(stream))?;
        }
        Ok(Self(shared))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        lock(&self.0.state).closed = true;
        self.0.came.notify_all();
    }
}

/// A connection to a server that has answered the greeting.
fn greeted(address: &str, training: u64) -> io::Result<TcpStream> {
    let other = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let addresses = address.to_socket_addrs()?;
    let mut failure = other("no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, LONGEST) {
            Ok(mut stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(LONGEST))?;
                stream.set_write_timeout(Some(LONGEST))?;
                stream.write_all(MAGIC)?;
                stream.write_all(&training.to_le_bytes())?;
                let mut greeting = [0; 16];
                stream.read_exact(&mut greeting)?;
                let (magic, its) = greeting.split_at(MAGIC.len());
                return match (magic == MAGIC, its == training.to_le_bytes()) {
                    (true, true) => Ok(stream),
                    (true, false) => Err(other("the server has another net")),
                    (false, _) => Err(other("no server of nets")),
                };
            }
            Err(e) => failure = e,
        }
    }
    Err(failure)
}

struct Request {
    /// The request; the answer takes its place.
    bytes: Vec<u8>,
    slot: Arc<Slot>,
}

/// Where one thread waits for its answer.
#[derive(Default)]
struct Slot {
    progress: Mutex<Progress>,
    came: Condvar,
}

#[derive(Default)]
enum Progress {
    #[default]
    Waiting,
    Answered(Vec<u8>),
    Lost,
}

impl Slot {
    fn end(&self, progress: Progress) {
        *lock(&self.progress) = progress;
        self.came.notify_one();
    }

    /// The answer. `None`: there will be none.
    fn wait(&self) -> Option<Vec<u8>> {
        let mut progress = lock(&self.progress);
        loop {
            match std::mem::take(&mut *progress) {
                Progress::Answered(bytes) => return Some(bytes),
                Progress::Lost => return None,
                Progress::Waiting => {
                    progress = self.came.wait(progress).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

type Size = (usize, usize);

#[derive(Default)]
struct State {
    waiting: BTreeMap<Size, Vec<Request>>,
    open: usize,
    closed: bool,
}

struct Shared {
    state: Mutex<State>,
    came: Condvar,
}

impl Shared {
    /// Sends what is waiting through one connection, until that breaks or the server is closed.
    fn serve(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        while let Some((size, batch)) = self.take() {
            match exchange(&mut stream, size, &batch, &mut bytes) {
                Ok(()) => {
                    let length = bytes.len() / batch.len();
                    for (mut request, answer) in batch.into_iter().zip(bytes.chunks_exact(length)) {
                        request.bytes.clear();
                        request.bytes.extend_from_slice(answer);
                        request.slot.end(Progress::Answered(request.bytes));
                    }
                }
                Err(e) => {
                    batch.into_iter().for_each(|request| request.slot.end(Progress::Lost));
                    return self.lose(&e);
                }
            }
        }
    }

    /// The positions of the size with the most requests. `None`: the server is closed.
    fn take(&self) -> Option<(Size, Vec<Request>)> {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return None;
            }
            let largest = state.waiting.iter_mut().max_by_key(|(_, waiting)| waiting.len());
            if let Some((&size, waiting)) = largest.filter(|(_, waiting)| !waiting.is_empty()) {
                let count = waiting.len().min(MAX);
                return Some((size, waiting.drain(..count).collect()));
            }
            state = self.came.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes a lost connection; with the last one all waiting requests fail.
    fn lose(&self, error: &io::Error) {
        let mut state = lock(&self.state);
        state.open -= 1;
        if state.open == 0 {
            remark!("the server of nets is lost, positions are evaluated here: {error}");
            for request in std::mem::take(&mut state.waiting).into_values().flatten() {
                request.slot.end(Progress::Lost);
            }
        }
    }

    /// Adds a request. `None`: no connection is left.
    fn push(&self, size: Size, request: Request) -> Option<()> {
        let mut state = lock(&self.state);
        if state.open == 0 {
            return None;
        }
        state.waiting.entry(size).or_default().push(request);
        self.came.notify_one();
        Some(())
    }
}

/// Sends a batch and reads the answer into `bytes`.
fn exchange(
    stream: &mut TcpStream,
    (width, height): Size,
    batch: &[Request],
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    bytes.clear();
    for number in [width, height, batch.len()] {
        bytes.extend_from_slice(&(number as u32).to_le_bytes());
    }
    batch.iter().for_each(|request| bytes.extend_from_slice(&request.bytes));
    stream.write_all(bytes)?;
    bytes.resize(batch.len() * 2 * (2 * width * height + WHOLE_BOARD), 0);
    stream.read_exact(bytes)
}

/// One thread's way to a server.
#[derive(Default)]
pub(super) struct Client {
    bytes: Vec<u8>,
    slot: Arc<Slot>,
}

impl Client {
    /// Has `server` evaluate a position as [`ConvNetEvaluator::evaluate`](super::ConvNetEvaluator::evaluate)
    /// does. `None`: it is lost.
    pub(super) fn ask(
        &mut self,
        server: &Server,
        (width, height): Size,
        planes: &[u8],
        globals: &[i16; GLOBALS],
        output: &mut ConvNetOutput,
    ) -> Option<()> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        for point in planes.chunks_exact(PLANES) {
            let bits = point.iter().rev().fold(0u32, |bits, &plane| bits << 1 | u32::from(plane));
            bytes.extend_from_slice(&bits.to_le_bytes());
        }
        globals.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        server.0.push((width, height), Request { bytes, slot: Arc::clone(&self.slot) })?;
        self.bytes = self.slot.wait()?;
        let mut numbers = self.bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let area = width * height;
        output.moves.clear();
        output.moves.extend(numbers.by_ref().take(area));
        let ConvNetOutput { pass, win, draw, loss, score, spread, owner, .. } = output;
        for (number, value) in [pass, win, draw, loss, score, spread].into_iter().zip(numbers.by_ref()) {
            *number = value;
        }
        owner.clear();
        owner.extend(numbers);
        Some(())
    }
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
