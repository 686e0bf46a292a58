//! HTTP as far as one page needs it: requests with their limits, answers with their headers.
//!
//! The parser is the crate httparse. What is around it is ours, because a server that a hostile page can
//! reach has to bound what every connection costs: the time until a request is whole, its bytes, the time of
//! each write.

#![cfg_attr(not(test), deny(clippy::indexing_slicing))]

use crate::ensure;
use crate::util::lang::Language;
use std::io::{self, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Time that a request line and its headers may take to arrive, all together.
const HEAD_TIME: Duration = Duration::from_secs(5);
const BODY_TIME: Duration = Duration::from_secs(20);
/// Time that a client may take to read a part of an answer.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// Bytes of a request line with its headers.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
/// Bytes of a body: a file of games.
pub const MAX_BODY: u64 = 16 << 20;
/// Bytes of a refused request that are read, so that the client gets to see the refusal.
const LINGER_BYTES: u64 = 1 << 20;
/// Time for them.
const LINGER_TIME: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    Get,
    Head,
    Post,
}

#[derive(Debug)]
pub struct HttpRequest {
    pub method: Method,
    /// The path, without a query.
    pub path: String,
    /// Bytes of the body.
    pub length: u64,
    /// The key of a WebSocket handshake, if it is one.
    pub websocket: Option<String>,
    /// Whether the client keeps the connection.
    pub keeps: bool,
    /// The first language that the client asks for, of those that there are.
    pub language: Option<Language>,
    host: String,
    origin: Option<String>,
}

/// Why a request is not answered with what it asks for.
#[derive(Clone, Debug)]
pub(super) enum Refusal {
    /// An answer with the reason.
    Status(u16, &'static str),
    /// No answer: the client is gone, or never began.
    Silence,
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                Self::Status(408, "the request took too long")
            }
            _ => Self::Silence,
        }
    }
}

/// A connection, and the bytes that were read ahead of what was asked for.
pub struct Connection {
    stream: TcpStream,
    ahead: Vec<u8>,
    /// Whether a request has come.
    has_asked: bool,
}

impl Connection {
    /// Takes over a connection that was just accepted.
    pub fn new(stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        Ok(Self { stream, ahead: Vec::new(), has_asked: false })
    }

    /// The stream itself, and what was already read from it.
    pub fn into_parts(self) -> (TcpStream, Vec<u8>) {
        (self.stream, self.ahead)
    }

    /// Reads some bytes behind those that are here. False: the client has closed.
    fn fill(&mut self, deadline: Instant) -> io::Result<bool> {
        let left = deadline.saturating_duration_since(Instant::now());
        ensure!(!left.is_zero(), io::ErrorKind::TimedOut.into());
        self.stream.set_read_timeout(Some(left))?;
        let mut buffer = [0; 8 << 10];
        let count = self.stream.read(&mut buffer)?;
        self.ahead.extend_from_slice(buffer.get(..count).unwrap_or_default());
        Ok(count > 0)
    }

