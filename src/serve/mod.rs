//! `sanqi serve`: boards in the browser, for the person at this machine.
//!
//! Every connection has a thread: a browser needs a handful, and what is hostile is held off by limits. The
//! files of the page and the games that are opened go over plain HTTP. Everything else goes over one
//! WebSocket a tab: browsers open six connections to a host, so that with server-sent events the seventh tab
//! would wait for ever, and an engine has to know when its tab is closed.
//!
//! Three things keep others out: the address holds a random token; the `Host` has to be an address, so that
//! no name of somebody else's leads here; and a WebSocket or an upload has to come from this page, by its
//! `Origin`.
// What a browser sends is input.
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod extra;
mod guests;
mod http;
pub mod live;
mod opened;
mod page;
mod position;
mod session;
mod step;
mod store;
mod study;
mod table;
mod tree;
mod wire;

use crate::app::console::{Outcome, say};
use crate::app::language::LanguageArg;
use crate::app::seat::SeatOptions;
use crate::chess::syzygy::Tables;
use crate::client::player::EngineSpec;
use crate::ensure;
use crate::games::formats::{self, Most, Recorded};
use crate::message;
use crate::util::lang::Language;
use crate::util::message::Message;
use crate::util::sync::lock;
use crate::util::{files, system, words};
use http::{Connection, HttpRequest, Method, Refusal};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use store::Store;

pub use session::{at_table, without_engine};

/// Connections that are not tabs: files and uploads on their way.
const MAX_CONNECTIONS: usize = 48;
/// Connections from one address that have not shown the token yet.
const MAX_STRANGERS: usize = 16;
/// The same from all addresses together.
const MAX_STRANGERS_IN_ALL: usize = 512;
/// The usual port: what the browser keeps for the page belongs to the address with its port.
const PORT: u16 = 7326;
/// Games of a file that are reported.
const MAX_GAMES: usize = 1000;
/// Games that are looked at, those with faults among them.
const MAX_READ: usize = 20_000;
/// Moves of all games of a file together.
const MAX_NODES: usize = 500_000;
/// Complaints about a file that are reported.
const MAX_BROKEN: usize = 100;

/// Boards in the browser: play, analyze, open and save games
///
/// The first line printed is the address to open. It holds a token and works only on this machine.
#[derive(clap::Args)]
pub struct Args {
    /// The port; 0 is any free one. Without this option 7326, or any free one while that is taken
    #[arg(long)]
    port: Option<u16>,
    /// The address to listen on; any but this machine's lets in all who know the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Threads of each tab's engine, unless the page has another number; without this option all processors
    /// but one
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// MiB of table of each tab's engine, unless the page has another number
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Another engine as an opponent or for a second opinion: NAME=COMMAND, with more words as
    /// `match --engine` has them, such as proto=ucci or option.Hash=64
    #[arg(long, num_args = 1.., value_name = "NAME=COMMAND", action = clap::ArgAction::Append)]
    engine: Vec<String>,
    /// Chess: show the verdict of the Syzygy tables in these folders
    #[arg(long, value_name = "PATHS")]
    syzygy_path: Option<String>,
    /// Tabs that may be open at once, each with its engine
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    tabs: u16,
    /// The folder of the library, where games and settings are kept; without this option `sanqi` in the
    /// person's data
    #[arg(long, value_name = "DIR", conflicts_with = "no_store")]
    store: Option<PathBuf>,
    /// Keep no games: they are gone with the browser
    #[arg(long)]
    no_store: bool,
    #[command(flatten)]
    language: LanguageArg,
}

struct Server {
    /// How the engine of a tab is made ready.
    engine: SeatOptions,
    /// Other engines that tabs may ask.
    engines: Vec<EngineSpec>,
    /// The first part of every path.
    token: String,
    port: u16,
    strangers: Strangers,
    connections: Count,
    tabs: Count,
    /// Endgame tables of chess.
    tables: Tables,
    /// The library of games, if there is one.
    store: Option<Store>,
    /// Held by the one upload that is read.
    reading: Mutex<()>,
}

/// How many connections have not shown the token yet, by address: one address cannot lock out the others.
#[derive(Default)]
struct Strangers(Mutex<HashMap<IpAddr, usize>>);

/// One of them.
struct Stranger<'a>(&'a Strangers, IpAddr);

impl Strangers {
    fn take(&self, from: IpAddr) -> Option<Stranger<'_>> {
        let mut all = lock(&self.0);
        let here = all.get(&from).copied().unwrap_or_default();
        if here >= MAX_STRANGERS || all.values().sum::<usize>() >= MAX_STRANGERS_IN_ALL {
            return None;
        }
        all.insert(from, here.saturating_add(1));
        Some(Stranger(self, from))
    }
}

