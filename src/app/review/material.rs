//! What a mistake loses or leaves on the board, by the balance of pieces where a line has come to rest.

use super::lines::Lines;
use super::motifs::{motif, side_of, value};
use crate::chess::notation::Notation;
use crate::game::{AlphaBetaGame, Side, Text};
use crate::games::game::{Game, Position};
use crate::games::record::GameKind;
use crate::message;
use crate::util::lang::Bilingual;
use crate::util::message::Message;

/// Moves of a line that are played over.
const HORIZON: usize = 11;

/// What the move loses, or what it leaves.
pub(super) fn reason(lines: &Lines) -> Option<Message> {
    let mover = lines.mover();
    let played = Settled::after(lines.game, std::iter::once(lines.mv).chain(texts(&lines.after.line)));
    let better = Settled::after(lines.game, texts(&lines.before.line));
    let least = if is_chess(lines.game) { 10 } else { 20 };
    let (Some(played), Some(better)) = (played, better) else { return at_once(lines) };
    let (worth, best) = (played.worth(mover), better.worth(mover));
    if worth <= -least && best - worth >= least {
        return loses(lines, &played);
    }
    if best >= least && best - worth >= least { misses(lines, &better) } else { None }
}

/// What the first captures show where a line breaks off before it has come to rest: a piece that is taken for
/// nothing by the exchange on its square.
fn at_once(lines: &Lines) -> Option<Message> {
    let (reply, best) = (lines.after.line.first()?, lines.before.line.first()?);
    let mut other = lines.game.clone();
    other.play(best).ok()?;
    // What the best move leaves hanging too is no reason.
    let hanging = free_piece(lines.next, reply).filter(|_| free_piece(&other, reply).is_none());
    if let Some(piece) = hanging {
        let (reply, is_chess) = (lines.reply()?, is_chess(lines.game));
        let Some(won) = taken(lines.game, lines.mv) else {
            let what = names(&[piece], is_chess);
            return Some(message!("hangs {what}: {reply}" | "白丢{what}：{reply}", what, reply));
        };
        let what = Trade { lost: vec![piece], won: vec![won], promoted: [false; 2], is_chess }.text(false)?;
        return Some(message!("loses {what} after {reply}" | "{reply} 后丢{what}", what, reply));
    }
    let (piece, better) = (free_piece(lines.game, best)?, lines.better()?);
    let what = names(&[piece], is_chess(lines.game));
    Some(message!("misses {better}, which wins {what}" | "错过 {better}，可得{what}", better, what))
}

/// The piece, more than a pawn, that a move takes for nothing.
fn free_piece(game: &Game, mv: &str) -> Option<char> {
    fn is_free<G: AlphaBetaGame + Text>(board: &G, mv: &str, notation: G::Notation) -> Option<bool> {
        let mv = board.parse_move(mv, notation).ok()?;
        Some(board.see_ge(mv, G::piece_value(board.captured_kind(mv)?)))
    }
    let is_free = match game.position() {
        Position::Chess(board) => {
            let is_chess960 = game.kind() == GameKind::CHESS960;
            let notation = if is_chess960 { Notation::Chess960 } else { Notation::Coordinate };
            is_free(&***board, mv, notation)?
        }
        Position::Xiangqi(board) => is_free(&***board, mv, Default::default())?,
        Position::Go(_) => return None,
    };
    taken(game, mv).filter(|piece| is_free && *piece != 'p')
}

fn texts(line: &[String]) -> impl Iterator<Item = &str> {
    line.iter().map(String::as_str)
}

fn loses(lines: &Lines, played: &Settled) -> Option<Message> {
    let (reply, trade) = (lines.reply()?, played.trade(lines.mover()));
    let is_taken = |piece| lines.after.line.first().is_some_and(|mv| taken(lines.next, mv) == Some(piece));
    if trade.promoted[1] {
        return Some(message!("lets a pawn promote after {reply}" | "{reply} 后兵升变", reply));
    }
    let hangs = matches!((&trade.lost[..], &trade.won[..]), ([piece], []) if is_taken(*piece));
    let what = trade.text(false)?;
    if hangs {
        return Some(message!("hangs {what}: {reply}" | "白丢{what}：{reply}", what, reply));
    }
    Some(match motif(lines.next, &lines.after.line) {
        Some(how) => {
            message!("loses {what} to the {how} {reply}" | "{reply} {how}，丢{what}", what, how, reply)
        }
        None => message!("loses {what} after {reply}" | "{reply} 后丢{what}", what, reply),
    })
}

