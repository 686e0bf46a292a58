//! Lines that no client sends, thousands of them: the engine lives, and still answers.
//!
//! The lines are drawn from words that mean something, numbers at the edges of every type, positions
//! that are nearly right, and bytes. The seed is fixed, so that a failure repeats.

use crate::session::Session;
use sanqi::util::rng::Rng;

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "255",
    "256",
    "999",
    "65535",
    "65536",
    "2147483648",
    "-9223372036854775808",
    "18446744073709551616",
    "1e9",
    "0x10",
    "nan",
    "inf",
    "",
];

const FENS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 98 200",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "3ak4/9/4b4/9/9/9/9/4B4/9/3AK1R2 w - - 118 99",
    "3k5/9/9/9/9/9/9/9/4p4/3K5 b - - 0 1",
];

/// A FEN with a few letters changed.
fn nearly_a_fen(random: &mut Rng) -> String {
    let mut fen: Vec<char> = random.pick(FENS).chars().collect();
    for _ in 0..random.below(4) {
        let at = random.below(fen.len());
        let new = random
            .pick(&["k", "K", "q", "p", "P", "/", "8", "9", "1", "0", " ", "-", "w", "b", "c", "\u{738B}"]);
        fen[at] = new.chars().next().unwrap_or(' ');
    }
    fen.into_iter().collect()
}

const MOVES: &[&str] = &[
    "e2e4", "e7e5", "g1f3", "e1g1", "e1h1", "e1c1", "a7a8q", "h2e2", "h9g7", "h3e3", "b10c8", "a0a1", "0000",
    "e2e9", "i9i10", "z1z1", "e2", "e2e4e5", "E2E4", "\u{738B}",
];

/// Words of a protocol, and what may stand for arguments.
struct Soup {
    arguments: &'static [&'static str],
    words: &'static [&'static str],
    /// Ends what may still run, so that the answer to the last line comes soon.
    end: &'static str,
    sign_of_life: (&'static str, &'static str),
}

fn line(soup: &Soup, random: &mut Rng) -> Vec<u8> {
    let mut line = String::new();
    for _ in 0..1 + random.below(7) {
        let word = match random.below(10) {
            0 => random.pick(NUMBERS).to_owned(),
            1 => random.pick(MOVES).to_owned(),
            2 => nearly_a_fen(random),
            3 => format!("position fen {}", nearly_a_fen(random)),
            _ => random.pick(soup.words).to_owned(),
        };
        line += &word;
        line.push(if random.below(20) == 0 { '\t' } else { ' ' });
    }
    let mut bytes = line.into_bytes();
    if random.below(20) == 0 {
        let at = random.below(bytes.len());
        bytes[at] = [0, 7, 13, 0x80, 0xC3, 0xFF][random.below(6)];
    }
    bytes
}

fn survives(soup: &Soup, lines: usize) {
    let mut random = Rng::new(1);
    let mut session = Session::start(soup.arguments);
    let mut sent = Vec::new();
    for _ in 0..lines {
        sent = line(soup, &mut random);
        session.send_bytes(&[&sent[..], b"\n"].concat());
        if random.below(4) == 0 {
            session.send(soup.end);
        }
        if random.below(50) == 0 {
            session.send(soup.sign_of_life.0);
            session.until(soup.sign_of_life.1);
        }
    }
    session.send(soup.end);
    session.send(soup.sign_of_life.0);
    session.until(soup.sign_of_life.1);
    let (_, status, _) = session.finish();
    assert!(status.success(), "{:?} after {:?}", soup.arguments, String::from_utf8_lossy(&sent));
}

#[test]
fn any_words_in_uci() {
    let words = &[
        "go",
        "go",
        "go",
        "depth",
        "nodes",
        "movetime 5",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "mate",
        "infinite",
        "ponder",
        "searchmoves",
        "perft 1",
        "position",
        "position",
        "startpos",
        "fen",
        "moves",
        "moves",
        "stop",
        "ponderhit",
        "ucinewgame",
        "isready",
        "uci",
        "setoption name",
        "value",
        "MultiPV",
        "UCI_Chess960",
        "UCI_Variant",
        "true",
        "false",
        "chess",
        "xiangqi",
        "Clear Hash",
        "d",
        "eval",
        "debug",
        "on",
        "register",
        "later",
        "compiler",
    ];
    let soup = Soup { arguments: &["uci"], words, end: "stop", sign_of_life: ("isready", "readyok") };
    survives(&soup, 3000);
}

#[test]
fn any_words_in_ucci() {
    let words = &[
        "go",
        "go",
        "go",
        "depth",
        "nodes 50",
        "time",
        "increment",
        "opptime",
        "movestogo",
        "oppmovestogo",
        "infinite",
        "ponder",
        "draw",
        "position",
        "position",
        "startpos",
        "fen",
        "moves",
        "moves",
        "stop",
        "ponderhit",
        "probe",
        "banmoves",
        "isready",
        "ucci",
        "setoption",
        "usemillisec",
        "debug",
        "style",
        "ruleset",
        "newgame",
        "true",
        "false",
        "solid",
        "asian",
        "none",
    ];
    let soup = Soup { arguments: &["ucci"], words, end: "stop", sign_of_life: ("isready", "readyok") };
    survives(&soup, 3000);
}

#[test]
fn any_bytes_before_a_protocol_is_known() {
    let mut random = Rng::new(2);
    let mut session = Session::start(&[]);
    for _ in 0..200 {
        let mut bytes: Vec<u8> = (0..random.below(300)).map(|_| random.below(256) as u8).collect();
        // A line that by chance begins with a command would rightly be answered.
        bytes.splice(0..0, *b"?");
        bytes.retain(|&b| b != b'\n');
        session.send_bytes(&[&bytes[..], b"\n"].concat());
    }
    session.send("uci");
    let (_, lines) = session.until("uciok");
    assert!(lines[0].starts_with("id name"), "{lines:?}");
}