impl Drop for Stranger<'_> {
    fn drop(&mut self) {
        let mut all = lock(&self.0.0);
        match all.get_mut(&self.1) {
            Some(count) if *count > 1 => *count = count.saturating_sub(1),
            _ => drop(all.remove(&self.1)),
        }
    }
}

/// How many of a limited resource are in use.
struct Count {
    now: AtomicUsize,
    max: usize,
}

/// One of them; it is given back when it is dropped.
struct Place<'a>(&'a Count);

impl Count {
    fn new(max: usize) -> Self {
        Self { now: AtomicUsize::new(0), max }
    }

    fn take(&self) -> Option<Place<'_>> {
        if self.now.fetch_add(1, Relaxed) >= self.max {
            self.now.fetch_sub(1, Relaxed);
            return None;
        }
        Some(Place(self))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Relaxed);
    }
}

/// Serves until the program is ended.
pub fn run(args: &Args) -> Outcome {
    let listener = listen(args)?;
    let address = listener.local_addr()?;
    let tables = open_tables(args);
    let server = Arc::new(Server {
        engine: SeatOptions {
            threads: args.threads.map_or_else(|| processors().saturating_sub(1).max(1), usize::from),
            hash: args.hash,
            book: true,
            chances: true,
            // What holds no table would be an error of the engine.
            syzygy: args.syzygy_path.clone().filter(|_| tables.max_pieces() > 0),
        },
        engines: guests::read(&args.engine)?,
        token: token()?,
        port: address.port(),
        strangers: Strangers::default(),
        connections: Count::new(MAX_CONNECTIONS),
        tabs: Count::new(usize::from(args.tabs)),
        tables,
        store: open_store(args)?,
        reading: Mutex::new(()),
    });
    let warmed = Arc::clone(&server);
    let warm = move || warmed.store.iter().for_each(Store::warm);
    drop(std::thread::Builder::new().name("library".to_owned()).spawn(warm));
    // The page follows the browser, unless a language was asked for.
    let language = args.language.asked().map_or_else(String::new, |language| format!("#{}", language.name()));
    let url = format!("http://{address}/{}/{language}", server.token);
    say(&url);
    if args.open && !system::open_in_browser(&url) {
        let _ = writeln!(std::io::stderr(), "sanqi: {}", words::no_browser(args.language.language()));
    }
    for stream in listener.incoming() {
        // What cannot be accepted (too many open files, a client that is gone) is that client's loss.
        let Ok(stream) = stream else {
            std::thread::sleep(std::time::Duration::from_millis(10));
            continue;
        };
        let server = Arc::clone(&server);
        let thread = std::thread::Builder::new().name("connection".to_owned());
        // Without a thread the connection is closed, as if there were too many.
        drop(thread.spawn(move || server.welcome(stream)));
    }
    Ok(())
}

/// Threads that this machine runs at once.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Listens on the port that was asked for, else on the usual one or, while another program has that, on any.
fn listen(args: &Args) -> Result<TcpListener, Message> {
    let bind = |port| {
        let address = SocketAddr::new(args.listen, port);
        TcpListener::bind(address).map_err(|error| {
            let (kind, why) = (error.kind(), Message::from(error));
            (kind, message!("{address}: {why}" | "{address}：{why}", address, why))
        })
    };
    let listener = match (bind(args.port.unwrap_or(PORT)), args.port) {
        (Err((ErrorKind::AddrInUse, _)), None) => {
            let remark = words::port_is_taken(args.language.language(), PORT);
            let _ = writeln!(std::io::stderr(), "sanqi: {remark}");
            bind(0)
        }
        (bound, _) => bound,
    };
    listener.map_err(|(_, failure)| failure)
}

/// The endgame tables that were named. What is wrong with them is remarked.
fn open_tables(args: &Args) -> Tables {
    let tables = args.syzygy_path.as_deref().map(Tables::open).unwrap_or_default();
    let language = args.language.language();
    let mut complaints = tables.take_complaints();
    if let Some(path) = args.syzygy_path.as_deref().filter(|_| tables.max_pieces() == 0) {
        complaints.push(message!("no Syzygy tables in {path}" | "{path} 中没有 Syzygy 残局库", path));
    }
    for complaint in complaints {
        let _ = writeln!(std::io::stderr(), "sanqi: {}", complaint.text(language));
    }
    tables
}

/// The library that was asked for, else the person's own. That this cannot be opened is remarked.
fn open_store(args: &Args) -> Result<Option<Store>, Message> {
    if let Some(folder) = &args.store {
        return Store::open(folder).map(Some);
    }
    if args.no_store {
        return Ok(None);
    }
    let usual = system::data_folder().map(|folder| folder.join("sanqi"));
    let opened = match usual {
        Some(folder) => Store::open(&folder),
        None => Err(files::at(Path::new("HOME"), message!("not set" | "未设置"))),
    };
    match opened {
        Ok(store) => Ok(Some(store)),
        Err(why) => {
            let remark = message!("games are not kept: {why}" | "对局不会保存：{why}", why);
            let language = args.language.language();
            let _ = writeln!(std::io::stderr(), "sanqi: {}", remark.text(language));
            Ok(None)
        }
    }
}

