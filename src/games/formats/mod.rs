//! Games from files: PGN of chess and xiangqi, the texts of DhtmlXQ and the WXF, XQF, CBR and CBL, SGF, GIB
//! and NGF. A game that cannot be read is named by its number and line; the others are read.

mod cbr;
mod decode;
mod dhtmlxq;
pub mod pgn;
mod recorded;
pub mod sgf;
pub mod wxf;
mod xqf;

pub use decode::{decode, decode_as, encoding_named};
pub use recorded::{Broken, Place, Recorded, in_game, with_parts};

use super::follow::{Follower, NULL_MOVE};
use super::game::Start;
use super::record::{GameKind, Opening};
use super::tree::{Item, MoveText, Node, ROOT, Tree};
use crate::ensure;
use crate::game::Text;
use crate::message;
use crate::util::message::Message;

/// All games of a file; `kind` if neither the file nor the game names what is played, `None` for what is
/// usual.
pub fn read(bytes: &[u8], kind: Option<GameKind>) -> Vec<Result<Recorded, Broken>> {
    read_most(bytes, kind, Most::ALL)
}

/// How much of a file is read.
#[derive(Clone, Copy)]
pub struct Most {
    /// Games, of texts that may have many: PGN and SGF.
    pub games: usize,
    /// Moves of a game of PGN.
    pub plies: usize,
    /// Whether variations of PGN are read.
    pub variations: bool,
    /// Whether a game of PGN goes on behind a null move, which stands among its moves as [`NULL_MOVE`].
    pub null_moves: bool,
}

impl Most {
    pub const ALL: Self = Self { games: usize::MAX, plies: usize::MAX, variations: true, null_moves: false };
}

/// The same with all variations: each line of play, from the start to an end, is a game, the main line first.
pub fn read_lines(bytes: &[u8], kind: Option<GameKind>) -> Vec<Result<Recorded, Broken>> {
    let text = decode(bytes);
    if is_sgf(&text, kind) {
        return sgf::read_lines(&text);
    }
    with_parts(read(bytes, kind))
        .flat_map(|game| match game {
            Ok(game) => lines_of(&game),
            Err(broken) => vec![Err(broken)],
        })
        .collect()
}

/// The lines of a game, without those whose moves are all in one before them; what is wrong if there are too
/// many. A null move ends its line.
fn lines_of(game: &Recorded) -> Vec<Result<Recorded, Broken>> {
    let is_end = |id| game.tree.children(id).next().is_none();
    let (mut lines, mut nodes): (Vec<Recorded>, _) = (Vec::new(), 0_usize);
    for (i, (end, depth)) in game.tree.walk().filter(|(id, _)| is_end(*id)).enumerate() {
        nodes = nodes.saturating_add(depth);
        // The main line is one that was read.
        if i > 0
            && let Some(why) = sgf::too_many_lines(i, nodes)
        {
            return vec![Err(Broken::new(game.opening.number, None, why))];
        }
        let tree = game.tree.of_path(&game.tree.path_to(end));
        let played = tree.plies().filter_map(|id| tree.node(id).played);
        let moves = played.map(|(_, mv)| mv.to_string()).take_while(|mv| mv != NULL_MOVE);
        let opening = Opening { moves: moves.collect(), ..game.opening.clone() };
        if lines.iter().any(|other| other.opening.moves.starts_with(&opening.moves)) {
            continue;
        }
        let line = Some(lines.len().saturating_add(1));
        let (go, restarts) = (game.go.clone(), game.restarts.clone());
        let own = Recorded::new(game.kind, opening, game.tags.clone(), tree);
        lines.push(Recorded { line, go, restarts, ..own });
    }
    lines.into_iter().map(Ok).collect()
}

/// Whether a text is SGF: its first bracket that a semicolon follows, in no comment of PGN, is one that a
/// property or a bracket follows in turn. What begins with a tag is PGN.
fn is_sgf(text: &str, kind: Option<GameKind>) -> bool {
    let begins = |from: &str| {
        let node = from.trim_start().strip_prefix(';').map(str::trim_start)?;
        let behind_name = node.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        Some(
            node.starts_with(['(', ';'])
                || behind_name.len() < node.len() && behind_name.trim_start().starts_with('['),
        )
    };
    if kind == Some(GameKind::GO) || text.trim_start().starts_with("(;") {
        return true;
    }
    if begins_with_tag(text) {
        return false;
    }
    let mut is_comment = false;
    let mut signs = text.match_indices(['(', '{', '}']);
    let found = signs.find_map(|(at, sign)| match sign {
        "(" if !is_comment => begins(text.get(at.saturating_add(1)..)?),
        "(" => None,
        sign => {
            is_comment = sign == "{";
            None
        }
    });
    found.unwrap_or(false)
}