    /// Waits for the head of the next request.
    pub fn head(&mut self) -> Result<HttpRequest, Refusal> {
        // A client may be silent for a while between two requests; one that comes or has begun has to be
        // quick.
        let mut deadline = after(if self.has_asked { BODY_TIME } else { HEAD_TIME });
        let mut has_begun = false;
        loop {
            if !self.ahead.is_empty() && !std::mem::replace(&mut has_begun, true) {
                deadline = after(HEAD_TIME);
            }
            if let Some((request, length)) = parse(&self.ahead)? {
                self.ahead.drain(..length);
                self.has_asked = true;
                return Ok(request);
            }
            ensure!(self.ahead.len() <= MAX_HEAD, Refusal::Status(431, "the headers are too long"));
            match self.fill(deadline) {
                Ok(true) => {}
                Ok(false) => return Err(Refusal::Silence),
                Err(_) if !has_begun => return Err(Refusal::Silence),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads the body of a request.
    pub fn body(&mut self, request: &HttpRequest) -> Result<Vec<u8>, Refusal> {
        ensure!(request.length <= MAX_BODY, Refusal::Status(413, "a file may have at most 16 MiB"));
        let deadline = after(BODY_TIME);
        let length = request.length as usize;
        while self.ahead.len() < length {
            ensure!(self.fill(deadline)?, Refusal::Silence);
        }
        Ok(self.ahead.drain(..length).collect())
    }

    /// Answers with `body`, or only with its headers.
    pub fn answer(&mut self, request: &HttpRequest, kind: &str, body: &[u8]) -> io::Result<()> {
        let head = head(200, kind, body.len(), request.keeps);
        self.stream.write_all(head.as_bytes())?;
        if request.method != Method::Head {
            self.stream.write_all(body)?;
        }
        self.stream.flush()
    }

    /// Agrees to speak WebSocket from here on.
    pub fn upgrade(&mut self, key: &str) -> io::Result<()> {
        let accept = tungstenite::handshake::derive_accept_key(key.as_bytes());
        let head = format!(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Accept: {accept}\r\n\r\n"
        );
        self.stream.write_all(head.as_bytes())
    }

    /// Says why not, and closes the connection.
    pub fn refuse(mut self, refusal: &Refusal) {
        let Refusal::Status(status, why) = refusal else { return };
        let body = format!("{why}\n");
        let head = head(*status, "text/plain; charset=utf-8", body.len(), false);
        let sent = self.stream.write_all((head + &body).as_bytes());
        if sent.is_err() || self.stream.shutdown(Shutdown::Write).is_err() {
            return;
        }
        // Closing a connection with unread bytes resets it, and the client loses the answer.
        let deadline = after(LINGER_TIME);
        let mut read = self.ahead.len() as u64;
        while read < LINGER_BYTES {
            self.ahead.clear();
            match self.fill(deadline) {
                Ok(true) => read = read.saturating_add(self.ahead.len() as u64),
                _ => return,
            }
        }
    }
}

/// When one of the times above has passed from now.
#[allow(clippy::arithmetic_side_effects, reason = "seconds from now")]
fn after(time: Duration) -> Instant {
    Instant::now() + time
}

/// The head of an answer. Nothing of it may be stored, framed, or mixed with anything from elsewhere.
fn head(status: u16, kind: &str, length: usize, keeps: bool) -> String {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        426 => "Upgrade Required",
        500 => "Internal Server Error",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Refused",
    };
    let allow = if status == 405 { "Allow: GET, HEAD, POST\r\n" } else { "" };
    let connection = if keeps { "keep-alive" } else { "close" };
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n\
         {allow}Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\r\n"
    )
}

/// The request at the start of `bytes` and its length; `None` while it is not whole.
pub fn parse(bytes: &[u8]) -> Result<Option<(HttpRequest, usize)>, Refusal> {
    let bad = |why| Refusal::Status(400, why);
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let length = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Refusal::Status(431, "too many headers")),
        Err(_) => return Err(bad("not HTTP")),
    };
    let method = match parsed.method {
        Some("GET") => Method::Get,
        Some("HEAD") => Method::Head,
        Some("POST") => Method::Post,
        _ => return Err(Refusal::Status(405, "only GET, HEAD and POST are served")),
    };
    let header = |name: &str| {
        let mut found = parsed.headers.iter().filter(|h| h.name.eq_ignore_ascii_case(name));
        match (found.next(), found.next()) {
            (None, _) => Ok(None),
            (Some(header), None) => {
                std::str::from_utf8(header.value).map(Some).map_err(|_| bad("a header is not text"))
            }
            _ => Err(bad("a header is there twice")),
        }
    };
    ensure!(header("Transfer-Encoding")?.is_none(), Refusal::Status(411, "a body needs a Content-Length"));
    let body = match header("Content-Length")? {
        None if method == Method::Post => return Err(Refusal::Status(411, "a body needs a Content-Length")),
        None => 0,
        Some(text) if text.trim().starts_with('+') => return Err(bad("a Content-Length that is no number")),
        Some(text) => text.trim().parse().map_err(|_| bad("a Content-Length that is no number"))?,
    };
    if method != Method::Post && body > 0 {
        return Err(bad("an unexpected body"));
    }
    let names = |name, word: &str| {
        let value: Option<&str> = header(name)?;
        Ok::<_, Refusal>(value.is_some_and(|v| v.split(',').any(|w| w.trim().eq_ignore_ascii_case(word))))
    };
    let websocket = match (names("Upgrade", "websocket")?, header("Sec-WebSocket-Key")?) {
        (true, Some(key)) if names("Sec-WebSocket-Version", "13")? => Some(key.to_owned()),
        (true, _) => return Err(Refusal::Status(426, "WebSocket version 13 is spoken here")),
        (false, _) => None,
    };
    let target = parsed.path.unwrap_or("");
    let request = HttpRequest {
        method,
        path: target.split(['?', '#']).next().unwrap_or("").to_owned(),
        length: body,
        websocket,
        keeps: parsed.version == Some(1) && !names("Connection", "close")?,
        language: header("Accept-Language")?.and_then(accepted),
        host: header("Host")?.unwrap_or("").to_owned(),
        origin: header("Origin")?.map(str::to_owned),
    };
    Ok(Some((request, length)))
}

