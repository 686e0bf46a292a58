//! The pages of a match over plain HTTP: the live page for spectators, the seats of persons, the arbiter's
//! desk.
//!
//! Each page has a token of its own, and may do what its token is for: a spectator sees, a person plays its
//! own side of its own games, the arbiter stops clocks and forfeits games.

use super::http::{Connection, HttpRequest, Method, Refusal};
use super::{Count, MAX_CONNECTIONS, Place, Strangers, is_same, page, token};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

/// What a live page shows.
pub trait LiveSource: Send + Sync {
    /// What does not change, as JSON.
    fn about(&self, language: Language) -> String;
    /// What changes, as JSON.
    fn state(&self, language: Language) -> Arc<str>;
    /// A finished game as JSON, by its number from 1.
    fn game(&self, ordinal: usize, language: Language) -> Option<String>;
    /// The persons who play, by their places in the match.
    fn people(&self) -> Vec<(usize, String)>;
    /// What a person's page shows, as JSON, once it is newer than `seen` or after a while.
    fn seat(&self, person: usize, seen: u64, language: Language) -> String;
    /// Does what a person's page asks for; the answer as JSON.
    fn act(&self, person: usize, asked: &[u8], language: Language) -> String;
    /// What the arbiter's page shows, as JSON, once it is newer than `seen` or after a while.
    fn boards(&self, seen: u64, language: Language) -> String;
    /// Does what the arbiter's page asks for; the answer as JSON.
    fn order(&self, asked: &[u8], language: Language) -> String;
}

pub struct Addresses {
    pub live: String,
    pub arbiter: String,
    /// The persons with their addresses.
    pub seats: Vec<(String, String)>,
}

/// Connections of spectators, each with a thread that sleeps most of the time. A browser keeps one to six.
const MAX_SPECTATORS: usize = 512;
/// Bytes of what a page asks for.
const MAX_ASKED: u64 = 64 << 10;

struct Seat {
    person: usize,
    name: String,
    token: String,
}

/// Whose token a request has.
#[derive(Clone, Copy)]
enum Guest {
    Spectator,
    Person(usize),
    Arbiter,
}

struct LiveServer {
    source: Arc<dyn LiveSource>,
    /// That of a page whose browser asks for none.
    language: Language,
    token: String,
    arbiter: String,
    seats: Vec<Seat>,
    port: u16,
    strangers: Strangers,
    spectators: Count,
    /// Connections of players and the arbiter: spectators cannot take them.
    taken_seats: Count,
}

/// Serves the pages of a match from threads of their own until the program ends: each in the language of its
/// browser, or in `language`.
pub fn start(
    listen: IpAddr,
    port: u16,
    source: Arc<dyn LiveSource>,
    language: Language,
) -> Result<Addresses, Message> {
    let asked = SocketAddr::new(listen, port);
    let listener = TcpListener::bind(asked)
        .map_err(|why| message!("{asked}: {why}" | "{asked}：{why}", asked, why = Message::from(why)))?;
    let address = listener.local_addr()?;
    let seat = |(person, name)| Ok(Seat { person, name, token: token()? });
    let server = Arc::new(LiveServer {
        token: token()?,
        arbiter: token()?,
        seats: source.people().into_iter().map(seat).collect::<Result<_, Message>>()?,
        source,
        language,
        port: address.port(),
        strangers: Strangers::default(),
        spectators: Count::new(MAX_SPECTATORS),
        taken_seats: Count::new(MAX_CONNECTIONS),
    });
    let seat = |seat: &Seat| (seat.name.clone(), format!("http://{address}/seat/{}/", seat.token));
    let addresses = Addresses {
        live: format!("http://{address}/{}/", server.token),
        arbiter: format!("http://{address}/arbiter/{}/", server.arbiter),
        seats: server.seats.iter().map(seat).collect(),
    };
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
    Ok(addresses)
}