/// Whether a text begins with a tag of PGN, in whose value anything may stand.
fn begins_with_tag(text: &str) -> bool {
    let name = text.trim_start().strip_prefix('[').unwrap_or_default();
    let behind = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    behind.len() < name.len() && behind.trim_start().starts_with('"')
}

pub fn is_dhtmlxq(text: &str) -> bool {
    !begins_with_tag(text) && ["[DhtmlXQ", "[dhtmlxq", "[DHTMLXQ"].iter().any(|sign| text.contains(sign))
}

/// Text of a record in UTF-8, from what it is in; records that are not text stay as they are.
pub fn recoded(bytes: Vec<u8>, encoding: Option<&'static encoding_rs::Encoding>) -> Vec<u8> {
    let is_binary = [&b"XQ"[..], cbr::RECORD, cbr::LIBRARY].iter().any(|head| bytes.starts_with(head));
    match encoding {
        Some(encoding) if !is_binary => decode_as(&bytes, encoding).into_bytes(),
        _ => bytes,
    }
}

/// The same, and no more than `most`.
pub fn read_most(bytes: &[u8], kind: Option<GameKind>, most: Most) -> Vec<Result<Recorded, Broken>> {
    let mut games = Vec::new();
    read_each(bytes, kind, most, |game| games.push(game));
    games
}

/// The same, each game given away before the next is read.
pub fn read_each(
    bytes: &[u8],
    kind: Option<GameKind>,
    most: Most,
    take: impl FnMut(Result<Recorded, Broken>),
) {
    let games = if bytes.starts_with(b"XQ") && bytes.len() >= xqf::HEADER {
        vec![xqf::read(bytes)]
    } else if bytes.starts_with(cbr::RECORD) {
        vec![cbr::read(bytes)]
    } else if bytes.starts_with(cbr::LIBRARY) {
        cbr::read_library(bytes)
    } else {
        let text = decode(bytes);
        if is_dhtmlxq(&text) {
            dhtmlxq::read(&text)
        } else if wxf::is_wxf(&text) {
            return pgn::read(&wxf::to_pgn(&text), Some(GameKind::XIANGQI), most).for_each(take);
        } else if let Some(game) = sgf::tygem::read(&text) {
            vec![game]
        } else if is_sgf(&text, kind) {
            sgf::read_games(&text, most.games)
        } else {
            return pgn::read(&text, kind, most).for_each(take);
        }
    };
    games.into_iter().for_each(take);
}

/// All games of a file as openings of `kind`, each cut to its first `plies` moves; what is wrong with those
/// that cannot be read, or are games of another kind.
pub fn openings(bytes: &[u8], kind: GameKind, plies: usize) -> Vec<Result<Opening, Message>> {
    let is_xiangqi = |kind| kind == GameKind::XIANGQI;
    let cut = |game: Result<Recorded, Broken>| {
        let game = match game {
            // What is wrong behind the opening does not matter.
            Err(Broken { before: Some(before), .. }) if before.opening.moves.len() >= plies => *before,
            game => game.map_err(|broken| broken.message())?,
        };
        ensure!(is_xiangqi(game.kind) == is_xiangqi(kind), other_game(&game));
        let mut opening = game.opening;
        opening.moves.truncate(plies);
        Ok(opening)
    };
    let mut openings = Vec::new();
    let most = Most { plies, variations: false, ..Most::ALL };
    read_each(bytes, Some(kind), most, |game| openings.push(cut(game)));
    openings
}

/// The position from which a game of `G` starts.
/// # Errors
/// The game is of another kind, or its FEN is wrong.
pub fn start<G: Text>(game: &Recorded) -> Result<G, Message> {
    match &game.opening.fen {
        _ if game.kind.name() != G::NAME => Err(other_game(game)),
        Some(fen) => G::from_fen(fen).map_err(|why| in_game(game.opening.number, &why)),
        None => Ok(G::start()),
    }
}

fn other_game(game: &Recorded) -> Message {
    let why = message!("a game of {kind}" | "{kind} 的对局", kind = game.kind);
    in_game(game.opening.number, &why)
}

/// A point of the board as files of xiangqi count them: the file from Red's left, the row from Black's home,
/// from 0.
type Point = (usize, usize);

/// The point in coordinates: `(0, 9)` is `a0`.
#[allow(clippy::arithmetic_side_effects, reason = "a file or a row is from 0 to 9")]
fn coordinates((file, row): Point) -> String {
    format!("{}{}", (b'a' + file as u8) as char, 9 - row)
}

/// A move of xiangqi given by its start and end, in a tree that is written move by move.
struct PointedMove {
    from: Point,
    to: Point,
    /// The byte of the record where it stands.
    byte: usize,
    /// How many moves stand before it in its line.
    ply: usize,
    comment: String,
}

