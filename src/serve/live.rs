//! The live page of a match: its files, its state and its finished games over plain HTTP, for spectators who know the token.

use super::http::{Connection, HttpRequest, Method, Refusal};
use super::{Count, MAX_CONNECTIONS, Strangers, admit, page, token};
use crate::message;
use crate::util::message::Message;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

/// What a live page shows.
pub trait LiveSource: Send + Sync {
    /// What does not change, as JSON.
    fn about(&self) -> String;
    /// What changes, as JSON.
    fn state(&self) -> Arc<str>;
    /// A finished game as JSON, by its number from 1.
    fn game(&self, ordinal: usize) -> Option<String>;
}

struct LiveServer {
    source: Arc<dyn LiveSource>,
    token: String,
    port: u16,
    strangers: Strangers,
    connections: Count,
}

/// Serves a live page from threads of its own until the program ends; returns its address.
/// # Errors
/// When nothing can listen there.
pub fn start(listen: IpAddr, port: u16, source: Arc<dyn LiveSource>) -> Result<String, Message> {
    let asked = SocketAddr::new(listen, port);
    let listener = TcpListener::bind(asked)
        .map_err(|why| message!("{asked}: {why}" | "{asked}：{why}", asked, why = Message::from(why)))?;
    let address = listener.local_addr()?;
    let server = Arc::new(LiveServer {
        source,
        token: token()?,
        port: address.port(),
        strangers: Strangers::default(),
        connections: Count::new(MAX_CONNECTIONS),
    });
    let url = format!("http://{address}/{}/", server.token);
    let accept = move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                std::thread::sleep(std::time::Duration::from_millis(10));
                continue;
            };
            let server = Arc::clone(&server);
            // Without a thread the connection is closed, as if there were too many.
            drop(std::thread::Builder::new().name("spectator".into()).spawn(move || server.welcome(stream)));
        }
    };
    std::thread::Builder::new().name("live".into()).spawn(accept)?;
    Ok(url)
}

impl LiveServer {
    fn welcome(&self, stream: TcpStream) {
        let Ok(from) = stream.peer_addr() else { return };
        let Ok(mut connection) = Connection::new(stream) else { return };
        let too_many = Refusal::Status(503, "too many connections");
        let Some(stranger) = self.strangers.take(from.ip()) else { return connection.refuse(&too_many) };
        let (mut stranger, mut place) = (Some(stranger), None);
        loop {
            let answered = connection.head().and_then(|request| {
                let name = admit(&request, self.port, &self.token)?;
                drop(stranger.take());
                place = place.take().or_else(|| self.connections.take());
                if place.is_none() {
                    return Err(too_many.clone());
                }
                self.answer(&mut connection, &request, name).map(|()| request.keeps)
            });
            match answered {
                Ok(true) => {}
                Ok(false) => return,
                Err(refusal) => return connection.refuse(&refusal),
            }
        }
    }

    fn answer(&self, connection: &mut Connection, request: &HttpRequest, name: &str) -> Result<(), Refusal> {
        if request.method == Method::Post || request.websocket.is_some() {
            return Err(Refusal::Status(405, "nothing can be sent there"));
        }
        const JSON: &str = "application/json";
        let game = |number: &str| self.source.game(number.parse().ok()?);
        let missing = Refusal::Status(404, "there is no such file");
        let sent = match name.split_once('/') {
            Some(("game", number)) => {
                let game = game(number).ok_or(missing)?;
                connection.answer(request, JSON, game.as_bytes())
            }
            _ if name == "state" => connection.answer(request, JSON, self.source.state().as_bytes()),
            _ if name == "about" => connection.answer(request, JSON, self.source.about().as_bytes()),
            _ => {
                let file = page::live_file(name).ok_or(missing)?;
                connection.answer(request, file.kind, file.text.as_bytes())
            }
        };
        sent.map_err(|_| Refusal::Silence)
    }
}