fn misses(lines: &Lines, best: &Settled) -> Option<Message> {
    let better = lines.better()?;
    if best.trade(lines.mover()).promoted[0] {
        return Some(message!(
            "misses {better}, after which a pawn promotes" | "错过 {better}，兵可升变",
            better
        ));
    }
    let what = best.trade(lines.mover().other()).text(true)?;
    Some(match motif(lines.game, &lines.before.line) {
        Some(how) => message!(
            "misses {better}, a {how} that wins {what}" | "错过 {better} {how}，可得{what}",
            better,
            how,
            what
        ),
        None => message!("misses {better}, which wins {what}" | "错过 {better}，可得{what}", better, what),
    })
}

/// The letter of the piece that a move captures.
fn taken(game: &Game, mv: &str) -> Option<char> {
    let mut after = game.clone();
    after.play(mv).ok()?;
    let side = game.side_to_move().other();
    let gone = left_over(&pieces(game)?, &pieces(&after)?);
    gone.into_iter().find(|letter| side_of(*letter) == side).map(|letter| letter.to_ascii_lowercase())
}

/// A line at its last point of rest: what stood on the board before it, and what stands there.
struct Settled {
    before: Vec<char>,
    now: Vec<char>,
    is_chess: bool,
}

impl Settled {
    /// Plays a line up to the last position from which both sides go on without a capture, a promotion or a
    /// check to answer. `None`: there is none.
    fn after<'m>(game: &Game, moves: impl Iterator<Item = &'m str>) -> Option<Self> {
        let before = pieces(game)?;
        let (mut game, mut last, mut now) = (game.clone(), before.clone(), None);
        let (mut quiet, mut is_whole) = (0, true);
        for (ply, mv) in moves.enumerate() {
            let was_checked = in_check(&game);
            if ply == HORIZON || game.play(mv).is_err() {
                is_whole = false;
                break;
            }
            let next = pieces(&game)?;
            quiet = if next == last && !was_checked && ply > 0 { quiet + 1 } else { 0 };
            last = next;
            if quiet >= 2 {
                now = Some(last.clone());
            }
        }
        // Nothing comes after the end of a game; and a line that ends quietly ends at rest.
        if game.legal().is_empty() || is_whole && quiet > 0 {
            now = Some(last);
        }
        Some(Self { before, now: now?, is_chess: is_chess(&game) })
    }

    /// What the mover has lost for what.
    fn trade(&self, mover: Side) -> Trade {
        let own = |all: &[char], side| -> Vec<char> {
            let own = all.iter().filter(|letter| side_of(**letter) == side);
            own.map(char::to_ascii_lowercase).collect()
        };
        let gone = |side| left_over(&own(&self.before, side), &own(&self.now, side));
        let come = |side| left_over(&own(&self.now, side), &own(&self.before, side));
        // What a side got by promotion counts as won.
        let mut lost = [gone(mover), come(mover.other())].concat();
        let mut won = [gone(mover.other()), come(mover)].concat();
        let value = |letter: &char| value(*letter, self.is_chess);
        won.retain(|letter| match lost.iter().position(|one| value(one) == value(letter)) {
            Some(at) => {
                lost.remove(at);
                false
            }
            None => true,
        });
        let promoted = [mover, mover.other()].map(|side| !come(side).is_empty());
        Trade { lost, won, promoted, is_chess: self.is_chess }
    }

    /// What the mover has won, in tenths of a pawn.
    fn worth(&self, mover: Side) -> i32 {
        let signed = |letter: &char| {
            let value = value(letter.to_ascii_lowercase(), self.is_chess);
            if side_of(*letter) == mover { value } else { -value }
        };
        let sum = |all: &[char]| all.iter().map(signed).sum::<i32>();
        sum(&self.now) - sum(&self.before)
    }
}

