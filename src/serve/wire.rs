//! One WebSocket for two threads: one reads requests, the other writes answers and events.

use crate::util::sync::lock;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Bytes of one message of the page: a game with all its variations.
const MAX_MESSAGE: usize = 4 << 20;
/// A page that is there answers a [ping](Writer::ping) within this time.
const SILENCE: Duration = Duration::from_secs(90);
/// How often to ask whether it is there.
pub const PING: Duration = Duration::from_secs(25);

/// One of the two ends at the same socket. Every write is one whole frame, or several, so that frames of the
/// two threads never mix: the reader too writes, when it answers a ping.
struct Half {
    stream: TcpStream,
    out: Arc<Mutex<TcpStream>>,
}

impl Read for Half {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Half {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = lock(&self.out);
        out.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&self.out).flush()
    }
}

pub struct MessageReader(WebSocket<Half>);

pub struct MessageWriter(WebSocket<Half>);

/// Both ends of a connection on which the handshake was done; `ahead` was already read from it.
pub fn split(stream: TcpStream, ahead: Vec<u8>) -> io::Result<(MessageReader, MessageWriter)> {
    stream.set_read_timeout(Some(SILENCE))?;
    let out = Arc::new(Mutex::new(stream.try_clone()?));
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE))
        .read_buffer_size(16 << 10);
    let half = |stream| Half { stream, out: Arc::clone(&out) };
    let writer = WebSocket::from_raw_socket(half(stream.try_clone()?), Role::Server, Some(config));
    let reader = WebSocket::from_partially_read(half(stream), ahead, Role::Server, Some(config));
    Ok((MessageReader(reader), MessageWriter(writer)))
}

impl MessageReader {
    /// The next text. `None`: the page is gone, or does not keep to the protocol.
    pub fn message(&mut self) -> Option<String> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Close(_)) => {
                    // The farewell is written by one more read.
                    let _ = self.0.read();
                    return None;
                }
                Ok(_) => {}
                Err(tungstenite::Error::Capacity(_)) => {
                    let reason = tungstenite::protocol::CloseFrame {
                        code: tungstenite::protocol::frame::coding::CloseCode::Size,
                        reason: "a message may have at most 4 MiB".into(),
                    };
                    let _ = self.0.close(Some(reason));
                    let _ = self.0.flush();
                    return None;
                }
                Err(_) => return None,
            }
        }
    }
}

impl MessageWriter {
    /// Writes a text.
    pub fn send(&mut self, text: String) -> Result<(), Gone> {
        self.0.send(Message::text(text)).map_err(|_| Gone)
    }

    /// Says farewell and closes the connection, so that the reader ends too.
    pub fn close(&mut self) {
        // Whether or not the page still hears it.
        let _ = self.0.close(None);
        let _ = self.0.flush();
        let _ = self.0.get_ref().stream.shutdown(Shutdown::Both);
    }

    /// Asks whether the page is there.
    pub fn ping(&mut self) -> Result<(), Gone> {
        self.0.send(Message::Ping(Default::default())).map_err(|_| Gone)
    }
}

/// The other end closed the connection.
#[derive(Debug)]
pub struct Gone;