/// The first language of a list such as `zh-CN,zh;q=0.9,en;q=0.8`, which browsers send best first.
fn accepted(list: &str) -> Option<Language> {
    list.split(',').find_map(|tag| match tag.trim().get(..2)?.to_ascii_lowercase().as_str() {
        "zh" => Some(Language::Chinese),
        "en" => Some(Language::English),
        _ => None,
    })
}

impl HttpRequest {
    /// Refuses what a page of another site can send. A name that was made to point to this machine is in the
    /// `Host`; a script of another site is in the `Origin`, which browsers always send with a WebSocket or a
    /// POST.
    pub fn check_sender(&self, port: u16) -> Result<(), Refusal> {
        ensure!(is_own_host(&self.host, port), Refusal::Status(403, "this Host is not served here"));
        let needs_origin = self.websocket.is_some() || self.method == Method::Post;
        match &self.origin {
            Some(origin) if origin.strip_prefix("http://") == Some(&self.host) => Ok(()),
            None if !needs_origin => Ok(()),
            _ => Err(Refusal::Status(403, "this Origin may not ask")),
        }
    }
}

/// Whether a `Host` is an address or `localhost`, with our port. No other name can be trusted: its
/// owner can have it point here.
fn is_own_host(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    given == Some(port) && (name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Result<Option<(HttpRequest, usize)>, Refusal> {
        parse(text.as_bytes())
    }

    fn status(text: &str) -> u16 {
        match request(text) {
            Err(Refusal::Status(status, _)) => status,
            other => panic!("{text:?}: {other:?}"),
        }
    }

    #[test]
    fn a_request_is_read_when_it_is_whole() {
        let text = "GET /x/?a=1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\nrest";
        let (whole, length) = request(text).unwrap().unwrap();
        assert_eq!((whole.method, whole.path.as_str(), whole.length), (Method::Get, "/x/", 0));
        assert!(whole.keeps && text[length..] == *"rest");
        assert!((0..length).all(|end| request(&text[..end]).unwrap().is_none()));
    }

    #[test]
    fn the_first_known_language_is_taken() {
        let language = |header: &str| {
            request(&format!("GET / HTTP/1.1\r\nHost: x\r\n{header}\r\n\r\n")).unwrap().unwrap().0.language
        };
        assert_eq!(language("Accept-Language: zh-CN,zh;q=0.9,en;q=0.8"), Some(Language::Chinese));
        assert_eq!(language("Accept-Language: de-DE,de;q=0.9, en-US;q=0.8,zh"), Some(Language::English));
        for header in ["Accept-Language: *", "Accept-Language: ", "Accept-Language: é", "Accept: x"] {
            assert_eq!(language(header), None, "{header}");
        }
    }

    #[test]
    fn what_is_odd_is_refused() {
        let with = |line: &str| format!("POST / HTTP/1.1\r\nHost: x\r\n{line}\r\n\r\n");
        assert_eq!(status("nonsense\r\n\r\n"), 400);
        assert_eq!(status("DELETE / HTTP/1.1\r\nHost: x\r\n\r\n"), 405);
        assert_eq!(status(&with("Content-Length: -1")), 400);
        assert_eq!(status(&with("Content-Length: +5")), 400);
        assert_eq!(status(&with("Content-Length: 1\r\nContent-Length: 2")), 400);
        assert_eq!(status(&with("Transfer-Encoding: chunked")), 411);
        assert_eq!(status(&with("Accept: x")), 411);
        assert_eq!(status("GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"), 426);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(MAX_HEADERS + 1))), 431);
    }

    #[test]
    fn only_addresses_are_hosts() {
        for host in ["127.0.0.1:80", "localhost:80", "[::1]:80", "192.168.1.7:80", "127.0.0.1"] {
            assert!(is_own_host(host, 80), "{host}");
        }
        for host in ["evil.example:80", "127.0.0.1:81", "127.0.0.1.evil.example:80", "", "localhost:", "[::1"]
        {
            assert!(!is_own_host(host, 80), "{host}");
        }
    }

    #[test]
    fn other_origins_may_not_ask() {
        let sender = |head: &str| {
            let text = format!("{head} HTTP/1.1\r\nHost: 127.0.0.1:7\r\nContent-Length: 0\r\n");
            move |origin: &str| {
                let text = format!("{text}{origin}\r\n");
                request(&text).unwrap().unwrap().0.check_sender(7).is_ok()
            }
        };
        assert!(sender("GET /")("") && sender("GET /")("Origin: http://127.0.0.1:7\r\n"));
        assert!(!sender("GET /")("Origin: http://evil.example\r\n"));
        assert!(!sender("POST /")("") && !sender("POST /")("Origin: null\r\n"));
        assert!(sender("POST /")("Origin: http://127.0.0.1:7\r\n"));
    }
}