/// 128 random bits as text.
fn token() -> Result<String, Message> {
    Ok(system::random()?.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in constant time.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// The name of what is asked for, if the request comes from a page of ours and has the token.
fn admit<'r>(request: &'r HttpRequest, port: u16, token: &str) -> Result<&'r str, Refusal> {
    request.check_sender(port)?;
    let (given, name) =
        request.path.strip_prefix('/').and_then(|path| path.split_once('/')).unwrap_or(("", ""));
    ensure!(is_same(given, token), Refusal::Status(403, "the address lacks the token that sanqi printed"));
    Ok(name)
}

impl Server {
    /// Answers the requests of a connection until one of them ends it.
    fn welcome(&self, stream: TcpStream) {
        let Ok(from) = stream.peer_addr() else { return };
        let Ok(mut connection) = Connection::new(stream) else { return };
        let too_many = Refusal::Status(503, "too many connections");
        let Some(stranger) = self.strangers.take(from.ip()) else { return connection.refuse(&too_many) };
        let (mut stranger, mut place) = (Some(stranger), None);
        loop {
            let request = match connection.head() {
                Ok(request) => request,
                Err(refusal) => return connection.refuse(&refusal),
            };
            let name = match admit(&request, self.port, &self.token) {
                Ok(name) => name,
                Err(refusal) => return connection.refuse(&refusal),
            };
            drop(stranger.take());
            if let Some(key) = &request.websocket {
                // A tab is counted by itself.
                drop(place);
                return match self.seat(&request, name) {
                    Ok(seat) => self.play(connection, key, seat),
                    Err(refusal) => connection.refuse(&refusal),
                };
            }
            place = place.or_else(|| self.connections.take());
            if place.is_none() {
                return connection.refuse(&too_many);
            }
            match self.serve(&mut connection, &request, name) {
                Ok(()) if request.keeps => {}
                Ok(()) => return,
                Err(refusal) => return connection.refuse(&refusal),
            }
        }
    }

    fn serve(&self, connection: &mut Connection, request: &HttpRequest, name: &str) -> Result<(), Refusal> {
        let sent = match (request.method, name) {
            (Method::Post, "open" | "open/zh") => {
                let language = Language::of_name(name.trim_start_matches("open/"));
                let body = connection.body(request)?;
                let found = {
                    // A large file takes time and memory: one at a time.
                    let _reading = lock(&self.reading);
                    opened(&body, language)
                };
                connection.answer(request, "application/json", found.as_bytes())
            }
            (Method::Post, _) => return Err(Refusal::Status(405, "nothing can be sent there")),
            (_, "library.pgn" | "library.sgf") => {
                let store = self.store.as_ref().ok_or(Refusal::Status(404, "no games are kept"))?;
                let games = store.export(name.ends_with("sgf"));
                let games = games.map_err(|_| Refusal::Status(500, "the library cannot be read"))?;
                connection.answer(request, "text/plain; charset=utf-8", games.as_bytes())
            }
            (_, "socket") => return Err(Refusal::Status(426, "a WebSocket is spoken there")),
            _ => {
                let file = page::file(name).ok_or(Refusal::Status(404, "there is no such file"))?;
                connection.answer(request, file.kind, file.text.as_bytes())
            }
        };
        sent.map_err(|_| Refusal::Silence)
    }

    fn seat(&self, request: &HttpRequest, name: &str) -> Result<Place<'_>, Refusal> {
        if name != "socket" || request.method != Method::Get {
            return Err(Refusal::Status(404, "no WebSocket is there"));
        }
        self.tabs.take().ok_or(Refusal::Status(503, "too many tabs are open"))
    }

    /// Serves a tab until it is closed.
    fn play(&self, mut connection: Connection, key: &str, seat: Place<'_>) {
        if connection.upgrade(key).is_err() {
            return;
        }
        let (stream, ahead) = connection.into_parts();
        if let Ok((reader, writer)) = wire::split(stream, ahead) {
            session::run(reader, writer, &self.engine, &self.engines, &self.tables, self.store.as_ref());
        }
        drop(seat);
    }
}

/// Whether a page of the port would be let in by the request that `bytes` begin with; `None` while it is not
/// whole. For fuzzing.
pub fn lets_in(bytes: &[u8], port: u16) -> Option<bool> {
    match http::parse(bytes) {
        Ok(None) => None,
        Ok(Some((request, _))) => Some(request.check_sender(port).is_ok()),
        Err(_) => Some(false),
    }
}