/// Pieces that a side has lost and won for them, without those of like value.
struct Trade {
    lost: Vec<char>,
    won: Vec<char>,
    /// Whether the mover, or the opponent, has promoted a pawn.
    promoted: [bool; 2],
    is_chess: bool,
}

impl Trade {
    /// The pieces, seen by the side that loses them, or by the one that `gains` them.
    fn text(&self, gains: bool) -> Option<Message> {
        let worth = |all: &[char]| all.iter().map(|letter| value(*letter, self.is_chess)).sum::<i32>();
        if worth(&self.lost) <= worth(&self.won) {
            return None;
        }
        let name = |all: &[char]| names(all, self.is_chess);
        Some(match (&self.lost[..], &self.won[..]) {
            (['r'], ['n' | 'b']) if self.is_chess => message!("the exchange" | "半子（车换轻子）"),
            ([_] | [_, _], []) => name(&self.lost),
            ([_], [_] | [_, _]) => {
                let (lost, won) = (name(&self.lost), name(&self.won));
                if gains {
                    message!("{lost} for {won}" | "{lost}（付出{won}）", lost, won)
                } else {
                    message!("{lost} for {won}" | "{lost}（换得{won}）", lost, won)
                }
            }
            _ => message!("material" | "子力"),
        })
    }
}

/// One or two pieces, the most valuable first.
fn names(pieces: &[char], is_chess: bool) -> Message {
    let mut pieces = pieces.to_vec();
    pieces.sort_by_key(|letter| -value(*letter, is_chess));
    let each: Vec<Bilingual> = pieces.iter().map(|letter| piece_name(*letter, is_chess)).collect();
    let one_of = |name: Bilingual| {
        let article = if name.0.starts_with(['a', 'e']) { "an" } else { "a" };
        Message::new(format!("{article} {}", name.0), format!("一{}", name.1))
    };
    match each[..] {
        [one] => one_of(one),
        [one, two] if one == two => message!("two {one}s" | "两{one}", one),
        [one, two] => {
            let (one, two) = (one_of(one), one_of(two));
            message!("{one} and {two}" | "{one}{two}", one, two)
        }
        _ => message!("material" | "子力"),
    }
}

fn piece_name(letter: char, is_chess: bool) -> Bilingual {
    match (letter, is_chess) {
        ('q', _) => Bilingual("queen", "后"),
        ('r', true) => Bilingual("rook", "车"),
        ('n', true) => Bilingual("knight", "马"),
        ('b', true) => Bilingual("bishop", "象"),
        ('p', true) => Bilingual("pawn", "兵"),
        ('r', false) => Bilingual("chariot", "车"),
        ('n', false) => Bilingual("horse", "马"),
        ('c', _) => Bilingual("cannon", "炮"),
        ('b', false) => Bilingual("elephant", "象"),
        ('a', _) => Bilingual("advisor", "士"),
        _ => Bilingual("soldier", "兵"),
    }
}

fn is_chess(game: &Game) -> bool {
    matches!(game.position(), Position::Chess(_))
}

/// What of the first list is left when the second is taken away.
fn left_over(all: &[char], without: &[char]) -> Vec<char> {
    let mut left = all.to_vec();
    for letter in without {
        if let Some(at) = left.iter().position(|one| one == letter) {
            left.remove(at);
        }
    }
    left
}

/// The letters of all pieces, sorted.
fn pieces(game: &Game) -> Option<Vec<char>> {
    let fen = game.fen()?;
    let board = fen.split_whitespace().next()?;
    let mut pieces: Vec<char> = board.chars().filter(char::is_ascii_alphabetic).collect();
    pieces.sort_unstable();
    Some(pieces)
}

fn in_check(game: &Game) -> bool {
    match game.position() {
        Position::Chess(board) => board.in_check(),
        Position::Xiangqi(board) => board.in_check(),
        Position::Go(_) => false,
    }
}