impl LiveServer {
    fn welcome(&self, stream: TcpStream) {
        let Ok(from) = stream.peer_addr() else { return };
        let Ok(mut connection) = Connection::new(stream) else { return };
        let too_many = Refusal::Status(503, "too many connections");
        let Some(stranger) = self.strangers.take(from.ip()) else { return connection.refuse(&too_many) };
        let (mut stranger, mut place) = (Some(stranger), None::<Place<'_>>);
        loop {
            let answered = connection.head().and_then(|request| {
                let (guest, name) = self.admit(&request)?;
                drop(stranger.take());
                let places =
                    if matches!(guest, Guest::Spectator) { &self.spectators } else { &self.taken_seats };
                place = place.take().or_else(|| places.take());
                if place.is_none() {
                    return Err(too_many.clone());
                }
                self.answer(&mut connection, &request, guest, name).map(|()| request.keeps)
            });
            match answered {
                Ok(true) => {}
                Ok(false) => return,
                Err(refusal) => return connection.refuse(&refusal),
            }
        }
    }

    /// Who asks, if the request comes from a page of ours and has a token, and for what.
    fn admit<'r>(&self, request: &'r HttpRequest) -> Result<(Guest, &'r str), Refusal> {
        request.check_sender(self.port)?;
        let mut parts = request.path.strip_prefix('/').unwrap_or_default().splitn(3, '/');
        let mut next = || parts.next().unwrap_or_default();
        let first = next();
        let found = match first {
            "seat" => {
                let given = next();
                // All are compared, so that the time does not depend on whose it is.
                let own = self.seats.iter().fold(None, |found, seat| match is_same(given, &seat.token) {
                    true => Some(Guest::Person(seat.person)),
                    false => found,
                });
                own.zip(parts.next())
            }
            "arbiter" => {
                let given = next();
                is_same(given, &self.arbiter).then_some(Guest::Arbiter).zip(parts.next())
            }
            given => {
                let rest = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
                is_same(given, &self.token).then_some(Guest::Spectator).zip(rest.map(|(_, rest)| rest))
            }
        };
        found.ok_or(Refusal::Status(403, "the address lacks the token that sanqi printed"))
    }

    fn answer(
        &self,
        connection: &mut Connection,
        request: &HttpRequest,
        guest: Guest,
        name: &str,
    ) -> Result<(), Refusal> {
        const JSON: &str = "application/json";
        let language = request.language.unwrap_or(self.language);
        let only_seen = Refusal::Status(405, "nothing can be sent there");
        if request.websocket.is_some() {
            return Err(only_seen);
        }
        if request.method == Method::Post {
            if name != "act" || matches!(guest, Guest::Spectator) {
                return Err(only_seen);
            }
            if request.length > MAX_ASKED {
                return Err(Refusal::Status(413, "that is too long"));
            }
            let asked = connection.body(request)?;
            let done = match guest {
                Guest::Person(person) => self.source.act(person, &asked, language),
                Guest::Spectator | Guest::Arbiter => self.source.order(&asked, language),
            };
            return connection.answer(request, JSON, done.as_bytes()).map_err(|_| Refusal::Silence);
        }
        let game = |number: &str| self.source.game(number.parse().ok()?, language);
        let seen = |number: &str| number.parse().ok();
        let missing = Refusal::Status(404, "there is no such file");
        let sent = match (guest, name.split_once('/')) {
            (Guest::Person(person), Some(("state", number))) => {
                let state = self.source.seat(person, seen(number).ok_or(missing)?, language);
                connection.answer(request, JSON, state.as_bytes())
            }
            (Guest::Arbiter, Some(("state", number))) => {
                let state = self.source.boards(seen(number).ok_or(missing)?, language);
                connection.answer(request, JSON, state.as_bytes())
            }
            (Guest::Spectator, Some(("game", number))) => {
                let game = game(number).ok_or(missing)?;
                connection.answer(request, JSON, game.as_bytes())
            }
            (Guest::Spectator, None) if name == "state" => {
                connection.answer(request, JSON, self.source.state(language).as_bytes())
            }
            (_, None) if name == "about" => {
                connection.answer(request, JSON, self.source.about(language).as_bytes())
            }
            _ => {
                let page = match (guest, name) {
                    (Guest::Person(_), "") => "seat.html",
                    (Guest::Arbiter, "") => "arbiter.html",
                    _ => name,
                };
                let file = page::live_file(page).ok_or(missing)?;
                connection.answer(request, file.kind, file.text.as_bytes())
            }
        };
        sent.map_err(|_| Refusal::Silence)
    }
}