/// What the page gets for a file that it opens. For tests with all kinds of input.
pub fn without_connection(file: &[u8], language: Language) -> String {
    opened(file, language)
}

/// The games of a file, and what could not be read, as JSON.
fn opened(bytes: &[u8], language: Language) -> String {
    // Each game is written at once: as values a file would take many times its size.
    let (mut games, mut told_games, mut moves) = (String::new(), 0_usize, 0_usize);
    let (mut broken, mut untold) = (Vec::new(), 0_usize);
    let most = Most { games: MAX_READ, plies: position::MAX_MOVES, null_moves: true, ..Most::ALL };
    for found in formats::with_parts(formats::read_most(bytes, None, most)) {
        match found {
            Ok(_) if told_games >= MAX_GAMES || moves >= MAX_NODES => {
                broken.push(words::only_games(language, told_games));
                break;
            }
            Ok(game) => {
                let (text, count) = tree_of(&game);
                let hidden = game.tree.len().saturating_sub(count.saturating_add(1));
                if hidden > 0 && broken.len() < MAX_BROKEN {
                    let why = message!(
                        "{hidden} moves are left out: the page keeps {max} in a game, {line} in a line"
                            | "略去 {hidden} 着：页面一局至多保留 {max} 着，一条线路至多 {line} 着",
                        hidden,
                        max = tree::MAX_NODES,
                        line = position::MAX_MOVES
                    );
                    broken.push(formats::in_game(game.opening.number, &why).text(language).to_owned());
                }
                if told_games > 0 {
                    games.push(',');
                }
                games.push_str(&text);
                (told_games, moves) = (told_games.saturating_add(1), moves.saturating_add(count));
            }
            Err(_) if broken.len() >= MAX_BROKEN => untold = untold.saturating_add(1),
            Err(why) => broken.push(why.message().text(language).to_owned()),
        }
    }
    if untold > 0 {
        broken.push(words::more_complaints(language, untold));
    }
    format!("{{\"games\":[{games}],\"broken\":{}}}", Value::from(broken))
}

/// A game as JSON, and how many moves it has with its variations.
fn tree_of(game: &Recorded) -> (String, usize) {
    let nodes = opened::nodes(game);
    let about = json!({
        "game": game.kind,
        "fen": game.opening.fen,
        "moves": game.opening.moves,
        "comment": opened::preface(game),
        "extra": opened::extra(game),
        "tags": game.tags,
        "rules": opened::start(game).rules,
        "result": game.result(),
        "names": [game.player(crate::game::Side::First), game.player(crate::game::Side::Second)],
    });
    // Plain values: writing them cannot fail.
    let written = serde_json::to_string(&nodes).unwrap_or_else(|_| "[]".to_owned());
    let about = about.to_string();
    let about = about.strip_suffix('}').unwrap_or(&about);
    (format!("{about},\"nodes\":{written}}}"), nodes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_back() {
        let count = Count::new(2);
        let (one, _two) = (count.take().unwrap(), count.take().unwrap());
        assert!(count.take().is_none());
        drop(one);
        assert!(count.take().is_some());
    }

    #[test]
    fn one_address_cannot_lock_out_the_others() {
        let strangers = Strangers::default();
        let address = |last| IpAddr::V4(Ipv4Addr::new(10, 0, 0, last));
        let taken: Vec<_> = (0..MAX_STRANGERS).map(|_| strangers.take(address(1)).unwrap()).collect();
        assert!(strangers.take(address(1)).is_none() && strangers.take(address(2)).is_some());
        drop(taken);
        assert!(strangers.take(address(1)).is_some());
        assert!(lock(&strangers.0).is_empty());
    }

    #[test]
    fn a_large_file_is_listed_in_part() {
        let tree_of = |text: &str| -> Value {
            serde_json::from_str(&opened(text.as_bytes(), Language::English)).unwrap()
        };
        let found = tree_of(&"[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(3));
        assert_eq!(found["games"].as_array().unwrap().len(), 3);
        assert_eq!(found["games"][2]["nodes"][1]["mv"], "e7e5");
        let found = tree_of(&"[Event \"x\"]\n\n1. e9 *\n\n".repeat(MAX_BROKEN + 20));
        let broken = found["broken"].as_array().unwrap();
        assert_eq!(
            (broken.len(), &broken[MAX_BROKEN]),
            (MAX_BROKEN + 1, &json!("more games that cannot be read: 20"))
        );
    }

    #[test]
    fn tokens_differ_and_are_compared_whole() {
        let (one, two) = (token().unwrap(), token().unwrap());
        assert_eq!(one.len(), 32);
        assert!(one != two && is_same(&one, &one.clone()) && !is_same(&one, &two) && !is_same(&one, ""));
    }
}