/// A record of xiangqi as far as it can be read.
struct Pointed {
    number: usize,
    fen: Option<String>,
    tags: Vec<(String, String)>,
    comment: String,
    /// Each before those that answer it, and behind these its variations.
    moves: Vec<PointedMove>,
    /// Where the moves end before the record does.
    fault: Option<Damage>,
}

impl Pointed {
    /// The game with its variations. What cannot be played ends its line.
    fn read(self, mut place: impl FnMut(Option<usize>) -> Option<Place>) -> Result<Recorded, Broken> {
        let Self { number, fen, tags, comment, moves, mut fault } = self;
        let mut broken = |damage: Damage, before: Option<Recorded>| Broken {
            number,
            place: place(damage.byte),
            why: damage.why,
            is_illegal: false,
            before: before.map(Box::new),
        };
        let start = Start { fen: fen.clone(), ..GameKind::XIANGQI.into() };
        let mut follower = Follower::new(start).map_err(|why| broken(why.into(), None))?;
        let mut tree = Tree::default();
        tree.node_mut(ROOT).items.extend(said(comment));
        let (mut line, mut is_main, mut damages) = (vec![ROOT], true, Vec::new());
        // Where the main line ends by a fault: another move there is no part of it.
        let (mut end, mut is_illegal) = (None, false);
        for mv in moves {
            is_main &= mv.ply.saturating_add(1) == line.len();
            // Its line has ended before.
            if mv.ply >= line.len() || end == Some(mv.ply) {
                continue;
            }
            line.truncate(mv.ply.saturating_add(1));
            follower.back_to(mv.ply);
            match read_move(&mut follower, &mv) {
                Ok(node) => {
                    let id = tree.add(line.last().copied().unwrap_or(ROOT));
                    let own = tree.node_mut(id);
                    own.played = node.played;
                    own.items.extend(said(mv.comment));
                    line.push(id);
                }
                Err(why) => {
                    let number = mv.ply.saturating_add(1);
                    let why = message!("move {number}: {why}" | "第 {number} 着：{why}", number, why);
                    let damage = Damage::at(mv.byte, why);
                    match is_main {
                        true => (fault, end, is_illegal) = (Some(damage), Some(mv.ply), true),
                        false => damages.push(damage),
                    }
                }
            }
        }
        let main = tree.plies().filter_map(|id| Some(tree.node(id).played?.1.to_string())).collect();
        let opening = Opening { fen, moves: main, number, ..Opening::default() };
        let mut game = Recorded::new(GameKind::XIANGQI, opening, tags, tree);
        let remarks = damages.into_iter().map(|damage| broken(damage, None));
        game.remarks = remarks.filter_map(|remark| Some((remark.place?, remark.why))).collect();
        match fault {
            Some(fault) => {
                let before = Some(game).filter(|game| is_illegal || !game.opening.moves.is_empty());
                Err(Broken { is_illegal, ..broken(fault, before) })
            }
            None => Ok(game),
        }
    }
}

/// A comment, unless it is empty.
fn said(comment: String) -> Option<Item> {
    Some(comment).filter(|text| !text.trim().is_empty()).map(Item::Comment)
}

/// Plays a move behind those before it.
fn read_move(follower: &mut Follower, mv: &PointedMove) -> Result<Node, Message> {
    let text = follower.game().read(&(coordinates(mv.from) + &coordinates(mv.to)))?;
    let text = MoveText::new(&text).ok_or_else(|| Message::from("a move is too long"))?;
    let node = Node::of_move(follower.game().side_to_move(), text);
    follower.enter(mv.ply.saturating_add(1), &node)?;
    Ok(node)
}

struct Damage {
    /// The byte of the record where it is; none where all of it is meant.
    byte: Option<usize>,
    why: Message,
}

impl Damage {
    fn at(byte: usize, why: impl Into<Message>) -> Self {
        Self { byte: Some(byte), why: why.into() }
    }
}

impl<M: Into<Message>> From<M> for Damage {
    fn from(why: M) -> Self {
        Self { byte: None, why: why.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_how_they_begin() {
        for text in ["(;GM[1]SZ[9];B[ee])", "(\n;GM[1])", "From: (me)\n\n( ; AB [aa])", "(;(;B[ee]))"] {
            assert!(is_sgf(text, None), "{text}");
        }
        let pgn = "[Event \"[DhtmlXQ_title]\"]\n\n1. e4 *";
        assert!(is_dhtmlxq("[DhtmlXQ_title]x[/DhtmlXQ_title]") && !is_dhtmlxq(pgn));
        for text in [
            "1. e4 (1. d4 ; a line\n d5) *",
            "1. e4 {(;)} e5",
            "1. e4 {(;B[ee])} e5",
            "",
            "[Event \"(;a\"]\n\n1. e4 *",
            "[Event \"(;B[ee])\"]\n\n1. e4 *",
        ] {
            assert!(!is_sgf(text, None), "{text}");
        }
    }
}
